//! `gatehouse folders`.

use std::path::{Path, PathBuf};

use gatehouse_host::view::{FolderView, Health};
use gatehouse_host::{Host, HostError, Result};
use serde_json::json;

use crate::args::Folders;
use crate::exit::Exit;
use crate::output::{Output, say, table};

/// Carries it out.
pub async fn run(host: &Host, what: Folders, output: Output) -> Result<Exit> {
    match what {
        Folders::Add { paths, name } => add(host, paths, name, output).await,
        Folders::List => {
            let folders = host.folders().await?;
            output.print(&json!({ "folders": folders }), || list(&folders));
            Ok(Exit::Done)
        }
        Folders::Remove { path } => {
            let folder = find(host, &path).await?;
            host.remove_folder(folder.id).await?;
            output.print(&json!({ "removed": folder }), || {
                format!("{} is off the list. The folder itself was not touched.", folder.path)
            });
            Ok(Exit::Done)
        }
        Folders::Rename { path, name } => {
            let folder = find(host, &path).await?;
            host.rename_folder(folder.id, name).await?;
            let folder = find(host, &path).await?;
            output.print(&json!({ "renamed": folder }), || {
                format!("{} is called “{}” now.", folder.path, folder.name)
            });
            Ok(Exit::Done)
        }
    }
}

async fn add(host: &Host, paths: Vec<PathBuf>, name: Option<String>, output: Output) -> Result<Exit> {
    if name.is_some() && paths.len() > 1 {
        return Err(HostError::Invalid {
            reason: "--name goes with one folder only".into(),
        });
    }
    let added = host
        .add_folders(paths.iter().map(|path| whole(path)).collect(), name)
        .await?;
    output.print(&json!({ "added": added }), || {
        let done = added.iter().filter(|added| added.problem.is_none());
        done.map(|added| format!("Added {}. No server knows of it yet.", added.path))
            .collect::<Vec<_>>()
            .join("\n")
    });
    let mut exit = Exit::Done;
    for failed in &added {
        if let Some(problem) = &failed.problem {
            say(&format!("gatehouse: {} was not added: {problem}", failed.path));
            // A folder that is there already is what was asked for.
            if failed.id.is_none() {
                exit = Exit::Usage;
            }
        }
    }
    Ok(exit)
}

/// The folder of the list with this path.
///
/// # Errors
/// There is none.
pub async fn find(host: &Host, path: &Path) -> Result<FolderView> {
    let uri = gatehouse_host::uri::of(&whole(path));
    let folders = host.folders().await?;
    let plain = gatehouse_host::uri::of(&std::path::absolute(path).unwrap_or_else(|_| path.to_owned()));
    let found = folders
        .into_iter()
        .find(|folder| folder.uri == uri || folder.uri == plain);
    found.ok_or_else(|| HostError::NotFound {
        what: format!(
            "folder {} in the list; `gatehouse folders list` shows it",
            path.display()
        ),
    })
}

/// A path as a shell user means it: from here, without `..` and without a separator at its end. Links are kept.
fn whole(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let climbs = absolute
        .components()
        .any(|part| matches!(part, std::path::Component::ParentDir));
    let absolute = if climbs {
        absolute.canonicalize().unwrap_or(absolute)
    } else {
        absolute
    };
    absolute.components().collect()
}

fn list(folders: &[FolderView]) -> String {
    if folders.is_empty() {
        return "No folders yet. `gatehouse folders add PATH` adds one.".into();
    }
    let rows: Vec<Vec<String>> = folders
        .iter()
        .map(|folder| {
            let path = match &folder.real_path {
                Some(real) => format!("{} → {real}", folder.path),
                None => folder.path.clone(),
            };
            vec![folder.name.clone(), health(&folder.health), path]
        })
        .collect();
    table(&["NAME", "HEALTH", "PATH"], &rows)
}

/// Health in words.
pub fn health(health: &Health) -> String {
    match health {
        Health::Ready => "ready".into(),
        Health::Missing => "missing".into(),
        Health::NotAFolder => "not a folder".into(),
        Health::Unreadable { reason } => format!("not readable: {reason}"),
    }
}
