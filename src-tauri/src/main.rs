//! The window's program. Everything is in the library, so that tests can build the same shell without a window.

// A release build on Windows must not open a console beside the window.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

fn main() {
    gatehouse_desktop::run();
}
