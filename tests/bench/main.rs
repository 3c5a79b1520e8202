//! What a call costs, next to the least that it could cost: `./dev bench`. Everything is measured in one process, in turns, so
//! that a machine that is busy for a moment is busy for all; the table holds medians. Fails where Gatehouse costs more than
//! it may. Not a test of what is answered; the suites are that.

mod bare;
mod ours;
#[cfg(feature = "peer")]
mod peer;

use std::process::ExitCode;

/// Turns; odd, so that there is a middle one.
const TURNS: usize = 15;
/// Calls of one round in a turn.
const CALLS: u32 = 1500;
/// Calls of two rounds in a turn: each waits for the disk.
const TWICE: u32 = 150;
/// What a call through the host may cost, in bare round trips.
const ONE: f64 = 1.5;
/// What a call of two rounds is asked to cost beside the commit of its record, in bare round trips. A bare loop that commits
/// between its two round trips may cost more than that by itself: what slept must wake. So this is shown, and not held.
const TWO: f64 = 2.5;
/// What it may cost in all, in such bare loops: this is held.
const TWO_LIKE: f64 = 1.75;

/// Microseconds of every turn, by what was measured.
#[derive(Default)]
struct Times {
    bare: Vec<f64>,
    client: Vec<f64>,
    host: Vec<f64>,
    twice: Vec<f64>,
    commit: Vec<f64>,
    disk: Vec<f64>,
    bare_twice: Vec<f64>,
    bare_commit: Vec<f64>,
    peer: Vec<f64>,
    peer_twice: Vec<f64>,
}

fn main() -> ExitCode {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime starts");
    // On a worker, as the calls of the window and of the command are.
    let times = runtime.block_on(async { tokio::spawn(measure()).await.expect("everything was measured") });
    report(&times)
}

async fn measure() -> Times {
    let home = tempfile::Builder::new()
        .prefix("bench-")
        .tempdir()
        .expect("the temporary folder is writable");
    let mut bare = bare::Bare::start();
    let rows = bare::Rows::begin(&home.path().join("rows.db"));
    let client = ours::Exchange::start().await;
    let host = ours::Gatehouse::start(home.path()).await;
    #[cfg(feature = "peer")]
    let peer = peer::Peer::start().await;
    let mut times = Times::default();
    // The first turn warms caches up and is not counted.
    for turn in 0..=TURNS {
        let mut keep = |list: fn(&mut Times) -> &mut Vec<f64>, time: f64| {
            if turn > 0 {
                list(&mut times).push(time);
            }
        };
        keep(|times| &mut times.bare, bare.calls(CALLS).await);
        keep(|times| &mut times.client, client.calls(CALLS).await);
        keep(|times| &mut times.host, host.calls("echo", CALLS).await);
        #[cfg(feature = "peer")]
        keep(|times| &mut times.peer, peer.calls("echo", CALLS).await);
        let [twice, commit, disk] = host.calls_twice(TWICE).await;
        keep(|times| &mut times.twice, twice);
        keep(|times| &mut times.commit, commit);
        keep(|times| &mut times.disk, disk);
        let [bare_twice, bare_commit] = bare.calls_with_commits(&rows, TWICE).await;
        keep(|times| &mut times.bare_twice, bare_twice);
        keep(|times| &mut times.bare_commit, bare_commit);
        #[cfg(feature = "peer")]
        keep(|times| &mut times.peer_twice, peer.calls("ask_roots", TWICE).await);
    }
    host.stop().await;
    times
}

fn report(times: &Times) -> ExitCode {
    let against = |list: &[f64], base: &[f64]| {
        median(
            &list
                .iter()
                .zip(base)
                .map(|(time, base)| time / base)
                .collect::<Vec<_>>(),
        )
    };
    let ratio = |list: &[f64]| against(list, &times.bare);
    let beside =
        |all: &[f64], part: &[f64]| -> Vec<f64> { all.iter().zip(part).map(|(all, part)| all - part).collect() };
    println!(
        "{:<58} {:>9} {:>7} {:>7}",
        "median of turns, interleaved", "µs", "× bare", "at most"
    );
    let line = |what: &str, list: &[f64], most: Option<f64>| {
        if list.is_empty() {
            println!("{what:<58} {:>9}", "not built");
            return true;
        }
        let most_shown = most.map(|most| format!("{most:.1}")).unwrap_or_default();
        println!("{what:<58} {:>9.1} {:>7.2} {most_shown:>7}", median(list), ratio(list));
        most.is_none_or(|most| ratio(list) <= most)
    };
    line("a bare loop on tokio and serde_json", &times.bare, None);
    line("the same call through the exchange", &times.client, None);
    let one = line("the same call through Gatehouse", &times.host, Some(ONE));
    line("the same call through the official Rust SDK", &times.peer, None);
    line("a call of two rounds through Gatehouse, by a grant", &times.twice, None);
    line("  the commit of the record in it", &times.commit, None);
    let rest = beside(&times.twice, &times.commit);
    let asked = line("  the rest", &rest, Some(TWO));
    line("  its whole visit to the disk", &times.disk, None);
    line("  the rest", &beside(&times.twice, &times.disk), None);
    line(
        "two bare round trips with such a commit between",
        &times.bare_twice,
        None,
    );
    line("  the commit in it", &times.bare_commit, None);
    line("  the rest", &beside(&times.bare_twice, &times.bare_commit), None);
    let two = against(&times.twice, &times.bare_twice);
    println!(
        "{:<58} {:>9} {two:>7.2} {TWO_LIKE:>7.1}",
        "two rounds through Gatehouse, in these", ""
    );
    line(
        "a call of two rounds through the SDK, with no record",
        &times.peer_twice,
        None,
    );
    if !asked {
        println!(
            "Beside the commit, two rounds cost more than {TWO} bare round trips. The lines of the bare loop say how much of that is the waking after the disk."
        );
    }
    let two = two <= TWO_LIKE;
    if one && two {
        return ExitCode::SUCCESS;
    }
    println!("Gatehouse costs more than it may.");
    ExitCode::FAILURE
}

fn median(list: &[f64]) -> f64 {
    let mut sorted = list.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}
