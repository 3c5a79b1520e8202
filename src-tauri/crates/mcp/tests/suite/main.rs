//! The exchange with real processes: small scripted servers, asserted on by what stood on the wire.

#![cfg(unix)]
#![allow(clippy::disallowed_methods, reason = "tests write into their own temporary folders")]

mod changes;
mod eras;
mod kit;
mod processes;
mod wire;
