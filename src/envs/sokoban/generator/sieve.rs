//! Which rooms become levels: solved within bounds, and like none that there is already. Rooms are judged one
//! by one in the order of their numbers, so the levels of a seed do not depend on who made them when.

use std::collections::HashSet;

use super::super::oracle;
use super::super::solver;
use super::super::xsb;
use super::Generator;
use super::symmetry::Likeness;
use crate::domain::Bounds;
use crate::domain::Measure;

/// A room that may become a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// The room's number.
    pub number: u64,
    /// The board as XSB.
    pub text: String,
    /// Moves and pushes of a shortest solution, if it was asked for.
    pub shortest: Option<Shortest>,
    like: Likeness,
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
pub enum Fall {
    /// The walk opened too few squares.
    Floor,
    /// No reverse play came to anything, four times.
    Score,
    /// The solver met its limit.
    GaveUp,
    /// The shortest solution takes more moves than are wanted.
    Long,
    /// It takes fewer.
    Short,
    /// It is an earlier one, perhaps turned or mirrored.
    Twin,
    /// It is one of those that were to be left out.
    Excluded,
}

impl Fall {
    /// Every reason, in the order in which rooms are judged.
    pub const ALL: [Self; 7] =
        [Self::Floor, Self::Score, Self::GaveUp, Self::Long, Self::Short, Self::Twin, Self::Excluded];

    /// What objects call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Floor => "floor",
            Self::Score => "score",
            Self::GaveUp => "gave_up",
            Self::Long => "long",
            Self::Short => "short",
            Self::Twin => "twin",
            Self::Excluded => "excluded",
        }
    }

    /// What people call it, after a number of rooms.
    pub fn words(self) -> &'static str {
        match self {
            Self::Floor => "with too little floor",
            Self::Score => "with score zero four times",
            Self::GaveUp => "given up by the solver",
            Self::Long => "too long",
            Self::Short => "too short",
            Self::Twin => "made before",
            Self::Excluded => "left out",
        }
    }
}

impl Generator {
    /// The room of this number, with its shortest solution if there are bounds to search it in.
    pub fn candidate(&mut self, number: u64, bounds: Option<Bounds<'_>>) -> Result<Made, Fall> {
        let text = self.room(number)?;
        let board = xsb::read_one(&text).map_err(|_| Fall::Floor)?;
        let shortest = bounds.map(|bounds| shortest(&board, bounds)).transpose()?;
        Ok(Made { number, text, shortest, like: Likeness::of_board(&board) })
    }
}

/// Moves and pushes of a shortest solution. The one place where rooms are solved.
pub(in crate::envs::sokoban) fn shortest(
    board: &super::super::board::Board,
    bounds: Bounds<'_>,
) -> Result<Shortest, Fall> {
    let found = solver::solve(board, Measure::Actions, bounds).map_err(|_| Fall::GaveUp)?;
    let solution = oracle::solution(board, &found);
    Ok(Shortest { moves: solution.actions.len(), pushes: solution.pushes.unwrap_or_default() })
}

/// Keeps rooms and counts the others.
#[derive(Debug, Default)]
pub struct Sieve {
    /// The fewest moves that a shortest solution may take, and the most.
    moves: (Option<usize>, Option<usize>),
    excluded: HashSet<Likeness>,
    known: HashSet<Likeness>,
    fallen: [u64; Fall::ALL.len()],
    kept: usize,
}

impl Sieve {
    /// A sieve for shortest solutions of so many moves. With a bound, rooms must come with theirs.
    pub fn new(least: Option<usize>, most: Option<usize>, excluded: HashSet<Likeness>) -> Self {
        Self { moves: (least, most), excluded, ..Self::default() }
    }

    /// The room again, if it becomes a level. Rooms must come in order.
    pub fn keep(&mut self, candidate: Result<Made, Fall>) -> Option<Made> {
        let judged = candidate.and_then(|made| self.judge(&made).map(|()| made));
        match judged {
            Ok(_) => self.kept += 1,
            Err(fall) => self.fallen[fall as usize] += 1,
        }
        judged.ok()
    }

    fn judge(&mut self, made: &Made) -> Result<(), Fall> {
        let moves = made.shortest.map(|shortest| shortest.moves);
        let beyond = |bound: Option<usize>, off: fn(&usize, &usize) -> bool| {
            bound.is_some_and(|bound| moves.is_none_or(|moves| off(&moves, &bound)))
        };
        match () {
            () if beyond(self.moves.1, usize::gt) => Err(Fall::Long),
            () if beyond(self.moves.0, usize::lt) => Err(Fall::Short),
            () if self.excluded.contains(&made.like) => Err(Fall::Excluded),
            () if !self.known.insert(made.like.clone()) => Err(Fall::Twin),
            () => Ok(()),
        }
    }

    /// Levels so far.
    pub fn kept(&self) -> usize {
        self.kept
    }

    /// Rooms so far.
    pub fn tried(&self) -> u64 {
        self.fallen.iter().sum::<u64>() + self.kept as u64
    }

    /// Rooms that fell for this reason.
    pub fn fallen(&self, fall: Fall) -> u64 {
        self.fallen[fall as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::xsb::board;
    use super::*;

    fn made(text: &str, moves: usize) -> Made {
        let shortest = Some(Shortest { moves, pushes: 1 });
        Made { number: 0, text: text.to_owned(), shortest, like: Likeness::of_board(&board(text)) }
    }

    #[test]
    fn every_room_is_kept_or_counted_with_its_reason() {
        let excluded = HashSet::from([Likeness::of_board(&board("#####\n#.$@#\n#####"))]);
        let mut sieve = Sieve::new(Some(2), Some(9), excluded);
        let a = "######\n#@ $.#\n######";
        for (candidate, kept) in [
            (Ok(made(a, 2)), true),
            (Ok(made("######\n#.$ @#\n######", 2)), false),
            (Ok(made("###\n#@#\n#$#\n#.#\n###", 5)), false),
            (Ok(made("######\n#@$ .#\n######", 1)), false),
            (Ok(made("######\n#@$ .#\n######", 10)), false),
            (Ok(made("######\n#@$ .#\n######", 9)), true),
            (Err(Fall::Floor), false),
            (Err(Fall::Score), false),
            (Err(Fall::GaveUp), false),
        ] {
            assert_eq!(sieve.keep(candidate.clone()).is_some(), kept, "{candidate:?}");
        }
        assert_eq!((sieve.kept(), sieve.tried()), (2, 9));
        assert_eq!(Fall::ALL.map(|fall| sieve.fallen(fall)), [1; 7]);
    }

    #[test]
    fn without_bounds_nobody_solves() {
        let mut sieve = Sieve::default();
        let unsolved = Made { shortest: None, ..made("#####\n#@$.#\n#####", 1) };
        assert!(sieve.keep(Ok(unsolved.clone())).is_some());
        assert!(Sieve::new(None, Some(50), HashSet::new()).keep(Ok(unsolved)).is_none());
    }
}
