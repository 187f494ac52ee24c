//! The lines of `run` and `view`: one per step and one per episode, as text or JSON.

use std::collections::BTreeMap;
use std::io;
use std::time::Duration;

use super::episode_record::{EpisodeRecord, StepRecord};
use super::output::{Output, count_noun};
use super::records::{Record, UsageFields};
use mageyard_domain::{
    Action, Claim, Cost, Judgement, Prices, ReplyEnding, RewardTerms, SideRole, TokenTotals, sanitize,
};
use mageyard_engine::{Attempt, Distances, EpisodeSummary, Head, RoleTotals, SideExchange, Step};
use mageyard_lab::{DistanceAfter, EpisodeFields, EpisodeId, OracleOpinion};

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

/// What is printed of a step beside what it has.
#[derive(Default)]
pub(super) struct Beside<'a> {
    /// The terms of its reward, if the environment names them.
    pub(super) terms: Option<&'a RewardTerms>,
    /// The distance after it.
    pub(super) way: Option<&'a DistanceAfter>,
    /// What the oracle would have done, if it was asked.
    pub(super) oracle: Option<&'a OracleOpinion>,
    /// What its analysis says of the state.
    pub(super) claims: &'a [Claim],
}

impl EpisodePrinter {
    /// The line of a completed step, with the distance after it if it was searched.
    pub(super) fn step_line(
        &self,
        id: &EpisodeId,
        head: &Head,
        step: &Step,
        beside: &Beside<'_>,
    ) -> io::Result<String> {
        let reward = step.effect.as_ref().map_or(0.0, |effect| effect.reward);
        let sum = step.returns.sum;
        if self.json {
            let usage = UsageFields::new(step.spent(), &step.cost(head, &self.prices));
            let record = StepRecord::new(EpisodeFields::of_step(id, head, step), step, head, usage);
            return Ok(record.with_beside(beside).line()?);
        }
        let metered = Self::usage_text(step.spent(), &step.cost(head, &self.prices));
        let note = match &step.effect {
            Some(effect) => effect.note.as_deref().unwrap_or(""),
            None if step.over_limit => "refused by the repetition limit, not carried out",
            None => "",
        };
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
        let line = sanitize(&format!("{}{seated}{edited}{remarks}", line.trim_end())).into_owned();
        Ok(std::iter::once(line).chain(step.side.iter().map(side_line)).collect::<Vec<_>>().join("\n"))
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
        let usage = UsageFields::new(summary.spent, &self.episode_cost(head, summary));
        let record = EpisodeRecord::new(EpisodeFields::of(id, head), summary, usage, &self.prices);
        Ok(record.with_distances(*distances).line()?)
    }

    fn episode_cost(&self, head: &Head, summary: &EpisodeSummary) -> Cost {
        self.prices.episode_cost(head.model(), summary.spent, &summary.models)
    }

    /// Tokens and cost as text; empty if there was no request.
    fn usage_text(spent: TokenTotals, cost: &Cost) -> String {
        if spent.requests == 0 {
            return String::new();
        }
        format!("  {}, {}", spent.text(), cost_text(cost))
    }

    /// What the side requests of a role came to.
    fn role_text(&self, role: SideRole, totals: &RoleTotals) -> String {
        let asked = count_noun(totals.requests, "side request", "side requests");
        let usage = match totals.spent.requests {
            0 => String::new(),
            _ => format!(", {}, {}", totals.spent.text(), cost_text(&totals.cost(&self.prices))),
        };
        let part = |count: usize, what: &str| match count {
            0 => String::new(),
            count => format!(", {count} {what}"),
        };
        let reused = part(totals.reused, "reused");
        let unread = part(totals.unread, "unread");
        format!("  {role}: {asked}{usage}{reused}{unread}")
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
        let served = summary.served_changes.iter().map(|change| format!("  ({change})"));
        let served = served.collect::<Vec<_>>().concat();
        let verdict =
            summary.judgement.as_ref().map_or(String::new(), |judged| format!("  {}", verdict_text(judged)));
        let engine = head.engine.as_ref().map_or(String::new(), |engine| format!("  {engine}"));
        let roles: String =
            summary.roles.iter().map(|(role, totals)| self.role_text(*role, totals)).collect();
        format!(
            "{reference}{title}  {agent}{engine}  score {score}{published}  {steps} {}{shortest}  {ending}{verdict}{metered}{roles}  {seconds:.3} s{}{}{served}",
            if steps == 1 { "step" } else { "steps" },
            if summary.mixed { "  mixed" } else { "" },
            match reply_endings_text(&summary.reply_endings) {
                text if text.is_empty() => text,
                text => format!("  {text}"),
            },
        )
    }
}

/// The answer of a side request, below the line of its step.
fn side_line(exchange: &SideExchange) -> String {
    let again = if exchange.number > 1 { format!(", try {}", exchange.number) } else { String::new() };
    sanitize(&format!("      {}{again}: {}", exchange.role(), exchange.answer_text())).into_owned()
}

/// `verdict: success`, what was wrong, or why there is no verdict.
pub(super) fn verdict_text(judgement: &Judgement) -> String {
    match judgement {
        Judgement::NotJudged(why) => format!("not judged: {why}"),
        Judgement::Verdict(verdict) if verdict.feedback.is_empty() => {
            format!("verdict: {}", if verdict.success { "success" } else { "no success" })
        }
        Judgement::Verdict(verdict) => format!("verdict: {}", verdict.feedback.join("; ")),
    }
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
pub(super) fn seconds(summary: &EpisodeSummary) -> f64 {
    Duration::from_millis(summary.milliseconds).as_secs_f64()
}

fn cost_text(cost: &Cost) -> String {
    match cost {
        Cost::Unknown => "cost unknown".to_owned(),
        cost => cost.to_string(),
    }
}
