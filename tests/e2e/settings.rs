//! What a person sets in the window, seen where it acts: in the server's log, and in the page's colours.

use std::time::Duration;

use gatehouse_tests::fake::FakeServer;
use gatehouse_tests::script::{Rule, Script, act};
use serde_json::{Value, json};

use crate::webdriver::Browser;
use crate::window::{Home, Window};

const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

/// Calls the tool and gives what that frame declared.
fn next_frame(window: &Window, fake: &FakeServer) -> Value {
    let before = fake.log().received_method("tools/call").len();
    window.page.test_id("tab-tools").click();
    window.call("t");
    fake.wait_for("tools/call", before + 1, Duration::from_secs(30));
    let frame = fake.log().received_method("tools/call").pop().expect("the call left");
    frame.params()["_meta"][CAPABILITIES].clone()
}

/// Clicks a switch on the server's settings and waits until it stands so.
fn switch(page: &Browser, id: &str, on: bool) {
    page.test_id("tab-settings").click();
    page.test_id(id).click();
    page.wait("the switch to move", || {
        (page.test_id(id).is_selected() == on).then_some(())
    });
}

/// Waits until the page stands on this ground.
fn ground(page: &Browser, color: &str) {
    page.wait(&format!("a ground of {color}"), || {
        let now = page.script("return getComputedStyle(document.body).backgroundColor", &json!([]));
        (now == json!(color)).then_some(())
    });
}

#[test]
fn what_is_switched_off_for_a_server_is_not_in_its_next_frame() {
    let Some(home) = Home::new() else { return };
    let fake = FakeServer::new(&Script::modern().tool("t"));
    let window = home.server("plain", &fake).open();
    let page = &window.page;
    window.connect("plain");
    assert_eq!(
        next_frame(&window, &fake),
        json!({"roots": {}, "elicitation": {"form": {}, "url": {}}}),
        "what is offered at first"
    );
    switch(page, "server-roots", false);
    assert_eq!(
        next_frame(&window, &fake),
        json!({"elicitation": {"form": {}, "url": {}}}),
        "the very next frame leaves roots out"
    );
    switch(page, "server-forms", false);
    switch(page, "server-links", false);
    assert_eq!(next_frame(&window, &fake), json!({}), "and so for the others");
    switch(page, "server-roots", true);
    assert_eq!(
        next_frame(&window, &fake),
        json!({"roots": {}}),
        "back on, it is there again"
    );
    let set = window.command(&["servers", "set", "plain", "--json"]);
    let set: Value = serde_json::from_str(&set).expect("one JSON document");
    assert_eq!(
        (&set["settings"]["roots"], &set["settings"]["forms"]),
        (&json!(true), &json!(false)),
        "the command shows what the window set"
    );
    window.command(&["servers", "set", "plain", "forms=on"]);
    page.test_id("tab-settings").click();
    page.wait("the window to show what the command set", || {
        page.test_id("server-forms").is_selected().then_some(())
    });
    assert_eq!(
        fake.log().received_method("server/discover").len(),
        1,
        "no switch reconnects"
    );
}

#[test]
fn the_theme_and_the_language_act_at_once_and_last() {
    let Some(home) = Home::new() else { return };
    let window = home.env("GTK_THEME", "Adwaita").open();
    let page = &window.page;
    page.test_id("nav-settings").click();
    ground(page, "rgb(245, 243, 238)");
    page.find("[data-testid=setting-theme] option[value=dark]").click();
    ground(page, "rgb(27, 29, 28)");
    window.command(&["settings", "set", "theme=contrast", "language=de"]);
    ground(page, "rgb(255, 255, 255)");
    page.wait_text("1.234.567,89");
    assert_eq!(
        page.test_id("setting-theme").property("value"),
        json!("contrast"),
        "the page shows what another process set"
    );
    let window = window.quit().open();
    ground(&window.page, "rgb(255, 255, 255)");
    window.page.test_id("nav-settings").click();
    window.page.wait_text("1.234.567,89");
}

#[test]
fn a_call_ends_at_the_limit_that_was_typed_for_it() {
    let Some(home) = Home::new() else { return };
    let silent = Rule::on("tools/call").background().does([act::wait(120_000)]);
    let fake = FakeServer::new(&Script::modern().tool("t").rule(silent));
    let window = home.server("plain", &fake).open();
    let page = &window.page;
    window.connect("plain");
    page.test_id("tool-t").click();
    page.test_id("call-limit").type_keys("1,5");
    page.test_id("call").wait_enabled().click();
    page.wait_text("no answer and no progress for 1.5 s");
    page.wait_text("What it has done by then is not undone");
    fake.wait_for("notifications/cancelled", 1, Duration::from_secs(30));
}
