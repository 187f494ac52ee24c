//! The agents that are asked: the model agent with the settings of the step, once for each model.

use std::sync::Arc;

use super::state::FrozenState;
use super::variants::distinct;
use mageyard_agents::AgentRow;
use mageyard_config::{Config, ModelProfile, Origin, Problem, SettingOverride};
use mageyard_domain::{Digest, Options, RequestEncoder};
use mageyard_engine::{Episode, RecordedAgent};
use mageyard_lab::{Lab, ModelAt, PRESET_KEY, agent_options};

/// An agent that asks one model.
#[derive(Clone)]
pub(super) struct AskedModel {
    pub(super) row: &'static AgentRow,
    pub(super) name: ModelAt,
    /// The name of the model at its server, if it was named by a profile.
    pub(super) of_profile: Option<String>,
    pub(super) options: Options,
    /// The digest of the settings that change what is asked or answered.
    pub(super) settings: Digest,
}

impl AskedModel {
    /// The name of the model at its server.
    pub(super) fn model(&self) -> &str {
        self.of_profile.as_ref().unwrap_or(&self.name.name)
    }

    /// What encodes its requests; `None` if its settings are not valid.
    pub(super) fn encoder(&self) -> Option<Arc<dyn RequestEncoder>> {
        self.row.request_encoder(&self.options)
    }

    /// Has the server continue an answer that is begun.
    pub(super) fn continue_answers(&mut self) -> Result<(), Problem> {
        let continuing = self.row.requests.and_then(|requests| (requests.continuing)(&self.options));
        self.options = continuing.ok_or_else(|| {
            if self.row.is_simulated {
                let name = self.row.name;
                return Problem::new(format!(
                    "--from-text: the simulated models of {name} cannot continue an answer"
                ))
                .with_help("ask a model of a server: --models NAME");
            }
            Problem::new("--from-text: the protocol of the model has no way to continue an answer")
                .with_help("chat and messages have one (the model.protocol setting)")
        })?;
        Ok(())
    }
}

/// The agents for these models; that of the step, or else of the settings, stands for an empty list.
pub(super) fn asked_models(
    lab: &Lab,
    names: &[ModelAt],
    state: &FrozenState,
    given: &[String],
    config: &Config,
) -> Result<Vec<AskedModel>, Problem> {
    let (_, settings) = lab.asking_agent()?;
    let name_setting = format!("{}.name", settings.table);
    let is_given = given.contains(&name_setting);
    let own = Some(&state.agent).filter(|_| !is_given).and_then(|agent| agent.model.clone());
    let configured = || {
        let row = config.given_value(&name_setting);
        row.and_then(|row| row.value.as_str()).unwrap_or_default().to_owned()
    };
    // The model of the step has its recorded settings, also if a profile has the same name.
    let takes_profile = is_given || !names.is_empty() || own.is_none();
    let own = || ModelAt::named(own.unwrap_or_else(configured));
    let names = if names.is_empty() { vec![own()] } else { distinct(names) };
    let model = |name: ModelAt| {
        if name.name.trim().is_empty() {
            let problem = Problem::new("the step was not decided by a model, and no model is named");
            return Err(problem.with_help("name one or more: --models NAME,NAME"));
        }
        let (row, settings) = lab.agent_of_model(&name.name)?;
        let recorded = Some(&state.agent).filter(|agent| agent.name == row.name);
        let setting = |key: &str| format!("{}.{key}", settings.table);
        let name_setting = setting("name");
        let url_setting = setting("base_url");
        let flag = || Origin::Flag("--models".to_owned());
        let mut set = vec![SettingOverride::new(&name_setting, &name.name, flag())];
        set.extend(name.server.iter().map(|url| SettingOverride::new(&url_setting, url, flag())));
        let config = config.with_overrides(&set)?;
        let set = agent_options(lab, row, &config)?;
        let is_recorded = recorded.is_some_and(|agent| agent.model.as_deref() == row.model(&set));
        let profile = config.profile().filter(|_| takes_profile);
        let of_profile = profile.map(ModelProfile::setting_names).unwrap_or_default();
        let replaced = |key: &str| {
            (!is_recorded && ["name", PRESET_KEY].contains(&key))
                || (name.server.is_some() && key == "base_url")
                || of_profile.contains(&setting(key))
        };
        let mut options =
            recorded.map_or_else(|| set.clone(), |agent| merged(&agent.options, &set, &replaced));
        for name in given {
            settings.replace(&mut options, name, &set);
        }
        if let Some(Err(error)) = row.requests.map(|requests| (requests.limits)(&options)) {
            return Err(Problem::new(format!("{name}: {error}")));
        }
        let mut asked = options.clone();
        settings.remove_transport(&mut asked);
        let asked: Vec<_> = asked.iter().collect();
        let digest = Digest::of(&serde_json::to_vec(&asked).unwrap_or_default());
        let of_profile = profile.map(|profile| profile.model().to_owned());
        Ok(AskedModel { row, name, of_profile, options, settings: digest })
    };
    names.into_iter().map(model).collect()
}

/// The recorded options, of which some are replaced by those that are set.
fn merged(recorded: &Options, set: &Options, is_replaced: &dyn Fn(&str) -> bool) -> Options {
    let mut options = recorded.clone();
    for (key, value) in set.iter().filter(|(key, _)| is_replaced(key)) {
        options.insert(key.clone(), value.clone());
    }
    options
}

/// What to say if the step was not decided by a model.
pub(super) fn other_agent(agent: &RecordedAgent, episode: &Episode) -> Option<String> {
    let name = agent.display_name();
    agent.model.is_none().then(|| {
        let step = episode.steps().last().map_or(0, |step| step.number);
        format!("step {step} was decided by {name}, so the settings of the model are the present ones")
    })
}
