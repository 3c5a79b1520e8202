//! What is left when the command dies of `kill -9`: no process of a server, a whole database, no half record, and at the next
//! start a row that says which call was cut off. And what an orderly end leaves: no such row.
#![cfg(target_os = "linux")]

use std::time::Duration;

use gatehouse_tests::command::{Done, Gatehouse};
use gatehouse_tests::fake::FakeServer;
use gatehouse_tests::home::Home;
use gatehouse_tests::processes::Marked;
use gatehouse_tests::real::Launch;
use gatehouse_tests::script::{Action, Rule, Script, act};
use serde_json::{Value, json};

const GONE: Duration = Duration::from_secs(10);

/// A tool that asks for roots and answers, one that asks and then never answers, and one that never answers.
fn script() -> Script {
    let ask = || act::ask(json!({ "k": { "method": "roots/list" } }), Some("s"));
    Script::modern()
        .asks_roots("t", None)
        .tool("hangs")
        .tool("slow")
        .rule(Rule::on("tools/call").name("hangs").unanswered().does([ask()]))
        .rule(Rule::on("tools/call").name("hangs").answered().does([]))
        .rule(Rule::on("tools/call").name("slow").does([]))
}

/// Every way in which a server may be started and may cling to life.
fn clinging() -> Vec<(&'static str, FakeServer, Launch, Marked)> {
    let plain = FakeServer::new(&script());
    let stubborn = FakeServer::new(&script().ignore_term().at_eof([Action::Hang]));
    let parent = FakeServer::new(&script().at_start([Action::Grandchild(300)]));
    let wrapped = FakeServer::new(
        &script()
            .at_start([Action::Grandchild(300)])
            .ignore_term()
            .at_eof([Action::Hang]),
    );
    let quoted = |launch: &Launch| {
        let words = std::iter::once(&launch.command)
            .chain(&launch.args)
            .map(|word| format!("'{word}'"));
        format!("{}; exit $?", words.collect::<Vec<_>>().join(" "))
    };
    let shell = Launch::new("sh").args(["-c".to_owned(), quoted(&wrapped.launch())]);
    let launches = [plain.launch(), stubborn.launch(), parent.launch(), shell];
    let names = [
        "plain",
        "ignoring every hint",
        "with a child",
        "in a shell, with a child, ignoring every hint",
    ];
    let servers = [plain, stubborn, parent, wrapped];
    let all = names.into_iter().zip(servers).zip(launches);
    all.map(|((name, fake), launch)| {
        let mark = Marked::new();
        let launch = mark.on(launch);
        (name, fake, launch, mark)
    })
    .collect()
}

/// The database as it lies there: whole, and with these counts of rows.
fn database(gatehouse: &Gatehouse) -> rusqlite::Connection {
    let db = rusqlite::Connection::open(gatehouse.file("gatehouse.db")).expect("the database opens");
    let whole: String = db
        .query_row("PRAGMA integrity_check", [], |row| row.get(0))
        .expect("it can be checked");
    assert_eq!(whole, "ok", "the database is whole");
    db
}

fn count(db: &rusqlite::Connection, sql: &str) -> i64 {
    db.query_row(sql, [], |row| row.get(0)).expect("the table is there")
}

/// The rows of calls that were cut off.
fn abandoned(gatehouse: &Gatehouse) -> Vec<Value> {
    gatehouse
        .record()
        .into_iter()
        .filter(|row| row["outcome"] == "abandoned")
        .collect()
}

#[test]
fn killed_while_a_question_is_open() {
    for (name, fake, launch, mark) in clinging() {
        let gatehouse = Gatehouse::with(&launch);
        let mut terminal = gatehouse.at_terminal(["call", "s", "t"]);
        terminal.expect("Share which?");
        // The call is noted when it waits for a person; the note is written beside.
        std::thread::sleep(Duration::from_millis(300));
        assert!(!mark.living().is_empty(), "{name}: the server runs");
        terminal.kill();
        assert_eq!(terminal.end().code, 128 + 9, "{name}: it was killed");
        mark.wait_gone(GONE);
        assert_eq!(
            fake.log().received_method("tools/call").len(),
            1,
            "{name}: nothing was sent"
        );
        assert_eq!(
            count(&database(&gatehouse), "SELECT count(*) FROM record"),
            0,
            "{name}: nothing is recorded as sent"
        );
        let rows = abandoned(&gatehouse);
        assert_eq!(rows.len(), 1, "{name}: the next start says so: {rows:#?}");
        assert_eq!(
            (&rows[0]["occasion"], &rows[0]["server"]),
            (&json!("tools/call t"), &json!("s")),
            "{name}: which call it was"
        );
        assert!(rows[0]["sent"].is_null(), "{name}: and that nothing left");
        assert_eq!(abandoned(&gatehouse).len(), 1, "{name}: once");
    }
}

#[test]
fn killed_during_a_call() {
    for (name, fake, launch, mark) in clinging() {
        let gatehouse = Gatehouse::with(&launch);
        let mut command = gatehouse.command(["call", "s", "slow"]);
        let mut child = command.spawn().expect("it starts");
        fake.wait_for("tools/call", 1, Duration::from_secs(30));
        std::thread::sleep(Duration::from_millis(400));
        assert!(!mark.living().is_empty(), "{name}: the server runs");
        child.kill().expect("it runs");
        child.wait().expect("it is ours");
        mark.wait_gone(GONE);
        database(&gatehouse);
        let rows = abandoned(&gatehouse);
        assert_eq!(rows.len(), 1, "{name}: the next start says so: {rows:#?}");
        assert_eq!(
            rows[0]["occasion"],
            json!("tools/call slow"),
            "{name}: which call it was"
        );
        assert_eq!(
            count(&database(&gatehouse), "SELECT count(*) FROM calls"),
            0,
            "{name}: and has put it away"
        );
    }
}

#[test]
fn what_was_granted_for_the_session_dies_with_it() {
    let fake = FakeServer::new(&script());
    let gatehouse = Gatehouse::with(&fake.launch());
    let mut command = gatehouse.command(["call", "s", "hangs", "--share", "all", "--remember", "session"]);
    let mut child = command.spawn().expect("it starts");
    fake.wait_for("tools/call", 2, Duration::from_secs(30));
    std::thread::sleep(Duration::from_millis(300));
    child.kill().expect("it runs");
    child.wait().expect("it is ours");
    let db = database(&gatehouse);
    assert_eq!(count(&db, "SELECT count(*) FROM grants"), 1, "it was given");
    drop(db);
    let rows = gatehouse.record();
    let outcomes: Vec<&str> = rows.iter().filter_map(|row| row["outcome"].as_str()).collect();
    assert_eq!(
        outcomes,
        ["shared", "abandoned"],
        "what left is in the record, and that the call was cut off"
    );
    let (_, grants) = gatehouse.json(["grants", "list"]);
    assert_eq!(grants, json!({ "grants": [] }), "it counts no more");
    assert_eq!(
        count(&database(&gatehouse), "SELECT count(*) FROM grants"),
        0,
        "and is gone"
    );
    assert_eq!(
        gatehouse.run(["call", "s", "t"]).code,
        3,
        "so the next request is a question"
    );
}

#[test]
fn no_moment_to_be_killed_in_loses_a_row() {
    let fake = FakeServer::new(&script());
    let gatehouse = Gatehouse::with(&fake.launch());
    for step in 0..30 {
        let mut command = gatehouse.command(["call", "s", "t", "--share", "all"]);
        let mut child = command.stdout(std::process::Stdio::null()).spawn().expect("it starts");
        std::thread::sleep(Duration::from_millis(10 + step * 2));
        // It may have ended already, which is one of the moments.
        let _ = child.kill();
        child.wait().expect("it is ours");
        let left = fake
            .log()
            .received_method("tools/call")
            .iter()
            .filter(|call| call.raw.contains("file://"))
            .count();
        let rows = count(
            &database(&gatehouse),
            "SELECT count(*) FROM record WHERE outcome = '\"shared\"'",
        );
        assert!(
            rows >= i64::try_from(left).expect("few"),
            "step {step}: {left} answers left, {rows} are in the record"
        );
        let halves = count(
            &database(&gatehouse),
            "SELECT count(*) FROM record WHERE outcome = '\"shared\"' AND (sent IS NULL OR folders = '[]')",
        );
        assert_eq!(halves, 0, "step {step}: no row is half a row");
    }
    gatehouse.ok(["call", "s", "t", "--share", "all"]);
}

#[test]
fn an_orderly_end_of_the_command_leaves_no_abandoned_call() {
    let fake = FakeServer::new(&script());
    let gatehouse = Gatehouse::with(&fake.launch());
    let ends = |args: &[&str], code: i32| {
        let done: Done = gatehouse.run(args);
        assert_eq!(done.code, code, "{args:?}: {done:#?}");
    };
    ends(&["call", "s", "t"], 3);
    ends(&["call", "s", "slow", "--timeout", "0.5"], 5);
    for (signal, calls) in [("-INT", 3), ("-TERM", 4), ("-HUP", 5)] {
        let mut child = gatehouse.command(["call", "s", "slow"]).spawn().expect("it starts");
        fake.wait_for("tools/call", calls, Duration::from_secs(30));
        std::thread::sleep(Duration::from_millis(400));
        let sent = std::process::Command::new("kill")
            .args([signal, &child.id().to_string()])
            .status()
            .expect("kill is there");
        assert!(sent.success(), "{signal} was sent");
        assert_eq!(
            child.wait().expect("it is ours").code(),
            Some(130),
            "{signal} is an orderly end"
        );
        let left = count(&database(&gatehouse), "SELECT count(*) FROM calls");
        assert_eq!(left, 0, "after {signal} no call is noted as under way");
    }
    assert_eq!(abandoned(&gatehouse), Vec::<Value>::new(), "none of these was cut off");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_orderly_quit_of_the_host_leaves_no_abandoned_call() {
    let fake = FakeServer::new(&script());
    let home = Home::with(&fake).await;
    let (waits, runs) = (home.begin("s", "t", "{}"), home.begin("s", "slow", "{}"));
    home.until_open(1).await;
    tokio::time::sleep(Duration::from_millis(400)).await;
    let home = home.restart().await;
    assert!(
        waits
            .await
            .expect("it ends")
            .is_ok_and(|end| format!("{end:?}").contains("Declined")),
        "the question ended as a no"
    );
    assert!(runs.await.expect("it ends").is_err(), "the other call ended too");
    let rows = home.record().await;
    assert!(
        rows.iter().all(|row| format!("{:?}", row.outcome) != "Abandoned"),
        "no call was cut off: {rows:#?}"
    );
    home.quit().await;
}
