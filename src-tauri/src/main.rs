//! The window's program. Everything is in the library, so that tests can build the same shell without a window.

// A release build on Windows must not open a console beside the window.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

fn main() -> std::process::ExitCode {
    match gatehouse_desktop::run() {
        0 => std::process::ExitCode::SUCCESS,
        code => std::process::ExitCode::from(u8::try_from(code).unwrap_or(1)),
    }
}
