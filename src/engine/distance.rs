//! Distances: the length of a shortest solution from each state of an episode, and the extra moves of each step.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::fmt;
use std::sync::Arc;

use serde::Serialize;

use super::persistent_list::PersistentList;
use mageyard_domain::SearchFailure;

/// The distance from a state to the goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Distance {
    /// The length of a shortest solution in moves, proven.
    Exact(u32),
    /// The goal can no longer be reached, proven.
    Unreachable,
    /// A limit stopped the search; the reason in words.
    Unknown(Arc<str>),
}

impl Distance {
    /// The distance that a search result gives; `None` if the search was stopped from outside.
    pub fn from_search(answer: Result<u32, SearchFailure>) -> Option<Self> {
        match answer {
            Ok(actions) => Some(Self::Exact(actions)),
            Err(SearchFailure::Unsolvable { .. }) => Some(Self::Unreachable),
            Err(SearchFailure::Cancelled { .. }) => None,
            Err(error @ SearchFailure::GaveUp { .. }) => Some(Self::Unknown(error.to_string().into())),
        }
    }
}

impl fmt::Display for Distance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact(actions) => f.write_str(&moves_left(*actions)),
            Self::Unreachable => f.write_str("unsolvable"),
            Self::Unknown(_) => f.write_str("unknown"),
        }
    }
}

/// `14 moves left`.
fn moves_left(moves: u32) -> String {
    if moves == 1 { "1 move left".to_owned() } else { format!("{moves} moves left") }
}

/// A step that left the shortest path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Detour {
    /// The number of the step, from 1.
    pub step: u32,
    /// The distance before the step.
    pub before: u32,
    /// The distance after the step; `None` if the goal is out of reach.
    pub after: Option<u32>,
}

impl Detour {
    /// The extra moves; `None` if the goal is out of reach.
    pub fn extra_moves(&self) -> Option<u32> {
        self.after.map(|after| (after + 1).saturating_sub(self.before))
    }

    /// A short description: `2 extra moves`, or `made the level unsolvable`.
    pub fn describe(&self) -> String {
        match self.extra_moves() {
            None => "made the level unsolvable".to_owned(),
            Some(1) => "1 extra move".to_owned(),
            Some(moves) => format!("{moves} extra moves"),
        }
    }
}

impl fmt::Display for Detour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { step, before, after } = self;
        match after {
            Some(after) if after == before => {
                write!(f, "step {step} left the shortest path (still {})", moves_left(*after))
            }
            Some(after) => {
                write!(f, "step {step} left the shortest path ({}, then {after})", moves_left(*before))
            }
            None => write!(f, "step {step} made the level unsolvable ({} before it)", moves_left(*before)),
        }
    }
}

/// Whether a step stayed on the shortest path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathVerdict {
    /// The step stayed on it, or the level was unsolvable already.
    OnPath,
    /// The step left it.
    OffPath(Detour),
    /// Unknown: a search limit was reached, or there is no solver.
    Unknown,
}

/// The distances of an episode's states, in step order, as far as they are known. Cheap to clone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Distances {
    states: PersistentList<State>,
    /// Whether missing distances are being searched.
    searched: bool,
    /// How many distances were found.
    known: usize,
    /// The first state that was found to be unsolvable; all later ones are too.
    unsolvable_from: Option<usize>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct State {
    found: Option<Distance>,
    /// The moves that led here; a step that ended without an action is none.
    moves: u32,
}

impl Distances {
    /// Distances in step order. `searched` says whether a search for the missing ones is running.
    pub fn new(found: impl IntoIterator<Item = Option<Distance>>, searched: bool) -> Self {
        let mut distances = Self { searched, ..Self::default() };
        for distance in found {
            distances.push(distance, false);
        }
        distances
    }

    /// Adds the next state; `after_skip` says whether the step before it ended without an action.
    pub(super) fn push(&mut self, found: Option<Distance>, after_skip: bool) {
        let index = self.states.len();
        let moves = self.states.last().map_or(0, |last| last.moves + u32::from(!after_skip));
        self.states.push(State { found: None, moves });
        if let Some(found) = found {
            self.set(index, found);
        }
    }

    /// Adds a distance that was found for the state at this index. States after an unsolvable one are unsolvable too.
    pub(super) fn set(&mut self, index: usize, found: Distance) {
        let Some(state) = self.states.get_mut(index) else { return };
        if found == Distance::Unreachable {
            self.unsolvable_from = Some(self.unsolvable_from.map_or(index, |first| first.min(index)));
        }
        self.known += usize::from(state.found.is_none());
        state.found = Some(found);
    }

    /// No further distance will be found.
    pub(super) fn end_search(&mut self) {
        self.searched = false;
    }

    /// The number of states.
    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    fn moves(&self, index: usize) -> Option<u32> {
        self.states.get(index).map(|state| state.moves)
    }

    /// Whether the step at this index ended without an action.
    fn is_skipped(&self, index: usize) -> bool {
        self.moves(index).is_some_and(|moves| self.moves(index + 1) == Some(moves))
    }

    /// Whether no distance is known and no search is running.
    pub fn is_empty(&self) -> bool {
        !self.searched && self.known == 0
    }

    /// The distance of the state that the step at this index shows.
    pub fn at(&self, index: usize) -> Option<&Distance> {
        let state = self.states.get(index)?;
        match self.unsolvable_from {
            Some(first) if index >= first => Some(&Distance::Unreachable),
            _ => state.found.as_ref(),
        }
    }

    /// Whether that distance is still being searched.
    pub fn is_pending(&self, index: usize) -> bool {
        self.searched && self.at(index).is_none()
    }

    /// The extra moves of the step at this index; `None` while unknown, and from the step on that made the level
    /// unsolvable.
    pub fn extra_moves(&self, index: usize) -> Option<u32> {
        match (self.at(index)?, self.at(index + 1)?) {
            (Distance::Exact(_), Distance::Exact(_)) if self.is_skipped(index) => Some(0),
            (Distance::Exact(before), Distance::Exact(after)) => Some((after + 1).saturating_sub(*before)),
            _ => None,
        }
    }

    /// The detour of the step at this index, if it left the shortest path.
    pub fn detour(&self, index: usize) -> Option<Detour> {
        let Some(Distance::Exact(before)) = self.at(index) else { return None };
        let after = match self.at(index + 1)? {
            Distance::Exact(_) if self.is_skipped(index) => return None,
            Distance::Exact(after) if after + 1 > *before => Some(*after),
            Distance::Unreachable => None,
            _ => return None,
        };
        Some(Detour { step: u32::try_from(index + 1).unwrap_or(u32::MAX), before: *before, after })
    }

    /// The detour of the step with this number, from 1, if it left the shortest path.
    pub fn detour_of(&self, number: u32) -> Option<Detour> {
        self.detour(usize::try_from(number).ok()?.checked_sub(1)?)
    }

    /// Whether the step at this index left the shortest path; `None` while the search is running.
    pub fn path_verdict(&self, index: usize) -> Option<PathVerdict> {
        match self.detour(index) {
            Some(detour) => return Some(PathVerdict::OffPath(detour)),
            None if self.is_pending(index) || self.is_pending(index + 1) => return None,
            None => {}
        }
        let unsolvable = self.at(index) == Some(&Distance::Unreachable);
        Some(if unsolvable || self.extra_moves(index).is_some() {
            PathVerdict::OnPath
        } else {
            PathVerdict::Unknown
        })
    }

    /// The index of the first state from which the goal is out of reach, once the state before it is searched too.
    pub fn first_unreachable(&self) -> Option<usize> {
        let first = self.unsolvable_from?;
        (first == 0 || self.at(first - 1).is_some()).then_some(first)
    }

    /// The number of the step that made the level unsolvable, 0 if it was unsolvable at the start; `None` if unknown.
    pub fn dead_step(&self) -> Option<u32> {
        let first = self.first_unreachable()?;
        let certain = first == 0 || matches!(self.at(first - 1), Some(Distance::Exact(_)));
        certain.then(|| u32::try_from(first).unwrap_or(u32::MAX))
    }

    /// The extra moves of the first `steps` steps together. Only the first and the last distance must be known.
    pub fn total_extra_moves(&self, steps: usize) -> Option<u32> {
        match (self.at(0)?, self.at(steps)?) {
            (Distance::Exact(best), Distance::Exact(left)) => {
                let length = self.moves(steps)?.checked_add(*left)?;
                Some(length.saturating_sub(*best))
            }
            _ => None,
        }
    }

    /// How many finished steps have no path verdict: (still searching, search limit reached).
    pub fn unjudged(&self) -> (usize, usize) {
        let verdicts = || (0..self.states.len().saturating_sub(1)).map(|index| self.path_verdict(index));
        let pending = verdicts().filter(Option::is_none).count();
        (pending, verdicts().filter(|verdict| *verdict == Some(PathVerdict::Unknown)).count())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(found: &[Option<u32>]) -> Distances {
        Distances::new(found.iter().map(|found| found.map(Distance::Exact)), true)
    }

    #[test]
    fn extra_moves_are_counted_per_step_and_in_total() {
        let distances = of(&[Some(2), Some(3), Some(3), Some(2), Some(1)]);
        assert_eq!(
            (0..5).map(|index| distances.extra_moves(index)).collect::<Vec<_>>(),
            [Some(2), Some(1), Some(0), Some(0), None]
        );
        assert_eq!((distances.total_extra_moves(4), distances.total_extra_moves(5)), (Some(3), None));
        assert_eq!(
            distances.detour(0).unwrap().to_string(),
            "step 1 left the shortest path (2 moves left, then 3)"
        );
        assert_eq!((distances.detour(2), distances.detour(9)), (None, None));
        let words: Vec<_> =
            (0..5).filter_map(|index| distances.detour(index)).map(|detour| detour.describe()).collect();
        assert_eq!(words, ["2 extra moves", "1 extra move"]);
    }

    #[test]
    fn a_step_without_an_action_is_no_move() {
        let mut distances = of(&[Some(2)]);
        for (left, after_skip) in [(2, true), (1, false), (2, false), (1, false)] {
            distances.push(Some(Distance::Exact(left)), after_skip);
        }
        let extra: Vec<_> = (0..4).map(|index| distances.extra_moves(index)).collect();
        assert_eq!(extra, [Some(0), Some(0), Some(2), Some(0)]);
        assert_eq!((distances.total_extra_moves(1), distances.total_extra_moves(4)), (Some(0), Some(2)));
        assert_eq!(distances.path_verdict(0), Some(PathVerdict::OnPath));
        let detours: Vec<_> = (0..4).filter_map(|index| distances.detour(index)).collect();
        assert_eq!(detours.iter().map(|detour| detour.step).collect::<Vec<_>>(), [3]);
    }

    #[test]
    fn unknown_distances_give_no_verdict() {
        let distances = of(&[Some(2), None, Some(3)]);
        assert_eq!(
            (distances.detour(0), distances.detour(1), distances.total_extra_moves(1)),
            (None, None, None)
        );
        assert_eq!(distances.total_extra_moves(2), Some(3), "only the first and the last are needed");
        assert!(distances.is_pending(1) && !distances.is_pending(0));
        assert_eq!((distances.unjudged(), of(&[Some(2), Some(3)]).unjudged()), ((2, 0), (0, 0)));
        let gave_up = vec![Some(Distance::Exact(2)), Some(Distance::Unknown("".into()))];
        assert_eq!(Distances::new(gave_up, true).unjudged(), (0, 1));
        assert!(Distances::default().is_empty() && !distances.is_empty());
    }

    #[test]
    fn an_unsolvable_state_stays_unsolvable() {
        let lost = vec![
            Some(Distance::Exact(4)),
            Some(Distance::Unreachable),
            None,
            Some(Distance::Unknown("".into())),
        ];
        let distances = Distances::new(lost, false);
        assert_eq!((distances.dead_step(), distances.at(3)), (Some(1), Some(&Distance::Unreachable)));
        assert_eq!(
            distances.detour(0).unwrap().to_string(),
            "step 1 made the level unsolvable (4 moves left before it)"
        );
        assert_eq!(distances.detour(1), None);
        let early = |before| Distances::new(vec![before, Some(Distance::Unreachable)], true);
        assert_eq!(
            (early(None).dead_step(), early(None).first_unreachable()),
            (None, None),
            "the state before it is still unknown"
        );
        let unknown = early(Some(Distance::Unknown("".into())));
        assert_eq!(
            (unknown.dead_step(), unknown.first_unreachable()),
            (None, Some(1)),
            "the step is unknown"
        );
    }
}
