//! What the dialog with the table of a study has of a suite: its states, and one of them with its frame and replies.

use std::path::Path;
use std::sync::Arc;

use super::asked::{AskProgress, AskedSheet};
use mageyard_domain::Picture;
use mageyard_engine::Step;
use mageyard_study::{ComparedState, StudySort, StudyTable};

/// The step of a state, read from its recording.
#[derive(Clone, Debug)]
pub(crate) struct StateStep {
    /// The number of the state in the suite.
    pub(crate) state: usize,
    /// The step; why it cannot be read.
    pub(crate) step: Result<Arc<Step>, String>,
}

/// The states of a suite as they are shown.
#[derive(Clone, Debug, Default)]
pub(crate) struct SuiteStates {
    /// The name of the suite.
    pub(crate) name: String,
    /// The number of the selected state in the suite; the order changes while calls come back. `None` is the first one.
    selected: Option<usize>,
    /// The index of the variant in the first column of a state.
    pub(crate) first_variant: usize,
    /// The step of the state that was shown last.
    loaded: Option<StateStep>,
    /// Whether a recording is being opened.
    pub(crate) is_opening: bool,
}

impl SuiteStates {
    /// The place of the selected state.
    pub(super) fn row(&self, view: &StudyTable) -> usize {
        let place = |number| view.states.iter().position(|state| state.number == number);
        self.selected.and_then(place).unwrap_or(0)
    }

    /// Selects the state in this place.
    pub(super) fn select(&mut self, view: &StudyTable, row: usize) {
        self.selected = view.states.get(row).map(|state| state.number);
    }

    /// Moves the columns of a state by a variant; it stops at both ends.
    pub(crate) fn move_columns(&mut self, by: isize, (shown, all): (usize, usize)) {
        let last = all.saturating_sub(shown.max(1));
        self.first_variant = self.first_variant.saturating_add_signed(by).min(last);
    }
}

impl AskedSheet {
    /// The calls of a plan about a suite, which begin now.
    pub(crate) fn running_suite(number: u64, name: &str) -> Self {
        let mut sheet = Self::of_suite(Arc::default(), name);
        sheet.number = Some(number);
        sheet.progress = AskProgress::Running;
        sheet
    }

    /// The calls of a diagnosis or of questions about states, which begin now.
    pub(crate) fn running_states(number: u64) -> Self {
        let view = StudyTable { sort: StudySort::States, ..StudyTable::default() };
        let mut sheet = Self::of_suite(view.into(), "");
        sheet.number = Some(number);
        sheet.progress = AskProgress::Running;
        sheet
    }

    /// Whether it is a diagnosis, or questions about states: its variants are views.
    pub(crate) fn is_diagnosis(&self) -> bool {
        self.view.sort == StudySort::States
    }

    /// An ask about a suite that is stored.
    pub(crate) fn of_suite(view: Arc<StudyTable>, name: &str) -> Self {
        let mut sheet = Self::stored(view, 0);
        sheet.suite = Some(SuiteStates { name: name.to_owned(), ..SuiteStates::default() });
        sheet
    }

    /// The selected state.
    pub(crate) fn state(&self) -> Option<&ComparedState> {
        self.view.states.get(self.suite.as_ref()?.row(&self.view))
    }

    /// The step of the selected state, if it was read.
    pub(crate) fn loaded_step(&self) -> Option<&Result<Arc<Step>, String>> {
        let number = self.state()?.number;
        let loaded = self.suite.as_ref()?.loaded.as_ref();
        loaded.filter(|loaded| loaded.state == number).map(|loaded| &loaded.step)
    }

    /// Takes what was read of the recording of the selected state.
    pub(crate) fn load(&mut self, journal: &Path, read: impl FnOnce(u32) -> Result<Arc<Step>, String>) {
        let Some(state) = self.state().filter(|state| state.journal == journal) else { return };
        let loaded = StateStep { state: state.number, step: read(state.step) };
        if let Some(suite) = &mut self.suite {
            suite.loaded = Some(loaded);
        }
    }

    /// The first frame of the selected state.
    pub(crate) fn picture(&self) -> Option<&Arc<Picture>> {
        let step = self.loaded_step()?.as_ref().ok()?;
        step.observation.images().next().map(|(_, picture)| picture)
    }
}
