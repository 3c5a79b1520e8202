//! JSON read where it is looked at. A value is a place in a text; nothing is built for what nobody opened, so a text of
//! fifty megabytes or five thousand levels costs one pass at most. It takes JSON that was checked before; text that is
//! none, or a place that is none, gives nothing.

use std::borrow::Cow;
use std::ops::Range;

use crate::harmless;
use crate::view::NodeKind;

/// One child: where its key stands (empty in an array) and where its value does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Child {
    pub key: Range<usize>,
    pub value: Range<usize>,
}

/// The value that begins at or after a place, without the space before it.
pub(super) fn value_at(text: &str, at: usize) -> Option<Range<usize>> {
    let start = after_space(text.as_bytes(), at);
    Some(start..value_end(text.as_bytes(), start)?)
}

/// What the value that begins at a place is.
pub(super) fn kind(text: &str, at: usize) -> NodeKind {
    match text.as_bytes().get(at) {
        Some(b'{') => NodeKind::Object,
        Some(b'[') => NodeKind::Array,
        Some(b'"') => NodeKind::String,
        Some(b'-' | b'0'..=b'9') => NodeKind::Number,
        _ => NodeKind::Word,
    }
}

/// A string's own text; any other value as it is written.
pub(super) fn decoded<'a>(text: &'a str, place: &Range<usize>) -> Cow<'a, str> {
    let raw = text.get(place.clone()).unwrap_or_default();
    if !raw.starts_with('"') {
        return Cow::Borrowed(raw);
    }
    if raw.contains('\\') {
        return serde_json::from_str(raw).map_or(Cow::Borrowed(raw), Cow::Owned);
    }
    Cow::Borrowed(raw.get(1..raw.len().saturating_sub(1)).unwrap_or_default())
}

/// A value in one line, cut after `most` characters, harmless; and whether it was cut.
pub(super) fn brief(text: &str, place: &Range<usize>, most: usize) -> (String, bool) {
    // Six bytes write one character at most (`\u0000`), twelve a pair.
    let room = place.start..place.end.min(place.start.saturating_add((most + 2) * 12));
    let part = if room.end < place.end && kind(text, place.start) == NodeKind::String {
        Cow::Owned(lenient(text, &room))
    } else {
        decoded(text, &(room.start..floor(text, room.end)))
    };
    match part.char_indices().nth(most) {
        Some((end, _)) => (format!("{}…", harmless::line(&part[..end], most)), true),
        None if room.end < place.end => (format!("{}…", harmless::line(&part, most)), true),
        None => (harmless::line(&part, most), false),
    }
}

/// The first part of a long string: an escape that the end of the part splits is left out.
fn lenient(text: &str, room: &Range<usize>) -> String {
    let raw = text.get(room.start..floor(text, room.end)).unwrap_or_default();
    (0..14)
        .find_map(|less| {
            let cut = raw.get(..raw.len().checked_sub(less)?)?;
            serde_json::from_str(&format!("{cut}\"")).ok()
        })
        .unwrap_or_else(|| raw.to_owned())
}

fn floor(text: &str, mut at: usize) -> usize {
    at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The children of an object or an array, one after the other.
#[derive(Debug)]
pub(super) struct Children<'a> {
    text: &'a str,
    named: bool,
    /// Where the next one begins; none when there is no more.
    next: Option<usize>,
}

impl<'a> Children<'a> {
    /// From the first; none where there stands neither an object nor an array.
    pub fn of(text: &'a str, at: usize) -> Option<Self> {
        let named = match kind(text, at) {
            NodeKind::Object => true,
            NodeKind::Array => false,
            NodeKind::String | NodeKind::Number | NodeKind::Word => return None,
        };
        let first = after_space(text.as_bytes(), at + 1);
        let next = (!matches!(text.as_bytes().get(first)?, b'}' | b']')).then_some(first);
        Some(Self { text, named, next })
    }

    /// From a place that [`Self::place`] gave before.
    pub fn from(text: &'a str, at: usize, place: usize) -> Option<Self> {
        let all = Self::of(text, at)?;
        (place > at && text.is_char_boundary(place)).then_some(Self {
            next: Some(place),
            ..all
        })
    }

    /// Where the next child begins.
    pub fn place(&self) -> Option<usize> {
        self.next
    }
}

impl Iterator for Children<'_> {
    type Item = Child;

    fn next(&mut self) -> Option<Child> {
        let bytes = self.text.as_bytes();
        let mut at = self.next.take()?;
        let mut key = at..at;
        if self.named {
            let end = (*bytes.get(at)? == b'"').then(|| string_end(bytes, at)).flatten()?;
            key = at..end;
            let colon = after_space(bytes, end);
            (*bytes.get(colon)? == b':').then_some(())?;
            at = after_space(bytes, colon + 1);
        }
        let end = value_end(bytes, at)?;
        let after = after_space(bytes, end);
        if bytes.get(after) == Some(&b',') {
            self.next = Some(after_space(bytes, after + 1));
        }
        Some(Child { key, value: at..end })
    }
}

fn after_space(bytes: &[u8], mut at: usize) -> usize {
    while matches!(bytes.get(at), Some(b' ' | b'\n' | b'\r' | b'\t')) {
        at += 1;
    }
    at
}

/// Where the string that begins at `start` ends.
fn string_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    loop {
        match bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

/// Where the value that begins at `start` ends. Counts levels instead of descending into them.
fn value_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let mut at = start;
    loop {
        match bytes.get(at) {
            Some(b'"') => at = string_end(bytes, at)?,
            Some(b'{' | b'[') => {
                depth += 1;
                at += 1;
                continue;
            }
            Some(b'}' | b']') => {
                depth = depth.checked_sub(1)?;
                at += 1;
            }
            Some(_) if depth > 0 => {
                at += 1;
                continue;
            }
            Some(_) => {
                let ends = |byte: &u8| matches!(byte, b',' | b':' | b']' | b'}' | b' ' | b'\n' | b'\r' | b'\t');
                let length = bytes[at..].iter().position(ends).unwrap_or(bytes.len() - at);
                return (length > 0).then_some(at + length);
            }
            None => return None,
        }
        if depth == 0 {
            return Some(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Vec<&str> {
        let whole = value_at(text, 0).map_or(0, |whole| whole.start);
        let children = Children::of(text, whole).into_iter().flatten();
        children.filter_map(|child| text.get(child.value)).collect()
    }

    #[test]
    fn members_and_items_are_found_with_whatever_stands_in_strings() {
        let check = |text: &str, want: &[&str]| assert_eq!(parts(text), want, "in {text}");
        check(
            r#" [ 1 , "a]\"," , {"x":[2]} , null ] "#,
            &["1", r#""a]\",""#, r#"{"x":[2]}"#, "null"],
        );
        check(r#"{"a" : "\\", "b":{} }"#, &[r#""\\""#, "{}"]);
        check("[]", &[]);
        check("7", &[]);
    }

    #[test]
    fn text_that_is_no_json_ends() {
        for text in ["[", "[1", r#"{"a"}"#, r#"{"a":}"#, "\"a", "", "{1:2}", "]", "\"\\", "é"] {
            let _ = parts(text);
            assert!(value_at(text, 1_000_000).is_none(), "there is nothing behind {text}");
        }
        assert!(Children::from("[1,2]", 0, 4_000).is_none(), "there is no such place");
        assert!(Children::from("[\"é,\",2]", 0, 5).is_some_and(|all| all.count() < 3));
    }

    #[test]
    fn five_thousand_levels_need_no_stack() {
        let text = format!("{}{}", "[".repeat(5000), "]".repeat(5000));
        assert_eq!(value_at(&text, 0), Some(0..10_000));
    }

    #[test]
    fn a_brief_is_one_harmless_line() {
        let check = |text: &str, most: usize, want: &str, cut: bool| {
            assert_eq!(brief(text, &(0..text.len()), most), (want.to_owned(), cut), "of {text}");
        };
        check(r#""a\u202eb\u001b\n""#, 100, "a⟨U+202E⟩b␛⏎", false);
        check("9007199254740993", 100, "9007199254740993", false);
        check(&format!("\"{}\"", r#"é\"\\"#.repeat(10_000)), 6, "é\"\\é\"\\…", true);
        check(&format!("\"{}\"", r"\ud83d\ude00".repeat(100)), 3, "😀😀😀…", true);
    }
}
