//! Shapes as coverage of pixels, computed from distances: what a view draws in every frame is small and simple, and so it
//! needs no outlines. A pixel is covered by the part of it that lies within half a pixel of the edge.

use super::point::{Point, single};

/// A shape that says how much of a pixel it covers. Places are middles of pixels.
pub(super) trait Shape {
    /// The first and the last row that it can touch.
    fn rows(&self) -> [f32; 2];
    /// The columns of a row outside of which it covers nothing.
    fn span(&self, y: f32) -> [f32; 2];
    /// The columns of a row between which it covers all; none by default.
    fn core(&self, _y: f32) -> [f32; 2] {
        [0.0, -1.0]
    }
    /// The covered part of a pixel, 0 to 1.
    fn cover(&self, x: f32, y: f32) -> f32;
}

/// The covered part of a pixel whose middle is this far inside of an edge.
fn inside(depth: f32) -> f32 {
    (depth + 0.5).clamp(0.0, 1.0)
}

/// A line with round ends.
pub(super) struct Capsule {
    from: [f32; 2],
    along: [f32; 2],
    /// One over the square of its length; 0 for a point.
    inverse: f32,
    radius: f32,
}

impl Capsule {
    pub(super) fn new(from: Point, to: Point, width: f64) -> Self {
        let from = from.map(single);
        let to = to.map(single);
        let along = [to[0] - from[0], to[1] - from[1]];
        let square = along[0] * along[0] + along[1] * along[1];
        let inverse = if square > 0.0 { 1.0 / square } else { 0.0 };
        Self { from, along, inverse, radius: single(width / 2.0) }
    }

    fn reach(&self) -> f32 {
        self.radius + 1.0
    }
}

impl Shape for Capsule {
    fn rows(&self) -> [f32; 2] {
        let one = self.from[1];
        let other = self.from[1] + self.along[1];
        [one.min(other) - self.reach(), one.max(other) + self.reach()]
    }

    fn span(&self, y: f32) -> [f32; 2] {
        // The part of the line within reach of the row.
        let share = |edge: f32| {
            let share = (y + edge - self.from[1]) / self.along[1];
            if share.is_finite() { share.clamp(0.0, 1.0) } else { edge.signum().max(0.0) }
        };
        let ends = [-self.reach(), self.reach()].map(|edge| self.from[0] + self.along[0] * share(edge));
        [ends[0].min(ends[1]) - self.reach(), ends[0].max(ends[1]) + self.reach()]
    }

    fn cover(&self, x: f32, y: f32) -> f32 {
        let from = [x - self.from[0], y - self.from[1]];
        let share = ((from[0] * self.along[0] + from[1] * self.along[1]) * self.inverse).clamp(0.0, 1.0);
        let off = [from[0] - share * self.along[0], from[1] - share * self.along[1]];
        inside(self.radius - (off[0] * off[0] + off[1] * off[1]).sqrt())
    }
}

/// An ellipse along the axes.
#[derive(Clone, Copy)]
pub(super) struct Oval {
    center: [f32; 2],
    radii: [f32; 2],
}

impl Oval {
    /// `None` without a size.
    pub(super) fn new(center: Point, radii: Point) -> Option<Self> {
        let has_size = radii.iter().all(|radius| *radius > 0.0);
        has_size.then(|| Self { center: center.map(single), radii: radii.map(single) })
    }
}

impl Shape for Oval {
    fn rows(&self) -> [f32; 2] {
        [self.center[1] - self.radii[1] - 1.0, self.center[1] + self.radii[1] + 1.0]
    }

    fn span(&self, y: f32) -> [f32; 2] {
        let up = (((y - self.center[1]).abs() - 1.0).max(0.0) / self.radii[1]).min(1.0);
        let half = self.radii[0] * (1.0 - up * up).sqrt() + 1.0;
        [self.center[0] - half, self.center[0] + half]
    }

    /// By the value of its equation over the slope there, which is the distance from the edge near the edge.
    fn cover(&self, x: f32, y: f32) -> f32 {
        let [u, v] = [(x - self.center[0]) / self.radii[0], (y - self.center[1]) / self.radii[1]];
        let value = (u * u + v * v).sqrt();
        let across = u / self.radii[0];
        let up = v / self.radii[1];
        let slope = (across * across + up * up).sqrt();
        if slope > 0.0 { inside(value * (1.0 - value) / slope) } else { 1.0 }
    }
}

/// What an ellipse has outside of another one with the same middle.
pub(super) struct OvalRing {
    pub(super) outer: Oval,
    pub(super) inner: Oval,
}

impl Shape for OvalRing {
    fn rows(&self) -> [f32; 2] {
        self.outer.rows()
    }

    fn span(&self, y: f32) -> [f32; 2] {
        self.outer.span(y)
    }

    fn cover(&self, x: f32, y: f32) -> f32 {
        self.outer.cover(x, y) - self.inner.cover(x, y)
    }
}

/// A rectangle with round corners.
pub(super) struct Block {
    low: [f32; 2],
    high: [f32; 2],
    radius: f32,
}

impl Block {
    pub(super) fn new([x, y]: Point, [width, height]: Point, radius: f64) -> Self {
        Self { low: [x, y].map(single), high: [x + width, y + height].map(single), radius: single(radius) }
    }

    /// The part of a pixel between the edges of an axis.
    fn overlap(&self, axis: usize, at: f32) -> f32 {
        ((at + 0.5).min(self.high[axis]) - (at - 0.5).max(self.low[axis])).clamp(0.0, 1.0)
    }

    /// How far a place is in the zone of a corner, along an axis.
    fn corner(&self, axis: usize, at: f32) -> f32 {
        (self.low[axis] + self.radius - at).max(at - self.high[axis] + self.radius).max(0.0)
    }
}

impl Shape for Block {
    fn rows(&self) -> [f32; 2] {
        [self.low[1] - 1.0, self.high[1] + 1.0]
    }

    fn span(&self, _y: f32) -> [f32; 2] {
        [self.low[0] - 1.0, self.high[0] + 1.0]
    }

    fn core(&self, y: f32) -> [f32; 2] {
        if y < self.low[1] + 0.5 || y > self.high[1] - 0.5 {
            return [0.0, -1.0];
        }
        let edge = if self.corner(1, y) > 0.0 { self.radius.max(0.5) } else { 0.5 };
        [self.low[0] + edge, self.high[0] - edge]
    }

    fn cover(&self, x: f32, y: f32) -> f32 {
        let across = self.corner(0, x);
        let up = self.corner(1, y);
        if across > 0.0 && up > 0.0 {
            return inside(self.radius - (across * across + up * up).sqrt());
        }
        self.overlap(0, x) * self.overlap(1, y)
    }
}

/// A convex polygon with few corners.
pub(super) struct Convex<const N: usize> {
    /// The way into the polygon from each edge: a unit vector, and its value at the edge.
    edges: [([f32; 2], f32); N],
    rows: [f32; 2],
}

impl<const N: usize> Convex<N> {
    /// `None` for corners on one line.
    pub(super) fn new(corners: &[Point; N]) -> Option<Self> {
        let next = |index: usize| corners[(index + 1) % N];
        let area = |index: usize| corners[index][0] * next(index)[1] - next(index)[0] * corners[index][1];
        let side = (0..N).map(area).sum::<f64>().signum();
        let mut edges = [([0.0; 2], 0.0); N];
        for (index, edge) in edges.iter_mut().enumerate() {
            let [x, y] = corners[index];
            let to = next(index);
            let along = [to[0] - x, to[1] - y];
            let length = (along[0] * along[0] + along[1] * along[1]).sqrt();
            let normal = [-side * along[1] / length, side * along[0] / length];
            *edge = (normal.map(single), single(normal[0] * x + normal[1] * y));
        }
        let heights = corners.map(|corner| single(corner[1]));
        let rows =
            [heights.into_iter().fold(f32::MAX, f32::min), heights.into_iter().fold(f32::MIN, f32::max)];
        let is_flat = edges.iter().any(|(normal, _)| !normal[0].is_finite());
        (!is_flat).then_some(Self { edges, rows: [rows[0] - 1.0, rows[1] + 1.0] })
    }

    fn depth(&self, edge: usize, x: f32, y: f32) -> f32 {
        let (normal, at) = self.edges[edge];
        inside(normal[0] * x + normal[1] * y - at)
    }
}

impl<const N: usize> Shape for Convex<N> {
    fn rows(&self) -> [f32; 2] {
        self.rows
    }

    fn span(&self, y: f32) -> [f32; 2] {
        let mut span = [f32::MIN, f32::MAX];
        for ([across, up], at) in self.edges {
            let edge = (at - up * y - 0.5) / across;
            if across > 1e-6 {
                span[0] = span[0].max(edge);
            } else if across < -1e-6 {
                span[1] = span[1].min(edge);
            }
        }
        [span[0].max(-1e6), span[1].min(1e6)]
    }

    /// Opposite edges of a quadrilateral leave a strip of a pixel, also where it is narrower than one.
    fn cover(&self, x: f32, y: f32) -> f32 {
        let mut share = 1.0;
        for edge in 0..N {
            share *= self.depth(edge, x, y);
        }
        share
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sum of all coverage, which only pixels within rows and span have.
    fn area(shape: &impl Shape) -> f64 {
        let mut sum = 0.0;
        for row in 0..100_u8 {
            let y = f32::from(row) + 0.5;
            let span = shape.span(y);
            let core = shape.core(y);
            let is_within = (shape.rows()[0]..=shape.rows()[1]).contains(&y);
            for column in 0..100_u8 {
                let x = f32::from(column) + 0.5;
                let cover = f64::from(shape.cover(x, y));
                assert!(cover == 0.0 || is_within && (span[0]..=span[1]).contains(&x), "{x} {y}: {cover}");
                assert!(!(core[0]..=core[1]).contains(&x) || cover == 1.0, "{x} {y}: {cover}");
                sum += cover;
            }
        }
        sum
    }

    #[test]
    fn what_is_covered_is_the_area() {
        use std::f64::consts::PI;
        let oval = |radii| Oval::new([50.3, 49.6], radii).unwrap();
        let ring = OvalRing { outer: oval([30.0, 14.0]), inner: oval([27.0, 11.0]) };
        let quad = [[10.0, 20.0], [80.0, 32.0], [78.0, 44.0], [8.0, 32.0]];
        let strip = [[10.0, 20.0], [80.0, 32.0], [79.9, 32.6], [9.9, 20.6]];
        let shoelace = |corners: &[Point; 4]| {
            let cross = |(from, to): (&Point, &Point)| from[0] * to[1] - to[0] * from[1];
            corners.iter().zip(corners.iter().cycle().skip(1)).map(cross).sum::<f64>().abs() / 2.0
        };
        for (shape, covered, expected) in [
            ("disc", area(&oval([11.5, 11.5])), PI * 11.5 * 11.5),
            ("small disc", area(&oval([1.6, 1.6])), PI * 1.6 * 1.6),
            ("ellipse", area(&oval([30.0, 14.0])), PI * 30.0 * 14.0),
            ("ring", area(&ring), PI * (30.0 * 14.0 - 27.0 * 11.0)),
            ("line", area(&Capsule::new([20.0, 30.0], [70.0, 77.0], 3.0)), 3.0 * 68.62 + PI * 2.25),
            ("point", area(&Capsule::new([20.0, 30.0], [20.0, 30.0], 6.0)), PI * 9.0),
            ("block", area(&Block::new([10.25, 20.5], [40.5, 7.75], 0.0)), 40.5 * 7.75),
            ("pill", area(&Block::new([10.0, 20.0], [40.0, 20.0], 8.0)), 800.0 - (4.0 - PI) * 64.0),
            ("quadrilateral", area(&Convex::new(&quad).unwrap()), shoelace(&quad)),
            ("strip", area(&Convex::new(&strip).unwrap()), shoelace(&strip)),
        ] {
            assert!((covered / expected - 1.0).abs() < 0.02, "{shape}: {covered} instead of {expected}");
        }
    }

    #[test]
    fn corners_of_either_order_are_one_polygon_and_a_line_is_none() {
        let corners = [[10.0, 10.0], [60.0, 20.0], [30.0, 70.0]];
        let [a, b, c] = corners;
        let sizes = [[a, b, c], [c, b, a]].map(|corners| area(&Convex::new(&corners).unwrap()));
        assert!((sizes[0] - sizes[1]).abs() < 1e-3 && (sizes[0] - 1400.0).abs() < 20.0, "{sizes:?}");
        assert!(Convex::new(&[a, a, b]).is_none());
    }
}
