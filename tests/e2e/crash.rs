//! `kill -9` of the window: no server stays, no store is lost, no half record, and the next start tells of the call.

use std::time::Duration;

use gatehouse_tests::fake::{FakeServer, wait_gone};
use gatehouse_tests::script::{Rule, Script};

use crate::desk::question;
use crate::window::{Home, Window};

fn killed(script: &Script, until: impl FnOnce(&Window, &FakeServer)) {
    let Some(home) = Home::new() else { return };
    let fake = FakeServer::new(script);
    let window = home.server("asker", &fake).open();
    window.add_folder("site");
    window.connect("asker");
    window.call("where");
    until(&window, &fake);
    let mark = fake.log().mark();
    let fallen = window.kill();
    wait_gone(&fake.log().pids(), Duration::from_secs(5));
    let told = fake.log().received_since(mark);
    assert!(told.is_empty(), "a crash tells the server nothing");
    let window = fallen.open();
    let notice = window.page.test_id("notice").text();
    assert!(
        notice.contains("abandoned") && notice.contains("where"),
        "the next start tells of the call: {notice}"
    );
    window.page.wait_text("site");
    let record = window.command(&["record", "--json"]);
    assert!(
        record.contains("\"abandoned\"") && !record.contains("\"shared\""),
        "the record is whole: {record}"
    );
    window.page.test_id("notice-dismiss").click();
    window.page.wait_gone("[data-testid=notice]");
}

#[test]
fn during_an_open_question() {
    killed(&Script::modern().asks_roots("where", Some("s1")), |window, _| {
        question(&window.page)
    });
}

#[test]
fn during_a_call() {
    let script = Script::modern().tool("where").rule(Rule::on("tools/call").does([]));
    killed(&script, |_, fake| {
        fake.log()
            .wait_until("the call to arrive", Duration::from_secs(10), |log| {
                log.received_method("tools/call").len() == 1
            });
        // The call is noted a moment after it began.
        std::thread::sleep(Duration::from_millis(600));
    });
}
