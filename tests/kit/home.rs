//! A Gatehouse in a temporary home, with folders made and servers added, and the person in front of it: somebody who
//! watches the desk and answers through the front door, as the window does. No mock of either.

use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use gatehouse_host::call::{Call, What};
use gatehouse_host::places::Places;
use gatehouse_host::view::{
    AnswerInput, CallEnd, FormAction, Health, QuestionBody, QuestionView, RecordRow, ResultView, RootsChoice,
    SampleChoice, ServerInput,
};
use gatehouse_host::{Host, HostError};
use tokio::task::JoinHandle;

use crate::fake::FakeServer;
use crate::log::{Frame, Log};
use crate::real::Launch;
use crate::schema::{Oracle, Revision};
use crate::template::Source;

/// One installation. Its files go when this value goes; end it with [`Home::quit`].
#[derive(Debug)]
pub struct Home {
    dir: tempfile::TempDir,
    host: Host,
}

/// Somebody in front of the desk. Goes home when this value goes.
#[derive(Debug)]
pub struct Person {
    seen: Arc<Mutex<Vec<QuestionView>>>,
    task: JoinHandle<()>,
}

impl Home {
    /// A fresh installation. Must be made within a multi-thread runtime.
    pub fn new() -> Self {
        let dir = tempfile::Builder::new()
            .prefix("home-")
            .tempdir()
            .expect("the temporary folder is writable");
        let host = open(dir.path());
        Self { dir, host }
    }

    /// An installation with one folder, `app`, and this server under the name `s`.
    pub async fn with(fake: &FakeServer) -> Self {
        let home = Self::new();
        home.folder("app").await;
        home.add("s", &fake.launch()).await;
        home
    }

    /// The same files under a new run of Gatehouse.
    pub async fn restart(self) -> Self {
        let Self { dir, host } = self;
        host.quit().await;
        drop(host);
        let host = open(dir.path());
        Self { dir, host }
    }

    /// The front door.
    pub fn host(&self) -> &Host {
        &self.host
    }

    /// Where the installation keeps its files.
    pub fn places(&self) -> Places {
        Places::under(&self.dir.path().join("home"))
    }

    /// The path of a folder of the person's, made or not.
    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join("folders").join(name)
    }

    /// Makes a folder of the person's and adds it; its number.
    pub async fn folder(&self, name: &str) -> u64 {
        let path = self.path(name);
        std::fs::create_dir_all(&path).expect("the temporary folder is writable");
        self.add_path(path).await
    }

    /// Adds a path as it is; its number.
    pub async fn add_path(&self, path: PathBuf) -> u64 {
        let added = self
            .host
            .add_folders(vec![path], None)
            .await
            .expect("the database works");
        added[0].id.unwrap_or_else(|| panic!("the folder is added: {added:?}"))
    }

    /// The URI under which a folder of the person's is told.
    pub fn uri(&self, name: &str) -> String {
        gatehouse_host::uri::of(&self.path(name))
    }

    /// Adds a server.
    pub async fn add(&self, name: &str, launch: &Launch) {
        let input = ServerInput {
            name: name.to_owned(),
            command: launch.command.clone(),
            args: launch.args.clone(),
            env: launch.env.clone(),
            cwd: launch.cwd.as_ref().map(|cwd| cwd.display().to_string()),
        };
        self.host.add_server(input).await.expect("the server is added");
    }

    /// Calls a tool of a server, with the text of its arguments.
    pub async fn call(&self, server: &str, tool: &str, args: &str) -> Result<CallEnd, HostError> {
        self.host.call(tool_call(server, tool, args)).await
    }

    /// The same beside what follows.
    pub fn begin(&self, server: &str, tool: &str, args: &str) -> JoinHandle<Result<CallEnd, HostError>> {
        let (host, call) = (self.host.clone(), tool_call(server, tool, args));
        tokio::spawn(async move { host.call(call).await })
    }

    /// The record, oldest first.
    pub async fn record(&self) -> Vec<RecordRow> {
        let mut rows = self.host.record(None, None, 1000).await.expect("the database works");
        rows.reverse();
        rows
    }

    /// Waits until so many questions lie open.
    pub async fn until_open(&self, count: usize) -> Vec<QuestionView> {
        let end = Instant::now() + Duration::from_secs(30);
        loop {
            let open = self.host.questions();
            if open.len() == count {
                return open;
            }
            assert!(
                Instant::now() < end,
                "waited for {count} open questions, there are {open:#?}"
            );
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Waits until the record has so many rows; the record, oldest first.
    pub async fn until_record(&self, count: usize) -> Vec<RecordRow> {
        let end = Instant::now() + Duration::from_secs(30);
        loop {
            let rows = self.record().await;
            if rows.len() >= count {
                return rows;
            }
            assert!(
                Instant::now() < end,
                "waited for {count} rows of the record, there are {rows:#?}"
            );
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Ends the run.
    pub async fn quit(&self) {
        self.host.quit().await;
    }

    /// Ends the run and checks every frame that left for these servers against the schema of their era.
    pub async fn end(self, servers: &[(&FakeServer, Revision)]) {
        self.quit().await;
        for (fake, revision) in servers {
            valid(&fake.log(), *revision);
        }
    }
}

impl Default for Home {
    fn default() -> Self {
        Self::new()
    }
}

impl Person {
    /// A person who answers each new question once, by this rule; `None` leaves it open.
    pub fn at(home: &Home, mut answer: impl FnMut(&QuestionView) -> Option<AnswerInput> + Send + 'static) -> Self {
        let seen = Arc::new(Mutex::new(Vec::<QuestionView>::new()));
        let (host, book) = (home.host.clone(), seen.clone());
        let task = tokio::spawn(async move {
            let mut bell = host.watch();
            while bell.next().await.is_some() {
                for question in host.questions() {
                    if lock(&book).iter().any(|known| known.id == question.id) {
                        continue;
                    }
                    lock(&book).push(question.clone());
                    if let Some(answer) = answer(&question) {
                        // A question that was withdrawn meanwhile needs none.
                        let _ = host.answer(question.id, &answer);
                    }
                }
            }
        });
        Self { seen, task }
    }

    /// A person who makes this choice about folders, with every ready one ticked, and cancels forms.
    pub fn who(home: &Home, choice: RootsChoice) -> Self {
        Self::at(home, move |question| match question.body {
            QuestionBody::Roots { .. } => Some(roots(choice, &ready(question))),
            QuestionBody::Form { .. } => Some(form(FormAction::Cancel, None)),
            QuestionBody::Link { .. } => Some(AnswerInput::Link {
                action: FormAction::Cancel,
            }),
            QuestionBody::Sample { .. } => Some(sample(SampleChoice::Refuse, None)),
            QuestionBody::Trust { .. } | QuestionBody::Sheet { .. } => None,
        })
    }

    /// The questions seen so far.
    pub fn seen(&self) -> Vec<QuestionView> {
        lock(&self.seen).clone()
    }

    /// How many they are.
    pub fn asked(&self) -> usize {
        lock(&self.seen).len()
    }
}

impl Drop for Person {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn open(dir: &Path) -> Host {
    Host::open(Places::under(&dir.join("home"))).expect("a temporary home can be opened")
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A call of a tool without a time limit of its own.
pub fn tool_call(server: &str, tool: &str, args: &str) -> Call {
    let what = What::Tool {
        name: tool.to_owned(),
        args: args.to_owned(),
    };
    Call {
        server: server.to_owned(),
        what,
        limit: None,
    }
}

/// The answer to a roots question.
pub fn roots(choice: RootsChoice, folders: &[u64]) -> AnswerInput {
    AnswerInput::Roots {
        choice,
        folders: folders.to_vec(),
    }
}

/// The answer to a form.
pub fn form(action: FormAction, content: Option<&str>) -> AnswerInput {
    AnswerInput::Form {
        action,
        content: content.map(str::to_owned),
    }
}

/// The answer to a model request.
pub fn sample(choice: SampleChoice, result: Option<&str>) -> AnswerInput {
    AnswerInput::Sample {
        choice,
        result: result.map(str::to_owned),
    }
}

/// The ready folders of a roots question.
pub fn ready(question: &QuestionView) -> Vec<u64> {
    let part = match &question.body {
        QuestionBody::Sheet { parts } => parts.first(),
        body => Some(body),
    };
    let Some(QuestionBody::Roots { folders }) = part else {
        return Vec::new();
    };
    folders
        .iter()
        .filter(|folder| folder.health == Health::Ready)
        .map(|folder| folder.id)
        .collect()
}

/// The folders of a roots question that are ticked at first.
pub fn ticked(question: &QuestionView) -> Vec<u64> {
    let QuestionBody::Roots { folders } = &question.body else {
        return Vec::new();
    };
    folders
        .iter()
        .filter(|folder| folder.ticked)
        .map(|folder| folder.id)
        .collect()
}

/// The text that a call ended with.
pub fn said(end: &Result<CallEnd, HostError>) -> String {
    match end {
        Ok(CallEnd::Completed {
            result: ResultView::Tool { raw, .. } | ResultView::Prompt { raw, .. } | ResultView::Resource { raw, .. },
            ..
        }) => raw.clone(),
        other => panic!("the call ends with a result, not with {other:?}"),
    }
}

/// The words that a call ended with where it was declined.
pub fn declined(end: &Result<CallEnd, HostError>) -> String {
    match end {
        Ok(CallEnd::Declined { message, .. }) => message.clone(),
        other => panic!("the call ends as declined, not with {other:?}"),
    }
}

/// The words of the error that a call ended with.
pub fn failed<T: std::fmt::Debug>(end: &Result<T, HostError>) -> String {
    match end {
        Err(error) => error.to_string(),
        other => panic!("it fails, and does not end with {other:?}"),
    }
}

/// The raw text at a path of member names below a frame's params, as it stood on the wire.
pub fn raw_param(frame: &Frame, path: &[&str]) -> Option<String> {
    let whole = Source {
        params: Some(frame.raw.clone()),
        ..Source::default()
    };
    let params = whole.param(&["params"])?;
    Source {
        params: Some(params),
        ..Source::default()
    }
    .param(path)
}

/// Checks every frame of a log; where the official schemas are missing, says so.
pub fn valid(log: &Log, revision: Revision) {
    static ORACLE: LazyLock<Option<Oracle>> = LazyLock::new(Oracle::load);
    if let Some(oracle) = &*ORACLE {
        oracle.assert_all(log, revision);
    }
}

/// Does something through the front door of a home that a program uses, as another process of it would.
///
/// # Panics
/// Must not be called from within a runtime.
pub fn beside<T>(home: &Path, work: impl AsyncFnOnce(&Host) -> T) -> T {
    let runtime = tokio::runtime::Runtime::new().expect("threads can be made");
    runtime.block_on(async {
        let host = Host::open(Places::under(home)).expect("the home can be opened");
        let done = work(&host).await;
        host.quit().await;
        done
    })
}
