//! Heads of new episodes, from the settings.

use super::Lab;
use super::SelectedLevel;
use super::configured_reader;
use super::unix_time;
use crate::agents::AgentRow;
use crate::agents::find_agent;
use crate::config;
use crate::config::Config;
use crate::config::Problem;
use crate::dialog::History;
use crate::dialog::RequestLayout;
use crate::domain::Budget;
use crate::domain::EnvironmentSpec;
use crate::domain::EpisodePolicy;
use crate::domain::Window;
use crate::engine::Head;
use crate::engine::RecordedAgent;

impl Lab {
    /// The settings for an environment: with its own defaults, and with its window if that is fixed.
    pub fn config_for(&self, config: &Config, spec: &dyn EnvironmentSpec) -> Result<Config, Problem> {
        let config = config.with_environment_defaults(spec.name(), spec.setting_defaults())?;
        let Some(fixed) = spec.fixed_window() else { return Ok(config) };
        let sides = [("memory.am", fixed.am()), ("memory.om", fixed.om())];
        if let Some((name, _)) = sides.iter().find(|(name, value)| config.is_given_otherwise(name, *value)) {
            return Err(fixed_window_problem(&config, spec, name, fixed));
        }
        let [am, om] = sides.map(|(name, value)| (name, value.to_string()));
        config.with_environment_defaults(spec.name(), &[(am.0, &am.1), (om.0, &om.1)])
    }

    /// The head of a new episode from the settings, with this seed.
    pub fn new_head(&self, config: &Config, selected: &SelectedLevel, seed: u64) -> Result<Head, Problem> {
        let config = &self.config_for(config, selected.spec)?;
        let rules = configured_reader(config.folders(), config)?;
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
            history: selected.spec.fixed_window().map_or(History::Turns, |_| History::State),
            plan_images: settings.memory.plan_images,
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
            conduct: EpisodePolicy {
                continue_replies: play.continue_replies && selected.spec.continues_replies(),
                ..settings.episode_policy()
            },
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

fn fixed_window_problem(config: &Config, spec: &dyn EnvironmentSpec, name: &str, fixed: Window) -> Problem {
    let (am, om) = (fixed.am(), fixed.om());
    let what = format!(
        "{}: requests have no history, because the newest observation has the files that the agent wrote; the window is fixed at AM={am}, OM={om}",
        spec.name()
    );
    let help = format!("remove the setting, or write --am {am} --om {om}");
    config.problem_with(name, what).with_help(help)
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
