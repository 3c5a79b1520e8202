//! Bytes on real pipes: noise, floods, long lines, many calls.

use std::collections::HashSet;
use std::time::Duration;

use gatehouse_mcp::client::{Event, Limit};
use gatehouse_mcp::error::ExchangeError;
use gatehouse_mcp::params::Params;

use crate::kit::{Fake, eventually};

#[tokio::test]
async fn noise_before_and_between_answers_harms_nothing() {
    let script = "raw('starting…\\r\\n\\n')\nraw(b'\\xff\\xfe\\n')\nmodern(read())\nraw('{\"level\":\"info\"}\\n')\nserve(modern)";
    let mut fake = Fake::new(script);
    let connected = fake.connected().await;
    assert!(
        connected
            .client
            .request("tools/call", Params::new(), Limit::CALL)
            .await
            .is_ok()
    );
    for _ in 0..3 {
        assert!(matches!(fake.event().await, Event::Violation { .. }));
    }
    drop(connected);
}

#[tokio::test]
async fn stderr_is_drained_from_the_first_moment_and_never_mixed_in() {
    let script = "sys.stderr.write('x' * 1000000 + '\\nlast')\nsys.stderr.flush()\nserve(modern)";
    let mut fake = Fake::new(script);
    let connected = fake.connected().await;
    connected.process.stop().await;
    let lines = fake.seen.stderr.lock().expect("whole").clone();
    assert!(lines.iter().all(|line| line.len() <= 16 * 1024));
    assert_eq!(lines.concat().len(), 1_000_004);
    assert_eq!(lines.last().map(String::as_str), Some("last"));
}

#[tokio::test]
async fn a_line_that_is_too_long_fails_its_call_only() {
    let script = r#"
modern(read())
m = read()
raw('{"jsonrpc":"2.0","result":{"x":"')
for _ in range(70): raw('y' * 1024 * 1024)
raw('"},"id":%d}\n' % m['id'])
serve(modern)"#;
    let mut fake = Fake::new(script);
    let connected = fake.connected().await;
    let ended = connected
        .client
        .request("tools/call", Params::new(), Limit::within(Duration::from_secs(30)))
        .await;
    match ended {
        Err(ExchangeError::BadReply { reason, frame }) => {
            assert!(reason.contains("too long"), "{reason}");
            assert!(frame.len() <= 64 * 1024, "only its beginning is kept");
        }
        other => panic!("{other:?}"),
    }
    assert!(fake.seen.overlong.lock().expect("whole")[0] > 70 * 1024 * 1024);
    assert!(
        connected
            .client
            .request("tools/call", Params::new(), Limit::CALL)
            .await
            .is_ok()
    );
}

#[tokio::test]
async fn ids_are_never_used_twice_among_many_calls() {
    let mut fake = Fake::new("serve(modern)");
    let connected = fake.connected().await;
    let calls: Vec<_> = (0..200)
        .map(|_| {
            let client = connected.client.clone();
            tokio::spawn(async move { client.request("tools/call", Params::new(), Limit::CALL).await })
        })
        .collect();
    for call in calls {
        call.await.expect("no panic").expect("answered");
    }
    let sent = fake.seen.sent.lock().expect("whole").clone();
    let ids: HashSet<String> = sent
        .iter()
        .filter_map(|frame| gatehouse_mcp::frame::glance(frame.as_bytes()).id)
        .collect();
    assert_eq!((sent.len(), ids.len()), (201, 201));
    assert!(sent.iter().all(|frame| !frame.contains(['\n', '\r'])));
}

#[tokio::test]
async fn a_flood_of_notifications_neither_blocks_nor_grows() {
    let script = "modern(read())\nm = read()\n\
        raw('{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{}}\\n' * 200000)\nmodern(m)\nserve(modern)";
    let mut fake = Fake::new(script);
    let connected = fake.connected().await;
    let reply = connected
        .client
        .request("tools/call", Params::new(), Limit::within(Duration::from_secs(20)))
        .await;
    assert!(
        reply.is_ok(),
        "nobody reads the events, and the answer comes all the same"
    );
    connected.process.stop().await;
    let (mut read, mut dropped) = (0u64, 0u64);
    loop {
        match fake.event().await {
            Event::Notification { .. } => read += 1,
            Event::Dropped(more) => dropped += more,
            Event::Ended { .. } => break,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(read + dropped, 200_000, "each is counted");
}

#[tokio::test]
async fn a_cancelled_call_is_told_to_the_server() {
    let script = "modern(read())\nread()\nm = read()\nopen(home + '/' + m['method'].replace('/', '.'), 'w').close()\nserve(modern)";
    let mut fake = Fake::new(script);
    let connected = fake.connected().await;
    let call = connected
        .client
        .request("tools/call", Params::new(), Limit::within(Duration::from_millis(200)));
    assert!(matches!(call.await, Err(ExchangeError::TimedOut { .. })));
    let home = fake.home.path().to_owned();
    eventually("the server heard of it", || {
        home.join("notifications.cancelled").exists()
    })
    .await;
    drop(connected);
}
