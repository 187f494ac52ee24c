//! The ledger of the memory window: for every past output and frame, in or out, and why.

use crate::domain::Window;

/// Whether something of the past is in the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// In the request.
    In,
    /// Out: the turn is older than the last AM outputs.
    OutsideAm,
    /// Out: the frame is older than the last OM frames; its turn keeps its place with a placeholder.
    OutsideOm,
    /// Out: the prompt variant sends no images.
    NoImages,
    /// There is none: the agent has not answered yet, or its turn had no reply.
    Absent,
}

impl Fate {
    /// Whether it is in the request.
    pub fn is_in(self) -> bool {
        self == Self::In
    }
}

/// What becomes of one step's output and frame in the next request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The step, from 1.
    pub step: u32,
    /// The output of the agent at that step.
    pub output: Fate,
    /// The frame it was shown at that step.
    pub frame: Fate,
}

/// One row a step, newest first; the first row is the step that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ledger(Vec<Row>);

impl Ledger {
    /// The rows, newest first.
    pub fn rows(&self) -> &[Row] {
        &self.0
    }

    /// How many images the request holds.
    pub fn images(&self) -> usize {
        self.0.iter().filter(|row| row.frame.is_in()).count()
    }

    /// How many past outputs the request holds.
    pub fn outputs(&self) -> usize {
        self.0.iter().filter(|row| row.output.is_in()).count()
    }
}

/// The ledger of the request for step `replied.len() + 1`. `replied` says for each past step,
/// oldest first, whether the agent gave an output at it; `images` whether the prompt variant sends any.
///
/// A frame is kept only when it is among the last OM and its turn among the last AM: with AM=3 and
/// OM=2 at step t+1 the request holds outputs t-2, t-1, t and frames t and t+1 (`MageBench`,
/// AM and OM).
pub fn ledger(window: Window, replied: &[bool], images: bool) -> Ledger {
    let now = replied.len();
    let first = Row { step: step(now), output: Fate::Absent, frame: frame(window, 0, images) };
    let past = replied.iter().enumerate().rev().map(|(index, &has_output)| {
        let age = now - index;
        Row { step: step(index), output: output(window, age, has_output), frame: frame(window, age, images) }
    });
    Ledger(std::iter::once(first).chain(past).collect())
}

fn step(index: usize) -> u32 {
    u32::try_from(index + 1).unwrap_or(u32::MAX)
}

fn output(window: Window, age: usize, present: bool) -> Fate {
    match (present, age <= usize::from(window.am())) {
        (false, _) => Fate::Absent,
        (true, true) => Fate::In,
        (true, false) => Fate::OutsideAm,
    }
}

/// The frame of age 0 is the current one, so `age < OM` keeps OM frames in all.
fn frame(window: Window, age: usize, images: bool) -> Fate {
    if !images {
        Fate::NoImages
    } else if age > usize::from(window.am()) {
        Fate::OutsideAm
    } else if age >= usize::from(window.om()) {
        Fate::OutsideOm
    } else {
        Fate::In
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(am: u16, om: u16, past: usize) -> (Vec<u32>, Vec<u32>, usize) {
        let ledger = ledger(Window::new(am, om).unwrap(), &vec![true; past], true);
        let steps = |pick: fn(&Row) -> Fate| {
            let rows = ledger.rows().iter().rev().filter(|row| pick(row).is_in());
            rows.map(|row| row.step).collect()
        };
        (steps(|row| row.output), steps(|row| row.frame), ledger.images())
    }

    #[test]
    fn the_example_of_the_rule_holds() {
        assert_eq!(seen(3, 2, 6), (vec![4, 5, 6], vec![6, 7], 2));
    }

    #[test]
    fn every_legal_cell_keeps_what_it_says() {
        for (am, om, past, outputs, frames) in [
            (0, 1, 4, vec![], vec![5]),
            (1, 1, 0, vec![], vec![1]),
            (1, 1, 4, vec![4], vec![5]),
            (5, 1, 12, vec![8, 9, 10, 11, 12], vec![13]),
            (5, 3, 12, vec![8, 9, 10, 11, 12], vec![11, 12, 13]),
            (10, 2, 4, vec![1, 2, 3, 4], vec![4, 5]),
            (10, 3, 1, vec![1], vec![1, 2]),
        ] {
            let images = frames.len();
            assert_eq!(seen(am, om, past), (outputs, frames, images), "AM={am} OM={om} past={past}");
        }
    }

    #[test]
    fn a_step_without_an_output_keeps_its_row() {
        let ledger = ledger(Window::new(5, 1).unwrap(), &[true, false], true);
        assert_eq!(ledger.rows()[1].output, Fate::Absent);
        assert_eq!(ledger.outputs(), 1);
    }
}
