//! Numbers, counts and durations as text.

use std::time::Duration;

/// A number with its sign, such as `+4.5`, `−0.5`, `0`.
pub fn signed(value: f64) -> String {
    match value {
        value if value > 0.0 => format!("+{}", decimal(value)),
        value if value < 0.0 => format!("−{}", decimal(-value)),
        _ => "0".into(),
    }
}

/// A number with at most two decimals, without trailing zeros.
pub fn decimal(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.into() }
}

/// A count with its noun, such as `1 step`, `2 steps`.
pub fn count_of(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Converts a count of lines or columns; larger values become `u16::MAX`.
pub fn to_cells(count: usize) -> u16 {
    u16::try_from(count).unwrap_or(u16::MAX)
}

/// A pause between steps, such as `300 ms`.
pub fn delay(pause: Duration) -> String {
    match pause.as_millis() {
        0 => "no pause".into(),
        ms if ms < 1000 => format!("{ms} ms"),
        ms => format!("{} s", f64::from(u32::try_from(ms).unwrap_or(u32::MAX)) / 1000.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_a_sign_and_no_trailing_zeros() {
        for (value, with_sign) in
            [(0.0, "0"), (-0.0, "0"), (4.5, "+4.5"), (-0.5, "−0.5"), (54.0, "+54"), (1.0 / 3.0, "+0.33")]
        {
            assert_eq!(signed(value), with_sign);
        }
        assert_eq!((decimal(100.0).as_str(), decimal(-0.001).as_str()), ("100", "0"));
    }
}
