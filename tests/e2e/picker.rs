//! Folders that come from the desktop: the native picker by keyboard, and a drag by mouse, as a person would.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

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

#[test]
fn folders_are_dropped_on_the_window() {
    let Some(home) = Home::new() else { return };
    let window = home.open();
    let (one, two) = (window.folder("dropped"), window.folder("dropped # two"));
    let missing = window.place.path().join("gone");
    // The system's own Python: the desktop's bindings are installed for it.
    let mut source = Command::new("/usr/bin/python3")
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/e2e/drag.py"))
        .args([&one, &two, &missing])
        .stdout(Stdio::piped())
        .spawn()
        .expect("a drag source starts");
    let mut told = BufReader::new(source.stdout.take().expect("its output")).lines();
    assert_eq!(
        told.next().and_then(Result::ok).as_deref(),
        Some("shown"),
        "the drag source is shown"
    );
    let drag = "sleep 0.5; xdotool mousemove 40 30; sleep 0.2; xdotool mousedown 1; sleep 0.2
        for step in 1 2 3 4 5 6 7 8 9 10; do xdotool mousemove $((40 + step * 60)) $((30 + step * 40)); sleep 0.05; done
        sleep 0.3; xdotool mouseup 1";
    let dragged = Command::new("sh").args(["-c", drag]).status().expect("a shell");
    assert!(dragged.success(), "the mouse moves");
    window.page.wait_text("dropped # two");
    let notice = window.page.test_id("notice").text();
    assert!(
        notice.contains("gone") && notice.contains("not added"),
        "what could not be added is said: {notice}"
    );
    let _ = source.kill();
    let _ = source.wait();
    let listed = window.command(&["folders", "list"]);
    assert!(
        listed.contains("/dropped") && !listed.contains("gone"),
        "both are in the store: {listed}"
    );
}
