//! What large things cost the window: how soon the first of it is drawn, how long the page's thread stood still at most, and
//! the memory of the process that draws. Without `GATEHOUSE_MEASURE=FILE` it does nothing; `./dev measure` writes the table.
//!
//! Times are the page's own: from the moment its command's answer arrived, so that a server's and a pipe's time is not in them.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use gatehouse_tests::fake::FakeServer;
use gatehouse_tests::script::{Action, Piece, Rule, Script, act};
use serde_json::{Value, json};

use crate::big::{heartbeat, longest, reply};
use crate::webdriver::Browser;
use crate::window::{Home, Window};

/// One row of the table.
struct Row {
    what: &'static str,
    /// From the click to the answer's arrival in the page, where there is one.
    wait: Option<f64>,
    /// From the answer's arrival to the first of it on the screen.
    paint: f64,
    /// The longest block of the page's thread until it was quiet again.
    block: f64,
    /// The same while it was scrolled from end to end.
    scroll: f64,
    /// Memory of the drawing process afterwards, and before, in MiB.
    memory: (u64, u64),
}

#[test]
fn measure() {
    let Some(file) = std::env::var_os("GATEHOUSE_MEASURE").map(PathBuf::from) else {
        return;
    };
    let mut rows = Vec::new();
    for (what, tool, list) in [
        ("a text of 50 MB in one result", "text", "result-text"),
        ("a table of 100,000 rows (9 MB) in one result", "rows", "result-table"),
    ] {
        let Some(window) = open() else { return };
        rows.push(result(&window, what, tool, list));
    }
    let Some(window) = open() else { return };
    rows.push(tools(&window));
    let Some(window) = open() else { return };
    rows.push(traffic(&window));
    let text = table(&rows);
    println!("{text}");
    std::fs::write(file, text).expect("the table can be written");
}

fn open() -> Option<Window> {
    let line = r"warp and weft, \u00fcber and under, forty bytes\n";
    let row = r#"{"id":9007199254740993,"part":"warp","weight":13.875,"note":"with, a comma"},"#;
    let text = reply(
        r#""content":[{"type":"text","text":""#,
        (line, 1_165_000),
        r#"the end"}]"#,
    );
    let table = reply(r#""content":[],"structuredContent":["#, (row, 99_999), r#"{"id":1}]"#);
    let notice = r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"x","progress":1}}"#;
    let many: Vec<Value> = (0..10_000)
        .map(|nth| {
            json!({
                "name": format!("tool_{nth}"),
                "title": format!("Tool number {nth}"),
                "description": "Weaves what it is given into what is asked for, and says how it went.",
                "inputSchema": { "type": "object", "properties": { "a": { "type": "string" }, "b": { "type": "integer" } } },
            })
        })
        .collect();
    let loom = Script::modern()
        .tool("text")
        .tool("rows")
        .tool("flood")
        .rule(Rule::on("tools/call").name("text").does([text]))
        .rule(Rule::on("tools/call").name("rows").does([table]))
        .rule(Rule::on("tools/call").name("flood").does([
            Action::Bytes(vec![Piece::Repeat(format!("{notice}\n"), 100_000)]),
            act::text("over"),
        ]));
    let shop = many.into_iter().fold(Script::modern(), Script::tool_json);
    let (loom, shop) = (FakeServer::new(&loom), FakeServer::new(&shop));
    let window = Home::new()?.server("loom", &loom).server("shop", &shop).open();
    let more = "const done = arguments[0]; __TAURI_INTERNALS__.invoke('change_settings', { key: 'traffic', value: '64' }).then(done, done);";
    window.page.script_async(more, &json!([]));
    // The scripts live as long as their servers do, which is as long as this process.
    std::mem::forget((loom, shop));
    Some(window)
}

/// Notes when the page's commands are answered and when an element first has something in it.
fn watch(page: &Browser, css: &str) {
    let script = "window.answered = 0; window.painted = 0; window.began = performance.now();
        if (!window.plain) { window.plain = window.fetch; window.fetch = (...given) => window.plain(...given).then((answer) => {
            if (/call_end|list_tools|frame_numbers/.test(String(given[0]))) window.answered = performance.now();
            return answer; }); }
        const css = arguments[0];
        const look = () => {
            const there = document.querySelector(css);
            if (there && there.textContent.trim() !== '') requestAnimationFrame(() => setTimeout(() => { window.painted = performance.now(); }));
            else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);";
    page.script(script, &json!([css]));
}

/// Milliseconds from the start to the answer, and from there to the first paint.
fn seen(page: &Browser) -> (Option<f64>, f64) {
    let times = page.wait("it to be drawn", || {
        let times = page.script("return [began, answered, painted]", &json!([]));
        (times[2].as_f64()? > 0.0).then_some(times)
    });
    let at = |nth: usize| times[nth].as_f64().unwrap_or_default();
    let (began, answered, painted) = (at(0), at(1), at(2));
    if answered > 0.0 {
        (Some(answered - began), painted - answered)
    } else {
        (None, painted - began)
    }
}

/// Waits until the page's thread has been idle for a while.
fn quiet(page: &Browser) -> f64 {
    let mut most = longest(page);
    let mut since = Instant::now();
    let began = Instant::now();
    while since.elapsed() < Duration::from_secs(1) && began.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(200));
        let block = longest(page);
        most = most.max(block);
        if block > 60.0 {
            since = Instant::now();
        }
    }
    most
}

/// Scrolls a list to its end and back in large and small steps; the longest block meanwhile.
fn scrolled(page: &Browser, css: &str) -> f64 {
    longest(page);
    let script = "const [css, done] = [arguments[0], arguments[1]]; const box = document.querySelector(css);
        const all = box.scrollHeight; let step = 0;
        const next = () => {
            step++;
            box.scrollTop = step <= 20 ? (all * step) / 20 : all - (step - 20) * 40;
            if (step < 50) setTimeout(next, 30); else setTimeout(done, 500);
        };
        next();";
    page.script_async(script, &json!([css]));
    longest(page)
}

/// Resident memory of the process that draws, in MiB.
fn memory(page: &Browser) -> u64 {
    let pid = page.program_pid().expect("the window's process");
    let children = |pid: u32| {
        let tasks = std::fs::read_dir(format!("/proc/{pid}/task"))
            .into_iter()
            .flatten()
            .flatten();
        let lists = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
        lists
            .flat_map(|list| {
                list.split_whitespace()
                    .filter_map(|pid| pid.parse().ok())
                    .collect::<Vec<u32>>()
            })
            .collect::<Vec<u32>>()
    };
    let mut all = vec![pid];
    let mut at = 0;
    while let Some(pid) = all.get(at).copied() {
        all.extend(children(pid));
        at += 1;
    }
    let of = |pid: &u32| {
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
        if !status.contains("Name:\tWebKitWebProces") {
            return None;
        }
        let line = status.lines().find(|line| line.starts_with("VmRSS"))?;
        line.split_whitespace()
            .nth(1)?
            .parse::<u64>()
            .ok()
            .map(|kib| kib / 1024)
    };
    all.iter().filter_map(of).sum()
}

fn result(window: &Window, what: &'static str, tool: &str, list: &str) -> Row {
    let page = &window.page;
    window.connect("loom");
    page.test_id(&format!("tool-{tool}")).click();
    page.test_id("call");
    let before = memory(page);
    heartbeat(page);
    watch(page, &format!("[data-testid={list}]"));
    page.test_id("call").click();
    let (wait, paint) = seen(page);
    let block = quiet(page);
    let scroll = scrolled(page, &format!("[data-testid={list}]"));
    Row {
        what,
        wait,
        paint,
        block,
        scroll,
        memory: (memory(page), before),
    }
}

fn tools(window: &Window) -> Row {
    let page = &window.page;
    window.connect("loom");
    let before = memory(page);
    heartbeat(page);
    watch(page, "[data-testid=tool-tool_1]");
    window.connect("shop");
    let (wait, paint) = seen(page);
    let block = quiet(page);
    let mark = "let box = document.querySelector('[data-testid=tool-tool_1]');
        while (box.scrollHeight < box.clientHeight + 1000) box = box.parentElement; box.dataset.measured = 1; return 0;";
    page.script(mark, &json!([]));
    let scroll = scrolled(page, "[data-measured]");
    Row {
        what: "a list of 10,000 tools",
        wait,
        paint,
        block,
        scroll,
        memory: (memory(page), before),
    }
}

fn traffic(window: &Window) -> Row {
    let page = &window.page;
    window.connect("loom");
    let before = memory(page);
    window.call("flood");
    page.test_id("result-text");
    heartbeat(page);
    watch(page, "[data-testid=traffic-list] [role=option]");
    page.test_id("tab-traffic").click();
    let (wait, paint) = seen(page);
    let block = quiet(page);
    let count = page.test_id("traffic-count").text();
    assert!(
        count.contains("10000") || count.contains("100,00"),
        "all of them: {count}"
    );
    let scroll = scrolled(page, "[data-testid=traffic-list]");
    Row {
        what: "100,000 frames of traffic",
        wait,
        paint,
        block,
        scroll,
        memory: (memory(page), before),
    }
}

fn table(rows: &[Row]) -> String {
    let mut text = String::from(
        "# Large things in the window\n\n\
        Written by `./dev measure` (`tests/e2e/measure.rs`): the real window on a virtual screen, drawn without a graphics card,\n\
        driven through WebDriver. *Waited* is from the click until the page had the answer: the server, the pipe, the host and\n\
        the way into the page. *First paint* is from there until the first of it stood on the screen; the aim is less than a\n\
        second. *Longest block* is the longest time in which the page's thread could do nothing else, until all was quiet and\n\
        while the list was scrolled from end to end (a beat every 4 ms); the aim is less than 100 ms. *Memory* is what the\n\
        drawing process (WebKitWebProcess) holds afterwards, and held before.\n\n\
        | | waited | first paint | longest block | while scrolling | memory |\n|---|---:|---:|---:|---:|---:|\n",
    );
    for row in rows {
        let wait = row.wait.map_or_else(|| "–".to_owned(), |wait| format!("{wait:.0} ms"));
        let (after, before) = row.memory;
        let _ = writeln!(
            text,
            "| {} | {wait} | {:.0} ms | {:.0} ms | {:.0} ms | {after} MiB ({before}) |",
            row.what, row.paint, row.block, row.scroll
        );
    }
    let model = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let cores = model.lines().filter(|line| line.starts_with("processor")).count();
    let model = model
        .lines()
        .find_map(|line| line.strip_prefix("model name\t: "))
        .unwrap_or("unknown");
    let build = if cfg!(debug_assertions) { "debug" } else { "release" };
    let _ = writeln!(text, "\nA {build} build on {cores} cores of: {}.", model.trim());
    text
}
