//! What the parts of the requests of recorded episodes cost, and what of it was sent again.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::parts::{AuditedPart, RequestPart, SentBefore, request_parts};
use mageyard_domain::{Amount, Price, RequestReader, Segment, SentRequest, Usage, repeated_tokens};
use mageyard_engine::{Attempt, Episode};

/// The tokens of some parts of requests.
///
/// They are estimated from the characters of texts and the sizes of images, and scaled so that the parts of a request have the
/// tokens that the server counted. Where it counted none, the estimate stays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PartCost {
    /// The tokens.
    pub tokens: u64,
    /// Those of parts that an earlier request of the episode had, equal to the byte.
    pub again: u64,
}

impl PartCost {
    fn of(tokens: u64, is_again: bool) -> Self {
        Self { tokens, again: if is_again { tokens } else { 0 } }
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self { tokens: self.tokens + other.tokens, again: self.again + other.again }
    }
}

/// The requests to one model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelAudit {
    /// The requests that were answered.
    pub requests: u64,
    /// Those whose tokens the server did not count.
    pub uncounted: u64,
    /// The tokens of the others, as the server counted them.
    pub usage: Usage,
    /// The input tokens that were also at the beginning of the request before: a server that caches prompts could have read them
    /// from its cache.
    pub repeated: u64,
    /// The parts by sort: segments by name, `frame` for images.
    pub parts: BTreeMap<&'static str, PartCost>,
    /// The outputs by how many steps back they are, from 1.
    pub outputs: BTreeMap<u32, PartCost>,
    /// The frames by how many steps back they are, from 0; texts of states count as frames.
    pub frames: BTreeMap<u32, PartCost>,
}

/// The requests of recorded episodes by model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryAudit {
    /// The episodes with a request.
    pub episodes: u64,
    /// The models with their requests.
    pub models: BTreeMap<String, ModelAudit>,
}

impl MemoryAudit {
    /// The requests of an episode. Side requests are not among them.
    pub fn of(episode: &Episode, reader: &dyn RequestReader) -> Self {
        let mut audit = Self::default();
        let mut before = SentBefore::default();
        let mut last: Option<Arc<SentRequest>> = None;
        for step in episode.steps() {
            let name = step.agent.model.clone().unwrap_or_default();
            for attempt in &step.attempts {
                let Some(sent) = &attempt.sent else { continue };
                let parts = request_parts(sent, step.number, reader);
                let repeated = match (&last, attempt.usage) {
                    (Some(last), Some(usage)) => repeated_tokens(last, sent, usage.input),
                    _ => 0,
                };
                let model = audit.models.entry(name.clone()).or_default();
                model.add(&parts, attempt, &before);
                model.repeated += repeated;
                before.add(&parts);
                last = Some(sent.clone());
            }
        }
        audit.episodes = u64::from(!audit.models.is_empty());
        audit
    }

    /// Adds the requests of other episodes.
    pub fn add(&mut self, other: Self) {
        self.episodes += other.episodes;
        for (name, model) in other.models {
            self.models.entry(name).or_default().join(model);
        }
    }
}

impl ModelAudit {
    fn add(&mut self, parts: &[RequestPart], attempt: &Attempt, before: &SentBefore) {
        self.requests += 1;
        self.uncounted += u64::from(attempt.usage.is_none());
        let estimated = parts.iter().map(|part| part.tokens).sum();
        let counted = attempt.usage.map_or(estimated, |usage| usage.input);
        if let Some(usage) = attempt.usage {
            self.usage = sum_of(self.usage, usage);
        }
        let mut share = Shares { estimated, counted, done: 0 };
        for part in parts {
            let cost = PartCost::of(share.next(part.tokens), before.has(part));
            add_to(&mut self.parts, part.sort.name(), cost);
            let by_distance = match part.sort {
                AuditedPart::Text(Segment::Output) => &mut self.outputs,
                AuditedPart::Image | AuditedPart::Text(Segment::StateText) => &mut self.frames,
                AuditedPart::Text(_) | AuditedPart::OtherText => continue,
            };
            if let Some(back) = part.back {
                add_to(by_distance, back, cost);
            }
        }
    }

    fn join(&mut self, other: Self) {
        self.requests += other.requests;
        self.uncounted += other.uncounted;
        self.usage = sum_of(self.usage, other.usage);
        self.repeated += other.repeated;
        join(&mut self.parts, other.parts);
        join(&mut self.outputs, other.outputs);
        join(&mut self.frames, other.frames);
    }

    /// All parts together.
    pub fn whole(&self) -> PartCost {
        self.parts.values().copied().fold(PartCost::default(), PartCost::plus)
    }

    /// What was paid for the input, what it would have cost without any cache, and at least with one that reads all that was
    /// repeated; of the requests whose tokens were counted.
    pub fn input_costs(&self, price: &Price) -> [Amount; 3] {
        let input = Usage { output: 0, ..self.usage };
        [price.cost_of(input), price.cost_without_cache(input), price.cost_with_cache(input, self.repeated)]
    }
}

fn join<K: Ord>(all: &mut BTreeMap<K, PartCost>, other: BTreeMap<K, PartCost>) {
    for (key, cost) in other {
        add_to(all, key, cost);
    }
}

fn add_to<K: Ord>(all: &mut BTreeMap<K, PartCost>, key: K, cost: PartCost) {
    let sum = all.entry(key).or_default();
    *sum = sum.plus(cost);
}

fn sum_of(one: Usage, other: Usage) -> Usage {
    Usage {
        input: one.input.saturating_add(other.input),
        output: one.output.saturating_add(other.output),
        cached: one.cached.saturating_add(other.cached),
        cache_writes: one.cache_writes.saturating_add(other.cache_writes),
    }
}

/// Divides the tokens that a server counted over the parts of a request, by their estimates. The shares of all parts are all
/// tokens.
struct Shares {
    estimated: u64,
    counted: u64,
    /// The estimated tokens of the parts before.
    done: u64,
}

impl Shares {
    fn next(&mut self, tokens: u64) -> u64 {
        let before = self.until();
        self.done += tokens;
        self.until() - before
    }

    fn until(&self) -> u64 {
        let share = u128::from(self.counted) * u128::from(self.done) / u128::from(self.estimated.max(1));
        u64::try_from(share).unwrap_or(self.counted)
    }
}
