//! Pages that a server asks to have opened: asked about, judged, never fetched, and answered without content.

use gatehouse_host::view::{AnswerInput, FormAction, QuestionBody};
use gatehouse_tests::fake::FakeServer;
use gatehouse_tests::home::{Home, raw_param, said};
use gatehouse_tests::schema::Revision::Modern;
use gatehouse_tests::script::{Rule, Script, act};
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn a_page_is_opened_by_the_person_and_the_server_is_told_so() {
    let page = |url: &str| json!({"page": {"method": "elicitation/create", "params": {"mode": "url", "message": "Sign in", "url": url, "elicitationId": "1"}}});
    let check = async |url: &str, action: FormAction, openable: bool, sent: &str| {
        let fake = FakeServer::new(
            &Script::modern()
                .tool("t")
                .rule(
                    Rule::on("tools/call")
                        .unanswered()
                        .does([act::ask(page(url), Some("x"))]),
                )
                .rule(Rule::on("tools/call").answered().does([act::text("done")])),
        );
        let home = Home::with(&fake).await;
        let call = home.begin("s", "t", "{}");
        let question = home.until_open(1).await.remove(0);
        let QuestionBody::Link { link, problem, .. } = &question.body else {
            panic!("a page is asked for: {question:?}");
        };
        assert_eq!((link.is_some(), problem.is_some()), (openable, !openable), "{url}");
        if !openable {
            let accept = AnswerInput::Link {
                action: FormAction::Accept,
            };
            assert!(
                home.host().answer(question.id, &accept).is_err(),
                "what can't be opened was not opened"
            );
        }
        home.host()
            .answer(question.id, &AnswerInput::Link { action })
            .expect("it is open");
        said(&call.await.expect("no panic"));
        let calls = fake.log().received_method("tools/call");
        assert_eq!(
            raw_param(&calls[1], &["inputResponses"]).as_deref(),
            Some(sent),
            "{url}"
        );
        home.end(&[(&fake, Modern)]).await;
    };
    check(
        "https://example.com/in?a=1",
        FormAction::Accept,
        true,
        r#"{"page":{"action":"accept"}}"#,
    )
    .await;
    check(
        "https://example.com/in",
        FormAction::Decline,
        true,
        r#"{"page":{"action":"decline"}}"#,
    )
    .await;
    check(
        "https://example.com/in",
        FormAction::Cancel,
        true,
        r#"{"page":{"action":"cancel"}}"#,
    )
    .await;
    check(
        "file:///etc/passwd",
        FormAction::Decline,
        false,
        r#"{"page":{"action":"decline"}}"#,
    )
    .await;
}
