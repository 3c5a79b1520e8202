//! The state between two rounds, as the client carries it: readable, with a version and a checksum in front.
//!
//! The checksum finds a state that was cut, mixed up or edited. It is no signature: a real server that trusts its state must
//! seal it with a key. Nothing of value hangs on this one.

use super::reply::Failure;

const PREFIX: &str = "demo1";

/// Wraps what must come back.
pub fn seal(content: &str) -> String {
    format!("{PREFIX}.{:016x}.{content}", checksum(content))
}

/// Unwraps what came back.
pub fn open(state: &str) -> Result<&str, Failure> {
    let refused = || Failure::invalid("requestState is not one that this server gave, or it was changed on the way");
    let mut parts = state.splitn(3, '.');
    let (Some(PREFIX), Some(sum), Some(content)) = (parts.next(), parts.next(), parts.next()) else {
        return Err(refused());
    };
    if sum == format!("{:016x}", checksum(content)) {
        Ok(content)
    } else {
        Err(refused())
    }
}

/// FNV-1a over the content and the server's name for it.
fn checksum(content: &str) -> u64 {
    PREFIX
        .bytes()
        .chain(content.bytes())
        .fold(0xcbf2_9ce4_8422_2325, |sum, byte| {
            (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
}
