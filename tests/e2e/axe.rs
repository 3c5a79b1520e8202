//! Every page and every question under axe-core, by day, by night and in high contrast: nothing is found.
//!
//! axe-core is a development package of the page; it is brought in by the driver, which the page's policy does not bind. It is no
//! part of the app.

use gatehouse_tests::bins::bin;
use gatehouse_tests::fake::FakeServer;
use gatehouse_tests::script::{Rule, Script, act};
use serde_json::{Value, json};

use crate::desk::{press, question, tick};
use crate::webdriver::{Browser, key};
use crate::window::Home;

const AXE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../ui/node_modules/axe-core/axe.min.js");
/// The themes that the page knows; high contrast has a day and a night of its own.
const THEMES: [(&str, &str); 4] = [
    ("light", "light"),
    ("dark", "dark"),
    ("contrast", "light"),
    ("contrast", "dark"),
];

/// Finds nothing on the page as it is now, in every theme.
#[track_caller]
fn clean(page: &Browser, what: &str) {
    if page.script("return typeof window.axe", &json!([])) != json!("object") {
        let source = std::fs::read_to_string(AXE).expect("npm ci has installed axe-core");
        page.script(&format!("{source}; window.axe = window.axe || axe;"), &json!([]));
    }
    let run = "const [theme, scheme, done] = arguments;
        const root = document.documentElement;
        const before = root.dataset.theme;
        root.dataset.theme = theme;
        root.style.colorScheme = scheme;
        const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
        requestAnimationFrame(() => setTimeout(() => {
            // What fades is measured when it has.
            // A caret that blinks never has.
            for (const fade of document.getAnimations())
                if (fade.effect.getComputedTiming().endTime !== Infinity) fade.finish();
            axe.run(document, { runOnly: { type: 'tag', values: tags }, resultTypes: ['violations'] }).then(
                (found) => {
                    if (before === undefined) delete root.dataset.theme; else root.dataset.theme = before;
                    root.style.colorScheme = '';
                    done(found.violations.map((one) => ({
                        rule: one.id,
                        help: one.help,
                        at: one.nodes.map((node) => `${node.target.join(' ')}: ${node.failureSummary.replace(/\\s+/g, ' ')}`),
                    })));
                },
                (error) => done([{ rule: 'axe itself', help: String(error && error.stack) }]),
            );
        }, 200));";
    for (theme, scheme) in THEMES {
        let found = page.script_async(run, &json!([theme, scheme]));
        let none = found.as_array().is_some_and(Vec::is_empty);
        assert!(
            none,
            "{what}, {theme} ({scheme}):\n{}",
            serde_json::to_string_pretty(&found).unwrap_or_default()
        );
    }
    println!("{what}: nothing found");
}

fn ask(id: &str, params: &Value) -> Value {
    json!({ id: { "method": "elicitation/create", "params": params } })
}

fn form() -> Value {
    json!({ "mode": "form", "message": "Who are you?", "requestedSchema": { "type": "object", "required": ["name"], "properties": {
        "name": { "type": "string", "title": "Your name", "description": "As it stands on the door." },
        "size": { "type": "string", "enum": ["s", "m"], "enumNames": ["Small", "Medium"], "default": "m" },
        "age": { "type": "integer", "minimum": 0 },
        "loud": { "type": "boolean", "title": "Loud" } } } })
}

fn link() -> Value {
    json!({ "mode": "url", "message": "Please sign in.", "elicitationId": "e1", "url": "http://name@xn--e1awd7f.example:8080/sign-in" })
}

/// A server with something of every kind.
fn everything() -> Script {
    let both = json!({ "folders": { "method": "roots/list" }, "form": { "method": "elicitation/create", "params": form() },
        "page": { "method": "elicitation/create", "params": link() } });
    let args = json!({ "name": "args", "title": "Many arguments", "description": "Takes all kinds.", "annotations": { "readOnlyHint": true },
        "inputSchema": { "type": "object", "required": ["text"], "properties": {
            "text": { "type": "string", "title": "Text", "description": "Words.", "minLength": 1 },
            "state": { "type": "string", "enum": ["open", "closed"], "default": "open" },
            "labels": { "type": "array", "title": "Labels", "items": { "type": "string" } },
            "where": { "type": "object", "properties": { "lat": { "type": "number" }, "name": { "type": ["string", "null"] } } },
            "either": { "oneOf": [{ "type": "string", "title": "A word" }, { "type": "integer", "title": "A number" }] },
            "loud": { "type": "boolean" } } } });
    let rows: Vec<Value> = (0..30)
        .map(|id| json!({ "id": id, "title": format!("Row {id}"), "open": id % 2 == 0 }))
        .collect();
    let result = json!({ "resultType": "complete", "structuredContent": { "rows": rows }, "content": [
        { "type": "text", "text": "# Found\n\n- one [link](https://example.org/)\n- two `code`\n\n| a | b |\n|---|---|\n| 1 | 2 |" },
        { "type": "image", "mimeType": "image/png", "data": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==" },
        { "type": "resource_link", "uri": "https://example.org/x", "name": "A link" },
        { "type": "resource", "resource": { "uri": "memo:1", "mimeType": "text/plain", "text": "A memo" } } ] });
    Script::modern()
        .asks_roots("where", Some("s1"))
        .tool("form")
        .tool("link")
        .tool("all")
        .tool_json(args)
        .rule(
            Rule::on("tools/call")
                .name("form")
                .unanswered()
                .does([act::ask(ask("form", &form()), Some("s"))]),
        )
        .rule(
            Rule::on("tools/call")
                .name("link")
                .unanswered()
                .does([act::ask(ask("page", &link()), Some("s"))]),
        )
        .rule(
            Rule::on("tools/call")
                .name("all")
                .unanswered()
                .does([act::ask(both, Some("s"))]),
        )
        .rule(Rule::on("tools/call").name("args").does([act::result(result)]))
}

#[test]
fn the_pages_have_no_faults() {
    let Some(home) = Home::new() else { return };
    let fake = FakeServer::new(&everything());
    let window = home.server("asker", &fake).open();
    let page = &window.page;
    window.add_folder("site");
    window.add_folder("notes");
    clean(page, "a server that is not connected");
    window.connect("asker");
    page.test_id("tool-args").click();
    page.test_id("arg-text").type_keys("water");
    clean(page, "a tool with its form");
    page.test_id("args-json-toggle").click();
    page.test_id("args-json");
    clean(page, "a tool with its arguments as JSON");
    page.test_id("call").wait_enabled().click();
    page.test_id("result");
    clean(page, "a result of every kind");
    for tab in ["prompts", "resources", "log"] {
        page.test_id(&format!("tab-{tab}")).click();
        clean(page, tab);
    }
    page.test_id("tab-settings").click();
    clean(page, "the settings of a server");
    page.test_id("nav-settings").click();
    clean(page, "the settings");
    page.test_id("server-asker").click();
    page.test_id("tab-tools").click();
    page.test_id("add-server").click();
    page.test_id("server-form-save").click();
    clean(page, "a server that is added");
    page.press(&[key::ESCAPE]);
    page.wait_gone("[data-testid=server-form-save]");
    page.press(&[key::CONTROL, 'k']);
    page.test_id("palette-input").type_keys("a");
    clean(page, "the palette");
    page.press(&[key::ESCAPE]);
    page.wait_gone("[data-testid=palette]");
    page.press(&[key::F1]);
    page.test_id("keys");
    clean(page, "the keys");
    page.press(&[key::ESCAPE]);
    page.wait_gone("[data-testid=keys]");

    window.call("where");
    question(page);
    tick(page, window.folder_id(&window.place.path().join("site")), true);
    press(page, "share-always");
    page.test_id("nav-record").click();
    page.find("[data-testid=record-row] button").click();
    clean(page, "the record");
    page.test_id("nav-history").click();
    page.test_id("history-row");
    clean(page, "the history");
    page.test_id("history-row").click();
    page.test_id("history-call");
    clean(page, "a call of the history");
    page.test_id("nav-grants").click();
    page.test_id("grant-row");
    clean(page, "remembered decisions");
    let notes = window.folder_id(&window.place.path().join("notes"));
    page.test_id(&format!("folder-remove-{notes}")).click();
    page.test_id("undo-line");
    clean(page, "an undo that is offered");

    window.command(&["servers", "add", "broken", "--", "sh", "-c", "echo no key >&2; exit 1"]);
    page.wait_text("broken");
    page.test_id("server-broken").click();
    page.test_id("server-connect").click();
    page.test_id("server-reason");
    clean(page, "a server that failed");

    let known = page.windows();
    let main = page.window();
    page.script("window.__TAURI_INTERNALS__.invoke('open_path_window')", &json!([]));
    page.switch_to_new(&known);
    page.test_id("path-input").type_keys("nowhere");
    page.test_id("path-add").click();
    page.wait_text("not an absolute path");
    clean(page, "the window for a path");
    page.switch(&main);
}

#[test]
fn the_first_page_has_no_faults() {
    let Some(home) = Home::new() else { return };
    let window = home.open();
    window.page.test_id("welcome");
    clean(&window.page, "the first page");
    window.page.test_id("nav-record").click();
    clean(&window.page, "an empty record");
    window.page.test_id("nav-grants").click();
    clean(&window.page, "no decisions");
}

#[test]
fn the_questions_have_no_faults() {
    let Some(home) = Home::new() else { return };
    let fake = FakeServer::new(&everything());
    let window = home.server("asker", &fake).open();
    let page = &window.page;
    window.add_folder("site");
    window.add_folder("notes");
    window.connect("asker");
    for (tool, away) in [
        ("where", "refuse"),
        ("form", "form-cancel"),
        ("link", "link-cancel"),
        ("all", "sheet-cancel"),
    ] {
        window.call(tool);
        question(page);
        for toggle in page.find_all("[data-testid=question-exact-toggle]") {
            toggle.click();
        }
        clean(page, &format!("the question of {tool}"));
        press(page, away);
    }
    let program = bin("fake-server");
    window.command(&[
        "servers",
        "add",
        "stranger",
        "--env",
        "KEY=value",
        "--",
        "sh",
        "-c",
        "echo one",
    ]);
    page.wait_text("stranger");
    let file = window.home().join("servers.json");
    let text = std::fs::read_to_string(&file).expect("servers.json is there");
    let text = text.replace("echo one", program.to_str().expect("UTF-8"));
    std::fs::write(&file, text).expect("servers.json can be written");
    page.test_id("server-stranger").click();
    page.wait_text("Changed");
    page.test_id("server-connect").click();
    question(page);
    clean(page, "the question of a start");
    press(page, "question-later");
    clean(page, "a question that waits");
}
