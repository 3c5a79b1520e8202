//! Intents about models: which endpoint answers, its key, and the endpoint asked for a question that lies open.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::Host;
use crate::answer::build::Occasion;
use crate::answer::sample;
use crate::clock;
use crate::core::Core;
use crate::endpoint::Endpoint;
use crate::error::{HostError, Result};
use crate::question::Question;
use crate::question::sample::{Draft, EndsWith};
use crate::view::{CallRef, DecidedBy, EndpointSettings, EndpointState, KeyPlace, SampleEdit};

impl Host {
    /// The model endpoint as it is set.
    ///
    /// # Errors
    /// The database refused.
    pub async fn endpoint(&self) -> Result<EndpointState> {
        self.core.blocking(state).await
    }

    /// Sets the model endpoint. Open questions name it from now on. A key that was given for another host stays with that
    /// host.
    ///
    /// # Errors
    /// It can't be used as it is set, while it is on; or the database refused.
    pub async fn set_endpoint(&self, settings: EndpointSettings) -> Result<EndpointState> {
        let kept = match Endpoint::of(settings.clone()) {
            Ok(endpoint) => endpoint.settings().clone(),
            Err(error) if settings.on => return Err(error),
            // What is off may be half filled; it is not asked.
            Err(_) => settings,
        };
        let (state, endpoint) = self
            .core
            .blocking(move |core| {
                core.store.keep_endpoint(&kept)?;
                Ok((state(core)?, sample::endpoint(core)?))
            })
            .await?;
        self.core.desk.endpoint_changed(endpoint.as_ref());
        Ok(state)
    }

    /// Keeps the key for the endpoint that is set, or forgets it. It goes into the system's keychain, and where none can be
    /// used it is held for this run only.
    ///
    /// # Errors
    /// No endpoint is set, or the key can't be one.
    pub async fn set_endpoint_key(&self, key: Option<String>) -> Result<EndpointState> {
        let key = key.map(|key| key.trim().to_owned());
        if key
            .as_ref()
            .is_some_and(|key| key.is_empty() || key.len() > 8192 || !key.chars().all(|c| c.is_ascii_graphic()))
        {
            return Err(HostError::Invalid {
                reason: "a key is a text of letters, digits and signs without spaces".into(),
            });
        }
        self.core
            .blocking(move |core| {
                let settings = core.store.endpoint()?.unwrap_or_default();
                let origin = Endpoint::of(settings)?.origin();
                core.way.keys().keep(&origin, key.as_deref());
                state(core)
            })
            .await
    }

    /// Puts a part of an open question to the model endpoint that it names, as the person changed it. The question shows
    /// what comes of it; nothing is sent to the server.
    ///
    /// # Errors
    /// The question is no longer open, that part is no model request, no endpoint is on, or the change does not fit.
    pub fn ask_model(&self, question: u64, part: usize, edit: &SampleEdit) -> Result<()> {
        static SERIAL: AtomicU64 = AtomicU64::new(1);
        let (ask, asked) = self.core.desk.sample(question, part)?;
        let prompt = ask.edited(edit)?;
        let endpoint = ask.endpoint.ok_or_else(|| HostError::Invalid {
            reason: "no model endpoint is on; set one in the settings, or answer by hand".into(),
        })?;
        let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
        let (core, occasion) = (self.core.clone(), occasion(self.core.store.run(), asked));
        let (begin, begun) = tokio::sync::oneshot::channel::<()>();
        let task = tokio::spawn(async move {
            // Only once the question says so, so that an answer finds its place.
            if begun.await.is_err() {
                return;
            }
            let by = DecidedBy::Person { remembered: None };
            let answered = sample::ask_endpoint(&core, &occasion, &endpoint, &prompt, by).await;
            let draft = match answered {
                Ok(Ok(reply)) => Draft::Answered { serial, reply },
                Ok(Err(message)) => Draft::Failed(crate::harmless::text(&message)),
                Err(error) => Draft::Failed(error.view().message),
            };
            core.desk.draft(question, part, Some(serial), draft);
        });
        let asking = Draft::Asking {
            serial,
            since: clock::now(),
            task: Arc::new(EndsWith::of(task.abort_handle())),
        };
        self.core.desk.draft(question, part, None, asking);
        // It may have been withdrawn meanwhile; then the task went with it.
        let _ = begin.send(());
        Ok(())
    }

    /// Ends the asking of a model for a part of an open question, or takes its answer or failure off the question.
    ///
    /// # Errors
    /// The question is no longer open, or that part is no model request.
    pub fn stop_model(&self, question: u64, part: usize) -> Result<()> {
        self.core.desk.sample(question, part)?;
        self.core.desk.draft(question, part, None, Draft::Empty);
        Ok(())
    }
}

fn state(core: &Core) -> Result<EndpointState> {
    let settings = core.store.endpoint()?.unwrap_or_default();
    let endpoint = Endpoint::of(settings.clone()).ok();
    Ok(EndpointState {
        key: endpoint
            .as_ref()
            .map_or(KeyPlace::None, |endpoint| core.way.keys().place(&endpoint.origin())),
        leads: endpoint.map(|endpoint| endpoint.view(&[])),
        settings,
    })
}

fn occasion(run: i64, question: Question) -> Occasion {
    let why = question.why;
    let words = why
        .call
        .map(|_| format!("{} {}", why.method, why.target.as_deref().unwrap_or_default()));
    Occasion {
        asker: question.asker,
        words,
        call: why.call.map(|number| CallRef {
            run: run as u64,
            number,
        }),
        round: why.round,
    }
}
