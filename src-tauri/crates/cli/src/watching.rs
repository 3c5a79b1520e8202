//! `gatehouse read --watch`: reads a resource, and again each time its server says that it changed, until interrupted.

use std::time::Duration;

use gatehouse_host::call::{Call, What};
use gatehouse_host::view::{CallEnd, WatchState, WatchView};
use gatehouse_host::{Host, HostError, Result};

use crate::calls::shown;
use crate::output::{Output, say};

/// How long a server that ended is left alone before it is started again.
const PAUSE: Duration = Duration::from_secs(1);

/// Runs until a reading is declined, or the server no longer tells of changes. Each reading is printed as it comes, as one
/// document where JSON was asked for.
///
/// # Errors
/// Those of a connection and of a reading; the server does not tell of changes, or stopped to.
pub async fn run(host: &Host, server: String, uri: String, limit: Option<Duration>, output: Output) -> Result<CallEnd> {
    let mut bell = host.watch();
    // First it is watched, then read: nothing is missed between.
    host.watch_resource(&server, &uri).await?;
    let no_more = |why: &str| HostError::Invalid {
        reason: format!(
            "server {server} does not tell of changes of {}: {why}",
            gatehouse_host::harmless::line(&uri, 300)
        ),
    };
    loop {
        let watch = until(host, &mut bell, &server, &uri, |watch| watch.state != WatchState::Asked).await;
        match watch.map(|watch| watch.state) {
            Some(WatchState::Refused { reason } | WatchState::Ended { reason }) => return Err(no_more(&reason)),
            Some(WatchState::Waiting) => {
                say("gatehouse: the server ended; it is started again");
                tokio::time::sleep(PAUSE).await;
                host.watch_resource(&server, &uri).await?;
                continue;
            }
            Some(WatchState::Watched | WatchState::Asked) => {}
            None => return Err(no_more("it is not watched any more")),
        }
        let end = host
            .call(Call {
                server: server.clone(),
                what: What::Resource { uri: uri.clone() },
                limit,
            })
            .await?;
        if matches!(end, CallEnd::Declined { .. }) {
            return Ok(end);
        }
        output.print(&end, || shown(&end));
        until(host, &mut bell, &server, &uri, |watch| {
            watch.changed || watch.missed || watch.state != WatchState::Watched
        })
        .await;
    }
}

/// Waits until a watched resource is as wanted; none where it is not watched any more.
async fn until(
    host: &Host,
    bell: &mut gatehouse_host::changes::Watcher,
    server: &str,
    uri: &str,
    fits: impl Fn(&WatchView) -> bool,
) -> Option<WatchView> {
    loop {
        let servers = host.servers().await.ok()?;
        let watched = servers.into_iter().find(|one| one.name == server)?.watched;
        let watch = watched.into_iter().find(|watch| watch.uri == uri)?;
        if fits(&watch) {
            return Some(watch);
        }
        bell.next().await?;
    }
}
