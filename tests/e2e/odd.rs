//! Results as odd as servers send them, each looked at on the screen: it is shown for what it is, nothing is run or fetched, and
//! no block hides another. With `GATEHOUSE_SHOTS=DIR` each is photographed as well.

use std::path::PathBuf;

use gatehouse_tests::fake::FakeServer;
use gatehouse_tests::journal::encode;
use gatehouse_tests::script::{Rule, Script, act};
use serde_json::{Value, json};

use crate::webdriver::Browser;
use crate::window::{Home, Window, got};

/// A PNG that says it is so large; its pixels are those of one point.
fn png(width: u32, height: u32) -> String {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    bytes.extend(width.to_be_bytes());
    bytes.extend(height.to_be_bytes());
    bytes.extend(b"\x08\x06\0\0\0");
    let sum = crc(&bytes[12..]);
    bytes.extend(sum.to_be_bytes());
    // One transparent point, deflated, and the end.
    bytes.extend(b"\0\0\0\rIDAT\x78\xda\x63\x64\xf8\xcf\x50\x0f\0\x03\x86\x01\x80");
    bytes.extend(b"\x5a\x34\x7d\x6b\0\0\0\0IEND\xaeB`\x82");
    encode(&bytes)
}

fn crc(bytes: &[u8]) -> u32 {
    let step = |sum: u32, _| {
        if sum & 1 == 1 {
            (sum >> 1) ^ 0xedb8_8320
        } else {
            sum >> 1
        }
    };
    !bytes
        .iter()
        .fold(u32::MAX, |sum, byte| (0..8).fold(sum ^ u32::from(*byte), step))
}

/// Half a second of a tone.
fn wav() -> String {
    let samples: Vec<u8> = (0..4000_u32)
        .map(|at| if at / 9 % 2 == 0 { 100 } else { 156 })
        .collect();
    let size = 36 + u32::try_from(samples.len()).expect("it is short");
    let mut bytes = b"RIFF".to_vec();
    bytes.extend(size.to_le_bytes());
    bytes.extend(b"WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data");
    bytes.extend((size - 36).to_le_bytes());
    bytes.extend(samples);
    encode(&bytes)
}

fn script() -> Script {
    let result = |name: &str, value: Value| {
        let mut value = value;
        value["resultType"] = "complete".into();
        Rule::on("tools/call").name(name).does([act::result(value)])
    };
    let image = |data: &str, mime: &str| json!({ "type": "image", "data": data, "mimeType": mime });
    let svg = r#"<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(2)</script></svg>"#;
    let media = json!([
        image(&png(1, 1), "image/image/png"),
        image("%%%", "image/png"),
        image("", "image/png"),
        image(&png(8000, 8000), "image/png"),
        image(&encode(svg.as_bytes()), "image/svg+xml"),
        { "type": "audio", "data": wav(), "mimeType": "audio/x-wav" },
        { "type": "audio", "data": encode(b"what is this"), "mimeType": "audio/x-loom" },
    ]);
    let texts = json!([
        { "type": "text", "text": "\u{1b}[2J\u{1b}]52;c;aGk=\u{7}red\rover" },
        { "type": "text", "text": "pay\u{202e}lap and a\u{200b}b 👩\u{200d}👧" },
        { "type": "text", "text": "<img src=x onerror=alert(1)></script>**bold** ![p](https://tracker.example/p.png)" },
        { "type": "text" },
        { "type": "video", "data": "AAAA" },
        7,
    ]);
    let resource = |value: Value| json!({ "type": "resource", "resource": value });
    let resources = json!([
        { "type": "resource_link", "uri": "x://v/50%25%20plan.md", "name": "The plan" },
        { "type": "resource_link", "uri": "smb://host/share", "name": "A share" },
        resource(json!({ "uri": "x://a.txt", "mimeType": "text/plain", "text": "the words of a" })),
        resource(json!({ "uri": "x://b.png", "mimeType": "image/png", "blob": png(1, 1) })),
        resource(json!({ "uri": "x://c.pdf", "mimeType": "application/pdf", "blob": encode(b"%PDF-1.7 and so on") })),
        resource(json!({ "uri": "x://d" })),
    ]);
    let schema = json!({ "type": "object", "properties": { "n": { "type": "string" } }, "required": ["unit"] });
    let checked = |name: &str| json!({ "name": name, "inputSchema": { "type": "object" }, "outputSchema": schema });
    let deep = format!("{}{}", r#"{"d":"#.repeat(100), "}".repeat(100));
    let deep = deep.replacen("}", "1}", 1);
    ["media", "texts", "resources", "empty", "bare", "deep"]
        .into_iter()
        .fold(Script::modern(), Script::tool)
        .tool_json(checked("misfit"))
        .tool_json(checked("failed"))
        .rule(result("media", json!({ "content": media })))
        .rule(result("texts", json!({ "content": texts })))
        .rule(result("resources", json!({ "content": resources })))
        .rule(result("empty", json!({ "content": [] })))
        .rule(result("bare", json!({ "structuredContent": { "id": 9_007_199_254_740_993_u64, "list": [] } })))
        .rule(result("misfit", json!({ "content": [{ "type": "text", "text": "13" }], "structuredContent": { "n": 13 } })))
        .rule(result(
            "failed",
            json!({ "isError": true, "content": [{ "type": "text", "text": "the loom is locked" }], "structuredContent": { "n": 1 } }),
        ))
        .rule(Rule::on("tools/call").name("deep").does([act::result_text(&format!(
            r#"{{"resultType":"complete","content":[],"structuredContent":{deep}}}"#
        ))]))
        .rule(Rule::on("resources/read").does([act::result(json!({
            "resultType": "complete",
            "contents": [{ "uri": "x://v/50%25%20plan.md", "text": "half of the plan" }],
        }))]))
}

#[test]
fn odd_results_are_shown_for_what_they_are() {
    let Some(home) = Home::new() else { return };
    let fake = FakeServer::new(&script());
    let window = home.server("odd", &fake).open();
    window.connect("odd");
    let page = &window.page;
    let look = |tool: &str, want: &[&str], not: &[&str]| {
        call(&window, tool);
        page.wait(&format!("the result of {tool}"), || {
            let text = page.text();
            want.iter().all(|part| text.contains(part)).then_some(())
        });
        let text = page.text();
        for part in not {
            assert!(!text.contains(part), "{part:?} stands in the result of {tool}:\n{text}");
        }
        photograph(&window, tool);
    };
    let pictures = [
        "1 × 1 · image/png, though the server calls it image/image/png",
        "Its data is not valid base64.",
        "It has no data.",
        "It is too large to be shown here (8000 × 8000).",
        "Drawings in SVG are shown as text.",
        "It is not WAV, MP3 or Ogg sound.",
    ];
    look("media", &pictures, &["Loading"]);
    assert_eq!(page.count("[data-testid=result] img"), 1, "one picture is drawn");
    let drawn = "return document.querySelector('[data-testid=result] img').naturalWidth";
    page.wait("the picture to be decoded", || {
        (page.script(drawn, &json!([])) == json!(1)).then_some(())
    });
    let long = "return document.querySelector('audio').duration";
    page.wait("the sound to be read", || {
        page.script(long, &json!([])).as_f64().filter(|long| *long > 0.4)
    });
    let texts = [
        "␛[2J␛]52;c;aGk=␇red␍over",
        "pay⟨U+202E⟩lap and a⟨U+200B⟩b",
        "<img src=x onerror=alert(1)></script>**bold**",
        "are written out, also in what is copied",
        "\"AAAA\"",
    ];
    look("texts", &texts, &["\u{202e}", "\u{1b}"]);
    assert_eq!(
        page.count("[data-testid=result] img, [data-testid=result] script"),
        0,
        "text is text"
    );
    let resources = [
        "x://v/50%25%20plan.md",
        "the words of a",
        "18 bytes",
        "the resource has neither text nor blob",
    ];
    look("resources", &resources, &[]);
    page.test_id("read-resource").click();
    page.wait_text("half of the plan");
    let asked = got(&fake.log(), "resources/read").concat();
    assert!(
        asked.contains(r#""x://v/50%25%20plan.md""#),
        "the address goes out as it came: {asked}"
    );
    look("empty", &["No content was returned"], &["Structured content"]);
    look("bare", &["9007199254740993", "[]"], &["No content was returned"]);
    look("misfit", &["It does not fit the tool's own output schema", "13"], &[]);
    look("failed", &["The tool's error", "the loom is locked"], &["does not fit"]);
    look("deep", &["Structured content", "d"], &[]);
    page.script(
        "document.querySelector('[data-testid=result-tree]').focus()",
        &json!([]),
    );
    // Each press opens a level or goes into it; what is opened is pulled first.
    for _ in 0..600 {
        page.press(&[crate::webdriver::key::RIGHT]);
        if page.text().contains("99 deep") {
            break;
        }
    }
    page.wait_text("99 deep");
}

fn call(window: &Window, tool: &str) {
    let page: &Browser = &window.page;
    page.test_id(&format!("tool-{tool}")).click();
    page.wait("the tool to be open", || {
        let title = page.script(
            "return document.querySelector('article h2, article h3')?.textContent.trim()",
            &json!([]),
        );
        (title == json!(tool)).then_some(())
    });
    page.test_id("call").wait_enabled().click();
}

fn photograph(window: &Window, name: &str) {
    let Some(album) = std::env::var_os("GATEHOUSE_SHOTS").map(PathBuf::from) else {
        return;
    };
    std::fs::create_dir_all(&album).expect("the folder of the pictures can be made");
    std::thread::sleep(std::time::Duration::from_millis(700));
    let theme =
        std::env::var("GTK_THEME").map_or("light", |theme| if theme.ends_with("dark") { "dark" } else { "light" });
    window.page.screenshot(&album.join(format!("odd-{name}-{theme}.png")));
}
