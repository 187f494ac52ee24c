//! The state of the dialog that gives the seat to another agent: which one, and for how many steps.

/// The most digits of a number of steps.
const MAX_DIGITS: usize = 6;

/// The dialog. Its rows are the agents that the snapshot lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SeatSheet {
    selected: usize,
    /// The number of steps as typed; empty for all that follow.
    digits: String,
    /// The beginning of the name that is being typed.
    name: String,
}

impl SeatSheet {
    /// The dialog with this row selected.
    pub(crate) fn new(selected: usize) -> Self {
        Self { selected, ..Self::default() }
    }

    /// The index of the selected row of so many.
    pub(crate) fn selected(&self, count: usize) -> usize {
        self.selected.min(count.saturating_sub(1))
    }

    /// Moves the selection; it stops at both ends.
    pub(crate) fn select_by(&mut self, by: isize, count: usize) {
        self.selected = self.selected(count).saturating_add_signed(by).min(count.saturating_sub(1));
        self.name.clear();
    }

    /// Whether a name is being typed, so that letters are a part of it.
    pub(crate) fn is_naming(&self) -> bool {
        !self.name.is_empty()
    }

    /// Adds a letter to the name that is typed, and selects the first agent whose name begins so; a letter that goes on no
    /// name begins another one. False if it begins none either.
    pub(crate) fn type_name(&mut self, letter: char, names: &[&str]) -> bool {
        for begun in [format!("{}{letter}", self.name), letter.to_string()] {
            if let Some(row) = names.iter().position(|name| name.starts_with(&begun)) {
                (self.selected, self.name) = (row, begun);
                return true;
            }
        }
        false
    }

    /// Adds a digit to the number of steps, which does not begin with 0.
    pub(crate) fn push(&mut self, digit: char) {
        self.name.clear();
        let is_leading_zero = digit == '0' && self.digits.is_empty();
        if digit.is_ascii_digit() && !is_leading_zero && self.digits.len() < MAX_DIGITS {
            self.digits.push(digit);
        }
    }

    pub(crate) fn backspace(&mut self) {
        self.digits.pop();
    }

    /// For how many steps; `None` for all that follow.
    pub(crate) fn steps(&self) -> Option<u32> {
        self.digits.parse().ok()
    }
}
