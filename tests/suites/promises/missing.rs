//! Errors that say what is missing: shown in words, never followed by a blind second try.

use std::time::Duration;

use gatehouse_host::Code;
use gatehouse_host::call::{Call, What};
use gatehouse_tests::fake::FakeServer;
use gatehouse_tests::home::{Home, failed, said};
use gatehouse_tests::schema::Revision::Modern;
use gatehouse_tests::script::{Action, Rule, Script, act};
use serde_json::{Value, json};

const CALL: &str = "tools/call";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

fn lacks(code: i64, data: Value) -> Action {
    act::error_data(code, "Missing required client capability", data)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_capability_is_named_and_nothing_is_tried_again() {
    for (answer, words) in [
        (
            lacks(-32021, json!({"requiredCapabilities": {"sampling": {}}})),
            "sampling",
        ),
        (
            lacks(
                -32021,
                json!({"requiredCapabilities": {"sampling": {"tools": {}}, "acme": {}}}),
            ),
            "sampling.tools, acme",
        ),
        (lacks(-32021, json!({"requiredCapabilities": {"roots": {}}})), "folders"),
        (lacks(-32021, json!({"requiredCapabilities": 7})), "does not say what"),
        (lacks(-32021, json!("text")), "does not say what"),
        (act::error(-32021, "no data at all"), "does not say what"),
        (
            lacks(-32003, json!({"requiredCapabilities": {"sampling": {}}})),
            "sampling",
        ),
        (
            act::error(-32003, "client lacks a required capability"),
            "does not say what",
        ),
    ] {
        let fake = FakeServer::new(&Script::modern().tool("t").rule(Rule::on(CALL).does([answer.clone()])));
        let home = Home::with(&fake).await;
        let end = home.call("s", "t", "{}").await;
        let error = failed(&end);
        assert_eq!(
            end.expect_err("it lacks something").code(),
            Code::ServerError,
            "{error}"
        );
        assert!(error.contains(words), "the error says {words}: {error}");
        let mark = fake.log().mark();
        fake.log()
            .assert_silent(mark, Duration::from_millis(800), "there is no blind second try");
        assert_eq!(fake.log().received_method(CALL).len(), 1, "{answer:?}");
        home.end(&[(&fake, Modern)]).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_missing_is_declared_when_the_person_allows_it_and_calls_again() {
    let script = Script::modern()
        .tool("t")
        .rule(Rule::on(CALL).contains("\"roots\":{}").does([act::text("has it")]))
        .rule(Rule::on(CALL).does([lacks(-32021, json!({"requiredCapabilities": {"roots": {}}}))]));
    let fake = FakeServer::new(&script);
    let home = Home::with(&fake).await;
    home.host()
        .change_server("s", &[("roots", "off")])
        .await
        .expect("it can be set");
    failed(&home.call("s", "t", "{}").await);
    let mark = fake.log().mark();
    home.host()
        .change_server("s", &[("roots", "on")])
        .await
        .expect("it can be set");
    fake.log()
        .assert_silent(mark, Duration::from_millis(800), "a switch sends nothing by itself");
    assert!(said(&home.call("s", "t", "{}").await).contains("has it"));
    let calls = fake.log().received_method(CALL);
    assert_eq!(calls.len(), 2, "one call each time that the person called");
    assert_ne!(calls[0].id(), calls[1].id(), "the second is a new request");
    let declared = |at: usize| calls[at].params()["_meta"][CAPABILITIES].get("roots").is_some();
    assert_eq!((declared(0), declared(1)), (false, true));
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_resource_that_is_not_there_is_said_in_words_whatever_its_code() {
    for (answer, words) in [
        (
            act::error_data(-32002, "Resource not found", json!({"uri": "x://gone"})),
            "no resource",
        ),
        (act::error(-32002, "nope"), "no such resource"),
        (act::error_data(-32002, "nope", json!(7)), "no such resource"),
        (
            act::error_data(-32602, "Invalid params", json!({"uri": "x://gone"})),
            "no such resource",
        ),
        (act::error(-32602, "Unknown resource"), "no such resource"),
    ] {
        let fake = FakeServer::new(&Script::modern().rule(Rule::on("resources/read").does([answer.clone()])));
        let home = Home::with(&fake).await;
        let what = What::Resource { uri: "x://gone".into() };
        let end = home
            .host()
            .call(Call {
                server: "s".into(),
                what,
                limit: None,
            })
            .await;
        let error = failed(&end);
        assert!(error.contains(words), "the error says {words}: {error}");
        assert_eq!(fake.log().received_method("resources/read").len(), 1, "{answer:?}");
        home.end(&[(&fake, Modern)]).await;
    }
}
