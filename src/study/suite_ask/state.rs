//! A state of a suite with what its answers are judged by.

use std::path::PathBuf;

use crate::{ActionVerdict, ActionVerdicts, AskRecord, OpenedState, Suite, SuiteState};
use mageyard_config::Problem;

/// Who says which answers are right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AcceptedBy {
    /// The suite lists them.
    Suite,
    /// The solver: they are optimal.
    Solver,
    /// Only the recording: it is the action that was taken.
    Recording,
}

impl AcceptedBy {
    /// The name, for JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Suite => "suite",
            Self::Solver => "solver",
            Self::Recording => "recording",
        }
    }
}

/// A state of a suite with what its answers are judged by.
#[derive(Clone, Debug)]
pub struct JudgedState {
    /// The number in the suite, from 1.
    pub number: usize,
    /// The step that opens it here.
    pub address: String,
    /// The journal of this step.
    pub journal: PathBuf,
    /// Its number, from 1.
    pub step: u32,
    /// Why it is in the suite.
    pub why: String,
    /// Its category, if it has one.
    pub category: Option<String>,
    /// The answers that are right and who says so; `None` if nothing says it.
    pub accepted: Option<(Vec<String>, AcceptedBy)>,
    /// The answers that are the mistake which it tempts to.
    pub mistake: Vec<String>,
    /// What each action leads to, where the environment can try it.
    pub verdicts: Option<ActionVerdicts>,
}

impl JudgedState {
    /// Whether the solver knows how far away the goal is after each action.
    pub fn has_distances(&self) -> bool {
        let verdicts = self.verdicts.as_ref();
        verdicts.is_some_and(|verdicts| verdicts.values().all(|verdict| *verdict != ActionVerdict::Legal))
    }

    /// The state with this index of a suite, which this step opens. `read` gives an action as answers have it.
    pub(super) fn new(
        (suite, index): (&Suite, usize),
        (opened, address): (&OpenedState, &str),
        (verdicts, record): (Option<ActionVerdicts>, &AskRecord),
        read: &dyn Fn(&str) -> Result<String, String>,
    ) -> Result<Self, Problem> {
        let state = suite.states.get(index).ok_or_else(|| suite.problem(index, "there is no such state"))?;
        let written = |field: &str, actions: &[String]| {
            let wrong = |why: String| suite.problem(index, format!("{field}: {why}"));
            actions.iter().map(|action| read(action).map_err(wrong)).collect::<Result<Vec<_>, _>>()
        };
        let listed = written("accept", &state.accept)?;
        let judged = Self {
            number: index + 1,
            address: address.to_owned(),
            journal: opened.journal.clone(),
            step: opened.step,
            why: state.why.clone(),
            category: state.category.clone(),
            accepted: None,
            mistake: written("mistake", &state.mistake)?,
            verdicts,
        };
        let is_listed = !listed.is_empty();
        let accepted =
            if is_listed { Some((listed, AcceptedBy::Suite)) } else { judged.known_right(state, record) };
        Ok(Self { accepted, ..judged })
    }

    /// The optimal actions, or else the one that was taken.
    fn known_right(&self, state: &SuiteState, record: &AskRecord) -> Option<(Vec<String>, AcceptedBy)> {
        if self.has_distances() {
            let verdicts = self.verdicts.iter().flatten();
            let optimal = verdicts.filter(|(_, verdict)| **verdict == ActionVerdict::Optimal);
            return Some((optimal.map(|(action, _)| action.clone()).collect(), AcceptedBy::Solver));
        }
        let taken = state.taken.clone().or_else(|| record.taken.clone())?;
        Some((vec![taken], AcceptedBy::Recording))
    }
}
