//! The same call through the exchange alone and through the whole host; and the commit of a record row, alone.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use gatehouse_host::Host;
use gatehouse_host::call::{Call, What};
use gatehouse_host::changes::Part;
use gatehouse_host::places::Places;
use gatehouse_host::view::{AnswerInput, CallEnd, QuestionBody, RootsChoice, ServerInput};
use gatehouse_mcp::client::{ClientInfo, Declared, EraKind, Event, Limit};
use gatehouse_mcp::era::{self, Connected, Launch, Options};
use gatehouse_mcp::params::Params;
use gatehouse_mcp::tap::NoTap;
use gatehouse_tests::bins::bin;
use tokio::sync::mpsc;

/// What every call carries.
const ARGS: &str = r#"{"text":"hello","number":1}"#;

/// A connection of the exchange layer.
pub struct Exchange {
    connected: Connected,
    _events: mpsc::Receiver<Event>,
}

/// A whole host with a server, a folder, and a grant for both.
pub struct Gatehouse {
    host: Host,
}

impl Exchange {
    /// Connects.
    pub async fn start() -> Self {
        let info = ClientInfo {
            name: "bench".into(),
            title: None,
            version: "1".into(),
        };
        let options = Options::new(
            info,
            Declared {
                roots: true,
                elicitation_form: true,
                ..Declared::default()
            },
        );
        let launch = Launch {
            program: bin("echo-server"),
            args: Vec::new(),
            env: Vec::new(),
            cwd: std::env::temp_dir(),
        };
        let (sender, events) = mpsc::channel(64);
        let connected = era::connect(&launch, options, Arc::new(NoTap), sender)
            .await
            .expect("the server starts");
        Self {
            connected,
            _events: events,
        }
    }

    /// Microseconds of one call, over so many.
    pub async fn calls(&self, count: u32) -> f64 {
        let arguments = Params::parse(ARGS).expect("it is an object").to_raw();
        let began = Instant::now();
        for _ in 0..count {
            let params = Params::new()
                .with("name", &"echo")
                .with_raw("arguments", arguments.clone());
            let reply = self
                .connected
                .client
                .request("tools/call", params, Limit::CALL)
                .await
                .expect("an answer");
            reply.outcome(EraKind::Modern).expect("a result");
        }
        began.elapsed().as_secs_f64() * 1e6 / f64::from(count)
    }
}

impl Gatehouse {
    /// Opens a host in this folder and lets a person share one folder for always.
    pub async fn start(home: &Path) -> Self {
        let folder = home.join("folder");
        std::fs::create_dir(&folder).expect("the temporary folder is writable");
        let host = Host::open(Places::apart(&home.join("config"), &home.join("data"))).expect("a home can be made");
        host.add_folders(vec![folder], None).await.expect("the folder is added");
        let command = bin("echo-server").display().to_string();
        let input = ServerInput {
            name: "echo".into(),
            command,
            args: Vec::new(),
            env: Vec::new(),
            cwd: None,
        };
        host.add_server(input).await.expect("the server is added");
        let started = Self { host };
        tokio::select! {
            () = started.call("ask_roots") => {}
            () = started.share() => {}
        }
        started
    }

    /// Microseconds of one call, over so many.
    pub async fn calls(&self, tool: &str, count: u32) -> f64 {
        let began = Instant::now();
        for _ in 0..count {
            self.call(tool).await;
        }
        began.elapsed().as_secs_f64() * 1e6 / f64::from(count)
    }

    /// Microseconds of one call of two rounds, over so many; of the commit of the record in it; and of its whole visit to
    /// the disk, which is the commit with the look at the folders and the decisions, and the way there and back.
    pub async fn calls_twice(&self, count: u32) -> [f64; 3] {
        let before = self.host.disk_time();
        let call = self.calls("ask_roots", count).await;
        let after = self.host.disk_time();
        let of_one = |before: Duration, after: Duration| (after - before).as_secs_f64() * 1e6 / f64::from(count);
        [call, of_one(before.0, after.0), of_one(before.1, after.1)]
    }

    /// Ends it in order.
    pub async fn stop(self) {
        self.host.quit().await;
    }

    async fn call(&self, tool: &str) {
        let what = What::Tool {
            name: tool.into(),
            args: ARGS.into(),
        };
        let end = self
            .host
            .call(Call {
                server: "echo".into(),
                what,
                limit: None,
            })
            .await;
        assert!(
            matches!(end, Ok(CallEnd::Completed { .. })),
            "{tool} ends with a result: {end:?}"
        );
    }

    /// Answers the one question there will be, and then waits for ever.
    async fn share(&self) {
        let mut bell = self.host.watch();
        while let Some(parts) = bell.next().await {
            for question in self
                .host
                .questions()
                .iter()
                .filter(|_| parts.contains(&Part::Questions))
            {
                let QuestionBody::Roots { folders } = &question.body else {
                    continue;
                };
                let folders = folders.iter().map(|folder| folder.id).collect();
                let answer = AnswerInput::Roots {
                    choice: RootsChoice::ShareAlways,
                    folders,
                };
                self.host.answer(question.id, &answer).expect("the question is open");
            }
        }
    }
}
