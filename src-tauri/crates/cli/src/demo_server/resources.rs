//! The resources: one that anybody may read and one that asks for the folders.

use serde_json::json;

use super::VERSION;
use super::folders;
use super::reply::{Failure, Outcome};
use super::request::Request;

const FOLDERS: &str = "folders";

/// `resources/read`.
pub fn read(request: &Request) -> Result<Outcome, Failure> {
    let uri = request.text("uri")?;
    let text = match uri {
        "demo://about" => format!(
            "This is the demo server of Gatehouse. It speaks revision {VERSION} of the Model Context Protocol over standard \
             input and output, keeps nothing, and knows of your folders only what you share with it."
        ),
        "demo://folders" => {
            let Some(answer) = request.answer(FOLDERS) else {
                return request.ask(&[(FOLDERS, folders::question())], None);
            };
            let folders = folders::read(answer)?;
            let lines: Vec<String> = folders.iter().map(folders::Folder::label).collect();
            if lines.is_empty() {
                "You share no folders.".to_owned()
            } else {
                lines.join("\n")
            }
        }
        _ => return Err(Failure::invalid(format!("there is no resource {uri:?}"))),
    };
    Ok(Outcome::Listing(
        json!({"contents": [{"uri": uri, "mimeType": "text/plain", "text": text}]}),
    ))
}
