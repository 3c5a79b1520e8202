//! `gatehouse settings`, and how settings are listed.

use gatehouse_host::view::Settings as View;
use gatehouse_host::{Host, Result};
use serde_json::json;

use crate::args::Settings;
use crate::exit::Exit;
use crate::output::{Output, table};

/// Carries it out.
pub async fn run(host: &Host, what: Settings, output: Output) -> Result<Exit> {
    if let Settings::Set { changes } = &what {
        host.change_settings(&pairs(changes)).await?;
    }
    let settings = host.settings().await?;
    output.print(&json!({ "settings": settings }), || {
        list(&View::KEYS, |key| settings.word(key))
    });
    Ok(Exit::Done)
}

/// Keys and values, one a line.
pub(crate) fn list(keys: &[&str], word: impl Fn(&str) -> Option<String>) -> String {
    let rows: Vec<Vec<String>> = keys
        .iter()
        .filter_map(|key| Some(vec![(*key).to_owned(), word(key)?]))
        .collect();
    table(&["KEY", "VALUE"], &rows)
}

/// Borrowed pairs, as the front door takes them.
pub(crate) fn pairs(changes: &[(String, String)]) -> Vec<(&str, &str)> {
    changes
        .iter()
        .map(|(key, value)| (key.as_str(), value.as_str()))
        .collect()
}
