//! The history of calls: what is kept of each, what is not, its bounds, and that it can be cleared for good. And a call that
//! its server forgot, started again.

use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use gatehouse_host::call::{Call, What};
use gatehouse_host::host::history::{Look, Which};
use gatehouse_host::results::Fullness;
use gatehouse_host::view::{
    CallEnd, Ending, FormAction, HistoryCall, HistoryResult, HistoryRow, Outcome, QuestionBody, ResultView, RootsChoice,
};
use gatehouse_host::{Code, HostError};
use gatehouse_tests::command::Gatehouse;
use gatehouse_tests::fake::FakeServer;
use gatehouse_tests::home::{Home, Person, form, ready, roots, said, tool_call};
use gatehouse_tests::schema::Revision::Modern;
use gatehouse_tests::script::{Rule, Script, act};
use serde_json::{Value, json};

fn ask_form() -> Value {
    json!({"method": "elicitation/create", "params": {
        "message": "Your name?",
        "requestedSchema": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
    }})
}

/// Lines of the history, newest first.
async fn lines(home: &Home) -> Vec<HistoryRow> {
    let look = Look {
        limit: 10_000,
        ..Look::default()
    };
    home.host().history(look).await.expect("the database works")
}

async fn newest(home: &Home) -> HistoryCall {
    let line = lines(home).await.into_iter().next().expect("a call is kept");
    home.host()
        .history_call(line.seq, Fullness::Whole)
        .await
        .expect("it can be read")
}

/// Everything that lies in the data folder, as bytes.
fn on_the_disk(home: &Home) -> Vec<u8> {
    let mut all = Vec::new();
    for file in std::fs::read_dir(home.places().data())
        .expect("the folder is there")
        .flatten()
    {
        if file.path().is_file() {
            all.extend(std::fs::read(file.path()).expect("it can be read"));
        }
    }
    all
}

fn holds(bytes: &[u8], words: &str) -> bool {
    bytes.windows(words.len()).any(|part| part == words.as_bytes())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_is_kept_with_its_arguments_rounds_answers_and_result() {
    let ask = act::ask(
        json!({"folders": {"method": "roots/list"}, "name": ask_form()}),
        Some("s"),
    );
    let script = Script::modern()
        .tool("t")
        .rule(Rule::on("tools/call").name("t").fresh().does([ask]))
        .rule(
            Rule::on("tools/call")
                .name("t")
                .answered()
                .does([act::text("done \u{202e}9007199254740993")]),
        );
    let fake = FakeServer::new(&script);
    let home = Home::with(&fake).await;
    let args = r#"{"z":1.50,"big":9007199254740993,"a":[ 1, null ]}"#;
    let call = home.begin("s", "t", args);
    let question = home.until_open(1).await.remove(0);
    let answers = gatehouse_host::view::AnswerInput::Sheet {
        parts: vec![
            roots(RootsChoice::ShareOnce, &ready(&question)),
            form(FormAction::Accept, Some(r#"{"name": "Ada"}"#)),
        ],
    };
    home.host().answer(question.id, &answers).expect("it is open");
    let result = said(&call.await.expect("no panic"));

    let home = home.restart().await;
    let call = newest(&home).await;
    assert_eq!(
        (
            call.row.server.as_str(),
            call.row.method.as_str(),
            call.row.target.as_str()
        ),
        ("s", "tools/call", "t"),
        "it is known what was called, in a later run too"
    );
    assert_eq!(
        (call.row.ending, call.row.rounds),
        (Ending::Done, 2),
        "and how it ended"
    );
    let kept = call.args.expect("arguments are kept");
    let sent = fake.log().received_method("tools/call")[0].raw.clone();
    assert!(
        sent.contains(&kept.text) && kept.text.contains("9007199254740993") && kept.text.contains("1.50") && !kept.cut,
        "exactly as they left: {kept:?}"
    );
    let [round] = call.rounds.as_slice() else {
        panic!("something was asked in one round: {:?}", call.rounds);
    };
    assert_eq!(round.round, 1, "the first");
    let asked: Vec<(&str, &str)> = round
        .asked
        .iter()
        .map(|one| (one.key.as_str(), one.method.as_str()))
        .collect();
    assert_eq!(
        asked,
        [("folders", "roots/list"), ("name", "elicitation/create")],
        "what was asked, in order"
    );
    assert!(
        round.asked[1]
            .params
            .as_ref()
            .is_some_and(|params| params.contains("Your name?")),
        "with its words"
    );
    let record = home.record().await;
    assert_eq!(round.answers, record, "what was answered is the record's own rows");
    assert_eq!(
        record.iter().map(|row| row.outcome).collect::<Vec<_>>(),
        [Outcome::Shared, Outcome::FormSent]
    );
    for row in &record {
        let link = row.call.expect("a row knows its call");
        let same = home
            .host()
            .history_of(link, Fullness::Whole)
            .await
            .expect("the call is kept");
        assert_eq!(same.row, call.row, "from a row to its call");
    }
    let Some(HistoryResult::Whole {
        result: ResultView::Tool { raw, .. },
    }) = call.result
    else {
        panic!("the result is there whole");
    };
    assert_eq!(raw, result, "as it was shown when it came");
    assert!(
        raw.contains("⟨U+202E⟩") || raw.contains("\\u202e"),
        "a server's text is harmless: {raw}"
    );
    let mode = |name: &str| {
        let file = home.places().data().join(name);
        std::fs::metadata(file).map(|data| data.permissions().mode() & 0o777)
    };
    assert_eq!(
        mode("gatehouse.db").expect("it is there"),
        0o600,
        "for the person's eyes only"
    );
    assert_eq!(
        fake.log().received_method("tools/call").len(),
        2,
        "nothing more left for the server because of it"
    );
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_end_is_kept_as_what_it_was() {
    let script = Script::modern()
        .asks_roots("asks", None)
        .tool("errs")
        .tool("fails")
        .tool("slow")
        .rule(Rule::on("tools/call").name("errs").does([act::result(
            json!({"resultType": "complete", "content": [{"type": "text", "text": "no"}], "isError": true}),
        )]))
        .rule(
            Rule::on("tools/call")
                .name("fails")
                .does([act::error(-32603, "broken")]),
        )
        .rule(Rule::on("tools/call").name("slow").does([]))
        .rule(Rule::on("prompts/get").does([act::result(json!({"resultType": "complete", "messages": []}))]))
        .rule(Rule::on("resources/read").does([act::result(
            json!({"resultType": "complete", "ttlMs": 0, "cacheScope": "private", "contents": []}),
        )]));
    let fake = FakeServer::new(&script);
    let home = Home::with(&fake).await;
    let _person = Person::who(&home, RootsChoice::Refuse);
    let check = async |tool: &str, ending: Ending, words: &str| {
        let _ = home.call("s", tool, "{}").await;
        let call = newest(&home).await;
        assert_eq!((call.row.target.as_str(), call.row.ending), (tool, ending), "{call:?}");
        let message = call.row.message.unwrap_or_default();
        assert!(message.contains(words), "{tool} says {words}: {message}");
    };
    check("errs", Ending::ToolError, "").await;
    check("fails", Ending::Failed, "broken").await;
    check("asks", Ending::Declined, "Nothing was sent").await;
    // Dropping a call cancels it.
    let slow = home.begin("s", "slow", "{}");
    tokio::task::spawn_blocking(move || fake.wait_for("tools/call", 4, Duration::from_secs(30)))
        .await
        .expect("it came");
    slow.abort();
    let _ = slow.await;
    let call = newest(&home).await;
    assert_eq!((call.row.target.as_str(), call.row.ending), ("slow", Ending::Cancelled));
    let what = [
        What::Prompt {
            name: "p".into(),
            args: r#"{"topic":"looms"}"#.into(),
        },
        What::Resource { uri: "fake://x".into() },
    ];
    for what in what {
        let call = Call {
            server: "s".into(),
            what,
            limit: None,
        };
        home.host().call(call).await.expect("it is answered");
    }
    let lines = lines(&home).await;
    let methods: Vec<&str> = lines.iter().take(2).map(|line| line.method.as_str()).collect();
    assert_eq!(methods, ["resources/read", "prompts/get"], "prompts and resources too");
    let seqs: Vec<u64> = lines.iter().map(|line| line.seq).collect();
    assert!(
        seqs.is_sorted_by(|a, b| a > b),
        "newest first, each with a number of its own"
    );
    let look = Look {
        before: Some(seqs[1]),
        limit: 2,
        words: Some("TOOLS/CALL".into()),
        server: Some("s".into()),
        ..Look::default()
    };
    let page = home.host().history(look).await.expect("the database works");
    assert_eq!(
        page.iter().map(|line| line.seq).collect::<Vec<_>>(),
        seqs[2..4],
        "it is paged by number, and words are looked for in any case"
    );
    let look = Look {
        words: Some("looms".into()),
        limit: 10,
        ..Look::default()
    };
    let found = home.host().history(look).await.expect("the database works");
    assert_eq!(found.len(), 1, "arguments are searched too: {found:?}");
    home.quit().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_result_beyond_the_bound_is_kept_cut_and_said_so() {
    let long = "x".repeat(5_000_000);
    let script = Script::modern()
        .tool("t")
        .rule(Rule::on("tools/call").name("t").does([act::text(&long)]));
    let fake = FakeServer::new(&script);
    let home = Home::with(&fake).await;
    let whole = said(&home.call("s", "t", "{}").await);
    let call = newest(&home).await;
    let Some(HistoryResult::Cut { text, bytes }) = call.result else {
        panic!("it is too large to be kept whole");
    };
    assert_eq!(bytes as usize, whole.len(), "its whole length is known");
    assert!(
        text.len() < whole.len() && whole.starts_with(&text) && text.len() > 1_000_000,
        "its beginning is there, of {} bytes",
        text.len()
    );
    home.quit().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_oldest_go_first() {
    let script = Script::modern()
        .tool("t")
        .rule(Rule::on("tools/call").name("t").does([act::text("done")]));
    let fake = FakeServer::new(&script);
    let home = Home::with(&fake).await;
    for at in 0..1_030 {
        home.call("s", "t", &format!(r#"{{"n":{at}}}"#))
            .await
            .expect("it is answered");
    }
    let lines = lines(&home).await;
    assert_eq!(lines.len(), 1_000, "as many as are kept");
    let args = async |line: &HistoryRow| {
        let call = home
            .host()
            .history_call(line.seq, Fullness::Whole)
            .await
            .expect("it is there");
        call.args.expect("with arguments").text
    };
    assert_eq!(args(&lines[0]).await, r#"{"n":1029}"#, "the newest is there");
    assert_eq!(args(&lines[999]).await, r#"{"n":30}"#, "the first thirty are gone");
    let recent = home
        .host()
        .recent_args("s", "tools/call", "t")
        .await
        .expect("the database works");
    assert_eq!(
        (recent.len(), recent[0].as_str()),
        (10, r#"{"n":1029}"#),
        "the newest arguments are offered again"
    );
    home.quit().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_cleared_is_gone_from_the_disk() {
    let script = Script::modern().tool("t").rule(
        Rule::on("tools/call")
            .name("t")
            .does([act::text("the answer of the oracle")]),
    );
    let fake = FakeServer::new(&script);
    let home = Home::with(&fake).await;
    home.add("other", &fake.launch()).await;
    for (server, word) in [
        ("s", "first-secret-word"),
        ("s", "second-secret-word"),
        ("other", "third-secret-word"),
    ] {
        let end = home.call(server, "t", &format!(r#"{{"key":"{word}"}}"#)).await;
        said(&end);
    }
    let kept = lines(&home).await;
    assert_eq!(kept.len(), 3);
    assert!(
        holds(&on_the_disk(&home), "first-secret-word"),
        "it is on the disk before"
    );
    let clear = async |which: Which| home.host().clear_history(which).await;
    assert_eq!(
        clear(Which::One(kept[2].seq)).await.expect("it is there"),
        1,
        "one call"
    );
    assert!(
        !holds(&on_the_disk(&home), "first-secret-word"),
        "nothing of it is left in any file"
    );
    assert!(
        matches!(clear(Which::One(kept[2].seq)).await, Err(HostError::NotFound { .. })),
        "it is gone"
    );
    assert_eq!(
        clear(Which::Server("s".into())).await.expect("it works"),
        1,
        "one server's"
    );
    let left = lines(&home).await;
    assert_eq!(
        left.iter().map(|line| line.server.as_str()).collect::<Vec<_>>(),
        ["other"]
    );
    assert_eq!(clear(Which::All).await.expect("it works"), 1, "all");
    assert_eq!(lines(&home).await, [], "nothing is kept");
    let disk = on_the_disk(&home);
    for word in ["second-secret-word", "third-secret-word", "the answer of the oracle"] {
        assert!(!holds(&disk, word), "{word} is in no file any more");
    }
    home.quit().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn where_it_is_off_nothing_of_a_call_is_written() {
    let script = Script::modern()
        .asks_roots("asks", None)
        .tool("t")
        .rule(Rule::on("tools/call").name("t").does([act::text("done")]));
    let fake = FakeServer::new(&script);
    let home = Home::with(&fake).await;
    home.add("other", &fake.launch()).await;
    let _person = Person::at(&home, |_| None);
    let args = |word: &str| format!(r#"{{"key":"{word}"}}"#);
    home.host()
        .change_server("s", &[("history", "off")])
        .await
        .expect("the server is there");
    said(&home.call("s", "t", &args("secret-of-s")).await);
    said(&home.call("other", "t", &args("word-of-other")).await);
    // A call that waits is noted in the journal, without its arguments.
    let waits = home.begin("s", "asks", &args("secret-of-a-waiting-call"));
    home.until_open(1).await;
    let servers: Vec<String> = lines(&home).await.into_iter().map(|line| line.server).collect();
    assert_eq!(servers, ["other"], "the other server's calls are kept");
    tokio::time::sleep(Duration::from_millis(500)).await;
    let disk = on_the_disk(&home);
    assert!(holds(&disk, "word-of-other"), "which are on the disk");
    assert!(
        !holds(&disk, "secret-of-s") && !holds(&disk, "secret-of-a-waiting-call"),
        "nothing of this one's"
    );
    let recent = home
        .host()
        .recent_args("s", "tools/call", "t")
        .await
        .expect("the database works");
    assert_eq!(recent, Vec::<String>::new(), "and nothing is offered again");
    home.host().dismiss_questions(false);
    let _ = waits.await;
    home.host()
        .change_settings(&[("history", "off")])
        .await
        .expect("the database works");
    said(&home.call("other", "t", &args("late-word-of-other")).await);
    assert_eq!(
        lines(&home).await.len(),
        1,
        "off for all: what is kept stays, nothing comes"
    );
    home.host()
        .change_settings(&[("history", "on")])
        .await
        .expect("the database works");
    home.host()
        .change_server("s", &[("history", "on")])
        .await
        .expect("the server is there");
    said(&home.call("s", "t", "{}").await);
    assert_eq!(lines(&home).await.len(), 2, "on again");
    home.quit().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_does_not_wait_for_its_history() {
    let script = Script::modern()
        .tool("t")
        .rule(Rule::on("tools/call").name("t").does([act::text("done")]));
    let fake = FakeServer::new(&script);
    let home = Home::with(&fake).await;
    said(&home.call("s", "t", "{}").await);
    let host = home.host().clone();
    let file = home.places().data().join("gatehouse.db");
    // Another process holds the database: whoever waits for the disk waits.
    let db = rusqlite::Connection::open(file).expect("it opens");
    db.execute_batch("BEGIN IMMEDIATE").expect("it is free");
    let began = Instant::now();
    for _ in 0..50 {
        host.call(tool_call("s", "t", "{}")).await.expect("it is answered");
    }
    let took = began.elapsed();
    db.execute_batch("ROLLBACK").expect("it is ours");
    assert!(took < Duration::from_secs(5), "the calls did not wait: {took:?}");
    assert_eq!(lines(&home).await.len(), 51, "and are kept when the disk is free");
    home.quit().await;
}

#[test]
fn a_kill_at_any_moment_leaves_a_whole_history() {
    let script = Script::modern()
        .tool("t")
        .tool("slow")
        .rule(Rule::on("tools/call").name("slow").does([]));
    let fake = FakeServer::new(&script);
    let gatehouse = Gatehouse::with(&fake.launch());
    for step in 0..15_u64 {
        let mut child = gatehouse
            .command(["call", "s", "t", "--args", r#"{"n":1}"#])
            .stdout(std::process::Stdio::null())
            .spawn()
            .expect("it starts");
        std::thread::sleep(Duration::from_millis(10 + step * 12));
        // It may have ended already, which is one of the moments.
        let _ = child.kill();
        child.wait().expect("it is ours");
        whole(&gatehouse);
    }
    let calls = fake.log().received_method("tools/call").len();
    let mut child = gatehouse
        .command(["call", "s", "slow", "--args", r#"{"why":"kept"}"#])
        .spawn()
        .expect("it starts");
    fake.wait_for("tools/call", calls + 1, Duration::from_secs(30));
    std::thread::sleep(Duration::from_millis(500));
    child.kill().expect("it runs");
    child.wait().expect("it is ours");
    let (_, document) = gatehouse.json(["history", "--server", "s"]);
    whole(&gatehouse);
    let newest = &document["history"][0];
    assert_eq!(
        (&newest["target"], &newest["ending"]),
        (&json!("slow"), &json!("abandoned")),
        "the call that was cut off is there: {document}"
    );
    let (_, call) = gatehouse.json(["history", "show", &newest["seq"].to_string()]);
    assert_eq!(
        call["args"]["text"],
        json!(r#"{"why":"kept"}"#),
        "with its arguments: {call}"
    );
    assert_eq!(
        call["rounds"][0]["answers"][0]["outcome"],
        json!("abandoned"),
        "and with the row of the record"
    );
    assert_eq!(
        gatehouse.json(["history"]).1["history"].as_array().map(Vec::len),
        document["history"].as_array().map(Vec::len),
        "once"
    );
}

#[test]
fn the_command_lists_shows_and_clears() {
    let script = Script::modern()
        .tool("t")
        .rule(Rule::on("tools/call").name("t").does([act::text("a\u{1b}[31m result")]));
    let fake = FakeServer::new(&script);
    let gatehouse = Gatehouse::with(&fake.launch());
    gatehouse.add("other", &fake.launch());
    assert!(gatehouse.ok(["history"]).stdout.contains("No calls are kept"));
    gatehouse.ok(["call", "s", "t", "--args", r#"{"n":9007199254740993}"#]);
    gatehouse.ok(["call", "other", "t"]);
    let listed = gatehouse.ok(["history", "--server", "s", "--since", "1h"]).stdout;
    assert!(
        listed.contains("tools/call t") && listed.contains("done") && !listed.contains("other"),
        "the calls of one server: {listed}"
    );
    let (_, document) = gatehouse.json(["history"]);
    let rows = document["history"].as_array().expect("lines");
    assert_eq!(rows.len(), 2, "each call is a line: {document}");
    let id = rows[1]["seq"].to_string();
    let shown = gatehouse.ok(["history", "show", &id]).stdout;
    assert!(
        shown.contains("9007199254740993") && shown.contains("result") && !shown.contains('\u{1b}'),
        "a call whole, and harmless to a terminal: {shown}"
    );
    let cleared = gatehouse.ok(["history", "clear", "--server", "s"]).stdout;
    assert!(cleared.contains("1 call is gone"), "{cleared}");
    let gone = gatehouse.run(["history", "show", &id]);
    assert_eq!(gone.code, 2, "there is no such call any more: {gone:?}");
    gatehouse.ok(["history", "clear"]);
    assert!(gatehouse.ok(["history"]).stdout.contains("No calls are kept"));
    assert_eq!(
        gatehouse.run(["history", "--since", "soon"]).code,
        2,
        "a moment must be one"
    );
}

/// The database is whole, and each call has its texts.
fn whole(gatehouse: &Gatehouse) {
    let db = rusqlite::Connection::open(gatehouse.file("gatehouse.db")).expect("the database opens");
    let check: String = db
        .query_row("PRAGMA integrity_check", [], |row| row.get(0))
        .expect("it is read");
    assert_eq!(check, "ok", "the database is whole");
    let halves: i64 = db
        .query_row(
            "SELECT (SELECT count(*) FROM history WHERE seq NOT IN (SELECT seq FROM history_texts))
                  + (SELECT count(*) FROM history_texts WHERE seq NOT IN (SELECT seq FROM history))",
            [],
            |row| row.get(0),
        )
        .expect("it is read");
    assert_eq!(halves, 0, "no call is half a call");
}

/// A server that asks for a name and a folder, and forgets what it asked as often as it is told to.
fn forgetful(times: u64) -> Script {
    let ask = || {
        act::ask(
            json!({"name": ask_form(), "folders": {"method": "roots/list"}}),
            Some("s1"),
        )
    };
    Script::modern()
        .tool("t")
        .rule(Rule::on("tools/call").fresh().does([ask()]))
        .rule(
            Rule::on("tools/call")
                .answered()
                .to(times)
                .does([act::error(-32602, "unknown requestState")]),
        )
        .rule(Rule::on("tools/call").answered().does([act::text("welcome")]))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_its_server_forgot_is_started_again_with_what_was_entered() {
    let fake = FakeServer::new(&forgetful(2));
    let home = Home::with(&fake).await;
    let host = home.host().clone();
    let sheet = |choice: RootsChoice, question: &gatehouse_host::view::QuestionView, name: &str| {
        gatehouse_host::view::AnswerInput::Sheet {
            parts: vec![
                roots(choice, &ready(question)),
                form(FormAction::Accept, Some(&format!(r#"{{"name":"{name}"}}"#))),
            ],
        }
    };
    let draft = |body: &QuestionBody| match body {
        QuestionBody::Form { draft, .. } => draft.clone(),
        QuestionBody::Sheet { parts } => parts.iter().find_map(|part| match part {
            QuestionBody::Form { draft, .. } => draft.clone(),
            _ => None,
        }),
        _ => None,
    };
    let first = host
        .start_call(tool_call("s", "t", r#"{"n":1.50}"#))
        .expect("it starts");
    let question = home.until_open(1).await.remove(0);
    assert_eq!(draft(&question.body), None, "nothing was entered before");
    host.answer(question.id, &sheet(RootsChoice::ShareOnce, &question, "Ada"))
        .expect("it is open");
    let error = host.call_end(first).await.expect_err("the server forgot it");
    assert_eq!(error.code, Code::Forgot, "{error:?}");

    // Shared once: asked again. The form is filled in, and nothing leaves before it is sent.
    let second = host.start_again(first).expect("it can be started again");
    let question = home.until_open(1).await.remove(0);
    assert_eq!(
        draft(&question.body).as_deref(),
        Some(r#"{"name":"Ada"}"#),
        "what was entered is there again"
    );
    assert!(
        matches!(&question.body, QuestionBody::Sheet { parts } if parts.len() == 2),
        "folders that were shared once are a question again: {:?}",
        question.body
    );
    let calls = fake.log().received_method("tools/call");
    assert_eq!(calls.len(), 3, "only the call itself was sent again");
    assert!(
        calls[2].raw.contains(r#"{"n":1.50}"#) && !calls[2].raw.contains("Ada"),
        "without an answer in it"
    );
    host.answer(question.id, &sheet(RootsChoice::ShareAlways, &question, "Ada"))
        .expect("it is open");
    host.call_end(second).await.expect_err("it forgot again");

    // The folders go by the decision that was remembered; the form is a question all the same.
    let third = host.start_again(second).expect("it can be started again");
    let question = home.until_open(1).await.remove(0);
    assert!(
        matches!(&question.body, QuestionBody::Form { .. }),
        "the remembered decision stands, the form is looked at: {:?}",
        question.body
    );
    assert_eq!(draft(&question.body).as_deref(), Some(r#"{"name":"Ada"}"#));
    host.answer(question.id, &form(FormAction::Accept, Some(r#"{"name":"Grace"}"#)))
        .expect("it is open");
    let end = host.call_end(third).await.expect("it ends with a result");
    assert!(matches!(&*end, CallEnd::Completed { .. }), "{end:?}");
    let last = fake.log().received_method("tools/call").pop().expect("it left");
    assert!(
        last.raw.contains("Grace") && last.raw.contains("/app"),
        "with the changed name, and the folder"
    );
    assert!(
        host.start_again(third).is_err(),
        "a call that ended well is not started again by this"
    );
    home.end(&[(&fake, Modern)]).await;
}
