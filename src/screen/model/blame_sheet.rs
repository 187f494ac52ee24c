//! The state of the dialog that looks for the step that lost the shown episode: how it is looked for, and the verdict or the plan.

use std::path::PathBuf;

use super::line_text::LineText;
use crate::asking::{AskOrder, BlameVerdict, PlannedBlame};
use mageyard_config::Problem;
use mageyard_study::PlannedStudy;

/// What was found out.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum BlameAnswer {
    /// What the solver says.
    Verdict(BlameVerdict),
    /// What would be played on.
    Plan(PlannedStudy),
}

/// What was asked for.
#[derive(Clone, Debug)]
struct Asked {
    number: u64,
    words: String,
    answer: Option<Result<BlameAnswer, Problem>>,
}

/// The dialog.
#[derive(Clone, Debug)]
pub(crate) struct BlameSheet {
    journal: PathBuf,
    words: LineText,
    asked: Option<Asked>,
}

impl BlameSheet {
    /// The dialog for an episode, with these words.
    pub(crate) fn new(journal: PathBuf, words: &str) -> Self {
        Self { journal, words: LineText::new(words.trim()), asked: None }
    }

    pub(crate) fn journal(&self) -> &PathBuf {
        &self.journal
    }

    /// How the step is looked for.
    pub(crate) fn words(&self) -> &str {
        self.words.as_str()
    }

    pub(crate) fn words_mut(&mut self) -> &mut LineText {
        &mut self.words
    }

    /// The order to look for the step in the present way, under this number.
    pub(crate) fn order(&mut self, number: u64) -> AskOrder {
        let journal = self.journal.clone();
        let words = self.words().to_owned();
        self.asked = Some(Asked { number, words: words.clone(), answer: None });
        AskOrder::Blame(PlannedBlame { number, journal, words })
    }

    /// Takes what was found out under this number.
    pub(crate) fn set_answer(&mut self, number: u64, answer: Result<BlameAnswer, Problem>) {
        if let Some(asked) = self.asked.as_mut().filter(|asked| asked.number == number) {
            asked.answer = Some(answer);
        }
    }

    /// The number of what was asked for last.
    pub(crate) fn number(&self) -> Option<u64> {
        self.asked.as_ref().map(|asked| asked.number)
    }

    /// What was found out in the present way; `None` while that is not known.
    pub(crate) fn known(&self) -> Option<&Result<BlameAnswer, Problem>> {
        self.present()?.answer.as_ref()
    }

    /// Whether it is being found out.
    pub(crate) fn is_searching(&self) -> bool {
        self.present().is_some_and(|asked| asked.answer.is_none())
    }

    /// The step that the solver names.
    pub(crate) fn step(&self) -> Option<u32> {
        match self.known() {
            Some(Ok(BlameAnswer::Verdict(verdict))) => verdict.step,
            _ => None,
        }
    }

    fn present(&self) -> Option<&Asked> {
        self.asked.as_ref().filter(|asked| asked.words == self.words())
    }
}
