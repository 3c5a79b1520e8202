//! Content and forms: what is read, and what a bad part does to the rest (nothing).

mod oracle;
mod told;

use super::content::{Block, CallToolResult, PromptResult, ReadResult};
use super::elicit::{Elicit, FieldKind, parse};
use crate::params::RawMap;

fn map(text: &str) -> RawMap {
    RawMap::parse(text).expect("an object")
}

#[test]
fn a_block_that_cannot_be_read_hides_no_other() {
    let result = CallToolResult::read(&map(
        r#"{"content":[{"type":"text","text":"a"},{"type":"hologram","x":1.10},{"type":"image","mimeType":"x"},7,{"type":"resource","resource":{"uri":"u","text":"t"}},{"type":"resource_link","uri":"u"},{"type":"audio","data":"d"}],"structuredContent":{"n":1.10},"isError":"true"}"#,
    ))
    .expect("readable");
    assert!(matches!(&result.content[0], Block::Text { text, .. } if text == "a"));
    assert!(
        matches!(&result.content[1], Block::Unknown { kind, raw, .. } if kind == "hologram" && raw.get().contains("1.10"))
    );
    assert!(matches!(&result.content[2], Block::Unknown { reason, .. } if reason == "data is missing"));
    assert!(matches!(&result.content[3], Block::Unknown { kind, .. } if kind.is_empty()));
    assert!(matches!(&result.content[4], Block::Resource { text: Some(text), blob: None, .. } if text == "t"));
    assert!(matches!(&result.content[5], Block::ResourceLink { name, .. } if name == "u"));
    assert!(matches!(&result.content[6], Block::Audio { .. }));
    assert_eq!(result.structured.expect("kept").get(), r#"{"n":1.10}"#);
    assert!(!result.is_error, "only true is true");
}

#[test]
fn no_content_is_empty_content() {
    for text in ["{}", r#"{"content":null,"isError":true}"#] {
        assert!(CallToolResult::read(&map(text)).expect("readable").content.is_empty());
    }
    assert!(CallToolResult::read(&map(r#"{"content":"x"}"#)).is_err());
}

#[test]
fn prompts_and_resources_are_read_alike() {
    let prompt = PromptResult::read(&map(
        r#"{"messages":[{"role":"user","content":{"type":"text","text":"a"}},{"role":"assistant","content":[{"type":"text","text":"b"},{"type":"x"}]},5]}"#,
    ))
    .expect("readable");
    let roles: Vec<&str> = prompt.messages.iter().map(|(role, _)| role.as_str()).collect();
    assert_eq!(roles, ["user", "assistant", "assistant", ""]);
    let read = ReadResult::read(&map(r#"{"contents":[{"uri":"u","blob":"eA=="},{"uri":"u"}]}"#)).expect("readable");
    assert!(matches!(
        (&read.contents[0], &read.contents[1]),
        (Block::Resource { .. }, Block::Unknown { .. })
    ));
}

#[test]
fn every_shape_of_choice_is_read() {
    let params = map(
        r#"{"message":"m","requestedSchema":{"type":"object","required":["a"],"properties":{
        "a":{"type":"string","enum":["x","y"]},
        "b":{"type":"string","enum":["x","y"],"enumNames":["X"]},
        "c":{"type":"string","oneOf":[{"const":"x","title":"X"}]},
        "d":{"type":"array","items":{"type":"string","enum":["x"]},"minItems":1,"default":["x"]},
        "e":{"type":"array","items":{"anyOf":[{"const":"x","title":"X"}]},"maxItems":2},
        "f":{"type":"integer","minimum":9007199254740993},
        "g":{"type":"number","default":0.10},
        "h":{"type":"boolean"},
        "i":{"type":"string","format":"email","minLength":1,"maxLength":9,"title":"I"}}}}"#,
    );
    let Ok(Elicit::Form(form)) = parse(&params) else {
        panic!("a form")
    };
    let shown: Vec<String> = form.fields.iter().map(|field| format!("{:?}", field.kind)).collect();
    assert_eq!(shown[0], r#"Choice { options: [("x", "x"), ("y", "y")] }"#);
    assert_eq!(shown[1], r#"Choice { options: [("x", "X"), ("y", "y")] }"#);
    assert_eq!(shown[2], r#"Choice { options: [("x", "X")] }"#);
    assert_eq!(
        shown[3],
        r#"MultiChoice { options: [("x", "x")], min: Some(1), max: None }"#
    );
    assert_eq!(
        shown[4],
        r#"MultiChoice { options: [("x", "X")], min: None, max: Some(2) }"#
    );
    assert!(
        matches!(&form.fields[5].kind, FieldKind::Number { integer: true, min: Some(min), .. } if min.get() == "9007199254740993")
    );
    assert_eq!(form.fields[6].default.as_ref().map(|raw| raw.get()), Some("0.10"));
    assert!(matches!(form.fields[7].kind, FieldKind::Boolean));
    assert!(matches!(&form.fields[8].kind, FieldKind::Text { format: Some(format), .. } if format == "email"));
    assert!(form.fields[0].required && !form.fields[1].required);
}

#[test]
fn what_cannot_be_shown_whole_is_refused_by_name() {
    let check = |params: &str, word: &str| {
        let reason = parse(&map(params)).expect_err(params);
        assert!(reason.contains(word), "{reason}");
    };
    check(r#"{"requestedSchema":{}}"#, "message");
    check(r#"{"message":"m"}"#, "requestedSchema");
    check(r#"{"message":"m","mode":"dance"}"#, "dance");
    check(
        r#"{"message":"m","requestedSchema":{"properties":{"deep":{"type":"object"}}}}"#,
        "deep",
    );
    check(
        r#"{"message":"m","requestedSchema":{"required":["x"],"properties":{}}}"#,
        "\"x\"",
    );
    check(
        r#"{"message":"m","requestedSchema":{"properties":{"e":{"enum":[]}}}}"#,
        "\"e\"",
    );
    let url = parse(&map(
        r#"{"message":"m","mode":"url","url":"https://x","elicitationId":"1"}"#,
    ));
    assert!(matches!(
        url,
        Ok(Elicit::Url {
            elicitation_id: Some(_),
            ..
        })
    ));
}
