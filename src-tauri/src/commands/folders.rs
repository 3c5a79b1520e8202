//! Folders. The page names no path: the picker is opened here, and only the small window may send a typed one.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use gatehouse_host::view::{AddedFolder, ErrorView};
use gatehouse_host::{Code, Host};
use tauri::{AppHandle, Manager, State, WebviewWindow};

use super::{Answer, failed};
use crate::windows;

/// A picker that says "cancelled" sooner than a person can was never shown.
const NO_PERSON_IS_THIS_FAST: Duration = Duration::from_millis(200);

/// Opens the native picker for several folders and adds what was picked; nothing where it was cancelled.
#[tauri::command]
pub async fn pick_folders(window: WebviewWindow, host: State<'_, Host>) -> Answer<Vec<AddedFolder>> {
    let opened = Instant::now();
    let dialog = rfd::AsyncFileDialog::new()
        .set_title("Add folders to Gatehouse")
        .set_parent(&window);
    match dialog.pick_folders().await {
        Some(picked) => {
            let paths = picked.iter().map(|folder| folder.path().to_owned()).collect();
            host.add_folders(paths, None).await.map_err(failed)
        }
        None if opened.elapsed() < NO_PERSON_IS_THIS_FAST => Err(ErrorView {
            code: Code::NoPicker,
            message:
                "No file dialog answers on this desktop. Install xdg-desktop-portal with a backend for it (such as \
                      xdg-desktop-portal-gtk), type a path, or drop a folder on the window."
                    .into(),
        }),
        None => Ok(Vec::new()),
    }
}

/// Opens the small window for a typed path.
#[tauri::command]
pub async fn open_path_window(app: AppHandle, host: State<'_, Host>) -> Answer<()> {
    let theme = host.settings().await.map_err(failed)?.theme;
    windows::open_path(&app, theme).map_err(|error| ErrorView {
        code: Code::NoPicker,
        message: error.to_string(),
    })
}

/// Adds a typed path. The capabilities let only the small window call this.
#[tauri::command]
pub async fn add_folder_path(app: AppHandle, host: State<'_, Host>, path: String) -> Answer<Vec<AddedFolder>> {
    let path = path.trim();
    let home = app.path().home_dir().unwrap_or_default();
    let path = match path.strip_prefix("~/") {
        Some(rest) => home.join(rest),
        None => PathBuf::from(path),
    };
    host.add_folders(vec![path], None).await.map_err(failed)
}

/// Takes a folder off the list.
#[tauri::command]
pub async fn remove_folder(host: State<'_, Host>, id: u64) -> Answer<()> {
    host.remove_folder(id).await.map_err(failed)
}

/// Puts a folder back that was taken off the list in this run. The page names it by its number, never by a path.
#[tauri::command]
pub async fn restore_folder(host: State<'_, Host>, id: u64) -> Answer<()> {
    host.restore_folder(id).await.map_err(failed)
}

/// Changes the name that is told with a folder.
#[tauri::command]
pub async fn rename_folder(host: State<'_, Host>, id: u64, name: String) -> Answer<()> {
    host.rename_folder(id, name).await.map_err(failed)
}

/// Puts the folders in this order.
#[tauri::command]
pub async fn reorder_folders(host: State<'_, Host>, ids: Vec<u64>) -> Answer<()> {
    host.reorder_folders(ids).await.map_err(failed)
}
