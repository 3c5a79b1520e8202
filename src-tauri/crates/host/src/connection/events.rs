//! What a server says unasked, heard in order by one task a connection.

use std::sync::Arc;

use gatehouse_mcp::client::Event;
use gatehouse_mcp::model::notice::Notice;
use tokio::sync::mpsc;

use super::settle::Settle;
use super::told::Told;
use super::{Link, legacy};
use crate::core::Core;
use crate::question::Asker;

/// What the hearing task knows.
#[derive(Clone)]
pub(super) struct Hearing {
    pub core: Arc<Core>,
    pub link: Arc<Link>,
    pub asker: Arc<Asker>,
    pub since: u64,
    pub settle: Arc<Settle>,
    pub told: Arc<Told>,
}

/// Hears events until the connection has ended.
pub(super) async fn hear(hearing: Hearing, mut events: mpsc::Receiver<Event>) {
    while let Some(event) = events.recv().await {
        match event {
            Event::Request(request) => {
                // Each request has a task of its own: an open question must not stop the hearing.
                tokio::spawn(legacy::serve(hearing.clone(), request));
            }
            Event::Notification { method, params } => match Notice::read(&method, params.as_deref()) {
                Ok(Notice::Log(message)) => hearing.link.traffic().log(&message),
                Ok(_) => tracing::debug!(server = hearing.asker.server, method, "notification"),
                Err(reason) => tracing::warn!(
                    server = hearing.asker.server,
                    method,
                    "unreadable notification: {reason}"
                ),
            },
            Event::Violation { what, .. } => {
                tracing::warn!(server = hearing.asker.server, "protocol violation: {what}")
            }
            Event::Dropped(count) => tracing::warn!(server = hearing.asker.server, count, "events were dropped"),
            Event::Ended { reason, expected } => {
                hearing.link.ended(hearing.since, &reason, expected);
                return;
            }
        }
    }
}
