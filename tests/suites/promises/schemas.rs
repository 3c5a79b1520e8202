//! A server's schemas: checked by the dialect that they name, bounded, and never a reason to fetch anything.

use std::time::{Duration, Instant};

use gatehouse_host::view::{BlockView, CallEnd, CheckView, ResultView, RootsChoice};
use gatehouse_tests::fake::FakeServer;
use gatehouse_tests::home::{Home, Person, failed, said};
use gatehouse_tests::schema::Revision::Modern;
use gatehouse_tests::script::{Rule, Script, act};
use serde_json::{Value, json};

use crate::canary::Canary;

const CALL: &str = "tools/call";

/// The revision's bound for one check is a second; the rest is for a loaded machine.
const SOON: Duration = Duration::from_secs(3);

fn answers(structured: Value) -> Rule {
    Rule::on(CALL).does([act::result(json!({
        "resultType": "complete", "content": [{"type": "text", "text": "here"}], "structuredContent": structured,
    }))])
}

async fn checked(home: &Home, tool: &str, args: &str) -> CheckView {
    home.host()
        .check_args("s", tool, args)
        .await
        .expect("the tool is listed")
}

#[tokio::test(flavor = "multi_thread")]
async fn no_schema_leads_to_a_connection() {
    let canary = Canary::new();
    let (page, dynamic) = (canary.url("a.json"), canary.url("a.json#node"));
    let schemas = [
        (json!({"$ref": page}), true),
        (json!({"properties": {"a": {"$ref": page}}}), true),
        (json!({"allOf": [{"$ref": page}]}), true),
        (json!({"properties": {"a": {"$dynamicRef": dynamic}}}), true),
        (json!({"$schema": page}), true),
        (json!({"$id": page, "properties": {"a": {"$ref": "b.json"}}}), true),
        (
            json!({"$defs": {"d": {"$id": page, "$ref": "b.json"}}, "properties": {"a": {"$ref": "#/$defs/d"}}}),
            true,
        ),
        (
            json!({"$schema": "http://json-schema.org/draft-04/schema#", "id": page, "properties": {"a": {"$ref": "b.json"}}}),
            true,
        ),
        (
            json!({"$schema": "https://json-schema.org/draft/2019-09/schema", "properties": {"a": {"$recursiveRef": page}}}),
            // That word can only mean the document itself.
            false,
        ),
        (
            json!({"properties": {"a": {"type": "string", "format": "uri", "default": page, "examples": [page]}}}),
            false,
        ),
    ];
    let mut script = Script::modern().rule(answers(json!({"a": page})));
    for (at, (schema, _)) in schemas.iter().enumerate() {
        let mut schema = schema.clone();
        schema["type"] = "object".into();
        script = script.tool_json(json!({
            "name": format!("t{at}"), "inputSchema": schema, "outputSchema": schema,
            "icons": [{"src": canary.url("icon.png")}],
        }));
    }
    let fake = FakeServer::new(&script);
    let home = Home::with(&fake).await;
    let listed = home.host().tools("s").await.expect("they are listed");
    assert_eq!(
        listed.items.len(),
        schemas.len(),
        "no schema costs a tool its place: {:?}",
        listed.unreadable
    );
    let args = json!({"a": page}).to_string();
    for (at, (schema, unusable)) in schemas.iter().enumerate() {
        let tool = format!("t{at}");
        let check = checked(&home, &tool, &args).await;
        assert_eq!(check.unusable.is_some(), *unusable, "{schema}: {check:?}");
        let end = home.call("s", &tool, &args).await;
        assert!(
            said(&end).contains("here"),
            "{schema}: the result is shown whatever the check says"
        );
        let Ok(CallEnd::Completed {
            result: ResultView::Tool { mismatch, .. },
            ..
        }) = end
        else {
            panic!("{schema}: {end:?}")
        };
        assert_eq!(
            mismatch.is_some_and(|check| check.unusable.is_some()),
            *unusable,
            "{schema}: what could not be checked is said"
        );
    }
    home.end(&[(&fake, Modern)]).await;
    canary.assert_silent("a reference that leaves the document leads nowhere");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_form_leads_to_a_connection() {
    let canary = Canary::new();
    let page = canary.url("a.json");
    for schema in [
        json!({"type": "object", "$schema": page, "properties": {"a": {"type": "string"}}}),
        json!({"type": "object", "properties": {"a": {"$ref": page}}}),
        json!({"type": "object", "properties": {"a": {"type": "string", "$ref": page}}}),
        json!({"type": "object", "$ref": page, "properties": {}}),
        json!({"type": "object", "$id": page, "properties": {"a": {"type": "string", "format": page, "default": page}}}),
    ] {
        let ask =
            json!({"f": {"method": "elicitation/create", "params": {"message": page, "requestedSchema": schema}}});
        let script = Script::modern()
            .tool("t")
            .rule(Rule::on(CALL).unanswered().does([act::ask(ask, Some("s"))]))
            .rule(Rule::on(CALL).answered().does([act::text("done")]));
        let fake = FakeServer::new(&script);
        let home = Home::with(&fake).await;
        let person = Person::who(&home, RootsChoice::Refuse);
        let end = home.call("s", "t", "{}").await;
        assert!(
            end.is_ok() || person.asked() == 0,
            "{schema}: it is asked, or refused as a whole: {end:?}"
        );
        home.end(&[(&fake, Modern)]).await;
    }
    canary.assert_silent("a form is made of what stands in it");
}

#[tokio::test(flavor = "multi_thread")]
async fn each_dialect_counts_by_its_own_words() {
    let draft = |name: &str| format!("http://json-schema.org/{name}/schema#");
    let exclusive = json!({"type": "number", "minimum": 1, "exclusiveMinimum": true});
    let tuple = json!({"type": "array", "items": [{"type": "string"}], "additionalItems": false});
    let check = async |dialect: Option<String>, field: Value, args: &str, at: Option<&str>| {
        let mut schema = json!({"type": "object", "properties": {"a": field}});
        if let Some(dialect) = &dialect {
            schema["$schema"] = dialect.as_str().into();
        }
        let fake = FakeServer::new(&Script::modern().tool_json(json!({"name": "t", "inputSchema": schema})));
        let home = Home::with(&fake).await;
        home.host().tools("s").await.expect("it is listed");
        let check = checked(&home, "t", args).await;
        assert_eq!(check.unusable, None, "{schema}");
        let first = check.faults.first().map(|fault| fault.path.as_str());
        assert_eq!(first, at, "{schema} {args}: {check:?}");
        home.quit().await;
    };
    check(Some(draft("draft-04")), exclusive.clone(), r#"{"a":1}"#, Some("/a")).await;
    check(Some(draft("draft-04")), exclusive, r#"{"a":1.5}"#, None).await;
    check(Some(draft("draft-07")), tuple.clone(), r#"{"a":[1]}"#, Some("/a/0")).await;
    check(Some(draft("draft-07")), tuple, r#"{"a":["x"]}"#, None).await;
    let prefix = json!({"type": "array", "prefixItems": [{"type": "string"}], "items": false});
    check(None, prefix.clone(), r#"{"a":[1]}"#, Some("/a/0")).await;
    check(None, prefix, r#"{"a":["x"]}"#, None).await;
    let big = json!({"type": "integer", "maximum": 9_007_199_254_740_993_u64});
    check(None, big.clone(), r#"{"a":9007199254740993}"#, None).await;
    check(None, big, r#"{"a":9007199254740994}"#, Some("/a")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_dialect_is_said_and_stops_nothing() {
    let schema = json!({"$schema": "https://example.com/mine", "type": "object"});
    let tool = json!({"name": "t", "inputSchema": schema, "outputSchema": schema});
    let fake = FakeServer::new(&Script::modern().tool_json(tool).rule(answers(json!({"x": 1}))));
    let home = Home::with(&fake).await;
    home.host().tools("s").await.expect("it is listed");
    let check = checked(&home, "t", "{}").await;
    let words = check.unusable.expect("it can't be used");
    assert!(
        words.contains("https://example.com/mine") && words.contains("not known"),
        "{words}"
    );
    assert!(said(&home.call("s", "t", "{}").await).contains("here"));
    home.end(&[(&fake, Modern)]).await;
}

/// References that stand for more than any machine holds.
fn bomb() -> Value {
    let mut defs = serde_json::Map::new();
    for at in 0..60 {
        let next = json!({"$ref": format!("#/$defs/d{}", at + 1)});
        defs.insert(format!("d{at}"), json!({"allOf": [next, next]}));
    }
    defs.insert("d60".into(), json!({}));
    json!({"type": "object", "$ref": "#/$defs/d0", "$defs": defs})
}

#[tokio::test(flavor = "multi_thread")]
async fn costly_and_endless_schemas_end_soon_and_hide_no_tool() {
    let alias = json!({"type": "object", "$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}}});
    let tree = json!({"type": "object", "properties": {"kids": {"type": "array", "items": {"$ref": "#"}}}});
    let pattern = json!({"type": "object", "properties": {"a": {"type": "string", "pattern": "^(a+)+$"}}});
    let tools = [
        ("bomb", bomb(), "{}"),
        ("alias", alias, "{}"),
        ("tree", tree, r#"{"kids":[{"kids":[]}]}"#),
        (
            "pattern",
            pattern,
            r#"{"a":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"}"#,
        ),
    ];
    let script = tools.iter().fold(Script::modern(), |script, (name, schema, _)| {
        script.tool_json(json!({"name": name, "inputSchema": schema, "outputSchema": schema}))
    });
    let fake = FakeServer::new(&script.tool("plain").rule(answers(json!({}))));
    let home = Home::with(&fake).await;
    let began = Instant::now();
    let listed = home.host().tools("s").await.expect("they are listed");
    assert_eq!(listed.items.len(), tools.len() + 1, "{:?}", listed.unreadable);
    assert!(
        began.elapsed() < SOON,
        "a list depends on no schema: {:?}",
        began.elapsed()
    );
    for (name, _, args) in &tools {
        let began = Instant::now();
        let check = checked(&home, name, args).await;
        assert!(began.elapsed() < SOON, "{name}: {check:?} after {:?}", began.elapsed());
        let began = Instant::now();
        assert!(said(&home.call("s", name, args).await).contains("here"), "{name}");
        assert!(began.elapsed() < SOON, "{name}: the call after {:?}", began.elapsed());
    }
    assert!(
        checked(&home, "bomb", "{}").await.unusable.is_some(),
        "a bomb is not lit"
    );
    assert_eq!(checked(&home, "tree", r#"{"kids":[7]}"#).await.faults.len(), 1);
    home.end(&[(&fake, Modern)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_schema_ten_thousand_levels_deep_ends_at_once() {
    for (levels, listed) in [(300, true), (10_000, false)] {
        let list = act::line(&format!(
            r#"{{"jsonrpc":"2.0","id":$id,"result":{{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[{{"name":"deep","inputSchema":{{"type":"object","not":{}{{}}{}}}}},{{"name":"plain","inputSchema":{{"type":"object"}}}}]}}}}"#,
            r#"{"not":"#.repeat(levels),
            "}".repeat(levels)
        ));
        let fake = FakeServer::new(&Script::modern().rule(Rule::on("tools/list").does([list])));
        let home = Home::with(&fake).await;
        let began = Instant::now();
        let tools = home.host().tools("s").await;
        if listed {
            assert_eq!(tools.expect("it is listed").items.len(), 2, "it hides no other");
            let words = checked(&home, "deep", "{}").await.unusable.expect("it is too deep");
            assert!(words.contains("can't be read"), "{words}");
            assert_eq!(checked(&home, "plain", "{}").await.unusable, None);
        } else {
            let error = failed(&tools);
            assert!(error.contains("deep"), "it is named: {error}");
        }
        assert!(began.elapsed() < SOON, "{levels}: {:?}", began.elapsed());
        assert!(
            said(&home.call("s", "deep", "{}").await).contains("ok"),
            "and a tool can be called by its name all the same"
        );
        home.end(&[(&fake, Modern)]).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn structured_content_that_misses_its_schema_is_shown_with_the_mismatch() {
    let tool = json!({"name": "t", "inputSchema": {"type": "object"},
        "outputSchema": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}});
    let failing = json!({"resultType": "complete", "isError": true, "content": [{"type": "text", "text": "disk full"}],
        "structuredContent": {"n": "no number"}});
    for (answer, misfits, words) in [
        (answers(json!({"n": 1})), false, "here"),
        (answers(json!({"n": "no number"})), true, "here"),
        // An error's own words are what counts.
        (Rule::on(CALL).does([act::result(failing)]), false, "disk full"),
    ] {
        let fake = FakeServer::new(&Script::modern().tool_json(tool.clone()).rule(answer));
        let home = Home::with(&fake).await;
        home.host().tools("s").await.expect("it is listed");
        let Ok(CallEnd::Completed {
            result: ResultView::Tool { mismatch, content, .. },
            ..
        }) = home.call("s", "t", "{}").await
        else {
            panic!("a result")
        };
        assert_eq!(mismatch.is_some(), misfits, "{mismatch:?}");
        assert!(
            matches!(content.as_slice(), [BlockView::Text { text, .. }] if text == words),
            "the result is there either way: {content:?}"
        );
        home.end(&[(&fake, Modern)]).await;
    }
}
