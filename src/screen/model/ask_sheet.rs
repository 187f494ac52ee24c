//! The state of the dialog that asks again at a step: what is asked, what it would need, and what is stored.

use std::path::PathBuf;
use std::sync::Arc;

use super::episode_view::EpisodeView;
use super::line_text::LineText;
use crate::asking::{AskOrder, PlannedWords};
use mageyard_config::Problem;
use mageyard_domain::quoted_words;
use mageyard_study::{PlannedStudy, StudyTable};

/// The names of the fields, which are those of the flags. The last one takes what has no field.
pub(crate) const ASK_FIELDS: [&str; 9] =
    ["prompts", "am", "om", "models", "samples", "to-end", "target", "leave-out", "other"];
const SAMPLES: usize = 4;
const TO_END: usize = 5;
const TARGET: usize = 6;
const OTHER: usize = 8;
/// The times that each variant plays on if no number is written.
const TIMES: &str = "5";

/// A plan that was asked for.
#[derive(Clone, Debug)]
pub(crate) struct SheetPlan {
    pub(crate) number: u64,
    /// The words that it is for.
    pub(crate) words: String,
    /// What it is, once that is known.
    pub(crate) answer: Option<Result<PlannedStudy, Problem>>,
}

/// The dialog.
#[derive(Clone, Debug)]
pub(crate) struct AskSheet {
    journal: PathBuf,
    /// The step that is asked about.
    pub(crate) step: u32,
    fields: [LineText; ASK_FIELDS.len()],
    /// The index of the selected field, or behind them of the selected ask.
    focus: usize,
    /// The names of the prompt variants.
    pub(crate) prompts: Vec<String>,
    /// The asks that are stored for the step; `None` while they are read.
    pub(crate) stored: Option<Result<Vec<Arc<StudyTable>>, Problem>>,
    /// The last plan that was asked for.
    pub(crate) plan: Option<SheetPlan>,
    pub(crate) scroll: u16,
    /// Whether the replies are candidates for the step.
    pub(crate) is_candidates: bool,
}

impl AskSheet {
    /// The dialog for the shown step of a recorded episode, with the settings of the step.
    pub(crate) fn new(viewed: &EpisodeView, journal: PathBuf) -> Option<Self> {
        let step = viewed.step()?;
        let version = step.attempts.iter().rev().find_map(|attempt| attempt.prompt_version.as_ref());
        let prompt = version.map_or(viewed.prompt(), |version| &version.prompt);
        let window = if step.attempts.is_empty() { viewed.window() } else { step.window };
        let am = window.am().to_string();
        let om = window.om().to_string();
        let model = step.agent.model.as_deref().unwrap_or_default();
        let fields = [prompt, &am, &om, model, "5", "", "", "", ""].map(LineText::new);
        let prompts = viewed.snapshot.requests.prompts.iter().map(|prompt| prompt.name.clone()).collect();
        Some(Self {
            journal,
            step: step.number,
            fields,
            focus: 0,
            prompts,
            stored: None,
            plan: None,
            scroll: 0,
            is_candidates: false,
        })
    }

    /// The dialog for so many replies of the present prompt.
    pub(crate) fn candidates(viewed: &EpisodeView, journal: PathBuf, count: u32) -> Option<Self> {
        let mut sheet = Self::new(viewed, journal)?;
        sheet.fields[SAMPLES] = LineText::new(&count.to_string());
        Some(Self { focus: SAMPLES, is_candidates: true, ..sheet })
    }

    pub(crate) fn journal(&self) -> &PathBuf {
        &self.journal
    }

    /// The fields with their names and texts.
    pub(crate) fn fields(&self) -> impl Iterator<Item = (&'static str, &str)> {
        ASK_FIELDS.into_iter().zip(self.fields.iter().map(LineText::as_str))
    }

    /// The index of the selected field; `None` if an ask is selected.
    pub(crate) fn focused_field(&self) -> Option<usize> {
        Some(self.focus).filter(|focus| *focus < ASK_FIELDS.len())
    }

    /// The index of the selected stored ask.
    pub(crate) fn selected(&self) -> Option<usize> {
        self.focus.checked_sub(ASK_FIELDS.len()).filter(|index| *index < self.stored().len())
    }

    /// The asks that are stored for the step, as far as they are known.
    pub(crate) fn stored(&self) -> &[Arc<StudyTable>] {
        self.stored.as_ref().and_then(|stored| stored.as_ref().ok()).map_or(&[], Vec::as_slice)
    }

    /// Selects another field or ask; it goes on at the other end.
    pub(crate) fn move_focus(&mut self, ahead: bool) {
        let count = ASK_FIELDS.len() + self.stored().len();
        self.focus = (self.focus + if ahead { 1 } else { count - 1 }) % count;
    }

    /// The text of the selected field.
    pub(crate) fn focused_mut(&mut self) -> Option<&mut LineText> {
        self.fields.get_mut(self.focus)
    }

    /// Adds text to the selected field. Playing on has its own number, so the other one goes.
    pub(crate) fn insert(&mut self, text: &str) {
        let begins = self.focus == TO_END && self.fields[TO_END].as_str().is_empty();
        if let Some(field) = self.focused_mut() {
            field.insert(text);
        }
        if begins && !text.is_empty() {
            self.fields[SAMPLES].clear();
        }
    }

    /// Completes the last name in the field of prompts.
    pub(crate) fn complete(&mut self) {
        let Some(text) = self.fields.get(self.focus).filter(|_| self.focus == 0) else { return };
        let typed = text.as_str().rsplit(',').next().unwrap_or_default().to_owned();
        let named: Vec<&str> = text.as_str().split(',').collect();
        let fits =
            |name: &&String| name.starts_with(&typed) && **name != typed && !named.contains(&name.as_str());
        let rest = self.prompts.iter().find(fits).map(|name| name[typed.len()..].to_owned());
        if let (Some(rest), Some(text)) = (rest, self.fields.first_mut()) {
            text.insert(&rest);
        }
    }

    /// What is asked in one line.
    pub(crate) fn words(&self) -> String {
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

    /// Changes the fields that these words name, such as `prompts=A,B samples=20` or `--prompts A,B`; the others stay. What
    /// has no field goes into the last one; the target may have several words. `to-end` needs no number, and takes the place
    /// of the samples.
    pub(crate) fn set_words(&mut self, words: &str) {
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

    /// What the present words would be; `None` while that is not known.
    pub(crate) fn known_plan(&self) -> Option<&Result<PlannedStudy, Problem>> {
        let plan = self.plan.as_ref().filter(|plan| plan.words == self.words())?;
        plan.answer.as_ref()
    }

    /// Whether the plan of the present words is awaited.
    pub(crate) fn is_planning(&self) -> bool {
        self.plan.as_ref().is_some_and(|plan| plan.answer.is_none() && plan.words == self.words())
    }

    /// The order to plan the present words under this number.
    pub(crate) fn planned(&mut self, number: u64) -> AskOrder {
        let journal = self.journal.clone();
        let words = self.words();
        self.plan = Some(SheetPlan { number, words: words.clone(), answer: None });
        AskOrder::Plan(PlannedWords { number, journal, step: self.step, words })
    }
}
