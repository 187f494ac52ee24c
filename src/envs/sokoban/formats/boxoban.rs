//! Boxoban's level files: a number after a semicolon, ten rows of ten squares, an empty line.

use std::fmt::Write;

use super::super::xsb as boards;
use super::xsb;
use mageyard_domain::{FileLocation, Level, LevelFormatError};

/// Squares per side.
const SIDE: usize = 10;

/// Whether the file begins with a numbered board of ten by ten.
pub(super) fn fits(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let mut lines = text.lines().skip_while(|line| line.trim().is_empty());
    let numbered = lines.next().is_some_and(|line| number(line).is_some());
    let (board, after): (Vec<&str>, _) = (lines.by_ref().take(SIDE).collect(), lines.next());
    numbered && board.len() == SIDE && board.iter().all(|row| is_row(row)) && after.is_none_or(str::is_empty)
}

pub(super) fn read(bytes: &[u8]) -> Result<Vec<Level>, LevelFormatError> {
    let mut levels = Vec::new();
    let mut lines = (1..).zip(xsb::text(bytes)?.lines());
    while let Some((line, heading)) = lines.find(|(_, line)| !line.trim().is_empty()) {
        let refuse =
            |line, reason: String| Err(LevelFormatError { location: FileLocation::Line(line), reason });
        let Some(title) = number(heading) else {
            return refuse(
                line,
                "a line such as `; 7` is expected here, with a board of ten rows below it".to_owned(),
            );
        };
        let rows: Vec<(usize, &str)> = lines.by_ref().take(SIDE).collect();
        if let Some((line, row)) = rows.iter().find(|(_, row)| !is_row(row)) {
            return refuse(
                *line,
                format!("{row:?} is not a row of ten squares: # wall, $ box, . target, @ player, space"),
            );
        }
        if rows.len() < SIDE {
            return refuse(
                line + rows.len(),
                format!("the board of level {title} has {} rows; ten are required", rows.len()),
            );
        }
        let text: Vec<&str> = rows.iter().map(|(_, row)| *row).collect();
        let board = boards::read_one(&text.join("\n")).map_err(|error| LevelFormatError {
            location: FileLocation::Line(line + error.line),
            reason: error.reason,
        })?;
        levels.push(Level::from_text(levels.len() + 1, Some(title), board.to_string()));
    }
    if levels.is_empty() {
        return Err(LevelFormatError {
            location: FileLocation::Line(1),
            reason: "the file has no level".to_owned(),
        });
    }
    Ok(levels)
}

/// The number in a heading.
fn number(line: &str) -> Option<&str> {
    let number = line.trim_end().strip_prefix(';')?.trim();
    (!number.is_empty() && number.len() < 10 && number.bytes().all(|c| c.is_ascii_digit())).then_some(number)
}

fn is_row(row: &str) -> bool {
    row.len() == SIDE && row.chars().all(|c| "# $.@".contains(c))
}

/// Writes boards of ten by ten. Boards that Boxoban cannot represent are refused.
pub(super) fn write(levels: &[Level]) -> Result<String, LevelFormatError> {
    let mut file = String::new();
    for (index, level) in levels.iter().enumerate() {
        let refuse =
            |reason: String| LevelFormatError { location: FileLocation::Level(level.number), reason };
        let board = boards::read_one(level.text()).map_err(|error| refuse(error.to_string()))?;
        let rows = board.ground.rows;
        let columns = board.ground.columns;
        if (usize::from(rows), usize::from(columns)) != (SIDE, SIDE) {
            return Err(refuse(format!("has {rows}x{columns} squares; Boxoban's boards have 10x10")));
        }
        let text = board.to_string();
        if let Some(letter) = text.chars().find(|c| "*+".contains(*c)) {
            return Err(refuse(format!(
                "has {letter}, and Boxoban has no character for players or boxes on targets at the start"
            )));
        }
        // Writing into a string cannot fail.
        let _ = writeln!(file, "; {index}");
        for row in text.lines() {
            let _ = writeln!(file, "{row:<SIDE$}");
        }
        file.push('\n');
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> String {
        let wall = "##########\n";
        let board = format!("{wall}#@$.     #\n{}{wall}", "#        #\n".repeat(7));
        format!("; 0\n{board}\n; 999\n{board}")
    }

    #[test]
    fn a_file_is_read_and_written() {
        let levels = read(file().as_bytes()).unwrap();
        let titles: Vec<_> = levels.iter().map(Level::label).collect();
        assert_eq!(titles, ["0", "999"]);
        assert!(fits(file().as_bytes()));
        let written = write(&levels).unwrap();
        assert_eq!(written, file().replace("999", "1") + "\n");
        assert_eq!(read(file().replace('\n', "\r\n").as_bytes()).unwrap(), levels);
    }

    #[test]
    fn errors_name_their_line() {
        let file = file();
        for (text, says) in [
            (String::new(), "line 1: the file has no level"),
            (file.replace("; 999", "999"), "line 13: a line such as `; 7` is expected here"),
            (file.replacen("#        #", "#       #", 1), "line 4: \"#       #\" is not a row of ten"),
            (file.replacen("#@$.", "#@*.", 1), "line 3: \"#@*.     #\" is not a row of ten"),
            (file.replacen("#@$.", "#\t$.", 1), "line 3: \"#\\t$."),
            (file[..60].to_owned(), "line 7"),
            (file.replacen("#@$.", "# $.", 1), "line 2: there is no player"),
        ] {
            let error = read(text.as_bytes()).unwrap_err().to_string();
            assert!(error.starts_with(says), "{says}: {error}");
        }
        let small = boards::read("#####\n#@$.#\n#####").unwrap();
        assert_eq!(
            write(&small).unwrap_err().to_string(),
            "level 1: has 3x5 squares; Boxoban's boards have 10x10"
        );
    }
}
