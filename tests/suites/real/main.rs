//! Servers that nobody here wrote, in both eras, through the host and through the `gatehouse` command. Each runs behind the
//! tee: what left is read from its log, every frame is checked against the schema of its era, and no process may stay.
//! They are installed by `tests/real/install.sh`; where they are missing, each test says that it skips.
#![cfg(target_os = "linux")]

mod command;
mod shelves;

use std::future::Future;
use std::path::{Path, PathBuf};
use std::time::Duration;

use gatehouse_host::HostError;
use gatehouse_host::call::{Call, What};
use gatehouse_host::view::{AnswerInput, CallEnd, FormAction, QuestionBody, QuestionView, RootsChoice, SampleChoice};
use gatehouse_tests::home::{Home, Person, declined, form, ready, roots, said, sample};
use gatehouse_tests::log::{Frame, Log};
use gatehouse_tests::processes::Marked;
use gatehouse_tests::real::{self, Launch};
use gatehouse_tests::schema::{Oracle, Revision};
use serde_json::{Value, json};

/// What a case with several starts of a real server may take on a loaded machine.
const LIMIT: Duration = Duration::from_secs(120);

/// A real server behind the tee.
struct Real {
    _dir: tempfile::TempDir,
    launch: Launch,
    log: Log,
    mark: Marked,
    revision: Revision,
}

impl Real {
    fn of(launch: Launch, revision: Revision) -> Self {
        let dir = tempfile::tempdir().expect("the temporary folder is writable");
        let mark = Marked::new();
        let (launch, log) = mark.on(launch).tee(&dir.path().join("log.jsonl"));
        Self {
            _dir: dir,
            launch,
            log,
            mark,
            revision,
        }
    }

    /// After the host ended: no process stays, and every frame that left was valid.
    fn over(&self) {
        self.mark.wait_gone(Duration::from_secs(10));
        assert!(!self.log.received().is_empty(), "the tee saw frames");
        if let Some(oracle) = Oracle::load() {
            oracle.assert_all(&self.log, self.revision);
        }
    }

    /// The answers (of ours) to requests of the server's, in order.
    fn responses(&self) -> Vec<Frame> {
        self.log.received().into_iter().filter(Frame::is_response).collect()
    }
}

/// A host with two folders, `app` and `notes`, and this server as `s`.
async fn at_home(server: &Real) -> Home {
    let home = Home::new();
    home.folder("app").await;
    home.folder("notes").await;
    home.add("s", &server.launch).await;
    home
}

async fn within<T>(what: &str, work: impl Future<Output = T>) -> T {
    tokio::time::timeout(LIMIT, work)
        .await
        .unwrap_or_else(|_| panic!("{what} did not end within {LIMIT:?}"))
}

fn python() -> Option<Real> {
    real::installed().then(|| Real::of(real::python_everything(), Revision::Modern))
}

/// All text of a tool's result.
fn words(end: &Result<CallEnd, HostError>) -> String {
    let raw: Value = serde_json::from_str(&said(end)).expect("a result is JSON");
    let content = raw["content"].as_array().cloned().unwrap_or_default();
    content
        .iter()
        .filter_map(|block| block["text"].as_str())
        .collect::<Vec<_>>()
        .join("\n")
}

fn fills(content: &'static str) -> impl FnMut(&QuestionView) -> Option<AnswerInput> + Send + 'static {
    move |_| Some(form(FormAction::Accept, Some(content)))
}

/// The calls of one tool as the server got them.
fn calls(log: &Log, tool: &str) -> Vec<Frame> {
    let calls = log.received_method("tools/call");
    calls
        .into_iter()
        .filter(|frame| frame.params()["name"] == tool)
        .collect()
}

const PY_ROOTS: &str = "test_input_required_result_list_roots";

#[tokio::test(flavor = "multi_thread")]
async fn python_roots_all_some_none_and_refused() {
    let Some(server) = python() else { return };
    within("roots on the Python server", async {
        let home = at_home(&server).await;
        for (choice, some, expect) in [
            (RootsChoice::ShareOnce, false, "Client exposed 2 root(s)."),
            (RootsChoice::ShareOnce, true, "Client exposed 1 root(s)."),
            (RootsChoice::ShareNone, false, "Client exposed 0 root(s)."),
        ] {
            let person = Person::at(&home, move |question| {
                let mut folders = ready(question);
                folders.truncate(if some { 1 } else { 2 });
                Some(roots(choice, &folders))
            });
            let end = home.call("s", PY_ROOTS, "{}").await;
            assert_eq!(words(&end), expect, "the server was told what was chosen");
            assert_eq!(person.asked(), 1, "one request is one question");
        }
        let told = calls(&server.log, PY_ROOTS);
        let told: Vec<&Value> = told
            .iter()
            .map(|call| &call.params()["inputResponses"])
            .filter(|told| told.is_object())
            .collect();
        assert_eq!(
            told[1]["client_roots"],
            json!({"roots": [{"uri": home.uri("app"), "name": "app"}]}),
            "the ticked folder, and nothing else"
        );
        assert_eq!(
            told[2]["client_roots"],
            json!({"roots": []}),
            "an empty list is an answer"
        );

        let person = Person::who(&home, RootsChoice::Refuse);
        let before = calls(&server.log, PY_ROOTS).len();
        refused_in_silence(&home, &server, before).await;
        assert_eq!(person.asked(), 1, "the refusal was a person's");
        let end = home.call("s", "test_simple_text", "{}").await;
        assert!(words(&end).contains("simple text"), "the next call works: {end:?}");
        home.quit().await;
    })
    .await;
    server.over();
}

/// A refused call: it ends as declined, and after its first frame nothing at all is sent for a while.
async fn refused_in_silence(home: &Home, server: &Real, before: usize) {
    let end = home.call("s", PY_ROOTS, "{}").await;
    assert!(declined(&end).contains("did not share"), "the call ends as declined");
    let mark = server.log.mark();
    let silent = server.log.clone();
    let quiet =
        tokio::task::spawn_blocking(move || silent.assert_silent(mark, Duration::from_secs(3), "a refusal is silence"));
    quiet.await.expect("nothing was sent");
    assert_eq!(
        calls(&server.log, PY_ROOTS).len(),
        before + 1,
        "the call was not retried"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn python_forms_and_states() {
    let Some(server) = python() else { return };
    within("forms on the Python server", async {
        let home = at_home(&server).await;
        for (tool, answer, expect) in [
            ("elicitation", r#"{"name":"Ada"}"#, "Hello, Ada!"),
            ("request_state", r#"{"ok":true}"#, "state-ok: confirmation received"),
            ("tampered_state", r#"{"ok":true}"#, "state-ok: round-1"),
        ] {
            let tool = format!("test_input_required_result_{tool}");
            let _person = Person::at(&home, fills(answer));
            let end = home.call("s", &tool, "{}").await;
            assert_eq!(words(&end), expect, "{tool}");
        }
        for (action, expect) in [(FormAction::Decline, "decline"), (FormAction::Cancel, "cancel")] {
            let _person = Person::at(&home, move |_| Some(form(action, None)));
            let end = home.call("s", "test_input_required_result_elicitation", "{}").await;
            assert_eq!(words(&end), "Hello, ?!", "the server hears of it and goes on");
            let sent = server.log.received().pop().expect("a retry was sent");
            assert_eq!(
                sent.params()["inputResponses"],
                json!({"user_name": {"action": expect}}),
                "no content goes with it"
            );
        }
        let person = Person::at(&home, |question| {
            let QuestionBody::Form { message, .. } = &question.body else {
                return None;
            };
            Some(form(
                FormAction::Accept,
                Some(if message.contains("Step 1") {
                    r#"{"name":"Ada"}"#
                } else {
                    r#"{"color":"blue"}"#
                }),
            ))
        });
        let end = home.call("s", "test_input_required_result_multi_round", "{}").await;
        assert_eq!(
            (words(&end).as_str(), person.asked()),
            ("Ada likes blue.", 2),
            "two questions, three rounds"
        );
        drop(person);
        states_are_echoed(&server.log);

        let _person = Person::at(&home, fills(r#"{"context":"the weather"}"#));
        let what = What::Prompt {
            name: "test_input_required_result_prompt".into(),
            args: "{}".into(),
        };
        let end = home
            .host()
            .call(Call {
                server: "s".into(),
                what,
                limit: None,
            })
            .await;
        assert!(
            said(&end).contains("Use the following context: the weather"),
            "prompts have rounds too: {end:?}"
        );
        home.quit().await;
    })
    .await;
    server.over();
}

/// Each retry carries the state of the answer before it exactly, or none where that had none, and an id of its own.
fn states_are_echoed(log: &Log) {
    let (sent, received) = (log.sent(), log.received_method("tools/call"));
    let retries: Vec<&Frame> = received
        .iter()
        .filter(|call| call.params().get("inputResponses").is_some())
        .collect();
    assert!(retries.len() >= 5, "there were retries");
    for retry in retries {
        let at = received
            .iter()
            .position(|call| call.t == retry.t)
            .expect("it is one of them");
        let first = &received[at - 1];
        let asked = sent
            .iter()
            .find(|reply| reply.id() == first.id() && reply.is_response())
            .expect("the round before was answered");
        assert_eq!(
            retry.params().get("requestState"),
            asked.json["result"].get("requestState"),
            "the state goes back as it came"
        );
        assert_ne!(retry.id(), first.id(), "a retry is a new request");
        let keys = |value: &Value| value.as_object().map(|map| map.keys().cloned().collect::<Vec<_>>());
        assert_eq!(
            keys(&retry.params()["inputResponses"]),
            keys(&asked.json["result"]["inputRequests"]),
            "the same keys"
        );
    }
}

/// An answer to a model request.
const HAIKU: &str = r#"{"role":"assistant","content":{"type":"text","text":"Warp and weft agree."},"model":"human","stopReason":"endTurn"}"#;

#[tokio::test(flavor = "multi_thread")]
async fn python_gets_an_answer_of_a_model_alone_and_among_others() {
    let Some(server) = python() else { return };
    within("answers of models for the Python server", async {
        let home = at_home(&server).await;
        let offer = home.host().change_server("s", &[("sampling", "on")]).await;
        offer.expect("it is there");
        let one = |part: &QuestionBody, folders: &[u64]| match part {
            QuestionBody::Roots { .. } => roots(RootsChoice::ShareOnce, folders),
            QuestionBody::Sample { .. } => sample(SampleChoice::Once, Some(HAIKU)),
            _ => form(FormAction::Accept, Some(r#"{"name":"Ada"}"#)),
        };
        let person = Person::at(&home, move |question| {
            let folders = ready(question);
            Some(match &question.body {
                QuestionBody::Sheet { parts } => AnswerInput::Sheet {
                    parts: parts.iter().map(|part| one(part, &folders)).collect(),
                },
                body => one(body, &folders),
            })
        });
        for (tool, questions) in [
            ("test_input_required_result_sampling", 1),
            ("test_input_required_result_multiple_inputs", 2),
        ] {
            let text = words(&home.call("s", tool, "{}").await);
            assert!(!text.is_empty(), "{tool} goes on with the answer");
            assert_eq!(person.asked(), questions, "{tool}: one question a round");
            let calls = calls(&server.log, tool);
            let sent = calls.last().expect("it was answered").raw.clone();
            assert!(sent.contains(HAIKU), "{tool}: the answer as it was written: {sent}");
        }
        home.quit().await;
    })
    .await;
    server.over();
}

#[tokio::test(flavor = "multi_thread")]
async fn python_sampling_is_refused_without_a_question() {
    let Some(server) = python() else { return };
    within("sampling on the Python server", async {
        let home = at_home(&server).await;
        let person = Person::who(&home, RootsChoice::ShareOnce);
        for tool in [
            "test_input_required_result_sampling",
            "test_input_required_result_multiple_inputs",
        ] {
            let error = home
                .call("s", tool, "{}")
                .await
                .expect_err("what was not offered is refused");
            let words = error.to_string();
            assert!(words.contains("sampling"), "{tool} says what was asked for: {words}");
            assert_eq!(
                calls(&server.log, tool).len(),
                1,
                "{tool}: nothing was sent after the refusal"
            );
        }
        assert_eq!(
            person.asked(),
            0,
            "no question: not even for the form and the folders beside it"
        );
        assert!(
            !String::from_utf8_lossy(&server.log.received_bytes()).contains("file://"),
            "no folder left"
        );
        home.quit().await;
    })
    .await;
    server.over();
}

#[tokio::test(flavor = "multi_thread")]
async fn tutorial_seals_its_state_and_gets_the_folder() {
    if !real::installed() {
        return;
    }
    let server = Real::of(real::tutorial002(), Revision::Modern);
    within("the tutorial's server", async {
        let home = at_home(&server).await;
        let _person = Person::who(&home, RootsChoice::ShareOnce);
        let end = home.call("s", "catalog_folder", "{}").await;
        assert_eq!(words(&end), home.uri("app"), "it names the first shared folder");
        let retry = calls(&server.log, "catalog_folder").pop().expect("it was retried");
        let keys: Vec<&String> = retry.params()["inputResponses"]
            .as_object()
            .into_iter()
            .flat_map(|map| map.keys())
            .collect();
        assert_eq!(keys, ["tutorial002:workspace_roots"], "its own key");
        let state = retry.params()["requestState"].as_str().unwrap_or_default().to_owned();
        let asked = server
            .log
            .sent()
            .into_iter()
            .find(|frame| frame.json["result"]["requestState"].is_string());
        assert_eq!(
            asked.map(|frame| frame.json["result"]["requestState"].clone()),
            Some(json!(state)),
            "the sealed state is echoed"
        );
        assert!(state.starts_with("v1."), "and it was sealed: {state}");
        home.quit().await;
    })
    .await;
    server.over();
}

/// Names that a careless URI loses.
const NAMES: [&str; 8] = [
    "plain",
    "two words",
    "hash#tag",
    "50% done",
    "semi;colon",
    "caf\u{e9}",
    "cafe\u{301}",
    "\u{65e5}\u{672c}",
];

/// As a person starts it: `npx`, in a folder where the package is installed, so that nothing is fetched.
fn npx_filesystem() -> Launch {
    let installed = gatehouse_tests::bins::workspace_root().join("tests/real");
    let launch = Launch::new("npx")
        .args(["--no-install", "mcp-server-filesystem"])
        .env("npm_config_update_notifier", "false");
    Launch {
        cwd: Some(installed),
        ..launch
    }
}

/// What `list_allowed_directories` names.
fn allowed(text: &str) -> Vec<PathBuf> {
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("Allowed directories:"), "it lists folders: {text}");
    lines.filter(|line| !line.is_empty()).map(PathBuf::from).collect()
}

async fn filesystem_names_exactly_the_shared_folders(launch: Launch) {
    let server = Real::of(launch, Revision::Autumn2025);
    within("the filesystem server", async {
        let home = Home::new();
        let mut last = 0;
        for name in NAMES {
            last = home.folder(name).await;
        }
        home.folder("not shared").await;
        home.add("s", &server.launch).await;
        let person = Person::at(&home, |question| {
            Some(roots(RootsChoice::ShareAlways, &ready(question)[..NAMES.len()]))
        });
        let end = home.call("s", "list_allowed_directories", "{}").await;
        let shared: Vec<PathBuf> = NAMES.iter().map(|name| home.path(name)).collect();
        assert_eq!(allowed(&words(&end)), shared, "exactly what was shared, name for name");

        let mark = server.log.mark();
        home.host()
            .remove_folder(last)
            .await
            .expect("the folder is in the list");
        server
            .log
            .until("the server asks again", Duration::from_secs(10), |log| {
                log.sent().iter().filter(|frame| frame.method() == "roots/list").count() == 2
            })
            .await;
        server
            .log
            .until("and is answered", Duration::from_secs(10), |log| {
                log.received_since(mark).iter().any(Frame::is_response)
            })
            .await;
        tokio::time::sleep(Duration::from_secs(1)).await;
        let changes = server
            .log
            .received_since(mark)
            .into_iter()
            .filter(|frame| frame.method() == "notifications/roots/list_changed");
        assert_eq!(changes.count(), 1, "one change is told once");
        let end = home.call("s", "list_allowed_directories", "{}").await;
        assert_eq!(
            allowed(&words(&end)),
            shared[..NAMES.len() - 1],
            "the removed folder is gone there too"
        );
        assert_eq!(person.asked(), 1, "what was decided for always is not asked again");
        home.quit().await;
    })
    .await;
    server.over();
}

#[tokio::test(flavor = "multi_thread")]
async fn filesystem_through_npx_names_exactly_the_shared_folders() {
    if real::installed() {
        filesystem_names_exactly_the_shared_folders(npx_filesystem()).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn filesystem_through_node_names_exactly_the_shared_folders() {
    if real::installed() {
        filesystem_names_exactly_the_shared_folders(real::filesystem(&[])).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn filesystem_hears_an_error_where_the_person_refuses() {
    if !real::installed() {
        return;
    }
    let server = Real::of(real::filesystem(&[]), Revision::Autumn2025);
    within("a refusal to the filesystem server", async {
        let home = at_home(&server).await;
        let _person = Person::who(&home, RootsChoice::Refuse);
        let end = home.call("s", "list_allowed_directories", "{}").await;
        assert!(
            !format!("{end:?}").contains(&*home.path("app").to_string_lossy()),
            "it knows of no folder: {end:?}"
        );
        let answered = server.responses();
        assert_eq!(answered.len(), 1, "it waits for an answer, so it gets one");
        assert!(
            answered[0].json["error"]["code"].is_i64(),
            "which is an error: {}",
            answered[0].raw
        );
        assert!(
            !String::from_utf8_lossy(&server.log.received_bytes()).contains("file://"),
            "no folder left"
        );
        home.quit().await;
    })
    .await;
    server.over();
}

fn repository(at: &Path) {
    let done = std::process::Command::new("git")
        .args(["init", "-q"])
        .arg(at)
        .status()
        .expect("git is there");
    assert!(done.success(), "git makes a repository");
}

#[tokio::test(flavor = "multi_thread")]
async fn devmcp_counts_from_where_we_count() {
    if !real::installed() {
        return;
    }
    let dir = tempfile::tempdir().expect("the temporary folder is writable");
    repository(dir.path());
    let server = Real::of(real::devmcp(dir.path()), Revision::Summer2025);
    within("devmcp", async {
        let home = at_home(&server).await;
        let person = Person::who(&home, RootsChoice::ShareOnce);
        repository(&home.path("app"));
        let end = home
            .call("s", "write_file", r#"{"path":"made.txt","content":"by devmcp"}"#)
            .await;
        assert!(
            matches!(end, Ok(CallEnd::Completed { .. })),
            "a call works beside its own request: {end:?}"
        );
        assert!(
            home.path("app").join("made.txt").is_file(),
            "and it works in the folder that it was told: {end:?}"
        );
        assert_eq!(person.asked(), 1, "it asks once");
        let asked = server
            .log
            .sent()
            .into_iter()
            .find(|frame| frame.method() == "roots/list")
            .expect("it asked");
        assert_eq!(asked.params(), &json!({}), "with empty params");
        assert!(
            server
                .log
                .received()
                .iter()
                .any(|ours| ours.id() == asked.id() && !ours.is_response()),
            "its id is one of ours too"
        );
        let answer = server
            .responses()
            .into_iter()
            .find(|frame| frame.id() == asked.id())
            .expect("it was answered");
        assert_eq!(
            answer.json["result"]["roots"][0]["uri"],
            json!(home.uri("app")),
            "with the folders"
        );
        home.quit().await;
    })
    .await;
    server.over();
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_lists_roots_and_asks_for_a_form() {
    if !real::installed() {
        return;
    }
    let server = Real::of(real::everything(), Revision::Autumn2025);
    within("the everything server", async {
        let home = at_home(&server).await;
        let _person = Person::at(&home, |question| {
            Some(match &question.body {
                QuestionBody::Roots { .. } => roots(RootsChoice::ShareOnce, &ready(question)),
                QuestionBody::Sample { .. } => sample(SampleChoice::Once, Some(HAIKU)),
                QuestionBody::Form { .. }
                | QuestionBody::Link { .. }
                | QuestionBody::Sheet { .. }
                | QuestionBody::Trust { .. } => form(
                    FormAction::Accept,
                    Some(r#"{"name":"Ada","integer":7,"untitledMultipleSelectEnum":["Drums"]}"#),
                ),
            })
        });
        let end = home.call("s", "get-roots-list", "{}").await;
        let text = words(&end);
        assert!(text.contains("(2 total)"), "both folders: {text}");
        assert!(
            text.contains(&home.uri("app")) && text.contains(&home.uri("notes")),
            "by their URIs: {text}"
        );
        let end = home.call("s", "trigger-elicitation-request", "{}").await;
        let text = words(&end);
        assert!(
            text.contains("- Name: Ada") && text.contains("- Favorite Integer: 7"),
            "the form came through: {text}"
        );
        home.quit().await;
    })
    .await;
    server.over();
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_gets_an_answer_of_a_model() {
    if !real::installed() {
        return;
    }
    let server = Real::of(real::everything(), Revision::Autumn2025);
    within("the everything server's model request", async {
        let home = at_home(&server).await;
        let offer = home.host().change_server("s", &[("sampling", "on")]).await;
        offer.expect("it is there");
        let _person = Person::at(&home, |question| {
            Some(match &question.body {
                QuestionBody::Sample { .. } => sample(SampleChoice::Once, Some(HAIKU)),
                _ => roots(RootsChoice::ShareNone, &[]),
            })
        });
        let end = home
            .call(
                "s",
                "trigger-sampling-request",
                r#"{"prompt":"A line on looms","maxTokens":20}"#,
            )
            .await;
        let text = words(&end);
        assert!(text.contains("Warp and weft agree."), "the answer came through: {text}");
        home.quit().await;
    })
    .await;
    server.over();
}

#[tokio::test(flavor = "multi_thread")]
async fn playwright_asks_inside_its_first_call() {
    if !real::installed() {
        return;
    }
    let server = Real::of(real::playwright().args(["--isolated"]), Revision::Autumn2025);
    within("playwright", async {
        let home = at_home(&server).await;
        let person = Person::who(&home, RootsChoice::ShareOnce);
        let end = home.call("s", "browser_navigate", r#"{"url":"about:blank"}"#).await;
        assert!(
            matches!(end, Ok(CallEnd::Completed { .. })),
            "with or without a browser, the call ends: {end:?}"
        );
        assert_eq!(person.asked(), 1, "it asked for folders on the way");
        let why = &person.seen()[0].why[0];
        assert_eq!(
            why.target.as_deref(),
            Some("browser_navigate"),
            "and the question says during which call"
        );
        assert!(
            server.responses()[0].json["result"]["roots"].is_array(),
            "it was answered while the call was open"
        );
        home.quit().await;
    })
    .await;
    server.over();
}

#[tokio::test(flavor = "multi_thread")]
async fn time_answers_the_probe_in_its_own_way() {
    if !real::installed() {
        return;
    }
    let server = Real::of(real::time(), Revision::Autumn2025);
    within("the time server", async {
        let home = at_home(&server).await;
        let end = home.call("s", "get_current_time", r#"{"timezone":"UTC"}"#).await;
        assert!(words(&end).contains("UTC"), "the call works: {end:?}");
        let probe = server.log.received().remove(0);
        assert_eq!(probe.method(), "server/discover", "the probe comes first");
        let refusal = server
            .log
            .sent()
            .into_iter()
            .find(|frame| frame.id() == probe.id())
            .expect("it was answered");
        assert_eq!(
            refusal.json["error"]["code"],
            json!(-32602),
            "with a code that says nothing of eras"
        );
        assert_eq!(
            server.log.received_method("initialize").len(),
            1,
            "so the handshake followed"
        );
        home.quit().await;
    })
    .await;
    server.over();
}
