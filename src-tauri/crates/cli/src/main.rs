//! The `gatehouse` command. Reads the arguments and calls the library; nothing is decided here.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// A host for the Model Context Protocol that asks before it tells a server about your folders.
#[derive(Parser)]
#[command(name = "gatehouse", version)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Be the demo server: speak the protocol on standard input and output.
    DemoServer,
}

fn main() -> ExitCode {
    match Args::parse().command {
        Command::DemoServer => match gatehouse_cli::demo_server::run(std::io::stdin().lock(), std::io::stdout().lock())
        {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("demo server: {error}");
                ExitCode::FAILURE
            }
        },
    }
}
