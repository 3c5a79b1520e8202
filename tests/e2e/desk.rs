//! What a person does at the consent dialog.

use std::time::Duration;

use crate::webdriver::Browser;

/// Waits for a question.
pub fn question(page: &Browser) {
    page.test_id("question");
}

/// Ticks or unticks a folder of the question.
pub fn tick(page: &Browser, id: u64, on: bool) {
    let tick = page.test_id(&format!("question-folder-{id}"));
    let is_on = || {
        let tick = page.test_id(&format!("question-folder-{id}"));
        tick.attribute("aria-checked")
            .map_or_else(|| tick.is_selected(), |checked| checked == "true")
    };
    if is_on() != on {
        tick.click();
    }
    page.wait("the tick to take", || (is_on() == on).then_some(()));
}

/// Presses a button of the dialog and waits until the question is gone. Sharing buttons are dead at first.
pub fn press(page: &Browser, button: &str) {
    std::thread::sleep(Duration::from_millis(700));
    page.test_id(button).click();
    page.wait_gone("[data-testid=question]");
    // A closing dialog gives the page its clicks back a moment later, sooner than a person can click.
    std::thread::sleep(Duration::from_millis(150));
}

/// The text of the result.
pub fn result(page: &Browser) -> String {
    page.test_id("result-text").text()
}
