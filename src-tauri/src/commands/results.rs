//! Results that the host keeps: the page pulls what it shows of them, piece by piece. Texts to copy and bytes of pictures
//! go raw, not as JSON; what is saved goes from the host to the disk and never through the page.

use gatehouse_host::Host;
use gatehouse_host::view::{
    BlockView, NodeView, NodesView, PartView, RowsView, SortInput, TableForm, TableRowView, TableView,
};
use tauri::ipc::Response;
use tauri::{State, WebviewWindow};

use super::outside::save;
use super::{Answer, failed};

/// Further blocks, from one on.
#[tauri::command]
pub async fn result_blocks(host: State<'_, Host>, result: u64, from: usize) -> Answer<Vec<BlockView>> {
    host.result_blocks(result, from).await.map_err(failed)
}

/// Rows of a text, from the first up to, not with, the last.
#[tauri::command]
pub async fn result_rows(
    host: State<'_, Host>,
    result: u64,
    part: PartView,
    columns: usize,
    first: usize,
    last: usize,
    reveal: bool,
) -> Answer<RowsView> {
    let look = host.of_result(result, move |kept| kept.rows(part, columns, (first, last), reveal));
    look.await.map_err(failed)
}

/// The next row of a text that holds some words.
#[tauri::command]
pub async fn result_find(
    host: State<'_, Host>,
    result: u64,
    part: PartView,
    columns: usize,
    words: String,
    from: usize,
) -> Answer<Option<u64>> {
    let look = host.of_result(result, move |kept| kept.find(part, columns, &words, from));
    look.await.map_err(failed)
}

/// A whole text as it is shown, to be copied.
#[tauri::command]
pub async fn result_text(host: State<'_, Host>, result: u64, part: PartView, reveal: bool) -> Answer<Response> {
    let look = host.of_result(result, move |kept| kept.shown(part, reveal));
    Ok(Response::new(look.await.map_err(failed)?.into_bytes()))
}

/// The bytes of a picture or a sound, decoded.
#[tauri::command]
pub async fn result_bytes(host: State<'_, Host>, result: u64, part: PartView) -> Answer<Response> {
    host.result_bytes(result, part).await.map(Response::new).map_err(failed)
}

/// Children of a value of the structured content; without a place, the structured content itself.
#[tauri::command]
pub async fn result_nodes(
    host: State<'_, Host>,
    result: u64,
    at: Option<usize>,
    from: Option<usize>,
) -> Answer<NodesView> {
    let look = host.of_result(result, move |kept| match at {
        Some(at) => kept.nodes(at, from),
        None => kept.root().map(|root: NodeView| NodesView {
            nodes: vec![root],
            next: None,
        }),
    });
    look.await.map_err(failed)
}

/// A value of the structured content as it is shown, to be read or copied.
#[tauri::command]
pub async fn result_value(host: State<'_, Host>, result: u64, at: usize) -> Answer<Response> {
    let look = host.of_result(result, move |kept| kept.value(at));
    Ok(Response::new(look.await.map_err(failed)?.into_bytes()))
}

/// The structured content as a table, where it is one.
#[tauri::command]
pub async fn result_table(host: State<'_, Host>, result: u64) -> Answer<Option<TableView>> {
    host.of_result(result, |kept| kept.table()).await.map_err(failed)
}

/// Rows of the table, from the first up to, not with, the last.
#[tauri::command]
pub async fn result_table_rows(
    host: State<'_, Host>,
    result: u64,
    by: Option<SortInput>,
    first: usize,
    last: usize,
) -> Answer<Vec<TableRowView>> {
    let look = host.of_result(result, move |kept| kept.table_rows(by, first, last));
    look.await.map_err(failed)
}

/// The whole table as it is shown, to be copied.
#[tauri::command]
pub async fn result_table_text(
    host: State<'_, Host>,
    result: u64,
    by: Option<SortInput>,
    form: TableForm,
) -> Answer<Response> {
    let look = host.of_result(result, move |kept| kept.table_shown(by, form));
    Ok(Response::new(look.await.map_err(failed)?.into_bytes()))
}

/// Saves a part exactly as the server sent it, where the person says. False where they cancelled.
#[tauri::command]
pub async fn save_result(
    window: WebviewWindow,
    host: State<'_, Host>,
    result: u64,
    part: PartView,
    name: String,
) -> Answer<bool> {
    let bytes = host.result_bytes(result, part).await.map_err(failed)?;
    save(window, &name, bytes).await
}

/// Saves the table in the order that is seen, where the person says. False where they cancelled.
#[tauri::command]
pub async fn save_table(
    window: WebviewWindow,
    host: State<'_, Host>,
    result: u64,
    by: Option<SortInput>,
    form: TableForm,
) -> Answer<bool> {
    let bytes = host.result_table(result, by, form).await.map_err(failed)?;
    let name = match form {
        TableForm::Csv => "table.csv",
        TableForm::Json => "table.json",
    };
    save(window, name, bytes).await
}
