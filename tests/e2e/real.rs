//! Servers that nobody here wrote, through the window: every tool, prompt and resource of theirs is chosen and called as a
//! person does it, questions are answered by clicks, and results are read from the screen. What left is read from the tee.

use gatehouse_tests::log::Log;
use gatehouse_tests::real::{self, Launch};
use serde_json::json;

use crate::desk::{press, question, tick};
use crate::webdriver::{Browser, key};
use crate::window::{Home, Window, fake_browser};

/// A window on one real server behind the tee, with two folders.
struct Stage {
    window: Window,
    log: Log,
    browser: tempfile::TempDir,
    _tee: tempfile::TempDir,
}

impl Stage {
    fn of(launch: impl FnOnce() -> Launch) -> Option<Self> {
        let home = Home::new()?;
        if !real::installed() {
            return None;
        }
        let tee = tempfile::tempdir().expect("a temporary folder");
        let (launch, log) = launch().tee(&tee.path().join("log.jsonl"));
        let (path, browser) = fake_browser();
        let mut window = home.env("PATH", &path).launch("real", &launch).open();
        // A real server takes its time to start on a machine that does other things.
        window.page.patience = std::time::Duration::from_secs(40);
        window.add_folder("site");
        window.add_folder("notes");
        Some(Self {
            window,
            log,
            browser,
            _tee: tee,
        })
    }

    fn page(&self) -> &Browser {
        &self.window.page
    }

    /// Opens one of the server's lists.
    fn shelf(&self, what: &str) {
        self.page().test_id(&format!("tab-{what}")).click();
        self.page().test_id(&format!("search-{what}"));
    }

    /// Finds an entry through the search and chooses it.
    fn choose(&self, what: &str, kind: &str, name: &str) {
        let field = format!("search-{what}");
        self.page().test_id(&field);
        self.page().script(
            "const field = document.querySelector(`[data-testid=\"${arguments[0]}\"]`); field.value = ''; field.dispatchEvent(new Event('input', { bubbles: true }))",
            &json!([field]),
        );
        self.page().test_id(&field).type_keys(name);
        if kind == "resource" {
            // Resources are found by their address, and have no name of their own on the page.
            self.page().wait("the search to leave one", || {
                (self.page().count("[role=option]") == 1).then_some(())
            });
            self.page().find("[role=option]").click();
        } else {
            self.page().test_id(&format!("{kind}-{name}")).click();
        }
    }

    /// Chooses a tool, fills these fields, and calls it.
    fn tool(&self, name: &str, args: &[(&str, &str)]) {
        self.choose("tools", "tool", name);
        self.fill(args);
        self.page().test_id("call").wait_enabled().click();
    }

    /// The same for a prompt.
    fn prompt(&self, name: &str, args: &[(&str, &str)]) {
        self.choose("prompts", "prompt", name);
        self.fill(args);
        self.page().test_id("call").wait_enabled().click();
    }

    fn fill(&self, args: &[(&str, &str)]) {
        for (name, text) in args {
            self.page().test_id(&format!("arg-{name}")).type_keys(text);
        }
    }

    /// What stands on the screen as the end of the chosen entry's last call, once it holds this.
    #[track_caller]
    fn shows(&self, kind: &str, part: &str) -> String {
        let found = || {
            let shown = self.page().find_all(&format!("[data-testid={kind}]"));
            let text = shown.first()?.text();
            text.contains(part).then_some(text)
        };
        self.page().wait(&format!("{kind} to show {part:?}"), found)
    }

    /// Ticks `site` alone, whether a folder is ticked at first or not.
    fn tick_site(&self) {
        question(self.page());
        let id = |name: &str| self.window.folder_id(&self.window.place.path().join(name));
        tick(self.page(), id("site"), true);
        tick(self.page(), id("notes"), false);
    }

    /// Fills texts of a form and sends it.
    fn send_form(&self, fields: &[(&str, &str)]) {
        question(self.page());
        for (name, text) in fields {
            self.page().test_id(&format!("form-field-{name}")).type_keys(text);
        }
        press(self.page(), "form-accept");
    }

    fn calls(&self, tool: &str) -> usize {
        let calls = self.log.received_method("tools/call");
        calls.iter().filter(|call| call.params()["name"] == tool).count()
    }
}

const ASKS: &str = "test_input_required_result_";

#[test]
fn the_python_everything_server_is_answered_by_clicks() {
    let Some(stage) = Stage::of(real::python_everything) else {
        return;
    };
    let page = stage.page();
    stage.window.connect("real");
    let asks = |name: &str| stage.tool(&format!("{ASKS}{name}"), &[]);

    asks("elicitation");
    stage.send_form(&[("name", "Ada")]);
    stage.shows("result", "Hello, Ada!");
    page.test_id("call").wait_enabled().click();
    question(page);
    press(page, "form-decline");
    stage.shows("result", "Hello, ?!");

    asks("list_roots");
    stage.tick_site();
    press(page, "share-once");
    stage.shows("result", "Client exposed 1 root(s).");
    page.test_id("call").wait_enabled().click();
    question(page);
    press(page, "share-none");
    stage.shows("result", "Client exposed 0 root(s).");
    page.test_id("call").wait_enabled().click();
    question(page);
    let before = stage.calls(&format!("{ASKS}list_roots"));
    press(page, "refuse");
    stage.shows("result-declined", "Nothing was sent");
    assert_eq!(
        stage.calls(&format!("{ASKS}list_roots")),
        before,
        "a refusal is no message"
    );

    for (tool, expect) in [
        ("request_state", "state-ok: confirmation received"),
        ("tampered_state", "state-ok: round-1"),
    ] {
        asks(tool);
        question(page);
        page.test_id("form-field-ok").click();
        press(page, "form-accept");
        stage.shows("result", expect);
    }

    asks("multi_round");
    stage.send_form(&[("name", "Ada")]);
    page.wait_text("favorite color");
    stage.send_form(&[("color", "blue")]);
    let shown = stage.shows("result", "Ada likes blue.");
    assert!(shown.contains("3 rounds"), "the rounds are counted: {shown}");

    // This one asks again whatever it is told, for what was offered and for nothing else.
    asks("capabilities");
    question(page);
    press(page, "form-decline");
    question(page);
    press(page, "question-later");
    page.test_id("cancel-call").click();
    page.wait_gone("[data-testid=questions-waiting]");
    page.wait_gone("[data-testid=cancel-call]");
    assert_eq!(
        stage.calls(&format!("{ASKS}capabilities")),
        2,
        "a cancelled call goes no further"
    );

    for tool in ["sampling", "multiple_inputs"] {
        asks(tool);
        stage.shows("result-error", "sampling/createMessage");
        assert_eq!(
            stage.calls(&format!("{ASKS}{tool}")),
            1,
            "what was not offered is not answered"
        );
    }
    stage.tool("test_missing_capability", &[]);
    stage.shows("result-error", "sampling");
    assert_eq!(stage.calls("test_missing_capability"), 1, "nothing is tried again");

    stage.tool("test_streaming_elicitation", &[]);
    stage.send_form(&[("response", "word")]);
    stage.shows("result", "elicitation accept");
    stage.tool("test_simple_text", &[]);
    stage.shows("result", "This is a simple text response");
    stage.tool("test_image_content", &[]);
    page.find("[data-testid=result-image] img");
    stage.tool("test_audio_content", &[]);
    page.test_id("result-audio");
    stage.tool("test_embedded_resource", &[]);
    stage.shows("result", "This is an embedded resource content.");
    stage.tool("test_multiple_content_types", &[]);
    page.find("[data-testid=result-image] img");
    stage.shows("result", "Multiple content types test:");
    stage.tool("test_error_handling", &[]);
    stage.shows("result-error", "intentionally returns an error");
    stage.tool("test_tool_with_progress", &[]);
    page.test_id("result");
    stage.tool("test_tool_with_logging", &[]);
    stage.shows("result", "executed successfully");
    stage.tool("test_elicitation", &[("message", "hello")]);
    stage.shows("result", "not supported");
    stage.tool("test_x_mcp_header", &[("region", "eu")]);
    stage.shows("result", "region=eu");
    // Its arguments have one of two shapes, and what each needs is not all given here.
    stage.choose("tools", "tool", "json_schema_2020_12_tool");
    page.find("[data-testid=arg-root-shape] option:nth-child(2)").click();
    stage.fill(&[("name", "Ada")]);
    page.test_id("call").wait_enabled().click();
    stage.shows("call-state", "the schema does not allow this");
    page.test_id("send-anyway").click();
    page.wait("the call to end", || {
        (page.count("[data-testid=result], [data-testid=result-error]") > 0).then_some(())
    });

    stage.shelf("prompts");
    stage.prompt("test_input_required_result_prompt", &[]);
    stage.send_form(&[("context", "the weather")]);
    stage.shows("result-messages", "Use the following context: the weather");
    stage.prompt("test_simple_prompt", &[]);
    stage.shows("result-messages", "simple prompt for testing");
    stage.prompt("test_prompt_with_arguments", &[("arg1", "one"), ("arg2", "two")]);
    stage.shows("result-messages", "arg1='one', arg2='two'");
    stage.prompt("test_prompt_with_embedded_resource", &[("resourceUri", "x://y")]);
    stage.shows("result-messages", "Embedded resource content");
    stage.prompt("test_prompt_with_image", &[]);
    page.find("[data-testid=result-messages] img");

    stage.shelf("resources");
    stage.template("template_resource", "variable-id", "a b/c");
    stage.shows("result", "Data for ID: a b/c");
    for (uri, expect) in [
        ("test://static-text", "static text resource"),
        ("test://watched-resource", "Watched resource content"),
        ("test://static-binary", "70 bytes"),
    ] {
        stage.choose("resources", "resource", uri);
        page.test_id("call").wait_enabled().click();
        stage.shows("result", expect);
    }
}

#[test]
fn the_npm_everything_server_is_answered_by_clicks() {
    let Some(stage) = Stage::of(real::everything) else {
        return;
    };
    let page = stage.page();
    page.test_id("server-real").click();
    page.test_id("server-connect").click();
    // It asks on its own, just after the handshake.
    stage.tick_site();
    press(page, "share-session");
    stage.shelf("tools");

    stage.tool("get-roots-list", &[]);
    let shown = stage.shows("result", "(1 total)");
    assert!(shown.contains("/site") && !shown.contains("/notes"), "{shown}");
    for (tool, args, expect) in [
        ("echo", &[("message", "hello there")][..], "Echo: hello there"),
        ("get-sum", &[("a", "2"), ("b", "40")], "42"),
        ("get-env", &[], "PATH"),
        ("get-resource-links", &[], "Link to a resource"),
        ("get-resource-reference", &[], "demo://resource/dynamic/text/1"),
        ("toggle-simulated-logging", &[], "simulated"),
        ("toggle-subscriber-updates", &[], "pdate"),
        (
            "gzip-file-as-resource",
            &[("data", "data:text/plain,hello")],
            "Link to a resource",
        ),
    ] {
        stage.tool(tool, args);
        stage.shows("result", expect);
    }
    stage.tool("toggle-simulated-logging", &[]);
    stage.shows("result", "Stopped");
    stage.tool("get-tiny-image", &[]);
    page.find("[data-testid=result-image] img");
    stage.choose("tools", "tool", "get-annotated-message");
    page.find("[data-testid=arg-messageType] option:nth-child(2)").click();
    page.test_id("call").wait_enabled().click();
    page.test_id("result");
    stage.choose("tools", "tool", "get-structured-content");
    page.find("[data-testid=arg-location] option:nth-child(2)").click();
    page.test_id("call").wait_enabled().click();
    page.test_id("result-structured");
    stage.tool("trigger-long-running-operation", &[("duration", "2"), ("steps", "4")]);
    page.test_id("call-progress");
    stage.shows("result", "completed");
    // It works as a task only, and tasks are not offered.
    stage.tool("simulate-research-query", &[("topic", "mills")]);
    stage.shows("result-error", "task");

    stage.tool("trigger-elicitation-request", &[]);
    stage.send_form(&[
        ("name", "Ada"),
        ("integer", &format!("{}7", key::BACKSPACE.to_string().repeat(4))),
    ]);
    let shown = stage.shows("result", "- Name: Ada");
    assert!(shown.contains("- Favorite Integer: 7"), "{shown}");
    page.test_id("call").wait_enabled().click();
    question(page);
    press(page, "form-decline");
    stage.shows("result", "declined");
    page.test_id("call").wait_enabled().click();
    question(page);
    press(page, "form-cancel");
    stage.shows("result", "cancelled");

    let url = "https://example.org/sign-in?from=gatehouse";
    stage.tool("trigger-url-elicitation", &[("url", url)]);
    question(page);
    assert!(
        page.test_id("link-url").text().contains(url),
        "the whole address is shown"
    );
    press_open(page);
    assert_eq!(stage.opened(), format!("{url}\n"), "the browser got it, once");
    press(page, "link-done");
    stage.shows("result", "User completed the URL elicitation flow");
    page.test_id("call").wait_enabled().click();
    question(page);
    press(page, "link-decline");
    stage.shows("result", "User declined to open the URL");
    // The same as an error: the page first, then the call once more.
    page.test_id("arg-errorPath").click();
    page.test_id("call").wait_enabled().click();
    question(page);
    page.wait_text("satisfy the prerequisite");
    press_open(page);
    press(page, "link-done");
    page.wait_text(url);
    question(page);
    press(page, "link-decline");
    stage.shows("result", "User declined to open the URL");

    stage.shelf("prompts");
    stage.prompt("simple-prompt", &[]);
    stage.shows("result-messages", "simple prompt without arguments");
    stage.prompt("args-prompt", &[("city", "Bern")]);
    stage.shows("result-messages", "Bern");
    // The server suggests what the fields may hold, the second by what stands in the first.
    stage.choose("prompts", "prompt", "completable-prompt");
    stage.suggested("arg-department", "Sal", "Sales");
    stage.suggested("arg-name", "E", "Eve");
    page.test_id("call").wait_enabled().click();
    stage.shows("result-messages", "Please promote Eve to the head of the Sales team.");
    stage.prompt("resource-prompt", &[("resourceType", "Text"), ("resourceId", "1")]);
    stage.shows("result-messages", "This is a plaintext resource");

    stage.shelf("resources");
    for name in [
        "architecture.md",
        "extension.md",
        "features.md",
        "instructions.md",
        "startup.md",
        "structure.md",
        "how-it-works.md",
    ] {
        stage.choose(
            "resources",
            "resource",
            &format!("demo://resource/static/document/{name}"),
        );
        page.test_id("call").wait_enabled().click();
        page.test_id("result-text");
    }
}

/// Opens the page of a question, as soon as the button is alive.
fn press_open(page: &Browser) {
    std::thread::sleep(std::time::Duration::from_millis(700));
    page.test_id("link-open").click();
}

impl Stage {
    /// Types the beginning of a word and takes what the server suggests for it.
    fn suggested(&self, field: &str, typed: &str, word: &str) {
        self.page().test_id(field).type_keys(typed);
        self.page().test_id(&format!("{field}-list"));
        self.page().press(&[key::DOWN]);
        self.page().press(&[key::ENTER]);
        let taken = || (self.page().test_id(field).property("value") == json!(word)).then_some(());
        self.page().wait("the suggestion to be taken", taken);
    }

    /// Chooses a template of resources, fills its one variable and reads what it stands for.
    fn template(&self, name: &str, variable: &str, value: &str) {
        self.choose("resources", "template", name);
        self.page().test_id(variable).type_keys(value);
        self.page().test_id("call").wait_enabled().click();
    }

    /// What the browser was asked for.
    fn opened(&self) -> String {
        self.page().wait("the browser to be asked", || {
            std::fs::read_to_string(self.browser.path().join("opened"))
                .ok()
                .filter(|text| text.ends_with('\n'))
        })
    }
}

#[test]
fn playwright_asks_during_its_first_call() {
    let Some(stage) = Stage::of(|| real::playwright().args(["--isolated"])) else {
        return;
    };
    let page = stage.page();
    stage.window.connect("real");
    stage.tool("browser_navigate", &[("url", "about:blank")]);
    question(page);
    let why = page.test_id("question-why").text();
    assert!(why.contains("browser_navigate"), "it says for which call: {why}");
    stage.tick_site();
    press(page, "share-once");
    // With or without a browser on this machine, the call ends and says how.
    page.wait("the call to end", || {
        (page.count("[data-testid=result], [data-testid=result-error]") > 0).then_some(())
    });
    let answer = stage.log.received().into_iter().find(|frame| frame.is_response());
    let answer = answer.expect("it was answered").raw;
    assert!(answer.contains("/site") && !answer.contains("/notes"), "{answer}");
    // What needs no page answers, or says so clearly.
    for tool in ["browser_close", "browser_tabs"] {
        stage.choose("tools", "tool", tool);
        assert!(page.test_id("call").is_displayed(), "{tool}");
    }
}
