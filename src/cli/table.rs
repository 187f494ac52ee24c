//! Aligns rows of cells in columns and wraps the last column.

use unicode_width::UnicodeWidthStr;

use mageyard_domain::sanitize;
use mageyard_terminal::break_line;

/// The minimum width for wrapping the last column; below it the terminal breaks the lines.
const MIN_WRAP_WIDTH: usize = 20;

/// Wraps the last column so that rows fit into `wide` columns; each further line becomes a row.
pub(super) fn wrap_last_column(rows: &[Vec<String>], wide: usize) -> Vec<Vec<String>> {
    wrap_rows(rows, wide).concat()
}

/// The same, with the lines of each row kept together.
pub(super) fn wrap_rows(rows: &[Vec<String>], wide: usize) -> Vec<Vec<Vec<String>>> {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let before =
        column_widths(rows).iter().take(count.saturating_sub(1)).map(|width| width + GAP.len()).sum();
    let room = wide.saturating_sub(before);
    let fold = |row: &Vec<String>| match row.split_last() {
        Some((last, others)) if row.len() == count && room >= MIN_WRAP_WIDTH => {
            let mut cells = others.to_vec();
            let rows = break_line(&sanitize(last), room).into_iter().map(|line| {
                let others = std::mem::replace(&mut cells, vec![String::new(); others.len()]);
                others.into_iter().chain([line]).collect()
            });
            rows.collect()
        }
        _ => vec![row.clone()],
    };
    rows.iter().map(fold).collect()
}

/// The gap between two columns.
pub(super) const GAP: &str = "  ";

pub(super) fn column_widths(rows: &[Vec<String>]) -> Vec<usize> {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.width()).max();
    (0..count).map(|column| width(column).unwrap_or(0)).collect()
}

/// Aligns cells in columns, each as wide as its widest cell. The last column is not padded.
pub(crate) fn align_columns(rows: &[Vec<String>]) -> Vec<String> {
    let widths = column_widths(rows);
    let pad = |(cell, wide): (&String, &usize)| format!("{cell}{}", " ".repeat(wide - cell.width()));
    let line = |row: &Vec<String>| row.iter().zip(&widths).map(pad).collect::<Vec<_>>().join(GAP);
    rows.iter().map(|row| line(row).trim_end().to_owned()).collect()
}

/// The same with every column but the first aligned to the right.
pub(crate) fn align_numbers(rows: Vec<Vec<String>>) -> Vec<String> {
    align_columns(&right_aligned(rows))
}

/// Pads the cells of every column but the first on the left.
pub(crate) fn right_aligned(mut rows: Vec<Vec<String>>) -> Vec<Vec<String>> {
    let widths = column_widths(&rows);
    for row in &mut rows {
        for (cell, wide) in row.iter_mut().zip(&widths).skip(1) {
            cell.insert_str(0, &" ".repeat(wide - cell.width()));
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_column_is_wrapped_beside_the_others() {
        let row = |cells: [&str; 3]| cells.map(String::from).to_vec();
        let rows = [row(["ok", "one", "short"]), row(["FAIL", "two", "a sentence that runs on and on"])];
        assert_eq!(
            align_columns(&wrap_last_column(&rows, 32)),
            ["ok    one  short", "FAIL  two  a sentence that runs", "           on and on"]
        );
        assert_eq!(wrap_last_column(&rows, 30), rows, "unchanged when there is no room");
        let lines = align_columns(&wrap_last_column(&rows, 40));
        assert!(lines.iter().all(|line| line.width() <= 40), "{lines:?}");
    }

    #[test]
    fn numbers_are_aligned_to_the_right() {
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        assert_eq!(
            align_numbers(vec![row(["a", "1", "23"]), row(["bc", "456", "7"])]),
            ["a     1  23", "bc  456   7"]
        );
    }
}
