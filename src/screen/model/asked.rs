//! The state of the dialog with the table of a study: its variants and the branches of one, or the states of a suite.

use std::sync::Arc;

use super::modal::Modal;
use super::suite_states::SuiteStates;
use mageyard_config::Problem;
use mageyard_study::{Sample, StudyRow, StudySort, StudyTable};

/// What is shown of an ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AskLevel {
    /// The variants.
    Table,
    /// The branches of the selected variant.
    Calls,
    /// The selected state of a suite.
    State,
}

/// How far an ask is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum AskProgress {
    /// Calls are being made.
    Running,
    /// They are being stopped.
    Stopping,
    /// No calls are made.
    Over,
    /// The calls ended with an error.
    Failed(Problem),
}

impl AskProgress {
    /// The same after calls under way were stopped.
    pub(crate) fn stopped(&self) -> Self {
        match self {
            Self::Running | Self::Stopping => Self::Over,
            Self::Over | Self::Failed(_) => self.clone(),
        }
    }
}

/// The dialog.
#[derive(Clone, Debug)]
pub(crate) struct AskedSheet {
    /// The number of the ask whose calls are made; none of a stored one.
    pub(crate) number: Option<u64>,
    /// The step that was asked about.
    pub(crate) step: u32,
    pub(crate) view: Arc<StudyTable>,
    pub(crate) progress: AskProgress,
    pub(crate) level: AskLevel,
    /// The number of the selected variant: the order of the rows changes while calls come back.
    variant: usize,
    call: usize,
    pub(crate) scroll: u16,
    /// The dialog that it was opened from, to which Esc leads back.
    pub(crate) opened_from: Option<Box<Modal>>,
    /// The states, if it is about a suite.
    pub(crate) suite: Option<SuiteStates>,
}

impl AskedSheet {
    /// The calls or the branches of a plan, which begin now.
    pub(crate) fn running(number: u64, sort: StudySort, step: u32) -> Self {
        let view = StudyTable { sort, ..StudyTable::default() };
        let sheet = Self::stored(view.into(), step);
        Self { number: Some(number), progress: AskProgress::Running, ..sheet }
    }

    /// An ask that is stored.
    pub(crate) fn stored(view: Arc<StudyTable>, step: u32) -> Self {
        let variant = view.rows.first().map_or(1, |first| first.number);
        Self {
            number: None,
            step,
            view,
            progress: AskProgress::Over,
            level: AskLevel::Table,
            variant,
            call: 0,
            scroll: 0,
            opened_from: None,
            suite: None,
        }
    }

    /// Whether its rows have replies, and not branches.
    pub(crate) fn has_replies(&self) -> bool {
        self.view.sort.has_replies()
    }

    /// Takes what has come back. The row of the step that is found is selected.
    pub(crate) fn set_view(&mut self, view: Arc<StudyTable>) {
        if let Some(step) = view.blamed.filter(|_| self.view.blamed.is_none()) {
            self.variant = usize::try_from(step).unwrap_or(usize::MAX);
        }
        self.view = view;
    }

    /// The step that the selected row begins with, if a step is looked for.
    pub(crate) fn start(&self) -> Option<u32> {
        let row = self.variant().filter(|_| self.view.sort == StudySort::Blame)?;
        u32::try_from(row.number).ok()
    }

    /// Whether calls are being made.
    pub(crate) fn is_running(&self) -> bool {
        matches!(self.progress, AskProgress::Running | AskProgress::Stopping)
    }

    /// The place of the selected variant among the rows, or of the selected state.
    pub(crate) fn row(&self) -> usize {
        if let Some(suite) = &self.suite {
            return suite.row(&self.view);
        }
        self.view.rows.iter().position(|variant| variant.number == self.variant).unwrap_or(0)
    }

    /// The selected variant.
    pub(crate) fn variant(&self) -> Option<&StudyRow> {
        self.view.rows.get(self.row())
    }

    /// The place of the selected call.
    pub(crate) fn call_index(&self) -> usize {
        self.call.min(self.variant().map_or(0, |variant| variant.samples.len().saturating_sub(1)))
    }

    /// The selected call.
    pub(crate) fn call(&self) -> Option<&Arc<Sample>> {
        self.variant()?.samples.get(self.call_index())
    }

    /// Moves the selection of the level; it stops at both ends.
    pub(crate) fn select_by(&mut self, by: isize) {
        let moved = |at: usize, count: usize| at.saturating_add_signed(by).min(count.saturating_sub(1));
        match self.level {
            AskLevel::Table | AskLevel::State if self.suite.is_some() => {
                let row = moved(self.row(), self.view.states.len());
                if let Some(suite) = &mut self.suite {
                    suite.select(&self.view, row);
                }
            }
            AskLevel::Table => {
                let row = moved(self.row(), self.view.rows.len());
                self.variant = self.view.rows.get(row).map_or(1, |variant| variant.number);
                self.call = 0;
            }
            AskLevel::Calls => {
                self.call =
                    moved(self.call_index(), self.variant().map_or(0, |variant| variant.samples.len()));
            }
            AskLevel::State => {}
        }
    }

    /// Shows another level from its beginning.
    pub(crate) fn show(&mut self, level: AskLevel) {
        (self.level, self.scroll) = (level, 0);
    }
}
