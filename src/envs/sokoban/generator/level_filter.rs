//! Decides which rooms become levels: solved within limits and different from all earlier ones. Rooms are
//! judged in the order of their numbers, so the levels of a seed do not depend on the number of workers.

use std::collections::HashSet;

use super::super::oracle;
use super::super::solver;
use super::super::solver::Measure;
use super::super::xsb;
use super::Generator;
use super::symmetry::SymmetryKey;
use crate::domain::SearchBudget;

/// A room that may become a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The room's number.
    pub number: u64,
    /// The board as XSB.
    pub text: String,
    /// Moves and pushes of a shortest solution, if one was searched.
    pub shortest: Option<Shortest>,
    symmetry_key: SymmetryKey,
}

/// The size of a shortest solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shortest {
    /// The fewest moves.
    pub moves: usize,
    /// The pushes of the solution that was found.
    pub pushes: u32,
}

/// Why a room does not become a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rejection {
    /// The walk opened too few squares.
    TooLittleFloor,
    /// Four reverse plays scored zero.
    ZeroScore,
    /// The solver gave up.
    GaveUp,
    /// The shortest solution has too many moves.
    Long,
    /// The shortest solution has too few moves.
    Short,
    /// It equals an earlier room, possibly rotated or mirrored.
    Duplicate,
    /// It equals a room to exclude.
    Excluded,
}

impl Rejection {
    /// Every reason, in the order in which rooms are judged.
    pub const ALL: [Self; 7] = [
        Self::TooLittleFloor,
        Self::ZeroScore,
        Self::GaveUp,
        Self::Long,
        Self::Short,
        Self::Duplicate,
        Self::Excluded,
    ];

    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::TooLittleFloor => "floor",
            Self::ZeroScore => "score",
            Self::GaveUp => "gave_up",
            Self::Long => "long",
            Self::Short => "short",
            Self::Duplicate => "twin",
            Self::Excluded => "excluded",
        }
    }

    /// The description in text, after a number of rooms.
    pub fn description(self) -> &'static str {
        match self {
            Self::TooLittleFloor => "with too little floor",
            Self::ZeroScore => "with score zero in four attempts",
            Self::GaveUp => "given up by the solver",
            Self::Long => "too long",
            Self::Short => "too short",
            Self::Duplicate => "equal to an earlier one",
            Self::Excluded => "excluded",
        }
    }
}

impl Generator {
    /// The room of this number, with its shortest solution if bounds for the search are given.
    pub fn candidate(
        &mut self,
        number: u64,
        bounds: Option<SearchBudget<'_>>,
    ) -> Result<Candidate, Rejection> {
        let text = self.room(number)?;
        let board = xsb::read_one(&text).map_err(|_| Rejection::TooLittleFloor)?;
        let shortest = bounds.map(|bounds| shortest(&board, bounds)).transpose()?;
        Ok(Candidate { number, text, shortest, symmetry_key: SymmetryKey::of_board(&board) })
    }
}

/// Moves and pushes of a shortest solution.
pub(in crate::envs::sokoban) fn shortest(
    board: &super::super::board::Board,
    bounds: SearchBudget<'_>,
) -> Result<Shortest, Rejection> {
    let found = solver::solve_optimal(board, Measure::Moves, bounds).map_err(|_| Rejection::GaveUp)?;
    let solution = oracle::solution_of(board, &found);
    Ok(Shortest { moves: solution.actions.len(), pushes: solution.sizes.last().copied().unwrap_or_default() })
}

/// Accepts rooms, and counts the rejected ones by reason.
#[derive(Debug, Default)]
pub struct LevelFilter {
    /// The least and the most moves of a shortest solution.
    moves: (Option<usize>, Option<usize>),
    excluded: HashSet<SymmetryKey>,
    seen: HashSet<SymmetryKey>,
    rejected: [u64; Rejection::ALL.len()],
    accepted: usize,
}

impl LevelFilter {
    /// A filter for shortest solutions with these numbers of moves. With a limit, rooms must have their
    /// solution.
    pub fn new(least: Option<usize>, most: Option<usize>, excluded: HashSet<SymmetryKey>) -> Self {
        Self { moves: (least, most), excluded, ..Self::default() }
    }

    /// Returns the room if it becomes a level. Rooms must come in order.
    pub fn accept(&mut self, candidate: Result<Candidate, Rejection>) -> Option<Candidate> {
        let judged = candidate.and_then(|made| self.judge(&made).map(|()| made));
        match judged {
            Ok(_) => self.accepted += 1,
            Err(rejection) => self.rejected[rejection as usize] += 1,
        }
        judged.ok()
    }

    fn judge(&mut self, made: &Candidate) -> Result<(), Rejection> {
        let moves = made.shortest.map(|shortest| shortest.moves);
        let beyond = |bound: Option<usize>, off: fn(&usize, &usize) -> bool| {
            bound.is_some_and(|bound| moves.is_none_or(|moves| off(&moves, &bound)))
        };
        match () {
            () if beyond(self.moves.1, usize::gt) => Err(Rejection::Long),
            () if beyond(self.moves.0, usize::lt) => Err(Rejection::Short),
            () if self.excluded.contains(&made.symmetry_key) => Err(Rejection::Excluded),
            () if !self.seen.insert(made.symmetry_key.clone()) => Err(Rejection::Duplicate),
            () => Ok(()),
        }
    }

    /// Levels so far.
    pub fn accepted(&self) -> usize {
        self.accepted
    }

    /// Rooms so far.
    pub fn tried(&self) -> u64 {
        self.rejected.iter().sum::<u64>() + self.accepted as u64
    }

    /// Rooms rejected for this reason.
    pub fn rejected(&self, rejection: Rejection) -> u64 {
        self.rejected[rejection as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::xsb::board;
    use super::*;

    fn made(text: &str, moves: usize) -> Candidate {
        let shortest = Some(Shortest { moves, pushes: 1 });
        Candidate {
            number: 0,
            text: text.to_owned(),
            shortest,
            symmetry_key: SymmetryKey::of_board(&board(text)),
        }
    }

    #[test]
    fn every_room_is_accepted_or_counted_by_reason() {
        let excluded = HashSet::from([SymmetryKey::of_board(&board("#####\n#.$@#\n#####"))]);
        let mut filter = LevelFilter::new(Some(2), Some(9), excluded);
        let a = "######\n#@ $.#\n######";
        for (candidate, kept) in [
            (Ok(made(a, 2)), true),
            (Ok(made("######\n#.$ @#\n######", 2)), false),
            (Ok(made("###\n#@#\n#$#\n#.#\n###", 5)), false),
            (Ok(made("######\n#@$ .#\n######", 1)), false),
            (Ok(made("######\n#@$ .#\n######", 10)), false),
            (Ok(made("######\n#@$ .#\n######", 9)), true),
            (Err(Rejection::TooLittleFloor), false),
            (Err(Rejection::ZeroScore), false),
            (Err(Rejection::GaveUp), false),
        ] {
            assert_eq!(filter.accept(candidate.clone()).is_some(), kept, "{candidate:?}");
        }
        assert_eq!((filter.accepted(), filter.tried()), (2, 9));
        assert_eq!(Rejection::ALL.map(|rejection| filter.rejected(rejection)), [1; 7]);
    }

    #[test]
    fn without_a_solution_only_a_filter_without_limits_accepts() {
        let mut filter = LevelFilter::default();
        let unsolved = Candidate { shortest: None, ..made("#####\n#@$.#\n#####", 1) };
        assert!(filter.accept(Ok(unsolved.clone())).is_some());
        assert!(LevelFilter::new(None, Some(50), HashSet::new()).accept(Ok(unsolved)).is_none());
    }
}
