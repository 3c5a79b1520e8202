//! Names every command of the shell to Tauri, so that each needs a permission in `capabilities/`.
//!
//! A command that is missing here would be open to every window; one that is here and in no capability is open to none.

const COMMANDS: &[&str] = &[
    "watch",
    "pick_folders",
    "open_path_window",
    "add_folder_path",
    "remove_folder",
    "restore_folder",
    "rename_folder",
    "reorder_folders",
    "add_server",
    "remove_server",
    "restore_server",
    "connect_server",
    "disconnect_server",
    "change_settings",
    "change_server",
    "add_demo",
    "list_tools",
    "check_args",
    "refresh_lists",
    "list_prompts",
    "list_resources",
    "list_templates",
    "expand_template",
    "suggest",
    "stop_suggestions",
    "watch_resource",
    "call_tool",
    "get_prompt",
    "read_resource",
    "call_end",
    "cancel_call",
    "answer",
    "dismiss_questions",
    "preview",
    "revoke_grant",
    "record",
    "endpoint",
    "set_endpoint",
    "set_endpoint_key",
    "ask_model",
    "stop_model",
    "judge_link",
    "open_link",
    "save_text",
    "save_bytes",
    "dismiss_notice",
    "page_error",
];

fn main() {
    let manifest = tauri_build::AppManifest::new().commands(COMMANDS);
    tauri_build::try_build(tauri_build::Attributes::new().app_manifest(manifest))
        .expect("the shell's configuration, capabilities and icons must be complete");
}
