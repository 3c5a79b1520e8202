//! The command at a terminal: what stands there is what is decided about, only a clear yes is a yes, and nothing of a server's
//! can command the screen.

use std::time::Duration;

use gatehouse_tests::command::{Done, Gatehouse};
use gatehouse_tests::fake::{FakeServer, wait_gone};
use gatehouse_tests::real::Launch;
use gatehouse_tests::script::{Rule, Script, act};
use serde_json::{Value, json};

use super::{asks, check, demo};

const WHICH: &str = "Share which?";
const HOW: &str = "Share [o]nce";

/// What a person who types these lines, one a prompt, gets out of a call.
pub(super) fn dialogue(gatehouse: &Gatehouse, args: &[&str], lines: &[(&str, &str)]) -> Done {
    let mut terminal = gatehouse.at_terminal(args);
    for (prompt, line) in lines {
        terminal.expect(prompt);
        // The flush of early keys stands before the prompt; a person is never this fast.
        std::thread::sleep(Duration::from_millis(30));
        terminal.types(line);
    }
    terminal.end()
}

fn told(fake: &FakeServer) -> Vec<String> {
    let calls = fake.log().received_method("tools/call");
    let answers = calls
        .iter()
        .filter_map(|call| call.params()["inputResponses"].as_object());
    let roots = answers.flat_map(|answers| answers.values().flat_map(|answer| answer["roots"].as_array().cloned()));
    roots
        .map(|roots| {
            roots
                .iter()
                .filter_map(|root| root["name"].as_str())
                .collect::<Vec<_>>()
                .join(",")
        })
        .collect()
}

#[test]
fn a_person_picks_sees_and_shares() {
    let fake = asks();
    let gatehouse = Gatehouse::with(&fake.launch());
    gatehouse.share_folder("docs");
    let done = dialogue(&gatehouse, &["call", "s", "t"], &[(WHICH, "2\n"), (HOW, "o\n")]);
    assert_eq!(
        (done.code, done.stdout.as_str()),
        (0, "done\n"),
        "the result stands alone: {done:#?}"
    );
    let screen = &done.stderr;
    for part in [
        "“s” asks which folders it may know",
        "fake-server",
        "it has not asked before",
        "tools/call t {} (round 1)",
        "do not stop it from reading elsewhere",
        "Exactly this will be sent",
        "/docs\"",
    ] {
        assert!(screen.contains(part), "“{part}” stands on the screen:\n{screen}");
    }
    let done = dialogue(&gatehouse, &["call", "s", "t"], &[(WHICH, "1, 2\n"), (HOW, "once\n")]);
    assert!(
        done.stderr.contains("it asked before, and what it runs is unchanged"),
        "it is known now: {done:#?}"
    );
    let done = dialogue(&gatehouse, &["call", "s", "t"], &[(WHICH, "none\n")]);
    assert_eq!(done.code, 0, "an empty list is an answer: {done:#?}");
    assert_eq!(
        told(&fake),
        ["docs", "app,docs", ""],
        "what was picked left, and nothing else"
    );
}

#[test]
fn anything_but_a_clear_yes_is_no() {
    let fake = asks();
    let gatehouse = Gatehouse::with(&fake.launch());
    for lines in [
        &[(WHICH, "\n")][..],
        &[(WHICH, "y\n")],
        &[(WHICH, "2\n")],
        &[(WHICH, "0\n")],
        &[(WHICH, "1 x\n")],
        &[(WHICH, "\u{4}")],
        &[(WHICH, "1\n"), (HOW, "\n")],
        &[(WHICH, "all\n"), (HOW, "yes\n")],
    ] {
        let done = dialogue(&gatehouse, &["call", "s", "t"], lines);
        assert_eq!(done.code, 3, "{lines:?} is a no: {done:#?}");
    }
    assert_eq!(told(&fake), [""; 0], "nothing left");
    assert_eq!(fake.log().received_method("tools/call").len(), 8, "no call went on");
}

#[test]
fn keys_typed_before_the_question_are_thrown_away() {
    let ask = json!({ "k": { "method": "roots/list" } });
    let fake = FakeServer::new(
        &Script::modern()
            .tool("late")
            .rule(
                Rule::on("tools/call")
                    .unanswered()
                    .does([act::wait(1000), act::ask(ask, None)]),
            )
            .rule(Rule::on("tools/call").answered().does([act::text("done")])),
    );
    let gatehouse = Gatehouse::with(&fake.launch());
    let mut terminal = gatehouse.at_terminal(["call", "s", "late"]);
    fake.wait_for("tools/call", 1, Duration::from_secs(30));
    terminal.types("all\no\n");
    terminal.expect(WHICH);
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(told(&fake), [""; 0], "the early keys answered nothing");
    // In one go: the second line comes before the second question stands there.
    terminal.types("all\no\n");
    terminal.expect(HOW);
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(told(&fake), [""; 0], "nor did those of the line before");
    terminal.types("\n");
    assert_eq!(terminal.end().code, 3, "Enter refuses");
}

#[test]
fn what_is_remembered_at_the_terminal_counts_without_one() {
    let fake = asks();
    let gatehouse = Gatehouse::with(&fake.launch());
    assert_eq!(
        dialogue(&gatehouse, &["call", "s", "t"], &[(WHICH, "all\n"), (HOW, "a\n")]).code,
        0,
        "always"
    );
    check(&gatehouse, &["call", "s", "t"], 0, "done");
    let other = asks();
    gatehouse.add("n", &other.launch());
    assert_eq!(
        dialogue(&gatehouse, &["call", "n", "t"], &[(WHICH, "never\n")]).code,
        3,
        "never"
    );
    check(&gatehouse, &["call", "n", "t"], 3, "never to share");
    check(&gatehouse, &["call", "n", "t", "--share", "all"], 3, "never to share");
    assert_eq!(told(&other), [""; 0], "a flag does not undo it");
}

#[test]
fn a_server_cannot_command_the_screen() {
    let nasty = "\u{1b}[2J\u{1b}]0;owned\u{7}\u{202e}evil\r\u{9b}31m";
    let form = json!({ "f": { "method": "elicitation/create", "params": {
        "mode": "form",
        "message": format!("message {nasty}"),
        "requestedSchema": { "type": "object", "required": ["a"], "properties": {
            "a": { "type": "string", "title": format!("title {nasty}"), "description": format!("description {nasty}"), "default": format!("default {nasty}") },
            (format!("key {nasty}")): { "type": "string", "enum": ["v"], "enumNames": [format!("option {nasty}")] },
        } },
    } } });
    let fake = FakeServer::new(
        &Script::modern()
            .tool("t")
            .tool_json(json!({ "name": format!("tool {nasty}"), "description": nasty, "title": nasty, "inputSchema": { "type": "object" } }))
            .rule(Rule::on("tools/call").unanswered().does([act::stderr(nasty), act::ask(form, None)]))
            .rule(Rule::on("tools/call").answered().does([act::text(&format!("result {nasty}"))])),
    );
    let gatehouse = Gatehouse::with(&fake.launch());
    gatehouse.share_folder(&format!("folder {nasty}"));
    let harmless = |text: &str, what: &str| {
        let bad =
            |c: char| (c.is_control() && !matches!(c, '\n' | '\r' | '\t')) || ('\u{202a}'..='\u{202e}').contains(&c);
        assert!(
            !text.contains(bad),
            "{what} holds nothing that commands a terminal: {text:?}"
        );
        assert!(text.contains("U+202E"), "{what} shows what was there: {text:?}");
    };
    let done = dialogue(
        &gatehouse,
        &["call", "s", "t"],
        &[("Enter for", "\n"), ("key", "1\n"), ("[s]end", "s\n")],
    );
    assert_eq!(done.code, 0, "the form was sent: {done:#?}");
    harmless(&done.stderr, "the dialogue");
    harmless(&done.stdout, "the result");
    for args in [&["tools", "s"][..], &["folders", "list"]] {
        harmless(&gatehouse.ok(args).stdout, &format!("{args:?}"));
    }
    harmless(&gatehouse.run(["call", "s", "t"]).stderr, "the refusal");
}

#[test]
fn a_server_written_by_hand_is_shown_before_it_starts() {
    let fake = asks();
    let gatehouse = Gatehouse::new();
    std::fs::create_dir(gatehouse.home()).unwrap();
    let launch = fake
        .launch()
        .env("SECRET", "value")
        .args(["two words", "\u{1b}[8mhidden"]);
    let servers = json!({ "mcpServers": { "by-hand": launch.entry() } });
    std::fs::write(gatehouse.file("servers.json"), servers.to_string()).unwrap();
    const START: &str = "Start it, and remember that it may? [y/N]";
    let done = dialogue(&gatehouse, &["tools", "by-hand"], &[(START, "\n")]);
    assert_eq!(done.code, 3, "the default is no: {done:#?}");
    for part in [
        "“by-hand” has not been allowed to start",
        "'two words'",
        "␛[8mhidden",
        "SECRET=value",
        "an empty folder",
    ] {
        assert!(done.stderr.contains(part), "“{part}” stands on the screen: {done:#?}");
    }
    assert!(fake.log().pids().is_empty(), "it was not started");
    let done = dialogue(&gatehouse, &["tools", "by-hand"], &[(START, "y\n")]);
    assert_eq!(
        (done.code, done.stdout.contains('t')),
        (0, true),
        "a yes starts it: {done:#?}"
    );
    check(&gatehouse, &["tools", "by-hand"], 0, "t");
}

#[test]
fn a_form_is_filled_field_by_field() {
    let gatehouse = Gatehouse::with(&demo());
    let filled = [
        ("(text", "Ada\n"),
        ("number", "2\n"),
        ("whole number", "2\n"),
        ("y or n", "n\n"),
    ];
    let greet = |end: &'static str| {
        let lines: Vec<_> = filled.iter().copied().chain([("[s]end", end)]).collect();
        dialogue(&gatehouse, &["call", "s", "greet"], &lines)
    };
    let done = greet("s\n");
    assert!(
        done.stdout.contains("name \"Ada\", style loud, times 2, polite false"),
        "it was sent as typed: {done:#?}"
    );
    assert!(done.stderr.contains(r#""name":"Ada""#), "and shown before: {done:#?}");
    let done = greet("d\n");
    assert_eq!(
        (done.code, done.stdout.contains("You said no")),
        (0, true),
        "declined: {done:#?}"
    );
    let done = greet("\n");
    assert_eq!(
        (done.code, done.stdout.contains("You closed")),
        (0, true),
        "cancelled: {done:#?}"
    );
}

#[test]
fn json_at_a_terminal_is_one_document_beside_the_dialogue() {
    let fake = asks();
    let gatehouse = Gatehouse::with(&fake.launch());
    let done = dialogue(
        &gatehouse,
        &["call", "s", "t", "--json"],
        &[(WHICH, "all\n"), (HOW, "o\n")],
    );
    let document: Value = serde_json::from_str(&done.stdout).unwrap_or_else(|error| panic!("{error}: {done:#?}"));
    assert_eq!(document["end"], json!("completed"), "the result");
    assert_eq!(document["rounds"], json!(2), "of two rounds");
}

#[test]
fn an_interrupt_ends_the_command_and_the_server() {
    let fake = FakeServer::new(
        &Script::modern()
            .asks_roots("t", None)
            .tool("slow")
            .rule(Rule::on("tools/call").name("slow").does([])),
    );
    let gatehouse = Gatehouse::with(&fake.launch());
    for (tool, waits) in [("t", WHICH), ("slow", "")] {
        let began = fake.log().received_method("tools/call").len();
        let mut terminal = gatehouse.at_terminal(["call", "s", tool]);
        fake.wait_for("tools/call", began + 1, Duration::from_secs(30));
        terminal.expect(waits);
        terminal.types("\u{3}");
        let done = terminal.end();
        assert_eq!(done.code, 130, "{tool}: the interrupt is its end: {done:#?}");
        wait_gone(&fake.log().pids(), Duration::from_secs(5));
    }
    assert_eq!(told(&fake), [""; 0], "nothing left");
}

#[test]
fn the_demo_asks_where_somebody_is_there() {
    let gatehouse = Gatehouse::new();
    let done = dialogue(&gatehouse, &["demo"], &[(WHICH, "all\n"), (HOW, "o\n")]);
    assert_eq!(
        (done.code, done.stderr.contains("The server answers: ")),
        (0, true),
        "shared: {done:#?}"
    );
    let done = dialogue(&gatehouse, &["demo"], &[(WHICH, "\n")]);
    assert_eq!(
        (done.code, done.stderr.contains("Nothing was sent")),
        (3, true),
        "refused: {done:#?}"
    );
    let files = Launch::new("ls")
        .std()
        .arg("-A")
        .arg(gatehouse.here())
        .output()
        .unwrap();
    assert_eq!(files.stdout, b"", "nothing of the person's was touched");
}
