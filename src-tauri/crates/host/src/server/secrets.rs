//! What a person put into a server's environment may be a secret, whatever its name. Where the server says it back, on
//! stderr or in its log, the variable's name stands there instead.

use std::borrow::Cow;

/// Values that are not said back.
#[derive(Debug, Clone, Default)]
pub struct Secrets(Vec<(String, String)>);

/// Shortest value that is hidden, in bytes: shorter ones are words such as `info` or `true`, and stand anywhere.
const SHORTEST: usize = 6;

impl Secrets {
    /// Adds the values of an environment. What was added before stays: a process may say what an earlier one was given.
    pub fn add(&mut self, env: &[(String, String)]) {
        for (key, value) in env {
            let known = self.0.iter().any(|(_, hidden)| hidden == value);
            if value.len() >= SHORTEST && !known {
                self.0.push((key.clone(), value.clone()));
            }
        }
        // A value that holds another goes first.
        self.0.sort_by_key(|(_, value)| std::cmp::Reverse(value.len()));
    }

    /// The text with each value replaced by its variable's name.
    pub fn hide<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let mut text = Cow::Borrowed(text);
        for (key, value) in &self.0 {
            if text.contains(value.as_str()) {
                text = Cow::Owned(text.replace(value.as_str(), &format!("⟨{key}⟩")));
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_hidden_whatever_their_names() {
        let mut secrets = Secrets::default();
        let env = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
            pairs
                .iter()
                .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
                .collect()
        };
        secrets.add(&env(&[
            ("DIFY_KEY", "s3cr3t-abc"),
            ("LONGER", "s3cr3t-abc-and-more"),
            ("LEVEL", "info"),
        ]));
        let check = |text: &str, expect: &str| assert_eq!(secrets.hide(text), expect);
        check("nothing here", "nothing here");
        check("key=s3cr3t-abc, again s3cr3t-abc.", "key=⟨DIFY_KEY⟩, again ⟨DIFY_KEY⟩.");
        check("s3cr3t-abc-and-more", "⟨LONGER⟩");
        check("info: ready", "info: ready");
        secrets.add(&env(&[("DIFY_KEY", "rotated-key")]));
        assert_eq!(
            secrets.hide("was s3cr3t-abc, is rotated-key"),
            "was ⟨DIFY_KEY⟩, is ⟨DIFY_KEY⟩",
            "the old one stays hidden"
        );
    }
}
