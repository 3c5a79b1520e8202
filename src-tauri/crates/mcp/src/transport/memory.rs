//! A transport without a process, for tests: the test holds the server's two ends.

use std::io;

use bytes::Bytes;
use tokio::sync::mpsc;

use super::{Boxed, Incoming, Outgoing, Received};

/// The server's ends.
pub(crate) struct Peer {
    /// What the client wrote, with line ends.
    pub written: mpsc::Receiver<Bytes>,
    /// What the client will read.
    pub speak: mpsc::UnboundedSender<Received>,
}

/// The client's reading end.
pub(crate) struct Ear(mpsc::UnboundedReceiver<Received>);

/// The client's writing end.
pub(crate) struct Mouth(mpsc::Sender<Bytes>);

/// A pair of ends; the client blocks once `room` frames were not read.
pub(crate) fn pair(room: usize) -> (Ear, Mouth, Peer) {
    let (mouth, written) = mpsc::channel(room);
    let (speak, ear) = mpsc::unbounded_channel();
    (Ear(ear), Mouth(mouth), Peer { written, speak })
}

impl Peer {
    /// Says one frame.
    pub(crate) fn say(&self, frame: impl Into<Vec<u8>>) {
        self.speak
            .send(Received::Frame(Bytes::from(frame.into())))
            .expect("the client listens");
    }

    /// The next frame that the client wrote.
    pub(crate) async fn hear(&mut self) -> String {
        let line = self.written.recv().await.expect("the client speaks");
        String::from_utf8(line.to_vec()).expect("UTF-8")
    }
}

impl Incoming for Ear {
    fn next(&mut self) -> Boxed<'_, io::Result<Option<Received>>> {
        Box::pin(async { Ok(self.0.recv().await) })
    }
}

impl Outgoing for Mouth {
    fn send<'a>(&'a mut self, lines: &'a [Bytes]) -> Boxed<'a, io::Result<()>> {
        Box::pin(async move {
            for line in lines {
                self.0.send(line.clone()).await.map_err(|_| io::ErrorKind::BrokenPipe)?;
            }
            Ok(())
        })
    }
}
