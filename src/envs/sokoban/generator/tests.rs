//! The generator compared with a plain implementation of the same rules, and properties of every room.

use std::collections::HashSet;

use super::super::xsb;
use super::super::xsb::board;
use super::floor::FREE;
use super::groups::Preset;
use super::*;

/// The reverse play written plainly: recursive, every state copied.
struct Plain<'a> {
    cells: &'a Floor,
    seen: HashSet<State>,
    best: (u32, Cell, Vec<Cell>),
}

/// The player, and each box by its target: its cell and whether it was pulled.
type Boxes = Vec<(Cell, bool)>;
type State = (Cell, Boxes);

impl Plain<'_> {
    fn search(&mut self, player: Cell, boxes: &Boxes, pulls: u32, left: usize) {
        // Boxes are interchangeable in a state.
        let mut state = boxes.clone();
        state.sort_unstable();
        if left == 0 || self.seen.len() == 300_000 || !self.seen.insert((player, state)) {
            return;
        }
        let hidden = |target: &Cell| *target == player || boxes.iter().any(|(at, _)| at == target);
        let strayed: u32 =
            boxes.iter().zip(&self.cells.targets).map(|((at, _), to)| self.cells.distance(*at, *to)).sum();
        if !self.cells.targets.iter().any(hidden) && pulls * strayed > self.best.0 {
            self.best = (pulls * strayed, player, boxes.iter().map(|(at, _)| *at).collect());
        }
        for action in 0..8 {
            let near = self.cells.neighbours[usize::from(player)];
            let to = near[action % 4];
            let behind = near[[1, 0, 3, 2][action % 4]];
            if usize::from(to) == self.cells.len() || boxes.iter().any(|(at, _)| *at == to) {
                continue;
            }
            let mut next = boxes.clone();
            let drawn = next.iter_mut().find(|(at, _)| *at == behind).filter(|_| action < 4);
            let pulled = drawn.map(|place| *place = (player, true)).is_some();
            self.search(to, &next, pulls + u32::from(pulled), left - 1);
        }
    }
}

#[test]
fn the_reverse_play_agrees_with_the_plain_one() {
    let mut compared = 0;
    for (group, rooms) in GROUPS.iter().zip([40, 20, 6, 1, 1, 1, 1, 1]) {
        let mut made = Generator::new(group.shape, 11);
        for number in 0..rooms {
            let room = made.room(number);
            let cells = &made.cells;
            let mut plain = Plain { cells, seen: HashSet::new(), best: (0, FREE.into(), Vec::new()) };
            let boxes = cells.targets.iter().map(|target| (*target, false)).collect();
            let mut search = || plain.search(cells.player, &boxes, 0, 299);
            std::thread::scope(|scope| {
                let thread = std::thread::Builder::new().stack_size(64 << 20);
                thread.spawn_scoped(scope, &mut search).unwrap().join().unwrap();
            });
            let best = made.reverse.best();
            assert_eq!(plain.best.0, best.score, "{} {number}", group.name);
            if room.is_ok() {
                assert_eq!(
                    (plain.best.1, &plain.best.2),
                    (best.player, &best.boxes),
                    "{} {number}",
                    group.name
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 50, "{compared}");
}

#[test]
fn every_room_is_an_unsolved_level() {
    for group in &GROUPS {
        let mut made = Generator::new(group.shape, 5);
        for text in (0..12).filter_map(|number| made.room(number).ok()) {
            let room = board(&text);
            assert_eq!(room.to_string(), text, "as the writer writes it");
            assert_eq!(room.boxes_on_target(), 0);
            assert_eq!(room.boxes().len(), usize::from(group.shape.boxes));
            assert_eq!((room.ground.rows, room.ground.columns), (group.shape.rows, group.shape.columns));
        }
    }
}

#[test]
fn rooms_are_the_same_in_any_order() {
    let shape = GROUPS[1].shape;
    let mut forth = Generator::new(shape, 3);
    let first: Vec<_> = (0..30).map(|number| forth.room(number)).collect();
    let mut back = Generator::new(shape, 3);
    let mut last: Vec<_> = (0..30).rev().map(|number| back.room(number)).collect();
    last.reverse();
    assert_eq!(first, last);
    let different: HashSet<_> = first.iter().flatten().collect();
    assert!(different.len() > 25, "{}", different.len());
}

#[test]
fn no_shape_panics() {
    for (rows, columns, boxes) in [(4, 4, 1), (4, 4, 2), (4, 64, 3), (5, 5, 7), (64, 64, 20), (20, 6, 60)] {
        let mut made = Generator::new(Shape::new(rows, columns, boxes).unwrap(), 1);
        for text in (0..5).filter_map(|number| made.room(number).ok()) {
            assert_eq!(board(&text).boxes().len(), usize::from(boxes));
        }
    }
}

/// The seed of the shipped sets.
const SHIPPED: u64 = 1;

#[test]
fn the_shipped_sets_are_reproduced_from_their_seed() {
    let text = include_str!("../../../../levels/sokoban/full.xsb");
    assert!(text.contains("; mageyard levels generate --preset full --seed 1\n"));
    let levels = xsb::read(text).unwrap();
    let rooms = text.lines().filter_map(|line| line.rsplit_once("room: ")?.1.parse().ok());
    let rooms: Vec<u64> = rooms.collect();
    assert_eq!((levels.len(), rooms.len()), (182, 182));
    let first = xsb::read(include_str!("../../../../levels/sokoban/mini-v1.xsb")).unwrap();
    let mut all = levels.iter().zip(rooms);
    let mut few = first.iter();
    for group in &GROUPS {
        let mut made = Generator::new(group.shape, SHIPPED);
        // A large room takes a while without optimisation.
        let sampled = if group.shape.rows > 7 { 7 } else { 1 };
        for index in 0..group.count(Preset::Full) {
            let (level, room) = all.next().unwrap();
            assert_eq!(level.title.as_deref(), Some(&*format!("{}-{}", group.name, index + 1)));
            if index % sampled == 0 {
                assert_eq!(made.room(room).as_deref(), Ok(level.text()), "{}", level.label());
            }
            if index < group.count(Preset::Mini) {
                let twin = few.next().unwrap();
                assert_eq!((&twin.title, twin.text()), (&level.title, level.text()));
            }
        }
    }
    assert!(all.next().is_none() && few.next().is_none());
}
