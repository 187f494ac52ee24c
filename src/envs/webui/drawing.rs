//! A generated page in cells, for people: its texts where they are, outlines of the matched elements, the places of
//! targets that differ, and scores. The texts are data of a page: they are shown, never interpreted.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

#[cfg(test)]
mod tests;

use super::details::StateDetails;
use super::snapshot::Snapshot;
use mageyard_domain::{Action, CellDrawing, CellGrid, CellRole};

/// Left, top, width and height in the visible part, in pixels.
type Area = [f64; 4];
/// Left, top, right and bottom in cells, both ends included.
type Cells = [i32; 4];

/// The most texts of a page.
const MAX_TEXTS: usize = 1_000;
/// The most cells from the edges at which something is still placed; farther ones are outside anyway.
const FAR: f64 = 10_000.0;
/// The least points at which a pair counts as alike.
const ALIKE: f64 = 0.995;
/// What the marks mean, with the least columns for it.
const LEGENDS: [(u16, &str); 3] = [
    (76, " · ─ page  ╌ target where it differs  = alike  ~ differs  ! missing"),
    (40, " · = alike  ~ differs  ! missing"),
    (0, ""),
];

/// A page as it is drawn.
#[derive(Debug)]
pub(super) struct PageDrawing {
    /// Width and height of the visible part in pixels.
    viewport: [f64; 2],
    /// The words before the legend, such as the score.
    title: String,
    texts: Vec<(Area, String)>,
    marks: Vec<Mark>,
}

/// A target with its match and its score.
#[derive(Debug)]
struct Mark {
    target: Area,
    generated: Option<Area>,
    label: String,
    is_alike: bool,
}

impl PageDrawing {
    /// A sub-page with its score, and the snapshot of the generated page if there is one.
    pub(super) fn new(state: &StateDetails, score: f64, viewport: [u32; 2], page: Option<&Snapshot>) -> Self {
        let [right, down] = state.generated.scroll;
        let seen = |[x, y, width, height]: Area| [x - right, y - down, width, height];
        let pairs = state.pairs.iter().map(|pair| {
            let score = pair.explanation.score;
            let is_alike = score >= ALIKE;
            let label = if is_alike { "=".to_owned() } else { format!("~{:.0}", 100.0 * score) };
            let generated = Some(seen(pair.generated.area));
            Mark { target: seen(pair.target.area), generated, label, is_alike }
        });
        let unmatched = state.unmatched.iter().map(|one| Mark {
            target: seen(one.target.area),
            generated: None,
            label: format!("!{}", one.target.name),
            is_alike: false,
        });
        let marks: Vec<Mark> = pairs.chain(unmatched).collect();
        let viewport = viewport.map(f64::from);
        let is_outside = |mark: &&Mark| {
            let [x, y, width, height] = mark.generated.unwrap_or(mark.target);
            x >= viewport[0] || y >= viewport[1] || x + width <= 0.0 || y + height <= 0.0
        };
        let outside = match marks.iter().filter(is_outside).count() {
            0 => String::new(),
            count => format!(" · {count} outside"),
        };
        let elements = page.map_or(&[][..], |page| &page.elements);
        // An element that contains others repeats their texts.
        let texts =
            elements.iter().filter(|one| one.shown && one.descendants == 0 && !one.text.trim().is_empty());
        Self {
            viewport,
            title: format!("AES {:.0}{outside}", 100.0 * score),
            texts: texts
                .take(MAX_TEXTS)
                .map(|one| (seen([one.x, one.y, one.w, one.h]), one.text.clone()))
                .collect(),
            marks,
        }
    }

    /// The cells of an area.
    #[expect(clippy::cast_possible_truncation, reason = "it is bounded")]
    fn cells(&self, [x, y, width, height]: Area, size: [u16; 2]) -> Cells {
        let at = |value: f64, axis: usize| {
            let cell = value / self.viewport[axis].max(1.0) * f64::from(size[axis]);
            cell.clamp(-FAR, FAR).round() as i32
        };
        let left = at(x, 0);
        let top = at(y, 1);
        [left, top, (at(x + width, 0) - 1).max(left), (at(y + height, 1) - 1).max(top)]
    }

    /// Draws everything of the page into the rows above the legend.
    fn draw_page(&self, size: [u16; 2], grid: &mut CellGrid) {
        for mark in self.marks.iter().filter(|mark| !mark.is_alike) {
            let cells = self.cells(mark.target, size);
            if mark.generated.map(|area| self.cells(area, size)) != Some(cells) {
                dashes(cells, grid);
            }
        }
        for mark in &self.marks {
            if let Some(area) = mark.generated {
                let [left, top, right, bottom] = self.cells(area, size);
                grid.outline([left, top], [right, bottom], CellRole::Second);
            }
        }
        for (area, text) in &self.texts {
            write_text(self.cells(*area, size), text, grid);
        }
        for mark in &self.marks {
            let [left, top, right, _] = self.cells(mark.generated.unwrap_or(mark.target), size);
            let role = match (mark.is_alike, mark.generated) {
                (true, _) => CellRole::Alike,
                (false, Some(_)) => CellRole::Differing,
                (false, None) => CellRole::First,
            };
            let length = i32::try_from(mark.label.chars().count()).unwrap_or(i32::MAX);
            let width = length.min(right - left).max(1);
            let start = if mark.generated.is_some() { right - width } else { left + 1 };
            grid.write((start.max(left), top), width, &mark.label, role);
        }
    }
}

impl CellDrawing for PageDrawing {
    fn draw(&self, columns: u16, rows: u16, _: Option<&Action>) -> CellGrid {
        let mut page = CellGrid::new(columns, rows);
        let has_legend = rows >= 8;
        self.draw_page([columns, rows - u16::from(has_legend)], &mut page);
        if has_legend {
            let last = i32::from(rows) - 1;
            let legend = LEGENDS.iter().find(|(least, _)| *least <= columns).map_or("", |(_, legend)| legend);
            let words = format!("{}{legend}", self.title);
            blank(&mut page, last);
            page.write((0, last), columns.into(), &words, CellRole::Note);
        }
        page
    }
}

/// Blanks a row, into which what continues below the visible part may reach.
fn blank(grid: &mut CellGrid, y: i32) {
    for x in 0..i32::try_from(grid.columns()).unwrap_or(i32::MAX) {
        grid.put(x, y, ' ', CellRole::Note);
    }
}

/// A dashed outline: it is not joined with the lines that it crosses.
fn dashes([left, top, right, bottom]: Cells, grid: &mut CellGrid) {
    for x in left..=right {
        grid.put(x, top, '╌', CellRole::First);
        grid.put(x, bottom, '╌', CellRole::First);
    }
    for y in top + 1..bottom {
        grid.put(left, y, '╎', CellRole::First);
        grid.put(right, y, '╎', CellRole::First);
    }
}

/// Writes the words of a text into its cells, within the lines around them where there is room.
fn write_text([left, top, right, bottom]: Cells, text: &str, grid: &mut CellGrid) {
    let inset = |first: i32, last: i32| if last - first >= 2 { [first + 1, last - 1] } else { [first, last] };
    let [left, right] = inset(left, right);
    let [top, bottom] = inset(top, bottom);
    let width = right - left + 1;
    let mut words = text.split_whitespace().peekable();
    for y in top..=bottom.min(top.saturating_add(i32::from(u8::MAX))) {
        let mut line = words.next().unwrap_or_default().to_owned();
        while let Some(word) = words.next_if(|word| y == bottom || fits(&line, word, width)) {
            line = line + " " + word;
        }
        grid.write((left, y), width, &line, CellRole::Text);
    }
}

/// Whether a word fits into a line after the others.
fn fits(line: &str, word: &str, width: i32) -> bool {
    let columns = line.chars().count() + 1 + word.chars().count();
    i32::try_from(columns).is_ok_and(|columns| columns <= width)
}
