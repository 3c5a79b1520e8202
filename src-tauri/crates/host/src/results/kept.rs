//! One kept result: what the server sent, exactly, and the pieces of it that a page looks at.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

use gatehouse_mcp::model::content::{Block, CallToolResult, PromptResult, ReadResult};
use gatehouse_mcp::params::{Raw, RawMap};

use super::json::{self, Children};
use super::rows::Rows;
use super::table::Table;
use crate::bounds;
use crate::error::{HostError, Result};
use crate::harmless;
use crate::saving;
use crate::view::{NodeKind, NodeView, NodesView, PartView, RowsView, SortInput, TableForm, TableRowView, TableView};

/// A result as it came.
#[derive(Debug)]
pub struct Kept {
    pub(super) whole: Raw,
    pub(super) read: Read,
    rows: Mutex<Option<(PartView, usize, Arc<Rows>)>>,
    table: OnceLock<Option<Table>>,
    order: Mutex<Option<(SortInput, Arc<Vec<u32>>)>>,
}

/// A result, read by the method that was asked.
#[derive(Debug)]
pub(super) enum Read {
    Tool(CallToolResult),
    Prompt(PromptResult),
    Resource(ReadResult),
}

impl Kept {
    /// Reads a result by the method that was asked: no guessing by shape.
    ///
    /// # Errors
    /// What can't be read, in words.
    pub fn read(method: &str, result: &RawMap) -> std::result::Result<Self, String> {
        let read = match method {
            "prompts/get" => Read::Prompt(PromptResult::read(result)?),
            "resources/read" => Read::Resource(ReadResult::read(result)?),
            _ => Read::Tool(CallToolResult::read(result)?),
        };
        Ok(Self {
            whole: result.to_raw(),
            read,
            rows: Mutex::default(),
            table: OnceLock::new(),
            order: Mutex::default(),
        })
    }

    /// About how many bytes it takes.
    pub fn weight(&self) -> usize {
        self.whole.get().len() * 2
    }

    /// The exact text of a part.
    ///
    /// # Errors
    /// The part is none, or has no text.
    pub fn text(&self, part: PartView) -> Result<&str> {
        let text = match part {
            PartView::Whole => Some(self.whole.get()),
            PartView::Structured => match &self.read {
                Read::Tool(CallToolResult { structured, .. }) => structured.as_ref().map(|raw| raw.get()),
                Read::Prompt(_) | Read::Resource(_) => None,
            },
            PartView::Text { block } => match self.block(block) {
                Some(Block::Text { text, .. } | Block::Resource { text: Some(text), .. }) => Some(text.as_str()),
                Some(Block::Unknown { raw, .. }) => Some(raw.get()),
                _ => None,
            },
            PartView::Data { .. } => None,
        };
        text.ok_or_else(none)
    }

    /// The exact bytes of a part: text as it is, data decoded.
    ///
    /// # Errors
    /// The part is none, or its data is not base64.
    pub fn bytes(&self, part: PartView) -> Result<Vec<u8>> {
        let PartView::Data { block } = part else {
            return Ok(self.text(part)?.as_bytes().to_vec());
        };
        match self.block(block) {
            Some(Block::Image { data, .. } | Block::Audio { data, .. } | Block::Resource { blob: Some(data), .. }) => {
                saving::decode(data)
            }
            _ => Err(none()),
        }
    }

    /// A text as it is shown, to be copied.
    ///
    /// # Errors
    /// The part is none, or too large to be copied.
    pub fn shown(&self, part: PartView, reveal: bool) -> Result<String> {
        let text = self.text(part)?;
        small_enough(text.len())?;
        Ok(shown(text, reveal))
    }

    /// Rows of a text, each as wide as `columns` at most, from the first up to, not with, the last.
    ///
    /// # Errors
    /// The part is none, or has no text.
    pub fn rows(&self, part: PartView, columns: usize, range: (usize, usize), reveal: bool) -> Result<RowsView> {
        let text = self.text(part)?;
        let rows = self.row_index(part, text, columns);
        let last = range.1.min(range.0.saturating_add(bounds::PULLED));
        Ok(RowsView {
            count: rows.count as u64,
            rows: rows
                .slice(text, range.0, last)
                .into_iter()
                .map(|row| shown(row, reveal))
                .collect(),
        })
    }

    /// The next row that holds some words, from a row on and round to it again.
    ///
    /// # Errors
    /// The part is none, or has no text.
    pub fn find(&self, part: PartView, columns: usize, words: &str, from: usize) -> Result<Option<u64>> {
        let text = self.text(part)?;
        let rows = self.row_index(part, text, columns);
        let start = rows.start_of(text, from);
        let found = text[start..]
            .find(words)
            .map(|at| start + at)
            .or_else(|| text.find(words));
        Ok(found
            .filter(|_| !words.is_empty())
            .map(|at| rows.row_of(text, at) as u64))
    }

    /// Children of the value that begins at a place of the structured content, from the place of a portion on.
    ///
    /// # Errors
    /// There is no structured content.
    pub fn nodes(&self, at: usize, from: Option<usize>) -> Result<NodesView> {
        let text = self.text(PartView::Structured)?;
        let children = match from {
            Some(place) => Children::from(text, at, place),
            None => Children::of(text, at),
        };
        let mut children = children.ok_or_else(none)?;
        let named = json::kind(text, at) == NodeKind::Object;
        let nodes = children.by_ref().take(bounds::PULLED);
        let nodes = nodes
            .map(|child| {
                let key = named.then(|| json::brief(text, &child.key, bounds::LINE).0);
                node(text, key, child.value)
            })
            .collect();
        Ok(NodesView {
            nodes,
            next: children.place().map(|place| place as u64),
        })
    }

    /// The structured content itself as a node.
    ///
    /// # Errors
    /// There is none.
    pub fn root(&self) -> Result<NodeView> {
        let text = self.text(PartView::Structured)?;
        Ok(node(text, None, json::value_at(text, 0).ok_or_else(none)?))
    }

    /// The value that begins at a place of the structured content, as it is shown: a string without its quotes.
    ///
    /// # Errors
    /// There is none, or it is too large to be copied.
    pub fn value(&self, at: usize) -> Result<String> {
        let text = self.text(PartView::Structured)?;
        let place = json::value_at(text, at).ok_or_else(none)?;
        small_enough(place.len())?;
        Ok(harmless::text(&json::decoded(text, &place)))
    }

    /// The structured content as a table, where it is one.
    ///
    /// # Errors
    /// There is no structured content.
    pub fn table(&self) -> Result<Option<TableView>> {
        Ok(self.found_table()?.1.map(Table::view))
    }

    /// Rows of the table, from the first up to, not with, the last.
    ///
    /// # Errors
    /// There is no table, or it is too long to be sorted.
    pub fn table_rows(&self, by: Option<SortInput>, first: usize, last: usize) -> Result<Vec<TableRowView>> {
        let (text, table) = self.found_table()?;
        let table = table.ok_or_else(none)?;
        let order = self.order(text, table, by)?;
        let last = last.min(first.saturating_add(bounds::PULLED));
        Ok(table.rows(text, order.as_ref().map(|order| order.as_slice()), first, last))
    }

    /// The whole table as text, exactly.
    ///
    /// # Errors
    /// There is no table, or it is too long to be sorted.
    pub fn table_text(&self, by: Option<SortInput>, form: TableForm) -> Result<String> {
        let (text, table) = self.found_table()?;
        let table = table.ok_or_else(none)?;
        let order = self.order(text, table, by)?;
        Ok(table.export(text, order.as_ref().map(|order| order.as_slice()), form))
    }

    /// The whole table as it is shown, to be copied.
    ///
    /// # Errors
    /// Those of [`Self::table_text`], or it is too large to be copied.
    pub fn table_shown(&self, by: Option<SortInput>, form: TableForm) -> Result<String> {
        small_enough(self.text(PartView::Structured)?.len())?;
        Ok(harmless::text(&self.table_text(by, form)?.replace("\r\n", "\n")))
    }

    pub(super) fn block(&self, nth: usize) -> Option<&Block> {
        match &self.read {
            Read::Tool(result) => result.content.get(nth),
            Read::Prompt(result) => result.messages.get(nth).map(|(_, block)| block),
            Read::Resource(result) => result.contents.get(nth),
        }
    }

    fn found_table(&self) -> Result<(&str, Option<&Table>)> {
        let text = self.text(PartView::Structured)?;
        Ok((text, self.table.get_or_init(|| Table::of(text)).as_ref()))
    }

    fn order(&self, text: &str, table: &Table, by: Option<SortInput>) -> Result<Option<Arc<Vec<u32>>>> {
        let Some(by) = by else { return Ok(None) };
        if table.count() > bounds::SORTED_ROWS {
            return Err(HostError::Invalid {
                reason: "the table has too many rows to be sorted here; save it instead".into(),
            });
        }
        let mut last = lock(&self.order);
        match &*last {
            Some((before, order)) if *before == by => Ok(Some(order.clone())),
            _ => {
                let order = Arc::new(table.order(text, by));
                *last = Some((by, order.clone()));
                Ok(Some(order))
            }
        }
    }

    fn row_index(&self, part: PartView, text: &str, columns: usize) -> Arc<Rows> {
        let mut last = lock(&self.rows);
        match &*last {
            Some((before, wide, rows)) if *before == part && *wide == columns => rows.clone(),
            _ => {
                let rows = Arc::new(Rows::of(text, columns));
                *last = Some((part, columns, rows.clone()));
                rows
            }
        }
    }
}

fn node(text: &str, key: Option<String>, place: std::ops::Range<usize>) -> NodeView {
    let kind = json::kind(text, place.start);
    let holds = matches!(kind, NodeKind::Object | NodeKind::Array);
    let (brief, cut) = if holds {
        (String::new(), false)
    } else {
        json::brief(text, &place, bounds::BRIEF)
    };
    let counted = holds && place.len() <= bounds::COUNTED;
    NodeView {
        at: place.start as u64,
        kind,
        key,
        brief,
        cut,
        bytes: place.len() as u64,
        count: counted.then(|| Children::of(text, place.start).map_or(0, |all| all.count() as u64)),
    }
}

fn shown(text: &str, reveal: bool) -> String {
    if reveal {
        harmless::revealed(text)
    } else {
        harmless::text(text)
    }
}

fn small_enough(bytes: usize) -> Result<()> {
    if bytes <= bounds::COPIED {
        return Ok(());
    }
    Err(HostError::Invalid {
        reason: format!(
            "it is too large to be copied ({} MB of {}); save it instead",
            bytes / 1024 / 1024,
            bounds::COPIED / 1024 / 1024
        ),
    })
}

fn none() -> HostError {
    HostError::NotFound {
        what: "such part of this result".into(),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// The beginning of a text, cut between characters, at a line's end where one is near.
pub(super) fn head(text: &str, most: usize) -> &str {
    if text.len() <= most {
        return text;
    }
    let mut end = most;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let feed = text[..end].rfind('\n').filter(|feed| feed + 2048 > end);
    &text[..feed.map_or(end, |feed| feed + 1)]
}
