//! Durations in words, for messages.

use std::time::Duration;

/// A duration in the two largest units that it has, such as `0.3 s`, `5 min 20 s`, `1 h` or `12 days 3 h`. It is cut, not
/// rounded, to whole units from a minute on.
pub fn duration_words(duration: Duration) -> String {
    const MINUTE: u64 = 60;
    const HOUR: u64 = 60 * MINUTE;
    const DAY: u64 = 24 * HOUR;
    let seconds = duration.as_secs();
    let pair = |large: (u64, &str), small: (u64, &str)| match seconds % large.0 / small.0 {
        0 => format!("{} {}", seconds / large.0, large.1),
        rest => format!("{} {} {rest} {}", seconds / large.0, large.1, small.1),
    };
    match seconds {
        0..MINUTE => format!("{} s", (duration.as_secs_f64() * 10.0).round() / 10.0),
        MINUTE..HOUR => pair((MINUTE, "min"), (1, "s")),
        HOUR..DAY => pair((HOUR, "h"), (MINUTE, "min")),
        _ if seconds < 2 * DAY => pair((HOUR, "h"), (MINUTE, "min")),
        _ if seconds <= 366 * DAY => pair((DAY, "days"), (HOUR, "h")),
        _ => "more than a year".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_has_at_most_two_units() {
        for (milliseconds, words) in [
            (0, "0 s"),
            (250, "0.3 s"),
            (59_000, "59 s"),
            (60_000, "1 min"),
            (320_500, "5 min 20 s"),
            (3_600_000, "1 h"),
            (5_405_000, "1 h 30 min"),
            (129_600_000, "36 h"),
            (1_047_600_000, "12 days 3 h"),
            (999_999_999_999_000, "more than a year"),
        ] {
            assert_eq!(duration_words(Duration::from_millis(milliseconds)), words);
        }
    }
}
