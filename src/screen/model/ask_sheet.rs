//! The state of the dialog that plans a study: what is asked at a step or about a suite, or how the step that lost an episode
//! is looked for; what it would need, and what is stored.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::episode_view::EpisodeView;
use super::line_text::LineText;
use crate::requests::{BlameVerdict, SuiteDetails};
use mageyard_config::Problem;
use mageyard_domain::quoted_words;
use mageyard_study::{PlannedStudy, StudyTable};

/// The names of the fields of a step, which are those of the flags. The last one takes what has no field.
pub(crate) const ASK_FIELDS: [&str; 9] =
    ["prompts", "am", "om", "models", "samples", "to-end", "target", "leave-out", "other"];
const SAMPLES: usize = 4;
const TO_END: usize = 5;
const TARGET: usize = 6;
const OTHER: usize = 8;
/// The times that each variant plays on if no number is written.
const TIMES: &str = "5";

/// What can be written about a suite, besides names of settings.
const SUITE_NAMES: [&str; 7] = ["prompts=", "am=", "om=", "models=", "samples=", "seed=", "concurrency="];

/// What is asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    /// A step, from 1, of the episode of a journal. The replies may be candidates for it.
    Step { journal: PathBuf, step: u32, is_candidates: bool },
    /// The step that lost the episode of a journal.
    Episode(PathBuf),
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
    /// The texts of the fields; of other subjects than a step only one.
    fields: Vec<LineText>,
    /// The index of the selected field, or behind them of the selected ask.
    focus: usize,
    /// The names of the prompt variants, as far as they are known.
    pub(crate) prompts: Vec<String>,
    /// The asks that are stored; `None` while they are read.
    pub(crate) stored: Option<Result<Vec<Arc<StudyTable>>, Problem>>,
    plan: Option<SheetPlan>,
    pub(crate) scroll: u16,
}

impl AskSheet {
    fn of(subject: Subject, fields: Vec<LineText>) -> Self {
        Self { subject, fields, focus: 0, prompts: Vec::new(), stored: None, plan: None, scroll: 0 }
    }

    /// The dialog for the shown step of a recorded episode, with the settings of the step.
    pub(crate) fn new(viewed: &EpisodeView, journal: PathBuf) -> Option<Self> {
        let step = viewed.step()?;
        let version = step.attempts.iter().rev().find_map(|attempt| attempt.prompt_version.as_ref());
        let prompt = version.map_or(viewed.prompt(), |version| &version.prompt);
        let window = if step.attempts.is_empty() { viewed.window() } else { step.window };
        let am = window.am().to_string();
        let om = window.om().to_string();
        let model = step.agent.model.as_deref().unwrap_or_default();
        let fields = [prompt, &am, &om, model, "5", "", "", "", ""].map(LineText::new).to_vec();
        let prompts = viewed.snapshot.requests.prompts.iter().map(|prompt| prompt.name.clone()).collect();
        let subject = Subject::Step { journal, step: step.number, is_candidates: false };
        Some(Self { prompts, ..Self::of(subject, fields) })
    }

    /// The dialog for so many replies of the present prompt.
    pub(crate) fn candidates(viewed: &EpisodeView, journal: PathBuf, count: u32) -> Option<Self> {
        let mut sheet = Self::new(viewed, journal)?;
        sheet.fields[SAMPLES] = LineText::new(&count.to_string());
        sheet.focus = SAMPLES;
        if let Subject::Step { is_candidates, .. } = &mut sheet.subject {
            *is_candidates = true;
        }
        Some(sheet)
    }

    /// The dialog for the step that lost an episode, with these words.
    pub(crate) fn blame(journal: PathBuf, words: &str) -> Self {
        Self::of(Subject::Episode(journal), vec![LineText::new(words.trim())])
    }

    /// The dialog for a suite, with these words.
    pub(crate) fn suite(name: &str, words: &str, is_from_list: bool) -> Self {
        Self::of(Subject::Suite { name: name.to_owned(), is_from_list }, vec![LineText::new(words)])
    }

    /// The journal and the step that are asked about; 0 for a whole episode.
    pub(crate) fn place(&self) -> Option<(&Path, u32)> {
        match &self.subject {
            Subject::Step { journal, step, .. } => Some((journal, *step)),
            Subject::Episode(journal) => Some((journal, 0)),
            Subject::Suite { .. } => None,
        }
    }

    /// The name of the suite.
    pub(crate) fn suite_name(&self) -> Option<&str> {
        match &self.subject {
            Subject::Suite { name, .. } => Some(name),
            Subject::Step { .. } | Subject::Episode(_) => None,
        }
    }

    fn names(&self) -> &'static [&'static str] {
        match self.subject {
            Subject::Step { .. } => &ASK_FIELDS,
            Subject::Episode(_) => &["how"],
            Subject::Suite { .. } => &["compare"],
        }
    }

    /// The fields with their names and texts.
    pub(crate) fn fields(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.names().iter().copied().zip(self.fields.iter().map(LineText::as_str))
    }

    /// The index of the selected field; `None` if an ask is selected.
    pub(crate) fn focused_field(&self) -> Option<usize> {
        Some(self.focus).filter(|focus| *focus < self.fields.len())
    }

    /// The index of the selected stored ask.
    pub(crate) fn selected(&self) -> Option<usize> {
        self.focus.checked_sub(self.fields.len()).filter(|index| *index < self.stored().len())
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

    /// Selects another field or ask; it goes on at the other end.
    pub(crate) fn move_focus(&mut self, ahead: bool) {
        let count = self.fields.len() + self.stored().len();
        self.focus = (self.focus + if ahead { 1 } else { count - 1 }) % count;
    }

    /// The text of the selected field.
    pub(crate) fn focused_mut(&mut self) -> Option<&mut LineText> {
        self.fields.get_mut(self.focus)
    }

    /// Adds text to the selected field. Playing on has its own number, so the other one goes.
    pub(crate) fn insert(&mut self, text: &str) {
        let begins =
            self.focus == TO_END && self.fields.get(TO_END).is_some_and(|field| field.as_str().is_empty());
        if let Some(field) = self.focused_mut() {
            field.insert(text);
        }
        if begins && !text.is_empty() {
            self.fields[SAMPLES].clear();
        }
    }

    /// Completes the last name of a prompt variant; about a suite also of what can be asked.
    pub(crate) fn complete(&mut self) {
        let Some(text) = self.fields.first().map(LineText::as_str).filter(|_| self.focus == 0) else {
            return;
        };
        let rest = match self.subject {
            Subject::Step { .. } => self.rest_of_prompt(text),
            Subject::Episode(_) => None,
            Subject::Suite { .. } => {
                let word = text.rsplit(' ').next().unwrap_or_default();
                match word.strip_prefix("prompts=") {
                    Some(names) => self.rest_of_prompt(names),
                    None => SUITE_NAMES.into_iter().find_map(|name| rest_of(name, word)),
                }
            }
        };
        if let (Some(rest), Some(field)) = (rest, self.fields.first_mut()) {
            field.insert(&rest);
        }
    }

    /// What is missing of the last of these names; one that is named is not named again.
    fn rest_of_prompt(&self, names: &str) -> Option<String> {
        let typed = names.rsplit(',').next().unwrap_or_default();
        let is_named = |name: &&String| names.split(',').any(|known| known == name.as_str());
        self.prompts.iter().filter(|name| !is_named(name)).find_map(|name| rest_of(name, typed))
    }

    /// What is asked in one line.
    pub(crate) fn words(&self) -> String {
        if !matches!(self.subject, Subject::Step { .. }) {
            return self.fields.first().map_or_else(String::new, |field| field.as_str().to_owned());
        }
        let field = |index: usize| {
            let text = self.fields.get(index).map(|text| text.as_str().trim()).unwrap_or_default();
            match (text, index) {
                ("", _) => None,
                (text, OTHER) => Some(text.to_owned()),
                (text, index) => Some(format!("{}={text}", ASK_FIELDS[index])),
            }
        };
        // The target may have several words.
        let order = (0..ASK_FIELDS.len()).filter(|index| *index != TARGET).chain([TARGET]);
        order.filter_map(field).collect::<Vec<_>>().join(" ")
    }

    /// Takes these words: those about a step change the fields that they name, others are all that is written.
    pub(crate) fn set_words(&mut self, words: &str) {
        match self.subject {
            Subject::Step { .. } => self.set_fields(words),
            Subject::Episode(_) | Subject::Suite { .. } => self.fields = vec![LineText::new(words)],
        }
    }

    /// Changes the fields that these words name, such as `prompts=A,B samples=20` or `--prompts A,B`; the others stay. What
    /// has no field goes into the last one; the target may have several words. `to-end` needs no number, and takes the place
    /// of the samples.
    fn set_fields(&mut self, words: &str) {
        let mut at = OTHER;
        let mut named = [false; ASK_FIELDS.len()];
        for word in quoted_words(words) {
            let bare = word.strip_prefix("--").or((word == ASK_FIELDS[TO_END]).then_some(word));
            let (name, value) = bare.unwrap_or(word).split_once('=').unwrap_or((bare.unwrap_or(""), ""));
            let field = ASK_FIELDS.iter().position(|field| *field == name).filter(|index| *index != OTHER);
            if let Some(index) = field {
                at = index;
                named[at] = true;
                self.fields[at] = LineText::new(value);
                continue;
            }
            let is_value = at != TO_END || word.parse::<u32>().is_ok();
            let takes_word =
                bare.is_none() && is_value && (at == TARGET || self.fields[at].as_str().is_empty());
            at = if takes_word { at } else { OTHER };
            let gap = if self.fields[at].as_str().is_empty() { "" } else { " " };
            self.fields[at].insert(&format!("{gap}{word}"));
        }
        if named[TO_END] && self.fields[TO_END].as_str().is_empty() {
            self.fields[TO_END].insert(TIMES);
        }
        if named[TO_END] && !named[SAMPLES] {
            self.fields[SAMPLES].clear();
        }
    }

    /// Forgets the last plan, which was made.
    pub(crate) fn forget_plan(&mut self) {
        self.plan = None;
    }

    /// The present words, whose plan is awaited under this number.
    pub(crate) fn begin_plan(&mut self, number: u64) -> String {
        let words = self.words();
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
