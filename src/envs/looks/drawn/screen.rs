//! The description of a screen: its size, and the shapes and texts from the bottom up.

use mageyard_domain::{Canvas, CanvasColor as Color, Rect};

/// How deep screens may build on each other.
const MOST_DEPTH: usize = 8;
const EDGE: Color = [0x8a, 0x8f, 0x98];
const DARK: Color = [0x1c, 0x1f, 0x24];
const WHITE: Color = [0xff; 3];
/// The size of words on buttons and in fields.
const WORDS: f32 = 14.0;

/// A screen.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Screen {
    pub(super) size: (u32, u32),
    shapes: Vec<Shape>,
}

#[derive(Clone, Debug, PartialEq)]
enum Shape {
    Fill(Color),
    Rect(Rect, Color),
    Line(Rect, Color),
    Text([i32; 2], f32, Color, String),
    Button(Rect, Color, String),
    Field(Rect, Color, String),
}

impl Screen {
    /// The screen of this name in a description; `None` if it is not there or not valid.
    pub(super) fn named(text: &str, name: &str) -> Option<Self> {
        Self::read(text, name, MOST_DEPTH)
    }

    fn read(text: &str, name: &str, depth: usize) -> Option<Self> {
        let mut lines = text.lines().skip_while(|line| !begins(line, name));
        let head = lines.next()?.strip_prefix("screen ")?.strip_prefix(name)?.trim();
        let mut screen = if let Some(other) = head.strip_prefix("like ") {
            Self::read(text, other, depth.checked_sub(1)?)?
        } else {
            let (width, height) = head.split_once('x')?;
            Self { size: (width.parse().ok()?, height.parse().ok()?), shapes: Vec::new() }
        };
        for line in lines.take_while(|line| !line.trim().is_empty()) {
            screen.shapes.push(shape(line)?);
        }
        Some(screen)
    }

    pub(super) fn draw(&self, canvas: &mut Canvas<'_>) {
        for shape in &self.shapes {
            match shape {
                Shape::Fill(color) => canvas.fill(*color),
                Shape::Rect(rect, color) => canvas.rect(*rect, *color),
                Shape::Line(rect, color) => canvas.edge(*rect, 1, *color),
                Shape::Text(at, size, color, words) => canvas.text(*at, *size, *color, words),
                Shape::Button(rect, color, words) => button(canvas, *rect, *color, words),
                Shape::Field(rect, color, words) => field(canvas, *rect, *color, words),
            }
        }
    }
}

fn begins(line: &str, name: &str) -> bool {
    let rest = line.strip_prefix("screen ").and_then(|line| line.strip_prefix(name));
    rest.is_some_and(|rest| rest.starts_with(' '))
}

/// The shape of a line.
fn shape(line: &str) -> Option<Shape> {
    let (kind, rest) = line.trim().split_once(' ')?;
    let words = |count: usize| -> Option<(Vec<&str>, String)> {
        let mut words = rest.splitn(count + 1, ' ');
        let found: Vec<&str> = words.by_ref().take(count).collect();
        (found.len() == count).then(|| (found, words.next().unwrap_or_default().to_owned()))
    };
    let area_of = |words: &[&str]| {
        let sides: Vec<i32> = words.iter().take(4).map(|word| word.parse().ok()).collect::<Option<_>>()?;
        Some(Rect(sides.try_into().ok()?))
    };
    Some(match kind {
        "fill" => Shape::Fill(color(rest)?),
        "text" => {
            let (found, text) = words(4)?;
            let at = [found[0].parse().ok()?, found[1].parse().ok()?];
            Shape::Text(at, found[2].parse().ok()?, color(found[3])?, text)
        }
        _ => {
            let (found, text) = words(5)?;
            let area = area_of(&found)?;
            let color = color(found[4])?;
            match kind {
                "rect" => Shape::Rect(area, color),
                "line" => Shape::Line(area, color),
                "button" => Shape::Button(area, color, text),
                "field" => Shape::Field(area, color, text),
                _ => return None,
            }
        }
    })
}

fn color(text: &str) -> Option<Color> {
    let value = u32::from_str_radix(text, 16).ok().filter(|_| text.len() == 6)?;
    let [_, red, green, blue] = value.to_be_bytes();
    Some([red, green, blue])
}

fn button(canvas: &mut Canvas<'_>, rect: Rect, color: Color, words: &str) {
    let light = color.iter().map(|channel| u32::from(*channel)).sum::<u32>() > 3 * 150;
    let Rect([left, top, width, height]) = rect;
    canvas.rect(rect, color);
    let at = [left + (width - canvas.width(WORDS, words)) / 2, top + (height - 14) / 2];
    canvas.text(at, WORDS, if light { DARK } else { WHITE }, words);
}

fn field(canvas: &mut Canvas<'_>, rect: Rect, color: Color, words: &str) {
    let Rect([left, top, _, height]) = rect;
    canvas.rect(rect, WHITE);
    canvas.edge(rect, 1, EDGE);
    canvas.text([left + 8, top + (height - 14) / 2], WORDS, color, words);
}
