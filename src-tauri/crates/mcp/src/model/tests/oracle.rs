//! The examples beside the official schema, where they are at hand: each that is ours to read can be read.

#![allow(clippy::disallowed_methods, reason = "the examples are files beside the project")]

use std::path::Path;

use crate::frame::{Envelope, decode};
use crate::model::completion::Completion;
use crate::model::notice::Notice;
use crate::model::read;
use crate::model::sampling::{CreateMessage, Sampled, SamplingBlock};
use crate::params::RawMap;

/// The examples of one definition; empty, and said so, where there are none on this machine.
fn examples(definition: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/schema/examples");
    let Ok(entries) = std::fs::read_dir(folder.join(definition)) else {
        eprintln!("skipped: no examples of {definition} here");
        return Vec::new();
    };
    let texts = entries.flatten().map(|entry| std::fs::read_to_string(entry.path()));
    texts.map(|text| text.expect("readable")).collect()
}

#[test]
fn notifications_of_the_schema_are_known() {
    for definition in [
        "LoggingMessageNotification",
        "ProgressNotification",
        "PromptListChangedNotification",
        "ResourceListChangedNotification",
        "ResourceUpdatedNotification",
        "ToolListChangedNotification",
    ] {
        for text in examples(definition) {
            let messages = decode(text.as_bytes()).expect("a message");
            let [Envelope::Notification { method, params }] = messages.as_slice() else {
                panic!("{text}")
            };
            let notice = Notice::read(method, params.as_deref());
            assert!(!matches!(notice, Ok(Notice::Other) | Err(_)), "{method}: {notice:?}");
        }
    }
}

#[test]
fn model_requests_and_answers_of_the_schema_are_read() {
    for text in examples("CreateMessageRequestParams") {
        let request = CreateMessage::read(&RawMap::parse(&text).expect("an object"));
        assert!(request.is_ok(), "{text}: {request:?}");
    }
    for text in examples("CreateMessageResult") {
        let map = RawMap::parse(&text).expect("an object");
        let content = map.get("content").expect("content");
        let sampled = Sampled {
            role: crate::model::sampling::Role::Assistant,
            content: read::array(content).unwrap_or_else(|_| vec![content.to_owned()]),
            model: map.text("model").expect("a model"),
            stop_reason: map.text("stopReason"),
        };
        let (ours, theirs): (serde_json::Value, serde_json::Value) = (
            serde_json::from_str(sampled.to_raw().get()).expect("JSON"),
            serde_json::from_str(&text).expect("JSON"),
        );
        assert_eq!(ours, theirs);
    }
    for text in examples("SamplingMessage") {
        let whole = format!(r#"{{"messages":[{text}],"maxTokens":1}}"#);
        let request = CreateMessage::read(&RawMap::parse(&whole).expect("an object")).expect("readable");
        let unknown = |block: &SamplingBlock| matches!(block, SamplingBlock::Content(block) if matches!(**block, crate::model::content::Block::Unknown { .. }));
        assert!(!request.messages[0].content.iter().any(unknown), "{text}");
    }
}

#[test]
fn completions_of_the_schema_are_read() {
    for text in examples("CompleteResult") {
        let completion = Completion::read(&RawMap::parse(&text).expect("an object"));
        assert!(
            completion.is_ok_and(|completion| !completion.values.is_empty()),
            "{text}"
        );
    }
}
