//! From arguments to an exit code: the runtime, the host, the subcommand, and an orderly end.

use std::process::ExitCode;

use gatehouse_host::places::Places;
use gatehouse_host::{Host, HostError};

use crate::args::{Args, Command};
use crate::exit::Exit;
use crate::output::Output;
use crate::{calls, demo, demo_server, folders, history, records, servers, settings};

/// Runs the command.
pub fn run(args: Args) -> ExitCode {
    if matches!(args.command, Command::DemoServer) {
        return serve_demo();
    }
    logging();
    let output = Output::new(args.json);
    let runtime = match tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(e) => {
            let error = HostError::Storage {
                what: "the runtime".into(),
                reason: e.to_string(),
            };
            return output.fail(&error).into();
        }
    };
    let exit = match runtime.block_on(carry_out(args.command, output)) {
        Exit::Done if crate::output::is_lost() => Exit::Usage,
        exit => exit,
    };
    // A read of the terminal can't be called back; it must not keep the command from ending.
    runtime.shutdown_background();
    exit.into()
}

async fn carry_out(command: Command, output: Output) -> Exit {
    if matches!(command, Command::Demo) {
        return demo::walk().await;
    }
    let host = match Places::of_this_account().and_then(Host::open) {
        Ok(host) => host,
        Err(error) => return output.fail(&error),
    };
    let work = async {
        match command {
            Command::Folders(what) => folders::run(&host, what, output).await,
            Command::Servers(what) => servers::run(&host, what, output).await,
            Command::Settings(what) => settings::run(&host, what, output).await,
            Command::Grants(what) => records::grants(&host, what, output).await,
            Command::Record { since } => records::record(&host, since, output).await,
            Command::History { server, since, what } => history::run(&host, server, since, what, output).await,
            Command::Tools { .. }
            | Command::Call { .. }
            | Command::Prompts { .. }
            | Command::Prompt { .. }
            | Command::Resources { .. }
            | Command::Templates { .. }
            | Command::Complete { .. }
            | Command::Read { .. } => calls::run(&host, command, output).await,
            Command::Demo | Command::DemoServer => Ok(Exit::Done),
        }
    };
    let exit = tokio::select! {
        done = work => done.unwrap_or_else(|error| output.fail(&error)),
        () = interrupted() => Exit::Interrupted,
    };
    host.quit().await;
    exit
}

/// Waits for the signals by which a person or the system ends a command.
async fn interrupted() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
        let Ok(mut signals) = kinds.into_iter().map(signal).collect::<std::io::Result<Vec<_>>>() else {
            return std::future::pending().await;
        };
        let [interrupt, terminate, hangup] = signals.as_mut_slice() else {
            return std::future::pending().await;
        };
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = hangup.recv() => {}
        }
    }
    #[cfg(not(unix))]
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

fn serve_demo() -> ExitCode {
    match demo_server::run(std::io::stdin().lock(), std::io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            crate::output::say(&format!("demo server: {error}"));
            ExitCode::FAILURE
        }
    }
}

/// Diagnostics go to standard error, and only where `GATEHOUSE_LOG` asks for them.
fn logging() {
    if let Ok(filter) = tracing_subscriber::EnvFilter::try_from_env("GATEHOUSE_LOG") {
        tracing_subscriber::fmt()
            .with_env_filter(filter)
            .with_writer(std::io::stderr)
            .init();
    }
}
