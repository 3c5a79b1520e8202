//! A blocking WebDriver client for the window: one program under test, found, clicked, typed into and photographed.
//!
//! It waits where a person would wait, and when waiting is no use it panics at the caller's line with the page's text.
//! It is no general client: it speaks to WebKitWebDriver, which starts the program itself and ends it badly. So the driver
//! gets a process group of its own, and the whole group is ended when the [`Browser`] is dropped.

#![allow(
    dead_code,
    reason = "the verbs of a page are whole here, whether or not a test needs each today"
)]

use std::{
    fs::{self, File},
    net::TcpListener,
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

/// What to start, and where its traces go.
#[derive(Default)]
pub struct Launch {
    /// The program, as an absolute path.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// Variables on top of the test's own environment.
    pub env: Vec<(String, String)>,
    /// Takes everything that the driver and the program write (both streams).
    pub log: PathBuf,
}

/// Keys that have no character, for [`Browser::press`] and [`Element::type_keys`].
#[allow(missing_docs, reason = "each is named after its key")]
pub mod key {
    pub const BACKSPACE: char = '\u{E003}';
    pub const TAB: char = '\u{E004}';
    pub const ENTER: char = '\u{E007}';
    pub const SHIFT: char = '\u{E008}';
    pub const CONTROL: char = '\u{E009}';
    pub const ALT: char = '\u{E00A}';
    pub const ESCAPE: char = '\u{E00C}';
    pub const SPACE: char = ' ';
    pub const END: char = '\u{E010}';
    pub const HOME: char = '\u{E011}';
    pub const LEFT: char = '\u{E012}';
    pub const UP: char = '\u{E013}';
    pub const RIGHT: char = '\u{E014}';
    pub const DOWN: char = '\u{E015}';
    pub const F1: char = '\u{E031}';
    pub const F6: char = '\u{E036}';
    pub const DELETE: char = '\u{E017}';
}

/// A refusal of the driver: its error code and message.
#[derive(Debug)]
pub struct Fault {
    /// The code of the WebDriver standard, or `transport` when no answer came.
    pub code: String,
    /// The driver's words.
    pub message: String,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}

impl Fault {
    /// The page was drawn anew under our hands, or covers the element for a moment: looking again may help.
    fn passes(&self) -> bool {
        let again = [
            "no such element",
            "stale element reference",
            "element not interactable",
            "element click intercepted",
        ];
        again.contains(&self.code.as_str())
    }
}

/// One running program with its driver.
pub struct Browser {
    agent: ureq::Agent,
    driver: Child,
    address: String,
    session: String,
    program: PathBuf,
    log: PathBuf,
    /// How long a wait lasts before it is a failure.
    pub patience: Duration,
}

impl Browser {
    /// Starts the driver and, through it, the program; returns when its first page is there.
    #[track_caller]
    pub fn start(launch: &Launch) -> Self {
        let port = TcpListener::bind("127.0.0.1:0")
            .and_then(|free| free.local_addr())
            .expect("a free port")
            .port();
        let log = File::create(&launch.log).expect("the log file can be made");
        let driver = Command::new("WebKitWebDriver")
            .args([format!("--port={port}"), "--host=127.0.0.1".into()])
            .env("TAURI_WEBVIEW_AUTOMATION", "true")
            .envs(launch.env.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(log.try_clone().expect("a second handle on the log"))
            .stderr(log)
            .process_group(0)
            .spawn()
            .expect("WebKitWebDriver starts (Debian: webkit2gtk-driver)");
        let agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_secs(30)))
            .build()
            .into();
        let mut browser = Browser {
            agent,
            driver,
            address: format!("http://127.0.0.1:{port}"),
            session: String::new(),
            program: launch.program.clone(),
            log: launch.log.clone(),
            patience: Duration::from_secs(10),
        };
        // From here on a panic drops the browser, which ends the driver and what it started.
        let began = Instant::now();
        while let Err(fault) = browser.send("GET", "/status", None) {
            if began.elapsed() > browser.patience || !matches!(browser.driver.try_wait(), Ok(None)) {
                panic!(
                    "the driver does not answer: {fault}\n--- its log\n{}",
                    browser.log_text()
                );
            }
            sleep(Duration::from_millis(20));
        }
        // A browserName other than the program's own would be refused, so there is none.
        let options = json!({ "binary": launch.program, "args": launch.args });
        let wanted = json!({ "capabilities": { "alwaysMatch": { "webkitgtk:browserOptions": options } } });
        match browser.send("POST", "/session", Some(&wanted)) {
            Ok(answer) => browser.session = text_of(&answer["sessionId"]),
            Err(fault) => panic!("no session: {fault}\n--- the log\n{}", browser.log_text()),
        }
        browser
    }

    // ---- Finding

    /// The first element of a CSS selector, awaited.
    #[track_caller]
    pub fn find(&self, css: &str) -> Element<'_> {
        let element = self.lazy(css);
        element.retry("to be there", |id| Ok(id.to_owned()));
        element
    }

    /// The first element with this `data-testid`, awaited.
    #[track_caller]
    pub fn test_id(&self, id: &str) -> Element<'_> {
        self.find(&format!("[data-testid={}]", json!(id)))
    }

    /// The same without waiting: every action on it looks it up first, and waits.
    pub fn lazy(&self, css: &str) -> Element<'_> {
        Element {
            browser: self,
            css: css.to_owned(),
            index: 0,
        }
    }

    /// Every element of a CSS selector, as they are now; none is an empty list.
    #[track_caller]
    pub fn find_all(&self, css: &str) -> Vec<Element<'_>> {
        let found = self
            .ids(css)
            .unwrap_or_else(|fault| self.fail(&format!("looking for {css}: {fault}")));
        (0..found.len())
            .map(|index| Element {
                browser: self,
                css: css.to_owned(),
                index,
            })
            .collect()
    }

    /// How many elements a CSS selector has now.
    #[track_caller]
    pub fn count(&self, css: &str) -> usize {
        match self.ids(css) {
            Ok(ids) => ids.len(),
            // One went while they were counted: it still counted then.
            Err(fault) if fault.passes() => 1,
            Err(fault) => self.fail(&format!("counting {css}: {fault}")),
        }
    }

    /// Waits until no element has this CSS selector.
    #[track_caller]
    pub fn wait_gone(&self, css: &str) {
        self.wait(&format!("{css} to go"), || (self.count(css) == 0).then_some(()));
    }

    /// Waits until the page's visible text has `part` in it.
    #[track_caller]
    pub fn wait_text(&self, part: &str) {
        self.wait(&format!("the text {part:?}"), || {
            self.text().contains(part).then_some(())
        });
    }

    /// Asks until there is an answer; without one, fails with `what` and the page's text.
    #[track_caller]
    pub fn wait<T>(&self, what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
        let began = Instant::now();
        loop {
            if let Some(answer) = ask() {
                return answer;
            }
            if began.elapsed() > self.patience {
                self.fail(&format!("waited {:?} for {what}", self.patience));
            }
            sleep(Duration::from_millis(30));
        }
    }

    // ---- The page

    /// The visible text of the page.
    pub fn text(&self) -> String {
        self.try_script("return document.body ? document.body.innerText : ''", &json!([]))
            .map(|text| text_of(&text))
            .unwrap_or_default()
    }

    /// The address of the page.
    #[track_caller]
    pub fn url(&self) -> String {
        text_of(&self.get("/url"))
    }

    /// The title of the page.
    #[track_caller]
    pub fn title(&self) -> String {
        text_of(&self.get("/title"))
    }

    /// Loads an address. For pages other than the program's own.
    #[track_caller]
    pub fn go(&self, url: &str) {
        self.post("/url", &json!({ "url": url }));
    }

    /// Loads the page again, as a person does with F5.
    #[track_caller]
    pub fn reload(&self) {
        self.post("/refresh", &json!({}));
    }

    /// Runs the body of a function in the page; `arguments` are its arguments.
    #[track_caller]
    pub fn script(&self, body: &str, arguments: &Value) -> Value {
        self.try_script(body, arguments)
            .unwrap_or_else(|fault| self.fail(&format!("script {body:?}: {fault}")))
    }

    /// The same, ending when the body calls its last argument; its value is what that was called with.
    #[track_caller]
    pub fn script_async(&self, body: &str, arguments: &Value) -> Value {
        self.post("/execute/async", &json!({ "script": body, "args": arguments }))
    }

    /// The `data-testid` of the element that has the focus, or its tag name in angle brackets.
    #[track_caller]
    pub fn focused(&self) -> String {
        let look = "const e = document.activeElement; return e ? e.dataset.testid || `<${e.localName}>` : ''";
        text_of(&self.script(look, &json!([])))
    }

    /// Presses keys together and lets go in reverse: `press(&[key::CONTROL, 'a'])`. They go to what has the focus.
    #[track_caller]
    pub fn press(&self, keys: &[char]) {
        let act = |kind: &str, key: &char| json!({ "type": kind, "value": key.to_string() });
        let down = keys.iter().map(|key| act("keyDown", key));
        let up = keys.iter().rev().map(|key| act("keyUp", key));
        let actions: Vec<Value> = down.chain(up).collect();
        self.post(
            "/actions",
            &json!({ "actions": [{ "type": "key", "id": "keyboard", "actions": actions }] }),
        );
    }

    /// Waits until the page is painted, and writes a picture of it (PNG).
    #[track_caller]
    pub fn screenshot(&self, file: &Path) {
        self.script_async(
            "requestAnimationFrame(() => requestAnimationFrame(arguments[0]))",
            &json!([]),
        );
        let picture = base64(&text_of(&self.get("/screenshot")));
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder).expect("the folder of the picture can be made");
        }
        fs::write(file, picture).expect("the picture can be written");
    }

    // ---- Windows

    /// The handles of all windows.
    #[track_caller]
    pub fn windows(&self) -> Vec<String> {
        self.get("/window/handles")
            .as_array()
            .map(|all| all.iter().map(text_of).collect())
            .unwrap_or_default()
    }

    /// The handle of the window that commands go to.
    #[track_caller]
    pub fn window(&self) -> String {
        text_of(&self.get("/window"))
    }

    /// Sends the commands that follow to another window.
    #[track_caller]
    pub fn switch(&self, handle: &str) {
        self.post("/window", &json!({ "handle": handle }));
    }

    /// Waits for a window that is not in `known`, and switches to it.
    #[track_caller]
    pub fn switch_to_new(&self, known: &[String]) -> String {
        let new = self.wait("a new window", || {
            self.windows().into_iter().find(|handle| !known.contains(handle))
        });
        self.switch(&new);
        new
    }

    /// Closes the window that commands go to; those that remain are returned, and one of them must be switched to.
    #[track_caller]
    pub fn close_window(&self) -> Vec<String> {
        match self.session_send("DELETE", "/window", None) {
            Ok(left) => left
                .as_array()
                .map(|all| all.iter().map(text_of).collect())
                .unwrap_or_default(),
            Err(fault) => self.fail(&format!("closing the window: {fault}")),
        }
    }

    /// Position and size of the window: x, y, width, height.
    #[track_caller]
    pub fn rect(&self) -> [i64; 4] {
        let rect = self.get("/window/rect");
        ["x", "y", "width", "height"].map(|name| rect[name].as_f64().unwrap_or_default() as i64)
    }

    /// Gives the window a size.
    #[track_caller]
    pub fn resize(&self, width: u32, height: u32) {
        self.post("/window/rect", &json!({ "width": width, "height": height }));
    }

    // ---- The processes

    /// The process of the program under test, while it lives.
    pub fn program_pid(&self) -> Option<u32> {
        let program = fs::canonicalize(&self.program).ok()?;
        fs::read_dir("/proc").ok()?.flatten().find_map(|entry| {
            let pid: u32 = entry.file_name().to_str()?.parse().ok()?;
            let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
            // The name in brackets may hold anything; behind it: state, parent, process group.
            let group: u32 = stat.rsplit_once(')')?.1.split_whitespace().nth(2)?.parse().ok()?;
            let same = group == self.driver.id() && fs::read_link(entry.path().join("exe")).ok()? == program;
            same.then_some(pid)
        })
    }

    /// What the driver and the program have written so far.
    pub fn log_text(&self) -> String {
        fs::read(&self.log)
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
            .unwrap_or_default()
    }

    // ---- The wire

    #[track_caller]
    fn get(&self, path: &str) -> Value {
        self.session_send("GET", path, None)
            .unwrap_or_else(|fault| self.fail(&format!("{path}: {fault}")))
    }

    #[track_caller]
    fn post(&self, path: &str, body: &Value) -> Value {
        self.session_send("POST", path, Some(body))
            .unwrap_or_else(|fault| self.fail(&format!("{path}: {fault}")))
    }

    fn try_script(&self, body: &str, arguments: &Value) -> Result<Value, Fault> {
        self.session_send(
            "POST",
            "/execute/sync",
            Some(&json!({ "script": body, "args": arguments })),
        )
    }

    fn ids(&self, css: &str) -> Result<Vec<String>, Fault> {
        let found = self.session_send(
            "POST",
            "/elements",
            Some(&json!({ "using": "css selector", "value": css })),
        )?;
        // An element is an object with one member, whose name is a constant of the standard.
        let id = |element: &Value| element.as_object()?.values().next()?.as_str().map(str::to_owned);
        Ok(found
            .as_array()
            .map(|all| all.iter().filter_map(id).collect())
            .unwrap_or_default())
    }

    fn session_send(&self, method: &str, path: &str, body: Option<&Value>) -> Result<Value, Fault> {
        self.send(method, &format!("/session/{}{path}", self.session), body)
    }

    fn send(&self, method: &str, path: &str, body: Option<&Value>) -> Result<Value, Fault> {
        let lost = |error: &dyn std::fmt::Display| Fault {
            code: "transport".into(),
            message: error.to_string(),
        };
        let request = ureq::http::Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.address))
            .header("content-type", "application/json")
            .body(body.map(Value::to_string).unwrap_or_default())
            .map_err(|error| lost(&error))?;
        let mut response = self.agent.run(request).map_err(|error| lost(&error))?;
        let text = response
            .body_mut()
            .with_config()
            .limit(64 << 20)
            .read_to_string()
            .map_err(|error| lost(&error))?;
        let mut answer: Value = serde_json::from_str(&text).map_err(|error| lost(&error))?;
        let value = answer["value"].take();
        match value["error"].as_str() {
            Some(code) => Err(Fault {
                code: code.to_owned(),
                message: text_of(&value["message"]),
            }),
            None => Ok(value),
        }
    }

    #[track_caller]
    fn fail(&self, what: &str) -> ! {
        let log = self.log_text();
        let tail = log.char_indices().rev().nth(3000).map_or(0, |(at, _)| at);
        panic!(
            "{what}\n--- the page's text\n{}\n--- the end of the log\n{}",
            self.text(),
            &log[tail..]
        );
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() {
            let _ = self.session_send("DELETE", "", None);
        }
        // The program sometimes outlives its session. The shell's own kill needs no package and no unsafe code.
        let group = format!("kill -s KILL -- -{}", self.driver.id());
        let _ = Command::new("sh").args(["-c", &group]).stderr(Stdio::null()).status();
        let _ = self.driver.wait();
    }
}

/// One place in the page. It is looked up anew by each action, so a page that is drawn again does no harm.
pub struct Element<'a> {
    browser: &'a Browser,
    css: String,
    index: usize,
}

impl Element<'_> {
    /// Clicks it, as soon as it can be clicked.
    #[track_caller]
    pub fn click(&self) -> &Self {
        self.retry("to take a click", |id| {
            let clicked = self.send("POST", id, "/click", Some(&json!({})));
            if clicked
                .as_ref()
                .is_err_and(|fault| fault.code == "element not interactable")
            {
                // The driver leaves one that is half in sight, inside a box that scrolls, where it is. A person scrolls on.
                let seen = json!([{ "element-6066-11e4-a52e-4f735466cecf": id }]);
                let _ = self
                    .browser
                    .try_script("arguments[0].scrollIntoView({ block: 'nearest' })", &seen);
            }
            clicked
        });
        self
    }

    /// Types into it, after what is there. Characters of [`key`] are keys.
    #[track_caller]
    pub fn type_keys(&self, text: &str) -> &Self {
        self.retry("to take keys", |id| {
            self.send("POST", id, "/value", Some(&json!({ "text": text })))
        });
        self
    }

    /// Empties it.
    #[track_caller]
    pub fn clear(&self) -> &Self {
        self.retry("to be emptied", |id| self.send("POST", id, "/clear", Some(&json!({}))));
        self
    }

    /// Its visible text.
    #[track_caller]
    pub fn text(&self) -> String {
        text_of(&self.ask("/text"))
    }

    /// An attribute as the page's source has it.
    #[track_caller]
    pub fn attribute(&self, name: &str) -> Option<String> {
        let got = self.retry("to have attributes", |id| {
            let read = json!([{ "element-6066-11e4-a52e-4f735466cecf": id }, name]);
            self.browser
                .try_script("return arguments[0].getAttribute(arguments[1])", &read)
        });
        got.as_str().map(str::to_owned)
    }

    /// Its text whether or not it is drawn, as a screen reader gets it.
    #[track_caller]
    pub fn text_content(&self) -> String {
        text_of(&self.property("textContent"))
    }

    /// A property as the page's script sees it, such as `value` or `checked`.
    #[track_caller]
    pub fn property(&self, name: &str) -> Value {
        self.ask(&format!("/property/{name}"))
    }

    /// Can it be used, or is it greyed?
    #[track_caller]
    pub fn is_enabled(&self) -> bool {
        self.ask("/enabled") == json!(true)
    }

    /// Is it ticked or chosen?
    #[track_caller]
    pub fn is_selected(&self) -> bool {
        self.ask("/selected") == json!(true)
    }

    /// Can it be seen?
    #[track_caller]
    pub fn is_displayed(&self) -> bool {
        self.ask("/displayed") == json!(true)
    }

    /// Does it have the focus?
    #[track_caller]
    pub fn is_focused(&self) -> bool {
        let active = self.browser.session_send("GET", "/element/active", None).ok();
        let active = active
            .as_ref()
            .and_then(|found| found.as_object()?.values().next()?.as_str());
        active.is_some_and(|active| self.retry("to be there", |id| Ok(active == id)))
    }

    /// Its role as assistive technology hears it.
    #[track_caller]
    pub fn role(&self) -> String {
        text_of(&self.ask("/computedrole"))
    }

    /// Its name as assistive technology hears it.
    #[track_caller]
    pub fn label(&self) -> String {
        text_of(&self.ask("/computedlabel"))
    }

    /// Waits until it can be used.
    #[track_caller]
    pub fn wait_enabled(&self) -> &Self {
        self.browser.wait(&format!("{} to be enabled", self.css), || {
            self.is_enabled().then_some(())
        });
        self
    }

    #[track_caller]
    fn ask(&self, what: &str) -> Value {
        self.retry(&format!("to answer {what}"), |id| self.send("GET", id, what, None))
    }

    fn send(&self, method: &str, id: &str, what: &str, body: Option<&Value>) -> Result<Value, Fault> {
        self.browser.session_send(method, &format!("/element/{id}{what}"), body)
    }

    /// Looks the element up and acts, until it succeeds or fails for a reason that waiting doesn't mend.
    #[track_caller]
    fn retry<T>(&self, what: &str, act: impl Fn(&str) -> Result<T, Fault>) -> T {
        let browser = self.browser;
        let began = Instant::now();
        loop {
            let fault = match browser.ids(&self.css) {
                Ok(ids) => match ids.get(self.index).map(|id| act(id)) {
                    Some(Ok(done)) => return done,
                    Some(Err(fault)) => fault,
                    None => Fault {
                        code: "no such element".into(),
                        message: format!("{} found", ids.len()),
                    },
                },
                Err(fault) => fault,
            };
            if !fault.passes() || began.elapsed() > browser.patience {
                browser.fail(&format!(
                    "{}[{}] {what}, after {:?}: {fault}",
                    self.css,
                    self.index,
                    began.elapsed()
                ));
            }
            sleep(Duration::from_millis(30));
        }
    }
}

fn text_of(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Pictures come as base64; ten lines are less than one more crate.
fn base64(text: &str) -> Vec<u8> {
    let (mut out, mut bits, mut held) = (Vec::with_capacity(text.len() / 4 * 3), 0u32, 0);
    for sign in text.bytes() {
        let six = match sign {
            b'A'..=b'Z' => sign - b'A',
            b'a'..=b'z' => sign - b'a' + 26,
            b'0'..=b'9' => sign - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => continue,
        };
        bits = bits << 6 | u32::from(six);
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push((bits >> held) as u8);
        }
    }
    out
}
