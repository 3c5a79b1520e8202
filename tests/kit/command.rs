//! The `gatehouse` command in a home of its own: run without a terminal, or at one where the test reads and types. The
//! binary is the built one; nothing of it is linked here.

use std::ffi::OsStr;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::bins;
use crate::real::Launch;

/// How long one command may take before the test fails: real servers start in seconds, on a loaded machine in more.
const LIMIT: Duration = Duration::from_secs(90);

/// One installation. Its files go when this value goes.
#[derive(Debug)]
pub struct Gatehouse {
    dir: tempfile::TempDir,
}

/// A command that ended.
#[derive(Debug)]
pub struct Done {
    /// Its exit code; 128 and the signal where a signal ended it.
    pub code: i32,
    /// What it printed.
    pub stdout: String,
    /// What it said beside; at a terminal, everything that stood on the screen.
    pub stderr: String,
    /// From its start to its end.
    pub took: Duration,
}

/// A command that runs at a terminal of its own: standard input and error are the terminal, standard output is a pipe.
#[cfg(unix)]
#[derive(Debug)]
pub struct Terminal {
    keys: std::fs::File,
    screen: Arc<Mutex<String>>,
    read: usize,
    child: Child,
    stdout: Option<JoinHandle<String>>,
    began: Instant,
}

impl Gatehouse {
    /// A fresh installation.
    pub fn new() -> Self {
        let dir = tempfile::Builder::new()
            .prefix("gatehouse-")
            .tempdir()
            .expect("the temporary folder is writable");
        Self { dir }
    }

    /// A fresh installation with this server, under the name `s`, and one folder, `app`.
    pub fn with(launch: &Launch) -> Self {
        let gatehouse = Self::new();
        gatehouse.add("s", launch);
        gatehouse.share_folder("app");
        gatehouse
    }

    /// Where it keeps its files.
    pub fn home(&self) -> PathBuf {
        self.dir.path().join("home")
    }

    /// A file of its home.
    pub fn file(&self, name: &str) -> PathBuf {
        self.home().join(name)
    }

    /// The folder that commands run in.
    pub fn here(&self) -> &Path {
        self.dir.path()
    }

    /// Makes a folder of the person's.
    pub fn folder(&self, name: impl AsRef<OsStr>) -> PathBuf {
        let path = self.dir.path().join("folders").join(name.as_ref());
        std::fs::create_dir_all(&path).expect("the temporary folder is writable");
        path
    }

    /// Makes a folder of the person's and adds it.
    pub fn share_folder(&self, name: &str) -> PathBuf {
        let path = self.folder(name);
        self.ok([OsStr::new("folders"), OsStr::new("add"), path.as_os_str()]);
        path
    }

    /// Adds a server.
    pub fn add(&self, name: &str, launch: &Launch) {
        let mut args = vec!["servers".to_owned(), "add".to_owned(), name.to_owned()];
        for (key, value) in &launch.env {
            args.extend(["--env".to_owned(), format!("{key}={value}")]);
        }
        if let Some(cwd) = &launch.cwd {
            args.extend(["--cwd".to_owned(), cwd.display().to_string()]);
        }
        args.extend(["--".to_owned(), launch.command.clone()]);
        args.extend(launch.args.iter().cloned());
        self.ok(args);
    }

    /// The command with these arguments, to be started by the test.
    pub fn command<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Command {
        let mut command = Command::new(bins::gatehouse());
        command.args(args);
        self.settle(&mut command);
        command
    }

    /// Runs it where nobody is at a terminal.
    pub fn run<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Done {
        finish(self.command(args))
    }

    /// Runs it and expects that it does what was asked.
    pub fn ok<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Done {
        let done = self.run(args);
        assert_eq!(done.code, 0, "the command does what was asked: {done:#?}");
        done
    }

    /// Runs it with `--json` and expects exactly one document on standard output.
    pub fn json<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> (Done, Value) {
        let mut command = self.command(["--json"]);
        command.args(args);
        let done = finish(command);
        let document = serde_json::from_str(&done.stdout)
            .unwrap_or_else(|error| panic!("standard output is one JSON document ({error}): {done:#?}"));
        (done, document)
    }

    /// The rows of the record, oldest first.
    pub fn record(&self) -> Vec<Value> {
        let (_, mut document) = self.json(["record"]);
        let mut rows = document["record"]
            .as_array_mut()
            .map(std::mem::take)
            .unwrap_or_default();
        rows.reverse();
        rows
    }

    /// Starts it at a terminal.
    #[cfg(unix)]
    pub fn at_terminal<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Terminal {
        use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
        let keys = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).expect("there are terminals");
        grantpt(&keys)
            .and_then(|()| unlockpt(&keys))
            .expect("the terminal is ours");
        let name = ptsname(&keys, Vec::new()).expect("the terminal has a name");
        let name = name.into_string().expect("it is plain text");
        let line = std::fs::OpenOptions::new()
            .read(true)
            .write(true)
            .open(name)
            .expect("the terminal can be opened");
        // setsid makes the terminal the one that controls the command, so that Ctrl+C is a signal to it.
        let mut command = Command::new("setsid");
        command.arg("--ctty").arg(bins::gatehouse()).args(args);
        self.settle(&mut command);
        command
            .stdin(line.try_clone().expect("a descriptor is free"))
            .stderr(line)
            .stdout(Stdio::piped());
        let began = Instant::now();
        let mut child = command.spawn().expect("setsid of util-linux starts it");
        drop(command);
        let stdout = child.stdout.take().map(|pipe| std::thread::spawn(move || all(pipe)));
        let keys = std::fs::File::from(keys);
        let screen = Arc::new(Mutex::new(String::new()));
        let (shown, mut glass) = (screen.clone(), keys.try_clone().expect("a descriptor is free"));
        std::thread::spawn(move || {
            let (mut bytes, mut chunk) = (Vec::new(), [0; 4096]);
            // The end comes as an error: the other side of the terminal is gone.
            while let Ok(read) = glass.read(&mut chunk) {
                if read == 0 {
                    break;
                }
                bytes.extend_from_slice(&chunk[..read]);
                *shown.lock().unwrap_or_else(PoisonError::into_inner) = String::from_utf8_lossy(&bytes).into_owned();
            }
        });
        Terminal {
            keys,
            screen,
            read: 0,
            child,
            stdout,
            began,
        }
    }

    fn settle(&self, command: &mut Command) {
        command
            .env("GATEHOUSE_HOME", self.home())
            .env_remove("GATEHOUSE_LOG")
            .current_dir(self.here())
            .stdin(Stdio::null());
    }
}

impl Default for Gatehouse {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(unix)]
impl Terminal {
    /// Waits until this stands on the screen, after what was waited for before.
    pub fn expect(&mut self, text: &str) {
        let end = Instant::now() + LIMIT;
        loop {
            let screen = self.screen();
            if let Some(at) = screen[self.read..].find(text) {
                self.read += at + text.len();
                return;
            }
            assert!(Instant::now() < end, "waited for “{text}” on this screen:\n{screen}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Types this, as it is.
    pub fn types(&mut self, text: &str) {
        self.keys.write_all(text.as_bytes()).expect("the terminal takes keys");
    }

    /// Everything that stood on the screen so far.
    pub fn screen(&self) -> String {
        self.screen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The process of the command.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Ends it as a crash would.
    pub fn kill(&mut self) {
        self.child.kill().expect("the command still runs");
    }

    /// Waits for its end.
    pub fn end(mut self) -> Done {
        let status = wait(&mut self.child, &|| {
            self.screen.lock().unwrap_or_else(PoisonError::into_inner).clone()
        });
        let stdout = self
            .stdout
            .take()
            .and_then(|thread| thread.join().ok())
            .unwrap_or_default();
        // What was written last may not have crossed the terminal yet.
        std::thread::sleep(Duration::from_millis(50));
        Done {
            code: code(status),
            stdout,
            stderr: self.screen(),
            took: self.began.elapsed(),
        }
    }
}

/// Runs a command to its end.
pub fn finish(mut command: Command) -> Done {
    let began = Instant::now();
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let stdout = child.stdout.take().map(|pipe| std::thread::spawn(move || all(pipe)));
    let stderr = child.stderr.take().map(|pipe| std::thread::spawn(move || all(pipe)));
    let status = wait(&mut child, &String::new);
    let took = began.elapsed();
    let text = |thread: Option<JoinHandle<String>>| thread.and_then(|thread| thread.join().ok()).unwrap_or_default();
    Done {
        code: code(status),
        stdout: text(stdout),
        stderr: text(stderr),
        took,
    }
}

fn wait(child: &mut Child, shown: &dyn Fn() -> String) -> ExitStatus {
    let end = Instant::now() + LIMIT;
    loop {
        if let Some(status) = child.try_wait().expect("the command is ours") {
            return status;
        }
        if Instant::now() > end {
            // The test fails anyway; a command that is left behind would disturb the next.
            let _ = child.kill();
            panic!("the command did not end within {LIMIT:?}\n{}", shown());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn all(mut pipe: impl Read) -> String {
    let mut bytes = Vec::new();
    // What could be read before an error is what there is.
    let _ = pipe.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(unix)]
fn code(status: ExitStatus) -> i32 {
    use std::os::unix::process::ExitStatusExt;
    status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0))
}

#[cfg(not(unix))]
fn code(status: ExitStatus) -> i32 {
    status.code().unwrap_or(-1)
}
