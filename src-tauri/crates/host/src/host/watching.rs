//! Whole values for whoever watches, and the watch over what other processes change: `servers.json` and the database.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::sync::{Arc, Weak};

use tokio::sync::Notify;

use crate::bounds;
use crate::changes::{PARTS, Part};
use crate::clock;
use crate::connection;
use crate::core::Core;
use crate::error::Result;
use crate::grant::Covers;
use crate::harmless;
use crate::root::{Probed, Root};
use crate::server::watch::FileWatch;
use crate::settings;
use crate::store::bell;
use crate::view::{GrantAbout, GrantView, ServerView, TrafficView, Trust, Update};
use crate::workspace;

/// The whole value of a part.
pub(super) async fn update(core: &Arc<Core>, part: Part) -> Result<Update> {
    core.blocking(move |core| {
        Ok(match part {
            Part::Folders => Update::Folders {
                folders: workspace::probed(&core.store)?.iter().map(Probed::view).collect(),
            },
            Part::Servers => Update::Servers {
                servers: servers_view(core)?,
                file: core.servers.view(),
            },
            Part::Questions => Update::Questions {
                questions: core.desk.view(),
            },
            Part::Grants => Update::Grants {
                grants: grants_view(core)?,
            },
            Part::Calls => Update::Calls {
                calls: core.calls.view(),
            },
            Part::Record => Update::Record {
                newest: core.store.newest_record()?,
            },
            Part::History => {
                let (newest, calls) = core.store.history_size()?;
                Update::History { newest, calls }
            }
            Part::Traffic => Update::Traffic {
                servers: traffic_view(core),
            },
            Part::Notices => Update::Notices {
                notices: core.notices.view(),
            },
            Part::Settings => Update::Settings {
                settings: settings::of_app(&core.store)?,
            },
        })
    })
    .await
}

pub(super) fn servers_view(core: &Core) -> Result<Vec<ServerView>> {
    let entries = core.servers.entries();
    entries
        .into_iter()
        .map(|entry| {
            let name = entry.definition.name.clone();
            let link = core.link(&name);
            let trust = if core.store.is_trusted(&entry.definition.fingerprint())? {
                Trust::Trusted
            } else if core.store.last_trusted(&name)?.is_some() {
                Trust::Changed
            } else {
                Trust::New
            };
            Ok(ServerView {
                definition: entry.definition.view(),
                trust,
                disabled: entry.disabled,
                settings: settings::of_server(&core.store, &name)?,
                shared_this_run: link.live().is_some_and(|live| live.told.is_told()),
                list_changes: link.list_changes(),
                watched: link.watched.view(),
                connection: link.view(),
                stderr: link.traffic().last_stderr(bounds::STDERR_SHOWN),
                problem: entry
                    .problem
                    .as_ref()
                    .map(|problem| harmless::line(problem, bounds::LINE)),
                name,
            })
        })
        .collect()
}

fn traffic_view(core: &Core) -> Vec<TrafficView> {
    let links = core.all_links().into_iter();
    links
        .map(|link| {
            let (oldest, newest) = link.traffic().span();
            TrafficView {
                server: link.name().to_owned(),
                oldest,
                newest,
            }
        })
        .collect()
}

pub(super) fn grants_view(core: &Core) -> Result<Vec<GrantView>> {
    let current: BTreeSet<_> = core
        .servers
        .entries()
        .iter()
        .map(|entry| entry.definition.fingerprint())
        .collect();
    let roots = core.store.roots()?;
    let path = |root: &Root| harmless::line(&root.path.to_string_lossy(), 4096);
    let grants = core.store.grants()?;
    Ok(grants
        .into_iter()
        .map(|grant| GrantView {
            id: grant.id.0,
            server: harmless::line(&grant.server, bounds::LINE),
            fingerprint: grant.fingerprint.short(),
            in_force: current.contains(&grant.fingerprint),
            about: match grant.covers {
                Covers::Root(_) | Covers::EveryRoot => GrantAbout::Folders,
                Covers::Sampling => GrantAbout::Models,
            },
            folder: match grant.covers {
                Covers::Root(id) => {
                    let root = roots.iter().find(|root| root.id == id);
                    Some(root.map_or_else(|| format!("folder number {} of another workspace", id.0), path))
                }
                Covers::EveryRoot | Covers::Sampling => None,
            },
            endpoint: match (&grant.covers, &grant.target) {
                (Covers::Sampling, Some(place)) => Some(harmless::line(&place.to_string_lossy(), 1000)),
                _ => None,
            },
            allow: grant.effect == crate::grant::Effect::Allow,
            lifetime: grant.lifetime,
            given_at: clock::rfc3339(grant.given_at),
        })
        .collect())
}

/// Begins to watch `servers.json` and the database for changes of other processes.
pub(super) fn begin(core: &Arc<Core>) {
    let file = core.places.servers_file();
    if let Some(name) = file.file_name()
        && let Some(watch) = FileWatch::start(core.places.config(), vec![name.to_owned()])
    {
        tokio::spawn(watch_servers(Arc::downgrade(core), watch));
    }
    if let Some(watch) = FileWatch::start(&core.places.bell(), vec![OsString::from(bell::FILE)]) {
        tokio::spawn(watch_database(Arc::downgrade(core), watch));
    }
    tokio::spawn(tell_others(Arc::downgrade(core), core.store.unheard()));
}

/// Rings for the other processes, once for each burst of writes of ours.
async fn tell_others(core: Weak<Core>, unheard: Arc<Notify>) {
    loop {
        unheard.notified().await;
        tokio::time::sleep(bounds::BELL).await;
        let Some(core) = core.upgrade() else { return };
        let rung = core.blocking(|core| {
            core.store.tell_others();
            Ok(())
        });
        let _ = rung.await;
    }
}

async fn watch_servers(core: Weak<Core>, mut watch: FileWatch) {
    while watch.changed().await.is_some() {
        let Some(core) = core.upgrade() else { return };
        let changed = core.blocking(|core| Ok(core.servers.reload())).await.unwrap_or(false);
        if changed {
            stop_changed(&core);
            core.changes.ring(Part::Servers);
            core.changes.ring(Part::Grants);
        }
    }
}

/// A running server whose definition is no longer what runs is stopped: what it was trusted with was another definition.
/// While the file can't be read, the last good definitions stand and everything goes on.
fn stop_changed(core: &Arc<Core>) {
    let current: BTreeSet<_> = core
        .servers
        .entries()
        .iter()
        .filter(|entry| !entry.disabled && entry.problem.is_none())
        .map(|entry| entry.definition.fingerprint())
        .collect();
    for link in core.all_links() {
        if link
            .live()
            .is_some_and(|live| !current.contains(&live.asker.fingerprint))
        {
            core.notices.add(format!(
                "Server {} was stopped, since its entry in servers.json was changed or removed. Connect it again to use the new one.",
                harmless::line(link.name(), bounds::LINE)
            ));
            tokio::spawn(async move { link.stop().await });
        }
    }
}

async fn watch_database(core: Weak<Core>, mut watch: FileWatch) {
    let mut seen = 0;
    if let Some(core) = core.upgrade() {
        core.store.changed_elsewhere(&mut seen);
    }
    while watch.changed().await.is_some() {
        let Some(core) = core.upgrade() else { return };
        let before = seen;
        let read = core.blocking(move |core| {
            let mut seen = before;
            core.store.changed_elsewhere(&mut seen);
            Ok(seen)
        });
        let Ok(now) = read.await else { continue };
        if now != before {
            seen = now;
            for part in PARTS {
                core.changes.ring(part);
            }
            connection::apply_everywhere(&core).await;
            connection::tell_changes(&core).await;
        }
    }
}
