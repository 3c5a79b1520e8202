//! What is put back after it was taken away: the thing itself, never a decision that hung on it.

use gatehouse_host::Code;
use gatehouse_host::view::{QuestionBody, RootsChoice};
use gatehouse_tests::fake::FakeServer;
use gatehouse_tests::home::{Home, roots};
use gatehouse_tests::script::Script;

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_comes_back_is_asked_about_again() {
    let fake = FakeServer::new(&Script::modern().asks_roots("t", Some("s")));
    let home = Home::with(&fake).await;
    let host = home.host();
    let (a, b) = (host.folders().await.expect("folders")[0].id, home.folder("b").await);
    let call = home.begin("s", "t", "{}");
    let question = home.until_open(1).await.remove(0);
    host.answer(question.id, &roots(RootsChoice::ShareAlways, &[a, b]))
        .expect("it is open");
    let _ = call.await;
    assert_eq!(host.grants().await.expect("grants").len(), 2, "both are remembered");

    host.rename_folder(a, "mine".into()).await.expect("it is there");
    host.remove_folder(a).await.expect("it is there");
    host.restore_folder(a).await.expect("it was there");
    let folders = host.folders().await.expect("folders");
    assert_eq!(folders[0].name, "mine", "its name and its place are back");
    assert_ne!(folders[0].id, a, "it is a folder that nobody decided on");
    let grants = host.grants().await.expect("grants");
    assert_eq!(grants.len(), 1, "the decision on it is not back: {grants:?}");
    let mark = fake.log().mark();
    let call = home.begin("s", "t", "{}");
    let question = home.until_open(1).await.remove(0);
    assert!(
        matches!(question.body, QuestionBody::Roots { .. }),
        "the server asks again"
    );
    host.dismiss_question(question.id).expect("it is open");
    let _ = call.await;
    let told = fake.log().received_since(mark);
    assert!(
        told.iter().all(|frame| !frame.raw.contains("file://")),
        "nothing of it left on the old word"
    );
    let twice = host.restore_folder(a).await.map_err(|error| error.view().code);
    assert_eq!(twice, Err(Code::NotFound), "it comes back once");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_comes_back_is_what_it_was() {
    let fake = FakeServer::new(&Script::modern().asks_roots("t", Some("s")));
    let home = Home::with(&fake).await;
    let host = home.host();
    let text = || std::fs::read_to_string(host.servers_file().path).expect("it is there");
    let before = text();
    let (print, servers) = (
        host.fingerprint("s").expect("it is there"),
        host.servers().await.expect("servers"),
    );
    host.remove_server("s").await.expect("it is there");
    assert!(host.servers().await.expect("servers").is_empty(), "it is gone");
    host.restore_server("s").await.expect("it was there");
    let after = host.servers().await.expect("servers");
    assert_eq!(after[0].trust, servers[0].trust, "it may do what it might do");
    assert_eq!(
        host.fingerprint("s").expect("it is there"),
        print,
        "its definition is the same"
    );
    assert_eq!(text(), before, "the file is the same");
}
