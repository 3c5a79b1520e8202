//! A definition and its fingerprint.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::harmless;
use crate::view::{DefinitionView, EnvView};

/// Everything that decides what a server is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Definition {
    /// The name the person gave.
    pub name: String,
    /// The program.
    pub command: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Added environment, in the file's order.
    pub env: Vec<(String, String)>,
    /// The working directory as written; none for a neutral one.
    pub cwd: Option<String>,
}

/// SHA-256 over a whole definition, as hex.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint(String);

impl Definition {
    /// The fingerprint. Each part goes in with its length, so that no two definitions read the same; the order of the
    /// environment does not count.
    pub fn fingerprint(&self) -> Fingerprint {
        let mut hash = Sha256::new();
        let mut part = |tag: &str, text: &str| {
            hash.update(tag.as_bytes());
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text.as_bytes());
        };
        part("gatehouse definition", "1");
        part("name", &self.name);
        part("command", &self.command);
        for arg in &self.args {
            part("arg", arg);
        }
        let mut env: Vec<_> = self.env.iter().collect();
        env.sort();
        for (key, value) in env {
            part("key", key);
            part("value", value);
        }
        if let Some(cwd) = &self.cwd {
            part("cwd", cwd);
        }
        let digits = hash
            .finalize()
            .iter()
            .flat_map(|byte| [byte >> 4, byte & 15])
            .collect::<Vec<u8>>();
        Fingerprint(
            digits
                .into_iter()
                .map(|digit| char::from_digit(u32::from(digit), 16).expect("four bits are a digit"))
                .collect(),
        )
    }

    /// The definition for a screen.
    pub fn view(&self) -> DefinitionView {
        let line = |text: &str| harmless::line(text, crate::bounds::PARAGRAPH);
        DefinitionView {
            command: line(&self.command),
            args: self.args.iter().map(|arg| line(arg)).collect(),
            env: self
                .env
                .iter()
                .map(|(key, value)| EnvView {
                    key: line(key),
                    value: line(value),
                })
                .collect(),
            cwd: self.cwd.as_deref().map(line),
            fingerprint: self.fingerprint().short(),
        }
    }
}

impl Fingerprint {
    /// A fingerprint as it was stored.
    pub fn stored(text: String) -> Self {
        Self(text)
    }

    /// All of it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Its first twelve digits, for people.
    pub fn short(&self) -> String {
        self.0.chars().take(12).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Definition {
        Definition {
            name: "files".into(),
            command: "npx".into(),
            args: vec!["-y".into(), "server".into()],
            env: vec![("A".into(), "1".into()), ("B".into(), "2".into())],
            cwd: None,
        }
    }

    #[test]
    fn every_part_counts_and_the_order_of_the_environment_does_not() {
        let of = |change: fn(&mut Definition)| {
            let mut changed = sample();
            change(&mut changed);
            changed.fingerprint()
        };
        let same = sample().fingerprint();
        assert_ne!(of(|d| d.name = "Files".into()), same, "the name counts");
        assert_ne!(of(|d| d.command = "npx2".into()), same, "the command counts");
        assert_ne!(
            of(|d| d.args = vec!["-yserver".into()]),
            same,
            "where an argument ends counts"
        );
        assert_ne!(of(|d| d.args.swap(0, 1)), same, "the order of arguments counts");
        assert_ne!(of(|d| d.env[0].1 = "x".into()), same, "an environment value counts");
        assert_ne!(
            of(|d| d.cwd = Some(String::new())),
            same,
            "a working directory counts, an empty one too"
        );
        assert_eq!(
            of(|d| d.env.swap(0, 1)),
            same,
            "the order of the environment does not count"
        );
    }
}
