//! The kit tested by itself: what the other suites trust must hold first. No host is started here.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdout, Stdio};
use std::time::{Duration, Instant};

use gatehouse_tests::fake::{FakeServer, alive, wait_gone};
use gatehouse_tests::real::{self, Launch};
use gatehouse_tests::schema::{Oracle, Revision, schema_dir};
use gatehouse_tests::script::{Action, Rule, Script, act};
use serde_json::{Value, json};

const LIMIT: Duration = Duration::from_secs(20);

struct Client {
    child: Child,
    stdout: BufReader<ChildStdout>,
}

impl Client {
    fn start(launch: &Launch) -> Self {
        let mut command = launch.std();
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the server starts");
        let stdout = BufReader::new(child.stdout.take().expect("stdout is piped"));
        Self { child, stdout }
    }

    fn send(&mut self, frame: &Value) {
        self.send_raw(&format!("{frame}\n"));
    }

    fn send_raw(&mut self, text: &str) {
        let stdin = self.child.stdin.as_mut().expect("stdin is piped");
        stdin
            .write_all(text.as_bytes())
            .and_then(|()| stdin.flush())
            .expect("the server reads");
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.stdout.read_line(&mut line).expect("the server writes text");
        line
    }

    fn ask(&mut self, frame: &Value) -> Value {
        self.send(frame);
        serde_json::from_str(&self.line()).expect("the answer is JSON")
    }

    fn end(mut self) -> i32 {
        drop(self.child.stdin.take());
        self.child.wait().expect("the server ends").code().unwrap_or(-1)
    }
}

fn modern(id: Value, method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "kit", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {"roots": {}, "elicitation": {}},
    });
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

#[test]
fn a_modern_script_plays_two_rounds_and_logs_them() {
    let fake = FakeServer::new(&Script::modern().asks_roots("t", Some("s1")));
    let mut client = Client::start(&fake.launch());
    assert_eq!(
        client.ask(&modern(json!(1), "server/discover", json!({})))["result"]["supportedVersions"],
        json!(["2026-07-28"])
    );
    let bare = client.ask(&json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}));
    assert_eq!(
        bare["error"]["code"], -32602,
        "a modern script refuses requests without _meta"
    );
    assert_eq!(
        client.ask(&modern(json!(3), "tools/list", json!({})))["result"]["tools"][0]["name"],
        "t"
    );
    let ask = client.ask(&modern(json!("four"), "tools/call", json!({"name": "t"})));
    assert_eq!(ask["id"], "four", "the id comes back as it was");
    assert_eq!(ask["result"]["resultType"], "input_required");
    let mark = fake.log().mark();
    let answer = json!({"name": "t", "inputResponses": {"roots": {"roots": []}}, "requestState": "s1"});
    assert_eq!(
        client.ask(&modern(json!(5), "tools/call", answer))["result"]["content"][0]["text"],
        "done"
    );
    assert_eq!(
        fake.log().received_since(mark).len(),
        1,
        "a mark tells before from after"
    );
    assert_eq!(client.end(), 0);
    let log = fake.log();
    assert_eq!(log.events(), ["start", "stdin closed", "exit 0"]);
    assert_eq!(log.received_method("tools/call").len(), 2);
    if let Some(oracle) = Oracle::load() {
        let failures = oracle
            .check_all(&log, Revision::Modern)
            .expect_err("one frame had no _meta");
        assert!(failures.starts_with("1 of 5 frames"), "{failures}");
    }
}

#[test]
fn a_legacy_script_falls_back_and_awaits_its_answers() {
    let script = Script::legacy("2025-06-18")
        .tool("t")
        .rule(Rule::on("notifications/initialized").background().does([
            act::request(json!(7), "roots/list", None),
            act::await_response("7", 5_000),
            act::notify("notifications/tools/list_changed", None),
        ]));
    let fake = FakeServer::new(&script);
    let mut client = Client::start(&fake.launch());
    assert_eq!(
        client.ask(&modern(json!(1), "server/discover", json!({})))["error"]["code"],
        -32601
    );
    let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {"roots": {}}, "clientInfo": {"name": "k", "version": "1"}});
    let initialized = client.ask(&json!({"jsonrpc": "2.0", "id": 2, "method": "initialize", "params": hello}));
    assert_eq!(initialized["result"]["protocolVersion"], "2025-06-18");
    let ask = client.ask(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    assert_eq!(ask["method"], "roots/list");
    client.send(&json!({"jsonrpc": "2.0", "id": 7, "result": {"roots": [{"uri": "file:///w"}]}}));
    assert!(client.line().contains("list_changed"));
    assert_eq!(client.end(), 0);
    assert!(fake.log().happened("response to 7"));
    if let Some(oracle) = Oracle::load() {
        oracle.assert_all(&fake.log(), Revision::Summer2025);
        oracle
            .check_all(&fake.log(), Revision::Modern)
            .expect_err("a legacy exchange is no modern one");
    }
}

#[test]
fn templates_copy_the_raw_text() {
    let text = r#"{"id":"$id","state":"$state","x":"$params.arguments.x","n":"$n","kept":"$ref and $5"}"#;
    let fake =
        FakeServer::new(&Script::bare().on("m", [act::result_text(text), act::line("raw $id $params.arguments.x")]));
    let mut client = Client::start(&fake.launch());
    client.send_raw("{\"jsonrpc\":\"2.0\",\"id\":  1e2,\"method\":\"m\",\"params\":{\"requestState\":\"\\u2028\",\"arguments\":{\"x\":1.50}}}\n");
    let want = r#"{"jsonrpc":"2.0","id":1e2,"result":{"id":1e2,"state":"\u2028","x":1.50,"n":1,"kept":"$ref and $5"}}"#;
    assert_eq!(client.line().trim_end(), want);
    assert_eq!(client.line(), "raw 1e2 1.50\n");
    client.end();
}

#[test]
fn floods_and_bad_bytes_need_no_big_script() {
    let script = Script::bare()
        .on("deep", [act::nested(200_000)])
        .on("huge", [act::huge(70 * 1024 * 1024)])
        .on("bad", [act::bytes(b"\xff\xfe\n")])
        .on("first", [])
        .rule(Rule::on("twice").nth(2).does([act::text("second")]))
        .on("twice", [act::text("first")]);
    let fake = FakeServer::new(&script);
    let mut client = Client::start(&fake.launch());
    let mut bytes = Vec::new();
    let mut ask = |client: &mut Client, method: &str| {
        bytes.clear();
        client.send(&json!({"jsonrpc": "2.0", "id": 1, "method": method}));
        client.stdout.read_until(b'\n', &mut bytes).expect("the server writes");
        bytes.len()
    };
    assert!(ask(&mut client, "deep") > 400_000);
    assert!(ask(&mut client, "huge") > 70 * 1024 * 1024);
    assert_eq!(ask(&mut client, "bad"), 3);
    assert!(ask(&mut client, "twice") > 0);
    client.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "first"}));
    assert!(
        client
            .ask(&json!({"jsonrpc": "2.0", "id": 1, "method": "twice"}))
            .to_string()
            .contains("second")
    );
    client.end();
    assert!(
        std::fs::metadata(fake.dir().join("log.jsonl"))
            .expect("there is a log")
            .len()
            < 4 * 1024 * 1024,
        "floods are cut in the log"
    );
}

#[cfg(unix)]
#[test]
fn hard_endings_can_be_scripted() {
    let script = Script::bare()
        .ignore_term()
        .on("leave", [Action::Grandchild(30), Action::Exit(7)])
        .at_eof([Action::Hang]);
    let fake = FakeServer::new(&script);
    let mut client = Client::start(&fake.launch());
    let pid = client.child.id();
    drop(client.child.stdin.take());
    fake.log()
        .wait_until("the end of stdin", LIMIT, |log| log.happened("hanging"));
    let kill = |signal: &str| {
        std::process::Command::new("kill")
            .args([signal, &pid.to_string()])
            .status()
            .expect("kill runs")
    };
    kill("-TERM");
    fake.log()
        .wait_until("the signal", LIMIT, |log| log.happened("signal TERM"));
    assert!(alive(pid), "SIGTERM was to be ignored");
    kill("-KILL");
    client.child.wait().expect("it ends");

    let mut client = Client::start(&fake.launch());
    client.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "leave"}));
    assert_eq!(client.child.wait().expect("it ends").code(), Some(7));
    let grandchild = fake
        .log()
        .events()
        .iter()
        .find_map(|event| event.strip_prefix("grandchild ")?.parse().ok())
        .expect("told in the log");
    assert!(
        alive(grandchild),
        "the grandchild outlives the server and holds the pipe"
    );
    std::process::Command::new("kill")
        .arg(format!("{grandchild}"))
        .status()
        .expect("kill runs");
    wait_gone(&[grandchild], LIMIT);
    let mut rest = String::new();
    client.stdout.read_to_string(&mut rest).expect("the pipe ends now");
    assert_eq!(fake.log().pids().len(), 2, "the log goes on over restarts");
}

#[cfg(unix)]
#[test]
fn stdout_can_close_while_the_server_lives() {
    let fake =
        FakeServer::new(&Script::bare().on("close", [Action::CloseStdout, act::wait(50), act::stderr("still here")]));
    let mut client = Client::start(&fake.launch());
    client.send(&json!({"jsonrpc": "2.0", "method": "close"}));
    assert_eq!(client.line(), "", "the pipe has ended");
    fake.log().wait_until("life after it", LIMIT, |log| {
        log.entries().iter().any(|entry| entry.dir == "err")
    });
    assert_eq!(client.end(), 0);
}

#[test]
fn a_server_can_stop_reading() {
    let fake = FakeServer::new(&Script::bare().on("stop", [Action::StopReading, act::line("stopped")]));
    let mut client = Client::start(&fake.launch());
    client.send(&json!({"jsonrpc": "2.0", "method": "stop"}));
    assert_eq!(client.line(), "stopped\n");
    let mut stdin = client.child.stdin.take().expect("stdin is piped");
    let (sender, done) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let chunk = format!("{{\"x\":\"{}\"}}\n", "y".repeat(1000));
        for _ in 0..1000 {
            if stdin.write_all(chunk.as_bytes()).is_err() {
                return;
            }
        }
        let _ = sender.send(());
    });
    assert!(
        done.recv_timeout(Duration::from_millis(500)).is_err(),
        "the pipe is full and nobody reads it"
    );
    client.child.kill().expect("it is ours");
    client.child.wait().expect("it ends");
}

#[test]
fn every_official_example_of_a_client_frame_is_valid_and_a_mutant_is_not() {
    let (Some(oracle), Some(dir)) = (Oracle::load(), schema_dir()) else {
        return;
    };
    let mut checked = 0;
    for name in std::fs::read_dir(dir.join("examples"))
        .expect("examples are there")
        .flatten()
    {
        let definition = name.file_name().to_string_lossy().into_owned();
        if !definition.ends_with("Request") && definition != "CancelledNotification" {
            continue;
        }
        for example in std::fs::read_dir(name.path()).expect("a folder of examples").flatten() {
            let text = std::fs::read_to_string(example.path()).expect("an example is text");
            let mut frame: Value = serde_json::from_str(&text).expect("an example is JSON");
            if frame.get("jsonrpc").is_none() {
                continue; // An input request of the server.
            }
            oracle
                .check(Revision::Modern, &frame.to_string(), None)
                .unwrap_or_else(|why| panic!("{}: {why}", example.path().display()));
            checked += 1;
            let wrong = |mutant: &Value, why: &str| {
                assert!(
                    oracle.check(Revision::Modern, &mutant.to_string(), None).is_err(),
                    "{definition} {why} was let through"
                );
            };
            let mut mutant = frame.clone();
            mutant["jsonrpc"] = "1.0".into();
            wrong(&mutant, "with jsonrpc 1.0");
            if definition.ends_with("Request") {
                let mut mutant = frame.clone();
                mutant["id"] = Value::Null;
                wrong(&mutant, "with a null id");
                frame["params"]["_meta"]
                    .as_object_mut()
                    .expect("a modern request has _meta")
                    .remove("io.modelcontextprotocol/clientInfo");
                wrong(&frame, "without clientInfo");
            }
        }
    }
    assert!(checked >= 9, "only {checked} examples were found");
}

#[test]
fn the_oracle_knows_answers_and_errata() {
    let Some(oracle) = Oracle::load() else { return };
    let retry = |answer: Value| {
        modern(
            json!(1),
            "tools/call",
            json!({"name": "t", "inputResponses": {"k": answer}}),
        )
        .to_string()
    };
    let check = |answer: Value| oracle.check(Revision::Modern, &retry(answer), None);
    check(json!({"roots": [{"uri": "file:///w%20x", "name": "x"}]})).expect("roots are an answer");
    check(json!({"action": "accept", "content": {"n": 1.5, "m": ["a"]}})).expect("a fraction is meant too");
    check(json!({"roots": [{"name": "x"}]})).expect_err("a root without URI");
    check(json!({"roots": [{"uri": "/no/scheme"}]})).expect_err("a root that is no URI");
    check(json!({"code": -1, "message": "no"})).expect_err("an error is no answer");
    check(Value::Null).expect_err("null is no answer");
    let legacy = |frame: Value, answers| oracle.check(Revision::Autumn2025, &frame.to_string(), answers);
    legacy(
        json!({"jsonrpc": "2.0", "id": 0, "result": {"roots": []}}),
        Some("roots/list"),
    )
    .expect("an answer");
    legacy(json!({"jsonrpc": "2.0", "id": 0, "result": {}}), Some("roots/list")).expect_err("no roots in it");
    legacy(json!({"jsonrpc": "2.0", "id": 0, "result": {}}), None).expect_err("nobody asked");
    legacy(
        json!({"jsonrpc": "2.0", "id": 0, "error": {"code": -1, "message": "declined"}}),
        Some("roots/list"),
    )
    .expect("a refusal");
    legacy(modern(json!(1), "tools/list", json!({})), None).expect_err("modern _meta in a legacy frame");
}

#[test]
fn a_real_server_behind_the_tee_is_logged() {
    if !real::installed() {
        return;
    }
    let dir = tempfile::tempdir().expect("the temporary folder is writable");
    let (launch, log) = real::tutorial002().tee(&dir.path().join("log.jsonl"));
    let mut client = Client::start(&launch);
    let started = Instant::now();
    assert!(client.ask(&modern(json!(1), "server/discover", json!({})))["result"].is_object());
    let ask = client.ask(&modern(
        json!(2),
        "tools/call",
        json!({"name": "catalog_folder", "arguments": {}}),
    ));
    let (key, _) = ask["result"]["inputRequests"]
        .as_object()
        .and_then(|asks| asks.iter().next())
        .expect("it asks for roots");
    let answer = json!({
        "name": "catalog_folder", "arguments": {},
        "inputResponses": {key: {"roots": [{"uri": "file:///w"}]}},
        "requestState": ask["result"]["requestState"],
    });
    assert_eq!(
        client.ask(&modern(json!(3), "tools/call", answer))["result"]["content"][0]["text"],
        "file:///w"
    );
    assert_eq!(client.end(), 0);
    assert!(started.elapsed() < LIMIT);
    assert!(log.happened("stdin closed") && log.happened("exit 0"), "{}", log.dump());
    if let Some(oracle) = Oracle::load() {
        oracle.assert_all(&log, Revision::Modern);
    }
}

#[test]
fn each_real_server_starts_and_answers_the_probe() {
    if !real::installed() {
        return;
    }
    let dir = tempfile::tempdir().expect("the temporary folder is writable");
    let git = std::process::Command::new("git")
        .args(["init", "-q"])
        .arg(dir.path())
        .status();
    assert!(git.expect("git runs").success());
    let servers = [
        ("python_everything", real::python_everything(), None),
        ("tutorial002", real::tutorial002(), None),
        ("filesystem", real::filesystem(&[]), Some(-32601)),
        ("everything", real::everything(), Some(-32601)),
        ("playwright", real::playwright(), Some(-32601)),
        ("devmcp", real::devmcp(dir.path()), Some(-32601)),
        ("time", real::time(), Some(-32602)),
    ];
    for (name, launch, code) in servers {
        let (launch, log) = launch.tee(&dir.path().join(format!("{name}.jsonl")));
        let mut client = Client::start(&launch);
        let answer = client.ask(&modern(json!(1), "server/discover", json!({})));
        match code {
            None => assert_eq!(
                answer["result"]["supportedVersions"],
                json!(["2026-07-28"]),
                "{name} is modern"
            ),
            Some(code) => assert_eq!(answer["error"]["code"], code, "{name} is legacy: {answer}"),
        }
        client.end();
        assert_eq!(log.received().len(), 1, "{name}: the tee logs what was sent");
    }
}
