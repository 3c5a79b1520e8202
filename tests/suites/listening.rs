//! Requirement: what a server may tell unasked counts only inside a subscription that it has acknowledged, and only for that
//! one. Through the host: resources that the person watches, on either era. The parts are unit tests of `mcp::client`.

use std::time::Duration;

use gatehouse_host::call::{Call, What};
use gatehouse_host::view::{WatchState, WatchView};
use gatehouse_tests::fake::FakeServer;
use gatehouse_tests::home::{Home, failed, said};
use gatehouse_tests::schema::Revision::{Autumn2025, Modern};
use gatehouse_tests::script::{Action, Rule, Script, act};
use serde_json::{Value, json};

const LIMIT: Duration = Duration::from_secs(20);
const A: &str = "demo://a";
const B: &str = "demo://b";

fn acknowledge() -> Action {
    act::line(
        r#"{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":$id},"notifications":$params.notifications}}"#,
    )
}

/// A modern server whose tools say what a test wants said: `tell` a change, `tell_bare` one for no subscription, `cancel` or
/// `finish` a subscription. `sub` is a raw id.
fn server() -> Script {
    let tool = |name: &str, line: &str| {
        Rule::on("tools/call")
            .name(name)
            .does([act::line(line), act::text("told")])
    };
    Script::modern()
        .resource(A)
        .resource(B)
        .capabilities(json!({"tools": {}, "resources": {"subscribe": true}}))
        .on("resources/read", [read()])
        .rule(tool(
            "tell",
            r#"{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":$params.arguments.sub},"uri":$params.arguments.uri}}"#,
        ))
        .rule(tool(
            "tell_bare",
            r#"{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":$params.arguments.uri}}"#,
        ))
        .rule(tool(
            "acknowledge",
            r#"{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":$params.arguments.sub},"notifications":{"resourceSubscriptions":$params.arguments.uris}}}"#,
        ))
        .rule(tool(
            "cancel",
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":$params.arguments.sub}}"#,
        ))
        .rule(tool(
            "finish",
            r#"{"jsonrpc":"2.0","id":$params.arguments.sub,"result":{"resultType":"complete"}}"#,
        ))
        .rule(Rule::on("tools/call").name("die").does([Action::Exit(3)]))
}

fn read() -> Action {
    act::result(json!({"resultType": "complete", "contents": [{"uri": A, "text": "words"}]}))
}

fn listens(script: Script) -> Script {
    script.rule(Rule::on("subscriptions/listen").background().does([acknowledge()]))
}

/// What is watched, as the window is told of it.
async fn watched(home: &Home) -> Vec<WatchView> {
    home.host().servers().await.expect("they are read").remove(0).watched
}

/// Waits until a watched resource is as wanted.
async fn until(home: &Home, uri: &str, what: &str, fits: impl Fn(&WatchView) -> bool) -> WatchView {
    let began = std::time::Instant::now();
    loop {
        let list = watched(home).await;
        if let Some(found) = list.iter().find(|watch| watch.uri == uri && fits(watch)) {
            return found.clone();
        }
        assert!(began.elapsed() < LIMIT, "waited for {what}: {list:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn watch(home: &Home, uri: &str) {
    home.host().watch_resource("s", uri).await.expect("it is asked for");
}

async fn until_watched(home: &Home, uri: &str) {
    until(home, uri, "the acknowledgement", |watch| {
        watch.state == WatchState::Watched
    })
    .await;
}

/// The raw id of the request that listens to a resource, the latest one.
fn sub(fake: &FakeServer, uri: &str) -> Value {
    let frames = fake.log().received_method("subscriptions/listen");
    let names = |frame: &&gatehouse_tests::log::Frame| {
        frame.params()["notifications"]["resourceSubscriptions"]
            .as_array()
            .is_some_and(|uris| uris.iter().any(|known| known == uri))
    };
    frames.iter().rfind(names).expect("it is listened to").id().clone()
}

async fn says(home: &Home, tool: &str, args: Value) {
    said(&home.call("s", tool, &args.to_string()).await);
}

async fn reads(home: &Home, uri: &str) {
    let what = What::Resource { uri: uri.to_owned() };
    let call = Call {
        server: "s".into(),
        what,
        limit: None,
    };
    said(&home.host().call(call).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_counts_before_a_subscription_is_acknowledged() {
    let fake = FakeServer::new(&server().rule(Rule::on("subscriptions/listen").does([])));
    let home = Home::with(&fake).await;
    watch(&home, A).await;
    fake.wait_for("subscriptions/listen", 1, LIMIT);
    let asked = &fake.log().received_method("subscriptions/listen")[0];
    assert_eq!(
        asked.params()["notifications"],
        json!({"resourceSubscriptions": [A]}),
        "nothing is asked for but that"
    );
    let sub = sub(&fake, A);
    says(&home, "tell", json!({"sub": sub, "uri": A})).await;
    let early = watched(&home).await.remove(0);
    assert_eq!(
        (early.state, early.changes),
        (WatchState::Asked, 0),
        "it came too early"
    );
    says(&home, "acknowledge", json!({"sub": sub, "uris": [A]})).await;
    let begun = until(&home, A, "the acknowledgement", |watch| {
        watch.state == WatchState::Watched
    })
    .await;
    assert!(!begun.changed, "what came before is no change");
    says(&home, "tell", json!({"sub": sub, "uri": A})).await;
    until(&home, A, "a change", |watch| watch.changed).await;
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_acknowledged_is_compared_with_what_was_asked() {
    let fake = FakeServer::new(&server().rule(Rule::on("subscriptions/listen").does([])));
    let home = Home::with(&fake).await;
    watch(&home, A).await;
    fake.wait_for("subscriptions/listen", 1, LIMIT);
    let sub = sub(&fake, A);
    says(&home, "acknowledge", json!({"sub": sub, "uris": [B]})).await;
    let refused = until(&home, A, "the comparison", |watch| watch.state != WatchState::Asked).await;
    assert!(matches!(refused.state, WatchState::Refused { .. }), "{refused:?}");
    fake.log()
        .until("the end of it", LIMIT, |log| {
            let cancels = log.received_method("notifications/cancelled");
            cancels.iter().any(|frame| frame.params()["requestId"] == sub)
        })
        .await;
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_count_for_their_own_subscription_only() {
    let fake = FakeServer::new(&listens(server()));
    let home = Home::with(&fake).await;
    for uri in [A, B] {
        watch(&home, uri).await;
        until_watched(&home, uri).await;
    }
    let (first, second) = (sub(&fake, A), sub(&fake, B));
    assert_ne!(first, second, "each is a request of its own");
    says(&home, "tell", json!({"sub": second, "uri": B})).await;
    until(&home, B, "its change", |watch| watch.changed).await;
    // An id of another type, of no subscription, none at all.
    says(&home, "tell", json!({"sub": first.to_string(), "uri": A})).await;
    says(&home, "tell", json!({"sub": 99_999, "uri": A})).await;
    says(&home, "tell_bare", json!({"uri": A})).await;
    says(&home, "tell", json!({"sub": second, "uri": B})).await;
    let other = until(&home, B, "another change", |watch| watch.changes >= 2).await;
    assert!(other.changed);
    let list = watched(&home).await;
    assert!(!list[0].changed && list[0].uri == A, "nothing was for it: {list:?}");
    says(&home, "tell", json!({"sub": first, "uri": A})).await;
    until(&home, A, "its own change", |watch| watch.changes == 1).await;
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn reading_it_is_what_makes_a_change_old() {
    let fake = FakeServer::new(&listens(server()));
    let home = Home::with(&fake).await;
    reads(&home, A).await;
    watch(&home, A).await;
    until_watched(&home, A).await;
    says(&home, "tell", json!({"sub": sub(&fake, A), "uri": A})).await;
    until(&home, A, "a change", |watch| watch.changed).await;
    let reads_before = fake.log().received_method("resources/read").len();
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(
        fake.log().received_method("resources/read").len(),
        reads_before,
        "a change is said, not read: a reading may ask for something"
    );
    reads(&home, A).await;
    assert!(!watched(&home).await[0].changed, "it was read since");
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_may_end_a_subscription_in_two_ways_and_is_not_asked_again() {
    let fake = FakeServer::new(&listens(server()));
    let home = Home::with(&fake).await;
    for uri in [A, B] {
        watch(&home, uri).await;
        until_watched(&home, uri).await;
    }
    says(&home, "cancel", json!({"sub": sub(&fake, A)})).await;
    says(&home, "finish", json!({"sub": sub(&fake, B)})).await;
    for (uri, words) in [(A, "cancelled"), (B, "ended it")] {
        let ended = until(&home, uri, "the end", |watch| watch.state != WatchState::Watched).await;
        let WatchState::Ended { reason } = &ended.state else {
            panic!("it ended: {ended:?}");
        };
        assert!(reason.contains(words), "{reason}");
    }
    says(&home, "tell_bare", json!({"uri": A})).await;
    assert_eq!(fake.log().received_method("subscriptions/listen").len(), 2);
    assert!(
        fake.log().received_method("notifications/cancelled").is_empty(),
        "what the server ended is not cancelled"
    );
    watch(&home, A).await;
    until_watched(&home, A).await;
    assert_eq!(
        fake.log().received_method("subscriptions/listen").len(),
        3,
        "the person may ask again"
    );
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_drops_is_listened_to_again_on_the_next_one() {
    let fake = FakeServer::new(&listens(server()));
    let home = Home::with(&fake).await;
    watch(&home, A).await;
    until_watched(&home, A).await;
    failed(&home.call("s", "die", "{}").await);
    until(&home, A, "the end of the connection", |watch| {
        watch.state == WatchState::Waiting
    })
    .await;
    home.host().connect("s").await.expect("it starts again");
    until_watched(&home, A).await;
    let list = watched(&home).await;
    assert!(list[0].missed, "it may have changed meanwhile, which is said");
    let frames = fake.log().received_method("subscriptions/listen");
    assert_eq!(frames.len(), 2, "once a connection");
    assert_ne!(frames[0].pid, frames[1].pid);
    reads(&home, A).await;
    assert!(!watched(&home).await[0].missed);
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_watches_no_more_cancels_and_hears_nothing() {
    let fake = FakeServer::new(&listens(server()));
    let home = Home::with(&fake).await;
    watch(&home, A).await;
    until_watched(&home, A).await;
    let sub = sub(&fake, A);
    home.host().unwatch_resource("s", A);
    fake.log()
        .until("the cancel", LIMIT, |log| {
            let cancels = log.received_method("notifications/cancelled");
            cancels.iter().any(|frame| frame.params()["requestId"] == sub)
        })
        .await;
    says(&home, "tell", json!({"sub": sub, "uri": A})).await;
    assert_eq!(watched(&home).await, []);
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_old_server_is_subscribed_to_one_resource_at_a_time() {
    let updated = |uri: &str| act::notify("notifications/resources/updated", Some(json!({"uri": uri})));
    let script = Script::legacy("2025-11-25")
        .resource(A)
        .capabilities(json!({"tools": {}, "resources": {"subscribe": true}}))
        .on("resources/subscribe", [act::result(json!({}))])
        .on("resources/unsubscribe", [act::result(json!({}))])
        .rule(
            Rule::on("tools/call")
                .name("tell")
                .does([updated(A), updated(B), act::text("told")]),
        )
        .rule(Rule::on("tools/call").name("die").does([Action::Exit(3)]));
    let fake = FakeServer::new(&script);
    let home = Home::with(&fake).await;
    watch(&home, A).await;
    until_watched(&home, A).await;
    says(&home, "tell", json!({})).await;
    until(&home, A, "a change", |watch| watch.changed).await;
    failed(&home.call("s", "die", "{}").await);
    until(&home, A, "the end", |watch| watch.state == WatchState::Waiting).await;
    home.host().connect("s").await.expect("it starts again");
    until_watched(&home, A).await;
    home.host().unwatch_resource("s", A);
    fake.wait_for("resources/unsubscribe", 1, LIMIT);
    let subscribed = fake.log().received_method("resources/subscribe");
    assert_eq!(subscribed.len(), 2, "once a connection");
    assert!(subscribed.iter().all(|frame| frame.params()["uri"] == A));
    home.end(&[(&fake, Autumn2025)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_does_not_offer_it_is_not_asked() {
    for script in [
        Script::modern().resource(A).capabilities(json!({"resources": {}})),
        Script::legacy("2025-11-25")
            .resource(A)
            .capabilities(json!({"resources": {}})),
    ] {
        let fake = FakeServer::new(&script);
        let home = Home::with(&fake).await;
        failed(&home.host().watch_resource("s", A).await);
        let log = fake.log();
        assert!(log.received_method("subscriptions/listen").is_empty());
        assert!(log.received_method("resources/subscribe").is_empty());
        home.quit().await;
    }
}
