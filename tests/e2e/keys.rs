//! The main job without a single click: every step by keyboard, in the window and in the desktop's own dialog.

use std::process::Command;
use std::time::Duration;

use serde_json::json;

use crate::desk::question;
use crate::webdriver::{Browser, key};
use crate::window::Home;

/// Goes where the palette leads.
fn go(page: &Browser, typed: &str, entry: &str) {
    page.press(&[key::CONTROL, 'k']);
    page.wait("the palette to have the focus", || {
        (page.focused() == "palette-input").then_some(())
    });
    for sign in typed.chars() {
        page.press(&[sign]);
    }
    page.wait(&format!("{entry} to be the choice"), || {
        let look = "const at = document.activeElement.getAttribute('aria-activedescendant');
            return at ? document.getElementById(at).dataset.testid : ''";
        (page.script(look, &json!([])) == json!(format!("palette-{entry}"))).then_some(())
    });
    page.press(&[key::ENTER]);
    page.wait_gone("[data-testid=palette]");
}

/// Presses Tab until something has the focus.
#[track_caller]
fn tab_to(page: &Browser, id: &str) {
    for _ in 0..60 {
        if page.focused() == id {
            assert_eq!(
                page.script(
                    "const e = document.activeElement, s = getComputedStyle(e);
                     return e.matches(':focus-visible') && (s.outlineStyle !== 'none' || s.boxShadow !== 'none')",
                    &json!([])
                ),
                json!(true),
                "the focus on {id} is seen"
            );
            return;
        }
        page.press(&[key::TAB]);
    }
    panic!("{id} can't be reached; the focus is on {}", page.focused());
}

/// Types a path into the native picker.
fn pick(path: &str) {
    let drive = "W=$(timeout 20 xdotool search --sync --onlyvisible --name '^Add folders to Gatehouse$' | head -n 1)
        [ -n \"$W\" ] || exit 1
        xdotool windowactivate --sync \"$W\"; sleep 0.4
        xdotool key --clearmodifiers ctrl+l; sleep 0.3
        xdotool type --delay 20 \"$1\"; sleep 0.5
        xdotool key Return";
    let driven = Command::new("sh")
        .args(["-c", drive, "drive", path])
        .status()
        .expect("a shell");
    assert!(driven.success(), "the picker came up under its title");
}

#[test]
fn the_main_job_is_done_by_keyboard_alone() {
    let Some(home) = Home::new() else { return };
    let window = home.open();
    let page = &window.page;
    // WebDriver's own clicks are the ones that are counted.
    page.script(
        "window.__clicks = 0; addEventListener('pointerdown', () => window.__clicks++, true)",
        &json!([]),
    );
    let (site, notes) = (window.folder("site"), window.folder("notes"));
    for path in [&site, &notes] {
        go(page, "add fol", "add-folders");
        pick(path.to_str().expect("UTF-8"));
        let name = path.file_name().and_then(|name| name.to_str()).expect("UTF-8");
        page.wait_text(name);
    }
    go(page, "demo", "demo");
    page.test_id("tool-count_files");
    go(page, "count_files", "tool-demo-count_files");
    page.wait("the tool to have the focus", || {
        let inside = "return !!document.activeElement.closest('[data-detail]')";
        (page.script(inside, &json!([])) == json!(true)).then_some(())
    });
    tab_to(page, "call");
    page.press(&[key::ENTER]);
    question(page);
    page.wait("the focus to be on the refusal", || {
        (page.focused() == "refuse").then_some(())
    });
    tab_to(page, &format!("question-folder-{}", window.folder_id(&site)));
    page.press(&[key::SPACE]);
    tab_to(page, "share-once");
    std::thread::sleep(Duration::from_millis(700));
    page.press(&[key::ENTER]);
    page.wait_gone("[data-testid=question]");
    let shown = crate::desk::result(page);
    assert!(
        shown.contains("site") && !shown.contains("notes"),
        "what was ticked: {shown}"
    );
    page.wait("the focus to be back on the call", || {
        (page.focused() == "call").then_some(())
    });
    let said = page.test_id("announcer").text_content();
    assert!(said.contains("count_files has its result"), "it is said aloud: {said}");
    page.press(&[key::CONTROL, '9']);
    let row = page.test_id("record-row").text();
    assert!(row.contains("demo") && row.contains("site"), "the record: {row}");
    assert_eq!(
        page.script("return window.__clicks", &json!([])),
        json!(0),
        "no click at all"
    );
}

#[test]
fn the_focus_stays_in_a_window_and_comes_back() {
    let Some(home) = Home::new() else { return };
    let window = home.open();
    let page = &window.page;
    page.test_id("nav-record");
    page.press(&[key::TAB]);
    assert_eq!(page.focused(), "skip", "the first thing leads past the lists");
    page.press(&[key::ENTER]);
    assert_eq!(
        page.script("return document.activeElement.id", &json!([])),
        json!("page")
    );
    page.press(&[key::F6]);
    tab_to(page, "add-server");
    page.press(&[key::ENTER]);
    page.wait("the form to have the focus", || {
        (page.focused() == "server-form-name").then_some(())
    });
    for _ in 0..14 {
        page.press(&[key::TAB]);
        let inside = "return !!document.activeElement.closest('[role=dialog]')";
        assert_eq!(page.script(inside, &json!([])), json!(true), "Tab stays inside");
    }
    page.press(&[key::ESCAPE]);
    page.wait("the focus to be back", || {
        (page.focused() == "add-server").then_some(())
    });
    page.press(&[key::F1]);
    page.test_id("keys");
    page.press(&[key::ESCAPE]);
    page.wait("the focus to be back", || {
        (page.focused() == "add-server").then_some(())
    });
}
