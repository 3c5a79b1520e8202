//! `templates`, `complete` and `read --watch`.

use std::time::Duration;

use gatehouse_tests::command::Gatehouse;
use gatehouse_tests::fake::FakeServer;
use gatehouse_tests::script::{Rule, Script, act};
use serde_json::json;

const TEMPLATE: &str = "repo://{owner}/{name}";

fn server() -> Script {
    let listed = json!({"resultType": "complete", "resourceTemplates": [
        {"uriTemplate": TEMPLATE, "name": "repo", "title": "A repository"}, {"uriTemplate": "x:/{", "name": "broken"}]});
    let words = json!({"resultType": "complete", "completion": {"values": ["ada", "al\u{1b}an"], "hasMore": true}});
    let prompt = json!({"resultType": "complete", "completion": {"values": []}});
    Script::modern()
        .capabilities(json!({"resources": {"subscribe": true}, "prompts": {}, "completions": {}}))
        .on("resources/templates/list", [act::result(listed)])
        .rule(
            Rule::on("completion/complete")
                .contains("ref/prompt")
                .does([act::result(prompt)]),
        )
        .on("completion/complete", [act::result(words)])
}

#[test]
fn templates_are_listed_and_their_variables_completed() {
    let fake = FakeServer::new(&server());
    let gatehouse = Gatehouse::with(&fake.launch());
    let done = gatehouse.ok(["templates", "s"]);
    assert!(done.stdout.contains("repo://{owner}/{name}  A repository"), "{done:#?}");
    assert!(done.stdout.contains("No address can be made of it"), "{done:#?}");
    let done = gatehouse.ok([
        "complete",
        "s",
        "--template",
        TEMPLATE,
        "--with",
        "name=x",
        "owner",
        "a",
    ]);
    assert_eq!(done.stdout, "ada\nal␛an\n… and more\n");
    let asked = &fake.log().received_method("completion/complete")[0];
    assert_eq!(asked.params()["argument"], json!({"name": "owner", "value": "a"}));
    assert_eq!(asked.params()["context"], json!({"arguments": {"name": "x"}}));
    let done = gatehouse.ok(["complete", "s", "--prompt", "p", "tone", ""]);
    assert_eq!(done.stdout, "The server suggests nothing.\n");
    for wrong in [
        vec!["complete", "s", "tone", ""],
        vec!["complete", "s", "--prompt", "p", "--template", "t", "tone", ""],
    ] {
        assert_eq!(gatehouse.run(&wrong).code, 2, "{wrong:?}");
    }
}

#[test]
fn a_watched_resource_is_printed_again_at_each_change() {
    let told = |method: &str, more: &str| {
        act::line(&format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/{method}","params":{{"_meta":{{"io.modelcontextprotocol/subscriptionId":$id}},{more}}}}}"#
        ))
    };
    let contents =
        |text: &str| act::result(json!({"resultType": "complete", "contents": [{"uri": "x://a", "text": text}]}));
    let script = server()
        .rule(Rule::on("resources/read").nth(1).does([contents("first")]))
        .rule(Rule::on("resources/read").does([contents("second")]))
        .rule(Rule::on("subscriptions/listen").background().does([
            told("subscriptions/acknowledged", r#""notifications":$params.notifications"#),
            act::wait(1000),
            told("resources/updated", r#""uri":"x://a""#),
            act::wait(1500),
            act::result(json!({"resultType": "complete"})),
        ]));
    let fake = FakeServer::new(&script);
    let gatehouse = Gatehouse::with(&fake.launch());
    let done = gatehouse.run(["read", "s", "x://a", "--watch"]);
    assert_eq!(done.code, 2, "the server ended it, which is said: {done:#?}");
    let (first, second) = (done.stdout.find("first"), done.stdout.find("second"));
    assert!(first.is_some() && first < second, "one after the other: {done:#?}");
    assert!(done.stderr.contains("does not tell of changes"), "{done:#?}");
    fake.wait_for("resources/read", 2, Duration::from_secs(1));
}
