//! The rows of a long text, found without cutting it up: every 64th row's place is kept, the rows between are found again
//! when they are asked for. A line longer than the view is wide goes on in the next row.

/// How many rows lie between two kept places.
const EVERY: usize = 64;

/// Where rows begin.
#[derive(Debug)]
pub(super) struct Rows {
    columns: usize,
    marks: Vec<usize>,
    /// How many rows there are.
    pub count: usize,
}

impl Rows {
    /// Finds the rows of a text, each of at most so many characters.
    pub fn of(text: &str, columns: usize) -> Self {
        let columns = columns.clamp(1, 10_000);
        let (mut marks, mut count, mut at) = (Vec::new(), 0, 0);
        while at < text.len() {
            if count % EVERY == 0 {
                marks.push(at);
            }
            at = next(text, at, columns);
            count += 1;
        }
        Self { columns, marks, count }
    }

    /// The rows from the first up to, not with, the last.
    pub fn slice<'a>(&self, text: &'a str, first: usize, last: usize) -> Vec<&'a str> {
        let Some(&start) = self.marks.get(first / EVERY) else {
            return Vec::new();
        };
        let (mut at, mut row, mut found) = (start, first / EVERY * EVERY, Vec::new());
        while row < last && at < text.len() {
            let end = next(text, at, self.columns);
            if row >= first {
                let line = &text[at..end];
                found.push(line.strip_suffix('\n').unwrap_or(line));
            }
            (at, row) = (end, row + 1);
        }
        found
    }

    /// The row in which a byte of the text stands.
    pub fn row_of(&self, text: &str, byte: usize) -> usize {
        let mark = self.marks.partition_point(|mark| *mark <= byte).saturating_sub(1);
        let (mut at, mut row) = (self.marks.get(mark).copied().unwrap_or(0), mark * EVERY);
        loop {
            let end = next(text, at, self.columns);
            if end > byte || end >= text.len() {
                return row;
            }
            (at, row) = (end, row + 1);
        }
    }

    /// Where a row begins.
    pub fn start_of(&self, text: &str, row: usize) -> usize {
        let Some(&start) = self.marks.get(row / EVERY) else {
            return text.len();
        };
        (0..row % EVERY).fold(start, |at, _| next(text, at, self.columns))
    }
}

/// Where the row after the one at `at` begins.
fn next(text: &str, at: usize, columns: usize) -> usize {
    let bytes = text.as_bytes();
    let end = (at + columns).min(bytes.len());
    let window = &bytes[at..end];
    if window.is_ascii() {
        return match window.iter().position(|byte| *byte == b'\n') {
            Some(feed) => at + feed + 1,
            None if bytes.get(end) == Some(&b'\n') => end + 1,
            None => end,
        };
    }
    for (count, (offset, sign)) in text[at..].char_indices().enumerate() {
        if sign == '\n' {
            return at + offset + 1;
        }
        if count == columns {
            return at + offset;
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str, columns: usize) -> Vec<&str> {
        let rows = Rows::of(text, columns);
        let found = rows.slice(text, 0, rows.count);
        assert_eq!(found.len(), rows.count, "as many as were counted in {text:?}");
        found
    }

    #[test]
    fn rows_end_at_line_feeds_and_where_the_view_ends() {
        assert_eq!(all("ab\n\ncdefg\n", 3), ["ab", "", "cde", "fg"]);
        assert_eq!(all("abc\ndef", 3), ["abc", "def"]);
        assert_eq!(all("a😀é\nb", 2), ["a😀", "é", "b"]);
        assert_eq!(all("é\n\n", 1), ["é", ""]);
        assert!(all("", 3).is_empty());
    }

    #[test]
    fn rows_are_found_again_anywhere() {
        let text: String = (0..1000).map(|line| format!("line {line} é\n")).collect();
        let rows = Rows::of(&text, 80);
        assert_eq!(rows.slice(&text, 777, 779), ["line 777 é", "line 778 é"]);
        let place = text.find("line 640 ").expect("it is there");
        assert_eq!(rows.row_of(&text, place), 640);
        assert_eq!(rows.start_of(&text, 640), place);
        assert_eq!(rows.row_of(&text, text.len()), 999, "the end is the last row");
        assert!(rows.slice(&text, 5000, 5001).is_empty());
    }
}
