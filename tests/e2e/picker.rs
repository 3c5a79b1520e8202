//! The native folder picker, driven by keyboard as a person would.

use std::process::Command;

use crate::window::Home;

#[test]
fn a_folder_is_picked_in_the_native_picker() {
    let Some(home) = Home::new() else { return };
    let window = home.open();
    let path = window.folder("picked");
    window.page.test_id("add-folders").click();
    let drive = "W=$(timeout 20 xdotool search --sync --onlyvisible --name '^Add folders to Gatehouse$' | head -n 1)
        [ -n \"$W\" ] || exit 1
        xdotool windowactivate --sync \"$W\"; sleep 0.4
        xdotool key --clearmodifiers ctrl+l; sleep 0.3
        xdotool type --delay 20 \"$1\"; sleep 0.5
        xdotool key Return";
    let driven = Command::new("sh")
        .args(["-c", drive, "drive"])
        .arg(&path)
        .status()
        .expect("a shell");
    assert!(driven.success(), "the picker came up under its title");
    window.page.wait_text("picked");
    let listed = window.command(&["folders", "list"]);
    assert!(
        listed.contains(path.to_str().expect("UTF-8")),
        "the picked folder is in the store: {listed}"
    );
}
