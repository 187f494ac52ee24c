//! Layouts for tables that are wider than the terminal.

use super::table::{GAP, align_columns, column_widths, wrap_last_column, wrap_rows};

type Rows = Vec<Vec<String>>;

/// Splits a table into as few blocks as fit into `wide` columns, separated by an empty line. Each block
/// repeats the first `same` columns.
pub(super) fn column_blocks(rows: &[Vec<String>], same: usize, wide: usize) -> Vec<String> {
    let widths = column_widths(rows);
    let before: usize = widths.iter().take(same).map(|width| width + GAP.len()).sum();
    let mut starts = vec![same];
    let mut taken = before;
    for (column, width) in widths.iter().enumerate().skip(same) {
        if taken > before && taken + width > wide {
            starts.push(column);
            taken = before;
        }
        taken += width + GAP.len();
    }
    let ends = starts.iter().skip(1).copied().chain([widths.len()]);
    let block = |(start, end): (&usize, usize)| -> Rows {
        let cut = |row: &Vec<String>| {
            let further = row.iter().take(end).skip(*start);
            row.iter().take(same).chain(further).cloned().collect()
        };
        wrap_last_column(&rows.iter().map(cut).collect::<Vec<_>>(), wide)
    };
    let blocks: Vec<Vec<String>> = starts.iter().zip(ends).map(|ends| align_columns(&block(ends))).collect();
    blocks.join(&String::new())
}

/// Aligns a table that fits into `wide` columns. Otherwise the first cell of each row gets its own line, with
/// the other cells indented below it.
pub(super) fn stacked_entries(rows: &[Vec<String>], wide: usize) -> Vec<String> {
    let all: usize = column_widths(rows).iter().map(|width| width + GAP.len()).sum();
    if all <= wide + GAP.len() {
        return align_columns(rows);
    }
    let below = |row: &Vec<String>| [String::new()].into_iter().chain(row.iter().skip(1).cloned()).collect();
    let below = wrap_rows(&rows.iter().map(below).collect::<Vec<_>>(), wide);
    let mut lines = align_columns(&below.concat()).into_iter();
    let entry = |(row, below): (&Vec<String>, &Rows)| {
        let first = row.first().cloned().unwrap_or_default();
        [first].into_iter().chain(lines.by_ref().take(below.len())).collect::<Vec<_>>()
    };
    rows.iter().zip(&below).flat_map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Rows {
        let row = |cells: [&str; 4]| cells.map(str::to_owned).to_vec();
        vec![row(["who", "score", "errors", "ended"]), row(["oracle", "100", "2 of 30", "3 won, 2 left"])]
    }

    #[test]
    fn a_wide_table_is_split_into_blocks_that_repeat_the_first_column() {
        let whole = ["who     score  errors   ended", "oracle  100    2 of 30  3 won, 2 left"];
        assert_eq!(column_blocks(&rows(), 1, 37), whole);
        let first = ["who     score  errors", "oracle  100    2 of 30"];
        let second = ["who     ended", "oracle  3 won, 2 left"];
        assert_eq!(column_blocks(&rows(), 1, 36), [&first[..], &[""], &second].concat());
        assert_eq!(column_blocks(&rows(), 1, 4).len(), 8, "a block has at least one column");
        assert_eq!(column_blocks(&[], 1, 80), [""; 0]);
    }

    #[test]
    fn a_wide_row_continues_below_its_first_cell() {
        assert_eq!(stacked_entries(&rows(), 37), align_columns(&rows()));
        let laid = ["who", "  score  errors   ended", "oracle", "  100    2 of 30  3 won, 2 left"];
        assert_eq!(stacked_entries(&rows(), 36), laid);
        let row = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
        let long = [row(["a", "words that go on and on and on"]), row(["b", "few"])];
        let laid = ["a", "  words that go on and", "  on and on", "b", "  few"];
        assert_eq!(stacked_entries(&long, 24), laid);
    }
}
