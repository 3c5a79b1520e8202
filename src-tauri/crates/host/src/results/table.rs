//! An array of objects as rows and columns. The rows are places in the text; a cell is read when it is looked at.

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use super::json::{self, Children};
use crate::bounds;
use crate::harmless;
use crate::view::{CellView, ColumnView, NodeKind, SortInput, TableForm, TableRowView, TableView};

/// A table found in a text.
#[derive(Debug)]
pub(super) struct Table {
    key: Option<String>,
    others: u64,
    rows: Vec<usize>,
    columns: Vec<Column>,
    places: HashMap<String, usize>,
    dropped: u64,
}

#[derive(Debug)]
struct Column {
    key: String,
    width: usize,
    numbers: bool,
}

impl Table {
    /// Where a value is a table: an array of objects, or an object that holds exactly one such array.
    pub fn of(text: &str) -> Option<Self> {
        let whole = json::value_at(text, 0)?;
        let (key, array, others) = match json::kind(text, whole.start) {
            NodeKind::Array => (None, whole.start, 0),
            NodeKind::Object => {
                let members: Vec<_> = Children::of(text, whole.start)?.take(1000).collect();
                let mut tables = members.iter().filter(|child| begins(text, child.value.start));
                let (table, None) = (tables.next()?, tables.next()) else {
                    return None;
                };
                let key = json::decoded(text, &table.key).into_owned();
                (Some(key), table.value.start, members.len() as u64 - 1)
            }
            NodeKind::String | NodeKind::Number | NodeKind::Word => return None,
        };
        let mut table = Self {
            key,
            others,
            rows: Vec::new(),
            columns: Vec::new(),
            places: HashMap::new(),
            dropped: 0,
        };
        let mut left_out = BTreeSet::new();
        for item in Children::of(text, array)? {
            table.meet(text, item.value.start, &mut left_out)?;
        }
        table.dropped = left_out.len() as u64;
        (!table.rows.is_empty()).then_some(table)
    }

    /// None where the item is no object, so that all of it is no table.
    fn meet(&mut self, text: &str, at: usize, left_out: &mut BTreeSet<String>) -> Option<()> {
        if json::kind(text, at) != NodeKind::Object {
            return None;
        }
        let measured = self.rows.len() < 100;
        for member in Children::of(text, at)? {
            let key = json::decoded(text, &member.key);
            let column = match self.places.get(&*key) {
                Some(column) => *column,
                None if self.columns.len() >= bounds::TABLE_COLUMNS => {
                    if left_out.len() < bounds::TABLE_COLUMNS {
                        left_out.insert(key.into_owned());
                    }
                    continue;
                }
                None => {
                    let width = (key.chars().count() + 3).min(28);
                    let key = key.into_owned();
                    self.places.insert(key.clone(), self.columns.len());
                    self.columns.push(Column {
                        key,
                        width,
                        numbers: measured,
                    });
                    self.columns.len() - 1
                }
            };
            if measured {
                let (shown, _) = json::brief(text, &member.value, 36);
                let column = &mut self.columns[column];
                column.width = column.width.max((shown.chars().count() + 1).min(36));
                column.numbers &= json::kind(text, member.value.start) == NodeKind::Number;
            }
        }
        self.rows.push(at);
        Some(())
    }

    /// How many rows it has.
    pub fn count(&self) -> usize {
        self.rows.len()
    }

    /// What it is, for a page.
    pub fn view(&self) -> TableView {
        let line = |text: &str| harmless::line(text, bounds::LINE);
        TableView {
            key: self.key.as_deref().map(line),
            others: self.others,
            count: self.rows.len() as u64,
            columns: self
                .columns
                .iter()
                .map(|column| ColumnView {
                    name: line(&column.key),
                    width: column.width as u64,
                    numbers: column.numbers,
                })
                .collect(),
            dropped: self.dropped,
        }
    }

    /// Rows in an order, from the first up to, not with, the last.
    pub fn rows(&self, text: &str, order: Option<&[u32]>, first: usize, last: usize) -> Vec<TableRowView> {
        self.ordered(order)
            .skip(first)
            .take(last.saturating_sub(first))
            .map(|row| TableRowView {
                nth: row as u64 + 1,
                cells: self
                    .values(text, row)
                    .into_iter()
                    .map(|place| {
                        place.map(|place| CellView {
                            text: json::brief(text, &place, bounds::CELL).0,
                            number: json::kind(text, place.start) == NodeKind::Number,
                        })
                    })
                    .collect(),
            })
            .collect()
    }

    /// The rows' order by a column: numbers by value, then words, then what is missing, which stands at the end either way.
    pub fn order(&self, text: &str, by: SortInput) -> Vec<u32> {
        let keys: Vec<Key> = (0..self.rows.len())
            .map(|row| Key::of(text, self.values(text, row).get(by.column).cloned().flatten()))
            .collect();
        let mut order: Vec<u32> = (0..u32::try_from(keys.len()).unwrap_or(u32::MAX)).collect();
        order.sort_by(|a, b| {
            let (one, other) = (&keys[*a as usize], &keys[*b as usize]);
            match (one, other) {
                (Key::Missing, Key::Missing) => Ordering::Equal,
                (Key::Missing, _) => Ordering::Greater,
                (_, Key::Missing) => Ordering::Less,
                _ if by.down => other.compare(one),
                _ => one.compare(other),
            }
        });
        order
    }

    /// All of it as text, with the digits and the words that the server wrote.
    pub fn export(&self, text: &str, order: Option<&[u32]>, form: TableForm) -> String {
        let mut out = String::with_capacity(text.len());
        match form {
            TableForm::Json => {
                out.push('[');
                for (index, row) in self.ordered(order).enumerate() {
                    out.push_str(if index == 0 { "\n" } else { ",\n" });
                    let place = json::value_at(text, self.rows[row]).unwrap_or(0..0);
                    out.push_str(&text[place]);
                }
                out.push_str("\n]\n");
            }
            TableForm::Csv => {
                let head: Vec<String> = self.columns.iter().map(|column| quoted(&column.key, true)).collect();
                out.push_str(&head.join(","));
                out.push_str("\r\n");
                for row in self.ordered(order) {
                    let cell =
                        |place: Option<Range<usize>>| place.map_or(String::new(), |place| csv_cell(text, &place));
                    let cells: Vec<String> = self.values(text, row).into_iter().map(cell).collect();
                    out.push_str(&cells.join(","));
                    out.push_str("\r\n");
                }
            }
        }
        out
    }

    fn ordered(&self, order: Option<&[u32]>) -> impl Iterator<Item = usize> {
        (0..self.rows.len()).map(move |nth| order.and_then(|order| order.get(nth)).map_or(nth, |row| *row as usize))
    }

    fn values(&self, text: &str, row: usize) -> Vec<Option<Range<usize>>> {
        let mut values = vec![None; self.columns.len()];
        let members = self.rows.get(row).and_then(|at| Children::of(text, *at));
        for member in members.into_iter().flatten() {
            if let Some(column) = self.places.get(&*json::decoded(text, &member.key)) {
                values[*column] = Some(member.value);
            }
        }
        values
    }
}

fn begins(text: &str, at: usize) -> bool {
    if json::kind(text, at) != NodeKind::Array {
        return false;
    }
    let mut first = Children::of(text, at).into_iter().flatten().take(3).peekable();
    first.peek().is_some() && first.all(|item| json::kind(text, item.value.start) == NodeKind::Object)
}

/// What a cell is ordered by.
enum Key {
    Number(f64, String),
    Words(String),
    Other(String),
    Missing,
}

impl Key {
    fn of(text: &str, place: Option<Range<usize>>) -> Self {
        let Some(place) = place else { return Self::Missing };
        let raw = &text[place.clone()];
        match json::kind(text, place.start) {
            NodeKind::Number => Self::Number(raw.parse().unwrap_or(f64::NAN), raw.to_owned()),
            NodeKind::String => Self::Words(json::brief(text, &place, 200).0.to_lowercase()),
            _ if raw == "null" => Self::Missing,
            _ => Self::Other(raw.chars().take(200).collect()),
        }
    }

    fn rank(&self) -> u8 {
        match self {
            Self::Number(..) => 0,
            Self::Words(_) => 1,
            Self::Other(_) => 2,
            Self::Missing => 3,
        }
    }

    fn compare(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Number(a, one), Self::Number(b, two)) => a.total_cmp(b).then_with(|| whole_numbers(one, two)),
            (Self::Words(a), Self::Words(b)) | (Self::Other(a), Self::Other(b)) => a.cmp(b),
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

/// Beyond 2^53 two whole numbers may be one to the machine; their digits tell them apart.
fn whole_numbers(one: &str, two: &str) -> Ordering {
    let digits = |text: &str| text.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit());
    if !digits(one) || !digits(two) {
        return Ordering::Equal;
    }
    let order = one.len().cmp(&two.len()).then_with(|| one.cmp(two));
    if one.starts_with('-') { order.reverse() } else { order }
}

fn csv_cell(text: &str, place: &Range<usize>) -> String {
    let words = json::kind(text, place.start) == NodeKind::String;
    match &*json::decoded(text, place) {
        "null" if !words => String::new(),
        value => quoted(value, words),
    }
}

/// A cell of CSV. Words that a spreadsheet would run as a formula get an apostrophe in front; numbers stay as they are.
fn quoted(text: &str, words: bool) -> String {
    let formula = words && text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let safe = format!("{}{text}", if formula { "'" } else { "" });
    if safe.contains(['"', ',', '\r', '\n']) {
        format!("\"{}\"", safe.replace('"', "\"\""))
    } else {
        safe
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> Table {
        Table::of(text).expect("it is a table")
    }

    #[test]
    fn it_stands_in_an_array_of_objects_or_in_an_object_with_one_such_array() {
        let check = |text: &str, want: Option<Option<&str>>| {
            let found = Table::of(text).map(|table| table.key);
            assert_eq!(found.as_ref().map(Option::as_deref), want, "in {text}");
        };
        check(r#"[{"a":1}]"#, Some(None));
        check(r#"{"n":1,"rows":[{"a":1}]}"#, Some(Some("rows")));
        check(r#"{"x":[{"a":1}],"y":[{"a":1}]}"#, None);
        check("[1,2]", None);
        check("[]", None);
        check(r#"[{"a":1},{"a":2},{"a":3},7]"#, None);
        check(r#"{"a":1}"#, None);
        check("not JSON", None);
    }

    #[test]
    fn it_has_every_column_of_every_row() {
        let view = table(r#"[{"a":1},{"b":2},{"c":3,"a":1}]"#).view();
        let names: Vec<_> = view.columns.iter().map(|column| column.name.as_str()).collect();
        assert_eq!(names, ["a", "b", "c"]);
        let numbers = table(r#"[{"a":1,"b":"x"},{"a":null,"b":2,"c":3}]"#).view().columns;
        let numbers: Vec<_> = numbers.iter().map(|column| column.numbers).collect();
        assert_eq!(
            numbers,
            [false, false, true],
            "a column of numbers is told by its first cells"
        );
        assert_eq!(view.count, 3);
    }

    #[test]
    fn it_sorts_numbers_by_value_beyond_two_to_the_53_too_and_what_is_missing_last() {
        let text = r#"[{"n":9007199254740993},{"n":9007199254740992},{},{"n":10},{"n":"x"},{"n":9},{"n":null}]"#;
        let table = table(text);
        let check = |down: bool, want: [u32; 7]| {
            let order = table.order(text, SortInput { column: 0, down });
            assert_eq!(order, want, "down: {down}");
        };
        check(false, [5, 3, 1, 0, 4, 2, 6]);
        check(true, [4, 0, 1, 3, 5, 2, 6]);
        let rows = table.rows(text, Some(&[2, 0]), 0, 2);
        assert_eq!(rows[0].cells, [None]);
        assert_eq!(rows[1].nth, 1);
        let cell = rows[1].cells[0].as_ref().expect("a cell");
        assert_eq!((cell.text.as_str(), cell.number), ("9007199254740993", true));
    }

    #[test]
    fn it_leaves_with_its_digits_quotes_where_needed_and_no_formula() {
        let text = r#"[{"a,b":9007199254740993,"t":"x\"y"},{"a,b":-1.10,"t":"=1+1"},{"t":null}]"#;
        let table = table(text);
        let csv = "\"a,b\",t\r\n9007199254740993,\"x\"\"y\"\r\n-1.10,'=1+1\r\n,\r\n";
        assert_eq!(table.export(text, None, TableForm::Csv), csv);
        let rows = table.export(text, Some(&[2, 1, 0]), TableForm::Json);
        assert!(rows.starts_with("[\n{\"t\":null},\n{\"a,b\":-1.10"), "{rows}");
    }
}
