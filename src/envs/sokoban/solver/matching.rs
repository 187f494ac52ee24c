//! The cheapest assignment of boxes to targets, kept up to date while rows change.
//!
//! The algorithm uses shortest augmenting paths (Kuhn, Munkres, Jonker). The crate `pathfinding` has it
//! too, and the tests compare the two; here a moved box costs one path instead of a whole assignment, and
//! nothing is allocated. For five boxes this took 61 ns, and the crate 565 ns (`benches/sokoban.rs`).

/// The cost of an impossible pair; real costs stay far below, so that sums stay in range.
pub(super) const NEVER: i32 = i32::MAX / 256;

/// An assignment of rows to as many columns. Inside, rows and columns count from 1.
#[derive(Clone, Debug, Default)]
pub(super) struct Matching {
    /// The price of each row and column.
    rows: Vec<i32>,
    columns: Vec<i32>,
    /// The row assigned to each column; 0 is none.
    row_of_column: Vec<usize>,
    least: Vec<i32>,
    from: Vec<usize>,
    visited: Vec<bool>,
}

impl Matching {
    /// An empty assignment of `size` rows.
    pub(super) fn new(size: usize) -> Self {
        let zeros = vec![0; size + 1];
        Self {
            rows: zeros.clone(),
            columns: zeros.clone(),
            row_of_column: vec![0; size + 1],
            least: zeros,
            from: vec![0; size + 1],
            visited: vec![false; size + 1],
        }
    }

    /// Assigns every row from scratch; false if a column must stay without a row.
    pub(super) fn solve(&mut self, cost: impl Fn(usize) -> usize, costs: &[i32]) -> bool {
        self.rows.fill(0);
        self.columns.fill(0);
        self.row_of_column.fill(0);
        (0..self.rows.len() - 1).all(|row| self.assign(row, &cost, costs))
    }

    /// Copies an assignment of the same size.
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.rows.copy_from_slice(&other.rows);
        self.columns.copy_from_slice(&other.columns);
        self.row_of_column.copy_from_slice(&other.row_of_column);
    }

    /// Unassigns a row whose costs have changed.
    pub(super) fn free(&mut self, row: usize) {
        self.rows[row + 1] = 0;
        if let Some(taken) = self.row_of_column[1..].iter_mut().find(|taken| **taken == row + 1) {
            *taken = 0;
        }
    }

    /// Assigns a column to a row that has none, at the least total cost. `cost` gives the offset of a row
    /// in `costs`. False if there is no assignment.
    pub(super) fn assign(&mut self, row: usize, cost: impl Fn(usize) -> usize, costs: &[i32]) -> bool {
        let size = self.rows.len();
        if let Some(found) = self.assign_nearest(row, &costs[cost(row)..][..size - 1]) {
            return found;
        }
        self.least.fill(i32::MAX);
        self.visited.fill(false);
        self.row_of_column[0] = row + 1;
        let mut at = 0;
        while self.row_of_column[at] != 0 {
            self.visited[at] = true;
            let row = self.row_of_column[at];
            let line = &costs[cost(row - 1)..][..size - 1];
            let mut step = i32::MAX;
            let mut nearest = 0;
            for column in 1..size {
                if self.visited[column] {
                    continue;
                }
                let now = line[column - 1] - self.rows[row] - self.columns[column];
                if line[column - 1] < NEVER && now < self.least[column] {
                    (self.least[column], self.from[column]) = (now, at);
                }
                if self.least[column] < step {
                    (step, nearest) = (self.least[column], column);
                }
            }
            if nearest == 0 {
                return false;
            }
            self.raise_prices(step);
            at = nearest;
        }
        while at != 0 {
            let before = self.from[at];
            self.row_of_column[at] = self.row_of_column[before];
            at = before;
        }
        true
    }

    /// Assigns a row its nearest column if that is free; `None` if it is taken.
    fn assign_nearest(&mut self, row: usize, line: &[i32]) -> Option<bool> {
        let mut least = NEVER;
        let mut nearest = None;
        for ((cost, paid), column) in line.iter().zip(&self.columns[1..]).zip(1..) {
            if *cost < NEVER && cost - paid < least {
                (least, nearest) = (cost - paid, Some(column));
            }
        }
        let Some(nearest) = nearest else { return Some(false) };
        if self.row_of_column[nearest] != 0 {
            return None;
        }
        (self.row_of_column[nearest], self.rows[row + 1]) = (row + 1, least);
        Some(true)
    }

    fn raise_prices(&mut self, step: i32) {
        for column in 0..self.rows.len() {
            if self.visited[column] {
                self.rows[self.row_of_column[column]] += step;
                self.columns[column] -= step;
            } else if self.least[column] != i32::MAX {
                self.least[column] -= step;
            }
        }
    }

    /// The total cost.
    pub(super) fn sum(&self) -> i32 {
        self.rows[1..].iter().chain(&self.columns[1..]).sum()
    }

    /// Pairs of row and column.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        self.row_of_column[1..].iter().enumerate().map(|(column, row)| (row - 1, column))
    }
}

#[cfg(test)]
mod tests {
    use pathfinding::kuhn_munkres::kuhn_munkres_min;
    use pathfinding::matrix::Matrix;
    use proptest::prelude::*;

    use super::*;

    fn least(costs: &[i32], size: usize) -> i32 {
        kuhn_munkres_min(&Matrix::from_vec(size, size, costs.to_vec()).unwrap()).0
    }

    proptest! {
        #[test]
        fn the_cost_agrees_with_the_crate_also_after_changes(
            size in 1..=6_usize,
            costs in prop::collection::vec(0..30_i32, 36),
            changes in prop::collection::vec((0..6_usize, prop::collection::vec(0..30_i32, 6)), 0..5),
        ) {
            let mut costs = costs[..size * size].to_vec();
            let mut matching = Matching::new(size);
            prop_assert!(matching.solve(|row| row * size, &costs));
            prop_assert_eq!(matching.sum(), least(&costs, size));
            for (row, line) in changes.into_iter().filter(|(row, _)| *row < size) {
                costs[row * size..][..size].copy_from_slice(&line[..size]);
                matching.free(row);
                prop_assert!(matching.assign(row, |row| row * size, &costs));
                prop_assert_eq!(matching.sum(), least(&costs, size));
                let sum: i32 = matching.pairs().map(|(row, column)| costs[row * size + column]).sum();
                prop_assert_eq!(matching.sum(), sum);
            }
        }
    }

    #[test]
    fn rows_that_need_the_same_column_have_no_assignment() {
        let costs = [3, NEVER, 4, NEVER];
        assert!(!Matching::new(2).solve(|row| row * 2, &costs));
        let costs = [3, NEVER, NEVER, 4];
        let mut matching = Matching::new(2);
        assert!(matching.solve(|row| row * 2, &costs));
        assert_eq!(matching.sum(), 7);
    }
}
