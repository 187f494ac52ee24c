//! Where a query occurs in rows of text.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use super::query::Query;
use mageyard_terminal::to_cells;

/// What begins a row and is no part of its text.
const GUTTERS: [&str; 9] = [" ", "│", "▶", "✗", "✂", "•", "┃", "|", "▸"];

/// A place in the rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Match {
    /// The row in which it begins.
    pub(crate) row: usize,
    /// Its parts: row, first column, columns. There are several if it is wrapped.
    pub(crate) parts: Vec<(usize, u16, u16)>,
}

/// A letter of the rows with its place.
struct Letter {
    folded: char,
    row: usize,
    column: u16,
    width: u16,
}

/// All places of a query in these rows, from the top; they do not overlap.
pub(crate) fn find_in_rows<'a>(rows: impl Iterator<Item = &'a str>, query: &Query) -> Vec<Match> {
    let letters = letters(rows, query);
    let wanted = query.letters();
    let mut found = Vec::new();
    let mut at = 0;
    while at + wanted.len() <= letters.len() {
        let here = &letters[at..at + wanted.len()];
        if here.iter().zip(wanted).all(|(letter, wanted)| letter.folded == *wanted) {
            found.push(to_match(here));
            at += wanted.len();
        } else {
            at += 1;
        }
    }
    found
}

/// The letters of the rows, with single spaces between words, also between rows.
fn letters<'a>(rows: impl Iterator<Item = &'a str>, query: &Query) -> Vec<Letter> {
    let mut letters: Vec<Letter> = Vec::new();
    for (row, text) in rows.enumerate() {
        let mut column = 0;
        let mut is_gutter = true;
        for piece in text.graphemes(true) {
            let width = to_cells(piece.width());
            is_gutter &= GUTTERS.contains(&piece);
            let is_space = piece.chars().all(char::is_whitespace);
            if is_space && letters.last().is_some_and(|last| last.folded != ' ') {
                letters.push(Letter { folded: ' ', row, column, width });
            } else if !is_space && !is_gutter {
                letters.extend(piece.chars().enumerate().map(|(index, letter)| Letter {
                    folded: query.folded(letter),
                    row,
                    column,
                    width: if index == 0 { width } else { 0 },
                }));
            }
            column += width;
        }
        if letters.last().is_some_and(|last| last.folded != ' ') {
            letters.push(Letter { folded: ' ', row, column, width: 0 });
        }
    }
    letters
}

fn to_match(letters: &[Letter]) -> Match {
    let mut parts: Vec<(usize, u16, u16)> = Vec::new();
    for letter in letters {
        match parts.last_mut().filter(|part| part.0 == letter.row) {
            Some(part) => part.2 = letter.column + letter.width - part.1,
            None => parts.push((letter.row, letter.column, letter.width)),
        }
    }
    parts.retain(|part| part.2 > 0);
    Match { row: letters.first().map_or(0, |letter| letter.row), parts }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(rows: &[&str], query: &str) -> Vec<Vec<(usize, u16, u16)>> {
        let query = Query::new(query).unwrap();
        find_in_rows(rows.iter().copied(), &query).into_iter().map(|one| one.parts).collect()
    }

    #[test]
    fn a_match_may_be_wrapped_and_gutters_are_no_text() {
        let rows = ["│ push the", "│ box to the wall", "", "▶ The  Wall"];
        assert_eq!(found(&rows, "the"), [[(0, 7, 3)], [(1, 9, 3)], [(3, 2, 3)]]);
        assert_eq!(found(&rows, "the box"), [[(0, 7, 3), (1, 2, 3)]]);
        assert_eq!(found(&rows, "the wall"), [[(1, 9, 8)], [(3, 2, 9)]]);
        assert_eq!(found(&rows, "Wall"), [[(3, 7, 4)]]);
        assert_eq!(found(&["箱を押す box"], "押す b"), [[(0, 4, 6)]]);
        assert_eq!(found(&["aaaaa"], "aa"), [[(0, 0, 2)], [(0, 2, 2)]]);
        assert!(found(&rows, "│").is_empty() && found(&[], "a").is_empty());
    }
}
