//! What a person may set: for each server and for the app. A setting is a key and a value in words, the same in the
//! database, in the command and on the screen. Reading is tolerant (what can't be read is the default), changing is strict.
//! What a setting does is not here.

mod app;
mod server;

use std::time::Duration;

use gatehouse_mcp::client::{Declared, Limit};

use crate::error::{HostError, Result};
use crate::store::Store;
use crate::view::{ServerSettings, Settings};

/// The scope of the app's own settings; no server can have this name.
const APP: &str = "";

/// What is set for a server.
///
/// # Errors
/// The database refused.
pub fn of_server(store: &Store, name: &str) -> Result<ServerSettings> {
    let mut settings = ServerSettings::default();
    for (key, value) in store.settings_of(name)? {
        if let Ok(changed) = settings.clone().with(&key, &value) {
            settings = changed;
        }
    }
    Ok(settings)
}

/// What is set for the app.
///
/// # Errors
/// The database refused.
pub fn of_app(store: &Store) -> Result<Settings> {
    let mut settings = Settings::default();
    for (key, value) in store.settings_of(APP)? {
        if let Ok(changed) = settings.clone().with(&key, &value) {
            settings = changed;
        }
    }
    Ok(settings)
}

/// Changes what is set for a server: all of it, or nothing where one of them can't be.
///
/// # Errors
/// There is no such key, a value can't be one, the time limit is longer than a call may last, or the database refused.
pub fn change_server(store: &Store, name: &str, changes: &[(String, String)]) -> Result<()> {
    let mut settings = of_server(store, name)?;
    for (key, value) in changes {
        settings = settings.with(key, value).map_err(invalid)?;
    }
    let longest = of_app(store)?.longest_call;
    if changes.iter().any(|(key, _)| key == server::TIME_LIMIT) && settings.time_limit.is_some_and(|own| own > longest)
    {
        return Err(invalid(format!(
            "the time limit of server {name} can't be longer than the longest call of the settings, which is {longest} s"
        )));
    }
    store.keep_settings(name, changes)
}

/// Changes what is set for the app: all of it, or nothing where one of them can't be.
///
/// # Errors
/// There is no such key, a value can't be one, the time limit is longer than a call may last, or the database refused.
pub fn change_app(store: &Store, changes: &[(String, String)]) -> Result<()> {
    let mut settings = of_app(store)?;
    for (key, value) in changes {
        settings = settings.with(key, value).map_err(invalid)?;
    }
    if settings.time_limit > settings.longest_call {
        return Err(invalid(format!(
            "the time limit ({} s) can't be longer than the longest call ({} s)",
            settings.time_limit, settings.longest_call
        )));
    }
    store.keep_settings(APP, changes)
}

/// What is offered to a server: what the person left on, of what the host can answer.
pub(crate) fn declared(settings: &ServerSettings) -> Declared {
    Declared {
        roots: settings.roots,
        elicitation_form: settings.forms,
        elicitation_url: settings.links,
        sampling: settings.sampling,
        // The use of tools by a model is answered by nobody here.
        sampling_tools: false,
    }
}

/// How long a call may take: without an answer or progress, and in all. `asked` is what the person said for this call.
///
/// # Errors
/// What was asked for is longer than a call may last in all.
pub(crate) fn limit(server: &ServerSettings, app: &Settings, asked: Option<Duration>) -> Result<Limit> {
    let max = Duration::from_secs(app.longest_call.into());
    if asked.is_some_and(|asked| asked > max) {
        return Err(invalid(format!(
            "the time limit can't be longer than the longest call of the settings, which is {} s",
            app.longest_call
        )));
    }
    let set = Duration::from_secs(server.time_limit.unwrap_or(app.time_limit).into());
    Ok(Limit {
        idle: asked.unwrap_or(set).min(max),
        max,
        progress: true,
    })
}

/// True where the calls of a server are kept.
pub fn keeps_calls(server: &ServerSettings, app: &Settings) -> bool {
    app.history && server.history
}

fn invalid(reason: String) -> HostError {
    HostError::Invalid { reason }
}

fn switch(key: &str, value: &str) -> Result<bool, String> {
    match value {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err(format!("{key} must be on or off")),
    }
}

fn number(key: &str, value: &str, within: std::ops::RangeInclusive<u32>, unit: &str) -> Result<u32, String> {
    let read = value.parse().ok().filter(|number| within.contains(number));
    read.ok_or_else(|| {
        format!(
            "{key} must be a whole number of {unit} from {} to {}",
            within.start(),
            within.end()
        )
    })
}

fn unknown(key: &str, whose: &str, keys: &[&str]) -> String {
    format!(
        "there is no setting {} of {whose}; there are {}",
        crate::harmless::line(key, 50),
        keys.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(changes: &[(&str, &str)]) -> Vec<(String, String)> {
        changes
            .iter()
            .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
            .collect()
    }

    fn store() -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(&crate::places::Places::under(folder.path())).expect("a database");
        (folder, store)
    }

    #[test]
    fn what_is_not_set_is_the_default_and_sampling_is_off() {
        let settings = ServerSettings::default();
        assert!(settings.roots && settings.forms && settings.links && settings.history);
        assert!(
            !settings.sampling,
            "a model's answers are offered on the person's word only"
        );
        assert_eq!(settings.time_limit, None, "the app's");
    }

    #[test]
    fn a_limit_of_a_call_comes_before_the_servers_and_that_before_the_apps_and_the_longest_holds() {
        let app = Settings {
            time_limit: 20,
            longest_call: 100,
            ..Settings::default()
        };
        let plain = ServerSettings::default();
        let own = ServerSettings {
            time_limit: Some(30),
            ..ServerSettings::default()
        };
        let long = ServerSettings {
            time_limit: Some(500),
            ..ServerSettings::default()
        };
        let idle = |server: &ServerSettings, asked: Option<u64>| {
            let limit = limit(server, &app, asked.map(Duration::from_secs)).expect("it fits");
            assert_eq!(limit.max, Duration::from_secs(100));
            limit.idle.as_secs()
        };
        assert_eq!(idle(&plain, None), 20);
        assert_eq!(idle(&own, None), 30);
        assert_eq!(idle(&own, Some(7)), 7);
        assert_eq!(idle(&long, None), 100, "the longest was made shorter after it was set");
        assert!(
            limit(&own, &app, Some(Duration::from_secs(101))).is_err(),
            "it is said, not cut"
        );
    }

    #[test]
    fn changes_are_kept_whole_or_not_at_all() {
        let (_folder, store) = store();
        let refused = change_server(&store, "s", &pairs(&[("roots", "off"), ("forms", "perhaps")]));
        assert!(refused.is_err());
        assert!(
            of_server(&store, "s").expect("read").roots,
            "nothing of a refused change is kept"
        );
        change_server(
            &store,
            "s",
            &pairs(&[("roots", "off"), ("era", "legacy"), ("time-limit", "9")]),
        )
        .expect("kept");
        let kept = of_server(&store, "s").expect("read");
        assert!(!kept.roots);
        assert_eq!((kept.era.word(), kept.time_limit), ("legacy", Some(9)));
        assert!(of_server(&store, "t").expect("read").roots, "of this server alone");
        change_server(&store, "s", &pairs(&[("time-limit", "default")])).expect("kept");
        assert_eq!(of_server(&store, "s").expect("read").time_limit, None);
    }

    #[test]
    fn limits_that_contradict_each_other_are_refused_with_the_words_of_the_settings() {
        let (_folder, store) = store();
        let said = |refused: Result<()>| refused.expect_err("refused").to_string();
        let error = said(change_app(&store, &pairs(&[("longest-call", "60")])));
        assert!(
            error.contains("time limit (300 s)") && error.contains("longest call (60 s)"),
            "{error}"
        );
        change_app(&store, &pairs(&[("longest-call", "60"), ("time-limit", "50")])).expect("both at once");
        let error = said(change_server(&store, "s", &pairs(&[("time-limit", "61")])));
        assert!(error.contains("60 s"), "{error}");
        let error = said(change_app(&store, &pairs(&[("colour", "red")])));
        assert!(
            error.contains("theme") && error.contains("calls-kept"),
            "it lists what there is: {error}"
        );
    }

    #[test]
    fn what_another_version_wrote_is_the_default() {
        let (_folder, store) = store();
        store
            .keep_settings(APP, &pairs(&[("theme", "sepia"), ("traffic", "32")]))
            .expect("kept");
        let settings = of_app(&store).expect("read");
        assert_eq!((settings.theme.word(), settings.traffic), ("system", 32));
    }
}
