//! The front door: one method an intent. The window and the `gatehouse` command come in here and nowhere else.

mod folders;
pub mod history;
mod opening;
mod results;
mod sampling;
mod servers;
mod settings;
mod shelves;
mod traffic;
mod watching;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use crate::bounds;
use crate::call::{self, Call};
use crate::changes::{Part, Watcher};
use crate::connection;
use crate::core::Core;
use crate::error::{HostError, Result};
use crate::grant::GrantId;
use crate::places::Places;
use crate::root::RootId;
use crate::server::Fingerprint;
use crate::traffic::Frame;
use crate::view::{AnswerInput, CallEnd, ErrorView, GrantView, QuestionView, RecordRow, Update};
use crate::workspace;

/// Where the window's place is kept: in the app's own scope, under a key that is no setting of the person's.
const WINDOW: &str = "";
const PLACE: &str = "window-place";

/// One Gatehouse. Cheap to clone; all clones are the same one.
#[derive(Debug, Clone)]
pub struct Host {
    core: Arc<Core>,
}

impl Host {
    /// Runs a call to its end, connecting first where needed. Dropping it cancels the call.
    ///
    /// # Errors
    /// The arguments are no JSON object, the server did not start, an exchange failed, the protocol was broken, the
    /// person cancelled. A refusal is not an error but an end.
    pub async fn call(&self, call: Call) -> Result<CallEnd> {
        call::run(&self.core, call).await
    }

    /// Starts a call that goes on by itself, and gives its number.
    ///
    /// # Errors
    /// The arguments are no JSON object, or the server is not configured.
    pub fn start_call(&self, call: Call) -> Result<u64> {
        call::start(&self.core, call)
    }

    /// Starts a call anew that its server forgot, with the same arguments; what was entered into its forms is in them
    /// again, to be looked at. Gives the new call's number.
    ///
    /// # Errors
    /// The call did not end so, or the server is not configured.
    pub fn start_again(&self, id: u64) -> Result<u64> {
        call::start_again(&self.core, id)
    }

    /// Waits for the end of a started call; as often as it is asked for, while it is kept.
    ///
    /// # Errors
    /// There is no such call, its end is no longer kept, or it ended with an error.
    pub async fn call_end(&self, id: u64) -> std::result::Result<Arc<CallEnd>, ErrorView> {
        self.core.calls.end(id).await
    }

    /// Cancels a call under way.
    ///
    /// # Errors
    /// There is none of this number.
    pub fn cancel_call(&self, id: u64) -> Result<()> {
        self.core.calls.cancel(id)
    }

    /// The open questions, oldest first.
    pub fn questions(&self) -> Vec<QuestionView> {
        self.core.desk.view()
    }

    /// Answers an open question.
    ///
    /// # Errors
    /// It is no longer open, or the answer does not fit it.
    pub fn answer(&self, question: u64, answer: &AnswerInput) -> Result<()> {
        self.core.desk.answer(question, answer)
    }

    /// Takes an open question off the desk without an answer: nobody is there who could give one, which means no.
    ///
    /// # Errors
    /// It is no longer open.
    pub fn dismiss_question(&self, question: u64) -> Result<()> {
        self.core.desk.dismiss(question)
    }

    /// Takes every open question of one server off the desk without an answer.
    pub fn dismiss_questions_of(&self, server: &str) {
        self.core.desk.dismiss_of(server);
    }

    /// Takes every open question off the desk without an answer. With `for_good`, later ones too.
    pub fn dismiss_questions(&self, for_good: bool) {
        self.core.desk.dismiss_all(for_good);
    }

    /// The exact JSON that would leave for these folders of a roots question.
    ///
    /// # Errors
    /// The question is no longer open or not about folders, or the database refused.
    pub async fn preview(&self, question: u64, folders: Vec<u64>) -> Result<String> {
        let choices = self.core.desk.root_choices(question)?;
        self.core
            .blocking(move |core| {
                let roots = workspace::probed(&core.store)?;
                let chosen = |id: &RootId| choices.contains(id) && folders.contains(&id.0);
                let leave: Vec<_> = roots
                    .iter()
                    .filter(|probed| chosen(&probed.root.id) && probed.is_ready())
                    .collect();
                Ok(crate::answer::build::roots_json(&leave).get().to_owned())
            })
            .await
    }

    /// The remembered decisions that count in this run, oldest first.
    ///
    /// # Errors
    /// The database refused.
    pub async fn grants(&self) -> Result<Vec<GrantView>> {
        self.core.blocking(watching::grants_view).await
    }

    /// Revokes a remembered decision; it counts for nothing that follows.
    ///
    /// # Errors
    /// There is none of this number, or the database refused.
    pub async fn revoke_grant(&self, id: u64) -> Result<()> {
        let there = self.core.blocking(move |core| core.store.revoke(GrantId(id))).await?;
        if !there {
            return Err(HostError::NotFound {
                what: format!("remembered decision number {id}"),
            });
        }
        self.core.changes.ring(Part::Grants);
        connection::tell_changes(&self.core).await;
        Ok(())
    }

    /// Rows of the record, newest first: older than `before`, not older than `since` (milliseconds since 1970).
    ///
    /// # Errors
    /// The database refused.
    pub async fn record(&self, before: Option<u64>, since: Option<u64>, limit: u64) -> Result<Vec<RecordRow>> {
        self.core
            .blocking(move |core| core.store.record(before, since, limit))
            .await
    }

    /// Kept frames of a server after a number, oldest first, and how many were dropped in all.
    pub fn frames(&self, server: &str, after: u64, limit: usize) -> (Vec<Frame>, u64) {
        self.core.link(server).traffic().frames_after(after, limit)
    }

    /// How long the record was being committed in this run, and how long callers waited for the disk in all: the look at
    /// folders and decisions, the commit, and the way there and back.
    pub fn disk_time(&self) -> (Duration, Duration) {
        let waited = self.core.disk.load(Ordering::Relaxed);
        (self.core.ledger.spent(), Duration::from_nanos(waited))
    }

    /// Puts a notice away.
    pub fn dismiss_notice(&self, id: u64) {
        self.core.notices.dismiss(id);
    }

    /// Adds a notice for the person.
    pub fn add_notice(&self, message: &str) {
        self.core.notices.add(crate::harmless::line(message, 1000));
    }

    /// Where this host's files are.
    pub fn places(&self) -> &Places {
        &self.core.places
    }

    /// Where the window was when it was last seen, as the shell wrote it.
    ///
    /// # Errors
    /// The database refused.
    pub async fn window_place(&self) -> Result<Option<String>> {
        self.core.blocking(|core| core.store.setting(WINDOW, PLACE)).await
    }

    /// Remembers where the window is.
    ///
    /// # Errors
    /// The database refused.
    pub async fn keep_window_place(&self, place: String) -> Result<()> {
        self.core
            .blocking(move |core| core.store.keep_setting(WINDOW, PLACE, &place))
            .await
    }

    /// A watcher of everything; it first hears of every part.
    pub fn watch(&self) -> Watcher {
        self.core.changes.watch()
    }

    /// The whole value of a part, now.
    ///
    /// # Errors
    /// The database refused.
    pub async fn update(&self, part: Part) -> Result<Update> {
        watching::update(&self.core, part).await
    }

    /// Ends everything in order: open questions get no answer, calls end, servers are stopped.
    pub async fn quit(&self) {
        self.core.desk.dismiss_all(true);
        let links = self.core.all_links();
        let stops: Vec<_> = links
            .into_iter()
            .map(|link| tokio::spawn(async move { link.stop().await }))
            .collect();
        for stop in stops {
            let _ = stop.await;
        }
        let ends = async {
            while self.core.calls.is_running() {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        };
        // A call that was told of its server's end a moment ago is to stand in the history with it.
        let _ = tokio::time::timeout(bounds::QUIT_CALLS, ends).await;
        let ended = self.core.blocking(|core| {
            core.history.write();
            let ended = core.store.end_run();
            core.store.tell_others();
            ended
        });
        if let Err(error) = ended.await {
            tracing::error!("{error}");
        }
    }

    /// The fingerprint of a configured server.
    ///
    /// # Errors
    /// There is none of this name.
    pub fn fingerprint(&self, server: &str) -> Result<Fingerprint> {
        Ok(self.core.servers.entry(server)?.fingerprint.clone())
    }
}
