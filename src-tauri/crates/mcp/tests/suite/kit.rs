//! What the suites share: a server from a Python script, and a tap that remembers. No assertions about eras or processes.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use bytes::Bytes;
use gatehouse_mcp::client::{ClientInfo, Declared, EraKind, Event};
use gatehouse_mcp::era::{Connected, Options, StopTimes, connect};
use gatehouse_mcp::error::ConnectError;
use gatehouse_mcp::tap::{Direction, Tap};
use gatehouse_mcp::transport::stdio::Launch;
use tempfile::TempDir;
use tokio::sync::mpsc;

/// What every script begins with. `run` counts the processes of one test; `modern` and `legacy` serve one request.
const PRELUDE: &str = r#"
import sys, os, json, time, signal, subprocess, threading
home = os.environ['HOME']
run = len([n for n in os.listdir(home) if n.startswith('run')]) + 1
open(home + '/run' + str(run), 'w').close()
def read():
    line = sys.stdin.buffer.readline()
    if not line:
        open(home + '/eof', 'w').close()
        sys.exit(0)
    return json.loads(line)
def raw(text):
    sys.stdout.buffer.write(text if isinstance(text, bytes) else text.encode())
    sys.stdout.buffer.flush()
def send(**m):
    raw(json.dumps(dict(jsonrpc='2.0', **m)) + '\n')
def result(m, **r): send(id=m['id'], result=r)
def error(m, code, data=None): send(id=m['id'], error=dict(code=code, message='no', **({'data': data} if data is not None else {})))
def modern(m):
    if m['method'] == 'server/discover':
        result(m, resultType='complete', supportedVersions=['2026-07-28'], capabilities={'tools': {}}, ttlMs=0, cacheScope='private', instructions='be kind',
               _meta={'io.modelcontextprotocol/serverInfo': {'name': 'fake', 'version': '7'}})
    elif m['method'] == 'initialize': error(m, -32022, {'supported': ['2026-07-28']})
    elif 'id' in m: result(m, resultType='complete', content=[])
def legacy(m, version='2025-11-25'):
    if m['method'] == 'initialize':
        result(m, protocolVersion=version, capabilities={}, serverInfo={'name': 'old', 'version': '1'})
    elif m['method'] == 'server/discover': error(m, -32601)
    elif 'id' in m: result(m, content=[])
def serve(f):
    while True: f(read())
"#;

/// A tap that remembers.
#[derive(Default)]
pub struct Seen {
    pub sent: Mutex<Vec<String>>,
    pub stderr: Mutex<Vec<String>>,
    pub pids: Mutex<Vec<u32>>,
    pub overlong: Mutex<Vec<u64>>,
}

impl Tap for Seen {
    fn frame(&self, direction: Direction, bytes: &Bytes) {
        if direction == Direction::Sent {
            self.sent
                .lock()
                .expect("whole")
                .push(String::from_utf8(bytes.to_vec()).expect("UTF-8"));
        }
    }

    fn overlong(&self, _: &Bytes, length: u64) {
        self.overlong.lock().expect("whole").push(length);
    }

    fn stderr(&self, line: &Bytes) {
        self.stderr
            .lock()
            .expect("whole")
            .push(String::from_utf8_lossy(line).into_owned());
    }

    fn started(&self, pid: u32) {
        self.pids.lock().expect("whole").push(pid);
    }
}

impl Seen {
    /// The methods that were sent, in order.
    pub fn methods(&self) -> Vec<String> {
        let sent = self.sent.lock().expect("whole");
        sent.iter()
            .filter_map(|frame| gatehouse_mcp::frame::glance(frame.as_bytes()).method)
            .collect()
    }

    /// Whether any process that was started is still there.
    pub fn any_left(&self) -> bool {
        self.pids.lock().expect("whole").iter().any(|pid| group_lives(*pid))
    }
}

/// One server and all that is seen of it.
pub struct Fake {
    pub home: TempDir,
    pub seen: Arc<Seen>,
    pub options: Options,
    pub launch: Launch,
    events: Option<mpsc::Sender<Event>>,
    pub heard: mpsc::Receiver<Event>,
}

impl Fake {
    /// A server that runs `script`.
    pub fn new(script: &str) -> Self {
        Self::program(python(), &["-u", "-c", &format!("{PRELUDE}{script}")])
    }

    /// A server that is any program.
    pub fn program(program: impl Into<PathBuf>, args: &[&str]) -> Self {
        let home = TempDir::new().expect("a temporary folder");
        let (events, heard) = mpsc::channel(1024);
        let info = ClientInfo {
            name: "gatehouse".into(),
            title: Some("Gatehouse".into()),
            version: "1".into(),
        };
        let mut options = Options::new(
            info,
            Declared {
                roots: true,
                elicitation_form: true,
                ..Declared::default()
            },
        );
        options.start = Duration::from_secs(20);
        options.stop = StopTimes {
            close: Duration::from_millis(500),
            term: Duration::from_millis(500),
            kill: Duration::from_secs(2),
        };
        let launch = Launch {
            program: program.into(),
            args: args.iter().map(OsString::from).collect(),
            env: vec![
                ("HOME".into(), home.path().into()),
                ("PATH".into(), "/usr/bin:/bin".into()),
            ],
            cwd: home.path().into(),
        };
        Self {
            home,
            seen: Arc::default(),
            options,
            launch,
            events: Some(events),
            heard,
        }
    }

    pub fn remembering(mut self, era: EraKind) -> Self {
        self.options.remembered = Some(era);
        self
    }

    pub fn probing(mut self, probe: Duration) -> Self {
        self.options.probe = probe;
        self
    }

    pub async fn connect(&mut self) -> Result<Connected, ConnectError> {
        let events = self.events.take().expect("one connection a test");
        connect(
            &self.launch,
            self.options.clone(),
            Arc::clone(&self.seen) as Arc<dyn Tap>,
            events,
        )
        .await
    }

    /// Connects, which must work, and gives the era as text.
    pub async fn connected(&mut self) -> Connected {
        self.connect()
            .await
            .unwrap_or_else(|error| panic!("{error}; stderr: {:?}", self.seen.stderr))
    }

    pub async fn event(&mut self) -> Event {
        tokio::time::timeout(Duration::from_secs(10), self.heard.recv())
            .await
            .expect("in time")
            .expect("open")
    }

    /// How many processes were started.
    pub fn runs(&self) -> usize {
        self.seen.pids.lock().expect("whole").len()
    }

    pub fn has(&self, file: &str) -> bool {
        self.home.path().join(file).exists()
    }
}

/// Waits until `holds`, for a few seconds.
pub async fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    for _ in 0..500 {
        if holds() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("never: {what}");
}

/// True while a process is there and no zombie.
pub fn lives(pid: u32) -> bool {
    let Ok(stat) = std::fs::read_to_string(format!("/proc/{pid}/stat")) else {
        return false;
    };
    !stat
        .rsplit_once(") ")
        .is_some_and(|(_, rest)| rest.starts_with(['Z', 'X']))
}

/// True while a group has members that are no zombies.
pub fn group_lives(group: u32) -> bool {
    std::fs::read_dir("/proc").expect("Linux").flatten().any(|entry| {
        let Ok(stat) = std::fs::read_to_string(entry.path().join("stat")) else {
            return false;
        };
        let Some((_, rest)) = stat.rsplit_once(") ") else {
            return false;
        };
        let fields: Vec<&str> = rest.split(' ').collect();
        fields[2] == group.to_string() && !matches!(fields[0], "Z" | "X")
    })
}

/// The interpreter itself; what stands first in PATH may be a script that finds it.
fn python() -> PathBuf {
    static PYTHON: OnceLock<PathBuf> = OnceLock::new();
    let find = || {
        let asked = std::process::Command::new("python3")
            .args(["-c", "import sys; print(sys.executable)"])
            .output();
        PathBuf::from(
            String::from_utf8(asked.expect("python3 is there").stdout)
                .expect("UTF-8")
                .trim(),
        )
    };
    PYTHON.get_or_init(find).clone()
}
