//! What a cell is, in the terms of its environment and agent.

use super::cell::PlannedCell;
use crate::agent_row;
use mageyard_config::Problem;
use mageyard_domain::{Setting, Window};
use mageyard_lab::{Lab, config_for};

/// What a cell is, with the defaults of its environment. What its agent does not have is `None`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellSummary {
    /// The reference of the levels.
    pub levels: String,
    /// Global or Online.
    pub setting: Setting,
    /// The agent.
    pub agent: String,
    /// The model that the agent asks.
    pub model: Option<String>,
    /// The prompt variant, for an agent that sends requests.
    pub prompt: Option<String>,
    /// The memory window, for an agent that sends requests.
    pub window: Option<Window>,
    /// The reader.
    pub reader: String,
}

/// What a cell is.
pub fn cell_summary(lab: &Lab, cell: &PlannedCell) -> Result<CellSummary, Problem> {
    let level = cell.levels.first().ok_or_else(|| Problem::new("a cell without levels"))?;
    let config = config_for(lab, &cell.config, level.spec)?;
    let row = agent_row(lab, level.spec, &config)?;
    let settings = config.settings();
    let asks = row.requests.is_some();
    let options = row.settings.map(|own| own.read(|table| settings.options(table))).unwrap_or_default();
    Ok(CellSummary {
        levels: settings.play.level.clone(),
        setting: settings.play.setting,
        agent: settings.play.agent.clone(),
        model: row.model(&options).map(str::to_owned),
        prompt: asks.then(|| settings.play.prompt.clone()),
        window: asks.then(|| config.window()),
        reader: settings.play.reader.clone(),
    })
}
