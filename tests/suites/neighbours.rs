//! Two Gatehouses on one home: each hears of what the other changes. What their decisions mean to each other is `grants`.

use std::time::Duration;

use gatehouse_host::Host;
use gatehouse_host::changes::{Part, Watcher};
use gatehouse_tests::home::Home;
use tokio::time::timeout;

#[tokio::test(flavor = "multi_thread")]
async fn each_hears_of_what_the_other_changes() {
    let home = Home::new();
    let other = Host::open(home.places()).expect("two at once are allowed");
    let mut bell = home.host().watch();
    quiet(&mut bell).await;
    for name in ["b", "c", "d"] {
        let path = home.path(name);
        std::fs::create_dir_all(&path).expect("the home is writable");
        other.add_folders(vec![path], None).await.expect("it is added");
    }
    heard(&mut bell, "a burst is heard of").await;
    quiet(&mut bell).await;
    let last = other.folders().await.expect("folders")[0].id;
    other.remove_folder(last).await.expect("it is there");
    other.quit().await;
    drop(other);
    heard(&mut bell, "the last word before an end is heard of").await;
    home.quit().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_hears_the_echo_of_its_own_words() {
    let home = Home::new();
    let mut bell = home.host().watch();
    home.folder("b").await;
    heard(&mut bell, "a change of its own is heard of").await;
    quiet(&mut bell).await;
    let again = timeout(Duration::from_millis(700), bell.next()).await;
    assert!(
        again.is_err(),
        "one change is one ring, not another one by way of the disk: {again:?}"
    );
    home.quit().await;
}

async fn heard(bell: &mut Watcher, why: &str) {
    let folders = async { while !bell.next().await.expect("the host is there").contains(&Part::Folders) {} };
    timeout(Duration::from_secs(20), folders)
        .await
        .unwrap_or_else(|_| panic!("{why}"));
}

/// Hears what there is to hear, until nothing comes any more.
async fn quiet(bell: &mut Watcher) {
    while let Ok(parts) = timeout(Duration::from_millis(400), bell.next()).await {
        parts.expect("the host is there");
    }
}
