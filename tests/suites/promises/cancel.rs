//! Cancelling at every step of a call: what is told to the server, what is not, and what comes too late. A cancel of a
//! request in flight is in `wire`, one at a question of the new era in `rounds`, limits of one request in the exchange's tests.

use std::time::{Duration, Instant};

use gatehouse_host::Code;
use gatehouse_host::call::Call;
use gatehouse_host::view::{FormAction, Outcome, QuestionBody, RootsChoice};
use gatehouse_tests::fake::FakeServer;
use gatehouse_tests::home::{Home, Person, failed, form, ready, roots, said, tool_call};
use gatehouse_tests::schema::Revision::{Autumn2025, Modern};
use gatehouse_tests::script::{Action, Rule, Script, act};
use serde_json::{Value, json};

const LIMIT: Duration = Duration::from_secs(30);
const CALL: &str = "tools/call";
const CANCELLED: &str = "notifications/cancelled";

#[tokio::test(flavor = "multi_thread")]
async fn a_limit_of_one_call_cancels_that_call_alone() {
    let slow = Rule::on(CALL).name("slow").background().does([act::wait(60_000)]);
    let steady = Rule::on(CALL)
        .name("steady")
        .background()
        .does([act::wait(1_500), act::text("steady")]);
    let fake = FakeServer::new(&Script::modern().rule(slow).rule(steady));
    let home = Home::with(&fake).await;
    home.host().connect("s").await.expect("it starts");
    let other = home.begin("s", "steady", "{}");
    let limit = Some(Duration::from_millis(500));
    let call = Call {
        limit,
        ..tool_call("s", "slow", "{}")
    };
    let end = home.host().call(call).await;
    assert_eq!(end.expect_err("it is too slow").code(), Code::TimedOut);
    fake.wait_for(CANCELLED, 1, LIMIT);
    assert!(
        said(&other.await.expect("no panic")).contains("steady"),
        "the other call goes on"
    );
    let slow = fake.log().received_method(CALL);
    let slow = slow
        .iter()
        .find(|frame| frame.params()["name"] == "slow")
        .expect("it left");
    let told = fake.log().received_method(CANCELLED);
    assert_eq!(told.len(), 1, "one request is cancelled");
    assert_eq!(&told[0].params()["requestId"], slow.id(), "the one that is too slow");
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pause_between_rounds_is_cancelled_without_a_word() {
    let fake = FakeServer::new(
        &Script::modern()
            .tool("t")
            .rule(Rule::on(CALL).does([act::state_only("again")])),
    );
    let home = Home::with(&fake).await;
    let call = home.begin("s", "t", "{}");
    // The third answer is followed by a pause of a second.
    fake.log()
        .until("the third answer", LIMIT, |log| {
            log.sent()
                .iter()
                .filter(|frame| frame.json["result"]["requestState"] == "again")
                .count()
                == 3
        })
        .await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    let (mark, began) = (fake.log().mark(), Instant::now());
    home.host().cancel_call(1).expect("it is under way");
    let end = call.await.expect("no panic");
    assert_eq!(end.expect_err("cancelled").code(), Code::Cancelled);
    assert!(
        began.elapsed() < Duration::from_millis(600),
        "at once, not after the pause: {:?}",
        began.elapsed()
    );
    fake.log().assert_silent(
        mark,
        Duration::from_secs(2),
        "no request is in flight, so nothing is cancelled, and nothing is retried",
    );
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_late_answer_opens_no_question() {
    let late = act::line(
        r#"{"jsonrpc":"2.0","id":$params.requestId,"result":{"resultType":"input_required","inputRequests":{"r":{"method":"roots/list"}},"requestState":"late"}}"#,
    );
    let script = Script::modern()
        .rule(Rule::on(CALL).name("slow").does([]))
        .rule(Rule::on(CANCELLED).does([late]));
    let fake = FakeServer::new(&script);
    let home = Home::with(&fake).await;
    let person = Person::who(&home, RootsChoice::ShareAlways);
    let call = home.begin("s", "slow", "{}");
    fake.log()
        .until("the call", LIMIT, |log| !log.received_method(CALL).is_empty())
        .await;
    home.host().cancel_call(1).expect("it is under way");
    failed(&call.await.expect("no panic"));
    fake.log()
        .until("the late answer", LIMIT, |log| {
            log.sent()
                .iter()
                .any(|frame| frame.json["result"]["requestState"] == "late")
        })
        .await;
    let mark = fake.log().mark();
    assert!(
        said(&home.call("s", "quick", "{}").await).contains("ok"),
        "the connection goes on"
    );
    assert_eq!(
        fake.log().received_since(mark).len(),
        1,
        "and the late answer has led to nothing"
    );
    assert_eq!(person.asked(), 0, "nobody was asked");
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_handshake_is_never_cancelled() {
    let script = Script::legacy("2025-11-25")
        .tool("t")
        .rule(Rule::on("initialize").does([]));
    let fake = FakeServer::new(&script);
    let home = Home::with(&fake).await;
    let call = home.begin("s", "t", "{}");
    fake.log()
        .until("the handshake", LIMIT, |log| {
            !log.received_method("initialize").is_empty()
        })
        .await;
    home.host().cancel_call(1).expect("it is under way");
    let end = call.await.expect("no panic");
    assert_eq!(
        end.expect_err("cancelled").code(),
        Code::Cancelled,
        "a call can be cancelled while its server starts"
    );
    home.host().disconnect("s").await.expect("a start can be stopped");
    fake.log()
        .until("the end", LIMIT, |log| log.happened("stdin closed"))
        .await;
    assert!(
        fake.log().received_method(CANCELLED).is_empty(),
        "the revision forbids to cancel initialize: {}",
        fake.log().dump()
    );
    home.end(&[(&fake, Autumn2025)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_is_cancelled_before_its_server_may_start() {
    let fake = FakeServer::new(&Script::modern().tool("t"));
    let home = Home::with(&fake).await;
    let file = home.places().config().join("servers.json");
    let text = std::fs::read_to_string(&file).expect("it is there");
    std::fs::write(&file, text.replace("\"args\"", "\"env\": {\"X\": \"1\"}, \"args\"")).expect("writable");
    let end = Instant::now() + LIMIT;
    while home.host().servers().await.expect("they are read")[0].trust == gatehouse_host::view::Trust::Trusted {
        assert!(Instant::now() < end, "the change is seen");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let call = home.begin("s", "t", "{}");
    let question = home.until_open(1).await.remove(0);
    assert!(matches!(question.body, QuestionBody::Trust { .. }), "{question:?}");
    home.host().cancel_call(1).expect("it is under way");
    assert_eq!(
        call.await.expect("no panic").expect_err("cancelled").code(),
        Code::Cancelled
    );
    home.until_open(0).await;
    assert!(fake.log().pids().is_empty(), "nothing was started");
    home.quit().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_goes_with_the_process_that_asked() {
    let form = json!({"f": {"method": "elicitation/create", "params": {"message": "Who?",
        "requestedSchema": {"type": "object", "properties": {}}}}});
    for (asked, script) in [
        ("folders", Script::modern().asks_roots("t", Some("s"))),
        (
            "a form",
            Script::modern()
                .tool("t")
                .rule(Rule::on(CALL).name("t").does([act::ask(form, None)])),
        ),
    ] {
        let fake = FakeServer::new(&script.rule(Rule::on(CALL).name("die").does([Action::Abort])));
        let home = Home::with(&fake).await;
        let call = home.begin("s", "t", "{}");
        let question = home.until_open(1).await.remove(0);
        failed(&home.call("s", "die", "{}").await);
        home.until_open(0).await;
        let end = call.await.expect("no panic");
        assert_eq!(end.expect_err("it can't go on").code(), Code::Closed, "{asked}");
        let gone = home.host().dismiss_question(question.id).expect_err("it is gone");
        assert_eq!(gone.code(), Code::Gone, "{asked}: nobody fills what can't be sent");
        let rows = home.record().await;
        assert_eq!(
            rows.iter()
                .map(|row| (row.outcome, row.sent.is_some()))
                .collect::<Vec<_>>(),
            [(Outcome::Expired, false)],
            "{asked}: that it was asked stands in the record"
        );
        home.end(&[(&fake, Modern)]).await;
    }
}

/// A server of the old era that asks this during its call, with how that went in the result.
fn old_server(method: &str, params: Option<Value>) -> FakeServer {
    let asks = Rule::on(CALL).name("t").background().does([
        act::request(json!("q"), method, params),
        act::await_response("\"q\"", 20_000),
        act::text("done"),
    ]);
    FakeServer::new(&Script::legacy("2025-11-25").tool("t").rule(asks))
}

#[tokio::test(flavor = "multi_thread")]
async fn the_question_of_an_old_server_goes_with_its_call() {
    let schema = json!({"type": "object", "properties": {"name": {"type": "string"}}});
    let form_params = json!({"message": "Who?", "requestedSchema": schema});
    let page_params = json!({"mode": "url", "message": "In", "url": "https://example.com/", "elicitationId": "1"});
    for (method, params) in [
        ("roots/list", None),
        ("elicitation/create", Some(form_params)),
        ("elicitation/create", Some(page_params)),
    ] {
        let fake = old_server(method, params);
        let home = Home::with(&fake).await;
        let call = home.begin("s", "t", "{}");
        let question = home.until_open(1).await.remove(0);
        assert!(question.why[0].call.is_some(), "{method}: it is asked for the call");
        home.host().cancel_call(1).expect("it is under way");
        failed(&call.await.expect("no panic"));
        home.until_open(0).await;
        let late = match question.body {
            QuestionBody::Roots { .. } => roots(RootsChoice::ShareOnce, &ready(&question)),
            _ => form(FormAction::Accept, Some("{}")),
        };
        assert_eq!(
            home.host().answer(question.id, &late).expect_err("it is gone").code(),
            Code::Gone,
            "{method}: a late yes finds no question"
        );
        fake.log()
            .until("both words to the server", LIMIT, |log| {
                log.happened("response to \"q\"") && !log.received_method(CANCELLED).is_empty()
            })
            .await;
        let call = fake.log().received_method(CALL).remove(0);
        assert_eq!(
            &fake.log().received_method(CANCELLED)[0].params()["requestId"],
            call.id(),
            "{method}: the call was in flight"
        );
        let answer = fake
            .log()
            .received()
            .into_iter()
            .find(|frame| frame.is_response() && frame.id() == "q");
        let answer = answer.expect("a server that waits is answered");
        if method == "roots/list" {
            assert!(answer.json["error"].is_object(), "with an error: {}", answer.raw);
        } else {
            assert_eq!(answer.json["result"], json!({"action": "cancel"}), "{}", answer.raw);
        }
        assert!(!answer.raw.contains("file://"), "no folder left: {}", answer.raw);
        assert!(
            said(&home.call("s", "quick", "{}").await).contains("ok"),
            "{method}: the connection goes on"
        );
        home.end(&[(&fake, Autumn2025)]).await;
    }
}
