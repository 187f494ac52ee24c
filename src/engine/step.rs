//! A step: one decision and its effect.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::sync::{Arc, OnceLock};

use thin_vec::ThinVec;

use super::attempt::Attempt;
use super::head::Head;
use super::persistent_list::PersistentList;
use super::recorded_agent::RecordedAgent;
use super::side::{RoleTotals, SideExchange, TotalsByRole};
use mageyard_domain::{
    ActProblem, Action, ActionSpace, Cost, Digest, ModelTotals, Observation, Prices, Returns, SideRole,
    StoredStep, TokenTotals, Window,
};

/// The effect of an action.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// The reward of this step.
    pub reward: f64,
    /// Why the action was refused or failed, and the environment's remark; `None` if there is neither.
    pub note: Option<String>,
    /// Why the action was refused or failed, if it was.
    pub problem: Option<ActProblem>,
    /// Whether the state is the same as before; `false` if the action was interrupted.
    pub unchanged: bool,
    /// Whether the action did not finish, or was dropped because the environment had changed by itself.
    pub interrupted: bool,
    /// Whether a person refused the action, so that it was not carried out.
    pub withheld: bool,
}

/// One step. The last step of an episode is the current one, or, after the end, one that only shows the final
/// observation.
#[derive(Clone, Debug)]
pub struct Step {
    /// From 1.
    pub number: u32,
    /// What the agent was shown.
    pub observation: Observation,
    /// Which state it was shown.
    pub state: Digest,
    /// The allowed actions.
    pub space: ActionSpace,
    /// The memory window of its request.
    pub window: Window,
    /// Who decides it, or has decided it.
    pub agent: Arc<RecordedAgent>,
    /// The hint of its request, if there is one.
    pub hint: Option<Arc<str>>,
    /// The text of the state that a person has set at its start, if one has.
    pub state_set: Option<Arc<str>>,
    /// Whether a person has replaced the frame that the agent is shown.
    pub frame_set: bool,
    /// The side requests of its decision and of its outcome, in order; those of a verdict are at the last step.
    pub side: ThinVec<SideExchange>,
    /// What a module said of its state, which its request has.
    pub reflection: Option<Arc<str>>,
    /// Its replies, in order.
    pub attempts: Vec<Attempt>,
    /// The accepted action, or the next one of the plan.
    pub action: Option<Action>,
    /// Whether the repetition limit refused the action: it was not carried out, and the episode is over.
    pub over_limit: bool,
    /// Whether a person edited the action, or the plan that it belongs to.
    pub edited: bool,
    /// The effect of the action.
    pub effect: Option<Effect>,
    /// Whether the step ended without an action.
    pub skipped: bool,
    /// The sums after this step, or before its effect those so far.
    pub returns: Returns,
    /// Whether the goal is out of reach from here, cached.
    pub dead_state: DeadStateCache,
}

/// The steps of an episode, oldest first. Cheap to clone.
pub type Steps = PersistentList<Arc<Step>>;

/// Why the goal is out of reach from a state, if it is: computed on first use.
#[derive(Clone, Debug, Default)]
pub struct DeadStateCache(OnceLock<Option<Arc<str>>>);

impl PersistentList<Arc<Step>> {
    /// The step with this number, from 1.
    pub fn numbered(&self, number: u32) -> Option<&Arc<Step>> {
        self.get(usize::try_from(number).ok()?.checked_sub(1)?)
    }
}

impl Step {
    /// The step as it is stored, for a verdict.
    pub fn stored(&self) -> StoredStep {
        StoredStep {
            observation: self.observation.clone(),
            action: self.action.clone(),
            problem: self.problem().cloned(),
            reward: self.effect.as_ref().map_or(0.0, |effect| effect.reward),
        }
    }

    /// A step that shows this observation and has no decision yet.
    pub(super) fn new(
        number: u32,
        observation: Observation,
        space: ActionSpace,
        window: Window,
        agent: Arc<RecordedAgent>,
    ) -> Self {
        Self {
            number,
            state: observation.state(),
            observation,
            space,
            window,
            agent,
            hint: None,
            state_set: None,
            frame_set: false,
            side: ThinVec::new(),
            reflection: None,
            attempts: Vec::new(),
            action: None,
            over_limit: false,
            edited: false,
            effect: None,
            skipped: false,
            returns: Returns::default(),
            dead_state: DeadStateCache::default(),
        }
    }

    /// Whether the step is finished.
    pub fn is_done(&self) -> bool {
        self.effect.is_some() || self.skipped
    }

    /// Whether a person changed or picked its reply, its action, its state or its frame, or had the agent asked again.
    pub fn is_edited(&self) -> bool {
        let replies = self
            .attempts
            .iter()
            .any(|attempt| attempt.is_edited() || attempt.replaced || attempt.picked_from.is_some());
        self.edited || self.frame_set || self.state_set.is_some() || replies
    }

    /// The tokens of its requests, side requests included.
    pub fn spent(&self) -> TokenTotals {
        self.spent_on_attempts().plus(self.side.iter().map(SideExchange::spent).sum())
    }

    /// The tokens of the requests for its decision.
    pub fn spent_on_attempts(&self) -> TokenTotals {
        self.attempts.iter().map(Attempt::spent).sum()
    }

    /// What its side requests came to, by role.
    pub fn roles(&self, head: &Head) -> TotalsByRole {
        let mut roles = TotalsByRole::new();
        for exchange in &self.side {
            RoleTotals::add_to(&mut roles, exchange, head);
        }
        roles
    }

    /// The tokens of its side requests of this role.
    pub fn spent_on(&self, role: SideRole) -> TokenTotals {
        let side = self.side.iter().filter(|exchange| exchange.role() == role);
        side.map(SideExchange::spent).sum()
    }

    /// What its requests cost, side requests included, each at the price of its model.
    pub fn cost(&self, head: &Head, prices: &Prices) -> Cost {
        let decision = ModelTotals { model: self.agent.model.clone(), spent: self.spent_on_attempts() };
        let side = self.side.iter().map(|exchange| ModelTotals {
            model: head.model_of(exchange.role()).map(str::to_owned),
            spent: exchange.spent(),
        });
        prices.cost_of_models(&std::iter::once(decision).chain(side).collect::<Vec<_>>())
    }

    /// The reply that the agent is asked to continue.
    pub fn continued_reply(&self) -> Option<&Attempt> {
        self.last_reply().filter(|attempt| attempt.continued)
    }

    /// How many replies could not be read.
    pub fn parse_errors(&self) -> usize {
        self.attempts.iter().filter(|attempt| attempt.counts() && attempt.is_refused()).count()
    }

    /// How many list members that are not actions, or code blocks with an unknown label, were ignored in its replies.
    pub fn dropped(&self) -> usize {
        self.attempts.iter().filter(|attempt| attempt.counts()).map(Attempt::dropped).sum()
    }

    /// Whether one of its replies, before any edit, was truncated or refused, or has no known end.
    pub fn has_incomplete_reply(&self) -> bool {
        self.attempts.iter().any(|attempt| !attempt.replaced && !attempt.original().ending.is_complete())
    }

    /// Why its action was refused or failed, if it was.
    pub fn problem(&self) -> Option<&ActProblem> {
        self.effect.as_ref()?.problem.as_ref()
    }

    /// Whether its action left the state unchanged.
    pub fn is_unchanged(&self) -> bool {
        self.effect.as_ref().is_some_and(|effect| effect.unchanged)
    }

    /// Whether its action did not finish.
    pub fn is_interrupted(&self) -> bool {
        self.effect.as_ref().is_some_and(|effect| effect.interrupted)
    }

    /// The last complete attempt that counts, with a person's edit if there is one.
    pub fn last_reply(&self) -> Option<&Attempt> {
        self.attempts.iter().rev().find(|attempt| attempt.counts())
    }

    /// The text of the last complete reply, which a later request can carry.
    pub fn output(&self) -> Option<&Arc<str>> {
        self.last_reply().map(|attempt| &attempt.reply)
    }

    /// Whether it has a reply that a later request can carry.
    pub fn has_output(&self) -> bool {
        self.output().is_some()
    }

    /// Why the goal is out of reach at this step, as a sentence. `proof` is called once, and its result is cached.
    pub fn dead_state_reason(&self, proof: &dyn Fn(&Observation) -> Option<String>) -> Option<&str> {
        self.dead_state.0.get_or_init(|| proof(&self.observation.for_one_use()).map(Arc::from)).as_deref()
    }
}
