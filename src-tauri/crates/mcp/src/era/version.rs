//! The revisions of the protocol that Gatehouse speaks. Nothing is chosen here.

/// The modern one.
pub(crate) const MODERN: &str = "2026-07-28";
/// The legacy ones, best first.
pub(crate) const LEGACY: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// The best legacy revision in `offered`.
pub(crate) fn legacy(offered: &[String]) -> Option<&'static str> {
    LEGACY
        .into_iter()
        .find(|ours| offered.iter().any(|theirs| theirs == ours))
}

/// Whether the modern revision is in `offered`.
pub(crate) fn modern(offered: &[String]) -> bool {
    offered.iter().any(|version| version == MODERN)
}
