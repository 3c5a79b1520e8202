//! `gatehouse history`: the calls of this and earlier runs.

use gatehouse_host::host::history::{Look, Which};
use gatehouse_host::results::Fullness;
use gatehouse_host::view::{Ending, HistoryCall, HistoryResult, HistoryRow, KeptText, RecordRow};
use gatehouse_host::{Host, Result, harmless};
use serde_json::json;

use crate::args::History;
use crate::calls::shown_result;
use crate::exit::Exit;
use crate::output::{Output, table};
use crate::records::{decided, moment, outcome};

/// Calls that are printed at most.
const CALLS: u64 = 100_000;

/// Carries out `history`.
pub async fn run(
    host: &Host,
    server: Option<String>,
    since: Option<String>,
    what: Option<History>,
    output: Output,
) -> Result<Exit> {
    match what {
        None => {
            let since = since.as_deref().map(moment).transpose()?;
            let look = Look {
                since,
                server,
                limit: CALLS,
                ..Look::default()
            };
            let calls = host.history(look).await?;
            output.print(&json!({ "history": calls }), || lines(&calls));
        }
        Some(History::Show { id }) => {
            let call = host.history_call(id, Fullness::Whole).await?;
            output.print(&call, || whole(&call));
        }
        Some(History::Clear { server }) => {
            let gone = host.clear_history(server.map_or(Which::All, Which::Server)).await?;
            output.print(&json!({ "cleared": gone }), || match gone {
                0 => "There was nothing to clear.".into(),
                1 => "1 call is gone from the history. The record stays.".into(),
                gone => format!("{gone} calls are gone from the history. The record stays."),
            });
        }
    }
    Ok(Exit::Done)
}

fn lines(calls: &[HistoryRow]) -> String {
    if calls.is_empty() {
        return "No calls are kept.".into();
    }
    let rows: Vec<Vec<String>> = calls
        .iter()
        .map(|call| {
            vec![
                call.seq.to_string(),
                call.at.clone(),
                harmless::line(&call.server, 100),
                format!("{} {}", call.method, call.label),
                ending(call.ending).into(),
                took(call),
            ]
        })
        .collect();
    table(&["ID", "WHEN", "SERVER", "CALL", "END", "TOOK"], &rows)
}

fn whole(call: &HistoryCall) -> String {
    let row = &call.row;
    let mut lines = vec![
        format!(
            "{} {} of server {}",
            row.method,
            row.label,
            harmless::line(&row.server, 100)
        ),
        format!(
            "Begun {}, took {}, {} round{}",
            row.at,
            took(row),
            row.rounds,
            if row.rounds == 1 { "" } else { "s" }
        ),
        format!("End: {}", ending(row.ending)),
    ];
    lines.extend(row.message.clone());
    if let Some(args) = &call.args {
        lines.push(format!("\nArguments{}:\n{}", cut(args), harmless::text(&args.text)));
    }
    for round in &call.rounds {
        lines.push(format!("\nRound {}:", round.round));
        for asked in &round.asked {
            let params = asked
                .params
                .as_ref()
                .map(|params| format!(": {params}"))
                .unwrap_or_default();
            lines.push(format!("  asked for {}{params}", asked.method));
        }
        lines.extend(round.answers.iter().map(answer));
    }
    match &call.result {
        None => {}
        Some(HistoryResult::Whole { result }) => lines.push(format!("\nResult:\n{}", shown_result(result))),
        Some(HistoryResult::Cut { text, bytes }) => {
            lines.push(format!("\nThe beginning of a result of {bytes} bytes:\n{text}"));
        }
    }
    lines.join("\n")
}

fn answer(row: &RecordRow) -> String {
    let sent = row
        .sent
        .as_ref()
        .map_or("nothing left".into(), |sent| harmless::text(sent));
    format!(
        "  {}, decided by {} (row {} of the record): {sent}",
        outcome(row.outcome),
        decided(&row.decided_by),
        row.seq
    )
}

fn cut(text: &KeptText) -> String {
    if text.cut {
        format!(" (the beginning of {} bytes)", text.bytes)
    } else {
        String::new()
    }
}

fn took(call: &HistoryRow) -> String {
    call.took_ms
        .map_or("-".into(), |ms| format!("{}.{:03} s", ms / 1000, ms % 1000))
}

fn ending(ending: Ending) -> &'static str {
    match ending {
        Ending::Done => "done",
        Ending::ToolError => "the tool's error",
        Ending::Declined => "declined",
        Ending::Failed => "failed",
        Ending::Cancelled => "cancelled",
        Ending::Abandoned => "abandoned",
    }
}
