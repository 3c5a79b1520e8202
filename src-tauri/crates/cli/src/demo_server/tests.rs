//! The demo server as its client sees it: lines in, lines out.

#![allow(clippy::disallowed_methods, reason = "the tests make files to count")]

use serde_json::{Value, json};

use super::{folders, run, state};

fn meta(capabilities: Value) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": capabilities,
    })
}

/// Everything that comes back for a text of lines.
fn exchange(input: &[u8]) -> Vec<Value> {
    let mut output = Vec::new();
    run(input, &mut output).expect("memory can be read and written");
    let text = String::from_utf8(output).expect("replies are text");
    assert!(text.is_empty() || text.ends_with('\n'), "each reply is a whole line");
    text.lines()
        .map(|line| serde_json::from_str(line).expect("each reply is JSON"))
        .collect()
}

fn ask_as(capabilities: Value, method: &str, mut params: Value) -> Value {
    params["_meta"] = meta(capabilities);
    let line = format!(
        "{}\n",
        json!({"jsonrpc": "2.0", "id": "a", "method": method, "params": params})
    );
    let mut replies = exchange(line.as_bytes());
    assert_eq!(replies.len(), 1, "one request, one reply");
    let reply = replies.remove(0);
    assert_eq!(reply["id"], "a");
    reply
}

fn ask(method: &str, params: Value) -> Value {
    ask_as(json!({"roots": {}, "elicitation": {}}), method, params)
}

fn text(reply: &Value) -> &str {
    reply["result"]["content"][0]["text"]
        .as_str()
        .unwrap_or_else(|| panic!("a text was expected: {reply}"))
}

fn code(reply: &Value) -> i64 {
    reply["error"]["code"]
        .as_i64()
        .unwrap_or_else(|| panic!("an error was expected: {reply}"))
}

#[test]
fn it_tells_what_it_is_and_offers() {
    let discovered = ask("server/discover", json!({}));
    assert_eq!(discovered["result"]["supportedVersions"], json!(["2026-07-28"]));
    for (method, list, count) in [
        ("tools/list", "tools", 5),
        ("prompts/list", "prompts", 1),
        ("resources/list", "resources", 2),
    ] {
        let reply = ask(method, json!({}));
        assert_eq!(reply["result"][list].as_array().map(Vec::len), Some(count), "{reply}");
        assert_eq!(reply["result"]["resultType"], "complete");
        assert_eq!(reply["result"]["ttlMs"], 0);
    }
}

#[test]
fn what_is_wrong_is_told_with_the_codes_of_the_specification() {
    assert_eq!(code(&ask("ping", json!({}))), -32601);
    assert_eq!(code(&ask("tools/call", json!({"name": "nothing"}))), -32602);
    assert_eq!(
        code(&ask("tools/call", json!({"name": "echo", "arguments": [1]}))),
        -32602
    );
    assert_eq!(code(&ask("resources/read", json!({"uri": "demo://nothing"}))), -32602);
    let replies = exchange(
        concat!(
            "not json\n",
            "[]\n",
            "\n",
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
            "\n",
            r#"{"jsonrpc":"2.0","id":9,"result":{}}"#,
            "\n",
            r#"{"jsonrpc":"2.0","id":null,"method":"tools/list"}"#,
            "\n",
            r#"{"id":1,"method":"tools/list"}"#,
            "\n",
            r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#,
            "\n",
            r#"{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"1999-01-01"}}}"#,
            "\n",
            r#"{"jsonrpc":"2.0","id":4,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}"#,
        )
        .as_bytes(),
    );
    let codes: Vec<i64> = replies.iter().map(code).collect();
    assert_eq!(codes, [-32700, -32600, -32600, -32600, -32602, -32022, -32022]);
    assert!(
        replies[0].get("id").is_none(),
        "an error to a line without an id has none"
    );
    assert_eq!(
        replies[5]["error"]["data"],
        json!({"supported": ["2026-07-28"], "requested": "1999-01-01"})
    );
    assert_eq!(
        replies[6]["error"]["data"]["requested"], "2025-11-25",
        "an older client is told what is spoken here"
    );
}

#[test]
fn a_tool_needs_what_the_client_declared() {
    for (name, declared, missing) in [
        ("count_files", json!({}), json!({"roots": {}})),
        ("greet", json!({"elicitation": {"url": {}}}), json!({"elicitation": {}})),
        (
            "tidy_plan",
            json!({"roots": null}),
            json!({"roots": {}, "elicitation": {}}),
        ),
    ] {
        let reply = ask_as(declared, "tools/call", json!({"name": name}));
        assert_eq!(code(&reply), -32021, "{name}");
        assert_eq!(reply["error"]["data"]["requiredCapabilities"], missing, "{name}");
    }
    let greet = ask_as(
        json!({"elicitation": {"form": {}}}),
        "tools/call",
        json!({"name": "greet"}),
    );
    assert_eq!(greet["result"]["resultType"], "input_required");
    assert_eq!(
        text(&ask_as(
            json!({}),
            "tools/call",
            json!({"name": "echo", "arguments": {"text": "é\n"}})
        )),
        "é\n"
    );
}

#[test]
fn files_are_counted_in_the_folders_that_were_shared() {
    let asked = ask("tools/call", json!({"name": "count_files"}));
    assert_eq!(
        asked["result"]["inputRequests"],
        json!({"folders": {"method": "roots/list"}})
    );
    assert!(asked["result"].get("requestState").is_none());
    let with = |roots: Value| {
        ask(
            "tools/call",
            json!({"name": "count_files", "inputResponses": {"folders": {"roots": roots}}}),
        )
    };

    assert!(text(&with(json!([]))).contains("no folders"));

    let dir = tempfile::tempdir().expect("the temporary folder is writable");
    std::fs::create_dir(dir.path().join("in side")).expect("a folder is made");
    std::fs::write(dir.path().join("one"), "").expect("a file is made");
    let uri = format!("file://{}", dir.path().display());
    let reply = with(
        json!([{"uri": uri, "name": "Mine"}, {"uri": format!("{uri}/in%20side")}, {"uri": format!("{uri}/gone")}]),
    );
    let lines: Vec<&str> = text(&reply).lines().collect();
    assert_eq!(lines[0], format!("Mine ({uri}): 1 file and 1 folder"));
    assert_eq!(lines[1], format!("{uri}/in%20side: 0 files and 0 folders"));
    assert!(lines[2].contains("can't be read"), "{}", lines[2]);
    assert_eq!(reply["result"]["structuredContent"]["folders"][0]["files"], 1);
    assert_eq!(code(&with(json!([{"name": "no uri"}]))), -32602);
    assert_eq!(code(&with(Value::Null)), -32602);
}

#[test]
fn a_uri_is_undone_to_bytes() {
    let path = |uri: &str| folders::path(uri).map(|path| path.into_os_string().into_encoded_bytes());
    for (uri, want) in [
        ("file:///a%20b", &b"/a b"[..]),
        ("file:///%C3%A9%e2%82%ac", "/é€".as_bytes()),
        ("file:///a%25%23%3F", b"/a%#?"),
        ("FILE://localhost/a", b"/a"),
        ("file:/a", b"/a"),
    ] {
        assert_eq!(path(uri).as_deref(), Ok(want), "{uri}");
    }
    #[cfg(unix)]
    assert_eq!(
        path("file:///%FF%fe").as_deref(),
        Ok(&b"/\xff\xfe"[..]),
        "any bytes but zero are a path"
    );
    for wrong in [
        "",
        "/a",
        "https://a/b",
        "file://host/a",
        "file:a",
        "file:///a%2",
        "file:///a%zz",
        "file:///%00",
    ] {
        assert!(path(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn a_greeting_quotes_the_form() {
    let with = |answer: Value| {
        ask(
            "tools/call",
            json!({"name": "greet", "inputResponses": {"form": answer}}),
        )
    };
    let accept = |content: Value| with(json!({"action": "accept", "content": content}));
    let reply = accept(json!({"name": "Ada", "style": "loud", "times": 2, "polite": false}));
    assert_eq!(
        text(&reply),
        "HELLO ADA!\nHELLO ADA!\n(Your answers: name \"Ada\", style loud, times 2, polite false.)"
    );
    assert!(
        text(&accept(json!({"name": "Ada"}))).starts_with("Hello Ada.\nHow are you?"),
        "the defaults hold"
    );
    assert!(text(&with(json!({"action": "decline"}))).contains("said no"));
    assert!(text(&with(json!({"action": "cancel"}))).contains("closed"));
    for wrong in [
        json!({}),
        json!({"name": 1}),
        json!({"name": "a", "times": 9}),
        json!({"name": "a", "style": "rude"}),
    ] {
        assert_eq!(code(&accept(wrong.clone())), -32602, "{wrong}");
    }
    assert_eq!(code(&with(json!({"action": "maybe"}))), -32602);
}

#[test]
fn a_plan_asks_for_both_at_once() {
    let asked = ask("tools/call", json!({"name": "tidy_plan"}));
    let keys: Vec<&String> = asked["result"]["inputRequests"]
        .as_object()
        .expect("questions")
        .keys()
        .collect();
    assert_eq!(keys, ["folders", "form"]);
    let answers = json!({
        "folders": {"roots": [{"uri": "file:///w", "name": "W"}]},
        "form": {"action": "accept", "content": {"what": "old", "months": 1.5}},
    });
    let reply = ask("tools/call", json!({"name": "tidy_plan", "inputResponses": answers}));
    assert!(text(&reply).contains("1.5 months in:\n- W (file:///w)"), "{reply}");
    let half = json!({"folders": {"roots": []}});
    let again = ask("tools/call", json!({"name": "tidy_plan", "inputResponses": half}));
    assert_eq!(
        again["result"]["resultType"], "input_required",
        "half an answer opens the round again"
    );
}

#[test]
fn two_rounds_carry_their_state_and_refuse_another() {
    let first = ask("tools/call", json!({"name": "two_rounds"}));
    let state = first["result"]["requestState"].as_str().expect("a state").to_owned();
    let roots = json!({"folders": {"roots": [{"uri": "file:///w/a%20b/"}, {"uri": "file:///v", "name": "V"}]}});
    let second = ask(
        "tools/call",
        json!({"name": "two_rounds", "inputResponses": roots, "requestState": state}),
    );
    assert_eq!(
        second["result"]["inputRequests"]["form"]["params"]["requestedSchema"]["properties"]["folder"]["enum"],
        json!(["a%20b", "V"])
    );
    let state = second["result"]["requestState"].as_str().expect("a state").to_owned();
    let with = |folder: &str, state: &str| {
        let answer = json!({"form": {"action": "accept", "content": {"folder": folder}}});
        ask(
            "tools/call",
            json!({"name": "two_rounds", "inputResponses": answer, "requestState": state}),
        )
    };
    assert_eq!(
        text(&with("V", &state)),
        "Of the 2 folders you shared, you like \"V\" best."
    );
    assert_eq!(code(&with("other", &state)), -32602);
    for wrong in [
        "",
        "demo1",
        &state.replace("\"V\"", "\"X\""),
        &state[..state.len() - 1],
        &format!("{state} "),
    ] {
        assert_eq!(code(&with("V", wrong)), -32602, "{wrong:?}");
    }
    assert_eq!(
        state::open(&state::seal("a.b.\u{2028}")).expect("sealed here"),
        "a.b.\u{2028}"
    );
}

#[test]
fn prompts_and_resources_ask_like_tools() {
    let answers = json!({"folders": {"roots": [{"uri": "file:///w", "name": "W"}]}});
    let asked = ask(
        "prompts/get",
        json!({"name": "describe_folders", "arguments": {"tone": "dry"}}),
    );
    assert_eq!(asked["result"]["resultType"], "input_required");
    let got = ask(
        "prompts/get",
        json!({"name": "describe_folders", "arguments": {"tone": "dry"}, "inputResponses": answers}),
    );
    let message = got["result"]["messages"][0]["content"]["text"]
        .as_str()
        .expect("a message");
    assert!(message.contains("Tone: dry.\n- W (file:///w)"), "{message}");
    assert_eq!(code(&ask("prompts/get", json!({"name": "other"}))), -32602);

    let about = ask_as(json!({}), "resources/read", json!({"uri": "demo://about"}));
    assert_eq!(about["result"]["contents"][0]["uri"], "demo://about");
    let asked = ask("resources/read", json!({"uri": "demo://folders"}));
    assert_eq!(asked["result"]["resultType"], "input_required");
    let read = ask(
        "resources/read",
        json!({"uri": "demo://folders", "inputResponses": answers}),
    );
    assert_eq!(read["result"]["contents"][0]["text"], "W (file:///w)");
}
