//! The one place that reads the clock. Not a scheduler.

use std::time::UNIX_EPOCH;

use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// Now, in milliseconds since 1970, UTC.
pub fn now() -> u64 {
    #[allow(clippy::disallowed_methods, reason = "this is the place that hands the clock in")]
    let since = std::time::SystemTime::now().duration_since(UNIX_EPOCH);
    since
        .map(|d| u64::try_from(d.as_millis()).unwrap_or(u64::MAX))
        .unwrap_or(0)
}

/// A moment in milliseconds since 1970 as RFC 3339 with milliseconds, UTC.
pub fn rfc3339(millis: u64) -> String {
    let (seconds, rest) = (millis / 1000, millis % 1000);
    let moment = i64::try_from(seconds)
        .ok()
        .and_then(|s| OffsetDateTime::from_unix_timestamp(s).ok());
    let Some(moment) = moment else {
        return format!("{millis} ms");
    };
    format!(
        "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{rest:03}Z",
        moment.year(),
        u8::from(moment.month()),
        moment.day(),
        moment.hour(),
        moment.minute(),
        moment.second()
    )
}

/// Reads a moment that a person wrote: RFC 3339, a date, or an age such as `15m`, `2h`, `3d` before `now`.
pub fn parse(text: &str, now: u64) -> Option<u64> {
    let text = text.trim();
    if let Some((unit, number)) = text.chars().last().zip(text.get(..text.len().saturating_sub(1)))
        && let Ok(n) = number.parse::<u64>()
    {
        let millis = match unit {
            's' => 1_000,
            'm' => 60_000,
            'h' => 3_600_000,
            'd' => 86_400_000,
            _ => return None,
        };
        return Some(now.saturating_sub(n.saturating_mul(millis)));
    }
    let full = if text.len() == 10 {
        format!("{text}T00:00:00Z")
    } else {
        text.to_owned()
    };
    let moment = OffsetDateTime::parse(&full, &Rfc3339).ok()?;
    u64::try_from(moment.unix_timestamp_nanos() / 1_000_000).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_and_read() {
        assert_eq!(rfc3339(1_790_000_000_123), "2026-09-21T14:13:20.123Z");
        assert_eq!(parse("2026-09-21T14:13:20.123Z", 0), Some(1_790_000_000_123));
        assert_eq!(parse("2026-09-21", 0), Some(1_789_948_800_000));
        assert_eq!(parse("2h", 10_000_000), Some(2_800_000));
        assert_eq!(parse("soon", 0), None);
    }
}
