//! Tables as text. A level is three lines, such as `A: 3 1`, `B: 2`, `C:`, each with the books of its
//! region from the bottom up. A larger book may lie on a smaller one at the start. `;` begins a comment; a comment line
//! directly above a table is its title.

use std::fmt;

use super::table::{Book, MAX_BOOKS, Region, Table};
use mageyard_domain::{Level, LevelError};

const SYNTAX: &str = "a level is three lines, A:, B: and C:, each followed by its books from the bottom up";

/// A level's rows with their line numbers, not yet parsed.
struct RawLevel<'a> {
    title: Option<&'a str>,
    rows: Vec<(usize, &'a str)>,
}

/// Parses every level of a file. One invalid level refuses the file.
pub(super) fn read(text: &str) -> Result<Vec<Level>, LevelError> {
    let level = |(index, level): (usize, &RawLevel<'_>)| {
        let text = parse(level)?.to_string();
        Ok(Level::from_text(index + 1, level.title, text))
    };
    split(text)?.iter().enumerate().map(level).collect()
}

/// Parses a text that has exactly one level.
pub(super) fn read_one(text: &str) -> Result<Table, LevelError> {
    match split(text)?.as_slice() {
        [level] => parse(level),
        levels => Err(level_error(1, format!("expected one level, and the text has {}", levels.len()))),
    }
}

fn level_error(line: usize, reason: impl Into<String>) -> LevelError {
    LevelError { line, reason: reason.into() }
}

/// Splits a file into at least one level of three rows each.
fn split(text: &str) -> Result<Vec<RawLevel<'_>>, LevelError> {
    let (mut levels, mut title): (Vec<RawLevel<'_>>, _) = (Vec::new(), None);
    for (line, written) in (1..).zip(text.strip_prefix('\u{feff}').unwrap_or(text).lines()) {
        let (row, comment) = written.split_once(';').map_or((written, None), |(row, note)| (row, Some(note)));
        if !row.trim().is_empty() {
            add_row(&mut levels, line, row.trim(), title)?;
        }
        title = comment.map(str::trim).filter(|note| row.trim().is_empty() && !note.is_empty());
    }
    match levels.last() {
        None => Err(level_error(1, format!("the file has no level: {SYNTAX}"))),
        Some(RawLevel { rows, .. }) => match (Region::ALL.get(rows.len()), rows.last()) {
            (Some(region), Some((line, _))) => {
                Err(level_error(*line, format!("region {region} is missing after this line: {SYNTAX}")))
            }
            _ => Ok(levels),
        },
    }
}

/// Adds a row to the last level, or starts a new one.
fn add_row<'a>(
    levels: &mut Vec<RawLevel<'a>>,
    line: usize,
    row: &'a str,
    title: Option<&'a str>,
) -> Result<(), LevelError> {
    let (name, books) = row.split_once(':').unwrap_or((row, ""));
    let region = Region::ALL.into_iter().find(|region| region.letter() == name.trim() && row.contains(':'));
    let region =
        region.ok_or_else(|| level_error(line, format!("{} is not a region: {SYNTAX}", quoted(row))))?;
    if levels.last().is_none_or(|level| level.rows.len() == Region::ALL.len()) {
        levels.push(RawLevel { title, rows: Vec::new() });
    }
    let open = levels.last_mut().into_iter().find(|level| Region::ALL[level.rows.len()] == region);
    let Some(open) = open else {
        let next = levels.last().map_or(Region::A, |level| Region::ALL[level.rows.len()]);
        return Err(level_error(line, format!("region {next} is missing before region {region}: {SYNTAX}")));
    };
    open.rows.push((line, books));
    Ok(())
}

fn parse(level: &RawLevel<'_>) -> Result<Table, LevelError> {
    let mut table = Table::default();
    let mut places = [None; MAX_BOOKS];
    for (region, (line, books)) in Region::ALL.into_iter().zip(&level.rows) {
        for word in books.split_whitespace() {
            let book = add_book(&mut places, region, word).map_err(|reason| level_error(*line, reason))?;
            table = table.with_on_top(book, region);
        }
    }
    let first = level.rows.first().map_or(1, |(line, _)| *line);
    let count = places.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
    match places.iter().take_while(|place| place.is_some()).count() {
        0 if count == 0 => {
            Err(level_error(first, format!("there is no book on the table; 1 to {MAX_BOOKS} are required")))
        }
        whole if whole == count => Ok(table),
        missing => {
            let book = missing + 1;
            Err(level_error(
                first,
                format!("book {book} is missing: with a book {count}, all from 1 to {count} are required"),
            ))
        }
    }
}

/// Notes the region of a book that no region had before.
fn add_book(places: &mut [Option<Region>; MAX_BOOKS], region: Region, word: &str) -> Result<Book, String> {
    let book = parse_book(word)?;
    match places[usize::from(book) - 1].replace(region) {
        Some(other) => Err(format!("book {book} is already in region {other}: each book appears once")),
        None => Ok(book),
    }
}

fn parse_book(word: &str) -> Result<Book, String> {
    let read = word.parse().ok().filter(|book| (1..=MAX_BOOKS).contains(&usize::from(*book)));
    read.ok_or_else(|| {
        format!("{} is not a book: books are numbers from 1, the smallest, to {MAX_BOOKS}", quoted(word))
    })
}

/// User text in quotes, shortened to 24 characters.
fn quoted(text: &str) -> String {
    let short: String = text.chars().take(24).collect();
    let dots = if short.len() < text.len() { "…" } else { "" };
    format!("{:?}", short + dots)
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for region in Region::ALL {
            let gap = if region == Region::A { "" } else { "\n" };
            write!(f, "{gap}{region}:")?;
            self.pile(region).rev().try_for_each(|book| write!(f, " {book}"))?;
        }
        Ok(())
    }
}

/// A table for tests.
#[cfg(test)]
pub(super) fn table(text: &str) -> Table {
    read_one(text).expect("a level")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_numbered_titled_and_written_as_they_are_read() {
        let text = "\u{feff}; about this file\n\n; first\nA: 3 1 ; on top\r\n; between\n\n B :2\nC:\n\
                    A: 1\nB:\nC:\n\n; apart\n\n;\nA:\nB:\nC: 8 7 6 5 4 3 2 1\nA: 3\nB: 1 2\nC:";
        let levels = read(text).unwrap();
        let found: Vec<_> =
            levels.iter().map(|level| (level.number, level.title.as_deref(), level.text())).collect();
        let expected = [
            (1, Some("first"), "A: 3 1\nB: 2\nC:"),
            (2, None, "A: 1\nB:\nC:"),
            (3, None, "A:\nB:\nC: 8 7 6 5 4 3 2 1"),
            (4, None, "A: 3\nB: 1 2\nC:"),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_bad_level_is_refused_with_its_line_and_the_reason() {
        for (text, line, reason) in [
            ("", 1, "the file has no level: a level is three lines, A:, B: and C:"),
            ("; only words\n\n", 1, "the file has no level"),
            ("A: 1\nB:\n", 2, "region C is missing after this line"),
            ("A: 1\n; no more", 1, "region B is missing after this line"),
            ("A: 1\nC:\nB:", 2, "region B is missing before region C"),
            ("\nB: 1\nA:\nC:", 2, "region A is missing before region B"),
            ("A: 1\nA: 2\nB:\nC:", 2, "region B is missing before region A"),
            ("A: 1\nB:\nC:\n\nB:", 5, "region A is missing before region B"),
            ("A: 1\nB\nC:", 2, "\"B\" is not a region: a level is three lines"),
            ("a: 1\nB:\nC:", 1, "\"a: 1\" is not a region"),
            ("A: 1\nB:\nC:\nD: 2", 4, "\"D: 2\" is not a region"),
            ("#####\n#@$.#\n#####", 1, "\"#####\" is not a region"),
            ("A:\nB:\nC:", 1, "there is no book on the table; 1 to 8 are required"),
            ("; x\nA: 3 1\nB:\nC:", 2, "book 2 is missing: with a book 3, all from 1 to 3 are required"),
            ("A: 2\nB:\nC:", 1, "book 1 is missing: with a book 2"),
            ("A: 2\nB: 1\nC: 2", 3, "book 2 is already in region A"),
            ("A: 2 2\nB: 1\nC:", 1, "book 2 is already in region A"),
            (
                "A: 9 8 7 6 5 4 3 2 1\nB:\nC:",
                1,
                "\"9\" is not a book: books are numbers from 1, the smallest, to 8",
            ),
            ("A: 1\nB: 0\nC:", 2, "\"0\" is not a book"),
            ("A: 1\nB: -2\nC:", 2, "\"-2\" is not a book"),
            ("A: 1\nB: 2,3\nC:", 2, "\"2,3\" is not a book"),
            ("A: 1\nB: \u{1b}[2J\nC:", 2, "\"\\u{1b}[2J\" is not a book"),
            ("A: 99999999999999999999999999\nB:\nC:", 1, "\"999999999999999999999999…\" is not a book"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.reason.contains(reason), "{text:?}: {error}");
            assert_eq!(error.line, line, "{text:?}: {error}");
        }
        let two = read_one("A: 1\nB:\nC:\nA:\nB: 1\nC:").unwrap_err();
        assert!(two.reason.contains("the text has 2"), "{two}");
    }

    proptest::proptest! {
        #[test]
        fn no_text_makes_the_reader_panic(text in "([ABC]: ?|[1-9] |\n|[;x]| ){0,30}") {
            for level in read(&text).unwrap_or_default() {
                proptest::prop_assert_eq!(table(level.text()).to_string(), level.text());
            }
        }
    }
}
