//! The exchange with real processes: small scripted servers, asserted on by what stood on the wire.

#![cfg(unix)]

mod eras;
mod kit;
mod processes;
mod wire;
