//! Whose requests a number of a condition is about: `tokens` are those of all, `tokens(judge)` those of a role.

use std::fmt;

use crate::head::Head;
use crate::side::SideExchange;
use crate::step::Step;
use mageyard_domain::{Cost, Prices, SideRole, TokenTotals};

/// Whose requests of a step are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asker {
    /// Those of its decision, and all side requests.
    All,
    /// Those of its decision.
    Agent,
    /// The side requests of this role.
    Role(SideRole),
}

/// The name of [`Asker::Agent`].
const AGENT: &str = "agent";

impl Asker {
    /// The asker of this name.
    pub(super) fn named(name: &str) -> Option<Self> {
        if name == AGENT { Some(Self::Agent) } else { SideRole::named(name).map(Self::Role) }
    }

    /// All names.
    pub(super) fn names() -> impl Iterator<Item = &'static str> {
        std::iter::once(AGENT).chain(SideRole::ALL.into_iter().map(SideRole::name))
    }

    /// The tokens of its requests at a step.
    pub(super) fn spent(self, step: &Step) -> TokenTotals {
        match self {
            Self::All => step.spent(),
            Self::Agent => step.spent_on_attempts(),
            Self::Role(role) => step.spent_on(role),
        }
    }

    /// What they cost.
    pub(super) fn cost(self, step: &Step, head: &Head, prices: &Prices) -> Cost {
        match self {
            Self::All => step.cost(head, prices),
            Self::Agent => prices.cost(step.agent.model.as_deref(), self.spent(step)),
            Self::Role(role) => prices.cost(head.model_of(role), self.spent(step)),
        }
    }

    /// The models that were asked.
    pub(super) fn models<'a>(self, step: &'a Step, head: &'a Head) -> impl Iterator<Item = Option<&'a str>> {
        let agent = (!matches!(self, Self::Role(_))).then_some(step.agent.model.as_deref());
        let is_counted = move |exchange: &&SideExchange| match self {
            Self::All => true,
            Self::Agent => false,
            Self::Role(role) => exchange.role() == role,
        };
        let side = step.side.iter().filter(is_counted);
        agent.into_iter().chain(side.map(|exchange| head.model_of(exchange.role())))
    }
}

impl fmt::Display for Asker {
    /// What follows the name of a number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => Ok(()),
            Self::Agent => write!(f, "({AGENT})"),
            Self::Role(role) => write!(f, "({role})"),
        }
    }
}
