//! The bell: which parts of the state have changed since a watcher last looked. Carries no values; a watcher asks for
//! whole ones.

use tokio::sync::watch;

/// A part of the state that is shown as one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The folders.
    Folders,
    /// The servers and their connections.
    Servers,
    /// The open questions.
    Questions,
    /// The grants.
    Grants,
    /// The calls.
    Calls,
    /// The record.
    Record,
    /// The history of calls.
    History,
    /// The notices.
    Notices,
    /// What the person has set for the app.
    Settings,
    /// How far the servers' traffic has come.
    Traffic,
}

/// Every part, in the order in which a new watcher is told of them.
pub const PARTS: [Part; 10] = [
    Part::Settings,
    Part::Folders,
    Part::Servers,
    Part::Grants,
    Part::Calls,
    Part::Record,
    Part::History,
    Part::Notices,
    Part::Traffic,
    Part::Questions,
];

type Counts = [u64; PARTS.len()];

/// The bell's ringing end.
#[derive(Debug)]
pub struct Changes(watch::Sender<Counts>);

/// The bell's hearing end.
#[derive(Debug)]
pub struct Watcher {
    heard: Option<Counts>,
    receiver: watch::Receiver<Counts>,
}

impl Default for Changes {
    fn default() -> Self {
        Self(watch::channel(Counts::default()).0)
    }
}

impl Changes {
    /// Says that a part changed.
    pub fn ring(&self, part: Part) {
        self.0.send_modify(|counts| counts[part as usize] += 1);
    }

    /// A watcher that first hears of every part.
    pub fn watch(&self) -> Watcher {
        Watcher {
            heard: None,
            receiver: self.0.subscribe(),
        }
    }
}

impl Watcher {
    /// Waits for the next parts that changed; none when the host is gone.
    pub async fn next(&mut self) -> Option<Vec<Part>> {
        loop {
            let counts = *self.receiver.borrow_and_update();
            let parts: Vec<Part> = match self.heard {
                None => PARTS.to_vec(),
                Some(heard) => PARTS
                    .into_iter()
                    .filter(|p| heard[*p as usize] != counts[*p as usize])
                    .collect(),
            };
            self.heard = Some(counts);
            if !parts.is_empty() {
                return Some(parts);
            }
            self.receiver.changed().await.ok()?;
        }
    }
}
