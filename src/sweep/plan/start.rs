//! Cells that begin with what another cell of the sweep has left: Online cells of an environment whose episodes can start
//! from Global ones. They are planned after all others, and run after the cell that they start from.

use serde_json::Value;

use super::cell::PlannedCell;
use super::product::Combination;
use mageyard_config::{AssignedSetting, Config, Problem};
use mageyard_domain::{EnvironmentSpec, Options, Setting};
use mageyard_lab::SelectedLevel;

/// The value of the setting for a session to start from that is the Global cell of the sweep.
const GLOBAL_CELL: &str = "global";

/// The full name of the setting with the session that episodes of these levels start from, if they can, and its value.
fn start_of(config: &Config, levels: &[SelectedLevel]) -> Option<(String, String)> {
    let spec = levels.first()?.spec;
    let key = spec.capabilities().episodes.start_setting()?;
    let value = config.settings().options(spec.name()).get(key)?.as_str()?.to_owned();
    (config.settings().play.setting == Setting::Online).then(|| (format!("{}.{key}", spec.name()), value))
}

/// Takes the session that an episode starts from out of its options: it is read when the cell is run, so the episode of a plan
/// has none.
pub(super) fn remove_start(spec: &dyn EnvironmentSpec, options: &mut Options) {
    if let Some(setting) = spec.capabilities().episodes.start_setting() {
        options.remove(setting);
    }
}

/// Whether the cell starts from the Global cell of the sweep, so that this one must be known first.
pub(super) fn follows_global(config: &Config, levels: &[SelectedLevel]) -> bool {
    start_of(config, levels).is_some_and(|(_, value)| value == GLOBAL_CELL)
}

/// The session that a cell starts from, if it does.
pub(super) fn start_session(config: &Config, levels: &[SelectedLevel]) -> Option<String> {
    start_of(config, levels).map(|(_, value)| value).filter(|value| !value.is_empty())
}

/// The setting with the name of the Global cell that a cell starts from: the one of the planned cells with the same
/// levels, repeats, seed, agent and model. The model may have other settings in the two requests.
pub(super) fn global_start(
    planned: &[(usize, PlannedCell)],
    combination: &Combination<'_>,
    config: &Config,
    levels: &[SelectedLevel],
) -> Result<AssignedSetting, Problem> {
    let (name, _) = start_of(config, levels).unwrap_or_default();
    let fits = |cell: &&PlannedCell| {
        let own = cell.config.settings();
        own.play.setting == Setting::Global
            && own.play.level == config.settings().play.level
            && (own.play.seed, cell.repeats) == (config.settings().play.seed, combination.grid.repeats)
            && own.play.agent == config.settings().play.agent
            && model(&cell.config) == model(config)
    };
    let cells: Vec<&PlannedCell> = planned.iter().map(|(_, cell)| cell).filter(fits).collect();
    match &cells[..] {
        [cell] => {
            let row = config.resolved_settings().iter().find(|row| row.name() == name);
            let row = row.ok_or_else(|| Problem::new(format!("there is no setting {name}")))?;
            let value = Value::from(cell.name.as_str());
            Ok(AssignedSetting { name, value, origin: row.origin.clone() })
        }
        [] => {
            let what = "the sweep has no Global cell with these levels, repeats, seed, agent and model to start from";
            Err(Problem::new(what).with_help("add one, with play.setting = [\"global\", \"online\"]"))
        }
        [first, second, ..] => {
            let what =
                format!("several Global cells fit to start from, such as {} and {}", first.name, second.name);
            Err(Problem::new(what).with_help(format!("name one of them in {name}")))
        }
    }
}

/// The model that an agent asks, if it asks one.
fn model(config: &Config) -> Option<Value> {
    config.given_value("model.name").map(|row| row.value.clone())
}
