//! The order of the table of cells.

use std::cmp::{Ordering, Reverse};

use super::content::Content;
use super::view::CellView;

/// What the table is sorted by. Cells that are equal in it keep the order of the plan, and cells without a value are last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum SortColumn {
    /// The order of the plan.
    #[default]
    Plan,
    /// What needs attention first: running, failed, parked, queued, done.
    State,
    /// The highest first, as in all that follow.
    Score,
    Difference,
    Cost,
    Tokens,
    Errors,
}

impl SortColumn {
    const ALL: [Self; 7] =
        [Self::Plan, Self::State, Self::Score, Self::Difference, Self::Cost, Self::Tokens, Self::Errors];

    /// The one after this.
    pub(super) fn next(self) -> Self {
        let at = Self::ALL.iter().position(|column| *column == self).unwrap_or(0);
        Self::ALL[(at + 1) % Self::ALL.len()]
    }

    /// The title of the column, with a mark.
    pub(super) fn title(self, column: &str) -> String {
        let mark = if self == Self::State { "▲" } else { "▼" };
        if self.column() == Some(column) { format!("{column}{mark}") } else { column.to_owned() }
    }

    /// What the order is, in words.
    pub(super) fn name(self) -> &'static str {
        self.column().unwrap_or("plan")
    }

    /// The order with this name, if there is one.
    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|column| column.name() == name)
    }

    /// The names of all orders.
    pub(super) fn names() -> [&'static str; 7] {
        Self::ALL.map(Self::name)
    }

    fn column(self) -> Option<&'static str> {
        match self {
            Self::Plan => None,
            Self::State => Some("state"),
            Self::Score => Some("score"),
            Self::Difference => Some("difference"),
            Self::Cost => Some("cost"),
            Self::Tokens => Some("tokens"),
            Self::Errors => Some("errors"),
        }
    }

    /// Sorts the indexes of cells.
    pub(super) fn sort(self, indexes: &mut [usize], content: &Content) {
        let cells = &content.view.cells;
        let highest = |value: fn(&CellView) -> Option<f64>| {
            move |one: &usize, other: &usize| falling(value(&cells[*one]), value(&cells[*other]))
        };
        match self {
            Self::Plan => {}
            Self::State => indexes.sort_by_key(|index| cells[*index].state),
            Self::Score => indexes.sort_by(highest(|cell| cell.score)),
            Self::Difference => {
                let points = |index: &usize| content.difference(*index).map(|found| found.points);
                indexes.sort_by(|one, other| falling(points(one), points(other)));
            }
            Self::Cost => {
                // Amounts in several currencies are not compared.
                let key = |index: &usize| {
                    let cost = cells[*index].cost.as_ref();
                    let currency = cost.map(|(_, currency)| currency.clone());
                    (cost.is_none(), currency, Reverse(cost.map(|(amount, _)| *amount)))
                };
                indexes.sort_by_cached_key(key);
            }
            Self::Tokens => {
                indexes.sort_by_key(|index| Reverse(cells[*index].tokens));
            }
            Self::Errors => indexes.sort_by_key(|index| Reverse(cells[*index].error_count())),
        }
    }
}

/// The higher value first, and none last.
fn falling(one: Option<f64>, other: Option<f64>) -> Ordering {
    match (one, other) {
        (Some(one), Some(other)) => other.total_cmp(&one),
        (one, other) => other.is_some().cmp(&one.is_some()),
    }
}
