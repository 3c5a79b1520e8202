//! `gatehouse tools`, `call`, `prompts`, `prompt`, `resources`, `read`: what talks to a server.

use gatehouse_host::call::{Call, What};
use gatehouse_host::view::{
    BlockView, CallEnd, ListingView, MessageView, PromptView, ResourceView, ResultView, ToolView, UnreadableView,
};
use gatehouse_host::{Host, HostError, Result};
use serde_json::json;

use crate::args::{Answers, Command};
use crate::exit::Exit;
use crate::output::{Output, say};
use crate::person::Person;

/// Carries it out, with somebody (or nobody) at hand for questions.
pub async fn run(host: &Host, command: Command, output: Output) -> Result<Exit> {
    let (answers, timeout) = match &command {
        Command::Call { answers, .. } | Command::Prompt { answers, .. } | Command::Read { answers, .. } => (answers.clone(), answers.timeout),
        _ => (Answers::default(), None),
    };
    let person = Person::of(host, &answers).await?;
    let call = |server, what| Call { server, what, limit: timeout };
    let work = async {
        match command {
            Command::Tools { server } => {
                let tools = host.tools(&server).await?;
                output.print(&tools, || listing(&tools, "tools", tool));
                Ok(Exit::Done)
            }
            Command::Prompts { server } => {
                let prompts = host.prompts(&server).await?;
                output.print(&prompts, || listing(&prompts, "prompts", prompt));
                Ok(Exit::Done)
            }
            Command::Resources { server } => {
                let resources = host.resources(&server).await?;
                output.print(&resources, || listing(&resources, "resources", resource));
                Ok(Exit::Done)
            }
            Command::Call { server, tool, args, .. } => end(host, call(server, What::Tool { name: tool, args }), output).await,
            Command::Prompt { server, name, args, .. } => end(host, call(server, What::Prompt { name, args }), output).await,
            Command::Read { server, uri, .. } => end(host, call(server, What::Resource { uri }), output).await,
            _ => Ok(Exit::Usage),
        }
    };
    let attending = person.attend(host.clone());
    tokio::select! {
        // A finished call wins over the words of a question that found nobody in the same moment.
        biased;
        done = work => conclude(done, &person),
        () = attending => Ok(Exit::Refused),
        words = person.nobody_there() => {
            nobody(&words, output);
            Ok(Exit::Refused)
        }
    }
}

fn conclude(done: Result<Exit>, person: &Person) -> Result<Exit> {
    match (done, person.nobody_words()) {
        (Ok(Exit::Done), _) => Ok(Exit::Done),
        // Where nobody was there to ask, that is the reason, whatever followed from it.
        (Ok(Exit::Refused), Some(words)) => {
            say(&format!("gatehouse: {words}"));
            Ok(Exit::Refused)
        }
        (Err(HostError::NotTrusted { server, .. }), Some(words)) => Err(HostError::NotTrusted { server, reason: words }),
        (other, _) => other,
    }
}

fn nobody(words: &str, output: Output) {
    output.print(&json!({ "end": "declined", "message": words }), String::new);
    say(&format!("gatehouse: {words}"));
}

async fn end(host: &Host, call: Call, output: Output) -> Result<Exit> {
    let end = host.call(call).await?;
    output.print(&end, || shown(&end));
    Ok(match &end {
        CallEnd::Completed { result: ResultView::Tool { is_error: true, .. }, .. } => Exit::Answered,
        CallEnd::Completed { .. } => Exit::Done,
        CallEnd::Declined { message, .. } => {
            say(&format!("gatehouse: {message}"));
            Exit::Refused
        }
    })
}

fn shown(end: &CallEnd) -> String {
    match end {
        CallEnd::Declined { .. } => String::new(),
        CallEnd::Completed { result, .. } => match result {
            ResultView::Tool { content, structured, .. } => {
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
        },
    }
}

fn block(block: &BlockView) -> String {
    match block {
        BlockView::Text { text } => text.clone(),
        BlockView::Image { data, mime_type } => format!("[picture, {mime_type}, {} bytes of base64]", data.len()),
        BlockView::Audio { data, mime_type } => format!("[sound, {mime_type}, {} bytes of base64]", data.len()),
        BlockView::Link { uri, name, .. } => format!("[link to {name}: {uri}]"),
        BlockView::Resource { uri, text: Some(text), .. } => format!("[{uri}]\n{text}"),
        BlockView::Resource { uri, bytes, .. } => format!("[{uri}: {} bytes]", bytes.unwrap_or(0)),
        BlockView::Unknown { reason, text } => format!("[{reason}]\n{text}"),
    }
}

fn listing<T>(listing: &ListingView<T>, what: &str, entry: impl Fn(&T) -> String) -> String {
    if listing.items.is_empty() && listing.unreadable.is_empty() {
        return format!("The server offers no {what}.");
    }
    let mut lines: Vec<String> = listing.items.iter().map(entry).collect();
    let unreadable = |entry: &UnreadableView| format!("{} can't be read: {}", entry.name.as_deref().unwrap_or("(an entry)"), entry.reason);
    lines.extend(listing.unreadable.iter().map(unreadable));
    lines.extend(listing.stopped.iter().map(|reason| format!("The list is not whole: {reason}")));
    lines.join("\n")
}

fn tool(tool: &ToolView) -> String {
    entry(&tool.label, tool.title.as_deref(), tool.description.as_deref())
}

fn prompt(prompt: &PromptView) -> String {
    let argument = |argument: &gatehouse_host::view::PromptArgumentView| {
        let mark = if argument.required { "" } else { "?" };
        format!("{}{mark}", argument.label)
    };
    let arguments = prompt.arguments.iter().map(argument).collect::<Vec<_>>().join(", ");
    entry(&format!("{}({arguments})", prompt.label), prompt.title.as_deref(), prompt.description.as_deref())
}

fn resource(resource: &ResourceView) -> String {
    entry(&resource.label, Some(&resource.name), resource.description.as_deref())
}

fn entry(name: &str, title: Option<&str>, description: Option<&str>) -> String {
    let title = title.filter(|title| *title != name).map(|title| format!("  {title}")).unwrap_or_default();
    let description = description.map(|text| format!("\n    {}", text.replace('\n', "\n    "))).unwrap_or_default();
    format!("{name}{title}{description}")
}
