//! The `gatehouse` command as a shell user and a script meet it: what it prints, what it writes, and how it ends. Nobody is
//! at a terminal here; that is `terminal`.
#![cfg(target_os = "linux")]

mod sampling;
mod shelves;
mod stores;
mod terminal;

use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use gatehouse_tests::bins;
use gatehouse_tests::command::{Done, Gatehouse, finish};
use gatehouse_tests::fake::FakeServer;
use gatehouse_tests::real::Launch;
use gatehouse_tests::script::{Action, Rule, Script, act};
use serde_json::json;

/// What the issue allows between the start of a command and its refusal.
const CLOSED: Duration = Duration::from_secs(2);

fn demo() -> Launch {
    Launch::new(bins::gatehouse()).args(["demo-server"])
}

fn asks() -> FakeServer {
    FakeServer::new(&Script::modern().asks_roots("t", Some("s1")))
}

/// A command, the exit code it must end with, and a word that stands on standard error (or anywhere, where it is done).
fn check(gatehouse: &Gatehouse, args: &[&str], code: i32, says: &str) -> Done {
    let done = gatehouse.run(args);
    assert_eq!(done.code, code, "{args:?} ends so: {done:#?}");
    let text = if code == 0 {
        format!("{}{}", done.stdout, done.stderr)
    } else {
        done.stderr.clone()
    };
    assert!(text.contains(says), "{args:?} says “{says}”: {done:#?}");
    done
}

// ---- Calls --------------------------------------------------------------------------------------------------------------

#[test]
fn lists_calls_prompts_and_resources() {
    let gatehouse = Gatehouse::with(&demo());
    for (args, says) in [
        (&["tools", "s"][..], "count_files"),
        (&["prompts", "s"], "describe_folders(tone?)"),
        (&["resources", "s"], "demo://folders"),
        (&["call", "s", "echo", "--args", r#"{"text":"hello"}"#], "hello"),
        (&["call", "s", "count_files", "--share", "all"], "app"),
        (
            &[
                "prompt",
                "s",
                "describe_folders",
                "--args",
                r#"{"tone":"dry"}"#,
                "--share",
                "all",
            ],
            "user: ",
        ),
        (&["read", "s", "demo://about"], "demo"),
        (&["read", "s", "demo://folders", "--share", "all"], "file:///"),
        (
            &["call", "s", "greet", "--answer", "name=Ada", "--answer", "times=2"],
            "Hello Ada.\nHello Ada.",
        ),
        (
            &["call", "s", "tidy_plan", "--share", "all", "--answer", "what=empty"],
            "empty folders",
        ),
        (
            &["call", "s", "two_rounds", "--share", "all", "--answer", "folder=app"],
            "\"app\" best",
        ),
    ] {
        check(&gatehouse, args, 0, says);
        let (done, document) = gatehouse.json(args);
        assert_eq!(
            (done.code, done.stderr.as_str()),
            (0, ""),
            "{args:?} as JSON: {done:#?}"
        );
        assert!(document.is_object(), "{args:?} is one object: {document}");
    }
}

#[test]
fn every_exit_code_has_its_cause() {
    let error =
        json!({ "resultType": "complete", "isError": true, "content": [{ "type": "text", "text": "it broke" }] });
    let fake = FakeServer::new(
        &Script::modern()
            .asks_roots("t", None)
            .tool("bad")
            .tool("dies")
            .tool("slow")
            .tool("garbage")
            .rule(Rule::on("tools/call").name("bad").does([act::result(error)]))
            .rule(
                Rule::on("tools/call")
                    .name("refuses")
                    .does([act::error(-32602, "no such \u{1b}[31mtool")]),
            )
            .rule(
                Rule::on("tools/call")
                    .name("dies")
                    .does([act::stderr("oh no"), Action::Exit(7)]),
            )
            .rule(Rule::on("tools/call").name("garbage").does([act::line(
                r#"{"jsonrpc":"2.0","id":$id,"result":{"resultType":"banana"}}"#,
            )]))
            .rule(Rule::on("tools/call").name("slow").does([])),
    );
    let gatehouse = Gatehouse::with(&fake.launch());
    gatehouse.add("absent", &Launch::new("/nowhere/prog"));
    gatehouse.add("unfound", &Launch::new("no-such-program-anywhere"));
    gatehouse.add(
        "falls",
        &Launch::new("sh").args(["-c", "echo broken pipe dreams >&2; exit 3"]),
    );
    for (args, code, says) in [
        (&["call", "s", "t", "--share", "all"][..], 0, "done"),
        (&["call", "s", "bad"], 1, ""),
        (&["call", "s", "refuses"], 1, "no such ␛[31mtool"),
        (&["call", "s", "garbage"], 1, "banana"),
        (&["call", "s", "t", "--args", "[]"], 2, "not a JSON object"),
        (&["call", "s", "t", "--args", "{"], 2, "not a JSON object"),
        (&["call", "s", "t", "--share", "/nowhere"], 2, "/nowhere"),
        (
            &["call", "s", "t", "--share", "all", "--share", "none"],
            2,
            "stand alone",
        ),
        (&["call", "s", "t", "--remember", "always"], 2, "--share"),
        (
            &["call", "s", "t", "--share", "none", "--remember", "always"],
            2,
            "can't be remembered",
        ),
        (&["call", "s", "t", "--timeout", "soon"], 2, "number of seconds"),
        (&["call", "s", "t", "--answer", "no-equals"], 2, "KEY=VALUE"),
        (&["prompt", "s", "p", "--args", r#"{"n":1}"#], 2, "must be a text"),
        (&["call", "nobody", "t"], 2, "there is no server nobody"),
        (&["grants", "revoke", "99"], 2, "99"),
        (&["record", "--since", "yesterday-ish"], 2, "--since"),
        (&["no-such-word"], 2, ""),
        (&[], 2, ""),
        (&["call", "s", "t"], 3, "server s asked for your folders"),
        (&["call", "absent", "t"], 4, "/nowhere/prog"),
        (&["call", "unfound", "t"], 4, "no-such-program-anywhere"),
        (&["call", "falls", "t"], 4, "server falls did not start"),
        (&["call", "s", "dies"], 4, "server s"),
        (&["call", "s", "slow", "--timeout", "0.3"], 5, "server s"),
    ] {
        let done = check(&gatehouse, args, code, says);
        assert!(!done.stderr.contains("panicked"), "{args:?} ends in order: {done:#?}");
        if !matches!(args, [] | ["no-such-word"]) && !done.stderr.contains("Usage:") && !done.stderr.contains("--help")
        {
            let (done, _) = gatehouse.json(args);
            assert_eq!(done.code, code, "{args:?} with --json ends the same: {done:#?}");
        }
    }
    check(&gatehouse, &["--help"], 0, "Exit codes: 0 done;");
    check(&gatehouse, &["--help"], 0, "130 ended by a signal");
    check(&gatehouse, &["--version"], 0, "gatehouse 0.");
}

#[test]
fn without_a_terminal_it_fails_closed() {
    let modern = asks();
    let legacy = FakeServer::new(&Script::legacy("2025-11-25").tool("t").on(
        "notifications/initialized",
        [act::request(json!(1), "roots/list", None)],
    ));
    for (fake, era) in [(&modern, "modern"), (&legacy, "legacy")] {
        let gatehouse = Gatehouse::with(&fake.launch());
        let done = check(
            &gatehouse,
            &["call", "s", "t"],
            3,
            "server s asked for your folders (roots/list)",
        );
        assert!(done.took < CLOSED, "{era}: within two seconds, not {:?}", done.took);
        for way in ["--share all", "--share none", "--share PATH", "--remember always"] {
            assert!(
                done.stderr.contains(way),
                "{era}: it says that {way} would allow it: {done:#?}"
            );
        }
        assert_eq!(done.stdout, "", "{era}: there is no result");
        let (done, document) = gatehouse.json(["call", "s", "t"]);
        assert_eq!(
            (done.code, &document["end"]),
            (3, &json!("declined")),
            "{era}: one document says so"
        );
        assert!(document["message"].is_string(), "{era}: with its reason: {document}");
        assert!(done.took < CLOSED, "{era}: as fast, not {:?}", done.took);
        assert!(
            !String::from_utf8_lossy(&fake.log().received_bytes()).contains("file://"),
            "{era}: no folder left"
        );
        let rows = gatehouse.record();
        assert_eq!(rows.len(), 2, "{era}: both refusals stand in the record: {rows:#?}");
        assert!(
            rows.iter()
                .all(|row| row["outcome"] == "refused" && row["sent"].is_null()),
            "{era}: as such: {rows:#?}"
        );
    }
    assert_eq!(
        modern.log().received_method("tools/call").len(),
        2,
        "each call ended after its first frame"
    );
}

#[test]
fn a_list_needs_no_folders() {
    let fake = FakeServer::new(
        &Script::legacy("2025-11-25")
            .tool("t")
            .on(
                "notifications/initialized",
                [act::request(json!(1), "roots/list", None)],
            )
            .rule(Rule::on("tools/list").does([
                act::await_response("1", 5000),
                act::result(json!({ "tools": [{ "name": "late", "inputSchema": { "type": "object" } }] })),
            ])),
    );
    let gatehouse = Gatehouse::with(&fake.launch());
    let done = check(&gatehouse, &["tools", "s"], 0, "late");
    assert!(
        done.stderr.contains("server s asked for your folders"),
        "what it asked for is said: {done:#?}"
    );
    let answer = fake
        .log()
        .received()
        .into_iter()
        .find(|frame| frame.is_response())
        .unwrap();
    assert!(
        answer.json["error"].is_object(),
        "silence was its answer: {}",
        answer.raw
    );
}

// ---- Answers ------------------------------------------------------------------------------------------------------------

#[test]
fn shared_is_what_the_flags_say() {
    let fake = asks();
    let gatehouse = Gatehouse::with(&fake.launch());
    let (app, docs) = (
        gatehouse.folder("app").display().to_string(),
        gatehouse.share_folder("docs").display().to_string(),
    );
    gatehouse.share_folder("more");
    let told = |flags: &[&str]| {
        gatehouse.ok([&["call", "s", "t"], flags].concat());
        let retry = fake.log().received_method("tools/call").pop().unwrap();
        let answers = retry.params()["inputResponses"]
            .as_object()
            .unwrap()
            .values()
            .next()
            .unwrap()
            .clone();
        answers["roots"]
            .as_array()
            .unwrap()
            .iter()
            .map(|root| root["name"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(told(&["--share", "all"]), ["app", "docs", "more"]);
    assert_eq!(told(&["--share", "none"]), [""; 0]);
    assert_eq!(told(&["--share", &docs]), ["docs"]);
    assert_eq!(
        told(&["--share", &docs, "--share", "folders/app/"]),
        ["app", "docs"],
        "in the list's order, and from here"
    );
    std::fs::remove_dir(&app).unwrap();
    assert_eq!(told(&["--share", "all"]), ["docs", "more"], "what is missing stays");
    check(&gatehouse, &["call", "s", "t", "--share", &app], 2, "it is missing");
}

#[test]
fn a_remembered_answer_needs_no_flags() {
    let fake = asks();
    let gatehouse = Gatehouse::with(&fake.launch());
    let docs = gatehouse.share_folder("docs").display().to_string();
    gatehouse.ok(["call", "s", "t", "--share", &docs, "--remember", "session"]);
    check(&gatehouse, &["call", "s", "t"], 3, "");
    check(&gatehouse, &["grants", "list"], 0, "No remembered decisions");
    gatehouse.ok(["call", "s", "t", "--share", &docs, "--remember", "always"]);
    let done = check(&gatehouse, &["call", "s", "t"], 0, "done");
    assert_eq!(done.stderr, "", "no question came up");
    let retry = fake.log().received_method("tools/call").pop().unwrap();
    assert!(
        retry.raw.contains("/docs") && !retry.raw.contains("/app"),
        "the same folder left: {}",
        retry.raw
    );
    let (_, grants) = gatehouse.json(["grants", "list"]);
    let grants = grants["grants"].as_array().unwrap().clone();
    assert_eq!(grants.len(), 2, "one folder allowed, the other not: {grants:#?}");
    check(&gatehouse, &["grants", "list"], 0, "don't share");
    let rows = gatehouse.record();
    assert_eq!(
        rows.last().unwrap()["decidedBy"]["by"],
        json!("grants"),
        "the record says who decided"
    );
    for grant in &grants {
        let (_, revoked) = gatehouse.json(["grants", "revoke", &grant["id"].to_string()]);
        assert_eq!(revoked["revoked"], grant["id"], "it says what was revoked");
    }
    check(&gatehouse, &["call", "s", "t"], 3, "server s");
    check(&gatehouse, &["record"], 0, "decision");
    let (_, none) = gatehouse.json(["record", "--since", "2099-01-01"]);
    assert_eq!(none, json!({ "record": [] }), "nothing from the future");
    let (_, all) = gatehouse.json(["record", "--since", "1h"]);
    assert_eq!(
        all["record"].as_array().unwrap().len(),
        5,
        "all of the last hour: {all:#}"
    );
}

#[test]
fn forms_are_filled_by_flags_or_not_at_all() {
    let gatehouse = Gatehouse::with(&demo());
    let done = check(&gatehouse, &["call", "s", "greet"], 3, "server s asked for a form");
    assert!(
        done.stderr.contains("--answer name=JSON") && done.took < CLOSED,
        "it says what would fill it: {done:#?}"
    );
    check(
        &gatehouse,
        &["call", "s", "greet", "--answer", "nmae=Ada"],
        3,
        "--answer name=JSON",
    );
    check(
        &gatehouse,
        &["call", "s", "greet", "--answer", "name=Ada", "--answer", "times=many"],
        3,
        "can't be given",
    );
    check(
        &gatehouse,
        &[
            "call",
            "s",
            "greet",
            "--answer",
            "name=\"true\"",
            "--answer",
            "polite=false",
        ],
        0,
        "name \"true\"",
    );
    check(
        &gatehouse,
        &["call", "s", "tidy_plan", "--answer", "what=old"],
        3,
        "asked for your folders",
    );
    let rows = gatehouse.record();
    assert_eq!(
        rows.iter().filter(|row| row["outcome"] == "formSent").count(),
        1,
        "one form left: {rows:#?}"
    );
}

/// A server whose tool `t` asks this once, and then says which answer it got.
fn asks_for(asked: serde_json::Value) -> FakeServer {
    FakeServer::new(
        &Script::modern()
            .tool("t")
            .rule(
                Rule::on("tools/call")
                    .unanswered()
                    .does([act::ask(json!({ "q": asked }), Some("s"))]),
            )
            .rule(Rule::on("tools/call").answered().does([act::text("went on")])),
    )
}

#[test]
fn pages_are_said_yes_to_by_their_host_or_not_at_all() {
    let page = |url: &str| {
        asks_for(json!({"method": "elicitation/create", "params":
            {"mode": "url", "message": "Sign in", "url": url, "elicitationId": "1"}}))
    };
    let tell = |url: &str, flags: &[&str], code: i32, says: &str, sent: Option<&str>| {
        let fake = page(url);
        let gatehouse = Gatehouse::with(&fake.launch());
        let done = check(&gatehouse, &[&["call", "s", "t"], flags].concat(), code, says);
        let calls = fake.log().received_method("tools/call");
        let answer = calls
            .get(1)
            .map(|call| call.params()["inputResponses"]["q"]["action"].clone());
        assert_eq!(answer, sent.map(|sent| json!(sent)), "{url} {flags:?}: {done:#?}");
        done
    };
    let url = "https://example.com/in?a=1";
    let done = tell(url, &[], 3, "--page example.com", None);
    assert!(
        done.took < CLOSED && done.stderr.contains(url) && done.stderr.contains("Nothing was sent"),
        "it says at once which page, and what would allow it: {done:#?}"
    );
    tell(
        url,
        &["--page", "example.com"],
        0,
        "https://example.com/in?a=1",
        Some("accept"),
    );
    tell(url, &["--page", "https://example.com"], 0, "went on", Some("accept"));
    tell(
        url,
        &["--page", "example.org", "--page", "example.com"],
        0,
        "went on",
        Some("accept"),
    );
    tell(url, &["--page", "example.org"], 3, "--page example.com", None);
    tell(url, &["--page", "http://example.com"], 3, "--page example.com", None);
    tell(
        url,
        &["--page", "example.org", "--decline"],
        0,
        "went on",
        Some("decline"),
    );
    tell(
        "https://example.com@evil.example/",
        &["--page", "example.com"],
        3,
        "--page evil.example",
        None,
    );
    tell(
        "http://localhost:3000/x",
        &["--page", "localhost:3000"],
        3,
        "--page http://localhost:3000",
        None,
    );
    tell(
        "http://localhost:3000/x",
        &["--page", "http://localhost:3000"],
        0,
        "went on",
        Some("accept"),
    );
    tell(
        "javascript:alert(1)",
        &["--page", "example.com"],
        3,
        "--decline says no",
        None,
    );
    tell("javascript:alert(1)", &["--decline"], 0, "went on", Some("decline"));
    tell(url, &["--page", "example.com/in"], 2, "is more than a host", None);
    tell(url, &["--page", "file:///etc/passwd"], 2, "only http and https", None);
}

#[test]
fn forms_are_confirmed_and_declined_by_flags() {
    let form = |schema: serde_json::Value| {
        asks_for(json!({"method": "elicitation/create", "params": {"message": "m", "requestedSchema": schema}}))
    };
    let empty = json!({"type": "object", "properties": {}});
    let name = json!({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]});
    let defaults = json!({"type": "object", "required": ["n", "s"], "properties":
        {"n": {"type": "number", "default": 95.5}, "s": {"type": "string", "default": "x"}, "o": {"type": "boolean"}}});
    let tell = |schema: &serde_json::Value, flags: &[&str], code: i32, says: &str, sent: Option<serde_json::Value>| {
        let fake = form(schema.clone());
        let gatehouse = Gatehouse::with(&fake.launch());
        check(&gatehouse, &[&["call", "s", "t"], flags].concat(), code, says);
        let calls = fake.log().received_method("tools/call");
        let answer = calls.get(1).map(|call| call.params()["inputResponses"]["q"].clone());
        assert_eq!(answer, sent, "{schema} {flags:?}");
    };
    let accept = |content: serde_json::Value| Some(json!({"action": "accept", "content": content}));
    let decline = || Some(json!({"action": "decline"}));
    tell(&empty, &[], 3, "--confirm", None);
    tell(&empty, &["--confirm"], 0, "went on", accept(json!({})));
    tell(&empty, &["--decline"], 0, "went on", decline());
    tell(
        &defaults,
        &["--confirm"],
        0,
        "went on",
        accept(json!({"n": 95.5, "s": "x"})),
    );
    tell(&name, &["--confirm"], 3, "--answer name=JSON", None);
    tell(&name, &["--confirm", "--decline"], 0, "went on", decline());
    tell(
        &name,
        &["--answer", "name=Ada", "--decline"],
        0,
        "went on",
        accept(json!({"name": "Ada"})),
    );
}

#[test]
fn what_a_server_says_commands_no_screen() {
    let evil = "\u{1b}[2J\u{1b}]8;;http://x\u{7}link\u{1b}]8;;\u{7}\u{1b}]52;c;aGk=\u{7}\rover\u{8}\u{8}\u{202e}end";
    let (name, uri) = (format!("t{evil}"), format!("x://{evil}"));
    let text = |text: &str| json!({ "type": "text", "text": text });
    let script = Script::modern()
        .tool_json(json!({ "name": name, "description": evil, "inputSchema": { "type": "object" } }))
        .rule(Rule::on("tools/call").name("bad").does([act::error(-32000, evil)]))
        .rule(Rule::on("tools/call").does([act::result(json!({
            "resultType": "complete", "structuredContent": { evil: evil },
            "content": [text(evil), { "type": "resource_link", "name": evil, "uri": uri }, { "type": evil }],
        }))]));
    let mut script = script.resource(&uri);
    script
        .prompts
        .push(json!({ "name": name, "description": evil, "arguments": [{ "name": evil }] }));
    let fake = FakeServer::new(&script);
    let gatehouse = Gatehouse::with(&fake.launch());
    for args in [
        &["tools", "s"][..],
        &["prompts", "s"],
        &["resources", "s"],
        &["call", "s", &name],
        &["call", "s", "bad"],
    ] {
        for json in [false, true] {
            let all = if json {
                [&["--json"], args].concat()
            } else {
                args.to_vec()
            };
            let done = gatehouse.run(&all);
            let printed = format!("{}{}", done.stdout, done.stderr);
            let commands = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
            assert!(
                !printed.contains(commands) && printed.contains("end"),
                "{all:?}: it is shown, and none of it reaches the terminal as a command: {printed:?}"
            );
        }
    }
    let called = fake.log().received_method("tools/call");
    assert_eq!(
        called[0].params()["name"],
        json!(name),
        "what is sent is the name as it is"
    );
}

// ---- The home -----------------------------------------------------------------------------------------------------------

#[test]
fn only_the_owner_may_read_the_home() {
    let fake = asks();
    let gatehouse = Gatehouse::with(&fake.launch());
    gatehouse.ok(["call", "s", "t", "--share", "all"]);
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let mut left = vec![gatehouse.home()];
    while let Some(path) = left.pop() {
        let expect = if path.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(mode(&path), expect, "{} is the owner's alone", path.display());
        if path.is_dir() {
            left.extend(std::fs::read_dir(&path).unwrap().flatten().map(|entry| entry.path()));
        }
    }
    std::fs::set_permissions(gatehouse.file("servers.json"), PermissionsExt::from_mode(0o640)).unwrap();
    gatehouse.ok(["servers", "add", "more", "--", "prog"]);
    assert_eq!(
        mode(&gatehouse.file("servers.json")),
        0o640,
        "a mode that the person chose stays"
    );
}

#[test]
fn two_at_once_lose_nothing() {
    let fake = asks();
    let gatehouse = Gatehouse::with(&fake.launch());
    let folders: Vec<_> = (0..8).map(|n| gatehouse.folder(format!("f{n}"))).collect();
    std::thread::scope(|scope| {
        for (n, folder) in folders.iter().enumerate() {
            let gatehouse = &gatehouse;
            scope.spawn(move || gatehouse.ok([OsStr::new("folders"), OsStr::new("add"), folder.as_os_str()]));
            scope.spawn(move || gatehouse.ok(["servers", "add", &format!("n{n}"), "--", "prog"]));
            scope.spawn(move || gatehouse.ok(["call", "s", "t", "--share", "none"]));
        }
    });
    let (_, listed) = gatehouse.json(["folders", "list"]);
    assert_eq!(listed["folders"].as_array().unwrap().len(), 9, "every folder is there");
    let (_, listed) = gatehouse.json(["servers", "list"]);
    let servers = listed["servers"].as_array().unwrap();
    assert_eq!(servers.len(), 9, "every server is there: {servers:#?}");
    assert!(servers.iter().all(|server| server["trust"] == "trusted"), "and allowed");
    let rows = gatehouse.record();
    assert_eq!(
        rows.len(),
        8,
        "every call is in the record, and none was taken for abandoned: {rows:#?}"
    );
}

#[test]
fn a_home_that_cannot_be_is_an_error_in_words() {
    let gatehouse = Gatehouse::new();
    std::fs::write(gatehouse.home(), "a file").unwrap();
    let done = check(
        &gatehouse,
        &["folders", "list"],
        2,
        &gatehouse.home().display().to_string(),
    );
    assert!(!done.stderr.contains("panicked"), "in order: {done:#?}");
    let mut command = gatehouse.command(["folders", "list", "--json"]);
    command.env("GATEHOUSE_HOME", "relative/home");
    let done = finish(command);
    assert_eq!(done.code, 0, "a relative home is meant from here: {done:#?}");
    assert!(
        gatehouse.here().join("relative/home/gatehouse.db").is_file(),
        "and stands there"
    );
}

#[test]
fn the_demo_shows_both_ends_where_nobody_is_there() {
    let gatehouse = Gatehouse::new();
    let done = check(&gatehouse, &["demo"], 0, "silence is no");
    for part in [
        "After its question: none.",
        "--share",
        "The server answers:",
        "refused",
        "shared",
    ] {
        assert!(
            done.stderr.contains(part) || done.stdout.contains(part),
            "it shows “{part}”: {done:#?}"
        );
    }
    assert!(!gatehouse.home().exists(), "the person's own files are not touched");
}
