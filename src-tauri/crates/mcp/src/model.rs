//! The protocol's types that Gatehouse uses, read tolerantly: one bad item is one bad item.
//! Not the whole schema, and no validation: what is not used here stays raw.

pub(crate) mod read;

pub mod annotation;
pub mod completion;
pub mod content;
pub mod elicit;
pub mod icon;
pub mod input;
pub mod listing;
pub mod notice;
pub mod prompt;
pub mod resource;
pub mod sampling;
pub mod tool;

#[cfg(test)]
mod tests;
