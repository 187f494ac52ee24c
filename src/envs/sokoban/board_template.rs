//! What the boards of one ground have in common: the text without player and boxes, the bytes of text and facts as the
//! digest covers them, and the dead squares. It is made once; player and boxes are written over a copy.

use std::fmt;
use std::fmt::Write as _;
use std::sync::OnceLock;

use super::board::{Board, Square};
use super::deadlock::square_marks;

/// The meaning of the board characters.
pub(super) const LEGEND: &str =
    "# wall, . target, $ box, * box on target, @ player, + player on target, space floor";

/// What all boards of one ground share, built on first use.
#[derive(Default)]
pub(super) struct BoardTemplate(OnceLock<Template>);

struct Template {
    /// Everything up to the end of the board in the facts, without player and boxes.
    still: Box<[u8]>,
    /// The length of the text, with which `still` begins.
    text_length: usize,
    offsets: Box<[SquareOffsets]>,
    /// Each square as the facts write it.
    places: Box<[Box<str>]>,
    /// The bytes between the board and the player.
    sizes: String,
    /// The bytes between the boxes and their count.
    targets: String,
    marks: Box<[u8]>,
}

/// The offsets of a square's character in the text and in the facts.
#[derive(Clone, Copy)]
struct SquareOffsets {
    text: usize,
    facts: usize,
}

impl BoardTemplate {
    /// The static bits of each square, see [`square_marks`].
    pub(super) fn marks(&self, board: &Board) -> &[u8] {
        &self.0.get_or_init(|| Template::new(board)).marks
    }

    /// The board with the meaning of its characters.
    pub(super) fn text(&self, board: &Board) -> String {
        let template = self.0.get_or_init(|| Template::new(board));
        let mut text = template.still[..template.text_length].to_vec();
        template.stamp(board, 0, &mut text);
        // Every byte is ASCII.
        String::from_utf8(text).unwrap_or_default()
    }

    /// Writes the text of this board, a zero byte, and its facts as compact JSON.
    pub(super) fn hash_into(&self, board: &Board, write: &mut dyn FnMut(&[u8])) {
        self.0.get_or_init(|| Template::new(board)).hash_into(board, write);
    }
}

impl Template {
    fn new(board: &Board) -> Self {
        let ground = &board.ground;
        let place = |square| {
            let (row, column) = ground.row_column(square);
            format!("[{row},{column}]").into_boxed_str()
        };
        let places: Box<[_]> = ground.squares().map(place).collect();
        let targets = ground.squares().filter(|square| ground.is_target(*square));
        let targets: Vec<&str> = targets.map(|square| &*places[usize::from(square)]).collect();
        let (still, text_length, offsets) = static_bytes(board);
        Self {
            still,
            text_length,
            offsets,
            sizes: format!("\",\"rows\":{},\"columns\":{},\"player\":", ground.rows, ground.columns),
            targets: format!("],\"targets\":[{}],\"boxes_on_target\":", targets.join(",")),
            places,
            marks: square_marks(ground),
        }
    }

    fn hash_into(&self, board: &Board, write: &mut dyn FnMut(&[u8])) {
        let place = |square: &Square| self.places[usize::from(*square)].as_bytes();
        let mut page = WriteBuffer { bytes: [0; BUFFER], filled: 0, write };
        for (number, piece) in self.still.chunks(BUFFER).enumerate() {
            page.write(piece);
            self.stamp(board, number * BUFFER, &mut page.bytes);
        }
        page.write(self.sizes.as_bytes());
        page.write(place(&board.player));
        page.write(b",\"boxes\":[");
        for (index, square) in board.boxes().iter().enumerate() {
            page.write(if index == 0 { b"" } else { b"," });
            page.write(place(square));
        }
        page.write(self.targets.as_bytes());
        // Writing into the buffer cannot fail.
        let _ = write!(page, "{}}}", board.boxes_on_target());
        page.flush();
    }

    /// Writes player and boxes into a chunk that begins at `start`.
    fn stamp(&self, board: &Board, start: usize, piece: &mut [u8]) {
        for square in board.boxes().iter().chain([&board.player]) {
            let SquareOffsets { text, facts } = self.offsets[usize::from(*square)];
            let letter = u8::try_from(board.content(*square).letter()).unwrap_or(b'?');
            for at in [text, facts] {
                if let Some(byte) = at.checked_sub(start).and_then(|at| piece.get_mut(at)) {
                    *byte = letter;
                }
            }
        }
    }
}

/// Bytes per write: many small writes cost a hash more than their bytes.
const BUFFER: usize = 1024;

/// Collects small writes into large ones.
struct WriteBuffer<'a> {
    bytes: [u8; BUFFER],
    filled: usize,
    write: &'a mut dyn FnMut(&[u8]),
}

impl WriteBuffer<'_> {
    fn write(&mut self, bytes: &[u8]) {
        for piece in bytes.chunks(BUFFER) {
            if self.filled + piece.len() > BUFFER {
                self.flush();
            }
            self.bytes[self.filled..][..piece.len()].copy_from_slice(piece);
            self.filled += piece.len();
        }
    }

    fn flush(&mut self) {
        (self.write)(&self.bytes[..self.filled]);
        self.filled = 0;
    }
}

impl fmt::Write for WriteBuffer<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.write(text.as_bytes());
        Ok(())
    }
}

/// Text and facts up to the end of the board, without player and boxes, the length of the text, and the offsets of all
/// squares.
fn static_bytes(board: &Board) -> (Box<[u8]>, usize, Box<[SquareOffsets]>) {
    const FACTS: &str = "\0{\"board\":\"";
    // Rows end at the same column on every board of this ground: nothing moves beyond the last wall.
    let still = board.to_string().replace(['@', '$'], " ").replace(['+', '*'], ".");
    let text = format!("{still}\n\n{LEGEND}\n");
    let facts = text.len() + FACTS.len();
    let columns = usize::from(board.ground.columns);
    let mut start = 0;
    let mut spots = Vec::with_capacity(board.ground.walls.len());
    for (row, line) in still.split('\n').enumerate() {
        // A line break takes two characters in JSON.
        spots.extend((start..start + columns).map(|at| SquareOffsets { text: at, facts: facts + row + at }));
        start += line.len() + 1;
    }
    let text_length = text.len();
    let whole = text + FACTS + &still.replace('\n', "\\n");
    (whole.into_bytes().into(), text_length, spots.into())
}
