//! Errors by kind: how many episodes have each, and where the first one is.

use std::collections::BTreeMap;

use mageyard_engine::{EpisodeSummary, Mark};

/// The errors of a group of episodes, by the name of the kind.
#[derive(Clone, Debug, Default)]
pub struct ErrorExamples(BTreeMap<String, ErrorExample>);

/// A kind of error.
#[derive(Clone, Debug, Default)]
pub struct ErrorExample {
    /// The episodes that have it.
    pub episodes: usize,
    /// How often it was counted: steps for marks, replies for endings and broken rules of the reader.
    pub count: usize,
    /// The first example, as `view` reads it: `SESSION/EPISODE#STEP`, without the step if it is not known.
    pub first: String,
}

/// What the errors of a kind are counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountedErrors {
    /// Steps, for marks.
    Steps,
    /// Replies, for broken rules of the reader and endings.
    Replies,
}

impl CountedErrors {
    /// The unit of the kind with this name.
    pub fn of(name: &str) -> Self {
        if Mark::ALL.into_iter().any(|mark| mark.name() == name) { Self::Steps } else { Self::Replies }
    }

    /// Its name in output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Steps => "steps",
            Self::Replies => "replies",
        }
    }
}

impl ErrorExamples {
    /// Adds the errors of the episode at this address.
    pub(super) fn add(&mut self, summary: &EpisodeSummary, address: &str) {
        let rules = summary.parse_rules.iter().map(|(rule, count)| (format!("rule {rule}"), *count));
        let endings = summary.reply_endings.iter().map(|(ending, count)| (format!("reply {ending}"), *count));
        let marks = Mark::ALL.into_iter().filter(|mark| *mark != Mark::Edited);
        let marks = marks.map(|mark| (mark.name().to_owned(), summary.count(mark)));
        for (name, count) in marks.chain(rules).chain(endings).filter(|(_, count)| *count > 0) {
            let first = summary.first_steps.get(&name);
            let known = self.0.entry(name).or_default();
            known.episodes += 1;
            known.count += count;
            if known.first.is_empty() {
                known.first = first.map_or_else(|| address.to_owned(), |step| format!("{address}#{step}"));
            }
        }
    }

    /// The kinds with their titles: marks in display order, then rules of the reader and endings of replies.
    pub fn rows(&self) -> impl Iterator<Item = (String, &str, &ErrorExample)> {
        let place = |name: &str| Mark::ALL.iter().position(|mark| mark.name() == name);
        let mut rows: Vec<_> = self.0.iter().collect();
        rows.sort_by_key(|(name, _)| (place(name).unwrap_or(usize::MAX), *name));
        rows.into_iter().map(|(name, example)| (title(name), name.as_str(), example))
    }
}

/// `invalid action (IA)`, `parse error: heading`, `reply cut`.
fn title(name: &str) -> String {
    let mark = Mark::ALL.into_iter().find(|mark| mark.name() == name);
    match (mark, name.strip_prefix("rule ")) {
        (Some(mark), _) => mark.title().to_owned(),
        (None, Some(rule)) => format!("parse error: {rule}"),
        (None, None) => name.replace('_', " "),
    }
}
