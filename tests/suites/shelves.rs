//! What a server offers beside tools: templates of addresses and suggestions while something is typed. What leaves, and when.

use std::time::Duration;

use gatehouse_host::call::{Call, What};
use gatehouse_host::view::{SuggestInput, SuggestOf};
use gatehouse_tests::fake::FakeServer;
use gatehouse_tests::home::{Home, failed, said};
use gatehouse_tests::schema::Revision::{Autumn2025, Modern};
use gatehouse_tests::script::{Rule, Script, act};
use serde_json::{Value, json};

const LIMIT: Duration = Duration::from_secs(20);
const TEMPLATE: &str = "repo://{owner}/{/path*}{?ref}";

fn listed(templates: Value) -> gatehouse_tests::script::Action {
    act::result(json!({"resultType": "complete", "resourceTemplates": templates}))
}

fn typed(value: &str) -> SuggestInput {
    SuggestInput {
        of: SuggestOf::Template,
        name: TEMPLATE.into(),
        argument: "owner".into(),
        value: value.into(),
        others: vec![("ref".into(), "main".into()), ("path".into(), String::new())],
    }
}

fn suggests(script: Script) -> Script {
    script.capabilities(json!({"resources": {}, "completions": {}}))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_template_is_listed_filled_and_read_like_any_resource() {
    let script = Script::modern()
        .capabilities(json!({"resources": {}}))
        .on(
            "resources/templates/list",
            [listed(json!([
                {"uriTemplate": TEMPLATE, "name": "file", "title": "A file", "mimeType": "text/plain",
                 "annotations": {"audience": ["user"], "priority": 0.5, "lastModified": "2026-01-02T03:04:05Z"}},
                {"uriTemplate": "x:/{", "name": "broken"},
                {"name": "none"},
            ]))],
        )
        .on(
            "resources/read",
            [act::result(
                json!({"resultType": "complete", "contents": [{"uri": "x", "text": "words"}]}),
            )],
        );
    let fake = FakeServer::new(&script);
    let home = Home::with(&fake).await;
    let list = home.host().templates("s").await.expect("they are listed");
    assert_eq!((list.items.len(), list.unreadable.len()), (2, 1));
    let file = &list.items[0];
    let variables: Vec<_> = file.variables.iter().map(|v| (v.name.as_str(), v.several)).collect();
    assert_eq!(variables, [("owner", false), ("path", true), ("ref", false)]);
    assert_eq!((file.claims.priority, file.claims.audience.len()), (Some(0.5), 1));
    assert!(list.items[1].unusable.is_some(), "what makes no address says why");
    let values = [("owner", "me & you"), ("path", "src\nä.rs"), ("ref", "")];
    let values: Vec<_> = values.map(|(k, v)| (k.to_owned(), v.to_owned())).into();
    let before = fake.log().received().len();
    let uri = home
        .host()
        .expand_template(&file.template, &values)
        .expect("it expands");
    assert_eq!(uri, "repo://me%20%26%20you//src/%C3%A4.rs");
    assert_eq!(
        fake.log().received().len(),
        before,
        "filling it tells the server nothing"
    );
    let call = Call {
        server: "s".into(),
        what: What::Resource { uri: uri.clone() },
        limit: None,
    };
    said(&home.host().call(call).await);
    assert_eq!(fake.log().received_method("resources/read")[0].params()["uri"], uri);
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_without_templates_lists_none() {
    for (script, asked) in [
        (
            Script::modern()
                .capabilities(json!({"resources": {}}))
                .on("resources/templates/list", [act::error(-32601, "Method not found")]),
            1,
        ),
        (Script::modern().capabilities(json!({"tools": {}})), 0),
    ] {
        let fake = FakeServer::new(&script);
        let home = Home::with(&fake).await;
        assert!(
            home.host()
                .templates("s")
                .await
                .expect("it is no error")
                .items
                .is_empty()
        );
        assert_eq!(fake.log().received_method("resources/templates/list").len(), asked);
        home.end(&[(&fake, Modern)]).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn suggestions_are_asked_for_with_what_stands_in_the_other_fields() {
    let answer = json!({"resultType": "complete", "completion": {"values": ["me\u{202e}", "menace"], "total": 7}});
    let modern = suggests(Script::modern()).on("completion/complete", [act::result(answer.clone())]);
    let legacy = suggests(Script::legacy("2025-11-25")).on("completion/complete", [act::result(answer)]);
    for (script, revision) in [(modern, Modern), (legacy, Autumn2025)] {
        let fake = FakeServer::new(&script);
        let home = Home::with(&fake).await;
        failed(&home.host().suggest("s", typed("me")).await);
        assert!(fake.log().received().is_empty(), "typing starts no server");
        home.host().connect("s").await.expect("it starts");
        let found = home.host().suggest("s", typed("me")).await.expect("it suggests");
        assert_eq!((found.total, found.more), (Some(7), true));
        assert_eq!(found.values[0].value, "me\u{202e}", "the value is the server's");
        assert_eq!(found.values[0].label, "me⟨U+202E⟩", "what is shown is harmless");
        let asked = &fake.log().received_method("completion/complete")[0];
        let mut params = asked.params().clone();
        params.as_object_mut().expect("an object").remove("_meta");
        assert_eq!(
            params,
            json!({"ref": {"type": "ref/resource", "uri": TEMPLATE},
                "argument": {"name": "owner", "value": "me"}, "context": {"arguments": {"ref": "main"}}}),
            "fields without a value are not in it"
        );
        home.end(&[(&fake, revision)]).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_newer_word_cancels_the_suggestions_for_the_older_one() {
    let script = suggests(Script::modern())
        .rule(
            Rule::on("completion/complete")
                .contains(r#""value":"slow"#)
                .background()
                .does([act::wait(60_000)]),
        )
        .on(
            "completion/complete",
            [act::result(
                json!({"resultType": "complete", "completion": {"values": ["quick"]}}),
            )],
        );
    let fake = FakeServer::new(&script);
    let home = Home::with(&fake).await;
    home.host().connect("s").await.expect("it starts");
    let begin = |value: &'static str| {
        let host = home.host().clone();
        tokio::spawn(async move { host.suggest("s", typed(value)).await })
    };
    let log = fake.log();
    let cancelled = |count: usize| {
        log.until("a cancel", LIMIT, move |log| {
            log.received_method("notifications/cancelled").len() == count
        })
    };
    let slow = begin("slow");
    fake.wait_for("completion/complete", 1, LIMIT);
    let found = home.host().suggest("s", typed("quick")).await.expect("it suggests");
    assert_eq!(found.values[0].value, "quick");
    cancelled(1).await;
    failed(&slow.await.expect("no panic"));
    let slower = begin("slower");
    fake.wait_for("completion/complete", 3, LIMIT);
    home.host().stop_suggestions("s");
    cancelled(2).await;
    failed(&slower.await.expect("no panic"));
    let asked = log.received_method("completion/complete");
    let ids: Vec<&Value> = [&asked[0], &asked[2]].map(|frame| frame.id()).into();
    let told = log.received_method("notifications/cancelled");
    assert_eq!(
        told.iter()
            .map(|frame| &frame.params()["requestId"])
            .collect::<Vec<_>>(),
        ids
    );
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_offers_no_suggestions_hears_nothing_of_what_is_typed() {
    let fake = FakeServer::new(&Script::modern().capabilities(json!({"resources": {}, "prompts": {}})));
    let home = Home::with(&fake).await;
    home.host().connect("s").await.expect("it starts");
    failed(&home.host().suggest("s", typed("me")).await);
    assert!(fake.log().received_method("completion/complete").is_empty());
    let long = "x".repeat(gatehouse_host::bounds::SUGGEST_TYPED + 1);
    failed(&home.host().suggest("s", typed(&long)).await);
    home.end(&[(&fake, Modern)]).await;
}
