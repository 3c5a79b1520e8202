//! Subscriptions from their request to their end, in both eras.

use tokio::task::JoinHandle;

use super::{Ready, SOON, offering, ready};
use crate::bounds::CHANGES;
use crate::client::mailbox::Mailbox;
use crate::client::{EraKind, Filter, Subscription, SubscriptionEnd};
use crate::error::ExchangeError;
use crate::model::notice::Change;

const ACK: &str = "subscriptions/acknowledged";

fn all() -> Filter {
    Filter {
        tools: true,
        prompts: true,
        resources: false,
        uris: vec!["x://a".into(), "x://b".into()],
    }
}

fn listen(ready: &Ready, filter: Filter) -> JoinHandle<Result<Subscription, ExchangeError>> {
    let client = ready.client.clone();
    tokio::spawn(async move { client.listen(filter).await })
}

fn of(id: &str, rest: &str) -> String {
    format!(r#"{{"_meta":{{"io.modelcontextprotocol/subscriptionId":{id}}}{rest}}}"#)
}

async fn done<T>(what: JoinHandle<T>) -> T {
    tokio::time::timeout(SOON, what)
        .await
        .expect("in time")
        .expect("no panic")
}

async fn next(subscription: &mut Subscription) -> Option<Change> {
    tokio::time::timeout(SOON, subscription.next()).await.expect("in time")
}

/// An acknowledged subscription whose request has this id.
async fn acknowledged(ready: &mut Ready, id: i64) -> Subscription {
    let listening = listen(ready, all());
    ready.peer.hear().await;
    let honoured =
        r#","notifications":{"toolsListChanged":true,"resourcesListChanged":true,"resourceSubscriptions":["x://a"]}"#;
    ready.tell(ACK, &of(&id.to_string(), honoured));
    done(listening).await.expect("acknowledged")
}

#[tokio::test]
async fn what_is_honoured_is_compared_with_what_was_asked() {
    let mut ready = ready(EraKind::Modern);
    let listening = listen(&ready, all());
    let heard = ready.peer.hear().await;
    let expect = r#""method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true,"promptsListChanged":true,"resourceSubscriptions":["x://a","x://b"]},"_meta":"#;
    assert!(heard.contains(expect), "{heard}");
    ready.tell("tools/list_changed", &of("1", ""));
    assert!(!listening.is_finished(), "nothing counts before the acknowledgement");
    ready.tell(
        ACK,
        &of(
            "1",
            r#","notifications":{"toolsListChanged":true,"resourceSubscriptions":["x://a"]}"#,
        ),
    );
    let mut subscription = done(listening).await.expect("acknowledged");
    assert!(subscription.honoured().tools && subscription.honoured().uris == ["x://a"]);
    assert!(subscription.refused().prompts && subscription.refused().uris == ["x://b"]);
    ready.tell("resources/updated", &of("1", r#","uri":"x://a/below""#));
    let expect = Change::Resource {
        uri: "x://a/below".into(),
    };
    assert_eq!(
        next(&mut subscription).await,
        Some(expect),
        "the early one does not count"
    );
    assert_eq!(ready.violations().await.len(), 1, "the early one is told of");
}

#[tokio::test]
async fn each_change_finds_its_own_subscription_and_waits_there_once() {
    let mut ready = ready(EraKind::Modern);
    let mut first = acknowledged(&mut ready, 1).await;
    let mut second = acknowledged(&mut ready, 2).await;
    for _ in 0..30 {
        ready.tell("tools/list_changed", &of("2", ""));
    }
    for stray in [of("\"2\"", ""), of("7", ""), "{}".into()] {
        ready.tell("tools/list_changed", &stray);
    }
    ready.tell("prompts/list_changed", &of("1", ""));
    ready.tell("resources/updated", &of("1", ""));
    let violations = ready.violations().await;
    assert_eq!(
        violations.len(),
        2,
        "strays once, and subscription 1 once: {violations:?}"
    );
    ready.tell("resources/updated", &of("1", r#","uri":"x://a""#));
    assert_eq!(next(&mut first).await, Some(Change::Resource { uri: "x://a".into() }));
    assert_eq!(next(&mut second).await, Some(Change::Tools));
    ready.reply(2, r#"{"resultType":"complete"}"#);
    assert_eq!(next(&mut second).await, None, "30 are one");
    assert!(matches!(second.ended(), Some(SubscriptionEnd::Graceful)));
}

#[tokio::test]
async fn every_end_has_its_name() {
    let mut ready = ready(EraKind::Modern);
    let mut cancelled = acknowledged(&mut ready, 1).await;
    ready.tell("tools/list_changed", &of("1", ""));
    ready.tell("cancelled", r#"{"requestId":1}"#);
    assert_eq!(
        next(&mut cancelled).await,
        Some(Change::Tools),
        "what came before the end counts"
    );
    assert_eq!(next(&mut cancelled).await, None);
    assert!(matches!(cancelled.ended(), Some(SubscriptionEnd::Cancelled)));
    drop(cancelled);
    let mut failed = acknowledged(&mut ready, 2).await;
    ready.refuse(2, -32603);
    assert_eq!(next(&mut failed).await, None);
    assert!(matches!(
        failed.ended(),
        Some(SubscriptionEnd::Failed(ExchangeError::Server(_)))
    ));
    let mut lost = acknowledged(&mut ready, 3).await;
    ready.reply(1, r#"{"resultType":"complete"}"#);
    assert!(ready.violations().await.is_empty(), "a late result is no violation");
    ready.link.end("over", true);
    assert_eq!(next(&mut lost).await, None);
    assert!(matches!(lost.ended(), Some(SubscriptionEnd::Closed { reason }) if reason == "over"));
}

#[tokio::test]
async fn who_listens_no_more_says_so() {
    let mut ready = ready(EraKind::Modern);
    drop(acknowledged(&mut ready, 1).await);
    let heard = ready.peer.hear().await;
    assert!(
        heard.contains(r#""method":"notifications/cancelled","params":{"requestId":1"#),
        "{heard}"
    );
    ready.tell("tools/list_changed", &of("1", ""));
    ready.reply(1, r#"{"resultType":"complete"}"#);
    assert!(
        ready.violations().await.is_empty(),
        "what was under way is no violation"
    );
    let listening = listen(&ready, all());
    ready.peer.hear().await;
    listening.abort();
    assert!(
        ready.peer.hear().await.contains(r#""requestId":2"#),
        "given up before it began"
    );
}

#[tokio::test]
async fn an_open_subscription_takes_no_nameless_answer() {
    let mut ready = ready(EraKind::Modern);
    let _subscription = acknowledged(&mut ready, 1).await;
    let (_, call) = ready.call().await;
    ready
        .peer
        .say(r#"{"jsonrpc":"2.0","id":null,"error":{"code":-5,"message":"no"}}"#);
    assert!(matches!(done(call).await, Err(ExchangeError::Server(error)) if error.code == -5));
}

#[tokio::test]
async fn a_subscription_that_never_begins_is_an_error() {
    let mut ready = ready(EraKind::Modern);
    let listening = listen(&ready, all());
    ready.peer.hear().await;
    ready.refuse(1, -32601);
    assert!(matches!(done(listening).await, Err(ExchangeError::Server(error)) if error.code == -32601));
    let listening = listen(&ready, all());
    ready.peer.hear().await;
    ready.reply(2, r#"{"resultType":"complete"}"#);
    assert!(matches!(done(listening).await, Err(ExchangeError::BadReply { .. })));
    let listening = listen(&ready, all());
    ready.peer.hear().await;
    ready.tell("cancelled", r#"{"requestId":3}"#);
    assert!(matches!(done(listening).await, Err(ExchangeError::BadReply { .. })));
    ready.quiet().await;
}

#[tokio::test]
async fn a_legacy_server_is_listened_to_as_far_as_it_offers() {
    let capabilities = r#"{"tools":{"listChanged":true},"prompts":{},"resources":{"subscribe":true}}"#;
    let mut ready = offering(EraKind::Legacy, capabilities);
    let listening = listen(&ready, all());
    let heard = ready.peer.hear().await;
    assert!(
        heard.contains(r#""method":"resources/subscribe","params":{"uri":"x://a"}"#),
        "{heard}"
    );
    ready.reply(1, "{}");
    ready.peer.hear().await;
    ready.refuse(2, -32002);
    let mut subscription = done(listening).await.expect("listening");
    assert!(subscription.honoured().tools && subscription.honoured().uris == ["x://a"]);
    assert!(subscription.refused().prompts && subscription.refused().uris == ["x://b"]);
    let listening = listen(
        &ready,
        Filter {
            tools: false,
            prompts: false,
            uris: vec!["x://a".into()],
            ..all()
        },
    );
    let other = done(listening).await.expect("listening");
    ready.quiet().await;
    ready.tell("prompts/list_changed", "{}");
    ready.tell("resources/updated", r#"{"uri":"x://b"}"#);
    ready.tell("resources/updated", r#"{"uri":"x://a/1"}"#);
    ready.tell("tools/list_changed", "null");
    assert_eq!(
        next(&mut subscription).await,
        Some(Change::Resource { uri: "x://a/1".into() })
    );
    assert_eq!(next(&mut subscription).await, Some(Change::Tools));
    drop(other);
    ready.quiet().await;
    drop(subscription);
    let heard = ready.peer.hear().await;
    assert!(
        heard.contains(r#""method":"resources/unsubscribe","params":{"uri":"x://a"}"#),
        "the last one: {heard}"
    );
    let mut lost = done(listen(
        &ready,
        Filter {
            uris: Vec::new(),
            ..all()
        },
    ))
    .await
    .expect("listening");
    ready.link.end("over", false);
    assert_eq!(next(&mut lost).await, None);
    assert!(matches!(lost.ended(), Some(SubscriptionEnd::Closed { .. })));
}

#[test]
fn too_many_changes_become_one() {
    let mailbox = Mailbox::default();
    let change = |n: usize| Change::Resource {
        uri: format!("x://a/{n}"),
    };
    (0..CHANGES).for_each(|n| mailbox.put(change(n)));
    mailbox.put(change(0));
    assert_eq!(mailbox.take(), Some(change(0)), "the same change takes no room");
    (CHANGES..3 * CHANGES).for_each(|n| mailbox.put(change(n)));
    assert_eq!(mailbox.take(), Some(Change::Everything), "what is lost is said");
    assert_eq!(mailbox.take(), None);
    mailbox.put(change(0));
    assert_eq!(mailbox.take(), Some(change(0)), "and then all begins anew");
}
