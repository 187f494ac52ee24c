//! Vectors in the plane of the pitch: metres or metres per second, x right, **y up**.

use std::ops::{Add, AddAssign, Mul, Neg, Sub};

/// A place, a velocity or a direction in the plane.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Vec2 {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

impl Vec2 {
    pub(crate) const ZERO: Self = Self { x: 0.0, y: 0.0 };

    pub(crate) const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    pub(crate) fn dot(self, other: Self) -> f64 {
        self.x * other.x + self.y * other.y
    }

    /// The third component of the cross product: positive where `other` lies to the left.
    pub(crate) fn cross(self, other: Self) -> f64 {
        self.x * other.y - self.y * other.x
    }

    pub(crate) fn length(self) -> f64 {
        self.dot(self).sqrt()
    }

    pub(crate) fn distance(self, other: Self) -> f64 {
        (self - other).length()
    }

    /// Length 1 in the same direction; zero stays zero.
    pub(crate) fn unit(self) -> Self {
        self.unit_or(Self::ZERO)
    }

    /// Length 1 in the same direction, or `fallback` where the vector is (almost) zero.
    pub(crate) fn unit_or(self, fallback: Self) -> Self {
        let length = self.length();
        if length < 1e-9 { fallback } else { self * (1.0 / length) }
    }

    /// The vector, shortened to this length where it is longer.
    pub(crate) fn at_most(self, length: f64) -> Self {
        let own = self.length();
        if own <= length { self } else { self * (length / own) }
    }

    /// Turned by this angle, counter-clockwise, in radians.
    pub(crate) fn turned(self, angle: f64) -> Self {
        let (sine, cosine) = libm::sincos(angle);
        Self::new(self.x * cosine - self.y * sine, self.x * sine + self.y * cosine)
    }

    /// The vector a quarter turn to the left.
    pub(crate) const fn left(self) -> Self {
        Self::new(-self.y, self.x)
    }

    /// The angle to `other`, counter-clockwise, between -π and π; 0 where one of them is zero.
    pub(crate) fn angle_to(self, other: Self) -> f64 {
        let cross = self.cross(other);
        let dot = self.dot(other);
        // The sign of a zero would count: a vector of zeros could be behind another one.
        if cross == 0.0 && dot == 0.0 { 0.0 } else { libm::atan2(cross, dot) }
    }

    /// `self` at 0, `other` at 1.
    pub(crate) fn mix(self, other: Self, share: f64) -> Self {
        self * (1.0 - share) + other * share
    }
}

impl Add for Vec2 {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y)
    }
}

impl AddAssign for Vec2 {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Vec2 {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y)
    }
}

impl Mul<f64> for Vec2 {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Self::new(self.x * factor, self.y * factor)
    }
}

impl Neg for Vec2 {
    type Output = Self;
    fn neg(self) -> Self {
        Self::new(-self.x, -self.y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_angle_to_nothing_is_none_whatever_the_signs() {
        for facing in [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]] {
            for zero in [0.0, -0.0] {
                assert_eq!(
                    Vec2::new(facing[0], facing[1]).angle_to(Vec2::new(zero, zero)),
                    0.0,
                    "{facing:?} {zero:?}"
                );
            }
        }
    }
}
