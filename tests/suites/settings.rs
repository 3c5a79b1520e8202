//! What a person sets acts: offers on the very next frame and on open questions, the era on the next connection, limits on
//! the next call. Asserted on what the server received.

use std::time::Duration;

use gatehouse_host::call::Call;
use gatehouse_host::view::{AnswerInput, FormAction, Outcome, RootsChoice, Theme, Update};
use gatehouse_host::{Code, Host, HostError};
use gatehouse_tests::fake::FakeServer;
use gatehouse_tests::home::{Home, declined, failed, form, ready, roots, said, tool_call};
use gatehouse_tests::schema::Revision::{Autumn2025, Modern};
use gatehouse_tests::script::{Action, Rule, Script, act};
use serde_json::{Value, json};

const LIMIT: Duration = Duration::from_secs(30);
const CALL: &str = "tools/call";
const DISCOVER: &str = "server/discover";
const INITIALIZE: &str = "initialize";
const CANCELLED: &str = "notifications/cancelled";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

/// What the next frame declares.
async fn next_frame(home: &Home, fake: &FakeServer) -> Value {
    said(&home.call("s", "t", "{}").await);
    let frame = fake.log().received_method(CALL).pop().expect("the call left");
    frame.params()["_meta"][CAPABILITIES].clone()
}

async fn set(home: &Home, key: &str, value: &str) {
    home.host()
        .change_server("s", &[(key, value)])
        .await
        .expect("it can be set");
}

fn a_form() -> Value {
    json!({"method": "elicitation/create", "params": {"message": "Your name?", "requestedSchema":
        {"type": "object", "properties": {"name": {"type": "string"}}}}})
}

fn a_page() -> Value {
    json!({"method": "elicitation/create", "params":
        {"mode": "url", "message": "Sign in", "url": "https://example.com/in", "elicitationId": "1"}})
}

#[tokio::test(flavor = "multi_thread")]
async fn each_offer_is_on_the_very_next_frame_or_is_not() {
    let fake = FakeServer::new(&Script::modern().tool("t"));
    let home = Home::with(&fake).await;
    let all = json!({"roots": {}, "elicitation": {"form": {}, "url": {}}});
    assert_eq!(
        next_frame(&home, &fake).await,
        all,
        "a model's answers are not offered at first"
    );
    for (key, value, expect) in [
        ("forms", "off", json!({"roots": {}, "elicitation": {"url": {}}})),
        ("links", "off", json!({"roots": {}})),
        ("roots", "off", json!({})),
        ("forms", "on", json!({"elicitation": {"form": {}}})),
        ("links", "on", json!({"elicitation": {"form": {}, "url": {}}})),
        ("roots", "on", all),
    ] {
        set(&home, key, value).await;
        assert_eq!(
            next_frame(&home, &fake).await,
            expect,
            "{key} {value}: a mode is named, or there is no elicitation"
        );
    }
    assert_eq!(fake.log().received_method(DISCOVER).len(), 1, "no switch reconnects");
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_offer_that_is_taken_back_while_its_question_is_open_sends_nothing() {
    for (key, request, words) in [
        (
            "roots",
            json!({"method": "roots/list"}),
            "Folders are no longer offered",
        ),
        ("forms", a_form(), "Forms are no longer offered"),
        ("links", a_page(), "Links are no longer offered"),
    ] {
        let script = Script::modern()
            .tool("t")
            .rule(
                Rule::on(CALL)
                    .fresh()
                    .does([act::ask(json!({"q": request}), Some("x"))]),
            )
            .rule(Rule::on(CALL).answered().does([act::text("done")]));
        let fake = FakeServer::new(&script);
        let home = Home::with(&fake).await;
        let call = home.begin("s", "t", "{}");
        let question = home.until_open(1).await.remove(0);
        set(&home, key, "off").await;
        let answer = match key {
            "roots" => roots(RootsChoice::ShareAlways, &ready(&question)),
            "forms" => form(FormAction::Accept, Some(r#"{"name":"Ada"}"#)),
            _ => AnswerInput::Link {
                action: FormAction::Accept,
            },
        };
        let mark = fake.log().mark();
        home.host().answer(question.id, &answer).expect("it is open");
        let end = call.await.expect("no panic");
        assert!(declined(&end).starts_with(words), "{key}: {end:?}");
        fake.log()
            .assert_silent(mark, Duration::from_millis(500), "not a byte follows");
        let row = home.until_record(1).await.remove(0);
        assert_eq!(row.sent, None, "{key}: {row:?}");
        assert!(
            home.host().grants().await.expect("read").is_empty(),
            "{key}: nothing is remembered of it"
        );
        home.end(&[(&fake, Modern)]).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_old_server_is_refused_what_is_switched_off_at_once_and_told_so_by_the_next_handshake() {
    for (off, request, code) in [
        (&["roots"][..], json!({"method": "roots/list"}), -32601),
        (&["forms"], a_form(), -32602),
        (&["links"], a_page(), -32602),
        (&["forms", "links"], a_form(), -32601),
    ] {
        let (method, params) = (
            request["method"].as_str().expect("a text"),
            request.get("params").cloned(),
        );
        let asks = [
            act::request(json!(7), method, params),
            act::await_response("7", 20_000),
            act::text("ok"),
        ];
        let fake = FakeServer::new(&Script::legacy("2025-11-25").tool("t").on(CALL, asks));
        let home = Home::with(&fake).await;
        home.host().connect("s").await.expect("it starts");
        for key in off {
            set(&home, key, "off").await;
        }
        said(&home.call("s", "t", "{}").await);
        let answers = fake.log().received();
        let answer = answers
            .iter()
            .find(|frame| frame.is_response())
            .expect("it is answered");
        assert_eq!(answer.json["error"]["code"], code, "{off:?}: {}", answer.raw);
        assert!(home.host().questions().is_empty(), "{off:?}: nobody is asked");
        let row = home.until_record(1).await.remove(0);
        assert_eq!((row.outcome, row.sent), (Outcome::NotOffered, None), "{off:?}");
        home.host().disconnect("s").await.expect("it stops");
        home.host().connect("s").await.expect("it starts");
        let hello = fake.log().received_method(INITIALIZE).remove(1);
        let declared = &hello.params()["capabilities"];
        let elicitation = match off {
            ["forms"] => json!({"url": {}}),
            ["links"] => json!({}),
            ["forms", "links"] => Value::Null,
            _ => json!({"form": {}, "url": {}}),
        };
        assert_eq!(
            declared["elicitation"], elicitation,
            "{off:?}: an empty one means forms to this revision"
        );
        assert_eq!(
            declared.get("roots").is_none(),
            off == ["roots"],
            "{off:?}: {}",
            hello.raw
        );
        home.end(&[(&fake, Autumn2025)]).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_old_server_gets_an_error_where_the_offer_is_taken_back_while_its_question_is_open() {
    for (key, request) in [
        ("roots", json!({"method": "roots/list"})),
        ("forms", a_form()),
        ("links", a_page()),
    ] {
        let (method, params) = (
            request["method"].as_str().expect("a text"),
            request.get("params").cloned(),
        );
        let asks = [
            act::request(json!(7), method, params),
            act::await_response("7", 20_000),
            act::text("ok"),
        ];
        let fake = FakeServer::new(&Script::legacy("2025-11-25").tool("t").on(CALL, asks));
        let home = Home::with(&fake).await;
        let call = home.begin("s", "t", "{}");
        let question = home.until_open(1).await.remove(0);
        set(&home, key, "off").await;
        let answer = match key {
            "roots" => roots(RootsChoice::ShareAlways, &ready(&question)),
            "forms" => form(FormAction::Accept, Some(r#"{"name":"Ada"}"#)),
            _ => AnswerInput::Link {
                action: FormAction::Accept,
            },
        };
        home.host().answer(question.id, &answer).expect("it is open");
        said(&call.await.expect("no panic"));
        let answers = fake.log().received();
        let answer = answers
            .iter()
            .find(|frame| frame.is_response())
            .expect("it is answered");
        assert_eq!(answer.json["error"]["code"], -1, "{key}: {}", answer.raw);
        assert_eq!(home.until_record(1).await.remove(0).sent, None, "{key}");
        assert!(
            home.host().grants().await.expect("read").is_empty(),
            "{key}: nothing is remembered of it"
        );
        home.end(&[(&fake, Autumn2025)]).await;
    }
}

/// The methods that each process of the server heard before any other.
fn openings(fake: &FakeServer) -> Vec<String> {
    let frames = fake.log().received();
    let first = |pid: &u32| {
        frames
            .iter()
            .find(|frame| frame.pid == *pid)
            .map(|frame| frame.method().to_owned())
    };
    fake.log().pids().iter().filter_map(first).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_chosen_era_is_spoken_from_the_next_connection_on_and_no_other() {
    // Both eras are spoken by this one.
    let both = Script::legacy("2025-11-25").tool("t").on(
        DISCOVER,
        [act::result(
            json!({"resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}}),
        )],
    );
    let fake = FakeServer::new(&both);
    let home = Home::with(&fake).await;
    set(&home, "era", "legacy").await;
    said(&home.call("s", "t", "{}").await);
    set(&home, "era", "modern").await;
    said(&home.call("s", "t", "{}").await);
    assert_eq!(openings(&fake), [INITIALIZE], "a running connection stays as it is");
    assert!(
        fake.log().received_method(DISCOVER).is_empty(),
        "no probe in the chosen old era"
    );
    home.host().disconnect("s").await.expect("it stops");
    said(&home.call("s", "t", "{}").await);
    set(&home, "era", "automatic").await;
    home.host().disconnect("s").await.expect("it stops");
    said(&home.call("s", "t", "{}").await);
    assert_eq!(
        openings(&fake),
        [INITIALIZE, DISCOVER, DISCOVER],
        "what was chosen is not taken for what was found out"
    );
    assert_eq!(fake.log().received_method(INITIALIZE).len(), 1);
    home.quit().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chosen_era_has_no_way_back() {
    let fake = FakeServer::new(&Script::legacy("2025-11-25").tool("t"));
    let home = Home::with(&fake).await;
    set(&home, "era", "modern").await;
    let end = home.call("s", "t", "{}").await;
    let words = failed(&end);
    assert!(words.contains("does not speak the modern protocol"), "{words}");
    assert_eq!(end.expect_err("it fails").code(), Code::StartFailed);
    home.quit().await;
    let heard: Vec<_> = fake
        .log()
        .received()
        .iter()
        .map(|frame| frame.method().to_owned())
        .collect();
    assert_eq!(
        heard,
        [DISCOVER],
        "initialize is never sent, not to a second process either"
    );

    let fake = FakeServer::new(&Script::modern().tool("t"));
    let home = Home::with(&fake).await;
    set(&home, "era", "legacy").await;
    failed(&home.call("s", "t", "{}").await);
    home.quit().await;
    assert!(
        fake.log().received_method(DISCOVER).is_empty(),
        "the probe is never sent"
    );

    // Silence is met with `initialize` after a while where the era is looked for, and never where it was chosen.
    let fake = FakeServer::new(&Script::bare().tool("t"));
    let home = Home::with(&fake).await;
    set(&home, "era", "modern").await;
    let call = home.begin("s", "t", "{}");
    fake.log()
        .until("the probe", LIMIT, |log| !log.received_method(DISCOVER).is_empty())
        .await;
    let mark = fake.log().mark();
    tokio::task::block_in_place(|| {
        fake.log().assert_silent(
            mark,
            gatehouse_mcp::bounds::PROBE + Duration::from_secs(1),
            "no initialize",
        );
    });
    home.quit().await;
    call.await.expect("no panic").expect_err("it was stopped");
}

/// Progress after each of so many pauses of 400 ms, then a text.
fn slowly(steps: usize) -> Vec<Action> {
    let step = |n: usize| {
        let line = format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":$params._meta.progressToken,"progress":{n}}}}}"#
        );
        [act::wait(400), act::line(&line)]
    };
    (1..=steps).flat_map(step).chain([act::text("done")]).collect()
}

async fn timed_out(home: &Home, fake: &FakeServer, call: Call, words: &[&str]) {
    let told = fake.log().received_method(CANCELLED).len();
    let error = home.host().call(call).await.expect_err("it runs out of time");
    assert_eq!(error.code(), Code::TimedOut, "{error}");
    for word in words.iter().chain(&["server s", "not undone"]) {
        assert!(error.to_string().contains(word), "{word} stands in: {error}");
    }
    let sent = fake.log().received_method(CALL).pop().expect("the call left");
    fake.log()
        .until("the cancel", LIMIT, |log| log.received_method(CANCELLED).len() > told)
        .await;
    let cancel = fake.log().received_method(CANCELLED).pop().expect("it is there");
    assert_eq!(
        &cancel.params()["requestId"],
        sent.id(),
        "the server is told to stop just this"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn progress_keeps_a_call_alive_up_to_the_longest_time() {
    let script = Script::modern()
        .tool("t")
        .rule(Rule::on(CALL).name("works").background().does(slowly(8)))
        .rule(Rule::on(CALL).name("endless").background().does(slowly(400)))
        .rule(Rule::on(CALL).name("silent").background().does([act::wait(120_000)]));
    let fake = FakeServer::new(&script);
    let home = Home::with(&fake).await;
    set(&home, "time-limit", "2").await;
    said(&home.call("s", "works", "{}").await);
    timed_out(&home, &fake, tool_call("s", "silent", "{}"), &["no progress for 2 s"]).await;
    home.host()
        .change_settings(&[("time-limit", "2"), ("longest-call", "4")])
        .await
        .expect("they fit each other");
    timed_out(
        &home,
        &fake,
        tool_call("s", "endless", "{}"),
        &["lasted 4 s", "longest call"],
    )
    .await;
    let own = |seconds| Call {
        limit: Some(Duration::from_secs(seconds)),
        ..tool_call("s", "silent", "{}")
    };
    timed_out(&home, &fake, own(1), &["no progress for 1 s"]).await;
    let before = fake.log().received().len();
    let refused = home.host().call(own(5)).await.expect_err("longer than a call may last");
    assert!(
        matches!(&refused, HostError::Invalid { reason } if reason.contains("4 s")),
        "{refused}"
    );
    assert_eq!(fake.log().received().len(), before, "it is said before anything leaves");
    said(&home.call("s", "t", "{}").await);
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_longest_time_is_that_of_all_rounds_and_not_the_persons() {
    let round = |actions: Vec<Action>, last: Action| {
        let mut actions = actions;
        actions.pop();
        actions.push(last);
        actions
    };
    let ask = act::ask(json!({"f": a_form()}), Some("1"));
    let script = Script::modern()
        .tool("t")
        .rule(Rule::on(CALL).name("two").fresh().does(round(slowly(4), ask.clone())))
        .rule(Rule::on(CALL).name("two").answered().does(slowly(100)))
        .rule(Rule::on(CALL).name("asks").fresh().does([ask]))
        .rule(Rule::on(CALL).name("asks").answered().does([act::text("done")]));
    let fake = FakeServer::new(&script);
    let home = Home::with(&fake).await;
    home.host()
        .change_settings(&[("time-limit", "2"), ("longest-call", "3")])
        .await
        .expect("they fit each other");
    let answered_late = async |tool: &str| {
        let call = home.begin("s", tool, "{}");
        let question = home.until_open(1).await.remove(0);
        tokio::time::sleep(Duration::from_millis(3_500)).await;
        home.host()
            .answer(question.id, &form(FormAction::Decline, None))
            .expect("it is open: no limit runs for a person");
        call.await.expect("no panic")
    };
    said(&answered_late("asks").await);
    let began = fake.log().received_method(CALL).len();
    let words = failed(&answered_late("two").await);
    assert!(words.contains("lasted 3 s") && words.contains("stays told"), "{words}");
    let rounds = fake.log().received_method(CALL).split_off(began);
    fake.log()
        .until("the cancel of the second round", LIMIT, |log| {
            !log.received_method(CANCELLED).is_empty()
        })
        .await;
    let cancel = fake.log().received_method(CANCELLED).remove(0);
    let second = Duration::from_micros(cancel.t - rounds[1].t);
    assert!(
        second < Duration::from_millis(2_500),
        "the first round took its part of the time: {second:?}"
    );
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_limit_runs_while_an_old_server_waits_for_the_person() {
    let asks = [
        act::request(json!(7), "roots/list", None),
        act::await_response("7", 20_000),
        act::text("ok"),
    ];
    let fake = FakeServer::new(&Script::legacy("2025-11-25").tool("t").on(CALL, asks));
    let home = Home::with(&fake).await;
    home.host()
        .change_settings(&[("time-limit", "1"), ("longest-call", "1")])
        .await
        .expect("they fit each other");
    let call = home.begin("s", "t", "{}");
    let question = home.until_open(1).await.remove(0);
    tokio::time::sleep(Duration::from_millis(2_000)).await;
    home.host()
        .answer(question.id, &roots(RootsChoice::ShareNone, &[]))
        .expect("it is open");
    said(&call.await.expect("no panic"));
    home.end(&[(&fake, Autumn2025)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_another_process_sets_acts_in_this_one() {
    let fake = FakeServer::new(&Script::modern().tool("t"));
    let home = Home::with(&fake).await;
    assert!(next_frame(&home, &fake).await.get("roots").is_some());
    let mut bell = home.host().watch();
    bell.next().await;
    let other = Host::open(home.places()).expect("the same files");
    other
        .change_server("s", &[("roots", "off")])
        .await
        .expect("it can be set");
    other
        .change_settings(&[("theme", "dark")])
        .await
        .expect("it can be set");
    let end = std::time::Instant::now() + LIMIT;
    let seen = async || {
        let Update::Settings { settings } = home
            .host()
            .update(gatehouse_host::changes::Part::Settings)
            .await
            .expect("read")
        else {
            panic!("the settings are asked for");
        };
        settings.theme == Theme::Dark
    };
    let mut told = false;
    while !told {
        assert!(std::time::Instant::now() < end, "the bell rings for it");
        let parts = tokio::time::timeout(LIMIT, bell.next())
            .await
            .expect("the bell rings")
            .expect("the host lives");
        told = parts.contains(&gatehouse_host::changes::Part::Settings) && seen().await;
    }
    while next_frame(&home, &fake).await.get("roots").is_some() {
        assert!(
            std::time::Instant::now() < end,
            "the switch acts on the running connection"
        );
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    other.quit().await;
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_traffic_that_is_kept_follows_its_setting() {
    let fake = FakeServer::new(&Script::modern().tool("t").on(CALL, [act::huge(300 * 1024)]));
    let home = Home::with(&fake).await;
    for _ in 0..10 {
        said(&home.call("s", "t", "{}").await);
    }
    let kept = || {
        home.host()
            .frames("s", 0, usize::MAX)
            .0
            .iter()
            .map(|frame| frame.bytes.len())
            .sum::<usize>()
    };
    assert!(kept() > 2 * 1024 * 1024, "more than is allowed after: {}", kept());
    home.host()
        .change_settings(&[("traffic", "1")])
        .await
        .expect("it can be set");
    assert!(kept() <= 1024 * 1024, "the oldest gave way: {}", kept());
    let home = home.restart().await;
    for _ in 0..10 {
        said(&home.call("s", "t", "{}").await);
    }
    let kept: usize = home
        .host()
        .frames("s", 0, usize::MAX)
        .0
        .iter()
        .map(|frame| frame.bytes.len())
        .sum();
    assert!(kept <= 1024 * 1024, "the next run has it from the start: {kept}");
    home.end(&[(&fake, Modern)]).await;
}
