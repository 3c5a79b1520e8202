//! The pump: from the host's bell to the page's channel, whole values only. One at a time; a page that watches anew
//! replaces the old one.

use std::sync::Mutex;
use std::time::Duration;

use gatehouse_host::Host;
use gatehouse_host::changes::Part;
use gatehouse_host::view::Update;
use tauri::ipc::Channel;
use tauri::{WebviewWindow, async_runtime};

use crate::wake::Waiting;

/// How long changes gather before they are sent: a flood of them is a few whole values a second.
const GATHER: Duration = Duration::from_millis(30);

/// The running pump.
#[derive(Debug, Default)]
pub struct Pump(Mutex<Option<async_runtime::JoinHandle<()>>>);

impl Pump {
    /// Starts pumping into a channel, and ends the pump before.
    pub fn start(&self, window: WebviewWindow, host: Host, updates: Channel<Update>) {
        let task = async_runtime::spawn(pump(window, host, updates));
        let before = self
            .0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .replace(task);
        if let Some(before) = before {
            before.abort();
        }
    }

    /// True once a page has watched.
    pub fn was_started(&self) -> bool {
        self.0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .is_some()
    }
}

async fn pump(window: WebviewWindow, host: Host, updates: Channel<Update>) {
    let mut watcher = host.watch();
    let mut waiting = Waiting::default();
    while let Some(parts) = watcher.next().await {
        for part in parts {
            let update = match host.update(part).await {
                Ok(update) => update,
                Err(error) => {
                    tracing::error!("a part of the state can't be read: {error}");
                    continue;
                }
            };
            if part == Part::Questions {
                waiting.hear(&window, &host, &update).await;
            }
            if updates.send(update).is_err() {
                return;
            }
        }
        tokio::time::sleep(GATHER).await;
    }
}
