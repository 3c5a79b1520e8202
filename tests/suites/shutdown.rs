//! How servers end: the ladder of closed stdin, SIGTERM, SIGKILL, and that nothing is left of any of them.
#![cfg(target_os = "linux")]

use std::time::{Duration, Instant};

use gatehouse_host::Code;
use gatehouse_host::view::{ConnectionView, RootsChoice};
use gatehouse_tests::fake::{FakeServer, alive, wait_gone};
use gatehouse_tests::home::{Home, Person, declined, ready, roots, said, valid};
use gatehouse_tests::real::Launch;
use gatehouse_tests::schema::Revision::{Autumn2025, Modern};
use gatehouse_tests::script::{Action, Rule, Script, act};
use serde_json::json;

const LIMIT: Duration = Duration::from_secs(30);

fn moment(fake: &FakeServer, event: &str) -> Option<u64> {
    fake.log()
        .entries()
        .into_iter()
        .find(|entry| entry.event.as_deref() == Some(event))
        .map(|entry| entry.t)
}

/// Every process that this server was or made.
fn family(fake: &FakeServer) -> Vec<u32> {
    let made = fake
        .log()
        .events()
        .into_iter()
        .filter_map(|event| event.strip_prefix("grandchild ")?.parse().ok());
    fake.log().pids().into_iter().chain(made).collect()
}

/// Stops a connected server, and gives back what happened to it from then on, in order, and how long that took.
async fn check(why: &str, script: &Script, expect: &[&str], within: (u64, u64)) -> FakeServer {
    let fake = FakeServer::new(script);
    let home = Home::with(&fake).await;
    said(&home.call("s", "t", "{}").await);
    let before = fake.log().events().len();
    let begun = Instant::now();
    home.host().disconnect("s").await.expect("it is there");
    let took = begun.elapsed();
    let events: Vec<String> = fake.log().events().split_off(before);
    assert_eq!(events, expect, "{why}");
    assert!(
        took >= Duration::from_millis(within.0) && took <= Duration::from_millis(within.1),
        "{why}: it took {took:?}"
    );
    let left: Vec<u32> = family(&fake).into_iter().filter(|&pid| alive(pid)).collect();
    assert!(
        left.is_empty(),
        "{why}: when the stop returns nothing is left, but {left:?} live"
    );
    let servers = home.host().servers().await.expect("servers");
    assert!(
        matches!(servers[0].connection, ConnectionView::Idle),
        "{why}: {:?}",
        servers[0].connection
    );
    said(&home.call("s", "t", "{}").await);
    assert_eq!(fake.log().pids().len(), 2, "{why}: it can be started again");
    home.end(&[(&fake, Modern)]).await;
    wait_gone(&family(&fake), LIMIT);
    fake
}

#[tokio::test(flavor = "multi_thread")]
async fn the_ladder_goes_no_further_than_it_must() {
    let plain = Script::modern();
    let polite = check("it ends with its input", &plain, &["stdin closed", "exit 0"], (0, 900));
    let slow_script = Script::modern().at_eof([act::wait(500)]);
    let slow = check("it may tidy up", &slow_script, &["stdin closed", "exit 0"], (450, 950));
    let deaf_script = Script::modern().at_eof([Action::Hang]);
    let deaf = check(
        "it stays after its input ended",
        &deaf_script,
        &["stdin closed", "hanging", "signal TERM"],
        (950, 2_500),
    );
    let stubborn_script = Script::modern().at_eof([Action::Hang]).ignore_term();
    let stubborn = check(
        "it ignores the signal as well",
        &stubborn_script,
        &["stdin closed", "hanging", "signal TERM"],
        (3_900, 6_500),
    );
    let (_, _, _, stubborn) = tokio::join!(polite, slow, deaf, stubborn);
    let (closed, term) = (moment(&stubborn, "stdin closed"), moment(&stubborn, "signal TERM"));
    assert!(
        term.zip(closed).is_some_and(|(term, closed)| term - closed > 900_000),
        "time to end by itself comes first"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_has_ended_gets_no_signal() {
    for ends in [Action::Exit(0), Action::Exit(3), Action::Abort] {
        let script = Script::modern()
            .ignore_term()
            .rule(Rule::on("tools/call").name("end").does([act::wait(50), ends]));
        let fake = FakeServer::new(&script);
        let home = Home::with(&fake).await;
        let end = home.call("s", "end", "{}").await;
        assert_eq!(
            end.as_ref().expect_err("it ended").code(),
            Code::Closed,
            "the call ends with its server: {end:?}"
        );
        let seen = Instant::now() + Duration::from_secs(2);
        while !matches!(
            home.host().servers().await.expect("servers")[0].connection,
            ConnectionView::Failed { .. }
        ) {
            assert!(Instant::now() < seen, "the person sees that it failed");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        home.host().disconnect("s").await.expect("it is there");
        home.quit().await;
        let events = fake.log().events();
        assert!(
            !events
                .iter()
                .any(|event| event.starts_with("signal") || event == "stdin closed"),
            "nobody is signalled who is gone: {events:?}"
        );
        wait_gone(&fake.log().pids(), LIMIT);
        valid(&fake.log(), Modern);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn grandchildren_go_along() {
    let grandchild = Rule::on("tools/call")
        .nth(1)
        .does([Action::Grandchild(600), act::text("ok")]);
    let polite = Script::modern().rule(grandchild.clone());
    let fake = FakeServer::new(&polite);
    let home = Home::with(&fake).await;
    said(&home.call("s", "t", "{}").await);
    assert_eq!(family(&fake).len(), 2, "there is a grandchild, and it holds the pipes");
    home.host().disconnect("s").await.expect("it is there");
    assert!(
        !fake.log().events().iter().any(|event| event.starts_with("signal")),
        "the server itself ended in peace"
    );
    wait_gone(&family(&fake), Duration::from_millis(100));

    let crashing = Script::modern().rule(
        Rule::on("tools/call")
            .name("end")
            .does([Action::Grandchild(600), Action::Abort]),
    );
    let fake = FakeServer::new(&crashing);
    home.add("crash", &fake.launch()).await;
    let begun = Instant::now();
    let end = home.call("crash", "end", "{}").await;
    assert_eq!(end.as_ref().expect_err("it crashed").code(), Code::Closed, "{end:?}");
    assert!(
        begun.elapsed() < Duration::from_secs(5),
        "though a grandchild holds the pipe open"
    );
    wait_gone(&family(&fake), LIMIT);
    home.quit().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrapping_shell_leaves_no_orphan() {
    let fake = FakeServer::new(&Script::modern().at_eof([Action::Hang]));
    let home = Home::new();
    let quoted: Vec<String> = [fake.command()]
        .into_iter()
        .chain(fake.args())
        .map(|part| format!("'{part}'"))
        .collect();
    // The shell stays, as npx and uvx do, and the server is its child.
    let wrapper = Launch::new("sh").args(["-c".to_owned(), format!("{}; exit $?", quoted.join(" "))]);
    home.add("s", &wrapper).await;
    said(&home.call("s", "t", "{}").await);
    home.host().disconnect("s").await.expect("it is there");
    assert_eq!(
        fake.log().events().last().map(String::as_str),
        Some("signal TERM"),
        "the signal goes to the group, not to the shell alone"
    );
    wait_gone(&fake.log().pids(), Duration::from_millis(200));
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn quitting_ends_five_servers_at_once() {
    let scripts = [
        Script::modern(),
        Script::modern().at_eof([Action::Hang]),
        Script::modern().at_eof([Action::Hang]).ignore_term(),
        Script::legacy("2025-11-25"),
        Script::legacy("2025-06-18").at_eof([Action::Hang]).ignore_term(),
    ];
    let fakes: Vec<FakeServer> = scripts.iter().map(FakeServer::new).collect();
    let home = Home::new();
    for (n, fake) in fakes.iter().enumerate() {
        home.add(&format!("s{n}"), &fake.launch()).await;
        said(&home.call(&format!("s{n}"), "t", "{}").await);
    }
    let begun = Instant::now();
    home.quit().await;
    let took = begun.elapsed();
    assert!(
        took < Duration::from_millis(6_500),
        "the slowest ladder is all that it takes, not the sum: {took:?}"
    );
    let pids: Vec<u32> = fakes.iter().flat_map(family).collect();
    assert!(
        pids.len() == 5 && !pids.iter().any(|&pid| alive(pid)),
        "no orphan: {pids:?}"
    );
    for fake in &fakes {
        let events = fake.log().events();
        assert_eq!(events[1], "stdin closed", "before any signal: {events:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn quitting_with_open_questions_shares_nothing() {
    let asks = Rule::on("notifications/initialized")
        .background()
        .does([act::request(json!(1), "roots/list", None)]);
    let old = FakeServer::new(&Script::legacy("2025-11-25").rule(asks));
    let new = FakeServer::new(&Script::modern().asks_roots("t", Some("s")));
    let home = Home::with(&new).await;
    home.add("old", &old.launch()).await;
    home.host().connect("old").await.expect("it starts");
    let call = home.begin("s", "t", "{}");
    home.until_open(2).await;
    home.quit().await;
    declined(&call.await.expect("no panic"));
    assert!(home.host().questions().is_empty(), "nobody is left to be asked");
    for fake in [&old, &new] {
        assert!(
            !fake.log().received().iter().any(|frame| frame.raw.contains("file://")),
            "silence is no"
        );
    }
    assert_eq!(
        new.log().received_method("tools/call").len(),
        1,
        "and nothing at all is sent on a modern connection"
    );
    assert!(
        old.log().happened("stdin closed") && !old.log().events().iter().any(|event| event.starts_with("signal")),
        "{:?}",
        old.log().events()
    );
    wait_gone(&[family(&old), family(&new)].concat(), Duration::from_millis(100));
    valid(&old.log(), Autumn2025);
    valid(&new.log(), Modern);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_start_can_be_stopped() {
    for script in [
        Script::bare(),
        Script::bare().at_eof([Action::Hang]).ignore_term(),
        Script::bare().at_start([Action::Hang]),
    ] {
        let fake = FakeServer::new(&script);
        let home = Home::with(&fake).await;
        let calls = [
            home.begin("s", "t", "{}"),
            home.begin("s", "t", "{}"),
            home.begin("s", "t", "{}"),
        ];
        fake.log().until("the start", LIMIT, |log| !log.pids().is_empty()).await;
        tokio::time::sleep(Duration::from_millis(100)).await;
        home.host().disconnect("s").await.expect("it is there");
        for call in calls {
            let end = call.await.expect("no panic");
            assert_eq!(
                end.as_ref().expect_err("it was stopped").code(),
                Code::Cancelled,
                "{end:?}"
            );
        }
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert_eq!(
            fake.log().pids().len(),
            1,
            "who waited for this start does not begin another one"
        );
        wait_gone(&family(&fake), Duration::from_secs(8));
        let servers = home.host().servers().await.expect("servers");
        assert!(
            matches!(servers[0].connection, ConnectionView::Idle),
            "{:?}",
            servers[0].connection
        );
        home.quit().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_ends_calls_and_a_server_that_does_not_read() {
    let script = Script::modern()
        .rule(Rule::on("tools/call").name("slow").does([act::wait(600_000)]))
        .rule(
            Rule::on("tools/call")
                .name("deaf")
                .does([Action::StopReading, Action::Hang]),
        );
    for tool in ["slow", "deaf"] {
        let fake = FakeServer::new(&script);
        let home = Home::with(&fake).await;
        let call = home.begin("s", tool, "{}");
        fake.log()
            .until("the call", LIMIT, |log| !log.received_method("tools/call").is_empty())
            .await;
        let big = format!(r#"{{"x":"{}"}}"#, "x".repeat(4_000_000));
        let stuck = home.begin("s", tool, &big);
        tokio::time::sleep(Duration::from_millis(300)).await;
        let begun = Instant::now();
        home.host().disconnect("s").await.expect("it is there");
        assert!(
            begun.elapsed() < Duration::from_secs(3),
            "{tool}: a server that does not read can't hold up its stop: {:?}",
            begun.elapsed()
        );
        for call in [call, stuck] {
            let end = call.await.expect("no panic");
            assert!(
                matches!(end.as_ref().expect_err("stopped").code(), Code::Closed),
                "{tool}: {end:?}"
            );
        }
        wait_gone(&family(&fake), Duration::from_millis(100));
        home.quit().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_for_a_server_that_died_reaches_no_other() {
    let script = Script::modern()
        .asks_roots("t", Some("s"))
        .rule(Rule::on("tools/call").name("die").does([Action::Abort]));
    let fake = FakeServer::new(&script);
    let home = Home::with(&fake).await;
    let call = home.begin("s", "t", "{}");
    let question = home.until_open(1).await.remove(0);
    let _ = home.call("s", "die", "{}").await;
    said(&home.call("s", "plain", "{}").await);
    assert_eq!(fake.log().pids().len(), 2, "a new process runs");
    let mark = fake.log().mark();
    // Whether the question still lies there or went with its process: a yes to it must not reach the new one.
    let _ = home
        .host()
        .answer(question.id, &roots(RootsChoice::ShareOnce, &ready(&question)));
    let end = call.await.expect("no panic");
    assert_eq!(
        end.as_ref().expect_err("its server is gone").code(),
        Code::Closed,
        "{end:?}"
    );
    fake.log().assert_silent(
        mark,
        Duration::from_secs(1),
        "a call is not replayed to another process",
    );
    let sent = home.record().await.iter().filter(|row| row.sent.is_some()).count();
    assert_eq!(sent, 0, "and the record tells of no disclosure that could not be");
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_removed_server_is_stopped_first() {
    let fake = FakeServer::new(&Script::modern().asks_roots("t", None));
    let home = Home::with(&fake).await;
    let _person = Person::who(&home, RootsChoice::ShareOnce);
    said(&home.call("s", "t", "{}").await);
    home.host().remove_server("s").await.expect("it is there");
    wait_gone(&family(&fake), Duration::from_millis(100));
    assert!(
        home.host().servers().await.expect("servers").is_empty(),
        "and off the list"
    );
    home.end(&[(&fake, Modern)]).await;
}
