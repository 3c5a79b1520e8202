//! The `gatehouse` command. Reads the arguments and calls the library; nothing is decided here.

use std::process::ExitCode;

use clap::Parser;
use gatehouse_cli::args::Args;

fn main() -> ExitCode {
    // clap ends the process itself on wrong usage, with exit code 2.
    gatehouse_cli::run::run(Args::parse())
}
