//! One window with a home of its own: folders, servers, and the steps that every test takes. No assertions of a test's own.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

use gatehouse_tests::bins;
use gatehouse_tests::fake::FakeServer;
use gatehouse_tests::log::Log;
use serde_json::{Value, json};

use crate::webdriver::{Browser, Launch};

/// One window at a time: they share a screen, a pointer and a keyboard.
static SCREEN: Mutex<()> = Mutex::new(());

/// A window and its home.
pub struct Window {
    /// The page.
    pub page: Browser,
    /// Where its folders lie.
    pub place: tempfile::TempDir,
    home: PathBuf,
    started: Started,
    _screen: MutexGuard<'static, ()>,
}

/// What is started as the window, and with which variables on top.
#[derive(Clone)]
struct Started {
    program: PathBuf,
    env: Vec<(String, String)>,
}

/// A home before its window is opened.
pub struct Home {
    place: tempfile::TempDir,
    servers: Vec<(String, Value)>,
    started: Started,
    screen: MutexGuard<'static, ()>,
}

impl Home {
    /// An empty home; none where there is no display.
    pub fn new() -> Option<Self> {
        Self::in_place(|| tempfile::tempdir().expect("a temporary folder"))
    }

    /// The same in a folder of the caller's making, made when the screen is free.
    pub fn in_place(place: impl FnOnce() -> tempfile::TempDir) -> Option<Self> {
        if std::env::var_os("DISPLAY").is_none() {
            println!("skipped: there is no display; ./dev test brings one");
            return None;
        }
        let screen = SCREEN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        Some(Self {
            place: place(),
            servers: Vec::new(),
            started: Started {
                program: bins::gatehouse().with_file_name("gatehouse-desktop"),
                env: Vec::new(),
            },
            screen,
        })
    }

    /// Starts copies of both programs, from a folder `bin` of this home: their paths are the home's, wherever they were built.
    pub fn with_own_programs(mut self) -> Self {
        let bin = self.place.path().join("bin");
        std::fs::create_dir_all(&bin).expect("a folder can be made");
        let built = bins::gatehouse();
        for program in [&built, &self.started.program] {
            let name = program.file_name().expect("a program has a name");
            std::fs::copy(program, bin.join(name)).expect("a program can be copied");
        }
        self.started.program = bin.join("gatehouse-desktop");
        self
    }

    /// Sets a variable for the window.
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.started.env.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Puts a scripted server into `servers.json`, allowed to start.
    pub fn server(mut self, name: &str, fake: &FakeServer) -> Self {
        self.servers.push((name.to_owned(), fake.launch().entry()));
        self
    }

    /// The same for a server that is started so.
    pub fn launch(mut self, name: &str, launch: &gatehouse_tests::real::Launch) -> Self {
        self.servers.push((name.to_owned(), launch.entry()));
        self
    }

    /// Opens the window.
    pub fn open(self) -> Window {
        self.open_trusting(true)
    }

    /// Opens the window on servers that the person has not seen.
    pub fn open_untrusted(self) -> Window {
        self.open_trusting(false)
    }

    fn open_trusting(self, trust: bool) -> Window {
        let home = self.place.path().join("home");
        std::fs::create_dir_all(&home).expect("the home can be made");
        let servers: serde_json::Map<String, Value> = self.servers.iter().cloned().collect();
        if !servers.is_empty() {
            let text = serde_json::to_string_pretty(&json!({ "mcpServers": servers })).expect("JSON");
            std::fs::write(home.join("servers.json"), text).expect("servers.json can be written");
        }
        if trust {
            for (name, _) in &self.servers {
                command(&home, &["servers", "trust", name]);
            }
        }
        let page = start(&home, &self.started);
        Window {
            page,
            home,
            started: self.started,
            place: self.place,
            _screen: self.screen,
        }
    }
}

impl Window {
    /// Makes a folder beside the home and gives its path.
    pub fn folder(&self, name: &str) -> PathBuf {
        let path = self.place.path().join(name);
        std::fs::create_dir_all(&path).expect("a folder can be made");
        std::fs::write(path.join("one.txt"), "1").expect("a file can be made");
        path
    }

    /// Adds a folder through the command, as a second process of the same home, and waits until the window shows it.
    pub fn add_folder(&self, name: &str) -> PathBuf {
        let path = self.folder(name);
        self.command(&["folders", "add", path.to_str().expect("UTF-8")]);
        self.page.wait_text(name);
        path
    }

    /// The number of the folder at a path.
    pub fn folder_id(&self, path: &Path) -> u64 {
        let listed = self.command(&["folders", "list", "--json"]);
        let listed: Value = serde_json::from_str(&listed).expect("one JSON document");
        let folders = listed["folders"].as_array().expect("folders").clone();
        let found = folders
            .iter()
            .find(|folder| folder["path"] == path.to_str().expect("UTF-8"));
        found
            .and_then(|folder| folder["id"].as_u64())
            .expect("the folder is in the list")
    }

    /// Opens a server's page and connects it.
    pub fn connect(&self, server: &str) {
        self.page.test_id(&format!("server-{server}")).click();
        self.page.test_id("server-connect").click();
        self.page.wait("the server to be ready", || {
            self.page
                .find_all("[data-testid=server-disconnect]")
                .first()
                .map(|_| ())
        });
    }

    /// Chooses a tool and calls it.
    pub fn call(&self, tool: &str) {
        self.page.test_id(&format!("tool-{tool}")).click();
        self.page.test_id("call").wait_enabled().click();
    }

    /// Runs the `gatehouse` command on the window's home and gives what it printed.
    pub fn command(&self, args: &[&str]) -> String {
        command(&self.home, args)
    }

    /// Where its files are.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// Ends the window in order, as the end of a session does, and gives its home back for another.
    pub fn quit(self) -> Fallen {
        self.end(rustix::process::Signal::TERM)
    }

    /// Ends the window with `kill -9` and gives its home back for another.
    pub fn kill(self) -> Fallen {
        self.end(rustix::process::Signal::KILL)
    }

    fn end(self, signal: rustix::process::Signal) -> Fallen {
        let number = self.page.program_pid().expect("the window's process lives");
        let pid = rustix::process::Pid::from_raw(i32::try_from(number).expect("a pid")).expect("a pid");
        rustix::process::kill_process(pid, signal).expect("it can be signalled");
        self.page.wait("the window's process to end", || {
            (self.page.program_pid() != Some(number)).then_some(())
        });
        drop(self.page);
        Fallen {
            place: self.place,
            home: self.home,
            started: self.started,
            screen: self._screen,
        }
    }
}

/// What a window left that has ended.
pub struct Fallen {
    place: tempfile::TempDir,
    home: PathBuf,
    started: Started,
    screen: MutexGuard<'static, ()>,
}

impl Fallen {
    /// Writes a setting of the window's into the database, as a damaged disk or another screen would.
    pub fn write_setting(&self, key: &str, value: &str) {
        let db = rusqlite::Connection::open(self.home.join("gatehouse.db")).expect("the database is there");
        let changed = db
            .execute(
                "UPDATE settings SET value = ?2 WHERE scope = '' AND key = ?1",
                [key, value],
            )
            .expect("it can be written");
        assert_eq!(changed, 1, "{key} was remembered");
    }

    /// Opens a window on the same home.
    pub fn open(self) -> Window {
        let page = start(&self.home, &self.started);
        Window {
            page,
            home: self.home,
            started: self.started,
            place: self.place,
            _screen: self.screen,
        }
    }
}

fn start(home: &Path, started: &Started) -> Browser {
    let Started { program, env } = started.clone();
    assert!(
        program.is_file(),
        "{} is built before this suite runs",
        program.display()
    );
    let own = ("GATEHOUSE_HOME".into(), home.to_str().expect("UTF-8").into());
    let page = Browser::start(&Launch {
        program,
        args: Vec::new(),
        env: env.into_iter().chain([own]).collect(),
        log: home.with_file_name(format!("window-{}.log", std::process::id())),
    });
    page.test_id("app-ready");
    page
}

fn command(home: &Path, args: &[&str]) -> String {
    let run = std::process::Command::new(bins::gatehouse())
        .args(args)
        .env("GATEHOUSE_HOME", home)
        .output();
    let run = run.expect("the gatehouse command runs");
    assert!(
        run.status.success(),
        "gatehouse {args:?}: {}",
        String::from_utf8_lossy(&run.stderr)
    );
    String::from_utf8(run.stdout).expect("UTF-8")
}

/// Raw frames of one method that a server got.
pub fn got(log: &Log, method: &str) -> Vec<String> {
    log.received_method(method)
        .iter()
        .map(|frame| frame.raw.clone())
        .collect()
}

/// A `PATH` whose `xdg-open` writes what it is asked for into the file `opened` of the folder.
pub fn fake_browser() -> (String, tempfile::TempDir) {
    use std::os::unix::fs::PermissionsExt;
    let bin = tempfile::tempdir().expect("a temporary folder");
    let program = bin.path().join("xdg-open");
    let text = "#!/bin/sh\nprintf '%s\\n' \"$@\" >> \"$(dirname \"$0\")/opened\"\n";
    std::fs::write(&program, text).expect("a script can be written");
    let runs = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&program, runs).expect("a script can be made to run");
    let rest = std::env::var("PATH").expect("there is a PATH");
    (format!("{}:{rest}", bin.path().display()), bin)
}
