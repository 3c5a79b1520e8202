//! The least that a call can cost in this language: one line written, one line read, both through serde_json.

use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use gatehouse_tests::bins::bin;
use rusqlite::{Connection, TransactionBehavior, params};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

/// A running server and its two pipes.
pub struct Bare {
    _server: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    line: String,
    last: u64,
}

/// A database with one table, as durable as the record.
#[derive(Clone)]
pub struct Rows(Arc<Mutex<Connection>>);

impl Rows {
    /// Makes it.
    pub fn begin(file: &Path) -> Self {
        let db = Connection::open(file).expect("a database can be made");
        db.pragma_update(None, "journal_mode", "WAL").expect("it has a journal");
        db.pragma_update(None, "synchronous", "FULL").expect("it is durable");
        db.execute_batch(
            "CREATE TABLE rows (seq INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER, server TEXT, text TEXT);
             CREATE INDEX rows_by_server ON rows (server);",
        )
        .expect("it takes a table");
        Self(Arc::new(Mutex::new(db)))
    }

    fn add(&self) -> rusqlite::Result<()> {
        let mut db = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let transaction = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        transaction
            .prepare_cached("INSERT INTO rows (at, server, text) VALUES (?1, ?2, ?3)")?
            .execute(params![0, "echo", "x".repeat(700)])?;
        transaction.commit()
    }
}

impl Bare {
    /// Starts the server.
    pub fn start() -> Self {
        let mut server = Command::new(bin("echo-server"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("the server starts");
        let input = server.stdin.take().expect("its stdin is a pipe");
        let output = BufReader::new(server.stdout.take().expect("its stdout is a pipe"));
        Self {
            _server: server,
            input,
            output,
            line: String::new(),
            last: 0,
        }
    }

    /// Microseconds of one call, over so many.
    pub async fn calls(&mut self, count: u32) -> f64 {
        let began = Instant::now();
        for _ in 0..count {
            self.call().await;
        }
        began.elapsed().as_secs_f64() * 1e6 / f64::from(count)
    }

    /// Microseconds of two calls with a commit between them, over so many pairs; and of the commit in it, as who waits for
    /// it sees it. The row, the table and the database are like those of the record.
    pub async fn calls_with_commits(&mut self, rows: &Rows, pairs: u32) -> [f64; 2] {
        let (began, mut waited) = (Instant::now(), Duration::ZERO);
        for _ in 0..pairs {
            self.call().await;
            let (wait, rows) = (Instant::now(), rows.clone());
            let committed = tokio::task::spawn_blocking(move || rows.add());
            committed.await.expect("no panic").expect("the database takes it");
            waited += wait.elapsed();
            self.call().await;
        }
        [began.elapsed(), waited].map(|time| time.as_secs_f64() * 1e6 / f64::from(pairs))
    }

    async fn call(&mut self) {
        self.last += 1;
        let request = json!({
            "jsonrpc": "2.0",
            "id": self.last,
            "method": "tools/call",
            "params": {
                "name": "echo",
                "arguments": { "text": "hello", "number": 1 },
                "_meta": {
                    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                    "io.modelcontextprotocol/clientInfo": { "name": "bench", "version": "1" },
                    "io.modelcontextprotocol/clientCapabilities": { "roots": {}, "elicitation": { "form": {} } },
                },
            },
        });
        let mut bytes = serde_json::to_vec(&request).expect("a request is JSON");
        bytes.push(b'\n');
        self.input.write_all(&bytes).await.expect("the server reads");
        self.line.clear();
        self.output.read_line(&mut self.line).await.expect("the server writes");
        let reply: Value = serde_json::from_str(&self.line).expect("the reply is JSON");
        assert_eq!(reply["id"], json!(self.last), "it is the reply to this call");
    }
}
