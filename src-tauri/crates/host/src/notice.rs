//! Notices: what happened while nobody looked, until the person puts it away. Not a log.

use std::sync::{Arc, Mutex, MutexGuard};

use crate::changes::{Changes, Part};
use crate::view::NoticeView;

/// Notices that are kept at most; the oldest gives way.
const KEPT: usize = 20;

/// The notices.
#[derive(Debug)]
pub struct Notices {
    list: Mutex<(u64, Vec<NoticeView>)>,
    changes: Arc<Changes>,
}

impl Notices {
    /// None yet.
    pub fn new(changes: Arc<Changes>) -> Self {
        Self {
            list: Mutex::default(),
            changes,
        }
    }

    /// Adds one, unless the same words stand there already. `message` must be harmless.
    pub fn add(&self, message: String) {
        let mut list = self.list();
        if list.1.iter().any(|notice| notice.message == message) {
            return;
        }
        list.0 += 1;
        let id = list.0;
        list.1.push(NoticeView { id, message });
        if list.1.len() > KEPT {
            list.1.remove(0);
        }
        drop(list);
        self.changes.ring(Part::Notices);
    }

    /// Puts one away.
    pub fn dismiss(&self, id: u64) {
        self.list().1.retain(|notice| notice.id != id);
        self.changes.ring(Part::Notices);
    }

    /// Those that stand, oldest first.
    pub fn view(&self) -> Vec<NoticeView> {
        self.list().1.clone()
    }

    fn list(&self) -> MutexGuard<'_, (u64, Vec<NoticeView>)> {
        self.list.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
