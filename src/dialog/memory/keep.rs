//! Keep rules: which older observations stay in a request beside the last OM ones.

use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

use super::rules::LedgerStep;

/// Why an older observation stays in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeepRule {
    /// It is the first one.
    First,
    /// It is one of every so many.
    Every,
    /// Its state had not been seen before.
    New,
    /// The action that led to it had a reward above 0.
    Reward,
    /// Its text stays, without its pictures.
    Text,
}

impl KeepRule {
    /// Its name in the setting and in the ledger.
    pub fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Every => "every",
            Self::New => "new",
            Self::Reward => "reward",
            Self::Text => "text",
        }
    }
}

/// The keep rules of a memory window. Written as `first, every 5, new, reward, text, most 8`, in any order and each once; empty
/// for none.
///
/// An observation of the last AM steps stays in its turn. An older one is in the first turn of the user, with its step. Outputs
/// are those of AM alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Keep {
    /// The first observation stays.
    pub first: bool,
    /// The observations of steps 1, 1 + n, 1 + 2 n and so on stay; 0 for none.
    pub every: u16,
    /// Observations of states that had not been seen before stay.
    pub new: bool,
    /// Observations after an action with a reward above 0 stay. The agent is not shown rewards; what it is shown depends on them.
    pub reward: bool,
    /// Of the last AM + 1 observations the texts stay.
    pub text: bool,
    /// Most observations that stay by rules, those by `text` not counted; 0 for no limit. The first one comes first if `first`
    /// keeps it, then the newest.
    pub most: u16,
}

impl Keep {
    /// Whether there are no rules.
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether whole observations stay, also such as are older than AM.
    pub fn keeps_frames(self) -> bool {
        self.first || self.every > 0 || self.new || self.reward
    }

    /// Rules that keep all that these can keep, whatever the states and the rewards are.
    #[must_use]
    pub fn at_most(self) -> Self {
        let every = if self.new || self.reward { 1 } else { self.every };
        Self { every, new: false, reward: false, ..self }
    }

    /// The observations that stay, by their index among all `steps` of an episode so far, oldest first. Only the ones before
    /// `until` can.
    pub(super) fn kept(self, steps: &[LedgerStep<'_>], until: usize) -> Vec<(usize, KeepRule)> {
        if !self.keeps_frames() {
            return Vec::new();
        }
        let mut seen = HashSet::new();
        let rule = |(index, step): (usize, &LedgerStep<'_>)| {
            let is_new = self.new && seen.insert(step.observation.state());
            Some((index, self.rule(step, is_new)?))
        };
        let mut kept: Vec<_> = steps.iter().take(until).enumerate().filter_map(rule).collect();
        let over = kept.len().saturating_sub(usize::from(if self.most == 0 { u16::MAX } else { self.most }));
        let begins = usize::from(kept.first().is_some_and(|(_, rule)| *rule == KeepRule::First));
        kept.drain(begins.min(kept.len() - over)..begins.min(kept.len() - over) + over);
        kept
    }

    fn rule(self, step: &LedgerStep<'_>, is_new: bool) -> Option<KeepRule> {
        let every = u32::from(self.every);
        if self.first && step.number == 1 {
            Some(KeepRule::First)
        } else if every > 0 && (step.number - 1).is_multiple_of(every) {
            Some(KeepRule::Every)
        } else if is_new {
            Some(KeepRule::New)
        } else {
            (self.reward && step.rewarded).then_some(KeepRule::Reward)
        }
    }
}

/// Why a text is not that of keep rules.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum KeepError {
    /// A word is unknown.
    #[error("{0:?} is not a keep rule: first, every N, new, reward and text are, and most N")]
    Unknown(String),
    /// A number is missing or out of range.
    #[error("{0} needs a number from 1 to 1000, such as `{0} 5`")]
    Number(&'static str),
    /// A rule is given twice.
    #[error("{0} is given twice")]
    Twice(&'static str),
    /// A limit of nothing.
    #[error("most N limits what first, every, new or reward keep, and none of these is given")]
    Nothing,
}

impl FromStr for Keep {
    type Err = KeepError;

    fn from_str(text: &str) -> Result<Self, KeepError> {
        let mut keep = Self::default();
        for written in text.split(',').map(str::trim).filter(|written| !written.is_empty()) {
            keep.add(written)?;
        }
        if keep.most > 0 && !keep.keeps_frames() {
            return Err(KeepError::Nothing);
        }
        Ok(keep)
    }
}

impl Keep {
    fn add(&mut self, written: &str) -> Result<(), KeepError> {
        let (name, number) = written.split_once(char::is_whitespace).unwrap_or((written, ""));
        let switch = |rule: &mut bool, name| match (number, std::mem::replace(rule, true)) {
            ("", false) => Ok(()),
            ("", true) => Err(KeepError::Twice(name)),
            _ => Err(KeepError::Unknown(written.to_owned())),
        };
        let count = |rule: &mut u16, name| {
            let number = number.trim().parse().ok().filter(|number| (1..=1000).contains(number));
            match (number, *rule) {
                (None, _) => Err(KeepError::Number(name)),
                (Some(_), 1..) => Err(KeepError::Twice(name)),
                (Some(number), 0) => {
                    *rule = number;
                    Ok(())
                }
            }
        };
        match name {
            "first" => switch(&mut self.first, "first"),
            "every" => count(&mut self.every, "every"),
            "new" => switch(&mut self.new, "new"),
            "reward" => switch(&mut self.reward, "reward"),
            "text" => switch(&mut self.text, "text"),
            "most" => count(&mut self.most, "most"),
            _ => Err(KeepError::Unknown(written.to_owned())),
        }
    }
}

impl fmt::Display for Keep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = |is_given: bool, name: &str| is_given.then(|| name.to_owned());
        let counted = |count: u16, name: &str| (count > 0).then(|| format!("{name} {count}"));
        let rules = [
            named(self.first, "first"),
            counted(self.every, "every"),
            named(self.new, "new"),
            named(self.reward, "reward"),
            named(self.text, "text"),
            counted(self.most, "most"),
        ];
        f.write_str(&rules.into_iter().flatten().collect::<Vec<_>>().join(", "))
    }
}

impl Serialize for Keep {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Keep {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
    }
}
