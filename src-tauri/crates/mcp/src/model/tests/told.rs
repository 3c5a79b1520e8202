//! Notices, claims, icons, model requests and errors: what is read of them, and that a bad part harms no other.

use super::map;
use crate::error::{ErrorObject, Known};
use crate::model::annotation::Annotations;
use crate::model::content::Block;
use crate::model::listing::Item;
use crate::model::notice::{Change, LogLevel, Notice};
use crate::model::resource::Resource;
use crate::model::sampling::{CreateMessage, IncludeContext, Role, Sampled, SamplingBlock, text_block};
use crate::model::tool::Tool;

fn notice(method: &str, params: &str) -> Result<Notice, String> {
    Notice::read(method, Some(&map(params).to_raw()))
}

fn known(code: i64, data: &str, method: &str) -> Known {
    let error = ErrorObject {
        code,
        message: String::new(),
        data: Some(map(data).to_raw()),
    };
    error.known(method)
}

#[test]
fn notices_are_read_by_their_method() {
    let progress = notice(
        "notifications/progress",
        r#"{"progressToken":"t","progress":9007199254740993,"total":0}"#,
    );
    assert!(
        matches!(&progress, Ok(Notice::Progress(p)) if p.progress.get() == "9007199254740993" && p.fraction().is_none()),
        "no digit is lost, and a total of nothing is no total: {progress:?}"
    );
    assert!(notice("notifications/progress", r#"{"progressToken":1}"#).is_err());
    let log = notice(
        "notifications/message",
        r#"{"level":"alert","logger":"db","data":{"n":1.10}}"#,
    );
    assert!(matches!(&log, Ok(Notice::Log(m)) if m.level == LogLevel::Alert && m.data.get() == r#"{"n":1.10}"#));
    let odd = notice("notifications/message", r#"{"level":"loud","data":null}"#);
    assert!(matches!(&odd, Ok(Notice::Log(m)) if m.level == LogLevel::Info && m.data.get() == "null"));
    assert!(LogLevel::Debug < LogLevel::Emergency);
    assert!(matches!(
        Notice::read("notifications/tools/list_changed", None),
        Ok(Notice::Change(Change::Tools))
    ));
    let updated = notice("notifications/resources/updated", r#"{"uri":"u"}"#);
    assert!(matches!(updated, Ok(Notice::Change(Change::Resource { uri })) if uri == "u"));
    assert!(notice("notifications/resources/updated", "{}").is_err());
    let complete = notice("notifications/elicitation/complete", r#"{"elicitationId":"e"}"#);
    assert!(matches!(complete, Ok(Notice::ElicitationComplete { elicitation_id }) if elicitation_id == "e"));
    assert!(matches!(notice("notifications/new", "{}"), Ok(Notice::Other)));
}

#[test]
fn claims_and_icons_are_read_as_far_as_they_go() {
    let text = map(
        r#"{"name":"t","annotations":{"title":"T","readOnlyHint":true,"destructiveHint":"no"},"icons":[{"src":"data:x","sizes":["48x48",7],"theme":"dark"},{"mimeType":"x"},3,{"src":"s","sizes":"any"}]}"#,
    );
    let tool = Tool::read(&text, text.to_raw()).expect("readable");
    let hints = tool.hints();
    assert_eq!(
        (hints.read_only, hints.destructive, tool.label().as_str()),
        (Some(true), None, "T")
    );
    let icons: Vec<_> = tool
        .icons
        .iter()
        .map(|icon| (icon.src.as_str(), icon.sizes.join(" ")))
        .collect();
    assert_eq!(icons, [("data:x", "48x48".into()), ("s", "any".to_owned())]);
    let text = map(
        r#"{"uri":"u","size":3,"icons":"none","annotations":{"audience":["user",1],"priority":0.5,"lastModified":"2025"}}"#,
    );
    let resource = Resource::read(&text, text.to_raw()).expect("readable");
    let expect = Annotations {
        audience: vec!["user".into()],
        priority: Some(0.5),
        last_modified: Some("2025".into()),
    };
    assert_eq!((resource.size, &resource.annotations), (Some(3), &Some(expect)));
    let block = Block::read(&map(r#"{"type":"text","text":"a","annotations":{"priority":7}}"#).to_raw());
    assert!(
        matches!(block, Block::Text { annotations: Some(a), .. } if a.priority.is_none()),
        "7 is no priority"
    );
    let link = Block::read(&map(r#"{"type":"resource_link","uri":"u","size":9,"icons":[{"src":"s"}]}"#).to_raw());
    assert!(matches!(link, Block::ResourceLink { size: Some(9), icons, .. } if icons.len() == 1));
}

#[test]
fn model_requests_are_read_whole_or_not_at_all() {
    let request = CreateMessage::read(&map(
        r#"{"messages":[{"role":"user","content":{"type":"text","text":"a"}},{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"n","input":{}},{"type":"image","data":"d","mimeType":"m"}]},{"role":"user","content":[{"type":"tool_result","toolUseId":"1","content":[]}]}],
        "maxTokens":100.0,"temperature":0.10,"stopSequences":["x"],"includeContext":"thisServer","systemPrompt":"s","toolChoice":{"mode":"auto"},
        "modelPreferences":{"hints":[{"name":"a"},{},{"name":"b"}],"costPriority":2,"speedPriority":0.5}}"#,
    ))
    .expect("readable");
    assert_eq!(
        (request.max_tokens, request.include_context),
        (100, IncludeContext::ThisServer)
    );
    assert_eq!(request.temperature.as_ref().map(|raw| raw.get()), Some("0.10"));
    assert_eq!(request.preferences.hints, ["a", "b"]);
    assert_eq!((request.preferences.cost, request.preferences.speed), (None, Some(0.5)));
    assert!(request.needs_tools() && request.tools.is_none());
    assert!(matches!(&request.messages[0].content[..], [SamplingBlock::Content(_)]));
    assert!(matches!(
        &request.messages[1].content[..],
        [SamplingBlock::ToolUse(_), SamplingBlock::Content(_)]
    ));
    assert!(matches!(
        &request.messages[2].content[..],
        [SamplingBlock::ToolResult(_)]
    ));
    for (bad, word) in [
        (r#"{"maxTokens":1}"#, "messages"),
        (r#"{"messages":[],"maxTokens":0}"#, "maxTokens"),
        (r#"{"messages":[],"maxTokens":1.5}"#, "maxTokens"),
        (
            r#"{"messages":[{"role":"system","content":{}}],"maxTokens":1}"#,
            "message 1: role",
        ),
        (r#"{"messages":[{"role":"user"}],"maxTokens":1}"#, "content is missing"),
    ] {
        let reason = CreateMessage::read(&map(bad)).expect_err(bad);
        assert!(reason.contains(word), "{reason}");
    }
}

#[test]
fn a_models_answer_has_the_schemas_form() {
    let mut sampled = Sampled {
        role: Role::Assistant,
        content: vec![text_block("a")],
        model: "m".into(),
        stop_reason: Some("endTurn".into()),
    };
    let one = r#"{"role":"assistant","content":{"type":"text","text":"a"},"model":"m","stopReason":"endTurn"}"#;
    assert_eq!(sampled.to_raw().get(), one);
    sampled.content.push(text_block("b"));
    sampled.stop_reason = None;
    let two = r#"{"role":"assistant","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}],"model":"m"}"#;
    assert_eq!(sampled.to_raw().get(), two);
}

#[test]
fn the_protocols_errors_are_told_apart() {
    let data = r#"{"requiredCapabilities":{"roots":{},"elicitation":{"url":{}},"sampling":true}}"#;
    let missing = known(-32021, data, "tools/call");
    assert!(
        matches!(&missing, Known::MissingCapability { required, .. } if required == &["roots", "elicitation.url", "sampling"])
    );
    assert!(
        missing
            .words()
            .is_some_and(|words| words.ends_with("roots, elicitation.url, sampling"))
    );
    assert!(
        matches!(known(-32021, "{}", "m"), Known::MissingCapability { required, raw: None } if required.is_empty())
    );
    let version = known(
        -32022,
        r#"{"supported":["2099-01-01",7],"requested":"2026-07-28"}"#,
        "m",
    );
    assert!(matches!(&version, Known::UnsupportedVersion { supported, .. } if supported == &["2099-01-01"]));
    assert!(matches!(known(-32020, "{}", "m"), Known::HeaderMismatch));
    let data =
        r#"{"elicitations":[{"mode":"url","url":"https://x","message":"m","elicitationId":"1"},{"mode":"url"}]}"#;
    let pages = known(-32042, data, "tools/call");
    assert!(
        matches!(&pages, Known::UrlElicitationRequired { elicitations } if elicitations[0].is_ok() && elicitations[1].is_err())
    );
    let words = |code, data, method| known(code, data, method).words();
    assert!(words(-32002, r#"{"uri":"x://a"}"#, "resources/read").is_some_and(|words| words.contains("x://a")));
    assert!(words(-32602, "{}", "resources/read").is_some_and(|words| words.contains("refuses")));
    assert!(matches!(known(-32602, "{}", "tools/call"), Known::InvalidParams));
    assert!(
        matches!(known(-32002, "{}", "tools/call"), Known::Other),
        "it has that meaning for resources only"
    );
    assert_eq!(words(-5, "{}", "m"), None);
}
