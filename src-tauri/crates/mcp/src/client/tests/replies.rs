//! Every request ends: in a reply, or in a named error, at once.

use std::time::Duration;

use super::{Ready, SOON, ready};
use crate::client::{EraKind, Event, Limit};
use crate::error::ExchangeError;
use crate::params::Params;

async fn call_meets(frame: &[u8]) -> Result<super::super::Reply, ExchangeError> {
    let mut ready = ready(EraKind::Modern);
    let (_, call) = ready.call().await;
    ready.peer.say(frame);
    tokio::time::timeout(SOON / 2, call)
        .await
        .expect("at once")
        .expect("no panic")
}

async fn bad(frame: impl AsRef<[u8]>, word: &str) {
    match call_meets(frame.as_ref()).await {
        Err(ExchangeError::BadReply { reason, .. }) => assert!(reason.contains(word), "{reason}"),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_good_reply_keeps_its_frame() {
    let frame = br#"{"jsonrpc":"2.0","id":1,"result":{"n":1.10}}"#;
    let reply = call_meets(frame).await.expect("good");
    assert_eq!((reply.result.get(), &reply.frame[..]), (r#"{"n":1.10}"#, &frame[..]));
}

#[tokio::test]
async fn malformed_replies_end_the_call() {
    bad(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":\"\xff\"}}", "UTF-8").await;
    bad(r#"{"jsonrpc":"2.0","id":"1","result":{}}"#, "wrong type").await;
    bad(r#"{"jsonrpc":"2.0","id":1.0,"result":{}}"#, "wrong type").await;
    bad(r#"{"jsonrpc":"2.0","id":null,"result":{}}"#, "null").await;
    bad(r#"{"jsonrpc":"2.0","result":{}}"#, "missing").await;
    bad(r#"{"jsonrpc":"2.0","id":true,"result":{}}"#, "wrong type").await;
    bad(r#"{"jsonrpc":"2.0","id":1}"#, "neither").await;
    bad(r#"{"jsonrpc":"2.0","id":1,"error":{"code":5}}"#, "message").await;
    bad(r#"[{"jsonrpc":"2.0","id":1,"result":{}}]"#, "batch").await;
    bad(r#"{"jsonrpc":"2.0","id":1,"result":{"x":"#, "JSON").await;
}

#[tokio::test]
async fn an_error_without_an_id_is_the_only_calls_error() {
    for frame in [
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no"}}"#,
        r#"{"jsonrpc":"2.0","error":{"code":-32000,"message":"no"}}"#,
    ] {
        assert!(matches!(call_meets(frame.as_bytes()).await, Err(ExchangeError::Server(e)) if e.code == -32000));
    }
}

#[tokio::test]
async fn with_two_in_flight_an_id_of_null_is_nobodys() {
    let mut ready = ready(EraKind::Modern);
    let (_, first) = ready.call().await;
    let (_, second) = ready.call().await;
    ready
        .peer
        .say(r#"{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"no"}}"#);
    assert!(matches!(ready.event().await, Event::Violation { .. }));
    assert!(!first.is_finished() && !second.is_finished(), "neither is ended by it");
}

#[tokio::test]
async fn answers_find_their_calls_in_any_order_and_only_once() {
    let mut ready = ready(EraKind::Modern);
    let (_, first) = ready.call().await;
    let (_, second) = ready.call().await;
    ready.peer.say(r#"{"jsonrpc":"2.0","id":2,"result":{"n":2}}"#);
    ready.peer.say(r#"{"jsonrpc":"2.0","id":1,"result":{"n":1}}"#);
    ready.peer.say(r#"{"jsonrpc":"2.0","id":1,"result":{"n":9}}"#);
    assert_eq!(first.await.expect("no panic").expect("good").result.get(), r#"{"n":1}"#);
    assert_eq!(
        second.await.expect("no panic").expect("good").result.get(),
        r#"{"n":2}"#
    );
    assert!(matches!(ready.event().await, Event::Violation { what, .. } if what.contains("nobody")));
}

#[tokio::test]
async fn noise_harms_no_call() {
    let mut ready = ready(EraKind::Modern);
    let (_, call) = ready.call().await;
    ready.peer.say("listening on stdio");
    ready.peer.say(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#);
    assert!(call.await.expect("no panic").is_ok());
    assert!(matches!(ready.event().await, Event::Violation { .. }));
}

#[tokio::test]
async fn a_call_that_is_dropped_is_cancelled_and_its_late_answer_ignored() {
    let mut ready = ready(EraKind::Modern);
    let (_, call) = ready.call().await;
    call.abort();
    let cancel = ready.peer.hear().await;
    assert!(
        cancel.contains(r#""method":"notifications/cancelled","params":{"requestId":1,"reason":"#),
        "{cancel}"
    );
    ready.peer.say(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#);
    ready.peer.say(r#"{"jsonrpc":"2.0","method":"m"}"#);
    assert!(
        matches!(ready.event().await, Event::Notification { .. }),
        "the late answer is no event"
    );
}

#[tokio::test]
async fn a_call_that_ended_is_not_cancelled() {
    let mut ready = ready(EraKind::Modern);
    let (_, call) = ready.call().await;
    ready.peer.say(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#);
    call.await.expect("no panic").expect("good");
    let (next, _call) = ready.call().await;
    assert!(next.contains("\"id\":2"), "the next frame is the next call: {next}");
}

#[tokio::test]
async fn silence_ends_at_the_limit_and_progress_prolongs_it_up_to_the_most() {
    let mut ready = ready(EraKind::Modern);
    let client = ready.client.clone();
    let limit = Limit {
        idle: Duration::from_millis(300),
        max: Duration::from_millis(900),
        progress: true,
    };
    let begun = std::time::Instant::now();
    let call = tokio::spawn(async move { client.request("tools/call", Params::new(), limit).await });
    assert!(ready.peer.hear().await.contains(r#""progressToken":1"#));
    let speak = ready.peer.speak.clone();
    let progress = tokio::spawn(async move {
        loop {
            tokio::time::sleep(Duration::from_millis(100)).await;
            let frame =
                r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}"#;
            if speak.send(crate::transport::Received::Frame(frame.into())).is_err() {
                return;
            }
        }
    });
    let ended = call.await.expect("no panic");
    progress.abort();
    assert!(
        matches!(ended, Err(ExchangeError::TimedOut { limit }) if limit.as_millis() == 900),
        "{ended:?}"
    );
    assert!(begun.elapsed() >= Duration::from_millis(890), "progress held it open");
    assert!(
        ready.peer.hear().await.contains("notifications/cancelled"),
        "the server is told"
    );
    let client = ready.client.clone();
    let begun = std::time::Instant::now();
    let limit = Limit {
        idle: Duration::from_millis(100),
        max: SOON,
        progress: false,
    };
    let ended = client.request("tools/call", Params::new(), limit).await;
    assert!(matches!(ended, Err(ExchangeError::TimedOut { limit }) if limit.as_millis() == 100));
    assert!(
        begun.elapsed() < Duration::from_secs(2),
        "the shorter limit wakes the sweeper"
    );
}

#[tokio::test]
async fn a_server_that_does_not_read_stalls_its_calls_only() {
    let Ready { client, link, peer, .. } = super::ready_with(EraKind::Modern, 1, 8);
    let calls: Vec<_> = (0..600)
        .map(|_| {
            let client = client.clone();
            tokio::spawn(async move {
                client
                    .request("m", Params::new(), Limit::within(Duration::from_millis(500)))
                    .await
            })
        })
        .collect();
    for call in calls {
        assert!(matches!(
            call.await.expect("no panic"),
            Err(ExchangeError::TimedOut { .. })
        ));
    }
    let late = tokio::spawn(async move { client.request("m", Params::new(), Limit::CALL).await });
    tokio::time::sleep(Duration::from_millis(50)).await;
    link.end("over", true);
    let ended = tokio::time::timeout(SOON, late)
        .await
        .expect("at once")
        .expect("no panic");
    assert!(matches!(ended, Err(ExchangeError::Closed { reason }) if reason == "over"));
    drop(peer);
}

#[tokio::test]
async fn there_is_a_most_of_calls_in_flight() {
    let ready = super::ready_with(EraKind::Modern, 4096, 8);
    for _ in 0..crate::bounds::IN_FLIGHT {
        let client = ready.client.clone();
        tokio::spawn(async move { client.request("m", Params::new(), Limit::CALL).await });
    }
    tokio::time::sleep(Duration::from_millis(200)).await;
    let ended = ready.client.request("m", Params::new(), Limit::CALL).await;
    assert!(matches!(ended, Err(ExchangeError::Busy)), "{ended:?}");
}
