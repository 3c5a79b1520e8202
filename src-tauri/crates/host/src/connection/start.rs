//! The start of a connection: trust, launch, era, and the task that hears its events.

use std::path::PathBuf;
use std::sync::Arc;

use gatehouse_mcp::client::EraKind;
use gatehouse_mcp::era::{self, Options};
use gatehouse_mcp::error::ConnectError;
use tokio::sync::mpsc;

use super::events::{Hearing, hear};
use super::settle::Settle;
use super::told::Told;
use super::{Link, Live, State, lists, offer, watched};
use crate::bounds;
use crate::clock;
use crate::core::Core;
use crate::error::{HostError, Result};
use crate::harmless;
use crate::question::{Answer, Asker, Question, Subject};
use crate::server::{Definition, Fingerprint, launch};
use crate::settings;
use crate::view::{Trust, WhyView};

/// Connects a server, or gives the connection there is. Several callers at once share one start.
///
/// # Errors
/// The server is not configured, is switched off or broken; the person did not allow it; it did not start. The link's
/// state says the same.
pub(crate) async fn connect(core: &Arc<Core>, name: &str) -> Result<Live> {
    let entry = core.servers.entry(name)?;
    if let Some(problem) = &entry.problem {
        return Err(HostError::Invalid {
            reason: format!("server {name} can't be started: {problem}"),
        });
    }
    if entry.disabled {
        let reason = format!(
            "server {name} is switched off (“disabled”) in {}",
            core.servers.view().path
        );
        return Err(HostError::Invalid { reason });
    }
    let link = core.link(name);
    // Counted from here: a stop ends every start that was asked for before it, also those that wait for their turn.
    let mut stops = link.stops.subscribe();
    stops.borrow_and_update();
    let _turn = link.starting.lock().await;
    if let Some(live) = link.live().filter(|live| live.asker.fingerprint == entry.fingerprint) {
        return Ok(live);
    }
    let asker = Arc::new(Asker {
        server: name.to_owned(),
        fingerprint: entry.fingerprint.clone(),
        definition: entry.definition.clone(),
    });
    let started = tokio::select! {
        biased;
        _ = stops.changed() => Err(HostError::Cancelled { server: name.to_owned() }),
        started = start(core, &link, asker) => started,
    };
    let started = match started {
        Ok(live) if !is_current(core, &live.asker) => {
            live.process.stop().await;
            let reason =
                format!("server {name} was changed or removed in servers.json while it started, so it was stopped");
            Err(HostError::Invalid { reason })
        }
        started => started,
    };
    match &started {
        Ok(live) => {
            link.set(State::Ready(Box::new(live.clone())));
            // What was changed while it started counts as well.
            if let Err(error) = offer::apply(core, &link).await {
                tracing::warn!(server = name, "its settings can't be read: {error}");
            }
            tokio::spawn(lists::follow(link.clone(), live.clone()));
            watched::resume(&link, live);
        }
        Err(HostError::NotTrusted { .. } | HostError::Cancelled { .. }) => link.set(State::Idle),
        Err(error) => {
            let (reason, hint) = failure(error);
            link.set(State::Failed { reason, hint });
        }
    }
    started
}

/// True while the file says what was started.
fn is_current(core: &Core, asker: &Asker) -> bool {
    let entry = core.servers.entry(&asker.server);
    entry.is_ok_and(|entry| !entry.disabled && entry.problem.is_none() && entry.fingerprint == asker.fingerprint)
}

async fn start(core: &Arc<Core>, link: &Arc<Link>, asker: Arc<Asker>) -> Result<Live> {
    let fingerprint = asker.fingerprint.clone();
    allow(core, link, &asker).await?;
    link.starting("its first answer; a first run may install things");
    let definition = asker.definition.clone();
    link.traffic().hide(&definition.env);
    let (launch, settings, remembered) = core
        .blocking(move |core| {
            let roots: Vec<PathBuf> = core
                .store
                .roots()?
                .into_iter()
                .flat_map(|root| [root.path.canonicalize().ok(), Some(root.path)])
                .flatten()
                .collect();
            let launch = launch::of(&definition, &core.places, &roots).map_err(|reason| HostError::Start {
                server: definition.name.clone(),
                source: ConnectError::Spawn {
                    reason,
                    not_found: true,
                },
            })?;
            Ok((
                launch,
                settings::of_server(&core.store, &definition.name)?,
                remembered(core, &definition.fingerprint())?,
            ))
        })
        .await?;
    let declared = settings::declared(&settings);
    let options = Options {
        remembered,
        only: offer::era(&settings),
        ..Options::new(core.info.clone(), declared)
    };
    let (sender, events) = mpsc::channel(gatehouse_mcp::bounds::EVENT_QUEUE);
    let since = clock::now();
    let settle = Arc::new(Settle::begin(declared.roots));
    let told = Arc::new(Told::default());
    let hearing = Hearing {
        core: core.clone(),
        link: link.clone(),
        asker: asker.clone(),
        since,
        settle: settle.clone(),
        told: told.clone(),
    };
    tokio::spawn(hear(hearing, events));
    let connected = era::connect(&launch, options, link.traffic().clone(), sender).await;
    let connected = connected.map_err(|source| HostError::Start {
        server: asker.server.clone(),
        source,
    })?;
    settle.connected();
    let kind = connected.client.era().kind;
    if let Some(level) = offer::log_level(&settings)
        && let Err(error) = connected.client.set_log_level(Some(level)).await
    {
        tracing::info!(server = asker.server, "its log level could not be set: {error}");
    }
    if kind == EraKind::Modern {
        settle.answered();
    }
    // What the person chose was not found out: where the choice is taken back, it is to be looked for anew.
    if offer::era(&settings).is_none() {
        core.blocking(move |core| remember(core, &fingerprint, kind)).await?;
    }
    let settle = if kind == EraKind::Modern {
        Arc::new(Settle::begin(false))
    } else {
        settle
    };
    Ok(Live {
        client: connected.client,
        process: Arc::new(connected.process),
        asker,
        since,
        settle,
        told,
    })
}

/// Lets a definition through that the person has allowed, and asks where it is new or changed.
async fn allow(core: &Arc<Core>, link: &Arc<Link>, asker: &Arc<Asker>) -> Result<()> {
    let definition = asker.definition.clone();
    let (trusted, previous) = core
        .blocking(move |core| {
            Ok((
                core.store.is_trusted(&definition.fingerprint())?,
                core.store.last_trusted(&definition.name)?,
            ))
        })
        .await?;
    if trusted {
        return Ok(());
    }
    link.starting("your word on what it runs");
    let question = Question {
        asker: asker.clone(),
        trust: if previous.is_some() { Trust::Changed } else { Trust::New },
        why: WhyView {
            call: None,
            method: "start".into(),
            target: None,
            args: None,
            round: 1,
        },
        expires_at: None,
        subject: Subject::Trust {
            previous: previous.as_ref().map(Definition::view),
        },
    };
    let answer = core.desk.ask(question).answer().await;
    if !matches!(answer, Some(Answer::Trust { start: true })) {
        return Err(HostError::NotTrusted {
            server: asker.server.clone(),
            reason: format!(
                "you have not allowed what it runs; `gatehouse servers trust {}` or the window allows it",
                asker.server
            ),
        });
    }
    let definition = asker.definition.clone();
    core.blocking(move |core| core.store.trust(&definition)).await
}

fn remembered(core: &Core, fingerprint: &Fingerprint) -> Result<Option<EraKind>> {
    Ok(match core.store.setting(fingerprint.as_str(), "era")?.as_deref() {
        Some("modern") => Some(EraKind::Modern),
        Some("legacy") => Some(EraKind::Legacy),
        Some(_) | None => None,
    })
}

fn remember(core: &Core, fingerprint: &Fingerprint, kind: EraKind) -> Result<()> {
    let word = match kind {
        EraKind::Modern => "modern",
        EraKind::Legacy => "legacy",
    };
    if core.store.setting(fingerprint.as_str(), "era")?.as_deref() != Some(word) {
        core.store.keep_setting(fingerprint.as_str(), "era", word)?;
    }
    Ok(())
}

fn failure(error: &HostError) -> (String, String) {
    let HostError::Start { source, .. } = error else {
        return (harmless::line(&error.to_string(), 1000), String::new());
    };
    let hint = match source {
        ConnectError::Spawn { not_found: true, .. } => "Install the program, or write its full path as the command.",
        ConnectError::Spawn { .. } => "Check the command and its file's permissions.",
        ConnectError::Exited { .. } => "Look at its log: it usually says why it ended.",
        ConnectError::TimedOut { .. } => "Look at its log. If it was still installing something, connect again.",
        ConnectError::NotModern => "Set its era to automatic, then connect again.",
        ConnectError::NoCommonVersion { .. } => "Update the server or Gatehouse.",
        ConnectError::Refused(_) | ConnectError::BadReply { .. } => {
            "Is the command an MCP server that speaks over stdin and stdout? Look at its log."
        }
    };
    (harmless::line(&source.to_string(), bounds::LINE * 3), hint.to_owned())
}
