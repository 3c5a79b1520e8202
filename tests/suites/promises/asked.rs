//! What the revision asks for between a server's question and the person: nothing is fetched before a yes, what is odd is
//! said, a form is shown with its defaults and checked, and yes, no and closing are three things.

use std::time::Duration;

use gatehouse_host::call::{Call, What};
use gatehouse_host::view::{AnswerInput, FieldView, FormAction, LinkWarning, Outcome, QuestionBody, QuestionView};
use gatehouse_tests::fake::FakeServer;
use gatehouse_tests::home::{Home, Person, declined, failed, form, raw_param, said};
use gatehouse_tests::schema::Revision::{Autumn2025, Modern};
use gatehouse_tests::script::{Action, Rule, Script, act};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::canary::Canary;

const CALL: &str = "tools/call";

/// A server whose tool `t` asks this once.
fn asks(params: Value) -> FakeServer {
    let ask = json!({"q": {"method": "elicitation/create", "params": params}});
    FakeServer::new(
        &Script::modern()
            .tool("t")
            .rule(Rule::on(CALL).unanswered().does([act::ask(ask, Some("s"))]))
            .rule(Rule::on(CALL).answered().does([act::text("done")])),
    )
}

fn page(url: &str) -> FakeServer {
    asks(json!({"mode": "url", "message": "Sign in", "url": url, "elicitationId": "1"}))
}

type Ending = JoinHandle<Result<gatehouse_host::view::CallEnd, gatehouse_host::HostError>>;

async fn question(fake: &FakeServer) -> (Home, Ending, QuestionView) {
    let home = Home::with(fake).await;
    let call = home.begin("s", "t", "{}");
    let question = home.until_open(1).await.remove(0);
    (home, call, question)
}

fn link(action: FormAction) -> AnswerInput {
    AnswerInput::Link { action }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_fetched_before_nor_after_a_yes_to_a_page() {
    let canary = Canary::new();
    for action in [FormAction::Accept, FormAction::Decline, FormAction::Cancel] {
        let fake = page(&canary.url("sign-in?token=1"));
        let (home, call, question) = question(&fake).await;
        tokio::time::sleep(Duration::from_millis(200)).await;
        home.host().answer(question.id, &link(action)).expect("it is open");
        said(&call.await.expect("no panic"));
        home.end(&[(&fake, Modern)]).await;
    }
    canary.assert_silent("only the person's browser goes there, after a press in the window");
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_that_a_server_lists_or_answers_is_fetched() {
    let canary = Canary::new();
    let icons = json!([{"src": canary.url("i.png"), "mimeType": "image/png", "sizes": ["48x48"]}]);
    let mut script =
        Script::modern().tool_json(json!({"name": "t", "icons": icons, "inputSchema": {"type": "object"}}));
    script.prompts.push(json!({"name": "p", "icons": icons}));
    script
        .resources
        .push(json!({"name": "r", "uri": canary.url("r"), "icons": icons}));
    let markdown = format!("![x]({0}) <img src=\"{0}\"> [x]({0})", canary.url("m.png"));
    let content = json!([
        {"type": "text", "text": markdown},
        {"type": "resource_link", "name": "r", "uri": canary.url("r"), "icons": icons},
        {"type": "resource", "resource": {"uri": canary.url("r"), "mimeType": "text/html", "text": markdown}},
    ]);
    let script = script.rule(Rule::on(CALL).does([act::result(json!({"resultType": "complete", "content": content}))]));
    let fake = FakeServer::new(&script);
    let home = Home::with(&fake).await;
    home.host().tools("s").await.expect("listed");
    home.host().prompts("s").await.expect("listed");
    home.host().resources("s").await.expect("listed");
    said(&home.call("s", "t", "{}").await);
    // A resource behind a web address is read through its server, not from the web.
    let uri = canary.url("r");
    let call = Call {
        server: "s".into(),
        what: What::Resource { uri: uri.clone() },
        limit: None,
    };
    let _ = home.host().call(call).await;
    let read = fake.log().received_method("resources/read").remove(0);
    assert_eq!(read.params()["uri"], json!(uri), "to the letter");
    home.end(&[(&fake, Modern)]).await;
    canary.assert_silent("pictures, icons and links are named, not fetched");
}

#[tokio::test(flavor = "multi_thread")]
async fn where_a_page_leads_is_said_before_it_is_opened() {
    /// Its host and what is odd about it.
    type Leads<'a> = Option<(&'a str, &'a [LinkWarning])>;
    use LinkWarning::{BareAddress, LookAlike, NotEncrypted, Port, ThisMachine, UserInfo};
    let long = format!("https://example.com/?{}", "q=1&".repeat(1024));
    let checks: [(&str, Leads<'_>); 16] = [
        ("https://example.com/in", Some(("example.com", &[]))),
        (&long, Some(("example.com", &[]))),
        ("https://good.com@evil.example/", Some(("evil.example", &[UserInfo]))),
        (
            "http://xn--80ak6aa92e.com/",
            Some(("xn--80ak6aa92e.com", &[NotEncrypted, LookAlike])),
        ),
        ("https://аррӏе.com/", Some(("xn--80ak6aa92e.com", &[LookAlike]))),
        (
            "http://127.0.0.1:8080/",
            Some(("127.0.0.1", &[NotEncrypted, ThisMachine, Port])),
        ),
        ("https://192.0.2.1/", Some(("192.0.2.1", &[BareAddress]))),
        ("javascript:alert(1)", None),
        ("file:///etc/passwd", None),
        ("FILE:///etc/passwd", None),
        ("smb://h/s", None),
        ("search-ms:query=x", None),
        ("data:text/html,<script>1</script>", None),
        ("https:evil", None),
        ("\thttps://x", None),
        ("https://x/%USERPROFILE%&calc\n", None),
    ];
    for (url, expect) in checks {
        let fake = page(url);
        let (home, call, question) = question(&fake).await;
        assert_eq!(question.server, "s", "the question names who asks");
        let QuestionBody::Link {
            url: shown,
            link: leads,
            problem,
            ..
        } = &question.body
        else {
            panic!("{url}: {question:?}")
        };
        let seen = leads
            .as_ref()
            .map(|leads| (leads.host.as_str(), leads.warnings.as_slice()));
        assert_eq!(seen, expect, "{url}");
        assert_eq!(
            problem.is_some(),
            expect.is_none(),
            "{url}: what can't be opened says why"
        );
        if url == long {
            assert_eq!(shown, &long, "the whole address is shown, not a part");
        }
        if expect.is_none() {
            let yes = home.host().answer(question.id, &link(FormAction::Accept));
            assert!(yes.is_err(), "{url}: no yes to what can't be opened");
        }
        home.host()
            .answer(question.id, &link(FormAction::Decline))
            .expect("it is still open");
        said(&call.await.expect("no panic"));
        let calls = fake.log().received_method(CALL);
        assert_eq!(
            raw_param(&calls[1], &["inputResponses", "q"]).as_deref(),
            Some(r#"{"action":"decline"}"#),
            "{url}: without content"
        );
        home.end(&[(&fake, Modern)]).await;
    }
}

fn fields(question: &QuestionView) -> &[FieldView] {
    match &question.body {
        QuestionBody::Form { fields, .. } => fields,
        other => panic!("a form: {other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_names_its_server_and_shows_its_defaults() {
    let properties = json!({
        "text": {"type": "string", "default": "John"},
        "whole": {"type": "integer", "default": 30},
        "float": {"type": "number", "default": 95.5, "minimum": 0.5, "maximum": 99.5},
        "one": {"type": "string", "enum": ["a", "b"], "default": "b"},
        "titled": {"type": "string", "oneOf": [{"const": "x", "title": "The X"}], "default": "x"},
        "many": {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}, "default": ["a"]},
        "yes": {"type": "boolean", "default": false},
        "none": {"type": "string"},
    });
    // No mode: that is a form.
    let fake = asks(json!({"message": "Who?", "requestedSchema": {"type": "object", "properties": properties}}));
    let (home, call, question) = question(&fake).await;
    assert_eq!(question.server, "s", "it names who asks");
    let defaults: Vec<Option<&str>> = fields(&question).iter().map(|field| field.default.as_deref()).collect();
    assert_eq!(
        defaults,
        [
            Some("\"John\""),
            Some("30"),
            Some("95.5"),
            Some("\"b\""),
            Some("\"x\""),
            Some("[\"a\"]"),
            Some("false"),
            None
        ],
        "each default as the server wrote it"
    );
    let content = r#"{"text":"John","whole":30,"float":95.5,"one":"b","titled":"x","many":["a"],"yes":false}"#;
    home.host()
        .answer(question.id, &form(FormAction::Accept, Some(content)))
        .expect("defaults fit");
    said(&call.await.expect("no panic"));
    let calls = fake.log().received_method(CALL);
    assert_eq!(
        raw_param(&calls[1], &["inputResponses", "q"]),
        Some(format!(r#"{{"action":"accept","content":{content}}}"#)),
        "a number with a fraction is content too"
    );
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_that_does_not_fit_is_not_sent_and_stays_open() {
    let schema = json!({"type": "object", "required": ["n"], "properties": {
        "n": {"type": "number", "minimum": 1.5}, "mail": {"type": "string", "format": "email"},
        "day": {"type": "string", "format": "date"}, "at": {"type": "string", "format": "date-time"},
        "where": {"type": "string", "format": "uri"}, "short": {"type": "string", "maxLength": 2},
        "whole": {"type": "integer"}, "one": {"type": "string", "enum": ["a"]},
        "many": {"type": "array", "items": {"enum": ["a", "b"]}, "minItems": 2},
    }});
    let fake = asks(json!({"mode": "form", "message": "m", "requestedSchema": schema}));
    let (home, call, question) = question(&fake).await;
    for (content, names) in [
        ("{}", "n"),
        (r#"{"n":1}"#, "n"),
        (r#"{"n":"2"}"#, "n"),
        (r#"{"n":2,"mail":"nobody"}"#, "mail"),
        (r#"{"n":2,"day":"2026-02-30"}"#, "day"),
        (r#"{"n":2,"at":"yesterday"}"#, "at"),
        (r#"{"n":2,"where":"no uri"}"#, "where"),
        (r#"{"n":2,"short":"abc"}"#, "short"),
        (r#"{"n":2,"whole":1.5}"#, "whole"),
        (r#"{"n":2,"one":"b"}"#, "one"),
        (r#"{"n":2,"many":["a"]}"#, "many"),
        (r#"{"n":2,"more":1}"#, "more"),
        (r#"{"n":2"#, "JSON"),
        ("[]", "object"),
    ] {
        let error = home
            .host()
            .answer(question.id, &form(FormAction::Accept, Some(content)))
            .expect_err(content);
        assert!(error.to_string().contains(names), "{content}: {error} names {names}");
    }
    assert_eq!(fake.log().received_method(CALL).len(), 1, "nothing has left");
    assert_eq!(home.host().questions().len(), 1, "and the question stands");
    home.host()
        .answer(
            question.id,
            &form(FormAction::Accept, Some(r#"{"n":1.5,"short":"äö"}"#)),
        )
        .expect("what fits is sent");
    said(&call.await.expect("no panic"));
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_without_fields_is_a_plain_question() {
    let long = "why ".repeat(25_000);
    let fake = asks(json!({"message": long, "requestedSchema": {"type": "object", "properties": {}}}));
    let (home, call, question) = question(&fake).await;
    assert!(fields(&question).is_empty());
    let QuestionBody::Form { message, .. } = &question.body else {
        panic!("a form")
    };
    assert!(
        message.len() < long.len(),
        "a text without end is cut, and says so: {}",
        message.len()
    );
    home.host()
        .answer(question.id, &form(FormAction::Accept, Some("{}")))
        .expect("a yes needs nothing typed");
    said(&call.await.expect("no panic"));
    let calls = fake.log().received_method(CALL);
    assert_eq!(
        raw_param(&calls[1], &["inputResponses", "q"]).as_deref(),
        Some(r#"{"action":"accept","content":{}}"#)
    );
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_to_be_visited_first_are_asked_about_and_the_call_goes_again() {
    let page = |n: u8| json!({"mode": "url", "message": "Sign in first", "url": format!("https://example.com/{n}"), "elicitationId": "1"});
    let error = |pages: Value| act::error_data(-32042, "Sign in first", json!({ "elicitations": pages }));
    let check = async |answer: Action, actions: &[FormAction], expect: Result<&str, &str>, calls: usize| {
        let script = Script::legacy("2025-11-25")
            .tool("t")
            .rule(Rule::on(CALL).nth(1).does([answer]))
            .rule(Rule::on(CALL).does([act::text("done")]));
        let fake = FakeServer::new(&script);
        let home = Home::with(&fake).await;
        let actions = actions.to_vec();
        let given = actions.clone();
        let person = Person::at(&home, move |question| {
            let mut parts: Vec<AnswerInput> = given.iter().map(|action| link(*action)).collect();
            Some(match &question.body {
                QuestionBody::Link { .. } => parts.remove(0),
                _ => AnswerInput::Sheet { parts },
            })
        });
        let end = home.call("s", "t", r#"{"a":1.50}"#).await;
        match expect {
            Ok(text) => assert!(said(&end).contains(text), "{end:?}"),
            Err("") => assert!(declined(&end).contains("was not opened"), "{end:?}"),
            Err(words) => assert!(failed(&end).contains(words), "{end:?}"),
        }
        assert_eq!(person.asked(), usize::from(!actions.is_empty()), "{actions:?}");
        let sent = fake.log().received_method(CALL);
        assert_eq!(sent.len(), calls, "{actions:?}");
        if let [first, second] = sent.as_slice() {
            assert_ne!(first.id(), second.id(), "a new request");
            assert_eq!(
                (raw_param(first, &["name"]), raw_param(first, &["arguments"])),
                (raw_param(second, &["name"]), raw_param(second, &["arguments"])),
                "with the same to the letter"
            );
        }
        let outcomes: Vec<Outcome> = home.record().await.into_iter().map(|row| row.outcome).collect();
        let rows: Vec<Outcome> = actions
            .iter()
            .map(|action| match action {
                FormAction::Accept => Outcome::LinkOpened,
                _ => Outcome::LinkRefused,
            })
            .collect();
        assert_eq!(outcomes, rows, "each page stands in the record");
        home.end(&[(&fake, Autumn2025)]).await;
    };
    use FormAction::{Accept, Cancel, Decline};
    check(error(json!([page(1)])), &[Accept], Ok("done"), 2).await;
    check(error(json!([page(1)])), &[Decline], Err(""), 1).await;
    check(error(json!([page(1)])), &[Cancel], Err(""), 1).await;
    check(error(json!([page(1), page(2)])), &[Accept, Accept], Ok("done"), 2).await;
    check(error(json!([page(1), page(2)])), &[Accept, Decline], Err(""), 1).await;
    // What names no page that can be shown stays an error.
    check(error(json!([])), &[], Err("-32042"), 1).await;
    check(error(json!([page(1), 7])), &[], Err("-32042"), 1).await;
    check(act::error(-32042, "no data"), &[], Err("-32042"), 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_always_wants_a_page_visited_first_is_ended() {
    let data =
        json!({"elicitations": [{"mode": "url", "message": "m", "url": "https://example.com/", "elicitationId": "1"}]});
    let script = Script::legacy("2025-11-25")
        .tool("t")
        .rule(Rule::on(CALL).does([act::error_data(-32042, "again", data)]));
    let fake = FakeServer::new(&script);
    let home = Home::with(&fake).await;
    let person = Person::at(&home, |_| Some(link(FormAction::Accept)));
    failed(&home.call("s", "t", "{}").await);
    assert_eq!((fake.log().received_method(CALL).len(), person.asked()), (16, 15));
    home.end(&[(&fake, Autumn2025)]).await;
}
