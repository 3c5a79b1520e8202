//! Subscriptions, the cache and progress against real processes: what is sent, and what is not.

use std::time::Duration;

use gatehouse_mcp::client::{Filter, Limit, SubscriptionEnd};
use gatehouse_mcp::model::notice::{Change, LogLevel};
use gatehouse_mcp::params::Params;
use tokio::sync::watch;

use crate::kit::{Fake, eventually};

const LISTENING: &str = r#"
def tell(method, id, **p): send(method='notifications/' + method, params=dict(_meta={'io.modelcontextprotocol/subscriptionId': id}, **p))
def listening(m):
    global heard
    if m['method'] == 'subscriptions/listen':
        heard = m['id']
        tell('tools/list_changed', heard)
        tell('subscriptions/acknowledged', heard, notifications={'toolsListChanged': True})
    elif m['method'] == 'tools/list': result(m, resultType='complete', tools=[], ttlMs=60000, cacheScope='private')
    elif m['method'] == 'tools/call':
        send(method='notifications/progress', params={'progressToken': m['params']['_meta']['progressToken'], 'progress': 0.5, 'total': 1})
        tell('tools/list_changed', heard)
        modern(m)
    elif m['method'] == 'notifications/cancelled': open(home + '/cancelled' + str(m['params']['requestId']), 'w').close()
    else: modern(m)
"#;

#[tokio::test]
async fn a_subscription_makes_the_cache_stale_and_ends_with_its_process() {
    let mut fake = Fake::new(&format!("{LISTENING}\nserve(listening)"));
    let connected = fake.connected().await;
    let client = &connected.client;
    client.set_log_level(Some(LogLevel::Debug)).await.expect("no request");
    let filter = Filter {
        tools: true,
        prompts: true,
        ..Filter::default()
    };
    let mut subscription = client.listen(filter.clone()).await.expect("acknowledged");
    assert!(subscription.honoured().tools && subscription.refused().prompts);
    client.list_tools().await.expect("listed");
    client.list_tools().await.expect("kept");
    let (sink, progress) = watch::channel(None);
    client
        .request_with("tools/call", Params::new(), Limit::CALL, sink)
        .await
        .expect("answered");
    assert_eq!(
        progress.borrow().as_ref().and_then(|progress| progress.fraction()),
        Some(0.5)
    );
    assert_eq!(subscription.next().await, Some(Change::Tools));
    client.list_tools().await.expect("listed anew");
    let expect = [
        "server/discover",
        "subscriptions/listen",
        "tools/list",
        "tools/call",
        "tools/list",
    ];
    assert_eq!(fake.seen.methods(), expect);
    let sent = fake.seen.sent.lock().expect("whole").clone();
    assert!(
        sent[1..]
            .iter()
            .all(|frame| frame.contains(r#""io.modelcontextprotocol/logLevel":"debug""#))
    );
    let second = client.listen(filter).await.expect("acknowledged");
    drop(second);
    let home = fake.home.path().to_owned();
    eventually("the server heard of the end", || home.join("cancelled6").exists()).await;
    connected.process.stop().await;
    let over = tokio::time::timeout(Duration::from_secs(5), subscription.next()).await;
    assert_eq!(over.expect("in time"), None);
    assert!(matches!(subscription.ended(), Some(SubscriptionEnd::Closed { .. })));
    assert!(!fake.seen.any_left());
}
