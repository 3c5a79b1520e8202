//! Which era is found, with which messages, in how many processes.

use std::time::Duration;

use gatehouse_mcp::client::{EraKind, Event};
use gatehouse_mcp::error::ConnectError;

use crate::kit::Fake;

/// Connects and compares the revision, the methods that were sent, and the number of processes.
async fn check(mut fake: Fake, version: &str, methods: &[&str], runs: usize) {
    let connected = fake.connected().await;
    assert_eq!(connected.client.era().version, version);
    assert_eq!(fake.seen.methods(), methods);
    assert_eq!(fake.runs(), runs, "processes");
    connected.process.stop().await;
    assert!(!fake.seen.any_left(), "nothing is left");
}

const PROBED: [&str; 3] = ["server/discover", "initialize", "notifications/initialized"];
const GREETED: [&str; 2] = ["initialize", "notifications/initialized"];

#[tokio::test]
async fn a_modern_server_is_found_by_one_question() {
    let mut fake = Fake::new("serve(modern)");
    let connected = fake.connected().await;
    let identity = connected.client.identity();
    assert_eq!((identity.name.as_str(), identity.version.as_str()), ("fake", "7"));
    assert_eq!(identity.instructions.as_deref(), Some("be kind"));
    assert_eq!(identity.capabilities.get("tools").map(|raw| raw.get()), Some("{}"));
    drop(connected);
    check(Fake::new("serve(modern)"), "2026-07-28", &["server/discover"], 1).await;
    check(
        Fake::new("serve(modern)").remembering(EraKind::Modern),
        "2026-07-28",
        &["server/discover"],
        1,
    )
    .await;
}

#[tokio::test]
async fn any_other_error_means_initialize_in_the_same_process() {
    for answer in [
        "error(m, -32601)",
        "error(m, -32602)",
        "error(m, 0)",
        "send(id=None, error=dict(code=-32000, message='no'))",
        "raw('{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\\n{}}\\n'.replace('\\n{', '{'))",
        "raw('{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":\"no\"}\\n')",
        "result(m, resultType='input_required', requestState='x')",
    ] {
        let fake = Fake::new(&format!("m = read()\n{answer}\nserve(legacy)"));
        check(fake, "2025-11-25", &PROBED, 1).await;
    }
}

#[tokio::test]
async fn older_revisions_are_accepted_and_unknown_ones_are_not() {
    for version in ["2025-06-18", "2025-03-26", "2024-11-05"] {
        check(
            Fake::new(&format!("serve(lambda m: legacy(m, '{version}'))")),
            version,
            &PROBED,
            1,
        )
        .await;
    }
    let mut fake = Fake::new("serve(lambda m: legacy(m, '1999-01-01'))");
    let failed = fake.connect().await.err();
    assert!(
        matches!(&failed, Some(ConnectError::NoCommonVersion { offered }) if offered == &["1999-01-01"]),
        "{failed:?}"
    );
    assert!(!fake.seen.any_left());
}

#[tokio::test]
async fn modern_errors_stay_modern() {
    for code in [-32021, -32020] {
        let fake = Fake::new(&format!("error(read(), {code})\nserve(modern)"));
        check(fake, "2026-07-28", &["server/discover"], 1).await;
    }
    let again = Fake::new("error(read(), -32022, {'supported': ['2026-07-28']})\nserve(modern)");
    check(again, "2026-07-28", &["server/discover", "server/discover"], 1).await;
    let old = Fake::new("error(read(), -32022, {'supported': ['2025-06-18']})\nserve(legacy)");
    check(old, "2025-11-25", &PROBED, 1).await;
    let listed = Fake::new(
        "result(read(), resultType='complete', supportedVersions=['2025-06-18'], capabilities={})\nserve(legacy)",
    );
    check(listed, "2025-11-25", &PROBED, 1).await;
}

#[tokio::test]
async fn a_modern_server_without_our_revision_is_told_of_and_never_initialized() {
    for (answer, offered) in [
        ("error(m, -32022, {'supported': ['2099-01-01']})", vec!["2099-01-01"]),
        ("error(m, -32022, {'supported': []})", vec![]),
        ("error(m, -32022)", vec![]),
        (
            "result(m, resultType='complete', supportedVersions=['2099-01-01'], capabilities={})",
            vec!["2099-01-01"],
        ),
    ] {
        let mut fake = Fake::new(&format!("m = read()\n{answer}\nserve(modern)"));
        match fake.connect().await {
            Err(ConnectError::NoCommonVersion { offered: named }) => assert_eq!(named, offered),
            other => panic!("{:?}", other.err()),
        }
        assert_eq!(fake.seen.methods(), ["server/discover"]);
        assert!(!fake.seen.any_left());
    }
    let mut capped = Fake::new("serve(lambda m: error(m, -32022, {'supported': ['2026-07-28']}))");
    assert!(matches!(
        capped.connect().await,
        Err(ConnectError::NoCommonVersion { .. })
    ));
    assert_eq!(capped.runs(), 1);
}

#[tokio::test]
async fn silence_means_both_and_the_first_good_answer_decides() {
    let soon = Duration::from_millis(200);
    let deaf = Fake::new("read()\nserve(legacy)").probing(soon);
    check(deaf, "2025-11-25", &PROBED, 1).await;
    let late = Fake::new("m = read()\nread()\nmodern(m)\nserve(modern)").probing(soon);
    check(late, "2026-07-28", &PROBED[..2], 1).await;
    let refused =
        Fake::new("m = read()\nerror(read(), -32601)\ntime.sleep(0.2)\nmodern(m)\nserve(modern)").probing(soon);
    check(refused, "2026-07-28", &PROBED[..2], 1).await;
    let neither = Fake::new("if run == 1:\n  m = read()\n  error(read(), 0)\n  error(m, 0)\n  read()\nserve(legacy)");
    check(
        neither.probing(soon),
        "2025-11-25",
        &[
            "server/discover",
            "initialize",
            "initialize",
            "notifications/initialized",
        ],
        2,
    )
    .await;
}

#[tokio::test]
async fn a_process_that_ends_on_the_probe_is_started_again() {
    let fake = Fake::new("m = read()\nif m['method'] == 'server/discover': sys.exit(3)\nlegacy(m)\nserve(legacy)");
    check(fake, "2025-11-25", &PROBED, 2).await;
    let mut twice = Fake::new("print('no config', file=sys.stderr)\nsys.exit(3)");
    match twice.connect().await {
        Err(ConnectError::Exited { status }) => assert_eq!(status, "exit code 3"),
        other => panic!("{:?}", other.err()),
    }
    assert_eq!(twice.runs(), 2);
    assert_eq!(*twice.seen.stderr.lock().expect("whole"), ["no config", "no config"]);
}

#[tokio::test]
async fn a_failing_initialize_gets_one_fresh_process() {
    let fake = Fake::new("if run == 1:\n  error(read(), 0)\n  error(read(), 0)\n  read()\nserve(legacy)");
    check(
        fake,
        "2025-11-25",
        &[
            "server/discover",
            "initialize",
            "initialize",
            "notifications/initialized",
        ],
        2,
    )
    .await;
    let mut never = Fake::new("serve(lambda m: error(m, -5))");
    assert!(matches!(never.connect().await, Err(ConnectError::Refused(error)) if error.code == -5));
    assert_eq!(never.runs(), 2);
}

#[tokio::test]
async fn a_remembered_legacy_server_is_greeted_at_once() {
    check(
        Fake::new("serve(legacy)").remembering(EraKind::Legacy),
        "2025-11-25",
        &GREETED,
        1,
    )
    .await;
    let changed = Fake::new("serve(modern)").remembering(EraKind::Legacy);
    check(changed, "2026-07-28", &["initialize", "server/discover"], 2).await;
    let picky =
        Fake::new("error(read(), -32602, {'supported': ['2024-11-05']})\nserve(lambda m: legacy(m, '2024-11-05'))");
    check(
        picky.remembering(EraKind::Legacy),
        "2024-11-05",
        &["initialize", "initialize", "notifications/initialized"],
        1,
    )
    .await;
}

#[tokio::test]
async fn the_handshake_says_what_is_declared() {
    let mut fake = Fake::new("serve(legacy)");
    fake.options.declared.elicitation_form = false;
    let connected = fake.connected().await;
    let sent = fake.seen.sent.lock().expect("whole").clone();
    assert_eq!(
        sent[1],
        concat!(
            r#"{"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-11-25","#,
            r#""capabilities":{"roots":{"listChanged":true}},"clientInfo":{"name":"gatehouse","title":"Gatehouse","version":"1"}}}"#
        )
    );
    assert_eq!(sent[2], r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    drop(connected);
}

#[tokio::test]
async fn what_a_legacy_server_asks_early_comes_after_initialized() {
    let script = "m = read()\nsend(id=1, method='roots/list')\nerror(m, 0)\nm = read()\nsend(id=2, method='ping')\n\
        assert read()['id'] == 2\nlegacy(m)\nassert read()['method'] == 'notifications/initialized'\nserve(legacy)";
    let mut fake = Fake::new(script);
    let connected = fake.connected().await;
    match fake.event().await {
        Event::Request(request) => assert_eq!(request.method, "roots/list"),
        other => panic!("{other:?}"),
    }
    drop(connected);
}

#[tokio::test]
async fn the_start_has_a_limit_and_leaves_nothing() {
    let mut fake = Fake::new("time.sleep(60)").probing(Duration::from_millis(100));
    fake.options.start = Duration::from_millis(400);
    assert!(matches!(fake.connect().await, Err(ConnectError::TimedOut { .. })));
    crate::kit::eventually("the process is gone", || !fake.seen.any_left()).await;
}

#[tokio::test]
async fn a_dropped_connect_leaves_nothing() {
    let mut fake = Fake::new("time.sleep(60)");
    let _ = tokio::time::timeout(Duration::from_millis(300), fake.connect()).await;
    assert_eq!(fake.runs(), 1);
    crate::kit::eventually("the process is gone", || !fake.seen.any_left()).await;
}
