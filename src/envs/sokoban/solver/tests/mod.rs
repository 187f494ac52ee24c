//! The solver compared with breadth-first searches.

mod corrals;

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use proptest::prelude::*;
use rustc_hash::FxHashSet;

use super::super::deadlock;
use super::super::generator::{GROUPS, Generator, Shape};
use super::super::xsb::{board, read_one};
use super::pair_deadlocks::PairDeadlocks;
use super::*;

fn solved(board: &Board, states: u64) -> Result<SolverPath, SearchFailure> {
    solve_optimal(board, Measure::Moves, SearchBudget::with_states(states, &AtomicBool::new(false)))
}

/// Player and boxes as one number; boards have up to 7 boxes here.
fn code(board: &Board) -> u128 {
    board.boxes().iter().fold(u128::from(board.player), |code, square| code << 16 | u128::from(*square))
}

/// Squares that the breadth-first search avoids: none, or the dead squares.
#[derive(Clone, Copy)]
enum Pruned {
    Nothing,
    Dead,
}

impl Pruned {
    fn marks(self, board: &Board) -> Box<[u8]> {
        match self {
            Self::Nothing => vec![0; board.ground.walls.len()].into(),
            Self::Dead => deadlock::square_marks(&board.ground),
        }
    }
}

/// The fewest moves by breadth-first search, or none.
fn plainly(board: &Board, pruned: Pruned) -> Option<usize> {
    let marks = pruned.marks(board);
    let mut seen = FxHashSet::from_iter([code(board)]);
    let mut queue = VecDeque::from([(board.clone(), 0)]);
    while let Some((board, moves)) = queue.pop_front() {
        if board.is_solved() {
            return Some(moves);
        }
        for way in Direction::ALL {
            let mut next = board.clone();
            let effect = next.step(way);
            let lost = effect.pushed.is_some_and(|to| marks[usize::from(to)] & deadlock::DEAD != 0);
            if effect.moved && !lost && seen.insert(code(&next)) {
                queue.push_back((next, moves + 1));
            }
        }
    }
    None
}

#[test]
fn known_levels_take_the_known_number_of_moves() {
    for (text, moves) in [
        ("######\n#@$ .#\n######", 2),
        ("####\n#@*#\n####", 0),
        ("#######\n#@$ .##\n#######\n#*#####\n#######", 2),
        ("#######\n#. @ .#\n# $ $ #\n#     #\n#######", 11),
        ("#######\n##   .#\n# $   #\n#$ @  #\n#    ##\n#.   ##\n#######", 17),
    ] {
        assert_eq!(solved(&board(text), DEFAULT_STATES).unwrap().directions.len(), moves, "{text}");
    }
}

#[test]
fn unsolvable_levels_are_proven_and_limits_hold() {
    let corner = board("#####\n#@ $#\n# . #\n#####");
    assert!(matches!(solved(&corner, DEFAULT_STATES), Err(SearchFailure::Unsolvable { .. })));
    let apart = board("########\n#@ #   #\n#  # $.#\n#  #   #\n########");
    assert!(matches!(solved(&apart, DEFAULT_STATES), Err(SearchFailure::Unsolvable { .. })));
    let sealed = board("######\n#@$ .#\n######\n#$#.##\n######");
    assert_eq!(solved(&sealed, DEFAULT_STATES), Err(SearchFailure::Unsolvable { states: 1 }));
    let room = board("#########\n#@      #\n# $ $ $ #\n#  . . .#\n#       #\n#########");
    assert!(matches!(
        solved(&room, 10),
        Err(SearchFailure::GaveUp { states: 11..=20, limit: LimitKind::States })
    ));
    let stop = AtomicBool::new(true);
    let stopped = solve_optimal(&room, Measure::Moves, SearchBudget::with_states(DEFAULT_STATES, &stop));
    assert!(matches!(stopped, Err(SearchFailure::Cancelled { .. })));
}

/// Rooms of 4 x 5 inside a wall with one to three boxes, most of them solvable. Below some is an
/// unreachable cell with a box on a target.
fn rooms() -> impl Strategy<Value = Board> {
    let squares = Just((0..20_usize).collect::<Vec<_>>()).prop_shuffle();
    let parts = (squares, 1..=3_usize, 0..5_usize, any::<bool>());
    parts.prop_filter_map("no level", |(squares, boxes, walls, cell)| {
        let mut inner = [b' '; 20];
        inner[squares[0]] = b'@';
        for at in &squares[1..=boxes] {
            inner[*at] = b'$';
        }
        for at in &squares[4..4 + boxes] {
            inner[*at] = b'.';
        }
        for at in &squares[8..8 + walls] {
            inner[*at] = b'#';
        }
        let rows = inner.chunks(5).map(|row| format!("#{}#", String::from_utf8_lossy(row)));
        let below = if cell { "\n#*#####\n#######" } else { "" };
        let text = format!("#######\n{}\n#######{below}", rows.collect::<Vec<_>>().join("\n"));
        read_one(&text).ok()
    })
}

/// The fewest pushes by breadth-first search, or none: walks cost nothing, so they go first.
fn pushes_plainly(board: &Board, pruned: Pruned) -> Option<usize> {
    let marks = pruned.marks(board);
    let mut seen = FxHashSet::default();
    let mut queue = VecDeque::from([(board.clone(), 0)]);
    while let Some((board, pushes)) = queue.pop_front() {
        if !seen.insert(code(&board)) {
            continue;
        }
        if board.is_solved() {
            return Some(pushes);
        }
        for way in Direction::ALL {
            let mut next = board.clone();
            let effect = next.step(way);
            match (effect.moved, effect.pushed) {
                (true, Some(to)) if marks[usize::from(to)] & deadlock::DEAD == 0 => {
                    queue.push_back((next, pushes + 1));
                }
                (true, None) => queue.push_front((next, pushes)),
                _ => {}
            }
        }
    }
    None
}

/// The pushes of these moves, all of which must be possible and solve the board.
fn pushes(mut board: Board, ways: &[Direction]) -> usize {
    let pushes = ways.iter().filter(|way| {
        let effect = board.step(**way);
        assert!(effect.moved);
        effect.pushed.is_some()
    });
    let pushes = pushes.count();
    assert!(board.is_solved());
    pushes
}

/// Everything used on a hard level: potential, pairs and corrals.
fn searched_with_heights(board: &Board) -> Option<SolverPath> {
    let start = Problem::new(board)?;
    if board.is_solved() {
        return solved(board, u64::MAX).ok();
    }
    let stop = AtomicBool::new(false);
    let bound = start.best_bound(SearchBudget::with_states(u64::MAX, &stop));
    let mode = SearchMode::optimal(Measure::Moves, true);
    let mut search = start.search(&bound, mode);
    search.enable_extra_rules();
    start.finish(search, SearchBudget::with_states(u64::MAX, &AtomicBool::new(false))).ok()
}

/// Compares every answer of the solver with breadth-first searches.
fn check(board: &Board, pruned: Pruned) {
    let stop = AtomicBool::new(false);
    let moves = plainly(board, pruned);
    let bounds = SearchBudget::with_states(u64::MAX, &stop);
    let found = solved(board, u64::MAX);
    assert_eq!(found.as_ref().ok().map(|found| found.directions.len()), moves, "{board}");
    assert!(found.is_ok() || matches!(found, Err(SearchFailure::Unsolvable { .. })));
    assert_eq!(distance(board, bounds).ok(), moves.map(|moves| u32::try_from(moves).unwrap()));
    let ways = found.ok().map(|found| found.directions);
    assert_eq!(searched_with_heights(board).map(|found| found.directions), ways, "{board}");
    let fewest = solve_optimal(board, Measure::Pushes, bounds).ok();
    let fewest = fewest.map(|found| pushes(board.clone(), &found.directions));
    assert_eq!(fewest, pushes_plainly(board, pruned), "{board}");
    for fallback in &FALLBACKS {
        let some = super::run_search(board, fallback.mode(Measure::Moves), bounds).ok();
        assert_eq!(some.is_some(), moves.is_some(), "{board}");
        if let Some(found) = some {
            assert!(pushes(board.clone(), &found.directions) > 0 || board.is_solved());
        }
    }
}

/// Applies every rule to every state on a solution, whose remaining length is known: none may call it dead,
/// and no bound may exceed that length.
fn follow(board: &Board, ways: &[Direction]) {
    let stop = AtomicBool::new(false);
    let Some(start) = Problem::new(board) else { return };
    let bounds =
        [LowerBound::flat(&start.maze), start.best_bound(SearchBudget::with_states(u64::MAX, &stop))];
    let pairs = PairDeadlocks::new(&start.maze);
    let mut matching = matching::Matching::new(start.boxes.len());
    let mut board = board.clone();
    for (done, way) in ways.iter().enumerate() {
        let at = Problem::new(&board).unwrap();
        for bound in &bounds {
            assert!(bound.assign(&mut matching, &at.posts()), "{board}");
            assert!(
                bound.min_moves(&matching, &at.posts(), at.player) as usize <= ways.len() - done,
                "{board}"
            );
        }
        let Some(pushed) = board.step(*way).pushed else { continue };
        let mut marks = deadlock::square_marks(&board.ground);
        for square in board.boxes() {
            marks[usize::from(*square)] |= deadlock::BOX;
        }
        assert!(!deadlock::is_locked(&board.ground, &mut marks, pushed), "{board}");
        let at = Problem::new(&board).unwrap();
        let alive = |one: &Cell, other: &Cell| {
            one == other || pairs.as_ref().is_none_or(|pairs| pairs.is_alive(*one, *other, at.player))
        };
        assert!(at.boxes.iter().all(|one| at.boxes.iter().all(|other| alive(one, other))), "{board}");
        assert!(pairs.is_none() || !corrals::is_lost(&board), "{board}");
    }
}

/// The shape of a group.
fn shape(group: &str) -> Shape {
    GROUPS.iter().find(|one| one.name == group).unwrap().shape
}

/// The first rooms of a group from the generator.
fn made(group: &str, count: usize) -> impl Iterator<Item = Board> {
    let mut generator = Generator::new(shape(group), 11);
    (0..).filter_map(move |number| generator.room(number).ok()).take(count).map(|text| board(&text))
}

/// Compares the solver with breadth-first searches on generated rooms.
fn check_made(counts: [usize; 3]) {
    for (group, count) in ["small-v0", "small-v1", "v0"].into_iter().zip(counts) {
        for board in made(group, count) {
            check(&board, Pruned::Dead);
            let ways = solved(&board, u64::MAX).unwrap().directions;
            follow(&board, &ways);
            let mut after = board;
            for (done, way) in ways.iter().enumerate().take(3) {
                after.step(*way);
                assert_eq!(solved(&after, u64::MAX).unwrap().directions, &ways[done + 1..], "{after}");
            }
        }
    }
}

/// The room with a long corridor to its right, so that no word has enough bits; `None` where the last
/// column is all wall.
fn widened(text: &str) -> Option<Board> {
    let lines: Vec<&str> = text.lines().collect();
    let out = lines.iter().position(|line| line.as_bytes().get(line.len() - 2) == Some(&b' '))?;
    let widen = |(row, line): (usize, &&str)| {
        if row == out {
            format!("{}{}#", &line[..line.len() - 1], " ".repeat(130))
        } else {
            format!("{line}{}", "#".repeat(130))
        }
    };
    Some(board(&lines.iter().enumerate().map(widen).collect::<Vec<_>>().join("\n")))
}

#[test]
fn breadth_first_search_agrees_on_mazes_wider_than_a_word() {
    let mut generator = Generator::new(shape("small-v0"), 3);
    let rooms = (0..60).filter_map(|number| widened(&generator.room(number).ok()?));
    let mut checked = 0;
    for board in rooms {
        assert!(Problem::new(&board).unwrap().maze.grid.is_none());
        check(&board, Pruned::Dead);
        checked += 1;
    }
    assert!(checked > 5, "{checked}");
}

#[test]
#[ignore = "takes a minute; the same with fewer rooms runs always"]
fn breadth_first_search_agrees_on_a_thousand_generated_rooms() {
    check_made([500, 300, 200]);
}

#[test]
fn breadth_first_search_agrees_on_generated_rooms() {
    check_made([20, 12, 8]);
}

#[test]
fn a_limit_leaves_a_found_solution_or_none_and_is_named() {
    let room = board("##########\n#@       #\n# $ $ $  #\n#  . . . #\n#  $  .  #\n#        #\n##########");
    let stop = AtomicBool::new(false);
    let best = solved(&room, DEFAULT_STATES).unwrap();
    assert_eq!(best.unproven, None);
    let found =
        solve_or_find(&room, Measure::Moves, SearchBudget::with_states(best.states - 1, &stop)).unwrap();
    assert_eq!(found.unproven, Some(LimitKind::States));
    assert!(found.directions.len() >= best.directions.len());
    pushes(room.clone(), &found.directions);
    let small = SearchBudget { memory: 1, ..SearchBudget::with_states(DEFAULT_STATES, &stop) };
    assert!(matches!(
        solve_or_find(&room, Measure::Moves, small),
        Err(SearchFailure::GaveUp { limit: LimitKind::Memory, .. })
    ));
    let late = AtomicBool::new(true);
    let late = SearchBudget { time_up: Some(&late), ..SearchBudget::with_states(DEFAULT_STATES, &stop) };
    assert_eq!(solve_or_find(&room, Measure::Moves, late).unwrap().unproven, Some(LimitKind::Time));
    assert!(matches!(
        solve_optimal(&room, Measure::Moves, late),
        Err(SearchFailure::GaveUp { limit: LimitKind::Time, .. })
    ));
}

/// A large room with many boxes, out of reach of any search.
fn hard_room() -> Board {
    let mut rows = vec![format!("#{}#", "#".repeat(30))];
    rows.extend((0..24).map(|row| match row {
        _ if row % 3 == 1 && row < 22 => format!("#  {}   #", " $ ".repeat(8)),
        _ if row % 3 == 2 && row < 22 => format!("#  {}   #", ".# ".repeat(8)),
        0 => format!("#@{}#", " ".repeat(29)),
        _ => format!("#{}#", " ".repeat(30)),
    }));
    rows.push(rows[0].clone());
    board(&rows.join("\n"))
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the test measures time")]
fn the_time_is_kept_on_a_hard_level() {
    let room = hard_room();
    let stop = AtomicBool::new(false);
    let late = AtomicBool::new(false);
    let over = AtomicBool::new(false);
    let after = std::thread::scope(|scope| {
        let search = scope.spawn(|| {
            let bounds = SearchBudget {
                time_up: Some(&late),
                time_over: Some(&over),
                ..SearchBudget::with_states(u64::MAX, &stop)
            };
            solve_or_find(&room, Measure::Moves, bounds)
        });
        std::thread::sleep(Duration::from_millis(300));
        late.store(true, Ordering::Relaxed);
        std::thread::sleep(Duration::from_millis(100));
        over.store(true, Ordering::Relaxed);
        let begun = Instant::now();
        let found = search.join().unwrap();
        assert!(
            !matches!(found, Err(SearchFailure::Unsolvable { .. })),
            "an unfinished search proves nothing"
        );
        begun.elapsed()
    });
    assert!(after < Duration::from_millis(1500), "{after:?} after the time was over");
}

#[test]
fn without_time_nothing_is_searched_and_nothing_is_claimed() {
    let room = hard_room();
    let stop = AtomicBool::new(false);
    let set = AtomicBool::new(true);
    let bounds = SearchBudget {
        time_up: Some(&set),
        time_over: Some(&set),
        ..SearchBudget::with_states(u64::MAX, &stop)
    };
    let Err(SearchFailure::GaveUp { states, limit: LimitKind::Time }) =
        solve_or_find(&room, Measure::Moves, bounds)
    else {
        panic!("expected the time limit");
    };
    assert!(states <= 10, "{states}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]
    #[test]
    #[ignore = "takes a minute; the same with fewer rooms runs always"]
    fn breadth_first_search_agrees_on_a_thousand_rooms(board in rooms()) {
        check(&board, Pruned::Nothing);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn breadth_first_search_agrees(board in rooms()) {
        check(&board, Pruned::Nothing);
    }

    #[test]
    fn the_rest_of_a_solution_is_the_solution_from_there(board in rooms()) {
        let Ok(found) = solved(&board, u64::MAX) else { return Ok(()) };
        let marks = deadlock::square_marks(&board.ground);
        let mut board = board;
        for (done, way) in found.directions.iter().enumerate() {
            prop_assert_eq!(solved(&board, u64::MAX).unwrap().directions, &found.directions[done..]);
            prop_assert!(board.step(*way).moved);
            let lost = |at: &Square| marks[usize::from(*at)] & (deadlock::DEAD | deadlock::TARGET) == deadlock::DEAD;
            prop_assert!(!board.boxes().iter().any(lost));
        }
        prop_assert!(board.is_solved());
    }
}

/// The target in the dead end can be filled only while the corner below it is empty.
#[test]
fn a_box_locked_on_a_target_that_blocks_another_one_is_a_deadlock() {
    let stop = AtomicBool::new(false);
    let bounds = SearchBudget::with_states(DEFAULT_STATES, &stop);
    let mode = FALLBACKS[2].mode(Measure::Pushes);
    let blocked = board("##########\n#.########\n#    $  @#\n#*       #\n##########");
    let found = super::run_search(&blocked, mode, bounds);
    assert_eq!(found, Err(SearchFailure::Unsolvable { states: 1 }), "no push is worth a look");
    let plain = super::run_search(&blocked, SearchMode::optimal(Measure::Pushes, false), bounds);
    assert!(matches!(plain, Err(SearchFailure::Unsolvable { states }) if states > 1), "{plain:?}");
    let open = board("##########\n#.########\n#    $  @#\n#.   $   #\n##########");
    assert!(super::run_search(&open, mode, bounds).is_ok());
}
