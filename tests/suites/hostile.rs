//! Servers that break the protocol, or their word, or themselves: each can hurt its own calls only, and every call ends.
//! The exchange's own tests try each malformed reply by itself; here the whole host meets them in one connection.

use std::time::{Duration, Instant};

use gatehouse_host::Code;
use gatehouse_host::HostError;
use gatehouse_host::view::{CallEnd, ConnectionView, RootsChoice};
use gatehouse_tests::fake::FakeServer;
use gatehouse_tests::home::{Home, Person, failed, said};
use gatehouse_tests::journal::encode;
use gatehouse_tests::schema::Revision::Modern;
use gatehouse_tests::script::{Action, Piece, Rule, Script, act};
use serde_json::json;

/// A call of a tool, which must end soon whatever comes.
async fn call(home: &Home, tool: &str) -> Result<CallEnd, HostError> {
    let end = tokio::time::timeout(Duration::from_secs(20), home.call("s", tool, "{}")).await;
    end.unwrap_or_else(|_| panic!("the call of {tool} ends by itself"))
}

/// The tool `bad` answers so; the error names it, the connection stays, and the next call works.
async fn check(answers: &[(&str, Action, &str)]) {
    let script = answers.iter().fold(Script::modern(), |script, (name, answer, _)| {
        script.rule(Rule::on("tools/call").name(name).does([answer.clone()]))
    });
    let fake = FakeServer::new(&script);
    let home = Home::with(&fake).await;
    let person = Person::who(&home, RootsChoice::ShareAlways);
    for (name, _, words) in answers {
        let begun = Instant::now();
        let end = call(&home, name).await;
        let error = failed(&end);
        assert_eq!(end.expect_err("bad").code(), Code::BadReply, "{name}: {error}");
        assert!(error.contains(words), "{name}: the error names {words}: {error}");
        assert!(
            begun.elapsed() < Duration::from_secs(15),
            "{name}: at once, not at the limit: {:?}",
            begun.elapsed()
        );
        assert!(
            said(&call(&home, "good").await).contains("ok"),
            "{name}: it costs its own call only"
        );
    }
    assert_eq!(fake.log().pids().len(), 1, "and the connection is the same one");
    assert_eq!(
        fake.log().received_method("tools/call").len(),
        answers.len() * 2,
        "nothing is retried"
    );
    assert_eq!(person.asked(), 0, "nobody is asked");
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_malformed_reply_costs_its_own_call() {
    let line = |rest: &str| act::line(&format!(r#"{{"jsonrpc":"2.0","id":$id,{rest}}}"#));
    let not_utf8 = Action::Bytes(vec![
        Piece::Text(r#"{"jsonrpc":"2.0","id":$id,"result":{"content":[],"x":""#.into()),
        Piece::Base64(encode(b"\xff\xc0")),
        Piece::Text("\"}}\n".into()),
    ]);
    check(&[
        ("bad UTF-8", not_utf8, "UTF-8"),
        ("no message", line(r#""error":{"code":-1}"#), "message"),
        ("code as text", line(r#""error":{"code":"-1","message":"m"}"#), "code"),
        ("huge code", line(r#""error":{"code":99999999999999999999,"message":"m"}"#), "code"),
        ("error as text", line(r#""error":"boom""#), "error"),
        ("both", line(r#""result":{"content":[]},"error":{"code":1,"message":"m"}"#), "both"),
        ("neither", line(r#""more":1"#), "neither"),
        ("no version", act::line(r#"{"id":$id,"result":{"content":[]}}"#), "jsonrpc"),
        ("old version", act::line(r#"{"jsonrpc":"1.0","id":$id,"result":{"content":[]}}"#), "jsonrpc"),
        ("twice", line(r#""result":{"content":[]},"result":{"content":[]}"#), "twice"),
        ("surrogate", line(r#""result":{"content":[{"type":"text","text":"\ud800"}]}"#), "surrogate"),
        ("list", line(r#""result":[]"#), "object"),
        ("null", line(r#""result":null"#), "object"),
        ("cut", act::line(r#"{"jsonrpc":"2.0","id":$id,"result":{"content":["#), "JSON"),
        ("no id", act::line(r#"{"jsonrpc":"2.0","result":{"content":[]}}"#), "id"),
        ("null id", act::line(r#"{"jsonrpc":"2.0","id":null,"result":{"content":[]}}"#), "id"),
        ("batch", act::line(r#"[{"jsonrpc":"2.0","id":$id,"result":{"content":[]}}]"#), "batch"),
        ("state", line(r#""result":{"resultType":"input_required","inputRequests":{"r":{"method":"roots/list"}},"requestState":{"a":1}}"#), "requestState"),
        ("requests", line(r#""result":{"resultType":"input_required","inputRequests":[{"method":"roots/list"}],"requestState":"s"}"#), "inputRequests"),
        ("content", line(r#""result":{"resultType":"complete","content":"text"}"#), "content"),
        ("deep", act::nested(200_000), "deep"),
        ("long", act::huge(65 * 1024 * 1024), "long"),
    ])
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn more_than_a_round_may_ask_is_refused() {
    let many: serde_json::Map<_, _> = (0..33)
        .map(|n| (n.to_string(), json!({"method": "roots/list"})))
        .collect();
    check(&[("many", act::ask(many.into(), Some("s")), "33")]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn replies_to_nobody_harm_nobody() {
    let script = Script::modern().on(
        "tools/call",
        [
            act::line(r#"{"jsonrpc":"2.0","id":999999,"result":{"content":[{"type":"text","text":"stray"}]}}"#),
            act::line(r#"{"jsonrpc":"2.0","id":"text","result":{"content":[{"type":"text","text":"stray"}]}}"#),
            act::text("own"),
            act::text("again"),
        ],
    );
    let fake = FakeServer::new(&script);
    let home = Home::with(&fake).await;
    for _ in 0..3 {
        let text = said(&call(&home, "t").await);
        assert!(
            text.contains("own") && !text.contains("stray"),
            "a call gets its own answer, and the first one: {text}"
        );
    }
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bad_item_hides_no_other() {
    let script = Script::modern()
        .tool("first")
        .tool_json(json!({"description": "no name", "inputSchema": {"type": "object"}}))
        .tool_json(json!(null))
        .tool_json(json!("a text"))
        .tool_json(json!({"name": 7, "inputSchema": {}}))
        .tool("last")
        .on(
            "tools/call",
            [act::result(json!({"resultType": "complete", "content": [
                {"type": "text", "text": "before"},
                {"type": "hologram", "data": [1, 2]},
                {"no": "type"},
                {"type": "text"},
                7,
                {"type": "text", "text": "after"},
            ]}))],
        );
    let fake = FakeServer::new(&script);
    let home = Home::with(&fake).await;
    let tools = home.host().tools("s").await.expect("a list");
    let names: Vec<_> = tools.items.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(
        (names.first(), names.last()),
        (Some(&"first"), Some(&"last")),
        "one bad tool is one bad tool: {names:?}"
    );
    assert_eq!(
        tools.items.len() + tools.unreadable.len(),
        6,
        "and each is shown in one way or the other"
    );
    let end = call(&home, "first").await.expect("a result");
    let CallEnd::Completed {
        result: gatehouse_host::view::ResultView::Tool { content, .. },
        ..
    } = end
    else {
        panic!("{end:?}")
    };
    assert_eq!(content.len(), 6, "an unknown block is shown as it is: {content:?}");
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_without_end_ends() {
    let page = |cursor: &str| {
        act::result(
            json!({"resultType": "complete", "tools": [{"name": format!("t{cursor}"), "inputSchema": {"type": "object"}}], "nextCursor": cursor, "ttlMs": 0, "cacheScope": "private"}),
        )
    };
    for (rounds, why) in [
        (vec!["a", "b", "a"], "a cursor that comes back"),
        (vec!["", ""], "an empty cursor is one, and comes back"),
    ] {
        let count = rounds.len();
        let script = rounds.iter().fold(Script::modern(), |script, cursor| {
            script.rule(Rule::on("tools/list").nth(1).does([page(cursor)]))
        });
        let fake = FakeServer::new(&script.on("tools/list", [page("again")]));
        let home = Home::with(&fake).await;
        let tools = home.host().tools("s").await.expect("a list");
        assert!(tools.stopped.is_some(), "{why}: the list says that it is not whole");
        assert_eq!(fake.log().received_method("tools/list").len(), count, "{why}");
        home.end(&[(&fake, Modern)]).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn floods_pass_by() {
    let note = r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}
"#;
    let request = r#"{"jsonrpc":"2.0","id":1,"method":"roots/list"}
"#;
    for (flood, script) in [
        (note, Script::modern()),
        (request, Script::modern()),
        (note, Script::legacy("2025-11-25")),
    ] {
        let script = script.on(
            "tools/call",
            [
                Action::Bytes(vec![Piece::Repeat(flood.into(), 50_000)]),
                act::text("through"),
            ],
        );
        let fake = FakeServer::new(&script);
        let home = Home::with(&fake).await;
        let person = Person::who(&home, RootsChoice::ShareAlways);
        assert!(
            said(&call(&home, "t").await).contains("through"),
            "the answer behind a flood is found"
        );
        assert!(
            said(&call(&home, "t").await).contains("through"),
            "and the next one too"
        );
        assert_eq!(person.asked(), 0, "nobody is asked anything");
        assert!(
            fake.log().received().iter().all(|frame| !frame.is_response()),
            "nothing is answered"
        );
        home.quit().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_of_old_requests_is_bounded() {
    let asks = (0..200).map(|id| act::request(json!(id), "roots/list", None));
    let script = Script::legacy("2025-11-25").rule(Rule::on("notifications/initialized").background().does(asks));
    let fake = FakeServer::new(&script);
    let home = Home::with(&fake).await;
    home.host().connect("s").await.expect("it starts");
    let question = home.until_open(1).await.remove(0);
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(
        home.host().questions().len(),
        1,
        "two hundred equal asks are one dialog"
    );
    home.host().dismiss_question(question.id).expect("it is open");
    let answered =
        |log: &gatehouse_tests::log::Log| log.received().iter().filter(|frame| frame.is_response()).count() == 200;
    fake.log()
        .until("an answer to each", Duration::from_secs(30), answered)
        .await;
    assert!(
        fake.log().received().iter().all(|frame| !frame.raw.contains("file:")),
        "and no folder in any"
    );
    home.end(&[(&fake, gatehouse_tests::schema::Revision::Autumn2025)])
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_silent_server_ends_at_the_limit() {
    let script = Script::modern().rule(Rule::on("tools/call").name("never").does([]));
    let fake = FakeServer::new(&script);
    let home = Home::with(&fake).await;
    let limit = Some(Duration::from_millis(400));
    let end = home
        .host()
        .call(gatehouse_host::call::Call {
            limit,
            ..gatehouse_tests::home::tool_call("s", "never", "{}")
        })
        .await;
    assert_eq!(end.as_ref().expect_err("silence").code(), Code::TimedOut, "{end:?}");
    let cancelled = |log: &gatehouse_tests::log::Log| log.received_method("notifications/cancelled").len() == 1;
    fake.log()
        .until("the server is told", Duration::from_secs(5), cancelled)
        .await;
    assert!(said(&call(&home, "t").await).contains("ok"), "the next call works");
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_way_to_die_ends_the_calls() {
    for dies in [
        vec![Action::Exit(1)],
        vec![Action::Abort],
        vec![Action::CloseStdout, Action::Hang],
        vec![act::partial("{\"jsonrpc\":"), Action::Exit(0)],
    ] {
        let script = Script::modern()
            .rule(
                Rule::on("tools/call")
                    .name("slow")
                    .background()
                    .does([act::wait(60_000)]),
            )
            .rule(Rule::on("tools/call").name("die").does(dies.clone()));
        let fake = FakeServer::new(&script);
        let home = Home::with(&fake).await;
        let slow = home.begin("s", "slow", "{}");
        fake.log()
            .until("the slow call", Duration::from_secs(20), |log| {
                log.received_method("tools/call").len() == 1
            })
            .await;
        let end = call(&home, "die").await;
        assert_eq!(
            end.as_ref().expect_err("dead").code(),
            Code::Closed,
            "{dies:?}: {end:?}"
        );
        let end = slow.await.expect("no panic");
        assert_eq!(
            end.as_ref().expect_err("dead").code(),
            Code::Closed,
            "{dies:?}: the other call ends as well: {end:?}"
        );
        assert!(
            said(&call(&home, "t").await).contains("ok"),
            "{dies:?}: a fresh process serves the next call"
        );
        assert_eq!(
            fake.log().received_method("tools/call").len(),
            3,
            "{dies:?}: no call is sent a second time by itself"
        );
        home.quit().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_bad_server_is_one_bad_server() {
    let good = FakeServer::new(&Script::modern());
    let bad = [
        FakeServer::new(&Script::bare().at_start([Action::Exit(1)])),
        FakeServer::new(&Script::modern().rule(Rule::on("tools/call").does([Action::StopReading, Action::Hang]))),
        FakeServer::new(&Script::bare()),
    ];
    let home = Home::with(&good).await;
    let mut hanging = Vec::new();
    for (n, fake) in bad.iter().enumerate() {
        home.add(&format!("bad{n}"), &fake.launch()).await;
        hanging.push(home.begin(&format!("bad{n}"), "t", "{}"));
    }
    for _ in 0..20 {
        assert!(said(&call(&home, "t").await).contains("ok"), "the others go on");
    }
    let end = hanging.remove(0).await.expect("no panic");
    assert_eq!(end.as_ref().expect_err("it exits").code(), Code::StartFailed, "{end:?}");
    let servers = home.host().servers().await.expect("servers");
    let failed = servers.iter().find(|server| server.name == "bad0").expect("there");
    assert!(
        matches!(failed.connection, ConnectionView::Failed { .. }),
        "{:?}",
        failed.connection
    );
    home.end(&[(&good, Modern)]).await;
    for call in hanging {
        assert!(call.await.expect("no panic").is_err(), "a quit ends what hangs");
    }
}
