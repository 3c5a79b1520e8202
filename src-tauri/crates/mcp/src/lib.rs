//! One exchange with one MCP server: frames, transports, eras, requests and their ends.
//!
//! What is not here: anything of Gatehouse's own. No folders, no consent, no storage, no window. The host hands in what
//! is declared to a server and what is to be answered, and gets raw replies and events back.

pub mod bounds;
pub mod client;
pub mod era;
pub mod error;
pub mod frame;
pub mod model;
pub mod params;
pub mod tap;
pub mod transport;
