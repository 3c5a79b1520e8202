//! The main job: a folder, the demo server, a call, an answer, a result, the record.

use std::time::Duration;

use gatehouse_tests::fake::FakeServer;
use gatehouse_tests::script::Script;

use crate::desk::{press, question, result, tick};
use crate::window::{Home, got};

#[test]
fn one_of_two_folders_is_shared_once() {
    let Some(home) = Home::new() else { return };
    let window = home.open();
    let (site, notes) = (window.add_folder("site"), window.add_folder("notes"));
    let page = &window.page;
    page.test_id("try-demo").click();
    window.call("count_files");
    question(page);
    tick(page, window.folder_id(&site), true);
    tick(page, window.folder_id(&notes), false);
    page.test_id("question-exact-toggle").click();
    let exact = page.wait("the exact JSON", || {
        let text = page.test_id("question-exact").text();
        text.contains("roots").then_some(text)
    });
    assert!(
        exact.contains("/site") && !exact.contains("/notes"),
        "the preview shows what would be sent: {exact}"
    );
    press(page, "share-once");
    let shown = result(page);
    assert!(
        shown.contains("site") && !shown.contains("notes"),
        "the server knows the ticked folder only: {shown}"
    );
    page.test_id("nav-record").click();
    let row = page.test_id("record-row").text();
    assert!(
        row.contains("demo") && row.contains("site") && !row.contains("notes"),
        "the record shows what left: {row}"
    );
    let record = window.command(&["record", "--json"]);
    assert!(
        record.contains("/site") && !record.contains("/notes"),
        "the command shows the same record: {record}"
    );
}

#[test]
fn a_refusal_ends_the_call_and_nothing_is_sent() {
    let Some(home) = Home::new() else { return };
    let fake = FakeServer::new(&Script::modern().asks_roots("where", Some("s1")));
    let window = home.server("asker", &fake).open();
    window.add_folder("site");
    window.connect("asker");
    window.call("where");
    question(&window.page);
    let mark = fake.log().mark();
    press(&window.page, "refuse");
    let shown = window.page.test_id("result-declined").text();
    assert!(
        shown.contains("Nothing was sent"),
        "the page says that nothing left: {shown}"
    );
    fake.log()
        .assert_silent(mark, Duration::from_secs(3), "a refusal of roots is no message");
    window.page.test_id("nav-record").click();
    let outcome = window.page.test_id("record-outcome").text().to_lowercase();
    assert!(
        outcome.contains("refused") || outcome.contains("not shared"),
        "the record has the refusal: {outcome}"
    );
    window.page.test_id("server-asker").click();
    window.call("where");
    question(&window.page);
}

#[test]
fn always_is_remembered_until_it_is_revoked() {
    let Some(home) = Home::new() else { return };
    let fake = FakeServer::new(&Script::modern().asks_roots("where", Some("s1")));
    let window = home.server("asker", &fake).open();
    let site = window.add_folder("site");
    let page = &window.page;
    window.connect("asker");
    window.call("where");
    question(page);
    tick(page, window.folder_id(&site), true);
    press(page, "share-always");
    page.test_id("result");
    window.call("where");
    page.wait("the second call to end without a question", || {
        assert_eq!(
            page.count("[data-testid=question]"),
            0,
            "a remembered decision asks nothing"
        );
        (got(&fake.log(), "tools/call").len() == 4).then_some(())
    });
    page.test_id("nav-grants").click();
    page.test_id("grant-revoke").click();
    page.wait_gone("[data-testid=grant-row]");
    page.test_id("server-asker").click();
    window.call("where");
    question(page);
    assert_eq!(
        got(&fake.log(), "tools/call").len(),
        5,
        "the third call waits for an answer"
    );
}

#[test]
fn folders_are_renamed_reordered_and_removed() {
    let Some(home) = Home::new() else { return };
    let window = home.open();
    let (site, notes) = (window.add_folder("site"), window.add_folder("notes"));
    let (site, notes) = (window.folder_id(&site), window.folder_id(&notes));
    let page = &window.page;
    page.test_id(&format!("folder-up-{notes}")).click();
    let order = || window.command(&["folders", "list"]);
    page.wait("the order to change", || {
        let listed = order();
        (listed.find("notes")? < listed.find("site")?).then_some(())
    });
    page.test_id(&format!("folder-remove-{site}")).click();
    page.wait_gone(&format!("[data-testid=folder-{site}]"));
    assert!(!order().contains("/site"), "it is off the list, in the store too");
}
