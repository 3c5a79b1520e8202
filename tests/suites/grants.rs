//! What is remembered, for whom, and how long; and that nothing leaves which is not in the record first. The pure decision is
//! tested beside its code.

use std::time::{Duration, Instant};

use gatehouse_host::Code;
use gatehouse_host::view::{
    AnswerInput, DecidedBy, FormAction, Lifetime, Outcome, QuestionBody, QuestionView, RootsChoice, Trust,
};
use gatehouse_tests::clock;
use gatehouse_tests::fake::FakeServer;
use gatehouse_tests::home::{Home, Person, declined, failed, form, ready, roots, said, ticked};
use gatehouse_tests::schema::Revision::Modern;
use gatehouse_tests::script::{Rule, Script, act};
use serde_json::{Value, json};

const LIMIT: Duration = Duration::from_secs(30);

fn server() -> FakeServer {
    FakeServer::new(&Script::modern().asks_roots("t", Some("s")))
}

/// The URIs of the last answer that left.
fn told(fake: &FakeServer) -> Vec<String> {
    let answers = fake.log().received_method("tools/call").into_iter().rev();
    let last = answers
        .map(|call| call.params()["inputResponses"]["roots"]["roots"].clone())
        .find(Value::is_array);
    let last = last.expect("an answer left");
    last.as_array()
        .expect("a list")
        .iter()
        .map(|root| root["uri"].as_str().expect("a URI").to_owned())
        .collect()
}

/// One call: the question it opens (none where a grant decides), answered so, and what the server was told in the end.
async fn check(
    home: &Home,
    fake: &FakeServer,
    answer: Option<(RootsChoice, &[u64])>,
    expect: &[&str],
    why: &str,
) -> Option<QuestionView> {
    let sent = fake.log().received_method("tools/call").len();
    let call = home.begin("s", "t", "{}");
    let question = match answer {
        None => None,
        Some((choice, folders)) => {
            let question = home.until_open(1).await.remove(0);
            home.host()
                .answer(question.id, &roots(choice, folders))
                .expect("it is open");
            Some(question)
        }
    };
    let end = tokio::time::timeout(LIMIT, call).await;
    let end = end
        .unwrap_or_else(|_| panic!("{why}: the call waits for {:?}", home.host().questions()))
        .expect("no panic");
    assert!(said(&end).contains("done"), "{why}: {end:?}");
    assert_eq!(
        fake.log().received_method("tools/call").len(),
        sent + 2,
        "{why}: two rounds"
    );
    let expect: Vec<String> = expect.iter().map(|name| home.uri(name)).collect();
    assert_eq!(told(fake), expect, "{why}");
    question
}

#[tokio::test(flavor = "multi_thread")]
async fn always_covers_what_was_ticked_and_nothing_later() {
    let fake = server();
    let home = Home::with(&fake).await;
    let (a, b) = (
        home.host().folders().await.expect("folders")[0].id,
        home.folder("b").await,
    );
    let first = check(
        &home,
        &fake,
        Some((RootsChoice::ShareAlways, &[b])),
        &["b"],
        "what is ticked is told",
    )
    .await
    .expect("asked");
    assert_eq!(
        ticked(&first),
        Vec::<u64>::new(),
        "of two folders none is ticked for the person"
    );
    check(
        &home,
        &fake,
        None,
        &["b"],
        "the second time nobody is asked, and the folder that was not ticked stays",
    )
    .await;
    let row = home.record().await.pop().expect("written down");
    assert!(
        matches!(&row.decided_by, DecidedBy::Grants { ids } if ids.len() == 1),
        "the record names the grant: {row:?}"
    );
    let c = home.folder("c").await;
    let later = check(
        &home,
        &fake,
        Some((RootsChoice::ShareAlways, &[b, c])),
        &["b", "c"],
        "a folder that came later is asked about",
    )
    .await;
    assert_eq!(
        ticked(&later.expect("asked")),
        [b],
        "with what was shared before ticked, and nothing else"
    );
    check(&home, &fake, None, &["b", "c"], "now both are remembered").await;
    let home = home.restart().await;
    check(&home, &fake, None, &["b", "c"], "also in a new run").await;
    home.host().remove_folder(a).await.expect("it is there");
    home.host().reorder_folders(vec![c, b]).await.expect("both are there");
    check(&home, &fake, None, &["c", "b"], "in the order of the list").await;
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn once_is_once_and_a_session_is_a_run() {
    let fake = server();
    let home = Home::with(&fake).await;
    let a = home.host().folders().await.expect("folders")[0].id;
    let only = check(&home, &fake, Some((RootsChoice::ShareOnce, &[a])), &["app"], "once")
        .await
        .expect("asked");
    assert_eq!(
        (ticked(&only), only.trust),
        (vec![a], Trust::New),
        "the one folder there is, for a server that is new"
    );
    let again = check(
        &home,
        &fake,
        Some((RootsChoice::ShareSession, &[a])),
        &["app"],
        "once is not remembered",
    )
    .await
    .expect("asked");
    assert_eq!(again.trust, Trust::Trusted, "but that it asked is");
    assert_eq!(
        home.host().grants().await.expect("grants")[0].lifetime,
        Lifetime::Session,
        "the session's grant is listed"
    );
    check(&home, &fake, None, &["app"], "a session is remembered").await;
    let home = home.restart().await;
    assert!(
        home.host().grants().await.expect("grants").is_empty(),
        "and gone with its run"
    );
    check(
        &home,
        &fake,
        Some((RootsChoice::ShareOnce, &[a])),
        &["app"],
        "so it is asked about again",
    )
    .await;
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_of_a_run_that_was_cut_off_is_over() {
    let fake = server();
    let home = Home::with(&fake).await;
    let a = home.host().folders().await.expect("folders")[0].id;
    check(
        &home,
        &fake,
        Some((RootsChoice::ShareSession, &[a])),
        &["app"],
        "a session",
    )
    .await;
    // A second Gatehouse on the same files is another run: it has no part in this one's session.
    let other = gatehouse_host::Host::open(home.places()).expect("two at once are allowed");
    assert!(
        other.grants().await.expect("grants").is_empty(),
        "a session belongs to its run"
    );
    other.quit().await;
    check(&home, &fake, None, &["app"], "and the other's end doesn't end it").await;
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_revoked_grant_is_asked_about() {
    let fake = server();
    let home = Home::with(&fake).await;
    let a = home.host().folders().await.expect("folders")[0].id;
    check(&home, &fake, Some((RootsChoice::ShareAlways, &[a])), &["app"], "always").await;
    check(&home, &fake, None, &["app"], "remembered").await;
    let grant = home.host().grants().await.expect("grants").remove(0);
    assert!(grant.allow && grant.in_force && grant.folder.is_some(), "{grant:?}");
    home.host().revoke_grant(grant.id).await.expect("it is there");
    check(&home, &fake, Some((RootsChoice::ShareOnce, &[a])), &["app"], "revoked").await;
    assert_eq!(
        home.host().revoke_grant(grant.id).await.expect_err("gone").code(),
        Code::NotFound,
        "it can't be revoked twice"
    );
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn never_is_refused_without_a_question() {
    let fake = server();
    let home = Home::with(&fake).await;
    let person = Person::who(&home, RootsChoice::Never);
    declined(&home.call("s", "t", "{}").await);
    home.folder("later").await;
    declined(&home.call("s", "t", "{}").await);
    let home = home.restart().await;
    let words = declined(&home.call("s", "t", "{}").await);
    assert!(
        words.contains("never"),
        "the person reads why nothing was asked: {words}"
    );
    assert_eq!(person.asked(), 1, "asked once, whatever folders come");
    assert_eq!(
        fake.log().received_method("tools/call").len(),
        3,
        "three first rounds and no retry"
    );
    let outcomes: Vec<_> = home.record().await.iter().map(|row| row.outcome).collect();
    assert_eq!(outcomes, [Outcome::Refused; 3], "each refusal is written down");
    let never = home.host().grants().await.expect("grants").remove(0);
    assert!(
        !never.allow && never.folder.is_none(),
        "it can be seen, and taken back: {never:?}"
    );
    home.host().revoke_grant(never.id).await.expect("it is there");
    let call = home.begin("s", "t", "{}");
    home.until_open(1).await;
    home.host().dismiss_questions(false);
    declined(&call.await.expect("no panic"));
    home.end(&[(&fake, Modern)]).await;
}

/// Changes the entry of server `s` in the file, and waits until Gatehouse has seen it.
async fn edit(home: &Home, change: impl FnOnce(&mut Value)) {
    let path = home.places().servers_file();
    let text = std::fs::read_to_string(&path).expect("the file is there");
    let mut file: Value = serde_json::from_str(&text).expect("it is JSON");
    change(&mut file["mcpServers"]["s"]);
    std::fs::write(&path, file.to_string()).expect("it can be written");
    let end = Instant::now() + LIMIT;
    while home.host().servers().await.expect("servers")[0].trust == Trust::Trusted {
        assert!(Instant::now() < end, "the change of the file is seen");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_definition_is_another_server() {
    type Change = fn(&mut Value);
    let changes: [(&str, Change); 4] = [
        ("an argument", |entry| {
            entry["args"].as_array_mut().expect("args").push("more".into())
        }),
        ("a variable", |entry| entry["env"] = json!({"DEBUG": "1"})),
        ("the working directory", |entry| entry["cwd"] = json!("/")),
        ("the command", |entry| {
            entry["command"] = format!("{}/../fake-server", entry["command"].as_str().expect("a path"))
                .replace("fake-server/../", "./")
                .into()
        }),
    ];
    for (what, change) in changes {
        let fake = server();
        let home = Home::with(&fake).await;
        let a = home.host().folders().await.expect("folders")[0].id;
        check(&home, &fake, Some((RootsChoice::ShareAlways, &[a])), &["app"], what).await;
        edit(&home, change).await;
        fake.log()
            .until("the stop of the old process", LIMIT, |log| log.happened("stdin closed"))
            .await;
        let call = home.begin("s", "t", "{}");
        let question = home.until_open(1).await.remove(0);
        let QuestionBody::Trust { previous: Some(_) } = &question.body else {
            panic!("{what}: {question:?}")
        };
        assert_eq!(
            (question.trust, fake.log().pids().len()),
            (Trust::Changed, 1),
            "{what}: the person is asked before anything is started"
        );
        home.host()
            .answer(question.id, &AnswerInput::Trust { start: true })
            .expect("it is open");
        let question = home.until_open(1).await.remove(0);
        assert!(
            matches!(question.body, QuestionBody::Roots { .. }),
            "{what}: grants don't carry over: {question:?}"
        );
        assert_eq!(question.trust, Trust::Changed, "{what}: and the dialog says so");
        home.host()
            .answer(question.id, &roots(RootsChoice::Refuse, &[]))
            .expect("it is open");
        declined(&call.await.expect("no panic"));
        assert_eq!(
            fake.log().received_method("tools/call").len(),
            3,
            "{what}: nothing more left"
        );
        assert!(
            !home.host().grants().await.expect("grants")[0].in_force,
            "{what}: the old grant is shown as nobody's"
        );
        home.end(&[(&fake, Modern)]).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_definition_that_is_not_allowed_starts_nothing() {
    let fake = server();
    let home = Home::with(&fake).await;
    edit(&home, |entry| {
        entry["args"].as_array_mut().expect("args").push("more".into())
    })
    .await;
    for answer in [Some(AnswerInput::Trust { start: false }), None] {
        let call = home.begin("s", "t", "{}");
        let question = home.until_open(1).await.remove(0);
        match answer {
            Some(answer) => home.host().answer(question.id, &answer).expect("it is open"),
            None => home.host().dismiss_question(question.id).expect("it is open"),
        }
        assert_eq!(
            call.await.expect("no panic").expect_err("not started").code(),
            Code::NotTrusted,
            "a no and nobody are the same"
        );
    }
    assert!(fake.log().pids().is_empty(), "no process was started");
    home.quit().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_vanished_stays_here() {
    let fake = server();
    let home = Home::with(&fake).await;
    let (a, b) = (
        home.host().folders().await.expect("folders")[0].id,
        home.folder("b").await,
    );
    check(
        &home,
        &fake,
        Some((RootsChoice::ShareAlways, &[a, b])),
        &["app", "b"],
        "both",
    )
    .await;
    std::fs::remove_dir(home.path("app")).expect("it is there");
    check(&home, &fake, None, &["b"], "the one that is left needs no question").await;
    let row = home.record().await.pop().expect("written down");
    assert_eq!(row.withheld.len(), 1, "the record says what stayed: {row:?}");
    assert!(
        row.withheld[0].reason.contains("missing") && row.withheld[0].path.ends_with("app"),
        "and why: {row:?}"
    );
    std::fs::create_dir(home.path("app")).expect("it can be made");
    check(
        &home,
        &fake,
        None,
        &["app", "b"],
        "it returns with the disk, in its place",
    )
    .await;
    std::fs::remove_dir(home.path("app")).expect("it is there");
    std::fs::write(home.path("app"), "a file now").expect("it can be written");
    check(
        &home,
        &fake,
        None,
        &["app", "b"],
        "a file at the same place is a root as well",
    )
    .await;
    home.end(&[(&fake, Modern)]).await;
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_link_that_leads_elsewhere_is_not_what_was_granted() {
    let fake = server();
    let home = Home::with(&fake).await;
    let a = home.host().folders().await.expect("folders")[0].id;
    for place in ["one", "two"] {
        std::fs::create_dir(home.path(place)).expect("it can be made");
    }
    let link = home.path("link");
    std::os::unix::fs::symlink(home.path("one"), &link).expect("it can be made");
    let l = home.add_path(link.clone()).await;
    check(
        &home,
        &fake,
        Some((RootsChoice::ShareAlways, &[a, l])),
        &["app", "link"],
        "the path as picked",
    )
    .await;
    std::fs::remove_file(&link).expect("it is there");
    std::os::unix::fs::symlink(home.path("two"), &link).expect("it can be made");
    let moved = check(
        &home,
        &fake,
        Some((RootsChoice::ShareOnce, &[a])),
        &["app"],
        "asked about again",
    )
    .await
    .expect("asked");
    assert_eq!(ticked(&moved), [a], "not ticked, though the path was shared before");
    let QuestionBody::Roots { folders } = &moved.body else {
        panic!("roots: {moved:?}")
    };
    assert!(
        folders[1]
            .note
            .as_ref()
            .is_some_and(|note| note.contains("another place")),
        "the dialog says why: {folders:?}"
    );
    assert!(
        folders[1].real_path.as_ref().is_some_and(|real| real.ends_with("two")),
        "and where it leads now: {folders:?}"
    );
    home.end(&[(&fake, Modern)]).await;
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn what_changes_between_question_and_answer_stays_here() {
    let fake = server();
    let home = Home::with(&fake).await;
    let b = home.folder("b").await;
    std::fs::create_dir(home.path("one")).expect("it can be made");
    let link = home.path("link");
    std::os::unix::fs::symlink(home.path("one"), &link).expect("it can be made");
    home.add_path(link.clone()).await;
    let call = home.begin("s", "t", "{}");
    let question = home.until_open(1).await.remove(0);
    std::fs::remove_dir(home.path("app")).expect("it is there");
    std::fs::remove_file(&link).expect("it is there");
    std::os::unix::fs::symlink(home.path("b"), &link).expect("it can be made");
    home.host()
        .answer(question.id, &roots(RootsChoice::ShareAlways, &ready(&question)))
        .expect("it is open");
    said(&call.await.expect("no panic"));
    assert_eq!(
        told(&fake),
        [home.uri("b")],
        "only what is as it was when it was asked about"
    );
    let row = home.record().await.pop().expect("written down");
    let reasons: Vec<_> = row.withheld.iter().map(|withheld| withheld.reason.as_str()).collect();
    assert!(
        row.withheld.len() == 2 && reasons[0].contains("missing") && reasons[1].contains("another place"),
        "each with its reason: {row:?}"
    );

    let call = home.begin("s", "t", "{}");
    let question = home.until_open(1).await.remove(0);
    home.host().remove_folder(b).await.expect("it is there");
    home.host()
        .answer(question.id, &roots(RootsChoice::ShareOnce, &[b]))
        .expect("it is open");
    said(&call.await.expect("no panic"));
    assert!(
        told(&fake).is_empty(),
        "a folder that was taken off the list meanwhile is not told"
    );
    let row = home.record().await.pop().expect("written down");
    assert_eq!(
        (row.outcome, row.withheld.len()),
        (Outcome::SharedNone, 1),
        "an empty list left, and the record says so: {row:?}"
    );
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_does_not_fit_leaves_the_question_open() {
    let fake = server();
    let home = Home::with(&fake).await;
    let a = home.host().folders().await.expect("folders")[0].id;
    let call = home.begin("s", "t", "{}");
    let question = home.until_open(1).await.remove(0);
    let later = home.folder("later").await;
    for (answer, code) in [
        (roots(RootsChoice::ShareOnce, &[]), Code::Invalid),
        (roots(RootsChoice::ShareAlways, &[a, 999]), Code::NotFound),
        (roots(RootsChoice::ShareAlways, &[later]), Code::NotFound),
        (AnswerInput::Trust { start: true }, Code::Invalid),
        (
            gatehouse_tests::home::form(gatehouse_host::view::FormAction::Accept, Some("{}")),
            Code::Invalid,
        ),
    ] {
        assert_eq!(
            home.host()
                .answer(question.id, &answer)
                .expect_err("it does not fit")
                .code(),
            code,
            "{answer:?}"
        );
    }
    assert_eq!(fake.log().received_method("tools/call").len(), 1, "nothing left");
    home.host()
        .answer(question.id, &roots(RootsChoice::ShareOnce, &[a]))
        .expect("it is still open");
    said(&call.await.expect("no panic"));
    assert_eq!(
        home.host()
            .answer(question.id, &roots(RootsChoice::ShareOnce, &[a]))
            .expect_err("answered")
            .code(),
        Code::Gone,
        "once"
    );
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_record_is_on_the_disk_before_anything_leaves() {
    let fake = server();
    let home = Home::with(&fake).await;
    let _person = Person::who(&home, RootsChoice::ShareOnce);
    let book =
        rusqlite::Connection::open_with_flags(home.places().database(), rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY)
            .expect("it opens");
    for n in 1..=5 {
        let call = home.begin("s", "t", "{}");
        fake.log()
            .until("the retry", LIMIT, |log| {
                log.received_method("tools/call").len() == 2 * n
            })
            .await;
        let rows: i64 = book
            .query_row("SELECT COUNT(*) FROM record WHERE sent IS NOT NULL", [], |row| {
                row.get(0)
            })
            .expect("it reads");
        assert_eq!(
            rows,
            i64::try_from(n).expect("small"),
            "whoever sees the frame finds the row, from another process"
        );
        said(&call.await.expect("no panic"));
    }
    let wall = |at_us: u64| {
        let now = std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .expect("after 1970");
        u64::try_from(now.as_micros()).expect("fits") - (clock::now_us() - at_us)
    };
    let retries: Vec<u64> = fake
        .log()
        .received_method("tools/call")
        .iter()
        .skip(1)
        .step_by(2)
        .map(|frame| wall(frame.t))
        .collect();
    for (row, left) in home.record().await.iter().zip(retries) {
        let written = gatehouse_host::clock::parse(&row.at, 0).expect("a moment");
        assert!(
            written <= left / 1000 + 1,
            "the row is older than the frame: {} and {left} µs",
            row.at
        );
        let sent: Value = serde_json::from_str(row.sent.as_deref().expect("something left")).expect("JSON");
        assert_eq!(sent["roots"][0]["uri"], home.uri("app"), "and holds what left");
    }
    home.end(&[(&fake, Modern)]).await;
}

/// With the database locked by another process, the answer can't be written down.
async fn locked(choice: RootsChoice) {
    let fake = server();
    let home = Home::with(&fake).await;
    let call = home.begin("s", "t", "{}");
    let question = home.until_open(1).await.remove(0);
    // The call itself is noted as under way by now or soon; that must not be what fails.
    tokio::time::sleep(Duration::from_millis(500)).await;
    let other = rusqlite::Connection::open(home.places().database()).expect("it opens");
    other.execute_batch("BEGIN EXCLUSIVE").expect("it locks");
    let mark = fake.log().mark();
    home.host()
        .answer(question.id, &roots(choice, &ready(&question)))
        .expect("it is open");
    let end = call.await.expect("no panic");
    assert_eq!(
        end.as_ref().expect_err("it fails").code(),
        Code::Storage,
        "{choice:?}: the person learns why: {end:?}"
    );
    assert!(
        fake.log().received_since(mark).is_empty(),
        "{choice:?}: no disclosure without a record"
    );
    other.execute_batch("ROLLBACK").expect("it unlocks");
    drop(other);
    assert!(
        home.record().await.iter().all(|row| row.sent.is_none()),
        "{choice:?}: and no record of a disclosure that was none"
    );
    assert!(
        home.host().grants().await.expect("grants").is_empty(),
        "{choice:?}: what could not be written is not remembered"
    );
    let a = ready(&question);
    check(
        &home,
        &fake,
        Some((RootsChoice::ShareOnce, &a)),
        &["app"],
        "the next call works",
    )
    .await;
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_record_nothing_leaves() {
    tokio::join!(
        locked(RootsChoice::ShareOnce),
        locked(RootsChoice::ShareAlways),
        locked(RootsChoice::ShareNone)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_record_an_old_server_gets_an_error() {
    let ask = [
        act::request(json!(1), "roots/list", None),
        act::await_response("1", 60_000),
        act::text("ok"),
    ];
    let fake = FakeServer::new(&Script::legacy("2025-11-25").tool("t").on("tools/call", ask));
    let home = Home::with(&fake).await;
    let call = home.begin("s", "t", "{}");
    let question = home.until_open(1).await.remove(0);
    tokio::time::sleep(Duration::from_millis(500)).await;
    let other = rusqlite::Connection::open(home.places().database()).expect("it opens");
    other.execute_batch("BEGIN EXCLUSIVE").expect("it locks");
    home.host()
        .answer(question.id, &roots(RootsChoice::ShareAlways, &ready(&question)))
        .expect("it is open");
    said(&call.await.expect("no panic"));
    let answers: Vec<_> = fake
        .log()
        .received()
        .into_iter()
        .filter(|frame| frame.is_response())
        .collect();
    assert!(
        answers.len() == 1 && answers[0].json["error"]["code"] == -32603,
        "it waits, so it gets an error: {answers:#?}"
    );
    assert!(!answers[0].raw.contains("file:"), "with no folder in it");
    other.execute_batch("ROLLBACK").expect("it unlocks");
    home.end(&[(&fake, gatehouse_tests::schema::Revision::Autumn2025)])
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_gatehouses_see_each_others_decisions() {
    let fake = server();
    let home = Home::with(&fake).await;
    let a = home.host().folders().await.expect("folders")[0].id;
    let other = gatehouse_host::Host::open(home.places()).expect("two at once are allowed");
    check(&home, &fake, Some((RootsChoice::ShareAlways, &[a])), &["app"], "always").await;
    let grant = other.grants().await.expect("grants").remove(0);
    other.revoke_grant(grant.id).await.expect("it is there");
    other.quit().await;
    check(
        &home,
        &fake,
        Some((RootsChoice::ShareOnce, &[a])),
        &["app"],
        "a grant that another process revoked counts no more",
    )
    .await;
    let unknown = home.call("nobody", "t", "{}").await;
    assert!(
        failed(&unknown).contains("nobody"),
        "a server that is not configured is named: {unknown:?}"
    );
    home.end(&[(&fake, Modern)]).await;
}

/// A round that asks for folders, which a grant allows, and for a form, which stays open while `meddle` does something.
async fn while_a_form_is_open(meddle: impl AsyncFnOnce(&Home), what_leaves: impl FnOnce(&str, &Home)) {
    let asked = json!({"folders": {"method": "roots/list"}, "form": {"method": "elicitation/create", "params": {"mode": "form",
        "message": "m", "requestedSchema": {"type": "object", "properties": {"n": {"type": "string"}}}}}});
    let script = Script::modern()
        .asks_roots("first", None)
        .tool("both")
        .rule(
            Rule::on("tools/call")
                .name("both")
                .fresh()
                .does([act::ask(asked, Some("s"))]),
        )
        .rule(Rule::on("tools/call").name("both").answered().does([act::text("done")]));
    let fake = FakeServer::new(&script);
    let home = Home::with(&fake).await;
    let person = Person::who(&home, RootsChoice::ShareAlways);
    home.call("s", "first", "{}").await.expect("a result");
    drop(person);
    let call = home.begin("s", "both", "{}");
    let question = home.until_open(1).await.remove(0);
    assert!(
        matches!(question.body, QuestionBody::Form { .. }),
        "the grant answers for the folders: {question:?}"
    );
    meddle(&home).await;
    home.host()
        .answer(question.id, &form(FormAction::Accept, Some(r#"{"n":"x"}"#)))
        .expect("it is open");
    let _ = call.await.expect("no panic");
    let sent: String = fake.log().received_method("tools/call")[3..]
        .iter()
        .map(|frame| frame.raw.clone())
        .collect();
    what_leaves(&sent, &home);
    home.quit().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_grant_that_is_revoked_while_a_form_is_open_shares_nothing() {
    while_a_form_is_open(
        async |home| {
            for grant in home.host().grants().await.expect("they are read") {
                home.host().revoke_grant(grant.id).await.expect("it is there");
            }
        },
        |sent, _| assert!(sent.is_empty(), "nothing leaves: {sent}"),
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_is_renamed_or_moved_while_a_form_is_open_stays() {
    let rename = async |home: &Home| {
        let folder = home.host().folders().await.expect("they are read").remove(0);
        home.host()
            .rename_folder(folder.id, "secret name".into())
            .await
            .expect("it is there");
    };
    let stays = |sent: &str, home: &Home| {
        assert!(
            !sent.contains(&home.uri("app")) && !sent.contains("secret"),
            "what was not shown does not leave: {sent}"
        );
        assert!(sent.contains(r#""roots":[]"#), "the rest of the answer goes: {sent}");
    };
    while_a_form_is_open(rename, stays).await;
    let replace = async |home: &Home| {
        std::fs::remove_dir_all(home.path("app")).expect("it can be removed");
        std::os::unix::fs::symlink("/usr", home.path("app")).expect("a link can be made");
    };
    while_a_form_is_open(replace, stays).await;
}
