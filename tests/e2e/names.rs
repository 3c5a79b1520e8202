//! Names that are long, or run from right to left, and text of twice the size: the layout holds, and nothing is turned round.

use serde_json::json;

use crate::desk::{press, question};
use crate::webdriver::{Browser, key};
use crate::window::Home;

/// Everything that can be acted on lies within the window, or within a box that scrolls; nothing is wider than the page.
#[track_caller]
fn fits(page: &Browser, what: &str) {
    let look = "const wide = document.documentElement.clientWidth;
        return [...document.querySelectorAll('button, input, select, textarea, a, [role=option]')].filter((e) => {
            const r = e.getBoundingClientRect();
            if (!r.width || e.closest('.unseen, [hidden]') || e.matches('.skip')) return false;
            return r.left < -1 || r.right > wide + 1;
        }).map((e) => (e.dataset.testid || e.outerHTML.slice(0, 90)) + ' ' + JSON.stringify(e.getBoundingClientRect()));";
    let out = page.script(look, &json!([]));
    assert_eq!(out, json!([]), "{what}: outside of the window");
    let sideways = page.script(
        "return [...document.querySelectorAll('.window, main, nav, .page, [role=dialog]')]
            .filter((e) => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX !== 'hidden')
            .map((e) => e.className + ' ' + e.scrollWidth + ' > ' + e.clientWidth)",
        &json!([]),
    );
    assert_eq!(sideways, json!([]), "{what}: wider than it is");
}

/// Can it be scrolled to and seen?
#[track_caller]
fn reachable(page: &Browser, id: &str) {
    let look = "const e = document.querySelector(`[data-testid=\"${arguments[0]}\"]`);
        e.scrollIntoView({ block: 'center' });
        const r = e.getBoundingClientRect();
        const hit = document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2);
        return !!hit && (e === hit || e.contains(hit) || hit.contains(e)) ? '' : `${r.left} ${r.top} ${r.width} ${r.height} under ${hit && hit.outerHTML.slice(0, 120)}`";
    assert_eq!(page.script(look, &json!([id])), json!(""), "{id} can be seen");
}

#[test]
fn twice_the_size_fits_a_small_window() {
    let Some(home) = Home::new() else { return };
    let window = home.open();
    let page = &window.page;
    window.add_folder("site");
    window.add_folder("notes");
    page.test_id("try-demo").click();
    page.test_id("tool-count_files");
    page.resize(800, 600);
    page.press(&[key::CONTROL, '0']);
    fits(page, "the usual size");
    for _ in 0..5 {
        page.press(&[key::CONTROL, '+']);
    }
    page.wait("twice the size", || {
        (page.script("return document.documentElement.style.fontSize", &json!([])) == json!("200%")).then_some(())
    });
    fits(page, "a server's page");
    page.test_id("tool-count_files").click();
    reachable(page, "call");
    page.reload();
    page.test_id("tool-count_files").click();
    assert_eq!(
        page.script("return document.documentElement.style.fontSize", &json!([])),
        json!("200%"),
        "it is remembered"
    );
    page.test_id("call").wait_enabled().click();
    question(page);
    fits(page, "a question");
    for choice in ["refuse", "never", "share-always", "question-later"] {
        reachable(page, choice);
    }
    press(page, "refuse");
    page.test_id("tool-tidy_plan").click();
    page.test_id("call").wait_enabled().click();
    question(page);
    fits(page, "a sheet");
    for choice in ["sheet-cancel", "sheet-send", "sheet-roots-shareAlways"] {
        reachable(page, choice);
    }
    press(page, "sheet-cancel");
    for (nav, what) in [("nav-record", "the record"), ("nav-grants", "the decisions")] {
        page.test_id(nav).click();
        fits(page, what);
    }
    page.press(&[key::CONTROL, 'k']);
    page.test_id("palette-input");
    fits(page, "the palette");
    page.press(&[key::ESCAPE]);
    page.wait_gone("[data-testid=palette]");
    page.press(&[key::CONTROL, '0']);
    page.wait("the usual size", || {
        (page.script("return document.documentElement.style.fontSize", &json!([])) == json!("")).then_some(())
    });
}

#[test]
fn names_from_right_to_left_and_very_long_ones_stay_in_their_place() {
    let Some(home) = Home::new() else { return };
    let window = home.open();
    let page = &window.page;
    let hebrew = window.add_folder("תיקייה (שלי)");
    let long = "a-folder-with-a-name-that-goes-on-and-on-and-never-seems-to-end-".repeat(3);
    window.add_folder(&long);
    let server = "שרת-הקבצים";
    let program = gatehouse_tests::bins::gatehouse();
    for name in [server, &"a-server-whose-name-is-as-long-as-a-sentence-".repeat(2)] {
        window.command(&[
            "servers",
            "add",
            name,
            "--",
            program.to_str().expect("UTF-8"),
            "demo-server",
        ]);
        page.wait_text(name);
    }
    page.resize(800, 600);
    fits(page, "long names");
    window.connect(server);
    window.call("count_files");
    question(page);
    fits(page, "a question with such names");
    // The words after a name stay after it: a name turns nothing but itself.
    let order = page.script(
        "const name = document.querySelector('[data-testid=question-server]').getBoundingClientRect();
         const title = document.querySelector('[role=dialog] h2');
         const words = document.createTreeWalker(title, NodeFilter.SHOW_TEXT);
         while (words.nextNode() && !words.currentNode.data.includes('asks'));
         const range = document.createRange(); range.selectNodeContents(words.currentNode);
         const rest = range.getClientRects()[0];
         return name.left < rest.left || name.bottom <= rest.top",
        &json!([]),
    );
    assert_eq!(order, json!(true), "the server's name, then what it asks");
    // The parts of a path stand in their order.
    let id = window.folder_id(&hebrew);
    let ordered = page.script(
        "const row = document.querySelector(`[data-testid=\"question-folder-${arguments[0]}\"]`).closest('label, li, div');
         const parts = [...row.querySelectorAll('bdi[dir=ltr]')].map((e) => e.getBoundingClientRect()).filter((r) => r.width);
         return parts.length > 1 && parts.every((r, i) => i === 0 || r.top > parts[i - 1].top + 2 || r.left >= parts[i - 1].left - 1)",
        &json!([id]),
    );
    assert_eq!(ordered, json!(true), "the path reads from the root to the folder");
    press(page, "refuse");
}
