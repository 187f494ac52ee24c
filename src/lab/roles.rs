//! Who answers side requests: the agents of the roles of an episode, from the settings or as a head records them.

use std::cell::OnceCell;

use serde_json::Value;

use super::models::with_model;
use super::replay_source::recording_for_role;
use super::seat::{changed_agent, recorded_agent, seat_for_role};
use super::{Lab, LabError};
use mageyard_config::{Catalog, CatalogEntry, Config, Folders, Problem, SourceFile};
use mageyard_dialog::SidePrompt;
use mageyard_domain::{EnvironmentSpec, Level, Options, Price, SideRole, nearest_names};
use mageyard_engine::{Head, RecordedAgent, RecordedRole, RecordedRoles, RoleSeat, RoleSeats};

/// The prompt files of the roles: the shipped ones with those of the environment, and the user's.
pub fn role_prompt_catalog(spec: &dyn EnvironmentSpec, folders: &Folders) -> Catalog {
    let own = spec.capabilities().questions.map_or(&[][..], |questions| questions.prompts());
    let text = |role: SideRole| {
        let own = own.iter().find(|(of, _)| *of == role);
        (role.name(), own.map_or(SidePrompt::shipped(role), |(_, text)| *text))
    };
    let shipped = SideRole::ALL.into_iter().map(text);
    let folder = folders.prompts(spec.name()).join("roles");
    Catalog::new("prompt of a role", "src/dialog/side/prompts", shipped, folder, &["md"])
}

/// The prompt files that an environment can need: those of modules, that of the judge if it asks, and the user's own.
pub fn role_prompt_entries(spec: &dyn EnvironmentSpec, folders: &Folders) -> Vec<CatalogEntry> {
    let asks = spec.capabilities().questions.is_some();
    let is_needed = |entry: &CatalogEntry| {
        entry.path.is_some() || asks || SideRole::named(&entry.name).is_some_and(SideRole::is_module)
    };
    let entries = role_prompt_catalog(spec, folders).entries();
    entries.into_iter().filter(is_needed).collect()
}

/// Checks the file of a prompt, which has the name of its role.
pub fn check_role_prompt(file: &SourceFile, name: &str) -> Result<SideRole, Problem> {
    let Some(role) = SideRole::named(name) else {
        let problem = Problem::new(format!("there is no role {name}")).at(&file.path, "", 0..0);
        return Err(problem.with_suggestions(name, SideRole::ALL.map(SideRole::name)));
    };
    let read = SidePrompt::parse(role, &file.text);
    read.map(|_| role).map_err(|error| file.problem_at(error.message, error.span))
}

/// Reads and checks the prompt file of a role.
pub fn read_role_prompt(
    spec: &dyn EnvironmentSpec,
    folders: &Folders,
    role: SideRole,
) -> Result<SidePrompt, Problem> {
    let file = role_prompt_catalog(spec, folders).find(role.name())?;
    SidePrompt::parse(role, &file.text).map_err(|error| file.problem_at(error.message, error.span))
}

/// The roles of new episodes of an environment. Who judges is looked up only if a level needs it.
pub(crate) struct RoleChoice {
    lab: Lab,
    config: Config,
    spec: &'static dyn EnvironmentSpec,
    agent: RecordedAgent,
    modules: RecordedRoles,
    judge: OnceCell<Result<RecordedRole, Problem>>,
}

impl RoleChoice {
    /// The choice for episodes in which this agent decides.
    pub(crate) fn new(
        lab: &Lab,
        config: &Config,
        spec: &'static dyn EnvironmentSpec,
        agent: &RecordedAgent,
    ) -> Result<Self, Problem> {
        let choice = Self {
            lab: lab.clone(),
            config: config.clone(),
            spec,
            agent: agent.clone(),
            modules: RecordedRoles::new(),
            judge: OnceCell::new(),
        };
        let modules = modules(config)?.into_iter();
        if let Some(role) = modules.clone().next()
            && lab.agent(&agent.name).is_none_or(|row| row.requests.is_none() && !row.repeats_recording)
        {
            let what = format!("the agent {} sends no requests, so it has no module {role}", agent.name);
            let problem = config.problem_with("roles.modules", what);
            return Err(problem.with_help("choose an agent that asks a model, or remove the module"));
        }
        let modules = modules.map(|role| Ok((role, choice.role(role)?)));
        let modules = modules.collect::<Result<_, Problem>>()?;
        Ok(Self { modules, ..choice })
    }

    /// The roles of a level.
    pub(crate) fn of_level(&self, level: &Level, options: &Options) -> Result<RecordedRoles, Problem> {
        let mut roles = self.modules.clone();
        let asks = self.spec.capabilities().questions.is_some_and(|it| it.asks(level, options));
        if asks {
            let judge = self.judge.get_or_init(|| self.role(SideRole::Judge)).clone()?;
            roles.insert(SideRole::Judge, judge);
        }
        if self.spec.capabilities().persons.is_some_and(|it| it.asks(level, options)) {
            roles.insert(SideRole::Person, self.role(SideRole::Person)?);
        }
        Ok(roles)
    }

    /// Who answers for a role, by the setting with its name.
    fn role(&self, role: SideRole) -> Result<RecordedRole, Problem> {
        let name = format!("roles.{role}");
        let at = |why: String| self.config.problem_with(&name, format!("{name}: {why}"));
        let roles = &self.config.settings().roles;
        let agent = self.agent_of(roles.words(role)).map_err(|why| match why {
            Refusal::Words(why) => at(why),
            Refusal::Setting(problem) => problem,
        })?;
        let prompt = read_role_prompt(self.spec, self.config.folders(), role)?;
        let price = self.price(&agent)?;
        Ok(RecordedRole { agent, prompt: prompt.text().clone(), tries: roles.tries, price })
    }

    /// The agent that these words name: a person, a model or a profile if the first one is no change of a setting, else the model of the
    /// episode.
    fn agent_of(&self, words: &str) -> Result<RecordedAgent, Refusal> {
        let words = words.trim();
        let person = RecordedAgent::named(words);
        if person.is_person() {
            return Ok(person);
        }
        let (model, changes) = match words.split_once(' ').unwrap_or((words, "")) {
            (first, _) if first.is_empty() || first.contains('=') => (None, words),
            (model, changes) => (Some(model), changes),
        };
        let asks = self.lab.agent(&self.agent.name).filter(|row| row.requests.is_some());
        let (row, agent) = match (model, asks) {
            (None, Some(row)) => (row, self.agent.clone()),
            (None, None) => {
                let name = self.config.settings().options("model").get("name").cloned();
                let name = name.as_ref().and_then(Value::as_str).unwrap_or_default();
                if name.is_empty() && self.agent.is_person() {
                    return Ok(self.agent.clone());
                }
                if name.is_empty() {
                    return Err(Refusal::Words(format!(
                        "the agent {} asks no model, and model.name is not set; name a model, demo, or human",
                        self.agent.name
                    )));
                }
                let (row, _) = self.lab.agent_of_model(name)?;
                (row, recorded_agent(&self.lab, row, row.name, &self.config)?)
            }
            (Some(model), _) => {
                let (row, _) = self.lab.agent_of_model(model)?;
                (row, recorded_agent(&self.lab, row, row.name, &with_model(&self.config, model)?)?)
            }
        };
        changed_agent(row, agent, changes).map_err(Refusal::Words)
    }

    /// The price of another model than that of the agent, if the cost is limited.
    fn price(&self, agent: &RecordedAgent) -> Result<Option<Price>, Problem> {
        let is_limited = self.config.settings().play.cost_limit().is_some();
        let Some(model) = agent.model.as_ref().filter(|_| is_limited && agent.model != self.agent.model)
        else {
            return Ok(None);
        };
        super::new_head::price_of(model, &self.config).map(Some)
    }
}

/// Why a role has no agent.
enum Refusal {
    /// The words of its setting are wrong.
    Words(String),
    /// Another setting is.
    Setting(Problem),
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Self {
        Self::Setting(problem)
    }
}

/// The modules that the settings name.
fn modules(config: &Config) -> Result<Vec<SideRole>, Problem> {
    let words = config.settings().roles.modules.split(',').map(str::trim).filter(|name| !name.is_empty());
    let known = || SideRole::ALL.into_iter().filter(|role| role.is_module());
    let module = |name: &str| {
        known().find(|role| role.name() == name).ok_or_else(|| {
            let names = known().map(SideRole::name);
            let near = nearest_names(name, names.clone());
            let list = if near.is_empty() { names.collect() } else { near };
            let what = format!("there is no module {name:?}; the modules are {}", list.join(", "));
            config.problem_with("roles.modules", what)
        })
    };
    words.map(module).collect()
}

/// Those who answer side requests in an episode with this head.
pub(crate) fn role_seats(
    lab: &Lab,
    spec: &'static dyn EnvironmentSpec,
    head: &Head,
) -> Result<RoleSeats, LabError> {
    let seat = |(role, recorded): (&SideRole, &RecordedRole)| {
        let recording = recording_for_role(&recorded.agent, *role)?;
        let created = seat_for_role(lab, spec, head, (*role, &recorded.agent), recording)
            .map_err(|error| Problem::new(format!("the role {role}: {error}")))?;
        let prompt = SidePrompt::parse(*role, &recorded.prompt)
            .map_err(|error| Problem::new(format!("the prompt of the role {role}: {}", error.message)))?;
        let system_role = head.layout.system_role;
        Ok((*role, RoleSeat { agent: created.agent, prompt, system_role }))
    };
    let asked = head.roles.iter().filter(|(_, recorded)| !recorded.agent.is_person());
    asked.map(seat).collect::<Result<Vec<_>, LabError>>().map(RoleSeats::new)
}
