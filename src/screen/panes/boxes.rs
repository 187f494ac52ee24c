//! The boxes of a view: lines over its picture, solid for the first box of a pair and dashed for the second one, with
//! the label of the pair. So they can be told apart without colour, and on a screen without pictures too.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use unicode_width::UnicodeWidthStr;

use crate::model::Model;
use mageyard_domain::{BoxPair, PairBoxes, PixelBox};
use mageyard_terminal::{Placement, StyleRole, truncate};

/// The most columns of a label.
const MAX_LABEL: u16 = 12;

/// The characters of a box: horizontal, vertical, its corners from the upper left one clockwise, and a box of one cell.
type Lines = [&'static str; 7];

const FIRST: Lines = ["─", "│", "┌", "┐", "┘", "└", "□"];
const SECOND: Lines = ["╌", "╎", "┌", "┐", "┘", "└", "◇"];
const FIRST_SELECTED: Lines = ["━", "┃", "┏", "┓", "┛", "┗", "■"];
const SECOND_SELECTED: Lines = ["╍", "╏", "┏", "┓", "┛", "┗", "◆"];

/// The roles of the first and the second boxes.
const ROLES: [StyleRole; 2] = [StyleRole::BoxFirst, StyleRole::BoxSecond];

/// What the lines mean: `─ target ╌ page`.
pub(crate) fn legend(boxes: &PairBoxes) -> String {
    format!("{} {} {} {}", FIRST[0], boxes.names[0], SECOND[0], boxes.names[1])
}

/// Draws the boxes over the shown part of a picture in this area. The others are dim while a pair is selected.
pub(super) fn draw(model: &Model, boxes: &PairBoxes, shown: Placement, area: Rect, buf: &mut Buffer) {
    let selected = model.selected_box();
    let pen = Pen { shown, place: shown.area(area), ground: ground(model) };
    for (index, pair) in boxes.pairs.iter().enumerate() {
        if selected != Some(index) {
            let dim = selected.map(|_| model.style(StyleRole::Dim));
            pen.pair(pair, [&FIRST, &SECOND], ROLES.map(|role| dim.unwrap_or(model.style(role))), buf);
        }
    }
    let labels = boxes.pairs.iter().enumerate().filter(|(index, _)| selected.is_none_or(|one| one == *index));
    if let Some(pair) = selected.and_then(|index| boxes.pairs.get(index)) {
        let bold = |role| model.style(role).add_modifier(Modifier::BOLD);
        pen.pair(pair, [&FIRST_SELECTED, &SECOND_SELECTED], ROLES.map(bold), buf);
    }
    for (_, pair) in labels {
        pen.label(model, pair, selected.is_some(), buf);
    }
}

/// Draws lines around parts of a picture that is shown in this area.
pub(crate) fn outline(
    model: &Model,
    parts: impl Iterator<Item = PixelBox>,
    shown: Placement,
    area: Rect,
    buf: &mut Buffer,
) {
    let pen = Pen { shown, place: shown.area(area), ground: ground(model) };
    for part in parts {
        let CellBox { left, top, right, bottom } = pen.cells(part);
        let around = CellBox { left: left - 1, top: top - 1, right: right + 1, bottom: bottom + 1 };
        pen.outline(around, &FIRST, model.style(ROLES[0]), buf);
    }
}

/// Draws a sign in the middle of a part of a picture that is shown in this area, with lines around the part where it has room for
/// them.
pub(super) fn mark(
    model: &Model,
    part: PixelBox,
    (sign, role): (&str, StyleRole),
    shown: Placement,
    area: Rect,
    buf: &mut Buffer,
) {
    let style = model.style(role).add_modifier(Modifier::BOLD);
    let pen = Pen { shown, place: shown.area(area), ground: ground(model) };
    let cells = pen.cells(part);
    // Lines with a colour behind them hide a small part.
    let least = if pen.ground.is_some() { (7, 4) } else { (4, 2) };
    if cells.right - cells.left >= least.0 && cells.bottom - cells.top >= least.1 {
        pen.outline(cells, &FIRST, style, buf);
    }
    let behind = model.style(StyleRole::Background).bg.unwrap_or(Color::Reset);
    let middle = (i64::midpoint(cells.left, cells.right), i64::midpoint(cells.top, cells.bottom));
    let inside = (0..i64::from(pen.place.width)).contains(&middle.0)
        && (0..i64::from(pen.place.height)).contains(&middle.1);
    if inside {
        Pen { ground: Some(behind), ..pen }.set(middle.0, middle.1, sign, style, buf);
    }
}

/// The colour behind lines where a line may be as light as the picture behind it: without hues, and where lines are dark.
fn ground(model: &Model) -> Option<Color> {
    let is_needed = model.look.theme.is_greyscale() || model.look.theme.is_light();
    is_needed.then(|| model.style(StyleRole::Background).bg.unwrap_or(Color::Reset))
}

/// Draws in cells of the place where a picture is shown.
struct Pen {
    shown: Placement,
    place: Rect,
    /// The colour behind lines; `None` is that of the picture.
    ground: Option<Color>,
}

/// A box in cells, from the upper left one of the place; it may lie outside.
#[derive(Clone, Copy)]
struct CellBox {
    left: i64,
    top: i64,
    right: i64,
    bottom: i64,
}

impl Pen {
    fn cells(&self, one: PixelBox) -> CellBox {
        let last = |start: i64, length: u32| start.saturating_add(i64::from(length.max(1)) - 1);
        let (left, top) = self.shown.half_cell(one.left, one.top);
        let (right, bottom) = self.shown.half_cell(last(one.left, one.width), last(one.top, one.height));
        CellBox { left, top: top.div_euclid(2), right, bottom: bottom.div_euclid(2) }
    }

    /// Draws both boxes, the first one on top.
    fn pair(&self, pair: &BoxPair, lines: [&Lines; 2], styles: [Style; 2], buf: &mut Buffer) {
        for side in [1, 0] {
            if let Some(one) = pair.boxes[side] {
                self.outline(self.cells(one), lines[side], styles[side], buf);
            }
        }
    }

    fn outline(&self, one: CellBox, lines: &Lines, style: Style, buf: &mut Buffer) {
        let columns = one.left.max(0)..=one.right.min(i64::from(self.place.width) - 1);
        for x in columns {
            let rows = one.top.max(0)..=one.bottom.min(i64::from(self.place.height) - 1);
            let is_side = x == one.left || x == one.right;
            for y in rows.filter(|y| is_side || *y == one.top || *y == one.bottom) {
                self.set(x, y, symbol(one, x, y, lines), style, buf);
            }
        }
    }

    fn set(&self, x: i64, y: i64, symbol: &str, style: Style, buf: &mut Buffer) {
        let (Ok(x), Ok(y)) = (u16::try_from(x), u16::try_from(y)) else { return };
        let at = (self.place.x.saturating_add(x), self.place.y.saturating_add(y));
        let line = Style { bg: self.ground, ..style };
        if let Some(cell) = buf.cell_mut(at) {
            _ = cell.set_symbol(symbol).set_style(line);
        }
    }

    /// Draws the label into the upper line of the first box: where it fits, or of the selected pair anywhere.
    fn label(&self, model: &Model, pair: &BoxPair, always: bool, buf: &mut Buffer) {
        let Some((side, one)) = (0..).zip(pair.boxes).find_map(|(side, one)| Some((side, one?))) else {
            return;
        };
        let text = truncate(&pair.label, MAX_LABEL);
        let cells = self.cells(one);
        let width = i64::try_from(text.width()).unwrap_or(0);
        let last_x = i64::from(self.place.width) - width;
        let last_y = i64::from(self.place.height) - 1;
        let fits = cells.right - cells.left > width && (0..=last_x).contains(&(cells.left + 1));
        let is_visible = (0..=last_y).contains(&cells.top);
        if text.is_empty() || last_x < 0 || !(always || fits && is_visible) {
            return;
        }
        let x = (cells.left + 1).clamp(0, last_x);
        let y = cells.top.clamp(0, last_y.max(0));
        let role: StyleRole = ROLES[usize::from(side > 0)];
        let style = model.style(role).add_modifier(Modifier::REVERSED | Modifier::BOLD);
        for (column, sign) in (0..).zip(text.chars()) {
            self.set(x + column, y, sign.encode_utf8(&mut [0; 4]), style, buf);
        }
    }
}

/// The character of a box at this cell of its outline.
fn symbol(one: CellBox, x: i64, y: i64, lines: &Lines) -> &'static str {
    let left = x == one.left;
    let right = x == one.right;
    let top = y == one.top;
    let bottom = y == one.bottom;
    let [horizontal, vertical, upper_left, upper_right, lower_right, lower_left, single] = *lines;
    match (left, right, top, bottom) {
        (true, true, true, true) => single,
        (_, _, true, true) => horizontal,
        (true, true, ..) => vertical,
        (true, _, true, _) => upper_left,
        (_, true, true, _) => upper_right,
        (_, true, _, true) => lower_right,
        (true, _, _, true) => lower_left,
        (false, false, ..) => horizontal,
        _ => vertical,
    }
}
