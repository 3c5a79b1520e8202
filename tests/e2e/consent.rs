//! The consent dialog as something that can't be answered by accident, lost, or got around.

use std::time::Duration;

use gatehouse_tests::fake::FakeServer;
use gatehouse_tests::script::{Rule, Script, act};
use serde_json::json;

use crate::desk::{press, question, tick};
use crate::webdriver::key;
use crate::window::{Home, Window, got};

fn asked(script: &Script) -> Option<(Window, FakeServer)> {
    let home = Home::new()?;
    let fake = FakeServer::new(script);
    let window = home.server("asker", &fake).open();
    window.add_folder("site");
    window.connect("asker");
    window.call("where");
    question(&window.page);
    Some((window, fake))
}

fn asks_roots() -> Script {
    Script::modern().asks_roots("where", Some("s1"))
}

#[test]
fn focus_starts_on_the_refusal_and_sharing_is_dead_at_first() {
    let Some((window, fake)) = asked(&asks_roots()) else {
        return;
    };
    let page = &window.page;
    page.wait("the focus to be on the refusal", || {
        (page.focused() == "refuse").then_some(())
    });
    let dialog = page.test_id("question");
    assert!(
        matches!(dialog.role().as_str(), "dialog" | "alertdialog"),
        "a screen reader is told of a dialog"
    );
    assert!(!dialog.label().is_empty(), "and what it is about");
    // A click that was meant for something else as the dialog came up.
    page.reload();
    question(page);
    page.script("document.querySelector('[data-testid=share-once]').click()", &json!([]));
    std::thread::sleep(Duration::from_millis(900));
    assert_eq!(
        page.count("[data-testid=question]"),
        1,
        "sharing was dead when it was clicked"
    );
    assert_eq!(got(&fake.log(), "tools/call").len(), 1, "nothing left");
}

#[test]
fn escape_refuses_once() {
    let Some((window, fake)) = asked(&asks_roots()) else {
        return;
    };
    let page = &window.page;
    let mark = fake.log().mark();
    page.press(&[key::ESCAPE]);
    page.wait_gone("[data-testid=question]");
    page.test_id("result-declined");
    fake.log()
        .assert_silent(mark, Duration::from_secs(2), "Escape means: don't share");
    window.call("where");
    question(page);
}

#[test]
fn a_reload_brings_the_question_back() {
    let Some((window, fake)) = asked(&asks_roots()) else {
        return;
    };
    let page = &window.page;
    page.reload();
    question(page);
    let why = page.test_id("question-why").text();
    assert!(why.contains("where"), "it is the same question: {why}");
    let site = window.folder_id(&window.place.path().join("site"));
    tick(page, site, true);
    press(page, "share-once");
    page.test_id("tool-where").click();
    let shown = crate::desk::result(page);
    assert_eq!(
        shown, "done",
        "the result of a call that a page before the reload started is shown"
    );
    assert_eq!(got(&fake.log(), "tools/call").len(), 2, "a reload repeats no call");
    page.reload();
    page.test_id("tool-where").click();
    assert_eq!(
        crate::desk::result(page),
        "done",
        "and it is there after another reload"
    );
}

#[test]
fn closing_the_window_sends_nothing() {
    let Some((window, fake)) = asked(&asks_roots()) else {
        return;
    };
    let mark = fake.log().mark();
    let pid = window.page.program_pid().expect("the window's process lives");
    // As the window manager does it when the person presses the cross.
    let closed = std::process::Command::new("sh")
        .args(["-c", "xdotool search --onlyvisible --name '^Gatehouse$' | head -n 1 | xargs xdotool windowclose || true; xdotool search --name '^Gatehouse$' windowquit"])
        .status();
    assert!(closed.is_ok(), "xdotool runs");
    let gone = std::time::Instant::now();
    while window.page.program_pid() == Some(pid) && gone.elapsed() < Duration::from_secs(15) {
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_ne!(window.page.program_pid(), Some(pid), "the window's process has ended");
    fake.log().assert_silent(mark, Duration::from_secs(1), "silence is no");
    assert!(fake.log().happened("stdin closed"), "the server was stopped in order");
    let record = window.command(&["record", "--json"]);
    assert!(
        record.contains("\"refused\"") && !record.contains("\"shared\""),
        "the record has no sharing: {record}"
    );
}

#[test]
fn a_server_that_was_not_seen_is_a_question_before_it_starts() {
    let Some(home) = Home::new() else { return };
    let fake = FakeServer::new(&asks_roots());
    let window = home.server("stranger", &fake).open_untrusted();
    let page = &window.page;
    page.test_id("server-stranger").click();
    page.test_id("server-connect").click();
    question(page);
    assert!(fake.log().pids().is_empty(), "nothing runs before the answer");
    let shown = page.test_id("question").text();
    assert!(shown.contains("fake-server"), "the whole command is shown: {shown}");
    page.test_id("trust-refuse").click();
    page.wait_gone("[data-testid=question]");
    std::thread::sleep(Duration::from_millis(500));
    assert!(fake.log().pids().is_empty(), "a refused server is not started");
    page.test_id("server-connect").click();
    question(page);
    press(page, "trust-start");
    fake.log()
        .wait_until("the server to start", Duration::from_secs(10), |log| {
            log.pids().len() == 1
        });
}

#[test]
fn a_form_is_filled_declined_and_cancelled() {
    let schema = json!({ "type": "object", "required": ["name"], "properties": { "name": { "type": "string", "title": "Your name" },
        "size": { "type": "string", "enum": ["s", "m"], "default": "m" }, "loud": { "type": "boolean" } } });
    let ask = json!({ "form": { "method": "elicitation/create", "params": { "mode": "form", "message": "Who are you?", "requestedSchema": schema } } });
    let script = Script::modern()
        .tool("where")
        .rule(Rule::on("tools/call").unanswered().does([act::ask(ask, Some("s"))]))
        .rule(Rule::on("tools/call").answered().does([act::text("thanks")]));
    let Some((window, fake)) = asked(&script) else { return };
    let page = &window.page;
    page.test_id("form-field-name").type_keys("Ada");
    press(page, "form-accept");
    page.test_id("result");
    window.call("where");
    question(page);
    press(page, "form-decline");
    window.call("where");
    question(page);
    page.press(&[key::ESCAPE]);
    page.wait_gone("[data-testid=question]");
    fake.log().wait_until("three retries", Duration::from_secs(10), |log| {
        log.received_method("tools/call").len() == 6
    });
    let sent = got(&fake.log(), "tools/call");
    assert!(
        sent[1].contains(r#""action":"accept","content":{"name":"Ada","size":"m"}"#),
        "what was filled, with the default: {}",
        sent[1]
    );
    assert!(
        sent[3].contains(r#"{"form":{"action":"decline"}}"#),
        "a decline has no content: {}",
        sent[3]
    );
    assert!(
        sent[5].contains(r#"{"form":{"action":"cancel"}}"#),
        "a cancel has no content: {}",
        sent[5]
    );
}
