//! What results mean, and listings page by page.

use bytes::Bytes;

use super::ready;
use crate::client::{EraKind, Outcome, Reply};
use crate::error::ExchangeError;
use crate::model::listing::Entry;
use crate::params::RawMap;

fn outcome(result: &str) -> Result<Outcome, ExchangeError> {
    let result = RawMap::parse(result).expect("an object").to_raw();
    Reply {
        result,
        frame: Bytes::new(),
    }
    .outcome(EraKind::Modern)
}

fn needed(result: &str) -> (Vec<String>, Option<String>) {
    match outcome(result).expect("readable") {
        Outcome::InputRequired { requests, state } => {
            let shown = requests
                .into_iter()
                .map(|(key, request)| format!("{key}={}", request.method));
            (shown.collect(), state.map(|raw| raw.get().to_owned()))
        }
        other @ Outcome::Complete(_) => panic!("{other:?}"),
    }
}

fn bad(result: &str, word: &str) {
    match outcome(result) {
        Err(ExchangeError::BadReply { reason, .. }) => assert!(reason.contains(word), "{reason}"),
        other => panic!("{result}: {other:?}"),
    }
}

#[test]
fn the_result_type_decides_before_all_else() {
    assert!(
        matches!(outcome(r#"{"content":[]}"#), Ok(Outcome::Complete(_))),
        "absent means complete"
    );
    assert!(matches!(
        outcome(r#"{"resultType":"complete","inputRequests":7}"#),
        Ok(Outcome::Complete(_))
    ));
    bad(r#"{"resultType":"banana"}"#, "banana");
    bad(r#"{"resultType":null}"#, "not a string");
    let go = r#"{"content":null,"resultType":"input_required","inputRequests":{"k":{"method":"roots/list"}}}"#;
    assert_eq!(needed(go), (vec!["k=roots/list".into()], None));
    let legacy = Reply {
        result: RawMap::parse(go).expect("an object").to_raw(),
        frame: Bytes::new(),
    };
    assert!(matches!(legacy.outcome(EraKind::Legacy), Ok(Outcome::Complete(_))));
}

#[test]
fn states_stay_as_they_were_written() {
    for state in [r#""""#, r#""a\u0000\/ \ud83d\ude00 \" ""#, "\"\u{2028}e\u{301}==\""] {
        let result = format!(r#"{{"resultType":"input_required","requestState": {state} ,"inputRequests":null}}"#);
        assert_eq!(needed(&result), (vec![], Some(state.to_owned())));
    }
    assert_eq!(
        needed(r#"{"resultType":"input_required","inputRequests":{},"requestState":"s"}"#)
            .0
            .len(),
        0
    );
    bad(
        r#"{"resultType":"input_required","requestState":{"a":1}}"#,
        "requestState",
    );
    bad(r#"{"resultType":"input_required"}"#, "neither");
    bad(
        r#"{"resultType":"input_required","inputRequests":{},"requestState":null}"#,
        "neither",
    );
}

#[test]
fn input_requests_keep_keys_and_order() {
    let long = "k".repeat(1024);
    let result = format!(
        r#"{{"resultType":"input_required","inputRequests":{{"z":{{"method":"a"}},"":{{"method":"b","params":null}},"__proto__":{{"method":"c"}},"{long}":{{"method":"d"}}}}}}"#
    );
    let expect: Vec<String> = vec!["z=a".into(), "=b".into(), "__proto__=c".into(), format!("{long}=d")];
    assert_eq!(needed(&result).0, expect);
    bad(
        r#"{"resultType":"input_required","inputRequests":{"k":{"method":7}}}"#,
        "\"k\"",
    );
    bad(r#"{"resultType":"input_required","inputRequests":{"k":null}}"#, "\"k\"");
    bad(r#"{"resultType":"input_required","inputRequests":[]}"#, "inputRequests");
    bad(
        r#"{"resultType":"input_required","inputRequests":{"k":{"method":"a"},"k":{"method":"b"}}}"#,
        "twice",
    );
    let many: Vec<String> = (0..33).map(|n| format!(r#""{n}":{{"method":"a"}}"#)).collect();
    bad(
        &format!(
            r#"{{"resultType":"input_required","inputRequests":{{{}}}}}"#,
            many.join(",")
        ),
        "33",
    );
}

/// Answers the pages of `tools/list` in turn.
async fn listed(pages: &[&str]) -> Result<crate::model::listing::Listing<crate::model::tool::Tool>, ExchangeError> {
    let mut ready = ready(EraKind::Modern);
    let client = ready.client.clone();
    let listing = tokio::spawn(async move { client.list_tools().await });
    for (index, page) in pages.iter().enumerate() {
        let heard = ready.peer.hear().await;
        assert_eq!(heard.contains("\"cursor\""), index > 0, "{heard}");
        ready
            .peer
            .say(format!(r#"{{"jsonrpc":"2.0","id":{},{page}}}"#, index + 1));
    }
    listing.await.expect("no panic")
}

#[tokio::test]
async fn listings_follow_every_cursor_and_keep_bad_items() {
    let listing = listed(&[
        r#""result":{"tools":[{"name":"a","inputSchema":{}},{"name":"b","inputSchema":7},3],"nextCursor":""}"#,
        r#""result":{"tools":[{"name":"c"},{"title":"x"}],"nextCursor":null}"#,
    ])
    .await
    .expect("listed");
    let shown: Vec<String> = listing
        .items
        .iter()
        .map(|item| match item {
            Entry::Read(tool) => tool.name.clone(),
            Entry::Unreadable { name, reason, raw } => format!("{name:?} {reason} {raw}"),
        })
        .collect();
    assert_eq!(shown[0], "a");
    assert!(shown[1].starts_with("Some(\"b\") inputSchema"), "{}", shown[1]);
    assert!(
        shown[2].ends_with(" 3") && shown[3] == "c" && shown[4].contains("name is missing"),
        "{shown:?}"
    );
    assert_eq!((listing.pages, listing.stopped), (2, None));
}

#[tokio::test]
async fn a_cursor_that_comes_back_ends_the_listing() {
    let page = r#""result":{"tools":[],"nextCursor":"x"}"#;
    let listing = listed(&[page, page]).await.expect("listed");
    assert!(listing.pages == 2 && listing.stopped.is_some());
}

#[tokio::test]
async fn a_listing_that_is_none_is_an_error() {
    assert!(matches!(
        listed(&[r#""result":{}"#]).await,
        Err(ExchangeError::BadReply { .. })
    ));
    let asks = r#""result":{"resultType":"input_required","requestState":"s"}"#;
    assert!(matches!(listed(&[asks]).await, Err(ExchangeError::BadReply { .. })));
    let lacks = r#""error":{"code":-32601,"message":"no"}"#;
    assert!(matches!(listed(&[lacks]).await, Err(ExchangeError::Server(error)) if error.code == -32601));
}
