//! Kitty's graphics protocol, with placeholder cells: the picture is sent once under a number, and cells of text that
//! name the number, a row and a column show their part of it. What covers such a cell covers its part of the picture, in
//! tmux too.

use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ratatui::layout::Size;
use ratatui::style::Color;

use super::diacritics::DIACRITICS;

/// The end of a sequence.
pub(super) const END: &str = "\x1b\\";
/// The character of placeholder cells.
const PLACEHOLDER: char = '\u{10eeee}';
/// The most bytes of data in one sequence.
const CHUNK: usize = 4096;
/// The lowest byte of the number of a picture is from 1 to this. It is one of 256 colours, which tmux keeps where it
/// would change others.
pub(super) const NUMBERS: u32 = 255;
/// The highest number of a tile.
pub(super) const MOST_TILES: u32 = 0xff_ffff;
/// The most rows and columns of a picture.
pub(super) const MOST_CELLS: u16 = 255;

/// A part of a picture in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KittyCell {
    pub(super) id: u32,
    pub(super) row: u16,
    pub(super) column: u16,
}

impl KittyCell {
    /// The text of its cell. A cell right of the one with the column before may leave out its place.
    pub(super) fn symbol(self, left: Option<Self>) -> String {
        let follows = left.is_some_and(|left| Self { column: left.column + 1, ..left } == self);
        let mut symbol = String::from(PLACEHOLDER);
        if !follows {
            let [highest, ..] = self.id.to_be_bytes();
            let highest = Some(u16::from(highest)).filter(|highest| *highest > 0);
            let places = [Some(self.row), Some(self.column), highest].into_iter().flatten();
            symbol.extend(places.filter_map(|place| DIACRITICS.get(usize::from(place))));
        }
        symbol
    }

    /// The colour of the text of its cell.
    pub(super) fn color(self) -> Color {
        let [.., lowest] = self.id.to_be_bytes();
        Color::Indexed(lowest)
    }
}

/// The text of binary data.
pub(super) fn base64(data: &[u8]) -> String {
    STANDARD.encode(data)
}

/// Sends a picture (Base64 of a PNG) that fills this many placeholder cells. The terminal answers nothing.
pub(super) fn transmit(id: u32, data: &str, cells: Size) -> String {
    in_chunks(format!("a=T,U=1,q=2,f=100,i={id},c={},r={},", cells.width, cells.height), data)
}

/// Sends a picture (Base64 of a PNG) and shows it over this many cells from the cursor, which stays where it is.
pub(super) fn place(id: u32, data: &str, cells: Size) -> String {
    in_chunks(format!("a=T,C=1,q=2,f=100,i={id},c={},r={},", cells.width, cells.height), data)
}

/// The sequences that send data; the first one has these keys.
fn in_chunks(mut keys: String, data: &str) -> String {
    let mut sequences = String::with_capacity(data.len() + 128);
    let mut chunks = data.as_bytes().chunks(CHUNK).peekable();
    while let Some(chunk) = chunks.next() {
        let more = u8::from(chunks.peek().is_some());
        let text = std::str::from_utf8(chunk).unwrap_or_default();
        // Writing to a string cannot fail.
        let _ = write!(sequences, "\x1b_G{keys}m={more};{text}\x1b\\");
        "q=2,".clone_into(&mut keys);
    }
    sequences
}

/// Deletes a picture with its data.
pub(super) fn delete(id: u32) -> String {
    format!("\x1b_Ga=d,d=I,q=2,i={id}\x1b\\")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_picture_is_sent_in_parts_and_only_the_first_has_its_keys() {
        let text = transmit(7, &base64(&[0; 4000]), Size::new(3, 2));
        let parts: Vec<&str> = text.split_terminator("\x1b\\").collect();
        assert_eq!(parts.len(), 2);
        assert!(parts[0].starts_with("\x1b_Ga=T,U=1,q=2,f=100,i=7,c=3,r=2,m=1;AAAA"));
        assert!(parts[1].starts_with("\x1b_Gq=2,m=0;"));
        let data: usize = parts.iter().map(|part| part.split_once(';').unwrap().1.len()).sum();
        assert_eq!(data, 4000_usize.div_ceil(3) * 4);
        assert_eq!(delete(7), "\x1b_Ga=d,d=I,q=2,i=7\x1b\\");
    }

    #[test]
    fn a_cell_names_its_place_unless_it_follows_from_the_one_before() {
        let cell = KittyCell { id: 3, row: 1, column: 2 };
        assert_eq!(cell.symbol(None), "\u{10eeee}\u{30d}\u{30e}");
        assert_eq!(cell.symbol(Some(KittyCell { column: 1, ..cell })), "\u{10eeee}");
        for other in [KittyCell { column: 2, ..cell }, KittyCell { row: 0, column: 1, ..cell }] {
            assert_eq!(cell.symbol(Some(other)).chars().count(), 3);
        }
        assert_eq!(cell.color(), Color::Indexed(3));
        let owned = KittyCell { id: 2 << 24 | 3, ..cell };
        assert_eq!(
            (owned.symbol(None), owned.color()),
            ("\u{10eeee}\u{30d}\u{30e}\u{30e}".into(), Color::Indexed(3))
        );
    }
}
