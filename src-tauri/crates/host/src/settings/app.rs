//! The settings of the app: their keys, values and defaults.

use super::{number, switch, unknown};
use crate::bounds;
use crate::view::{Settings, Theme};

impl Theme {
    /// Each, in the order in which they are offered.
    pub const ALL: [Self; 4] = [Self::System, Self::Light, Self::Dark, Self::Contrast];

    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
            Self::Contrast => "contrast",
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            theme: Theme::System,
            language: None,
            traffic: bounds::TRAFFIC,
            time_limit: bounds::TIME_LIMIT,
            longest_call: bounds::LONGEST_CALL,
            history: true,
            calls_kept: bounds::HISTORY,
            notifications: true,
        }
    }
}

impl Settings {
    /// The keys, in the order in which they are shown.
    pub const KEYS: [&str; 8] = [
        "theme",
        "language",
        "time-limit",
        "longest-call",
        "history",
        "calls-kept",
        "traffic",
        "notifications",
    ];

    /// These settings with one of them changed.
    ///
    /// # Errors
    /// What is wrong, and what would be right.
    pub(super) fn with(mut self, key: &str, value: &str) -> Result<Self, String> {
        match key {
            "theme" => {
                let theme = Theme::ALL.into_iter().find(|theme| theme.word() == value);
                self.theme = theme.ok_or("theme must be system, light, dark or contrast")?;
            }
            "language" if value == "system" => self.language = None,
            "language" if is_tag(value) => self.language = Some(value.to_owned()),
            "language" => return Err("language must be system or a language tag such as de, en-GB or zh-Hant".into()),
            "traffic" => self.traffic = number(key, value, bounds::TRAFFIC_SET, "MiB")?,
            "time-limit" => self.time_limit = number(key, value, bounds::TIME_LIMIT_SET, "seconds")?,
            "longest-call" => self.longest_call = number(key, value, bounds::TIME_LIMIT_SET, "seconds")?,
            "history" => self.history = switch(key, value)?,
            "calls-kept" => self.calls_kept = number(key, value, bounds::HISTORY_SET, "calls")?,
            "notifications" => self.notifications = switch(key, value)?,
            _ => return Err(unknown(key, "Gatehouse", &Self::KEYS)),
        }
        Ok(self)
    }

    /// The word for the value of a key; none where there is no such key.
    pub fn word(&self, key: &str) -> Option<String> {
        let on_off = |on: bool| if on { "on" } else { "off" }.to_owned();
        Some(match key {
            "theme" => self.theme.word().to_owned(),
            "language" => self.language.clone().unwrap_or_else(|| "system".to_owned()),
            "traffic" => self.traffic.to_string(),
            "time-limit" => self.time_limit.to_string(),
            "longest-call" => self.longest_call.to_string(),
            "history" => on_off(self.history),
            "calls-kept" => self.calls_kept.to_string(),
            "notifications" => on_off(self.notifications),
            _ => return None,
        })
    }
}

/// The shape of a BCP 47 tag: a language of two to eight letters, then parts of one to eight letters and digits.
fn is_tag(text: &str) -> bool {
    let mut parts = text.split('-');
    let language = parts.next().unwrap_or_default();
    (2..=8).contains(&language.len())
        && language.bytes().all(|b| b.is_ascii_alphabetic())
        && parts.all(|part| (1..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric()))
        && text.len() <= bounds::LANGUAGE_TAG
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_is_a_tag_or_the_systems() {
        for tag in ["de", "en-GB", "zh-Hant-TW", "de-DE-u-nu-latn"] {
            assert_eq!(
                Settings::default().with("language", tag).map(|s| s.language),
                Ok(Some(tag.to_owned()))
            );
        }
        for text in ["", "d", "de_DE", "deutsch bitte", "en-", "1a", "de-überall"] {
            assert!(Settings::default().with("language", text).is_err(), "{text}");
        }
    }

    #[test]
    fn each_key_takes_the_word_that_it_gives() {
        let settings = Settings::default();
        for key in Settings::KEYS {
            let word = settings.word(key).expect("each key has a word");
            assert_eq!(
                settings.clone().with(key, &word).as_ref(),
                Ok(&settings),
                "{key}={word}"
            );
        }
    }

    #[test]
    fn numbers_have_bounds() {
        for (key, value) in [
            ("traffic", "0"),
            ("traffic", "100000"),
            ("time-limit", "0"),
            ("calls-kept", "-1"),
            ("longest-call", "1.5"),
        ] {
            assert!(Settings::default().with(key, value).is_err(), "{key}={value}");
        }
    }
}
