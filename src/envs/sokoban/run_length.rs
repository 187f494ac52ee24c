//! Run-length encoding of board rows in collections: `3#` for `###`, `|` between rows.

use std::borrow::Cow;

/// The rows of a line, at most `side` rows of at most `side` characters. An error is the column, from 0,
/// and the reason.
pub(super) fn expand_rows(line: &str, side: usize) -> Result<Vec<Cow<'_, str>>, (usize, String)> {
    if !line.contains(|c: char| matches!(c, '|' | '(' | ')') || c.is_ascii_digit()) {
        return Ok(vec![Cow::Borrowed(line)]);
    }
    if line.contains(['(', ')']) {
        return expand_groups(line, side);
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

/// The rows of a line with groups, which may contain the ends of rows.
fn expand_groups(line: &str, side: usize) -> Result<Vec<Cow<'_, str>>, (usize, String)> {
    let whole = expand(line.trim_end(), side * (side + 1))?;
    let rows: Vec<_> = whole.trim_end_matches('|').split('|').map(|row| Cow::Owned(row.to_owned())).collect();
    let is_long = |row: &Cow<'_, str>| row.chars().count() > side;
    match rows.iter().any(is_long) {
        _ if rows.len() > side => Err((0, format!("more than {side} rows in one line"))),
        true => Err((0, format!("a run length beyond the limit of {side}"))),
        false => Ok(rows),
    }
}

/// Expands run lengths, also of groups in parentheses such as `2(3#-)`, to at most `most` characters. An error is the
/// column, from 0, and the reason.
pub(super) fn expand(packed: &str, most: usize) -> Result<String, (usize, String)> {
    let mut row = Run::default();
    let mut outer: Vec<(usize, Run)> = Vec::new();
    let mut count = None;
    for (at, c) in packed.chars().enumerate() {
        if let Some(digit) = c.to_digit(10) {
            count = Some(count.unwrap_or(0_usize).saturating_mul(10).saturating_add(digit as usize));
            continue;
        }
        let times = if c == ')' && count.is_some() { None } else { Some(count.take().unwrap_or(1)) };
        let Some(times) = times else { return Err((at, NO_CHARACTER.to_owned())) };
        match c {
            '(' if outer.len() == MAX_DEPTH => {
                return Err((at, format!("more than {MAX_DEPTH} parentheses in each other")));
            }
            '(' => outer.push((times, std::mem::take(&mut row))),
            ')' => {
                let (times, before) =
                    outer.pop().ok_or((at, "a parenthesis that is not opened".to_owned()))?;
                let group = std::mem::replace(&mut row, before);
                row.push(&group.text, group.length, times, most).map_err(|why| (at, why))?;
            }
            c => row.push(c.encode_utf8(&mut [0; 4]), 1, times, most).map_err(|why| (at, why))?,
        }
    }
    match (count, outer.is_empty()) {
        (Some(_), _) => Err((packed.chars().count(), NO_CHARACTER.to_owned())),
        (None, false) => Err((packed.chars().count(), "a parenthesis that is not closed".to_owned())),
        (None, true) => Ok(row.text),
    }
}

const NO_CHARACTER: &str = "a run length without a character";

/// The most groups in each other.
const MAX_DEPTH: usize = 16;

/// Expanded text, and its length in characters.
#[derive(Default)]
struct Run {
    text: String,
    length: usize,
}

impl Run {
    fn push(&mut self, text: &str, length: usize, times: usize, most: usize) -> Result<(), String> {
        self.length = self.length.saturating_add(length.saturating_mul(times));
        if self.length > most {
            return Err(format!("a run length beyond the limit of {most}"));
        }
        self.text.extend(std::iter::repeat_n(text, if length == 0 { 0 } else { times }));
        Ok(())
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
            ("2(#2(#))", vec!["######"]),
            ("2(3#(#-)#)", vec!["####-#####-#"]),
            ("2(#-|)2#", vec!["#-", "#-", "##"]),
            ("0(#)#", vec!["#"]),
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
            ("9(9(9(9(#))))", 10, "limit of 72"),
            ("9(|)#", 0, "more than 8 rows"),
            ("9(#)", 0, "limit of 8"),
            ("2(#", 3, "not closed"),
            ("#)", 1, "not opened"),
            ("(2)#", 2, "without a character"),
        ] {
            let (at, reason) = expand_rows(line, 8).unwrap_err();
            assert!(at == column && reason.contains(says), "{line}: {at} {reason}");
        }
    }
}
