//! A state of a suite with what its answers are judged by.

use std::path::PathBuf;

use crate::{ActionVerdict, ActionVerdicts, AnswerJudge, OpenedState, Suite, SuiteState};
use mageyard_config::Problem;

/// Who says which answers are right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AcceptedBy {
    /// The suite lists them.
    Suite,
    /// The environment: its verdict would be success.
    Environment,
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
            Self::Environment => "environment",
            Self::Solver => "solver",
            Self::Recording => "recording",
        }
    }
}

/// The answers that are right.
#[derive(Clone, Debug)]
pub enum Accepted {
    /// These actions.
    Actions(Vec<String>, AcceptedBy),
    /// Those of which the environment says so.
    Judged(AnswerJudge),
}

impl Accepted {
    /// Whether an answer is right; one that could not be read is not.
    pub fn has(&self, answer: Option<&str>) -> bool {
        match self {
            Self::Actions(actions, _) => answer.is_some_and(|answer| actions.iter().any(|one| one == answer)),
            Self::Judged(judge) => answer.is_some() && judge.is_right(answer),
        }
    }

    /// The actions, if they are listed.
    pub fn actions(&self) -> Option<&[String]> {
        match self {
            Self::Actions(actions, _) => Some(actions),
            Self::Judged(_) => None,
        }
    }

    /// Who says it.
    pub fn by(&self) -> AcceptedBy {
        match self {
            Self::Actions(_, by) => *by,
            Self::Judged(_) => AcceptedBy::Environment,
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
    pub accepted: Option<Accepted>,
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

    /// The state with this index of a suite, which this step opens, with the action that was taken there. `read` gives an action as answers have it.
    pub(crate) fn new(
        (suite, index): (&Suite, usize),
        (opened, address): (&OpenedState, &str),
        (verdicts, taken): (Option<ActionVerdicts>, Option<&String>),
        judge: Option<AnswerJudge>,
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
        let listed = is_listed.then_some(Accepted::Actions(listed, AcceptedBy::Suite));
        let accepted = listed.or(judge.map(Accepted::Judged)).or_else(|| judged.known_right(state, taken));
        Ok(Self { accepted, ..judged })
    }

    /// The optimal actions, or else the one that was taken.
    fn known_right(&self, state: &SuiteState, taken: Option<&String>) -> Option<Accepted> {
        if self.has_distances() {
            let verdicts = self.verdicts.iter().flatten();
            let optimal = verdicts.filter(|(_, verdict)| **verdict == ActionVerdict::Optimal);
            let optimal = optimal.map(|(action, _)| action.clone()).collect();
            return Some(Accepted::Actions(optimal, AcceptedBy::Solver));
        }
        let taken = state.taken.as_ref().or(taken)?.clone();
        Some(Accepted::Actions(vec![taken], AcceptedBy::Recording))
    }
}
