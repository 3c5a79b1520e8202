//! `gatehouse tools`, `call`, `prompts`, `prompt`, `resources`, `templates`, `complete`, `read`: what talks to a server.

use std::time::Duration;

use gatehouse_host::call::{Call, What};
use gatehouse_host::view::{
    BlockView, CallEnd, ListingView, MessageView, PromptView, ResourceView, ResultView, SuggestInput, SuggestOf,
    SuggestionsView, TemplateView, ToolView, UnreadableView,
};
use gatehouse_host::{Host, HostError, Result};
use serde_json::json;

use crate::args::{Answers, Command};
use crate::exit::Exit;
use crate::nobody::Words;
use crate::output::{Output, say};
use crate::person::Person;
use crate::watching;

/// How long a command that found nobody waits for its refusal to be written down, and told to a server that waits for it.
const REFUSAL: Duration = Duration::from_millis(500);

/// What the work came to.
enum Ended {
    /// A list, which is printed.
    Listed,
    /// A call.
    Called(CallEnd),
}

/// Carries it out, with somebody (or nobody) at hand for questions.
pub async fn run(host: &Host, command: Command, output: Output) -> Result<Exit> {
    let answers = match &command {
        Command::Call { answers, .. } | Command::Prompt { answers, .. } | Command::Read { answers, .. } => {
            answers.clone()
        }
        _ => Answers::default(),
    };
    let person = Person::of(host, &answers).await?;
    // A list needs no folders. Where a server asks for them on the way, silence is its answer and the list goes on.
    let lists = matches!(
        command,
        Command::Tools { .. }
            | Command::Prompts { .. }
            | Command::Resources { .. }
            | Command::Templates { .. }
            | Command::Complete { .. }
    );
    let work = work(host, command, answers.timeout, output);
    tokio::pin!(work);
    tokio::select! {
        // What ended in the same moment wins over the words of a question that found nobody.
        biased;
        done = &mut work => conclude(done, person.nobody_words(), output),
        () = person.attend(host.clone()) => Ok(Exit::Refused),
        words = person.nobody_there(), if !lists => {
            // However it ends now, it ended without an answer.
            let _ = tokio::time::timeout(REFUSAL, work).await;
            Ok(nobody(&words, output))
        }
    }
}

async fn work(host: &Host, command: Command, limit: Option<Duration>, output: Output) -> Result<Ended> {
    let call = |server, what| host.call(Call { server, what, limit });
    match command {
        Command::Tools { server } => {
            let tools = host.tools(&server).await?;
            output.print(&tools, || listing(&tools, "tools", tool));
        }
        Command::Prompts { server } => {
            let prompts = host.prompts(&server).await?;
            output.print(&prompts, || listing(&prompts, "prompts", prompt));
        }
        Command::Resources { server } => {
            let resources = host.resources(&server).await?;
            output.print(&resources, || listing(&resources, "resources", resource));
        }
        Command::Templates { server } => {
            let templates = host.templates(&server).await?;
            output.print(&templates, || listing(&templates, "resource templates", template));
        }
        Command::Complete {
            server,
            prompt,
            template,
            with,
            argument,
            value,
        } => {
            let of = if prompt.is_some() {
                SuggestOf::Prompt
            } else {
                SuggestOf::Template
            };
            let input = SuggestInput {
                of,
                name: prompt.or(template).unwrap_or_default(),
                argument,
                value,
                others: with,
            };
            host.connect(&server).await?;
            let found = host.suggest(&server, input).await?;
            output.print(&found, || suggestions(&found));
        }
        Command::Call { server, tool, args, .. } => {
            return call(server, What::Tool { name: tool, args }).await.map(Ended::Called);
        }
        Command::Prompt { server, name, args, .. } => {
            return call(server, What::Prompt { name, args }).await.map(Ended::Called);
        }
        Command::Read {
            server,
            uri,
            watch: true,
            ..
        } => return watching::run(host, server, uri, limit, output).await.map(Ended::Called),
        Command::Read { server, uri, .. } => return call(server, What::Resource { uri }).await.map(Ended::Called),
        // The others talk to no server and do not come here.
        _ => {}
    }
    Ok(Ended::Listed)
}

fn conclude(done: Result<Ended>, words: Option<Words>, output: Output) -> Result<Exit> {
    if let (Err(HostError::NotTrusted { .. }), Some(words)) = (&done, &words) {
        return Ok(nobody(words, output));
    }
    let exit = match (done?, &words) {
        (Ended::Listed, _) => Exit::Done,
        // Where nobody was there to ask, that is the reason.
        (Ended::Called(CallEnd::Declined { .. }), Some(words)) => return Ok(nobody(words, output)),
        (Ended::Called(end), _) => {
            output.print(&end, || shown(&end));
            match end {
                CallEnd::Completed {
                    result: ResultView::Tool { is_error: true, .. },
                    ..
                } => Exit::Answered,
                CallEnd::Completed { .. } => Exit::Done,
                CallEnd::Declined { message, .. } => {
                    say(&format!("gatehouse: {message}"));
                    Exit::Refused
                }
            }
        }
    };
    if let Some(words) = words {
        say(&format!("gatehouse: {}", words.asked));
    }
    Ok(exit)
}

fn nobody(words: &Words, output: Output) -> Exit {
    output.print(&json!({ "end": "declined", "message": words.to_string() }), String::new);
    say(&format!("gatehouse: {words}"));
    Exit::Refused
}

pub(crate) fn shown(end: &CallEnd) -> String {
    match end {
        CallEnd::Declined { .. } => String::new(),
        CallEnd::Completed { result, .. } => shown_result(result),
    }
}

/// A result as text.
pub fn shown_result(result: &ResultView) -> String {
    match result {
        ResultView::Tool {
            content, structured, ..
        } => {
            let mut parts: Vec<String> = content.iter().map(block).collect();
            if parts.is_empty() {
                parts.push(structured.clone().unwrap_or_else(|| "(no content was returned)".into()));
            }
            parts.join("\n")
        }
        ResultView::Prompt { messages, .. } => {
            let message = |message: &MessageView| format!("{}: {}", message.role, block(&message.content));
            messages.iter().map(message).collect::<Vec<_>>().join("\n")
        }
        ResultView::Resource { content, .. } => content.iter().map(block).collect::<Vec<_>>().join("\n"),
    }
}

fn block(block: &BlockView) -> String {
    match block {
        BlockView::Text { text, .. } => text.clone(),
        BlockView::Image { data, mime_type, .. } => format!("[picture, {mime_type}, {} bytes of base64]", data.len()),
        BlockView::Audio { data, mime_type, .. } => format!("[sound, {mime_type}, {} bytes of base64]", data.len()),
        BlockView::Link { label, name, .. } => format!("[link to {name}: {label}]"),
        BlockView::Resource {
            uri, text: Some(text), ..
        } => format!("[{uri}]\n{text}"),
        BlockView::Resource { uri, bytes, .. } => format!("[{uri}: {} bytes]", bytes.unwrap_or(0)),
        BlockView::Unknown { reason, text, .. } => format!("[{reason}]\n{text}"),
    }
}

fn listing<T>(listing: &ListingView<T>, what: &str, entry: impl Fn(&T) -> String) -> String {
    if listing.items.is_empty() && listing.unreadable.is_empty() {
        return format!("The server offers no {what}.");
    }
    let mut lines: Vec<String> = listing.items.iter().map(entry).collect();
    let unreadable = |entry: &UnreadableView| {
        format!(
            "{} can't be read: {}",
            entry.name.as_deref().unwrap_or("(an entry)"),
            entry.reason
        )
    };
    lines.extend(listing.unreadable.iter().map(unreadable));
    lines.extend(
        listing
            .stopped
            .iter()
            .map(|reason| format!("The list is not whole: {reason}")),
    );
    lines.join("\n")
}

fn tool(tool: &ToolView) -> String {
    entry(&tool.label, tool.title.as_deref(), tool.description.as_deref())
}

fn prompt(prompt: &PromptView) -> String {
    let argument = |argument: &gatehouse_host::view::PromptArgumentView| {
        let mark = if argument.required { "" } else { "?" };
        // The name, since that is what --args takes.
        format!("{}{mark}", gatehouse_host::harmless::line(&argument.name, 100))
    };
    let arguments = prompt.arguments.iter().map(argument).collect::<Vec<_>>().join(", ");
    entry(
        &format!("{}({arguments})", prompt.label),
        prompt.title.as_deref(),
        prompt.description.as_deref(),
    )
}

fn resource(resource: &ResourceView) -> String {
    let name = resource.title.as_ref().unwrap_or(&resource.name);
    entry(&resource.label, Some(name), resource.description.as_deref())
}

fn template(template: &TemplateView) -> String {
    let name = template.title.as_ref().unwrap_or(&template.name);
    let said = entry(&template.label, Some(name), template.description.as_deref());
    match &template.unusable {
        None => said,
        Some(reason) => format!("{said}\n    No address can be made of it: {reason}"),
    }
}

fn suggestions(found: &SuggestionsView) -> String {
    let mut lines: Vec<&str> = found.values.iter().map(|one| one.label.as_str()).collect();
    if lines.is_empty() {
        lines.push("The server suggests nothing.");
    }
    if found.more {
        lines.push("… and more");
    }
    lines.join("\n")
}

fn entry(name: &str, title: Option<&str>, description: Option<&str>) -> String {
    let title = title
        .filter(|title| *title != name)
        .map(|title| format!("  {title}"))
        .unwrap_or_default();
    let description = description
        .map(|text| format!("\n    {}", text.replace('\n', "\n    ")))
        .unwrap_or_default();
    format!("{name}{title}{description}")
}
