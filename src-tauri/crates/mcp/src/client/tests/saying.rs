//! What we say of ourselves, how much log we want, and what we hear of our own requests.

use tokio::sync::watch;

use super::{SOON, offering, ready};
use crate::client::declared::Dialect;
use crate::client::{Declared, EraKind, Limit, LogSetting, initialize};
use crate::error::ExchangeError;
use crate::model::completion::{Completing, Completion, CompletionOf};
use crate::model::notice::LogLevel;
use crate::params::Params;

const ALL: Declared = Declared {
    roots: true,
    elicitation_form: true,
    elicitation_url: true,
    sampling: true,
    sampling_tools: false,
};

fn check(declared: Declared, expect: [&str; 3]) {
    for (dialect, expect) in [Dialect::Modern, Dialect::Last, Dialect::Older].into_iter().zip(expect) {
        let mut written = Vec::new();
        declared.write(dialect, &mut written);
        assert_eq!(String::from_utf8(written).expect("UTF-8"), expect, "{dialect:?}");
    }
}

#[test]
fn each_revision_says_what_is_declared_in_its_own_words() {
    check(Declared::default(), ["{}"; 3]);
    check(
        ALL,
        [
            r#"{"roots":{},"elicitation":{"form":{},"url":{}},"sampling":{}}"#,
            r#"{"roots":{"listChanged":true},"elicitation":{"form":{},"url":{}},"sampling":{}}"#,
            r#"{"roots":{"listChanged":true},"elicitation":{},"sampling":{}}"#,
        ],
    );
    let form = Declared {
        elicitation_form: true,
        ..Declared::default()
    };
    check(
        form,
        [
            r#"{"elicitation":{"form":{}}}"#,
            r#"{"elicitation":{}}"#,
            r#"{"elicitation":{}}"#,
        ],
    );
    let url = Declared {
        elicitation_url: true,
        ..Declared::default()
    };
    check(
        url,
        [r#"{"elicitation":{"url":{}}}"#, r#"{"elicitation":{"url":{}}}"#, "{}"],
    );
    let tools = Declared {
        sampling: true,
        sampling_tools: true,
        ..Declared::default()
    };
    check(
        tools,
        [
            r#"{"sampling":{"tools":{}}}"#,
            r#"{"sampling":{"tools":{}}}"#,
            r#"{"sampling":{}}"#,
        ],
    );
    let lone = Declared {
        sampling_tools: true,
        ..Declared::default()
    };
    check(lone, ["{}"; 3]);
    let info = crate::client::ClientInfo {
        name: "g".into(),
        title: None,
        version: "1".into(),
    };
    let params = initialize("2025-06-18", &info, ALL);
    assert_eq!(
        params.get("capabilities").map(|raw| raw.get()),
        Some(r#"{"roots":{"listChanged":true},"elicitation":{},"sampling":{}}"#)
    );
}

#[tokio::test]
async fn a_modern_request_says_which_log_is_wanted() {
    let mut ready = ready(EraKind::Modern);
    let set = ready.client.set_log_level(Some(LogLevel::Warning)).await;
    assert_eq!(set.expect("no request"), LogSetting::NextRequest);
    let (heard, _call) = ready.call().await;
    assert!(
        heard.contains(
            r#""_meta":{"io.modelcontextprotocol/logLevel":"warning","io.modelcontextprotocol/protocolVersion":"#
        ),
        "{heard}"
    );
    ready.client.set_log_level(None).await.expect("no request");
    let (heard, _call) = ready.call().await;
    assert!(!heard.contains("logLevel"), "absent means none: {heard}");
}

#[tokio::test]
async fn a_legacy_server_is_asked_only_where_it_keeps_a_log() {
    let mut without = offering(EraKind::Legacy, "{}");
    let set = without.client.set_log_level(Some(LogLevel::Debug)).await;
    assert_eq!(set.expect("nothing sent"), LogSetting::NotOffered);
    without.quiet().await;
    let mut with = offering(EraKind::Legacy, r#"{"logging":{}}"#);
    assert_eq!(
        with.client.set_log_level(None).await.expect("nothing to take back"),
        LogSetting::Accepted
    );
    with.quiet().await;
    for (id, level, word) in [(1, Some(LogLevel::Debug), "debug"), (2, None, "emergency")] {
        let client = with.client.clone();
        let set = tokio::spawn(async move { client.set_log_level(level).await });
        let heard = with.peer.hear().await;
        assert!(
            heard.contains(&format!(r#""method":"logging/setLevel","params":{{"level":"{word}"}}"#)),
            "{heard}"
        );
        with.reply(id, "{}");
        assert_eq!(set.await.expect("no panic").expect("accepted"), LogSetting::Accepted);
        assert_eq!(with.client.log_level(), level);
    }
}

#[tokio::test]
async fn a_request_hears_its_own_progress_and_no_other() {
    let mut ready = ready(EraKind::Modern);
    let (sink, mut progress) = watch::channel(None);
    let client = ready.client.clone();
    let call = tokio::spawn(async move {
        client
            .request_with("tools/call", Params::new(), Limit::within(SOON), sink)
            .await
    });
    assert!(
        ready.peer.hear().await.contains(r#""progressToken":1"#),
        "asked for, whatever the limit says"
    );
    ready.tell("progress", r#"{"progressToken":2,"progress":9}"#);
    ready.tell("progress", r#"{"progressToken":"1","progress":9}"#);
    ready.tell("progress", r#"{"progressToken":1,"progress":"x"}"#);
    for n in 0..10_000 {
        ready.tell(
            "progress",
            &format!(r#"{{"progressToken":1,"progress":{n},"total":20000,"message":"m"}}"#),
        );
    }
    ready.reply(1, "{}");
    assert!(call.await.expect("no panic").is_ok(), "nobody looks, and nothing waits");
    let last = progress.borrow_and_update().clone().expect("some");
    assert_eq!((last.progress.get(), last.message.as_deref()), ("9999", Some("m")));
    assert!(last.fraction().is_some_and(|part| (part - 0.499_95).abs() < 1e-9));
    ready.tell("progress", r#"{"progressToken":1,"progress":10001}"#);
    ready.violations().await;
    assert!(progress.changed().await.is_err(), "what ended makes no progress");
}

#[tokio::test]
async fn completions_name_what_they_complete() {
    let mut ready = ready(EraKind::Modern);
    let mut completing = Completing {
        of: CompletionOf::Prompt { name: "p".into() },
        argument: "a".into(),
        value: "v".into(),
        context: Vec::new(),
    };
    let ask = |completing: &Completing| {
        let (client, completing) = (ready.client.clone(), completing.clone());
        tokio::spawn(async move { client.complete(&completing).await })
    };
    let first = ask(&completing);
    completing.of = CompletionOf::Template {
        uri_template: "x://{a}".into(),
    };
    completing.context = vec![("b".into(), "c".into())];
    let heard = ready.peer.hear().await;
    let expect = r#""params":{"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":"v"},"_meta""#;
    assert!(heard.contains(expect), "{heard}");
    let second = ask(&completing);
    let heard = ready.peer.hear().await;
    let expect = r#""ref":{"type":"ref/resource","uri":"x://{a}"},"argument":{"name":"a","value":"v"},"context":{"arguments":{"b":"c"}}"#;
    assert!(heard.contains(expect), "{heard}");
    ready.reply(
        1,
        r#"{"completion":{"values":["x",7,"y"],"total":"many","hasMore":true}}"#,
    );
    ready.reply(2, r#"{"completion":{}}"#);
    let found = first.await.expect("no panic").expect("read");
    let expect = Completion {
        values: vec!["x".into(), "y".into()],
        total: None,
        has_more: true,
    };
    assert_eq!(found, expect, "what is no suggestion is left out");
    assert!(matches!(
        second.await.expect("no panic"),
        Err(ExchangeError::BadReply { .. })
    ));
}
