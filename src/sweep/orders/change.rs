//! The limits that can be changed while a sweep runs, and their values.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::error::OrderError;
use mageyard_domain::Amount;

/// The largest number of jobs and of requests at once, as in the settings.
const MOST_AT_ONCE: u64 = 10_000;
/// The value that stands for that of each process: of its command line and settings.
const DEFAULT: &str = "default";
/// The value for no limit.
const NONE: &str = "none";

/// The limits of one worker.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkerLimits {
    /// The number of episodes at once, from 1 to 10,000.
    pub jobs: usize,
    /// The number of requests at once to each server, from 1 to 10,000, in place of `model.max_connections`.
    pub max_connections: Option<usize>,
    /// The maximum cost of all episodes together.
    pub cost: Option<Amount>,
    /// The maximum number of tokens of all episodes together, at least 1.
    pub tokens: Option<u64>,
    /// The time after the start of the worker at which it ends, in whole seconds, at least 1.
    pub time: Option<Duration>,
}

/// A limit that can be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Limit {
    Jobs,
    Connections,
    Cost,
    Tokens,
    Time,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NewValue {
    Default,
    Unlimited,
    Number(u64),
    Amount(Amount),
}

/// New values of limits, at least one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "BTreeMap<String, String>", into = "BTreeMap<String, String>")]
pub struct Changes(BTreeMap<Limit, NewValue>);

impl Limit {
    const ALL: [Self; 5] = [Self::Jobs, Self::Connections, Self::Cost, Self::Tokens, Self::Time];

    fn name(self) -> &'static str {
        match self {
            Self::Jobs => "jobs",
            Self::Connections => "max-connections",
            Self::Cost => "cost-limit",
            Self::Tokens => "max-tokens",
            Self::Time => "max-time",
        }
    }

    /// Parses a value like the flag of the same name.
    fn parse(self, text: &str) -> Result<NewValue, String> {
        if text == DEFAULT {
            return Ok(NewValue::Default);
        }
        let most = match self {
            Self::Jobs | Self::Connections => MOST_AT_ONCE,
            _ if text == NONE => return Ok(NewValue::Unlimited),
            Self::Cost => return Amount::parse(text).map(NewValue::Amount),
            Self::Tokens | Self::Time => u64::MAX,
        };
        let number = text.parse().ok().filter(|number| (1..=most).contains(number));
        number.map(NewValue::Number).ok_or_else(|| match most {
            u64::MAX => format!("it is a whole number from 1, {NONE} or {DEFAULT}"),
            most => format!("it is a whole number from 1 to {most}, or {DEFAULT}"),
        })
    }
}

impl fmt::Display for NewValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str(DEFAULT),
            Self::Unlimited => f.write_str(NONE),
            Self::Number(number) => number.fmt(f),
            Self::Amount(amount) => amount.fmt(f),
        }
    }
}

impl Changes {
    /// The names of the limits that can be changed.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Limit::ALL.into_iter().map(Limit::name)
    }

    /// Parses values such as `jobs=8` and `cost-limit=none`. Refused are none at all, a name twice, another name, because only limits can
    /// be changed, and a value that the flag of that name would not take.
    pub fn parse<'a>(assignments: impl IntoIterator<Item = &'a str>) -> Result<Self, OrderError> {
        let mut values = BTreeMap::new();
        for given in assignments {
            let (name, value) = given.split_once('=').ok_or_else(|| {
                OrderError::Refused(format!("{given:?} is not of the form NAME=VALUE, such as jobs=8"))
            })?;
            if values.insert(name.to_owned(), value.to_owned()).is_some() {
                return Err(OrderError::Refused(format!("{name} is given twice; give one value")));
            }
        }
        Self::try_from(values).map_err(OrderError::Refused)
    }

    /// Whether a limit of the cost is among them, which needs the prices of all models.
    pub fn limits_cost(&self) -> bool {
        matches!(self.0.get(&Limit::Cost), Some(NewValue::Amount(_)))
    }

    /// The values that give each worker its own back, such as `jobs=default`; `None` if these are such values.
    pub(super) fn undo(&self) -> Option<String> {
        let changed = self.0.iter().filter(|(_, value)| **value != NewValue::Default);
        let undone: Vec<_> = changed.map(|(limit, _)| format!("{}={DEFAULT}", limit.name())).collect();
        (!undone.is_empty()).then(|| undone.join(" "))
    }

    /// Whether one of them is in force if these limits were changed later, to which those of this one are added.
    pub(super) fn is_in_force(&self, later: &mut BTreeSet<Limit>) -> bool {
        let changed = self.0.iter().filter(|(limit, _)| later.insert(**limit));
        changed.filter(|(_, value)| **value != NewValue::Default).count() > 0
    }

    /// Whether there is a limit among them that all workers have together.
    pub(super) fn has_common(&self) -> bool {
        self.0.keys().any(|limit| matches!(limit, Limit::Cost | Limit::Tokens))
    }

    /// Changes the limits of a worker that has these at its start.
    pub fn apply(&self, at_start: &WorkerLimits, limits: &mut WorkerLimits) {
        for (limit, value) in &self.0 {
            limit.apply(*value, at_start, limits);
        }
    }
}

impl Limit {
    fn apply(self, value: NewValue, at_start: &WorkerLimits, limits: &mut WorkerLimits) {
        let number = match value {
            NewValue::Number(number) => Some(number),
            _ => None,
        };
        // Numbers are at most 10,000 here.
        let at_once = number.and_then(|number| usize::try_from(number).ok());
        let is_default = value == NewValue::Default;
        match self {
            Self::Jobs => limits.jobs = at_once.unwrap_or(at_start.jobs),
            Self::Connections => limits.max_connections = at_once.or(at_start.max_connections),
            Self::Tokens => limits.tokens = if is_default { at_start.tokens } else { number },
            Self::Time => {
                limits.time = if is_default { at_start.time } else { number.map(Duration::from_secs) }
            }
            Self::Cost => {
                limits.cost = match value {
                    NewValue::Amount(amount) => Some(amount),
                    _ if is_default => at_start.cost,
                    _ => None,
                }
            }
        }
    }
}

impl TryFrom<BTreeMap<String, String>> for Changes {
    type Error = String;

    fn try_from(values: BTreeMap<String, String>) -> Result<Self, String> {
        let names = || Self::names().collect::<Vec<_>>().join(", ");
        if values.is_empty() {
            return Err(format!("no value is given; possible are {}", names()));
        }
        let mut changes = BTreeMap::new();
        for (name, text) in values {
            let limit = Limit::ALL.into_iter().find(|limit| limit.name() == name).ok_or_else(|| {
                format!(
                    "{name:?} cannot be changed while the sweep runs: only limits can, never what is measured; possible are {}",
                    names()
                )
            })?;
            let value = limit.parse(&text).map_err(|why| format!("{name}={text}: {why}"))?;
            changes.insert(limit, value);
        }
        Ok(Self(changes))
    }
}

impl From<Changes> for BTreeMap<String, String> {
    fn from(changes: Changes) -> Self {
        changes.0.into_iter().map(|(limit, value)| (limit.name().to_owned(), value.to_string())).collect()
    }
}

impl fmt::Display for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values = self.0.iter().map(|(limit, value)| format!("{}={value}", limit.name()));
        f.write_str(&values.collect::<Vec<_>>().join(" "))
    }
}
