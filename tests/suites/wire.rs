//! What stands on the wire of every call: envelope, declarations, ids, framing, and what must never stand there. What a call's
//! rounds hold is in `rounds`, how an era is found in `eras`.

use std::collections::BTreeSet;
use std::time::Duration;

use gatehouse_host::call::{Call, What};
use gatehouse_host::view::RootsChoice;
use gatehouse_tests::fake::FakeServer;
use gatehouse_tests::home::{Home, Person, failed, raw_param, ready, roots, said, tool_call};
use gatehouse_tests::log::Frame;
use gatehouse_tests::schema::Revision::{Autumn2025, Modern};
use gatehouse_tests::script::{Rule, Script, act};
use serde_json::{Value, json};

const LIMIT: Duration = Duration::from_secs(30);
const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const INFO: &str = "io.modelcontextprotocol/clientInfo";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

/// What the next frame of a plain call declares.
async fn check(home: &Home, fake: &FakeServer, expect: Value, why: &str) {
    said(&home.call("s", "t", "{}").await);
    let frame = fake.log().received_method("tools/call").pop().expect("the call left");
    assert_eq!(frame.params()["_meta"][CAPABILITIES], expect, "{why}");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_request_says_who_asks_and_what_is_offered() {
    let ask = act::ask(json!({"r": {"method": "roots/list"}}), Some("s"));
    let script = Script::modern()
        .asks_roots("t", Some("s"))
        .prompt("p")
        .resource("fake://r")
        .rule(Rule::on("prompts/get").fresh().does([ask.clone()]))
        .rule(Rule::on("resources/read").fresh().does([ask]))
        .rule(
            Rule::on("tools/call")
                .name("slow")
                .does([act::wait(60_000)])
                .background(),
        );
    let fake = FakeServer::new(&script);
    let home = Home::with(&fake).await;
    let _person = Person::who(&home, RootsChoice::ShareSession);
    home.host().tools("s").await.expect("tools");
    home.host().prompts("s").await.expect("prompts");
    home.host().resources("s").await.expect("resources");
    said(&home.call("s", "t", "{}").await);
    for what in [
        What::Prompt {
            name: "p".into(),
            args: "{}".into(),
        },
        What::Resource { uri: "fake://r".into() },
    ] {
        said(
            &home
                .host()
                .call(Call {
                    server: "s".into(),
                    what,
                    limit: None,
                })
                .await,
        );
    }
    let host = home.host().clone();
    let limit = Some(Duration::from_millis(300));
    failed(
        &host
            .call(Call {
                limit,
                ..tool_call("s", "slow", "{}")
            })
            .await,
    );
    fake.log()
        .until("the cancel", LIMIT, |log| {
            !log.received_method("notifications/cancelled").is_empty()
        })
        .await;
    let frames = fake.log().received();
    let methods: BTreeSet<&str> = frames.iter().map(Frame::method).collect();
    let expect = [
        "server/discover",
        "tools/list",
        "prompts/list",
        "resources/list",
        "tools/call",
        "prompts/get",
        "resources/read",
        "notifications/cancelled",
    ];
    assert_eq!(methods, BTreeSet::from(expect), "every kind of frame is looked at");
    for frame in frames.iter().filter(|frame| !frame.id().is_null()) {
        let meta = &frame.params()["_meta"];
        assert_eq!(meta[VERSION], "2026-07-28", "{}", frame.raw);
        assert_eq!(meta[INFO]["name"], "gatehouse", "{}", frame.raw);
        assert_eq!(
            meta[CAPABILITIES],
            json!({"roots": {}, "elicitation": {"form": {}, "url": {}}}),
            "{}",
            frame.raw
        );
    }
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn declarations_are_true_from_the_next_request_on() {
    let fake = FakeServer::new(&Script::modern().tool("t"));
    let home = Home::with(&fake).await;
    let on = json!({"roots": {}, "elicitation": {"form": {}, "url": {}}});
    let off = json!({"elicitation": {"form": {}, "url": {}}});
    check(
        &home,
        &fake,
        on.clone(),
        "folders are offered from the start; no link and no model is",
    )
    .await;
    home.host()
        .change_server("s", &[("roots", "off")])
        .await
        .expect("it is there");
    check(
        &home,
        &fake,
        off.clone(),
        "switched off, the very next frame leaves roots out, and not as null",
    )
    .await;
    home.host()
        .change_server("s", &[("roots", "on")])
        .await
        .expect("it is there");
    check(&home, &fake, on, "switched on, the very next frame has it again").await;
    home.host()
        .change_server("s", &[("roots", "off")])
        .await
        .expect("it is there");
    let home = home.restart().await;
    check(&home, &fake, off, "the switch outlives the run").await;
    assert_eq!(
        fake.log().received_method("server/discover").len(),
        2,
        "no switch reconnects a modern server"
    );
    let probe = fake.log().received_method("server/discover").pop().expect("probed");
    assert!(
        probe.params()["_meta"][CAPABILITIES].get("roots").is_none(),
        "the probe says the same: {}",
        probe.raw
    );
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn ids_are_never_used_twice() {
    let fake = FakeServer::new(&Script::modern().asks_roots("t", Some("s")));
    let home = Home::with(&fake).await;
    let person = Person::who(&home, RootsChoice::ShareSession);
    let calls: Vec<_> = (0..200)
        .map(|n| home.begin("s", "t", &format!(r#"{{"n":{n}}}"#)))
        .collect();
    for call in calls {
        assert!(
            said(&call.await.expect("no panic")).contains("done"),
            "each of the calls is answered"
        );
    }
    let frames = fake.log().received();
    assert_eq!(
        frames.iter().filter(|frame| frame.method() == "tools/call").count(),
        400,
        "two rounds each"
    );
    let ids: BTreeSet<String> = frames.iter().map(|frame| frame.id().to_string()).collect();
    assert_eq!(
        ids.len(),
        frames.len(),
        "an id is used once a connection, across calls and rounds"
    );
    assert!(
        frames
            .iter()
            .all(|frame| frame.id().is_number() || frame.id().is_string()),
        "and is a number or a text"
    );
    assert!(
        person.asked() < 200,
        "calls that wait for one answer share one dialog; there were {}",
        person.asked()
    );
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_modern_server_that_asks_is_never_answered() {
    let asks = [
        act::request(json!(5), "roots/list", None),
        act::request(json!(1), "roots/list", Some(json!({}))),
        act::request(json!("five"), "ping", None),
        act::request(json!(6), "acme/unknown", Some(json!({"x": 1}))),
        act::request(
            json!(7),
            "elicitation/create",
            Some(json!({"message": "m", "requestedSchema": {"type": "object", "properties": {}}})),
        ),
        act::request(
            json!(8),
            "sampling/createMessage",
            Some(json!({"messages": [], "maxTokens": 1})),
        ),
    ];
    let script = Script::modern().at_start(asks.clone()).rule(
        Rule::on("tools/call")
            .name("t")
            .does(asks.into_iter().chain([act::wait(300), act::text("done")])),
    );
    let fake = FakeServer::new(&script);
    let home = Home::with(&fake).await;
    let person = Person::who(&home, RootsChoice::ShareAlways);
    assert!(
        said(&home.call("s", "t", "{}").await).contains("done"),
        "the call is answered all the same"
    );
    let mark = fake.log().mark();
    fake.log().assert_silent(
        mark,
        Duration::from_secs(2),
        "nothing is written on a modern connection but requests and cancels",
    );
    let received = fake.log().received();
    assert_eq!(received.len(), 2, "the probe and the call: {received:#?}");
    assert!(
        !fake.log().received().iter().any(|frame| frame.raw.contains("file://")),
        "no folder leaks"
    );
    assert_eq!(person.asked(), 0, "nobody is asked");
    let (frames, _) = home.host().frames("s", 0, 1000);
    let kept = frames
        .iter()
        .filter(|frame| String::from_utf8_lossy(&frame.bytes).contains(r#""method":"roots/list""#))
        .count();
    assert_eq!(kept, 4, "the traffic shows what the server did");
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_of_folders_is_told_once_to_whom_it_was_shared_in_the_old_era() {
    let asks = Rule::on("notifications/initialized")
        .background()
        .does([act::request(json!(1), "roots/list", None)]);
    let old = FakeServer::new(&Script::legacy("2025-11-25").tool("t").rule(asks));
    let strangers = FakeServer::new(&Script::legacy("2025-11-25").tool("t"));
    let new = FakeServer::new(&Script::modern().asks_roots("t", Some("s")));
    let home = Home::new();
    let (keep, gone) = (home.folder("keep").await, home.folder("gone").await);
    for (name, fake) in [("old", &old), ("new", &new), ("strangers", &strangers)] {
        home.add(name, &fake.launch()).await;
    }
    let _person = Person::who(&home, RootsChoice::ShareOnce);
    for name in ["old", "new", "strangers"] {
        said(&home.call(name, "t", "{}").await);
    }
    let told = |fake: &FakeServer| fake.log().received_method("notifications/roots/list_changed").len();
    home.folder("unshared").await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(told(&old), 0, "a folder that was not shared changes nothing for it");
    home.host().remove_folder(gone).await.expect("it is there");
    old.log()
        .until("the notification", LIMIT, |log| {
            !log.received_method("notifications/roots/list_changed").is_empty()
        })
        .await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(told(&old), 1, "exactly one: its set changed once");
    assert_eq!(
        (told(&new), told(&strangers)),
        (0, 0),
        "it doesn't exist in the new era, and is nothing to whom nothing was shared"
    );
    home.host()
        .rename_folder(keep, "other".into())
        .await
        .expect("it is there");
    old.log()
        .until("the second", LIMIT, |log| {
            log.received_method("notifications/roots/list_changed").len() == 2
        })
        .await;
    home.end(&[(&old, Autumn2025), (&strangers, Autumn2025), (&new, Modern)])
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_line_is_one_message_whatever_it_holds() {
    let fake = FakeServer::new(&Script::modern().tool("t"));
    let home = Home::with(&fake).await;
    let pretty = "{\r\n  \"nested\": {\r\n    \"deep\": [\n      1,\r\n\t 2.50\n    ]\n  },\n  \"text\": \"a\"\n}\n";
    let texts = [
        json!({"x": "line\nfeed\r\nand return\r"}).to_string(),
        json!({"x": "\u{2028}\u{2029}\u{85}\u{b}"}).to_string(),
        json!({"x": "👩‍👩‍👧 e\u{301} \u{202e}rtl"}).to_string(),
        r#"{"x":"\u2028\u0000\ud83d\ude00"}"#.to_owned(),
        format!(r#"{{"x":"{}"}}"#, "ä".repeat(200_000)),
        pretty.to_owned(),
    ];
    for text in &texts {
        said(&home.call("s", "t", text).await);
        let frame = fake.log().received_method("tools/call").pop().expect("it left");
        let sent: Value = serde_json::from_str(text).expect("JSON");
        assert_eq!(frame.params()["arguments"], sent, "the server reads what was typed");
    }
    let frame = fake.log().received_method("tools/call").pop().expect("it left");
    let arguments = raw_param(&frame, &["arguments"]).expect("there");
    assert!(
        arguments.contains("2.50"),
        "white space goes, numbers stay: {arguments}"
    );
    let bytes = fake.log().received_bytes();
    let text = String::from_utf8(bytes).expect("stdin is UTF-8");
    assert!(!text.contains('\r'), "lines end with a line feed alone");
    assert_eq!(
        text.lines().count(),
        text.matches('\n').count(),
        "the last line is ended too"
    );
    for line in text.split_terminator('\n') {
        assert!(
            serde_json::from_str::<Value>(line).is_ok_and(|frame| frame["jsonrpc"] == "2.0"),
            "each line is a message: {line}"
        );
    }
    assert_eq!(text.lines().count(), texts.len() + 1, "one line a message");
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn noise_of_a_server_is_no_message() {
    let noise = [
        act::stderr("fake running on stdio"),
        act::line("Ok to proceed? (y)"),
        act::line(""),
        act::line("\u{feff}"),
        act::bytes(b"\xff\xfe not text\n"),
        act::line("[DEBUG] {\"jsonrpc\": true}"),
        act::line("42"),
        act::line("null"),
        act::partial("\r\n"),
    ];
    let script = Script::modern()
        .at_start(noise.clone())
        .rule(Rule::on("tools/call").does(noise.into_iter().chain([act::text("done")])));
    let fake = FakeServer::new(&script);
    let home = Home::with(&fake).await;
    for _ in 0..3 {
        assert!(
            said(&home.call("s", "t", "{}").await).contains("done"),
            "noise costs nothing"
        );
    }
    let servers = home.host().servers().await.expect("servers");
    assert!(
        servers[0].stderr.iter().any(|line| line.contains("running on stdio")),
        "stderr is shown: {:?}",
        servers[0].stderr
    );
    assert_eq!(fake.log().pids().len(), 1, "nothing was restarted");
    assert_eq!(fake.log().received().len(), 4, "nothing was answered");
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_not_offered_gets_nothing() {
    let fake = FakeServer::new(&Script::modern().asks_roots("t", Some("s")));
    let home = Home::with(&fake).await;
    let person = Person::who(&home, RootsChoice::ShareAlways);
    home.host()
        .change_server("s", &[("roots", "off")])
        .await
        .expect("it is there");
    let end = home.call("s", "t", "{}").await;
    assert!(
        failed(&end).contains("roots/list"),
        "the error names what was asked: {end:?}"
    );
    let mark = fake.log().mark();
    fake.log()
        .assert_silent(mark, Duration::from_secs(2), "and nothing follows");
    assert!(
        !fake.log().received().iter().any(|frame| frame.raw.contains("file://")),
        "no folder leaves"
    );
    assert_eq!(person.asked(), 0, "no dialog");
    let row = home.record().await.pop().expect("it is written down");
    assert_eq!(
        row.outcome,
        gatehouse_host::view::Outcome::NotOffered,
        "as asked without being offered"
    );
    home.host()
        .change_server("s", &[("roots", "on")])
        .await
        .expect("it is there");
    said(&home.call("s", "t", "{}").await);
    assert_eq!(person.asked(), 1, "offered again, it is asked");
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_calls_may_ask() {
    let ask = act::ask(json!({"r": {"method": "roots/list"}}), Some("s"));
    let lists = ["tools/list", "prompts/list", "resources/list"];
    let script = lists
        .iter()
        .fold(Script::modern(), |script, method| script.on(method, [ask.clone()]));
    let fake = FakeServer::new(&script);
    let home = Home::with(&fake).await;
    let person = Person::who(&home, RootsChoice::ShareAlways);
    failed(&home.host().tools("s").await);
    failed(&home.host().prompts("s").await);
    failed(&home.host().resources("s").await);
    for method in lists {
        assert_eq!(fake.log().received_method(method).len(), 1, "{method} is not retried");
    }
    assert_eq!(person.asked(), 0, "a list opens no dialog");
    home.end(&[(&fake, Modern)]).await;

    let fake = FakeServer::new(&Script::modern().on("server/discover", [ask]));
    let home = Home::with(&fake).await;
    let person = Person::who(&home, RootsChoice::ShareAlways);
    failed(&home.host().connect("s").await);
    assert_eq!(person.asked(), 0, "nor does the probe");
    assert!(
        fake.log()
            .received()
            .iter()
            .all(|frame| frame.params().get("inputResponses").is_none()),
        "and it is not answered"
    );
    home.quit().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancel_names_what_is_in_flight_only() {
    let script = Script::modern().rule(
        Rule::on("tools/call")
            .name("slow")
            .background()
            .does([act::wait(1_500), act::text("late")]),
    );
    let fake = FakeServer::new(&script);
    let home = Home::with(&fake).await;
    let call = home.begin("s", "slow", "{}");
    fake.log()
        .until("the call", LIMIT, |log| !log.received_method("tools/call").is_empty())
        .await;
    home.host().cancel_call(1).expect("it runs");
    failed(&call.await.expect("no panic"));
    fake.log()
        .until("the cancel", LIMIT, |log| {
            !log.received_method("notifications/cancelled").is_empty()
        })
        .await;
    let cancelled = fake.log().received_method("notifications/cancelled").remove(0);
    assert_eq!(
        &cancelled.params()["requestId"],
        fake.log().received_method("tools/call")[0].id(),
        "it names the request in flight"
    );
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert!(
        said(&home.call("s", "quick", "{}").await).contains("ok"),
        "the late answer is nobody's and harms nobody"
    );
    assert!(home.host().cancel_call(2).is_err(), "what has ended can't be cancelled");
    assert_eq!(
        fake.log().received_method("notifications/cancelled").len(),
        1,
        "and nothing is sent about it"
    );
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_folder_stands_anywhere_but_in_an_answer() {
    let fake = FakeServer::new(&Script::modern().asks_roots("t", Some("s")));
    let home = Home::with(&fake).await;
    let call = home.begin("s", "t", "{}");
    let question = home.until_open(1).await.remove(0);
    let before: String = fake.log().received().iter().map(|frame| frame.raw.clone()).collect();
    assert!(
        !before.contains("folders") && !before.contains("app\""),
        "no path and no name before the answer: {before}"
    );
    let Ok(cwd) = std::fs::read_link(format!("/proc/{}/cwd", fake.log().pids()[0])) else {
        return;
    };
    assert!(
        cwd.starts_with(home.places().data().join("neutral")),
        "a server starts in a neutral folder, not in {}",
        cwd.display()
    );
    home.host()
        .answer(question.id, &roots(RootsChoice::ShareOnce, &ready(&question)))
        .expect("it is open");
    said(&call.await.expect("no panic"));
    let uri = home.uri("app");
    let told: Vec<Frame> = fake
        .log()
        .received()
        .into_iter()
        .filter(|frame| frame.raw.contains(&uri))
        .collect();
    assert_eq!(told.len(), 1, "it leaves once");
    assert!(
        raw_param(&told[0], &["inputResponses"]).is_some_and(|answers| answers.contains(&uri)),
        "within the answer"
    );
    home.end(&[(&fake, Modern)]).await;
}
