//! `gatehouse servers`.

use gatehouse_host::view::{ServerInput, ServerSettings, ServerView, Trust};
use gatehouse_host::{Host, Result};
use serde_json::json;

use crate::args::{Servers, Switch};
use crate::exit::Exit;
use crate::output::{Output, say, table};
use crate::settings::pairs;

/// Carries it out.
pub async fn run(host: &Host, what: Servers, output: Output) -> Result<Exit> {
    let shown = |name: &str| gatehouse_host::harmless::line(name, 100);
    match what {
        Servers::Add {
            name,
            env,
            cwd,
            command,
        } => {
            let mut words = command.into_iter();
            let cwd = cwd.map(|cwd| std::path::absolute(&cwd).unwrap_or(cwd).to_string_lossy().into_owned());
            let input = ServerInput {
                name: name.clone(),
                command: words.next().unwrap_or_default(),
                args: words.collect(),
                env,
                cwd,
            };
            host.add_server(input).await?;
            output.print(&json!({ "added": name }), || {
                format!(
                    "Added server {0}. `gatehouse tools {0}` starts it and lists its tools.",
                    shown(&name)
                )
            });
        }
        Servers::List => {
            let (servers, file) = (host.servers().await?, host.servers_file());
            if let Some(problem) = &file.problem {
                say(&format!("gatehouse: {problem}"));
            }
            output.print(&json!({ "servers": servers, "file": file }), || {
                list(&servers, &file.path)
            });
            if file.problem.is_some() {
                return Ok(Exit::Usage);
            }
        }
        Servers::Remove { name } => {
            host.remove_server(&name).await?;
            output.print(&json!({ "removed": name }), || {
                format!("Removed server {0} from servers.json.", shown(&name))
            });
        }
        Servers::Trust { name } => {
            host.trust_server(&name).await?;
            let definition = host
                .servers()
                .await?
                .into_iter()
                .find(|server| server.name == name)
                .map(|server| server.definition);
            output.print(&json!({ "trusted": name, "definition": definition }), || {
                let runs = definition
                    .as_ref()
                    .map(crate::terminal::command_line)
                    .unwrap_or_default();
                format!("Server {0} may start. It runs: {runs}", shown(&name))
            });
        }
        Servers::Set { name, changes } => {
            host.change_server(&name, &pairs(&changes)).await?;
            let settings = host.server_settings(&name).await?;
            output.print(&json!({ "server": name, "settings": settings }), || {
                crate::settings::list(&ServerSettings::KEYS, |key| settings.word(key))
            });
        }
        Servers::Roots { name, offer } => {
            let on = offer == Switch::On;
            host.change_server(&name, &[("roots", if on { "on" } else { "off" })])
                .await?;
            output.print(&json!({ "server": name, "rootsOffered": on }), || {
                if on {
                    format!(
                        "Server {0} is told that it may ask for folders. Each time, you decide.",
                        shown(&name)
                    )
                } else {
                    format!("Server {0} is not told that it may ask for folders.", shown(&name))
                }
            });
        }
    }
    Ok(Exit::Done)
}

fn list(servers: &[ServerView], file: &str) -> String {
    if servers.is_empty() {
        return format!("No servers yet in {file}. `gatehouse servers add NAME -- COMMAND` adds one.");
    }
    let rows: Vec<Vec<String>> = servers
        .iter()
        .map(|server| {
            let state = match (&server.problem, server.disabled, server.trust) {
                (Some(problem), _, _) => format!("unusable: {problem}"),
                (None, true, _) => "switched off".into(),
                (None, false, Trust::Trusted) => "allowed".into(),
                (None, false, Trust::New) => "new; not allowed yet".into(),
                (None, false, Trust::Changed) => "changed; not allowed yet".into(),
            };
            let roots = if server.settings.roots { "asks" } else { "not offered" };
            let name = gatehouse_host::harmless::line(&server.name, 100);
            vec![
                name,
                state,
                roots.to_owned(),
                crate::terminal::command_line(&server.definition),
            ]
        })
        .collect();
    table(&["NAME", "STATE", "FOLDERS", "RUNS"], &rows)
}
