//! Heads of new episodes, from the settings.

use super::SelectedLevel;
use super::unix_time;
use crate::config;
use crate::config::Config;
use crate::config::Problem;
use crate::dialog::ReaderRules;
use crate::dialog::RequestLayout;
use crate::domain::Budget;
use crate::domain::Options;
use crate::engine::Head;

/// The head of a new episode with everything that this one was started with.
pub fn restarted_head(head: &Head) -> Head {
    Head {
        program: concat!("mageyard ", env!("CARGO_PKG_VERSION")).into(),
        started: unix_time().as_secs(),
        ..head.clone()
    }
}

/// The head of a new episode from the settings, with this seed.
pub fn new_head(
    config: &Config,
    selected: &SelectedLevel,
    rules: ReaderRules,
    seed: u64,
) -> Result<Head, Problem> {
    let play = &config.settings().play;
    Ok(Head {
        program: concat!("mageyard ", env!("CARGO_PKG_VERSION")).into(),
        started: unix_time().as_secs(),
        environment: selected.spec.name().into(),
        reference: selected.reference.clone(),
        title: selected.level.title.clone(),
        number: selected.level.number,
        level: selected.level.source.clone(),
        options: config.settings().options(selected.spec.name()),
        agent: play.agent.clone(),
        seated: if play.agent == "model" { config.settings().model.options.clone() } else { Options::new() },
        seed,
        repeat: Some(1),
        setting: play.setting,
        window: config.window(),
        prompt: play.prompt.clone(),
        layout: RequestLayout {
            system_role: config.settings().model.system_role,
            dropped_frame: config.settings().memory.dropped_frame,
        },
        rules,
        max_steps: play.max_steps,
        max_time: play.max_time(),
        budget: budget(config)?,
        conduct: config.settings().episode_policy(),
    })
}

/// The budget of an episode. A cost limit needs the price of the model.
fn budget(config: &Config) -> Result<Budget, Problem> {
    let settings = config.settings();
    let (play, tokens) = (&settings.play, settings.play.max_tokens());
    let Some(most) = play.cost_limit().filter(|_| play.agent == "model") else {
        return Ok(Budget { tokens, cost: None });
    };
    let model = settings.model.options.get("name").and_then(|name| name.as_str()).unwrap_or_default();
    if let Some(price) = config::load_prices(config.folders())?.find(model) {
        return Ok(Budget { tokens, cost: Some((most, price.clone())) });
    }
    let what = format!("play.cost_limit: the price of {model:?} is unknown, so the cost cannot be limited");
    let path = config.folders().prices_file();
    let help = format!("add it to {}; `mageyard prices example` shows how", path.display());
    Err(config.problem_with("play.cost_limit", what).with_help(help))
}
