//! Detects equal levels: the same walls, targets, boxes and player, possibly rotated or mirrored.

use super::super::board::Board;
use super::super::xsb;
use mageyard_domain::{Level, LevelKey};

/// A key shared by exactly the levels that are equal under the eight symmetries of the square.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct SymmetryKey {
    columns: u16,
    contents: Box<[u8]>,
}

impl SymmetryKey {
    /// The key of a level; `None` for a text that is not a level.
    pub(super) fn of(level: &Level) -> Option<Self> {
        xsb::read_one(level.text()).ok().map(|board| Self::of_board(&board))
    }

    pub(super) fn of_board(board: &Board) -> Self {
        let looks = board.ground.squares().map(|square| board.content(square) as u8).collect();
        let mut one = Self { columns: board.ground.columns, contents: looks };
        let mut least = one.clone();
        for turn in 0..8 {
            one = if turn == 4 { one.mirrored() } else { one.turned() };
            least = least.min(one.clone());
        }
        least
    }

    /// Rotated by 90 degrees.
    fn turned(&self) -> Self {
        let columns = usize::from(self.columns);
        let rows = self.contents.len() / columns;
        let looks = (0..columns).flat_map(|column| (0..rows).rev().map(move |row| row * columns + column));
        Self {
            columns: u16::try_from(rows).unwrap_or(u16::MAX),
            contents: looks.map(|at| self.contents[at]).collect(),
        }
    }

    fn mirrored(&self) -> Self {
        let rows = self.contents.chunks(usize::from(self.columns));
        Self { columns: self.columns, contents: rows.flat_map(|row| row.iter().rev().copied()).collect() }
    }
}

impl From<SymmetryKey> for LevelKey {
    fn from(key: SymmetryKey) -> Self {
        let mut bytes = Vec::with_capacity(key.contents.len() + 2);
        bytes.extend(key.columns.to_be_bytes());
        bytes.extend_from_slice(&key.contents);
        Self::from(bytes)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::super::xsb::board;
    use super::*;

    #[test]
    fn the_eight_symmetric_levels_share_a_key_and_others_do_not() {
        let text = "######\n#@ $.#\n#$ # #\n# .  #\n######";
        let like = SymmetryKey::of_board(&board(text));
        let mut met = HashSet::from([like.clone()]);
        let mut one =
            SymmetryKey { columns: 6, contents: text.bytes().filter(|byte| *byte != b'\n').collect() };
        let mut seen = HashSet::new();
        for turn in 0..8 {
            one = if turn == 4 { one.mirrored() } else { one.turned() };
            let rows = one.contents.chunks(one.columns.into()).map(String::from_utf8_lossy);
            let drawn = rows.collect::<Vec<_>>().join("\n");
            met.insert(SymmetryKey::of_board(&board(&drawn)));
            seen.insert(drawn);
        }
        assert_eq!((met.len(), seen.len()), (1, 8));
        for other in [
            "######\n# @$.#\n#$ # #\n# .  #\n######",
            "######\n#@ $.#\n#$ # #\n#  . #\n######",
            "######\n#@ $.#\n#$ ###\n# .  #\n######",
            "######\n#@ $.#\n# $# #\n# .  #\n######",
        ] {
            assert_ne!(SymmetryKey::of_board(&board(other)), like, "{other}");
        }
    }
}
