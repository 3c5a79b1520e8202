//! Model requests at the terminal and by flags: the request shown whole, put to the endpoint or answered by hand, and the
//! answer shown before it is sent. Anything but a clear yes is no.

use gatehouse_host::Host;
use gatehouse_host::changes::Part;
use gatehouse_host::harmless;
use gatehouse_host::view::{
    AnswerInput, BlockView, DraftView, EndpointView, Priority, QuestionBody, QuestionView, SampleChoice, SampleEdit,
    SampleMessageView, SampleView, TextEdit,
};
use serde_json::{Value, json};

use crate::output::say;
use crate::terminal::{read, read_text};

/// The key under which `--answer` holds an answer to a model request.
pub const KEY: &str = "sampling";
/// Who an answer by hand names as its model.
const BY_HAND: &str = "human";

/// The answer that a flag gives: a whole result as a JSON object, or a text.
pub fn by_flag(given: &[(String, String)]) -> Option<AnswerInput> {
    let (_, text) = given.iter().find(|(key, _)| key == KEY)?;
    let result = match serde_json::from_str::<Value>(text) {
        Ok(Value::Object(_)) => text.clone(),
        Ok(Value::String(text)) => result(&text, BY_HAND, Some("endTurn")),
        Ok(_) | Err(_) => result(text, BY_HAND, Some("endTurn")),
    };
    Some(answer(SampleChoice::Once, Some(result)))
}

/// The answer of a request that is not asked any more.
pub fn unasked() -> AnswerInput {
    answer(SampleChoice::Refuse, None)
}

/// Asks the person. None where the terminal went away.
pub async fn ask(host: &Host, question: &QuestionView, part: usize, body: &QuestionBody) -> Option<AnswerInput> {
    let QuestionBody::Sample {
        request,
        endpoint,
        draft,
    } = body
    else {
        return None;
    };
    show(request);
    if let DraftView::Failed { message } = draft {
        say(&format!("  {message}"));
    }
    loop {
        let may_ask = match endpoint {
            Some(endpoint) => format!("[m] asks {}; ", named(endpoint)),
            None => "No model endpoint is on. ".into(),
        };
        let how = read(&format!(
            "{may_ask}[h] answers by hand; “never” for this server; Enter refuses: "
        ))
        .await?;
        let (text, model, stop) = match (how.trim().to_lowercase().as_str(), endpoint) {
            ("m" | "model", Some(_)) => match by_model(host, question.id, part, request).await {
                Ok((text, model, stop)) => (text, model, stop),
                Err(message) => {
                    say(&format!("  {message}"));
                    continue;
                }
            },
            ("h" | "hand", _) => {
                say(&format!(
                    "Write the answer, at most about {} tokens. A line with a single “.” ends it.",
                    request.max_tokens
                ));
                (read_text().await?, BY_HAND.to_owned(), Some("endTurn".to_owned()))
            }
            ("never", _) => return Some(answer(SampleChoice::Never, None)),
            _ => return Some(answer(SampleChoice::Refuse, None)),
        };
        let exact = result(&text, &model, stop.as_deref());
        say(&format!("Exactly this will be sent:\n  {}", harmless::text(&exact)));
        let session = if endpoint.is_some() {
            "until this command [q]uits its requests go to the model and the answers back unasked, "
        } else {
            ""
        };
        let sure = read(&format!("[s]end it, {session}[b]ack; Enter refuses: ")).await?;
        return Some(match sure.trim().to_lowercase().as_str() {
            "s" | "send" => answer(SampleChoice::Once, Some(exact)),
            "q" | "session" if endpoint.is_some() => answer(SampleChoice::Session, Some(exact)),
            "b" | "back" => continue,
            _ => answer(SampleChoice::Refuse, None),
        });
    }
}

/// The model's text, name and reason to stop, or what happened instead.
async fn by_model(
    host: &Host,
    question: u64,
    part: usize,
    request: &SampleView,
) -> Result<(String, String, Option<String>), String> {
    let mut watcher = host.watch();
    let as_it_is = SampleEdit {
        messages: request
            .messages
            .iter()
            .map(|message| vec![TextEdit::Keep; message.blocks.len()])
            .collect(),
        system_prompt: TextEdit::Keep,
        max_tokens: request.max_tokens,
        temperature: request.temperature.clone(),
        stop_sequences: None,
    };
    host.ask_model(question, part, &as_it_is)
        .map_err(|error| error.view().message)?;
    say("  Asking …");
    while let Some(parts) = watcher.next().await {
        if !parts.contains(&Part::Questions) {
            continue;
        }
        let open = host.questions().into_iter().find(|open| open.id == question);
        let Some(open) = open else {
            return Err("the question is no longer open".into());
        };
        let body = match &open.body {
            QuestionBody::Sheet { parts } => parts.get(part),
            body => Some(body),
        };
        match body {
            Some(QuestionBody::Sample { draft, .. }) => match draft {
                DraftView::Answered {
                    text,
                    model,
                    stop_reason,
                    ..
                } => return Ok((text.clone(), model.clone(), stop_reason.clone())),
                DraftView::Failed { message } => return Err(message.clone()),
                DraftView::Asking { .. } => {}
                DraftView::Empty => return Err("the model is no longer asked".into()),
            },
            _ => return Err("the question is no longer open".into()),
        }
    }
    Err("the question is no longer open".into())
}

fn show(request: &SampleView) {
    let indented = |text: &str| text.replace('\n', "\n    ");
    if let Some(prompt) = &request.system_prompt {
        say(&format!("  System\n    {}", indented(prompt)));
    }
    for SampleMessageView { by_model, blocks } in &request.messages {
        say(if *by_model { "  Model" } else { "  User" });
        for block in blocks {
            let cut = match block.cut {
                0 => String::new(),
                cut => format!(" … ({cut} more characters)"),
            };
            say(&format!("    {}{cut}", indented(&words(&block.block))));
        }
    }
    let mut limits = format!("  Limits at most {} tokens", request.max_tokens);
    if let Some(temperature) = &request.temperature {
        limits.push_str(&format!(", temperature {temperature}"));
    }
    if !request.stop_sequences.is_empty() {
        let stops: Vec<String> = request.stop_sequences.iter().map(|stop| format!("{stop:?}")).collect();
        limits.push_str(&format!(", stop at {}", stops.join(", ")));
    }
    say(&limits);
    let mut wants: Vec<String> = request.hints.clone();
    wants.extend(request.priorities.iter().map(|priority| {
        let what = match priority.what {
            Priority::Cost => "low cost",
            Priority::Speed => "speed",
            Priority::Intelligence => "ability",
        };
        format!("{what} {}", priority.weight)
    }));
    if !wants.is_empty() {
        say(&format!("  Wants  {}", wants.join(", ")));
    }
    for ignored in &request.ignored {
        say(&format!("  Note   {ignored}"));
    }
}

fn words(block: &BlockView) -> String {
    match block {
        BlockView::Text { text, .. } => text.clone(),
        BlockView::Image { data, mime_type, .. } => format!("(a picture, {mime_type}, {} bytes)", data.len() / 4 * 3),
        BlockView::Audio { data, mime_type, .. } => format!("(a sound, {mime_type}, {} bytes)", data.len() / 4 * 3),
        BlockView::Link { label, .. } => format!("(a link to a resource, {label})"),
        BlockView::Resource { uri, text, .. } => text.clone().unwrap_or_else(|| format!("(a resource, {uri})")),
        BlockView::Unknown { text, .. } => text.clone(),
    }
}

fn named(endpoint: &EndpointView) -> String {
    let away = match (endpoint.remote, endpoint.encrypted) {
        (false, _) => ", on this machine",
        (true, true) => ", REMOTE: the request leaves this machine",
        (true, false) => ", REMOTE and NOT ENCRYPTED: the request leaves this machine and others can read it",
    };
    format!("{} at {}{away}", endpoint.model, endpoint.host)
}

fn result(text: &str, model: &str, stop: Option<&str>) -> String {
    let mut result = json!({"role": "assistant", "content": {"type": "text", "text": text}, "model": model});
    if let Some(stop) = stop {
        result["stopReason"] = stop.into();
    }
    result.to_string()
}

fn answer(choice: SampleChoice, result: Option<String>) -> AnswerInput {
    AnswerInput::Sample { choice, result }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_holds_a_whole_result_or_a_text() {
        let check = |text: &str, expect: &str| {
            let given = [("other".to_owned(), "x".to_owned()), (KEY.to_owned(), text.to_owned())];
            let expect = answer(SampleChoice::Once, Some(expect.to_owned()));
            assert_eq!(by_flag(&given), Some(expect), "{text}");
        };
        let whole = r#"{"role":"assistant","content":{"type":"text","text":"x"},"model":"m"}"#;
        check(whole, whole);
        let four = r#"{"role":"assistant","content":{"type":"text","text":"It is 4."},"model":"human","stopReason":"endTurn"}"#;
        check("It is 4.", four);
        check("\"It is 4.\"", four);
        assert_eq!(by_flag(&[("other".to_owned(), "x".to_owned())]), None);
    }
}
