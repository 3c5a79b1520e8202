//! The same call through the official Rust SDK, in its modern mode, with the same folder shared and nothing written down.

#![allow(deprecated, reason = "the SDK marks everything about roots as deprecated")]

use std::process::Stdio;
use std::time::Instant;

use gatehouse_tests::bins::bin;
use rmcp::model::{CallToolRequestParams, ClientConfig, Implementation, ListRootsResult, ProtocolVersion, Root};
use rmcp::service::{ClientLifecycleMode, ClientServiceExt, RequestContext, RunningService};
use rmcp::{ClientHandler, ErrorData, RoleClient};
use serde_json::json;
use tokio::process::{Child, Command};

/// A running client of the SDK's.
pub struct Peer {
    _server: Child,
    client: RunningService<RoleClient, Sharing>,
}

/// Shares one folder with whoever asks.
struct Sharing;

impl ClientHandler for Sharing {
    fn get_info(&self) -> ClientConfig {
        let capabilities = serde_json::from_value(json!({ "roots": {} })).expect("it is a capability");
        ClientConfig::new(capabilities, Implementation::new("bench", "1"))
    }

    async fn list_roots(&self, _: RequestContext<RoleClient>) -> Result<ListRootsResult, ErrorData> {
        Ok(ListRootsResult::new(vec![Root::new("file:///home/somebody/folder")]))
    }
}

impl Peer {
    /// Connects.
    pub async fn start() -> Self {
        let mut server = Command::new(bin("echo-server"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("the server starts");
        let pipes = (
            server.stdout.take().expect("a pipe"),
            server.stdin.take().expect("a pipe"),
        );
        let mode = ClientLifecycleMode::Discover {
            preferred_versions: vec![ProtocolVersion::V_2026_07_28],
        };
        let client = Sharing.serve_with_lifecycle(pipes, mode).await.expect("it connects");
        Self {
            _server: server,
            client,
        }
    }

    /// Microseconds of one call, over so many.
    pub async fn calls(&self, tool: &'static str, count: u32) -> f64 {
        let began = Instant::now();
        for _ in 0..count {
            let mut params = CallToolRequestParams::new(tool);
            params.arguments = json!({ "text": "hello", "number": 1 }).as_object().cloned();
            self.client.call_tool(params).await.expect("an answer");
        }
        began.elapsed().as_secs_f64() * 1e6 / f64::from(count)
    }
}
