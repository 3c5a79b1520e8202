//! What a server says on its own, and what we say to it: eras, order, bounds.

use std::time::Duration;

use super::{Ready, SOON, ready, ready_with, unsettled};
use crate::bounds::SERVER_REQUESTS;
use crate::client::{Declared, EraKind, Event, Limit, ServerRequest};
use crate::error::ExchangeError;
use crate::frame::RequestId;
use crate::params::{Params, RawMap};

const ROOTS: &str = r#"{"jsonrpc":"2.0","id":1,"method":"roots/list"}"#;

async fn asked(ready: &mut Ready) -> ServerRequest {
    match ready.event().await {
        Event::Request(request) => request,
        other => panic!("{other:?}"),
    }
}

async fn quiet(ready: &mut Ready) {
    let heard = tokio::time::timeout(Duration::from_millis(100), ready.peer.written.recv()).await;
    assert!(heard.is_err(), "{heard:?}");
}

#[tokio::test]
async fn modern_requests_carry_meta_last_and_ours_only() {
    let mut ready = ready(EraKind::Modern);
    let client = ready.client.clone();
    client.declare(Declared {
        roots: true,
        ..Declared::default()
    });
    let params =
        RawMap::parse("{\"_meta\":{\"x\":1},\n\"b\" :\r\n [1.0,\n2],\"a\":\"\u{2028}\\n\"}").expect("an object");
    tokio::spawn(async move { client.request("tools/call", params, Limit::LIST).await });
    assert_eq!(
        ready.peer.hear().await,
        concat!(
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"b":[1.0, 2],"a":""#,
            "\u{2028}",
            r#"\n","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","#,
            r#""io.modelcontextprotocol/clientInfo":{"name":"gatehouse","version":"1"},"#,
            r#""io.modelcontextprotocol/clientCapabilities":{"roots":{}}}}}"#,
            "\n"
        )
    );
    let client = ready.client.clone();
    client.declare(Declared::default());
    tokio::spawn(async move { client.request("tools/list", Params::new(), Limit::LIST).await });
    assert!(
        ready.peer.hear().await.contains(r#"clientCapabilities":{}}"#),
        "the very next request says so"
    );
}

#[tokio::test]
async fn legacy_requests_carry_what_they_are_given() {
    let mut ready = ready(EraKind::Legacy);
    let client = ready.client.clone();
    let params = RawMap::parse(r#"{"a":1,"_meta":{"x":1}}"#).expect("an object");
    tokio::spawn(async move { client.request("tools/call", params, Limit::CALL).await });
    let heard = ready.peer.hear().await;
    assert!(
        heard.contains(r#""params":{"a":1,"_meta":{"x":1,"progressToken":1}}"#),
        "{heard}"
    );
}

#[tokio::test]
async fn a_modern_server_that_asks_is_not_answered() {
    let mut ready = ready(EraKind::Modern);
    for method in ["roots/list", "ping", "nonsense"] {
        ready
            .peer
            .say(format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}"}}"#));
        assert!(matches!(ready.event().await, Event::Violation { what, .. } if what.contains(method)));
    }
    quiet(&mut ready).await;
    let refused = ready.client.notify("notifications/roots/list_changed", None).await;
    assert!(matches!(refused, Err(ExchangeError::NotInThisEra { .. })));
    quiet(&mut ready).await;
}

#[tokio::test]
async fn a_legacy_servers_request_is_answered_once_whatever_its_id() {
    let mut ready = ready(EraKind::Legacy);
    let (_, call) = ready.call().await;
    ready.peer.say(ROOTS);
    let request = asked(&mut ready).await;
    assert_eq!(
        request.id,
        RequestId::Number(1),
        "the same id as our call, and another direction"
    );
    request
        .responder
        .result(RawMap::new().with("roots", &[0; 0]).to_raw())
        .await
        .expect("written");
    assert_eq!(
        ready.peer.hear().await,
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"roots\":[]}}\n"
    );
    assert!(!call.is_finished(), "our call still waits");
    for params in [r#","params":{}"#, r#","params":null"#, r#","params":{"_meta":{}}"#] {
        ready
            .peer
            .say(format!(r#"{{"jsonrpc":"2.0","id":"x","method":"roots/list"{params}}}"#));
        asked(&mut ready)
            .await
            .responder
            .error(-32000, "no")
            .await
            .expect("written");
        let heard = ready.peer.hear().await;
        assert_eq!(
            heard,
            "{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"error\":{\"code\":-32000,\"message\":\"no\"}}\n"
        );
    }
}

#[tokio::test]
async fn a_dropped_responder_answers_with_an_error() {
    let mut ready = ready(EraKind::Legacy);
    ready.peer.say(ROOTS);
    drop(asked(&mut ready).await);
    assert!(ready.peer.hear().await.contains("-32603"));
}

#[tokio::test]
async fn pings_and_unknown_methods_are_answered_here() {
    let mut ready = ready(EraKind::Legacy);
    ready.peer.say(r#"{"jsonrpc":"2.0","id":"p","method":"ping"}"#);
    assert_eq!(
        ready.peer.hear().await,
        "{\"jsonrpc\":\"2.0\",\"id\":\"p\",\"result\":{}}\n"
    );
    ready.peer.say(r#"{"jsonrpc":"2.0","id":2,"method":"nonsense"}"#);
    assert!(ready.peer.hear().await.contains("-32601"));
}

#[tokio::test]
async fn a_withdrawn_request_is_not_answered() {
    let mut ready = ready(EraKind::Legacy);
    ready.peer.say(ROOTS);
    let request = asked(&mut ready).await;
    ready
        .peer
        .say(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#);
    tokio::time::timeout(SOON, request.responder.cancelled())
        .await
        .expect("told");
    assert!(matches!(ready.event().await, Event::Notification { .. }));
    assert!(request.responder.result(RawMap::new().to_raw()).await.is_err());
    quiet(&mut ready).await;
}

#[tokio::test]
async fn only_so_many_requests_may_be_open() {
    let mut ready = ready_with(EraKind::Legacy, 64, 2 * SERVER_REQUESTS);
    for id in 0..=SERVER_REQUESTS {
        ready
            .peer
            .say(format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"roots/list"}}"#));
    }
    let heard = ready.peer.hear().await;
    assert!(
        heard.contains(&format!("\"id\":{SERVER_REQUESTS},")) && heard.contains("-32603"),
        "{heard}"
    );
}

#[tokio::test]
async fn what_is_asked_before_the_era_is_known_waits_for_it() {
    for era in [EraKind::Legacy, EraKind::Modern] {
        let mut ready = unsettled(8, 8);
        ready.peer.say(ROOTS);
        ready.peer.say(r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#);
        quiet(&mut ready).await;
        ready.link.greet();
        assert!(
            ready.peer.hear().await.contains("\"id\":2,\"result\":{}"),
            "a ping needs no era once we greeted"
        );
        ready.link.settle(era);
        match (era, ready.event().await) {
            (EraKind::Legacy, Event::Request(request)) => assert_eq!(request.method, "roots/list"),
            (EraKind::Modern, Event::Violation { .. }) => quiet(&mut ready).await,
            (_, other) => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn batches_are_read_on_legacy_connections() {
    let mut ready = ready(EraKind::Legacy);
    let (_, call) = ready.call().await;
    ready
        .peer
        .say(r#"[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":9,"method":"ping"}]"#);
    assert!(call.await.expect("no panic").is_ok());
    assert!(ready.peer.hear().await.contains("\"id\":9"));
}

#[tokio::test]
async fn events_keep_their_order_and_say_what_was_lost() {
    let mut ready = ready_with(EraKind::Modern, 8, 4);
    ready.link.go_live();
    for n in 0..100 {
        ready.peer.say(format!(r#"{{"jsonrpc":"2.0","method":"n{n}"}}"#));
    }
    tokio::time::sleep(Duration::from_millis(100)).await;
    for n in 0..4 {
        assert!(matches!(ready.event().await, Event::Notification { method, .. } if method == format!("n{n}")));
    }
    assert!(matches!(ready.event().await, Event::Dropped(96)));
    ready.peer.say(r#"{"jsonrpc":"2.0","method":"after"}"#);
    assert!(matches!(ready.event().await, Event::Notification { method, .. } if method == "after"));
    for n in 0..20 {
        ready.peer.say(format!(r#"{{"jsonrpc":"2.0","method":"m{n}"}}"#));
    }
    tokio::time::sleep(Duration::from_millis(50)).await;
    ready.link.end("over", false);
    let mut last = ready.event().await;
    while let Some(event) = ready.events.recv().await {
        last = event;
        if matches!(last, Event::Ended { .. }) {
            break;
        }
    }
    assert!(
        matches!(last, Event::Ended { reason, expected: false } if reason == "over"),
        "the end always comes"
    );
}

#[tokio::test]
async fn limits_stand_still_while_the_server_waits_for_us() {
    let mut ready = ready(EraKind::Legacy);
    let client = ready.client.clone();
    let limit = Limit::within(Duration::from_millis(300));
    let call = tokio::spawn(async move { client.request("tools/call", Params::new(), limit).await });
    ready.peer.hear().await;
    ready.peer.say(ROOTS);
    let request = asked(&mut ready).await;
    tokio::time::sleep(Duration::from_millis(700)).await;
    assert!(!call.is_finished(), "a person's time is not the server's");
    request.responder.error(-1, "no").await.expect("the server listens");
    ready.peer.hear().await;
    let ended = tokio::time::timeout(Duration::from_secs(2), call)
        .await
        .expect("the rest of the limit runs out");
    assert!(
        matches!(ended.expect("no panic"), Err(ExchangeError::TimedOut { .. })),
        "the limit runs on afterwards"
    );
}
