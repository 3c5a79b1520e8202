//! Requirement: an answer is used again only while its server calls it fresh (`ttlMs`), for the same method and params, and not
//! after a change was told. Through the host, by the requests that left. The times by a clock that is turned by hand are unit
//! tests of `mcp::client::cache`.

use std::time::{Duration, Instant};

use gatehouse_host::call::{Call, What};
use gatehouse_host::view::RootsChoice;
use gatehouse_tests::fake::FakeServer;
use gatehouse_tests::home::{Home, Person, said};
use gatehouse_tests::schema::Revision::Modern;
use gatehouse_tests::script::{Action, Rule, Script, act};
use serde_json::{Value, json};

const LIMIT: Duration = Duration::from_secs(20);

/// A page of tools with one tool and this in its result.
fn page(tool: &str, more: Value) -> Action {
    let mut result = json!({"resultType": "complete",
        "tools": [{"name": tool, "inputSchema": {"type": "object"}}]});
    if let (Some(result), Some(more)) = (result.as_object_mut(), more.as_object()) {
        result.extend(more.clone());
    }
    act::result(result)
}

async fn lists(home: &Home) -> Vec<String> {
    let tools = home.host().tools("s").await.expect("they are listed");
    tools.items.into_iter().map(|tool| tool.name).collect()
}

fn asked(fake: &FakeServer) -> usize {
    fake.log().received_method("tools/list").len()
}

#[tokio::test(flavor = "multi_thread")]
async fn only_a_positive_time_makes_an_answer_fresh() {
    for (more, fresh) in [
        (json!({"ttlMs": 60_000, "cacheScope": "private"}), true),
        (json!({"ttlMs": 60_000}), true),
        (json!({"ttlMs": 0}), false),
        (json!({"ttlMs": -1}), false),
        (json!({"ttlMs": "60000"}), false),
        (json!({"cacheScope": "public"}), false),
        (json!({}), false),
    ] {
        let fake = FakeServer::new(&Script::modern().on("tools/list", [page("t", more.clone())]));
        let home = Home::with(&fake).await;
        for _ in 0..3 {
            assert_eq!(lists(&home).await, ["t"]);
        }
        assert_eq!(asked(&fake), if fresh { 1 } else { 3 }, "for {more}");
        home.end(&[(&fake, Modern)]).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_is_stale_when_its_time_is_over_and_nobody_asks_by_itself() {
    const TTL: Duration = Duration::from_millis(1500);
    let fake = FakeServer::new(&Script::modern().on("tools/list", [page("t", json!({"ttlMs": 1500}))]));
    let home = Home::with(&fake).await;
    lists(&home).await;
    let answered = Instant::now();
    lists(&home).await;
    // On a machine that stood still meanwhile the answer may be stale, rightly.
    let used = answered.elapsed() > TTL || asked(&fake) == 1;
    assert!(used, "it was fresh");
    tokio::time::sleep(TTL + Duration::from_millis(300)).await;
    let before = asked(&fake);
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(asked(&fake), before, "nothing is asked for because a time is over");
    lists(&home).await;
    assert_eq!(asked(&fake), before + 1, "but when it is looked at");
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_page_has_its_own_time_and_an_empty_cursor_is_a_cursor() {
    let script = Script::modern()
        .rule(
            Rule::on("tools/list")
                .contains(r#""cursor":"""#)
                .does([page("second", json!({"ttlMs": 0}))]),
        )
        .on(
            "tools/list",
            [page("first", json!({"ttlMs": 60_000, "nextCursor": ""}))],
        );
    let fake = FakeServer::new(&script);
    let home = Home::with(&fake).await;
    for _ in 0..3 {
        assert_eq!(lists(&home).await, ["first", "second"]);
    }
    let cursors: Vec<Value> = fake
        .log()
        .received_method("tools/list")
        .iter()
        .map(|frame| frame.params()["cursor"].clone())
        .collect();
    assert_eq!(
        cursors,
        [json!(null), json!(""), json!(""), json!("")],
        "the first page stays fresh, the second does not"
    );
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_that_is_told_makes_stale_what_is_fresh() {
    let told = |method: &str| {
        act::line(&format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/{method}","params":{{"_meta":{{"io.modelcontextprotocol/subscriptionId":$params.arguments.sub}}}}}}"#
        ))
    };
    let acknowledged = act::line(
        r#"{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":$id},"notifications":$params.notifications}}"#,
    );
    let call = |tool: &str, method: &str| {
        Rule::on("tools/call")
            .name(tool)
            .does([told(method), act::text("told")])
    };
    let script = Script::modern()
        .capabilities(json!({"tools": {"listChanged": true}, "prompts": {"listChanged": true}}))
        .rule(Rule::on("subscriptions/listen").background().does([acknowledged]))
        .rule(call("tools", "tools/list_changed"))
        .rule(call("prompts", "prompts/list_changed"))
        .on("tools/list", [page("t", json!({"ttlMs": 60_000}))]);
    let fake = FakeServer::new(&script);
    let home = Home::with(&fake).await;
    home.host().connect("s").await.expect("it starts");
    fake.log()
        .until("the acknowledgement", LIMIT, |log| {
            log.sent().iter().any(|frame| frame.method().ends_with("acknowledged"))
        })
        .await;
    lists(&home).await;
    lists(&home).await;
    assert_eq!(asked(&fake), 1);
    let sub = fake.log().received_method("subscriptions/listen")[0].id().clone();
    let args = json!({ "sub": sub }).to_string();
    said(&home.call("s", "prompts", &args).await);
    lists(&home).await;
    assert_eq!(asked(&fake), 1, "another list changed");
    said(&home.call("s", "tools", &args).await);
    lists(&home).await;
    assert_eq!(asked(&fake), 2, "its own list changed");
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_retry_gave_is_never_used_again() {
    let contents = act::result(
        json!({"resultType": "complete", "ttlMs": 60_000, "cacheScope": "private",
        "contents": [{"uri": "demo://r", "text": "for these folders"}]}),
    );
    let script = Script::modern()
        .resource("demo://r")
        .rule(
            Rule::on("resources/read")
                .fresh()
                .does([act::ask(json!({"r": {"method": "roots/list"}}), Some("s"))]),
        )
        .rule(Rule::on("resources/read").answered().does([contents]));
    let fake = FakeServer::new(&script);
    let home = Home::with(&fake).await;
    let person = Person::who(&home, RootsChoice::ShareOnce);
    for time in 1..=2 {
        let what = What::Resource { uri: "demo://r".into() };
        let call = Call {
            server: "s".into(),
            what,
            limit: None,
        };
        said(&home.host().call(call).await);
        assert_eq!(fake.log().received_method("resources/read").len(), 2 * time);
    }
    assert_eq!(person.asked(), 2, "and the person is asked each time");
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_one_connection_was_told_is_not_used_for_another() {
    let script = || {
        Script::modern().on(
            "tools/list",
            [page("t", json!({"ttlMs": 60_000, "cacheScope": "private"}))],
        )
    };
    let (one, other) = (FakeServer::new(&script()), FakeServer::new(&script()));
    let home = Home::with(&one).await;
    home.add("other", &other.launch()).await;
    lists(&home).await;
    home.host().tools("other").await.expect("they are listed");
    assert_eq!((asked(&one), asked(&other)), (1, 1), "each server is asked itself");
    home.host().disconnect("s").await.expect("it stops");
    lists(&home).await;
    assert_eq!(asked(&one), 2, "a new process may know better");
    home.end(&[(&one, Modern), (&other, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_person_may_ask_for_a_fresh_list_anew() {
    let fake = FakeServer::new(&Script::modern().on("tools/list", [page("t", json!({"ttlMs": 60_000}))]));
    let home = Home::with(&fake).await;
    lists(&home).await;
    home.host().forget_lists("s");
    lists(&home).await;
    assert_eq!(asked(&fake), 2);
    home.end(&[(&fake, Modern)]).await;
}
