//! What the demo server offers, in words for somebody who sees such a list for the first time. No behaviour.

use serde_json::{Value, json};

use super::VERSION;

pub fn discover() -> Value {
    json!({
        "supportedVersions": [VERSION],
        "capabilities": {"tools": {}, "prompts": {}, "resources": {}},
        "instructions": "A server to try things out with. Start with the tool count_files: it asks for your folders.",
    })
}

pub fn tools() -> Value {
    json!({"tools": [
        {
            "name": "count_files",
            "title": "Count files",
            "description": "Counts the files and folders directly inside each folder you share. It asks for your folders first, \
                so you will see the question and can share all of them, some, or none.",
            "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false},
            "annotations": reads(),
        },
        {
            "name": "greet",
            "title": "Greet somebody",
            "description": "Asks you to fill in a short form and then writes a greeting. It does not ask for folders.",
            "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false},
            "annotations": reads(),
        },
        {
            "name": "tidy_plan",
            "title": "Plan a tidy-up",
            "description": "Asks for your folders and for a form at once, and then writes down what a tidy-up would look at. \
                Nothing is moved or deleted.",
            "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false},
            "annotations": reads(),
        },
        {
            "name": "two_rounds",
            "title": "Ask twice",
            "description": "Asks for your folders first and, once it has them, asks which one you like best. Shows a call with \
                two questions one after the other.",
            "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false},
            "annotations": reads(),
        },
        {
            "name": "echo",
            "title": "Echo",
            "description": "Sends your text back. It asks for nothing.",
            "inputSchema": {
                "type": "object",
                "properties": {"text": {"type": "string", "title": "Text", "description": "What to send back."}},
                "required": ["text"],
            },
            "annotations": reads(),
        },
    ]})
}

pub fn prompts() -> Value {
    json!({"prompts": [{
        "name": "describe_folders",
        "title": "Describe my folders",
        "description": "Writes a message for a language model that names the folders you share. It asks for them first.",
        "arguments": [{
            "name": "tone",
            "title": "Tone",
            "description": "How the model should write, for example \"friendly\" or \"in one sentence\".",
            "required": false,
        }],
    }]})
}

pub fn resources() -> Value {
    json!({"resources": [
        {
            "uri": "demo://about",
            "name": "about",
            "title": "About this server",
            "description": "A few lines about the demo server. Reading it asks for nothing.",
            "mimeType": "text/plain",
        },
        {
            "uri": "demo://folders",
            "name": "folders",
            "title": "Shared folders",
            "description": "The folders you share with this server, one a line. Reading it asks for them.",
            "mimeType": "text/plain",
        },
    ]})
}

fn reads() -> Value {
    json!({"readOnlyHint": true, "openWorldHint": false})
}
