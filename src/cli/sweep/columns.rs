//! The properties of cells as columns: those that differ, and those that all cells have in common.

use mageyard_sweep::cell_summary;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::ranges::{short, short_cost};
use crate::records::{CostRange, NeedFields, Record};
use mageyard_config::Problem;
use mageyard_domain::{Setting, Window, table_label};
use mageyard_lab::{Lab, Needs};
use mageyard_sweep::{CellEstimate, CellSummary, MeasuredTime, PlannedCell, SweepPlan};

/// The names of the properties that every cell has, and the settings they show.
const PROPERTIES: [(&str, &str); 11] = [
    ("levels", "levels"),
    ("setting", "play.setting"),
    ("agent", "play.agent"),
    ("model", "model.name"),
    ("prompt", "play.prompt"),
    ("am", "memory.am"),
    ("om", "memory.om"),
    ("reader", "play.reader"),
    ("seed", "seed"),
    ("repeats", "repeats"),
    ("episodes", "episodes"),
];

/// The text of a property that a cell does not have, such as the model of an agent without one.
const NONE: &str = "–";

/// The properties of all cells of a plan.
pub(super) struct Columns {
    names: Vec<String>,
    /// The values of each cell, in the order of the names.
    cells: Vec<Vec<String>>,
}

impl Columns {
    pub(super) fn new(plan: &SweepPlan, lab: &Lab) -> Result<Self, Problem> {
        let further = further_names(plan);
        let values = |cell: &PlannedCell| {
            let summary = cell_summary(lab, cell)?;
            let own = properties(cell, &summary).into_iter();
            let value = |name: &String| {
                let found = cell.coordinates.iter().find(|(coordinate, _)| coordinate == name);
                found.map_or_else(|| NONE.to_owned(), |(_, value)| table_label(value))
            };
            Ok(own.chain(further.iter().map(value)).collect())
        };
        let cells = plan.cells.iter().map(values).collect::<Result<_, Problem>>()?;
        let names = PROPERTIES.iter().map(|(name, _)| (*name).to_owned()).chain(further.iter().cloned());
        Ok(Self { names: names.collect(), cells })
    }

    fn differs(&self, column: usize) -> bool {
        self.cells.windows(2).any(|pair| pair[0].get(column) != pair[1].get(column))
    }

    /// What all cells have in common, in lines that are short enough for any terminal.
    pub(super) fn common(&self) -> Vec<String> {
        let Some(first) = self.cells.first() else { return Vec::new() };
        let named = self.names.iter().zip(first).enumerate();
        let shared = named.filter(|(column, (_, value))| !self.differs(*column) && *value != NONE);
        let words: Vec<String> = shared.map(|(_, (name, value))| format!("{name} {value}")).collect();
        let mut lines: Vec<String> = Vec::new();
        for word in words {
            match lines.last_mut().filter(|line| line.chars().count() + word.chars().count() + 2 < 78) {
                Some(line) => *line = format!("{line}, {word}"),
                None => lines.push(word),
            }
        }
        lines
    }

    /// A head and one row for each cell: its number, and what differs.
    pub(super) fn rows(&self, plan: &SweepPlan, estimates: &[CellEstimate]) -> Vec<Vec<String>> {
        let shown: Vec<usize> = (0..self.names.len()).filter(|column| self.differs(*column)).collect();
        let pick =
            |row: &[String]| shown.iter().filter_map(|column| row.get(*column).cloned()).collect::<Vec<_>>();
        let names: Vec<String> = pick(&self.names).iter().map(|name| short_name(name)).collect();
        let head = [vec!["cell".to_owned()], names, needs_head(estimates)].concat();
        let row = |(index, (values, estimate)): (usize, (&Vec<String>, &CellEstimate))| {
            let mark = if plan.reference_cells.contains(&index) { "*" } else { "" };
            [vec![format!("{}{mark}", index + 1)], pick(values), needs(estimate, estimates)].concat()
        };
        std::iter::once(head).chain(self.cells.iter().zip(estimates).enumerate().map(row)).collect()
    }
}

/// The last part of the name of a setting: the column of `model.temperature` is `temperature`.
pub(super) fn short_name(name: &str) -> String {
    name.rsplit('.').next().unwrap_or(name).to_owned()
}

/// Whether any cell sends requests.
fn sends(estimates: &[CellEstimate]) -> bool {
    estimates.iter().any(|estimate| estimate.total().calls.highest > 0)
}

fn needs_head(estimates: &[CellEstimate]) -> Vec<String> {
    if !sends(estimates) {
        return Vec::new();
    }
    let mut currencies: Vec<String> =
        estimates.iter().flat_map(|estimate| estimate.total().cost.known.into_keys()).collect();
    currencies.dedup();
    let cost = match currencies.as_slice() {
        [one] => format!("cost {one}"),
        _ => "cost".to_owned(),
    };
    ["calls", "images", "input", "output"].map(str::to_owned).into_iter().chain([cost]).collect()
}

fn needs(estimate: &CellEstimate, all: &[CellEstimate]) -> Vec<String> {
    if !sends(all) {
        return Vec::new();
    }
    let Needs { calls, images, input, output, cost } = &estimate.total();
    [calls, images, input, output]
        .map(|bounds| short(*bounds))
        .into_iter()
        .chain([short_cost(cost)])
        .collect()
}

/// Settings that differ and are not among the properties, such as `model.temperature`.
fn further_names(plan: &SweepPlan) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (name, _) in plan.cells.iter().flat_map(|cell| &cell.coordinates) {
        if !names.contains(name) && !PROPERTIES.iter().any(|(_, setting)| setting == name) {
            names.push(name.clone());
        }
    }
    names
}

fn properties(cell: &PlannedCell, summary: &CellSummary) -> Vec<String> {
    let or_none = |text: &Option<String>| text.clone().unwrap_or_else(|| NONE.to_owned());
    let number = |number: Option<u16>| number.map_or_else(|| NONE.to_owned(), |number| number.to_string());
    vec![
        summary.levels.clone(),
        summary.setting.to_string().to_lowercase(),
        summary.agent.clone(),
        or_none(&summary.model),
        or_none(&summary.prompt),
        number(summary.window.map(Window::am)),
        number(summary.window.map(Window::om)),
        summary.reader.clone(),
        cell.seed.to_string(),
        cell.repeats.to_string(),
        cell.episodes().to_string(),
    ]
}

/// A cell of a sweep (`sweep plan`). What its agent does not have is null.
#[derive(Serialize, JsonSchema)]
pub(crate) struct CellObject<'a> {
    /// Name of the sweep.
    sweep: &'a str,
    /// Stable name of the cell, also that of its session.
    cell: &'a str,
    /// Name of the environment.
    environment: &'static str,
    /// Reference of the levels.
    levels: String,
    /// `online` or `global`.
    #[schemars(with = "String")]
    setting: Setting,
    /// Name of the agent.
    agent: String,
    /// Name of the model.
    model: Option<String>,
    /// Prompt variant.
    prompt: Option<String>,
    /// Action memory.
    am: Option<u16>,
    /// Observation memory.
    om: Option<u16>,
    /// Reader rules.
    reader: String,
    /// Seed of the first repeat.
    seed: u64,
    /// Episodes per level.
    repeats: u32,
    /// All episodes.
    episodes: usize,
    /// Settings that differ between cells, with the values of this one.
    coordinates: Map<String, Value>,
    /// Cell or session that its episodes start from.
    after: Option<&'a str>,
    #[serde(flatten)]
    needs: NeedFields,
    /// Cost; null if nothing is sent or the price is unknown.
    cost: Option<CostRange>,
    /// Seconds that its episodes take one after the other, estimated from recorded ones; null if there are none.
    seconds: Option<f64>,
    /// Session of these recorded episodes.
    seconds_from: Option<String>,
}

impl CellObject<'_> {
    /// The object with the estimated time.
    pub(super) fn with_time(self, time: Option<&MeasuredTime>) -> Self {
        let seconds = time.map(|time| time.of_episodes(self.episodes));
        Self { seconds, seconds_from: time.map(|time| time.session.clone()), ..self }
    }
}

impl Record for CellObject<'_> {
    const TYPE: &'static str = "sweep_cell";
}

pub(super) fn cell_object<'a>(
    plan: &'a SweepPlan,
    cell: &'a PlannedCell,
    estimate: &CellEstimate,
    lab: &Lab,
) -> Result<CellObject<'a>, Problem> {
    let CellSummary { levels, setting, agent, model, prompt, window, reader } = cell_summary(lab, cell)?;
    Ok(CellObject {
        sweep: &plan.name,
        cell: &cell.name,
        environment: cell.environment(),
        levels,
        setting,
        agent,
        model,
        prompt,
        am: window.map(Window::am),
        om: window.map(Window::om),
        reader,
        seed: cell.seed,
        repeats: cell.repeats,
        episodes: cell.episodes(),
        coordinates: coordinates_object(&cell.coordinates),
        after: cell.after.as_deref(),
        needs: NeedFields::from(&estimate.total()),
        cost: CostRange::all(&estimate.total().cost, |_| None).pop(),
        seconds: None,
        seconds_from: None,
    })
}

pub(super) fn coordinates_object(coordinates: &[(String, String)]) -> Map<String, Value> {
    coordinates.iter().map(|(name, value)| (name.clone(), Value::from(value.as_str()))).collect()
}
