//! What is seen of kept frames: which ones a filter lets through, a line for each, one of them whole. Judges nothing.

use std::collections::HashMap;

use gatehouse_mcp::frame::{GlanceKind, glance};

use super::{Frame, Traffic, lock};
use crate::bounds;
use crate::error::{HostError, Result};
use crate::harmless;
use crate::view::{FrameFilter, FrameKind, FrameLine, FrameView};

impl Traffic {
    /// Number of the oldest kept frame, one after the newest where none is kept; and of the newest, 0 for none.
    pub fn span(&self) -> (u64, u64) {
        let ring = lock(&self.frames);
        let newest = ring.next - 1;
        (ring.items.front().map_or(ring.next, |frame| frame.seq), newest)
    }

    /// The numbers of the kept frames after one that a filter lets through, oldest first.
    pub fn matching(&self, filter: &FrameFilter, after: u64) -> Vec<u64> {
        let words = filter.words.to_ascii_lowercase();
        // The frames are shared, so the ring is free again before they are searched.
        let frames: Vec<Frame> = {
            let ring = lock(&self.frames);
            let first = ring.items.front().map_or(0, |frame| frame.seq);
            let skip = usize::try_from((after + 1).saturating_sub(first)).unwrap_or(usize::MAX);
            ring.items.iter().skip(skip).cloned().collect()
        };
        frames
            .iter()
            .filter(|frame| filter.sent.is_none_or(|sent| frame.is_sent() == sent))
            .filter(|frame| words.is_empty() || holds(&frame.bytes, words.as_bytes()))
            .map(|frame| frame.seq)
            .collect()
    }

    /// A line for each of these frames; none for one that is no longer kept.
    pub fn lines(&self, seqs: &[u64]) -> Vec<Option<FrameLine>> {
        let frames = self.some(seqs);
        let mut lines: Vec<_> = frames.iter().map(|frame| frame.as_ref().map(line)).collect();
        self.name_answers(&mut lines);
        lines
    }

    /// One frame whole.
    ///
    /// # Errors
    /// It is no longer kept.
    pub fn frame_whole(&self, seq: u64) -> Result<FrameView> {
        let frame = self.kept(seq)?;
        let mut lines = [Some(line(&frame))];
        self.name_answers(&mut lines);
        let [Some(line)] = lines else { return Err(gone(seq)) };
        let shown = frame.bytes.len().min(bounds::FRAME_SHOWN);
        let mut text = String::from_utf8_lossy(&frame.bytes[..shown]).into_owned();
        // A character that the cut went through is no fault of the frame's.
        while shown < frame.bytes.len() && text.ends_with('\u{fffd}') {
            text.pop();
        }
        Ok(FrameView {
            line,
            text: harmless::text(&text),
            kept: frame.bytes.len() as u64,
            shown: shown as u64,
            readable: std::str::from_utf8(&frame.bytes).is_ok(),
        })
    }

    /// The exact bytes of one frame, as far as they are kept.
    ///
    /// # Errors
    /// It is no longer kept.
    pub fn frame_bytes(&self, seq: u64) -> Result<Vec<u8>> {
        Ok(self.kept(seq)?.bytes.to_vec())
    }

    fn kept(&self, seq: u64) -> Result<Frame> {
        self.some(&[seq]).pop().flatten().ok_or_else(|| gone(seq))
    }

    fn some(&self, seqs: &[u64]) -> Vec<Option<Frame>> {
        let ring = lock(&self.frames);
        let first = ring.items.front().map_or(0, |frame| frame.seq);
        let place = |seq: &u64| usize::try_from(seq.checked_sub(first)?).ok();
        seqs.iter()
            .take(bounds::PULLED)
            .map(|seq| ring.items.get(place(seq)?).cloned())
            .collect()
    }

    /// Gives answers the method that they answer: the request with that id, the other way, is not far before them.
    fn name_answers(&self, lines: &mut [Option<FrameLine>]) {
        let answers = lines.iter_mut().flatten();
        let mut answers: Vec<_> = answers
            .filter(|line| matches!(line.kind, FrameKind::Result | FrameKind::Error) && line.id.is_some())
            .collect();
        let (Some(first), Some(last)) = (
            answers.first().map(|line| line.seq),
            answers.last().map(|line| line.seq),
        ) else {
            return;
        };
        let before: Vec<u64> = (first.saturating_sub(bounds::ANSWERED_WITHIN)..last).collect();
        let mut asked: HashMap<(String, bool), Vec<(u64, String)>> = HashMap::new();
        for chunk in before.chunks(bounds::PULLED) {
            for frame in self.some(chunk).into_iter().flatten() {
                let line = line(&frame);
                if let (FrameKind::Request, Some(id), Some(method)) = (line.kind, line.id, line.method) {
                    asked.entry((id, line.sent)).or_default().push((line.seq, method));
                }
            }
        }
        for answer in &mut answers {
            let id = answer.id.clone().unwrap_or_default();
            let mut requests = asked.get(&(id, !answer.sent)).into_iter().flatten();
            let request = requests.rfind(|(seq, _)| *seq < answer.seq);
            answer.method = request.map(|(_, method)| method.clone());
        }
    }
}

fn line(frame: &Frame) -> FrameLine {
    let seen = glance(&frame.bytes);
    let short = |text: &str| harmless::line(text, bounds::CELL);
    FrameLine {
        seq: frame.seq,
        at: frame.at,
        sent: frame.is_sent(),
        kind: match seen.kind {
            GlanceKind::Request => FrameKind::Request,
            GlanceKind::Notification => FrameKind::Notification,
            GlanceKind::Result => FrameKind::Result,
            GlanceKind::Error => FrameKind::Error,
            GlanceKind::Unreadable => FrameKind::Unreadable,
        },
        method: seen.method.as_deref().map(short),
        id: seen.id.as_deref().map(short),
        bytes: frame.length,
    }
}

/// Whether some lower-case words stand in bytes, capitals or not.
fn holds(bytes: &[u8], words: &[u8]) -> bool {
    let (Some(first), upper) = (words.first(), words.first().map(u8::to_ascii_uppercase)) else {
        return true;
    };
    bytes
        .windows(words.len())
        .any(|part| (part[0] == *first || Some(part[0]) == upper) && part.eq_ignore_ascii_case(words))
}

fn gone(seq: u64) -> HostError {
    HostError::NotFound {
        what: format!("frame number {seq} any more: newer ones took its place"),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use bytes::Bytes;
    use gatehouse_mcp::tap::{Direction, Tap};

    use super::*;

    fn talk() -> Traffic {
        let traffic = Traffic::new(Arc::default());
        let say = |direction, text: &str| traffic.frame(direction, &Bytes::copy_from_slice(text.as_bytes()));
        say(
            Direction::Sent,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"Loom"}}"#,
        );
        say(Direction::Received, r#"{"jsonrpc":"2.0","id":1,"method":"roots/list"}"#);
        say(
            Direction::Received,
            r#"{"jsonrpc":"2.0","method":"notifications/message","params":{}}"#,
        );
        say(
            Direction::Received,
            r#"{"jsonrpc":"2.0","id":1,"result":{"content":[]}}"#,
        );
        say(
            Direction::Sent,
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}}"#,
        );
        traffic.frame(Direction::Received, &Bytes::from_static(b"\xff not json \x1b[2J"));
        traffic
    }

    #[test]
    fn a_line_tells_what_a_frame_is_and_an_answer_what_it_answers() {
        let lines = talk().lines(&[1, 2, 3, 4, 5, 6, 7]);
        let seen: Vec<_> = lines
            .iter()
            .flatten()
            .map(|line| (line.sent, line.kind, line.method.as_deref()))
            .collect();
        assert_eq!(
            seen,
            [
                (true, FrameKind::Request, Some("tools/call")),
                (false, FrameKind::Request, Some("roots/list")),
                (false, FrameKind::Notification, Some("notifications/message")),
                (false, FrameKind::Result, Some("tools/call")),
                (true, FrameKind::Error, Some("roots/list")),
                (false, FrameKind::Unreadable, None),
            ]
        );
        assert_eq!(lines.last(), Some(&None), "there is no seventh");
    }

    #[test]
    fn a_filter_takes_words_in_any_case_and_a_direction() {
        let traffic = talk();
        let check = |words: &str, sent, after, want: &[u64]| {
            let filter = FrameFilter {
                words: words.into(),
                sent,
            };
            assert_eq!(
                traffic.matching(&filter, after),
                want,
                "{words:?} {sent:?} after {after}"
            );
        };
        check("", None, 0, &[1, 2, 3, 4, 5, 6]);
        check("", None, 4, &[5, 6]);
        check("", Some(true), 0, &[1, 5]);
        check("lOOm", None, 0, &[1]);
        check("roots", Some(true), 0, &[]);
        check("", None, 900, &[]);
    }

    #[test]
    fn a_frame_is_shown_harmless_and_saved_as_it_stood() {
        let traffic = talk();
        let frame = traffic.frame_whole(6).expect("it is kept");
        assert!(!frame.readable && frame.text.contains("␛[2J"), "{frame:?}");
        assert_eq!(traffic.frame_bytes(6).expect("it is kept"), b"\xff not json \x1b[2J");
        assert!(traffic.frame_whole(7).is_err() && traffic.frame_bytes(0).is_err());
    }

    #[test]
    fn a_frame_larger_than_its_part_of_the_ring_keeps_its_beginning() {
        let traffic = Traffic::new(Arc::default());
        traffic.frame(Direction::Sent, &Bytes::from_static(b"{}"));
        traffic.frame(Direction::Received, &Bytes::from("é".repeat(20_000_000)));
        let whole = traffic.frame_whole(2).expect("it is kept");
        assert_eq!((whole.line.bytes, whole.kept), (40_000_000, 1024 * 1024));
        assert!(!whole.text.contains('\u{fffd}'), "no half a character");
        assert_eq!(traffic.span(), (1, 2), "it did not push the others out");
    }
}
