//! The output of `run` and `view`: a line per step and a line per episode, as text or JSON.

use std::io;

use serde_json::Map;
use serde_json::Value;
use serde_json::json;

use super::output::Output;
use crate::domain::Cost;
use crate::domain::EnvironmentSpec;
use crate::domain::Prices;
use crate::domain::PublishedScore;
use crate::domain::TokenTotals;
use crate::domain::Usage;
use crate::engine::Distances;
use crate::engine::Ending;
use crate::engine::Episode;
use crate::engine::Head;
use crate::engine::Step;
use crate::lab::DistanceAfter;
use crate::lab::EpisodeId;
use crate::lab::merged;

/// Prints steps and episodes.
pub(super) struct EpisodePrinter {
    pub(super) out: Output,
    pub(super) json: bool,
    /// The prices of models.
    pub(super) prices: Prices,
}

/// The result of an episode.
pub(super) struct EpisodeResult<'a> {
    pub(super) episode: &'a Episode,
    pub(super) score: Option<f64>,
    pub(super) published: Option<PublishedScore>,
    /// The environment's further figures of the last state.
    pub(super) metrics: Map<String, Value>,
    pub(super) seconds: f64,
    pub(super) id: &'a EpisodeId,
    /// The distance of each state, if it was searched.
    pub(super) distances: Option<&'a Distances>,
}

impl<'a> EpisodeResult<'a> {
    /// The result of an episode in this environment.
    pub(super) fn of(
        spec: &dyn EnvironmentSpec,
        episode: &'a Episode,
        seconds: f64,
        id: &'a EpisodeId,
    ) -> Self {
        let (score, published) = (episode.score(spec), episode.published(spec));
        let metrics = metrics(spec, episode);
        Self { episode, score, published, metrics, seconds, id, distances: None }
    }
}

/// The facts of the last state that the environment names as metrics.
fn metrics(spec: &dyn EnvironmentSpec, episode: &Episode) -> Map<String, Value> {
    let Some(last) = episode.steps().last() else { return Map::new() };
    let facts = last.observation.facts();
    let metric = |name: &&'static str| Some(((*name).to_owned(), facts.get(*name)?.clone()));
    spec.metrics().iter().filter_map(metric).filter(|(_, value)| value.is_number()).collect()
}

impl EpisodePrinter {
    /// Prints a completed step, with the distance after it if it was searched.
    pub(super) fn print_step(
        &mut self,
        id: &EpisodeId,
        episode: &Episode,
        step: &Step,
        way: Option<&DistanceAfter>,
    ) -> io::Result<()> {
        let reward = step.effect.as_ref().map_or(0.0, |effect| effect.reward);
        let action = step.action.as_ref().map(ToString::to_string);
        let (head, sum) = (episode.head(), step.returns.sum);
        if self.json {
            let own = json!({
                "step": step.number, "action": action, "reward": reward, "sum": sum, "edited": step.is_edited(),
                "interrupted": step.is_interrupted(),
            });
            let object = merged(id.step_fields(head, step), own);
            return self
                .out
                .object_line("step", &merged(self.with_usage(object, head, step.spent()), json!(way)));
        }
        let metered = self.usage_text(head, step.spent());
        let note = step.effect.as_ref().and_then(|effect| effect.note.as_deref()).unwrap_or("");
        let action = action.as_deref().unwrap_or("(none)");
        let line =
            format!("{:>4}  {action:<8} {reward:>+6.1}  sum {sum:>+6.1}{metered}  {note}", step.number);
        let edited = if step.is_edited() { "  (edited by a person)" } else { "" };
        self.out.line(format!("{}{edited}", line.trim_end()))
    }

    /// Prints the result of an episode.
    pub(super) fn print_episode(&mut self, result: &EpisodeResult<'_>) -> io::Result<()> {
        if self.json { self.print_object(result) } else { self.print_summary(result) }
    }

    fn print_object(&mut self, result: &EpisodeResult<'_>) -> io::Result<()> {
        let EpisodeResult { episode, score, published, metrics, seconds, id, distances } = result;
        let (head, best) = (episode.head(), episode.reference());
        let own = json!({
            "score": score, "best": episode.returns().best, "sum": episode.returns().sum,
            "optimum": best.map(|best| best.best), "shortest": best.map(|best| best.steps),
            "steps": episode.steps_done(), "ending": episode.ending(),
            "solved": episode.ending() == Some(Ending::Won), "mixed": episode.is_mixed(),
            "seconds": seconds,
        });
        let mut object = merged(id.fields(head), own);
        if !metrics.is_empty() {
            object["metrics"] = metrics.clone().into();
        }
        if let Some(PublishedScore { reference, score }) = published {
            object["published"] = reference.best.into();
            object["published_steps"] = reference.steps.into();
            object["published_score"] = (*score).into();
        }
        if let Some(distances) = distances {
            let way =
                DistanceAfter::after(distances, usize::try_from(episode.steps_done()).unwrap_or(usize::MAX));
            object["remaining"] = way.remaining.into();
            object["wasted"] = way.wasted.into();
            object["lost"] = way.lost.into();
            object["lost_by"] = distances.dead_step().into();
        }
        self.out.object_line("episode", &self.with_usage(object, head, episode.spent()))
    }

    /// Adds requests, tokens and cost to an object. `cost` is null if it is unknown or there was no request.
    fn with_usage(&self, object: Value, head: &Head, spent: TokenTotals) -> Value {
        let (cost, currency) = match self.prices.cost(head.model(), spent) {
            Cost::Known(amount, currency) => (Some(amount), Some(currency)),
            Cost::Unknown | Cost::NoRequests => (None, None),
        };
        let more = json!({
            "requests": spent.requests, "unmetered": spent.unmetered, "tokens_in": spent.usage.input,
            "tokens_out": spent.usage.output, "cost": cost, "currency": currency,
        });
        merged(object, more)
    }

    /// The same as text; empty if there was no request.
    fn usage_text(&self, head: &Head, spent: TokenTotals) -> String {
        if spent.requests == 0 {
            return String::new();
        }
        format!("  {}, {}", tokens_text(spent), cost_text(&self.prices.cost(head.model(), spent)))
    }

    fn print_summary(
        &mut self,
        EpisodeResult { episode, score, published, seconds, .. }: &EpisodeResult<'_>,
    ) -> io::Result<()> {
        let head = episode.head();
        let score = score.map_or("unknown".to_owned(), |score| format!("{score:.1}"));
        let shortest =
            episode.reference().map_or(String::new(), |best| format!(" (shortest {})", best.steps));
        let published = published.as_ref().map_or(String::new(), |published| {
            format!("  published score {:.1} (by {} moves)", published.score, published.reference.steps)
        });
        let ending = episode.ending().map_or("unfinished".to_owned(), |ending| ending.to_string());
        let (steps, metered) = (episode.steps_done(), self.usage_text(head, episode.spent()));
        let title = head.title.as_ref().map_or(String::new(), |title| format!("  {title}"));
        let (reference, agent) = (&head.reference, &head.agent.name);
        self.out.line(format!(
            "{reference}{title}  {agent}  score {score}{published}  {steps} {}{shortest}  {ending}{metered}  {seconds:.3} s{}",
            if steps == 1 { "step" } else { "steps" },
            if episode.is_mixed() { "  mixed" } else { "" },
        ))
    }
}

/// `1200 tokens in, 34 out`, with the number of requests whose usage is unknown.
pub(super) fn tokens_text(spent: TokenTotals) -> String {
    let Usage { input, output, .. } = spent.usage;
    match (spent.unmetered, spent.requests) {
        (0, _) => format!("{input} tokens in, {output} out"),
        (unknown, all) if unknown == all => "tokens unknown".to_owned(),
        (unknown, all) => format!("{input} tokens in, {output} out and {unknown} of {all} unknown"),
    }
}

fn cost_text(cost: &Cost) -> String {
    match cost {
        Cost::Unknown => "cost unknown".to_owned(),
        cost => cost.to_string(),
    }
}
