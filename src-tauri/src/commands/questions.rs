//! Answers, remembered decisions, and the record.

use gatehouse_host::Host;
use gatehouse_host::view::{AnswerInput, RecordRow};
use tauri::State;

use super::{Answer, failed};

/// Answers an open question.
#[tauri::command]
pub async fn answer(host: State<'_, Host>, question: u64, answer: AnswerInput) -> Answer<()> {
    host.answer(question, &answer).map_err(failed)
}

/// Takes every open question of one server off the desk without an answer, which means no.
#[tauri::command]
pub async fn dismiss_questions(host: State<'_, Host>, server: String) -> Answer<()> {
    host.dismiss_questions_of(&server);
    Ok(())
}

/// The exact JSON that would leave for these folders.
#[tauri::command]
pub async fn preview(host: State<'_, Host>, question: u64, folders: Vec<u64>) -> Answer<String> {
    host.preview(question, folders).await.map_err(failed)
}

/// Revokes a remembered decision.
#[tauri::command]
pub async fn revoke_grant(host: State<'_, Host>, id: u64) -> Answer<()> {
    host.revoke_grant(id).await.map_err(failed)
}

/// Rows of the record, newest first.
#[tauri::command]
pub async fn record(host: State<'_, Host>, before: Option<u64>, limit: u64) -> Answer<Vec<RecordRow>> {
    host.record(before, None, limit.min(1_000)).await.map_err(failed)
}
