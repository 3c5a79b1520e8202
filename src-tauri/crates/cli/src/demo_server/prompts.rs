//! The prompt: a message for a language model that names the shared folders.

use serde_json::{Value, json};

use super::folders;
use super::reply::{Failure, Outcome};
use super::request::Request;

const FOLDERS: &str = "folders";

/// `prompts/get`.
pub fn get(request: &Request) -> Result<Outcome, Failure> {
    match request.text("name")? {
        "describe_folders" => describe_folders(request),
        name => Err(Failure::invalid(format!("unknown prompt {name:?}"))),
    }
}

fn describe_folders(request: &Request) -> Result<Outcome, Failure> {
    let tone = match request.argument("tone") {
        None => "friendly",
        Some(Value::String(tone)) => tone,
        Some(_) => return Err(Failure::invalid("tone must be a text")),
    };
    let Some(answer) = request.answer(FOLDERS) else {
        return request.ask(&[(FOLDERS, folders::question())], None);
    };
    let folders = folders::read(answer)?;
    let text = if folders.is_empty() {
        "I shared no folders. Tell me what you could do if I did.".to_owned()
    } else {
        let lines: Vec<String> = folders.iter().map(|folder| format!("- {}", folder.label())).collect();
        format!(
            "Describe what these folders may be for. Tone: {tone}.\n{}",
            lines.join("\n")
        )
    };
    Ok(Outcome::Done(json!({
        "description": "A description of the shared folders",
        "messages": [{"role": "user", "content": {"type": "text", "text": text}}],
    })))
}
