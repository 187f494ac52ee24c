//! Plans continuations: what each variant replaces, and which of its branches are there already. Nothing is written.

use mageyard_lab::plan_fork;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::request::ContinuationRequest;
use crate::StruckVariant;
use crate::ask::{distinct, possible_windows};
use mageyard_config::{Config, Origin, Problem, SettingOverride, load_prices};
use mageyard_domain::{Digest, Prices, TokenTotals, Usage, Window};
use mageyard_engine::{Change, Restored, TotalsByRole, read_summary};
use mageyard_lab::{ForkPlan, ForkRequest, Lab, LabError, ModelAt};
use mageyard_statistics::Interval;

/// One way to play on from the step.
pub struct ContinuationVariant {
    /// The digest of the step and of its settings.
    pub id: Digest,
    /// The prompt variant.
    pub prompt: String,
    /// The memory window.
    pub window: Window,
    /// The agent: its model, or else its own name.
    pub agent: String,
    /// The model, if it asks one.
    pub model: Option<String>,
    /// The base URL of its server, if one was named.
    pub server: Option<String>,
    /// What differs from the recording.
    pub changes: Vec<Change>,
    /// The steps that it may take.
    pub steps_left: u32,
    pub(super) config: Config,
    pub(super) given: Vec<String>,
}

/// Continuations before the first is played.
pub struct ContinuationPlan {
    pub(super) journal: PathBuf,
    /// What is played on.
    pub request: ContinuationRequest,
    /// The digest of the state that the step begins with.
    pub state: Digest,
    /// How the environment comes back.
    pub restored: Restored,
    /// The variants.
    pub variants: Vec<ContinuationVariant>,
    /// Windows that are not possible.
    pub struck: Vec<StruckVariant>,
    /// The tokens of the recording before the step.
    pub(super) before: TokenTotals,
    /// Those of its side requests.
    pub(super) roles_before: TotalsByRole,
    /// The mean tokens of a recorded request, if there is one.
    pub per_request: Option<Usage>,
    pub(super) prices: Prices,
    /// The range of scores, if the environment has one.
    pub(super) score_range: Option<Interval>,
}

/// Plans to play on from a step of a recorded episode, the samples of each variant to their end.
pub async fn plan_continuations(
    lab: &Lab,
    journal: &Path,
    request: &ContinuationRequest,
    config: &Config,
) -> Result<ContinuationPlan, LabError> {
    let own = plan_fork(lab, journal, &fork_request(request, &request.given), config).await?;
    let (windows, struck) =
        possible_windows(own.head().window, fixed_window(lab, &own), &request.am, &request.om);
    let mut variants = Vec::new();
    for (prompt, window, model) in combinations(request, &own, &windows) {
        let (config, given) = replaced_settings_of(lab, request, &own, (prompt, window, model), config)?;
        let plan = plan_fork(lab, journal, &fork_request(request, &given), &config).await?;
        variants.push(continuation_variant(lab, &plan, request, (config, given), model)?);
    }
    if let (true, Some(struck)) = (variants.is_empty(), struck.first()) {
        let problem = Problem::new(format!("no variant is possible: {}", struck.why));
        return Err(problem.with_help("choose other values of --am and --om").into());
    }
    let episode = own.episode();
    let spent = read_summary(journal).map_or_else(|| episode.spent(), |summary| summary.spent);
    let Some(step) = episode.steps().last() else {
        return Err(LabError::failed("the episode has no step to play on from"));
    };
    Ok(ContinuationPlan {
        journal: journal.to_owned(),
        state: step.state,
        restored: own.restored,
        before: episode.spent(),
        roles_before: episode.roles().clone(),
        per_request: mean_usage(spent),
        prices: load_prices(config)?,
        score_range: score_range(lab, &own),
        request: request.clone(),
        variants,
        struck,
    })
}

fn score_range(lab: &Lab, plan: &ForkPlan) -> Option<Interval> {
    let scoring = lab.environment(&plan.head().environment)?.capabilities().scoring;
    scoring.score_range().map(|[low, high]| Interval { low, high })
}

fn fixed_window(lab: &Lab, plan: &ForkPlan) -> Option<Window> {
    lab.environment(&plan.head().environment)?.capabilities().episodes.fixed_window
}

/// The configuration of a variant, with the names of the settings that it replaces.
fn replaced_settings_of(
    lab: &Lab,
    request: &ContinuationRequest,
    own: &ForkPlan,
    (prompt, window, model): (Option<&String>, Option<Window>, Option<&ModelAt>),
    config: &Config,
) -> Result<(Config, Vec<String>), Problem> {
    let mut set: Vec<(String, String, &str)> = Vec::new();
    set.extend(prompt.map(|prompt| ("play.prompt".to_owned(), prompt.clone(), "--prompts")));
    if let Some(window) = window {
        set.push(("memory.am".to_owned(), window.am().to_string(), "--am"));
        set.push(("memory.om".to_owned(), window.om().to_string(), "--om"));
    }
    if let Some(model) = model {
        let (row, settings) = lab.agent_of_model(&model.name)?;
        if own.agent().name != row.name {
            set.push(("play.agent".to_owned(), row.name.to_owned(), "--models"));
        }
        set.push((format!("{}.name", settings.table), model.name.clone(), "--models"));
        set.extend(model.server.clone().map(|url| (format!("{}.base_url", settings.table), url, "--models")));
    }
    let overrides: Vec<SettingOverride> = set
        .iter()
        .map(|(name, value, flag)| SettingOverride::new(name, value, Origin::Flag((*flag).to_owned())))
        .collect();
    let names = set.into_iter().map(|(name, ..)| name).filter(|name| !request.given.contains(name));
    let given = request.given.iter().cloned().chain(names).collect();
    Ok((config.with_overrides(&overrides)?, given))
}

fn continuation_variant(
    lab: &Lab,
    plan: &ForkPlan,
    request: &ContinuationRequest,
    (config, given): (Config, Vec<String>),
    named: Option<&ModelAt>,
) -> Result<ContinuationVariant, LabError> {
    let head = plan.head();
    let agent = plan.agent();
    if lab.agent(&agent.name).is_some_and(|row| row.needs_person) {
        let what = format!("step {} was decided by a person, who cannot play on here", request.step);
        return Err(Problem::new(what).with_help("name who plays on: --agent NAME, or --models NAME").into());
    }
    Ok(ContinuationVariant {
        id: variant_id(lab, plan, request, named.and_then(|model| model.server.as_deref()))?,
        prompt: head.prompt.clone(),
        window: head.window,
        agent: named.map_or_else(|| agent.display_name().to_owned(), ModelAt::label),
        model: agent.model.clone(),
        server: named.and_then(|model| model.server.clone()),
        changes: plan.changes.clone(),
        steps_left: head.max_steps.saturating_sub(request.step - 1),
        config,
        given,
    })
}

/// Everything that is played, and nothing of when or where.
fn variant_id(
    lab: &Lab,
    plan: &ForkPlan,
    request: &ContinuationRequest,
    server: Option<&str>,
) -> Result<Digest, LabError> {
    let seal = plan.head().parent.as_ref().map(|parent| parent.seal);
    let mut head = plan.head().clone();
    head.parent = None;
    head.started = 0;
    head.agent = plan.agent().clone();
    if let Some(own) = lab.agent(&head.agent.name).and_then(|row| row.settings) {
        own.remove_transport(&mut head.agent.options);
    }
    let head: Value = serde_json::to_value(&head).map_err(LabError::failed)?;
    let played = (seal, request.step, request.seed, head);
    let bytes = match server {
        None => serde_json::to_vec(&played),
        Some(server) => serde_json::to_vec(&(played, server)),
    };
    Ok(Digest::of(&bytes.map_err(LabError::failed)?))
}

impl ContinuationPlan {
    /// The prices of the models.
    pub fn prices(&self) -> &Prices {
        &self.prices
    }

    /// The number of branches.
    pub fn count(&self) -> usize {
        self.variants.len().saturating_mul(usize::try_from(self.request.samples).unwrap_or(usize::MAX))
    }
}

/// The request of a branch of a variant.
pub(super) fn fork_request(request: &ContinuationRequest, given: &[String]) -> ForkRequest {
    ForkRequest {
        step: request.step,
        given: given.to_vec(),
        allow_unsafe: request.allow_unsafe,
        ..ForkRequest::default()
    }
}

/// Each prompt with each window and each model; `None` for what is that of the step.
fn combinations<'a>(
    request: &'a ContinuationRequest,
    own: &ForkPlan,
    windows: &[Window],
) -> Vec<(Option<&'a String>, Option<Window>, Option<&'a ModelAt>)> {
    let is_own =
        |window: Window| request.am.is_empty() && request.om.is_empty() && window == own.head().window;
    let models = named_or_own(&request.models);
    let mut all = Vec::new();
    for prompt in named_or_own(&request.prompts) {
        for window in windows {
            all.extend(models.iter().map(|model| (prompt, (!is_own(*window)).then_some(*window), *model)));
        }
    }
    all
}

/// Each name once; `None` for that of the step.
fn named_or_own<T: PartialEq>(names: &[T]) -> Vec<Option<&T>> {
    let names: Vec<Option<&T>> = distinct(&names.iter().map(Some).collect::<Vec<_>>());
    if names.is_empty() { vec![None] } else { names }
}

/// The mean tokens of the requests whose tokens are known.
fn mean_usage(spent: TokenTotals) -> Option<Usage> {
    let known = (spent.requests - spent.unmetered.min(spent.requests)) as u64;
    let mean = |tokens: u64| tokens.div_ceil(known.max(1));
    let usage =
        Usage { input: mean(spent.usage.input), output: mean(spent.usage.output), ..Usage::default() };
    (known > 0 && spent.usage.total() > 0).then_some(usage)
}
