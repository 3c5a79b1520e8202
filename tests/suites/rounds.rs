//! The rounds of a call as they left: states, keys, params, silence, bounds. What a grant decides is in `grants`.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use gatehouse_host::call::{Call, What};
use gatehouse_host::view::{
    AnswerInput, CallState, FormAction, Outcome, QuestionBody, QuestionView, RootsChoice, Update,
};
use gatehouse_host::{Code, changes::Part};
use gatehouse_tests::fake::FakeServer;
use gatehouse_tests::home::{Home, Person, declined, failed, form, raw_param, ready, roots, said, tool_call};
use gatehouse_tests::log::Frame;
use gatehouse_tests::schema::Revision::Modern;
use gatehouse_tests::script::{Action, Rule, Script, act};
use serde_json::{Value, json};

const LIMIT: Duration = Duration::from_secs(30);

/// The tool `t` answers its rounds with these, in order.
fn plays(rounds: impl IntoIterator<Item = Action>) -> Script {
    let rules = rounds
        .into_iter()
        .map(|answer| Rule::on("tools/call").name("t").nth(1).does([answer]));
    rules.fold(Script::modern().tool("t"), Script::rule)
}

fn ask_roots() -> Value {
    json!({"roots": {"method": "roots/list"}})
}

fn ask_form() -> Value {
    json!({"method": "elicitation/create", "params": {
        "message": "Your name?",
        "requestedSchema": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
    }})
}

/// The calls that left when `t` was called once against `script`, with its end in words, the person sharing every folder.
async fn check(script: &Script, expect: Result<&str, &str>) -> (Vec<Frame>, Vec<QuestionView>) {
    let fake = FakeServer::new(script);
    let home = Home::with(&fake).await;
    let person = Person::who(&home, RootsChoice::ShareOnce);
    let end = home.call("s", "t", "{}").await;
    match expect {
        Ok(text) => assert!(
            said(&end).contains(text),
            "the result of the last round is the call's: {end:?}"
        ),
        Err(words) => {
            let error = failed(&end);
            assert!(error.contains(words), "the error names {words}: {error}");
        }
    }
    let seen = person.seen();
    home.end(&[(&fake, Modern)]).await;
    (fake.log().received_method("tools/call"), seen)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_state_comes_back_exactly_as_it_came() {
    let long = format!("\"{}\"", "0123456789abcdef".repeat(65_536));
    let states = [
        r#""""#,
        r#""{\"b\" : 1,\t\"a\":[ 2 ]}""#,
        r#""line\u2028para\u2029""#,
        "\"raw\u{2028}separator\"",
        r#""zero\u0000byte""#,
        "\"e\u{301}A\u{30a}\"",
        "\"👩‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿\"",
        r#""\ud83d\ude00 escaped\/slash""#,
        r#""aGVsbG8gd29ybGQ=""#,
        r#""v1.eyJhIjoxfQ==.+/-_""#,
        r#""null""#,
        &long,
    ];
    for state in states {
        let ask = format!(
            r#"{{"resultType":"input_required","inputRequests":{{"r":{{"method":"roots/list"}}}},"requestState":{state}}}"#
        );
        let (calls, _) = check(&plays([act::result_text(&ask), act::text("done")]), Ok("done")).await;
        assert_eq!(calls.len(), 2, "one retry");
        let sent = raw_param(&calls[1], &["requestState"]).expect("the state goes back");
        let short: String = state.chars().take(60).collect();
        assert!(
            sent == state,
            "the state {short} is not parsed, not normalised, not escaped anew"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_state_goes_with_the_last_result_only() {
    let script = plays([
        act::ask(ask_roots(), Some("A")),
        act::ask(ask_roots(), None),
        act::ask(ask_roots(), Some("")),
        act::text("done"),
    ]);
    let (calls, seen) = check(&script, Ok("done")).await;
    let states: Vec<_> = calls.iter().map(|call| raw_param(call, &["requestState"])).collect();
    let text = |text: &str| Some(text.to_owned());
    assert_eq!(
        states,
        [None, text("\"A\""), None, text("\"\"")],
        "no field where the last result had none, not null; an empty text is a state"
    );
    assert_eq!(seen.len(), 3, "each round asks anew where nothing is remembered");
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_stand_at_the_keys_of_their_round() {
    let long = "k".repeat(1024);
    let keys = [
        "",
        "__proto__",
        "a.b/c",
        "tut:workspace_roots",
        &long,
        "Ключ ключей",
        "\"quoted\"",
        "constructor",
    ];
    let first: serde_json::Map<String, Value> = keys
        .iter()
        .map(|key| ((*key).to_owned(), json!({"method": "roots/list"})))
        .collect();
    let second = json!({"other": {"method": "roots/list", "params": {}}, "third": {"method": "roots/list", "params": {"_meta": {}}}});
    let script = plays([
        act::ask(first.into(), None),
        act::ask(second, Some("2")),
        act::text("done"),
    ]);
    let (calls, seen) = check(&script, Ok("done")).await;
    let given = |call: &Frame| call.params()["inputResponses"].as_object().cloned().unwrap_or_default();
    let answers = given(&calls[1]);
    assert_eq!(
        answers.keys().map(String::as_str).collect::<Vec<_>>(),
        keys,
        "every key, in the server's order"
    );
    let distinct: BTreeSet<String> = answers.values().map(Value::to_string).collect();
    assert_eq!(distinct.len(), 1, "one decision, so every key gets the same answer");
    assert_eq!(
        given(&calls[2]).keys().collect::<Vec<_>>(),
        ["other", "third"],
        "keys of an earlier round don't come back"
    );
    assert_eq!(seen.len(), 2, "several keys of one round are one question");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_question_of_a_round_is_answered_before_anything_leaves() {
    let asked = json!({"name": ask_form(), "folders": {"method": "roots/list"}, "again": ask_form()});
    let fake = FakeServer::new(&plays([act::ask(asked, Some("x")), act::text("done")]));
    let home = Home::with(&fake).await;
    let call = home.begin("s", "t", "{}");
    let question = home.until_open(1).await.remove(0);
    let QuestionBody::Sheet { parts } = &question.body else {
        panic!("what a round needs is one question: {question:?}");
    };
    assert!(
        matches!(
            parts.as_slice(),
            [
                QuestionBody::Roots { .. },
                QuestionBody::Form { .. },
                QuestionBody::Form { .. }
            ]
        ),
        "roots come first, then the forms in order: {parts:?}"
    );
    let half = AnswerInput::Sheet {
        parts: vec![roots(RootsChoice::ShareOnce, &ready(&question))],
    };
    assert!(
        home.host().answer(question.id, &half).is_err(),
        "half an answer is none, and the question stays"
    );
    assert_eq!(
        fake.log().received_method("tools/call").len(),
        1,
        "nothing leaves while an answer is missing"
    );
    let answers = AnswerInput::Sheet {
        parts: vec![
            roots(RootsChoice::ShareOnce, &ready(&question)),
            form(FormAction::Accept, Some(r#"{"name": "Ada"}"#)),
            form(FormAction::Decline, None),
        ],
    };
    home.host().answer(question.id, &answers).expect("it is open");
    said(&call.await.expect("no panic"));
    let calls = fake.log().received_method("tools/call");
    let expect = format!(
        r#"{{"name":{{"action":"accept","content":{{"name":"Ada"}}}},"folders":{{"roots":[{{"uri":"{}","name":"app"}}]}},"again":{{"action":"decline"}}}}"#,
        home.uri("app")
    );
    let sent = raw_param(&calls[1], &["inputResponses"]).expect("answers leave");
    assert_eq!(
        sent.replace("{\"name\": \"Ada\"}", "{\"name\":\"Ada\"}"),
        expect,
        "results and nothing else, each at its key"
    );
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_retry_repeats_the_request_to_the_letter() {
    let args = r#"{"z":1,"f":1.50,"e":1E+3,"neg":-0.0,"big":9007199254740993,"huge":123456789012345678901234567890,"a":{"y":[1.0,null],"b":"\u00e9\/"},"":"é"}"#;
    let strings = r#"{"z":"1","a":"\u00e9"}"#;
    let what = [
        What::Tool {
            name: "t".into(),
            args: args.into(),
        },
        What::Prompt {
            name: "p".into(),
            args: strings.into(),
        },
        What::Resource {
            uri: "fake://a%20b/%7E/../?q=%c3%a9#x".into(),
        },
    ];
    let ask = act::ask(ask_roots(), Some("s"));
    let done = [
        act::text("done"),
        act::result(
            json!({"resultType": "complete", "messages": [{"role": "user", "content": {"type": "text", "text": "done"}}]}),
        ),
        act::result(
            json!({"resultType": "complete", "contents": [{"uri": "fake://x", "text": "done"}], "ttlMs": 0, "cacheScope": "private"}),
        ),
    ];
    let methods = ["tools/call", "prompts/get", "resources/read"];
    let script = methods
        .iter()
        .zip(done)
        .fold(Script::modern().tool("t").prompt("p"), |script, (method, done)| {
            script
                .rule(Rule::on(method).fresh().does([ask.clone()]))
                .rule(Rule::on(method).answered().does([done]))
        });
    let fake = FakeServer::new(&script);
    let home = Home::with(&fake).await;
    let person = Person::who(&home, RootsChoice::ShareOnce);
    for (what, method) in what.into_iter().zip(methods) {
        let end = home
            .host()
            .call(Call {
                server: "s".into(),
                what,
                limit: None,
            })
            .await;
        assert!(
            said(&end).contains("done"),
            "{method} goes through its rounds like any other: {end:?}"
        );
        let frames = fake.log().received_method(method);
        assert_eq!(frames.len(), 2, "{method}: one retry");
        assert_ne!(frames[0].id(), frames[1].id(), "a retry is a new request");
        for part in ["name", "arguments", "uri"] {
            assert_eq!(
                raw_param(&frames[0], &[part]),
                raw_param(&frames[1], &[part]),
                "{method}: {part} is repeated to the letter"
            );
        }
        let known = BTreeSet::from(["name", "arguments", "uri", "_meta", "inputResponses", "requestState"]);
        for frame in &frames {
            let keys: BTreeSet<&str> = frame
                .params()
                .as_object()
                .expect("params")
                .keys()
                .map(String::as_str)
                .collect();
            assert!(keys.is_subset(&known), "{method}: nothing is added: {keys:?}");
        }
    }
    let sent = |method: &str, part: &str| raw_param(&fake.log().received_method(method)[1], &[part]);
    assert_eq!(
        sent("tools/call", "arguments").as_deref(),
        Some(args),
        "numbers and key order stay as they were written"
    );
    assert_eq!(
        sent("prompts/get", "arguments").as_deref(),
        Some(strings),
        "so do a prompt's arguments"
    );
    assert_eq!(
        sent("resources/read", "uri").as_deref(),
        Some(r#""fake://a%20b/%7E/../?q=%c3%a9#x""#),
        "an address is not normalised"
    );
    assert_eq!(person.asked(), 3, "all three calls ask the same way");
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_state_alone_is_retried_after_a_growing_pause() {
    let empty_map = act::result(json!({"resultType": "input_required", "inputRequests": {}, "requestState": "c"}));
    let script = plays([act::state_only("a"), act::state_only("b"), empty_map, act::text("done")]);
    let (calls, seen) = check(&script, Ok("done")).await;
    assert!(seen.is_empty(), "nothing was asked");
    assert_eq!(calls.len(), 4, "an empty map asks nothing either");
    for call in &calls {
        assert!(
            call.params().get("inputResponses").is_none(),
            "there is nothing to answer: {}",
            call.raw
        );
    }
    let gaps: Vec<u64> = calls.windows(2).map(|pair| (pair[1].t - pair[0].t) / 1000).collect();
    assert!(
        gaps[0] >= 240 && gaps[1] >= 490 && gaps[2] >= 990,
        "each pause is longer than the one before: {gaps:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_round_that_wants_nothing_ends_the_call() {
    for answer in [
        json!({"resultType": "input_required"}),
        json!({"resultType": "input_required", "inputRequests": {}}),
        json!({"resultType": "input_required", "inputRequests": null}),
    ] {
        let (calls, _) = check(&plays([act::result(answer)]), Err("neither")).await;
        assert_eq!(calls.len(), 1, "there is nothing to retry with");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn states_and_answers_keep_to_their_own_call() {
    let ask = act::result_text(
        r#"{"resultType":"input_required","inputRequests":{"k":{"method":"elicitation/create","params":{"message":"$params.arguments.state","requestedSchema":{"type":"object","properties":{"v":{"type":"string"}}}}}},"requestState":"$params.arguments.state"}"#,
    );
    let script = Script::modern()
        .tool("t")
        .rule(Rule::on("tools/call").name("t").fresh().does([ask]))
        .rule(Rule::on("tools/call").name("t").answered().does([act::result_text(
            r#"{"resultType":"complete","content":[{"type":"text","text":"$state"}]}"#,
        )]));
    let fake = FakeServer::new(&script);
    let home = Home::with(&fake).await;
    let calls: Vec<_> = (1..=8)
        .map(|n| (n, home.begin("s", "t", &format!(r#"{{"state":"S{n}"}}"#))))
        .collect();
    let mut open = home.until_open(8).await;
    said(&home.call("s", "plain", "{}").await);
    open.reverse();
    for question in open {
        let QuestionBody::Form { message, .. } = &question.body else {
            panic!("a form: {question:?}")
        };
        home.host()
            .answer(
                question.id,
                &form(FormAction::Accept, Some(&format!(r#"{{"v":"{message}"}}"#))),
            )
            .expect("it is open");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    for (n, call) in calls {
        let end = call.await.expect("no panic");
        assert!(
            said(&end).contains(&format!("\"S{n}\"")),
            "each call gets its own result: {end:?}"
        );
    }
    let frames = fake.log().received_method("tools/call");
    let (retries, first): (Vec<_>, Vec<_>) = frames
        .iter()
        .partition(|frame| frame.params().get("inputResponses").is_some());
    assert_eq!(
        (retries.len(), first.len()),
        (8, 9),
        "eight calls of two rounds, one of one"
    );
    for retry in &retries {
        let params = retry.params();
        assert_eq!(
            params["requestState"], params["arguments"]["state"],
            "the state of its own call: {}",
            retry.raw
        );
        assert_eq!(
            params["inputResponses"]["k"]["content"]["v"], params["arguments"]["state"],
            "the answer of its own dialog: {}",
            retry.raw
        );
    }
    for call in first {
        assert!(
            call.params().get("requestState").is_none(),
            "a first round has no state: {}",
            call.raw
        );
    }
    home.end(&[(&fake, Modern)]).await;
}

/// A refusal: what the person does, how long the wire is watched, and what is left on it.
async fn silence(asked: Value, during: u64, act_on: impl Fn(&Home, &QuestionView)) {
    let script = Script::modern()
        .tool("t")
        .rule(Rule::on("tools/call").name("t").does([act::ask(asked, Some("s"))]))
        .rule(Rule::on("tools/call").name("next").does([act::text("next")]));
    let fake = FakeServer::new(&script);
    let home = Home::with(&fake).await;
    let call = home.begin("s", "t", "{}");
    let question = home.until_open(1).await.remove(0);
    let mark = fake.log().mark();
    act_on(&home, &question);
    let words = declined(&call.await.expect("no panic"));
    assert!(
        words.contains("Nothing was sent"),
        "the person reads what happened: {words}"
    );
    tokio::time::sleep(Duration::from_secs(during)).await;
    fake.log().assert_silent(
        mark,
        Duration::ZERO,
        "a refusal is silence: no retry, no error, no cancelled notification",
    );
    let Ok(Update::Calls { calls }) = home.host().update(Part::Calls).await else {
        panic!("calls")
    };
    assert!(
        matches!(calls[0].state, CallState::Declined { .. }),
        "it is shown as declined: {calls:?}"
    );
    let row = home.record().await.pop().expect("a refusal is written down");
    assert_eq!(
        (row.outcome, row.sent),
        (Outcome::Refused, None),
        "as a refusal with nothing sent"
    );
    assert!(
        said(&home.call("s", "next", "{}").await).contains("next"),
        "the next call works"
    );
    assert_eq!(
        fake.log().received_since(mark).len(),
        1,
        "and is all that the server hears"
    );
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_of_folders_is_ten_seconds_of_silence() {
    silence(ask_roots(), 10, |home, question| {
        home.host()
            .answer(question.id, &roots(RootsChoice::Refuse, &[]))
            .expect("it is open");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn never_and_nobody_are_silence_too() {
    let never = silence(ask_roots(), 2, |home, question| {
        home.host()
            .answer(question.id, &roots(RootsChoice::Never, &[]))
            .expect("it is open");
    });
    let dismissed = silence(ask_roots(), 2, |home, question| {
        home.host().dismiss_question(question.id).expect("it is open")
    });
    let all = silence(ask_roots(), 2, |home, _| home.host().dismiss_questions(false));
    let alone = silence(json!({"f": ask_form()}), 2, |home, question| {
        home.host().dismiss_question(question.id).expect("it is open")
    });
    let both = silence(
        json!({"f": ask_form(), "r": {"method": "roots/list"}}),
        2,
        |home, question| {
            let parts = vec![
                roots(RootsChoice::Refuse, &[]),
                form(FormAction::Accept, Some(r#"{"name":"Ada"}"#)),
            ];
            home.host()
                .answer(question.id, &AnswerInput::Sheet { parts })
                .expect("it is open");
        },
    );
    tokio::join!(never, dismissed, all, alone, both);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_empty_list_is_an_answer() {
    let fake = FakeServer::new(&Script::modern().asks_roots("t", None));
    let home = Home::with(&fake).await;
    let _person = Person::who(&home, RootsChoice::ShareNone);
    said(&home.call("s", "t", "{}").await);
    let retry = &fake.log().received_method("tools/call")[1];
    assert_eq!(
        raw_param(retry, &["inputResponses"]).as_deref(),
        Some(r#"{"roots":{"roots":[]}}"#),
        "the call goes on without folders"
    );
    assert_eq!(
        home.record().await[0].outcome,
        Outcome::SharedNone,
        "and that stands in the record"
    );
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_ends_of_a_form_go_back_exactly() {
    for (action, content, expect) in [
        (
            FormAction::Accept,
            Some(r#"{"name":"Ada","n":1.50,"big":9007199254740993}"#),
            r#"{"action":"accept","content":{"name":"Ada","n":1.50,"big":9007199254740993}}"#,
        ),
        (FormAction::Decline, None, r#"{"action":"decline"}"#),
        (
            FormAction::Decline,
            Some(r#"{"name":"typed before"}"#),
            r#"{"action":"decline"}"#,
        ),
        (FormAction::Cancel, None, r#"{"action":"cancel"}"#),
    ] {
        let mut asked = ask_form();
        asked["params"]["requestedSchema"]["properties"]["n"] = json!({"type": "number"});
        asked["params"]["requestedSchema"]["properties"]["big"] = json!({"type": "integer"});
        let fake = FakeServer::new(&plays([act::ask(json!({"f": asked}), None), act::text("done")]));
        let home = Home::with(&fake).await;
        let _person = Person::at(&home, move |_| Some(form(action, content)));
        said(&home.call("s", "t", "{}").await);
        let calls = fake.log().received_method("tools/call");
        assert_eq!(
            raw_param(&calls[1], &["inputResponses", "f"]).as_deref(),
            Some(expect),
            "numbers as typed, nothing beside a no"
        );
        home.end(&[(&fake, Modern)]).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_has_sixteen_rounds_at_most() {
    let script = Script::modern()
        .tool("t")
        .rule(Rule::on("tools/call").does([act::ask(ask_roots(), Some("again"))]));
    let fake = FakeServer::new(&script);
    let home = Home::with(&fake).await;
    let person = Person::who(&home, RootsChoice::ShareOnce);
    let end = home.call("s", "t", "{}").await;
    assert_eq!(end.as_ref().expect_err("it ends").code(), Code::Protocol, "{end:?}");
    assert!(failed(&end).contains("16 times"), "the error says the bound: {end:?}");
    assert_eq!(fake.log().received_method("tools/call").len(), 16, "sixteen requests");
    assert_eq!(
        person.asked(),
        15,
        "each answer leaves: no question is asked whose answer can't be used"
    );
    let shared = home
        .record()
        .await
        .iter()
        .filter(|row| row.outcome == Outcome::Shared)
        .count();
    assert_eq!(shared, 15, "the record says what left and no more");
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_round_asks_anew_unless_it_is_remembered() {
    for (choice, expect) in [
        (RootsChoice::ShareOnce, 4),
        (RootsChoice::ShareNone, 4),
        (RootsChoice::ShareSession, 1),
        (RootsChoice::ShareAlways, 1),
    ] {
        let asks = (1..=4).map(|round| act::ask(ask_roots(), Some(&round.to_string())));
        let fake = FakeServer::new(&plays(asks.chain([act::text("done")])));
        let home = Home::with(&fake).await;
        let person = Person::who(&home, choice);
        said(&home.call("s", "t", "{}").await);
        assert_eq!(person.asked(), expect, "{choice:?}");
        assert_eq!(fake.log().received_method("tools/call").len(), 5, "{choice:?}");
        let rounds: Vec<u64> = person.seen().iter().map(|question| question.why[0].round).collect();
        assert_eq!(
            rounds,
            (1..=expect as u64).collect::<Vec<_>>(),
            "each question says its round"
        );
        home.end(&[(&fake, Modern)]).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_unknown_request_refuses_the_round_as_a_whole() {
    let sampling = json!({"messages": [{"role": "user", "content": {"type": "text", "text": "x"}}], "maxTokens": 1});
    for (strange, words) in [
        (json!({"method": "acme/secrets", "params": {}}), "acme/secrets"),
        (
            json!({"method": "sampling/createMessage", "params": sampling}),
            "sampling/createMessage",
        ),
        (
            json!({"method": "elicitation/create", "params": {"message": "m", "requestedSchema": 7}}),
            "form",
        ),
        (json!({"method": "elicitation/create"}), "elicitation/create"),
        (json!({"params": {}}), "strange"),
        (json!("roots/list"), "strange"),
    ] {
        let asked = json!({"known": {"method": "roots/list"}, "strange": strange, "form": ask_form()});
        let (calls, seen) = check(&plays([act::ask(asked, Some("s"))]), Err(words)).await;
        assert_eq!(calls.len(), 1, "nothing leaves: {strange}");
        assert!(seen.is_empty(), "and nobody is asked: {strange}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn equal_questions_of_two_calls_are_one_dialog() {
    let fake = FakeServer::new(&Script::modern().asks_roots("t", Some("1")).asks_roots("u", Some("2")));
    let home = Home::with(&fake).await;
    let calls = [home.begin("s", "t", r#"{"n":1}"#), home.begin("s", "u", r#"{"n":2}"#)];
    fake.log()
        .until("both calls", LIMIT, |log| log.received_method("tools/call").len() == 2)
        .await;
    let open = loop {
        let open = home.until_open(1).await.remove(0);
        if open.why.len() == 2 {
            break open;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    };
    let targets: BTreeSet<_> = open.why.iter().filter_map(|why| why.target.as_deref()).collect();
    assert_eq!(targets, BTreeSet::from(["t", "u"]), "the one dialog names both calls");
    home.host()
        .answer(open.id, &roots(RootsChoice::ShareOnce, &ready(&open)))
        .expect("it is open");
    for call in calls {
        assert!(
            said(&call.await.expect("no panic")).contains("done"),
            "one answer serves both"
        );
    }
    assert_eq!(
        fake.log().received_method("tools/call").len(),
        4,
        "each has its own retry"
    );
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_is_cancelled_takes_its_question_along() {
    let fake = FakeServer::new(&Script::modern().asks_roots("t", None));
    let home = Home::with(&fake).await;
    let call = home.begin("s", "t", "{}");
    let question = home.until_open(1).await.remove(0);
    let mark = fake.log().mark();
    home.host()
        .cancel_call(question.why[0].call.expect("a call asks"))
        .expect("it runs");
    assert_eq!(
        call.await.expect("no panic").expect_err("cancelled").code(),
        Code::Cancelled,
        "it ends as cancelled"
    );
    home.until_open(0).await;
    let late = home
        .host()
        .answer(question.id, &roots(RootsChoice::ShareOnce, &ready(&question)));
    assert_eq!(
        late.expect_err("it is gone").code(),
        Code::Gone,
        "a late yes finds no question"
    );
    fake.log().assert_silent(
        mark,
        Duration::from_secs(1),
        "no request is in flight, so there is nothing to cancel on the wire",
    );
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_result_type_decides_first() {
    let (calls, _) = check(
        &plays([act::result(
            json!({"resultType": "banana", "content": [], "inputRequests": ask_roots()}),
        )]),
        Err("banana"),
    )
    .await;
    assert_eq!(calls.len(), 1, "an unknown type is invalid and not retried");
    let (calls, _) = check(
        &plays([act::result(json!({"resultType": 7, "content": []}))]),
        Err("resultType"),
    )
    .await;
    assert_eq!(calls.len(), 1, "a type that is no text neither");
    let (calls, seen) = check(
        &plays([act::result(
            json!({"content": [{"type": "text", "text": "old"}], "inputRequests": ask_roots()}),
        )]),
        Ok("old"),
    )
    .await;
    assert!(
        calls.len() == 1 && seen.is_empty(),
        "no type is a complete result, whatever else stands in it"
    );
    let null = act::result(
        json!({"resultType": "input_required", "content": null, "inputRequests": ask_roots(), "requestState": "s"}),
    );
    let (calls, seen) = check(&plays([null, act::text("done")]), Ok("done")).await;
    assert_eq!(
        (calls.len(), seen.len()),
        (2, 1),
        "the null content of the Go servers harms nothing"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_persons_time_is_not_the_servers() {
    let fake = FakeServer::new(&Script::modern().asks_roots("t", None));
    let home = Home::with(&fake).await;
    let host = home.host().clone();
    let limit = Some(Duration::from_millis(700));
    let call = tokio::spawn(async move {
        host.call(Call {
            limit,
            ..tool_call("s", "t", "{}")
        })
        .await
    });
    let question = home.until_open(1).await.remove(0);
    tokio::time::sleep(Duration::from_millis(1500)).await;
    home.host()
        .answer(question.id, &roots(RootsChoice::ShareOnce, &ready(&question)))
        .expect("it is still open");
    assert!(
        said(&call.await.expect("no panic")).contains("done"),
        "a limit counts the server's time only"
    );
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn declining_everything_ends_a_server_that_keeps_asking() {
    let script = Script::modern()
        .tool("t")
        .rule(Rule::on("tools/call").does([act::ask(ask_roots(), Some("again"))]));
    let fake = FakeServer::new(&script);
    let home = Home::with(&fake).await;
    let asked = Arc::new(Mutex::new(0));
    let count = asked.clone();
    let _person = Person::at(&home, move |question| {
        let mut count = count.lock().expect("no panic");
        *count += 1;
        let choice = if *count < 3 {
            RootsChoice::ShareOnce
        } else {
            RootsChoice::Refuse
        };
        Some(roots(choice, &ready(question)))
    });
    declined(&home.call("s", "t", "{}").await);
    assert_eq!(
        *asked.lock().expect("no panic"),
        3,
        "a no in the third round is the last question"
    );
    assert_eq!(
        fake.log().received_method("tools/call").len(),
        3,
        "and the last request has left"
    );
    home.end(&[(&fake, Modern)]).await;
}
