//! What follows from the requests of a test: a verdict per ability.

use serde::Serialize;

use super::added_tokens::AddedTokens;
use super::table::{ONE_IMAGE, SEVERAL_IMAGES, STREAMING, TEXT, TRIALS, Trial};
use super::{Answered, Attempted};
use mageyard_agents::SuggestedSetting;
use mageyard_config::Config;
use mageyard_domain::{AgentError, sanitize};

/// Whether a server and its model have an ability.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AbilityVerdict {
    /// The reply shows it.
    Works,
    /// The server accepted the request, but the reply shows that the model did not receive it.
    NotSeen,
    /// The server refused the request.
    Refused,
    /// No reply had it.
    NotReported,
    /// No request was sent for it.
    NotTested,
}

/// The result for one ability.
#[derive(Clone, Debug, PartialEq)]
pub struct AbilityResult {
    /// The ability, such as `one image`.
    pub ability: &'static str,
    /// The verdict.
    pub verdict: AbilityVerdict,
    /// What was found.
    pub detail: String,
    /// What to do, if it does not work.
    pub advice: Option<String>,
    /// The setting that the advice names.
    pub setting: Option<SuggestedSetting>,
}

/// Why nothing is known about an ability after the tests have ended early.
const STOPPED: &str = "the tests ended before it";
const USAGE: &str = "usage";
const REASONING: &str = "reasoning";
/// What to do if the user's own settings forbid the request.
const OWN_LIMIT_ADVICE: &str = "your own setting forbids this request: relax it to test the server";

/// Whether an error ends the tests: the server is not reached, or it refuses everything.
pub(super) fn stops(error: &AgentError) -> bool {
    match error {
        AgentError::Api { status, .. } => matches!(status, 401 | 403 | 408 | 429 | 502..=504 | 529),
        AgentError::InvalidRequest(_) | AgentError::ReplyFailed(_) | AgentError::MalformedResponse(_) => {
            false
        }
        _ => true,
    }
}

/// The result of the newest request, as far as the requests until then show it.
pub(super) fn newest(attempts: &[Attempted]) -> Option<AbilityResult> {
    let newest = attempts.last()?;
    Some(result(newest, AddedTokens::of(attempts), missing_basis(attempts, newest.trial.ability)))
}

/// The results of all abilities.
pub(super) fn judged(attempts: &[Attempted], config: &Config, stopped: bool) -> Vec<AbilityResult> {
    let tokens = AddedTokens::of(attempts);
    let judge = |one: &Attempted| result(one, tokens, missing_basis(attempts, one.trial.ability));
    let mut results: Vec<AbilityResult> = attempts.iter().map(judge).collect();
    let tested = |trial: &Trial| attempts.iter().any(|attempt| attempt.trial.ability == trial.ability);
    let untested = TRIALS.iter().filter(|trial| !tested(trial)).map(|trial| {
        let why = if stopped && (trial.applies)(config) { STOPPED } else { "" };
        without_request(trial.ability, AbilityVerdict::NotTested, why)
    });
    results.extend(untested);
    if attempts.iter().any(|attempt| attempt.answered.is_ok()) {
        results.extend([usage(attempts), reasoning(attempts)]);
    } else {
        let unknown = |ability| without_request(ability, AbilityVerdict::NotTested, STOPPED);
        results.extend([USAGE, REASONING].map(unknown));
    }
    results
}

fn without_request(ability: &'static str, verdict: AbilityVerdict, detail: &str) -> AbilityResult {
    AbilityResult { ability, verdict, detail: detail.to_owned(), advice: None, setting: None }
}

fn result(attempt: &Attempted, added: AddedTokens, missing: Option<&'static str>) -> AbilityResult {
    let trial = attempt.trial;
    let setting = || trial.setting.filter(|_| missing.is_none()).map(|setting| setting());
    let advice = |detail: &str| match missing {
        Some(basis) => Some(format!("{basis} does not work either, see there")),
        None => Some(trial.advice.to_owned()).filter(|advice| !detail.contains(advice.as_str())),
    };
    let (verdict, detail, advice, setting) = match &attempt.answered {
        Ok(answered) if attempt.understood => {
            (AbilityVerdict::Works, described(answered, trial, added), None, None)
        }
        Ok(answered) => {
            let detail = format!("{}, it replied {}", described(answered, trial, added), quoted(answered));
            let advice = advice("").map(|advice| format!("{}{advice}", added.verdict(trial.ability)));
            (AbilityVerdict::NotSeen, detail, advice, setting())
        }
        Err(AgentError::InvalidRequest(why)) => {
            (AbilityVerdict::NotTested, why.clone(), Some(OWN_LIMIT_ADVICE.to_owned()), None)
        }
        Err(error) if stops(error) => {
            (AbilityVerdict::Refused, error.to_string(), None, attempt.suggested.clone())
        }
        Err(error) => {
            let detail = error.to_string();
            let advice = if trial.ability == TEXT { None } else { advice(&detail) };
            (AbilityVerdict::Refused, detail, advice, attempt.suggested.clone().or_else(setting))
        }
    };
    AbilityResult { ability: trial.ability, verdict, detail, advice, setting }
}

/// The ability that this one needs and that does not work, so that nothing follows from the result.
fn missing_basis(attempts: &[Attempted], ability: &str) -> Option<&'static str> {
    let bases = match ability {
        TEXT => &[][..],
        SEVERAL_IMAGES => &[TEXT, ONE_IMAGE],
        _ => &[TEXT],
    };
    let fails = |basis: &&&str| attempts.iter().any(|one| one.trial.ability == **basis && !one.understood);
    bases.iter().find(fails).copied()
}

/// Time, tokens, model and chunks of a reply.
fn described(answered: &Answered, trial: &Trial, added: AddedTokens) -> String {
    let Answered { reply, chunks, took } = answered;
    let usage = reply.usage.map_or("token usage not reported".to_owned(), |usage| {
        format!("{} tokens in, {} out", usage.input, usage.output)
    });
    let model = reply.model.as_ref().map_or_else(String::new, |model| format!(", by {}", sanitize(model)));
    let chunks = match (trial.ability == STREAMING, chunks) {
        (false, _) => String::new(),
        (true, 1) => ", in 1 chunk".to_owned(),
        (true, chunks) => format!(", in {chunks} chunks"),
    };
    let added = added.described(trial.ability);
    format!("{} ms, {usage}{added}{model}{chunks}", took.as_millis())
}

/// The beginning of a reply for one line.
fn quoted(answered: &Answered) -> String {
    let text: String = answered.reply.text.trim().chars().take(60).collect();
    format!("{:?}", sanitize(&text.replace('\n', " ")))
}

fn usage(attempts: &[Attempted]) -> AbilityResult {
    let silent: Vec<&str> = attempts
        .iter()
        .filter(|attempt| attempt.answered.is_ok() && attempt.usage().is_none())
        .map(|attempt| attempt.trial.ability)
        .collect();
    let advice = "tokens and costs of such requests stay unknown".to_owned();
    if silent.is_empty() {
        return without_request(USAGE, AbilityVerdict::Works, "every reply has its tokens");
    }
    let missing = format!("missing for {}", silent.join(", "));
    AbilityResult { advice: Some(advice), ..without_request(USAGE, AbilityVerdict::NotReported, &missing) }
}

fn reasoning(attempts: &[Attempted]) -> AbilityResult {
    let replies = attempts.iter().filter_map(|attempt| attempt.answered.as_ref().ok());
    match replies.filter(|answered| answered.reply.reasoning.is_some()).count() {
        0 => without_request(REASONING, AbilityVerdict::NotReported, "no reply has reasoning"),
        count => without_request(REASONING, AbilityVerdict::Works, &format!("in {count} replies")),
    }
}
