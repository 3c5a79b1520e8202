//! One request of ours on its way, in the hands of who waits for it. When it ends is not decided here.

use std::sync::Arc;

use tokio::sync::oneshot;

use super::Link;
use super::link::lock;
use super::pending::Answer;
use crate::error::ExchangeError;

/// A request on its way. Dropped before its answer came, it is given up.
pub(crate) struct Ticket {
    link: Arc<Link>,
    id: i64,
    answer: oneshot::Receiver<Answer>,
    done: bool,
}

impl Ticket {
    pub(super) fn new(link: Arc<Link>, id: i64, answer: oneshot::Receiver<Answer>) -> Self {
        Self {
            link,
            id,
            answer,
            done: false,
        }
    }

    /// The request's id.
    pub(super) fn id(&self) -> i64 {
        self.id
    }

    /// The request's end.
    pub(crate) async fn wait(mut self) -> Answer {
        self.ended().await
    }

    /// The request's end, for those who wait for several. Not to be called again after it resolved.
    pub(crate) async fn ended(&mut self) -> Answer {
        let answer = (&mut self.answer).await;
        self.done = true;
        answer.unwrap_or_else(|_| {
            Err(ExchangeError::Closed {
                reason: "the connection is gone".into(),
            })
        })
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        if !self.done && lock(&self.link.pending).give_up(self.id) {
            self.link.cancel(self.id);
        }
    }
}
