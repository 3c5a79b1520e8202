//! The two ways to speak to an endpoint: what is asked and what is answered, as JSON. Nothing is sent here.

use gatehouse_mcp::model::sampling::Role;
use gatehouse_mcp::params::{Raw, RawMap};
use serde_json::value::to_raw_value;
use serde_json::{Value, json};

use super::{Endpoint, Part, Prompt, Reply, Turn};
use crate::view::EndpointKind;

impl Endpoint {
    /// The body of the request.
    ///
    /// # Errors
    /// Something in the prompt can't be said to this kind of endpoint, in words.
    pub fn body(&self, prompt: &Prompt) -> Result<Raw, String> {
        let model = self.model(&prompt.hints);
        let most = prompt.max_tokens.min(self.settings.max_tokens);
        let mut messages: Vec<Value> = Vec::new();
        if let Some(system) = &prompt.system {
            messages.push(json!({"role": "system", "content": system}));
        }
        for turn in &prompt.turns {
            messages.push(match self.settings.kind {
                EndpointKind::OpenAi => open_ai(turn)?,
                EndpointKind::Ollama => ollama(turn)?,
            });
        }
        let body = RawMap::new().with("model", &model).with("messages", &messages);
        let body = match self.settings.kind {
            EndpointKind::OpenAi => {
                // The first of these services knows the newer word only, most others the older.
                let newer = self.url.host_str() == Some("api.openai.com");
                let body = body.with(if newer { "max_completion_tokens" } else { "max_tokens" }, &most);
                let body = with(body, "temperature", prompt.temperature.clone());
                with(body, "stop", stops(prompt))
            }
            EndpointKind::Ollama => {
                let options = RawMap::new().with("num_predict", &most);
                let options = with(options, "temperature", prompt.temperature.clone());
                body.with("options", &with(options, "stop", stops(prompt)))
            }
        };
        Ok(body.with("stream", &false).to_raw())
    }

    /// Reads the answer.
    ///
    /// # Errors
    /// What can't be read, in words.
    pub fn read(&self, body: &[u8]) -> Result<Reply, String> {
        let value: Value = serde_json::from_slice(body).map_err(|_| "its answer is not JSON".to_owned())?;
        let (message, reason) = match self.settings.kind {
            EndpointKind::OpenAi => {
                let choice = value.pointer("/choices/0").ok_or("its answer holds no choice")?;
                (&choice["message"], choice["finish_reason"].as_str())
            }
            EndpointKind::Ollama => (&value["message"], value["done_reason"].as_str()),
        };
        let text = text(&message["content"])
            .or_else(|| message["refusal"].as_str().map(str::to_owned))
            .ok_or("its answer holds no text")?;
        let stop_reason = reason.map(|reason| match reason {
            "stop" => "endTurn".to_owned(),
            "length" => "maxTokens".to_owned(),
            other => other.to_owned(),
        });
        let model = value["model"].as_str().filter(|model| !model.is_empty());
        Ok(Reply {
            text: text.replace("\r\n", "\n"),
            model: model.unwrap_or(&self.settings.model).to_owned(),
            stop_reason,
        })
    }
}

/// The words of an error's body, in the ways that endpoints write them.
pub fn error_words(body: &[u8]) -> Option<String> {
    let value: Value = serde_json::from_slice(body).ok()?;
    let error = &value["error"];
    let words = error["message"]
        .as_str()
        .or(error.as_str())
        .or(value["message"].as_str());
    words.filter(|words| !words.is_empty()).map(str::to_owned)
}

fn open_ai(turn: &Turn) -> Result<Value, String> {
    if let [Part::Text(text)] = turn.parts.as_slice() {
        return Ok(json!({"role": role(turn), "content": text}));
    }
    let part = |part: &Part| {
        Ok(match part {
            Part::Text(text) => json!({"type": "text", "text": text}),
            Part::Image { data, mime_type } => {
                json!({"type": "image_url", "image_url": {"url": format!("data:{mime_type};base64,{data}")}})
            }
            Part::Audio { data, mime_type } => {
                let format = match mime_type.as_str() {
                    "audio/wav" | "audio/x-wav" | "audio/wave" => "wav",
                    "audio/mpeg" | "audio/mp3" => "mp3",
                    other => {
                        return Err(format!(
                            "sound of the type {other} can't be given to it; leave that out"
                        ));
                    }
                };
                json!({"type": "input_audio", "input_audio": {"data": data, "format": format}})
            }
        })
    };
    let parts: Result<Vec<Value>, String> = turn.parts.iter().map(part).collect();
    Ok(json!({"role": role(turn), "content": parts?}))
}

fn ollama(turn: &Turn) -> Result<Value, String> {
    let (mut texts, mut images) = (Vec::new(), Vec::new());
    for part in &turn.parts {
        match part {
            Part::Text(text) => texts.push(text.as_str()),
            Part::Image { data, .. } => images.push(data.as_str()),
            Part::Audio { .. } => return Err("sound can't be given to it; leave that out".into()),
        }
    }
    let mut message = json!({"role": role(turn), "content": texts.join("\n\n")});
    if !images.is_empty() {
        message["images"] = json!(images);
    }
    Ok(message)
}

fn role(turn: &Turn) -> Value {
    serde_json::to_value(turn.role).unwrap_or_else(|_| match turn.role {
        Role::User => "user".into(),
        Role::Assistant => "assistant".into(),
    })
}

fn stops(prompt: &Prompt) -> Option<Raw> {
    (!prompt.stop.is_empty()).then(|| to_raw_value(&prompt.stop).expect("texts serialise"))
}

fn with(map: RawMap, key: &str, value: Option<Raw>) -> RawMap {
    match value {
        Some(value) => map.with_raw(key, value),
        None => map,
    }
}

/// A text, or the texts of a list of parts.
fn text(content: &Value) -> Option<String> {
    if let Some(text) = content.as_str() {
        return Some(text.to_owned());
    }
    let parts = content.as_array()?.iter();
    let texts: Vec<&str> = parts.filter_map(|part| part["text"].as_str()).collect();
    (!texts.is_empty()).then(|| texts.concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::EndpointSettings;

    fn endpoint(kind: EndpointKind, url: &str) -> Endpoint {
        Endpoint::of(EndpointSettings {
            kind,
            url: url.into(),
            model: "m".into(),
            max_tokens: 50,
            ..EndpointSettings::default()
        })
        .expect("usable")
    }

    fn prompt(parts: Vec<Part>) -> Prompt {
        Prompt {
            system: Some("Be brief.".into()),
            turns: vec![Turn {
                role: Role::User,
                parts,
            }],
            max_tokens: 100,
            temperature: Some(serde_json::from_str("0.50").expect("JSON")),
            stop: vec!["END".into()],
            hints: Vec::new(),
        }
    }

    fn picture() -> Part {
        Part::Image {
            data: "AA==".into(),
            mime_type: "image/png".into(),
        }
    }

    #[test]
    fn both_kinds_are_asked_in_their_own_words_and_never_for_more_tokens_than_the_cap() {
        let check = |kind, url: &str, parts: Vec<Part>, expect: &str| {
            let body = endpoint(kind, url).body(&prompt(parts)).expect("it can be said");
            assert_eq!(body.get(), expect);
        };
        let text = || Part::Text("Hi".into());
        check(
            EndpointKind::OpenAi,
            "http://localhost/v1",
            vec![text()],
            r#"{"model":"m","messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"Hi"}],"max_tokens":50,"temperature":0.50,"stop":["END"],"stream":false}"#,
        );
        check(
            EndpointKind::OpenAi,
            "https://api.openai.com/v1",
            vec![text(), picture()],
            r#"{"model":"m","messages":[{"role":"system","content":"Be brief."},{"role":"user","content":[{"type":"text","text":"Hi"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AA=="}}]}],"max_completion_tokens":50,"temperature":0.50,"stop":["END"],"stream":false}"#,
        );
        check(
            EndpointKind::Ollama,
            "http://localhost",
            vec![text(), picture()],
            r#"{"model":"m","messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"Hi","images":["AA=="]}],"options":{"num_predict":50,"temperature":0.50,"stop":["END"]},"stream":false}"#,
        );
    }

    #[test]
    fn a_sound_that_it_does_not_take_is_said_before_anything_is_sent() {
        let sound = || {
            vec![Part::Audio {
                data: "AA==".into(),
                mime_type: "audio/ogg".into(),
            }]
        };
        for kind in [EndpointKind::OpenAi, EndpointKind::Ollama] {
            let words = endpoint(kind, "http://localhost")
                .body(&prompt(sound()))
                .expect_err("no sound");
            assert!(words.contains("leave that out"), "{words}");
        }
    }

    #[test]
    fn answers_are_read_and_their_ends_put_into_the_protocols_words() {
        let check = |kind, body: &str, expect: Result<(&str, &str, Option<&str>), &str>| {
            let read = endpoint(kind, "http://localhost").read(body.as_bytes());
            let expect = expect
                .map(|(text, model, stop)| Reply {
                    text: text.into(),
                    model: model.into(),
                    stop_reason: stop.map(str::to_owned),
                })
                .map_err(str::to_owned);
            assert_eq!(read, expect, "{body}");
        };
        check(
            EndpointKind::OpenAi,
            r#"{"model":"m-1","choices":[{"message":{"role":"assistant","content":"a\r\nb"},"finish_reason":"stop"}]}"#,
            Ok(("a\nb", "m-1", Some("endTurn"))),
        );
        check(
            EndpointKind::OpenAi,
            r#"{"choices":[{"message":{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]},"finish_reason":"length"}]}"#,
            Ok(("ab", "m", Some("maxTokens"))),
        );
        check(
            EndpointKind::OpenAi,
            r#"{"choices":[{"message":{"content":null,"refusal":"no"}}]}"#,
            Ok(("no", "m", None)),
        );
        check(
            EndpointKind::Ollama,
            r#"{"model":"l","message":{"role":"assistant","content":"x"},"done_reason":"stop","done":true}"#,
            Ok(("x", "l", Some("endTurn"))),
        );
        check(EndpointKind::OpenAi, "<html>", Err("its answer is not JSON"));
        check(
            EndpointKind::OpenAi,
            r#"{"choices":[]}"#,
            Err("its answer holds no choice"),
        );
        check(
            EndpointKind::Ollama,
            r#"{"message":{}}"#,
            Err("its answer holds no text"),
        );
    }

    #[test]
    fn error_bodies_are_read_in_every_way_they_are_written() {
        let check = |body: &str, expect: Option<&str>| {
            assert_eq!(error_words(body.as_bytes()).as_deref(), expect, "{body}");
        };
        check(r#"{"error":{"message":"no"}}"#, Some("no"));
        check(r#"{"error":"no"}"#, Some("no"));
        check(r#"{"message":"no"}"#, Some("no"));
        check("<html>", None);
    }
}
