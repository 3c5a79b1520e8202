//! From the rows of the history to one call as a person reads it: its rounds put together from what was asked and from
//! the rows of the record.

use gatehouse_mcp::params::RawMap;

use super::AskedRound;
use crate::error::{HostError, Result};
use crate::harmless;
use crate::results::{self, Fullness, Results};
use crate::store::Store;
use crate::store::history::Texts;
use crate::view::{AskedView, HistoryCall, HistoryResult, HistoryRound, HistoryRow, KeptText, RecordRow};

/// One call, whole.
///
/// # Errors
/// It is not kept, or the database refused.
pub(crate) fn call(store: &Store, results: &Results, fullness: Fullness, seq: u64) -> Result<HistoryCall> {
    let (row, texts) = store.history_call(seq)?.ok_or_else(|| HostError::NotFound {
        what: format!("call number {seq} in the history"),
    })?;
    let answers = store.record_of(row.call)?;
    // What a newer Gatehouse wrote differently is left out; the answers stand in the record.
    let asked: Vec<AskedRound> = serde_json::from_str(&texts.asked).unwrap_or_default();
    Ok(HistoryCall {
        rounds: rounds(asked, answers),
        result: result(results, fullness, &row, &texts),
        args: texts.args.map(|(text, bytes)| KeptText {
            cut: (text.len() as u64) < bytes,
            text,
            bytes,
        }),
        row,
    })
}

fn rounds(asked: Vec<AskedRound>, answers: Vec<RecordRow>) -> Vec<HistoryRound> {
    let mut rounds: Vec<HistoryRound> = Vec::new();
    let mut at = |round: u64| -> usize {
        match rounds.iter().position(|known| known.round == round) {
            Some(at) => at,
            None => {
                rounds.push(HistoryRound {
                    round,
                    asked: Vec::new(),
                    answers: Vec::new(),
                });
                rounds.len() - 1
            }
        }
    };
    let asked: Vec<(usize, AskedRound)> = asked.into_iter().map(|round| (at(round.round), round)).collect();
    let answers: Vec<(usize, RecordRow)> = answers.into_iter().map(|row| (at(row.round), row)).collect();
    for (at, round) in asked {
        rounds[at].asked = round
            .requests
            .into_iter()
            .map(|request| AskedView {
                key: request.key,
                method: request.method,
                params: request.params,
            })
            .collect();
    }
    for (at, row) in answers {
        rounds[at].answers.push(row);
    }
    rounds.sort_by_key(|round| round.round);
    rounds
}

fn result(results: &Results, fullness: Fullness, row: &HistoryRow, texts: &Texts) -> Option<HistoryResult> {
    let (text, bytes) = texts.result.as_ref()?;
    let cut = || HistoryResult::Cut {
        text: harmless::text(text),
        bytes: *bytes,
    };
    if (text.len() as u64) < *bytes {
        return Some(cut());
    }
    let mismatch = texts
        .mismatch
        .as_ref()
        .and_then(|mismatch| serde_json::from_str(mismatch).ok());
    let read = RawMap::parse(text)
        .map_err(|error| error.to_string())
        .and_then(|result| results::view(results, fullness, &row.method, &result, mismatch));
    Some(read.map_or_else(|_| cut(), |result| HistoryResult::Whole { result }))
}
