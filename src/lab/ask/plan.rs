//! Plans an ask: restores the state, composes the requests, and fixes the question and the order. Nothing is sent.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::agents::AskedModel;
use super::agents::other_agent;
use super::record::AskRecord;
use super::record::SCHEMA;
use super::record::StruckVariant;
use super::record::Variant;
use super::state::FrozenState;
use super::state::journal_digest;
use super::variants::chosen_prompts;
use super::variants::windows;
use crate::config::Config;
use crate::config::Problem;
use crate::config::load_prices;
use crate::dialog::Prompt;
use crate::dialog::Request;
use crate::domain::Digest;
use crate::domain::Options;
use crate::domain::Prices;
use crate::domain::RequestEncoder;
use crate::domain::SentRequest;
use crate::domain::Window;
use crate::engine::compose_request;
use crate::lab::Lab;
use crate::lab::LabError;

/// What a person asks.
#[derive(Clone, Debug, Default)]
pub struct AskRequest {
    /// The step, from 1.
    pub step: u32,
    /// The prompt variants; empty for that of the step.
    pub prompts: Vec<String>,
    /// Values of AM; empty for that of the step.
    pub am: Vec<u16>,
    /// Values of OM; empty for that of the step.
    pub om: Vec<u16>,
    /// The models; empty for that of the step, or else of the settings.
    pub models: Vec<String>,
    /// The calls of each variant.
    pub samples: u32,
    /// The seed of the order and of the calls.
    pub seed: u64,
    /// The question, if it is fixed.
    pub target: Option<String>,
    /// The names of the settings that are taken from the configuration; all others are those of the step.
    pub given: Vec<String>,
}

/// An ask before its first call.
pub struct AskPlan {
    pub(super) state: Arc<FrozenState>,
    pub(super) requests: Vec<PreparedVariant>,
    /// What is stored of it.
    pub record: AskRecord,
    /// What a person has to know before the first call.
    pub remarks: Vec<String>,
    pub(super) prices: Prices,
}

/// The request of a variant.
pub(super) struct PreparedVariant {
    pub(super) request: Arc<Request>,
    pub(super) model: AskedModel,
    pub(super) encoder: Arc<dyn RequestEncoder>,
    /// The request as it is sent, without a seed.
    pub(super) sent: SentRequest,
}

/// The settings besides those of the model that an ask can replace.
const SETTINGS: [&str; 5] = ["play.prompt", "play.reader", "play.max_steps", "memory.am", "memory.om"];

impl Lab {
    /// Plans to ask at a step of a recorded episode. The journal is only read, and nothing is written or sent.
    pub async fn plan_ask(
        &self,
        journal: &Path,
        request: &AskRequest,
        config: &Config,
    ) -> Result<AskPlan, LabError> {
        refuse_other_settings(&request.given)?;
        let length = journal_digest(journal, None)?;
        let state = self.frozen_state(journal, request.step, &request.given, config).await?;
        let (requests, variants, struck) = self.variants(request, &state, config)?;
        let target = match &request.target {
            Some(written) => Some(self.ask_target(written, &state, config).await?),
            None => None,
        };
        let rules = serde_json::to_vec(&state.head.rules).map_err(LabError::failed)?;
        let record = AskRecord {
            schema: SCHEMA,
            step: request.step,
            state: state.step.state,
            setting: state.head.setting,
            reader: state.head.rules.to_string(),
            reader_rules: Digest::of(&rules),
            samples: request.samples,
            seed: request.seed,
            target,
            variants,
            struck,
            taken: state.taken.as_ref().and_then(|step| step.action.as_ref()).map(ToString::to_string),
            oracle: self.oracle_answer(&state),
            journal: length,
        };
        let remarks = remarks(&state, &record);
        let prices = load_prices(config.folders())?;
        Ok(AskPlan { state: state.into(), requests, record, remarks, prices })
    }

    /// The action of the solver at the step, or why there is none.
    fn oracle_answer(&self, state: &FrozenState) -> Result<String, String> {
        let taken = state.taken.as_ref().ok_or("the step is not over, so the oracle says nothing yet")?;
        let opinion = self.oracle_opinion(state.spec.name(), taken, &AtomicBool::new(false))?;
        opinion.action.ok_or(opinion.reason)
    }

    /// The requests of all variants that are possible, and those that are not.
    #[allow(clippy::type_complexity, reason = "three lists that belong together")]
    fn variants(
        &self,
        request: &AskRequest,
        state: &FrozenState,
        config: &Config,
    ) -> Result<(Vec<PreparedVariant>, Vec<Variant>, Vec<StruckVariant>), Problem> {
        let prompts = chosen_prompts(&request.prompts, state)?;
        let (windows, mut struck) = windows(&request.am, &request.om, state);
        let models = self.asked_models(&request.models, state, &request.given, config)?;
        let (mut requests, mut variants) = (Vec::new(), Vec::<Variant>::new());
        for prompt in prompts {
            for window in &windows {
                for model in &models {
                    match prepare(prompt, *window, model, state) {
                        Ok(prepared) => {
                            variants.push(variant(prompt, *window, &prepared, &variants));
                            requests.push(prepared);
                        }
                        Err(why) => struck.push(StruckVariant {
                            prompt: Some(prompt.name.clone()),
                            am: window.am(),
                            om: window.om(),
                            model: Some(model.name.clone()),
                            why,
                        }),
                    }
                }
            }
        }
        match struck.first() {
            Some(first) if variants.is_empty() => {
                let problem = Problem::new(format!("no variant is possible: {}", first.why));
                Err(problem.with_help("choose other values of --am and --om"))
            }
            _ => Ok((requests, variants, struck)),
        }
    }
}

impl AskPlan {
    /// The prices of the models.
    pub fn prices(&self) -> &Prices {
        &self.prices
    }

    /// The calls that may be made at once (`model.max_connections`).
    pub fn at_once(&self) -> usize {
        let most = self.options(0).and_then(|options| options.get("max_connections")?.as_u64());
        most.and_then(|most| usize::try_from(most).ok()).unwrap_or(1)
    }

    /// The settings of the agent of a variant.
    pub(super) fn options(&self, variant: usize) -> Option<&Options> {
        self.requests.get(variant).map(|prepared| &prepared.model.options)
    }
}

/// Composes the request of a variant and encodes it, or says why that is not possible.
fn prepare(
    prompt: &Prompt,
    window: Window,
    model: &AskedModel,
    state: &FrozenState,
) -> Result<PreparedVariant, String> {
    let encoder =
        (model.row).request_encoder(&model.options).ok_or("the settings of the model are not valid")?;
    let (steps, counts_stable) = (state.episode.steps(), encoder.asks_for_caching());
    let index = steps.len().saturating_sub(1);
    let request = compose_request(&state.head, steps, index, window, prompt, &state.form, counts_stable)
        .unwrap_or_default();
    let sent = encoder.encode(&request.messages, request.stable).map_err(|error| error.to_string())?;
    let limits = model.row.requests.map(|requests| (requests.limits)(&model.options));
    let most = limits.and_then(Result::ok).and_then(|limits| limits.images);
    if let Some(most) = most.filter(|most| sent.images > *most) {
        let images = sent.images;
        return Err(format!(
            "it has {images} images and the server accepts {most} (model.images_most); lower OM"
        ));
    }
    Ok(PreparedVariant { request: request.into(), model: model.clone(), encoder, sent })
}

fn variant(prompt: &Prompt, window: Window, prepared: &PreparedVariant, earlier: &[Variant]) -> Variant {
    let request = turns_digest(&prepared.sent);
    let AskedModel { row, name, options, settings } = &prepared.model;
    let is_same = |other: &Variant| other.request == request && other.model == *name;
    Variant {
        prompt: prompt.name.clone(),
        am: window.am(),
        om: window.om(),
        model: name.clone(),
        request,
        settings: *settings,
        seeded: row.requests.is_some_and(|requests| (requests.seeded)(options, 0).is_some()),
        same_as: earlier.iter().position(is_same),
    }
}

/// The digest of the turns of a request: everything but its parameters.
pub(super) fn turns_digest(sent: &SentRequest) -> Digest {
    let mut hasher = blake3::Hasher::new();
    for turn in &sent.turns {
        hasher.update(&turn.digest().digits());
    }
    Digest::from(&hasher)
}

fn refuse_other_settings(given: &[String]) -> Result<(), Problem> {
    let is_known = |name: &&String| SETTINGS.contains(&name.as_str()) || name.starts_with("model.");
    let Some(other) = given.iter().find(|name| !is_known(name)) else { return Ok(()) };
    let help = format!("it can replace {}, and the settings of the model", SETTINGS.join(", "));
    Err(Problem::new(format!("{other} has no effect on an ask")).with_help(help))
}

/// What a person has to know before the first call.
fn remarks(state: &FrozenState, record: &AskRecord) -> Vec<String> {
    let mut remarks: Vec<String> = other_agent(&state.agent, &state.episode).into_iter().collect();
    remarks.extend(changed_prompt(state));
    let unseeded = record.variants.iter().any(|variant| !variant.seeded);
    if unseeded && record.samples > 1 {
        remarks.push(
            "not every call has a seed of its own: the protocol, the preset or model.extra leaves it out"
                .to_owned(),
        );
    }
    let empty =
        record.target.as_ref().is_some_and(|target| target.actions.as_ref().is_some_and(BTreeSet::is_empty));
    if empty {
        remarks.push("no action meets the target in this state".to_owned());
    }
    remarks
}

/// Says that the prompt of the step has another text now.
fn changed_prompt(state: &FrozenState) -> Option<String> {
    let version = state.taken.as_ref()?.attempts.iter().find_map(|attempt| attempt.prompt_version.clone())?;
    let now = state.prompts.iter().find(|prompt| prompt.name == version.prompt)?;
    let changed = now
        .digests(state.head.setting)
        .iter()
        .any(|(segment, digest)| version.segments.get(segment) != Some(digest));
    changed.then(|| {
        format!("the prompt {} has another text now than when the step was recorded", version.prompt)
    })
}
