//! What holds on a connection of the old era: requests of the server, forms, late answers, changes. How the era is found is
//! in `eras`.

use std::time::{Duration, Instant};

use gatehouse_host::view::{AnswerInput, FormAction, Outcome, QuestionBody, RootsChoice};
use gatehouse_tests::fake::FakeServer;
use gatehouse_tests::home::{Home, Person, form, ready, roots, said};
use gatehouse_tests::log::Frame;
use gatehouse_tests::schema::Revision::{Autumn2025, Summer2025};
use gatehouse_tests::script::{Action, Rule, Script, act};
use serde_json::{Value, json};

const LIMIT: Duration = Duration::from_secs(40);
const INITIALIZE: &str = "initialize";
const INITIALIZED: &str = "notifications/initialized";
const CALL: &str = "tools/call";

fn legacy() -> Script {
    Script::legacy("2025-11-25").tool("t")
}

fn initialized() -> Action {
    act::result(
        json!({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "fake", "version": "1"}}),
    )
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
    let unknown = json!({"mode": "hologram", "message": "m"});
    for (method, params, roots_on, code) in [
        ("roots/list", None, false, -32601),
        ("sampling/createMessage", Some(sampling), true, -32601),
        ("acme/unknown", Some(json!({"path": "x"})), true, -32601),
        ("elicitation/create", Some(unknown), true, -32602),
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
        home.host()
            .change_server("s", &[("roots", if roots_on { "on" } else { "off" })])
            .await
            .expect("it is there");
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
        // What is no method of the protocol's is refused by the exchange itself, and stands in the traffic only.
        if method != "acme/unknown" {
            let row = home.until_record(1).await.remove(0);
            assert_eq!(
                (row.outcome, row.sent),
                (Outcome::NotOffered, None),
                "{method}: it is written down as not offered"
            );
        }
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
    home.host()
        .change_server("s", &[("roots", "off")])
        .await
        .expect("it is there");
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
