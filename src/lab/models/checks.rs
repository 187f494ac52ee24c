//! Checks of a model and its server, each reported as soon as it is known: for `doctor --model`, and for a dialog that shows
//! them live.

use super::{key_check, with_served_models};
use crate::server_trials::{ServerAbilities, server_abilities};
use crate::{AbilityResult, AbilityVerdict, Lab, model_preset, model_route, request_limits};
use mageyard_agents::{RequestLimits, SuggestedSetting};
use mageyard_config::{Config, Problem};

/// How a check has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckOutcome {
    /// It works.
    Passed,
    /// It does not work.
    Failed,
    /// Nothing is known: it was not tested, or no reply showed it.
    Unknown,
}

/// The result of a check.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelCheck {
    /// What was checked, such as `model, one image`. A later result with the same name replaces an earlier one.
    pub name: String,
    /// How it has ended.
    pub outcome: CheckOutcome,
    /// What was found.
    pub evidence: String,
    /// What to do, if something should be done.
    pub advice: Option<String>,
    /// The setting that would avoid the error.
    pub setting: Option<SuggestedSetting>,
    /// What a server does, if the check is of one of its abilities.
    pub ability: Option<AbilityVerdict>,
    /// Why the model cannot be used at all.
    pub problem: Option<Problem>,
}

impl ModelCheck {
    pub(super) fn passed(name: &str, evidence: impl Into<String>) -> Self {
        Self {
            name: name.to_owned(),
            outcome: CheckOutcome::Passed,
            evidence: evidence.into(),
            advice: None,
            setting: None,
            ability: None,
            problem: None,
        }
    }

    pub(super) fn warned(name: &str, evidence: impl Into<String>, advice: &str) -> Self {
        let advice = Some(advice.to_owned());
        Self { outcome: CheckOutcome::Failed, advice, ..Self::passed(name, evidence) }
    }

    pub(super) fn failed(name: &str, problem: Problem) -> Self {
        let advice = problem.help.clone();
        let evidence = problem.message.clone();
        let outcome = CheckOutcome::Failed;
        Self { outcome, advice, problem: Some(problem), ..Self::passed(name, evidence) }
    }

    fn of(name: &str, found: Result<String, Problem>) -> Self {
        found.map_or_else(|problem| Self::failed(name, problem), |evidence| Self::passed(name, evidence))
    }
}

impl From<&AbilityResult> for ModelCheck {
    fn from(result: &AbilityResult) -> Self {
        let AbilityResult { ability, verdict, detail, advice, setting } = result;
        let (words, outcome) = match verdict {
            AbilityVerdict::Works => ("works", CheckOutcome::Passed),
            AbilityVerdict::NotSeen => ("not seen", CheckOutcome::Failed),
            AbilityVerdict::Refused => ("refused", CheckOutcome::Failed),
            AbilityVerdict::NotReported => ("not reported", CheckOutcome::Unknown),
            AbilityVerdict::NotTested => ("not tested", CheckOutcome::Unknown),
        };
        let evidence = if detail.is_empty() { words.to_owned() } else { format!("{words}: {detail}") };
        Self {
            outcome,
            advice: advice.clone(),
            setting: setting.clone(),
            ability: Some(*verdict),
            ..Self::passed(&format!("model, {ability}"), evidence)
        }
    }
}

/// Checks the configured model: its key, proxy, limits and preset, and then its server with a few small requests whose words
/// and colours are drawn from the seed. `on_check` gets each result once it is known, and again if a later one changes it.
/// Returns the final results in their order.
pub async fn check_model(
    lab: &Lab,
    config: &Config,
    seed: u64,
    on_check: &mut (dyn FnMut(&ModelCheck) + Send),
) -> Vec<ModelCheck> {
    let mut checks = vec![
        key_check::check(lab, config),
        ModelCheck::of("model, proxy", model_route(lab, config)),
        limits(lab, config).unwrap_or_else(|problem| ModelCheck::failed("model, limits", problem)),
    ];
    checks.extend(preset(lab, config));
    checks.iter().for_each(&mut *on_check);
    let mut report = |result: &AbilityResult| on_check(&ModelCheck::from(result));
    match server_abilities(lab, config, seed, &mut report).await {
        Ok(abilities) => {
            let last = last_checks(&abilities);
            for check in last.iter().filter(|check| check.ability.is_none() || check.problem.is_some()) {
                on_check(check);
            }
            checks.extend(last);
        }
        Err(problem) => {
            let problem = with_served_models(lab, config, problem).await;
            let help = match &problem.help {
                Some(help) => format!("use `mageyard doctor --model NAME`; {help}"),
                None => "use `mageyard doctor --model NAME`".to_owned(),
            };
            let check = ModelCheck::failed("model", problem.with_help(help));
            on_check(&check);
            checks.push(check);
        }
    }
    checks
}

/// The final results of a server.
fn last_checks(abilities: &ServerAbilities) -> Vec<ModelCheck> {
    let mut checks: Vec<ModelCheck> = abilities.results.iter().map(ModelCheck::from).collect();
    let requests = match abilities.requests {
        1 => "1 request was sent".to_owned(),
        count => format!("{count} requests were sent"),
    };
    checks.push(ModelCheck::passed("model, requests", requests));
    if let Some(why) = &abilities.stopped {
        let failed = checks.iter().position(|check| check.evidence.ends_with(why));
        let failed = failed.map(|index| checks.remove(index));
        let name = failed.as_ref().map_or("model", |check| &check.name);
        let stopped = ModelCheck::failed(name, Problem::new(why.clone()));
        let ability = failed.as_ref().and_then(|check| check.ability);
        let setting = failed.as_ref().and_then(|check| check.setting.clone());
        checks.push(ModelCheck { ability, setting, ..stopped });
    }
    checks
}

/// The preset of the model, if one is applied.
fn preset(lab: &Lab, config: &Config) -> Option<ModelCheck> {
    let name = "model, preset";
    let preset = match model_preset(lab, config) {
        Ok(preset) => preset?,
        Err(problem) => return Some(ModelCheck::failed(name, problem)),
    };
    let evidence = format!("{}: {}", preset.name, preset.summary());
    if preset.kept.is_empty() {
        return Some(ModelCheck::passed(name, evidence));
    }
    let advice =
        "remove these settings from your files, flags and variables if the server refuses the fields";
    Some(ModelCheck::warned(name, evidence, advice))
}

/// The limits in the settings, and whether the frames respect them.
fn limits(lab: &Lab, config: &Config) -> Result<ModelCheck, Problem> {
    let name = "model, limits";
    let RequestLimits { images, side, resolution } = request_limits(lab, config)?;
    let most = |most: Option<u32>, what: &str| {
        most.map_or_else(|| format!("any {what}"), |most| format!("at most {most} {what}"))
    };
    let sent = resolution.map_or_else(|| "at their original size".to_owned(), |edge| format!("at {edge} px"));
    let found = format!("{}, {}; frames are sent {sent}", most(images, "images"), most(side, "px a side"));
    Ok(match (side, resolution) {
        (Some(side), Some(edge)) if edge > side => {
            ModelCheck::warned(name, found, "set model.resolution to model.side_most or less")
        }
        _ => ModelCheck::passed(name, found),
    })
}
