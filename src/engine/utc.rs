//! Points in time as people read them.

use time::OffsetDateTime;

/// The minute of a time in seconds since 1970-01-01 UTC, such as `2026-11-20 11:02`; the first one if it is out of range.
pub fn utc_minute(seconds: u64) -> String {
    let seconds = i64::try_from(seconds).unwrap_or_default();
    let time = OffsetDateTime::from_unix_timestamp(seconds).unwrap_or(OffsetDateTime::UNIX_EPOCH);
    let month = u8::from(time.month());
    let day = time.day();
    format!("{:04}-{month:02}-{day:02} {:02}:{:02}", time.year(), time.hour(), time.minute())
}

/// The second of such a time by ISO 8601, such as `2026-11-20T11:02:59Z`.
pub fn utc_second(seconds: u64) -> String {
    format!("{}:{:02}Z", utc_minute(seconds).replace(' ', "T"), seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_shown_to_the_minute() {
        assert_eq!(utc_minute(1_763_636_579), "2025-11-20 11:02");
        assert_eq!(utc_second(1_763_636_579), "2025-11-20T11:02:59Z");
        assert_eq!(utc_minute(u64::MAX), "1970-01-01 00:00");
    }
}
