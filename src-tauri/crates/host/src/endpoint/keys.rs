//! The keys of endpoints: in the system's keychain, and where none can be used in the memory of this run. Never in a file,
//! never shown, never in an error.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};

use crate::view::KeyPlace;

/// A key. It shows itself to nobody.
#[derive(Clone)]
pub struct Key(String);

/// The keys, one an origin: what was given for one host is never sent to another.
#[derive(Debug)]
pub struct Keys {
    held: Mutex<BTreeMap<String, Key>>,
    keychain: bool,
}

/// The name under which the keychain shows our entries.
const SERVICE: &str = "Gatehouse model endpoint";

impl Key {
    /// The key itself, to be written into a header.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// A text of somebody else's without the key in it.
    pub fn struck_from(&self, text: &str) -> String {
        text.replace(&self.0, "(the key)")
    }
}

impl std::fmt::Debug for Key {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Key(…)")
    }
}

impl Keys {
    /// The keys of this account; without the keychain where everything lies under a folder of its own.
    pub fn new(keychain: bool) -> Self {
        Self {
            held: Mutex::default(),
            keychain,
        }
    }

    /// The key for an origin. Waits for the keychain, which may ask the person.
    pub fn get(&self, origin: &str) -> Option<Key> {
        if let Some(key) = self.held().get(origin) {
            return Some(key.clone());
        }
        self.entry(origin)?.get_password().ok().map(Key)
    }

    /// Where the key for an origin is. Waits for the keychain.
    pub fn place(&self, origin: &str) -> KeyPlace {
        if self.held().contains_key(origin) {
            return KeyPlace::ThisRun;
        }
        match self.get(origin) {
            Some(_) => KeyPlace::Keychain,
            None => KeyPlace::None,
        }
    }

    /// Keeps a key, or forgets it. Says where it is now.
    pub fn keep(&self, origin: &str, key: Option<&str>) -> KeyPlace {
        let entry = self.entry(origin);
        let Some(key) = key else {
            if let Some(entry) = entry {
                // One that is not there needs no removal.
                let _ = entry.delete_credential();
            }
            self.held().remove(origin);
            return self.place(origin);
        };
        if entry.is_some_and(|entry| entry.set_password(key).is_ok()) {
            self.held().remove(origin);
            return KeyPlace::Keychain;
        }
        self.held().insert(origin.to_owned(), Key(key.to_owned()));
        KeyPlace::ThisRun
    }

    fn entry(&self, origin: &str) -> Option<keyring::Entry> {
        if !self.keychain {
            return None;
        }
        keyring::Entry::new(SERVICE, origin).ok()
    }

    fn held(&self) -> MutexGuard<'_, BTreeMap<String, Key>> {
        self.held.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_belongs_to_one_origin_and_shows_itself_to_nobody() {
        let keys = Keys::new(false);
        assert_eq!(keys.keep("http://a", Some("s3cr3t")), KeyPlace::ThisRun);
        assert!(keys.get("http://b").is_none(), "another host never sees it");
        let key = keys.get("http://a").expect("it was kept");
        assert_eq!(key.expose(), "s3cr3t");
        assert!(!format!("{keys:?} {key:?}").contains("s3cr3t"));
        assert_eq!(key.struck_from("bad key s3cr3t."), "bad key (the key).");
        assert_eq!(keys.keep("http://a", None), KeyPlace::None);
        assert!(keys.get("http://a").is_none());
    }
}
