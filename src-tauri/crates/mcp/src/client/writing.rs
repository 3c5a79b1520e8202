//! The task that writes: what waits goes out together, in order, each frame to the tap first. It alone waits for a server that does not read.

use std::sync::Arc;

use bytes::Bytes;
use tokio::sync::{mpsc, oneshot};

use super::Link;
use super::link::lock;
use super::outgoing;
use crate::bounds::DRAIN;
use crate::tap::Direction;
use crate::transport::Outgoing;

/// How many frames go out together.
const TOGETHER: usize = 64;
/// How large what goes out together may be, in bytes.
const TOGETHER_BYTES: usize = 256 * 1024;

/// Something to write.
pub(super) struct Item {
    /// The frame with its line end.
    pub line: Bytes,
    /// What for.
    pub purpose: Purpose,
}

/// What a frame is for.
pub(super) enum Purpose {
    /// A request; skipped where nobody waits for it any more.
    Request(i64),
    /// Something whose sender wants to know that it was written.
    Heard(oneshot::Sender<()>),
    /// Something whose sender does not.
    Unheard,
    /// Not a frame: the end of the input.
    Close,
}

/// Writes until the input is to be closed or can't be written to.
pub(super) async fn run(link: Arc<Link>, mut outgoing: impl Outgoing, mut queue: mpsc::Receiver<Item>) {
    let mut items = Vec::with_capacity(TOGETHER);
    let mut lines = Vec::with_capacity(TOGETHER);
    let mut heard = Vec::new();
    let mut requests = Vec::new();
    while queue.recv_many(&mut items, TOGETHER).await > 0 {
        let mut close = false;
        let mut size = 0;
        requests.clear();
        for item in items.drain(..) {
            match item.purpose {
                Purpose::Request(id) if !lock(&link.pending).written(id) => continue,
                Purpose::Request(id) => requests.push(id),
                Purpose::Unheard => {}
                Purpose::Heard(done) => heard.push(done),
                Purpose::Close => {
                    close = true;
                    continue;
                }
            }
            link.tap.frame(Direction::Sent, &item.line.slice(..item.line.len() - 1));
            size += item.line.len();
            lines.push(item.line);
            if size > TOGETHER_BYTES && !send(&mut outgoing, &mut lines, &mut heard).await {
                return give_up(&link, &requests, outgoing, queue).await;
            }
        }
        for id in std::mem::take(&mut *lock(&link.cancels)) {
            let line = outgoing::cancelled(id);
            link.tap.frame(Direction::Sent, &line.slice(..line.len() - 1));
            lines.push(line);
        }
        if !send(&mut outgoing, &mut lines, &mut heard).await {
            return give_up(&link, &requests, outgoing, queue).await;
        }
        if close {
            return;
        }
    }
}

async fn send(outgoing: &mut impl Outgoing, lines: &mut Vec<Bytes>, heard: &mut Vec<oneshot::Sender<()>>) -> bool {
    let sent = lines.is_empty() || outgoing.send(lines).await.is_ok();
    lines.clear();
    if sent {
        for done in heard.drain(..) {
            let _ = done.send(());
        }
    }
    heard.clear();
    sent
}

/// The server closed its input. Most often it is ending, and its exit says more; otherwise what was not written ends here, and
/// no request can be made any more. What was written may still be answered.
async fn give_up(link: &Link, requests: &[i64], outgoing: impl Outgoing, queue: mpsc::Receiver<Item>) {
    drop((outgoing, queue));
    tokio::time::sleep(DRAIN).await;
    lock(&link.pending).refuse("the server closed its input", requests);
}
