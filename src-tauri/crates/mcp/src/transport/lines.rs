//! Frames as lines of a byte stream: cut at LF, bounded, copied as little as possible. Nothing here knows JSON.

use std::collections::VecDeque;
use std::io;

use bytes::{Bytes, BytesMut};
use memchr::memchr;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use super::{Boxed, Incoming, Outgoing, Received};
use crate::bounds::{LINE, LINE_KEPT};

#[cfg(test)]
mod tests;

/// How much is read at once, and the buffer that stays while nothing long comes.
const CHUNK: usize = 64 * 1024;
/// Frames up to this size get memory of their own, so that a kept frame does not hold a whole chunk.
const COPIED: usize = 16 * 1024;
/// Lines are put together into one write up to this size.
const JOINED: usize = 256 * 1024;

/// Reads lines.
pub(crate) struct LineReader<R> {
    source: R,
    buffer: BytesMut,
    /// Bytes at the start of the buffer that hold no line end.
    scanned: usize,
    limit: usize,
    skipping: Option<Skipped>,
    ended: bool,
}

/// Writes lines.
pub(crate) struct LineWriter<W> {
    sink: W,
    joined: Vec<u8>,
}

/// What is kept of a line that is too long.
struct Skipped {
    head: Bytes,
    tail: VecDeque<u8>,
    length: u64,
}

impl<R: AsyncRead + Unpin + Send> LineReader<R> {
    /// A reader with the usual bound.
    pub(crate) fn new(source: R) -> Self {
        Self::bounded(source, LINE)
    }

    /// A reader whose lines may have at most `limit` bytes.
    pub(crate) fn bounded(source: R, limit: usize) -> Self {
        Self {
            source,
            buffer: BytesMut::with_capacity(CHUNK),
            scanned: 0,
            limit,
            skipping: None,
            ended: false,
        }
    }

    async fn line(&mut self) -> io::Result<Option<Received>> {
        loop {
            while let Some(received) = self.take() {
                if !matches!(&received, Received::Frame(frame) if frame.trim_ascii().is_empty()) {
                    return Ok(Some(received));
                }
            }
            if self.ended {
                return Ok(None);
            }
            if self.buffer.capacity() - self.buffer.len() < CHUNK / 4 {
                self.buffer.reserve(CHUNK);
            }
            self.ended = self.source.read_buf(&mut self.buffer).await? == 0;
        }
    }

    /// The next line that is whole in the buffer, or what is left at the end of the stream.
    fn take(&mut self) -> Option<Received> {
        match memchr(b'\n', &self.buffer[self.scanned..]) {
            Some(step) => {
                let end = self.scanned + step;
                let received = self.cut(end, end + 1);
                self.scanned = 0;
                Some(received)
            }
            None if self.ended => {
                let end = self.buffer.len();
                self.scanned = 0;
                (end > 0 || self.skipping.is_some()).then(|| self.cut(end, end))
            }
            None => {
                self.scanned = self.buffer.len();
                if self.skipping.is_some() || self.buffer.len() > self.limit {
                    self.skip(self.buffer.len());
                    // A fresh buffer, so that the memory of the long line goes back at once.
                    self.buffer = BytesMut::with_capacity(CHUNK);
                    self.scanned = 0;
                }
                None
            }
        }
    }

    /// Takes `consumed` bytes off the buffer, of which `length` are the line.
    fn cut(&mut self, length: usize, consumed: usize) -> Received {
        if self.skipping.is_some() || length > self.limit {
            self.skip(length);
            let _ = self.buffer.split_to(consumed);
            let skipped = self.skipping.take().expect("skip() has begun it");
            let tail = Bytes::from(Vec::from(skipped.tail));
            return Received::Overlong {
                head: skipped.head,
                tail,
                length: skipped.length,
            };
        }
        let text = self.buffer[..length].strip_suffix(b"\r").map_or(length, <[u8]>::len);
        if length <= COPIED {
            let frame = Bytes::copy_from_slice(&self.buffer[..text]);
            let _ = self.buffer.split_to(consumed);
            return Received::Frame(frame);
        }
        let mut line = self.buffer.split_to(consumed);
        line.truncate(text);
        Received::Frame(line.freeze())
    }

    /// Notes the first `length` bytes of the buffer as part of an overlong line.
    fn skip(&mut self, length: usize) {
        let bytes = &self.buffer[..length];
        let skipped = self.skipping.get_or_insert_with(|| Skipped {
            head: Bytes::copy_from_slice(&bytes[..length.min(LINE_KEPT)]),
            tail: VecDeque::new(),
            length: 0,
        });
        skipped.length += length as u64;
        let kept = &bytes[length.saturating_sub(LINE_KEPT)..];
        let excess = (skipped.tail.len() + kept.len()).saturating_sub(LINE_KEPT);
        skipped.tail.drain(..excess);
        skipped.tail.extend(kept);
    }
}

impl<R: AsyncRead + Unpin + Send + 'static> Incoming for LineReader<R> {
    fn next(&mut self) -> Boxed<'_, io::Result<Option<Received>>> {
        Box::pin(self.line())
    }
}

impl<W: AsyncWrite + Unpin + Send> LineWriter<W> {
    /// A writer.
    pub(crate) fn new(sink: W) -> Self {
        Self {
            sink,
            joined: Vec::new(),
        }
    }

    async fn write(&mut self, lines: &[Bytes]) -> io::Result<()> {
        if let [line] = lines {
            self.sink.write_all(line).await?;
            return self.sink.flush().await;
        }
        for line in lines {
            if line.len() + self.joined.len() > JOINED {
                self.sink.write_all(&self.joined).await?;
                self.joined.clear();
            }
            if line.len() > JOINED {
                self.sink.write_all(line).await?;
            } else {
                self.joined.extend_from_slice(line);
            }
        }
        self.sink.write_all(&self.joined).await?;
        self.joined.clear();
        self.sink.flush().await
    }
}

impl<W: AsyncWrite + Unpin + Send + 'static> Outgoing for LineWriter<W> {
    fn send<'a>(&'a mut self, lines: &'a [Bytes]) -> Boxed<'a, io::Result<()>> {
        Box::pin(self.write(lines))
    }
}
