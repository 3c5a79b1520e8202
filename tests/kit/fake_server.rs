//! `fake-server SCRIPT LOG …`: plays a script on standard input and output and logs every byte. The work is in the kit's
//! `player`. Further arguments are not looked at: with one, a definition is another one and still plays.

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<_> = std::env::args_os().skip(1).collect();
    let [script, log, ..] = args.as_slice() else {
        eprintln!("usage: fake-server SCRIPT LOG");
        return ExitCode::from(2);
    };
    match gatehouse_tests::player::play(Path::new(script), Path::new(log)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("fake-server: {error}");
            ExitCode::from(2)
        }
    }
}
