//! Measures what a call costs over a bare write-a-line, read-a-line loop on the same server. Run with `--release`.
//! Started with `serve`, it is that server. Not a test: nothing fails when it is slow.

use std::io::{BufRead, Write};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use bytes::Bytes;
use gatehouse_mcp::client::{Client, ClientInfo, Declared, EraKind, Limit};
use gatehouse_mcp::era::{Launch, Options, connect};
use gatehouse_mcp::params::Params;
use gatehouse_mcp::tap::{Direction, Tap};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::sync::mpsc;

const CALLS: u32 = 20_000;
const ROUNDS: usize = 7;
const DISCOVERED: &str = r#""resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{}"#;
const RESULT: &str = r#""resultType":"complete","content":[{"type":"text","text":"hello"}]"#;

#[derive(Default)]
struct Counting(AtomicU64);

impl Tap for Counting {
    fn frame(&self, _: Direction, bytes: &Bytes) {
        self.0.fetch_add(bytes.len() as u64, Ordering::Relaxed);
    }
    fn overlong(&self, _: &Bytes, _: u64) {}
    fn stderr(&self, _: &Bytes) {}
    fn started(&self, _: u32) {}
}

fn main() {
    if std::env::args().any(|argument| argument == "serve") {
        return serve();
    }
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async { tokio::spawn(measure()).await.expect("measured") });
}

fn serve() {
    let mut output = std::io::stdout();
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { return };
        let id = line
            .split("\"id\":")
            .nth(1)
            .and_then(|rest| rest.split([',', '}']).next())
            .unwrap_or("null");
        let result = if line.contains("server/discover") {
            DISCOVERED
        } else {
            RESULT
        };
        let reply = format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{{{result}}}}}\n");
        if output
            .write_all(reply.as_bytes())
            .and_then(|()| output.flush())
            .is_err()
        {
            return;
        }
    }
}

async fn measure() {
    let program = std::env::current_exe().expect("this program");
    let info = ClientInfo {
        name: "bench".into(),
        title: None,
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
    options.remembered = Some(EraKind::Modern);
    let launch = Launch {
        program: program.clone(),
        args: vec!["serve".into()],
        env: Vec::new(),
        cwd: std::env::temp_dir(),
    };
    let (events, _heard) = mpsc::channel(64);
    let connected = connect(&launch, options, Arc::new(Counting::default()), events)
        .await
        .expect("connected");
    let mut ratios = Vec::new();
    for _ in 0..ROUNDS {
        let bare = bare(&program).await;
        let ours = ours(&connected.client).await;
        println!("bare {bare:.2} µs, client {ours:.2} µs, ratio {:.2}", ours / bare);
        ratios.push(ours / bare);
    }
    ratios.sort_by(f64::total_cmp);
    println!("median ratio {:.2}", ratios[ROUNDS / 2]);
    connected.process.stop().await;
}

async fn ours(client: &Client) -> f64 {
    let begun = Instant::now();
    for _ in 0..CALLS {
        let params = Params::new().with("name", &"echo").with("arguments", &Params::new());
        client
            .request("tools/call", params, Limit::CALL)
            .await
            .expect("answered");
    }
    begun.elapsed().as_secs_f64() * 1e6 / f64::from(CALLS)
}

async fn bare(program: &std::path::Path) -> f64 {
    let mut child = tokio::process::Command::new(program)
        .arg("serve")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("started");
    let mut input = child.stdin.take().expect("piped");
    let mut output = BufReader::new(child.stdout.take().expect("piped")).lines();
    let meta = r#""_meta":{"progressToken":1,"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"roots":{},"elicitation":{"form":{}}}}"#;
    let begun = Instant::now();
    for id in 0..CALLS {
        let line = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"tools/call\",\"params\":{{\"name\":\"echo\",\"arguments\":{{}},{meta}}}}}\n"
        );
        input.write_all(line.as_bytes()).await.expect("written");
        output.next_line().await.expect("read").expect("a line");
    }
    let time = begun.elapsed().as_secs_f64() * 1e6 / f64::from(CALLS);
    drop(input);
    let _ = child.wait().await;
    time
}
