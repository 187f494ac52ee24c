//! The agent `demo`: a model that needs no key, no server and no network. It is the agent `model` with another transport:
//! requests are composed, proven, encoded and recorded as those of any model, and a server inside the process answers.
//!
//! It looks at the true state, and of the request only whether it has an image: it plays like the solver of the environment, with
//! slips, more of them without a frame, and makes the mistakes of form that real models make. Its results say nothing about models.

mod answer_text;
mod decision;
mod fault;
mod reply_text;
mod script;
mod server;
mod settings;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use async_trait::async_trait;

use self::answer_text::{answer_text, probe_text};
use self::decision::{Decision, Player};
use self::reply_text::reply_text;
use self::script::Script;
use self::server::DemoServer;
use self::settings::DemoSettings;
use super::model::{self, ModelAgent};
use super::policy_agent::PolicyAgent;
use super::seeded_choice::SeededChoice;
use super::{
    AgentContext, AgentRequests, AgentRow, AgentSettings, AgentSetupError, CallAgents, CreatedAgent,
};
use mageyard_domain::{
    Agent, AgentError, Answer, DecisionInput, Mistakes, OptionError, Options, Policy, Probes, RequestEncoder,
};

pub(super) const ROW: AgentRow = AgentRow {
    is_simulated: true,
    known_fault: Some(fault::known_fault),
    settings: Some(SETTINGS),
    requests: Some(AgentRequests {
        own_models: settings::MODELS,
        limits: |options| {
            validate(options)?;
            (model::REQUESTS.limits)(options)
        },
        calls: |context| Ok(Arc::new(DemoAgent::new(context)?)),
        served: |_, _, _, _| {
            Box::pin(async { Ok(settings::MODELS.iter().map(ToString::to_string).collect()) })
        },
        // It would begin each answer anew.
        continuing: |_| None,
        ..model::REQUESTS
    }),
    ..AgentRow::new("demo", "a simulated model inside the program: no key, no network, no real model", create)
};

const SETTINGS: AgentSettings = AgentSettings {
    part: Some(settings::TABLE),
    part_transport: &["pace"],
    validate,
    complete,
    ..model::SETTINGS
};

/// The address in recordings. Names below `invalid` never exist (RFC 2606), so a request that is sent there all the same
/// reaches nothing.
const ADDRESS: &str = "http://demo.invalid/v1";

fn validate(options: &Options) -> Result<(), OptionError> {
    (model::SETTINGS.validate)(options)?;
    DemoSettings::parse(options).map(drop)
}

/// Replaces what is set for a real server.
fn complete(options: &mut Options) {
    let name = settings::model_name(options).to_owned();
    for (setting, value) in [
        ("name", name.as_str()),
        ("protocol", "chat"),
        ("base_url", ADDRESS),
        ("key_variable", ""),
        ("key_header", ""),
        ("ca_file", ""),
        ("client_cert", ""),
        ("client_key", ""),
        ("cache", "off"),
    ] {
        options.insert(setting.to_owned(), value.into());
    }
    for table in ["headers", "query"] {
        options.insert(table.to_owned(), serde_json::json!({}));
    }
}

fn create(context: AgentContext) -> Result<CreatedAgent, AgentSetupError> {
    let seed = context.seed;
    let agent = DemoAgent::new(context)?;
    let model = agent.model.clone().for_episode(seed, &agent.salt);
    Ok(CreatedAgent::alone(DemoAgent { model, ..agent }))
}

/// The agent of an episode or of a call.
struct DemoAgent {
    model: ModelAgent,
    settings: Arc<DemoSettings>,
    choice: Arc<SeededChoice>,
    salt: String,
    oracle: Option<fn() -> Box<dyn Policy>>,
    expert: Option<PolicyAgent>,
    mistakes: Option<&'static dyn Mistakes>,
    probes: Option<&'static dyn Probes>,
}

impl DemoAgent {
    fn new(mut context: AgentContext) -> Result<Self, AgentSetupError> {
        complete(&mut context.options);
        let options = &context.options;
        let checked = settings::check_model(options).and_then(|()| DemoSettings::parse(options));
        let settings = checked.map_err(|error| SETTINGS.invalid(&error))?;
        let AgentContext { seed, oracle, mistakes, probes, .. } = context;
        check_misreading(&settings, probes).map_err(|error| SETTINGS.invalid(&error))?;
        let salt = context.salt.clone();
        Ok(Self {
            settings: Arc::new(settings),
            choice: Arc::new(SeededChoice::new(seed, &salt)),
            salt,
            oracle,
            expert: new_expert(oracle),
            mistakes,
            probes,
            model: model::new_agent(context)?,
        })
    }

    /// Writes the reply to this input.
    async fn server(&self, input: &DecisionInput<'_>) -> DemoServer {
        let DecisionInput { step, attempt, .. } = *input;
        let script = Script { choice: &self.choice, settings: &self.settings, step, attempt };
        let fate = script.fate();
        let text = if let Some(question) = input.question {
            answer_text(&script, fate, question)
        } else if let Some(probe) = input.probe {
            probe_text(&script, fate, (probe, input), self.probes)
        } else {
            let (expert, mistakes, probes) = (self.expert.as_ref(), self.mistakes, self.probes);
            let player = Player { script, expert, mistakes, probes };
            let decision: Decision = player.decide(input).await;
            reply_text(&script, fate, &decision, input)
        };
        DemoServer {
            choice: self.choice.clone(),
            settings: self.settings.clone(),
            step,
            attempt,
            tries: AtomicU32::new(0),
            fate,
            text,
            pace: if self.model.is_watched() { self.settings.pace } else { 0.0 },
        }
    }
}

/// Refuses a way to see states wrongly that the environment does not have.
fn check_misreading(settings: &DemoSettings, probes: Option<&'static dyn Probes>) -> Result<(), OptionError> {
    let faults = &settings.faults;
    let known = probes.map(Probes::misreadings).unwrap_or_default();
    let is_known = known.iter().any(|one| one.name == faults.misreading);
    if faults.misread == 0.0 || is_known || (faults.misreading.is_empty() && !known.is_empty()) {
        return Ok(());
    }
    let names: Vec<&str> = known.iter().map(|one| one.name).collect();
    let why = match names.as_slice() {
        [] => "the states of this environment cannot be seen wrongly".to_owned(),
        names => format!("{:?} is not one of {}", faults.misreading, names.join(", ")),
    };
    Err(OptionError { name: format!("{}.misreading", settings::TABLE), why })
}

fn new_expert(oracle: Option<fn() -> Box<dyn Policy>>) -> Option<PolicyAgent> {
    oracle.map(|create| PolicyAgent::blocking("demo", create()))
}

impl CallAgents for DemoAgent {
    fn agent(&self, seed: u32) -> (Box<dyn Agent>, bool) {
        let (model, is_seeded) = self.model.for_call(seed);
        let agent = Self {
            model,
            settings: self.settings.clone(),
            choice: Arc::new(SeededChoice::new(seed.into(), &self.salt)),
            salt: self.salt.clone(),
            oracle: self.oracle,
            expert: new_expert(self.oracle),
            mistakes: self.mistakes,
            probes: self.probes,
        };
        (Box::new(agent), is_seeded)
    }
}

#[async_trait]
impl Agent for DemoAgent {
    fn reads_requests(&self) -> bool {
        true
    }

    fn request_encoder(&self) -> Option<Arc<dyn RequestEncoder>> {
        self.model.request_encoder()
    }

    async fn decide(&mut self, input: DecisionInput<'_>) -> Result<Answer, AgentError> {
        let server = Arc::new(self.server(&input).await);
        self.model.asking(server).decide(input).await
    }
}
