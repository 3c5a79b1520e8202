//! One process and one try at its era. Whether another process follows is decided by the caller.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::sleep;

use super::verdict::{Greeted, Probed, greeted, probed};
use super::version::{LEGACY, MODERN};
use super::{Connected, Options};
use crate::client::{
    Cache, Client, Era, EraKind, Event, GivenUp, Limit, Link, Reply, ServerIdentity, Ticket, initialize,
};
use crate::error::{ConnectError, ExchangeError};
use crate::params::Params;
use crate::tap::Tap;
use crate::transport::process::Process;
use crate::transport::stdio::{self, Launch};

/// The start limit ends these, not a limit of their own.
const UNLIMITED: Limit = Limit::within(Duration::from_secs(86_400 * 365));

/// How a try begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Opening {
    /// With `server/discover`, and `initialize` where that says nothing.
    Probe,
    /// With `server/discover`, and nothing else.
    ProbeOnly,
    /// With `initialize`, and nothing else.
    Initialize,
}

/// Why a try did not end in a connection.
#[derive(Debug)]
pub(super) enum Failed {
    /// Another process would do no better.
    Final(ConnectError),
    /// Another process may do better.
    Perhaps(ConnectError),
}

/// What a try needs.
pub(super) struct Attempt<'a> {
    pub launch: &'a Launch,
    pub options: &'a Options,
    pub tap: &'a Arc<dyn Tap>,
    pub events: &'a mpsc::Sender<Event>,
}

impl Attempt<'_> {
    /// Starts a process and finds out. A process that fails is stopped before this returns.
    pub(super) async fn run(&self, opening: Opening) -> Result<Connected, Failed> {
        let Options {
            client_info, declared, ..
        } = self.options;
        let (link, process) = stdio::open(self.launch, self.options.stop, self.tap, |incoming, outgoing| {
            Link::start(
                incoming,
                outgoing,
                Arc::clone(self.tap),
                self.events.clone(),
                client_info,
                *declared,
                Cache::default(),
            )
        })
        .await
        .map_err(Failed::Final)?;
        let settled = match opening {
            Opening::Probe => self.probe(&link, Some(self.options.probe)).await,
            Opening::ProbeOnly => self.probe(&link, None).await,
            Opening::Initialize => self.initialize(&link).await.map_err(Failed::Perhaps),
        };
        match settled {
            Ok((era, identity)) => self.ready(link, process, era, identity).await,
            Err(failed) => {
                process.stop().await;
                Err(failed)
            }
        }
    }

    async fn ready(
        &self,
        link: Arc<Link>,
        process: Process,
        era: Era,
        identity: ServerIdentity,
    ) -> Result<Connected, Failed> {
        if era.kind == EraKind::Legacy
            && let Err(error) = link.notify("notifications/initialized", None).await
        {
            process.stop().await;
            return Err(Failed::Perhaps(exited(error)));
        }
        link.settle(era.kind);
        link.go_live();
        Ok(Connected {
            client: Client::new(link, era, identity),
            process,
        })
    }

    /// With `alone`, silence for that long is met with `initialize` as well; without it, `initialize` is never sent.
    async fn probe(&self, link: &Arc<Link>, alone: Option<Duration>) -> Result<(Era, ServerIdentity), Failed> {
        let mut discover = self.discover(link).await?;
        let first = tokio::select! {
            answer = discover.ended() => Some(answer),
            () = sleep(alone.unwrap_or(Duration::MAX)), if alone.is_some() => None,
        };
        let judged = match first {
            None => return self.both(link, discover).await,
            Some(answer) => match probed(answer) {
                Probed::Again(_) => match probed(self.discover(link).await?.wait().await) {
                    Probed::Again(offered) => Probed::Nothing(offered),
                    other => other,
                },
                other => other,
            },
        };
        match judged {
            Probed::Modern(identity) => Ok((modern(), identity)),
            Probed::Legacy if alone.is_none() => Err(Failed::Final(ConnectError::NotModern)),
            Probed::Legacy => self.initialize(link).await.map_err(Failed::Perhaps),
            Probed::Nothing(offered) | Probed::Again(offered) => {
                Err(Failed::Final(ConnectError::NoCommonVersion { offered }))
            }
            Probed::Gone(status) => Err(Failed::Perhaps(ConnectError::Exited { status })),
        }
    }

    /// The probe was met with silence: `initialize` goes out as well, and the first good answer decides.
    async fn both(&self, link: &Arc<Link>, discover: Ticket) -> Result<(Era, ServerIdentity), Failed> {
        let mut discover = Some(discover);
        let mut again = true;
        let initialize = self.initialize(link);
        tokio::pin!(initialize);
        let mut refused: Option<ConnectError> = None;
        loop {
            tokio::select! {
                answer = ended(&mut discover) => {
                    discover = None;
                    match probed(answer) {
                        Probed::Modern(identity) => return Ok((modern(), identity)),
                        Probed::Again(_) if std::mem::take(&mut again) => discover = Some(self.discover(link).await?),
                        Probed::Again(offered) | Probed::Nothing(offered) => {
                            return Err(Failed::Final(ConnectError::NoCommonVersion { offered }));
                        }
                        Probed::Gone(status) => return Err(Failed::Perhaps(ConnectError::Exited { status })),
                        Probed::Legacy => {}
                    }
                }
                greeted = &mut initialize, if refused.is_none() => match greeted {
                    Ok(settled) => return Ok(settled),
                    Err(error @ ConnectError::Exited { .. }) => return Err(Failed::Perhaps(error)),
                    Err(error) => refused = Some(error),
                },
            }
            if discover.is_none()
                && let Some(error) = refused.take()
            {
                return Err(Failed::Perhaps(error));
            }
        }
    }

    async fn discover(&self, link: &Arc<Link>) -> Result<Ticket, Failed> {
        link.submit(
            EraKind::Modern,
            "server/discover",
            &Params::new(),
            UNLIMITED,
            GivenUp::Silent,
        )
        .await
        .map_err(|error| Failed::Perhaps(exited(error)))
    }

    async fn initialize(&self, link: &Arc<Link>) -> Result<(Era, ServerIdentity), ConnectError> {
        link.greet();
        match greeted(self.greet(link, LEGACY[0]).await) {
            Greeted::Agreed(version, identity) => Ok((legacy(version), identity)),
            Greeted::Failed(error) => Err(error),
            Greeted::Offers(version, _) => match greeted(self.greet(link, version).await) {
                Greeted::Agreed(version, identity) => Ok((legacy(version), identity)),
                Greeted::Offers(_, error) => Err(ConnectError::Refused(error)),
                Greeted::Failed(error) => Err(error),
            },
        }
    }

    async fn greet(&self, link: &Arc<Link>, version: &str) -> Result<Reply, ExchangeError> {
        let params = initialize(version, &self.options.client_info, self.options.declared);
        link.submit(EraKind::Legacy, "initialize", &params, UNLIMITED, GivenUp::Silent)
            .await?
            .wait()
            .await
    }
}

/// The ticket's end, or never where there is none.
async fn ended(ticket: &mut Option<Ticket>) -> Result<Reply, ExchangeError> {
    match ticket {
        Some(ticket) => ticket.ended().await,
        None => std::future::pending().await,
    }
}

fn modern() -> Era {
    Era {
        kind: EraKind::Modern,
        version: MODERN.into(),
    }
}

fn legacy(version: &str) -> Era {
    Era {
        kind: EraKind::Legacy,
        version: version.into(),
    }
}

fn exited(error: ExchangeError) -> ConnectError {
    match error {
        ExchangeError::Closed { reason } => ConnectError::Exited { status: reason },
        other => ConnectError::BadReply {
            reason: other.to_string(),
        },
    }
}
