//! The game's own format as an import and export format.

use std::fmt::Write;

use super::super::{notes, xsb};
use mageyard_domain::{FileLocation, Level, LevelFormatError, decode_text, sanitize};

/// Any text may be a collection; in another encoding than UTF-8, one with a wall.
pub(super) fn fits(bytes: &[u8]) -> bool {
    decode_text(bytes).is_ok_and(|found| found.encoding == "UTF-8" || found.text.contains('#'))
}

/// Solutions in the file must be valid.
pub(super) fn read(bytes: &[u8]) -> Result<Vec<Level>, LevelFormatError> {
    let found = decode_text(bytes).map_err(|at| LevelFormatError {
        location: FileLocation::Byte(at),
        reason: "is not text in UTF-8, UTF-16 or Latin-1".to_owned(),
    })?;
    let levels = xsb::read(&found.text).map_err(LevelFormatError::from)?;
    levels.iter().try_for_each(|level| check_solution(level).map(drop))?;
    Ok(levels)
}

/// Checks the solution in a level's notes and returns its moves.
pub(super) fn check_solution(level: &Level) -> Result<Option<usize>, LevelFormatError> {
    let refuse = |reason| LevelFormatError { location: FileLocation::Level(level.number), reason };
    let board = xsb::read_one(level.text()).map_err(|error| refuse(error.to_string()))?;
    let Some(solution) = xsb::notes_of(level.text()).solution else { return Ok(None) };
    let broken = |why| refuse(format!("{}: the solution is not valid: {why}", sanitize(&level.label())));
    notes::replay(&board, &solution).map(Some).map_err(broken)
}

#[expect(clippy::unnecessary_wraps, reason = "other formats of the table refuse levels")]
pub(super) fn write(levels: &[Level]) -> Result<String, LevelFormatError> {
    let mut file = String::new();
    for level in levels {
        let gap = if file.is_empty() { "" } else { "\n" };
        // Writing into a string cannot fail.
        let _ = writeln!(file, "{gap}; {}\n{}", title(level), level.text());
    }
    Ok(file)
}

/// The title in one line, in a form that is read back; the number if there is no title.
pub(super) fn title(level: &Level) -> String {
    let title = level.label();
    let plain: Vec<&str> = title.split_whitespace().collect();
    sanitize(&plain.join(" ")).into_owned()
}

/// A file as text, or the first byte that is not UTF-8.
pub(super) fn text(bytes: &[u8]) -> Result<&str, LevelFormatError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let spot = FileLocation::Byte(error.valid_up_to());
        LevelFormatError { location: spot, reason: "is not UTF-8 text".to_owned() }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_survive_whatever_they_are() {
        for title in ["a b", "7", "#x", "Title: y", "; z", "dull", "@$.", "published: 2 moves", "\u{1b}[2J"] {
            let level = Level::from_text(1, Some(title), "#####\n#@$.#\n#####");
            let again = read(write(&[level.clone(), level.clone()]).unwrap().as_bytes()).unwrap();
            assert_eq!(again.len(), 2, "{title}");
            assert_eq!(again[0].text(), level.text());
            assert_eq!(again[1].title.as_deref(), Some(&*sanitize(title)), "{title}");
        }
    }

    #[test]
    fn an_invalid_solution_is_refused_with_its_move() {
        let error = read(b"; yard\n#####\n#@$.#\n#####\nSolution: L\n").unwrap_err();
        let says = "level 1: yard: the solution is not valid: move 1 (L) is blocked";
        assert_eq!(error.to_string(), says);
    }
}
