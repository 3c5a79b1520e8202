//! When the first call on a fresh legacy connection may go out. Many legacy servers ask for roots just after the
//! handshake and answer calls wrongly until they were told, so the first call waits for that exchange. Modern
//! connections need none of this.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};

use crate::bounds;

/// Whether the server asked for roots by now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asked {
    /// Not yet.
    NotYet,
    /// It waits for the answer.
    Asking,
    /// It was answered at this moment.
    Answered(Instant),
}

/// The waiting room of a connection's first calls.
#[derive(Debug)]
pub(crate) struct Settle {
    asked: watch::Sender<Asked>,
    connected: OnceLock<Instant>,
    done: AtomicBool,
}

impl Settle {
    /// For a connection that is being made. `needed` is false where nothing has to be waited for.
    pub fn begin(needed: bool) -> Self {
        Self {
            asked: watch::channel(Asked::NotYet).0,
            connected: OnceLock::new(),
            done: AtomicBool::new(!needed),
        }
    }

    /// The handshake is over: from now on the server may ask. How long the start took says nothing about that.
    pub fn connected(&self) {
        self.connected.get_or_init(Instant::now);
    }

    /// The server asks for roots.
    pub fn asking(&self) {
        self.asked.send_replace(Asked::Asking);
    }

    /// It was answered, with roots or with an error.
    pub fn answered(&self) {
        self.asked.send_replace(Asked::Answered(Instant::now()));
    }

    /// Waits until calls may go out. Returns at once from the second time on.
    pub async fn settled(&self) {
        if self.done.load(Ordering::Acquire) {
            return;
        }
        let mut asked = self.asked.subscribe();
        let quiet = *self.connected.get_or_init(Instant::now) + bounds::LEGACY_SETTLE;
        let first = timeout_at(quiet, asked.wait_for(|asked| *asked != Asked::NotYet))
            .await
            .is_ok();
        if first {
            // The answer has a bound of its own; a little more than it is waited for.
            let bound = Instant::now() + bounds::LEGACY_ANSWER + Duration::from_secs(1);
            let answered = timeout_at(bound, asked.wait_for(|asked| matches!(asked, Asked::Answered(_)))).await;
            let moment = answered.ok().and_then(Result::ok).map(|answered| *answered);
            if let Some(Asked::Answered(at)) = moment {
                tokio::time::sleep_until(at + bounds::LEGACY_GRACE).await;
            }
        }
        self.done.store(true, Ordering::Release);
    }
}
