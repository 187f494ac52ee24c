//! Tables of numbers, narrow enough for 80 columns: names on the left, numbers under one another.

use unicode_width::UnicodeWidthStr;

use crate::cli::output::columns;

/// Rows of cells as lines; every column but the first ends where its widest cell does.
pub(super) fn lines(mut rows: Vec<Vec<String>>) -> Vec<String> {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    for column in 1..count {
        let widest =
            rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.width()).max().unwrap_or(0);
        for cell in rows.iter_mut().filter_map(|row| row.get_mut(column)) {
            cell.insert_str(0, &" ".repeat(widest - cell.width()));
        }
    }
    columns(&rows)
}

/// A whole number with a comma for each thousand.
pub(super) fn grouped(value: f64) -> String {
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
    fn thousands_are_set_apart() {
        assert_eq!([1.0, 999.4, 1000.0, 123_456_789.0].map(grouped), ["1", "999", "1,000", "123,456,789"]);
    }

    #[test]
    fn numbers_end_under_one_another() {
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        assert_eq!(
            lines(vec![row(["a", "1", "23"]), row(["bc", "456", "7"])]),
            ["a     1  23", "bc  456   7"]
        );
    }
}
