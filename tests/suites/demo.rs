//! The demo server against the official schemas: every reply is valid, and so is every question it asks. What its tools do
//! is tested beside its code.

use gatehouse_tests::schema::Oracle;
use serde_json::{Value, json};

fn reply(method: &str, mut params: Value, capabilities: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": capabilities,
    });
    let line = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
    let mut output = Vec::new();
    gatehouse_cli::demo_server::run(line.as_bytes(), &mut output).expect("memory can be read and written");
    serde_json::from_slice(&output).expect("one reply")
}

#[test]
fn every_reply_of_the_demo_server_is_valid() {
    let Some(oracle) = Oracle::load() else { return };
    let answers = json!({
        "folders": {"roots": [{"uri": "file:///nowhere", "name": "N"}]},
        "form": {"action": "accept", "content": {"name": "A", "what": "old"}},
    });
    let both = json!({"roots": {}, "elicitation": {}});
    let tool = |name: &str| json!({"name": name});
    let answered = |mut params: Value| {
        params["inputResponses"] = answers.clone();
        params
    };
    for (method, params, definition) in [
        ("server/discover", json!({}), "DiscoverResult"),
        ("tools/list", json!({}), "ListToolsResult"),
        ("prompts/list", json!({}), "ListPromptsResult"),
        ("resources/list", json!({}), "ListResourcesResult"),
        ("tools/call", tool("count_files"), "InputRequiredResult"),
        ("tools/call", tool("greet"), "InputRequiredResult"),
        ("tools/call", tool("tidy_plan"), "InputRequiredResult"),
        ("tools/call", tool("two_rounds"), "InputRequiredResult"),
        ("tools/call", answered(tool("count_files")), "CallToolResult"),
        ("tools/call", answered(tool("greet")), "CallToolResult"),
        ("tools/call", answered(tool("tidy_plan")), "CallToolResult"),
        ("prompts/get", tool("describe_folders"), "InputRequiredResult"),
        ("prompts/get", answered(tool("describe_folders")), "GetPromptResult"),
        ("resources/read", json!({"uri": "demo://about"}), "ReadResourceResult"),
        (
            "resources/read",
            json!({"uri": "demo://folders"}),
            "InputRequiredResult",
        ),
        (
            "resources/read",
            answered(json!({"uri": "demo://folders"})),
            "ReadResourceResult",
        ),
    ] {
        let reply = reply(method, params, both.clone());
        let valid = oracle
            .check_server("JSONRPCResultResponse", &reply)
            .and_then(|()| oracle.check_server(definition, &reply["result"]));
        valid.unwrap_or_else(|why| panic!("{method} as {definition}: {why}\n{reply}"));
    }
    for (reply, definition) in [
        (
            reply("tools/call", tool("count_files"), json!({})),
            "MissingRequiredClientCapabilityError",
        ),
        (
            reply("initialize", json!({"protocolVersion": "2025-11-25"}), json!({})),
            "UnsupportedProtocolVersionError",
        ),
        (reply("ping", json!({}), json!({})), "JSONRPCErrorResponse"),
    ] {
        oracle
            .check_server(definition, &reply)
            .unwrap_or_else(|why| panic!("{definition}: {why}\n{reply}"));
    }
}
