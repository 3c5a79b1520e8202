//! An elicitation form as it is asked, and the check of what was filled in. Flat by the protocol: no references, no nesting.

use std::sync::Arc;

use gatehouse_mcp::model::elicit::{ElicitForm, Field, FieldKind as Kind};
use gatehouse_mcp::params::{Raw, RawMap};
use jsonschema::{PatternOptions, Validator};
use serde_json::{Map, Value, json};

use crate::bounds;
use crate::error::{HostError, Result};
use crate::harmless;
use crate::view::{FieldKind, FieldView, OptionView, QuestionBody};

/// A form with its check.
#[derive(Clone)]
pub struct Form {
    asked: Arc<ElicitForm>,
    check: Arc<Validator>,
    /// What the person entered into this form before.
    draft: Option<Raw>,
}

impl std::fmt::Debug for Form {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Form")
            .field("asked", &self.asked)
            .finish_non_exhaustive()
    }
}

impl Form {
    /// Makes the form of an elicitation. The check is built from the fields that are shown, so nothing hidden in the
    /// server's schema can refuse or demand what the person can't see; patterns run in linear time.
    ///
    /// # Errors
    /// A field's limits can't be used, in words.
    pub fn of(asked: ElicitForm) -> Result<Self, String> {
        let schema = schema(&asked.fields, true);
        let build = |schema: &Value| {
            jsonschema::options()
                .with_pattern_options(PatternOptions::regex())
                .should_validate_formats(true)
                .build(schema)
                .map_err(|e| e.to_string())
        };
        // A pattern that the linear engine can't read must not block the form; it is the server's to check then.
        let check = build(&schema).or_else(|_| build(&self::schema(&asked.fields, false)))?;
        Ok(Self {
            asked: Arc::new(asked),
            check: Arc::new(check),
            draft: None,
        })
    }

    /// The same form with what was entered before, where it still fits: it is shown in the fields, and sent only if the
    /// person sends it.
    #[must_use]
    pub fn with_draft(&self, draft: Option<Raw>) -> Self {
        Self {
            draft: draft.filter(|draft| self.accept(draft.get()).is_ok()),
            ..self.clone()
        }
    }

    /// Checks the content of an `accept`.
    ///
    /// # Errors
    /// The content is not an object, has a field that was not asked, or a field is at fault; the message names it.
    pub fn accept(&self, content: &str) -> Result<Raw> {
        let map = RawMap::parse(content).map_err(|e| HostError::Invalid {
            reason: format!("the form's content is not a JSON object: {e}"),
        })?;
        let value: Value = serde_json::from_str(content).map_err(|e| HostError::Invalid { reason: e.to_string() })?;
        match self.check.iter_errors(&value).next() {
            None => Ok(map.to_raw()),
            Some(error) => {
                let at = error.instance_path().to_string();
                let field = at
                    .split('/')
                    .nth(1)
                    .map(|key| key.replace("~1", "/").replace("~0", "~"));
                let reason = match field {
                    Some(key) => format!("field “{}”: {error}", self.title(&key)),
                    None => error.to_string(),
                };
                Err(HostError::Invalid {
                    reason: harmless::line(&reason, bounds::PARAGRAPH),
                })
            }
        }
    }

    /// The form for a screen.
    pub fn view(&self) -> QuestionBody {
        QuestionBody::Form {
            message: harmless::paragraph(&self.asked.message, bounds::PARAGRAPH),
            fields: self.asked.fields.iter().map(view).collect(),
            draft: self.draft.as_ref().map(|draft| draft.get().to_owned()),
        }
    }

    fn title(&self, key: &str) -> String {
        let field = self.asked.fields.iter().find(|field| field.name == key);
        field
            .and_then(|field| field.title.clone())
            .unwrap_or_else(|| key.to_owned())
    }
}

fn schema(fields: &[Field], with_patterns: bool) -> Value {
    let properties: Map<String, Value> = fields
        .iter()
        .map(|field| (field.name.clone(), property(&field.kind, with_patterns)))
        .collect();
    let required: Vec<&str> = fields
        .iter()
        .filter(|field| field.required)
        .map(|field| field.name.as_str())
        .collect();
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

fn property(kind: &Kind, with_patterns: bool) -> Value {
    let mut property = Map::new();
    let mut put = |key: &str, value: Option<Value>| {
        if let Some(value) = value {
            property.insert(key.to_owned(), value);
        }
    };
    let number = |raw: &Option<Raw>| {
        raw.as_ref()
            .and_then(|raw| serde_json::from_str::<Value>(raw.get()).ok())
            .filter(Value::is_number)
    };
    let values = |options: &[(String, String)]| json!(options.iter().map(|(value, _)| value).collect::<Vec<_>>());
    match kind {
        Kind::Text {
            format,
            min_length,
            max_length,
            pattern,
        } => {
            put("type", Some(json!("string")));
            let known = format
                .as_deref()
                .filter(|format| matches!(*format, "email" | "uri" | "date" | "date-time"));
            put("format", known.map(Value::from));
            put("minLength", min_length.map(Value::from));
            put("maxLength", max_length.map(Value::from));
            put("pattern", pattern.clone().filter(|_| with_patterns).map(Value::from));
        }
        Kind::Number { integer, min, max } => {
            put("type", Some(json!(if *integer { "integer" } else { "number" })));
            put("minimum", number(min));
            put("maximum", number(max));
        }
        Kind::Boolean => put("type", Some(json!("boolean"))),
        Kind::Choice { options } => put("enum", Some(values(options))),
        Kind::MultiChoice { options, min, max } => {
            put("type", Some(json!("array")));
            put("items", Some(json!({ "enum": values(options) })));
            put("uniqueItems", Some(Value::Bool(true)));
            put("minItems", min.map(Value::from));
            put("maxItems", max.map(Value::from));
        }
    }
    Value::Object(property)
}

fn view(field: &Field) -> FieldView {
    let line = |text: &str| harmless::line(text, bounds::LINE);
    let options = |options: &[(String, String)]| {
        options
            .iter()
            .map(|(value, title)| OptionView {
                value: value.clone(),
                title: line(title),
            })
            .collect()
    };
    FieldView {
        key: field.name.clone(),
        title: line(field.title.as_deref().unwrap_or(&field.name)),
        description: field
            .description
            .as_deref()
            .map(|text| harmless::paragraph(text, bounds::PARAGRAPH)),
        required: field.required,
        default: field.default.as_ref().map(|raw| raw.get().to_owned()),
        kind: match &field.kind {
            Kind::Text {
                format,
                min_length,
                max_length,
                ..
            } => FieldKind::Text {
                format: format.clone(),
                min_length: *min_length,
                max_length: *max_length,
            },
            Kind::Number { integer, min, max } => FieldKind::Number {
                integer: *integer,
                minimum: min.as_ref().map(|raw| raw.get().to_owned()),
                maximum: max.as_ref().map(|raw| raw.get().to_owned()),
            },
            Kind::Boolean => FieldKind::Boolean,
            Kind::Choice { options: of } => FieldKind::Choice { options: options(of) },
            Kind::MultiChoice { options: of, min, max } => FieldKind::MultiChoice {
                options: options(of),
                min_items: *min,
                max_items: *max,
            },
        },
    }
}

#[cfg(test)]
mod tests {
    use gatehouse_mcp::model::elicit::{Elicit, parse};

    use super::*;

    fn form(schema: &str) -> Form {
        let params = format!(r#"{{"message":"m","requestedSchema":{{"type":"object",{schema}}}}}"#);
        match parse(&RawMap::parse(&params).expect("JSON")).expect("a form") {
            Elicit::Form(form) => Form::of(form).expect("a usable form"),
            Elicit::Url { .. } => panic!("not a form"),
        }
    }

    fn check(schema: &str, content: &str, expect: Result<(), &str>) {
        let got = form(schema).accept(content);
        match expect {
            Ok(()) => assert_eq!(got.expect("valid").get(), content, "what was entered is sent as it is"),
            Err(part) => {
                let error = got.expect_err("not valid").to_string();
                assert!(error.contains(part), "{error} names {part}");
            }
        }
    }

    #[test]
    fn content_is_checked_and_kept_as_entered() {
        let number = r#""properties":{"n":{"type":"number","minimum":1}},"required":["n"]"#;
        check(number, r#"{"n":1.50}"#, Ok(()));
        check(number, r#"{"n":12345678901234567890123}"#, Ok(()));
        check(number, r#"{"n":0}"#, Err("field “n”"));
        check(number, "{}", Err("n"));
        check(number, r#"{"n":2,"x":1}"#, Err("x"));
        check(number, "[]", Err("object"));
        check(
            r#""properties":{"e":{"type":"string","format":"email"}}"#,
            r#"{"e":"no"}"#,
            Err("field “e”"),
        );
        check(
            r#""properties":{"d":{"type":"string","format":"date"}}"#,
            r#"{"d":"2026-02-30"}"#,
            Err("field “d”"),
        );
        let choice = r#""properties":{"c":{"type":"string","oneOf":[{"const":"r","title":"Red"}]}}"#;
        check(choice, r#"{"c":"r"}"#, Ok(()));
        check(choice, r#"{"c":"Red"}"#, Err("field “c”"));
    }

    #[test]
    fn a_pattern_that_cannot_be_used_does_not_block_the_form() {
        check(
            r#""properties":{"p":{"type":"string","pattern":"(?<=a)b"}}"#,
            r#"{"p":"zzz"}"#,
            Ok(()),
        );
        check(
            r#""properties":{"p":{"type":"string","pattern":"^(a+)+$"}}"#,
            r#"{"p":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"}"#,
            Err("field “p”"),
        );
    }
}
