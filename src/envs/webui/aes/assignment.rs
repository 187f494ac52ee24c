//! The assignment with the least cost, and among equal ones the one of the reference library.
//!
//! Which of several equally cheap targets stays without a partner decides scores, so the order of ties is part of the
//! metric: shortest augmenting paths from the rows in order (D. F. Crouse, On implementing 2D rectangular assignment
//! algorithms, 2016), where a search visits the columns from the last to the first, moves the last unvisited column to
//! the place of a visited one, and prefers a free column among equally near ones.

/// A matrix of costs. No cost may be infinite or not a number.
#[derive(Clone, Debug)]
pub(super) struct Costs {
    rows: usize,
    columns: usize,
    values: Vec<f64>,
}

impl Costs {
    /// A matrix whose rows have this many columns each.
    pub(super) fn new(rows: usize, columns: usize, values: Vec<f64>) -> Self {
        debug_assert_eq!(rows * columns, values.len());
        Self { rows, columns, values }
    }

    pub(super) fn at(&self, row: usize, column: usize) -> f64 {
        self.values[row * self.columns + column]
    }

    fn row(&self, row: usize) -> &[f64] {
        &self.values[row * self.columns..][..self.columns]
    }

    fn transposed(&self) -> Self {
        let column = |column| (0..self.rows).map(move |row| self.at(row, column));
        Self::new(self.columns, self.rows, (0..self.columns).flat_map(column).collect())
    }
}

/// The column of each row; with fewer columns than rows some rows have none.
pub(super) fn assign(costs: &Costs) -> Vec<Option<usize>> {
    if costs.columns >= costs.rows {
        return Search::solved(costs).column_of_row;
    }
    Search::solved(&costs.transposed()).row_of_column
}

/// The state of the search, for at least as many columns as rows.
struct Search<'a> {
    costs: &'a Costs,
    row_prices: Vec<f64>,
    column_prices: Vec<f64>,
    column_of_row: Vec<Option<usize>>,
    row_of_column: Vec<Option<usize>>,
    /// Columns that this path search has not visited.
    unvisited: Vec<usize>,
    visited: Vec<usize>,
    visited_rows: Vec<usize>,
    /// The cost of the shortest path to each column, and the row before it.
    distance: Vec<f64>,
    from: Vec<usize>,
}

impl<'a> Search<'a> {
    fn solved(costs: &'a Costs) -> Self {
        let rows = costs.rows;
        let columns = costs.columns;
        let mut search = Self {
            costs,
            row_prices: vec![0.0; rows],
            column_prices: vec![0.0; columns],
            column_of_row: vec![None; rows],
            row_of_column: vec![None; columns],
            unvisited: Vec::with_capacity(columns),
            visited: Vec::with_capacity(columns),
            visited_rows: Vec::with_capacity(rows),
            distance: vec![f64::INFINITY; columns],
            from: vec![0; columns],
        };
        for row in 0..rows {
            search.add(row);
        }
        search
    }

    /// Assigns one more row.
    fn add(&mut self, row: usize) {
        let Some((sink, length)) = self.shortest_path(row) else { return };
        self.reprice(row, length);
        self.augment(sink);
    }

    /// The free column at the end of the shortest path from a row, and the path's cost.
    fn shortest_path(&mut self, start: usize) -> Option<(usize, f64)> {
        self.unvisited.clear();
        self.unvisited.extend((0..self.costs.columns).rev());
        self.visited.clear();
        self.visited_rows.clear();
        self.distance.fill(f64::INFINITY);
        let mut row = start;
        let mut length = 0.0;
        loop {
            self.visited_rows.push(row);
            let nearest = self.relax(row, length)?;
            let column = self.unvisited.swap_remove(nearest);
            self.visited.push(column);
            length = self.distance[column];
            match self.row_of_column[column] {
                Some(next) => row = next,
                None => return Some((column, length)),
            }
        }
    }

    /// Extends the paths over a row, and finds the place of the nearest unvisited column.
    fn relax(&mut self, row: usize, length: f64) -> Option<usize> {
        let mut nearest = None;
        let mut least = f64::INFINITY;
        let costs = self.costs.row(row);
        let row_price = self.row_prices[row];
        for (place, &column) in self.unvisited.iter().enumerate() {
            let reached = length + costs[column] - row_price - self.column_prices[column];
            let distance = &mut self.distance[column];
            if reached < *distance {
                *distance = reached;
                self.from[column] = row;
            }
            if *distance < least || (*distance == least && self.row_of_column[column].is_none()) {
                (nearest, least) = (Some(place), *distance);
            }
        }
        nearest
    }

    fn reprice(&mut self, start: usize, length: f64) {
        self.row_prices[start] += length;
        for &row in &self.visited_rows {
            if let Some(column) = self.column_of_row[row].filter(|_| row != start) {
                self.row_prices[row] += length - self.distance[column];
            }
        }
        for &column in &self.visited {
            self.column_prices[column] -= length - self.distance[column];
        }
    }

    /// Exchanges the partners along the path that ends at a column.
    fn augment(&mut self, sink: usize) {
        let mut next = Some(sink);
        while let Some(column) = next {
            let row = self.from[column];
            self.row_of_column[column] = Some(row);
            next = self.column_of_row[row].replace(column);
        }
    }
}
