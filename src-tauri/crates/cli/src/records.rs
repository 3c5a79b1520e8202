//! `gatehouse grants` and `gatehouse record`.

use gatehouse_host::view::{DecidedBy, GrantAbout, GrantView, Lifetime, Outcome, RecordRow};
use gatehouse_host::{Host, HostError, Result, clock};
use serde_json::json;

use crate::args::Grants;
use crate::exit::Exit;
use crate::output::{Output, table};

/// Rows of the record that are printed at most.
const ROWS: u64 = 100_000;

/// Carries out `grants`.
pub async fn grants(host: &Host, what: Grants, output: Output) -> Result<Exit> {
    match what {
        Grants::List => {
            let grants = host.grants().await?;
            output.print(&json!({ "grants": grants }), || grants_table(&grants));
        }
        Grants::Revoke { id } => {
            host.revoke_grant(id).await?;
            output.print(&json!({ "revoked": id }), || {
                format!("Decision {id} is revoked. The next time, you are asked again.")
            });
        }
    }
    Ok(Exit::Done)
}

/// Carries out `record`.
pub async fn record(host: &Host, since: Option<String>, output: Output) -> Result<Exit> {
    let since = since.as_deref().map(moment).transpose()?;
    let rows = host.record(None, since, ROWS).await?;
    output.print(&json!({ "record": rows }), || record_table(&rows));
    Ok(Exit::Done)
}

/// Reads a moment of `--since`, in milliseconds since 1970.
pub fn moment(text: &str) -> Result<u64> {
    clock::parse(text, clock::now()).ok_or_else(|| HostError::Invalid {
        reason: format!("--since {text} is not a moment; write 2026-11-30, 2026-11-30T08:00:00Z, or an age such as 2h"),
    })
}

fn grants_table(grants: &[GrantView]) -> String {
    if grants.is_empty() {
        return "No remembered decisions. Every request for folders is a question.".into();
    }
    let rows: Vec<Vec<String>> = grants
        .iter()
        .map(|grant| {
            vec![
                grant.id.to_string(),
                grant.server.clone(),
                match (grant.about, grant.allow) {
                    (GrantAbout::Folders, true) => "share".into(),
                    (GrantAbout::Folders, false) => "don't share".into(),
                    (GrantAbout::Models, true) => "let a model answer".into(),
                    (GrantAbout::Models, false) => "no answer of a model's".into(),
                },
                match grant.about {
                    GrantAbout::Folders => grant.folder.clone().unwrap_or_else(|| "every folder".into()),
                    GrantAbout::Models => grant.endpoint.clone().unwrap_or_else(|| "any model".into()),
                },
                match grant.lifetime {
                    Lifetime::Session => "this session".into(),
                    Lifetime::Always => "always".into(),
                },
                if grant.in_force {
                    "yes".into()
                } else {
                    "no; the server changed".into()
                },
            ]
        })
        .collect();
    table(&["ID", "SERVER", "DECISION", "ABOUT", "LIFETIME", "IN FORCE"], &rows)
}

fn record_table(rows: &[RecordRow]) -> String {
    if rows.is_empty() {
        return "Nothing is recorded yet.".into();
    }
    let rows: Vec<Vec<String>> = rows
        .iter()
        .map(|row| {
            let mut folders: Vec<String> = row.folders.iter().map(|folder| folder.uri.clone()).collect();
            folders.extend(
                row.withheld
                    .iter()
                    .map(|folder| format!("({} was left out: {})", folder.path, folder.reason)),
            );
            folders.extend(row.note.clone());
            vec![
                row.at.clone(),
                row.server.clone(),
                row.occasion.clone().unwrap_or_else(|| row.channel.clone()),
                outcome(row.outcome).into(),
                decided(&row.decided_by),
                folders.join(" "),
            ]
        })
        .collect();
    table(&["WHEN", "SERVER", "OCCASION", "OUTCOME", "DECIDED BY", "WHAT"], &rows)
}

/// An outcome in words.
pub fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Shared => "shared",
        Outcome::SharedNone => "shared no folders",
        Outcome::Refused => "refused",
        Outcome::NotOffered => "not offered",
        Outcome::FormSent => "form sent",
        Outcome::FormRefused => "form refused",
        Outcome::LinkOpened => "page opened",
        Outcome::LinkRefused => "page not opened",
        Outcome::Sampled => "model's answer sent",
        Outcome::SampleRefused => "no model's answer",
        Outcome::ModelAsked => "model asked",
        Outcome::Abandoned => "abandoned",
        Outcome::Expired => "expired",
    }
}

/// Who decided, in words.
pub fn decided(by: &DecidedBy) -> String {
    match by {
        DecidedBy::Person { remembered: None } => "you".into(),
        DecidedBy::Person {
            remembered: Some(Lifetime::Session),
        } => "you, for the session".into(),
        DecidedBy::Person {
            remembered: Some(Lifetime::Always),
        } => "you, for always".into(),
        DecidedBy::Grants { ids } => format!(
            "decision {}",
            ids.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
        ),
        DecidedBy::Rule => "rule: silence is no".into(),
    }
}
