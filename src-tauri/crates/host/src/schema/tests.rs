//! What fits, what does not, and what no server can make us do.

use std::time::{Duration, Instant};

use super::*;

fn checked(schema: &str, value: &str) -> Checked {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(check(schema.to_owned(), value.to_owned()))
}

fn misfits(schema: &str, value: &str, path: &str) {
    match checked(schema, value) {
        Checked::Misfits(faults) => assert!(
            faults.iter().any(|fault| fault.path == path),
            "{path} is named: {faults:?}"
        ),
        other => panic!("{other:?}"),
    }
}

fn unusable(schema: &str, part: &str) {
    match checked(schema, "{}") {
        Checked::Unusable(reason) => assert!(reason.contains(part), "{reason} says {part}"),
        other => panic!("{schema}: {other:?}"),
    }
}

#[test]
fn values_are_checked_by_the_dialect_that_is_named() {
    let tuple = r#"{"properties":{"a":{"items":[{"type":"string"}]}}}"#;
    let old = tuple.replacen('{', r#"{"$schema":"http://json-schema.org/draft-07/schema#","#, 1);
    misfits(&old, r#"{"a":[1]}"#, "/a/0");
    let new = r#"{"properties":{"a":{"prefixItems":[{"type":"string"}]}}}"#;
    misfits(new, r#"{"a":[1]}"#, "/a/0");
    let defs = r##"{"type":"object","properties":{"q":{"$ref":"#/$defs/Q"}},"required":["q"],"$defs":{"Q":{"type":"integer","minimum":2}}}"##;
    assert_eq!(checked(defs, r#"{"q":2}"#), Checked::Fits);
    misfits(defs, r#"{"q":1}"#, "/q");
    misfits(defs, "{}", "");
    assert_eq!(checked("true", "{}"), Checked::Fits);
    assert_eq!(checked(r#"{"properties":{"a":true}}"#, r#"{"a":1}"#), Checked::Fits);
    assert_eq!(
        checked(r#"{"enum":[{"a":1}]}"#, r#"{"a":1}"#),
        Checked::Fits,
        "values of an enum stay as they are"
    );
    assert_eq!(
        checked(
            r#"{"type":"object","additionalProperties":false,"properties":{"a":{}}}"#,
            r#"{"a":1}"#
        ),
        Checked::Fits
    );
}

#[test]
fn what_cannot_be_used_is_said_and_nothing_is_fetched() {
    unusable(r#"{"$schema":"https://example.com/mine"}"#, "not known");
    unusable(
        r#"{"properties":{"a":{"$ref":"http://127.0.0.1:9/x.json"}}}"#,
        "never fetched",
    );
    unusable(r#"{"$ref":"other.json"}"#, "can't be used");
    unusable(r#"{"type":"nonsense"}"#, "can't be used");
    unusable("{", "can't be read");
    let deep = format!("{}{}", r#"{"not":"#.repeat(10_000), "}".repeat(10_000));
    unusable(&deep, "can't be read");
}

#[test]
fn no_schema_takes_long() {
    let mut defs = String::new();
    for at in 0..60 {
        defs.push_str(&format!(
            r##""d{at}":{{"allOf":[{{"$ref":"#/$defs/d{0}"}},{{"$ref":"#/$defs/d{0}"}}]}},"##,
            at + 1
        ));
    }
    let bomb = format!(r##"{{"$ref":"#/$defs/d0","$defs":{{{defs}"d60":{{}}}}}}"##);
    let cycle = r##"{"properties":{"c":{"allOf":[{"$ref":"#"},{"$ref":"#"}]}}}"##;
    let nested = format!("{}{{}}{}", r#"{"c":"#.repeat(60), "}".repeat(60));
    let pattern = r#"{"properties":{"p":{"pattern":"^(a+)+$"}}}"#;
    for (schema, value) in [
        (bomb.as_str(), "{}"),
        (cycle, nested.as_str()),
        (pattern, r#"{"p":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"}"#),
    ] {
        let began = Instant::now();
        let came = checked(schema, value);
        assert!(
            began.elapsed() < Duration::from_secs(3),
            "{came:?} after {:?}",
            began.elapsed()
        );
    }
    assert!(
        matches!(checked(&bomb, "{}"), Checked::Unusable(_)),
        "a bomb is not lit"
    );
}
