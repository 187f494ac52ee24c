//! What the lab does for an episode: the agents that can be seated in it, with their settings, and its branches.

use crate::fork::fork_with_changes;
use crate::models::with_model;
use crate::seat::{changed_agent, recorded_agent, seat_agent};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;

use super::replay_source::recording_for;
use super::{Lab, annotate};
use mageyard_agents::{AgentRow, CreatedAgent, find_agent};
use mageyard_config::{Config, ModelProfile};
use mageyard_domain::{EnvironmentSpec, NamedPolicy};
use mageyard_engine::{
    Annotation, EpisodeServices, Head, RecordedAgent, SeatChoice, SeatedAgent, Store, read_journal_head,
};

/// What a recording, a model or a profile follows in the name of a seat: `replay:last`, `model:gpt-4o`, `demo:demo-weak`.
const OF: char = ':';

/// The services for an episode.
struct LabServices {
    lab: Lab,
    spec: &'static dyn EnvironmentSpec,
    head: Arc<Head>,
    config: Config,
    rules: SeatRules,
}

/// What limits who can be seated.
#[derive(Clone, Copy, Debug)]
pub struct SeatRules {
    /// Whether a person is at the screen.
    pub has_person: bool,
    /// Whether all tokens must be those of one model, because a limit counts its price.
    pub one_model: bool,
}

/// The services for an episode with this head.
pub fn episode_services(
    lab: &Lab,
    spec: &'static dyn EnvironmentSpec,
    head: Arc<Head>,
    config: &Config,
    rules: SeatRules,
) -> Arc<dyn EpisodeServices> {
    if rules.has_person {
        lab.models.watch();
    }
    Arc::new(LabServices { lab: lab.clone(), spec, head, config: config.clone(), rules })
}

impl LabServices {
    fn policies(&self) -> &'static [NamedPolicy] {
        self.spec.capabilities().policies.named
    }

    fn row(&self, name: &str) -> Result<&'static AgentRow, String> {
        find_agent(self.lab.agents(), self.policies(), name).map_err(|error| error.to_string())
    }

    /// The recording of this reference that is of the level of the episode.
    fn recording(&self, row: &AgentRow, reference: &str) -> Result<PathBuf, String> {
        if reference.is_empty() {
            return Err(format!("needs a recording: {}{OF}SESSION", row.name));
        }
        let store = Store::new(self.config.store_folder());
        let journals = store.find(reference).map_err(|error| error.to_string())?;
        let is_of_level = |path: &PathBuf| {
            let head = read_journal_head(path);
            head.is_ok_and(|head| head.environment == self.head.environment && head.level == self.head.level)
        };
        let found = journals.into_iter().find(is_of_level);
        let path = found.ok_or_else(|| format!("{reference} has no recording of {}", self.head.reference))?;
        Ok(std::path::absolute(&path).unwrap_or(path))
    }

    /// Refuses an agent whose policy needs other options of the environment, or whose tokens the cost limit does not count.
    fn check(&self, agent: &RecordedAgent) -> Result<(), String> {
        let policy = self.policies().iter().find(|policy| policy.name == agent.name);
        let needed = policy.map_or(&[][..], |policy| policy.options);
        let differs = |(name, value): &&(&str, &str)| {
            self.head.options.get(*name).and_then(serde_json::Value::as_str) != Some(*value)
        };
        if let Some((name, value)) = needed.iter().find(differs) {
            let table = &self.head.environment;
            return Err(format!(
                "needs {table}.{name}={value}, and an episode keeps the settings of its level"
            ));
        }
        let is_other = agent.model.is_some() && agent.model.as_deref() != self.head.model();
        if is_other && (self.rules.one_model || self.head.budget.cost.is_some()) {
            return Err("the costs are counted with the price of one model here".to_owned());
        }
        Ok(())
    }

    fn created(&self, agent: &RecordedAgent) -> Result<CreatedAgent, String> {
        let recording = recording_for(agent).map_err(|error| error.to_string())?;
        seat_agent(&self.lab, self.spec, &self.head, agent, recording).map_err(|error| error.to_string())
    }

    /// The agent with this model, or with this profile.
    fn agent_with_model(&self, row: &AgentRow, model: &str) -> Result<RecordedAgent, String> {
        let read = self.lab.sources.as_ref().map(|sources| sources.read());
        let config = read.unwrap_or_else(|| Ok(self.config.clone()));
        let named = config.and_then(|config| with_model(&config, model));
        let agent = named.and_then(|config| recorded_agent(&self.lab, row, row.name, &config));
        agent.map_err(|problem| problem.to_string())
    }

    /// The profiles, as the agent that asks a server with their settings.
    fn profile_choices(&self) -> Vec<SeatChoice> {
        let Ok((row, _)) = self.lab.asking_agent() else { return Vec::new() };
        let choice = |profile: &ModelProfile| {
            let name = format!("{}{OF}{}", row.name, profile.name);
            let summary = format!("{}, by its profile", profile.model());
            SeatChoice { refusal: self.refusal(&name), name, summary }
        };
        self.config.profiles().iter().map(choice).collect()
    }

    /// Why this agent cannot be seated, if it cannot.
    fn refusal(&self, name: &str) -> Option<String> {
        self.find_agent(name, &self.head.agent).and_then(|agent| self.created(&agent)).err()
    }
}

#[async_trait]
impl EpisodeServices for LabServices {
    fn seat_choices(&self) -> Vec<SeatChoice> {
        let policies = self.policies().iter().map(|policy| (policy.name, policy.summary));
        let is_replaced = |row: &&AgentRow| self.policies().iter().all(|policy| policy.name != row.name);
        let rows = self.lab.agents().iter().filter(is_replaced).map(|row| (row.name, row.summary));
        let choice = |(name, summary): (&str, &str)| SeatChoice {
            name: name.to_owned(),
            summary: summary.to_owned(),
            refusal: self.refusal(name),
        };
        let mut choices: Vec<SeatChoice> = rows.chain(policies).map(choice).collect();
        choices.extend(self.profile_choices());
        choices
    }

    fn find_agent(&self, words: &str, seated: &RecordedAgent) -> Result<RecordedAgent, String> {
        let (name, changes) = words.split_once(' ').unwrap_or((words, ""));
        let (name, reference) = name.split_once(OF).unwrap_or((name, ""));
        let row = self.row(name)?;
        if row.needs_person && !self.rules.has_person {
            return Err(format!("the agent {name} needs a person at the screen"));
        }
        if row.repeats_recording {
            let recording = Some(self.recording(row, reference)?);
            return Ok(RecordedAgent { recording, ..RecordedAgent::named(name) });
        }
        if !reference.is_empty() && row.requests.is_none() {
            return Err(format!("the agent {name} repeats no recording; write {name} alone"));
        }
        let known = [seated, &self.head.agent].into_iter().find(|agent| agent.name == name);
        let agent = match known {
            _ if !reference.is_empty() => self.agent_with_model(row, reference)?,
            Some(agent) => agent.clone(),
            None => {
                recorded_agent(&self.lab, row, name, &self.config).map_err(|problem| problem.to_string())?
            }
        };
        let agent = changed_agent(row, agent, changes)?;
        self.check(&agent).map(|()| agent)
    }

    fn create_agent(&self, agent: &RecordedAgent) -> Result<SeatedAgent, String> {
        let CreatedAgent { agent, human_actions } = self.created(agent)?;
        Ok(SeatedAgent { agent, person: human_actions.filter(|_| self.rules.has_person) })
    }

    fn tag(&self, journal: &Path, step: u32, name: &str) -> Result<String, String> {
        let tag = Annotation::tag(name).map_err(|error| error.to_string())?;
        let is_new = annotate(journal, step, &tag, false).map_err(|error| error.to_string())?;
        Ok(if is_new {
            format!("step {step} is tagged {name}")
        } else {
            format!("step {step} has the tag {name}")
        })
    }

    async fn fork(&self, journal: &Path, step: u32, changes: &str) -> Result<String, String> {
        fork_with_changes(&self.lab, journal, step, changes, &self.config)
            .await
            .map_err(|error| error.to_string())
    }
}
