//! Whether an answer to a state is right by the environment, where it judges its episodes and can do so from an answer alone.

use std::fmt;
use std::sync::Arc;

use super::state::FrozenState;
use mageyard_domain::{Action, Judging, Level, Options, Verdict};
use mageyard_engine::Step;

/// Judges answers to a state.
#[derive(Clone)]
pub struct AnswerJudge {
    judging: &'static dyn Judging,
    level: Arc<Level>,
    options: Arc<Options>,
    step: Arc<Step>,
}

impl AnswerJudge {
    /// The judge of the environment of a state; `None` if it judges only whole episodes, or none.
    pub(crate) fn of(state: &FrozenState) -> Option<Self> {
        let judging = state.spec.capabilities().judging?;
        let level = state.head.to_level();
        let options = state.head.options.clone();
        if !judging.judges(&level, &options) {
            return None;
        }
        let judge = Self { judging, level: level.into(), options: options.into(), step: state.step.clone() };
        judge.verdict(None).is_some().then_some(judge)
    }

    /// Whether the environment says that an answer is right, in its written form; `None` is a reply that could not be read.
    pub fn is_right(&self, answer: Option<&str>) -> bool {
        let action = answer.map(|answer| self.step.space.parse_line(answer));
        match action.transpose() {
            Ok(action) => self.verdict(action.as_ref()).is_some_and(|verdict| verdict.success),
            Err(_) => false,
        }
    }

    /// The verdict on an answer, if it follows from the answer alone.
    fn verdict(&self, answer: Option<&Action>) -> Option<Verdict> {
        let observation = self.step.observation.for_one_use();
        let verdict = self.judging.judge_answer(&self.level, &self.options, &observation, answer)?.ok()?;
        verdict.questions.is_empty().then_some(verdict)
    }
}

impl fmt::Debug for AnswerJudge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AnswerJudge(step {})", self.step.number)
    }
}
