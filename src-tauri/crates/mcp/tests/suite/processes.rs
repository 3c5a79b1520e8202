//! Starting and ending processes: what is told, which signals are sent, what is left.

use std::time::{Duration, Instant};

use gatehouse_mcp::client::{Event, Limit};
use gatehouse_mcp::era::Stopped;
use gatehouse_mcp::error::{ConnectError, ExchangeError};
use gatehouse_mcp::params::Params;

use crate::kit::{Fake, eventually, group_lives, lives};

async fn spawn_fails(mut fake: Fake, word: &str, missing: bool) {
    match fake.connect().await {
        Err(ConnectError::Spawn { reason, not_found }) => {
            assert!(reason.contains(word), "{reason}");
            assert_eq!(not_found, missing, "{reason}");
        }
        other => panic!("{:?}", other.err()),
    }
}

#[tokio::test]
async fn what_is_missing_is_named() {
    spawn_fails(Fake::program("no-such-program-here", &[]), "no-such-program-here", true).await;
    let mut fake = Fake::new("");
    fake.launch.cwd = "/no/such/folder".into();
    spawn_fails(fake, "working directory /no/such/folder", false).await;
    let fake = Fake::new("");
    let script = fake.home.path().join("server");
    std::fs::write(&script, "#!/no/such/interpreter\n").expect("written");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&script, mode).expect("executable");
    spawn_fails(Fake::program(&script, &[]), "interpreter", false).await;
}

#[tokio::test]
async fn the_environment_is_exactly_what_was_given() {
    let mut fake = Fake::new("print(sorted(k for k in os.environ if k != 'LC_CTYPE'), file=sys.stderr)\nserve(modern)");
    let connected = fake.connected().await;
    assert_eq!(fake.seen.stderr.lock().expect("whole")[0], "['HOME', 'PATH']");
    drop(connected);
}

#[tokio::test]
async fn a_server_that_ends_with_its_input_gets_no_signal() {
    let script = "signal.signal(signal.SIGTERM, lambda *a: open(home + '/term', 'w').close())\nserve(modern)";
    let mut fake = Fake::new(script);
    let connected = fake.connected().await;
    assert_eq!(connected.process.stop().await, Stopped::Closed);
    assert_eq!(connected.process.stop().await, Stopped::Closed, "once more is the same");
    assert!(fake.has("eof") && !fake.has("term"));
    assert!(connected.client.is_closed());
    assert!(matches!(fake.event().await, Event::Ended { expected: true, .. }));
    assert!(fake.heard.try_recv().is_err(), "nothing after the end");
}

#[tokio::test]
async fn the_ladder_goes_as_far_as_it_must() {
    let mut polite = Fake::new("m = read()\nmodern(m)\ntime.sleep(60)");
    assert_eq!(polite.connected().await.process.stop().await, Stopped::Terminated);
    let mut stubborn = Fake::new("signal.signal(signal.SIGTERM, signal.SIG_IGN)\nmodern(read())\ntime.sleep(60)");
    assert_eq!(stubborn.connected().await.process.stop().await, Stopped::Killed);
    assert!(!polite.seen.any_left() && !stubborn.seen.any_left());
}

#[tokio::test]
async fn a_stop_ends_calls_and_a_writer_that_is_stuck() {
    let mut fake = Fake::new("modern(read())\ntime.sleep(60)");
    let connected = fake.connected().await;
    let client = connected.client.clone();
    let big = Params::new().with("text", &"x".repeat(4 * 1024 * 1024));
    let call = tokio::spawn(async move { client.request("tools/call", big, Limit::CALL).await });
    tokio::time::sleep(Duration::from_millis(200)).await;
    let begun = Instant::now();
    assert_eq!(connected.process.stop().await, Stopped::Terminated);
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    assert!(matches!(
        call.await.expect("no panic"),
        Err(ExchangeError::Closed { .. })
    ));
}

#[tokio::test]
async fn what_the_leader_leaves_of_its_group_is_ended() {
    let script = "p = subprocess.Popen(['sh', '-c', 'trap \"\" TERM; while :; do sleep 0.1; done'])\nserve(modern)";
    let mut fake = Fake::new(script);
    let connected = fake.connected().await;
    let group = connected.process.pid();
    assert_eq!(connected.process.stop().await, Stopped::Closed);
    assert!(!group_lives(group), "even what ignores the terminate signal");
}

#[tokio::test]
async fn an_exit_ends_calls_though_a_grandchild_holds_the_pipe() {
    let script = "modern(read())\nread()\nsubprocess.Popen(['sleep', '60'])\nos._exit(7)";
    let mut fake = Fake::new(script);
    let connected = fake.connected().await;
    let begun = Instant::now();
    let ended = connected.client.request("tools/call", Params::new(), Limit::CALL).await;
    assert!(
        matches!(&ended, Err(ExchangeError::Closed { reason }) if reason == "exit code 7"),
        "{ended:?}"
    );
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    match fake.event().await {
        Event::Ended {
            reason,
            expected: false,
        } => assert_eq!(reason, "exit code 7"),
        other => panic!("{other:?}"),
    }
    eventually("the grandchild is gone", || !fake.seen.any_left()).await;
    let after = connected.client.request("tools/call", Params::new(), Limit::CALL).await;
    assert!(matches!(after, Err(ExchangeError::Closed { reason }) if reason == "exit code 7"));
}

#[tokio::test]
async fn an_answer_before_the_exit_is_read() {
    let mut fake = Fake::new("modern(read())\nmodern(read())\nos.kill(os.getpid(), 9)");
    let connected = fake.connected().await;
    assert!(
        connected
            .client
            .request("tools/call", Params::new(), Limit::CALL)
            .await
            .is_ok()
    );
    assert!(matches!(fake.event().await, Event::Ended { reason, .. } if reason == "signal 9"));
}

#[tokio::test]
async fn a_server_that_closes_its_output_has_ended() {
    let mut fake = Fake::new("modern(read())\nread()\nos.close(1)\ntime.sleep(60)");
    let connected = fake.connected().await;
    let ended = connected.client.request("tools/call", Params::new(), Limit::CALL).await;
    assert!(
        matches!(&ended, Err(ExchangeError::Closed { reason }) if reason.contains("output")),
        "{ended:?}"
    );
    eventually("the process is gone", || !fake.seen.any_left()).await;
}

#[tokio::test]
async fn a_server_that_closes_its_input_refuses_calls() {
    let mut fake = Fake::new("modern(read())\nos.close(0)\ntime.sleep(60)");
    let connected = fake.connected().await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    let begun = Instant::now();
    let ended = connected.client.request("tools/call", Params::new(), Limit::CALL).await;
    assert!(
        matches!(&ended, Err(ExchangeError::Closed { reason }) if reason.contains("input")),
        "{ended:?}"
    );
    assert!(begun.elapsed() < Duration::from_secs(2));
}

#[tokio::test]
async fn a_dropped_process_is_stopped() {
    let mut fake = Fake::new("serve(modern)");
    drop(fake.connected().await);
    eventually("the process is gone", || !fake.seen.any_left()).await;
}

#[test]
fn a_runtime_that_goes_takes_its_processes_along() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let mut fake = Fake::new(
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\nmodern(read())\nsubprocess.Popen(['sleep', '60'])\ntime.sleep(60)",
    );
    let connected = runtime.block_on(fake.connected());
    let pid = connected.process.pid();
    runtime.shutdown_timeout(Duration::from_secs(1));
    std::thread::sleep(Duration::from_millis(200));
    assert!(!group_lives(pid));
}

/// Not a test of its own: the process that [`nothing_survives_a_kill`] kills.
#[tokio::test]
#[ignore = "started by another test"]
async fn victim() {
    let folder = std::env::var("GATEHOUSE_VICTIM").expect("started by another test");
    let script = "p = subprocess.Popen(['sleep', '60'])\nprint(os.getpid(), p.pid, file=sys.stderr)\nserve(modern)";
    let mut fake = Fake::new(script);
    let connected = fake.connected().await;
    eventually("the ids are known", || {
        !fake.seen.stderr.lock().expect("whole").is_empty()
    })
    .await;
    let ids = fake.seen.stderr.lock().expect("whole")[0].clone();
    std::fs::write(format!("{folder}/part"), ids).expect("written");
    std::fs::rename(format!("{folder}/part"), format!("{folder}/ids")).expect("renamed");
    tokio::time::sleep(Duration::from_secs(60)).await;
    drop(connected);
}

#[tokio::test]
async fn nothing_survives_a_kill() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut app = std::process::Command::new(std::env::current_exe().expect("this test"))
        .args(["--ignored", "--exact", "processes::victim"])
        .env("GATEHOUSE_VICTIM", folder.path())
        .stdout(std::process::Stdio::null())
        .spawn()
        .expect("started");
    let ids = folder.path().join("ids");
    eventually("the server runs", || ids.exists()).await;
    let ids = std::fs::read_to_string(ids).expect("written");
    let ids: Vec<u32> = ids.split_whitespace().map(|id| id.parse().expect("a number")).collect();
    assert!(ids.iter().all(|id| lives(*id)));
    app.kill().expect("killed");
    app.wait().expect("gone");
    eventually("the server and its child are gone", || !ids.iter().any(|id| lives(*id))).await;
}
