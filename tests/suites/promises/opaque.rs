//! What passes through as it is: addresses of resources are never decoded, encoded or tidied between a list and a read.

use gatehouse_host::call::{Call, What};
use gatehouse_tests::fake::FakeServer;
use gatehouse_tests::home::{Home, raw_param, said};
use gatehouse_tests::script::{Rule, Script, act};
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn an_address_is_read_as_it_was_listed() {
    let addresses = [
        "x://v/50%25%20plan.md",
        "x://v/50% plan.md",
        "x://v/a b",
        "x://v/%zz/%2F/..//.",
        "X://UPPER.example/é/é",
        "x:opaque?q=1&q=2#part",
        "http://example.com:80/?a=%41",
        "file:///etc/../x",
    ];
    let done = json!({"resultType": "complete", "contents": [{"uri": "x://y", "text": "done"}], "ttlMs": 0, "cacheScope": "private"});
    let script = addresses
        .iter()
        .fold(Script::modern(), |script, uri| script.resource(uri))
        .rule(Rule::on("resources/read").does([act::result(done)]));
    let fake = FakeServer::new(&script);
    let home = Home::with(&fake).await;
    let listed = home.host().resources("s").await.expect("they are listed").items;
    assert_eq!(listed.len(), addresses.len());
    for (resource, address) in listed.into_iter().zip(addresses) {
        assert_eq!(resource.uri, address);
        let call = Call {
            server: "s".into(),
            what: What::Resource { uri: resource.uri },
            limit: None,
        };
        said(&home.host().call(call).await);
        let read = fake.log().received_method("resources/read").pop().expect("it was read");
        assert_eq!(
            raw_param(&read, &["uri"]).as_deref(),
            Some(json!(address).to_string().as_str()),
            "to the letter"
        );
    }
    // Some of these are no addresses by the schema. What a server listed is sent back all the same, so no frame is held to it.
    home.quit().await;
}
