//! Questions at the terminal: shown whole, keystrokes typed before are thrown away, and anything but a clear yes is no.
//! Prompts go to standard error, so that standard output holds the result alone.

use std::io::{BufRead, IsTerminal, Write};

use gatehouse_host::Host;
use gatehouse_host::harmless;
use gatehouse_host::view::{
    AnswerInput, DefinitionView, FieldKind, FieldView, FormAction, Health, LinkView, LinkWarning, QuestionBody,
    QuestionView, RootChoice, RootsChoice, Trust,
};

use crate::folders::health;
use crate::output::say;
use crate::sampling;

/// True when a person can be asked: they see standard error and type on standard input.
pub fn is_there() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// A command line as a person would type it.
pub fn command_line(definition: &DefinitionView) -> String {
    let plain = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || "-_./=:@%+,~".contains(c));
    let quoted = |word: &String| {
        if plain(word) {
            word.clone()
        } else {
            format!("'{}'", word.replace('\'', "'\\''"))
        }
    };
    std::iter::once(&definition.command)
        .chain(&definition.args)
        .map(quoted)
        .collect::<Vec<_>>()
        .join(" ")
}

/// Says who asks, and why now.
pub fn introduce(question: &QuestionView) {
    let server = harmless::line(&question.server, 100);
    let asks = match &question.body {
        QuestionBody::Trust { .. } => format!("“{server}” has not been allowed to start."),
        QuestionBody::Roots { .. } => format!("“{server}” asks which folders it may know."),
        QuestionBody::Form { .. } => format!("“{server}” asks you to fill a form."),
        QuestionBody::Link { .. } => format!("“{server}” asks you to open a page."),
        QuestionBody::Sample { .. } => format!("“{server}” asks for an answer of a model's."),
        QuestionBody::Sheet { parts } => format!("“{server}” needs {} answers; they are sent together.", parts.len()),
    };
    let mut lines = vec![
        String::new(),
        asks,
        format!("  Runs   {}", command_line(&question.definition)),
    ];
    if !matches!(question.body, QuestionBody::Trust { .. }) {
        lines.push(format!("  Known  {}", acquaintance(question.trust)));
        for why in &question.why {
            let target = why.target.as_deref().unwrap_or("");
            let args = why.args.as_deref().unwrap_or("");
            let on_its_own = if why.call.is_none() {
                " (the server asked on its own)"
            } else {
                ""
            };
            lines.push(format!(
                "  Why    {} {target} {args} (round {}){on_its_own}",
                why.method, why.round
            ));
        }
    }
    say(&lines.join("\n"));
}

/// Asks one part of a question. None where the terminal went away.
pub async fn ask(host: &Host, question: &QuestionView, at: usize, part: &QuestionBody) -> Option<AnswerInput> {
    match part {
        QuestionBody::Trust { previous } => ask_trust(&question.definition, previous.as_ref()).await,
        QuestionBody::Roots { folders } => ask_roots(host, question.id, folders).await,
        QuestionBody::Form { message, fields, .. } => ask_form(message, fields).await,
        QuestionBody::Link {
            message,
            url,
            link,
            problem,
        } => ask_link(message, url, link.as_ref(), problem.as_deref()).await,
        QuestionBody::Sample { .. } => sampling::ask(host, question, at, part).await,
        // The parts of a sheet are asked one by one.
        QuestionBody::Sheet { .. } => None,
    }
}

/// A page is opened by the person, not by this command: nothing starts a browser unasked.
async fn ask_link(message: &str, url: &str, link: Option<&LinkView>, problem: Option<&str>) -> Option<AnswerInput> {
    say(&format!("  {}\n  Page   {url}", message.replace('\n', "\n  ")));
    let answer = |action| Some(AnswerInput::Link { action });
    let Some(link) = link else {
        say(&format!("  {}", problem.unwrap_or("It can't be opened.")));
        return answer(FormAction::Decline);
    };
    let shown = link
        .display_host
        .as_ref()
        .map(|display| format!(", shown as {display}"))
        .unwrap_or_default();
    say(&format!("  Host   {}{shown}", link.host));
    for warning in &link.warnings {
        say(&format!("  Look   {}", warning_words(*warning)));
    }
    let done = read("Open it yourself. Then: [g]o on, [d]ecline; Enter cancels: ").await?;
    answer(match done.trim().to_lowercase().as_str() {
        "g" | "go" => FormAction::Accept,
        "d" | "decline" => FormAction::Decline,
        _ => FormAction::Cancel,
    })
}

fn warning_words(warning: LinkWarning) -> &'static str {
    match warning {
        LinkWarning::NotEncrypted => "it is not encrypted (http)",
        LinkWarning::UserInfo => "a name stands before the host, which can look like another host",
        LinkWarning::LookAlike => "the host has letters that can look like others",
        LinkWarning::BareAddress => "the host is a bare address, not a name",
        LinkWarning::ThisMachine => "it leads to this machine",
        LinkWarning::Port => "it has a port of its own",
    }
}

fn acquaintance(trust: Trust) -> &'static str {
    match trust {
        Trust::Trusted => "it asked before, and what it runs is unchanged",
        Trust::New => "it has not asked before",
        Trust::Changed => "another definition of this name asked before; what it runs has CHANGED",
    }
}

async fn ask_trust(definition: &DefinitionView, previous: Option<&DefinitionView>) -> Option<AnswerInput> {
    for variable in &definition.env {
        say(&format!("  Env    {}={}", variable.key, variable.value));
    }
    say(&format!(
        "  In     {}",
        definition
            .cwd
            .as_deref()
            .unwrap_or("an empty folder of Gatehouse's own")
    ));
    if let Some(previous) = previous {
        say(&format!("  Before {}", command_line(previous)));
    }
    let yes = read("Start it, and remember that it may? [y/N] ").await?;
    Some(AnswerInput::Trust { start: is_yes(&yes) })
}

async fn ask_roots(host: &Host, question: u64, folders: &[RootChoice]) -> Option<AnswerInput> {
    for (at, folder) in folders.iter().enumerate() {
        let real = folder
            .real_path
            .as_ref()
            .map(|real| format!(" → {real}"))
            .unwrap_or_default();
        let sick = if folder.health == Health::Ready {
            String::new()
        } else {
            format!("  ({}; can't be shared)", health(&folder.health))
        };
        let note = folder
            .note
            .as_ref()
            .map(|note| format!("  ({note})"))
            .unwrap_or_default();
        say(&format!(
            "  {:>3}  {}  {}{real}{sick}{note}",
            at + 1,
            folder.name,
            folder.path
        ));
    }
    say("Folders tell a server where to work. They do not stop it from reading elsewhere.");
    let answer = |choice, folders| Some(AnswerInput::Roots { choice, folders });
    let which = read(
        "Share which? Numbers such as 1,2; “all”; “none” for an empty list; “never” for this server; Enter refuses: ",
    )
    .await?;
    let ids = match which.trim() {
        "none" => return answer(RootsChoice::ShareNone, Vec::new()),
        "never" => return answer(RootsChoice::Never, Vec::new()),
        "all" => folders
            .iter()
            .filter(|folder| folder.health == Health::Ready)
            .map(|folder| folder.id)
            .collect(),
        words => picked(words, folders).unwrap_or_default(),
    };
    if ids.is_empty() {
        return answer(RootsChoice::Refuse, Vec::new());
    }
    match host.preview(question, ids.clone()).await {
        Ok(exact) => say(&format!("Exactly this will be sent:\n  {}", harmless::text(&exact))),
        Err(error) => {
            say(&format!("gatehouse: {error}"));
            return answer(RootsChoice::Refuse, Vec::new());
        }
    }
    let sure = read("Share [o]nce, until this command [q]uits, [a]lways; Enter refuses: ").await?;
    match sure.trim().to_lowercase().as_str() {
        "o" | "once" => answer(RootsChoice::ShareOnce, ids),
        "q" | "session" => answer(RootsChoice::ShareSession, ids),
        "a" | "always" => answer(RootsChoice::ShareAlways, ids),
        _ => answer(RootsChoice::Refuse, Vec::new()),
    }
}

/// Numbers to ids; none where anything but the number of a ready folder was typed.
fn picked(words: &str, folders: &[RootChoice]) -> Option<Vec<u64>> {
    let numbers = words.split([',', ' ']).filter(|word| !word.is_empty());
    let folder = |word: &str| {
        let at: usize = word.parse().ok()?;
        folders
            .get(at.checked_sub(1)?)
            .filter(|folder| folder.health == Health::Ready)
            .map(|folder| folder.id)
    };
    numbers.map(folder).collect()
}

async fn ask_form(message: &str, fields: &[FieldView]) -> Option<AnswerInput> {
    say(&format!("  {}", message.replace('\n', "\n  ")));
    let mut members = Vec::new();
    for field in fields {
        let Some(value) = ask_field(field).await else {
            return Some(AnswerInput::Form {
                action: FormAction::Cancel,
                content: None,
            });
        };
        if let Some(value) = value {
            members.push(format!("{}:{value}", serde_json::Value::from(field.key.clone())));
        }
    }
    let content = format!("{{{}}}", members.join(","));
    say(&format!("Exactly this will be sent:\n  {}", harmless::text(&content)));
    let sure = read("[s]end, [d]ecline; Enter cancels: ").await?;
    let action = match sure.trim().to_lowercase().as_str() {
        "s" | "send" => FormAction::Accept,
        "d" | "decline" => FormAction::Decline,
        _ => FormAction::Cancel,
    };
    Some(AnswerInput::Form {
        action,
        content: (action == FormAction::Accept).then_some(content),
    })
}

/// The JSON text of one field; none inside where an optional field stays empty; none outside where the input ended.
async fn ask_field(field: &FieldView) -> Option<Option<String>> {
    if let Some(description) = &field.description {
        say(&format!("  ({description})"));
    }
    let text = |text: &str| serde_json::Value::from(text).to_string();
    let hint = match &field.kind {
        FieldKind::Text { format, .. } => format.clone().unwrap_or_else(|| "text".into()),
        FieldKind::Number { integer, .. } => if *integer { "whole number" } else { "number" }.into(),
        FieldKind::Boolean => "y or n".into(),
        FieldKind::Choice { options } | FieldKind::MultiChoice { options, .. } => {
            for (at, option) in options.iter().enumerate() {
                say(&format!("  {:>3}  {}", at + 1, option.title));
            }
            "number".into()
        }
    };
    let default = field
        .default
        .as_ref()
        .map(|default| format!(", Enter for {}", harmless::line(default, 80)))
        .unwrap_or_default();
    let optional = if field.required { "" } else { ", optional" };
    let typed = read(&format!("{} ({hint}{optional}{default}): ", field.title)).await?;
    let typed = typed.trim();
    if typed.is_empty() {
        return Some(field.default.clone());
    }
    Some(Some(match &field.kind {
        FieldKind::Text { .. } => text(typed),
        FieldKind::Number { .. } => {
            let number = serde_json::from_str::<serde_json::Value>(typed).is_ok_and(|value| value.is_number());
            if number { typed.to_owned() } else { text(typed) }
        }
        FieldKind::Boolean => is_yes(typed).to_string(),
        FieldKind::Choice { options } => {
            let option = typed
                .parse::<usize>()
                .ok()
                .and_then(|at| options.get(at.checked_sub(1)?));
            text(option.map_or(typed, |option| &option.value))
        }
        FieldKind::MultiChoice { options, .. } => {
            let numbers = typed.split([',', ' ']).filter(|word| !word.is_empty());
            let chosen: Vec<&str> = numbers
                .map(|word| {
                    word.parse::<usize>()
                        .ok()
                        .and_then(|at| options.get(at.checked_sub(1)?))
                        .map_or(word, |o| &o.value)
                })
                .collect();
            serde_json::Value::from(chosen).to_string()
        }
    }))
}

fn is_yes(text: &str) -> bool {
    matches!(text.trim().to_lowercase().as_str(), "y" | "yes")
}

/// Reads one line after throwing away what was typed before the question stood there. None at the end of input.
pub async fn read(prompt: &str) -> Option<String> {
    #[cfg(unix)]
    let _ = rustix::termios::tcflush(std::io::stdin(), rustix::termios::QueueSelector::IFlush);
    let mut stderr = std::io::stderr();
    let _ = stderr.write_all(prompt.as_bytes()).and_then(|()| stderr.flush());
    let line = tokio::task::spawn_blocking(|| {
        let mut line = String::new();
        std::io::stdin()
            .lock()
            .read_line(&mut line)
            .ok()
            .filter(|read| *read > 0)
            .map(|_| line)
    });
    line.await.ok().flatten()
}

/// Reads lines until one that is a single dot. None at the end of input.
pub async fn read_text() -> Option<String> {
    let lines = tokio::task::spawn_blocking(|| {
        let mut text = String::new();
        for line in std::io::stdin().lock().lines() {
            let line = line.ok()?;
            if line == "." {
                return Some(text.trim_end_matches('\n').to_owned());
            }
            text.push_str(&line);
            text.push('\n');
        }
        None
    });
    lines.await.ok().flatten()
}
