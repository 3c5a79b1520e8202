//! A model request in the real window: the endpoint set, the request put to it, its answer changed and sent.

use std::time::Duration;

use gatehouse_tests::endpoint::{Endpoint, Told};
use gatehouse_tests::fake::FakeServer;
use gatehouse_tests::home::beside;
use gatehouse_tests::script::{Rule, Script, act};
use serde_json::json;

use crate::desk::{press, question, result};
use crate::window::Home;

fn asks_a_model() -> FakeServer {
    let content = json!({"type": "text", "text": "The capital of France?"});
    let params =
        json!({"messages": [{"role": "user", "content": content}], "systemPrompt": "Be brief.", "maxTokens": 20});
    let asked = json!({"poem": {"method": "sampling/createMessage", "params": params}});
    FakeServer::new(
        &Script::modern()
            .tool("poem")
            .rule(Rule::on("tools/call").unanswered().does([act::ask(asked, Some("x"))]))
            .rule(Rule::on("tools/call").answered().does([act::text("A poem was made.")])),
    )
}

#[test]
fn a_models_answer_is_asked_for_changed_and_sent() {
    let Some(home) = Home::new() else { return };
    let runtime = tokio::runtime::Runtime::new().expect("threads can be made");
    let endpoint = runtime.block_on(Endpoint::that(vec![Told::open_ai("Paris, I think.")]));
    let fake = asks_a_model();
    let window = home.server("asker", &fake).open();
    beside(window.home(), async |host| {
        let set = host.change_server("asker", &[("sampling", "on")]).await;
        set.expect("it is there");
    });
    let page = &window.page;
    page.test_id("nav-settings").click();
    page.test_id("endpoint-on").click();
    page.test_id("endpoint-url").type_keys(&endpoint.url("/v1"));
    page.test_id("endpoint-model").type_keys("llama");
    page.test_id("endpoint-save").wait_enabled().click();
    assert_eq!(page.test_id("endpoint-here").text(), "On this computer");
    window.connect("asker");
    window.call("poem");
    question(page);
    assert_eq!(page.focused(), "sample-refuse", "it starts on the refusal");
    page.wait_text("stays on this computer");
    std::thread::sleep(Duration::from_millis(700));
    page.test_id("sample-ask").click();
    let answer = page.test_id("sample-answer");
    assert_eq!(answer.property("value"), json!("Paris, I think."));
    assert_eq!(endpoint.asked().len(), 1);
    assert_eq!(
        fake.log().received_method("tools/call").len(),
        1,
        "nothing went to the server yet"
    );
    page.reload();
    question(page);
    let answer = page.test_id("sample-answer");
    assert_eq!(
        answer.property("value"),
        json!("Paris, I think."),
        "a reload keeps what the model said"
    );
    std::thread::sleep(Duration::from_millis(700));
    page.test_id("sample-answer").clear().type_keys("Paris.");
    press(page, "sample-once");
    page.test_id("tool-poem").click();
    assert!(result(page).contains("A poem was made."));
    let calls = fake.log().received_method("tools/call");
    let sent = &calls[1].params()["inputResponses"]["poem"];
    assert_eq!(sent["content"]["text"], "Paris.", "as it was changed: {sent}");
    assert_eq!(sent["model"], "told-1", "as the endpoint named it");
    page.test_id("nav-record").click();
    page.wait_text("Model asked");
    page.wait_text("Answer of a model sent");
}
