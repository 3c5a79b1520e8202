//! The desktop shell: windows, the native picker, commands in, updates out. It decides nothing.

/// Opens the window and returns when the person has quit.
pub fn run() {
    tauri::Builder::default()
        .run(tauri::generate_context!())
        .expect("the window system must be reachable");
}
