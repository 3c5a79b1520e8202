//! `gatehouse demo`: the whole job in the terminal, on a folder and a home of its own that are gone afterwards.

use std::path::Path;

use gatehouse_host::call::{Call, What};
use gatehouse_host::places::Places;
use gatehouse_host::server::demo;
use gatehouse_host::view::CallEnd;
use gatehouse_host::{Host, HostError, Result};

use crate::args::Answers;
use crate::exit::Exit;
use crate::output::{Output, say};
use crate::person::Person;
use crate::records;
use crate::terminal;

const TOOL: &str = "count_files";

/// Walks through it.
pub async fn walk() -> Exit {
    match tempfile::Builder::new().prefix("gatehouse-demo-").tempdir() {
        Ok(home) => match tour(home.path()).await {
            Ok(exit) => exit,
            Err(error) => Output::new(false).fail(&error),
        },
        Err(e) => {
            let error = HostError::Storage {
                what: "a folder for the demo".into(),
                reason: e.to_string(),
            };
            Output::new(false).fail(&error)
        }
    }
}

async fn tour(home: &Path) -> Result<Exit> {
    say("This is Gatehouse in the terminal. Everything below lives in a temporary folder and is gone afterwards.\n");
    let sample = home.join("sample-project");
    make_sample(&sample).map_err(|e| HostError::Storage {
        what: sample.display().to_string(),
        reason: e.to_string(),
    })?;
    let host = Host::open(Places::under(&home.join("gatehouse")))?;
    let done = steps(&host, &sample).await;
    host.quit().await;
    done
}

async fn steps(host: &Host, sample: &Path) -> Result<Exit> {
    say(&format!(
        "1. A folder is added: {}\n   No server knows of it yet.",
        sample.display()
    ));
    host.add_folders(vec![sample.to_owned()], None).await?;
    let program = std::env::current_exe().map_err(|e| HostError::Storage {
        what: "the path of this program".into(),
        reason: e.to_string(),
    })?;
    host.add_server(demo::input(&program)).await?;
    say("2. The demo server is started. Its tools:");
    for tool in host.tools(demo::NAME).await?.items {
        say(&format!("   {:<14} {}", tool.label, tool.title.unwrap_or_default()));
    }
    if terminal::is_there() {
        say(&format!(
            "3. The tool {TOOL} is called. To count, the server needs your folders, so it asks; you decide."
        ));
        return call(host, &Answers::default(), false).await;
    }
    say(&format!(
        "3. The tool {TOOL} is called, and nobody is here to ask: silence is no."
    ));
    let before = sent(host);
    let refused = call(host, &Answers::default(), true).await?;
    say(&format!(
        "   Frames that went to the server in this call: {}. After its question: none.",
        sent(host) - before
    ));
    say(&format!("4. The same call with --share {}", sample.display()));
    let answers = Answers {
        share: vec![sample.as_os_str().to_owned()],
        ..Answers::default()
    };
    let shared = call(host, &answers, false).await?;
    say("5. The record of what was asked and what left:");
    records::record(host, None, Output::new(false)).await?;
    say("\nFolders tell a server where to work. They do not stop it from reading elsewhere.");
    Ok(if refused == Exit::Refused {
        shared
    } else {
        Exit::Answered
    })
}

async fn call(host: &Host, answers: &Answers, expect_refusal: bool) -> Result<Exit> {
    let person = Person::of(host, answers).await?;
    let call = Call {
        server: demo::NAME.into(),
        what: What::Tool {
            name: TOOL.into(),
            args: "{}".into(),
        },
        limit: None,
    };
    let end = tokio::select! {
        biased;
        end = host.call(call) => end?,
        () = person.attend(host.clone()) => return Ok(Exit::Refused),
    };
    match end {
        CallEnd::Completed {
            result: gatehouse_host::view::ResultView::Tool { content, .. },
            ..
        } => {
            for block in content {
                if let gatehouse_host::view::BlockView::Text { text, .. } = block {
                    say(&format!("   The server answers: {}", text.replace('\n', "\n   ")));
                }
            }
            Ok(Exit::Done)
        }
        CallEnd::Completed { .. } => Ok(Exit::Done),
        CallEnd::Declined { message, .. } => {
            say(&format!("   {message}"));
            if expect_refusal && let Some(words) = person.nobody_words() {
                say(&format!("   The command would say: {words}"));
            }
            Ok(Exit::Refused)
        }
    }
}

fn sent(host: &Host) -> usize {
    let (frames, _) = host.frames(demo::NAME, 0, usize::MAX);
    frames.iter().filter(|frame| frame.is_sent()).count()
}

fn make_sample(folder: &Path) -> std::io::Result<()> {
    #![allow(
        clippy::disallowed_methods,
        reason = "the demo makes the sample folder that it shows"
    )]
    std::fs::create_dir_all(folder.join("src"))?;
    std::fs::write(folder.join("README.md"), "# A sample project\n")?;
    std::fs::write(folder.join("notes.txt"), "Made by `gatehouse demo`.\n")?;
    std::fs::write(folder.join("src/main.txt"), "hello\n")
}
