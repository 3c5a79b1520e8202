//! Pictures of the real window, for the README and for whoever changes the page. Without `GATEHOUSE_SHOTS=DIR` it does nothing.
//!
//! `GATEHOUSE_SHOTS=DIR tests/session.sh cargo test -p gatehouse-tests --test e2e -- shots --nocapture`
//!
//! The pictures are taken from the X server with ImageMagick: WebDriver's own hang on a page that has nothing to draw.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use gatehouse_tests::bins::bin;
use gatehouse_tests::script::{Rule, Script, act};
use serde_json::json;

use crate::desk::{press, question, tick};
use crate::webdriver::key;
use crate::window::{Home, Window};

/// Width and height of the window, and what the file's name says of it.
type Size = (u32, u32, &'static str);
const LARGE: Size = (1180, 780, "large");
const SMALL: Size = (800, 600, "small");

#[test]
fn shots() {
    let Some(album) = album() else { return };
    each(&album, tour);
}

/// Where the pictures go, where any are wanted.
pub fn album() -> Option<PathBuf> {
    let album = std::env::var_os("GATEHOUSE_SHOTS").map(PathBuf::from)?;
    std::fs::create_dir_all(&album).expect("the folder of the pictures can be made");
    Some(album)
}

/// Walks through the same windows in each theme and size, and has pictures taken on the way.
pub fn each(album: &Path, walk: fn(&Camera)) {
    // A window of its own for each size: after shrinking, an idle page is not drawn anew at once.
    for (theme, size) in [
        ("light", LARGE),
        ("light", SMALL),
        ("dark", LARGE),
        ("dark", SMALL),
        ("contrast", LARGE),
    ] {
        let Some(home) = Home::in_place(tour_folder) else {
            return;
        };
        let home = home.with_own_programs();
        let gtk = if theme == "dark" { "Adwaita:dark" } else { "Adwaita" };
        let camera = Camera {
            // Without a graphics card the faster renderer may leave an old frame on the screen.
            window: home
                .env("GTK_THEME", gtk)
                .env("WEBKIT_DISABLE_DMABUF_RENDERER", "1")
                .open(),
            album: album.to_owned(),
            theme,
            size,
        };
        camera.window.page.resize(size.0, size.1);
        if theme == "contrast" {
            camera.window.command(&["settings", "set", "theme=contrast"]);
        }
        let dark = camera
            .window
            .page
            .script("return matchMedia('(prefers-color-scheme: dark)').matches", &json!([]));
        assert_eq!(dark, json!(theme == "dark"), "the page follows the desktop's theme");
        walk(&camera);
    }
}

/// A folder whose path reads well on a picture.
fn tour_folder() -> tempfile::TempDir {
    let place = tempfile::Builder::new()
        .prefix("gatehouse-tour")
        .rand_bytes(0)
        .tempdir_in("/tmp");
    place.expect("no other pictures are being taken: /tmp/gatehouse-tour is free")
}

/// A window, and where its pictures go.
pub struct Camera {
    /// The window.
    pub window: Window,
    album: PathBuf,
    theme: &'static str,
    size: Size,
}

impl Camera {
    /// Takes a picture.
    pub fn take(&self, name: &str) {
        let (width, height, size) = self.size;
        let id = output("xdotool", &["search", "--onlyvisible", "--name", "^Gatehouse$"]);
        let id = id.lines().next().expect("the window is on the screen").to_owned();
        let (wide, high) = (width.to_string(), height.to_string());
        output("xdotool", &["windowsize", "--sync", &id, &wide, &high]);
        // The page is drawn; a question's buttons come alive.
        std::thread::sleep(Duration::from_millis(900));
        let file = self.album.join(format!("{name}-{size}-{}.png", self.theme));
        let file = file.to_str().expect("UTF-8");
        output("import", &["-window", &id, "-strip", file]);
        println!("{file}");
    }
}

fn tour(camera: &Camera) {
    let window = &camera.window;
    let page = &window.page;
    camera.take("welcome");

    let website = folder(window, "website", &["index.html", "style.css", "about.html"]);
    let notes = folder(window, "notes", &["2026-11.md", "ideas.md"]);
    page.wait_text("notes");
    page.test_id("try-demo").click();
    window.call("count_files");
    question(page);
    tick(page, window.folder_id(&website), true);
    tick(page, window.folder_id(&notes), false);
    page.test_id("question-exact-toggle").click();
    camera.take("consent");
    press(page, "share-once");
    page.test_id("result");
    camera.take("server");
    palette_and_keys(camera);

    page.test_id("tool-greet").click();
    page.test_id("call").wait_enabled().click();
    question(page);
    page.test_id("form-field-name").type_keys("Ada");
    camera.take("form");
    press(page, "form-accept");
    page.test_id("result");

    window.call("tidy_plan");
    question(page);
    page.test_id("sheet-roots-shareOnce");
    tick(page, window.folder_id(&website), true);
    page.test_id("sheet-roots-shareOnce").click();
    camera.take("sheet");
    press(page, "sheet-cancel");
    page.test_id("result-declined");

    window.call("count_files");
    question(page);
    press(page, "refuse");
    page.test_id("result-declined");
    camera.take("declined");
    window.call("count_files");
    question(page);
    tick(page, window.folder_id(&website), true);
    tick(page, window.folder_id(&notes), true);
    press(page, "share-always");
    page.test_id("result");
    page.test_id("nav-record").click();
    page.test_id("record-row");
    camera.take("record");
    page.test_id("nav-grants").click();
    page.test_id("grant-row");
    camera.take("grants");

    arguments_and_table(camera);
    changed_definition(camera);
    failed_server(camera);
    long_words(camera);
}

/// The windows that the keyboard opens.
fn palette_and_keys(camera: &Camera) {
    let page = &camera.window.page;
    page.press(&[key::CONTROL, 'k']);
    page.test_id("palette-input").type_keys("co");
    camera.take("palette");
    page.press(&[key::ESCAPE]);
    page.wait_gone("[data-testid=palette]");
    page.press(&[key::F1]);
    page.test_id("keys");
    camera.take("keys");
    page.press(&[key::ESCAPE]);
    page.wait_gone("[data-testid=keys]");
}

/// A tool with arguments of many shapes, and a result that is a table.
fn arguments_and_table(camera: &Camera) {
    let window = &camera.window;
    let page = &window.page;
    scripted(window, "tickets", &tickets());
    page.test_id("tool-find_tickets").click();
    page.test_id("arg-text").type_keys("water");
    camera.take("arguments");
    page.test_id("args-json-toggle").click();
    page.test_id("args-json");
    camera.take("arguments-json");
    page.test_id("call").wait_enabled().click();
    page.test_id("result");
    camera.take("table");
}

/// Adds a scripted server whose command reads well on a picture, and connects it.
pub fn scripted(window: &Window, name: &str, script: &Script) {
    let bins = window.place.path().join("bin");
    let (program, file) = (bins.join(format!("{name}-mcp")), bins.join(format!("{name}.json")));
    std::fs::copy(bin("fake-server"), &program).expect("a program can be copied");
    let text = serde_json::to_string(script).expect("a script is JSON");
    std::fs::write(&file, text).expect("a file can be written");
    let (program, file) = (program.to_str().expect("UTF-8"), file.to_str().expect("UTF-8"));
    window.command(&["servers", "add", name, "--", program, file, "/dev/null"]);
    window.page.wait_text(name);
    window.connect(name);
}

fn tickets() -> Script {
    let tool = json!({
        "name": "find_tickets",
        "title": "Find tickets",
        "description": "Searches the tickets of one or more projects.",
        "annotations": { "readOnlyHint": true },
        "inputSchema": {
            "type": "object",
            "required": ["text"],
            "properties": {
                "text": { "type": "string", "title": "Text", "description": "Words that the ticket holds.", "minLength": 1 },
                "state": { "type": "string", "title": "State", "enum": ["open", "closed", "any"], "default": "open" },
                "labels": {
                    "type": "array",
                    "title": "Labels",
                    "uniqueItems": true,
                    "items": { "type": "string", "enum": ["bug", "wish", "question"] },
                },
                "limit": { "type": "integer", "title": "At most", "minimum": 1, "maximum": 100, "default": 20 },
                "since": { "type": "string", "title": "Changed since", "format": "date" },
            },
        },
    });
    let rows = [
        (118, "Water bill is printed twice", "open", "bug", 3),
        (131, "Export water levels as CSV", "open", "wish", 8),
        (140, "What does the water mark mean?", "open", "question", 1),
        (152, "Water colour theme", "open", "wish", 0),
    ];
    let rows = rows.map(|(id, title, state, label, votes)| {
        json!({ "id": id, "title": title, "state": state, "label": label, "votes": votes })
    });
    let found = json!({
        "resultType": "complete",
        "content": [{ "type": "text", "text": "Found **4 tickets**." }],
        "structuredContent": { "tickets": rows },
    });
    Script::modern()
        .tool_json(tool)
        .rule(Rule::on("tools/call").does([act::result(found)]))
}

/// A server that was allowed, and then edited in `servers.json` by hand.
fn changed_definition(camera: &Camera) {
    let window = &camera.window;
    let page = &window.page;
    window.command(&[
        "servers",
        "add",
        "issues",
        "--env",
        "TRACKER=https://issues.example.org",
        "--",
        "npx",
        "-y",
        "issue-tracker-mcp@1.4.0",
    ]);
    let file = window.place.path().join("home/servers.json");
    let text = std::fs::read_to_string(&file).expect("servers.json is there");
    let text = text.replace("issue-tracker-mcp@1.4.0", "issue-tracker-mcp@1.5.0");
    std::fs::write(&file, text).expect("servers.json can be written");
    page.wait_text("issues");
    std::thread::sleep(Duration::from_millis(500));
    page.test_id("server-issues").click();
    page.test_id("server-connect").click();
    question(page);
    camera.take("trust");
    page.test_id("trust-refuse").click();
    page.wait_gone("[data-testid=question]");
}

/// A server that ends at its start and says why.
fn failed_server(camera: &Camera) {
    let window = &camera.window;
    let page = &window.page;
    let program = window.place.path().join("bin/weather-mcp");
    std::fs::write(&program, "echo 'Error: WEATHER_API_KEY is not set.' >&2\nexit 1\n").expect("a file can be written");
    window.command(&[
        "servers",
        "add",
        "weather",
        "--",
        "sh",
        program.to_str().expect("UTF-8"),
    ]);
    page.wait_text("weather");
    page.test_id("server-weather").click();
    page.test_id("server-connect").click();
    page.test_id("server-reason");
    camera.take("failed");
}

/// Names and paths as long as they come.
fn long_words(camera: &Camera) {
    let window = &camera.window;
    let page = &window.page;
    let deep = "clients/Nordwestdeutsche Gesellschaft fuer Wasserwirtschaft/2026-annual-report-and-appendices";
    let deep = folder(window, deep, &["report.md"]);
    let demo = camera.window.place.path().join("bin/gatehouse");
    let name = "a-server-with-quite-a-long-name-for-the-annual-report";
    window.command(&[
        "servers",
        "add",
        name,
        "--",
        demo.to_str().expect("UTF-8"),
        "demo-server",
    ]);
    page.wait_text(name);
    window.connect(name);
    window.call("tidy_plan");
    question(page);
    page.test_id("question-exact-toggle").click();
    tick(page, window.folder_id(&deep), true);
    camera.take("long");
    press(page, "sheet-cancel");
    page.test_id("nav-record").click();
    page.test_id("record-row");
    camera.take("record-long");
}

/// Makes a project with files in it and adds it through the command.
fn folder(window: &Window, name: &str, files: &[&str]) -> PathBuf {
    let path = window.place.path().join("Projects").join(name);
    std::fs::create_dir_all(&path).expect("a folder can be made");
    for file in files {
        std::fs::write(path.join(file), "…").expect("a file can be made");
    }
    window.command(&["folders", "add", path.to_str().expect("UTF-8")]);
    let shown = Path::new(name)
        .file_name()
        .and_then(|name| name.to_str())
        .expect("UTF-8");
    window.page.wait_text(shown);
    path
}

fn output(program: &str, args: &[&str]) -> String {
    let run = Command::new(program).args(args).output().expect("the program runs");
    assert!(
        run.status.success(),
        "{program} {args:?}: {}",
        String::from_utf8_lossy(&run.stderr)
    );
    String::from_utf8(run.stdout).expect("UTF-8")
}
