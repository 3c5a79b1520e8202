//! How frames get to a server and back, behind two small traits. What a frame says is not read here.

mod exit;
mod guard;
mod keeper;
mod lines;
#[cfg(test)]
pub(crate) mod memory;
mod os;
pub mod process;
mod spawn;
pub mod stdio;

use std::future::Future;
use std::io;
use std::pin::Pin;

use bytes::Bytes;

/// A boxed future.
pub(crate) type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// What came from a server.
#[derive(Debug)]
pub(crate) enum Received {
    /// One frame, without its line end.
    Frame(Bytes),
    /// A frame longer than the bound.
    Overlong {
        /// Its first bytes.
        head: Bytes,
        /// Its last bytes.
        tail: Bytes,
        /// Its whole length.
        length: u64,
    },
}

/// The end that frames come out of.
pub(crate) trait Incoming: Send + 'static {
    /// The next frame; `None` when there will be no more.
    fn next(&mut self) -> Boxed<'_, io::Result<Option<Received>>>;
}

/// The end that frames go into.
pub(crate) trait Outgoing: Send + 'static {
    /// Sends frames, each with its line end.
    fn send<'a>(&'a mut self, lines: &'a [Bytes]) -> Boxed<'a, io::Result<()>>;
}
