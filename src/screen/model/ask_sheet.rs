//! The state of the dialog that plans a study: what is asked about a suite, or how the step that lost an episode is looked for;
//! what it would need, and what is stored.

use std::path::PathBuf;
use std::sync::Arc;

use super::line_text::LineText;
use crate::requests::{BlameVerdict, SuiteDetails};
use mageyard_config::Problem;
use mageyard_study::{PlannedStudy, StudyTable};

/// What can be written about a suite, besides names of settings.
const SUITE_NAMES: [&str; 7] = ["prompts=", "am=", "om=", "models=", "samples=", "seed=", "concurrency="];

/// What is asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    /// The step that lost the episode of a journal.
    Episode(PathBuf),
    /// What is wrong with steps; the shown one, by its journal and number, if the words name none.
    Diagnosis(Option<(PathBuf, u32)>),
    /// What a state shows, in questions; the shown one if the words name none.
    Probe(Option<(PathBuf, u32)>),
    /// The states of a suite. Esc leads back to the list if it was opened from there.
    Suite { name: String, is_from_list: bool },
}

/// What was found out.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum SheetAnswer {
    /// What would be made.
    Plan(PlannedStudy),
    /// What the solver says.
    Verdict(BlameVerdict),
}

/// A plan that was asked for.
#[derive(Clone, Debug)]
struct SheetPlan {
    number: u64,
    /// The words that it is for.
    words: String,
    /// What it is, once that is known.
    answer: Option<Result<SheetAnswer, Problem>>,
}

/// The dialog.
#[derive(Clone, Debug)]
pub(crate) struct AskSheet {
    pub(crate) subject: Subject,
    /// What is asked.
    text: LineText,
    /// 0 for the text, or the place of the selected ask from 1.
    focus: usize,
    /// The names of the prompt variants, as far as they are known.
    pub(crate) prompts: Vec<String>,
    /// The asks that are stored; `None` while they are read.
    pub(crate) stored: Option<Result<Vec<Arc<StudyTable>>, Problem>>,
    plan: Option<SheetPlan>,
    pub(crate) scroll: u16,
}

impl AskSheet {
    fn of(subject: Subject, words: &str) -> Self {
        let text = LineText::new(words);
        Self { subject, text, focus: 0, prompts: Vec::new(), stored: None, plan: None, scroll: 0 }
    }

    /// The dialog for the step that lost an episode, with these words.
    pub(crate) fn blame(journal: PathBuf, words: &str) -> Self {
        Self::of(Subject::Episode(journal), words.trim())
    }

    /// The dialog for what is wrong with steps, with these words.
    pub(crate) fn diagnosis(shown: Option<(PathBuf, u32)>, words: &str) -> Self {
        Self::of(Subject::Diagnosis(shown), words.trim())
    }

    /// The dialog for questions about states, with these words.
    pub(crate) fn probe(shown: Option<(PathBuf, u32)>, words: &str) -> Self {
        Self::of(Subject::Probe(shown), words.trim())
    }

    /// The dialog for a suite, with these words.
    pub(crate) fn suite(name: &str, words: &str, is_from_list: bool) -> Self {
        Self::of(Subject::Suite { name: name.to_owned(), is_from_list }, words)
    }

    /// The name of the suite.
    pub(crate) fn suite_name(&self) -> Option<&str> {
        match &self.subject {
            Subject::Suite { name, .. } => Some(name),
            Subject::Episode(_) | Subject::Diagnosis(_) | Subject::Probe(_) => None,
        }
    }

    /// The name of the text.
    pub(crate) fn text_name(&self) -> &'static str {
        match self.subject {
            Subject::Episode(_) => "how",
            Subject::Diagnosis(_) | Subject::Probe(_) => "about",
            Subject::Suite { .. } => "compare",
        }
    }

    /// Whether the text is selected, and not an ask.
    pub(crate) fn is_on_text(&self) -> bool {
        self.focus == 0
    }

    /// The index of the selected stored ask.
    pub(crate) fn selected(&self) -> Option<usize> {
        self.focus.checked_sub(1).filter(|index| *index < self.stored().len())
    }

    /// The asks that are stored, as far as they are known.
    pub(crate) fn stored(&self) -> &[Arc<StudyTable>] {
        self.stored.as_ref().and_then(|stored| stored.as_ref().ok()).map_or(&[], Vec::as_slice)
    }

    /// Takes what is known of the suite.
    pub(crate) fn set_details(&mut self, details: Result<SuiteDetails, Problem>) {
        self.stored = Some(details.map(|SuiteDetails { prompts, stored }| {
            self.prompts = prompts;
            stored
        }));
    }

    /// Selects the text or an ask; it goes on at the other end.
    pub(crate) fn move_focus(&mut self, ahead: bool) {
        let count = 1 + self.stored().len();
        self.focus = (self.focus + if ahead { 1 } else { count - 1 }) % count;
    }

    /// The text, if it is selected.
    pub(crate) fn text_mut(&mut self) -> Option<&mut LineText> {
        Some(&mut self.text).filter(|_| self.focus == 0)
    }

    /// Adds to the text, if it is selected.
    pub(crate) fn insert(&mut self, text: &str) {
        if let Some(field) = self.text_mut() {
            field.insert(text);
        }
    }

    /// Completes the last name of a prompt variant, or of what can be asked about a suite.
    pub(crate) fn complete(&mut self) {
        if self.focus > 0 || self.suite_name().is_none() {
            return;
        }
        let word = self.text.as_str().rsplit(' ').next().unwrap_or_default();
        let rest = match word.strip_prefix("prompts=") {
            Some(names) => self.rest_of_prompt(names),
            None => SUITE_NAMES.into_iter().find_map(|name| rest_of(name, word)),
        };
        if let Some(rest) = rest {
            self.text.insert(&rest);
        }
    }

    /// What is missing of the last of these names; one that is named is not named again.
    fn rest_of_prompt(&self, names: &str) -> Option<String> {
        let typed = names.rsplit(',').next().unwrap_or_default();
        let is_named = |name: &&String| names.split(',').any(|known| known == name.as_str());
        self.prompts.iter().filter(|name| !is_named(name)).find_map(|name| rest_of(name, typed))
    }

    /// What is asked in one line.
    pub(crate) fn words(&self) -> &str {
        self.text.as_str()
    }

    /// Takes these words in place of the others.
    pub(crate) fn set_words(&mut self, words: &str) {
        self.text = LineText::new(words);
    }

    /// The present words, whose plan is awaited under this number.
    pub(crate) fn begin_plan(&mut self, number: u64) -> String {
        let words = self.words().to_owned();
        self.plan = Some(SheetPlan { number, words: words.clone(), answer: None });
        words
    }

    /// Takes what was found out under this number.
    pub(crate) fn set_answer(&mut self, number: u64, answer: Result<SheetAnswer, Problem>) {
        if let Some(plan) = self.plan.as_mut().filter(|plan| plan.number == number) {
            plan.answer = Some(answer);
        }
    }

    fn present_plan(&self) -> Option<&SheetPlan> {
        self.plan.as_ref().filter(|plan| plan.words == self.words())
    }

    /// What was found out about the present words; `None` while that is not known.
    pub(crate) fn known(&self) -> Option<&Result<SheetAnswer, Problem>> {
        self.present_plan()?.answer.as_ref()
    }

    /// Whether that is awaited.
    pub(crate) fn is_planning(&self) -> bool {
        self.present_plan().is_some_and(|plan| plan.answer.is_none())
    }

    /// What the present words would make, and under which number.
    pub(crate) fn ready(&self) -> Option<(u64, &PlannedStudy)> {
        let plan = self.present_plan()?;
        match plan.answer.as_ref()? {
            Ok(SheetAnswer::Plan(planned)) => Some((plan.number, planned)),
            Ok(SheetAnswer::Verdict(_)) | Err(_) => None,
        }
    }

    /// What the solver says.
    pub(crate) fn verdict(&self) -> Option<&BlameVerdict> {
        match self.known()? {
            Ok(SheetAnswer::Verdict(verdict)) => Some(verdict),
            Ok(SheetAnswer::Plan(_)) | Err(_) => None,
        }
    }

    /// What was found out, in words.
    pub(crate) fn lines(&self) -> &[String] {
        match self.known() {
            Some(Ok(SheetAnswer::Plan(plan))) => &plan.lines,
            Some(Ok(SheetAnswer::Verdict(verdict))) => &verdict.lines,
            Some(Err(_)) | None => &[],
        }
    }
}

/// What is missing of a name that is begun so.
fn rest_of(name: &str, begun: &str) -> Option<String> {
    name.strip_prefix(begun).filter(|rest| !rest.is_empty()).map(str::to_owned)
}
