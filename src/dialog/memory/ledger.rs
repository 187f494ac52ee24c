//! The ledger: one row per step of the window.

use std::sync::Arc;

use smallvec::SmallVec;

use super::rules::{Inclusion, LedgerStep};
use crate::left_out::LeftOut;
use mageyard_domain::{PartId, PartKind};

/// A part of an observation in the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LedgerPart {
    /// The index among the parts of the observation; `None` for its text, which is sent if none of its parts can be.
    pub index: Option<u16>,
    /// The kind of the part.
    pub kind: PartKind,
    /// Whether it is in the request.
    pub inclusion: Inclusion,
}

/// The output and the observation of one step in the request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LedgerRow {
    /// The step, from 1.
    pub step: u32,
    /// The output of the agent at that step.
    pub output: Inclusion,
    /// The feedback on the action before that step, which was refused or failed.
    pub feedback: Inclusion,
    /// What a module of the agent said at that step, before it was decided.
    pub reflection: Inclusion,
    /// Whether the observation of that step is in the window.
    pub observation: Inclusion,
    /// The parts of that observation, in order.
    pub parts: SmallVec<[LedgerPart; 2]>,
}

impl LedgerRow {
    /// The row of a step of which a side request shows parts.
    pub(crate) fn shown(step: u32) -> Self {
        let absent = Inclusion::Absent;
        Self {
            step,
            output: absent,
            feedback: absent,
            reflection: absent,
            observation: Inclusion::Included,
            parts: SmallVec::new(),
        }
    }

    /// The number of parts that are in the request.
    pub fn parts_included(&self) -> usize {
        self.parts.iter().filter(|part| part.inclusion.is_included()).count()
    }

    /// The number of parts of this kind that are in the request.
    pub fn count(&self, kind: PartKind) -> usize {
        self.parts.iter().filter(|part| part.kind == kind && part.inclusion.is_included()).count()
    }

    fn leave_out_observation(&mut self) {
        leave_out(&mut self.observation);
        for part in &mut self.parts {
            leave_out(&mut part.inclusion);
        }
    }
}

fn leave_out(inclusion: &mut Inclusion) {
    if inclusion.is_included() {
        *inclusion = Inclusion::LeftOut;
    }
}

/// One row per step of the window, newest first, and one for each older step whose observation a keep rule keeps. The first row
/// is the step that the request is for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    pub(crate) rows: Vec<LedgerRow>,
    pub(crate) kept: Vec<LedgerRow>,
    pub(crate) view: Option<Arc<str>>,
}

impl Ledger {
    /// The rows, newest first: at most AM + 1. Steps without a row are older than AM.
    pub fn rows(&self) -> &[LedgerRow] {
        &self.rows
    }

    /// The rows of steps that are older than [`Ledger::rows`] and whose observations are kept, newest first.
    pub fn kept(&self) -> &[LedgerRow] {
        &self.kept
    }

    /// The view in which all observations are shown, if the environment has several.
    pub fn view(&self) -> Option<&str> {
        self.view.as_deref()
    }

    /// All rows, newest first.
    pub fn all_rows(&self) -> impl DoubleEndedIterator<Item = &LedgerRow> {
        self.rows.iter().chain(&self.kept)
    }

    pub(crate) fn rows_mut(&mut self) -> &mut [LedgerRow] {
        &mut self.rows
    }

    /// The number of steps that are older than the rows.
    pub fn older(&self) -> u32 {
        self.rows.last().map_or(0, |row| row.step.saturating_sub(1))
    }

    /// The number of parts of this kind in the request.
    pub fn count(&self, kind: PartKind) -> usize {
        self.all_rows().map(|row| row.count(kind)).sum()
    }

    /// The number of images in the request.
    pub fn images(&self) -> usize {
        self.count(PartKind::Image)
    }

    /// The number of past outputs in the request.
    pub fn outputs(&self) -> usize {
        self.rows.iter().filter(|row| row.output.is_included()).count()
    }

    /// The number of texts of feedback in the request.
    pub fn feedback(&self) -> usize {
        self.rows.iter().filter(|row| row.feedback.is_included()).count()
    }

    /// The number of texts of modules in the request.
    pub fn reflections(&self) -> usize {
        self.rows.iter().filter(|row| row.reflection.is_included()).count()
    }

    /// The parts in the request, in its order: oldest step first.
    pub(crate) fn included(&self) -> impl Iterator<Item = (u32, &LedgerPart)> {
        let parts = self.all_rows().rev().flat_map(|row| row.parts.iter().map(|part| (row.step, part)));
        parts.filter(|(_, part)| part.inclusion.is_included())
    }

    /// Leaves out a part of the request; a segment has no row. If the task is in the first turn only, `task` has the steps and the
    /// age of the state that this turn shows.
    pub(crate) fn leave_out(&mut self, part: LeftOut, task: Option<(&[LedgerStep<'_>], usize)>) {
        for step in part.rows().into_iter().flatten() {
            self.leave_out_row(step);
        }
        for step in part.frames().into_iter().flatten() {
            self.leave_out_frame(step);
        }
        if let Some((steps, first)) = task.filter(|_| !matches!(part, LeftOut::Segment(_))) {
            self.keep_task_once(steps, first);
        }
    }

    /// Leaves out the output and the state of this past step.
    fn leave_out_row(&mut self, step: u32) {
        for row in self.rows.iter_mut().skip(1).chain(&mut self.kept).filter(|row| row.step == step) {
            leave_out(&mut row.output);
            leave_out(&mut row.feedback);
            leave_out(&mut row.reflection);
            row.leave_out_observation();
        }
    }

    /// Leaves out the state of this step.
    fn leave_out_frame(&mut self, step: u32) {
        for row in self.rows.iter_mut().chain(&mut self.kept).filter(|row| row.step == step) {
            row.leave_out_observation();
        }
    }

    /// The first part that cannot be loaded.
    pub(crate) fn unreadable(&self) -> Option<PartId> {
        let mut parts = self.all_rows().flat_map(|row| row.parts.iter().map(|part| (row.step, part)));
        let (step, part) = parts.find(|(_, part)| part.inclusion == Inclusion::Unreadable)?;
        Some(PartId { step, index: part.index.unwrap_or_default() })
    }
}
