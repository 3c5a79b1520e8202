//! From the protocol's types to views: every text of a server's is made harmless here.

use gatehouse_mcp::model::annotation::Annotations;
use gatehouse_mcp::model::completion::Completion;
use gatehouse_mcp::model::content::{Block, CallToolResult, PromptResult, ReadResult};
use gatehouse_mcp::model::listing::{Entry, Listing};
use gatehouse_mcp::model::prompt::Prompt;
use gatehouse_mcp::model::resource::{Resource, ResourceTemplate};
use gatehouse_mcp::model::tool::Tool;
use gatehouse_mcp::params::RawMap;

use super::{
    BlockView, CheckView, ClaimsView, ListingView, MessageView, PromptArgumentView, PromptView, ResourceView,
    ResultView, SuggestionView, SuggestionsView, TemplateView, ToolView, UnreadableView, VariableView,
};
use crate::bounds;
use crate::harmless;
use crate::icon;
use crate::template;

/// The result of a call, read by the method that was asked: no guessing by shape.
///
/// # Errors
/// What can't be read, in words.
pub fn result_view(method: &str, result: &RawMap, mismatch: Option<CheckView>) -> Result<ResultView, String> {
    let raw = harmless::text(result.to_raw().get());
    match method {
        "prompts/get" => {
            let read = PromptResult::read(result)?;
            let messages = read.messages.into_iter().map(|(role, block)| MessageView {
                role: line(&role),
                content: block_view(block),
            });
            Ok(ResultView::Prompt {
                description: read.description.as_deref().map(paragraph),
                messages: messages.collect(),
                more: None,
                raw,
                raw_far: None,
            })
        }
        "resources/read" => {
            let read = ReadResult::read(result)?;
            Ok(ResultView::Resource {
                content: read.contents.into_iter().map(block_view).collect(),
                more: None,
                raw,
                raw_far: None,
            })
        }
        _ => {
            let read = CallToolResult::read(result)?;
            Ok(ResultView::Tool {
                content: read.content.into_iter().map(block_view).collect(),
                more: None,
                structured: read.structured.map(|raw| harmless::text(raw.get())),
                structured_far: None,
                is_error: read.is_error,
                mismatch,
                raw,
                raw_far: None,
            })
        }
    }
}

/// A listing of tools.
pub fn tools_view(listing: Listing<Tool>) -> ListingView<ToolView> {
    listing_view(listing, |tool, room| ToolView {
        label: line(&tool.name),
        title: tool.title.as_deref().map(line),
        description: tool.description.as_deref().map(paragraph),
        input_schema: tool.input_schema.get().to_owned(),
        output_schema: tool.output_schema.as_ref().map(|raw| raw.get().to_owned()),
        annotations: tool.annotations.as_ref().map(|raw| paragraph(raw.get())),
        changed: None,
        icon: icon::choose(&tool.icons, room),
        name: tool.name,
    })
}

/// A listing of prompts.
pub fn prompts_view(listing: Listing<Prompt>) -> ListingView<PromptView> {
    listing_view(listing, |prompt, room| PromptView {
        label: line(&prompt.name),
        title: prompt.title.as_deref().map(line),
        description: prompt.description.as_deref().map(paragraph),
        arguments: prompt
            .arguments
            .into_iter()
            .map(|argument| PromptArgumentView {
                label: line(argument.title.as_deref().unwrap_or(&argument.name)),
                description: argument.description.as_deref().map(paragraph),
                required: argument.required,
                name: argument.name,
            })
            .collect(),
        icon: icon::choose(&prompt.icons, room),
        name: prompt.name,
    })
}

/// A listing of resources.
pub fn resources_view(listing: Listing<Resource>) -> ListingView<ResourceView> {
    listing_view(listing, |resource, room| ResourceView {
        label: line(&resource.uri),
        name: line(&resource.name),
        title: resource.title.as_deref().map(line),
        description: resource.description.as_deref().map(paragraph),
        mime_type: resource.mime_type.as_deref().map(line),
        size: resource.size,
        claims: claims_view(resource.annotations),
        icon: icon::choose(&resource.icons, room),
        uri: resource.uri,
    })
}

/// A listing of resource templates.
pub fn templates_view(listing: Listing<ResourceTemplate>) -> ListingView<TemplateView> {
    listing_view(listing, |found, room| {
        let (variables, unusable) = match template::variables(&found.uri_template) {
            Ok(variables) => (variables, None),
            Err(reason) => (Vec::new(), Some(line(&reason))),
        };
        let variable = |variable: template::Variable| VariableView {
            name: variable.name,
            several: variable.several,
        };
        TemplateView {
            label: line(&found.uri_template),
            name: line(&found.name),
            title: found.title.as_deref().map(line),
            description: found.description.as_deref().map(paragraph),
            mime_type: found.mime_type.as_deref().map(line),
            variables: variables.into_iter().map(variable).collect(),
            unusable,
            claims: claims_view(found.annotations),
            icon: icon::choose(&found.icons, room),
            template: found.uri_template,
        }
    })
}

/// Suggestions.
pub fn suggestions_view(completion: Completion) -> SuggestionsView {
    let suggestion = |value: String| SuggestionView {
        label: line(&value),
        value,
    };
    SuggestionsView {
        values: completion.values.into_iter().map(suggestion).collect(),
        total: completion.total,
        more: completion.has_more,
    }
}

fn claims_view(claims: Option<Annotations>) -> ClaimsView {
    let claims = claims.unwrap_or_default();
    ClaimsView {
        audience: claims.audience.iter().take(8).map(|word| line(word)).collect(),
        priority: claims.priority,
        last_modified: claims.last_modified.as_deref().map(line),
    }
}

/// `view` makes an entry, and takes its picture from the room that is left for those of the whole listing.
fn listing_view<T, V>(listing: Listing<T>, view: impl Fn(T, &mut usize) -> V) -> ListingView<V> {
    let mut room = bounds::ICONS;
    let (mut items, mut unreadable) = (Vec::new(), Vec::new());
    for entry in listing.items {
        match entry {
            Entry::Read(item) => items.push(view(item, &mut room)),
            Entry::Unreadable { raw, name, reason } => unreadable.push(UnreadableView {
                name: name.as_deref().map(line),
                reason: line(&reason),
                text: harmless::paragraph(raw.get(), bounds::PARAGRAPH),
            }),
        }
    }
    ListingView {
        items,
        unreadable,
        stopped: listing.stopped,
    }
}

/// One block.
pub fn block_view(block: Block) -> BlockView {
    match block {
        Block::Text { text, .. } => BlockView::Text {
            text: harmless::text(&text),
            far: None,
        },
        Block::Image { data, mime_type, .. } => BlockView::Image {
            data,
            mime_type: line(&mime_type),
            far: None,
        },
        Block::Audio { data, mime_type, .. } => BlockView::Audio {
            data,
            mime_type: line(&mime_type),
            far: None,
        },
        Block::ResourceLink {
            uri, name, mime_type, ..
        } => BlockView::Link {
            label: line(&uri),
            uri,
            name: line(&name),
            mime_type: mime_type.as_deref().map(line),
        },
        Block::Resource {
            uri,
            mime_type,
            text,
            blob,
            ..
        } => BlockView::Resource {
            uri: line(&uri),
            mime_type: mime_type.as_deref().map(line),
            text: text.as_deref().map(harmless::text),
            text_far: None,
            bytes: blob.as_deref().map(decoded_length),
            data: blob,
            data_far: None,
        },
        Block::Unknown { raw, reason, .. } => BlockView::Unknown {
            reason: line(&reason),
            text: harmless::paragraph(raw.get(), bounds::PARAGRAPH),
            far: None,
        },
    }
}

/// Bytes that base64 text stands for.
pub(crate) fn decoded_length(base64: &str) -> u64 {
    let digits = base64
        .bytes()
        .filter(|byte| !matches!(byte, b'=' | b'\n' | b'\r'))
        .count() as u64;
    digits * 3 / 4
}

fn line(text: &str) -> String {
    harmless::line(text, bounds::LINE)
}

fn paragraph(text: &str) -> String {
    harmless::paragraph(text, bounds::PARAGRAPH)
}
