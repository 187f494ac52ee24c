//! Heads of new episodes, from the settings.

use crate::roles::RoleChoice;
use crate::seat::recorded_agent;
use serde_json::Value;

use super::{EpisodeLimits, Lab, SelectedLevel, configured_reader, unix_time};
use mageyard_agents::find_agent;
use mageyard_config::{Config, PlaySettings, Problem};
use mageyard_dialog::{History, RequestLayout};
use mageyard_domain::{
    Budget, Capabilities, Confirm, EnvironmentSpec, EpisodePolicy, Level, NamedPolicy, Options, Price,
    Seconds, Window,
};
use mageyard_engine::{Head, RecordedAgent};

/// The settings for an environment: with its own defaults, and with its window if that is fixed.
pub fn config_for(_lab: &Lab, config: &Config, spec: &dyn EnvironmentSpec) -> Result<Config, Problem> {
    let rules = spec.capabilities().episodes;
    let config = config.with_environment_defaults(spec.name(), rules.setting_defaults)?;
    let Some(fixed) = rules.fixed_window else { return Ok(config) };
    let memory = &config.settings().memory;
    if memory.history != History::Turns {
        return Err(no_history_problem(&config, spec, "memory.history", "turns"));
    }
    if !memory.keep.is_empty() {
        return Err(no_history_problem(&config, spec, "memory.keep", ""));
    }
    let sides = [("memory.am", fixed.am()), ("memory.om", fixed.om())];
    if let Some((name, _)) = sides.iter().find(|(name, value)| config.is_given_otherwise(name, *value)) {
        return Err(fixed_window_problem(&config, spec, name, fixed));
    }
    let [am, om] = sides.map(|(name, value)| (name, value.to_string()));
    config.with_environment_defaults(spec.name(), &[(am.0, &am.1), (om.0, &om.1)])
}

/// The head of a new episode from the settings, with this seed.
pub fn new_head(lab: &Lab, config: &Config, selected: &SelectedLevel, seed: u64) -> Result<Head, Problem> {
    let config = &config_for(lab, config, selected.spec)?;
    let rules = configured_reader(config.folders(), config)?;
    let settings = config.settings();
    let play = &config.settings().play;
    let environment = selected.spec.name();
    let level = selected.level.clone();
    let Capabilities { policies, episodes, engines, .. } = selected.spec.capabilities();
    let policies = policies.named;
    let row = find_agent(lab.agents(), policies, &play.agent)
        .map_err(|error| config.problem_with("play.agent", error.to_string()))?;
    let policy = policies.iter().find(|policy| policy.name == play.agent);
    let agent = recorded_agent(lab, row, &play.agent, config)?;
    let budget = budget(&agent, config)?;
    let layout = RequestLayout {
        system_role: settings.model.system_role,
        dropped_frame: settings.memory.dropped_frame,
        empty_reply: settings.memory.empty_reply,
        stable_prefix: settings.memory.stable_prefix,
        thoughts: settings.memory.thoughts,
        history: episodes.fixed_window.map_or(settings.memory.history, |_| History::State),
        task_once: episodes.task_once,
        keep: settings.memory.keep,
        plan_images: settings.memory.plan_images,
        feedback: settings.memory.feedback,
        exact_words: true,
    };
    let started = unix_time().as_secs();
    let options = options_for(policy, settings.options(environment));
    let side_roles = RoleChoice::new(lab, config, selected.spec, &agent)?.of_level(&level, &options)?;
    let verdict_limit = verdict_limit(selected.spec, &level, &options, play);
    let limits = EpisodeLimits::of(config, selected.spec, &selected.level);
    let confirm = confirm(config, selected, &options, &agent)?;
    let allow = destroyed(selected.spec, &level, &options);
    let head = Head {
        engine: engines.and_then(|engines| (engines.chosen)(&options)).map(str::to_owned),
        options,
        seed,
        repeat: Some(1),
        setting: play.setting,
        window: config.window(),
        prompt: play.prompt.clone(),
        layout,
        verdict_limit,
        allow,
        roles: side_roles,
        budget,
        solver_visible: play.solver_visible && agent.is_person(),
        left_out: selected.left_out,
        conduct: EpisodePolicy {
            continue_replies: play.continue_replies && episodes.continues_replies,
            last_look: episodes.last_look,
            confirm,
            ..settings.episode_policy()
        },
        ..Head::new(environment, &selected.reference, level, agent, rules, started)
    };
    Ok(limits.limit(head))
}

/// Most seconds of the verdict on an episode of this level; `None` if it is not judged.
pub(crate) fn verdict_limit(
    spec: &dyn EnvironmentSpec,
    level: &Level,
    options: &Options,
    play: &PlaySettings,
) -> Option<Seconds> {
    let judges = spec.capabilities().judging.is_some_and(|judging| judging.judges(level, options));
    judges.then(|| play.verdict_limit())
}

/// Which actions a person confirms. A person who decides has confirmed what was decided.
pub(crate) fn confirm(
    config: &Config,
    selected: &SelectedLevel,
    options: &Options,
    agent: &RecordedAgent,
) -> Result<Confirm, Problem> {
    let persons = selected.spec.capabilities().persons;
    if agent.is_person() {
        return Ok(Confirm::Never);
    }
    if !persons.is_some_and(|persons| persons.must_confirm(&selected.level, options)) {
        return Ok(config.settings().play.confirm);
    }
    if config.is_given_otherwise("play.confirm", "each") {
        let what = format!("{}: a person must confirm each action of this level", selected.reference);
        return Err(config.problem_with("play.confirm", what).with_help("remove the setting"));
    }
    Ok(Confirm::Each)
}

/// What opening the level destroys outside of it.
pub(crate) fn destroyed(spec: &dyn EnvironmentSpec, level: &Level, options: &Options) -> Vec<String> {
    spec.capabilities().persons.map_or_else(Vec::new, |persons| persons.destroys(level, options))
}

/// The options of the environment, with those that the policy needs.
fn options_for(policy: Option<&NamedPolicy>, mut options: Options) -> Options {
    let needed = policy.map(|policy| policy.options).unwrap_or_default();
    options.extend(needed.iter().map(|(name, value)| ((*name).to_owned(), Value::from(*value))));
    options
}

fn fixed_window_problem(config: &Config, spec: &dyn EnvironmentSpec, name: &str, fixed: Window) -> Problem {
    let am = fixed.am();
    let om = fixed.om();
    let what = format!(
        "{}: requests have no history, because the newest observation has the files that the agent wrote; the window is fixed at AM={am}, OM={om}",
        spec.name()
    );
    let help = format!("remove the setting, or write --am {am} --om {om}");
    config.problem_with(name, what).with_help(help)
}

/// A setting of the history that must have its default.
fn no_history_problem(config: &Config, spec: &dyn EnvironmentSpec, name: &str, default: &str) -> Problem {
    let what = format!(
        "{}: requests have no history, because the newest observation has the files that the agent wrote",
        spec.name()
    );
    config.problem_with(name, what).with_help(format!("remove the setting, or write {name} = {default:?}"))
}

/// The budget of an episode. A cost limit needs the price of the model.
pub(super) fn budget(agent: &RecordedAgent, config: &Config) -> Result<Budget, Problem> {
    let play = &config.settings().play;
    let tokens = play.max_tokens();
    let unknown = play.unknown_usage;
    let (Some(most), Some(model)) = (play.cost_limit(), &agent.model) else {
        return Ok(Budget { tokens, cost: None, unknown });
    };
    Ok(Budget { tokens, cost: Some((most, price_of(model, config)?)), unknown })
}

/// The price of a model, which a cost limit needs.
pub(crate) fn price_of(model: &str, config: &Config) -> Result<Price, Problem> {
    if let Some(price) = mageyard_config::load_prices(config)?.find(model) {
        return Ok(price.clone());
    }
    let what = format!("play.cost_limit: the price of {model:?} is unknown, so the cost cannot be limited");
    let path = config.folders().prices_file();
    let help = format!("add it to {}; `mageyard prices example` shows how", path.display());
    Err(config.problem_with("play.cost_limit", what).with_help(help))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use mageyard_config::{Folders, Origin, SettingOverride, Sources};
    use mageyard_domain::{
        Environment, EpisodeRules, Level, LevelError, LevelLimits, LevelSet, OptionError, Options, Reference,
        ReplyFormat, Returns, Seconds, Setting, TimeCounted,
    };

    /// An environment without history, with defaults of its own.
    struct Files;

    impl EnvironmentSpec for Files {
        fn name(&self) -> &'static str {
            "files"
        }
        fn summary(&self) -> &'static str {
            ""
        }
        fn file_extensions(&self) -> &'static [&'static str] {
            testing::sokoban().file_extensions()
        }
        fn level_sets(&self) -> &'static [LevelSet] {
            testing::sokoban().level_sets()
        }
        fn parse_levels(&self, text: &str) -> Result<Vec<Level>, LevelError> {
            testing::sokoban().parse_levels(text)
        }
        fn open(
            &self,
            level: &Level,
            options: &Options,
            seed: u64,
        ) -> Result<Box<dyn Environment>, OptionError> {
            testing::sokoban().open(level, options, seed)
        }
        fn reply_format(&self, setting: Setting) -> Option<ReplyFormat> {
            testing::sokoban().reply_format(setting)
        }
        fn score(&self, returns: Returns, reference: Option<&Reference>) -> Option<f64> {
            testing::sokoban().score(returns, reference)
        }
        fn capabilities(&self) -> &'static Capabilities {
            static CAPABILITIES: Capabilities = Capabilities {
                episodes: EpisodeRules {
                    setting_defaults: &[
                        ("play.reader", "lenient"),
                        ("model.resolution", "1920"),
                        ("play.max_steps", "4"),
                    ],
                    fixed_window: Some(Window::NEWEST),
                    continues_replies: true,
                    level_limits: |level| match level.number {
                        2 => LevelLimits { steps: Some(0), time: Some(Seconds::whole(30)) },
                        _ => LevelLimits::NONE,
                    },
                    ..EpisodeRules::NONE
                },
                ..Capabilities::NONE
            };
            &CAPABILITIES
        }
    }

    static ENVIRONMENTS: [&dyn EnvironmentSpec; 1] = [&Files];

    fn config(flags: &[(&'static str, &'static str)]) -> (tempfile::TempDir, Config) {
        let root = tempfile::tempdir().unwrap();
        let flag = |&(name, value): &(&'static str, &'static str)| {
            SettingOverride::new(name, value, Origin::Flag(format!("--{name}")))
        };
        let overrides = flags.iter().map(flag).collect();
        let sources = Sources { folders: Folders::under(root.path()), user_file_override: None, overrides };
        let config = sources.read().unwrap();
        (root, config)
    }

    fn selected() -> SelectedLevel {
        let level = Files.parse_levels(Files.level_sets()[0].text).unwrap().remove(0);
        SelectedLevel { spec: &Files, reference: "files/mini/1".into(), level, left_out: 0 }
    }

    #[test]
    fn an_environment_has_its_own_defaults_and_a_fixed_window() {
        let (_root, config) = config(&[("play.max_steps", "9")]);
        let head = new_head(&testing::lab(), &config, &selected(), 0).unwrap();
        assert_eq!((head.window, head.layout.history), (Window::new(1, 1).unwrap(), History::State));
        assert_eq!((head.rules.name(), head.max_steps), ("lenient", 9), "a flag is stronger");
        assert!(head.conduct.continue_replies);
        assert_eq!(head.layout.plan_images, 10);
        let own = config_for(&testing::lab(), &config, &Files).unwrap();
        let row = own.resolved_settings().iter().find(|row| row.name() == "model.resolution").unwrap();
        assert_eq!((row.value.clone(), row.origin.to_string()), (1920.into(), "default of files".into()));
        let spec = testing::sokoban();
        let other = SelectedLevel { spec, reference: "sokoban/mini/1".into(), ..selected() };
        let head = new_head(&testing::lab(), &config, &other, 0).unwrap();
        assert_eq!((head.window, head.layout.history), (Window::new(5, 1).unwrap(), History::Turns));
        assert_eq!((head.rules.name(), head.conduct.continue_replies), ("strict", false));
    }

    #[tokio::test]
    async fn a_level_has_its_own_limits_unless_settings_are_given() {
        let (root, without) = config(&[]);
        let level = |number| SelectedLevel {
            level: Level { number, ..selected().level },
            reference: format!("files/mini/{number}"),
            ..selected()
        };
        let head = |config: &Config, number| new_head(&testing::lab(), config, &level(number), 0).unwrap();
        let shown = |head: &Head| {
            let time = head.max_time.map_or(0, |time| time.duration().as_secs());
            (head.max_steps, time, head.limits_of_level.names(), head.conduct.time_counted)
        };
        let own = (0, 30, vec!["steps", "time"], TimeCounted::Play);
        let usual = (4, 0, vec![], TimeCounted::Open);
        assert_eq!((shown(&head(&without, 2)), shown(&head(&without, 1))), (own.clone(), usual.clone()));
        let (_root, given) = config(&[("play.max_steps", "9"), ("play.max_time", "5")]);
        assert_eq!(shown(&head(&given, 2)), (9, 5, vec![], TimeCounted::Play), "flags are stronger");
        let (_root, none) = config(&[("play.max_time", "0")]);
        assert_eq!(shown(&head(&none, 2)), (0, 0, vec!["steps"], TimeCounted::Open));
        let levels = [level(2), level(1), level(2)];
        let (_root, idle) = config(&[("play.agent", "idle")]);
        let store = mageyard_engine::Store::new(root.path().join("store"));
        let lab = Lab::new(&ENVIRONMENTS, mageyard_agents::AGENTS, std::sync::Arc::new(|_| None));
        let heads = crate::new_heads(&lab, &idle, &levels, 2, &store).await.unwrap();
        let found: Vec<_> = heads.iter().map(shown).collect();
        assert_eq!(found, [&own, &own, &usual, &usual, &own, &own].map(Clone::clone), "each level its own");
    }

    #[test]
    fn another_window_is_refused_where_it_is_fixed() {
        let (_root, same) = config(&[("memory.am", "1")]);
        assert!(config_for(&testing::lab(), &same, &Files).is_ok());
        for (name, value) in [("memory.am", "3"), ("memory.om", "2")] {
            let (_root, config) = config(&[(name, value)]);
            let problem = new_head(&testing::lab(), &config, &selected(), 0).unwrap_err();
            let expected = format!(
                "--{name}: files: requests have no history, because the newest observation has the files that the agent wrote; the window is fixed at AM=1, OM=1"
            );
            assert_eq!(problem.message, expected);
            assert_eq!(problem.help.as_deref(), Some("remove the setting, or write --am 1 --om 1"));
        }
    }
}
