//! What side requests need, by role. A module is asked before each decision after the first, and its request has what was done so
//! far. A judge is asked at most once at a step and once for the verdict; how often is not known before, so the lowest is never,
//! and one at each step is expected.

use serde_json::Value;

use super::request::{RequestSize, RequestSizes};
use mageyard_config::{Config, Problem};
use mageyard_dialog::SidePrompt;
use mageyard_domain::{Price, Prices, Setting, SideRole, Usage};
use mageyard_engine::{Head, RecordedRole, RecordedRoles};
use mageyard_lab::{
    Bounds, CostBounds, Lab, Needs, SelectedLevel, UNLIMITED_REPLY, new_head, side_request_encoder,
};

/// The usual length of an answer in tokens, if its limit is not shorter.
pub const USUAL_ANSWER: u64 = 80;

/// The shortest answer in tokens.
const SHORTEST_ANSWER: u64 = 5;

/// The tokens that a step has in the request of a module, beside its reply and what the module said.
const LINE_OF_STEP: u64 = 15;

/// What the side requests of a role need.
#[derive(Clone, Debug)]
pub struct RoleEstimate {
    /// The role.
    pub role: SideRole,
    /// Its requests.
    pub needs: Needs,
    /// The tokens that are expected: of requests, and of answers.
    pub expected: Usage,
    /// The price of its model, if it is known.
    pub price: Option<Price>,
}

/// The side requests of a role in a cell.
pub(super) struct RoleSubject {
    role: SideRole,
    model: String,
    /// The request without what was done so far.
    base: RequestSize,
    /// The longest answer in tokens.
    longest: u64,
    tries: u64,
}

/// How an episode goes: what side requests depend on.
pub(super) struct Course {
    /// The steps at which the agent is asked, and how many are expected.
    pub(super) decisions: (Bounds, u64),
    /// The steps of the environment, and how many are expected.
    pub(super) steps: (Bounds, u64),
    /// The tokens of a reply of the agent, and how many are expected.
    pub(super) reply: (Bounds, u64),
    /// Whether the level asks.
    pub(super) asks: bool,
}

/// Whether the environment asks in episodes of this level.
pub(super) fn asks(config: &Config, level: &SelectedLevel) -> bool {
    let options = config.settings().options(level.spec.name());
    level.spec.capabilities().questions.is_some_and(|questions| questions.asks(&level.level, &options))
}

/// The roles of the episodes of these levels.
pub(super) fn role_subjects(
    lab: &Lab,
    config: &Config,
    levels: &[SelectedLevel],
    sizes: &RequestSizes,
    unseen: usize,
) -> Result<Vec<RoleSubject>, Problem> {
    let head = match levels.iter().find(|level| asks(config, level)) {
        Some(level) => new_head(lab, config, level, config.settings().play.seed)?,
        None => sizes.head().clone(),
    };
    let subject = |(role, recorded): (&SideRole, &RecordedRole)| {
        role_subject(lab, &head, (*role, recorded), sizes, unseen)
    };
    let roles: &RecordedRoles = &head.roles;
    Ok(roles.iter().filter_map(subject).collect())
}

fn role_subject(
    lab: &Lab,
    head: &Head,
    (role, recorded): (SideRole, &RecordedRole),
    sizes: &RequestSizes,
    unseen: usize,
) -> Option<RoleSubject> {
    let encoder = side_request_encoder(lab, head, role)?;
    let prompt = SidePrompt::parse(role, &recorded.prompt).ok()?;
    let base = sizes.side_size(role, &prompt, encoder.as_ref(), unseen);
    let longest = recorded.agent.options.get("max_tokens").and_then(Value::as_u64);
    let model = recorded.agent.model.clone().unwrap_or_default();
    let tries = recorded.tries.into();
    Some(RoleSubject { role, model, base, longest: longest.unwrap_or(UNLIMITED_REPLY), tries })
}

impl RoleSubject {
    /// The most that an answer adds to later requests; 0 if it adds nothing.
    pub(super) fn longest_reflection(&self) -> u64 {
        if self.role.is_module() { self.longest } else { 0 }
    }

    /// An estimate to which episodes are added.
    pub(super) fn start(&self, prices: &Prices) -> RoleEstimate {
        let price = prices.find(&self.model).cloned();
        RoleEstimate { role: self.role, needs: Needs::default(), expected: Usage::default(), price }
    }

    /// Adds so many repeats of an episode.
    pub(super) fn add(&self, sum: &mut RoleEstimate, course: &Course, repeats: u64, prices: &Prices) {
        let (calls, expected) = self.calls(course);
        let (reply, usual_reply) = course.reply;
        let usual = USUAL_ANSWER.min(self.longest);
        let lowest = self.requests(calls.lowest, reply.lowest);
        let highest =
            self.requests(calls.highest, reply.highest.saturating_add(self.longest)).times(self.tries);
        let calls = Bounds { highest: calls.highest.saturating_mul(self.tries), ..calls };
        let needs = &mut sum.needs;
        needs.calls = needs.calls.plus(calls.times(repeats));
        let images = Bounds { lowest: lowest.images, highest: highest.images };
        needs.images = needs.images.plus(images.times(repeats));
        let input = Bounds { lowest: lowest.tokens, highest: highest.tokens };
        needs.input = needs.input.plus(input.times(repeats));
        needs.output = Bounds {
            lowest: needs.calls.lowest.saturating_mul(SHORTEST_ANSWER),
            highest: needs.calls.highest.saturating_mul(self.longest),
        };
        needs.cost = CostBounds::of(&self.model, prices, (needs.input, needs.output));
        let input = self.requests(expected, usual_reply.saturating_add(usual)).tokens;
        sum.expected = sum.expected.plus(Usage {
            input: input.saturating_mul(repeats),
            output: expected.saturating_mul(usual).saturating_mul(repeats),
            ..Usage::default()
        });
    }

    /// How often the role is asked in an episode, and how often that is expected.
    fn calls(&self, course: &Course) -> (Bounds, u64) {
        if self.role.is_module() {
            let (decisions, expected) = course.decisions;
            let before = |steps: u64| steps.saturating_sub(1);
            let calls = Bounds { lowest: before(decisions.lowest), highest: before(decisions.highest) };
            return (calls, before(expected));
        }
        let (steps, expected) = course.steps;
        let highest = if course.asks { steps.highest.saturating_add(1) } else { 0 };
        (Bounds { lowest: 0, highest }, expected.min(highest))
    }

    /// The requests of so many calls, if each step that was done has so many tokens of text.
    fn requests(&self, calls: u64, of_step: u64) -> RequestSize {
        let bases = self.base.times(calls);
        if !self.role.is_module() {
            return bases;
        }
        let steps_before = calls.saturating_mul(calls.saturating_add(1)) / 2;
        let done = steps_before.saturating_mul(of_step.saturating_add(LINE_OF_STEP));
        bases.plus(RequestSize { tokens: done, images: 0 })
    }
}

/// The steps of an environment in an episode, whatever the setting.
pub(super) fn steps_of(decisions: Bounds, setting: Setting, limit: u32) -> Bounds {
    let highest = if setting == Setting::Global { limit.into() } else { decisions.highest };
    Bounds { highest, ..decisions }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subject(role: SideRole) -> RoleSubject {
        let base = RequestSize { tokens: 100, images: 1 };
        RoleSubject { role, model: "m".to_owned(), base, longest: 50, tries: 3 }
    }

    fn estimate(role: SideRole, asks: bool) -> RoleEstimate {
        let subject = subject(role);
        let prices = Prices::default();
        let bounds = Bounds { lowest: 1, highest: 4 };
        let reply = (Bounds { lowest: 10, highest: 40 }, 20);
        let course = Course { decisions: (bounds, 3), steps: (bounds, 3), reply, asks };
        let mut sum = subject.start(&prices);
        subject.add(&mut sum, &course, 2, &prices);
        sum
    }

    #[test]
    fn a_module_is_asked_before_each_decision_after_the_first() {
        let RoleEstimate { needs, expected, .. } = estimate(SideRole::Reward, false);
        assert_eq!((needs.calls.lowest, needs.calls.highest), (0, 2 * 3 * 3));
        // 3 requests of 100, with 1, 2 and 3 steps of 15 + 40 + 50, three tries, two repeats.
        assert_eq!((needs.input.lowest, needs.input.highest), (0, 2 * 3 * (300 + 6 * 105)));
        assert_eq!(needs.output.highest, 18 * 50);
        // 2 requests, with 1 and 2 steps of 15 + 20 + 50.
        assert_eq!((expected.input, expected.output), (2 * (200 + 3 * 85), 2 * 2 * 50));
    }

    #[test]
    fn a_judge_may_be_asked_at_each_step_and_for_the_verdict() {
        let RoleEstimate { needs, expected, .. } = estimate(SideRole::Judge, true);
        assert_eq!((needs.calls.lowest, needs.calls.highest), (0, 2 * 3 * 5));
        assert_eq!((needs.input.highest, expected.input), (2 * 3 * 500, 2 * 300));
        let RoleEstimate { needs, expected, .. } = estimate(SideRole::Judge, false);
        assert_eq!((needs.calls.highest, expected.input), (0, 0), "this level does not ask");
    }
}
