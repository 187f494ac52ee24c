//! The memory ledger: which past outputs and frames a request includes, and why the others are left out.

use crate::domain::Window;

/// Whether an output or a frame is in the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inclusion {
    /// In the request.
    Included,
    /// Left out: older than the last AM outputs.
    OutsideAm,
    /// Left out: older than the last OM frames. A placeholder replaces the frame.
    OutsideOm,
    /// Left out: the prompt sends no images.
    NoImages,
    /// There is none: the agent has not replied yet, or the step has no reply.
    Absent,
}

impl Inclusion {
    /// Whether it is in the request.
    pub fn is_included(self) -> bool {
        self == Self::Included
    }
}

/// The output and the frame of one step in the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LedgerRow {
    /// The step, from 1.
    pub step: u32,
    /// The output of the agent at that step.
    pub output: Inclusion,
    /// The frame that the agent was shown at that step.
    pub frame: Inclusion,
}

/// One row per step, newest first. The first row is the step that the request is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ledger(Vec<LedgerRow>);

impl Ledger {
    /// The rows, newest first.
    pub fn rows(&self) -> &[LedgerRow] {
        &self.0
    }

    /// The number of images in the request.
    pub fn images(&self) -> usize {
        self.0.iter().filter(|row| row.frame.is_included()).count()
    }

    /// The number of past outputs in the request.
    pub fn outputs(&self) -> usize {
        self.0.iter().filter(|row| row.output.is_included()).count()
    }
}

/// The ledger of the request for step `replied.len() + 1`. `replied` tells for each past step, oldest first, whether
/// it has an output; `images` tells whether the prompt sends images.
///
/// A frame is included if it is among the last OM frames and its step is among the last AM steps. With AM=3 and OM=2,
/// the request for step t+1 has the outputs t-2, t-1 and t, and the frames t and t+1 (`MageBench`, AM and OM).
pub fn build_ledger(window: Window, replied: &[bool], images: bool) -> Ledger {
    let count = replied.len();
    let first = LedgerRow {
        step: step_number(count),
        output: Inclusion::Absent,
        frame: frame_inclusion(window, 0, images),
    };
    let past = replied.iter().enumerate().rev().map(|(index, &has_output)| {
        let age = count - index;
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

/// The current frame has age 0, so `age < OM` includes OM frames.
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
