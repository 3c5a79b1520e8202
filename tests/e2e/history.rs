//! The history in the window: a call of an earlier run, from the record and back, opened again; a call that its server forgot.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use gatehouse_tests::fake::FakeServer;
use gatehouse_tests::script::{Rule, Script, act};
use serde_json::json;

use crate::desk::{press, question, tick};
use crate::window::{Home, got};

/// A tool that asks for folders, with two arguments.
fn script() -> Script {
    let ask = act::ask(json!({"roots": {"method": "roots/list"}}), Some("s1"));
    Script::modern()
        .tool_json(
            json!({"name": "where", "description": "Looks.", "inputSchema": {"type": "object", "properties": {
            "what": {"type": "string"}, "many": {"type": "integer"}}}}),
        )
        .rule(Rule::on("tools/call").fresh().does([ask]))
        .rule(
            Rule::on("tools/call")
                .answered()
                .does([act::text("found **it** in the folder")]),
        )
}

/// A picture of the screen for whoever asks for pictures.
fn picture(name: &str) {
    let Some(album) = std::env::var_os("GATEHOUSE_SHOTS") else {
        return;
    };
    std::fs::create_dir_all(&album).expect("the folder of the pictures can be made");
    std::thread::sleep(Duration::from_millis(900));
    let file = Path::new(&album).join(format!("{name}.png"));
    let taken = Command::new("import")
        .args(["-window", "root", "-strip"])
        .arg(file)
        .status();
    assert!(taken.is_ok_and(|status| status.success()), "ImageMagick takes pictures");
}

#[test]
fn a_call_of_an_earlier_run_is_shown_and_opened_again() {
    let Some(home) = Home::new() else { return };
    let fake = FakeServer::new(&script());
    let window = home.server("asker", &fake).open();
    let site = window.add_folder("site");
    let page = &window.page;
    window.connect("asker");
    page.test_id("tool-where").click();
    page.test_id("arg-what").type_keys("the loom");
    page.test_id("arg-many").type_keys("9007199254740993");
    page.test_id("call").wait_enabled().click();
    question(page);
    tick(page, window.folder_id(&site), true);
    press(page, "share-once");
    page.test_id("result");
    page.test_id("nav-history").click();
    page.test_id("history-row");

    let window = window.kill().open();
    let page = &window.page;
    page.test_id("nav-history").click();
    page.test_id("history-row");
    picture("history");
    let line = page.test_id("history-row").text_content();
    assert!(
        line.contains("where") && line.contains("asker"),
        "the call of the run before: {line}"
    );
    page.test_id("history-row").click();
    let args = page.test_id("history-args").text();
    assert!(
        args.contains("the loom") && args.contains("9007199254740993"),
        "with every digit of its arguments: {args}"
    );
    let shown = page.test_id("history-result").text();
    assert!(shown.contains("found"), "with its result: {shown}");
    let answer = page.test_id("history-answer").text();
    assert!(answer.contains("site"), "with what was answered: {answer}");
    picture("history-call");

    page.test_id("history-record-row").click();
    let sent = page.test_id("record-sent").text();
    assert!(sent.contains("/site"), "the row of the record is open: {sent}");
    picture("history-record");
    page.test_id("record-call").click();
    page.test_id("history-call");

    let before = got(&fake.log(), "tools/call").len();
    page.test_id("history-again").click();
    page.test_id("server-connect").click();
    page.wait("the arguments to be filled in", || {
        let field = page.find_all("[data-testid=arg-what]").into_iter().next()?;
        (field.property("value") == json!("the loom")).then_some(())
    });
    page.test_id("recent-args");
    picture("history-again");
    assert_eq!(got(&fake.log(), "tools/call").len(), before, "it is opened, not called");

    page.test_id("nav-history").click();
    page.test_id("history-clear").click();
    page.test_id("history-clear-dialog");
    picture("history-clear");
    page.test_id("history-clear-yes").click();
    page.wait_gone("[data-testid=history-row]");
    assert!(
        window.command(&["history"]).contains("No calls are kept"),
        "the command shows the same history"
    );
    assert!(window.command(&["record"]).contains("/site"), "the record stays");
}

#[test]
fn a_call_that_its_server_forgot_is_started_again_with_the_same_answers() {
    let Some(home) = Home::new() else { return };
    let form = json!({"name": {"method": "elicitation/create", "params": {"message": "Your name?", "requestedSchema": {
        "type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}}}});
    let script = Script::modern()
        .tool("greet")
        .rule(Rule::on("tools/call").fresh().does([act::ask(form, Some("s1"))]))
        .rule(
            Rule::on("tools/call")
                .answered()
                .to(1)
                .does([act::error(-32602, "unknown requestState")]),
        )
        .rule(Rule::on("tools/call").answered().does([act::text("welcome")]));
    let fake = FakeServer::new(&script);
    let window = home.server("forgets", &fake).open();
    let page = &window.page;
    window.connect("forgets");
    window.call("greet");
    question(page);
    page.test_id("form-field-name").type_keys("Ada");
    press(page, "form-accept");
    picture("forgot");
    page.test_id("start-again").click();
    question(page);
    page.test_id("form-again");
    let name = page.test_id("form-field-name").property("value");
    assert_eq!(name, json!("Ada"), "what was entered is there again");
    picture("forgot-form");
    assert_eq!(
        got(&fake.log(), "tools/call").len(),
        3,
        "nothing left but the call itself"
    );
    press(page, "form-accept");
    assert!(page.test_id("result-text").text().contains("welcome"));
}
