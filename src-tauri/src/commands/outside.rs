//! Ways out of the window, each after a click of the person's: a link into the browser, and the dialog by which something
//! is saved into a file.

use gatehouse_host::link::Link;
use gatehouse_host::view::{ErrorView, LinkView};
use gatehouse_host::{Code, harmless};
use tauri::WebviewWindow;

use super::{Answer, failed};

/// Judges a link, to be shown before it is opened. Fetches nothing.
#[tauri::command]
pub async fn judge_link(url: String) -> Answer<LinkView> {
    Link::parse(&url).map(|link| link.view()).map_err(failed)
}

/// Opens a link in the person's browser. Only http and https get here; no shell is involved.
#[tauri::command]
pub async fn open_link(url: String) -> Answer<()> {
    let link = Link::parse(&url).map_err(failed)?;
    open::that_detached(link.as_str()).map_err(|error| ErrorView {
        code: Code::NotFound,
        message: format!(
            "No browser could be started: {}. Copy the address instead.",
            harmless::line(&error.to_string(), 300)
        ),
    })
}

/// Saves text that the page made where the person says. False where they cancelled. What a server sent is saved by the host.
#[tauri::command]
pub async fn save_text(window: WebviewWindow, name: String, text: String) -> Answer<bool> {
    save(window, &name, text.into_bytes()).await
}

/// Asks the person where to save something, and writes it there. False where they cancelled.
pub(super) async fn save(window: WebviewWindow, name: &str, bytes: Vec<u8>) -> Answer<bool> {
    let dialog = rfd::AsyncFileDialog::new()
        .set_title("Save from Gatehouse")
        .set_file_name(gatehouse_host::saving::name(name))
        .set_parent(&window);
    let Some(file) = dialog.save_file().await else {
        return Ok(false);
    };
    gatehouse_host::saving::write(file.path().to_owned(), bytes)
        .await
        .map_err(failed)?;
    Ok(true)
}
