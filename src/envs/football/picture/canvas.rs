//! A canvas of pixels with the few shapes that the views need. What lies outside of it is clipped; a shape whose
//! coordinates are not finite is not drawn.

use tiny_skia::Color;
use tiny_skia::FillRule;
use tiny_skia::LineCap;
use tiny_skia::LineJoin;
use tiny_skia::Paint;
use tiny_skia::Path;
use tiny_skia::PathBuilder;
use tiny_skia::Pixmap;
use tiny_skia::Rect;
use tiny_skia::Stroke;
use tiny_skia::StrokeDash;
use tiny_skia::Transform;

use super::letters::Letters;
use super::letters::Size;
use super::palette::Ink;
use super::point::Point;
use super::point::single;

/// Places farther away than this are not drawn.
const FAR: f64 = 1e5;

/// Where a text lies about its point.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Align {
    Left,
    Middle,
    Right,
}

/// A text that is written.
#[derive(Clone, Copy)]
pub(super) struct Label<'a> {
    pub(super) text: &'a str,
    pub(super) size: Size,
    pub(super) align: Align,
    pub(super) ink: Ink,
    /// The colour around the letters, if any.
    pub(super) halo: Option<Ink>,
}

/// Opaque pixels.
#[derive(Clone)]
pub(super) struct Canvas(Pixmap);

impl Canvas {
    /// A canvas whose pixels must all be covered; `None` for a side of 0.
    pub(super) fn new([width, height]: [u32; 2]) -> Option<Self> {
        Some(Self(Pixmap::new(width, height)?))
    }

    /// A canvas of one colour; `None` for a side of 0.
    pub(super) fn filled(size: [u32; 2], ink: Ink) -> Option<Self> {
        let mut canvas = Self::new(size)?;
        canvas.0.fill(Color::from_rgba8(ink[0], ink[1], ink[2], 255));
        Some(canvas)
    }

    /// The width in pixels.
    pub(super) fn width(&self) -> u32 {
        self.0.width()
    }

    /// The pixels of row `y`, four bytes each.
    pub(super) fn rows(&mut self) -> impl Iterator<Item = &mut [u8]> {
        let bytes = self.0.width() as usize * 4;
        self.0.data_mut().chunks_exact_mut(bytes)
    }

    pub(super) fn disc(&mut self, [x, y]: Point, radius: f64, ink: Ink) {
        if is_near([x, y]) {
            self.fill(PathBuilder::from_circle(single(x), single(y), single(radius)), ink);
        }
    }

    /// A ring whose line of this width has the given middle radius.
    pub(super) fn ring(&mut self, [x, y]: Point, radius: f64, width: f64, ink: Ink) {
        self.ellipse_ring([x, y], [radius, radius], width, ink);
    }

    pub(super) fn ellipse(&mut self, center: Point, radii: Point, ink: Ink) {
        self.fill(oval(center, radii).and_then(PathBuilder::from_oval), ink);
    }

    /// An elliptic ring whose line of this width has the given middle radii.
    pub(super) fn ellipse_ring(&mut self, center: Point, radii: Point, width: f64, ink: Ink) {
        let side = |by: f64| oval(center, radii.map(|radius| radius + by));
        let (Some(outer), Some(inner)) = (side(width / 2.0), side(-width / 2.0)) else { return };
        let mut path = PathBuilder::new();
        path.push_oval(outer);
        path.push_oval(inner);
        self.fill_with(path.finish(), ink, FillRule::EvenOdd);
    }

    /// A rectangle from its upper left corner with rounded corners.
    pub(super) fn pill(&mut self, [x, y]: Point, [width, height]: Point, radius: f64, ink: Ink) {
        let (right, bottom) = (x + width, y + height);
        let mut path = PathBuilder::new();
        let [start_x, start_y] = [x + radius, y].map(single);
        path.move_to(start_x, start_y);
        // The point before each corner, the corner, and the point after it.
        let corners = [
            [[right - radius, y], [right, y], [right, y + radius]],
            [[right, bottom - radius], [right, bottom], [right - radius, bottom]],
            [[x + radius, bottom], [x, bottom], [x, bottom - radius]],
            [[x, y + radius], [x, y], [x + radius, y]],
        ];
        for [before, corner, after] in corners.map(|points| points.map(|point| point.map(single))) {
            path.line_to(before[0], before[1]);
            path.quad_to(corner[0], corner[1], after[0], after[1]);
        }
        path.close();
        self.fill(path.finish(), ink);
    }

    pub(super) fn rectangle(&mut self, [x, y]: Point, [width, height]: Point, ink: Ink) {
        let area = oval([x + width / 2.0, y + height / 2.0], [width / 2.0, height / 2.0]);
        if let Some(area) = area {
            self.0.fill_rect(area, &paint(ink), Transform::identity(), None);
        }
    }

    pub(super) fn polygon(&mut self, corners: &[Point], ink: Ink) {
        self.polygons([corners], ink);
    }

    /// Polygons of the same orientation, as one shape: where they overlap is not darker.
    pub(super) fn polygons<'a>(&mut self, all: impl IntoIterator<Item = &'a [Point]>, ink: Ink) {
        let mut path = PathBuilder::new();
        for corners in all.into_iter().filter(|corners| corners.iter().all(|corner| is_near(*corner))) {
            trace(&mut path, corners);
            path.close();
        }
        self.fill(path.finish(), ink);
    }

    /// A line with round ends.
    pub(super) fn line(&mut self, from: Point, to: Point, width: f64, ink: Ink) {
        self.polyline(&[from, to], width, ink);
    }

    /// A line of dashes.
    pub(super) fn dashes(&mut self, from: Point, to: Point, width: f64, ink: Ink) {
        self.stroke([&[from, to][..]], width, ink, StrokeDash::new(vec![8.0, 7.0], 0.0));
    }

    /// A line through all these points.
    pub(super) fn polyline(&mut self, points: &[Point], width: f64, ink: Ink) {
        self.stroke([points], width, ink, None);
    }

    /// Several lines as one shape.
    pub(super) fn lines<const N: usize>(&mut self, lines: &[[Point; N]], width: f64, ink: Ink) {
        self.stroke(lines.iter().map(|line| &line[..]), width, ink, None);
    }

    fn stroke<'a>(
        &mut self,
        lines: impl IntoIterator<Item = &'a [Point]>,
        width: f64,
        ink: Ink,
        dash: Option<StrokeDash>,
    ) {
        let mut path = PathBuilder::new();
        for points in lines.into_iter().filter(|points| points.iter().all(|point| is_near(*point))) {
            trace(&mut path, points);
        }
        let Some(path) = path.finish() else { return };
        let stroke = Stroke {
            width: single(width),
            line_cap: LineCap::Round,
            line_join: LineJoin::Round,
            dash,
            ..Stroke::default()
        };
        self.0.stroke_path(&path, &paint(ink), &stroke, Transform::identity(), None);
    }

    fn fill(&mut self, path: Option<Path>, ink: Ink) {
        self.fill_with(path, ink, FillRule::Winding);
    }

    fn fill_with(&mut self, path: Option<Path>, ink: Ink, rule: FillRule) {
        if let Some(path) = path {
            self.0.fill_path(&path, &paint(ink), rule, Transform::identity(), None);
        }
    }

    /// Writes a text with the middle of its capital letters at the height of `at`.
    pub(super) fn write(&mut self, letters: &Letters, at: Point, label: Label<'_>) {
        if !is_near(at) {
            return;
        }
        let width = letters.width(label.size, label.text);
        let left = match label.align {
            Align::Left => at[0],
            Align::Middle => at[0] - width / 2.0,
            Align::Right => at[0] - width,
        };
        let base = at[1] + letters.capital_height(label.size) / 2.0;
        for halo in [true, false] {
            let Some(ink) = (if halo { label.halo } else { Some(label.ink) }) else { continue };
            for (mask, x, y) in letters.masks(label.size, label.text, halo, [left, base]) {
                self.blend(mask.rows(), (x, y), ink);
            }
        }
    }

    /// Blends rows of coverage into the canvas, the first at this pixel.
    fn blend<'a>(&mut self, rows: impl Iterator<Item = &'a [u8]>, (left, top): (i32, i32), ink: Ink) {
        let width = self.0.width();
        for (y, coverage) in (top..).zip(rows) {
            let Ok(y) = usize::try_from(y) else { continue };
            let start = y * width as usize;
            for (x, cover) in (left..).zip(coverage) {
                let Some(x) = u32::try_from(x).ok().filter(|x| *x < width) else { continue };
                let at = (start + x as usize) * 4;
                if let Some(pixel) = self.0.data_mut().get_mut(at..at + 3) {
                    mix(pixel, ink, *cover);
                }
            }
        }
    }

    /// Writes the pixels without their opacity, three bytes each.
    pub(super) fn write_rgb(&self, rgb: &mut [u8]) {
        let pixels = self.0.data().as_chunks::<4>().0;
        for (target, [red, green, blue, _]) in rgb.as_chunks_mut::<3>().0.iter_mut().zip(pixels) {
            *target = [*red, *green, *blue];
        }
    }
}

/// Mixes a colour into a pixel by its opacity and a coverage, 255 for all of it.
pub(super) fn mix(pixel: &mut [u8], ink: Ink, coverage: u8) {
    let share = u32::from(ink[3]) * u32::from(coverage) / 255;
    for (value, target) in pixel.iter_mut().zip(ink) {
        let mixed = (u32::from(*value) * (255 - share) + u32::from(target) * share + 127) / 255;
        *value = u8::try_from(mixed).unwrap_or(u8::MAX);
    }
}

/// Adds lines through these points to a path.
fn trace(path: &mut PathBuilder, points: &[Point]) {
    let mut points = points.iter().map(|point| point.map(single));
    if let Some([x, y]) = points.next() {
        path.move_to(x, y);
    }
    for [x, y] in points {
        path.line_to(x, y);
    }
}

fn paint(ink: Ink) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color_rgba8(ink[0], ink[1], ink[2], ink[3]);
    paint
}

fn oval([x, y]: Point, [wide, high]: Point) -> Option<Rect> {
    let near = is_near([x, y]) && wide > 0.0 && high > 0.0;
    let sides = [x - wide, y - high, x + wide, y + high].map(single);
    near.then(|| Rect::from_ltrb(sides[0], sides[1], sides[2], sides[3]))?
}

/// Whether a point is finite and near the canvas.
fn is_near(point: Point) -> bool {
    point.iter().all(|value| value.abs() < FAR)
}
