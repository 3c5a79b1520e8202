//! One monotonic clock for every process of a test, so that times in logs can be compared with times in the test.

/// Microseconds of the system's monotonic clock.
#[cfg(unix)]
pub fn now_us() -> u64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    u64::try_from(now.tv_sec).unwrap_or(0) * 1_000_000 + u64::try_from(now.tv_nsec).unwrap_or(0) / 1_000
}

/// Microseconds of the wall clock: Windows has no shared monotonic clock in the standard library.
#[cfg(not(unix))]
pub fn now_us() -> u64 {
    let since = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap_or_default();
    u64::try_from(since.as_micros()).unwrap_or(u64::MAX)
}
