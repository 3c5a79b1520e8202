//! Envelopes: what is read, what is refused, and whose answer a wreck was.

use super::{Envelope, GlanceKind, RequestId, decode, glance, sniff_cut};

/// A frame that is refused, with a word of the reason and the id of the answer that it seems to be.
fn refused(frame: impl AsRef<[u8]>, word: &str, id: Option<i64>) {
    let bad = decode(frame.as_ref()).expect_err("must be refused");
    assert!(bad.reason.contains(word), "{:?} should speak of {word:?}", bad.reason);
    assert_eq!(
        bad.id,
        id.map(RequestId::Number),
        "{}",
        String::from_utf8_lossy(frame.as_ref())
    );
}

fn single(frame: &str) -> Envelope {
    decode(frame.as_bytes()).expect("readable").remove(0)
}

#[test]
fn good_messages_are_read() {
    assert!(matches!(
        single(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#),
        Envelope::Result {
            id: RequestId::Number(1),
            ..
        }
    ));
    assert!(matches!(
        single(r#"{"id":"a","method":"ping","jsonrpc":"2.0"}"#),
        Envelope::Request { params: None, .. }
    ));
    assert!(matches!(
        single(r#"{"jsonrpc":"2.0","method":"m","params":null}"#),
        Envelope::Notification { .. }
    ));
    let error = single(r#" {"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no","data":[1.10]}} "#);
    match error {
        Envelope::Error { id: None, error } => assert_eq!(error.data.expect("kept").get(), "[1.10]"),
        other => panic!("{other:?}"),
    }
    assert!(matches!(
        single(r#"{"jsonrpc":"2.0","error":{"code":0,"message":""}}"#),
        Envelope::Error { id: None, .. }
    ));
    assert!(matches!(
        single(r#"{"jsonrpc":"2.0","\u0069d":7,"result":{},"more":1}"#),
        Envelope::Result {
            id: RequestId::Number(7),
            ..
        }
    ));
}

#[test]
fn numbers_keep_their_digits() {
    match single(r#"{"jsonrpc":"2.0","id":1,"result":{"n":9007199254740993.10e400}}"#) {
        Envelope::Result { result, .. } => assert_eq!(result.get(), r#"{"n":9007199254740993.10e400}"#),
        other => panic!("{other:?}"),
    }
}

#[test]
fn malformed_answers_are_refused_by_name() {
    refused(
        b"{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"a\":\"\xff\"}}",
        "UTF-8",
        Some(3),
    );
    refused(r#"{"jsonrpc":"2.0","id":3,"error":{"code":1}}"#, "no message", Some(3));
    refused(
        r#"{"jsonrpc":"2.0","id":3,"error":{"code":"1","message":"x"}}"#,
        "code",
        Some(3),
    );
    refused(
        r#"{"jsonrpc":"2.0","id":3,"error":{"code":1e99,"message":"x"}}"#,
        "code",
        Some(3),
    );
    refused(
        r#"{"jsonrpc":"2.0","id":3,"error":{"code":99999999999999999999,"message":"x"}}"#,
        "code",
        Some(3),
    );
    refused(r#"{"jsonrpc":"2.0","id":3,"error":"boom"}"#, "not an object", Some(3));
    refused(
        r#"{"jsonrpc":"2.0","id":3,"error":{"code":1,"code":2,"message":"x"}}"#,
        "twice",
        Some(3),
    );
    refused(
        r#"{"jsonrpc":"2.0","id":3,"result":{},"error":{"code":1,"message":"x"}}"#,
        "both",
        Some(3),
    );
    refused(r#"{"jsonrpc":"2.0","id":3}"#, "neither", Some(3));
    refused(r#"{"jsonrpc":"2.0","id":3,"result":[]}"#, "not an object", Some(3));
    refused(r#"{"jsonrpc":"1.0","id":3,"result":{}}"#, "jsonrpc", Some(3));
    refused(r#"{"jsonrpc":2.0,"id":3,"result":{}}"#, "jsonrpc", Some(3));
    refused(r#"{"id":3,"result":{}}"#, "jsonrpc is missing", Some(3));
    refused(r#"{"jsonrpc":"2.0","id":3,"id":3,"result":{}}"#, "twice", Some(3));
    refused(r#"{"jsonrpc":"2.0","id":3,"result":{},"result":{}}"#, "twice", Some(3));
    refused(r#"{"jsonrpc":"2.0","id":3.0,"result":{}}"#, "wrong type", Some(3));
    refused(r#"{"jsonrpc":"2.0","id":null,"result":{}}"#, "null", None);
    refused(r#"{"jsonrpc":"2.0","id":[3],"result":{}}"#, "wrong type", None);
    refused(
        r#"{"jsonrpc":"2.0","id":3,"result":{"a":"\ud800"}}"#,
        "surrogate",
        Some(3),
    );
    refused(
        r#"{"jsonrpc":"2.0","id":3,"result":{"a":"\udc00x"}}"#,
        "surrogate",
        Some(3),
    );
    refused(r#"{"jsonrpc":"2.0","id":3,"result":{"a":1"#, "not JSON", Some(3));
    let deep = "[".repeat(200_000);
    refused(
        format!(r#"{{"jsonrpc":"2.0","id":3,"result":{{"a":{deep}"#),
        "deep",
        Some(3),
    );
    refused(
        format!(
            r#"{{"jsonrpc":"2.0","result":{{"a":{deep}{}}},"id":3}}"#,
            "]".repeat(200_000)
        ),
        "deep",
        Some(3),
    );
}

#[test]
fn noise_is_nobodys_answer() {
    for noise in [
        "server running",
        "3",
        "null",
        "\"x\"",
        "[]",
        "{}",
        r#"{"level":"info","id":3}"#,
        "{\"id\":",
    ] {
        let bad = decode(noise.as_bytes()).expect_err("noise");
        assert!(bad.id.is_none() && !bad.nameless, "{noise}: {bad:?}");
    }
    let request = decode(br#"{"id":3,"method":"ping"}"#).expect_err("no jsonrpc");
    assert!(
        request.id.is_none() && !request.nameless,
        "a broken request is not an answer"
    );
}

#[test]
fn paired_surrogates_are_good() {
    assert!(matches!(
        single(r#"{"jsonrpc":"2.0","id":1,"result":{"a":"\ud83d\ude00\\ud800"}}"#),
        Envelope::Result { .. }
    ));
}

#[test]
fn batches_come_apart() {
    let batch = r#"[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","method":"m"}]"#;
    assert_eq!(decode(batch.as_bytes()).expect("a batch").len(), 2);
    let half = super::decode_each(br#"[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":2}]"#);
    assert!(matches!((&half[0], &half[1]), (Ok(_), Err(bad)) if bad.id == Some(RequestId::Number(2))));
}

#[test]
fn a_cut_answer_is_found_at_either_end() {
    let id = |head: &str, tail: &str| sniff_cut(head.as_bytes(), tail.as_bytes()).id;
    let three = Some(RequestId::Number(3));
    assert_eq!(id(r#"{"jsonrpc":"2.0","id":3,"result":{"x":"aaa"#, r#"aaa"}}"#), three);
    assert_eq!(
        id(r#"{"result":{"id":9,"x":"aaa"#, r#"aaa"},"id":3,"jsonrpc":"2.0"}"#),
        three
    );
    assert_eq!(id(r#"{"result":{"x":"aaa"#, r#"aaa"},"id" : 3 }"#), three);
    assert_eq!(
        id(r#"{"result":{"x":"aaa"#, r#"aaa","id":9}}"#),
        None,
        "an inner id is not it"
    );
}

#[test]
fn a_glance_tells_the_kind() {
    let check = |frame: &str, kind, method: Option<&str>, id: Option<&str>| {
        let seen = glance(frame.as_bytes());
        assert_eq!(
            (seen.kind, seen.method.as_deref(), seen.id.as_deref()),
            (kind, method, id),
            "{frame}"
        );
    };
    check(
        r#"{"jsonrpc":"2.0","id":1,"method":"a/b","params":{"id":7}}"#,
        GlanceKind::Request,
        Some("a/b"),
        Some("1"),
    );
    check(
        r#"{"method":"n","params":{"method":"x"}}"#,
        GlanceKind::Notification,
        Some("n"),
        None,
    );
    check(r#"{"id":"x","result":{}}"#, GlanceKind::Result, None, Some("x"));
    check(r#"{"id":null,"error":{}}"#, GlanceKind::Error, None, None);
    check("hello", GlanceKind::Unreadable, None, None);
}
