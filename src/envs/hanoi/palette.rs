//! The colours of the pictures, in two styles.

use super::canvas::Rgb;
use super::table::{Book, Region};

pub(super) const WALL: [Rgb; 2] = [[42, 47, 66], [46, 52, 72]];
pub(super) const RAIL: Rgb = [60, 67, 90];
pub(super) const SKIRT: Rgb = [28, 31, 44];
pub(super) const PLANK: [Rgb; 3] = [[176, 117, 66], [164, 106, 58], [184, 126, 74]];
pub(super) const JOINT: Rgb = [122, 76, 40];
pub(super) const BACK: Rgb = [206, 150, 94];
pub(super) const FRONT: [Rgb; 2] = [[112, 68, 36], [84, 50, 27]];
const FELT: Rgb = [30, 62, 58];
const SHADE: Rgb = [18, 40, 38];
const CHALK: Rgb = [226, 232, 222];
const GOLD: Rgb = [255, 204, 84];
const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];
const YELLOW: Rgb = [255, 220, 0];

/// Colours of the books from the smallest: light, face and dark.
const BOOK_COLOURS: [[Rgb; 3]; 8] = [
    [[255, 150, 140], [236, 84, 82], [96, 18, 28]],
    [[150, 200, 255], [84, 150, 246], [16, 44, 104]],
    [[255, 236, 150], [246, 204, 70], [104, 70, 6]],
    [[166, 240, 170], [82, 196, 106], [10, 74, 36]],
    [[216, 186, 255], [170, 124, 242], [58, 24, 112]],
    [[255, 196, 140], [246, 142, 60], [106, 46, 6]],
    [[150, 238, 240], [52, 192, 200], [4, 70, 80]],
    [[255, 255, 255], [214, 218, 228], [70, 76, 96]],
];

/// The faces of the books from the smallest, far apart; their edges and numbers are black.
const STRONG_COLOURS: [Rgb; 8] = [
    [255, 64, 64],
    [72, 144, 255],
    [255, 240, 96],
    [0, 208, 72],
    [255, 96, 255],
    [255, 144, 0],
    [0, 224, 232],
    [240, 240, 240],
];

/// How pictures are coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// A wooden table with mats of felt in a room.
    Wood,
    /// Few strong colours on black.
    Contrast,
}

impl Style {
    /// The ground behind everything.
    pub(super) fn ground(self) -> Rgb {
        if self == Self::Wood { WALL[0] } else { BLACK }
    }

    /// The surface of a mat, and the shade of a book on it.
    pub(super) fn mat(self) -> [Rgb; 2] {
        if self == Self::Wood { [FELT, SHADE] } else { [BLACK, BLACK] }
    }

    /// The edge and the letter of a mat. Those of the goal have a colour of their own.
    pub(super) fn ink(self, region: Region) -> Rgb {
        match (self, region) {
            (Self::Wood, Region::C) => GOLD,
            (Self::Wood, _) => CHALK,
            (Self::Contrast, Region::C) => YELLOW,
            (Self::Contrast, _) => WHITE,
        }
    }

    /// Light, face and dark of a book; white of a book that the table cannot have.
    pub(super) fn book(self, book: Book) -> [Rgb; 3] {
        let index = usize::from(book).saturating_sub(1);
        let strong = || STRONG_COLOURS.get(index).map(|face| [*face, *face, BLACK]);
        let found = if self == Self::Wood { BOOK_COLOURS.get(index).copied() } else { strong() };
        found.unwrap_or([WHITE, WHITE, BLACK])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strong_colours_differ_and_none_is_that_of_an_edge() {
        let colours = STRONG_COLOURS.iter().chain([&BLACK, &WHITE, &YELLOW]);
        let all: Vec<&Rgb> = colours.collect();
        for (index, one) in all.iter().enumerate() {
            for other in &all[..index] {
                let apart: u16 = (0..3).map(|at| u16::from(one[at].abs_diff(other[at]))).sum();
                assert!(apart >= 45, "{one:?} and {other:?}");
            }
        }
    }
}
