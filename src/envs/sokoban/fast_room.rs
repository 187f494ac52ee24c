//! A room optimised for speed: the rules of [`super::Room`] on a byte per square, stepped in place, without
//! text, facts or allocation. `rules` has the plain version, and tests compare the two.

use std::sync::Arc;

use super::board::{Board, Direction};
use super::cell_bytes::{BOX, PLAYER, TARGET, WALL};
use super::options::Settings;
use super::tile_sheet::TileSheet;
use super::{cell_bytes, rules, xsb};
use mageyard_domain::{Level, OptionError, Options};

/// A room that is stepped in place. A clone is a checkpoint. It belongs to the training API: no episode of the program
/// runs it, episodes run [`super::Room`].
///
/// Rewards are whole half points (`MageBench`: -1 per step, +10 for a box pushed onto a target, -10 for one
/// pushed off, +100 for the last one), so that sums are exact. The room never ends an episode: a solved
/// room can be played on.
#[derive(Clone)]
pub struct FastRoom {
    /// The board between two extra rows of walls, so that the square beyond a wall always exists.
    cells: Box<[u8]>,
    moving: Moving,
    start: Arc<InitialState>,
    sheet: Arc<TileSheet>,
    /// The squares as last painted.
    painted: Box<[u8]>,
}

/// The part of the state that is not in the bytes.
#[derive(Clone, Copy)]
struct Moving {
    player: usize,
    /// Boxes that are not on a target.
    boxes_off_target: i32,
}

/// The initial state and the size.
struct InitialState {
    cells: Box<[u8]>,
    moving: Moving,
    rows: usize,
    columns: usize,
}

impl FastRoom {
    /// Opens a level at its start. Only the options `tile` and `tiles` matter. An error names the invalid
    /// setting, or `level` for a text that is not a level.
    pub fn new(level: &Level, options: &Options) -> Result<Self, OptionError> {
        Self::with_sheet(level, Arc::new(Settings::read(options)?.sheet()))
    }

    /// The same, with a shared tile sheet.
    pub(super) fn with_sheet(level: &Level, sheet: Arc<TileSheet>) -> Result<Self, OptionError> {
        let refused =
            |why: mageyard_domain::LevelError| OptionError { name: "level".to_owned(), why: why.to_string() };
        Ok(Self::from_board(&xsb::read_one(level.text()).map_err(refused)?, sheet))
    }

    fn from_board(board: &Board, sheet: Arc<TileSheet>) -> Self {
        let rows = usize::from(board.ground.rows);
        let columns = usize::from(board.ground.columns);
        let mut inner = cell_bytes::static_bytes(&board.ground);
        cell_bytes::add_moving(board, &mut inner);
        let rim = vec![WALL; columns];
        let cells: Box<[u8]> = [rim.as_slice(), &inner, &rim].concat().into();
        let away = i32::try_from(board.boxes().len() - board.boxes_on_target()).unwrap_or(i32::MAX);
        let moving = Moving { player: columns + usize::from(board.player), boxes_off_target: away };
        let painted = vec![cell_bytes::UNKNOWN; inner.len()].into();
        Self {
            cells: cells.clone(),
            moving,
            start: Arc::new(InitialState { cells, moving, rows, columns }),
            sheet,
            painted,
        }
    }

    /// Rows and columns.
    pub fn size(&self) -> (usize, usize) {
        (self.start.rows, self.start.columns)
    }

    /// Walks, or pushes the box ahead, and returns the reward in half points. A blocked move changes
    /// nothing and costs its usual half point.
    #[inline]
    pub fn step(&mut self, way: Direction) -> i32 {
        let columns = self.start.columns;
        let by = match way {
            Direction::Left => 1_usize.wrapping_neg(),
            Direction::Right => 1,
            Direction::Up => columns.wrapping_neg(),
            Direction::Down => columns,
        };
        self.moving.advance(&mut self.cells, by)
    }

    /// Whether every box is on a target.
    pub fn is_solved(&self) -> bool {
        self.moving.boxes_off_target == 0
    }

    /// Returns to the initial state.
    pub fn reset(&mut self) {
        self.cells.copy_from_slice(&self.start.cells);
        self.moving = self.start.moving;
    }

    /// The board, a byte per square.
    fn board(&self) -> &[u8] {
        let rim = self.start.columns;
        &self.cells[rim..self.cells.len() - rim]
    }

    /// Writes the number of each square, row by row, as in gym-sokoban's `room_state` (0 wall, 1 floor, 2
    /// empty target, 3 box on target, 4 box, 5 player), and 6 for the player on a target. Returns `false`
    /// and writes nothing if `states` does not have one byte per square.
    #[must_use]
    pub fn encode(&self, states: &mut [u8]) -> bool {
        if states.len() != self.board().len() {
            return false;
        }
        for (state, cell) in states.iter_mut().zip(self.board()) {
            *state = cell_bytes::room_state(*cell);
        }
        true
    }

    /// Width and height of the picture in pixels.
    pub fn pixels(&self) -> (usize, usize) {
        (self.start.columns * self.sheet.side(), self.start.rows * self.sheet.side())
    }

    /// Bytes of the picture: RGB with 8 bits each, rows from the top, no padding.
    pub fn bytes(&self) -> usize {
        self.sheet.bytes(self.start.rows * self.start.columns)
    }

    /// Paints the whole picture. Returns `false` and paints nothing if `rgb` does not have exactly
    /// [`FastRoom::bytes`] bytes.
    #[must_use]
    pub fn paint(&mut self, rgb: &mut [u8]) -> bool {
        if rgb.len() != self.bytes() {
            return false;
        }
        let rim = self.start.columns;
        let board = &self.cells[rim..self.cells.len() - rim];
        self.sheet.paint_all(board, self.start.columns, rgb);
        self.painted.copy_from_slice(board);
        true
    }

    /// Paints the squares that changed since the last painting into the picture of that time; paints
    /// everything the first time. Returns `false` and paints nothing if `rgb` does not have exactly
    /// [`FastRoom::bytes`] bytes.
    #[must_use]
    pub fn repaint(&mut self, rgb: &mut [u8]) -> bool {
        if rgb.len() != self.bytes() {
            return false;
        }
        let rim = self.start.columns;
        let board = &self.cells[rim..self.cells.len() - rim];
        self.sheet.paint_changed(board, &mut self.painted, rim, rgb);
        true
    }
}

impl Moving {
    /// Moves by `by` squares (negative offsets wrap). Walls, boxes and targets are computed with and not
    /// branched on: a mispredicted branch costs more than the whole step.
    #[inline]
    fn advance(&mut self, cells: &mut [u8], by: usize) -> i32 {
        let from = self.player;
        let to = from.wrapping_add(by);
        let past = to.wrapping_add(by);
        let ahead = cells[to];
        let beyond = cells[past];
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
        self.boxes_off_target -= home;
        let done = i32::from(home > 0 && self.boxes_off_target == 0);
        rules::STEP_COST + rules::BOX_ON_TARGET * home + rules::SOLVED_BONUS * done
    }
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use proptest::prelude::*;

    use super::super::random_boards::boards;
    use super::super::tiles::TileStyle;
    use super::super::xsb::board;
    use super::*;

    /// Tile sheets of two sizes, the usual one first.
    static SHEETS: LazyLock<[Arc<TileSheet>; 2]> =
        LazyLock::new(|| [16, 9].map(|side| Arc::new(TileSheet::new(TileStyle::default(), side))));

    fn arena(text: &str) -> FastRoom {
        FastRoom::from_board(&board(text), SHEETS[0].clone())
    }

    /// The bytes of a board by the plain rules.
    fn bytes(board: &Board) -> Vec<u8> {
        let mut bytes = cell_bytes::static_bytes(&board.ground);
        cell_bytes::add_moving(board, &mut bytes);
        bytes.into_vec()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        /// Rewards, squares and end are those of the plain rules, on any board and for any moves.
        #[test]
        fn a_fast_room_follows_the_plain_rules(text in boards(), moves in proptest::collection::vec(0..4_usize, 1..200)) {
            let Ok(mut plain) = super::super::xsb::read_one(&text) else { return Ok(()) };
            let mut fast = FastRoom::from_board(&plain, SHEETS[0].clone());
            for number in moves {
                let way = Direction::ALL[number];
                prop_assert_eq!(fast.step(way), plain.step(way).half_points);
                prop_assert_eq!(fast.board(), bytes(&plain));
                prop_assert_eq!(fast.is_solved(), plain.is_solved());
            }
            fast.reset();
            prop_assert_eq!(fast.board(), bytes(&super::super::xsb::board(&text)));
        }

        /// Repainting gives the same picture as painting.
        #[test]
        fn a_repainted_picture_is_the_whole_picture(
            text in boards(), moves in proptest::collection::vec(0..4_usize, 1..60), sheet in 0..2_usize,
        ) {
            let Ok(board) = super::super::xsb::read_one(&text) else { return Ok(()) };
            let mut room = FastRoom::from_board(&board, SHEETS[sheet].clone());
            let mut kept = vec![1; room.bytes()];
            let mut whole = vec![2; room.bytes()];
            for (index, number) in moves.into_iter().enumerate() {
                room.step(Direction::ALL[number]);
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
        let halves = [Direction::Right; 4].map(|way| room.step(way));
        assert_eq!(halves, [9, -11, -1, -1], "onto the target, off it, then blocked by two in line");
        let mut room = arena("######\n#@$ .#\n######");
        assert_eq!([Direction::Right, Direction::Right].map(|way| room.step(way)), [-1, 109]);
        assert!(room.is_solved());
        room.reset();
        assert!(!room.is_solved());
        assert_eq!(
            [Direction::Up, Direction::Right, Direction::Right].map(|way| room.step(way)),
            [-1, -1, 109]
        );
    }

    #[test]
    fn squares_are_numbered_as_in_gym_sokoban() {
        let room = arena("  #####\n###+*.#\n#  $ $#\n#######");
        let mut states = [9; 28];
        assert!(room.encode(&mut states));
        assert_eq!(states[7..14], [0, 0, 0, 6, 3, 2, 0]);
        assert_eq!(states[14..21], [0, 1, 1, 4, 1, 4, 0]);
        assert!(!room.encode(&mut [0; 27]));
    }

    #[test]
    fn a_wide_room_is_painted_the_same_at_once_and_square_by_square() {
        let wall = "#".repeat(39);
        let middle = " * .$ ".repeat(5);
        let mut room = arena(&format!("{wall}\n#@$.{middle:34}#\n#{:35}$.#\n{wall}", ""));
        let mut whole = vec![1; room.bytes()];
        let mut squares = vec![2; room.bytes()];
        assert!(room.clone().paint(&mut whole) && room.repaint(&mut squares));
        assert!(whole == squares);
    }

    #[test]
    fn a_buffer_of_the_wrong_size_is_refused() {
        let mut room = arena("#####\n#@$.#\n#####");
        assert_eq!((room.size(), room.pixels(), room.bytes()), ((3, 5), (80, 48), 80 * 48 * 3));
        let mut rgb = vec![7; room.bytes() - 1];
        assert!(!room.paint(&mut rgb) && !room.repaint(&mut rgb) && rgb.iter().all(|byte| *byte == 7));
    }
}
