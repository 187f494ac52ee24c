//! When a breakpoint is checked, and what is known then.

use std::fmt;
use std::ops::Range;

use crate::condition::{ConditionError, Quantity, Term, TextField};
use crate::error_analysis::Mark;

/// When a breakpoint is checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// Before the agent is asked at a step.
    BeforeRequest,
    /// When the agent has replied and the reply was read, before the action.
    AfterReply,
    /// When the action was carried out.
    AfterAct,
    /// When the step is finished, with or without an action.
    #[default]
    AfterStep,
}

impl Phase {
    /// The place in words, as a reason says it.
    pub(super) fn place(self, step: u32) -> String {
        match self {
            Self::BeforeRequest => format!("step {step}, before the request"),
            Self::AfterReply => format!("step {step}, after the reply"),
            Self::AfterAct | Self::AfterStep => format!("step {step}"),
        }
    }

    /// Refuses the first of these terms that is not known yet.
    pub(super) fn check(self, terms: &[(Term, Range<usize>)]) -> Result<(), ConditionError> {
        let Some((term, span)) = terms.iter().find(|(term, _)| !self.knows(term)) else { return Ok(()) };
        let error = ConditionError::new(format!("{term} is not known {self}"), span.clone());
        Err(error.with_help(match self {
            _ if term.reads_annotations() => {
                "tags and comments are written by people later; `find` knows them"
            }
            Self::BeforeRequest => {
                "before request knows step, sum, distance, am, om, seen, agent, model, prompt, environment, \
                 level and reader"
            }
            _ => "without a phase it is checked when the step is finished",
        }))
    }

    fn knows(self, term: &Term) -> bool {
        let is_finished = matches!(self, Self::AfterAct | Self::AfterStep);
        let has_reply = self != Self::BeforeRequest;
        match term {
            Term::Any => is_finished,
            Term::Marked(mark) | Term::Streak(mark, ..) => {
                let of_reply =
                    matches!(mark, Mark::ParseError | Mark::IncompleteReply | Mark::Dropped | Mark::Edited);
                is_finished || (has_reply && of_reply)
            }
            Term::Quantity(Quantity::Reward | Quantity::RewardDrop, ..) => is_finished,
            Term::Quantity(quantity, ..) if quantity.is_of_role() => is_finished,
            Term::Quantity(
                Quantity::Step | Quantity::Sum | Quantity::Distance | Quantity::Am | Quantity::Om,
                ..,
            ) => true,
            Term::Quantity(..) | Term::Differs(_) => has_reply,
            Term::Text(TextField::Tag | TextField::Comment, _) => false,
            Term::Text(TextField::Note | TextField::Role, _) => is_finished,
            Term::Text(TextField::Action | TextField::Text, _) => has_reply,
            Term::Text(..) => true,
        }
    }
}

impl fmt::Display for Phase {
    /// The words after a condition.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::BeforeRequest => "before request",
            Self::AfterReply => "after reply",
            Self::AfterAct => "after act",
            Self::AfterStep => "after the step",
        })
    }
}
