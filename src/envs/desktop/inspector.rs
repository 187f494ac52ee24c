//! What people see of a state: the task and the result of the last cell, as wide as there is room, and the pictures that the cell
//! has shown. How a task was judged is known only after the episode, so it is not here.

use std::sync::Arc;

use mageyard_domain::{
    Action, Arg, CellDrawing, CellGrid, CellRole, DetailsError, Observation, ObservationDetails,
    ObservationInspector, ObservationPart, Picture, PictureView, SharedDrawing, ViewPage,
};

/// The most rows of the task.
const TASK_ROWS: usize = 4;
/// The names of the first pictures of a cell; the last name is that of all further ones.
const NAMES: [&str; 5] = ["picture", "picture 2", "picture 3", "picture 4", "further picture"];

/// Reads what observations have stored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inspector;

impl ObservationInspector for Inspector {
    /// A picture that cannot be read is left out: cells make them, so they are hostile.
    fn inspect(&self, observation: &Observation) -> Result<ObservationDetails, DetailsError> {
        let pictures = observation.parts().iter().filter_map(|part| match part {
            ObservationPart::Data(handle) if handle.blob().media_type.starts_with("image/") => {
                Picture::open(handle.clone(), 1).ok()
            }
            _ => None,
        });
        let named = pictures.enumerate().map(|(index, picture)| {
            let name = NAMES.get(index).or(NAMES.last()).copied().unwrap_or_default();
            PictureView::new(name, Arc::new(picture))
        });
        let views: Vec<PictureView> = named.collect();
        if views.is_empty() {
            return Ok(ObservationDetails::default());
        }
        let page = ViewPage {
            title: "shown by the last cell".to_owned(),
            views,
            drawing: self.drawing(observation),
        };
        Ok(ObservationDetails { pages: vec![page], ..ObservationDetails::default() })
    }

    fn drawing(&self, observation: &Observation) -> Option<SharedDrawing> {
        let [task, result] = texts(observation)?;
        let facts = observation.facts();
        let text = |name: &str| facts[name].as_str().unwrap_or_default().to_owned();
        Some(SharedDrawing::new(Transcript {
            task: task.to_owned(),
            result: result.to_owned(),
            legend: format!("cells run: {}, {}, {}", facts["cells"], text("kernel"), text("surface")),
        }))
    }
}

/// A state as it is drawn.
#[derive(Debug)]
struct Transcript {
    task: String,
    result: String,
    legend: String,
}

impl CellDrawing for Transcript {
    /// The task, a line, the result, the chosen cell if there is room left for it, and a legend.
    fn draw(&self, columns: u16, rows: u16, action: Option<&Action>) -> CellGrid {
        let mut grid = CellGrid::new(columns, rows);
        let width = usize::from(columns);
        let mut lines: Vec<(String, CellRole)> = Vec::new();
        let task = fitted(wrapped(&self.task, width, Break::Words), TASK_ROWS.min(usize::from(rows)));
        lines.extend(task.into_iter().map(|line| (line, CellRole::Text)));
        lines.push(("─".repeat(width), CellRole::Line));
        let room = usize::from(rows).saturating_sub(lines.len() + 1);
        let result = fitted(wrapped(&self.result, width, Break::Anywhere), room);
        lines.extend(result.into_iter().map(|line| (line, CellRole::Note)));
        let room = usize::from(rows).saturating_sub(lines.len() + 3);
        if let Some(cell) = action.and_then(cell).filter(|_| room > 0) {
            lines.push(("─".repeat(width), CellRole::Line));
            let cell = fitted(wrapped(cell, width, Break::Anywhere), room);
            lines.extend(cell.into_iter().map(|line| (line, CellRole::Action)));
        }
        for ((line, role), y) in lines.iter().zip(0..) {
            grid.write((0, y), columns.into(), line, *role);
        }
        if rows > 2 {
            let last = i32::from(rows) - 1;
            (0..i32::from(columns)).for_each(|x| grid.put(x, last, ' ', CellRole::Note));
            grid.write((0, last), columns.into(), &self.legend, CellRole::Note);
        }
        grid
    }
}

/// The texts of a state: the task, and the result of the last cell.
pub(crate) fn texts(observation: &Observation) -> Option<[&str; 2]> {
    let mut texts = observation.parts().iter().filter_map(|part| match part {
        ObservationPart::Text(text) => Some(&**text),
        ObservationPart::Image(_) | ObservationPart::Data(_) => None,
    });
    Some([texts.next()?, texts.next()?])
}

fn cell(action: &Action) -> Option<&str> {
    action.args.values().find_map(|value| if let Arg::Code(code) = value { Some(&**code) } else { None })
}

/// At most so many lines; the last one says how many are left out.
fn fitted(mut lines: Vec<String>, rows: usize) -> Vec<String> {
    let left_out = lines.len().saturating_sub(rows);
    if left_out > 0 {
        lines.truncate(rows.saturating_sub(1));
        if rows > 0 {
            lines.push(format!("… {} more lines", left_out + 1));
        }
    }
    lines
}

/// Where a line that is too long breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Break {
    /// Behind a blank, if it has one.
    Words,
    /// As the lines of a terminal.
    Anywhere,
}

/// The lines of a text, each in as many pieces as the columns need.
fn wrapped(text: &str, columns: usize, breaks: Break) -> Vec<String> {
    let text = mageyard_domain::sanitize(text);
    let mut lines = Vec::new();
    for line in text.lines() {
        let mut piece = String::new();
        let mut width = 0;
        for c in line.chars() {
            let wide = columns_of(c);
            if width + wide > columns && !piece.is_empty() {
                let words = breaks == Break::Words;
                let blank = piece.rfind(' ').filter(|_| words && c != ' ');
                let rest = blank.map_or_else(String::new, |at| piece.split_off(at + 1));
                lines.push(std::mem::replace(&mut piece, rest));
                width = piece.chars().map(columns_of).sum();
                if words && c == ' ' {
                    continue;
                }
            }
            piece.push(c);
            width += wide;
        }
        lines.push(piece);
    }
    lines
}

/// The columns of a character in a drawing.
fn columns_of(c: char) -> usize {
    let mut grid = CellGrid::new(2, 1);
    grid.write((0, 0), 2, c.encode_utf8(&mut [0; 4]), CellRole::Text);
    let is_wide = grid.get(1, 0).is_some_and(|cell| cell.symbol == mageyard_domain::SECOND_COLUMN);
    1 + usize::from(is_wide)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::actions::run;

    #[test]
    fn lines_are_wrapped_by_columns() {
        let anywhere = |text, columns| wrapped(text, columns, Break::Anywhere);
        assert_eq!(anywhere("abcde\n\nf", 2), ["ab", "cd", "e", "", "f"]);
        assert_eq!(anywhere("日本a", 4), ["日本", "a"]);
        assert_eq!(anywhere("ab cd", 3), ["ab ", "cd"]);
        assert_eq!(fitted(anywhere("a\nb\nc", 9), 2), ["a", "… 2 more lines"]);
        let words = |text, columns| wrapped(text, columns, Break::Words);
        assert_eq!(words("set a of bcd", 6), ["set a ", "of bcd"]);
        assert_eq!(words("set abcdefgh", 6), ["set ", "abcdef", "gh"]);
    }

    #[test]
    fn every_size_is_drawn_with_the_legend_last() {
        let transcript = Transcript {
            task: "The task: t".into(),
            result: "r\n".repeat(50),
            legend: "cells run: 1".into(),
        };
        for (columns, rows) in [(0, 0), (1, 1), (3, 2), (80, 24), (120, 40)] {
            let grid = transcript.draw(columns, rows, Some(&run("1\n2")));
            assert_eq!(grid.columns(), usize::from(columns));
        }
        let text = transcript.draw(80, 24, None).text();
        assert!(text.starts_with("The task: t\n───") && text.ends_with("\ncells run: 1\n"), "{text}");
        assert!(text.contains("more lines"), "{text}");
    }

    #[test]
    fn a_chosen_cell_is_drawn_where_there_is_room() {
        let transcript = Transcript { task: "t".into(), result: "r".into(), legend: String::new() };
        let text = transcript.draw(20, 10, Some(&run("print(1)"))).text();
        assert!(text.contains("print(1)"), "{text}");
    }
}
