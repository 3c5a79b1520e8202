//! The consent dialog as something that can't be answered by accident, lost, or got around.

use std::time::Duration;

use gatehouse_tests::fake::FakeServer;
use gatehouse_tests::script::{Rule, Script, act};
use serde_json::json;

use crate::desk::{press, question, tick};
use crate::webdriver::key;
use crate::window::{Home, Window, fake_browser, got};

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

#[test]
fn typing_on_without_looking_shares_nothing() {
    let Some((window, fake)) = asked(&asks_roots()) else {
        return;
    };
    let page = &window.page;
    for _ in 0..3 {
        page.press(&[key::TAB]);
    }
    assert_eq!(page.focused(), "share-once", "the next Enter would share");
    let began = std::time::Instant::now();
    while began.elapsed() < Duration::from_secs(3) {
        page.press(&[key::ENTER]);
        std::thread::sleep(Duration::from_millis(60));
    }
    std::thread::sleep(Duration::from_secs(1));
    question(page);
    assert_eq!(
        got(&fake.log(), "tools/call").len(),
        1,
        "Enter was pressed before the question could be read, so nothing left"
    );
    let record = window.command(&["record", "--json"]);
    assert!(!record.contains("\"shared\""), "the record has no sharing: {record}");
}

#[test]
fn a_question_is_put_aside_and_found_again() {
    let Some((window, fake)) = asked(&asks_roots()) else {
        return;
    };
    let page = &window.page;
    let mark = fake.log().mark();
    press(page, "question-later");
    let waits = page.test_id("questions-waiting");
    assert!(
        waits.text().contains("1 question waits"),
        "it is said: {}",
        waits.text()
    );
    page.test_id("nav-record").click();
    fake.log()
        .assert_silent(mark, Duration::from_secs(1), "a question that waits is not answered");
    page.test_id("questions-waiting").click();
    question(page);
    press(page, "refuse");
    page.wait_gone("[data-testid=questions-waiting]");
}

#[test]
fn all_questions_of_a_server_are_refused_together() {
    let form = json!({ "mode": "form", "message": "Who?", "requestedSchema": { "type": "object", "properties": {} } });
    let ask = json!({ "form": { "method": "elicitation/create", "params": form } });
    let script = asks_roots()
        .tool("who")
        .rule(Rule::on("tools/call").name("who").fresh().does([act::ask(ask, None)]));
    let Some((window, fake)) = asked(&script) else { return };
    let page = &window.page;
    assert_eq!(page.count("[data-testid=refuse-all]"), 0, "there is one question only");
    press(page, "question-later");
    window.call("who");
    question(page);
    press(page, "refuse-all");
    page.wait_gone("[data-testid=questions-waiting]");
    let record = window.command(&["record", "--json"]);
    assert!(
        !record.contains("\"shared\"") && !record.contains("\"formSent\""),
        "nothing was given: {record}"
    );
    let frames = fake.log().received();
    assert!(
        !frames.iter().any(|frame| frame.raw.contains("file://")),
        "no folder was told"
    );
}

/// A server that needs folders and a form in one round.
fn asks_both() -> Script {
    let schema = json!({ "type": "object", "required": ["name"], "properties": { "name": { "type": "string" } } });
    let form = json!({ "mode": "form", "message": "Who are you?", "requestedSchema": schema });
    let ask =
        json!({ "folders": { "method": "roots/list" }, "form": { "method": "elicitation/create", "params": form } });
    Script::modern()
        .tool("where")
        .rule(Rule::on("tools/call").unanswered().does([act::ask(ask, Some("s"))]))
        .rule(Rule::on("tools/call").answered().does([act::text("thanks")]))
}

#[test]
fn a_sheet_is_one_answer_or_none() {
    let Some((window, fake)) = asked(&asks_both()) else {
        return;
    };
    let page = &window.page;
    let mark = fake.log().mark();
    let words = page.test_id("sheet-words").text();
    assert!(words.contains("the call ends and nothing of this is sent"), "{words}");
    press(page, "sheet-cancel");
    page.test_id("result-declined");
    fake.log()
        .assert_silent(mark, Duration::from_secs(2), "a refusal of the folders ends the call");

    window.call("where");
    question(page);
    page.press(&[key::ESCAPE]);
    page.wait_gone("[data-testid=question]");
    assert_eq!(got(&fake.log(), "tools/call").len(), 2, "Escape refuses the sheet");

    window.call("where");
    question(page);
    let site = window.folder_id(&window.place.path().join("site"));
    tick(page, site, true);
    page.test_id("sheet-roots-shareOnce").click();
    page.test_id("form-field-name").type_keys("Ada");
    press(page, "sheet-send");
    page.test_id("result");
    let sent = got(&fake.log(), "tools/call");
    assert_eq!(sent.len(), 4, "one retry");
    assert!(
        sent[3].contains("/site") && sent[3].contains(r#""content":{"name":"Ada"}"#),
        "it has both answers: {}",
        sent[3]
    );
}

#[test]
fn the_demo_plans_a_tidy_up_with_one_sheet() {
    let Some(home) = Home::new() else { return };
    let window = home.open();
    let (site, notes) = (window.add_folder("site"), window.add_folder("notes"));
    let page = &window.page;
    page.test_id("try-demo").click();
    window.call("tidy_plan");
    question(page);
    tick(page, window.folder_id(&site), true);
    tick(page, window.folder_id(&notes), false);
    page.test_id("question-exact-toggle").click();
    page.wait("the exact text to follow the choice", || {
        page.test_id("question-exact").text().contains("Nothing").then_some(())
    });
    page.test_id("sheet-roots-shareOnce").click();
    let exact = page.wait("the exact JSON", || {
        let text = page.test_id("question-exact").text();
        text.contains("roots").then_some(text)
    });
    assert!(
        exact.contains("/site") && !exact.contains("/notes"),
        "the preview shows what would be sent: {exact}"
    );
    press(page, "sheet-send");
    let shown = crate::desk::result(page);
    assert!(
        shown.contains("site") && !shown.contains("notes") && shown.contains("6 months"),
        "the demo knows the ticked folder and the form's defaults: {shown}"
    );
    window.call("tidy_plan");
    question(page);
    press(page, "sheet-cancel");
    page.test_id("result-declined");
    let record = window.command(&["record", "--json"]);
    assert_eq!(record.matches("\"shared\"").count(), 1, "shared once: {record}");
    assert_eq!(record.matches("\"formSent\"").count(), 1, "one form was sent: {record}");
}

#[test]
fn a_page_is_opened_by_a_press_and_only_then() {
    let url = "https://example.org/sign-in?next=%2Fhome&a=$(id)";
    let ask = json!({ "page": { "method": "elicitation/create", "params": {
        "mode": "url", "message": "Please sign in.", "elicitationId": "e1", "url": url } } });
    let script = Script::modern()
        .tool("where")
        .rule(Rule::on("tools/call").unanswered().does([act::ask(ask, Some("s"))]))
        .rule(Rule::on("tools/call").answered().does([act::text("thanks")]));
    let Some(home) = Home::new() else { return };
    let (path, opened) = fake_browser();
    let fake = FakeServer::new(&script);
    let window = home.env("PATH", &path).server("asker", &fake).open();
    let page = &window.page;
    window.connect("asker");
    window.call("where");
    question(page);
    assert!(
        page.test_id("link-host").text().contains("example.org"),
        "the host is set apart"
    );
    assert!(
        page.test_id("link-url").text().contains(url),
        "the whole address is shown"
    );
    std::thread::sleep(Duration::from_millis(900));
    page.test_id("link-done").click();
    assert_eq!(
        page.count("[data-testid=question]"),
        1,
        "what was not opened is not done"
    );
    assert!(
        !opened.path().join("opened").exists(),
        "nothing is opened before the press"
    );
    page.test_id("link-open").click();
    let asked_for = page.wait("the browser to be asked", || {
        std::fs::read_to_string(opened.path().join("opened"))
            .ok()
            .filter(|text| text.ends_with('\n'))
    });
    assert_eq!(asked_for, format!("{url}\n"), "exactly the address, once");
    assert_eq!(got(&fake.log(), "tools/call").len(), 1, "opening is no answer yet");
    press(page, "link-done");
    page.test_id("result");
    let sent = got(&fake.log(), "tools/call");
    assert!(sent[1].contains(r#"{"page":{"action":"accept"}}"#), "{}", sent[1]);
    window.call("where");
    question(page);
    page.press(&[key::ESCAPE]);
    page.wait_gone("[data-testid=question]");
    fake.log().wait_until("the cancel", Duration::from_secs(10), |log| {
        log.received_method("tools/call").len() == 4
    });
    let sent = got(&fake.log(), "tools/call");
    assert!(sent[3].contains(r#"{"page":{"action":"cancel"}}"#), "{}", sent[3]);
}
