//! Answers of models: offered on the person's word only, asked about, given by hand or by an endpoint, never without a row.

mod endpoint;

use std::time::Duration;

use gatehouse_host::view::{
    AnswerInput, DecidedBy, FormAction, Lifetime, Outcome, QuestionBody, RootsChoice, SampleChoice,
};
use gatehouse_tests::fake::FakeServer;
use gatehouse_tests::home::{Home, Person, declined, failed, form, raw_param, roots, said, sample};
use gatehouse_tests::log::{Frame, Log};
use gatehouse_tests::schema::Revision::{Autumn2025, Modern, Summer2025};
use gatehouse_tests::script::{Rule, Script, act};
use serde_json::{Value, json};

const CALL: &str = "tools/call";
const SAMPLING: &str = "sampling/createMessage";
const BY_HAND: &str =
    r#"{"role":"assistant","content":{"type":"text","text":"Paris."},"model":"human","stopReason":"endTurn"}"#;

/// A request as servers write it.
fn request() -> Value {
    json!({
        "messages": [{"role": "user", "content": {"type": "text", "text": "The capital of France?"}}],
        "systemPrompt": "Be brief.",
        "maxTokens": 100,
        "modelPreferences": {"hints": [{"name": "claude-3-sonnet"}], "speedPriority": 0.5},
    })
}

/// A modern server whose tool `t` asks this, and says `done` once it has what it asked for.
fn modern(asked: Value) -> FakeServer {
    let script = Script::modern()
        .tool("t")
        .rule(Rule::on(CALL).unanswered().does([act::ask(asked, Some("x"))]))
        .rule(Rule::on(CALL).answered().does([act::text("done")]));
    FakeServer::new(&script)
}

fn asks_a_model() -> FakeServer {
    modern(json!({"poem": {"method": SAMPLING, "params": request()}}))
}

/// An old server whose tool `t` asks this of us (each rule takes the first call that reaches it), under a new id with each call from 3 on, and says `ok` once it was answered.
fn legacy(version: &str, params: Value) -> FakeServer {
    let mut script = Script::legacy(version).tool("t");
    for nth in 1..=3u64 {
        let id = nth + 2;
        script = script.rule(Rule::on(CALL).nth(1).background().does([
            act::request(json!(id), SAMPLING, Some(params.clone())),
            act::await_response(&id.to_string(), 30_000),
            act::text("ok"),
        ]));
    }
    FakeServer::new(&script)
}

/// An installation with this server, and answers of models offered to it.
async fn offering(fake: &FakeServer) -> Home {
    let home = Home::with(fake).await;
    offer(&home, "on").await;
    home
}

async fn offer(home: &Home, how: &str) {
    let set = home.host().change_server("s", &[("sampling", how)]).await;
    set.expect("it is there");
}

fn answer_to(log: &Log, id: &Value) -> Option<Frame> {
    let mut frames = log.received().into_iter();
    frames.find(|frame| frame.is_response() && frame.id() == id)
}

fn sampling_of(frame: &Frame) -> Option<Value> {
    let capabilities = &frame.params()["_meta"]["io.modelcontextprotocol/clientCapabilities"];
    capabilities.get("sampling").cloned()
}

#[tokio::test(flavor = "multi_thread")]
async fn it_is_offered_on_the_persons_word_only_and_refused_without_a_question_before() {
    let fake = asks_a_model();
    let home = Home::with(&fake).await;
    let error = failed(&home.call("s", "t", "{}").await);
    assert!(error.contains("not offered"), "{error}");
    assert!(home.host().questions().is_empty(), "nobody is asked");
    let row = home.until_record(1).await.remove(0);
    assert_eq!((row.outcome, row.sent), (Outcome::NotOffered, None));
    offer(&home, "on").await;
    let call = home.begin("s", "t", "{}");
    let question = home.until_open(1).await.remove(0);
    offer(&home, "off").await;
    let given = sample(SampleChoice::Once, Some(BY_HAND));
    home.host().answer(question.id, &given).expect("it is open");
    let words = declined(&call.await.expect("no panic"));
    assert!(words.contains("no longer offered"), "{words}");
    let calls = fake.log().received_method(CALL);
    let declared: Vec<_> = calls.iter().map(sampling_of).collect();
    assert_eq!(
        declared,
        [None, Some(json!({}))],
        "as it was at each request, and nothing left"
    );
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_by_hand_leaves_as_it_was_written_and_stands_in_the_record_first() {
    let fake = asks_a_model();
    let home = offering(&fake).await;
    let call = home.begin("s", "t", "{}");
    let question = home.until_open(1).await.remove(0);
    let QuestionBody::Sample { request, endpoint, .. } = &question.body else {
        panic!("a model is asked for: {question:?}");
    };
    assert_eq!(request.system_prompt.as_deref(), Some("Be brief."));
    assert_eq!(
        (request.max_tokens, request.hints.as_slice()),
        (100, ["claude-3-sonnet".to_owned()].as_slice())
    );
    assert!(endpoint.is_none(), "none is on");
    let session = sample(SampleChoice::Session, Some(BY_HAND));
    let error = failed(&home.host().answer(question.id, &session));
    assert!(error.contains("no model endpoint"), "{error}");
    for wrong in [
        "no JSON",
        "[]",
        r#"{"role":"assistant","content":{"type":"text","text":"x"}}"#,
        r#"{"role":"system","content":{"type":"text","text":"x"},"model":"m"}"#,
        r#"{"role":"assistant","content":{"type":"text"},"model":"m"}"#,
        r#"{"role":"assistant","content":{"type":"tool_use","id":"1","name":"n","input":{}},"model":"m"}"#,
        r#"{"role":"assistant","content":{"type":"text","text":"x"},"model":"m","roots":[]}"#,
    ] {
        let refused = home
            .host()
            .answer(question.id, &sample(SampleChoice::Once, Some(wrong)));
        assert!(refused.is_err(), "it is no answer of a model's: {wrong}");
    }
    let given = sample(SampleChoice::Once, Some(BY_HAND));
    home.host().answer(question.id, &given).expect("it is open");
    said(&call.await.expect("no panic"));
    let calls = fake.log().received_method(CALL);
    let sent = raw_param(&calls[1], &["inputResponses"]).expect("it is answered");
    assert_eq!(sent, format!(r#"{{"poem":{BY_HAND}}}"#));
    let rows = home.record().await;
    let row = rows.last().expect("it is written down");
    assert_eq!(row.channel, "sampling/createMessage (input request)");
    assert_eq!((row.outcome, row.sent.as_deref()), (Outcome::Sampled, Some(BY_HAND)));
    let note = row.note.as_deref().unwrap_or_default();
    assert!(
        note.contains("by hand") && note.contains("The capital of France?"),
        "{note}"
    );
    assert!(
        home.host().grants().await.expect("read").is_empty(),
        "once is not remembered"
    );
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn declined_is_silence_and_never_is_remembered_and_revocable() {
    let fake = asks_a_model();
    let home = offering(&fake).await;
    for choice in [SampleChoice::Refuse, SampleChoice::Never] {
        let call = home.begin("s", "t", "{}");
        let question = home.until_open(1).await.remove(0);
        let mark = fake.log().mark();
        home.host()
            .answer(question.id, &sample(choice, None))
            .expect("it is open");
        let words = declined(&call.await.expect("no panic"));
        assert!(words.contains("Nothing was sent"), "{words}");
        fake.log()
            .assert_silent(mark, Duration::from_secs(2), "a refusal is no message");
    }
    let words = declined(&home.call("s", "t", "{}").await);
    assert!(words.contains("remembered decision"), "{words}");
    let rows = home.record().await;
    let by: Vec<_> = rows.iter().map(|row| (row.outcome, row.decided_by.clone())).collect();
    let grant = home.host().grants().await.expect("read").remove(0);
    let person = |remembered| DecidedBy::Person { remembered };
    assert_eq!(
        by,
        [
            (Outcome::SampleRefused, person(None)),
            (Outcome::SampleRefused, person(Some(Lifetime::Always))),
            (Outcome::SampleRefused, DecidedBy::Grants { ids: vec![grant.id] }),
        ]
    );
    home.host().revoke_grant(grant.id).await.expect("it is there");
    let call = home.begin("s", "t", "{}");
    let question = home.until_open(1).await.remove(0);
    home.host().dismiss_question(question.id).expect("it is open");
    let words = declined(&call.await.expect("no panic"));
    assert!(words.contains("Nobody answered"), "{words}");
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_never_for_models_says_nothing_of_folders_and_the_other_way_round() {
    let fake = FakeServer::new(
        &Script::modern()
            .asks_roots("roots", Some("x"))
            .tool("t")
            .rule(Rule::on(CALL).name("t").fresh().does([act::ask(
                json!({"poem": {"method": SAMPLING, "params": request()}}),
                Some("x"),
            )]))
            .rule(Rule::on(CALL).name("t").answered().does([act::text("done")])),
    );
    let home = offering(&fake).await;
    let call = home.begin("s", "t", "{}");
    let question = home.until_open(1).await.remove(0);
    home.host()
        .answer(question.id, &sample(SampleChoice::Never, None))
        .expect("it is open");
    declined(&call.await.expect("no panic"));
    let person = Person::who(&home, RootsChoice::ShareAlways);
    said(&home.call("s", "roots", "{}").await);
    said(&home.call("s", "roots", "{}").await);
    assert_eq!(person.asked(), 1, "folders are asked about once, then shared");
    declined(&home.call("s", "t", "{}").await);
    assert_eq!(person.asked(), 1, "models are not asked about at all");
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_one_round_asks_is_one_sheet_and_one_refusal_ends_it_whole() {
    let asked = || {
        json!({
            "a": {"method": SAMPLING, "params": request()},
            "b": {"method": "roots/list"},
            "c": {"method": "elicitation/create", "params": {"message": "m", "requestedSchema": {"type": "object", "properties": {}}}},
        })
    };
    let fake = modern(asked());
    let home = offering(&fake).await;
    let sheet = |choice, result: Option<&str>, folders: RootsChoice, ids: &[u64]| AnswerInput::Sheet {
        parts: vec![
            roots(folders, ids),
            sample(choice, result),
            form(FormAction::Accept, Some("{}")),
        ],
    };
    let call = home.begin("s", "t", "{}");
    let question = home.until_open(1).await.remove(0);
    let QuestionBody::Sheet { parts } = &question.body else {
        panic!("one sheet: {question:?}");
    };
    assert!(
        matches!(
            parts.as_slice(),
            [
                QuestionBody::Roots { .. },
                QuestionBody::Sample { .. },
                QuestionBody::Form { .. }
            ]
        ),
        "{parts:?}"
    );
    let mark = fake.log().mark();
    let both = sheet(SampleChoice::Never, None, RootsChoice::Never, &[]);
    home.host().answer(question.id, &both).expect("it is open");
    declined(&call.await.expect("no panic"));
    fake.log()
        .assert_silent(mark, Duration::from_secs(1), "a refusal is no message");
    let grants = home.host().grants().await.expect("read");
    assert_eq!(grants.len(), 2, "both refusals are remembered: {grants:?}");
    for grant in grants {
        home.host().revoke_grant(grant.id).await.expect("it is there");
    }
    let call = home.begin("s", "t", "{}");
    let question = home.until_open(1).await.remove(0);
    let QuestionBody::Sheet { parts } = &question.body else {
        panic!("one sheet: {question:?}");
    };
    let QuestionBody::Roots { folders } = &parts[0] else {
        panic!("folders first: {parts:?}");
    };
    let all = sheet(
        SampleChoice::Once,
        Some(BY_HAND),
        RootsChoice::ShareOnce,
        &[folders[0].id],
    );
    home.host().answer(question.id, &all).expect("it is open");
    said(&call.await.expect("no panic"));
    let calls = fake.log().received_method(CALL);
    let sent = &calls.last().expect("it is answered").params()["inputResponses"];
    let keys: Vec<&String> = sent.as_object().expect("an object").keys().collect();
    assert_eq!(keys, ["a", "b", "c"], "in the server's order");
    assert_eq!(sent["a"]["content"]["text"], "Paris.");
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn tools_that_were_not_offered_refuse_the_request() {
    let with = |key: &str, value: Value| {
        let mut params = request();
        params[key] = value;
        params
    };
    let used = json!([
        {"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "n", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "toolUseId": "1", "content": []}]},
    ]);
    for params in [
        with("tools", json!([{"name": "n", "inputSchema": {"type": "object"}}])),
        with("toolChoice", json!({"mode": "auto"})),
        with("messages", used),
        with("messages", json!([])),
        with("maxTokens", json!(0)),
    ] {
        let fake = modern(json!({"poem": {"method": SAMPLING, "params": params}}));
        let home = offering(&fake).await;
        failed(&home.call("s", "t", "{}").await);
        assert!(home.host().questions().is_empty(), "nobody is asked about {params}");
        assert_eq!(home.record().await.len(), 1, "it is written down");
        home.end(&[(&fake, Modern)]).await;
        let fake = legacy("2025-11-25", params.clone());
        let home = offering(&fake).await;
        said(&home.call("s", "t", "{}").await);
        let sent = answer_to(&fake.log(), &json!(3)).expect("it is answered");
        assert_eq!(sent.json["error"]["code"], -32602, "{}", sent.raw);
        home.end(&[(&fake, Autumn2025)]).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_old_server_gets_the_answer_or_the_specifications_error() {
    let list = r#"{"role":"assistant","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}],"model":"m"}"#;
    for (version, revision, takes_lists) in [("2025-11-25", Autumn2025, true), ("2025-06-18", Summer2025, false)] {
        let fake = legacy(version, request());
        let home = offering(&fake).await;
        let call = home.begin("s", "t", "{}");
        let question = home.until_open(1).await.remove(0);
        assert_eq!(question.why[0].target.as_deref(), Some("t"), "the one call under way");
        let hello = fake.log().received_method("initialize").remove(0);
        assert_eq!(hello.params()["capabilities"]["sampling"], json!({}), "{}", hello.raw);
        let several = home.host().answer(question.id, &sample(SampleChoice::Once, Some(list)));
        assert_eq!(several.is_ok(), takes_lists, "{version}: {several:?}");
        if !takes_lists {
            let given = sample(SampleChoice::Once, Some(BY_HAND));
            home.host().answer(question.id, &given).expect("it is open");
        }
        said(&call.await.expect("no panic"));
        let sent = answer_to(&fake.log(), &json!(3)).expect("it is answered");
        let expect = if takes_lists { list } else { BY_HAND };
        assert!(sent.raw.contains(&format!(r#""result":{expect}"#)), "{}", sent.raw);
        let call = home.begin("s", "t", "{}");
        let question = home.until_open(1).await.remove(0);
        home.host()
            .answer(question.id, &sample(SampleChoice::Never, None))
            .expect("it is open");
        said(&call.await.expect("no panic"));
        said(&home.call("s", "t", "{}").await);
        let answers: Vec<Frame> = fake.log().received().into_iter().filter(Frame::is_response).collect();
        let errors: Vec<&Value> = answers.iter().filter_map(|frame| frame.json.get("error")).collect();
        let rejected = json!({"code": -1, "message": "User rejected sampling request"});
        assert_eq!(
            errors,
            [&rejected, &rejected],
            "once by the person, once by what is remembered"
        );
        let outcomes: Vec<_> = home.record().await.iter().map(|row| row.outcome).collect();
        assert_eq!(
            outcomes,
            [Outcome::Sampled, Outcome::SampleRefused, Outcome::SampleRefused]
        );
        home.end(&[(&fake, revision)]).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_old_server_that_was_not_offered_it_is_told_so() {
    let fake = legacy("2025-11-25", request());
    let home = Home::with(&fake).await;
    said(&home.call("s", "t", "{}").await);
    let sent = answer_to(&fake.log(), &json!(3)).expect("it is answered");
    assert_eq!(sent.json["error"]["code"], -32601, "{}", sent.raw);
    let hello = fake.log().received_method("initialize").remove(0);
    assert!(
        hello.params()["capabilities"].get("sampling").is_none(),
        "{}",
        hello.raw
    );
    assert!(home.host().questions().is_empty(), "nobody is asked");
    assert_eq!(home.until_record(1).await[0].outcome, Outcome::NotOffered);
    home.end(&[(&fake, Autumn2025)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_old_server_that_takes_its_request_back_ends_the_question() {
    let asks = Rule::on(CALL).background().does([
        act::request(json!(3), SAMPLING, Some(request())),
        act::wait(300),
        act::notify("notifications/cancelled", Some(json!({"requestId": 3}))),
    ]);
    let fake = FakeServer::new(&Script::legacy("2025-11-25").tool("t").rule(asks));
    let home = offering(&fake).await;
    let call = home.begin("s", "t", "{}");
    let row = home.until_record(1).await.remove(0);
    assert_eq!((row.outcome, row.sent), (Outcome::Expired, None));
    home.until_open(0).await;
    call.abort();
    home.end(&[(&fake, Autumn2025)]).await;
}
