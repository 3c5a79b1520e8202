//! What is declared to a server, and how each revision writes it. Whether it is kept is the host's business.

use crate::era::version::MODERN;
use crate::model::notice::LogLevel;

/// What is declared to the server. One source: read for every modern request and for `initialize`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Declared {
    /// Roots are answered.
    pub roots: bool,
    /// Forms are answered.
    pub elicitation_form: bool,
    /// Links are answered. Revisions before 2025-11-25 have no word for it.
    pub elicitation_url: bool,
    /// Model requests are answered.
    pub sampling: bool,
    /// Model requests may name tools; says nothing without `sampling`. Revisions before 2025-11-25 have no word for it.
    pub sampling_tools: bool,
}

/// What a modern request says of us besides who we are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Said {
    pub declared: Declared,
    pub log: Option<LogLevel>,
}

/// How a revision writes capabilities.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    /// 2026-07-28: every mode by name, and nothing about list changes.
    Modern,
    /// 2025-11-25: an empty `elicitation` means forms.
    Last,
    /// Before: forms only, and no tools in model requests.
    Older,
}

impl Dialect {
    /// The dialect of a revision.
    pub(super) fn of(version: &str) -> Self {
        match version {
            MODERN => Self::Modern,
            "2025-11-25" => Self::Last,
            _ => Self::Older,
        }
    }
}

impl Declared {
    /// Writes the capabilities object.
    pub(super) fn write(self, dialect: Dialect, line: &mut Vec<u8>) {
        let members = [self.roots(dialect), self.elicitation(dialect), self.sampling(dialect)];
        line.push(b'{');
        for (index, member) in members.into_iter().flatten().enumerate() {
            if index > 0 {
                line.push(b',');
            }
            line.extend_from_slice(member.as_bytes());
        }
        line.push(b'}');
    }

    fn roots(self, dialect: Dialect) -> Option<&'static str> {
        self.roots.then_some(match dialect {
            Dialect::Modern => r#""roots":{}"#,
            Dialect::Last | Dialect::Older => r#""roots":{"listChanged":true}"#,
        })
    }

    fn elicitation(self, dialect: Dialect) -> Option<&'static str> {
        match (dialect, self.elicitation_form, self.elicitation_url) {
            (_, false, false) | (Dialect::Older, false, true) => None,
            (Dialect::Older, true, _) | (Dialect::Last, true, false) => Some(r#""elicitation":{}"#),
            (Dialect::Modern, true, false) => Some(r#""elicitation":{"form":{}}"#),
            (Dialect::Modern | Dialect::Last, true, true) => Some(r#""elicitation":{"form":{},"url":{}}"#),
            (Dialect::Modern | Dialect::Last, false, true) => Some(r#""elicitation":{"url":{}}"#),
        }
    }

    fn sampling(self, dialect: Dialect) -> Option<&'static str> {
        self.sampling.then_some(match (dialect, self.sampling_tools) {
            (Dialect::Older, _) | (_, false) => r#""sampling":{}"#,
            (Dialect::Modern | Dialect::Last, true) => r#""sampling":{"tools":{}}"#,
        })
    }
}
