//! The same servers, driven by the `gatehouse` command with flags alone.

use std::path::PathBuf;

use gatehouse_tests::command::Gatehouse;
use gatehouse_tests::home::beside;
use gatehouse_tests::real;
use gatehouse_tests::schema::Revision;

use super::{NAMES, PY_ROOTS, Real, allowed, calls, npx_filesystem, python, repository};

fn command(server: &Real) -> Gatehouse {
    let gatehouse = Gatehouse::with(&server.launch);
    gatehouse.share_folder("notes");
    gatehouse
}

/// Offers answers of models to the server, or takes the offer back.
fn offer(gatehouse: &Gatehouse, how: &str) {
    beside(&gatehouse.home(), async |host| {
        let set = host.change_server("s", &[("sampling", how)]).await;
        set.expect("it is there");
    });
}

/// One call by flags alone: its exit code, and what its text holds.
fn check(gatehouse: &Gatehouse, args: &[&str], code: i32, holds: &str) {
    let done = gatehouse.run(args);
    assert_eq!(done.code, code, "{args:?} ends so: {done:#?}");
    assert!(done.stdout.contains(holds), "{args:?} prints “{holds}”: {done:#?}");
}

#[test]
fn python_from_the_command() {
    let Some(server) = python() else { return };
    let gatehouse = command(&server);
    let app = gatehouse.folder("app").display().to_string();
    let tool = |name: &str| format!("test_input_required_result_{name}");
    let check = |name: &str, flags: &[&str], code, holds| {
        let name = tool(name);
        check(&gatehouse, &[&["call", "s", &name], flags].concat(), code, holds);
    };
    check("list_roots", &["--share", "all"], 0, "Client exposed 2 root(s).");
    check("list_roots", &["--share", &app], 0, "Client exposed 1 root(s).");
    check("list_roots", &["--share", "none"], 0, "Client exposed 0 root(s).");
    check("list_roots", &[], 3, "");
    check("elicitation", &["--answer", "name=Ada"], 0, "Hello, Ada!");
    check("elicitation", &[], 3, "");
    check(
        "request_state",
        &["--answer", "ok=true"],
        0,
        "state-ok: confirmation received",
    );
    check("tampered_state", &["--answer", "ok=true"], 0, "state-ok: round-1");
    check(
        "multi_round",
        &["--answer", "name=Ada", "--answer", "color=blue"],
        0,
        "Ada likes blue.",
    );
    check("elicitation", &["--decline"], 0, "Hello, ?!");
    check("elicitation", &["--confirm"], 3, "");
    check("capabilities", &["--answer", "name=Ada"], 1, "");
    check("capabilities", &["--decline"], 1, "");
    check("capabilities", &[], 3, "");
    check("sampling", &["--share", "all"], 1, "");
    check("multiple_inputs", &["--share", "all", "--answer", "name=Ada"], 1, "");
    offer(&gatehouse, "on");
    check("sampling", &["--answer", "sampling=Paris"], 0, "Paris");
    check("sampling", &[], 3, "");
    let all = ["--share", "all", "--answer", "name=Ada", "--answer", "sampling=Paris"];
    check("multiple_inputs", &all, 0, "");
    offer(&gatehouse, "off");
    let prompt = tool("prompt");
    let done = gatehouse.ok(["prompt", "s", &prompt, "--answer", "context=the weather"]);
    assert!(
        done.stdout.contains("Use the following context: the weather"),
        "prompts have rounds too: {done:#?}"
    );
    assert_eq!(
        calls(&server.log, PY_ROOTS).len(),
        7,
        "three calls of two rounds, and one that ended after its first"
    );
    check(
        "list_roots",
        &["--share", &app, "--remember", "always"],
        0,
        "1 root(s).",
    );
    check("list_roots", &[], 0, "Client exposed 1 root(s).");
    let asked = calls(&server.log, &tool("capabilities"));
    assert_eq!(asked.len(), 16 + 16 + 1, "a server that asks for ever is ended");
    let done = gatehouse.run(["call", "s", "test_missing_capability"]);
    assert!(
        done.code == 1 && done.stderr.contains("not offered to it: sampling"),
        "{done:#?}"
    );
    assert_eq!(
        calls(&server.log, "test_missing_capability").len(),
        1,
        "nothing is tried again"
    );
    server.over();
}

#[test]
fn tutorial_from_the_command() {
    if !real::installed() {
        return;
    }
    let server = Real::of(real::tutorial002(), Revision::Modern);
    let gatehouse = command(&server);
    let notes = gatehouse.folder("notes");
    let done = gatehouse.ok(["call", "s", "catalog_folder", "--share", &notes.display().to_string()]);
    assert_eq!(
        done.stdout.trim_end(),
        gatehouse_host::uri::of(&notes),
        "it names the shared folder"
    );
    server.over();
}

#[test]
fn filesystem_from_the_command() {
    if !real::installed() {
        return;
    }
    let server = Real::of(npx_filesystem(), Revision::Autumn2025);
    let gatehouse = Gatehouse::with(&server.launch);
    let mut args = vec!["call".to_owned(), "s".to_owned(), "list_allowed_directories".to_owned()];
    let shared: Vec<PathBuf> = NAMES.iter().map(|name| gatehouse.share_folder(name)).collect();
    for path in &shared {
        args.extend(["--share".to_owned(), path.display().to_string()]);
    }
    let done = gatehouse.ok(&args);
    assert_eq!(allowed(&done.stdout), shared, "exactly what was shared, name for name");
    let done = gatehouse.run(["call", "s", "list_allowed_directories"]);
    assert_eq!(done.code, 3, "nobody was there to ask: {done:#?}");
    assert!(
        done.stderr.contains("server s asked for your folders"),
        "it says who asked for what: {done:#?}"
    );
    server.over();
}

#[test]
fn legacy_servers_from_the_command() {
    if !real::installed() {
        return;
    }
    let dir = tempfile::tempdir().expect("the temporary folder is writable");
    repository(dir.path());
    let everything = Real::of(real::everything(), Revision::Autumn2025);
    let gatehouse = command(&everything);
    check(
        &gatehouse,
        &["call", "s", "get-roots-list", "--share", "all"],
        0,
        "(2 total)",
    );
    check(
        &gatehouse,
        &[
            "call",
            "s",
            "trigger-elicitation-request",
            "--share",
            "none",
            "--answer",
            "name=Ada",
            "--answer",
            "integer=7",
        ],
        0,
        "- Favorite Integer: 7",
    );
    everything_by_flags(&gatehouse);
    offer(&gatehouse, "on");
    let args = ["--share", "none", "--args", r#"{"prompt":"p"}"#];
    let call = [["call", "s", "trigger-sampling-request"].as_slice(), &args].concat();
    let answered = [call.as_slice(), &["--answer", "sampling=Warp and weft."]].concat();
    check(&gatehouse, &answered, 0, "Warp and weft.");
    let done = gatehouse.run(&call);
    assert_eq!(done.code, 3, "nobody was there to answer: {done:#?}");
    everything.over();
    let devmcp = Real::of(real::devmcp(dir.path()), Revision::Summer2025);
    check(&command(&devmcp), &["tools", "s"], 0, "write_file");
    devmcp.over();
    let playwright = Real::of(real::playwright().args(["--isolated"]), Revision::Autumn2025);
    let done = command(&playwright).run([
        "call",
        "s",
        "browser_navigate",
        "--args",
        r#"{"url":"about:blank"}"#,
        "--share",
        "all",
    ]);
    assert!(
        matches!(done.code, 0 | 1),
        "with or without a browser, the call ends: {done:#?}"
    );
    assert!(
        playwright.responses()[0].json["result"]["roots"].is_array(),
        "its question was answered on the way"
    );
    playwright.over();
    let time = Real::of(real::time(), Revision::Autumn2025);
    check(
        &command(&time),
        &["call", "s", "get_current_time", "--args", r#"{"timezone":"UTC"}"#],
        0,
        "UTC",
    );
    time.over();
}

/// The rest of the everything server: its forms, its pages, and what needs no question.
fn everything_by_flags(gatehouse: &Gatehouse) {
    let call = |tool: &str, flags: &[&str], code, holds| {
        check(
            gatehouse,
            &[&["call", "s", tool, "--share", "none"], flags].concat(),
            code,
            holds,
        );
    };
    call("trigger-elicitation-request", &["--decline"], 0, "declined");
    call("trigger-elicitation-request", &["--confirm"], 3, "");
    call("trigger-elicitation-request", &[], 3, "");
    let url = "https://example.org/sign-in";
    let args = format!(r#"{{"url":"{url}"}}"#);
    let page = |flags: &[&str], code, holds| {
        call(
            "trigger-url-elicitation",
            &[&["--args", &args], flags].concat(),
            code,
            holds,
        );
    };
    page(&["--page", "example.org"], 0, "User completed the URL elicitation flow");
    page(&["--decline"], 0, "User declined to open the URL");
    page(&["--page", "example.com"], 3, "");
    page(&[], 3, "");
    let first = format!(r#"{{"url":"{url}","errorPath":true}}"#);
    let first = |flags: &[&str], code, holds| {
        call(
            "trigger-url-elicitation",
            &[&["--args", &first], flags].concat(),
            code,
            holds,
        );
    };
    first(
        &["--page", "modelcontextprotocol.io", "--page", "example.org"],
        0,
        "User completed the URL elicitation flow",
    );
    first(&["--page", "example.org"], 3, "");
    call("echo", &["--args", r#"{"message":"hello"}"#], 0, "Echo: hello");
    call("get-sum", &["--args", r#"{"a":2,"b":40}"#], 0, "42");
    call("get-tiny-image", &[], 0, "[picture, image/png");
    call("get-resource-links", &[], 0, "[link to ");
    call(
        "get-structured-content",
        &["--args", r#"{"location":"Chicago"}"#],
        0,
        "temperature",
    );
    let share = ["--share", "none"];
    let prompt = r#"{"department":"Sales","name":"Eve"}"#;
    let prompt = [&["prompt", "s", "completable-prompt", "--args", prompt], &share[..]].concat();
    check(gatehouse, &prompt, 0, "Please promote Eve");
    let read = [
        &["read", "s", "demo://resource/static/document/features.md"],
        &share[..],
    ]
    .concat();
    check(gatehouse, &read, 0, "#");
}
