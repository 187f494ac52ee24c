//! Plans an ask: restores the state, has the requests composed, and fixes the question and the order. Nothing is sent.

use crate::Finding;
use crate::ask::{ask_target, frozen_state, prepared_variants};
use mageyard_lab::oracle_opinion;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::agents::other_agent;
use super::answer_judge::AnswerJudge;
use super::changed_request::shown_in;
use super::prepare::{PreparedVariant, PreparedVariants};
use super::record::{AskCall, AskRecord, SCHEMA, Variant};
use super::request::AskRequest;
use super::state::{FrozenState, journal_digest};
use mageyard_config::{Config, Problem, load_prices};
use mageyard_dialog::{Prompt, ReaderRules};
use mageyard_domain::{ActionSpace, ActionSpec, Digest, Observation, Options, Prices, Probes, ReplyFormat};
use mageyard_lab::{Lab, LabError};
use mageyard_statistics::{samples_that_show, smallest_visible_share};

/// An ask before its first call.
pub struct AskPlan {
    pub(super) state: Arc<FrozenState>,
    pub(super) requests: Vec<PreparedVariant>,
    /// What is stored of it.
    pub record: AskRecord,
    /// What a person has to know before the first call.
    pub remarks: Vec<String>,
    pub(super) prices: Prices,
    /// Whether replies of other asks are taken for the same requests.
    pub(super) takes_replies: bool,
}

/// The settings besides those of the model that an ask can replace.
const SETTINGS: [&str; 5] = ["play.prompt", "play.reader", "play.max_steps", "memory.am", "memory.om"];

/// Plans to ask at a step of a recorded episode. The journal is only read, and nothing is written or sent.
pub async fn plan_ask(
    lab: &Lab,
    journal: &Path,
    request: &AskRequest,
    config: &Config,
) -> Result<AskPlan, LabError> {
    refuse_other_settings(&request.given)?;
    let length = journal_digest(journal, None)?;
    let state =
        frozen_state(lab, journal, request.step, &request.given, config).await?.with_drafts(&request.drafts);
    let PreparedVariants { requests, variants, struck } = prepared_variants(lab, request, &state, config)?;
    let target = match &request.target {
        Some(written) => Some(ask_target(lab, written, &state, config).await?),
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
        from_text: request.from_text.clone(),
        variants,
        struck,
        taken: state.taken.as_ref().and_then(|step| step.action.as_ref()).map(ToString::to_string),
        oracle: oracle_answer(lab, &state),
        journal: length,
        verdicts: None,
    };
    let remarks = remarks(&state, &record, &request.drafts);
    let prices = load_prices(config)?;
    let takes_replies = request.takes_replies;
    Ok(AskPlan { state: state.into(), requests, record, remarks, prices, takes_replies })
}

/// The action of the solver at the step, or why there is none.
fn oracle_answer(lab: &Lab, state: &FrozenState) -> Result<String, String> {
    let taken = state.taken.as_ref().ok_or("the step is not over, so the oracle says nothing yet")?;
    let opinion = oracle_opinion(lab, state.spec.name(), taken, &AtomicBool::new(false))?;
    opinion.action.ok_or(opinion.reason)
}

impl AskPlan {
    /// The prices of the models.
    pub fn prices(&self) -> &Prices {
        &self.prices
    }

    /// The targets that the environment offers besides actions: all actions have to be known for `legal`, and a solver for
    /// `optimal`.
    pub fn targets(&self) -> Vec<&'static str> {
        let is_finite = self.state.step.space.specs().iter().all(ActionSpec::is_plain);
        let has_solver = self.state.spec.capabilities().tools.solver.is_some();
        let all = [("optimal", is_finite && has_solver), ("legal", is_finite), ("readable", true)];
        all.into_iter().filter(|(_, is_offered)| *is_offered).map(|(name, _)| name).collect()
    }

    /// The calls that may be made at once (`model.max_connections`).
    pub fn at_once(&self) -> usize {
        let most = self.options(0).and_then(|options| options.get("max_connections")?.as_u64());
        most.and_then(|most| usize::try_from(most).ok()).unwrap_or(1)
    }

    /// An action as the answers to this ask have it, or why it is not possible in the state.
    pub fn written_action(&self, action: &str) -> Result<String, String> {
        let parsed = self.state.step.space.parse_line(action);
        parsed.map(|action| action.to_string()).map_err(|error| error.to_string())
    }

    /// The judge of the environment for the answers, if it has one.
    pub(crate) fn answer_judge(&self) -> Option<AnswerJudge> {
        AnswerJudge::of(&self.state)
    }

    /// The calls of each variant that are not among these.
    pub(crate) fn left(&self, calls: &[AskCall]) -> Vec<u64> {
        let samples = |variant: &Variant| variant.same_as.map_or(u64::from(self.record.samples), |_| 0);
        let mut left: Vec<u64> = self.record.variants.iter().map(samples).collect();
        for call in calls.iter().filter(|call| call.reply.is_some()) {
            if let Some(left) = left.get_mut(call.variant) {
                *left = left.saturating_sub(1);
            }
        }
        left
    }

    /// The actions that are allowed in the state.
    pub(crate) fn action_space(&self) -> &ActionSpace {
        &self.state.step.space
    }

    /// The state as the agent observed it.
    pub(crate) fn observation(&self) -> &Observation {
        &self.state.step.observation
    }

    /// What the environment can ask about its states.
    pub(crate) fn probes(&self) -> Option<&'static dyn Probes> {
        self.state.spec.capabilities().perception.probes
    }

    /// How replies are read.
    pub(crate) fn reading(&self) -> (&ReaderRules, &ReplyFormat) {
        (&self.state.head.rules, &self.state.form)
    }

    /// What is wrong with the decisions of a variant by the settings of a simulated model: [`Finding::Right`] if nothing is; `None`
    /// for a real model.
    pub(crate) fn known_fault(&self, variant: usize) -> Option<Finding> {
        let asked = self.requests.get(variant)?;
        let known = asked.model.row.known_fault?;
        let view = self.record.variants.get(variant)?.changes.view.as_deref();
        let seen = shown_in(&self.state, view).ok()?;
        Some(match known(&asked.model.options, &seen, self.probes()?) {
            Some("seen") => Finding::Seen,
            Some("planned") => Finding::Planned,
            Some(_) => Finding::Written,
            None => Finding::Right,
        })
    }

    /// The journal of the recording.
    pub fn journal(&self) -> &Path {
        &self.state.journal
    }

    /// The settings of the agent of a variant.
    pub(super) fn options(&self, variant: usize) -> Option<&Options> {
        self.requests.get(variant).map(|prepared| &prepared.model.options)
    }
}

pub(super) fn refuse_other_settings(given: &[String]) -> Result<(), Problem> {
    let is_of_model = |name: &str| ["model.", "demo."].iter().any(|table| name.starts_with(table));
    let is_known = |name: &&String| SETTINGS.contains(&name.as_str()) || is_of_model(name);
    let Some(other) = given.iter().find(|name| !is_known(name)) else { return Ok(()) };
    let help = format!("it can replace {}, and the settings of the model", SETTINGS.join(", "));
    Err(Problem::new(format!("{other} has no effect on an ask")).with_help(help))
}

/// What a person has to know before the first call.
fn remarks(state: &FrozenState, record: &AskRecord, drafts: &[Prompt]) -> Vec<String> {
    let mut remarks: Vec<String> = other_agent(&state.agent, &state.episode).into_iter().collect();
    remarks.extend(changed_prompt(state, drafts));
    let unseeded = record.variants.iter().any(|variant| !variant.seeded);
    if unseeded && record.samples > 1 {
        remarks.push(
            "not every call has a seed of its own: the protocol, the preset or model.extra leaves it out"
                .to_owned(),
        );
    }
    remarks.extend(what_samples_show(record));
    let empty =
        record.target.as_ref().is_some_and(|target| target.actions.as_ref().is_some_and(BTreeSet::is_empty));
    if empty {
        remarks.push("no action meets the target in this state".to_owned());
    }
    remarks
}

/// Says what so many samples can show of the differences between variants; nothing if none are compared.
fn what_samples_show(record: &AskRecord) -> Option<String> {
    record.target.as_ref()?;
    let variants = record.variants.len();
    let comparisons = if record.leaves_out() {
        variants.saturating_sub(1)
    } else {
        variants * variants.saturating_sub(1) / 2
    };
    let needed = samples_that_show(comparisons).filter(|_| comparisons > 0)?;
    let samples = usize::try_from(record.samples).ok()?;
    let what = match smallest_visible_share((0, samples), samples, comparisons) {
        Some(visible) => {
            format!("can show a difference of {:.0} points or more from 0 %", 100.0 * visible)
        }
        None => format!("can show no difference; at least {needed} are needed (--samples {needed})"),
    };
    Some(format!("with {comparisons} comparisons, {samples} samples of each variant {what}"))
}

/// Says that the prompt of the step has another text now, which is expected of a draft.
fn changed_prompt(state: &FrozenState, drafts: &[Prompt]) -> Option<String> {
    let version = state.taken.as_ref()?.attempts.iter().find_map(|attempt| attempt.prompt_version.clone())?;
    let is_draft = drafts.iter().any(|draft| draft.name == version.prompt);
    let now = state.prompts.iter().find(|prompt| prompt.name == version.prompt).filter(|_| !is_draft)?;
    let changed = now
        .digests(state.head.setting)
        .iter()
        .any(|(segment, digest)| version.segments.get(segment) != Some(digest));
    changed.then(|| {
        format!("the prompt {} has another text now than when the step was recorded", version.prompt)
    })
}
