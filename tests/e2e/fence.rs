//! What the page can't do: name a folder, run foreign script, load from elsewhere.

use serde_json::json;

use crate::window::Home;

#[test]
fn the_page_cannot_name_a_folder() {
    let Some(home) = Home::new() else { return };
    let window = home.open();
    let tried = window.page.script_async(
        "const done = arguments[arguments.length - 1];
         window.__TAURI_INTERNALS__.invoke('add_folder_path', { path: '/tmp' }).then(() => done('added'), (e) => done(String(e)));",
        &json!([]),
    );
    let tried = tried.as_str().unwrap_or_default().to_owned();
    assert!(
        tried.contains("not allowed"),
        "only the small window may add a typed path: {tried}"
    );
    assert!(
        window.command(&["folders", "list"]).contains("No folders"),
        "nothing was added"
    );
}

#[test]
fn the_small_window_adds_a_typed_path_and_nothing_else() {
    let Some(home) = Home::new() else { return };
    let window = home.open();
    let path = window.folder("typed");
    let page = &window.page;
    let known = page.windows();
    let main = page.window();
    page.script("window.__TAURI_INTERNALS__.invoke('open_path_window')", &json!([]));
    page.switch_to_new(&known);
    page.test_id("path-input").type_keys(path.to_str().expect("UTF-8"));
    let tried = page.script_async(
        "const done = arguments[arguments.length - 1];
         window.__TAURI_INTERNALS__.invoke('revoke_grant', { id: 1 }).then(() => done('done'), (e) => done(String(e)));",
        &json!([]),
    );
    assert!(
        tried.as_str().unwrap_or_default().contains("not allowed"),
        "it can't decide on anything: {tried}"
    );
    page.test_id("path-add").click();
    page.switch(&main);
    page.wait_text("typed");
}

#[test]
fn foreign_script_and_foreign_places_are_blocked() {
    let Some(home) = Home::new() else { return };
    let window = home.open();
    let seen = window.page.script_async(
        "const done = arguments[arguments.length - 1];
         const seen = { global: typeof window.__TAURI__, inline: false, fetched: false };
         const script = document.createElement('script');
         script.textContent = 'window.__foreign = 1';
         document.head.append(script);
         seen.inline = window.__foreign === 1;
         fetch('http://127.0.0.1:9/').then(() => { seen.fetched = true; }, () => {}).finally(() => done(seen));",
        &json!([]),
    );
    assert_eq!(
        seen,
        json!({ "global": "undefined", "inline": false, "fetched": false }),
        "the page's policy holds"
    );
}
