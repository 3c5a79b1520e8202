//! stub
use crate::client::{Declared, Limit, Reply};
use crate::error::ExchangeError;
use crate::frame::RequestId;
use crate::params::{Params, Raw};
pub(crate) struct Link;
pub(crate) enum Phase {}
#[allow(missing_docs, unused)]
impl Link {
    pub(crate) fn declare(&self, declared: Declared) {}
    pub(crate) fn declared(&self) -> Declared { unimplemented!() }
    pub(crate) async fn request(&self, method: &str, params: &Params, limit: Limit) -> Result<Reply, ExchangeError> { unimplemented!() }
    pub(crate) async fn notify(&self, method: &str, params: Option<&Params>) -> Result<(), ExchangeError> { unimplemented!() }
    pub(crate) fn is_closed(&self) -> bool { true }
    pub(crate) async fn answer(&self, id: &RequestId, answer: Result<&Raw, (i64, &str)>) -> Result<(), ExchangeError> { unimplemented!() }
    pub(crate) fn answer_unheard(&self, id: &RequestId, code: i64, message: &str) {}
}
