//! A page in cells, for terminals without pixels: its texts where they are, lines around what can be operated, and the numbers.
//! And the numbered areas for a picture of it. The texts are data of a page: they are shown, never interpreted.

use mageyard_domain::{Action, CellDrawing, CellGrid, CellRole, NumberedBox};

use crate::page::{ElementKind, PageReading, ReadElement};

/// Left, top, width and height in the viewport, in CSS pixels.
type Area = [f64; 4];
/// Left, top, right and bottom in cells, both ends included.
type Cells = [i32; 4];

/// The maximum number of cells from the edges at which something is still placed; what is farther is outside anyway.
const FAR: f64 = 10_000.0;
/// The maximum number of elements that are drawn.
const MOST: usize = 2_000;
/// The rows from which on there is one for the legend.
const ROWS_WITH_LEGEND: u16 = 8;

/// The number and the box of each element that can be operated and is within the viewport. Options of a closed select share its
/// box, so they have none.
pub(crate) fn numbered_boxes(reading: &PageReading) -> impl Iterator<Item = NumberedBox> {
    operated(reading).map(|one| NumberedBox { number: one.number, rect: one.rect.map(pixels) })
}

#[expect(clippy::cast_possible_truncation, reason = "it is bounded")]
fn pixels(side: f64) -> i32 {
    side.clamp(-1e6, 1e6).round() as i32
}

fn operated(reading: &PageReading) -> impl Iterator<Item = &ReadElement> {
    let is_drawn =
        |one: &&ReadElement| one.acts && one.tag != "option" && is_seen(one.rect, reading.viewport);
    reading.elements.iter().filter(is_drawn)
}

/// Whether a part of it is within the viewport.
fn is_seen([left, top, width, height]: Area, [right, bottom]: [f64; 2]) -> bool {
    width > 0.0 && height > 0.0 && left < right && top < bottom && left + width > 0.0 && top + height > 0.0
}

/// A page as it is drawn.
#[derive(Debug)]
pub(crate) struct PageDrawing {
    viewport: [f64; 2],
    /// With the number that is written before a text without lines around it.
    texts: Vec<(Area, String, Option<u32>)>,
    outlines: Vec<(Area, u32)>,
    legend: String,
}

impl PageDrawing {
    /// The part of a page that is in the viewport.
    pub(crate) fn new(reading: &PageReading) -> Self {
        let seen = reading.elements.iter().filter(|one| one.tag != "option");
        let seen = seen.filter(|one| is_seen(one.rect, reading.viewport)).take(MOST);
        let seen: Vec<&ReadElement> = seen.collect();
        let texts = seen.iter().enumerate().filter(|(index, one)| !is_repeated(one, &seen[index + 1..]));
        let texts =
            texts.filter_map(|(_, one)| Some((one.rect, words(one)?, one.acts.then_some(one.number))));
        let texts = texts.collect();
        let outlines = operated(reading).take(MOST).map(|one| (one.rect, one.number)).collect();
        let [_, down] = reading.scroll;
        let legend = format!("from {down:.0} of {:.0} px", reading.extent[1]);
        Self { viewport: reading.viewport, texts, outlines, legend }
    }

    /// The cells of an area in a grid of this size.
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

    fn draw_page(&self, size: [u16; 2], grid: &mut CellGrid) {
        for (area, _) in &self.outlines {
            let [left, top, right, bottom] = self.cells(*area, size);
            // Lines around one row would cover its text.
            if bottom - top >= 2 {
                grid.outline([left, top], [right, bottom], CellRole::Line);
            }
        }
        for (area, text, number) in &self.texts {
            let [mut left, top, right, bottom] = self.cells(*area, size);
            if let Some(number) = number.filter(|_| bottom - top < 2) {
                left = left.max(0).saturating_add(digits(number) + 1);
            }
            write_words([left, top, right, bottom], text, grid);
        }
        for (area, number) in &self.outlines {
            let [left, top, ..] = self.cells(*area, size);
            let width = digits(*number);
            let most = i32::from(size[0]) - width;
            let place = (left.clamp(0, most.max(0)), top.max(0));
            grid.write(place, width, &number.to_string(), CellRole::Action);
        }
    }
}

impl PageDrawing {
    /// The element that is drawn at a cell, the smallest one there.
    fn element_at(&self, [columns, rows]: [u16; 2], (x, y): (u16, u16)) -> Option<Area> {
        let is_there = |(area, number): &&(Area, u32)| {
            let [left, top, right, bottom] = self.cells(*area, [columns, rows]);
            let right = right.max(left.saturating_add(digits(*number) - 1));
            (left..=right).contains(&i32::from(x)) && (top..=bottom).contains(&i32::from(y))
        };
        let found = self.outlines.iter().filter(is_there).map(|(area, _)| *area);
        found.min_by(|one, other| (one[2] * one[3]).total_cmp(&(other[2] * other[3])))
    }
}

/// The columns of a number.
fn digits(number: u32) -> i32 {
    i32::try_from(number.to_string().len()).unwrap_or(1)
}

/// Whether a text is that of an element inside that can be operated, such as the link of a heading.
fn is_repeated(one: &ReadElement, after: &[&ReadElement]) -> bool {
    let inside = after.iter().take_while(|next| next.depth > one.depth);
    !one.acts && inside.take(4).any(|next| next.acts && next.label == one.label)
}

/// What is written for an element: its value, else its label. Containers repeat what they contain.
fn words(element: &ReadElement) -> Option<String> {
    let text = element.value.as_ref().unwrap_or(&element.label);
    let says = element.kind == ElementKind::Text
        || element.acts
        || matches!(element.role.as_str(), "heading" | "cell" | "img");
    (says && !text.trim().is_empty()).then(|| text.clone())
}

impl CellDrawing for PageDrawing {
    fn draw(&self, columns: u16, rows: u16, _: Option<&Action>) -> CellGrid {
        let mut grid = CellGrid::new(columns, rows);
        let has_legend = rows >= ROWS_WITH_LEGEND;
        self.draw_page([columns, rows - u16::from(has_legend)], &mut grid);
        if has_legend {
            let last = i32::from(rows) - 1;
            for x in 0..i32::from(columns) {
                grid.put(x, last, ' ', CellRole::Note);
            }
            grid.write((0, last), columns.into(), &self.legend, CellRole::Note);
        }
        grid
    }

    /// The middle of the element that is drawn there: it can be smaller than a cell.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is bounded")]
    fn pixel_at(&self, (columns, rows): (u16, u16), cell: (u16, u16)) -> Option<(u32, u32)> {
        let rows = rows - u16::from(rows >= ROWS_WITH_LEGEND);
        let [left, top, width, height] = self.element_at([columns, rows], cell)?;
        let [right, bottom] = self.viewport;
        let middle = |from: f64, long: f64, most: f64| {
            let [first, last] = [from.max(0.0), (from + long).min(most)];
            f64::midpoint(first, last).clamp(0.0, FAR) as u32
        };
        Some((middle(left, width, right), middle(top, height, bottom)))
    }
}

/// Writes the words of a text into its cells, within the lines around them where there is room.
fn write_words([left, top, right, bottom]: Cells, text: &str, grid: &mut CellGrid) {
    let inset = |first: i32, last: i32| if last - first >= 2 { [first + 1, last - 1] } else { [first, last] };
    let is_framed = bottom - top >= 2;
    let [left, right] = if is_framed { inset(left, right) } else { [left, right] };
    let [top, bottom] = if is_framed { inset(top, bottom) } else { [top, bottom] };
    let width = right - left + 1;
    let mut words = text.split_whitespace().peekable();
    for y in top..=bottom.min(top.saturating_add(i32::from(u8::MAX))) {
        let Some(first) = words.next() else { return };
        let mut line = first.to_owned();
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

#[cfg(test)]
mod tests;
