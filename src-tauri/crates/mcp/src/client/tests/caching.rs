//! What is kept, for how long, and what makes it stale: requests are counted against a clock that the test turns.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::time::Instant;

use super::{Ready, SOON, timed};
use crate::client::{CacheScope, Filter, Freshness, Limit, Source};
use crate::error::ExchangeError;
use crate::model::listing::Listing;
use crate::model::notice::Change;
use crate::model::tool::Tool;
use crate::params::Params;

/// A client, and the milliseconds that have gone by.
fn begin() -> (Ready, Arc<AtomicU64>) {
    let (begun, gone) = (Instant::now(), Arc::new(AtomicU64::new(0)));
    let clock = Arc::clone(&gone);
    let ready = timed(Arc::new(move || {
        begun + Duration::from_millis(clock.load(Ordering::Relaxed))
    }));
    (ready, gone)
}

/// Lists with these answers, of which each must be asked for, and no more.
async fn list(ready: &mut Ready, freshness: Freshness, answers: &[&str]) -> Result<Listing<Tool>, ExchangeError> {
    let client = ready.client.clone();
    let listing = tokio::spawn(async move { client.list_tools_with(freshness).await });
    for answer in answers {
        let heard = tokio::time::timeout(SOON, ready.peer.hear()).await.expect("asked");
        let id = crate::frame::glance(heard.as_bytes()).id.expect("an id");
        ready.peer.say(format!(r#"{{"jsonrpc":"2.0","id":{id},{answer}}}"#));
    }
    let listed = tokio::time::timeout(SOON, listing)
        .await
        .expect("asked once more")
        .expect("no panic");
    ready.quiet().await;
    listed
}

fn page(ttl: &str, cursor: &str) -> String {
    format!(r#""result":{{"resultType":"complete","tools":[{{"name":"t"}}]{ttl}{cursor}}}"#)
}

#[tokio::test]
async fn a_page_is_fresh_for_as_long_as_its_server_says() {
    let (mut ready, gone) = begin();
    let fresh = page(r#","ttlMs":60000,"cacheScope":"public""#, "");
    let listing = list(&mut ready, Freshness::Kept, &[&fresh]).await.expect("listed");
    assert_eq!(listing.fresh_for, Some(Duration::from_secs(60)));
    gone.store(59_999, Ordering::Relaxed);
    let listing = list(&mut ready, Freshness::Kept, &[]).await.expect("kept");
    assert_eq!(listing.fresh_for, Some(Duration::from_millis(1)));
    assert_eq!(listing.items.len(), 1);
    let kept = ready.client.cache().lookup("tools/list", &Params::new());
    assert_eq!(kept.map(|kept| kept.scope), Some(CacheScope::Public));
    list(&mut ready, Freshness::Anew, &[&fresh])
        .await
        .expect("asked all the same");
    gone.store(119_999, Ordering::Relaxed);
    list(&mut ready, Freshness::Kept, &[&fresh])
        .await
        .expect("stale at the very end");
    for stale in [
        "",
        r#","ttlMs":0"#,
        r#","ttlMs":-1"#,
        r#","ttlMs":"60000""#,
        r#","ttlMs":null"#,
    ] {
        list(&mut ready, Freshness::Anew, &[&page(stale, "")])
            .await
            .expect("listed");
        let listing = list(&mut ready, Freshness::Kept, &[&page(stale, "")])
            .await
            .expect("listed");
        assert_eq!(listing.fresh_for, None, "{stale}");
    }
}

#[tokio::test]
async fn each_page_has_a_time_of_its_own() {
    let (mut ready, gone) = begin();
    let first = page(r#","ttlMs":60000"#, r#","nextCursor":"""#);
    let second = page(r#","ttlMs":1000"#, "");
    let listing = list(&mut ready, Freshness::Kept, &[&first, &second])
        .await
        .expect("listed");
    assert_eq!((listing.pages, listing.fresh_for), (2, Some(Duration::from_secs(1))));
    gone.store(1000, Ordering::Relaxed);
    let listing = list(&mut ready, Freshness::Kept, &[&second])
        .await
        .expect("the second page only");
    assert_eq!(listing.pages, 2);
    gone.store(2000, Ordering::Relaxed);
    let gone_cursor = r#""error":{"code":-32602,"message":"no such cursor"}"#;
    let listing = list(&mut ready, Freshness::Kept, &[gone_cursor, &first, &second]).await;
    assert_eq!(listing.expect("from the beginning").pages, 2);
}

#[tokio::test]
async fn changes_make_stale_what_they_are_about() {
    let (mut ready, _) = begin();
    let fresh = page(r#","ttlMs":60000"#, "");
    list(&mut ready, Freshness::Kept, &[&fresh]).await.expect("listed");
    ready.tell("tools/list_changed", "{}");
    ready.violations().await;
    list(&mut ready, Freshness::Kept, &[])
        .await
        .expect("a change for nobody does not count");
    let client = ready.client.clone();
    let listening = tokio::spawn(async move {
        let filter = Filter {
            tools: true,
            ..Filter::default()
        };
        client.listen(filter).await
    });
    ready.peer.hear().await;
    let meta = r#""_meta":{"io.modelcontextprotocol/subscriptionId":2}"#;
    ready.tell(
        "subscriptions/acknowledged",
        &format!(r#"{{{meta},"notifications":{{"toolsListChanged":true}}}}"#),
    );
    let _subscription = listening.await.expect("no panic").expect("acknowledged");
    ready.tell("tools/list_changed", &format!("{{{meta}}}"));
    ready.violations().await;
    list(&mut ready, Freshness::Kept, &[&fresh]).await.expect("asked anew");
    let client = ready.client.clone();
    let listing = tokio::spawn(async move { client.list_tools_with(Freshness::Anew).await });
    ready.peer.hear().await;
    ready.tell("tools/list_changed", &format!("{{{meta}}}"));
    ready.peer.say(format!(r#"{{"jsonrpc":"2.0","id":4,{fresh}}}"#));
    listing.await.expect("no panic").expect("listed");
    list(&mut ready, Freshness::Kept, &[&fresh])
        .await
        .expect("an answer from before the change is not kept");
}

#[tokio::test]
async fn reads_are_kept_by_address_and_retries_never() {
    let (mut ready, _) = begin();
    let read = |uri: &'static str, freshness| {
        let client = ready.client.clone();
        tokio::spawn(async move { client.read_cached(uri, Limit::LIST, freshness).await })
    };
    let asks = r#"{"resultType":"input_required","requestState":"s","ttlMs":60000}"#;
    let whole = r#"{"resultType":"complete","contents":[],"ttlMs":60000}"#;
    let answers = [("x://a", asks), ("x://a", whole), ("x://b", whole)];
    for (id, (uri, answer)) in (1..).zip(answers) {
        let reading = read(uri, Freshness::Kept);
        let _ = tokio::time::timeout(SOON, ready.peer.written.recv())
            .await
            .expect("asked");
        ready.reply(id, answer);
        assert_eq!(reading.await.expect("no panic").expect("read").source, Source::Server);
    }
    let kept = read("x://a", Freshness::Kept).await.expect("no panic").expect("kept");
    assert_eq!(kept.source, Source::Cache);
    let cache = ready.client.cache();
    let retry = Params::new().with("uri", &"x://c").with("requestState", &"s");
    assert_eq!(cache.store(cache.mark(), "resources/read", &retry, &kept.reply), None);
    assert_eq!(
        cache.store(cache.mark(), "tools/call", &Params::new(), &kept.reply),
        None
    );
    assert!(
        cache
            .lookup("resources/read", &Params::new().with("uri", &"x://c"))
            .is_none()
    );
    cache.invalidate(&Change::Resource {
        uri: "x://a/below".into(),
    });
    let holds = |uri: &str| {
        cache
            .lookup("resources/read", &Params::new().with("uri", &uri))
            .is_some()
    };
    assert!(!holds("x://a") && holds("x://b"), "what lies below is part of it");
    for n in 0..2 * crate::bounds::CACHED {
        let params = Params::new().with("uri", &format!("y://{n}"));
        cache.store(cache.mark(), "resources/read", &params, &kept.reply);
    }
    let many = (0..2 * crate::bounds::CACHED)
        .filter(|n| holds(&format!("y://{n}")))
        .count();
    assert!(many <= crate::bounds::CACHED, "there is a most");
}
