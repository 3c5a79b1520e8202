//! The frames of a server as they stood on the wire: their numbers, lines for those in sight, one of them whole.

use gatehouse_host::Host;
use gatehouse_host::view::{FrameFilter, FrameLine, FrameView};
use tauri::ipc::Response;
use tauri::{State, WebviewWindow};

use super::outside::save;
use super::{Answer, failed};

/// The numbers of the kept frames after one that a filter lets through, as 64-bit floats: a hundred thousand are no JSON.
#[tauri::command]
pub async fn frame_numbers(host: State<'_, Host>, server: String, filter: FrameFilter, after: u64) -> Answer<Response> {
    let numbers = host.frame_numbers(&server, &filter, after).into_iter();
    #[allow(clippy::cast_precision_loss, reason = "no server sends 2^53 frames")]
    let bytes = numbers
        .flat_map(|number| (number as f64).to_le_bytes())
        .collect::<Vec<u8>>();
    Ok(Response::new(bytes))
}

/// A line for each of these frames; none for one that is no longer kept.
#[tauri::command]
pub async fn frame_lines(host: State<'_, Host>, server: String, seqs: Vec<u64>) -> Answer<Vec<Option<FrameLine>>> {
    Ok(host.frame_lines(&server, &seqs))
}

/// One frame whole.
#[tauri::command]
pub async fn frame(host: State<'_, Host>, server: String, seq: u64) -> Answer<FrameView> {
    host.frame(&server, seq).map_err(failed)
}

/// Saves one frame exactly as it stood, where the person says. False where they cancelled.
#[tauri::command]
pub async fn save_frame(window: WebviewWindow, host: State<'_, Host>, server: String, seq: u64) -> Answer<bool> {
    let bytes = host.frame_bytes(&server, seq).map_err(failed)?;
    save(window, &format!("frame-{seq}.json"), bytes).await
}
