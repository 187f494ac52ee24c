//! How far the goal is from each state of an episode, and what a step wasted of the best path.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::fmt;

use serde::Serialize;

use crate::domain::SearchFailure;

/// What is known of the way from a state to the goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Distance {
    /// So many actions at the least, proven.
    Exact(u32),
    /// The goal can no longer be reached, proven.
    Unreachable,
    /// A limit came before the proof; why, in words.
    Unknown(String),
}

impl Distance {
    /// What the answer of a search says; nothing when it was stopped.
    pub fn from_search(answer: Result<u32, SearchFailure>) -> Option<Self> {
        match answer {
            Ok(actions) => Some(Self::Exact(actions)),
            Err(SearchFailure::Unsolvable { .. }) => Some(Self::Unreachable),
            Err(SearchFailure::Cancelled { .. }) => None,
            Err(error @ SearchFailure::GaveUp { .. }) => Some(Self::Unknown(error.to_string())),
        }
    }
}

impl fmt::Display for Distance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact(actions) => write!(f, "{actions} to go"),
            Self::Unreachable => f.write_str("lost"),
            Self::Unknown(_) => f.write_str("unknown"),
        }
    }
}

/// A step after which the goal is further away than the best action would have left it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Detour {
    /// The number of the step, from 1.
    pub step: u32,
    /// How many actions the goal was away before it.
    pub before: u32,
    /// How many it is away after it; `None` when the step lost the level.
    pub after: Option<u32>,
}

impl Detour {
    /// How many actions it cost beyond the best; `None` when it lost the level.
    pub fn extra_moves(&self) -> Option<u32> {
        self.after.map(|after| (after + 1).saturating_sub(self.before))
    }

    /// The same in words: `2 moves off the best path`, or `lost the level`.
    pub fn describe(&self) -> String {
        match self.extra_moves() {
            None => "lost the level".to_owned(),
            Some(1) => "1 move off the best path".to_owned(),
            Some(moves) => format!("{moves} moves off the best path"),
        }
    }
}

impl fmt::Display for Detour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { step, before, after } = self;
        match after {
            Some(after) if after == before => {
                write!(f, "step {step} left the best path (still {after} to go)")
            }
            Some(after) => write!(f, "step {step} left the best path ({before} to go became {after})"),
            None => write!(f, "step {step} lost the level ({before} to go before it)"),
        }
    }
}

/// What became of the best path at a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathVerdict {
    /// The step kept to it, or there was none any more.
    OnPath,
    /// The step left it.
    OffPath(Detour),
    /// Nobody knows: a limit came first, or there is no solver.
    Unknown,
}

/// The distances of an episode's states, in the order of its steps, as far as they are known by now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Distances {
    found: Vec<Option<Distance>>,
    searched: bool,
}

impl Distances {
    /// Distances in the order of the steps. What is lost stays lost. `searched` says whether those that are
    /// not known yet are being searched.
    pub fn new(mut found: Vec<Option<Distance>>, searched: bool) -> Self {
        if let Some(first) = found.iter().position(|found| *found == Some(Distance::Unreachable)) {
            found[first..].fill(Some(Distance::Unreachable));
        }
        Self { found, searched }
    }

    /// Whether nothing is known and nobody searches.
    pub fn is_empty(&self) -> bool {
        !self.searched && self.found.iter().all(Option::is_none)
    }

    /// The distance of the state that the step at this index shows.
    pub fn at(&self, index: usize) -> Option<&Distance> {
        self.found.get(index)?.as_ref()
    }

    /// Whether that distance is being searched.
    pub fn is_pending(&self, index: usize) -> bool {
        self.searched && self.at(index).is_none()
    }

    /// How many actions the step at this index cost beyond the best; `None` while that is not known, and for
    /// a step that lost the level or came after that.
    pub fn extra_moves(&self, index: usize) -> Option<u32> {
        match (self.at(index)?, self.at(index + 1)?) {
            (Distance::Exact(before), Distance::Exact(after)) => Some((after + 1).saturating_sub(*before)),
            _ => None,
        }
    }

    /// What the step at this index did, if it left the best path.
    pub fn detour(&self, index: usize) -> Option<Detour> {
        let Some(Distance::Exact(before)) = self.at(index) else { return None };
        let after = match self.at(index + 1)? {
            Distance::Exact(after) if after + 1 > *before => Some(*after),
            Distance::Unreachable => None,
            _ => return None,
        };
        Some(Detour { step: u32::try_from(index + 1).unwrap_or(u32::MAX), before: *before, after })
    }

    /// Whether the step at this index left the best path; nothing while that is being searched.
    pub fn path_verdict(&self, index: usize) -> Option<PathVerdict> {
        match self.detour(index) {
            Some(off) => return Some(PathVerdict::OffPath(off)),
            None if self.is_pending(index) || self.is_pending(index + 1) => return None,
            None => {}
        }
        let lost = self.at(index) == Some(&Distance::Unreachable);
        Some(if lost || self.extra_moves(index).is_some() {
            PathVerdict::OnPath
        } else {
            PathVerdict::Unknown
        })
    }

    /// Every step that is known to have left the best path, in order.
    pub fn detours(&self) -> Vec<Detour> {
        (0..self.found.len()).filter_map(|index| self.detour(index)).collect()
    }

    /// The index of the first state from which the goal is out of reach, as soon as the one before it will say
    /// nothing to the contrary.
    pub fn first_unreachable(&self) -> Option<usize> {
        let first = self.found.iter().position(|found| *found == Some(Distance::Unreachable))?;
        (first == 0 || self.at(first - 1).is_some()).then_some(first)
    }

    /// The step that lost the level, 0 for one that was beyond solving from the start; `None` where that is
    /// not known.
    pub fn dead_step(&self) -> Option<u32> {
        let first = self.first_unreachable()?;
        let told = first == 0 || matches!(self.at(first - 1), Some(Distance::Exact(_)));
        told.then(|| u32::try_from(first).unwrap_or(u32::MAX))
    }

    /// What so many steps wasted together: how far the way over the state after them is longer than the best
    /// one. Both ends must be known, and the states between them need not.
    pub fn total_extra_moves(&self, steps: usize) -> Option<u32> {
        match (self.at(0)?, self.at(steps)?) {
            (Distance::Exact(best), Distance::Exact(left)) => {
                let whole = u32::try_from(steps).ok()?.checked_add(*left)?;
                Some(whole.saturating_sub(*best))
            }
            _ => None,
        }
    }

    /// Of how many steps that are done it is not known whether they left the best path: those still searched,
    /// and those of which a limit came first.
    pub fn unjudged(&self) -> (usize, usize) {
        let paths = || (0..self.found.len().saturating_sub(1)).map(|index| self.path_verdict(index));
        let awaited = paths().filter(Option::is_none).count();
        (awaited, paths().filter(|path| *path == Some(PathVerdict::Unknown)).count())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(found: &[Option<u32>]) -> Distances {
        Distances::new(found.iter().map(|found| found.map(Distance::Exact)).collect(), true)
    }

    #[test]
    fn a_step_wastes_what_it_costs_beyond_the_best() {
        let distances = of(&[Some(2), Some(3), Some(3), Some(2), Some(1)]);
        assert_eq!(
            (0..5).map(|index| distances.extra_moves(index)).collect::<Vec<_>>(),
            [Some(2), Some(1), Some(0), Some(0), None]
        );
        assert_eq!((distances.total_extra_moves(4), distances.total_extra_moves(5)), (Some(3), None));
        assert_eq!(distances.detour(0).unwrap().to_string(), "step 1 left the best path (2 to go became 3)");
        assert_eq!((distances.detour(2), distances.detour(9)), (None, None));
        let words: Vec<_> = distances.detours().iter().map(Detour::describe).collect();
        assert_eq!(words, ["2 moves off the best path", "1 move off the best path"]);
    }

    #[test]
    fn what_is_not_known_judges_nothing() {
        let distances = of(&[Some(2), None, Some(3)]);
        assert_eq!(
            (distances.detour(0), distances.detour(1), distances.total_extra_moves(1)),
            (None, None, None)
        );
        assert_eq!(distances.total_extra_moves(2), Some(3), "both ends tell it");
        assert!(distances.is_pending(1) && !distances.is_pending(0));
        assert_eq!((distances.unjudged(), of(&[Some(2), Some(3)]).unjudged()), ((2, 0), (0, 0)));
        let gave_up = vec![Some(Distance::Exact(2)), Some(Distance::Unknown(String::new()))];
        assert_eq!(Distances::new(gave_up, true).unjudged(), (0, 1));
        assert!(Distances::default().is_empty() && !distances.is_empty());
    }

    #[test]
    fn a_level_is_lost_once() {
        let lost = vec![
            Some(Distance::Exact(4)),
            Some(Distance::Unreachable),
            None,
            Some(Distance::Unknown(String::new())),
        ];
        let distances = Distances::new(lost, false);
        assert_eq!((distances.dead_step(), distances.at(3)), (Some(1), Some(&Distance::Unreachable)));
        assert_eq!(distances.detour(0).unwrap().to_string(), "step 1 lost the level (4 to go before it)");
        assert_eq!(distances.detour(1), None);
        let early = |before| Distances::new(vec![before, Some(Distance::Unreachable)], true);
        assert_eq!(
            (early(None).dead_step(), early(None).first_unreachable()),
            (None, None),
            "it may have been lost before"
        );
        let unknown = early(Some(Distance::Unknown(String::new())));
        assert_eq!((unknown.dead_step(), unknown.first_unreachable()), (None, Some(1)), "by an unknown step");
    }
}
