//! Heads of new episodes, from the settings.

use super::Lab;
use super::SelectedLevel;
use super::unix_time;
use crate::agents::AgentRow;
use crate::agents::find_agent;
use crate::config;
use crate::config::Config;
use crate::config::Problem;
use crate::dialog::ReaderRules;
use crate::dialog::RequestLayout;
use crate::domain::Budget;
use crate::engine::Head;
use crate::engine::RecordedAgent;

impl Lab {
    /// The head of a new episode from the settings, with this seed.
    pub fn new_head(
        &self,
        config: &Config,
        selected: &SelectedLevel,
        rules: ReaderRules,
        seed: u64,
    ) -> Result<Head, Problem> {
        let (settings, play) = (config.settings(), &config.settings().play);
        let (environment, level) = (selected.spec.name(), selected.level.clone());
        let row = find_agent(self.agents(), &play.agent)
            .map_err(|error| config.problem_with("play.agent", error.to_string()))?;
        let agent = self.recorded_agent(row, config)?;
        let budget = budget(&agent, config)?;
        let layout = RequestLayout {
            system_role: settings.model.system_role,
            dropped_frame: settings.memory.dropped_frame,
            empty_reply: settings.memory.empty_reply,
            stable_prefix: settings.memory.stable_prefix,
            thoughts: settings.memory.thoughts,
        };
        let started = unix_time().as_secs();
        Ok(Head {
            options: settings.options(environment),
            seed,
            repeat: Some(1),
            setting: play.setting,
            window: config.window(),
            prompt: play.prompt.clone(),
            layout,
            max_steps: play.max_steps,
            max_time: play.max_time(),
            budget,
            conduct: settings.episode_policy(),
            ..Head::new(environment, &selected.reference, level, agent, rules, started)
        })
    }

    /// The agent with its settings, as a head records it.
    fn recorded_agent(&self, row: &AgentRow, config: &Config) -> Result<RecordedAgent, Problem> {
        let options = self.agent_options(row, config)?;
        let model = row.model(&options).map(str::to_owned);
        Ok(RecordedAgent { options, model, ..RecordedAgent::named(row.name) })
    }
}

/// The budget of an episode. A cost limit needs the price of the model.
fn budget(agent: &RecordedAgent, config: &Config) -> Result<Budget, Problem> {
    let play = &config.settings().play;
    let (tokens, unknown) = (play.max_tokens(), play.unknown_usage);
    let (Some(most), Some(model)) = (play.cost_limit(), &agent.model) else {
        return Ok(Budget { tokens, cost: None, unknown });
    };
    if let Some(price) = config::load_prices(config.folders())?.find(model) {
        return Ok(Budget { tokens, cost: Some((most, price.clone())), unknown });
    }
    let what = format!("play.cost_limit: the price of {model:?} is unknown, so the cost cannot be limited");
    let path = config.folders().prices_file();
    let help = format!("add it to {}; `mageyard prices example` shows how", path.display());
    Err(config.problem_with("play.cost_limit", what).with_help(help))
}
