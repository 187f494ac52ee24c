//! Zones of the pitch and kinds of scenes, as names of scenes have them: `R5_P_2` is the second personal scene of the
//! zone in the middle (`MageBench`, section 3.3). Zones count from the top left, three in a row; the left goal is ours.

use std::fmt;

/// Where the rows and the columns of zones are split, in public units.
const SPLIT: [f64; 2] = [1.0 / 3.0, 0.14];

/// A zone of the pitch, 1 to 9.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Zone(u8);

impl Zone {
    /// All zones.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        (1..=9).map(Self)
    }

    /// The zone of a ball in public units.
    pub(super) fn of(ball: [f64; 2]) -> Self {
        let third = |value: f64, split: f64| u8::from(value >= -split) + u8::from(value > split);
        Self(1 + third(ball[0], SPLIT[0]) + 3 * third(ball[1], SPLIT[1]))
    }

    /// The least and the largest x and y of its balls in public units.
    pub(super) fn bounds(self) -> [[f64; 2]; 2] {
        let side = |third: u8, split: f64, edge: f64| match third {
            0 => [-edge, -split],
            1 => [-split, split],
            _ => [split, edge],
        };
        [side((self.0 - 1) % 3, SPLIT[0], 1.011), side((self.0 - 1) / 3, SPLIT[1], 0.4306)]
    }
}

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "R{}", self.0)
    }
}

/// What a scene demands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Kind {
    /// Personal: no teammate is free.
    Personal,
    /// Teamwork: two or more teammates are free.
    Teamwork,
    /// A moment of a match.
    Real,
}

impl Kind {
    /// All kinds.
    pub(super) const ALL: [Self; 3] = [Self::Personal, Self::Teamwork, Self::Real];

    /// Its letter in names.
    pub(super) fn letter(self) -> char {
        match self {
            Self::Personal => 'P',
            Self::Teamwork => 'T',
            Self::Real => 'R',
        }
    }
}

/// The zone and the kind that a name promises; none for another form. `_` and `-` separate the number.
pub(super) fn of_name(name: &str) -> Option<(Zone, Kind)> {
    let (zone, rest) = name.strip_prefix('R')?.split_once('_')?;
    let (kind, number) = rest.split_once(['_', '-'])?;
    number.parse::<u32>().ok()?;
    let zone = zone.parse().ok().filter(|zone| (1..=9).contains(zone))?;
    let kind = Kind::ALL.into_iter().find(|known| known.letter().to_string() == kind)?;
    Some((Zone(zone), kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_count_from_the_top_left() {
        let zone = |x, y| Zone::of([x, y]).to_string();
        assert_eq!([zone(-0.7, -0.2), zone(0.0, -0.2), zone(0.7, -0.2)], ["R1", "R2", "R3"]);
        assert_eq!([zone(-0.7, 0.0), zone(0.0, 0.0), zone(0.7, 0.0)], ["R4", "R5", "R6"]);
        assert_eq!([zone(-0.7, 0.2), zone(0.0, 0.2), zone(0.7, 0.2)], ["R7", "R8", "R9"]);
        for zone in Zone::all() {
            let [[left, right], [top, bottom]] = zone.bounds();
            assert_eq!(Zone::of([f64::midpoint(left, right), f64::midpoint(top, bottom)]), zone);
        }
    }

    #[test]
    fn names_tell_zone_and_kind() {
        assert_eq!(of_name("R5_P_2"), Some((Zone(5), Kind::Personal)));
        assert_eq!(of_name("R9_R-12"), Some((Zone(9), Kind::Real)));
        for name in ["R0_P_1", "R10_P_1", "R1_X_1", "R1_P", "R1_P_x", "kick-off", ""] {
            assert_eq!(of_name(name), None, "{name}");
        }
    }
}
