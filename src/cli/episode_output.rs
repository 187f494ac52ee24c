//! The lines of `run` and `view`: one per step and one per episode, as text or JSON.

use std::collections::BTreeMap;
use std::io;
use std::time::Duration;

use serde_json::{Value, json};

use super::output::Output;
use mageyard_domain::{
    Action, ActionOdds, Cost, Prices, PublishedScore, ReplyEnding, TokenTotals, UnansweredRequests, Usage,
    sanitize,
};
use mageyard_engine::{Attempt, Distances, Ending, EpisodeSummary, Head, Step};
use mageyard_lab::{DistanceAfter, EpisodeId, OracleOpinion, json_line, merged};

/// Formats steps and episodes as lines, which hold no control characters, and prints them.
pub(super) struct EpisodePrinter {
    pub(super) out: Output,
    pub(super) json: bool,
    /// The prices of models.
    pub(super) prices: Prices,
}

/// The result of an episode.
pub(super) struct EpisodeResult<'a> {
    pub(super) id: &'a EpisodeId,
    pub(super) head: &'a Head,
    pub(super) summary: &'a EpisodeSummary,
    /// The distance of each state, if it was searched.
    pub(super) distances: Option<&'a Distances>,
}

/// What was searched beside a step.
#[derive(Default)]
pub(super) struct Searched<'a> {
    /// The distance after it.
    pub(super) way: Option<&'a DistanceAfter>,
    /// What the oracle would have done, if it was asked.
    pub(super) oracle: Option<&'a OracleOpinion>,
}

impl Searched<'_> {
    fn fields(&self) -> Value {
        let oracle = self.oracle.map_or(Value::Null, |said| json!({ "oracle": said.action }));
        merged(json!(self.way), oracle)
    }
}

impl EpisodePrinter {
    /// The line of a completed step, with the distance after it if it was searched.
    pub(super) fn step_line(
        &self,
        id: &EpisodeId,
        head: &Head,
        step: &Step,
        searched: &Searched<'_>,
    ) -> io::Result<String> {
        let reward = step.effect.as_ref().map_or(0.0, |effect| effect.reward);
        let sum = step.returns.sum;
        if self.json {
            let action = step.action.as_ref().map(ToString::to_string);
            let own = json!({
                "step": step.number, "action": action, "reward": reward, "sum": sum, "edited": step.is_edited(),
                "interrupted": step.is_interrupted(), "replies": reply_objects(step),
            });
            let object = merged(id.step_fields(head, step), own);
            let cost = self.step_cost(step);
            let object = merged(Self::with_usage(object, step.spent(), &cost), searched.fields());
            return Ok(json_line("step", &object)?);
        }
        let metered = Self::usage_text(step.spent(), &self.step_cost(step));
        let note = step.effect.as_ref().and_then(|effect| effect.note.as_deref()).unwrap_or("");
        let action = step.action.as_ref().map_or("(none)".to_owned(), Action::label);
        let line =
            format!("{:>4}  {action:<8} {reward:>+6.1}  sum {sum:>+6.1}{metered}  {note}", step.number);
        let agent = step.agent.display_name();
        let seated = if step.agent.name == head.agent.name {
            String::new()
        } else {
            format!("  (decided by {agent})")
        };
        let edited = if step.is_edited() { "  (edited by a person)" } else { "" };
        let remarks = reply_remarks(step);
        Ok(sanitize(&format!("{}{seated}{edited}{remarks}", line.trim_end())).into_owned())
    }

    /// The line of the result of an episode.
    pub(super) fn episode_line(&self, result: &EpisodeResult<'_>) -> io::Result<String> {
        if self.json {
            self.result_object(result)
        } else {
            Ok(sanitize(&self.result_text(result)).into_owned())
        }
    }

    fn result_object(&self, result: &EpisodeResult<'_>) -> io::Result<String> {
        let EpisodeResult { id, head, summary, distances } = result;
        let EpisodeSummary { returns, score, ending, steps, .. } = summary;
        let best = summary.reference.as_ref();
        let own = json!({
            "score": score, "best": returns.best, "sum": returns.sum,
            "optimum": best.map(|best| best.best), "shortest": best.map(|best| best.steps),
            "steps": steps, "ending": ending, "solved": *ending == Some(Ending::Won),
            "mixed": summary.mixed, "seconds": seconds(summary), "reply_endings": summary.reply_endings,
        });
        let mut object = merged(id.fields(head), own);
        if !summary.metrics.is_empty() {
            object["metrics"] = json!(summary.metrics);
        }
        if let Some(PublishedScore { reference, score }) = &summary.published {
            object["published"] = reference.best.into();
            object["published_steps"] = reference.steps.into();
            object["published_score"] = (*score).into();
        }
        if let Some(distances) = distances {
            let way = DistanceAfter::after(distances, usize::try_from(*steps).unwrap_or(usize::MAX));
            object["remaining"] = way.remaining.into();
            object["wasted"] = way.wasted.into();
            object["lost"] = way.lost.into();
            object["lost_by"] = distances.dead_step().into();
        }
        let cost = self.episode_cost(head, summary);
        Ok(json_line("episode", &Self::with_usage(object, summary.spent, &cost))?)
    }

    fn step_cost(&self, step: &Step) -> Cost {
        self.prices.cost(step.agent.model.as_deref(), step.spent())
    }

    fn episode_cost(&self, head: &Head, summary: &EpisodeSummary) -> Cost {
        self.prices.episode_cost(head.model(), summary.spent, &summary.models)
    }

    /// Adds requests, tokens and cost to an object. `cost` is the known part; null if it is unknown or there was no
    /// request.
    fn with_usage(object: Value, spent: TokenTotals, cost: &Cost) -> Value {
        let (cost, currency) = match cost {
            Cost::Known { amount, currency, .. } => (Some(amount), Some(currency)),
            Cost::Unknown | Cost::NoRequests => (None, None),
        };
        let usage = merged(request_fields(spent), json!({"cost": cost, "currency": currency}));
        merged(object, usage)
    }

    /// The same as text; empty if there was no request.
    fn usage_text(spent: TokenTotals, cost: &Cost) -> String {
        if spent.requests == 0 {
            return String::new();
        }
        format!("  {}, {}", tokens_text(spent), cost_text(cost))
    }

    fn result_text(&self, EpisodeResult { head, summary, .. }: &EpisodeResult<'_>) -> String {
        let score = summary.score.map_or("unknown".to_owned(), |score| format!("{score:.1}"));
        let best = summary.reference.as_ref();
        let shortest = best.map_or(String::new(), |best| format!(" (shortest {})", best.steps));
        let published = summary.published.as_ref().map_or(String::new(), |published| {
            format!("  published score {:.1} (by {} moves)", published.score, published.reference.steps)
        });
        let ending = summary.ending.map_or("unfinished".to_owned(), |ending| ending.to_string());
        let (steps, metered) =
            (summary.steps, Self::usage_text(summary.spent, &self.episode_cost(head, summary)));
        let title = head.title.as_ref().map_or(String::new(), |title| format!("  {title}"));
        let reference = &head.reference;
        let agent = &head.agent.name;
        let seconds = seconds(summary);
        let engine = head.engine.as_ref().map_or(String::new(), |engine| format!("  {engine}"));
        format!(
            "{reference}{title}  {agent}{engine}  score {score}{published}  {steps} {}{shortest}  {ending}{metered}  {seconds:.3} s{}{}",
            if steps == 1 { "step" } else { "steps" },
            if summary.mixed { "  mixed" } else { "" },
            match reply_endings_text(&summary.reply_endings) {
                text if text.is_empty() => text,
                text => format!("  {text}"),
            },
        )
    }
}

/// The replies of a step: how each ended, and what was noted about it.
fn reply_objects(step: &Step) -> Vec<Value> {
    let object = |attempt: &Attempt| {
        let given = attempt.original();
        json!({
            "ending": given.ending.name(), "why": (!given.ending.is_complete()).then(|| given.ending.to_string()),
            "cancelled": attempt.cancelled, "replaced": attempt.replaced, "picked_from": attempt.picked_from, "thoughts": given.thoughts.len(),
            "notes": given.notes, "latency_ms": given.latency_ms, "odds": attempt.action_odds().as_ref().map(odds_object),
        })
    };
    step.attempts.iter().map(object).collect()
}

/// The odds of an action, as probabilities.
pub(super) fn odds_object(odds: &ActionOdds) -> Value {
    let first = odds.first.iter().map(|(token, logprob)| json!({"token": token, "p": logprob.probability()}));
    json!({"p": odds.logprob.probability(), "first_token": first.collect::<Vec<_>>()})
}

/// The endings and notes of the replies of a step as text, equal ones once; empty if there are none.
fn reply_remarks(step: &Step) -> String {
    let mut remarks: Vec<(String, usize)> = Vec::new();
    for given in step.attempts.iter().map(Attempt::original) {
        let ending = (!given.ending.is_complete()).then(|| given.ending.to_string());
        for remark in ending.into_iter().chain(given.notes.iter().cloned()) {
            match remarks.iter_mut().find(|(known, _)| *known == remark) {
                Some((_, count)) => *count += 1,
                None => remarks.push((remark, 1)),
            }
        }
    }
    let texts: Vec<String> = remarks.iter().map(remark_text).collect();
    if texts.is_empty() { String::new() } else { format!("  ({})", texts.join(")  (")) }
}

fn remark_text((remark, count): &(String, usize)) -> String {
    if *count == 1 { remark.clone() } else { format!("{count} replies: {remark}") }
}

/// `replies: 2 cut, 1 refused`; empty if all were complete.
pub(super) fn reply_endings_text(counts: &BTreeMap<String, usize>) -> String {
    let known = ReplyEnding::NAMES.iter().filter_map(|name| Some((name, counts.get(*name)?)));
    let parts: Vec<String> =
        known.map(|(name, count)| format!("{count} {}", name.replace('_', " "))).collect();
    if parts.is_empty() { String::new() } else { format!("replies: {}", parts.join(", ")) }
}

/// The episode's own time.
fn seconds(summary: &EpisodeSummary) -> f64 {
    Duration::from_millis(summary.milliseconds).as_secs_f64()
}

/// The fields of requests and tokens.
pub(super) fn request_fields(spent: TokenTotals) -> Value {
    let UnansweredRequests { refused, failed, cancelled, lost } = spent.unanswered;
    json!({
        "requests": spent.requests, "requests_refused": refused, "requests_failed": failed,
        "requests_cancelled": cancelled, "requests_lost": lost, "unmetered": spent.unmetered,
        "tokens_in": spent.usage.input, "tokens_out": spent.usage.output,
        "tokens_cached": spent.usage.cached, "tokens_cache_writes": spent.usage.cache_writes,
        "tokens_estimated": spent.estimated.map(Usage::total),
    })
}

/// `1200 tokens in, 34 out`, with the number of requests whose usage is unknown.
pub fn tokens_text(spent: TokenTotals) -> String {
    if spent.is_unknown() {
        return format!("tokens unknown{}", spent.estimate_text());
    }
    format!("{}{}", spent.usage, spent.unknown_text())
}

fn cost_text(cost: &Cost) -> String {
    match cost {
        Cost::Unknown => "cost unknown".to_owned(),
        cost => cost.to_string(),
    }
}
