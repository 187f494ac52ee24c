//! The settings of an agent as a head records them, with the preset of its model.
//!
//! A head has the preset itself in place of its name, so a replay never reads the file of presets.

use serde_json::Value;

use super::Lab;
use mageyard_agents::AgentRow;
use mageyard_config::{Config, Origin, Problem};
use mageyard_domain::{Options, Preset};

/// The setting of the preset, and the choices that are no names.
pub const PRESET_KEY: &str = "preset";
const AUTO: &str = "auto";
const NONE: &str = "none";

/// The settings of an agent, with every default and with the preset of its model in place of its name.
pub fn agent_options(_lab: &Lab, row: &AgentRow, config: &Config) -> Result<Options, Problem> {
    let Some(own) = row.settings else { return Ok(Options::default()) };
    let mut options = own.read(|table| config.settings().options(table));
    if let (Some(model), Some(choice)) =
        (row.model(&options), options.get(PRESET_KEY).and_then(Value::as_str))
    {
        let preset = find_preset(config, own.table, choice, model)?;
        let preset = preset.and_then(|preset| serde_json::to_value(preset).ok());
        options.insert(PRESET_KEY.to_owned(), preset.unwrap_or_else(|| NONE.into()));
    }
    Ok(options)
}

/// The preset of the configured model; `None` if no preset is applied.
pub fn model_preset(lab: &Lab, config: &Config) -> Result<Option<Preset>, Problem> {
    let rows = lab.agents.iter().filter(|row| row.requests.is_some());
    for row in rows {
        let options = agent_options(lab, row, config)?;
        if let Some(preset) = options.get(PRESET_KEY).filter(|preset| preset.is_object()) {
            let preset = serde_json::from_value(preset.clone());
            return preset.map(Some).map_err(|error| Problem::new(error.to_string()));
        }
    }
    Ok(None)
}

/// The chosen preset without the fields of settings that are given explicitly.
fn find_preset(config: &Config, table: &str, choice: &str, model: &str) -> Result<Option<Preset>, Problem> {
    if choice == NONE {
        return Ok(None);
    }
    let presets = mageyard_config::load_presets(config.folders())?;
    let found = if choice == AUTO { presets.for_model(model) } else { presets.named(choice) };
    if found.is_none() && choice != AUTO {
        let names: Vec<&str> = presets.0.iter().map(|row| row.preset.name.as_str()).collect();
        let problem = config.problem_with("model.preset", format!("there is no preset {choice:?}"));
        return Err(
            problem.with_suggestions(choice, names.into_iter().chain([AUTO, NONE]).collect::<Vec<_>>())
        );
    }
    let rows = config.resolved_settings().iter();
    let is_default = |origin: &Origin| matches!(origin, Origin::Default | Origin::Environment(_));
    let given = rows.filter(|row| row.table == table && !is_default(&row.origin));
    let given: Vec<&str> = given.map(|row| row.key.as_str()).collect();
    Ok(found.map(|row| row.preset.clone().keeping(&given)))
}
