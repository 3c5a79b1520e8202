//! What a server must not be shown to say: the values that the person put into its environment.

use std::time::{Duration, Instant};

use gatehouse_tests::fake::FakeServer;
use gatehouse_tests::home::{Home, said};
use gatehouse_tests::schema::Revision::Modern;
use gatehouse_tests::script::{Rule, Script, act};
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn values_of_the_environment_do_not_stand_in_the_log() {
    let message = act::notify(
        "notifications/message",
        Some(json!({"level": "error", "data": "token s3cr3t-abc refused"})),
    );
    let script = Script::modern()
        .tool("t")
        .at_start([act::stderr("starting with DIFY_KEY=s3cr3t-abc at level info")])
        .rule(Rule::on("tools/call").does([message, act::text("done")]));
    let fake = FakeServer::new(&script);
    let launch = fake.launch().env("DIFY_KEY", "s3cr3t-abc").env("LEVEL", "info");
    let home = Home::new();
    home.add("s", &launch).await;
    said(&home.call("s", "t", "{}").await);
    let end = Instant::now() + Duration::from_secs(20);
    let log = loop {
        let log = home.host().servers().await.expect("they are read").remove(0).stderr;
        if log.len() >= 2 {
            break log;
        }
        assert!(Instant::now() < end, "both lines come: {log:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    assert_eq!(
        log,
        [
            "starting with DIFY_KEY=⟨DIFY_KEY⟩ at level info",
            "[error] token ⟨DIFY_KEY⟩ refused"
        ],
        "the variable's name stands for its value, and short words stay"
    );
    home.end(&[(&fake, Modern)]).await;
}
