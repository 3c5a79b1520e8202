//! Templates, suggestions and watched resources of servers that nobody here wrote.

use gatehouse_host::call::{Call, What};
use gatehouse_host::view::{RootsChoice, SuggestInput, SuggestOf, WatchState};
use gatehouse_tests::home::{Home, Person, said};
use gatehouse_tests::real;
use gatehouse_tests::schema::Revision;

use super::{LIMIT, Real, at_home, python, within};

/// Fills a template of this name with one value and reads what it makes: the address and the result.
async fn check(home: &Home, name: &str, variable: &str, value: &str, uri: &str, holds: &str) {
    let list = home.host().templates("s").await.expect("they are listed");
    let template = list
        .items
        .iter()
        .find(|template| template.name == name)
        .unwrap_or_else(|| panic!("there is a template {name}: {list:?}"));
    let values = [(variable.to_owned(), value.to_owned())];
    let made = home
        .host()
        .expand_template(&template.template, &values)
        .expect("it expands");
    assert_eq!(made, uri);
    assert!(read(home, uri).await.contains(holds), "it holds “{holds}”");
}

async fn read(home: &Home, uri: &str) -> String {
    let call = Call {
        server: "s".into(),
        what: What::Resource { uri: uri.into() },
        limit: None,
    };
    said(&home.host().call(call).await)
}

async fn suggested(
    home: &Home,
    of: SuggestOf,
    name: &str,
    argument: &str,
    value: &str,
    others: &[(&str, &str)],
) -> Vec<String> {
    let input = SuggestInput {
        of,
        name: name.into(),
        argument: argument.into(),
        value: value.into(),
        others: others.iter().map(|(k, v)| ((*k).into(), (*v).into())).collect(),
    };
    let found = home.host().suggest("s", input).await.expect("it suggests");
    found.values.into_iter().map(|one| one.value).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn python_templates_and_suggestions() {
    let Some(server) = python() else { return };
    within("the shelves of the Python server", async {
        let home = at_home(&server).await;
        check(
            &home,
            "template_resource",
            "id",
            "a b",
            "test://template/a%20b/data",
            "templateTest",
        )
        .await;
        let template = "test://template/{id}/data";
        let found = suggested(&home, SuggestOf::Template, template, "id", "4", &[]).await;
        assert!(found.is_empty(), "it is asked and suggests nothing: {found:?}");
        home.quit().await;
    })
    .await;
    server.over();
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_templates_suggestions_and_watched_resources() {
    if !real::installed() {
        return;
    }
    let server = Real::of(real::everything(), Revision::Autumn2025);
    within("the shelves of server-everything", async {
        let home = at_home(&server).await;
        let _person = Person::who(&home, RootsChoice::ShareNone);
        let uri = "demo://resource/dynamic/text/42";
        check(&home, "Dynamic Text Resource", "resourceId", "42", uri, "Resource 42").await;
        let template = "demo://resource/dynamic/text/{resourceId}";
        assert_eq!(
            suggested(&home, SuggestOf::Template, template, "resourceId", "42", &[]).await,
            ["42"]
        );
        let prompt = "completable-prompt";
        assert_eq!(
            suggested(&home, SuggestOf::Prompt, prompt, "department", "S", &[]).await,
            ["Sales", "Support"]
        );
        let sales = [("department", "Sales")];
        assert_eq!(
            suggested(&home, SuggestOf::Prompt, prompt, "name", "", &sales).await,
            ["David", "Eve", "Frank"]
        );

        home.host().watch_resource("s", uri).await.expect("it is asked for");
        let until = async |what: &str, fits: &dyn Fn(&gatehouse_host::view::WatchView) -> bool| {
            let began = std::time::Instant::now();
            loop {
                let watched = home.host().servers().await.expect("they are read").remove(0).watched;
                if watched.iter().any(fits) {
                    return;
                }
                assert!(began.elapsed() < LIMIT, "waited for {what}: {watched:?}");
                tokio::time::sleep(std::time::Duration::from_millis(50)).await;
            }
        };
        until("the subscription", &|watch| watch.state == WatchState::Watched).await;
        said(&home.call("s", "toggle-subscriber-updates", "{}").await);
        until("a change", &|watch| watch.changed).await;
        home.host().unwatch_resource("s", uri);
        server
            .log
            .until("the end of the subscription", LIMIT, |log| {
                !log.received_method("resources/unsubscribe").is_empty()
            })
            .await;
        home.quit().await;
    })
    .await;
    server.over();
}
