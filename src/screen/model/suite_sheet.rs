//! The state of the dialog that asks about a suite: what is compared, what it would need, and what is stored.

use std::sync::Arc;

use super::ask_sheet::SheetPlan;
use super::line_text::LineText;
use crate::suites::{SuiteDetails, SuiteOrder, SuiteWords};
use mageyard_config::Problem;
use mageyard_study::{PlannedStudy, StudyTable};

/// What can be written, besides names of settings.
const NAMES: [&str; 7] = ["prompts=", "am=", "om=", "models=", "samples=", "seed=", "concurrency="];

/// The dialog.
#[derive(Clone, Debug)]
pub(crate) struct SuiteSheet {
    /// The name of the suite.
    pub(crate) suite: String,
    /// What is compared.
    pub(crate) words: LineText,
    /// What is known of the suite; `None` while it is read.
    pub(crate) details: Option<Result<SuiteDetails, Problem>>,
    /// The last plan that was asked for.
    pub(crate) plan: Option<SheetPlan>,
    pub(crate) scroll: u16,
    /// Whether it was opened from the list of suites, to which Esc leads back.
    pub(crate) is_from_list: bool,
    /// 0 for the words, or the place of a stored ask from 1 on.
    focus: usize,
}

impl SuiteSheet {
    pub(crate) fn new(suite: &str, words: &str) -> Self {
        Self {
            suite: suite.to_owned(),
            words: LineText::new(words),
            details: None,
            plan: None,
            scroll: 0,
            is_from_list: false,
            focus: 0,
        }
    }

    /// The asks that are stored, as far as they are known.
    pub(crate) fn stored(&self) -> &[Arc<StudyTable>] {
        self.details.as_ref().and_then(|details| details.as_ref().ok()).map_or(&[], |known| &known.stored)
    }

    /// The names of the prompt variants, as far as they are known.
    pub(crate) fn prompts(&self) -> &[String] {
        self.details.as_ref().and_then(|details| details.as_ref().ok()).map_or(&[], |known| &known.prompts)
    }

    /// The index of the selected stored ask; `None` if the words are selected.
    pub(crate) fn selected(&self) -> Option<usize> {
        self.focus.checked_sub(1).filter(|index| *index < self.stored().len())
    }

    /// Selects the words or another ask; it goes on at the other end.
    pub(crate) fn move_focus(&mut self, ahead: bool) {
        let count = 1 + self.stored().len();
        self.focus = (self.focus + if ahead { 1 } else { count - 1 }) % count;
    }

    /// The words, if they are selected.
    pub(crate) fn focused_mut(&mut self) -> Option<&mut LineText> {
        self.selected().is_none().then_some(&mut self.words)
    }

    /// Completes the last name: of a prompt variant after `prompts=`, else of what can be asked.
    pub(crate) fn complete(&mut self) {
        let word = self.words.as_str().rsplit(' ').next().unwrap_or_default();
        let names = word.strip_prefix("prompts=");
        let typed = names.map_or(word, |names| names.rsplit(',').next().unwrap_or_default());
        let is_named = |name: &str| names.is_some_and(|names| names.split(',').any(|known| known == name));
        let fits = |name: &&str| name.starts_with(typed) && *name != typed && !is_named(name);
        let found = match names {
            Some(_) => self.prompts().iter().map(String::as_str).find(fits),
            None => NAMES.into_iter().find(fits),
        };
        if let Some(rest) = found.and_then(|name| name.get(typed.len()..)).map(str::to_owned) {
            self.words.insert(&rest);
        }
    }

    /// What the present words would be; `None` while that is not known.
    pub(crate) fn known_plan(&self) -> Option<&Result<PlannedStudy, Problem>> {
        self.plan.as_ref().filter(|plan| plan.words == self.words.as_str())?.answer.as_ref()
    }

    /// Whether the plan of the present words is awaited.
    pub(crate) fn is_planning(&self) -> bool {
        self.plan.as_ref().is_some_and(|plan| plan.answer.is_none() && plan.words == self.words.as_str())
    }

    /// The order to plan the present words under this number.
    pub(crate) fn planned(&mut self, number: u64) -> SuiteOrder {
        let words = self.words.as_str().to_owned();
        self.plan = Some(SheetPlan { number, words: words.clone(), answer: None });
        SuiteOrder::Plan(SuiteWords { number, suite: self.suite.clone(), words })
    }
}
