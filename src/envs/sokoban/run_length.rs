//! Run-length encoding of board rows in collections: `3#` for `###`, `|` between rows.

use std::borrow::Cow;

/// The rows of a line, at most `side` rows of at most `side` characters. An error is the column, from 0,
/// and the reason.
pub(super) fn expand_rows(line: &str, side: usize) -> Result<Vec<Cow<'_, str>>, (usize, String)> {
    if !line.contains(|c: char| c == '|' || c.is_ascii_digit()) {
        return Ok(vec![Cow::Borrowed(line)]);
    }
    let mut start = 0;
    let mut rows = Vec::new();
    for packed in line.trim_end().trim_end_matches('|').split('|') {
        if rows.len() == side {
            return Err((start, format!("more than {side} rows in one line")));
        }
        rows.push(Cow::Owned(expand(packed, side).map_err(|(at, why)| (start + at, why))?));
        start += packed.chars().count() + 1;
    }
    Ok(rows)
}

/// Expands run lengths, to at most `most` characters. An error is the column, from 0, and the reason.
pub(super) fn expand(packed: &str, most: usize) -> Result<String, (usize, String)> {
    let mut row = String::new();
    let mut length = 0;
    let mut count = None;
    for (at, c) in packed.chars().enumerate() {
        if let Some(digit) = c.to_digit(10) {
            count = Some(count.unwrap_or(0_usize).saturating_mul(10).saturating_add(digit as usize));
            continue;
        }
        let times = count.take().unwrap_or(1);
        length += times.min(most + 1);
        if length > most {
            return Err((at, format!("a run length beyond the limit of {most}")));
        }
        row.extend(std::iter::repeat_n(c, times));
    }
    match count {
        Some(_) => Err((packed.chars().count(), "a run length without a character".to_owned())),
        None => Ok(row),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_and_rows_are_expanded() {
        for (line, found) in [
            ("#@$.#", vec!["#@$.#"]),
            ("5#", vec!["#####"]),
            ("-3#2-", vec!["-###--"]),
            ("3#|#@|12-", vec!["###", "#@", "------------"]),
            ("3#|#|", vec!["###", "#"]),
        ] {
            assert_eq!(expand_rows(line, 256).unwrap(), found, "{line}");
        }
    }

    #[test]
    fn oversized_and_incomplete_runs_are_refused_with_the_column() {
        for (line, column, says) in [
            ("999999999999999999999#", 21, "limit of 8"),
            ("#|9#", 3, "limit of 8"),
            ("##4", 3, "without a character"),
            ("|||||||||#", 8, "more than 8 rows"),
        ] {
            let (at, reason) = expand_rows(line, 8).unwrap_err();
            assert!(at == column && reason.contains(says), "{line}: {at} {reason}");
        }
    }
}
