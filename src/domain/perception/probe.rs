//! Probes: questions about a state with answers that the program computes.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};

use super::Claim;
use crate::Observation;

/// A kind of questions.
#[derive(Clone, Copy, Debug)]
pub struct ProbeKind {
    /// The name, a word.
    pub name: &'static str,
    /// What is asked, in a line.
    pub summary: &'static str,
}

/// What an answer is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProbeForm {
    /// Places as rows and columns from 1, in any order: `(2, 3) (4, 1)`, or `none`.
    Places {
        /// The rows that there are.
        rows: u32,
        /// The columns that there are.
        columns: u32,
    },
    /// One of these words.
    Choice(Vec<String>),
    /// A whole number in this range.
    Number {
        /// The least.
        least: i64,
        /// The most.
        most: i64,
    },
}

/// A question about a state, with its right answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Probe {
    /// Its kind.
    pub kind: String,
    /// What it is about, among the questions of its kind, such as `left`. Empty if the kind has one question.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// The question, a sentence. It may have text of a page, so it is untrusted.
    pub question: String,
    /// What an answer is.
    pub form: ProbeForm,
    /// The right answer, as [`ProbeForm`] writes it.
    pub right: String,
}

impl ProbeForm {
    /// Places as an answer has them: in order, each once.
    pub fn write_places(places: impl IntoIterator<Item = (u32, u32)>) -> String {
        let places: BTreeSet<(u32, u32)> = places.into_iter().collect();
        let words: Vec<String> = places.iter().map(|(row, column)| format!("({row}, {column})")).collect();
        if words.is_empty() { "none".to_owned() } else { words.join(" ") }
    }

    /// How an answer is to be written, as the end of a sentence.
    pub fn help(&self) -> String {
        match self {
            Self::Places { .. } => {
                "the places as (row, column), counted from 1 from the top left corner, separated by spaces, or none"
                    .to_owned()
            }
            Self::Choice(words) => format!("one of: {}", words.join(", ")),
            Self::Number { least, most } => format!("a whole number from {least} to {most}"),
        }
    }

    /// The share of answers that a guess among all of one length gets right, from 0 to 1.
    #[expect(clippy::cast_precision_loss, reason = "counts of answers are small")]
    pub fn chance(&self, right: &str) -> f64 {
        match self {
            Self::Choice(words) => 1.0 / words.len().max(1) as f64,
            Self::Number { least, most } => 1.0 / (most - least + 1).max(1) as f64,
            Self::Places { rows, columns } => {
                let squares = f64::from(*rows) * f64::from(*columns);
                let count = right.matches('(').count();
                (0..count).map(|index| (index + 1) as f64 / (squares - index as f64).max(1.0)).product()
            }
        }
    }
}

/// A way to see a state wrongly, for simulated models whose fault is known.
#[derive(Clone, Copy, Debug)]
pub struct Misreading {
    /// The name, a word.
    pub name: &'static str,
    /// What is seen wrongly, in a line.
    pub summary: &'static str,
}

/// What an environment can ask about its states, and what it can read of answers about them.
pub trait Probes: Send + Sync {
    /// The kinds of questions.
    fn kinds(&self) -> &'static [ProbeKind];

    /// The questions of this kind about a state. What is drawn, such as wrong answers to choose from, depends on the seed.
    fn probes(&self, seen: &Observation, kind: &str, seed: u64) -> Vec<Probe>;

    /// The right answer to a question in another state, if it has one there.
    fn answer(&self, seen: &Observation, probe: &Probe) -> Option<String> {
        let questions = self.probes(seen, &probe.kind, 0);
        questions.into_iter().find(|other| other.about == probe.about).map(|other| other.right)
    }

    /// The whole state in words: all that a view shows.
    fn in_words(&self, seen: &Observation) -> Option<String>;

    /// What an analysis says of the state, in the order of the text. What cannot be read for sure is not in it.
    fn claims(&self, seen: &Observation, analysis: &str) -> Vec<Claim> {
        let _ = (seen, analysis);
        Vec::new()
    }

    /// The next part of a shortest way to the goal, as a sentence that does not name the action. It may search for long; `stop`
    /// ends that.
    fn subgoal(&self, seen: &Observation, stop: &AtomicBool) -> Option<String> {
        let _ = (seen, stop);
        None
    }

    /// Ways to see a state wrongly.
    fn misreadings(&self) -> &'static [Misreading] {
        &[]
    }

    /// The state as it is seen wrongly in this way; `None` if that is no other state.
    fn misread(&self, seen: &Observation, misreading: &str) -> Option<Observation> {
        let _ = (seen, misreading);
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(clippy::float_cmp, reason = "the shares are exact")]
    fn chances_are_those_of_a_guess() {
        let places = ProbeForm::Places { rows: 2, columns: 5 };
        assert_eq!(places.chance("(1, 1)"), 0.1);
        assert!((places.chance("(1, 1) (2, 2)") - 1.0 / 45.0).abs() < 1e-12);
        assert_eq!(ProbeForm::Choice(vec!["yes".into(), "no".into()]).chance("no"), 0.5);
        assert_eq!(ProbeForm::Number { least: 1, most: 4 }.chance("2"), 0.25);
    }

    #[test]
    fn places_are_in_order_and_once() {
        assert_eq!(ProbeForm::write_places([(2, 1), (1, 3), (2, 1)]), "(1, 3) (2, 1)");
        assert_eq!(ProbeForm::write_places([]), "none");
    }
}
