//! The tap: where every frame and every stderr line of a connection is seen, before it is decoded and as it stood.
//! Not a store: what becomes of a frame is the sink's business.

use bytes::Bytes;

/// Which way a frame went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// From us to the server.
    Sent,
    /// From the server to us.
    Received,
}

/// What sees a connection's bytes. Called on the tasks that read and write, so it must be quick and must not block.
pub trait Tap: Send + Sync {
    /// One frame without its line end. A sent frame is tapped immediately before it is written.
    fn frame(&self, direction: Direction, bytes: &Bytes);
    /// A received line longer than [`crate::bounds::LINE`]: its first bytes and its whole length.
    fn overlong(&self, head: &Bytes, length: u64);
    /// One line (or piece of a line) of the server's stderr, without its line end.
    fn stderr(&self, line: &Bytes);
    /// A process was started for the connection (again, where the first one ended on the probe).
    fn started(&self, pid: u32);
}

/// A tap that sees nothing.
pub struct NoTap;

impl Tap for NoTap {
    fn frame(&self, _: Direction, _: &Bytes) {}
    fn overlong(&self, _: &Bytes, _: u64) {}
    fn stderr(&self, _: &Bytes) {}
    fn started(&self, _: u32) {}
}
