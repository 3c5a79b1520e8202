//! How the era of a server is found and kept. What holds in the old one is in `legacy`.

use std::collections::BTreeMap;

use gatehouse_host::view::ConnectionView;
use gatehouse_tests::fake::FakeServer;
use gatehouse_tests::home::{Home, failed, raw_param, said};
use gatehouse_tests::schema::Revision::{Autumn2025, Modern, Summer2025};
use gatehouse_tests::script::{Action, Rule, Script, act};
use serde_json::{Value, json};

const DISCOVER: &str = "server/discover";
const INITIALIZE: &str = "initialize";
const INITIALIZED: &str = "notifications/initialized";
const CALL: &str = "tools/call";

/// The methods that each process received, in order.
fn heard(fake: &FakeServer) -> Vec<Vec<String>> {
    let mut processes: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    for frame in fake.log().received() {
        processes.entry(frame.pid).or_default().push(frame.method().to_owned());
    }
    fake.log()
        .pids()
        .iter()
        .map(|pid| processes.remove(pid).unwrap_or_default())
        .collect()
}

/// One call of a fresh installation: what every process of the server hears, in order.
async fn check(why: &str, script: &Script, expect: &[&[&str]]) {
    let fake = FakeServer::new(script);
    let home = Home::with(&fake).await;
    let end = home.call("s", "t", "{}").await;
    assert!(said(&end).contains("ok"), "{why}: the call is served: {end:?}");
    assert_eq!(heard(&fake), expect, "{why}");
    home.quit().await;
    let modern = !expect.iter().any(|heard| heard.contains(&INITIALIZE));
    gatehouse_tests::home::valid(&fake.log(), if modern { Modern } else { Autumn2025 });
}

/// The same where no era is found: what is heard, and words that the person reads.
async fn check_failure(why: &str, script: &Script, expect: &[&[&str]], words: &[&str]) {
    let fake = FakeServer::new(script);
    let home = Home::with(&fake).await;
    let error = failed(&home.call("s", "t", "{}").await);
    let servers = home.host().servers().await.expect("servers");
    let ConnectionView::Failed { reason, .. } = &servers[0].connection else {
        panic!("{why}: {servers:?}")
    };
    for word in words {
        assert!(
            error.contains(word) && reason.contains(word),
            "{why}: the person reads {word} in: {error}; and in: {reason}"
        );
    }
    assert_eq!(heard(&fake), expect, "{why}");
    home.quit().await;
}

fn legacy() -> Script {
    Script::legacy("2025-11-25").tool("t")
}

fn legacy_with(discover: impl IntoIterator<Item = Action>) -> Script {
    legacy().on(DISCOVER, discover)
}

fn unsupported(data: Value) -> Action {
    act::error_data(-32022, "unsupported protocol version", data)
}

fn discovered() -> Action {
    act::result(json!({"resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}}))
}

#[tokio::test(flavor = "multi_thread")]
async fn the_probes_answer_decides() {
    let old: &[&[&str]] = &[&[DISCOVER, INITIALIZE, INITIALIZED, CALL]];
    check("a DiscoverResult is modern", &Script::modern(), &[&[DISCOVER, CALL]]).await;
    for code in [
        -32601, -32602, -32600, -32700, -32603, -32000, -32001, -32002, -32019, -32023, -1, 0, 1, 404,
    ] {
        check(
            &format!("error {code} is no modern one, whatever it means"),
            &legacy_with([act::error(code, "no")]),
            old,
        )
        .await;
    }
    let data = act::error_data(-32000, "supported", json!({"supported": ["2026-07-28"]}));
    check("data makes no modern error", &legacy_with([data]), old).await;
    let nobody = act::line(r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request"}}"#);
    check(
        "an error without an id answers the only request there is",
        &legacy_with([nobody]),
        old,
    )
    .await;
    check(
        "a result that is no DiscoverResult",
        &legacy_with([act::result(json!({"tools": []}))]),
        old,
    )
    .await;
    let only_old =
        act::result(json!({"resultType": "complete", "supportedVersions": ["2025-11-25"], "capabilities": {}}));
    check("a DiscoverResult of old versions only", &legacy_with([only_old]), old).await;
    for code in [-32020, -32021] {
        let modern = Script::modern().on(DISCOVER, [act::error(code, "modern")]);
        check(
            &format!("only a modern server knows {code}"),
            &modern,
            &[&[DISCOVER, CALL]],
        )
        .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn silence_on_the_probe_means_both() {
    let old: &[&[&str]] = &[&[DISCOVER, INITIALIZE, INITIALIZED, CALL]];
    let silent_script = legacy_with([]);
    let silent = check("silence", &silent_script, old);
    let words_script = legacy_with([act::line("what is server/discover?")]);
    let words = check("an answer that is no JSON is no answer", &words_script, old);
    let beaten_script = legacy().rule(Rule::on(DISCOVER).background().does([act::wait(7_000), discovered()]));
    let beaten = check(
        "initialize was answered first; the late DiscoverResult changes nothing",
        &beaten_script,
        old,
    );
    let late = async {
        let script = Script::bare()
            .rule(Rule::on(DISCOVER).background().does([act::wait(6_500), discovered()]))
            .on(INITIALIZE, [])
            .on(CALL, [act::text("ok")]);
        let fake = FakeServer::new(&script);
        let home = Home::with(&fake).await;
        said(&home.call("s", "t", "{}").await);
        assert_eq!(
            heard(&fake),
            [[DISCOVER, INITIALIZE, CALL]],
            "a late DiscoverResult counts: a modern call, no initialized"
        );
        let call = fake.log().received_method(CALL).remove(0);
        assert_eq!(
            call.params()["_meta"]["io.modelcontextprotocol/protocolVersion"],
            "2026-07-28",
            "{}",
            call.raw
        );
        home.quit().await;
    };
    let refused = async {
        let script = Script::bare()
            .rule(Rule::on(DISCOVER).background().does([act::wait(6_500), discovered()]))
            .on(INITIALIZE, [act::error(-32601, "no such method")])
            .on(CALL, [act::text("ok")]);
        let fake = FakeServer::new(&script);
        let home = Home::with(&fake).await;
        said(&home.call("s", "t", "{}").await);
        assert_eq!(
            heard(&fake),
            [[DISCOVER, INITIALIZE, CALL]],
            "a refused initialize does not end the wait for the probe"
        );
        home.quit().await;
    };
    tokio::join!(silent, words, beaten, late, refused);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_dies_of_the_probe_is_started_again() {
    for dies in [Action::Exit(1), Action::Exit(0), Action::Abort] {
        let script = legacy().rule(Rule::on(DISCOVER).does([dies]));
        let fake = FakeServer::new(&script);
        let home = Home::with(&fake).await;
        said(&home.call("s", "t", "{}").await);
        assert_eq!(
            heard(&fake),
            [&[DISCOVER][..], &[INITIALIZE, INITIALIZED, CALL]],
            "the second process is spared the probe"
        );
        home.host().disconnect("s").await.expect("it is there");
        said(&home.call("s", "t", "{}").await);
        assert_eq!(heard(&fake).len(), 3, "and the third time it is known at once");
        assert_eq!(
            heard(&fake)[2],
            [INITIALIZE, INITIALIZED, CALL],
            "how it wants to be greeted"
        );
        home.end(&[(&fake, Autumn2025)]).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unsupported_version_is_never_answered_with_initialize() {
    let once = Script::modern().rule(
        Rule::on(DISCOVER)
            .nth(1)
            .does([unsupported(json!({"supported": ["2026-07-28"], "requested": "x"}))]),
    );
    check("our version is named: one retry", &once, &[&[DISCOVER, DISCOVER, CALL]]).await;
    let always = Script::modern().on(DISCOVER, [unsupported(json!({"supported": ["2026-07-28"]}))]);
    check_failure(
        "retries have an end",
        &always,
        &[&[DISCOVER, DISCOVER]],
        &["2026-07-28"],
    )
    .await;
    let future = Script::modern().on(
        DISCOVER,
        [unsupported(json!({"supported": ["2099-01-01", "2100-01-01"]}))],
    );
    check_failure(
        "a version that we don't speak",
        &future,
        &[&[DISCOVER]],
        &["2099-01-01"],
    )
    .await;
    for data in [
        json!({"supported": []}),
        json!({}),
        json!(null),
        json!({"supported": "2026-07-28"}),
        json!(["2026-07-28"]),
    ] {
        let script = Script::modern().on(DISCOVER, [unsupported(data.clone())]);
        check_failure(&format!("no usable list: {data}"), &script, &[&[DISCOVER]], &["s"]).await;
    }
    let bare = Script::modern().on(DISCOVER, [act::error(-32022, "unsupported")]);
    check_failure("no data at all", &bare, &[&[DISCOVER]], &["s"]).await;
    let old = legacy().on(DISCOVER, [unsupported(json!({"supported": ["2025-11-25"]}))]);
    check(
        "a list of old versions only says how to greet it",
        &old,
        &[&[DISCOVER, INITIALIZE, INITIALIZED, CALL]],
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_server_is_one_process_and_one_conversation() {
    for (script, first) in [
        (Script::modern().tool("t"), vec![DISCOVER]),
        (legacy(), vec![DISCOVER, INITIALIZE, INITIALIZED]),
    ] {
        let fake = FakeServer::new(&script);
        let home = Home::with(&fake).await;
        let calls: Vec<_> = (0..5).map(|_| home.begin("s", "t", "{}")).collect();
        home.host().tools("s").await.expect("tools");
        for call in calls {
            said(&call.await.expect("no panic"));
        }
        assert_eq!(fake.log().pids().len(), 1, "whoever comes at once shares one start");
        assert_eq!(
            heard(&fake)[0][..first.len()],
            first,
            "the era is found once, and nothing else goes before"
        );
        assert_eq!(heard(&fake)[0].len(), first.len() + 6, "then only what was asked for");
        let (modern, revision) = (first.len() == 1, if first.len() == 1 { Modern } else { Autumn2025 });
        for frame in fake.log().received_method(CALL) {
            assert_eq!(
                raw_param(&frame, &["_meta", "io.modelcontextprotocol/protocolVersion"]).is_some(),
                modern,
                "eras are never mixed: {}",
                frame.raw
            );
        }
        home.end(&[(&fake, revision)]).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn another_program_behind_the_command_is_probed_anew() {
    let fake = FakeServer::new(&legacy());
    let home = Home::with(&fake).await;
    said(&home.call("s", "t", "{}").await);
    fake.rewrite(&Script::modern().tool("t"));
    home.host().disconnect("s").await.expect("it is there");
    said(&home.call("s", "t", "{}").await);
    assert_eq!(heard(&fake)[1], [INITIALIZE], "what was known is tried first");
    assert_eq!(
        heard(&fake)[2],
        [DISCOVER, CALL],
        "and after its failure a fresh process is probed"
    );
    fake.rewrite(&legacy());
    home.host().disconnect("s").await.expect("it is there");
    said(&home.call("s", "t", "{}").await);
    assert_eq!(
        heard(&fake)[3],
        [DISCOVER, INITIALIZE, INITIALIZED, CALL],
        "the way back needs no second process"
    );
    assert_eq!(fake.log().pids().len(), 4, "no more processes than these");
    home.quit().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_old_version_is_spoken_and_no_unknown_one() {
    for version in ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] {
        let fake = FakeServer::new(&Script::legacy(version).tool("t"));
        let home = Home::with(&fake).await;
        said(&home.call("s", "t", "{}").await);
        let hello = fake.log().received_method(INITIALIZE).remove(0);
        assert_eq!(
            hello.params()["protocolVersion"],
            "2025-11-25",
            "the best one is asked for"
        );
        assert_eq!(
            hello.params()["capabilities"]["roots"],
            json!({"listChanged": true}),
            "and roots are declared with their notification"
        );
        home.quit().await;
        let revision = match version {
            "2025-11-25" => Some(Autumn2025),
            "2025-06-18" => Some(Summer2025),
            _ => None,
        };
        if let Some(revision) = revision {
            gatehouse_tests::home::valid(&fake.log(), revision);
        }
    }
    let fake = FakeServer::new(&Script::legacy("1999-01-01"));
    let home = Home::with(&fake).await;
    let error = failed(&home.call("s", "t", "{}").await);
    assert!(error.contains("1999-01-01"), "the person reads what it speaks: {error}");
    assert!(
        !heard(&fake).concat().contains(&INITIALIZED.to_owned()),
        "the handshake is not finished"
    );
    home.quit().await;
}
