//! The rule by which a failed step is seen wrongly, planned wrongly or written wrongly. docs/diagnosis.md has its error rates.

use serde::{Deserialize, Serialize};

/// The thresholds, each a share from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule {
    /// A request has a right answer if at least this share of its replies is optimal.
    pub right: f64,
    /// A question is answered if at least this share of its replies is right.
    pub answered: f64,
    /// A step is written wrongly if at least this share of the replies that are not optimal announces an optimal action.
    pub contradicted: f64,
}

/// The rule.
pub const RULE: Rule = Rule { right: 0.5, answered: 0.5, contradicted: 0.5 };

/// What is known of a state, as shares from 0 to 1; `None` where there is no reply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// Of the replies to the request of the agent, how many are optimal.
    pub own: Option<f64>,
    /// The same with the state in words as well.
    pub with_words: Option<f64>,
    /// The same with a hint of the plan.
    pub with_plan: Option<f64>,
    /// Of the questions about the state, how many are answered rightly; a question without a reply is not counted.
    pub questions: Option<f64>,
    /// Of the replies that are not optimal, how many announce an optimal action.
    pub contradicted: Option<f64>,
}

/// What is wrong with a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Finding {
    /// Nothing: the request of the agent has a right answer now.
    Right,
    /// The state was seen wrongly.
    Seen,
    /// The plan was wrong.
    Planned,
    /// Another action was written than was planned.
    Written,
    /// More than one of these, or none of them.
    Mixed,
    /// Replies are missing.
    Undecided,
}

impl Finding {
    /// All, in the order of tables.
    pub const ALL: [Self; 6] =
        [Self::Seen, Self::Planned, Self::Written, Self::Mixed, Self::Undecided, Self::Right];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Seen => "seen wrong",
            Self::Planned => "planned wrong",
            Self::Written => "written wrong",
            Self::Mixed => "mixed",
            Self::Undecided => "undecided",
        }
    }
}

impl Rule {
    /// What is wrong with a step of which this is known.
    pub fn finding(&self, evidence: &Evidence) -> Finding {
        let is_right = |share: Option<f64>| share.map(|share| share >= self.right);
        match is_right(evidence.own) {
            None => return Finding::Undecided,
            Some(true) => return Finding::Right,
            Some(false) => {}
        }
        if evidence.contradicted.is_some_and(|share| share >= self.contradicted) {
            return Finding::Written;
        }
        let questions = evidence.questions.map(|share| share >= 1.0);
        match (is_right(evidence.with_words), questions) {
            (Some(true), Some(false)) => Finding::Seen,
            (Some(false), Some(true)) => Finding::Planned,
            (Some(_), Some(_)) => Finding::Mixed,
            _ => Finding::Undecided,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_needs_both_the_help_and_the_questions() {
        let failed = Evidence { own: Some(0.25), contradicted: Some(0.0), ..Evidence::default() };
        let with = |with_words, questions| Evidence { with_words, questions, ..failed };
        for (evidence, expected) in [
            (Evidence::default(), Finding::Undecided),
            (Evidence { own: Some(0.5), ..failed }, Finding::Right),
            (with(Some(1.0), Some(0.8)), Finding::Seen),
            (with(Some(0.25), Some(1.0)), Finding::Planned),
            (with(Some(1.0), Some(1.0)), Finding::Mixed),
            (with(Some(0.0), Some(0.5)), Finding::Mixed),
            (with(None, Some(0.5)), Finding::Undecided),
            (with(Some(1.0), None), Finding::Undecided),
            (Evidence { contradicted: Some(0.75), ..with(Some(1.0), Some(0.5)) }, Finding::Written),
        ] {
            assert_eq!(RULE.finding(&evidence), expected, "{evidence:?}");
        }
    }
}
