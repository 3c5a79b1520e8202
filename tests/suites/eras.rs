//! How the era of a server is found and kept, and what holds in the old one: handshake, requests of the server, late answers.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use gatehouse_host::view::{AnswerInput, ConnectionView, FormAction, Outcome, QuestionBody, RootsChoice};
use gatehouse_tests::fake::FakeServer;
use gatehouse_tests::home::{Home, Person, failed, form, raw_param, ready, roots, said};
use gatehouse_tests::log::Frame;
use gatehouse_tests::schema::Revision::{Autumn2025, Modern, Summer2025};
use gatehouse_tests::script::{Action, Rule, Script, act};
use serde_json::{Value, json};

const LIMIT: Duration = Duration::from_secs(40);
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

fn initialized() -> Action {
    act::result(
        json!({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "fake", "version": "1"}}),
    )
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

/// Asks once after the handshake, or with the n-th call of `t`.
fn asks(id: Value, method: &str, params: Option<Value>) -> Script {
    legacy().rule(
        Rule::on(INITIALIZED)
            .background()
            .does([act::request(id, method, params)]),
    )
}

/// Our answer to a request of the server's.
async fn answer(fake: &FakeServer, id: &Value) -> Frame {
    let find = |log: &gatehouse_tests::log::Log| {
        log.received()
            .into_iter()
            .find(|frame| frame.is_response() && frame.id() == id)
    };
    fake.log()
        .until(&format!("the answer to {id}"), LIMIT, |log| find(log).is_some())
        .await;
    find(&fake.log()).expect("it is there")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_of_an_old_server_is_answered_to_its_id() {
    for (id, params) in [
        (json!(0), None),
        (json!(1), Some(json!({}))),
        (json!(2), Some(json!({"_meta": {"progressToken": 9}}))),
        (json!("a-1"), None),
    ] {
        let fake = FakeServer::new(&asks(id.clone(), "roots/list", params));
        let home = Home::with(&fake).await;
        let person = Person::who(&home, RootsChoice::ShareOnce);
        let end = home.call("s", "t", "{}").await;
        assert!(said(&end).contains("ok"), "ids of both sides may be equal: {end:?}");
        let sent = answer(&fake, &id).await;
        assert_eq!(
            sent.json["result"],
            json!({"roots": [{"uri": home.uri("app"), "name": "app"}]}),
            "the folders as they were ticked"
        );
        assert!(
            fake.log().received_method(CALL)[0].t > sent.t,
            "the first call waits until the server knows its folders"
        );
        assert_eq!(person.asked(), 1, "asked once");
        home.end(&[(&fake, Autumn2025)]).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_is_an_error_to_an_old_server() {
    for (choice, code) in [
        (RootsChoice::Refuse, Some(-1)),
        (RootsChoice::Never, Some(-1)),
        (RootsChoice::ShareNone, None),
    ] {
        let script = asks(json!(1), "roots/list", None).rule(Rule::on(CALL).name("again").does([
            act::request(json!(2), "roots/list", None),
            act::await_response("2", 20_000),
            act::text("ok"),
        ]));
        let fake = FakeServer::new(&script);
        let home = Home::with(&fake).await;
        let person = Person::who(&home, choice);
        said(&home.call("s", "t", "{}").await);
        said(&home.call("s", "again", "{}").await);
        for id in [json!(1), json!(2)] {
            let sent = answer(&fake, &id).await;
            assert_eq!(
                sent.json["error"]["code"].as_i64(),
                code,
                "a server that waits is told: {}",
                sent.raw
            );
            assert_eq!(
                sent.json["result"].is_object(),
                code.is_none(),
                "an empty list is a result: {}",
                sent.raw
            );
            assert!(
                !sent.raw.contains("file:") && !sent.raw.contains("app"),
                "and no folder stands in it: {}",
                sent.raw
            );
        }
        assert_eq!(
            person.asked(),
            if choice == RootsChoice::Never { 1 } else { 2 },
            "only never is remembered"
        );
        home.end(&[(&fake, Autumn2025)]).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_not_declared_is_refused_at_once() {
    let sampling = json!({"messages": [], "maxTokens": 1});
    let url = json!({"mode": "url", "message": "m", "url": "https://example.com/", "elicitationId": "1"});
    for (method, params, roots_on, code) in [
        ("roots/list", None, false, -32601),
        ("sampling/createMessage", Some(sampling), true, -32601),
        ("acme/unknown", Some(json!({"path": "x"})), true, -32601),
        ("elicitation/create", Some(url), true, -32602),
        ("elicitation/create", None, true, -32602),
    ] {
        let script = asks(json!(5), method, params).on(
            CALL,
            [
                act::request(json!(6), "ping", None),
                act::await_response("6", 5_000),
                act::text("ok"),
            ],
        );
        let fake = FakeServer::new(&script);
        let home = Home::with(&fake).await;
        let person = Person::who(&home, RootsChoice::ShareAlways);
        home.host().offer_roots("s", roots_on).await.expect("it is there");
        said(&home.call("s", "t", "{}").await);
        let sent = answer(&fake, &json!(5)).await;
        assert_eq!(sent.json["error"]["code"], code, "{method}: {}", sent.raw);
        let asked = fake
            .log()
            .sent()
            .into_iter()
            .find(|frame| frame.id() == &json!(5))
            .expect("asked");
        assert!(
            sent.t - asked.t < 1_000_000,
            "{method}: at once, since a silent client costs the server a minute"
        );
        let hello = fake.log().received_method(INITIALIZE).remove(0);
        assert_eq!(
            hello.params()["capabilities"].get("roots").is_some(),
            roots_on,
            "declared or absent: {}",
            hello.raw
        );
        assert_eq!(person.asked(), 0, "{method}: no dialog");
        let row = home.until_record(1).await.remove(0);
        assert_eq!(
            (row.outcome, row.sent),
            (Outcome::NotOffered, None),
            "{method}: it is written down as not offered"
        );
        assert_eq!(
            answer(&fake, &json!(6)).await.json["result"],
            json!({}),
            "a ping is answered all the same"
        );
        home.end(&[(&fake, Autumn2025)]).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn switching_roots_off_counts_on_a_running_connection() {
    let script = legacy().on(
        CALL,
        [
            act::request(json!(7), "roots/list", None),
            act::await_response("7", 20_000),
            act::text("ok"),
        ],
    );
    let fake = FakeServer::new(&script);
    let home = Home::with(&fake).await;
    let person = Person::who(&home, RootsChoice::ShareAlways);
    home.host().connect("s").await.expect("it starts");
    home.host().offer_roots("s", false).await.expect("it is there");
    said(&home.call("s", "t", "{}").await);
    assert_eq!(
        answer(&fake, &json!(7)).await.json["error"]["code"],
        -32601,
        "what initialize declared is past; the person's word counts now"
    );
    assert_eq!(person.asked(), 0, "no dialog");
    home.end(&[(&fake, Autumn2025)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ping_is_answered_before_the_handshake_is_through() {
    let script = legacy().on(
        INITIALIZE,
        [
            act::request(json!("p"), "ping", None),
            act::await_response("\"p\"", 10_000),
            initialized(),
        ],
    );
    let fake = FakeServer::new(&script);
    let home = Home::with(&fake).await;
    said(&home.call("s", "t", "{}").await);
    assert!(
        fake.log().happened("response to \"p\""),
        "a server may wait for it before it answers initialize"
    );
    assert_eq!(
        fake.log().received_method(INITIALIZED).len(),
        1,
        "initialized is sent once"
    );
    home.end(&[(&fake, Autumn2025)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn forms_of_an_old_server_go_back_exactly() {
    let schema = json!({"type": "object", "properties": {"name": {"type": "string"}, "n": {"type": "number"}}, "required": ["name"]});
    let params = json!({"message": "Your name?", "requestedSchema": schema});
    let accept = r#"{"name":"Ada","n":1.50}"#;
    for (person, expect) in [
        (
            Some(form(FormAction::Accept, Some(accept))),
            format!(r#"{{"action":"accept","content":{accept}}}"#),
        ),
        (
            Some(form(FormAction::Decline, None)),
            r#"{"action":"decline"}"#.to_owned(),
        ),
        (
            Some(form(FormAction::Cancel, Some(accept))),
            r#"{"action":"cancel"}"#.to_owned(),
        ),
        (None, r#"{"action":"cancel"}"#.to_owned()),
    ] {
        for (version, revision) in [("2025-11-25", Autumn2025), ("2025-06-18", Summer2025)] {
            let asks = Rule::on(CALL).does([
                act::request(json!(3), "elicitation/create", Some(params.clone())),
                act::await_response("3", 20_000),
                act::text("ok"),
            ]);
            let fake = FakeServer::new(&Script::legacy(version).tool("t").rule(asks));
            let home = Home::with(&fake).await;
            let call = home.begin("s", "t", r#"{"why":"this"}"#);
            let question = home.until_open(1).await.remove(0);
            assert!(matches!(question.body, QuestionBody::Form { .. }), "{question:?}");
            assert_eq!(
                question.why[0].target.as_deref(),
                Some("t"),
                "the one call under way is named as its reason"
            );
            match &person {
                Some(answer) => home.host().answer(question.id, answer).expect("it is open"),
                None => home.host().dismiss_question(question.id).expect("it is open"),
            }
            said(&call.await.expect("no panic"));
            let sent = answer(&fake, &json!(3)).await;
            assert!(
                sent.raw.contains(&format!(r#""result":{expect}"#)),
                "{expect} is what leaves: {}",
                sent.raw
            );
            home.end(&[(&fake, revision)]).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_the_server_takes_back_is_withdrawn() {
    let script = asks(json!(4), "roots/list", None);
    let fake = FakeServer::new(&script);
    let home = Home::with(&fake).await;
    home.host().connect("s").await.expect("it starts");
    let question = home.until_open(1).await.remove(0);
    let mark = fake.log().mark();
    home.host().disconnect("s").await.expect("it is there");
    home.until_open(0).await;
    let late = home
        .host()
        .answer(question.id, &roots(RootsChoice::ShareAlways, &ready(&question)));
    assert!(
        late.is_err(),
        "a question of a server that is gone is withdrawn, and a yes finds nothing"
    );
    assert!(
        home.host().grants().await.expect("grants").is_empty(),
        "so nothing is remembered either"
    );
    assert!(fake.log().received_since(mark).is_empty(), "and nothing leaves");
    home.end(&[(&fake, Autumn2025)]).await;

    let script = legacy().rule(Rule::on(INITIALIZED).background().does([
        act::request(json!(4), "roots/list", None),
        act::wait(700),
        act::notify(
            "notifications/cancelled",
            Some(json!({"requestId": 4, "reason": "enough"})),
        ),
    ]));
    let fake = FakeServer::new(&script);
    let home = Home::with(&fake).await;
    home.host().connect("s").await.expect("it starts");
    home.until_open(1).await;
    home.until_open(0).await;
    said(&home.call("s", "t", "{}").await);
    assert!(
        fake.log().received().iter().all(|frame| !frame.is_response()),
        "a request that was taken back gets no answer"
    );
    assert_eq!(
        home.record().await[0].outcome,
        Outcome::Expired,
        "the record says that it was"
    );
    home.end(&[(&fake, Autumn2025)]).await;
}

/// After the handshake the server asks as 1, waits, and asks as 2 where `again`; on each notification it asks as 10, 11, …
fn impatient(again: bool) -> Script {
    let mut first = vec![
        act::request(json!(1), "roots/list", None),
        act::await_response("1", 40_000),
    ];
    if again {
        first.push(act::request(json!(2), "roots/list", None));
    }
    legacy().rule(Rule::on(INITIALIZED).background().does(first)).rule(
        Rule::on("notifications/roots/list_changed")
            .does([act::line(r#"{"jsonrpc":"2.0","id":1$n,"method":"roots/list"}"#)]),
    )
}

/// Nobody answers for the bound; then the person does, once the server has asked `open` more times. Gives the results that left.
async fn late(again: bool, choice: RootsChoice) -> (Home, FakeServer, usize) {
    let fake = FakeServer::new(&impatient(again));
    let home = Home::with(&fake).await;
    let begun = Instant::now();
    home.host().connect("s").await.expect("it starts");
    let question = home.until_open(1).await.remove(0);
    assert!(
        question.expires_at.is_some(),
        "the person sees how long the server waits"
    );
    let sent = answer(&fake, &json!(1)).await;
    let waited = begun.elapsed();
    assert!(
        sent.json["error"].is_object(),
        "an error, since nobody answered: {}",
        sent.raw
    );
    assert!(
        waited > Duration::from_secs(24) && waited < Duration::from_secs(29),
        "before the 30 s at which known servers give up: {waited:?}"
    );
    if again {
        let asked_again = |log: &gatehouse_tests::log::Log| log.sent().iter().any(|frame| frame.id() == &json!(2));
        fake.log().until("the second ask", LIMIT, asked_again).await;
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    let open = home.until_open(1).await.remove(0);
    assert_eq!(open.id, question.id, "the question stays on the desk");
    assert_eq!(
        open.expires_at.is_some(),
        again,
        "and says whether a server waits for it"
    );
    home.host()
        .answer(open.id, &roots(choice, &ready(&open)))
        .expect("a late answer is an answer");
    tokio::time::sleep(Duration::from_secs(2)).await;
    let told = fake
        .log()
        .received()
        .iter()
        .filter(|frame| frame.raw.contains("file://"))
        .count();
    (home, fake, told)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_late_yes_counts_for_the_next_time() {
    let changed = |fake: &FakeServer| fake.log().received_method("notifications/roots/list_changed").len();
    let once = async {
        let (home, fake, told) = late(false, RootsChoice::ShareOnce).await;
        assert_eq!(
            (changed(&fake), told),
            (1, 1),
            "the server is told to ask, and its next ask is answered without a question"
        );
        let outcomes: Vec<_> = home.record().await.iter().map(|row| row.outcome).collect();
        assert_eq!(
            outcomes,
            [Outcome::Expired, Outcome::Shared],
            "both stand in the record"
        );
        assert!(home.host().questions().is_empty(), "nobody is asked twice");
        home.end(&[(&fake, Autumn2025)]).await;
    };
    let again = async {
        let (home, fake, told) = late(true, RootsChoice::ShareOnce).await;
        assert!(
            answer(&fake, &json!(2)).await.json["result"].is_object(),
            "the ask that waits gets the answer"
        );
        assert_eq!(
            (changed(&fake), told),
            (0, 1),
            "once is once: it is not kept for yet another ask"
        );
        home.end(&[(&fake, Autumn2025)]).await;
    };
    let always = async {
        let (home, fake, told) = late(false, RootsChoice::ShareAlways).await;
        assert_eq!((changed(&fake), told), (1, 1), "always counts for the next ask as well");
        assert_eq!(
            home.host().grants().await.expect("grants").len(),
            1,
            "and is remembered"
        );
        home.end(&[(&fake, Autumn2025)]).await;
    };
    let no = async {
        let (home, fake, told) = late(false, RootsChoice::Refuse).await;
        assert_eq!((changed(&fake), told), (0, 0), "a late no is a no, and nothing to tell");
        home.end(&[(&fake, Autumn2025)]).await;
    };
    tokio::join!(once, again, always, no);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_grant_that_falls_is_told_to_the_server_that_had_it() {
    let script = asks(json!(1), "roots/list", None).on(
        "notifications/roots/list_changed",
        [act::line(
            r#"{"jsonrpc":"2.0","id":1$n,"method":"roots/list","params":{}}"#,
        )],
    );
    let fake = FakeServer::new(&script);
    let home = Home::with(&fake).await;
    let choices = std::sync::Mutex::new(vec![RootsChoice::Refuse, RootsChoice::ShareAlways]);
    let person = Person::at(&home, move |question| -> Option<AnswerInput> {
        let choice = choices.lock().expect("no panic").pop().expect("two questions at most");
        Some(roots(choice, &ready(question)))
    });
    said(&home.call("s", "t", "{}").await);
    assert!(answer(&fake, &json!(1)).await.json["result"].is_object(), "shared");
    let grant = home.host().grants().await.expect("grants").remove(0);
    home.host().revoke_grant(grant.id).await.expect("it is there");
    assert!(
        answer(&fake, &json!(11)).await.json["error"].is_object(),
        "told to ask again, it is asked about anew and refused"
    );
    assert_eq!(person.asked(), 2, "the fallen grant answers nothing");
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(
        fake.log().received_method("notifications/roots/list_changed").len(),
        1,
        "one change, one notification"
    );
    home.end(&[(&fake, Autumn2025)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_of_an_old_server_is_read() {
    let batch = r#"[{"jsonrpc":"2.0","id":"b1","method":"ping"},{"jsonrpc":"2.0","id":"b2","method":"roots/list"},{"jsonrpc":"2.0","id":$id,"result":{"content":[{"type":"text","text":"batched"}]}}]"#;
    let fake = FakeServer::new(&Script::legacy("2025-03-26").tool("t").on(CALL, [act::line(batch)]));
    let home = Home::with(&fake).await;
    let _person = Person::who(&home, RootsChoice::ShareOnce);
    assert!(
        said(&home.call("s", "t", "{}").await).contains("batched"),
        "the answer in it is an answer"
    );
    assert_eq!(
        answer(&fake, &json!("b1")).await.json["result"],
        json!({}),
        "and so is each request in it a request"
    );
    assert!(
        answer(&fake, &json!("b2")).await.raw.contains("file://"),
        "roots are asked about like any other time"
    );
    home.quit().await;
}
