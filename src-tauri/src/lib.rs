//! The desktop shell: windows, the native picker, commands in, updates out. It decides nothing: each command takes what
//! the page sends, calls one method of the host, and maps the error.

mod commands;
mod place;
mod quit;
mod updates;
mod wake;
mod windows;

use std::sync::Mutex;

use gatehouse_host::Host;
use gatehouse_host::first::{self, First, Start};
use gatehouse_host::places::Places;

/// Opens the window and returns when the person has quit, with the exit code.
pub fn run() -> i32 {
    logging();
    let (host, first) = match open() {
        Ok(Some(opened)) => opened,
        Ok(None) => {
            println!("Gatehouse is open already. Its window was asked to come to the front.");
            return 0;
        }
        Err(error) => {
            tracing::error!("Gatehouse can't start: {}", error.view().message);
            return 2;
        }
    };
    let app = tauri::Builder::default()
        .manage(host)
        .manage(updates::Pump::default())
        .manage(place::Seen::default())
        .manage(first)
        .invoke_handler(tauri::generate_handler![
            commands::watch::watch,
            commands::watch::dismiss_notice,
            commands::watch::page_error,
            commands::folders::pick_folders,
            commands::folders::open_path_window,
            commands::folders::add_folder_path,
            commands::folders::remove_folder,
            commands::folders::restore_folder,
            commands::folders::rename_folder,
            commands::folders::reorder_folders,
            commands::servers::add_server,
            commands::servers::remove_server,
            commands::servers::restore_server,
            commands::servers::connect_server,
            commands::servers::disconnect_server,
            commands::settings::change_settings,
            commands::settings::change_server,
            commands::servers::add_demo,
            commands::servers::list_tools,
            commands::servers::check_args,
            commands::servers::refresh_lists,
            commands::servers::list_prompts,
            commands::servers::list_resources,
            commands::shelves::list_templates,
            commands::shelves::expand_template,
            commands::shelves::suggest,
            commands::shelves::stop_suggestions,
            commands::shelves::watch_resource,
            commands::calls::call_tool,
            commands::calls::get_prompt,
            commands::calls::read_resource,
            commands::calls::call_end,
            commands::calls::cancel_call,
            commands::calls::start_again,
            commands::questions::answer,
            commands::questions::dismiss_questions,
            commands::questions::preview,
            commands::questions::revoke_grant,
            commands::questions::record,
            commands::models::endpoint,
            commands::models::set_endpoint,
            commands::models::set_endpoint_key,
            commands::models::ask_model,
            commands::models::stop_model,
            commands::history::history,
            commands::history::history_call,
            commands::history::history_of,
            commands::history::clear_history,
            commands::history::recent_args,
            commands::outside::judge_link,
            commands::outside::open_link,
            commands::outside::save_text,
            commands::results::result_blocks,
            commands::results::result_rows,
            commands::results::result_find,
            commands::results::result_text,
            commands::results::result_bytes,
            commands::results::result_nodes,
            commands::results::result_value,
            commands::results::result_table,
            commands::results::result_table_rows,
            commands::results::result_table_text,
            commands::results::save_result,
            commands::results::save_table,
            commands::traffic::frame_numbers,
            commands::traffic::frame_lines,
            commands::traffic::frame,
            commands::traffic::save_frame,
        ])
        .setup(|app| {
            windows::open_main(app.handle())?;
            windows::on_rings(app.handle());
            quit::on_signals(app.handle());
            Ok(())
        })
        .on_window_event(windows::on_event)
        .build(tauri::generate_context!());
    match app {
        Ok(app) => app.run_return(quit::on_run_event),
        Err(error) => {
            tracing::error!("the window can't be opened: {error}. The gatehouse command works without one.");
            2
        }
    }
}

/// The window's share of the home, until it quits.
type Held = Mutex<Option<First>>;

/// Opens the host where no other window of this home is open.
fn open() -> gatehouse_host::Result<Option<(Host, Held)>> {
    let places = Places::of_this_account()?;
    let Start::First(first) = first::claim(&places)? else {
        return Ok(None);
    };
    let host = tauri::async_runtime::block_on(async { Host::open(places) })?;
    Ok(Some((host, Mutex::new(Some(first)))))
}

/// Warnings and errors go to standard error; `GATEHOUSE_LOG` asks for more or less.
fn logging() {
    let filter = tracing_subscriber::EnvFilter::try_from_env("GATEHOUSE_LOG")
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("warn"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .init();
}
