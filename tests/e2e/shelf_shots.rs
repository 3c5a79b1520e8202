//! Pictures of the shelves of resources and prompts: templates, suggestions, watched resources, pictures of servers.
//! Without `GATEHOUSE_SHOTS=DIR` it does nothing.

use gatehouse_tests::script::{Rule, Script, act};
use serde_json::{Value, json};

use crate::shots::{Camera, album, each, scripted};

#[test]
fn shots_of_shelves() {
    let Some(album) = album() else { return };
    each(&album, walk);
}

fn walk(camera: &Camera) {
    let window = &camera.window;
    let page = &window.page;
    scripted(window, "atlas", &atlas());
    page.test_id("tab-resources").click();
    page.test_id("resource-0").click();
    page.test_id("call").wait_enabled().click();
    page.test_id("result");
    page.test_id("watch-resource").click();
    page.wait_text("changed since");
    camera.take("resource-watched");
    page.test_id("template-sheet").click();
    page.test_id("variable-region").type_keys("al");
    page.test_id("variable-region-list");
    camera.take("suggestions");
    page.press(&['\u{e015}']);
    page.press(&['\u{e007}']);
    page.test_id("variable-path").type_keys("lakes\u{e007}levels.csv");
    page.test_id("call").wait_enabled().click();
    page.test_id("result");
    camera.take("template");
    page.test_id("tab-prompts").click();
    page.test_id("prompt-describe").click();
    page.test_id("arg-place").type_keys("al");
    page.test_id("arg-place-list");
    camera.take("prompt");
    page.test_id("tab-tools").click();
    page.test_id("tool-levels").click();
    page.test_id("call").wait_enabled().click();
    page.test_id("result");
    camera.take("table-small");
}

/// A drawing: a square of this colour with lines on it.
fn drawing(colour: &str, lines: &str) -> String {
    format!(
        "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><rect width='16' height='16' rx='3' \
         fill='%23{colour}'/><path d='M3 11 6 6 9 9 13 4' fill='none' stroke='%23{lines}' stroke-width='1.6'/></svg>"
    )
}

fn icons(light: &str, dark: &str) -> Value {
    json!([
        {"src": drawing(light, "ffffff"), "mimeType": "image/svg+xml", "sizes": ["any"], "theme": "light"},
        {"src": drawing(dark, "10201c"), "mimeType": "image/svg+xml", "sizes": ["any"], "theme": "dark"},
    ])
}

fn atlas() -> Script {
    let line = |method: &str, more: &str| {
        act::line(&format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/{method}","params":{{"_meta":{{"io.modelcontextprotocol/subscriptionId":$id}},{more}}}}}"#
        ))
    };
    let mut script = Script::modern()
        .capabilities(json!({"tools": {}, "prompts": {}, "resources": {"subscribe": true}, "completions": {}}));
    script.resources = vec![
        json!({"uri": "atlas://levels/today", "name": "levels", "title": "Water levels today", "mimeType": "text/csv", "size": 2312,
            "description": "Each gauge with its level, in centimetres.", "icons": icons("1c5a4f", "83c7b4"),
            "annotations": {"audience": ["user"], "priority": 0.8, "lastModified": "2026-11-29T06:00:00Z"}}),
        json!({"uri": "atlas://map/overview", "name": "overview", "title": "Overview map", "mimeType": "image/png",
            "icons": [{"src": "https://atlas.example.org/icons/map.png"}]}),
    ];
    script.prompts = vec![
        json!({"name": "describe", "title": "Describe a place", "icons": icons("744d00", "e0b860"),
        "description": "A message that asks a model to describe a place on the map.",
        "arguments": [
            {"name": "place", "title": "Place", "description": "A region, a lake or a river.", "required": true},
            {"name": "tone", "title": "Tone"},
        ]}),
    ];
    let template = json!({"uriTemplate": "atlas://{region}{/path*}{?year}", "name": "sheet", "title": "A sheet of a region",
        "description": "Maps and tables of one region.", "mimeType": "text/csv", "icons": icons("962c1d", "e79a8c")});
    let levels = json!({"resultType": "complete", "content": [],
        "structuredContent": {"levels": [{"gauge": "Lake of the Four Cantons", "level": 43361, "change": -2, "unit": "cm",
            "station": "Lucerne, harbour, north quay", "since": "2026-11-29T06:00:00Z", "operator": "Office for the Environment"}]}});
    let csv = "gauge,level\nLucerne,43361\nBrunnen,43363";
    script
        .tool_json(json!({"name": "levels", "title": "Levels", "inputSchema": {"type": "object"}, "icons": icons("1c5a4f", "83c7b4")}))
        .on("tools/call", [act::result(levels)])
        .on(
            "resources/templates/list",
            [act::result(json!({"resultType": "complete", "resourceTemplates": [template]}))],
        )
        .on(
            "completion/complete",
            [act::result(json!({"resultType": "complete",
                "completion": {"values": ["alps", "alsace", "altmark", "alto-adige"], "total": 9}}))],
        )
        .on(
            "resources/read",
            [act::result(json!({"resultType": "complete",
                "contents": [{"uri": "atlas://levels/today", "mimeType": "text/csv", "text": csv}]}))],
        )
        .rule(Rule::on("subscriptions/listen").background().does([
            line("subscriptions/acknowledged", r#""notifications":$params.notifications"#),
            act::wait(300),
            line("resources/updated", r#""uri":"atlas://levels/today""#),
        ]))
}
