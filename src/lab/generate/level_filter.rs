//! Decides which candidates become levels: solved within limits and different from all earlier ones. Candidates are
//! judged in the order of their numbers, so the levels of a seed do not depend on the number of workers.

use std::collections::HashSet;

use mageyard_domain::{Candidate, LevelKey, Rejection};

/// Accepts candidates, and counts the rejected ones by reason.
#[derive(Debug)]
pub struct LevelFilter {
    /// The least and the most actions of a shortest solution.
    moves: (Option<u32>, Option<u32>),
    excluded: HashSet<LevelKey>,
    seen: HashSet<LevelKey>,
    rejected: Vec<(Rejection, u64)>,
    accepted: usize,
}

impl LevelFilter {
    /// A filter for a generator with these rejections. It accepts shortest solutions with these numbers of actions;
    /// with a limit, candidates must have their solution.
    pub fn new(
        rejections: &[Rejection],
        moves: (Option<u32>, Option<u32>),
        excluded: HashSet<LevelKey>,
    ) -> Self {
        let rejected = rejections.iter().chain(&Rejection::COMMON).map(|rejection| (*rejection, 0)).collect();
        Self { moves, excluded, seen: HashSet::new(), rejected, accepted: 0 }
    }

    /// Returns the candidate if it becomes a level. Candidates must come in order.
    pub fn accept(&mut self, candidate: Result<Candidate, Rejection>) -> Option<Candidate> {
        let judged = candidate.and_then(|made| self.judge(&made).map(|()| made));
        match judged {
            Ok(_) => self.accepted += 1,
            Err(rejection) => self.count(rejection),
        }
        judged.ok()
    }

    fn judge(&mut self, made: &Candidate) -> Result<(), Rejection> {
        let moves = made.sizes.as_ref().and_then(|sizes| sizes.first()).copied();
        let beyond = |bound: Option<u32>, off: fn(&u32, &u32) -> bool| {
            bound.is_some_and(|bound| moves.is_none_or(|moves| off(&moves, &bound)))
        };
        match () {
            () if beyond(self.moves.1, u32::gt) => Err(Rejection::LONG),
            () if beyond(self.moves.0, u32::lt) => Err(Rejection::SHORT),
            () if self.excluded.contains(&made.key) => Err(Rejection::EXCLUDED),
            () if !self.seen.insert(made.key.clone()) => Err(Rejection::DUPLICATE),
            () => Ok(()),
        }
    }

    fn count(&mut self, rejection: Rejection) {
        match self.rejected.iter_mut().find(|(known, _)| *known == rejection) {
            Some((_, count)) => *count += 1,
            None => self.rejected.push((rejection, 1)),
        }
    }

    /// Levels so far.
    pub fn accepted(&self) -> usize {
        self.accepted
    }

    /// Candidates so far.
    pub fn tried(&self) -> u64 {
        self.rejected.iter().map(|(_, count)| count).sum::<u64>() + self.accepted as u64
    }

    /// The number of candidates rejected for each reason, in the order in which they are judged.
    pub fn rejected(&self) -> &[(Rejection, u64)] {
        &self.rejected
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ODD: Rejection = Rejection { name: "odd", title: "odd", description: "odd" };

    fn made(key: &str, moves: u32) -> Candidate {
        let key = LevelKey::from(key.as_bytes().to_vec());
        Candidate { number: 0, text: String::new(), sizes: Some(vec![moves, 1]), key }
    }

    #[test]
    fn every_candidate_is_accepted_or_counted_by_reason() {
        let excluded = HashSet::from([LevelKey::from(b"known".to_vec())]);
        let mut filter = LevelFilter::new(&[ODD], (Some(2), Some(9)), excluded);
        for (candidate, kept) in [
            (Ok(made("a", 2)), true),
            (Ok(made("a", 2)), false),
            (Ok(made("known", 5)), false),
            (Ok(made("b", 1)), false),
            (Ok(made("b", 10)), false),
            (Ok(made("b", 9)), true),
            (Err(ODD), false),
            (Err(Rejection::GAVE_UP), false),
        ] {
            assert_eq!(filter.accept(candidate.clone()).is_some(), kept, "{candidate:?}");
        }
        assert_eq!((filter.accepted(), filter.tried()), (2, 8));
        let counts: Vec<_> =
            filter.rejected().iter().map(|(rejection, count)| (rejection.name, *count)).collect();
        let names = ["odd", "gave_up", "long", "short", "twin", "excluded"];
        assert_eq!(counts, names.map(|name| (name, 1)));
    }

    #[test]
    fn without_a_solution_only_a_filter_without_limits_accepts() {
        let unsolved = Candidate { sizes: None, ..made("a", 1) };
        let mut filter = LevelFilter::new(&[], (None, None), HashSet::new());
        assert!(filter.accept(Ok(unsolved.clone())).is_some());
        let mut filter = LevelFilter::new(&[], (None, Some(50)), HashSet::new());
        assert!(filter.accept(Ok(unsolved)).is_none());
    }
}
