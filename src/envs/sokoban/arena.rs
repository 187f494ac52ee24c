//! A room made for speed: the same rules as [`super::Room`], stepped in place on bytes, without words, facts or
//! allocation. `rules` says them in plain words, and tests hold the two against each other.

use std::sync::Arc;

use super::board::Board;
use super::board::Way;
use super::cells;
use super::cells::BOX;
use super::cells::PLAYER;
use super::cells::TARGET;
use super::cells::WALL;
use super::options::Settings;
use super::rules;
use super::sheet::Sheet;
use super::xsb;
use crate::domain::Level;
use crate::domain::OptionError;
use crate::domain::Options;

/// A room that is stepped in place. A clone is a checkpoint.
///
/// Actions are [`Way`]s; rewards are whole numbers of half points (`MageBench`: -1 a step, 10 more for a box that
/// enters a target, -10 for one that leaves, 100 more for the last one), so that sums are exact. Nothing here ends
/// an episode: a solved room can be played on.
#[derive(Clone)]
pub struct Arena {
    /// The board between two rims of one row, so that the square beyond a wall can always be looked at.
    cells: Box<[u8]>,
    at: Place,
    start: Arc<Start>,
    sheet: Arc<Sheet>,
    /// What the picture shows that was painted last.
    shown: Box<[u8]>,
}

/// What a step changes besides the bytes.
#[derive(Clone, Copy)]
struct Place {
    player: usize,
    /// Boxes that stand on no target.
    away: i32,
}

/// What the room was at the start, and what never changes.
struct Start {
    cells: Box<[u8]>,
    at: Place,
    rows: usize,
    columns: usize,
}

impl Arena {
    /// The room of a level that was read, at its start; of the options only `tile` and `tiles` matter. Besides a wrong
    /// setting it refuses a text that is no level, under the name `level`.
    pub fn new(level: &Level, options: &Options) -> Result<Self, OptionError> {
        Self::with(level, Arc::new(Settings::read(options)?.sheet()))
    }

    /// The same with a sheet that others may share.
    pub(super) fn with(level: &Level, sheet: Arc<Sheet>) -> Result<Self, OptionError> {
        let refused =
            |why: crate::domain::LevelError| OptionError { name: "level".to_owned(), why: why.to_string() };
        Ok(Self::of(&xsb::read_one(&level.text).map_err(refused)?, sheet))
    }

    fn of(board: &Board, sheet: Arc<Sheet>) -> Self {
        let (rows, columns) = (usize::from(board.ground.rows), usize::from(board.ground.columns));
        let mut inner = cells::still(&board.ground);
        cells::put(board, &mut inner);
        let rim = vec![WALL; columns];
        let cells: Box<[u8]> = [rim.as_slice(), &inner, &rim].concat().into();
        let away = i32::try_from(board.boxes().len() - board.homes()).unwrap_or(i32::MAX);
        let at = Place { player: columns + usize::from(board.player), away };
        let shown = vec![cells::UNKNOWN; inner.len()].into();
        Self { cells: cells.clone(), at, start: Arc::new(Start { cells, at, rows, columns }), sheet, shown }
    }

    /// Rows and columns of squares.
    pub fn size(&self) -> (usize, usize) {
        (self.start.rows, self.start.columns)
    }

    /// Walks, or pushes the one box in the way; the reward in half points. A move that is blocked changes nothing
    /// and costs what a step costs.
    #[inline]
    pub fn step(&mut self, way: Way) -> i32 {
        let columns = self.start.columns;
        let by = match way {
            Way::Left => 1_usize.wrapping_neg(),
            Way::Right => 1,
            Way::Up => columns.wrapping_neg(),
            Way::Down => columns,
        };
        self.at.advance(&mut self.cells, by)
    }

    /// Whether every box stands on a target.
    pub fn is_solved(&self) -> bool {
        self.at.away == 0
    }

    /// Takes the room back to its start.
    pub fn reset(&mut self) {
        self.cells.copy_from_slice(&self.start.cells);
        self.at = self.start.at;
    }

    /// The board, a byte a square.
    fn board(&self) -> &[u8] {
        let rim = self.start.columns;
        &self.cells[rim..self.cells.len() - rim]
    }

    /// Writes the number of each square, row by row, as gym-sokoban's `room_state` has it (0 wall, 1 floor, 2 empty
    /// target, 3 box on a target, 4 box elsewhere, 5 player), and 6 for the player on a target. `false`, with
    /// nothing written, when `states` has not one byte a square.
    #[must_use]
    pub fn encode(&self, states: &mut [u8]) -> bool {
        if states.len() != self.board().len() {
            return false;
        }
        for (state, cell) in states.iter_mut().zip(self.board()) {
            *state = cells::state(*cell);
        }
        true
    }

    /// Width and height of the picture in pixels.
    pub fn pixels(&self) -> (usize, usize) {
        (self.start.columns * self.sheet.side(), self.start.rows * self.sheet.side())
    }

    /// Bytes of the picture: 8 bits for each of red, green and blue, rows from the top, no padding.
    pub fn bytes(&self) -> usize {
        self.sheet.bytes(self.start.rows * self.start.columns)
    }

    /// Paints the whole picture. `false`, with nothing painted, when `rgb` has not exactly [`Arena::bytes`] bytes.
    #[must_use]
    pub fn paint(&mut self, rgb: &mut [u8]) -> bool {
        if rgb.len() != self.bytes() {
            return false;
        }
        let rim = self.start.columns;
        let board = &self.cells[rim..self.cells.len() - rim];
        self.sheet.whole(board, self.start.columns, rgb);
        self.shown.copy_from_slice(board);
        true
    }

    /// Paints the squares that have changed since this room was painted last, into the picture that was painted
    /// then; a room that was never painted is painted whole. `false`, with nothing painted, when `rgb` has not
    /// exactly [`Arena::bytes`] bytes.
    #[must_use]
    pub fn repaint(&mut self, rgb: &mut [u8]) -> bool {
        if rgb.len() != self.bytes() {
            return false;
        }
        let rim = self.start.columns;
        let board = &self.cells[rim..self.cells.len() - rim];
        self.sheet.changed(board, &mut self.shown, rim, rgb);
        true
    }
}

impl Place {
    /// A step by so many squares (negative ones wrap). What a wall, a box or a target ahead brings about is
    /// reckoned and not branched on: nobody can foretell it, and a wrong guess costs more than the whole step.
    #[inline]
    fn advance(&mut self, cells: &mut [u8], by: usize) -> i32 {
        let from = self.player;
        let to = from.wrapping_add(by);
        let past = to.wrapping_add(by);
        let (ahead, beyond) = (cells[to], cells[past]);
        let filled = (ahead / BOX) & 1;
        let solid = (beyond | (beyond / BOX)) & WALL;
        let moved = 1 ^ ((ahead & WALL) | (filled & solid));
        let pushed = moved & filled;
        cells[from] ^= PLAYER * moved;
        cells[to] = ahead ^ ((PLAYER * moved) | (BOX * pushed));
        cells[past] = beyond | (BOX * pushed);
        self.player = if moved == 0 { from } else { to };
        let home =
            i32::from(pushed) * (i32::from(beyond & TARGET) - i32::from(ahead & TARGET)) / i32::from(TARGET);
        self.away -= home;
        let done = i32::from(home > 0 && self.away == 0);
        rules::STEP + rules::HOME * home + rules::DONE * done
    }
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use proptest::prelude::*;

    use super::super::boards::boards;
    use super::super::tiles::Tiles;
    use super::super::xsb::board;
    use super::*;

    /// Sheets of two sizes, the usual one first.
    static SHEETS: LazyLock<[Arc<Sheet>; 2]> =
        LazyLock::new(|| [16, 9].map(|side| Arc::new(Sheet::new(Tiles::default(), side))));

    fn arena(text: &str) -> Arena {
        Arena::of(&board(text), SHEETS[0].clone())
    }

    /// What the plain rules make of a board, byte for byte.
    fn bytes(board: &Board) -> Vec<u8> {
        let mut bytes = cells::still(&board.ground);
        cells::put(board, &mut bytes);
        bytes.into_vec()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        /// Rewards, squares and the end, on any board and by any moves, are those of the plain rules.
        #[test]
        fn it_plays_by_the_plain_rules(text in boards(), moves in proptest::collection::vec(0..4_usize, 1..200)) {
            let Ok(mut plain) = super::super::xsb::read_one(&text) else { return Ok(()) };
            let mut fast = Arena::of(&plain, SHEETS[0].clone());
            for number in moves {
                let way = Way::ALL[number];
                prop_assert_eq!(fast.step(way), plain.step(way).halves);
                prop_assert_eq!(fast.board(), bytes(&plain));
                prop_assert_eq!(fast.is_solved(), plain.is_solved());
            }
            fast.reset();
            prop_assert_eq!(fast.board(), bytes(&super::super::xsb::board(&text)));
        }

        /// What is painted bit by bit is what is painted at once.
        #[test]
        fn a_repainted_picture_is_the_whole_picture(
            text in boards(), moves in proptest::collection::vec(0..4_usize, 1..60), sheet in 0..2_usize,
        ) {
            let Ok(board) = super::super::xsb::read_one(&text) else { return Ok(()) };
            let mut room = Arena::of(&board, SHEETS[sheet].clone());
            let (mut kept, mut whole) = (vec![1; room.bytes()], vec![2; room.bytes()]);
            for (index, number) in moves.into_iter().enumerate() {
                room.step(Way::ALL[number]);
                if index % 3 == 2 {
                    continue;
                }
                prop_assert!(room.repaint(&mut kept) && room.clone().paint(&mut whole));
                prop_assert!(kept == whole);
            }
        }
    }

    #[test]
    fn rewards_are_half_points() {
        let mut room = arena("########\n#@$. $.#\n########");
        let halves = [Way::Right; 4].map(|way| room.step(way));
        assert_eq!(halves, [9, -11, -1, -1], "onto the target, off it, then blocked by two in line");
        let mut room = arena("######\n#@$ .#\n######");
        assert_eq!([Way::Right, Way::Right].map(|way| room.step(way)), [-1, 109]);
        assert!(room.is_solved());
        room.reset();
        assert!(!room.is_solved());
        assert_eq!([Way::Up, Way::Right, Way::Right].map(|way| room.step(way)), [-1, -1, 109]);
    }

    #[test]
    fn squares_are_numbered_as_in_gym() {
        let room = arena("  #####\n###+*.#\n#  $ $#\n#######");
        let mut states = [9; 28];
        assert!(room.encode(&mut states));
        assert_eq!(states[7..14], [0, 0, 0, 6, 3, 2, 0]);
        assert_eq!(states[14..21], [0, 1, 1, 4, 1, 4, 0]);
        assert!(!room.encode(&mut [0; 27]));
    }

    #[test]
    fn a_wide_room_is_painted_at_once_as_it_is_square_by_square() {
        let wall = "#".repeat(39);
        let middle = " * .$ ".repeat(5);
        let mut room = arena(&format!("{wall}\n#@$.{middle:34}#\n#{:35}$.#\n{wall}", ""));
        let (mut whole, mut squares) = (vec![1; room.bytes()], vec![2; room.bytes()]);
        assert!(room.clone().paint(&mut whole) && room.repaint(&mut squares));
        assert!(whole == squares);
    }

    #[test]
    fn a_picture_of_another_size_is_refused() {
        let mut room = arena("#####\n#@$.#\n#####");
        assert_eq!((room.size(), room.pixels(), room.bytes()), ((3, 5), (80, 48), 80 * 48 * 3));
        let mut rgb = vec![7; room.bytes() - 1];
        assert!(!room.paint(&mut rgb) && !room.repaint(&mut rgb) && rgb.iter().all(|byte| *byte == 7));
    }
}
