//! Which rooms become levels: solved within bounds, and like none that there is already. Rooms are judged one
//! by one in the order of their numbers, so the levels of a seed do not depend on who made them when.

use std::collections::HashSet;

use super::super::oracle;
use super::super::solver;
use super::super::xsb;
use super::Generator;
use super::symmetry::SymmetryKey;
use crate::domain::Objective;
use crate::domain::SearchBudget;

/// A room that may become a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The room's number.
    pub number: u64,
    /// The board as XSB.
    pub text: String,
    /// Moves and pushes of a shortest solution, if it was asked for.
    pub shortest: Option<Shortest>,
    symmetry_key: SymmetryKey,
}

/// A shortest solution in numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shortest {
    /// The fewest moves.
    pub moves: usize,
    /// The pushes among them in the solution that was found.
    pub pushes: u32,
}

/// Why a room becomes no level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rejection {
    /// The walk opened too few squares.
    TooLittleFloor,
    /// No reverse play came to anything, four times.
    ZeroScore,
    /// The solver met its limit.
    GaveUp,
    /// The shortest solution takes more moves than are wanted.
    Long,
    /// It takes fewer.
    Short,
    /// It is an earlier one, perhaps turned or mirrored.
    Duplicate,
    /// It is one of those that were to be left out.
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

    /// What objects call it.
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

    /// What people call it, after a number of rooms.
    pub fn description(self) -> &'static str {
        match self {
            Self::TooLittleFloor => "with too little floor",
            Self::ZeroScore => "with score zero four times",
            Self::GaveUp => "given up by the solver",
            Self::Long => "too long",
            Self::Short => "too short",
            Self::Duplicate => "made before",
            Self::Excluded => "left out",
        }
    }
}

impl Generator {
    /// The room of this number, with its shortest solution if there are bounds to search it in.
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

/// Moves and pushes of a shortest solution. The one place where rooms are solved.
pub(in crate::envs::sokoban) fn shortest(
    board: &super::super::board::Board,
    bounds: SearchBudget<'_>,
) -> Result<Shortest, Rejection> {
    let found = solver::solve_optimal(board, Objective::Actions, bounds).map_err(|_| Rejection::GaveUp)?;
    let solution = oracle::solution_of(board, &found);
    Ok(Shortest { moves: solution.actions.len(), pushes: solution.pushes.unwrap_or_default() })
}

/// Keeps rooms and counts the others.
#[derive(Debug, Default)]
pub struct LevelFilter {
    /// The fewest moves that a shortest solution may take, and the most.
    moves: (Option<usize>, Option<usize>),
    excluded: HashSet<SymmetryKey>,
    seen: HashSet<SymmetryKey>,
    rejected: [u64; Rejection::ALL.len()],
    accepted: usize,
}

impl LevelFilter {
    /// A sieve for shortest solutions of so many moves. With a bound, rooms must come with theirs.
    pub fn new(least: Option<usize>, most: Option<usize>, excluded: HashSet<SymmetryKey>) -> Self {
        Self { moves: (least, most), excluded, ..Self::default() }
    }

    /// The room again, if it becomes a level. Rooms must come in order.
    pub fn accept(&mut self, candidate: Result<Candidate, Rejection>) -> Option<Candidate> {
        let judged = candidate.and_then(|made| self.judge(&made).map(|()| made));
        match judged {
            Ok(_) => self.accepted += 1,
            Err(fall) => self.rejected[fall as usize] += 1,
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

    /// Rooms that fell for this reason.
    pub fn rejected(&self, fall: Rejection) -> u64 {
        self.rejected[fall as usize]
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
    fn every_room_is_kept_or_counted_with_its_reason() {
        let excluded = HashSet::from([SymmetryKey::of_board(&board("#####\n#.$@#\n#####"))]);
        let mut sieve = LevelFilter::new(Some(2), Some(9), excluded);
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
            assert_eq!(sieve.accept(candidate.clone()).is_some(), kept, "{candidate:?}");
        }
        assert_eq!((sieve.accepted(), sieve.tried()), (2, 9));
        assert_eq!(Rejection::ALL.map(|fall| sieve.rejected(fall)), [1; 7]);
    }

    #[test]
    fn without_bounds_nobody_solves() {
        let mut sieve = LevelFilter::default();
        let unsolved = Candidate { shortest: None, ..made("#####\n#@$.#\n#####", 1) };
        assert!(sieve.accept(Ok(unsolved.clone())).is_some());
        assert!(LevelFilter::new(None, Some(50), HashSet::new()).accept(Ok(unsolved)).is_none());
    }
}
