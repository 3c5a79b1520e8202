//! One call of the person's: `tools/call`, `prompts/get` or `resources/read` with all its rounds, on either era.
//! The driver; what a round's questions mean is `answer`'s.

mod asking;
pub mod calls;
mod ends;
mod exchange;
mod journal;
mod pages;
pub(crate) mod past;
mod rounds;
pub(crate) mod running;

use std::sync::Arc;
use std::time::Duration;

use gatehouse_mcp::client::Limit;
use gatehouse_mcp::error::ExchangeError;
use gatehouse_mcp::params::{Params, RawMap};

use crate::bounds;
use crate::changes::Part;
use crate::connection;
use crate::core::Core;
use crate::error::{Code, HostError, Result};
use crate::harmless;
use crate::results::{self, Fullness};
use crate::schema::{self, Checked};
use crate::settings;
use crate::view::{CallEnd, CallState, CheckView, ResultView};

use past::{Came, Given};
use rounds::Ended;
use running::Running;

/// What is called.
#[derive(Debug, Clone)]
pub struct Call {
    /// The server.
    pub server: String,
    /// What of it.
    pub what: What,
    /// How long the server may take for each answer; the usual bounds where none.
    pub limit: Option<Duration>,
}

/// The three calls.
#[derive(Debug, Clone)]
pub enum What {
    /// `tools/call`, with the text of a JSON object.
    Tool {
        /// The tool.
        name: String,
        /// Its arguments.
        args: String,
    },
    /// `prompts/get`, with the text of a JSON object of texts.
    Prompt {
        /// The prompt.
        name: String,
        /// Its arguments.
        args: String,
    },
    /// `resources/read`.
    Resource {
        /// The resource; passed on as it is.
        uri: String,
    },
}

/// Runs a call to its end, connecting first where needed. Dropping it cancels the call.
///
/// # Errors
/// The arguments are no JSON object, the server is not configured or did not start, an exchange failed, the protocol was
/// broken, the person cancelled. A refusal is not an error but an end.
pub(crate) async fn run(core: &Arc<Core>, call: Call) -> Result<CallEnd> {
    let (running, params) = begin(core, &call, Vec::new())?;
    finish(core, call, running, params, Fullness::Whole).await
}

/// Starts a call that goes on by itself, and gives its number. Its end is kept with the calls.
///
/// # Errors
/// The arguments are no JSON object, or the server is not configured.
pub(crate) fn start(core: &Arc<Core>, call: Call) -> Result<u64> {
    start_with(core, call, Vec::new())
}

/// Starts a call anew that its server forgot: the same arguments, and what was entered into its forms is in them again.
/// What a remembered decision allows goes as it did; everything else is a question.
///
/// # Errors
/// The call did not end so, or is no longer known; or the server is not configured.
pub(crate) fn start_again(core: &Arc<Core>, id: u64) -> Result<u64> {
    let again = core.calls.again(id)?;
    start_with(core, again.call, again.given)
}

fn start_with(core: &Arc<Core>, call: Call, drafts: Vec<Given>) -> Result<u64> {
    let (running, params) = begin(core, &call, drafts)?;
    let (id, core) = (running.id(), core.clone());
    tokio::spawn(async move {
        let ends = running.ends();
        let end = finish(&core, call, running, params, Fullness::Described).await;
        ends.keep(end);
    });
    Ok(id)
}

fn begin(core: &Arc<Core>, call: &Call, drafts: Vec<Given>) -> Result<(Running, Params)> {
    let params = call.what.params()?;
    let entry = core.servers.entry(&call.server)?;
    let args = params.get("arguments").map(|raw| raw.get().to_owned());
    Ok((core.calls.begin(call, &entry.fingerprint, args, drafts), params))
}

async fn finish(core: &Arc<Core>, call: Call, running: Running, params: Params, fullness: Fullness) -> Result<CallEnd> {
    let read = match &call.what {
        What::Resource { uri } => core
            .link(&call.server)
            .watched
            .mark(uri)
            .map(|mark| (uri.clone(), mark)),
        What::Tool { .. } | What::Prompt { .. } => None,
    };
    let driven = async {
        let live = connection::connect(core, &call.server).await?;
        let limit = limit(core, &call).await?;
        rounds::drive(core, &live, &running, call.what.method(), params, limit).await
    };
    let ended = tokio::select! {
        ended = driven => ended,
        () = running.cancelled() => Err(HostError::Cancelled { server: call.server.clone() }),
    };
    if let What::Tool { name, .. } = &call.what {
        crate::said::keep(core, &call.server, name).await;
    }
    let checked = match &ended {
        Ok(Ended::Complete(result)) => output_misfit(core, &call, result).await,
        Ok(Ended::Declined(_)) | Err(_) => None,
    };
    let mut came = Came::default();
    let end = match ended {
        Ok(Ended::Complete(result)) => {
            let (result, end) = complete(core, &running, &call, result, checked.clone(), fullness).await;
            came.result = Some((result, checked));
            end
        }
        Ok(Ended::Declined(message)) => Ok(CallEnd::Declined {
            call: running.id(),
            message,
        }),
        Err(error) => Err(error),
    };
    if let (Some((uri, mark)), Ok(CallEnd::Completed { .. })) = (read, &end) {
        core.link(&call.server).watched.read(&uri, mark);
        core.changes.ring(Part::Servers);
    }
    let state = match &end {
        Ok(CallEnd::Completed {
            result: ResultView::Tool { is_error: true, .. },
            ..
        }) => CallState::ToolError,
        Ok(CallEnd::Completed { .. }) => CallState::Done,
        Ok(CallEnd::Declined { message, .. }) => CallState::Declined {
            message: message.clone(),
        },
        Err(HostError::Cancelled { .. }) => CallState::Cancelled,
        Err(error) => CallState::Failed {
            message: error.view().message,
        },
    };
    if matches!(&end, Err(error) if error.code() == Code::Forgot) {
        came.forgotten = Some(call);
    }
    running.end(state, came);
    end
}

/// How structured content misses the tool's output schema, where both are there. An error of the tool's is not checked:
/// its text is what counts.
async fn output_misfit(core: &Arc<Core>, call: &Call, result: &RawMap) -> Option<CheckView> {
    let What::Tool { name, .. } = &call.what else {
        return None;
    };
    let structured = result.get("structuredContent")?.get();
    let is_error = result.get("isError").is_some_and(|raw| raw.get() == "true");
    let output = core.link(&call.server).schemas(name)?.output.filter(|_| !is_error)?;
    match schema::check(output, structured.to_owned()).await {
        Checked::Fits => None,
        misfit => Some(misfit.into()),
    }
}

/// The end of a call whose result came. A large one takes its time, so it is worked out away from the tasks that serve
/// connections.
async fn complete(
    core: &Arc<Core>,
    running: &Running,
    call: &Call,
    result: RawMap,
    misfit: Option<CheckView>,
    fullness: Fullness,
) -> (RawMap, Result<CallEnd>) {
    let size: usize = result.iter().map(|(_, value)| value.get().len()).sum();
    let (method, kept) = (call.what.method(), core.clone());
    let view = move || {
        let view = results::view(&kept.results, fullness, method, &result, misfit);
        (result, view)
    };
    let (result, view) = if size < bounds::RESULT_AT_ONCE {
        view()
    } else {
        let viewed = tokio::task::spawn_blocking(view).await;
        viewed.unwrap_or_else(|error| (RawMap::new(), Err(error.to_string())))
    };
    let end = match view {
        Ok(view) => Ok(CallEnd::Completed {
            call: running.id(),
            rounds: running.round(),
            took_ms: running.age(),
            result: view,
        }),
        Err(reason) => Err(HostError::Exchange {
            meaning: None,
            server: call.server.clone(),
            source: ExchangeError::BadReply {
                reason,
                frame: harmless::paragraph(result.to_raw().get(), bounds::PARAGRAPH).into(),
            },
        }),
    };
    (result, end)
}

/// A time limit for one call, from seconds as a person writes them.
///
/// # Errors
/// It is no time, or longer than a day.
pub fn limit_of(seconds: f64) -> Result<Duration> {
    let within = f64::from(*bounds::TIME_LIMIT_SET.end());
    if !(0.001..=within).contains(&seconds) {
        return Err(HostError::Invalid {
            reason: format!("the time limit must lie between 0.001 and {within} seconds"),
        });
    }
    Ok(Duration::from_secs_f64(seconds))
}

async fn limit(core: &Arc<Core>, call: &Call) -> Result<Limit> {
    // What acts on the connection is at hand: a call does not wait for the disk to learn how long it may take.
    if let Some(acting) = core.link(&call.server).acting() {
        return settings::limit(&acting.own, &acting.app, call.limit);
    }
    let (server, asked) = (call.server.clone(), call.limit);
    core.blocking(move |core| {
        let acting = connection::acting(core, &server)?;
        settings::limit(&acting.own, &acting.app, asked)
    })
    .await
}

impl What {
    /// The protocol's method.
    pub fn method(&self) -> &'static str {
        match self {
            Self::Tool { .. } => "tools/call",
            Self::Prompt { .. } => "prompts/get",
            Self::Resource { .. } => "resources/read",
        }
    }

    /// The tool, prompt or resource, harmless.
    pub fn target(&self) -> String {
        match self {
            Self::Tool { name, .. } | Self::Prompt { name, .. } => harmless::line(name, bounds::LINE),
            Self::Resource { uri } => harmless::line(uri, bounds::LINE),
        }
    }

    /// The tool, prompt or resource, as it is called.
    fn name(&self) -> &str {
        match self {
            Self::Tool { name, .. } | Self::Prompt { name, .. } => name,
            Self::Resource { uri } => uri,
        }
    }

    /// The arguments, harmless and cut; none for a resource.
    fn shown_args(&self) -> Option<String> {
        match self {
            Self::Tool { args, .. } | Self::Prompt { args, .. } => {
                Some(harmless::paragraph(args.trim(), bounds::WHY_ARGS))
            }
            Self::Resource { .. } => None,
        }
    }

    fn params(&self) -> Result<Params> {
        let object = |args: &str| {
            let text = if args.trim().is_empty() { "{}" } else { args };
            RawMap::parse(text).map_err(|e| HostError::Invalid {
                reason: format!("the arguments are not a JSON object: {e}"),
            })
        };
        Ok(match self {
            Self::Tool { name, args } => Params::new()
                .with("name", name)
                .with_raw("arguments", object(args)?.to_raw()),
            Self::Prompt { name, args } => {
                let args = object(args)?;
                if let Some((key, _)) = args.iter().find(|(_, value)| !value.get().starts_with('"')) {
                    return Err(HostError::Invalid {
                        reason: format!("argument “{key}” of a prompt must be a text"),
                    });
                }
                Params::new().with("name", name).with_raw("arguments", args.to_raw())
            }
            Self::Resource { uri } => Params::new().with("uri", uri),
        })
    }
}
