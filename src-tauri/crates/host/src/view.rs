//! The only types that are serialised for a page, a terminal or a script. Text that came from a server is made harmless
//! on its way in here. Not the domain: nothing decides on a view.

pub mod call;
pub mod catalogue;
pub mod far;
pub mod folder;
pub mod history;
pub mod link;
pub mod present;
pub mod question;
pub mod record;
pub mod sample;
pub mod server;
pub mod settings;
pub mod traffic;
pub mod update;

pub use call::*;
pub use catalogue::*;
pub use far::*;
pub use folder::*;
pub use history::*;
pub use link::*;
pub use present::{
    block_view, prompts_view, resources_view, result_view, suggestions_view, templates_view, tools_view,
};
pub use question::*;
pub use record::*;
pub use sample::*;
pub use server::*;
pub use settings::*;
pub use traffic::*;
pub use update::*;
