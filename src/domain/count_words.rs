//! Counts in words, for messages.

/// `1 reply`, `2 replies`.
pub fn count_noun(count: usize, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

/// A whole number with a comma after each thousand.
pub fn with_thousands(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_separated_by_commas() {
        assert_eq!(
            [1.0, 999.4, 1000.0, 123_456_789.0].map(with_thousands),
            ["1", "999", "1,000", "123,456,789"]
        );
    }
}
