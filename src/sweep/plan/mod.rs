//! The plan of a sweep: reads its file and lists its cells. Nothing is sent and nothing is written.

mod axis;
mod cell;
mod check;
mod draft;
mod estimate;
mod expected;
mod file;
mod name;
mod overrides;
mod presets;
mod product;
mod range;
mod reader;
mod start;
mod summary;
#[cfg(test)]
mod tests;
mod times;

use self::check::refuse_invalid_value;
use self::check::refuse_persons;
pub(crate) use self::check::{check_combination, check_names};
pub use self::estimate::estimate_sweep;
pub(crate) use self::name::agent_row;
pub use self::summary::cell_summary;
use mageyard_lab::{config_for, new_heads, playable_levels};
use std::collections::BTreeMap;
use std::sync::Arc;

pub use self::cell::{PlannedCell, StruckCell};
pub use self::draft::{SweepDraft, draft_numbers};
pub use self::estimate::{
    CellEstimate, MeasuredTime, RoleEstimate, SweepEstimate, USUAL_ANSWER, USUAL_REPLY, measured_times,
};
pub use self::expected::ExpectedCost;
use self::file::SweepFile;
use self::name::{Subject, cell_identity, cell_name};
pub use self::overrides::SweepOverrides;
pub use self::presets::{sweep_catalog, sweep_file, sweep_summary};
use self::product::Combination;
pub use self::summary::CellSummary;
pub use self::times::PlanTimes;
use mageyard_config::{Config, Problem, SourceFile};
use mageyard_engine::{Head, Store};
use mageyard_lab::{Lab, LabError, SelectedLevel};

pub use self::cell::SweepPlan;

/// The largest number of combinations of a sweep.
const MOST_CELLS: usize = 20_000;

/// Settings that vary within a row of a report.
const LEVELS_AND_SEEDS: [&str; 2] = ["play.level", "play.seed"];

/// The levels of each reference that a sweep has.
type Levels = BTreeMap<String, Arc<[SelectedLevel]>>;

/// Plans a sweep: reads its file, applies the overrides, and strikes out what cannot be played and what is there
/// twice. `config` has the settings below those of the sweep. Unknown names, values of a wrong type, levels that do
/// not exist and wrong ranges are problems with file and line; a combination that is not possible is struck out.
pub fn plan_sweep(
    lab: &Lab,
    sheet: &SourceFile,
    overrides: &SweepOverrides,
    config: &Config,
) -> Result<SweepPlan, Problem> {
    let mut file = reader::parse(sheet)?;
    overrides.apply(&mut file)?;
    refuse_too_many(&file)?;
    let all: Vec<Combination<'_>> = file.grids.iter().flat_map(product::combinations).collect();
    let levels = sweep_levels(lab, &file, config)?;
    let mut planner = Planner::new(lab, config, &all, &levels);
    all.iter().enumerate().try_for_each(|place| planner.add(place))?;
    let (cells, struck) = planner.finish()?;
    let reference_cells = reference_cells(lab, &file, &cells)?;
    Ok(SweepPlan {
        name: file.name.clone(),
        about: file.about.clone(),
        reference: file
            .reference
            .as_ref()
            .map(|(values, _)| product::shown_values(values))
            .unwrap_or_default(),
        reference_cells,
        difference: file.difference,
        pilot: file.pilot.clone(),
        baselines: file.baselines.clone(),
        source: overrides
            .written_into(&sheet.text, Some(&*file.name).filter(|_| file.is_named_by_file))
            .into(),
        cells,
        struck,
    })
}

/// The heads of the episodes of a cell, in order. Recordings are looked up in this store.
pub async fn cell_heads(lab: &Lab, cell: &PlannedCell, store: &Store) -> Result<Vec<Head>, LabError> {
    new_heads(lab, &cell.config, &cell.levels, cell.repeats, store).await
}

/// The levels of each reference. A sweep without levels, and an unknown level, is a problem at its place.
fn sweep_levels(lab: &Lab, file: &SweepFile, config: &Config) -> Result<Levels, Problem> {
    let mut found = Levels::new();
    for grid in &file.grids {
        let axis = grid.axes.iter().find(|axis| axis.setting == "play.level");
        let axis = axis.ok_or_else(|| {
            let problem = grid.origin.problem("levels is missing");
            problem.with_help("add a line such as levels = [\"ENVIRONMENT/SET\"] at the top of the file")
        })?;
        for value in &axis.values {
            let reference = value.value.as_str().unwrap_or_default();
            if !found.contains_key(reference) {
                let levels = playable_levels(lab, config, reference);
                let (levels, _) = levels.map_err(|problem| placed(problem, value))?;
                found.insert(reference.to_owned(), levels.into());
            }
        }
    }
    Ok(found)
}

/// The problem at the place of a value, unless it has a place of its own.
fn placed(problem: Problem, value: &mageyard_config::AssignedSetting) -> Problem {
    if problem.location.is_some() {
        return problem;
    }
    Problem { help: problem.help, ..value.origin.problem(&format!("levels: {}", problem.message)) }
}

fn refuse_too_many(file: &SweepFile) -> Result<(), Problem> {
    let mut sum = 0_usize;
    for grid in &file.grids {
        sum = sum.saturating_add(product::count(grid));
        if sum > MOST_CELLS {
            let what = format!("the sweep has more than {MOST_CELLS} combinations up to here");
            return Err(grid.origin.problem(&what).with_help("use fewer values, or several sweeps"));
        }
    }
    Ok(())
}

/// The indexes of the cells with the values of the reference, of which each other cell is compared with the nearest. A cell
/// whose agent sends no requests has no prompt and no memory window.
fn reference_cells(lab: &Lab, file: &SweepFile, cells: &[PlannedCell]) -> Result<Vec<usize>, Problem> {
    let Some((values, origin)) = file.reference.as_ref().filter(|_| !cells.is_empty()) else {
        return Ok(Vec::new());
    };
    if values.iter().all(|value| LEVELS_AND_SEEDS.contains(&&*value.name)) {
        let problem = origin.problem("reference: levels and seed are not what rows of the report differ in");
        return Err(problem.with_help("name a setting of the agent, such as memory.am, or remove reference"));
    }
    let asked = values.iter().any(|value| is_asked(lab, &value.name));
    let fits = |cell: &&PlannedCell| cell.has(values) && (!asked || sends_requests(lab, &cell.config));
    let found: Vec<usize> =
        cells.iter().enumerate().filter(|(_, cell)| fits(cell)).map(|(index, _)| index).collect();
    if found.is_empty() {
        let problem = origin.problem("reference: no cell that is run has all these values");
        return Err(problem.with_help("name settings and values of one of the cells, or remove reference"));
    }
    Ok(found)
}

/// Whether the agent sends requests to a model.
fn sends_requests(lab: &Lab, config: &Config) -> bool {
    lab.agent(&config.settings().play.agent).is_some_and(|row| row.requests.is_some())
}

/// Whether a setting is about requests, so that an agent that sends none does not have it.
fn is_asked(lab: &Lab, name: &str) -> bool {
    let asking = lab.asking_agent().ok().map(|(_, settings)| settings.table);
    let table = name.split_once('.').map(|(table, _)| table);
    name == "play.prompt" || table == Some("memory") || (table.is_some() && table == asking)
}

/// Sorts combinations into cells and those that are struck out.
struct Planner<'a> {
    lab: &'a Lab,
    config: &'a Config,
    levels: &'a Levels,
    varying: Vec<String>,
    /// The cells and those struck out, with their places in the file.
    cells: Vec<(usize, PlannedCell)>,
    struck: Vec<(usize, StruckCell)>,
    /// Combinations that start from other cells.
    later: Vec<(usize, &'a Combination<'a>)>,
    /// The name of the cell with each identity.
    names: BTreeMap<String, String>,
}

impl<'a> Planner<'a> {
    fn new(lab: &'a Lab, config: &'a Config, all: &[Combination<'_>], levels: &'a Levels) -> Self {
        let varying = product::varying(all, config);
        let cells = Vec::new();
        let struck = Vec::new();
        let names = BTreeMap::new();
        Self { lab, config, levels, varying, cells, struck, later: Vec::new(), names }
    }

    fn add(&mut self, (place, combination): (usize, &'a Combination<'a>)) -> Result<(), Problem> {
        let settings = combination.settings.iter().map(|(setting, _)| *setting);
        let config = match self.config.with_assigned(settings) {
            Ok(config) => config,
            Err(problem) => {
                let coordinates = product::written(&self.varying, combination, self.config);
                self.strike(place, coordinates, &problem, None);
                return Ok(());
            }
        };
        check_names(self.lab, &config)?;
        let coordinates = product::coordinates(&self.varying, &config);
        let Some(levels) = self.levels.get(&config.settings().play.level).cloned() else { return Ok(()) };
        if start::follows_global(&config, &levels) {
            self.later.push((place, combination));
        } else {
            self.add_cell((place, combination), coordinates, config, levels)?;
        }
        Ok(())
    }

    /// Adds the cells that start from others, and returns all in the order of the file.
    fn finish(mut self) -> Result<(Vec<PlannedCell>, Vec<StruckCell>), Problem> {
        for (place, combination) in std::mem::take(&mut self.later) {
            let settings = || combination.settings.iter().map(|(setting, _)| *setting);
            let config = self.config.with_assigned(settings())?;
            let coordinates = product::coordinates(&self.varying, &config);
            let Some(levels) = self.levels.get(&config.settings().play.level).cloned() else { continue };
            match start::global_start(&self.cells, combination, &config, &levels) {
                Err(problem) => self.strike(place, coordinates, &problem, None),
                Ok(start) => {
                    let config = self.config.with_assigned(settings().chain([&start]))?;
                    self.add_cell((place, combination), coordinates, config, levels)?;
                }
            }
        }
        self.cells.sort_by_key(|(place, _)| *place);
        self.struck.sort_by_key(|(place, _)| *place);
        let cells = self.cells.into_iter().map(|(_, cell)| cell).collect();
        Ok((cells, self.struck.into_iter().map(|(_, cell)| cell).collect()))
    }

    /// Adds a valid combination that is not there yet. A value that is wrong whatever the others are is a problem.
    fn add_cell(
        &mut self,
        (place, combination): (usize, &Combination<'_>),
        coordinates: Vec<(String, String)>,
        config: Config,
        levels: Arc<[SelectedLevel]>,
    ) -> Result<(), Problem> {
        match self.subject_name(combination, &config, &levels) {
            Err(problem) => {
                for (value, _) in &combination.settings {
                    refuse_invalid_value(self.lab, value, &config, &levels)?;
                }
                self.strike(place, coordinates, &problem, None);
            }
            Ok((identity, name)) => {
                if let Some(first) = self.names.get(&identity).cloned() {
                    self.strike(place, coordinates, &Problem::new("the same as another cell"), Some(first));
                    return Ok(());
                }
                refuse_persons(self.lab, &config, &levels)?;
                self.names.insert(identity, name.clone());
                let repeats = combination.grid.repeats;
                let seed = config.settings().play.seed;
                let after = start::start_session(&config, &levels);
                let mut coordinates = coordinates;
                if !sends_requests(self.lab, &config) {
                    coordinates.retain(|(setting, _)| !is_asked(self.lab, setting));
                }
                let config = Arc::new(config);
                let cell = PlannedCell { name, coordinates, config, levels, repeats, seed, after };
                self.cells.push((place, cell));
            }
        }
        Ok(())
    }

    /// The identity and the name of a cell, or why it cannot be played.
    fn subject_name(
        &self,
        combination: &Combination<'_>,
        config: &Config,
        levels: &[SelectedLevel],
    ) -> Result<(String, String), Problem> {
        let level = levels.first().ok_or_else(|| Problem::new("there is no level"))?;
        check_combination(self.lab, config, level)?;
        let spec = level.spec;
        let config = &config_for(self.lab, config, level.spec)?;
        let subject = Subject { combination, config, levels, spec };
        let identity = cell_identity(self.lab, &subject)?.text();
        let name = cell_name(&subject, agent_row(self.lab, spec, config)?, &identity);
        Ok((identity, name))
    }

    fn strike(
        &mut self,
        place: usize,
        coordinates: Vec<(String, String)>,
        problem: &Problem,
        first: Option<String>,
    ) {
        let help = problem.help.as_ref().map_or_else(String::new, |help| format!("; {help}"));
        let reason = format!("{}{help}", problem.message);
        self.struck.push((place, StruckCell { coordinates, reason, duplicate_of: first }));
    }
}
