//! The difference of two sequences: which elements they have in common, in order.
//!
//! It is our own: a table of common elements is 40 lines of code, needs no clock to stay within its limit, and gives the
//! same result everywhere. Sequences that are long and differ much are not compared: all elements count as changed.

use std::ops::Range;

/// The most pairs of elements that are compared, after equal ones at the beginning and the end were set aside.
pub const MAX_COMPARED_PAIRS: usize = 4_000_000;

/// What happened to an element, with its indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SequenceChange {
    /// Both sequences have it: the index in the old one, and in the new one.
    Same(usize, usize),
    /// Only the old one has it.
    Removed(usize),
    /// Only the new one has it.
    Added(usize),
}

/// The elements of both sequences in order: removed ones before those that replace them.
pub fn sequence_changes<T: PartialEq>(old: &[T], new: &[T]) -> Vec<SequenceChange> {
    let (start, end) = common_ends(old, new);
    let old_end = old.len() - end;
    let new_end = new.len() - end;
    let mut changes: Vec<_> = (0..start).map(|at| SequenceChange::Same(at, at)).collect();
    changes.extend(middle_changes(old, new, start..old_end, start..new_end));
    changes.extend((0..end).map(|at| SequenceChange::Same(old_end + at, new_end + at)));
    changes
}

/// How many elements two sequences have in common at the beginning, and how many of the others at the end.
pub fn common_ends<T: PartialEq>(old: &[T], new: &[T]) -> (usize, usize) {
    let equal = |pair: &(&T, &T)| pair.0 == pair.1;
    let start = old.iter().zip(new).take_while(equal).count();
    let end = old[start..].iter().rev().zip(new[start..].iter().rev()).take_while(equal).count();
    (start, end)
}

fn middle_changes<T: PartialEq>(
    old: &[T],
    new: &[T],
    from: Range<usize>,
    to: Range<usize>,
) -> Vec<SequenceChange> {
    if from.len().saturating_mul(to.len()) > MAX_COMPARED_PAIRS {
        return from.map(SequenceChange::Removed).chain(to.map(SequenceChange::Added)).collect();
    }
    let common = CommonElements::new(&old[from.clone()], &new[to.clone()]);
    let mut x = from.start;
    let mut y = to.start;
    let mut changes = Vec::new();
    while x < from.end || y < to.end {
        let dx = x - from.start;
        let dy = y - to.start;
        if x < from.end && y < to.end && old[x] == new[y] {
            changes.push(SequenceChange::Same(x, y));
            (x, y) = (x + 1, y + 1);
        } else if x < from.end && (y == to.end || common.at(dx + 1, dy) >= common.at(dx, dy + 1)) {
            changes.push(SequenceChange::Removed(x));
            x += 1;
        } else {
            changes.push(SequenceChange::Added(y));
            y += 1;
        }
    }
    changes
}

/// How many elements the ends of two sequences have in common, in order, for each pair of starts.
struct CommonElements {
    counts: Vec<u32>,
    columns: usize,
}

impl CommonElements {
    fn new<T: PartialEq>(old: &[T], new: &[T]) -> Self {
        let columns = new.len() + 1;
        let mut table = Self { counts: vec![0; (old.len() + 1) * columns], columns };
        for x in (0..old.len()).rev() {
            for y in (0..new.len()).rev() {
                table.counts[x * columns + y] = if old[x] == new[y] {
                    table.at(x + 1, y + 1) + 1
                } else {
                    table.at(x + 1, y).max(table.at(x, y + 1))
                };
            }
        }
        table
    }

    fn at(&self, x: usize, y: usize) -> u32 {
        self.counts[x * self.columns + y]
    }
}
