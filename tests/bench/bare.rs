//! The least that a call can cost in this language: one line written, one line read, both through serde_json.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use gatehouse_tests::bins::bin;
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

    /// Microseconds of one call, where each two come with a wait for the disk between them: what a call costs when the
    /// processor and the server have slept meanwhile. The wait itself does not count.
    pub async fn calls_with_waits(&mut self, file: &Path, count: u32) -> f64 {
        let (began, mut waited) = (Instant::now(), Duration::ZERO);
        for _ in 0..count {
            self.call().await;
            let (wait, file) = (Instant::now(), file.to_owned());
            let flushed = tokio::task::spawn_blocking(move || {
                let mut file = File::options().create(true).append(true).open(file)?;
                file.write_all(&[0; 512])?;
                file.sync_data()
            });
            flushed.await.expect("no panic").expect("the disk takes it");
            waited += wait.elapsed();
            self.call().await;
        }
        (began.elapsed() - waited).as_secs_f64() * 1e6 / f64::from(count) / 2.0
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
