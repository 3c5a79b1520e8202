//! What is too large to be handed over, pulled piece by piece: where it is kept, and the pieces.

use serde::{Deserialize, Serialize};

/// Where the exact whole of a part is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct FarView {
    /// The number of the kept result.
    pub result: u64,
    /// Its part.
    pub part: PartView,
    /// Length of the part in bytes; of data, when it is decoded.
    pub bytes: u64,
    /// True where the text beside it is all of it.
    pub whole: bool,
}

/// A part of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "of")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub enum PartView {
    /// All of it, as JSON.
    Whole,
    /// The structured content, as JSON.
    Structured,
    /// The text of a block.
    Text {
        /// Which block, from 0.
        block: usize,
    },
    /// The data of a block.
    Data {
        /// Which block, from 0.
        block: usize,
    },
}

/// Rows of a text, each as wide as was asked for at most.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct RowsView {
    /// How many rows the text has.
    pub count: u64,
    /// The rows that were asked for, made harmless.
    pub rows: Vec<String>,
}

/// Children of a value, one portion of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct NodesView {
    /// The children in order.
    pub nodes: Vec<NodeView>,
    /// Where the next portion begins, where there is one.
    pub next: Option<u64>,
}

/// A value of a JSON tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct NodeView {
    /// Where it begins; it is asked for by this.
    pub at: u64,
    /// What it is.
    pub kind: NodeKind,
    /// Its key in an object, made harmless; none in an array.
    pub key: Option<String>,
    /// The value in one line, cut, made harmless; empty for an object or an array.
    pub brief: String,
    /// True where the brief is not all of it.
    pub cut: bool,
    /// Bytes of its text.
    pub bytes: u64,
    /// How many children it has, where it is small enough to be counted at once.
    pub count: Option<u64>,
}

/// What a JSON value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub enum NodeKind {
    /// Members.
    Object,
    /// Items.
    Array,
    /// A string.
    String,
    /// A number, with the digits it was written with.
    Number,
    /// `true`, `false` or `null`.
    Word,
}

/// A table: an array of objects.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct TableView {
    /// The member that holds the rows, made harmless; none where the whole is the array.
    pub key: Option<String>,
    /// Other members beside it.
    pub others: u64,
    /// Rows.
    pub count: u64,
    /// Columns, in the order in which they were met.
    pub columns: Vec<ColumnView>,
    /// Columns that are left out, since there are too many.
    pub dropped: u64,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct ColumnView {
    /// Its key, made harmless.
    pub name: String,
    /// How many letters wide it wants to be.
    pub width: u64,
    /// True where its first cells are numbers, and nothing else.
    pub numbers: bool,
}

/// A row of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct TableRowView {
    /// Its place in the array, from 1.
    pub nth: u64,
    /// A cell a column, none where the row lacks it.
    pub cells: Vec<Option<CellView>>,
}

/// A cell of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct CellView {
    /// The value in one line, cut, made harmless.
    pub text: String,
    /// True for a number.
    pub number: bool,
}

/// By which column rows are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct SortInput {
    /// The column, from 0.
    pub column: usize,
    /// The largest first.
    pub down: bool,
}

/// The form in which something is saved or copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub enum TableForm {
    /// Comma separated values.
    Csv,
    /// A JSON array.
    Json,
}
