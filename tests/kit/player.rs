//! Plays a script: reads stdin and logs it as it comes, finds the rule, does what it says.
//!
//! Three threads: the reader (so that arrival times are true and answers can be awaited), the player (rules in order of
//! arrival), and one for signals. A rule in the background gets a thread of its own.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, mpsc};
use std::time::{Duration, Instant};

use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::journal::{Dir, Journal, decode};
use crate::script::{Action, Era, Piece, Rule, Script};
use crate::template::{Source, fill};

const KEYS: [&str; 2] = [
    "io.modelcontextprotocol/protocolVersion",
    "io.modelcontextprotocol/clientCapabilities",
];

struct Player {
    script: Script,
    journal: Journal,
    /// How many frames fitted each rule.
    counts: Vec<AtomicU64>,
    /// Which process on this log we are, from 1.
    process: u64,
    stop_reading: AtomicBool,
    answers: Mutex<BTreeMap<String, ()>>,
    answered: Condvar,
    stdout: Mutex<()>,
}

enum Arrival {
    Line(Vec<u8>),
    End,
}

/// Plays the script at `script` until it ends, logging to `log`.
pub fn play(script: &Path, log: &Path) -> io::Result<()> {
    let text = std::fs::read_to_string(script)?;
    let script: Script = serde_json::from_str(&text).map_err(|error| io::Error::other(format!("script: {error}")))?;
    let before = std::fs::read_to_string(log).unwrap_or_default();
    let process = 1 + before
        .lines()
        .filter(|line| line.ends_with(r#""event":"start"}"#))
        .count() as u64;
    let player = Arc::new(Player {
        counts: script.rules.iter().map(|_| AtomicU64::new(0)).collect(),
        script,
        journal: Journal::open(log)?,
        process,
        stop_reading: AtomicBool::new(false),
        answers: Mutex::new(BTreeMap::new()),
        answered: Condvar::new(),
        stdout: Mutex::new(()),
    });
    watch_signals(&player)?;
    player.journal.event("start");
    player.run(&player.script.start.clone(), &Source::default());

    let (sender, arrivals) = mpsc::channel();
    let reader = Arc::clone(&player);
    std::thread::spawn(move || reader.read(&sender));
    for arrival in arrivals {
        match arrival {
            Arrival::Line(line) => Player::handle(&player, &line),
            Arrival::End => break,
        }
    }
    player.run(&player.script.at_eof.clone(), &Source::default());
    player.journal.event("exit 0");
    std::process::exit(0)
}

#[cfg(unix)]
fn watch_signals(player: &Arc<Player>) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGTERM, SIGINT, SIGHUP])?;
    let player = Arc::clone(player);
    std::thread::spawn(move || {
        for signal in signals.forever() {
            player.journal.event(match signal {
                SIGTERM => "signal TERM",
                SIGINT => "signal INT",
                _ => "signal HUP",
            });
            if !player.script.ignore_term {
                std::process::exit(128 + signal);
            }
        }
    });
    Ok(())
}

#[cfg(not(unix))]
fn watch_signals(_: &Arc<Player>) -> io::Result<()> {
    Ok(())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl Player {
    fn read(&self, sender: &mpsc::Sender<Arrival>) {
        let mut stdin = io::BufReader::with_capacity(64 * 1024, io::stdin());
        loop {
            if self.stop_reading.load(Ordering::SeqCst) {
                self.journal.event("reading stopped");
                loop {
                    std::thread::park();
                }
            }
            let mut line = Vec::new();
            match stdin.by_ref().read_until(b'\n', &mut line) {
                Ok(0) | Err(_) => break,
                Ok(_) => {}
            }
            if line.last() == Some(&b'\n') {
                line.pop();
                self.journal.bytes(Dir::In, &line);
            } else {
                self.journal.bytes(Dir::In, &line);
                self.journal.event("stdin ended inside a line");
            }
            if let Some(id) = response_id(&line) {
                lock(&self.answers).insert(id, ());
                self.answered.notify_all();
            }
            if sender.send(Arrival::Line(line)).is_err() {
                return;
            }
        }
        self.journal.event("stdin closed");
        let _ = sender.send(Arrival::End);
    }

    fn handle(player: &Arc<Self>, line: &[u8]) {
        let text = String::from_utf8_lossy(line).into_owned();
        let Ok(members) = serde_json::from_str::<BTreeMap<String, Box<RawValue>>>(&text) else {
            player.journal.event("not a frame");
            return;
        };
        let raw = |key: &str| members.get(key).map(|value| value.get().to_owned());
        let mut source = Source {
            id: raw("id"),
            params: raw("params"),
            frame: text,
            occurrence: 0,
        };
        let method: Option<String> = raw("method").and_then(|raw| serde_json::from_str(&raw).ok());
        let found = player
            .script
            .rules
            .iter()
            .zip(&player.counts)
            .find_map(|(rule, count)| {
                if !player.fits(rule, method.as_deref(), &source) {
                    return None;
                }
                let n = count.fetch_add(1, Ordering::SeqCst) + 1;
                (rule.from.is_none_or(|from| n >= from) && rule.to.is_none_or(|to| n <= to)).then_some((rule, n))
            });
        match (found, method) {
            (Some((rule, n)), _) => {
                source.occurrence = n;
                if rule.background {
                    let (player, actions) = (Arc::clone(player), rule.actions.clone());
                    std::thread::spawn(move || player.run(&actions, &source));
                } else {
                    player.run(&rule.actions, &source);
                }
            }
            (None, Some(method)) if source.id.is_some() => {
                if let Some(answer) = player.default_answer(&method, &source) {
                    let id = source.id.as_deref().unwrap_or("null");
                    player.send(format!(r#"{{"jsonrpc":"2.0","id":{id},{answer}}}"#).as_bytes(), true);
                }
            }
            (None, _) => {}
        }
    }

    fn fits(&self, rule: &Rule, method: Option<&str>, source: &Source) -> bool {
        let text = |path: &[&str]| {
            source
                .param(path)
                .and_then(|raw| serde_json::from_str::<String>(&raw).ok())
        };
        let kind = match (rule.method.as_str(), method) {
            ("response", None) => true,
            ("*", Some(_)) => true,
            (wanted, Some(method)) => wanted == method,
            (_, None) => false,
        };
        kind && rule.process.is_none_or(|process| process == self.process)
            && rule
                .name
                .as_ref()
                .is_none_or(|name| text(&["name"]).or_else(|| text(&["uri"])).as_ref() == Some(name))
            && rule
                .input_responses
                .is_none_or(|has| source.param(&["inputResponses"]).is_some() == has)
            && rule
                .has_state
                .is_none_or(|has| source.param(&["requestState"]).is_some() == has)
            && rule
                .state
                .as_ref()
                .is_none_or(|state| text(&["requestState"]).as_ref() == Some(state))
            && rule
                .contains
                .as_ref()
                .is_none_or(|part| source.frame.contains(part.as_str()))
    }

    fn run(&self, actions: &[Action], source: &Source) {
        for action in actions {
            self.act(action, source);
        }
    }

    fn act(&self, action: &Action, source: &Source) {
        let id = source.id.as_deref().unwrap_or("null");
        match action {
            Action::Result(result) => {
                self.send(
                    format!(
                        r#"{{"jsonrpc":"2.0","id":{id},"result":{}}}"#,
                        fill(result.get(), source)
                    )
                    .as_bytes(),
                    true,
                );
            }
            Action::Error(error) => {
                self.send(
                    format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{}}}"#, fill(error.get(), source)).as_bytes(),
                    true,
                );
            }
            Action::Line(text) => self.send(fill(text, source).as_bytes(), true),
            Action::Send(message) => self.send(fill(message.get(), source).as_bytes(), true),
            Action::Bytes(pieces) => self.send(&assemble(pieces, source), false),
            Action::Wait(ms) => std::thread::sleep(Duration::from_millis(*ms)),
            Action::AwaitResponse(id, ms) => self.await_response(id, Duration::from_millis(*ms)),
            Action::Stderr(text) => {
                self.journal.bytes(Dir::Err, text.as_bytes());
                let _ = writeln!(io::stderr(), "{text}");
            }
            Action::StopReading => self.stop_reading.store(true, Ordering::SeqCst),
            Action::CloseStdout => self.close_stdout(),
            Action::Exit(code) => {
                self.journal.event(&format!("exit {code}"));
                std::process::exit(*code);
            }
            Action::Abort => {
                self.journal.event("abort");
                std::process::abort();
            }
            Action::Grandchild(seconds) => match std::process::Command::new("sleep").arg(seconds.to_string()).spawn() {
                Ok(child) => self.journal.event(&format!("grandchild {}", child.id())),
                Err(error) => self.journal.event(&format!("no grandchild: {error}")),
            },
            Action::Hang => {
                self.journal.event("hanging");
                loop {
                    std::thread::park();
                }
            }
            Action::Note(text) => self.journal.event(&fill(text, source)),
        }
    }

    fn await_response(&self, id: &str, limit: Duration) {
        let end = Instant::now() + limit;
        let mut answers = lock(&self.answers);
        while !answers.contains_key(id) {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                drop(answers);
                self.journal.event(&format!("no response to {id}"));
                return;
            }
            answers = self
                .answered
                .wait_timeout(answers, left)
                .map_or_else(|p| p.into_inner().0, |(guard, _)| guard);
        }
        drop(answers);
        self.journal.event(&format!("response to {id}"));
    }

    /// Logs first, so that whoever has read the bytes finds them in the log.
    fn send(&self, bytes: &[u8], line: bool) {
        let _turn = lock(&self.stdout);
        self.journal.bytes(Dir::Out, bytes.strip_suffix(b"\n").unwrap_or(bytes));
        let mut stdout = io::stdout().lock();
        let written = stdout
            .write_all(bytes)
            .and_then(|()| if line { stdout.write_all(b"\n") } else { Ok(()) })
            .and_then(|()| stdout.flush());
        if let Err(error) = written {
            self.journal.event(&format!("stdout broken: {error}"));
        }
    }

    fn close_stdout(&self) {
        let _turn = lock(&self.stdout);
        #[cfg(unix)]
        if let Ok(null) = std::fs::OpenOptions::new().write(true).open("/dev/null") {
            // The pipe's last descriptor on our side goes with the old standard output.
            let _ = rustix::stdio::dup2_stdout(&null);
        }
        self.journal.event("stdout closed");
    }

    /// What the era answers by itself, as `"result":…` or `"error":…`.
    fn default_answer(&self, method: &str, source: &Source) -> Option<String> {
        let error = |code: i64, message: &str, data: Option<Value>| {
            let mut error = json!({"code": code, "message": message});
            if let Some(data) = data {
                error["data"] = data;
            }
            Some(format!(r#""error":{error}"#))
        };
        let modern = self.script.era == Era::Modern;
        let asked = |path: &[&str]| {
            source
                .param(path)
                .and_then(|raw| serde_json::from_str::<String>(&raw).ok())
                .unwrap_or_default()
        };
        match (self.script.era, method) {
            (Era::None, _) => return None,
            (Era::Modern, "initialize") => {
                let data = json!({"supported": self.script.versions, "requested": asked(&["protocolVersion"])});
                return error(-32022, "initialize is not spoken here", Some(data));
            }
            (Era::Modern, _)
                if self.script.validate && KEYS.iter().any(|key| source.param(&["_meta", key]).is_none()) =>
            {
                return error(-32602, "params._meta lacks a required key", None);
            }
            (Era::Modern, _) if self.script.validate && !self.script.versions.contains(&asked(&["_meta", KEYS[0]])) => {
                let data = json!({"supported": self.script.versions, "requested": asked(&["_meta", KEYS[0]])});
                return error(-32022, "unsupported protocol version", Some(data));
            }
            (Era::Modern | Era::Legacy, _) => {}
        }
        let mut result = match method {
            "server/discover" if modern => {
                json!({"supportedVersions": self.script.versions, "capabilities": self.capabilities()})
            }
            "initialize" => json!({
                "protocolVersion": self.script.versions.first(),
                "capabilities": self.capabilities(),
                "serverInfo": {"name": "fake", "version": "1"},
            }),
            "ping" if !modern => json!({}),
            "tools/list" => json!({"tools": self.script.tools}),
            "prompts/list" => json!({"prompts": self.script.prompts}),
            "resources/list" => json!({"resources": self.script.resources}),
            "resources/templates/list" => json!({"resourceTemplates": []}),
            "tools/call" => json!({"content": [{"type": "text", "text": "ok"}]}),
            "prompts/get" => json!({"messages": [{"role": "user", "content": {"type": "text", "text": "ok"}}]}),
            "resources/read" => json!({"contents": [{"uri": asked(&["uri"]), "text": "ok"}]}),
            _ => return error(-32601, "method not found", None),
        };
        if modern {
            result["resultType"] = "complete".into();
            result["_meta"] = json!({"io.modelcontextprotocol/serverInfo": {"name": "fake", "version": "1"}});
            if method != "tools/call" && method != "prompts/get" {
                result["ttlMs"] = 0.into();
                result["cacheScope"] = "private".into();
            }
        }
        Some(format!(r#""result":{result}"#))
    }

    fn capabilities(&self) -> Value {
        self.script
            .capabilities
            .clone()
            .unwrap_or_else(|| json!({"tools": {}, "prompts": {}, "resources": {}}))
    }
}

/// The raw id of an answer to one of our requests.
fn response_id(line: &[u8]) -> Option<String> {
    let members: BTreeMap<String, Box<RawValue>> = serde_json::from_slice(line).ok()?;
    let response = !members.contains_key("method") && (members.contains_key("result") || members.contains_key("error"));
    response
        .then(|| members.get("id").map(|id| id.get().to_owned()))
        .flatten()
}

fn assemble(pieces: &[Piece], source: &Source) -> Vec<u8> {
    let mut bytes = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Text(text) => bytes.extend_from_slice(fill(text, source).as_bytes()),
            Piece::Base64(text) => bytes.extend_from_slice(&decode(text).unwrap_or_default()),
            Piece::Repeat(text, count) => {
                bytes.extend_from_slice(&text.as_bytes().repeat(usize::try_from(*count).unwrap_or(0)))
            }
        }
    }
    bytes
}
