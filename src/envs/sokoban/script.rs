//! Text and facts of a board as the bytes that its digest covers, written without making either: what stands still
//! is written once for all boards of a ground, and what moves is put on top.

use std::fmt;
use std::fmt::Write as _;
use std::sync::OnceLock;

use super::board::Board;
use super::board::Square;

/// What the characters of a board mean.
pub(super) const LEGEND: &str =
    "# wall, . target, $ box, * box on target, @ player, + player on target, space floor";

/// What is the same on all boards of one ground; made from the first of them that is asked for.
#[derive(Default)]
pub(super) struct Script(OnceLock<Lines>);

struct Lines {
    /// Everything up to the end of the drawn board in the facts, without player and boxes.
    still: Box<[u8]>,
    spots: Box<[Spot]>,
    /// Each square as the facts name it.
    places: Box<[Box<str>]>,
    /// What stands between the drawn board and the player.
    sizes: String,
    /// What stands between the boxes and their count.
    targets: String,
}

/// Where the character of a square stands in the text and in the facts.
#[derive(Clone, Copy)]
struct Spot {
    text: usize,
    facts: usize,
}

impl Script {
    /// Writes the text of this board, a zero byte, and its facts as compact JSON.
    pub(super) fn imprint(&self, board: &Board, write: &mut dyn FnMut(&[u8])) {
        self.0.get_or_init(|| Lines::new(board)).imprint(board, write);
    }
}

impl Lines {
    fn new(board: &Board) -> Self {
        let ground = &board.ground;
        let place = |square| {
            let (row, column) = ground.place(square);
            format!("[{row},{column}]").into_boxed_str()
        };
        let places: Box<[_]> = ground.squares().map(place).collect();
        let targets = ground.squares().filter(|square| ground.is_target(*square));
        let targets: Vec<&str> = targets.map(|square| &*places[usize::from(square)]).collect();
        let (still, spots) = drawn(board);
        Self {
            still,
            spots,
            sizes: format!("\",\"rows\":{},\"columns\":{},\"player\":", ground.rows, ground.columns),
            targets: format!("],\"targets\":[{}],\"boxes_on_target\":", targets.join(",")),
            places,
        }
    }

    fn imprint(&self, board: &Board, write: &mut dyn FnMut(&[u8])) {
        let place = |square: &Square| self.places[usize::from(*square)].as_bytes();
        let mut page = Page { bytes: [0; PAGE], filled: 0, write };
        for (number, piece) in self.still.chunks(PAGE).enumerate() {
            page.put(piece);
            self.stamp(board, number * PAGE, &mut page.bytes);
        }
        page.put(self.sizes.as_bytes());
        page.put(place(&board.player));
        page.put(b",\"boxes\":[");
        for (index, square) in board.boxes().iter().enumerate() {
            page.put(if index == 0 { b"" } else { b"," });
            page.put(place(square));
        }
        page.put(self.targets.as_bytes());
        // Gathering cannot fail.
        let _ = write!(page, "{}}}", board.homes());
        page.turn();
    }

    /// Puts what moves on a piece of the drawn boards that starts here.
    fn stamp(&self, board: &Board, start: usize, piece: &mut [u8]) {
        for square in board.boxes().iter().chain([&board.player]) {
            let Spot { text, facts } = self.spots[usize::from(*square)];
            let letter = u8::try_from(board.look(*square).letter()).unwrap_or(b'?');
            for at in [text, facts] {
                if let Some(byte) = at.checked_sub(start).and_then(|at| piece.get_mut(at)) {
                    *byte = letter;
                }
            }
        }
    }
}

/// Bytes that are written at once: many small pieces cost a hash more than their bytes.
const PAGE: usize = 1024;

/// Gathers pieces.
struct Page<'a> {
    bytes: [u8; PAGE],
    filled: usize,
    write: &'a mut dyn FnMut(&[u8]),
}

impl Page<'_> {
    fn put(&mut self, bytes: &[u8]) {
        for piece in bytes.chunks(PAGE) {
            if self.filled + piece.len() > PAGE {
                self.turn();
            }
            self.bytes[self.filled..][..piece.len()].copy_from_slice(piece);
            self.filled += piece.len();
        }
    }

    fn turn(&mut self) {
        (self.write)(&self.bytes[..self.filled]);
        self.filled = 0;
    }
}

impl fmt::Write for Page<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.put(text.as_bytes());
        Ok(())
    }
}

/// Text and facts up to the end of the drawn board, without what moves, and the spots of all squares in them.
fn drawn(board: &Board) -> (Box<[u8]>, Box<[Spot]>) {
    const FACTS: &str = "{\"board\":\"";
    // Rows end where they end in every board of this ground: nothing that can move is beyond the last wall.
    let still = board.to_string().replace(['@', '$'], " ").replace(['+', '*'], ".");
    let text = format!("{still}\n\n{LEGEND}\n\0{FACTS}");
    let (columns, mut start) = (usize::from(board.ground.columns), 0);
    let mut spots = Vec::with_capacity(board.ground.walls.len());
    for (row, line) in still.split('\n').enumerate() {
        // A line break takes two characters in JSON.
        spots.extend((start..start + columns).map(|at| Spot { text: at, facts: text.len() + row + at }));
        start += line.len() + 1;
    }
    let whole = text + &still.replace('\n', "\\n");
    (whole.into_bytes().into(), spots.into())
}
