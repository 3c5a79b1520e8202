//! Results too large to be handed over: the page shows their beginnings at once, pulls the rest, and never stands still.

use std::time::{Duration, Instant};

use gatehouse_tests::fake::FakeServer;
use gatehouse_tests::script::{Action, Piece, Rule, Script, act};
use serde_json::json;

use crate::webdriver::Browser;
use crate::window::Home;

/// A reply to a call: what stands before, a text so many times over, what stands after.
fn reply(before: &str, (text, times): (&str, u64), after: &str) -> Action {
    let before = format!(r#"{{"jsonrpc":"2.0","id":$id,"result":{{"resultType":"complete",{before}"#);
    act::repeat(&before, text, times, &format!("{after}}}}}"))
}

/// A server with a tool `text` that answers with so many bytes, and a tool `rows` with so many rows.
fn server(bytes: u64, rows: u64) -> FakeServer {
    let line = r"warp and weft, \u00fcber and under, forty bytes\n";
    let row = r#"{"id":9007199254740993,"part":"warp","weight":13.875,"note":"with, a comma"},"#;
    let text = reply(
        r#""content":[{"type":"text","text":""#,
        (line, bytes / 43),
        r#"the shuttle"}]"#,
    );
    let table = reply(r#""content":[],"structuredContent":["#, (row, rows - 1), r#"{"id":1}]"#);
    FakeServer::new(
        &Script::modern()
            .tool("text")
            .tool("rows")
            .rule(Rule::on("tools/call").name("text").does([text]))
            .rule(Rule::on("tools/call").name("rows").does([table])),
    )
}

/// Begins to measure the longest time in which the page's thread did nothing else.
fn heartbeat(page: &Browser) {
    let script = "window.longest = 0; let last = performance.now(); const beat = new MessageChannel();
        beat.port1.onmessage = () => {
            const now = performance.now(); window.longest = Math.max(window.longest, now - last); last = now;
            setTimeout(() => beat.port2.postMessage(0), 4);
        };
        beat.port2.postMessage(0);";
    page.script(script, &json!([]));
}

/// The longest block since, in milliseconds; begins anew.
fn longest(page: &Browser) -> f64 {
    let found = page.script("const l = window.longest; window.longest = 0; return l;", &json!([]));
    found.as_f64().expect("the heart beats")
}

/// The cells of a row of the table, as it is drawn now: 0 is the head, -1 the last.
fn row(page: &Browser, nth: i64) -> String {
    let script = "const rows = [...document.querySelectorAll('[data-testid=result-table] [role=row]')];
        return [...(rows.at(arguments[0])?.children ?? [])].map((cell) => cell.textContent.trim()).join(' ');";
    page.script(script, &json!([nth]))
        .as_str()
        .unwrap_or_default()
        .to_owned()
}

#[test]
fn a_large_text_is_shown_searched_and_walked_without_a_freeze() {
    let Some(home) = Home::new() else { return };
    let fake = server(8_000_000, 2);
    let window = home.server("loom", &fake).open();
    window.connect("loom");
    let page = &window.page;
    heartbeat(page);
    window.call("text");
    let rows = page.wait("the rows to be counted", || {
        page.text().contains(" rows").then(|| page.text())
    });
    assert!(
        rows.contains("186047 rows") || rows.contains("186,047 rows"),
        "each line is counted: {rows}"
    );
    assert!(page.test_id("result-text").text().contains("über and under"));
    page.test_id("text-find").type_keys("shuttle");
    page.test_id("text-find-next").click();
    page.wait("the words to be found", || {
        let last = page.test_id("result-text").text();
        last.contains("the shuttle").then_some(())
    });
    page.test_id("copy").click();
    page.wait("it to be copied as it is shown", || {
        page.test_id("copy").text().contains("Copied").then_some(())
    });
    let lines = page.count("[data-testid=result-text] pre");
    assert!(lines < 100, "only rows in sight are drawn, not {lines}");
    let block = longest(page);
    assert!(block < 1_000.0, "the page stood still for {block} ms");
}

#[test]
fn every_message_stands_in_the_traffic_and_opens_as_it_stood() {
    let Some(home) = Home::new() else { return };
    let flood = r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"none","progress":1}}"#;
    let script = Script::modern().tool("flood").rule(Rule::on("tools/call").does([
        Action::Bytes(vec![Piece::Repeat(format!("{flood}\n"), 20_000)]),
        act::text("the shuttle"),
    ]));
    let fake = FakeServer::new(&script);
    let window = home.server("loom", &fake).open();
    window.connect("loom");
    let page = &window.page;
    heartbeat(page);
    window.call("flood");
    page.test_id("result-text");
    page.test_id("tab-traffic").click();
    page.wait("the newest frame to be in sight", || {
        let frames = frames(page);
        let answer = frames.iter().find(|line| line.contains(" result "))?;
        answer.contains("received").then_some(())
    });
    let count = page.test_id("traffic-count").text();
    let digits: String = count.chars().filter(char::is_ascii_digit).collect();
    let number: u64 = digits.parse().expect("a number stands there");
    assert!((20_003..20_050).contains(&number), "each frame is counted: {count}");
    assert!(frames(page).len() < 80, "only frames in sight are drawn");
    page.test_id("traffic-find").type_keys("SHUTTLE");
    page.wait("one frame to be left", || (frames(page).len() == 1).then_some(()));
    page.find("[data-testid=traffic-list] [role=option]").click();
    let text = page.test_id("frame-text").text();
    assert!(
        text.contains("\"text\": \"the shuttle\""),
        "it is shown in lines: {text}"
    );
    page.find("[data-testid=frame-view] button:nth-child(2)").click();
    page.wait("it as it stood", || {
        page.test_id("frame-text")
            .text()
            .contains(r#""text":"the shuttle""#)
            .then_some(())
    });
    page.test_id("frame-close").click();
    page.wait_gone("[data-testid=frame]");
    let block = longest(page);
    assert!(block < 1_000.0, "the page stood still for {block} ms");
}

/// The lines of the traffic that are drawn now.
fn frames(page: &Browser) -> Vec<String> {
    let script = "return [...document.querySelectorAll('[data-testid=traffic-list] [role=option]')]
        .map((row) => [...row.querySelectorAll(':scope > span')].map((span) => span.textContent.trim().replace(/\\s+/g, ' ')).join(' '));";
    let lines = page.script(script, &json!([]));
    let lines = lines.as_array().into_iter().flatten();
    lines.map(|line| line.as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn a_large_table_is_sorted_and_walked_without_a_freeze() {
    let Some(home) = Home::new() else { return };
    let fake = server(100, 20_000);
    let window = home.server("loom", &fake).open();
    window.connect("loom");
    let page = &window.page;
    heartbeat(page);
    window.call("rows");
    page.wait("the table to stand there", || {
        row(page, 1).starts_with("1 9007199254740993 warp").then_some(())
    });
    assert_eq!(
        page.test_id("result-table").attribute("aria-rowcount").as_deref(),
        Some("20001")
    );
    page.test_id("sort-0").click();
    page.wait("the smallest to stand first", || {
        row(page, 1).starts_with("20000 1").then_some(())
    });
    let began = Instant::now();
    page.script(
        "document.querySelector('[data-testid=result-table]').scrollTop = 1e7; return 0;",
        &json!([]),
    );
    page.wait("the last rows to be pulled", || {
        row(page, -1).starts_with("19999 ").then_some(())
    });
    assert!(began.elapsed() < Duration::from_secs(10));
    let block = longest(page);
    assert!(block < 1_000.0, "the page stood still for {block} ms");
}
