//! What is known about models without asking a server.

use std::collections::BTreeSet;

use serde_json::Value;

use super::MODEL_NAME;
use crate::{Lab, agent_options, check_agent_settings};
use mageyard_agents::AgentRow;
use mageyard_config::{Config, Origin, Problem, SettingOverride, SourceLocation, load_prices};
use mageyard_domain::{Options, Price};

/// Where a model is described.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelKind {
    /// In a profile of the settings.
    Profile,
    /// In the `model` table of the settings, or in flags and variables.
    Configured,
    /// In the program itself: it needs no server.
    Simulated,
}

impl ModelKind {
    /// The name in output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Profile => "profile",
            Self::Configured => "configured",
            Self::Simulated => "simulated",
        }
    }
}

/// A model that can be chosen by its name.
#[derive(Clone, Debug)]
pub struct ModelFacts {
    /// The name to choose it by: of the profile, or of the model.
    pub name: String,
    /// Where it is described.
    pub kind: ModelKind,
    /// The name of the model, as spelt by its server.
    pub model: String,
    /// The protocol of the server.
    pub protocol: String,
    /// The base URL of the server without user name and password; empty for a simulated model.
    pub url: String,
    /// The variable with the API key; `None` if no key is sent.
    pub key_variable: Option<String>,
    /// Whether that variable is set.
    pub is_key_set: bool,
    /// The price, if it is known.
    pub price: Option<Price>,
    /// The place of a profile in its file.
    pub place: Option<SourceLocation>,
    /// What is wrong with its settings.
    pub problem: Option<Problem>,
}

impl ModelFacts {
    /// What it is, in a few lines for people.
    pub fn lines(&self) -> Vec<String> {
        if self.kind == ModelKind::Simulated {
            return vec!["A simulated model inside the program: it needs no key and no server.".to_owned()];
        }
        let key = match (&self.key_variable, self.is_key_set) {
            (None, _) => "none is sent".to_owned(),
            (Some(variable), true) => format!("{variable}, which is set"),
            (Some(variable), false) => format!("{variable}, which is not set"),
        };
        let mut lines = vec![
            format!("model: {}", self.model),
            format!("server: {}", self.url),
            format!("protocol: {}", self.protocol),
            format!("key: {key}"),
            format!("price: {}", self.price_words()),
        ];
        lines.extend(self.place.as_ref().map(|place| format!("profile: {place}")));
        lines.extend(self.problem.as_ref().map(|problem| format!("wrong: {problem}")));
        lines
    }

    /// The price of a million tokens in words.
    pub fn price_words(&self) -> String {
        self.price.as_ref().map_or_else(
            || "unknown".to_owned(),
            |price| format!("{} in, {} out {} per million tokens", price.input, price.output, price.currency),
        )
    }
}

/// The models that can be chosen by name: profiles, then the one of the settings, then those inside the program.
///
/// # Errors
///
/// The prices cannot be read, or no agent asks a server. A wrong profile is not an error but a fact.
pub fn model_facts(lab: &Lab, config: &Config) -> Result<Vec<ModelFacts>, Problem> {
    let prices = load_prices(config)?;
    let (asking, settings) = lab.asking_agent()?;
    let mut models: Vec<ModelFacts> = Vec::new();
    for profile in config.profiles() {
        let chosen = with_model(config, &profile.name);
        let facts = facts(lab, asking, &profile.name, ModelKind::Profile, chosen.as_ref());
        let place = Some(profile.place.clone());
        let problem = facts.problem.or_else(|| check_profile(lab, config, &profile.name).err());
        models.push(ModelFacts { model: profile.model().to_owned(), place, problem, ..facts });
    }
    let own = lab.agents().iter().filter_map(|row| Some((row, row.requests?.own_models)));
    let own: Vec<(&'static AgentRow, &str)> =
        own.flat_map(|(row, names)| names.iter().map(move |name| (row, *name))).collect();
    let options = config.settings().options(settings.table);
    let configured = asking.model(&options).unwrap_or_default();
    let is_own = own.iter().any(|(_, name)| *name == configured);
    if config.profile().is_none() && !configured.is_empty() && !is_own {
        models.push(facts(lab, asking, configured, ModelKind::Configured, Ok(config)));
    }
    for (row, name) in own {
        let chosen = with_model(config, name);
        let facts = facts(lab, row, name, ModelKind::Simulated, chosen.as_ref());
        models.push(ModelFacts { url: String::new(), key_variable: None, problem: None, ..facts });
    }
    for model in &mut models {
        model.price = prices.find(&model.model).cloned();
    }
    let mut seen = BTreeSet::new();
    models.retain(|model| seen.insert(model.name.clone()));
    Ok(models)
}

fn facts(
    lab: &Lab,
    row: &AgentRow,
    name: &str,
    kind: ModelKind,
    config: Result<&Config, &Problem>,
) -> ModelFacts {
    let read = config.map_err(Problem::clone).and_then(|config| agent_options(lab, row, config));
    let problem = read.as_ref().err().cloned();
    let options = read.unwrap_or_default();
    let key_variable = Some(text(&options, "key_variable")).filter(|variable| !variable.is_empty());
    let is_set = |variable: &String| (lab.key_lookup)(variable).is_some_and(|key| !key.is_empty());
    ModelFacts {
        name: name.to_owned(),
        kind,
        model: Some(text(&options, "name"))
            .filter(|name| !name.is_empty())
            .unwrap_or_else(|| name.to_owned()),
        protocol: text(&options, "protocol"),
        url: without_user(&text(&options, "base_url")),
        is_key_set: key_variable.as_ref().is_some_and(is_set),
        key_variable,
        price: None,
        place: None,
        problem,
    }
}

fn text(options: &Options, name: &str) -> String {
    options.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// An address without user name and password. Such an address is refused before anything is sent, but it may be written.
pub(super) fn without_user(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let start = host.rfind('@').map_or(0, |at| at + 1);
    format!("{scheme}://{}", &rest[start..])
}

/// The settings with this model, or profile, in place of the one that is configured.
pub(crate) fn with_model(config: &Config, name: &str) -> Result<Config, Problem> {
    config.with_overrides(&[SettingOverride::new(MODEL_NAME, name, Origin::Flag("--model".to_owned()))])
}

/// Checks the settings of all profiles; returns the name of each with what is wrong.
pub fn check_profiles(lab: &Lab, config: &Config) -> Vec<(String, Result<(), Problem>)> {
    let check = |name: &String| check_profile(lab, config, name);
    let names = config.profiles().iter().map(|profile| profile.name.clone());
    names
        .map(|name| {
            let checked = check(&name);
            (name, checked)
        })
        .collect()
}

fn check_profile(lab: &Lab, config: &Config, name: &str) -> Result<(), Problem> {
    check_agent_settings(lab, &with_model(config, name)?)
}
