//! A template with suggestions, a watched resource and a picture, in the real window.

use gatehouse_tests::fake::FakeServer;
use gatehouse_tests::log::Frame;
use gatehouse_tests::script::{Action, Rule, Script, act};
use serde_json::json;

use crate::desk::result;
use crate::window::Home;

const TEMPLATE: &str = "repo://{owner}{/path*}";
/// A picture of one pixel.
pub const PICTURE: &str = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

fn acknowledge() -> Action {
    act::line(
        r#"{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":$id},"notifications":$params.notifications}}"#,
    )
}

fn changed() -> Action {
    act::line(
        r#"{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":$id},"uri":"repo://adele/src"}}"#,
    )
}

fn got(fake: &FakeServer, method: &str) -> Vec<Frame> {
    fake.log().received_method(method)
}

fn server() -> Script {
    let templates = json!([{"uriTemplate": TEMPLATE, "name": "file", "title": "A file", "icons": [{"src": PICTURE}]}]);
    let suggestions = json!({"completion": {"values": ["ada", "adele", "alan"]}, "resultType": "complete"});
    Script::modern()
        .capabilities(json!({"resources": {"subscribe": true}, "completions": {}}))
        .resource("repo://readme")
        .on(
            "resources/templates/list",
            [act::result(
                json!({"resultType": "complete", "resourceTemplates": templates}),
            )],
        )
        .on("completion/complete", [act::result(suggestions)])
        .rule(
            Rule::on("subscriptions/listen")
                .background()
                .does([acknowledge(), act::wait(500), changed()]),
        )
        .on(
            "resources/read",
            [act::result(
                json!({"resultType": "complete", "contents": [{"uri": "repo://adele/src", "text": "the words"}]}),
            )],
        )
}

#[test]
fn a_template_is_filled_with_suggestions_read_and_watched() {
    let Some(home) = Home::new() else { return };
    let fake = FakeServer::new(&server());
    let window = home.server("repo", &fake).open();
    let page = &window.page;
    window.connect("repo");
    page.test_id("tab-resources").click();
    page.test_id("template-file").click();
    let picture = "return document.querySelector('[data-testid=template-file] img').naturalWidth";
    page.wait("the picture to be drawn", || {
        (page.script(picture, &json!([])) == json!(1)).then_some(())
    });
    assert!(got(&fake, "completion/complete").is_empty(), "a look asks nothing");
    page.test_id("variable-owner").type_keys("ad");
    let list = page.test_id("variable-owner-list").text();
    assert!(list.contains("adele"), "the server's words are shown: {list}");
    page.wait("the whole word to be asked about", || {
        let asked = got(&fake, "completion/complete");
        let last = asked.last()?.params();
        let right = last["argument"] == json!({"name": "owner", "value": "ad"})
            && last["ref"] == json!({"type": "ref/resource", "uri": TEMPLATE});
        right.then_some(())
    });
    page.test_id("variable-owner-list");
    for key in ['\u{e015}', '\u{e015}', '\u{e007}'] {
        page.press(&[key]); // down, down, Enter
    }
    page.wait("the suggestion in the field", || {
        (page.test_id("variable-owner").property("value") == json!("adele")).then_some(())
    });
    page.test_id("variable-path").type_keys("src");
    page.wait("the address", || {
        (page.test_id("template-uri").text() == "repo://adele/src").then_some(())
    });
    page.test_id("call").click();
    assert!(result(page).contains("the words"));
    assert_eq!(got(&fake, "resources/read")[0].params()["uri"], "repo://adele/src");
    page.test_id("watch-resource").click();
    page.wait("the change to be said", || {
        page.test_id("watch-state")
            .text()
            .contains("changed since")
            .then_some(())
    });
    assert_eq!(got(&fake, "resources/read").len(), 1, "it is not read by itself");
    page.test_id("read-changed").click();
    page.wait("the change to be old", || {
        page.test_id("watch-state").text().contains("No change").then_some(())
    });
    assert_eq!(got(&fake, "resources/read").len(), 2);
}
