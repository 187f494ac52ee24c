//! The parts of a session's name.

use std::time::Duration;

use time::OffsetDateTime;

/// `20261120-110234-417` for that moment in UTC.
pub(super) fn timestamp(started: Duration) -> String {
    let seconds = i64::try_from(started.as_secs()).unwrap_or_default();
    let time = OffsetDateTime::from_unix_timestamp(seconds).unwrap_or(OffsetDateTime::UNIX_EPOCH);
    let date = time.date();
    let clock = time.time();
    format!(
        "{:04}{:02}{:02}-{:02}{:02}{:02}-{:03}",
        date.year(),
        u8::from(date.month()),
        date.day(),
        clock.hour(),
        clock.minute(),
        clock.second(),
        started.subsec_millis()
    )
}

/// Whether this is what [`timestamp`] returns.
pub(super) fn is_timestamp(text: &str) -> bool {
    let fits =
        |(at, byte): (usize, u8)| if matches!(at, 8 | 15) { byte == b'-' } else { byte.is_ascii_digit() };
    text.len() == 19 && text.bytes().enumerate().all(fits)
}

/// The label as part of a file name: lower-case letters, digits and single dashes, 40 at most.
pub(super) fn slug(label: &str) -> String {
    let mut name = String::new();
    for c in label.chars().take(40) {
        match c {
            c if c.is_ascii_alphanumeric() => name.push(c.to_ascii_lowercase()),
            _ if name.ends_with('-') || name.is_empty() => {}
            _ => name.push('-'),
        }
    }
    name.trim_end_matches('-').to_owned()
}
