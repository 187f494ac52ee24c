//! A canvas of pixels with the few shapes that the views need. What lies outside of it is clipped; a shape whose
//! coordinates are not finite is not drawn.

use tiny_skia::{
    Color, FillRule, IntSize, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke, StrokeDash,
    Transform,
};

use super::coverage::{covered, within};
use super::letters::{Letters, Size};
use super::palette::Ink;
use super::point::{Point, single};
use super::shapes::{Block, Capsule, Convex, Oval, OvalRing, Shape};

/// Places farther away than this are not drawn.
const FAR: f64 = 1e5;
/// Pixels of a mask that are skipped together; a divisor of the width.
const BLANK: usize = 16;

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
    /// A canvas of these opaque pixels, rows from the top; `None` if they are too many or too few.
    pub(super) fn of(pixels: Vec<Ink>, [width, height]: [u32; 2]) -> Option<Self> {
        Some(Self(Pixmap::from_vec(pixels.into_flattened(), IntSize::from_wh(width, height)?)?))
    }

    /// A canvas of one colour; `None` for a side of 0.
    pub(super) fn filled([width, height]: [u32; 2], ink: Ink) -> Option<Self> {
        let mut canvas = Self(Pixmap::new(width, height)?);
        canvas.0.fill(Color::from_rgba8(ink[0], ink[1], ink[2], 255));
        Some(canvas)
    }

    /// The width in pixels.
    pub(super) fn width(&self) -> u32 {
        self.0.width()
    }

    pub(super) fn disc(&mut self, at: Point, radius: f64, ink: Ink) {
        self.ellipse(at, [radius, radius], ink);
    }

    /// A ring whose line of this width has the given middle radius.
    pub(super) fn ring(&mut self, at: Point, radius: f64, width: f64, ink: Ink) {
        self.ellipse_ring(at, [radius, radius], width, ink);
    }

    pub(super) fn ellipse(&mut self, center: Point, radii: Point, ink: Ink) {
        if let Some(oval) = Oval::new(center, radii).filter(|_| is_near(center)) {
            self.shade(&oval, ink);
        }
    }

    /// An elliptic ring whose line of this width has the given middle radii.
    pub(super) fn ellipse_ring(&mut self, center: Point, radii: Point, width: f64, ink: Ink) {
        let side = |by: f64| Oval::new(center, radii.map(|radius| radius + by)).filter(|_| is_near(center));
        if let (Some(outer), Some(inner)) = (side(width / 2.0), side(-width / 2.0)) {
            self.shade(&OvalRing { outer, inner }, ink);
        }
    }

    /// A rectangle from its upper left corner with rounded corners.
    pub(super) fn pill(&mut self, at: Point, size: Point, radius: f64, ink: Ink) {
        if is_near(at) && is_near(size) {
            self.shade(&Block::new(at, size, radius), ink);
        }
    }

    pub(super) fn rectangle(&mut self, at: Point, size: Point, ink: Ink) {
        self.pill(at, size, 0.0, ink);
    }

    /// A convex polygon of few corners.
    pub(super) fn convex<const N: usize>(&mut self, corners: &[Point; N], ink: Ink) {
        if let Some(shape) = Convex::new(corners).filter(|_| corners.iter().all(|corner| is_near(*corner))) {
            self.shade(&shape, ink);
        }
    }

    /// Quadrilaterals as one shape: where they overlap is not darker.
    pub(super) fn quads(&mut self, all: &[[Point; 4]], ink: Ink) {
        let near = all.iter().filter(|corners| corners.iter().all(|corner| is_near(*corner)));
        let shapes: Vec<Convex<4>> = near.filter_map(Convex::new).collect();
        self.shade_together(&shapes, ink);
    }

    /// Mixes a colour into the pixels that a shape covers.
    fn shade(&mut self, shape: &impl Shape, ink: Ink) {
        let size = [self.0.width(), self.0.height()];
        let pixels = self.0.data_mut().as_chunks_mut::<4>().0;
        covered(shape, size, |range, cover| {
            for pixel in pixels.get_mut(range).unwrap_or_default() {
                mix(&mut pixel[..3], ink, cover);
            }
        });
    }

    /// The same for several shapes as one.
    fn shade_together(&mut self, shapes: &[impl Shape], ink: Ink) {
        let size = [self.0.width(), self.0.height()];
        let rows = shapes
            .iter()
            .map(Shape::rows)
            .fold([f32::MAX, f32::MIN], |[low, high], rows| [low.min(rows[0]), high.max(rows[1])]);
        let rows = within(rows, size[1]);
        let first = rows.start as usize * size[0] as usize;
        let mut mask = vec![0_u8; rows.len() * size[0] as usize];
        for shape in shapes {
            covered(shape, size, |range, cover| {
                for value in mask.get_mut(range.start - first..range.end - first).unwrap_or_default() {
                    *value = (*value).max(cover);
                }
            });
        }
        let pixels = self.0.data_mut().as_chunks_mut::<4>().0.get_mut(first..).unwrap_or_default();
        for (pixels, covers) in pixels.chunks_mut(BLANK).zip(mask.as_chunks::<BLANK>().0) {
            if u128::from_ne_bytes(*covers) != 0 {
                for (pixel, cover) in pixels.iter_mut().zip(covers) {
                    mix(&mut pixel[..3], ink, *cover);
                }
            }
        }
    }

    pub(super) fn polygon(&mut self, corners: &[Point], ink: Ink) {
        if corners.iter().all(|corner| is_near(*corner)) {
            let mut path = PathBuilder::new();
            trace(&mut path, corners);
            path.close();
            self.fill(path.finish(), ink);
        }
    }

    /// A line with round ends.
    pub(super) fn line(&mut self, from: Point, to: Point, width: f64, ink: Ink) {
        self.polyline(&[from, to], width, ink);
    }

    /// A line of dashes.
    pub(super) fn dashes(&mut self, from: Point, to: Point, width: f64, ink: Ink) {
        let mut path = PathBuilder::new();
        trace(&mut path, &[from, to]);
        let Some(path) = path.finish().filter(|_| is_near(from) && is_near(to)) else { return };
        let line_cap = LineCap::Round;
        let line_join = LineJoin::Round;
        let dash = StrokeDash::new(vec![8.0, 7.0], 0.0);
        let stroke = Stroke { width: single(width), line_cap, line_join, dash, ..Stroke::default() };
        self.0.stroke_path(&path, &paint(ink), &stroke, Transform::identity(), None);
    }

    /// A line through all these points.
    pub(super) fn polyline(&mut self, points: &[Point], width: f64, ink: Ink) {
        if !points.iter().all(|point| is_near(*point)) {
            return;
        }
        let pieces = points.windows(2).map(|piece| Capsule::new(piece[0], piece[1], width));
        if points.len() == 2 || ink[3] == u8::MAX {
            for piece in pieces {
                self.shade(&piece, ink);
            }
        } else {
            self.shade_together(&pieces.collect::<Vec<_>>(), ink);
        }
    }

    /// Several lines.
    pub(super) fn lines<const N: usize>(&mut self, lines: &[[Point; N]], width: f64, ink: Ink) {
        for line in lines {
            self.polyline(line, width, ink);
        }
    }

    fn fill(&mut self, path: Option<Path>, ink: Ink) {
        if let Some(path) = path {
            self.0.fill_path(&path, &paint(ink), FillRule::Winding, Transform::identity(), None);
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
    if share == 255 {
        pixel.copy_from_slice(&ink[..3]);
        return;
    }
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

/// Whether a point is finite and near the canvas.
fn is_near(point: Point) -> bool {
    point.iter().all(|value| value.abs() < FAR)
}
