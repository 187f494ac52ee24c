//! What a sweep needs: calls, images, tokens and money, as the lowest and the highest that is possible.
//!
//! The lowest is an agent that solves every level on a shortest way with the shortest readable replies. The highest is
//! one that needs all steps, all attempts and the longest replies, each of which stays in memory. Both are far from what
//! happens, so there is an expected number too: half of the way from a shortest solution to the limit of steps, one attempt
//! each, replies of a usual length. Tokens follow the rule
//! of [`mageyard_domain::TOKEN_ESTIMATE_RULE`]. Retries after errors of the connection, and discounts for caching, are not
//! counted.

mod optimum;
mod request;
mod side;
mod time;

use mageyard_lab::config_for;
use std::collections::BTreeMap;

use serde_json::Value;

use self::optimum::Optima;
use self::request::{RequestSize, RequestSizes, request_sizes};
use self::side::{Course, RoleSubject, asks, role_subjects, steps_of};
pub use self::side::{RoleEstimate, USUAL_ANSWER};
pub use self::time::{MeasuredTime, measured_times};
use super::cell::{PlannedCell, SweepPlan};
use mageyard_config::{Config, Problem};
use mageyard_domain::{Options, Price, Prices, Setting, SideRole, Usage};
use mageyard_engine::Head;
use mageyard_lab::{Bounds, CostBounds, EpisodeLimits, Lab, Needs, SelectedLevel, UNLIMITED_REPLY};

/// Past outputs that are composed; with more, each adds as much as the last of these.
const COMPOSED: usize = 32;

/// The largest number of images that is assumed of a state that is not observed and has no limit.
const UNSEEN_IMAGES: usize = 10;

/// The usual length of a reply in tokens, if its limit is not shorter.
pub const USUAL_REPLY: u64 = 250;

/// What a sweep needs.
#[derive(Clone, Debug)]
pub struct SweepEstimate {
    /// What each cell needs, in their order.
    pub cells: Vec<CellEstimate>,
    /// The number of levels whose shortest solution was not found in a few seconds: their lowest is one step.
    pub unsolved: usize,
    /// Environments that are not opened for a plan: their texts are not counted, and their images are assumed.
    pub unseen: Vec<&'static str>,
}

/// What a cell needs.
#[derive(Clone, Debug, Default)]
pub struct CellEstimate {
    /// The requests to the model.
    pub needs: Needs,
    /// The tokens that are expected: of requests, and of replies.
    pub expected: Usage,
    /// The price of the model, if it is known.
    pub price: Option<Price>,
    /// What side requests need beside that.
    pub roles: Vec<RoleEstimate>,
}

impl CellEstimate {
    /// What all requests need.
    pub fn total(&self) -> Needs {
        self.roles.iter().fold(self.needs.clone(), |sum, role| sum.plus(&role.needs))
    }
}

impl SweepEstimate {
    /// What all cells need together.
    pub fn total(&self) -> Needs {
        self.cells.iter().fold(Needs::default(), |sum, cell| sum.plus(&cell.total()))
    }

    /// What the side requests of all cells need by role, which is part of that.
    pub fn roles(&self) -> BTreeMap<SideRole, Needs> {
        let mut roles = BTreeMap::<SideRole, Needs>::new();
        for RoleEstimate { role, needs, .. } in self.cells.iter().flat_map(|cell| &cell.roles) {
            let sum = roles.entry(*role).or_default();
            *sum = std::mem::take(sum).plus(needs);
        }
        roles
    }
}

/// What the cells of a sweep need. Pure environments are opened and shortest solutions searched; nothing is sent.
pub async fn estimate_sweep(lab: &Lab, plan: &SweepPlan) -> Result<SweepEstimate, Problem> {
    let mut subjects = Vec::new();
    for cell in &plan.cells {
        subjects.push(cell_subject(lab, cell).await?);
    }
    let optima = Optima::search(solvable(&plan.cells, &subjects));
    let unseen = unseen(&plan.cells, &subjects);
    let estimate = |(cell, subject): (&PlannedCell, &Option<Subject>)| {
        subject.as_ref().map_or_else(CellEstimate::default, |subject| subject.estimate(cell, &optima))
    };
    let cells = plan.cells.iter().zip(&subjects).map(estimate).collect();
    Ok(SweepEstimate { cells, unsolved: optima.unknown(), unseen })
}

/// What is needed to estimate a cell; `None` if its agent sends no requests.
async fn cell_subject(lab: &Lab, cell: &PlannedCell) -> Result<Option<Subject>, Problem> {
    let Some(level) = cell.levels.first() else { return Ok(None) };
    let config = config_for(lab, &cell.config, level.spec)?;
    let Some(sizes) = request_sizes(lab, &config, level).await? else { return Ok(None) };
    let prices = mageyard_config::load_prices(&config)?;
    let limit = |level: &SelectedLevel| EpisodeLimits::of(&config, level.spec, &level.level).steps;
    let limits = cell.levels.iter().map(limit).collect();
    let roles = role_subjects(lab, &config, &cell.levels, &sizes, unseen_images(sizes.head()))?;
    let asks = cell.levels.iter().map(|level| asks(&config, level)).collect();
    Ok(Some(Subject::new(sizes, limits, (roles, asks), &config, prices, level)))
}

/// The cells whose agents send requests.
fn asking<'a>(
    cells: &'a [PlannedCell],
    subjects: &'a [Option<Subject>],
) -> impl Iterator<Item = (&'a PlannedCell, &'a Subject)> {
    cells.iter().zip(subjects).filter_map(|(cell, subject)| Some((cell, subject.as_ref()?)))
}

/// The levels whose shortest solutions bound the requests of an episode, with the options of their environments.
fn solvable<'a>(
    cells: &'a [PlannedCell],
    subjects: &'a [Option<Subject>],
) -> impl Iterator<Item = (&'a SelectedLevel, Options)> {
    let online = asking(cells, subjects).filter(|(_, subject)| subject.head().setting == Setting::Online);
    let levels =
        online.flat_map(|(cell, subject)| cell.levels.iter().map(|level| (level, subject.options.clone())));
    levels.filter(|(level, _)| level.spec.capabilities().tools.solver.is_some())
}

/// The environments whose states are not observed.
fn unseen(cells: &[PlannedCell], subjects: &[Option<Subject>]) -> Vec<&'static str> {
    let unseen = asking(cells, subjects).filter(|(_, subject)| !subject.sizes.is_observed);
    let mut names: Vec<_> = unseen.map(|(cell, _)| cell.environment()).collect();
    names.dedup();
    names
}

/// The sizes of the requests of a step.
#[derive(Clone, Copy)]
struct StepSizes {
    lowest: RequestSize,
    expected: RequestSize,
    /// That of all attempts together.
    highest: RequestSize,
}

/// The requests of a cell.
struct Subject {
    sizes: RequestSizes,
    options: Options,
    prices: Prices,
    /// Sizes of requests by the number of past outputs.
    steps: Vec<StepSizes>,
    /// The step limit of each level, in the order of the cell.
    limits: Vec<u32>,
    /// The tokens of a reply.
    reply: Bounds,
    /// The side requests.
    roles: Vec<RoleSubject>,
    /// Whether the environment asks on each level.
    asks: Vec<bool>,
}

impl Subject {
    fn new(
        sizes: RequestSizes,
        limits: Vec<u32>,
        (roles, asks): (Vec<RoleSubject>, Vec<bool>),
        config: &Config,
        prices: Prices,
        level: &SelectedLevel,
    ) -> Self {
        let options = config.settings().options(level.spec.name());
        let reply = Bounds { lowest: sizes.shortest_reply(), highest: longest_reply(sizes.head()) };
        let most = usize::try_from(remembered(sizes.head())).unwrap_or(usize::MAX).min(COMPOSED);
        let longest = limits.iter().copied().max().unwrap_or(0);
        let most = most.min(usize::try_from(longest).unwrap_or(usize::MAX).saturating_sub(1));
        let most = if sizes.head().setting == Setting::Global { 0 } else { most };
        let unseen = unseen_images(sizes.head());
        let said: u64 = roles.iter().map(RoleSubject::longest_reflection).sum();
        let attempts = usize::try_from(sizes.head().conduct.attempts.count()).unwrap_or(1);
        let keep = sizes.head().layout.keep;
        let steps = (0..=most).map(|past| {
            let of_most =
                |unreadable| sizes.size(past, unreadable, (reply.highest, said), unseen, keep.at_most());
            let tries = (0..attempts).map(of_most);
            let usual = (usual_reply(reply), USUAL_ANSWER.min(said));
            StepSizes {
                lowest: sizes.size(past, 0, (reply.lowest, 0), 1, keep),
                expected: sizes.size(past, 0, usual, unseen, keep.at_most()),
                highest: tries.fold(RequestSize::default(), RequestSize::plus),
            }
        });
        let steps = steps.collect();
        Self { sizes, options, prices, steps, limits, reply, roles, asks }
    }

    fn head(&self) -> &Head {
        self.sizes.head()
    }

    fn estimate(&self, cell: &PlannedCell, optima: &Optima) -> CellEstimate {
        let repeats = u64::from(cell.repeats);
        let mut sum = Needs::default();
        let mut usage = Usage::default();
        let mut roles: Vec<RoleEstimate> = self.roles.iter().map(|role| role.start(&self.prices)).collect();
        for ((level, limit), asks) in cell.levels.iter().zip(&self.limits).zip(&self.asks) {
            let steps = step_bounds(self.head().setting, optima.steps(level, &self.options), *limit);
            let lowest = self.requests(steps.lowest, |sizes| sizes.lowest);
            let highest = self.requests(steps.highest, |sizes| sizes.highest).times(self.continuations());
            let expected = steps.lowest.midpoint(steps.highest);
            usage = usage.plus(Usage {
                input: self.requests(expected, |sizes| sizes.expected).tokens.saturating_mul(repeats),
                output: expected.saturating_mul(usual_reply(self.reply)).saturating_mul(repeats),
                ..Usage::default()
            });
            let course = self.course(steps, *limit, *asks);
            for (role, sum) in self.roles.iter().zip(&mut roles) {
                role.add(sum, &course, repeats, &self.prices);
            }
            let calls = Bounds { lowest: steps.lowest, highest: steps.highest.saturating_mul(self.tries()) };
            sum.calls = sum.calls.plus(calls.times(repeats));
            let images = Bounds { lowest: lowest.images, highest: highest.images };
            sum.images = sum.images.plus(images.times(repeats));
            let input = Bounds { lowest: lowest.tokens, highest: highest.tokens };
            sum.input = sum.input.plus(input.times(repeats));
        }
        sum.output = Bounds {
            lowest: sum.calls.lowest.saturating_mul(self.reply.lowest),
            highest: sum.calls.highest.saturating_mul(self.reply.highest),
        };
        let model = self.head().model().unwrap_or_default();
        sum.cost = CostBounds::of(model, &self.prices, (sum.input, sum.output));
        CellEstimate { needs: sum, expected: usage, price: self.prices.find(model).cloned(), roles }
    }

    /// How an episode goes in which the agent is asked at so many steps.
    fn course(&self, decisions: Bounds, limit: u32, asks: bool) -> Course {
        let expected = |bounds: Bounds| (bounds, bounds.lowest.midpoint(bounds.highest));
        Course {
            decisions: expected(decisions),
            steps: expected(steps_of(decisions, self.head().setting, limit)),
            reply: (self.reply, usual_reply(self.reply)),
            asks,
        }
    }

    /// The largest number of requests of a step. A reply with an open code block is continued by one more.
    fn tries(&self) -> u64 {
        u64::from(self.head().conduct.attempts.count()) * self.continuations()
    }

    /// The requests of an attempt.
    fn continuations(&self) -> u64 {
        let head = self.head();
        1 + u64::from(head.conduct.continue_replies && head.setting == Setting::Online)
    }

    /// The requests of an episode with so many steps.
    fn requests(&self, steps: u64, pick: fn(&StepSizes) -> RequestSize) -> RequestSize {
        let sizes: Vec<RequestSize> = self.steps.iter().map(pick).collect();
        let window = remembered(self.head());
        let mut sum = RequestSize::default();
        let mut present = RequestSize::default();
        let mut growth = RequestSize::default();
        for step in 0..steps.min(window.saturating_add(1)) {
            match usize::try_from(step).ok().and_then(|step| sizes.get(step)) {
                Some(size) => {
                    growth = size.minus(present);
                    present = *size;
                }
                None => present = present.plus(growth),
            }
            sum = sum.plus(present);
        }
        let rest = steps.saturating_sub(window.saturating_add(1));
        sum.plus(present.times(rest))
    }
}

/// The past steps with which a request stops growing: AM, or all steps if older frames are kept.
fn remembered(head: &Head) -> u64 {
    if head.layout.keep.keeps_frames() { u64::MAX } else { head.window.am().into() }
}

/// The number of images that is assumed of a state that is not observed.
fn unseen_images(head: &Head) -> usize {
    Some(usize::from(head.layout.plan_images)).filter(|most| *most > 0).unwrap_or(UNSEEN_IMAGES)
}

/// The usual number of tokens of a reply within these.
fn usual_reply(reply: Bounds) -> u64 {
    USUAL_REPLY.min(reply.highest).max(reply.lowest)
}

/// The largest number of tokens of a reply.
fn longest_reply(head: &Head) -> u64 {
    head.agent.options.get("max_tokens").and_then(Value::as_u64).unwrap_or(UNLIMITED_REPLY)
}

impl RequestSize {
    fn plus(self, other: Self) -> Self {
        let (tokens, images) =
            (self.tokens.saturating_add(other.tokens), self.images.saturating_add(other.images));
        Self { tokens, images }
    }

    fn minus(self, other: Self) -> Self {
        let (tokens, images) =
            (self.tokens.saturating_sub(other.tokens), self.images.saturating_sub(other.images));
        Self { tokens, images }
    }

    fn times(self, count: u64) -> Self {
        Self { tokens: self.tokens.saturating_mul(count), images: self.images.saturating_mul(count) }
    }
}

/// The steps at which the agent is asked, with this step limit.
fn step_bounds(setting: Setting, optimum: Option<u32>, limit: u32) -> Bounds {
    let most = if setting == Setting::Global { limit.min(1) } else { limit };
    Bounds { lowest: optimum.unwrap_or(1).max(1).min(most).into(), highest: most.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_asked_at_as_many_steps_as_it_allows() {
        let bounds = |setting, optimum, limit| {
            let Bounds { lowest, highest } = step_bounds(setting, optimum, limit);
            (lowest, highest)
        };
        assert_eq!(bounds(Setting::Online, Some(7), 50), (7, 50));
        assert_eq!(bounds(Setting::Online, Some(7), 3), (3, 3));
        assert_eq!(bounds(Setting::Online, None, 3), (1, 3));
        assert_eq!(bounds(Setting::Online, None, 0), (0, 0));
        assert_eq!(bounds(Setting::Global, Some(7), 50), (1, 1));
        assert_eq!(bounds(Setting::Global, Some(7), 0), (0, 0));
    }
}
