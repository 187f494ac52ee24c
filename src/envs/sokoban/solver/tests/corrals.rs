//! Corrals drawn by hand, dead and harmless, and searches with and without corral deadlocks.

use super::super::corral::Corrals;
use super::super::grid::CellSet;
use super::*;

/// Whether each board's corrals are dead, with stored results kept from board to board. All boards share a
/// maze.
fn ask(boards: &[(&Board, bool)]) -> Vec<bool> {
    let first = Problem::new(boards[0].0).unwrap();
    let flat = LowerBound::flat(&first.maze);
    let pairs = PairDeadlocks::new(&first.maze).unwrap();
    let empty = Occupancy::new(&first.maze, &first.board.ground, &first.outside);
    let mut corrals = Corrals::new(empty.clone(), &flat).unwrap();
    let answer = |(board, sees): &(&Board, bool)| {
        let start = Problem::new(board).unwrap();
        let mut occupancy = empty.clone();
        occupancy.place_boxes(&start.boxes);
        let shut = occupancy.walk_distances_to_boxes(start.player, &mut Vec::new());
        corrals.is_lost(
            &pairs,
            occupancy.boxes(),
            start.player,
            if *sees { shut } else { 0 },
            occupancy.boxes(),
        )
    };
    boards.iter().map(answer).collect()
}

/// Whether the boxes around a corral of this board are dead.
pub(super) fn is_lost(board: &Board) -> bool {
    ask(&[(board, true)])[0]
}

/// Whether another rule already says that it is dead.
fn is_lost_otherwise(board: &Board) -> bool {
    let start = Problem::new(board).unwrap();
    let flat = LowerBound::flat(&start.maze);
    let pairs = PairDeadlocks::new(&start.maze).unwrap();
    let mut marks = deadlock::square_marks(&board.ground);
    for square in board.boxes() {
        marks[usize::from(*square)] |= deadlock::BOX;
    }
    let apart = |one: &Cell, other: &Cell| one != other && !pairs.is_alive(*one, *other, start.player);
    start.boxes.iter().any(|one| start.boxes.iter().any(|other| apart(one, other)))
        || !flat.assign(&mut matching::Matching::new(start.boxes.len()), &start.posts())
        || board.boxes().iter().any(|square| deadlock::is_locked(&board.ground, &mut marks, *square))
}

const NOOK: &str = "########\n#.   $ #\n# @  $ #\n# .   $#\n#     .#\n########";

#[test]
fn a_corral_is_dead_if_no_box_fits_into_it_and_harmless_if_one_does() {
    for (lost, harmless) in [
        (NOOK, "#########\n#.   $  #\n# @  $  #\n# .   $##\n#     .##\n#########"),
        (
            "#########\n#   #   #\n# . $ $ #\n# @ #   #\n# . ##$##\n# .     #\n#########",
            "##########\n#   #    #\n# . $    #\n# @ #  $ #\n# . ##$###\n# .      #\n##########",
        ),
        (NOOK, "########\n#    * #\n# @  * #\n#     *#\n# .$   #\n########"),
    ] {
        let lost = board(lost);
        let harmless = board(harmless);
        assert_eq!((is_lost(&lost), is_lost_otherwise(&lost)), (true, false), "{lost}");
        assert_eq!(plainly(&lost, Pruned::Nothing), None, "{lost}");
        assert!(!is_lost(&harmless) && plainly(&harmless, Pruned::Nothing).is_some(), "{harmless}");
    }
}

#[test]
fn a_stored_dead_corral_is_recognised_among_other_boxes_and_only_from_its_side() {
    let more = |rows: &str| board(&format!("########\n#..  {rows}\n#     .#\n########"));
    let alone = more("$ #\n#    $ #\n# * @ $#");
    let moved = more("$ #\n# $  $ #\n#@.   $#");
    let inside = more("$ #\n#    $+#\n#  $  $#");
    let apart = more("$ #\n# $  $ #\n#@.  $ #");
    let boards = [(&moved, false), (&alone, true), (&moved, false), (&inside, false), (&apart, false)];
    assert_eq!(ask(&boards), [false, true, true, false, false]);
}

/// The moves of the first solution and the states visited within the limit, with corrals or without.
fn searched(start: &Problem<'_>, corrals: bool, states: u64) -> Option<(Vec<Direction>, u64)> {
    let stop = AtomicBool::new(false);
    let bound = start.best_bound(SearchBudget::with_states(u64::MAX, &stop));
    let mode = SearchMode::optimal(Measure::Moves, true);
    let mut search = start.search(&bound, mode);
    search.enable_extra_rules();
    search.corrals = search.corrals.filter(|_| corrals);
    search.run(SearchBudget::with_states(states, &stop)).ok()?;
    Some((search.first_solution(&|| false)?, u64::from(search.states.len())))
}

#[test]
fn corrals_save_states_and_change_no_solution() {
    let mut with = 0;
    let mut without = 0;
    for board in made("v2", 16) {
        let start = Problem::new(&board).unwrap();
        let Some((ways, states)) = searched(&start, false, 6000) else { continue };
        let (same, fewer) = searched(&start, true, 6000).unwrap();
        assert_eq!(same, ways, "{board}");
        assert!(fewer <= states);
        (with, without) = (with + fewer, without + states);
    }
    assert!(with < without, "{with} of {without}");
}

#[test]
fn stored_corrals_count_as_memory() {
    let nook = board(NOOK);
    let start = Problem::new(&nook).unwrap();
    let flat = LowerBound::flat(&start.maze);
    let pairs = PairDeadlocks::new(&start.maze).unwrap();
    let mut occupancy = Occupancy::new(&start.maze, &nook.ground, &start.outside);
    let mut corrals = Corrals::new(occupancy.clone(), &flat).unwrap();
    assert_eq!(corrals.bytes(), 0);
    occupancy.place_boxes(&start.boxes);
    assert!(corrals.is_lost(
        &pairs,
        occupancy.boxes(),
        start.player,
        CellSet::MAX & !occupancy.boxes(),
        occupancy.boxes()
    ));
    assert!(corrals.bytes() >= 4 * size_of::<CellSet>());
}
