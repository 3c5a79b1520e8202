//! The front door to the frames of a server, by number.

use super::Host;
use crate::error::Result;
use crate::view::{FrameFilter, FrameLine, FrameView};

impl Host {
    /// The numbers of a server's kept frames after one that a filter lets through, oldest first.
    pub fn frame_numbers(&self, server: &str, filter: &FrameFilter, after: u64) -> Vec<u64> {
        self.core.link(server).traffic().matching(filter, after)
    }

    /// A line for each of these frames; none for one that is no longer kept.
    pub fn frame_lines(&self, server: &str, seqs: &[u64]) -> Vec<Option<FrameLine>> {
        self.core.link(server).traffic().lines(seqs)
    }

    /// One frame whole.
    ///
    /// # Errors
    /// It is no longer kept.
    pub fn frame(&self, server: &str, seq: u64) -> Result<FrameView> {
        self.core.link(server).traffic().frame_whole(seq)
    }

    /// The exact bytes of one frame, as far as they are kept.
    ///
    /// # Errors
    /// It is no longer kept.
    pub fn frame_bytes(&self, server: &str, seq: u64) -> Result<Vec<u8>> {
        self.core.link(server).traffic().frame_bytes(seq)
    }
}
