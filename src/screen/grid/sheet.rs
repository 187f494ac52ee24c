//! The state of the dialog: what is asked, what came back, and what is selected.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::chips::{Chip, Chips};
use crate::model::{AskProgress, EpisodeView};
use crate::requests::{PlannedWords, RatedReply};
use mageyard_config::Problem;
use mageyard_domain::{Action, ActionShape, ObservationInspector, Picture, Rating, SharedDrawing};
use mageyard_engine::{Snapshot, Step};
use mageyard_study::{PlannedStudy, Sample, StudyRow, StudySort, StudyTable};

/// The samples of an ask without a number.
const SAMPLES: u32 = 5;

/// Where keys go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Focus {
    Chips,
    Answers,
}

/// What is shown over the whole dialog, or the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Page {
    Grid,
    /// The selected reply.
    Reply,
    /// All figures, comparisons and notes.
    Figures,
    /// The replies of the selected variant, one per line, for the linear mode.
    Replies,
    /// The request of the selected variant.
    Request,
    /// The requests of two variants compared.
    Difference,
    /// The asks that are stored for the step.
    Stored,
}

/// A plan of these words.
#[derive(Clone, Debug)]
struct WordsPlan {
    number: u64,
    words: String,
    /// What it is, once that is known.
    planned: Option<Result<PlannedStudy, Problem>>,
}

/// The dialog.
#[derive(Clone, Debug)]
pub(crate) struct AskGrid {
    pub(super) journal: PathBuf,
    /// The step that is asked about.
    pub(super) asked: Arc<Step>,
    inspector: Option<&'static dyn ObservationInspector>,
    /// The frame in cells, if the environment draws it so.
    pub(super) drawing: Option<SharedDrawing>,
    /// The name of the environment.
    pub(super) environment: String,
    pub(super) is_candidates: bool,
    pub(crate) chips: Chips,
    pub(crate) focus: Focus,
    pub(crate) page: Page,
    pub(super) scroll: u16,
    /// The asks that are stored; `None` while they are read.
    pub(crate) stored: Option<Result<Vec<Arc<StudyTable>>, Problem>>,
    /// The place of the selected stored ask.
    pub(super) stored_at: usize,
    plan: Option<WordsPlan>,
    pub(crate) progress: AskProgress,
    /// What there is of what is asked, or of a stored ask that was opened.
    pub(super) view: Arc<StudyTable>,
    /// Whether a stored ask was opened, which the chips do not describe.
    pub(crate) is_opened: bool,
    /// The number of the selected variant: the order of the rows changes while calls come back.
    variant: usize,
    /// The number of the selected sample.
    sample: u32,
    /// The requests that were read, by the numbers of their variants.
    pub(crate) requests: BTreeMap<usize, Result<String, Problem>>,
}

/// The views of the environment, that of the episode first.
fn views(snapshot: &Snapshot) -> Vec<String> {
    let perception = &snapshot.perception;
    let own = perception.view(&snapshot.head.options).map(|view| view.name);
    let others = perception.views.iter().map(|view| view.name).filter(|name| Some(*name) != own);
    own.into_iter().chain(others).map(str::to_owned).collect()
}

impl AskGrid {
    /// The dialog for the shown step of a recorded episode, with the settings of the step; `None` if there is no step.
    pub(crate) fn new(viewed: &EpisodeView, journal: PathBuf) -> Option<Self> {
        let step = viewed.step()?;
        let version = step.attempts.iter().rev().find_map(|attempt| attempt.prompt_version.as_ref());
        let prompt = version.map_or(viewed.prompt(), |version| &version.prompt);
        let window = if step.attempts.is_empty() { viewed.window() } else { step.window };
        let [am, om] = [window.am(), window.om()].map(|number| number.to_string());
        let model = step.agent.model.as_deref().unwrap_or_default();
        let mut chips = Chips::new([prompt, &am, &om, model], SAMPLES);
        let snapshot = &viewed.snapshot;
        chips.prompts = snapshot.requests.prompts.iter().map(|prompt| prompt.name.clone()).collect();
        let plain = step.space.specs().iter().filter(|spec| spec.is_plain());
        chips.actions = plain.map(|spec| spec.name.clone()).collect();
        chips.views = views(snapshot);
        chips.focus_on(Chip::Prompts);
        Some(Self {
            journal,
            asked: step.clone(),
            inspector: snapshot.presentation.inspector,
            drawing: snapshot.presentation.inspector.and_then(|one| one.drawing(&step.observation)),
            environment: snapshot.head.environment.clone(),
            is_candidates: false,
            chips,
            focus: Focus::Chips,
            page: Page::Grid,
            scroll: 0,
            stored: None,
            stored_at: 0,
            plan: None,
            progress: AskProgress::Over,
            view: Arc::default(),
            is_opened: false,
            variant: 1,
            sample: 1,
            requests: BTreeMap::new(),
        })
    }

    /// The dialog for so many replies of the present prompt. Digits use one.
    pub(crate) fn candidates(viewed: &EpisodeView, journal: PathBuf, count: u32) -> Option<Self> {
        let mut grid = Self::new(viewed, journal)?;
        grid.chips.set_text(Chip::Samples, &count.to_string());
        grid.chips.focus_on(Chip::Samples);
        (grid.is_candidates, grid.focus) = (true, Focus::Answers);
        Some(grid)
    }

    /// The number of the step.
    pub(super) fn step(&self) -> u32 {
        self.asked.number
    }

    /// Whether it is about this step.
    pub(super) fn is_about(&self, journal: &Path, step: u32) -> bool {
        self.journal == journal && self.step() == step
    }

    /// Takes these words: they change the chips that they name.
    pub(crate) fn set_words(&mut self, words: &str) {
        self.chips.set_words(words);
    }

    /// Whether the last plan is for other words than the present ones.
    pub(super) fn has_new_words(&self) -> bool {
        self.plan.as_ref().is_none_or(|plan| plan.words != self.chips.words())
    }

    /// The present words, whose plan is awaited under this number. A stored ask that was opened is closed.
    pub(crate) fn begin_plan(&mut self, number: u64) -> PlannedWords {
        let words = self.chips.words();
        self.plan = Some(WordsPlan { number, words: words.clone(), planned: None });
        self.is_opened = false;
        PlannedWords { number, journal: self.journal.clone(), step: self.step(), words }
    }

    /// Whether a plan or what is stored of it has this number.
    pub(super) fn has_number(&self, number: u64) -> bool {
        self.plan.as_ref().is_some_and(|plan| plan.number == number)
    }

    /// Takes what was planned under this number. Words that cannot be asked have no replies.
    pub(crate) fn set_planned(&mut self, number: u64, planned: Result<PlannedStudy, Problem>) {
        let Some(plan) = self.plan.as_mut().filter(|plan| plan.number == number) else { return };
        if planned.as_ref().map_or(true, |planned| planned.sort != StudySort::Replies) && !self.is_opened {
            self.view = Arc::default();
        }
        if let Ok(planned) = planned.as_ref()
            && !planned.targets.is_empty()
        {
            self.chips.targets.clone_from(&planned.targets);
        }
        plan.planned = Some(planned);
    }

    /// What was planned for the present words; `None` while that is not known.
    pub(super) fn planned(&self) -> Option<&Result<PlannedStudy, Problem>> {
        self.plan.as_ref().filter(|_| !self.has_new_words())?.planned.as_ref()
    }

    /// The number of a plan for the present words whose calls or branches can be made, and the plan.
    pub(crate) fn ready(&self) -> Option<(u64, &PlannedStudy)> {
        let planned = self.planned()?.as_ref().ok()?;
        Some((self.plan.as_ref()?.number, planned))
    }

    /// Whether letters are typed into a chip.
    pub(crate) fn is_typing(&self) -> bool {
        let on_chips = self.page == Page::Grid && self.focus == Focus::Chips;
        on_chips && (self.chips.is_typing() || self.chips.focused() == Chip::Other)
    }

    /// Whether what is asked is complete, and it is known what that needs.
    pub(crate) fn is_planned(&self) -> bool {
        !self.chips.is_typing() && self.ready().is_some()
    }

    /// Whether a plan is awaited.
    pub(crate) fn is_planning(&self) -> bool {
        self.planned().is_none() && !self.is_opened
    }

    /// Whether calls are being made.
    pub(crate) fn is_running(&self) -> bool {
        matches!(self.progress, AskProgress::Running | AskProgress::Stopping)
    }

    /// Whether all calls of what is asked were made.
    pub(crate) fn is_finished(&self) -> bool {
        self.progress == AskProgress::Over && self.view.done > 0 && self.view.done >= self.view.all
    }

    /// The same after calls that are being made were stopped.
    pub(crate) fn settle(&mut self) {
        self.progress = self.progress.stopped();
    }

    /// How many variants are compared.
    pub(crate) fn columns(&self) -> usize {
        self.view.rows.len()
    }

    /// Whether as much is shown of the same ask. What was said at the end of the calls is not said again when they are read.
    pub(super) fn knows(&self, view: &StudyTable) -> bool {
        let shown = &self.view;
        !self.is_running() && shown.id == view.id && shown.done == view.done && view.done > 0
    }

    /// Takes what has come back.
    pub(super) fn set_view(&mut self, view: Arc<StudyTable>) {
        if self.view.id != view.id {
            self.requests.clear();
        }
        self.view = view;
        if self.selected().is_none() {
            self.variant = self.view.rows.first().map_or(1, |row| row.number);
        }
    }

    /// Shows a stored ask.
    pub(crate) fn open_view(&mut self, view: Arc<StudyTable>) {
        self.set_view(view);
        (self.is_opened, self.focus) = (true, Focus::Answers);
        self.show(Page::Grid);
    }

    /// Shows a page from its beginning.
    pub(crate) fn show(&mut self, page: Page) {
        (self.page, self.scroll) = (page, 0);
    }

    /// The place of the selected variant among the columns.
    pub(crate) fn column(&self) -> usize {
        self.view.rows.iter().position(|row| row.number == self.variant).unwrap_or(0)
    }

    /// The selected variant.
    pub(super) fn selected(&self) -> Option<&StudyRow> {
        self.view.rows.iter().find(|row| row.number == self.variant)
    }

    /// The number of the selected sample.
    pub(super) fn sample(&self) -> u32 {
        self.sample.min(self.rows()).max(1)
    }

    /// How many rows there are: as many as the variant with the most samples has, or will have.
    pub(super) fn rows(&self) -> u32 {
        let made = self.view.rows.iter().flat_map(|row| &row.samples).map(|call| call.number).max();
        let each = self.view.all.checked_div(self.view.rows.len()).unwrap_or(0);
        made.unwrap_or(0).max(u32::try_from(each).unwrap_or(u32::MAX))
    }

    /// The selected call.
    pub(super) fn call(&self) -> Option<&Arc<Sample>> {
        let sample = self.sample();
        self.selected()?.samples.iter().find(|call| call.number == sample)
    }

    /// Selects the column of this place.
    pub(super) fn select_column(&mut self, place: usize) {
        if let Some(row) = self.view.rows.get(place) {
            (self.variant, self.scroll) = (row.number, 0);
        }
    }

    /// Moves to another column; it stops at both ends.
    pub(crate) fn move_column(&mut self, by: isize) {
        let last = self.view.rows.len().saturating_sub(1);
        self.select_column(self.column().saturating_add_signed(by).min(last));
    }

    /// Moves to another row; `false` above the first one.
    pub(super) fn move_row(&mut self, by: i32) -> bool {
        let to = i64::from(self.sample()) + i64::from(by);
        self.select_sample(u32::try_from(to.max(1)).unwrap_or(u32::MAX).min(self.rows()));
        to > 0
    }

    /// Selects the sample of this number.
    pub(super) fn select_sample(&mut self, sample: u32) {
        (self.sample, self.scroll) = (sample, 0);
    }

    /// The name of the selected reply, for a branch that begins with it.
    pub(super) fn answer(&self) -> Option<String> {
        let call = self.call().filter(|call| call.reply.is_some())?;
        Some(format!("{}:{}/{}", self.view.id, self.variant, call.number))
    }

    /// The order to rate the selected reply.
    pub(super) fn rated(&self, rating: Option<Rating>) -> Option<RatedReply> {
        let sample = self.call().filter(|call| call.reply.is_some())?.number;
        let journal = self.journal.clone();
        let ask = self.view.id.clone();
        Some(RatedReply { journal, step: self.step(), ask, variant: self.variant, sample, rating })
    }

    /// A reply was rated.
    pub(super) fn set_rating(&mut self, rated: &RatedReply) {
        if self.view.id != rated.ask {
            return;
        }
        let view = Arc::make_mut(&mut self.view);
        let variants = view.rows.iter_mut().filter(|variant| variant.number == rated.variant);
        for call in variants.flat_map(|variant| &mut variant.samples) {
            if call.number == rated.sample {
                Arc::make_mut(call).rating = rated.rating;
            }
        }
    }

    /// The asks that are stored, as far as they are known.
    pub(super) fn stored(&self) -> &[Arc<StudyTable>] {
        self.stored.as_ref().and_then(|stored| stored.as_ref().ok()).map_or(&[], Vec::as_slice)
    }

    /// The two variants whose requests are compared: the selected one and its neighbour, in the order of the columns.
    pub(super) fn compared(&self) -> Option<[&StudyRow; 2]> {
        let first = self.column().saturating_sub(1);
        match self.view.rows.get(first..)? {
            [one, other, ..] => Some([one, other]),
            _ => None,
        }
    }

    /// The frame of the step.
    pub(super) fn picture(&self) -> Option<&Arc<Picture>> {
        self.asked.observation.images().next().map(|(_, picture)| picture)
    }

    /// The action of the selected reply, if it can be read in this state.
    pub(super) fn action(&self) -> Option<Action> {
        self.asked.space.parse_line(self.call()?.answer.as_deref()?).ok()
    }

    /// Where an answer acts on the frame; nothing if the environment does not say that.
    pub(super) fn shapes(&self, answer: &str) -> Vec<ActionShape> {
        let action = self.asked.space.parse_line(answer).ok();
        let inspector = self.inspector.zip(action);
        inspector.map_or_else(Vec::new, |(inspector, action)| {
            ObservationInspector::action_shapes(inspector, &self.asked.observation, &action)
        })
    }
}
