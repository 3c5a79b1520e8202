//! A kept result is described in little and given out exactly.

use gatehouse_mcp::params::RawMap;
use serde_json::json;

use super::*;
use crate::view::{BlockView, PartView, ResultView, SortInput, TableForm};

fn kept(method: &str, json: &str) -> Kept {
    let result = RawMap::parse(json).expect("an object");
    Kept::read(method, &result).expect("it can be read")
}

fn tool(value: &serde_json::Value) -> Kept {
    kept("tools/call", &value.to_string())
}

const TEXT: PartView = PartView::Text { block: 0 };

#[test]
fn of_a_large_result_only_the_beginnings_are_told() {
    let long = "warp and weft\n".repeat(400_000);
    let rows: Vec<_> = (0..20_000).map(|n| json!({ "id": n, "name": "x" })).collect();
    let kept = tool(&json!({
        "content": [{ "type": "text", "text": long }, { "type": "image", "data": "AAAA".repeat(1_000_000), "mimeType": "image/png" }],
        "structuredContent": { "rows": rows },
    }));
    let view = describe(7, &kept, None);
    let told = serde_json::to_string(&view).expect("it serialises");
    assert!(
        told.len() < 250_000,
        "{} bytes of several millions are told",
        told.len()
    );
    let ResultView::Tool { content, .. } = view else {
        panic!("a tool's")
    };
    let [
        BlockView::Text { text, far: Some(far) },
        BlockView::Image {
            data,
            far: Some(picture),
            ..
        },
    ] = &content[..]
    else {
        panic!("a text and a picture, kept: {content:?}");
    };
    assert!(text.ends_with("weft\n") && !far.whole, "cut at a line's end");
    assert_eq!((far.result, far.part, far.bytes), (7, TEXT, long.len() as u64));
    assert_eq!((data.as_str(), picture.bytes), ("", 3_000_000));
    assert_eq!(kept.bytes(TEXT).expect("the text"), long.as_bytes(), "saved as it came");
    let rows = kept.rows(TEXT, 80, (399_999, 400_010), false).expect("rows");
    assert_eq!(
        (rows.count, rows.rows.as_slice()),
        (400_000, &["warp and weft".to_owned()][..])
    );
}

#[test]
fn many_blocks_are_told_a_hundred_at_a_time() {
    let blocks: Vec<_> = (0..250)
        .map(|n| json!({ "type": "text", "text": "x".repeat(n) }))
        .collect();
    let kept = tool(&json!({ "content": blocks }));
    let ResultView::Tool { content, more, .. } = describe(1, &kept, None) else {
        panic!("a tool's")
    };
    assert_eq!((content.len(), more), (100, Some(150)));
    assert_eq!(blocks_from(&kept, 200), 50);
    assert_eq!(blocks_from(&kept, 900), 0);
}

fn blocks_from(kept: &Kept, from: usize) -> usize {
    blocks(1, kept, from).len()
}

#[test]
fn what_is_shown_is_harmless_and_what_is_saved_is_exact() {
    let sent = "a\u{202e}b\u{1b}[2J\u{200d}\n";
    let kept = tool(&json!({ "content": [{ "type": "text", "text": sent }] }));
    let show = |reveal| kept.rows(TEXT, 80, (0, 9), reveal).expect("rows").rows;
    assert_eq!(show(false), ["a⟨U+202E⟩b␛[2J\u{200d}"]);
    assert_eq!(show(true), ["a⟨U+202E⟩b␛[2J⟨U+200D⟩"]);
    assert_eq!(kept.shown(TEXT, false).expect("a copy"), "a⟨U+202E⟩b␛[2J\u{200d}\n");
    assert_eq!(kept.bytes(TEXT).expect("bytes"), sent.as_bytes());
}

#[test]
fn words_are_found_from_a_row_on_and_round_again() {
    let text: String = (0..1000).map(|line| format!("line {line}\n")).collect();
    let kept = tool(&json!({ "content": [{ "type": "text", "text": text }] }));
    let find = |words: &str, from| kept.find(TEXT, 80, words, from).expect("a search");
    assert_eq!(find("line 77", 0), Some(77));
    assert_eq!(find("line 77", 78), Some(770));
    assert_eq!(find("line 77", 800), Some(77), "round again");
    assert_eq!(find("loom", 0), None);
    assert_eq!(find("", 0), None);
}

#[test]
fn a_tree_is_opened_in_portions_and_a_place_that_is_none_gives_an_error() {
    let kept = tool(
        &json!({ "content": [], "structuredContent": { "a\u{202e}": (0..2500).collect::<Vec<_>>(), "n": 9_007_199_254_740_993_u64 } }),
    );
    let root = kept.root().expect("a root");
    let members = kept.nodes(root.at as usize, None).expect("members");
    let shown: Vec<_> = members
        .nodes
        .iter()
        .map(|node| (node.key.as_deref(), node.brief.as_str()))
        .collect();
    assert_eq!(shown, [(Some("a⟨U+202E⟩"), ""), (Some("n"), "9007199254740993")]);
    let list = members.nodes[0].at as usize;
    let first = kept.nodes(list, None).expect("items");
    let second = kept.nodes(list, first.next.map(|at| at as usize)).expect("items");
    let third = kept.nodes(list, second.next.map(|at| at as usize)).expect("items");
    assert_eq!((first.nodes.len(), second.nodes[0].brief.as_str()), (1000, "1000"));
    assert_eq!((third.nodes.len(), third.next), (500, None));
    assert!(kept.nodes(usize::MAX, None).is_err() && kept.nodes(3, Some(1)).is_err());
    assert_eq!(
        kept.value(members.nodes[1].at as usize).expect("a value"),
        "9007199254740993"
    );
}

#[test]
fn data_that_is_no_base64_is_said_to_be_none() {
    let kept = tool(&json!({ "content": [{ "type": "image", "data": "%%%", "mimeType": "image/png" }] }));
    let error = kept.bytes(PartView::Data { block: 0 }).expect_err("no base64");
    assert!(error.to_string().contains("base64"), "{error}");
    assert!(
        kept.bytes(PartView::Data { block: 5 }).is_err(),
        "there is no such block"
    );
    assert!(kept.bytes(PartView::Structured).is_err(), "there is none");
}

#[test]
fn a_hundred_thousand_rows_are_a_table_that_is_pulled_sorted_and_saved() {
    let rows: Vec<_> = (0..100_000)
        .map(|n| json!({ "id": 9_007_199_254_740_993_u64 + n, "odd": n % 2 }))
        .collect();
    let kept = tool(&json!({ "content": [], "structuredContent": rows }));
    let table = kept.table().expect("structured").expect("a table");
    assert_eq!((table.count, table.columns.len()), (100_000, 2));
    let by = Some(SortInput { column: 0, down: true });
    let first = kept.table_rows(by, 0, 2).expect("rows");
    let ids: Vec<_> = first
        .iter()
        .map(|row| row.cells[0].as_ref().map(|cell| cell.text.as_str()))
        .collect();
    assert_eq!(ids, [Some("9007199254840992"), Some("9007199254840991")]);
    let csv = kept.table_text(by, TableForm::Csv).expect("CSV");
    assert!(csv.starts_with("id,odd\r\n9007199254840992,1\r\n") && csv.lines().count() == 100_001);
}

#[test]
fn old_results_give_way_and_the_newest_stays_however_large() {
    let results = Results::default();
    let (first, _) = results.keep(tool(&json!({ "content": [] })));
    let large = json!({ "content": [{ "type": "text", "text": "x".repeat(60_000_000) }] });
    let (second, _) = results.keep(tool(&large));
    let (third, _) = results.keep(tool(&large));
    assert!(
        results.get(first).is_err() && results.get(second).is_err(),
        "they gave way"
    );
    assert!(results.get(third).is_ok(), "the newest is there");
}
