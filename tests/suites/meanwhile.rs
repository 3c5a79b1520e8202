//! What a server says while it works: how far it has come, and that its lists changed. And how much one server may ask.

use std::time::Duration;

use gatehouse_host::Code;
use gatehouse_host::changes::Part;
use gatehouse_host::view::{CallState, CallView, ConnectionView, RootsChoice, Update};
use gatehouse_tests::fake::FakeServer;
use gatehouse_tests::home::{Home, Person, said};
use gatehouse_tests::schema::Revision::{Autumn2025, Modern};
use gatehouse_tests::script::{Action, Rule, Script, act};
use serde_json::{Value, json};

const LIMIT: Duration = Duration::from_secs(15);

/// The calls as the window is told of them.
async fn calls(home: &Home) -> Vec<CallView> {
    match home.host().update(Part::Calls).await.expect("they are read") {
        Update::Calls { calls } => calls,
        other => panic!("not calls: {other:?}"),
    }
}

/// Waits until `fits` finds something.
async fn until<T>(what: &str, mut fits: impl AsyncFnMut() -> Option<T>) -> T {
    let began = std::time::Instant::now();
    loop {
        if let Some(found) = fits().await {
            return found;
        }
        assert!(began.elapsed() < LIMIT, "waited for {what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn progress_is_shown_as_the_server_says_it() {
    let progress = |value: Value| {
        let line = format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":$params._meta.progressToken,{}}}}}"#,
            value.as_str().expect("a text")
        );
        act::line(&line)
    };
    let script = Script::modern().tool("t").rule(Rule::on("tools/call").does([
        progress(json!(
            r#""progress":12345678901234567890.50,"message":"half\u202e way""#
        )),
        act::wait(400),
        progress(json!(r#""progress":3,"total":4"#)),
        act::wait(400),
        act::text("done"),
    ]));
    let fake = FakeServer::new(&script);
    let home = Home::with(&fake).await;
    let call = home.begin("s", "t", "{}");
    let seen = async || calls(&home).await.last().and_then(|call| call.progress.clone());
    let first = until("the first progress", seen).await;
    assert_eq!(
        (first.value.as_str(), first.total, first.fraction),
        ("12345678901234567890.50", None, None),
        "numbers keep their digits, and without a total there is no bar"
    );
    assert_eq!(
        first.message.as_deref(),
        Some("half⟨U+202E⟩ way"),
        "its words are made harmless"
    );
    let second = until("the second progress", async || {
        seen().await.filter(|progress| progress.total.is_some())
    })
    .await;
    assert_eq!(second.fraction, Some(0.75));
    said(&call.await.expect("no panic"));
    assert_eq!(
        calls(&home).await.last().map(|call| call.state.clone()),
        Some(CallState::Done)
    );
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn changed_lists_are_heard_of_where_they_are_announced() {
    let told = |more: Vec<Action>| Rule::on("subscriptions/listen").background().does(more);
    let acknowledged = act::line(
        r#"{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":$id},"notifications":{"toolsListChanged":true}}}"#,
    );
    let changed = act::line(
        r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":$id}}}"#,
    );
    let modern = Script::modern()
        .tool("t")
        .capabilities(json!({"tools": {"listChanged": true}}))
        .rule(told(vec![acknowledged, act::wait(200), changed.clone(), changed]));
    let legacy = Script::legacy("2025-11-25")
        .tool("t")
        .capabilities(json!({"tools": {"listChanged": true}}))
        .rule(
            Rule::on("notifications/initialized")
                .background()
                .does([act::wait(400), act::notify("notifications/tools/list_changed", None)]),
        );
    for (script, revision) in [(modern, Modern), (legacy, Autumn2025)] {
        let fake = FakeServer::new(&script);
        let home = Home::with(&fake).await;
        home.host().connect("s").await.expect("it starts");
        until("a change of its lists", async || {
            let server = home.host().servers().await.ok()?.into_iter().next()?;
            (server.list_changes > 0).then_some(())
        })
        .await;
        home.end(&[(&fake, revision)]).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_server_cannot_crowd_out_the_others() {
    let form = json!({"form": {"method": "elicitation/create", "params": {"mode": "form", "message": "m",
        "requestedSchema": {"type": "object", "properties": {}}}}});
    let asks = || {
        Script::modern()
            .tool("t")
            .rule(
                Rule::on("tools/call")
                    .unanswered()
                    .does([act::ask(form.clone(), Some("s"))]),
            )
            .rule(Rule::on("tools/call").answered().does([act::text("done")]))
    };
    let (greedy, modest) = (FakeServer::new(&asks()), FakeServer::new(&asks()));
    let home = Home::with(&greedy).await;
    home.add("modest", &modest.launch()).await;
    let calls: Vec<_> = (0..60).map(|_| home.begin("s", "t", "{}")).collect();
    let most = gatehouse_host::bounds::QUESTIONS_PER_SERVER;
    until("as many questions as one server may have open", async || {
        (home.host().questions().len() >= most).then_some(())
    })
    .await;
    let other = home.begin("modest", "t", "{}");
    until("the other server's question", async || {
        home.host()
            .questions()
            .iter()
            .any(|question| question.server == "modest")
            .then_some(())
    })
    .await;
    let of_greedy = home
        .host()
        .questions()
        .iter()
        .filter(|question| question.server == "s")
        .count();
    assert!(of_greedy <= most, "{of_greedy} questions of one server are open");
    home.host().dismiss_questions_of("s");
    for call in calls {
        let _ = call.await.expect("no panic");
    }
    assert_eq!(home.host().questions().len(), 1, "the other server's question stands");
    home.host().dismiss_questions(false);
    let _ = other.await.expect("no panic");
    let servers = home.host().servers().await.expect("they are read");
    assert!(
        servers
            .iter()
            .all(|server| matches!(server.connection, ConnectionView::Ready { .. })),
        "both go on"
    );
    home.quit().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_forgot_a_call_and_one_that_lacks_an_offer_say_what_can_be_done() {
    let ask = json!({"roots": {"method": "roots/list"}});
    let forgets = Script::modern()
        .tool("t")
        .rule(Rule::on("tools/call").fresh().does([act::ask(ask, Some("s1"))]))
        .rule(
            Rule::on("tools/call")
                .answered()
                .does([act::error(-32602, "Invalid or expired requestState")]),
        );
    let needs = Script::modern()
        .tool("t")
        .rule(Rule::on("tools/call").does([act::error_data(
            -32021,
            "Missing required client capability",
            json!({"requiredCapabilities": {"roots": {}}}),
        )]));
    for (script, code, words) in [
        (forgets, Code::Forgot, "call again"),
        (needs, Code::ServerError, "switch the offer on"),
    ] {
        let fake = FakeServer::new(&script);
        let home = Home::with(&fake).await;
        let _person = Person::who(&home, RootsChoice::ShareOnce);
        let error = home.call("s", "t", "{}").await.expect_err("it ends with an error");
        assert_eq!(error.code(), code, "{error}");
        assert!(error.to_string().contains(words), "{error} says {words}");
        home.end(&[(&fake, Modern)]).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn log_messages_are_asked_for_from_a_level_on_and_shown_with_stderr() {
    let said = act::notify(
        "notifications/message",
        Some(json!({"level": "warning", "logger": "disk", "data": "nearly full\u{1b}[2J"})),
    );
    let modern = Script::modern()
        .tool("t")
        .rule(Rule::on("tools/call").does([said.clone(), act::text("done")]));
    let legacy = Script::legacy("2025-11-25")
        .tool("t")
        .capabilities(json!({"tools": {}, "logging": {}}))
        .rule(Rule::on("logging/setLevel").does([act::result(json!({}))]))
        .rule(Rule::on("tools/call").does([said, act::text("done")]));
    for (script, revision) in [(modern, Modern), (legacy, Autumn2025)] {
        let fake = FakeServer::new(&script);
        let home = Home::with(&fake).await;
        home.host()
            .change_server("s", &[("log", "loud")])
            .await
            .expect_err("there is no such level");
        said_text(&home).await;
        home.host()
            .change_server("s", &[("log", "warning")])
            .await
            .expect("it is there");
        said_text(&home).await;
        let level = |frame: &gatehouse_tests::log::Frame| {
            frame.params()["_meta"]["io.modelcontextprotocol/logLevel"]
                .as_str()
                .map(str::to_owned)
        };
        let calls = fake.log().received_method("tools/call");
        if revision == Modern {
            assert_eq!(
                (level(&calls[0]), level(&calls[1]).as_deref()),
                (None, Some("warning")),
                "on each request"
            );
        } else {
            assert_eq!(
                fake.log().received_method("logging/setLevel")[0].params()["level"],
                "warning"
            );
        }
        let server = home.host().servers().await.expect("they are read").remove(0);
        assert_eq!(server.settings.log.as_deref(), Some("warning"));
        assert!(
            server
                .stderr
                .iter()
                .any(|line| line == "[warning] disk: nearly full␛[2J"),
            "it stands in the log, harmless: {:?}",
            server.stderr
        );
        home.end(&[(&fake, revision)]).await;
    }
}

async fn said_text(home: &Home) {
    said(&home.call("s", "t", "{}").await);
}
