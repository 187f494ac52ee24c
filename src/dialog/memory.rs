//! The ledger of the memory window: for every past output and frame, in or out, and why.

use crate::domain::Window;

/// Whether something of the past is in the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inclusion {
    /// In the request.
    Included,
    /// Out: the turn is older than the last AM outputs.
    OutsideAm,
    /// Out: the frame is older than the last OM frames; its turn keeps its place with a placeholder.
    OutsideOm,
    /// Out: the prompt variant sends no images.
    NoImages,
    /// There is none: the agent has not answered yet, or its turn had no reply.
    Absent,
}

impl Inclusion {
    /// Whether it is in the request.
    pub fn is_included(self) -> bool {
        self == Self::Included
    }
}

/// What becomes of one step's output and frame in the next request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LedgerRow {
    /// The step, from 1.
    pub step: u32,
    /// The output of the agent at that step.
    pub output: Inclusion,
    /// The frame it was shown at that step.
    pub frame: Inclusion,
}

/// One row a step, newest first; the first row is the step that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ledger(Vec<LedgerRow>);

impl Ledger {
    /// The rows, newest first.
    pub fn rows(&self) -> &[LedgerRow] {
        &self.0
    }

    /// How many images the request holds.
    pub fn images(&self) -> usize {
        self.0.iter().filter(|row| row.frame.is_included()).count()
    }

    /// How many past outputs the request holds.
    pub fn outputs(&self) -> usize {
        self.0.iter().filter(|row| row.output.is_included()).count()
    }
}

/// The ledger of the request for step `replied.len() + 1`. `replied` says for each past step,
/// oldest first, whether the agent gave an output at it; `images` whether the prompt variant sends any.
///
/// A frame is kept only when it is among the last OM and its turn among the last AM: with AM=3 and
/// OM=2 at step t+1 the request holds outputs t-2, t-1, t and frames t and t+1 (`MageBench`,
/// AM and OM).
pub fn build_ledger(window: Window, replied: &[bool], images: bool) -> Ledger {
    let now = replied.len();
    let first = LedgerRow {
        step: step_number(now),
        output: Inclusion::Absent,
        frame: frame_inclusion(window, 0, images),
    };
    let past = replied.iter().enumerate().rev().map(|(index, &has_output)| {
        let age = now - index;
        LedgerRow {
            step: step_number(index),
            output: output_inclusion(window, age, has_output),
            frame: frame_inclusion(window, age, images),
        }
    });
    Ledger(std::iter::once(first).chain(past).collect())
}

fn step_number(index: usize) -> u32 {
    u32::try_from(index + 1).unwrap_or(u32::MAX)
}

fn output_inclusion(window: Window, age: usize, present: bool) -> Inclusion {
    match (present, age <= usize::from(window.am())) {
        (false, _) => Inclusion::Absent,
        (true, true) => Inclusion::Included,
        (true, false) => Inclusion::OutsideAm,
    }
}

/// The frame of age 0 is the current one, so `age < OM` keeps OM frames in all.
fn frame_inclusion(window: Window, age: usize, images: bool) -> Inclusion {
    if !images {
        Inclusion::NoImages
    } else if age > usize::from(window.am()) {
        Inclusion::OutsideAm
    } else if age >= usize::from(window.om()) {
        Inclusion::OutsideOm
    } else {
        Inclusion::Included
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn included_steps(am: u16, om: u16, past: usize) -> (Vec<u32>, Vec<u32>, usize) {
        let ledger = build_ledger(Window::new(am, om).unwrap(), &vec![true; past], true);
        let steps = |pick: fn(&LedgerRow) -> Inclusion| {
            let rows = ledger.rows().iter().rev().filter(|row| pick(row).is_included());
            rows.map(|row| row.step).collect()
        };
        (steps(|row| row.output), steps(|row| row.frame), ledger.images())
    }

    #[test]
    fn am_3_and_om_2_keep_three_outputs_and_two_frames() {
        assert_eq!(included_steps(3, 2, 6), (vec![4, 5, 6], vec![6, 7], 2));
    }

    #[test]
    fn every_legal_window_keeps_its_outputs_and_frames() {
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
            assert_eq!(
                included_steps(am, om, past),
                (outputs, frames, images),
                "AM={am} OM={om} past={past}"
            );
        }
    }

    #[test]
    fn a_step_without_an_output_keeps_its_row() {
        let ledger = build_ledger(Window::new(5, 1).unwrap(), &[true, false], true);
        assert_eq!(ledger.rows()[1].output, Inclusion::Absent);
        assert_eq!(ledger.outputs(), 1);
    }
}
