//! What a page is told of a kept result: its blocks with kinds, sizes and beginnings, and where the rest is pulled from.

use gatehouse_mcp::model::content::Block;

use super::kept::{Kept, Read, head};
use crate::bounds;
use crate::harmless;
use crate::view::present::decoded_length;
use crate::view::{BlockView, CheckView, FarView, MessageView, PartView, ResultView};

/// Describes a kept result.
pub fn describe(number: u64, kept: &Kept, mismatch: Option<CheckView>) -> ResultView {
    let mut told = Telling::of(number);
    let whole = kept.whole.get();
    match &kept.read {
        Read::Tool(result) => {
            let content = told.blocks(&result.content, 0);
            let structured = result.structured.as_ref().map(|raw| raw.get());
            let structured = structured.map(|text| told.text(text, PartView::Structured));
            let (structured, structured_far) = structured.unzip();
            let (raw, raw_far) = told.text(whole, PartView::Whole);
            ResultView::Tool {
                more: rest(result.content.len(), content.len()),
                content,
                structured,
                structured_far,
                is_error: result.is_error,
                mismatch,
                raw,
                raw_far: Some(raw_far),
            }
        }
        Read::Prompt(result) => {
            let messages: Vec<_> = result
                .messages
                .iter()
                .enumerate()
                .take(bounds::BLOCKS)
                .map(|(nth, (role, block))| MessageView {
                    role: harmless::line(role, bounds::LINE),
                    content: told.block(block, nth),
                })
                .collect();
            let (raw, raw_far) = told.text(whole, PartView::Whole);
            ResultView::Prompt {
                description: result
                    .description
                    .as_deref()
                    .map(|text| harmless::paragraph(text, bounds::PARAGRAPH)),
                more: rest(result.messages.len(), messages.len()),
                messages,
                raw,
                raw_far: Some(raw_far),
            }
        }
        Read::Resource(result) => {
            let content = told.blocks(&result.contents, 0);
            let (raw, raw_far) = told.text(whole, PartView::Whole);
            ResultView::Resource {
                more: rest(result.contents.len(), content.len()),
                content,
                raw,
                raw_far: Some(raw_far),
            }
        }
    }
}

/// Further blocks of a kept result, from one on.
pub fn blocks(number: u64, kept: &Kept, from: usize) -> Vec<BlockView> {
    let mut told = Telling::of(number);
    match &kept.read {
        Read::Tool(result) => told.blocks(&result.content, from),
        Read::Resource(result) => told.blocks(&result.contents, from),
        Read::Prompt(_) => Vec::new(),
    }
}

fn rest(all: usize, told: usize) -> Option<u64> {
    (all > told).then(|| (all - told) as u64)
}

/// How much may still be handed over.
struct Telling {
    number: u64,
    left: usize,
}

impl Telling {
    fn of(number: u64) -> Self {
        Self {
            number,
            left: bounds::INLINE_ALL,
        }
    }

    fn blocks(&mut self, blocks: &[Block], from: usize) -> Vec<BlockView> {
        let some = blocks.iter().enumerate().skip(from).take(bounds::BLOCKS);
        some.map(|(nth, block)| self.block(block, nth)).collect()
    }

    fn text(&mut self, text: &str, part: PartView) -> (String, Box<FarView>) {
        let begins = head(text, bounds::INLINE.min(self.left).max(bounds::INLINE_LEAST));
        self.left = self.left.saturating_sub(begins.len());
        let whole = begins.len() == text.len();
        (harmless::text(begins), self.far(part, text.len() as u64, whole))
    }

    fn data(&self, base64: &str, block: usize) -> Box<FarView> {
        self.far(PartView::Data { block }, decoded_length(base64), false)
    }

    fn far(&self, part: PartView, bytes: u64, whole: bool) -> Box<FarView> {
        Box::new(FarView {
            result: self.number,
            part,
            bytes,
            whole,
        })
    }

    fn block(&mut self, block: &Block, nth: usize) -> BlockView {
        match block {
            Block::Text { text, .. } => {
                let (text, far) = self.text(text, PartView::Text { block: nth });
                BlockView::Text { text, far: Some(far) }
            }
            Block::Image { data, mime_type, .. } => BlockView::Image {
                data: String::new(),
                mime_type: line(mime_type),
                far: Some(self.data(data, nth)),
            },
            Block::Audio { data, mime_type, .. } => BlockView::Audio {
                data: String::new(),
                mime_type: line(mime_type),
                far: Some(self.data(data, nth)),
            },
            Block::ResourceLink {
                uri, name, mime_type, ..
            } => BlockView::Link {
                label: line(uri),
                uri: uri.clone(),
                name: line(name),
                mime_type: mime_type.as_deref().map(line),
            },
            Block::Resource {
                uri,
                mime_type,
                text,
                blob,
                ..
            } => {
                let text = text
                    .as_deref()
                    .map(|text| self.text(text, PartView::Text { block: nth }));
                let (text, text_far) = text.unzip();
                BlockView::Resource {
                    uri: line(uri),
                    mime_type: mime_type.as_deref().map(line),
                    text,
                    text_far,
                    bytes: blob.as_deref().map(decoded_length),
                    data: None,
                    data_far: blob.as_deref().map(|blob| self.data(blob, nth)),
                }
            }
            Block::Unknown { raw, reason, .. } => {
                let (text, far) = self.text(raw.get(), PartView::Text { block: nth });
                BlockView::Unknown {
                    reason: line(reason),
                    text,
                    far: Some(far),
                }
            }
        }
    }
}

fn line(text: &str) -> String {
    harmless::line(text, bounds::LINE)
}
