//! Boards as text: parses a board in XSB (run lengths included), checks it, and writes it.

use std::borrow::Cow;
use std::fmt;

use super::board::{Board, SquareContent};
use super::board_builder::BoardBuilder;
use super::collection::{RawLevel, split};
use super::notes::{NoteLine, Notes, replay};
use super::{collection, run_length};
use mageyard_domain::{FileNotes, Level, LevelError, sanitize};

/// The most rows and the most columns of a board.
const MAX_SIDE: usize = 256;
/// The most squares of a board, 64 x 64: frames, facts and searches grow with each of them.
const MAX_SQUARES: usize = 4096;

/// Parses every level of a file. One invalid level refuses the file.
pub(super) fn read(text: &str) -> Result<Vec<Level>, LevelError> {
    let raw_levels = split(text);
    if raw_levels.is_empty() {
        return Err(no_level());
    }
    let several = raw_levels.len() > 1;
    let level = |(index, raw): (usize, &RawLevel<'_>)| {
        let board = parse(raw).map_err(|errors| {
            if several { name_level(&errors.first, index + 1, raw) } else { errors.first }
        })?;
        let mut notes = parse_notes(raw)?;
        if notes.solution.is_none() {
            notes.solution = raw.bare_solution.and_then(|packed| solution_of(&board, packed));
        }
        let text = format!("{board}{notes}");
        Ok(Level::from_text(index + 1, raw.title, text))
    };
    raw_levels.iter().enumerate().map(level).collect()
}

/// Every error of a file, in file order.
pub(super) fn errors(text: &str) -> Vec<LevelError> {
    let raw_levels = split(text);
    if raw_levels.is_empty() {
        return vec![no_level()];
    }
    let several = raw_levels.len() > 1;
    let mut errors = Vec::new();
    for (number, raw) in (1..).zip(&raw_levels) {
        let found = parse(raw).err().into_iter().flat_map(BoardErrors::into_all);
        errors.extend(found.map(|error| if several { name_level(&error, number, raw) } else { error }));
        let mut notes = Notes::default();
        let wrong = |(line, note): &(usize, NoteLine<'_>)| {
            notes.add(*note).err().map(|reason| LevelError { line: *line, reason })
        };
        errors.extend(raw.notes.iter().filter_map(wrong));
    }
    errors
}

/// The comments of a file.
pub(super) fn file_notes(text: &str) -> FileNotes {
    let collection = collection::parse(text);
    let texts = |lines: &[(usize, &str)]| lines.iter().map(|(_, text)| (*text).to_owned()).collect();
    FileNotes {
        collection: texts(&collection.comments),
        levels: collection.levels.iter().map(|level| texts(&level.comments)).collect(),
    }
}

fn no_level() -> LevelError {
    let reason = "the file has no level: a level is drawn with # @ + $ * . and spaces, one line per row";
    LevelError { line: 1, reason: reason.to_owned() }
}

fn name_level(error: &LevelError, number: usize, raw: &RawLevel<'_>) -> LevelError {
    let title = raw.title.map(|title| format!(" ({})", sanitize(title))).unwrap_or_default();
    LevelError { reason: format!("level {number}{title}: {}", error.reason), line: error.line }
}

/// The errors of one board, at least one.
struct BoardErrors {
    first: LevelError,
    rest: Vec<LevelError>,
}

impl BoardErrors {
    fn into_all(self) -> impl Iterator<Item = LevelError> {
        std::iter::once(self.first).chain(self.rest)
    }
}

impl From<LevelError> for BoardErrors {
    fn from(first: LevelError) -> Self {
        Self { first, rest: Vec::new() }
    }
}

/// Parses a text that has exactly one level.
pub(super) fn read_one(text: &str) -> Result<Board, LevelError> {
    match split(text).as_slice() {
        [raw] => parse(raw).map_err(|errors| errors.first),
        raw_levels => {
            let reason = format!("expected one level, and the text has {}", raw_levels.len());
            Err(LevelError { line: 1, reason })
        }
    }
}

/// The notes of a level.
fn parse_notes(raw: &RawLevel<'_>) -> Result<Notes, LevelError> {
    let mut notes = Notes::default();
    for (line, note) in &raw.notes {
        notes.add(*note).map_err(|reason| LevelError { line: *line, reason })?;
    }
    Ok(notes)
}

/// The moves of a line without a heading, if they solve the board.
fn solution_of(board: &Board, packed: &str) -> Option<String> {
    let mut notes = Notes::default();
    notes.add(NoteLine::Solution(packed)).ok()?;
    notes.solution.filter(|moves| replay(board, moves).is_ok())
}

/// The notes of a text that has exactly one level; none for any other text.
pub(super) fn notes_of(text: &str) -> Notes {
    split(text).first().and_then(|raw| parse_notes(raw).ok()).unwrap_or_default()
}

/// A row of a board, with its line number.
type NumberedRow<'a> = (usize, Cow<'a, str>);

fn parse(raw: &RawLevel<'_>) -> Result<Board, BoardErrors> {
    let rows = board_rows(raw)?;
    let columns = count_columns(&rows)?;
    let mut builder = BoardBuilder::new(columns, rows.len());
    add_rows(&mut builder, &rows, columns)?;
    let line = |row: usize| rows.get(row).map_or(raw.line, |(line, _)| *line);
    let player = builder.player().map_err(|(row, reason)| LevelError { line: line(row), reason })?;
    let inside = builder.find_inside(player).map_err(|at| {
        let row = at / columns;
        let column = at % columns;
        let place = format!("row {}, column {}", row + 1, column + 1);
        let reason = format!("the border is open: the player can leave the board at {place}");
        LevelError { line: line(row), reason }
    })?;
    // Written as it is, such a row would not be read as a row, and the board would be split.
    if let Some(row) = rows.iter().position(|(_, row)| !row.contains('#')) {
        let reason = format!("row {} has no wall: it is not part of a board", row + 1);
        return Err(LevelError { line: line(row), reason }.into());
    }
    Ok(builder.build(player, inside))
}

/// Adds all rows; an error for each invalid one.
fn add_rows(builder: &mut BoardBuilder, rows: &[NumberedRow<'_>], columns: usize) -> Result<(), BoardErrors> {
    let mut errors = rows.iter().enumerate().filter_map(|(index, (line, row))| {
        let (column, reason) = builder.add_row(index * columns, trim_floor(row)).err()?;
        let reason = format!("row {}, column {}: {reason}", index + 1, column + 1);
        Some(LevelError { line: *line, reason })
    });
    match errors.next() {
        Some(first) => Err(BoardErrors { first, rest: errors.collect() }),
        None => Ok(()),
    }
}

/// The rows of the board with run lengths expanded, without empty rows above and below. Errors name line
/// and column.
fn board_rows<'a>(raw: &RawLevel<'a>) -> Result<Vec<NumberedRow<'a>>, LevelError> {
    let mut rows = Vec::new();
    for (line, packed) in (raw.line..).zip(&raw.rows) {
        let refuse =
            |(column, reason)| LevelError { line, reason: format!("column {}: {reason}", column + 1) };
        rows.extend(
            run_length::expand_rows(packed, MAX_SIDE).map_err(refuse)?.into_iter().map(|row| (line, row)),
        );
    }
    let is_empty = |(_, row): &NumberedRow<'_>| trim_floor(row).is_empty();
    let above = rows.iter().take_while(|row| is_empty(row)).count();
    rows.drain(..above);
    rows.truncate(rows.iter().rposition(|row| !is_empty(row)).map_or(0, |last| last + 1));
    Ok(rows)
}

/// The number of columns, checked against the limits.
fn count_columns(rows: &[NumberedRow<'_>]) -> Result<usize, LevelError> {
    let widths = rows.iter().map(|(line, row)| (*line, trim_floor(row).chars().count()));
    let first = rows.first().map_or(1, |(line, _)| *line);
    let (line, columns) = widths.max_by_key(|(_, width)| *width).unwrap_or_default();
    let count = rows.len();
    let refuse = |line, what: String| {
        let limit =
            format!("the limit is {MAX_SIDE} rows, {MAX_SIDE} columns and {MAX_SQUARES} squares in all");
        Err(LevelError { line, reason: format!("the board has {what}; {limit}") })
    };
    match columns {
        _ if count > MAX_SIDE => refuse(first, format!("{count} rows")),
        _ if columns > MAX_SIDE => refuse(line, format!("{columns} columns")),
        _ if count * columns > MAX_SQUARES => refuse(first, format!("{count} x {columns} squares")),
        _ => Ok(columns),
    }
}

/// A row without trailing floor.
fn trim_floor(row: &str) -> &str {
    row.trim_end_matches([' ', '-', '_', '\t'])
}

impl SquareContent {
    pub(super) fn letter(self) -> char {
        match self {
            Self::Wall => '#',
            Self::Floor => ' ',
            Self::Target => '.',
            Self::Box => '$',
            Self::BoxOnTarget => '*',
            Self::Player => '@',
            Self::PlayerOnTarget => '+',
        }
    }
}

/// Canonical XSB: rows joined by line breaks, floor as a space, nothing after the last drawn square.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ground = &*self.ground;
        let mut text = String::with_capacity(ground.walls.len() + usize::from(ground.rows));
        for row in 0..ground.rows {
            if row > 0 {
                text.push('\n');
            }
            let squares = (0..ground.columns).map(|column| row * ground.columns + column);
            text.extend(squares.map(|square| self.content(square).letter()));
            text.truncate(text.trim_end_matches(' ').len());
        }
        f.write_str(&text)
    }
}

/// A board for tests.
#[cfg(test)]
pub(super) fn board(text: &str) -> Board {
    read_one(text).expect("a level")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_board_character_is_read_and_written() {
        let text = "  #####\n###   #\n#+$*.$#\n#######";
        assert_eq!(board(text).to_string(), text);
        for packed in ["2-5#\n3#3-#\n#+$*.$#\n7#", "2-5#|3#3-#|#+$*.$#|7#", "2-5#|3#3 #\r\n#+$*.$#|7#|\r\n"] {
            assert_eq!(read(packed).unwrap()[0].text(), text, "{packed}");
        }
        for padded in ["|#####|#@$.#|#####|-|", "#####\n#@$.#\n#####\n-----\n_\n"] {
            let text = "#####\n#@$.#\n#####";
            assert_eq!((board(padded).to_string(), read(padded).unwrap()[0].text()), (text.to_owned(), text));
        }
        let drawn = "--#####-\r\n###_- #\r\n#+$*.$#\r\n#######  \r\n";
        assert_eq!(read(drawn).unwrap()[0].text(), text);
    }

    #[test]
    fn a_bad_level_is_refused_with_its_line_and_the_reason() {
        for (text, line, reason) in [
            ("", 1, "the file has no level"),
            ("; only words\nand more\n", 1, "the file has no level"),
            ("####\n#$.#\n####", 1, "there is no player"),
            (
                "#####\n#@$.#\n#@  #\n#####",
                3,
                "more than one player: at row 2, column 2 and at row 3, column 2",
            ),
            ("#####\n#@$ #\n#####", 1, "equal in number: 1 and 0 here"),
            ("\n\n######\n#@$..#\n######", 3, "equal in number: 1 and 2 here"),
            ("####\n#@ #\n####", 1, "there is no box"),
            ("#####\n#@$.\n#####", 2, "open: the player can leave the board at row 2, column 5"),
            ("@$.", 1, "open: the player can leave the board at row 1, column 1"),
            ("#####\n#@$.#\n# ###", 3, "at row 3, column 2"),
            ("#####\n#@$x#\n#####", 2, "row 2, column 4: 'x' is not a board character"),
            ("#####\n#@$.#\n####é#", 3, "row 3, column 5: 'é' is not a board character"),
            ("#####\n#@\t$.#\n#####", 2, "row 2, column 3: a tab"),
            ("\t#####\n#@$.#\n#####", 1, "row 1, column 1: a tab"),
            ("5#\n#@$.#\n5#9", 3, "column 4: a run length without a character"),
            ("5#\n#@$.#\n999#", 3, "column 4: a run length beyond the limit of 256"),
            ("#4-#|#@$.x#|6#", 1, "row 2, column 5: 'x' is not a board character"),
            ("#####|#@$.#|#####||#####", 1, "row 4 has no wall"),
            ("#####\n#@$.#\n#####\n*\n", 4, "row 4 has no wall"),
            ("#####\n#@$.#\n#####\n; published: 4 moves\n", 4, "is not of the form `25 moves, reward 11.5`"),
            ("#####\n#@$.#\n#####\n\n; yard\n#####\n#@*$#\n#####\n", 6, "level 2 (yard): boxes and targets"),
            ("####\n#$.#\n####\n\n####\n#@*#\n####\n", 1, "level 1: there is no player"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.reason.contains(reason), "{text:?}: {error}");
            assert_eq!(error.line, line, "{text:?}: {error}");
        }
    }

    #[test]
    fn oversized_boards_are_refused() {
        let wide = "#".repeat(5000);
        let text = vec![wide.as_str(); 5000].join("\n");
        assert!(read(&text).unwrap_err().reason.contains("the board has 5000 rows; the limit is 256 rows"));
        assert!(read(&wide).unwrap_err().reason.contains("5000 columns"));
        let square = vec!["#".repeat(65); 65].join("\n");
        assert!(read(&square).unwrap_err().reason.contains("65 x 65 squares"));
        let inner = format!("#@$.{}#", " ".repeat(59));
        let full: Vec<String> =
            (0..64).map(|row| if row == 1 { inner.clone() } else { "#".repeat(64) }).collect();
        assert_eq!(read(&full.join("\n")).unwrap().len(), 1);
    }

    #[test]
    fn levels_are_numbered_and_titled() {
        let levels = read("; a\n#####\n#@$.#\n#####\n\n#####\n#.$@#\n#####\nTitle: b\n").unwrap();
        let found: Vec<_> = levels.iter().map(|level| (level.number, level.label())).collect();
        assert_eq!(found, [(1, "a".to_owned()), (2, "b".to_owned())]);
        assert_eq!(levels[1].text(), "#####\n#.$@#\n#####");
    }

    #[test]
    fn what_is_noted_below_a_board_stays_with_it() {
        let board = "#####\n#@$.#\n#####";
        let noted = format!("{board}\n; published: 25 moves, reward 11.5\n; solution: R");
        for text in [
            noted.clone(),
            format!("{board}\nAuthor: x\nSolution: R\n; published: 25 moves, reward 11.5\n\n; next\n{board}"),
            format!("{board}\n; published: 25 moves, reward 11.5\n\nSolution/Moves\n1R\n\n; next\n{board}\n"),
        ] {
            let levels = read(&text).unwrap();
            assert_eq!(levels[0].text(), noted, "{text}");
            assert_eq!(levels.get(1).map(Level::label), text.contains("next").then(|| "next".to_owned()));
            assert_eq!(notes_of(levels[0].text()).published.map(|published| published.moves), Some(25));
            assert_eq!(read(levels[0].text()).unwrap()[0].text(), noted);
        }
        for words in ["; published: in 1998", "Solution: see the web", "; solution: unknown"] {
            assert_eq!(read(&format!("{board}\n{words}\n")).unwrap()[0].text(), board, "{words}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_text_makes_the_reader_panic(text in "[#@+$*. _\\-\n;a5\t|]{0,80}") {
            for level in read(&text).unwrap_or_default() {
                proptest::prop_assert_eq!(board(level.text()).to_string(), level.text());
            }
        }
    }
}
