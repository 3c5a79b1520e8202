//! Model requests as a script and a person at a terminal meet them.

use gatehouse_host::view::{EndpointKind, EndpointSettings};
use gatehouse_tests::command::Gatehouse;
use gatehouse_tests::endpoint::{Endpoint, Told};
use gatehouse_tests::fake::FakeServer;
use gatehouse_tests::home::beside;
use serde_json::{Value, json};

use super::{asks_for, check};
use crate::terminal::dialogue;

const HOW: &str = "answers by hand";
const SEND: &str = "[s]end it";

fn asks_a_model() -> FakeServer {
    let content = json!({"type": "text", "text": "The capital of France?"});
    let params =
        json!({"messages": [{"role": "user", "content": content}], "systemPrompt": "Be brief.", "maxTokens": 20});
    asks_for(json!({"method": "sampling/createMessage", "params": params}))
}

fn offering(fake: &FakeServer) -> Gatehouse {
    let gatehouse = Gatehouse::with(&fake.launch());
    beside(&gatehouse.home(), async |host| {
        let set = host.change_server("s", &[("sampling", "on")]).await;
        set.expect("it is there");
    });
    gatehouse
}

/// What the server was told, call by call.
fn told(fake: &FakeServer) -> Vec<Value> {
    let calls = fake.log().received_method("tools/call");
    let answers = calls.iter().filter_map(|call| call.params().get("inputResponses"));
    answers.map(|answers| answers["q"].clone()).collect()
}

#[test]
fn a_script_answers_by_a_flag_or_not_at_all() {
    let fake = asks_a_model();
    let gatehouse = offering(&fake);
    check(&gatehouse, &["call", "s", "t"], 3, "--answer sampling=JSON");
    check(
        &gatehouse,
        &["call", "s", "t", "--answer", "other=1"],
        3,
        "sampling/createMessage",
    );
    assert!(told(&fake).is_empty(), "nothing was sent");
    check(
        &gatehouse,
        &["call", "s", "t", "--answer", "sampling=Paris."],
        0,
        "went on",
    );
    let whole = r#"sampling={"role":"assistant","content":{"type":"text","text":"Lyon"},"model":"m"}"#;
    check(&gatehouse, &["call", "s", "t", "--answer", whole], 0, "went on");
    let wrong = r#"sampling={"role":"nobody","content":{"type":"text","text":"Lyon"},"model":"m"}"#;
    check(&gatehouse, &["call", "s", "t", "--answer", wrong], 3, "role");
    let sent = told(&fake);
    assert_eq!(sent.len(), 2, "{sent:?}");
    assert_eq!(sent[0]["content"]["text"], "Paris.");
    assert_eq!(
        sent[1],
        json!({"role": "assistant", "content": {"type": "text", "text": "Lyon"}, "model": "m"})
    );
    let record = gatehouse.record();
    assert_eq!(record[2]["outcome"], "sampled", "{record:?}");
}

#[test]
fn a_person_at_a_terminal_reads_writes_and_sends() {
    let fake = asks_a_model();
    let gatehouse = offering(&fake);
    let call = ["call", "s", "t"];
    let done = dialogue(
        &gatehouse,
        &call,
        &[(HOW, "h\n"), ("ends it", "It is\n\nParis.\n.\n"), (SEND, "s\n")],
    );
    assert_eq!(done.code, 0, "{done:#?}");
    for part in [
        "“s” asks for an answer of a model",
        "Be brief.",
        "The capital of France?",
        "at most 20 tokens",
        "No model endpoint is on",
    ] {
        assert!(done.stderr.contains(part), "{part} is shown: {done:#?}");
    }
    assert_eq!(told(&fake)[0]["content"]["text"], "It is\n\nParis.");
    for lines in [&[(HOW, "\n")][..], &[(HOW, "h\n"), ("ends it", "x\n.\n"), (SEND, "\n")]] {
        let done = dialogue(&gatehouse, &call, lines);
        assert_eq!(done.code, 3, "anything but a clear yes is no: {done:#?}");
    }
    let done = dialogue(&gatehouse, &call, &[(HOW, "never\n")]);
    assert_eq!(done.code, 3, "{done:#?}");
    assert_eq!(told(&fake).len(), 1, "nothing more was sent");
    check(&gatehouse, &["call", "s", "t", "--answer", "sampling=x"], 3, "");
    let listed = check(&gatehouse, &["grants", "list"], 0, "no answer of a model");
    assert!(listed.stdout.contains("any model"), "{listed:#?}");
}

#[test]
fn a_person_at_a_terminal_asks_the_endpoint() {
    let runtime = tokio::runtime::Runtime::new().expect("threads can be made");
    let endpoint = runtime.block_on(Endpoint::that(vec![
        Told::error(500, "{}"),
        Told::ollama("Paris, of course."),
    ]));
    let fake = asks_a_model();
    let gatehouse = offering(&fake);
    let settings = EndpointSettings {
        on: true,
        kind: EndpointKind::Ollama,
        url: endpoint.url(""),
        model: "llama".into(),
        ..EndpointSettings::default()
    };
    beside(&gatehouse.home(), async |host| {
        host.set_endpoint(settings).await.expect("it can be used");
    });
    let done = dialogue(
        &gatehouse,
        &["call", "s", "t"],
        &[
            ("asks llama at 127.0.0.1", "m\n"),
            ("answered 500", ""),
            (HOW, "m\n"),
            (SEND, "s\n"),
        ],
    );
    assert_eq!(done.code, 0, "{done:#?}");
    assert!(done.stderr.contains("on this machine"), "{done:#?}");
    assert_eq!(told(&fake)[0]["content"]["text"], "Paris, of course.");
    assert_eq!(endpoint.asked().len(), 2);
}
