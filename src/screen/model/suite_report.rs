//! The state of the dialog with the report of a suite: its table, its states, and one state with its frame and replies.

use std::path::Path;
use std::sync::Arc;

use super::ask_sheet::AskSheet;
use super::asked::AskProgress;
use mageyard_domain::Picture;
use mageyard_engine::Step;
use mageyard_study::{ComparedState, StudyTable};

/// The step of a state, read from its recording.
#[derive(Clone, Debug)]
pub(crate) struct StateStep {
    /// The number of the state in the suite.
    pub(crate) state: usize,
    /// The step; why it cannot be read.
    pub(crate) step: Result<Arc<Step>, String>,
}

/// The dialog.
#[derive(Clone, Debug)]
pub(crate) struct SuiteReport {
    /// The number of the ask whose calls are made; none of a stored one.
    pub(crate) number: Option<u64>,
    /// The name of the suite.
    pub(crate) suite: String,
    pub(crate) view: Arc<StudyTable>,
    pub(crate) progress: AskProgress,
    /// Whether the selected state is shown, and not the table.
    pub(crate) shows_state: bool,
    /// The number of the selected state in the suite; the order changes while calls come back. `None` is the first one.
    state: Option<usize>,
    pub(crate) scroll: u16,
    /// The index of the variant in the first column of a state.
    pub(crate) first_variant: usize,
    /// The step of the state that was shown last.
    pub(crate) loaded: Option<StateStep>,
    /// Whether a recording is being opened.
    pub(crate) is_opening: bool,
    /// The dialog from whose list it was opened, to which Esc leads back.
    pub(crate) sheet: Option<Box<AskSheet>>,
}

impl SuiteReport {
    /// The calls of a plan, which begin now.
    pub(crate) fn running(number: u64, suite: &str) -> Self {
        let report = Self::stored(Arc::default(), suite);
        Self { number: Some(number), progress: AskProgress::Running, ..report }
    }

    /// An ask that is stored.
    pub(crate) fn stored(view: Arc<StudyTable>, suite: &str) -> Self {
        Self {
            number: None,
            suite: suite.to_owned(),
            view,
            progress: AskProgress::Over,
            shows_state: false,
            state: None,
            scroll: 0,
            first_variant: 0,
            loaded: None,
            is_opening: false,
            sheet: None,
        }
    }

    /// Whether calls are being made.
    pub(crate) fn is_running(&self) -> bool {
        matches!(self.progress, AskProgress::Running | AskProgress::Stopping)
    }

    /// The place of the selected state among the states.
    pub(crate) fn row(&self) -> usize {
        let place = |number| self.view.states.iter().position(|state| state.number == number);
        self.state.and_then(place).unwrap_or(0)
    }

    /// The selected state.
    pub(crate) fn state(&self) -> Option<&ComparedState> {
        self.view.states.get(self.row())
    }

    /// Selects another state; it stops at both ends.
    pub(crate) fn select_by(&mut self, by: isize) {
        let row = self.row().saturating_add_signed(by).min(self.view.states.len().saturating_sub(1));
        self.state = self.view.states.get(row).map(|state| state.number);
    }

    /// Moves the columns of a state by a variant; it stops at both ends.
    pub(crate) fn move_columns(&mut self, by: isize, shown: usize) {
        let last = self.view.rows.len().saturating_sub(shown.max(1));
        self.first_variant = self.first_variant.saturating_add_signed(by).min(last);
    }

    /// The step of the selected state, if it was read.
    pub(crate) fn loaded_step(&self) -> Option<&Result<Arc<Step>, String>> {
        let number = self.state()?.number;
        self.loaded.as_ref().filter(|loaded| loaded.state == number).map(|loaded| &loaded.step)
    }

    /// Takes what was read of the recording of the selected state.
    pub(crate) fn load(&mut self, journal: &Path, read: impl FnOnce(u32) -> Result<Arc<Step>, String>) {
        let Some(state) = self.state().filter(|state| state.journal == journal) else { return };
        self.loaded = Some(StateStep { state: state.number, step: read(state.step) });
    }

    /// The first frame of the selected state.
    pub(crate) fn picture(&self) -> Option<&Arc<Picture>> {
        let step = self.loaded_step()?.as_ref().ok()?;
        step.observation.images().next().map(|(_, picture)| picture)
    }
}
