//! The model endpoint: asked in its own words after a yes, what it was asked written down first, its faults told to the person
//! and to nobody else.

use gatehouse_host::Host;
use gatehouse_host::view::{
    DecidedBy, DraftView, EndpointKind, EndpointSettings, HintMapping, KeyPlace, Outcome, QuestionBody, QuestionView,
    SampleChoice, SampleEdit, TextEdit,
};
use gatehouse_tests::endpoint::{Endpoint, Told};
use gatehouse_tests::home::{Home, declined, failed, raw_param, said, sample};
use gatehouse_tests::schema::Revision::{Modern, Summer2025};
use serde_json::json;

use super::{CALL, asks_a_model, legacy, offering, request};

fn settings(url: String) -> EndpointSettings {
    EndpointSettings {
        on: true,
        url,
        model: "small".into(),
        mapping: vec![HintMapping {
            part: "sonnet".into(),
            model: "middle".into(),
        }],
        max_tokens: 60,
        ..EndpointSettings::default()
    }
}

async fn set(home: &Home, settings: EndpointSettings) {
    home.host().set_endpoint(settings).await.expect("it can be used");
}

/// The request as the server wrote it, for at most so many tokens.
fn as_it_is(max_tokens: u64) -> SampleEdit {
    SampleEdit {
        messages: vec![vec![TextEdit::Keep]],
        system_prompt: TextEdit::Keep,
        max_tokens,
        temperature: None,
        stop_sequences: None,
    }
}

fn draft(question: &QuestionView) -> DraftView {
    match &question.body {
        QuestionBody::Sample { draft, .. } => draft.clone(),
        other => panic!("a model is asked for: {other:?}"),
    }
}

/// Waits until the one open question shows an answer or a failure.
async fn until_drafted(host: &Host) -> DraftView {
    let mut bell = host.watch();
    loop {
        if let [question] = host.questions().as_slice() {
            let now = draft(question);
            if matches!(now, DraftView::Answered { .. } | DraftView::Failed { .. }) {
                return now;
            }
        }
        bell.next().await.expect("the host lives");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_kind_is_asked_what_the_person_made_of_it_and_its_answer_leaves_as_it_was_last_seen() {
    for (kind, path, told, asked_at) in [
        (
            EndpointKind::OpenAi,
            "/v1",
            Told::open_ai("Paris, France."),
            "/v1/chat/completions",
        ),
        (EndpointKind::Ollama, "", Told::ollama("Paris, France."), "/api/chat"),
    ] {
        let endpoint = Endpoint::that(vec![told]).await;
        let fake = asks_a_model();
        let home = offering(&fake).await;
        let url = endpoint.url(path);
        set(&home, EndpointSettings { kind, ..settings(url) }).await;
        let call = home.begin("s", "t", "{}");
        let question = home.until_open(1).await.remove(0);
        let QuestionBody::Sample {
            endpoint: Some(named), ..
        } = &question.body
        else {
            panic!("the endpoint is named: {question:?}");
        };
        assert_eq!(
            (named.model.as_str(), named.remote),
            ("middle", false),
            "by the first hint"
        );
        assert!(endpoint.asked().is_empty(), "nobody is asked before the person says so");
        let more = home.host().ask_model(question.id, 0, &as_it_is(101));
        assert!(
            failed(&more).contains("100 tokens"),
            "no more than the server allows: {more:?}"
        );
        let edit = SampleEdit {
            messages: vec![vec![TextEdit::Text {
                text: "The capital of Spain?".into(),
            }]],
            system_prompt: TextEdit::Drop,
            temperature: Some("0.20".into()),
            ..as_it_is(80)
        };
        home.host().ask_model(question.id, 0, &edit).expect("it is open");
        let DraftView::Answered { text, model, .. } = until_drafted(home.host()).await else {
            panic!("it answers");
        };
        assert_eq!(text, "Paris, France.");
        let asked = endpoint.asked().remove(0);
        assert_eq!(asked.path, asked_at);
        let body = asked.json();
        assert_eq!(body["model"], "middle");
        assert_eq!(
            body["messages"],
            json!([{"role": "user", "content": "The capital of Spain?"}]),
            "as it was changed, without the system prompt"
        );
        let most = match kind {
            EndpointKind::OpenAi => &body["max_tokens"],
            EndpointKind::Ollama => &body["options"]["num_predict"],
        };
        assert_eq!(most, 60, "the person's own cap comes before what the server asked for");
        assert!(asked.body.contains("0.20"), "as it was written: {}", asked.body);
        assert!(
            fake.log().received_method(CALL).len() == 1,
            "nothing went to the server yet"
        );
        let rows = home.record().await;
        let row = rows.last().expect("what was asked is written down");
        assert_eq!(
            (row.outcome, row.channel.as_str()),
            (Outcome::ModelAsked, "model endpoint")
        );
        assert_eq!(row.sent.as_deref(), Some(asked.body.as_str()), "the very bytes");
        let changed =
            format!(r#"{{"role":"assistant","content":{{"type":"text","text":"Madrid."}},"model":"{model}"}}"#);
        let given = sample(SampleChoice::Once, Some(&changed));
        home.host().answer(question.id, &given).expect("it is open");
        said(&call.await.expect("no panic"));
        let sent = raw_param(&fake.log().received_method(CALL)[1], &["inputResponses"]).expect("answered");
        assert_eq!(sent, format!(r#"{{"poem":{changed}}}"#));
        let note = home.record().await.pop().and_then(|row| row.note).unwrap_or_default();
        assert!(note.contains("changed by you"), "{note}");
        home.end(&[(&fake, Modern)]).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn this_session_asks_the_endpoint_without_a_question_and_writes_every_row() {
    let answers = vec![
        Told::open_ai("one"),
        Told::open_ai("two"),
        Told::error(500, r#"{"error":{"message":"out of memory"}}"#),
        Told::open_ai("four"),
    ];
    let endpoint = Endpoint::that(answers).await;
    let fake = asks_a_model();
    let home = offering(&fake).await;
    set(&home, settings(endpoint.url(""))).await;
    let call = home.begin("s", "t", "{}");
    let question = home.until_open(1).await.remove(0);
    home.host()
        .ask_model(question.id, 0, &as_it_is(100))
        .expect("it is open");
    until_drafted(home.host()).await;
    let first = r#"{"role":"assistant","content":{"type":"text","text":"one"},"model":"told-1"}"#;
    home.host()
        .answer(question.id, &sample(SampleChoice::Session, Some(first)))
        .expect("it is open");
    said(&call.await.expect("no panic"));
    // The second: nobody is asked.
    said(&home.call("s", "t", "{}").await);
    let calls = fake.log().received_method(CALL);
    assert_eq!(calls[3].params()["inputResponses"]["poem"]["content"]["text"], "two");
    let grant = home.host().grants().await.expect("read").remove(0);
    assert_eq!(
        grant.endpoint,
        Some(endpoint.url("/chat/completions")),
        "for this endpoint"
    );
    let rows = home.record().await;
    let by_grant = DecidedBy::Grants { ids: vec![grant.id] };
    let last: Vec<_> = rows
        .iter()
        .rev()
        .take(2)
        .map(|row| (row.outcome, row.decided_by == by_grant))
        .collect();
    assert_eq!(last, [(Outcome::Sampled, true), (Outcome::ModelAsked, true)]);
    // The third: the endpoint fails, so it is the person's again.
    let call = home.begin("s", "t", "{}");
    let question = home.until_open(1).await.remove(0);
    let DraftView::Failed { message } = draft(&question) else {
        panic!("it says what happened: {question:?}");
    };
    assert!(
        message.contains("500") && message.contains("out of memory"),
        "{message}"
    );
    home.host()
        .answer(question.id, &sample(SampleChoice::Refuse, None))
        .expect("it is open");
    declined(&call.await.expect("no panic"));
    // Another endpoint is another place: the person is asked.
    set(&home, settings(endpoint.url("/v2"))).await;
    let call = home.begin("s", "t", "{}");
    let question = home.until_open(1).await.remove(0);
    assert_eq!(draft(&question), DraftView::Empty, "nothing was sent to the new one");
    assert_eq!(endpoint.asked().len(), 3);
    home.host().dismiss_question(question.id).expect("it is open");
    declined(&call.await.expect("no panic"));
    // A new run knows nothing of it.
    set(&home, settings(endpoint.url(""))).await;
    let home = home.restart().await;
    let call = home.begin("s", "t", "{}");
    let question = home.until_open(1).await.remove(0);
    home.host().dismiss_question(question.id).expect("it is open");
    declined(&call.await.expect("no panic"));
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_decision_that_is_revoked_while_the_model_writes_sends_nothing() {
    let endpoint = Endpoint::that(vec![Told::open_ai("one"), Told::Silence]).await;
    let fake = asks_a_model();
    let home = offering(&fake).await;
    set(
        &home,
        EndpointSettings {
            seconds: 2,
            ..settings(endpoint.url(""))
        },
    )
    .await;
    let call = home.begin("s", "t", "{}");
    let question = home.until_open(1).await.remove(0);
    let given = sample(SampleChoice::Session, Some(super::BY_HAND));
    home.host().answer(question.id, &given).expect("it is open");
    said(&call.await.expect("no panic"));
    said(&home.call("s", "t", "{}").await);
    let call = home.begin("s", "t", "{}");
    endpoint.until_asked(2).await;
    let grant = home.host().grants().await.expect("read").remove(0);
    home.host().revoke_grant(grant.id).await.expect("it is there");
    let question = home.until_open(1).await.remove(0);
    let DraftView::Failed { message } = draft(&question) else {
        panic!("it says what happened: {question:?}");
    };
    assert!(message.contains("2 seconds"), "{message}");
    home.host().dismiss_question(question.id).expect("it is open");
    declined(&call.await.expect("no panic"));
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_fault_of_an_endpoint_names_it_and_what_to_do_and_never_the_key() {
    let elsewhere = vec![("location".to_owned(), "https://elsewhere.example/s3cr3t-key".to_owned())];
    let cases = [
        (
            Told::error(401, r#"{"error":{"message":"wrong key s3cr3t-key"}}"#),
            vec!["401", "wrong key (the key)", "key"],
        ),
        (
            Told::error(404, r#"{"error":"model not found"}"#),
            vec!["404", "model not found", "address"],
        ),
        (Told::error(500, "<html>"), vec!["500", "log"]),
        (
            Told::Answer(307, elsewhere, String::new()),
            vec!["elsewhere.example", "not followed"],
        ),
        (Told::error(200, "<html>"), vec!["not JSON", "kind"]),
        (Told::error(200, "{}"), vec!["no choice"]),
        (Told::Endless, vec!["longer than"]),
        (Told::Silence, vec!["1 seconds"]),
    ];
    let endpoint = Endpoint::that(cases.iter().map(|(told, _)| told.clone()).collect()).await;
    let fake = asks_a_model();
    let home = offering(&fake).await;
    set(
        &home,
        EndpointSettings {
            seconds: 20,
            ..settings(endpoint.url(""))
        },
    )
    .await;
    let kept = home
        .host()
        .set_endpoint_key(Some(" s3cr3t-key ".into()))
        .await
        .expect("a key");
    assert_eq!(kept.key, KeyPlace::ThisRun, "a home of its own has no keychain");
    let call = home.begin("s", "t", "{}");
    let question = home.until_open(1).await.remove(0);
    let last = cases.len() - 1;
    for (at, (_, words)) in cases.iter().enumerate() {
        if at == last {
            set(
                &home,
                EndpointSettings {
                    seconds: 1,
                    ..settings(endpoint.url(""))
                },
            )
            .await;
        }
        home.host()
            .ask_model(question.id, 0, &as_it_is(100))
            .expect("it is open");
        let DraftView::Failed { message } = until_drafted(home.host()).await else {
            panic!("case {at} fails");
        };
        assert!(message.contains("127.0.0.1"), "it is named: {message}");
        for word in words {
            assert!(message.contains(word), "{word} is said: {message}");
        }
        assert!(!message.contains("s3cr3t"), "{message}");
        home.host().stop_model(question.id, 0).expect("it is open");
    }
    drop(endpoint);
    let gone = Endpoint::that(vec![]).await.url("");
    set(&home, settings(gone)).await;
    home.host()
        .ask_model(question.id, 0, &as_it_is(100))
        .expect("it is open");
    let DraftView::Failed { message } = until_drafted(home.host()).await else {
        panic!("nobody is there");
    };
    assert!(message.contains("can't be reached"), "{message}");
    home.host().dismiss_question(question.id).expect("it is open");
    declined(&call.await.expect("no panic"));
    let everything = format!("{:?}{}", home.record().await, fake.log().dump());
    assert!(!everything.contains("s3cr3t"), "the key stands nowhere");
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_goes_to_its_own_host_and_is_not_in_the_database() {
    let (first, second) = (
        Endpoint::that(vec![Told::open_ai("a")]).await,
        Endpoint::that(vec![Told::open_ai("b")]).await,
    );
    let fake = asks_a_model();
    let home = offering(&fake).await;
    set(&home, settings(first.url(""))).await;
    home.host()
        .set_endpoint_key(Some("s3cr3t-key".into()))
        .await
        .expect("a key");
    for bad in ["", "with space", "line\nbreak"] {
        assert!(home.host().set_endpoint_key(Some(bad.into())).await.is_err(), "{bad:?}");
    }
    let call = home.begin("s", "t", "{}");
    let question = home.until_open(1).await.remove(0);
    for endpoint in [&first, &second] {
        set(&home, settings(endpoint.url(""))).await;
        home.host()
            .ask_model(question.id, 0, &as_it_is(100))
            .expect("it is open");
        until_drafted(home.host()).await;
        home.host().stop_model(question.id, 0).expect("it is open");
    }
    assert_eq!(first.asked()[0].header("authorization"), Some("Bearer s3cr3t-key"));
    assert_eq!(
        second.asked()[0].header("authorization"),
        None,
        "another host is another key"
    );
    let state = home.host().endpoint().await.expect("read");
    assert_eq!(state.key, KeyPlace::None);
    home.host().dismiss_question(question.id).expect("it is open");
    declined(&call.await.expect("no panic"));
    for name in ["gatehouse.db", "gatehouse.db-wal"] {
        let bytes = std::fs::read(home.places().data().join(name)).unwrap_or_default();
        let found = bytes.windows(6).any(|six| six == b"s3cr3t");
        assert!(!found, "no file holds the key: {name}");
    }
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_that_is_answered_or_stopped_ends_the_asking() {
    let endpoint = Endpoint::that(vec![Told::Silence]).await;
    let fake = asks_a_model();
    let home = offering(&fake).await;
    set(&home, settings(endpoint.url(""))).await;
    let call = home.begin("s", "t", "{}");
    let question = home.until_open(1).await.remove(0);
    home.host()
        .ask_model(question.id, 0, &as_it_is(100))
        .expect("it is open");
    endpoint.until_asked(1).await;
    home.host().stop_model(question.id, 0).expect("it is open");
    endpoint.until_gone(1).await;
    home.host()
        .ask_model(question.id, 0, &as_it_is(100))
        .expect("it is open");
    endpoint.until_asked(2).await;
    let given = sample(SampleChoice::Once, Some(super::BY_HAND));
    home.host().answer(question.id, &given).expect("a hand is faster");
    said(&call.await.expect("no panic"));
    endpoint.until_gone(2).await;
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_old_server_is_served_by_the_endpoint_in_the_same_way() {
    let endpoint = Endpoint::that(vec![Told::open_ai("Paris.")]).await;
    let fake = legacy("2025-06-18", request());
    let home = offering(&fake).await;
    set(&home, settings(endpoint.url(""))).await;
    let call = home.begin("s", "t", "{}");
    let question = home.until_open(1).await.remove(0);
    let given = sample(SampleChoice::Session, Some(super::BY_HAND));
    home.host().answer(question.id, &given).expect("it is open");
    said(&call.await.expect("no panic"));
    said(&home.call("s", "t", "{}").await);
    let answers: Vec<_> = fake
        .log()
        .received()
        .into_iter()
        .filter(|frame| frame.is_response())
        .collect();
    let texts: Vec<_> = answers
        .iter()
        .map(|frame| frame.json["result"]["model"].clone())
        .collect();
    assert_eq!(
        texts,
        [json!("human"), json!("told-1")],
        "the second without a question"
    );
    home.end(&[(&fake, Summer2025)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_off_is_never_asked_and_what_is_on_must_be_usable() {
    let endpoint = Endpoint::that(vec![Told::open_ai("x")]).await;
    let fake = asks_a_model();
    let home = offering(&fake).await;
    let wrong = home.host().set_endpoint(settings("ftp://x".into())).await;
    assert!(failed(&wrong).contains("http"), "{wrong:?}");
    let half = EndpointSettings {
        on: false,
        ..settings("ftp://x".into())
    };
    home.host()
        .set_endpoint(half)
        .await
        .expect("what is off may be half filled");
    set(
        &home,
        EndpointSettings {
            on: false,
            ..settings(endpoint.url(""))
        },
    )
    .await;
    let call = home.begin("s", "t", "{}");
    let question = home.until_open(1).await.remove(0);
    let asked = home.host().ask_model(question.id, 0, &as_it_is(100));
    assert!(failed(&asked).contains("no model endpoint"), "{asked:?}");
    set(&home, settings(endpoint.url(""))).await;
    let QuestionBody::Sample { endpoint: Some(_), .. } = &home.host().questions()[0].body else {
        panic!("an open question learns of it");
    };
    home.host().dismiss_question(question.id).expect("it is open");
    declined(&call.await.expect("no panic"));
    assert!(endpoint.asked().is_empty());
    home.end(&[(&fake, Modern)]).await;
}
