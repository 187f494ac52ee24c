//! The state of the form.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::model::LineText;
use crate::requests::{PlannedSelection, SweepOffers, SweepSelection};
use mageyard_config::Problem;

/// The model that is selected first, because it needs no key.
const FIRST_MODEL: &str = "demo";

/// A field of the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Field {
    Name,
    Levels,
    Models,
    Baselines,
    Prompts,
    Am,
    Om,
    Setting,
    Repeats,
    /// What is planned, which is read and not changed.
    Plan,
}

impl Field {
    /// All fields in their order.
    pub(super) const ALL: [Self; 10] = [
        Self::Name,
        Self::Levels,
        Self::Models,
        Self::Baselines,
        Self::Prompts,
        Self::Am,
        Self::Om,
        Self::Setting,
        Self::Repeats,
        Self::Plan,
    ];

    pub(super) fn label(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Levels => "levels",
            Self::Models => "models",
            Self::Baselines => "baselines",
            Self::Prompts => "prompts",
            Self::Am => "AM",
            Self::Om => "OM",
            Self::Setting => "setting",
            Self::Repeats => "repeats",
            Self::Plan => "plan",
        }
    }

    /// What it is for, where nothing is selected.
    pub(super) fn hint(self) -> &'static str {
        match self {
            Self::Name => "letters, digits, - _ and .",
            Self::Levels => "sets or levels; each is a row of its own",
            Self::Models => "models and profiles that are compared",
            Self::Baselines => "agents without a model, to compare with",
            Self::Prompts => "default: that of the environment",
            Self::Am => "default: that of the settings; such as 1, 5 or 1..3",
            Self::Om => "default: that of the settings; such as 1, 2 or 1..3",
            Self::Setting => "default: that of the settings",
            Self::Repeats => "episodes for each level and cell",
            Self::Plan => "",
        }
    }

    /// Whether values are selected from a list; otherwise they are typed.
    pub(super) fn is_list(self) -> bool {
        matches!(self, Self::Levels | Self::Models | Self::Baselines | Self::Prompts | Self::Setting)
    }
}

/// The form.
#[derive(Clone, Debug)]
pub(crate) struct SweepForm {
    /// What can be selected; `None` while it is read.
    pub(super) offers: Option<Result<SweepOffers, Problem>>,
    pub(super) focus: Field,
    /// The typed values.
    typed: BTreeMap<Field, LineText>,
    /// The selected values of lists.
    chosen: BTreeMap<Field, Vec<String>>,
    /// What the focused list is filtered by.
    pub(super) filter: LineText,
    /// The place in the focused list, or the first line of the plan.
    pub(super) cursor: usize,
    /// The number of the newest selection, and the plan of one.
    pub(super) number: u64,
    pub(super) planned: Option<(u64, Result<PlannedSelection, Problem>)>,
    /// What was said last.
    pub(super) said: Option<String>,
    /// Whether a file of that name is there, which the next order replaces.
    pub(super) replaces: bool,
    pub(super) is_saving: bool,
    /// The file that was written of the present selection.
    pub(super) written: Option<PathBuf>,
}

impl Default for SweepForm {
    fn default() -> Self {
        let typed = [(Field::Name, "my-sweep"), (Field::Am, "1, 5"), (Field::Om, "1"), (Field::Repeats, "3")];
        Self {
            offers: None,
            focus: Field::Levels,
            typed: typed.into_iter().map(|(field, text)| (field, LineText::new(text))).collect(),
            chosen: BTreeMap::new(),
            filter: LineText::default(),
            cursor: 0,
            number: 0,
            planned: None,
            said: None,
            replaces: false,
            is_saving: false,
            written: None,
        }
    }
}

impl SweepForm {
    /// Whether letters are text in the focused field.
    pub(crate) fn is_typing(&self) -> bool {
        self.focus != Field::Plan
    }

    /// Whether an answer is outstanding, so that a script waits.
    pub(crate) fn is_waiting(&self) -> bool {
        self.offers.is_none() || self.is_saving || !self.is_planned()
    }

    /// Takes what can be selected, and selects what most sweeps begin with.
    pub(super) fn offer(&mut self, offers: Result<SweepOffers, Problem>) {
        if let Ok(offers) = &offers {
            let set = offers.levels.first().cloned();
            let model = offers.models.iter().find(|name| *name == FIRST_MODEL).cloned();
            for (field, value) in [(Field::Levels, set), (Field::Models, model)] {
                self.chosen.entry(field).or_insert_with(|| value.into_iter().collect());
            }
        }
        self.offers = Some(offers);
    }

    pub(super) fn text(&self, field: Field) -> &str {
        self.typed.get(&field).map_or("", LineText::as_str)
    }

    /// The text that is typed in the focused field: its value, or the filter of its list.
    pub(super) fn typed_mut(&mut self) -> &mut LineText {
        if self.focus.is_list() { &mut self.filter } else { self.typed.entry(self.focus).or_default() }
    }

    pub(super) fn chosen(&self, field: Field) -> &[String] {
        self.chosen.get(&field).map_or(&[], Vec::as_slice)
    }

    /// The value of a field in words.
    pub(super) fn value(&self, field: Field) -> String {
        if field.is_list() { self.chosen(field).join(", ") } else { self.text(field).to_owned() }
    }

    /// Sets a field to values as they are written in lines: names with commas between them, or a text.
    pub(super) fn set(&mut self, field: Field, text: &str) {
        if field.is_list() {
            let values = text.split(',').map(str::trim).filter(|value| !value.is_empty());
            self.chosen.insert(field, values.map(str::to_owned).collect());
        } else {
            self.typed.insert(field, LineText::new(text.trim()));
        }
    }

    /// What the focused list offers, as far as the filter lists it; last what is typed itself, if it is a reference of levels that
    /// is not offered.
    pub(super) fn options(&self) -> Vec<String> {
        let Some(Ok(offers)) = &self.offers else { return Vec::new() };
        let all: Vec<String> = match self.focus {
            Field::Levels => offers.levels.clone(),
            Field::Models => offers.models.clone(),
            Field::Baselines => offers.baselines.clone(),
            Field::Prompts => self.prompts(offers),
            Field::Setting => vec!["online".to_owned(), "global".to_owned()],
            Field::Name | Field::Am | Field::Om | Field::Repeats | Field::Plan => Vec::new(),
        };
        let typed = self.filter.as_str().trim();
        let chosen = self.chosen(self.focus);
        let others = chosen.iter().filter(|value| !all.contains(value)).cloned();
        let all: Vec<String> = others.chain(all.iter().cloned()).collect();
        let filter = typed.to_lowercase();
        let mut listed: Vec<String> =
            all.iter().filter(|value| value.to_lowercase().contains(&filter)).cloned().collect();
        let is_reference = self.focus == Field::Levels && typed.contains('/');
        if is_reference && !listed.iter().any(|value| value == typed) {
            listed.push(typed.to_owned());
        }
        listed
    }

    /// The prompt variants of the environments whose levels are selected, each once.
    fn prompts(&self, offers: &SweepOffers) -> Vec<String> {
        let levels = self.chosen(Field::Levels);
        let is_used =
            |environment: &str| levels.iter().any(|level| level.split('/').next() == Some(environment));
        let mut names: Vec<String> = Vec::new();
        for (environment, name) in &offers.prompts {
            if is_used(environment) && !names.contains(name) {
                names.push(name.clone());
            }
        }
        names
    }

    /// Selects or deselects the option at the cursor.
    pub(super) fn toggle(&mut self) {
        let Some(value) = self.options().get(self.cursor).cloned() else { return };
        let chosen = self.chosen.entry(self.focus).or_default();
        match chosen.iter().position(|known| *known == value) {
            Some(at) => drop(chosen.remove(at)),
            None => chosen.push(value),
        }
    }

    /// Selects all listed options, or none of them.
    pub(super) fn choose_all(&mut self, selects: bool) {
        let listed = self.options();
        let chosen = self.chosen.entry(self.focus).or_default();
        chosen.retain(|value| !listed.contains(value));
        if selects {
            chosen.extend(listed);
        }
    }

    /// Moves to another field.
    pub(super) fn focus_by(&mut self, by: isize) {
        let at = Field::ALL.iter().position(|field| *field == self.focus).unwrap_or(0);
        let count = Field::ALL.len().cast_signed();
        let at = (at.cast_signed() + by).rem_euclid(count).cast_unsigned();
        self.focus = Field::ALL[at];
        self.filter.clear();
        self.cursor = 0;
    }

    /// Moves in the focused list or in the plan; it stops at the ends.
    pub(super) fn move_by(&mut self, by: isize, lines: usize) {
        let last = lines.saturating_sub(1);
        self.cursor = self.cursor.min(last).saturating_add_signed(by).min(last);
    }

    /// What is selected.
    pub(super) fn selection(&self) -> SweepSelection {
        let list = |field| self.chosen(field).to_vec();
        let text = |field| self.text(field).trim().to_owned();
        SweepSelection {
            name: text(Field::Name),
            levels: list(Field::Levels),
            models: list(Field::Models),
            baselines: list(Field::Baselines),
            prompts: list(Field::Prompts),
            am: text(Field::Am),
            om: text(Field::Om),
            settings: list(Field::Setting),
            repeats: text(Field::Repeats),
        }
    }

    /// Whether the plan is that of the present selection, with everything.
    pub(super) fn is_planned(&self) -> bool {
        self.planned.as_ref().is_some_and(|(number, planned)| {
            *number == self.number && planned.as_ref().map_or(true, |planned| planned.is_complete)
        })
    }
}
