//! What to generate: the shape of a room, the eight groups of the benchmark and its sets.

use std::fmt;

use thiserror::Error;

use super::super::xsb;
use mageyard_domain::Level;

/// The most rows and the most columns of a room.
const MAX_SIDE: u16 = 64;

/// Rows, columns, boxes and the steps of the walk that opens the floor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(super) rows: u16,
    pub(super) columns: u16,
    pub(super) boxes: u8,
    pub(super) steps: u16,
}

/// An invalid shape.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum ShapeError {
    /// Too small or too large.
    #[error("a room cannot have {0}x{1} squares: rows and columns are from 4 to {MAX_SIDE}")]
    Size(u16, u16),
    /// No box, or too many.
    #[error("{boxes} boxes do not fit into a room of {rows}x{columns}: it can have 1 to {most}")]
    Boxes {
        /// Rows, walls included.
        rows: u16,
        /// Columns, walls included.
        columns: u16,
        /// The number requested.
        boxes: u8,
        /// The most that fit.
        most: u16,
    },
}

impl Shape {
    /// A shape with the usual number of steps: 1.7 per row and column, rounded down.
    pub(crate) fn new(rows: u16, columns: u16, boxes: u8) -> Result<Self, ShapeError> {
        if !(4..=MAX_SIDE).contains(&rows) || !(4..=MAX_SIDE).contains(&columns) {
            return Err(ShapeError::Size(rows, columns));
        }
        // The floor must hold the targets, the player and one square more.
        let most = ((rows - 2) * (columns - 2) - 2).min(u16::from(u8::MAX) - 1);
        if boxes == 0 || u16::from(boxes) > most {
            return Err(ShapeError::Boxes { rows, columns, boxes, most });
        }
        Ok(Self { rows, columns, boxes, steps: 17 * (rows + columns) / 10 })
    }

    /// The group of this shape, whatever the number of steps.
    pub(crate) fn group(self) -> Option<&'static Group> {
        let alike = |shape: &Shape| (shape.rows, shape.columns, shape.boxes);
        GROUPS.iter().find(|group| alike(&group.shape) == alike(&self))
    }
}

/// `7x7 with 2 boxes`.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.boxes == 1 { "box" } else { "boxes" };
        write!(f, "{}x{} with {} {plural}", self.rows, self.columns, self.boxes)
    }
}

/// A named shape of gym-sokoban, and how many levels of it each set of the benchmark has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Group {
    /// Such as `small-v0`.
    pub(crate) name: &'static str,
    /// The shape of its rooms.
    pub(crate) shape: Shape,
    /// Levels in `full`, in `mini` and in the training set.
    counts: [usize; 3],
}

impl Group {
    /// The name of a level's shape: its group, or rows, columns and boxes as in `9x8-3`; `None` for a text
    /// that is not a level.
    pub(crate) fn shape_name(level: &Level) -> Option<String> {
        let board = xsb::read_one(level.text()).ok()?;
        let rows = board.ground.rows;
        let columns = board.ground.columns;
        let boxes = board.boxes().len();
        let shape = u8::try_from(boxes).ok().and_then(|boxes| Shape::new(rows, columns, boxes).ok());
        let group = shape.and_then(Shape::group);
        Some(group.map_or_else(|| format!("{rows}x{columns}-{boxes}"), |group| group.name.to_owned()))
    }

    /// The number of levels in a set.
    pub(super) fn count(&self, preset: Preset) -> usize {
        self.counts[preset as usize]
    }
}

const fn group(name: &'static str, [rows, columns, boxes, steps]: [u16; 4], counts: [usize; 3]) -> Group {
    #[expect(clippy::cast_possible_truncation, reason = "as in the table below")]
    Group { name, shape: Shape { rows, columns, boxes: boxes as u8, steps }, counts }
}

/// The eight groups (`MageBench`, Sokoban), the smallest rooms first.
#[rustfmt::skip]
pub(crate) const GROUPS: [Group; 8] = [
    group("small-v0", [ 7,  7, 2, 23], [50, 9, 5000]),
    group("small-v1", [ 7,  7, 3, 23], [20, 3, 5000]),
    group("v0",       [10, 10, 3, 34], [15, 2,  500]),
    group("v1",       [10, 10, 4, 34], [24, 1,  500]),
    group("v2",       [10, 10, 5, 40], [22, 0,    0]),
    group("large-v0", [13, 11, 3, 43], [14, 3,  500]),
    group("large-v1", [13, 11, 5, 43], [18, 0,    0]),
    group("huge-v0",  [13, 13, 5, 50], [19, 2,    0]),
];

/// A set of the benchmark: a number of levels of each group, each solvable in 50 moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Preset {
    /// 182 levels.
    Full,
    /// 20 levels; with the same seed the first of each group in `full`.
    Mini,
    /// 11,500 levels of training data.
    Train,
}

impl Preset {
    /// Every set.
    pub(super) const ALL: [Self; 3] = [Self::Full, Self::Mini, Self::Train];

    /// The most moves of a shortest solution.
    pub(super) const MOVES: u32 = 50;

    /// Such as `full`.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Mini => "mini",
            Self::Train => "train",
        }
    }

    /// What the set has.
    pub(super) fn help(self) -> &'static str {
        match self {
            Self::Full => "182 levels of eight groups",
            Self::Mini => {
                "20 levels: the first of each group of full with the same seed, as in the set mini-v1"
            }
            Self::Train => "11,500 levels, none of them in a built-in set",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sets_have_the_counts_of_the_benchmark() {
        for (preset, count) in [(Preset::Full, 182), (Preset::Mini, 20), (Preset::Train, 11_500)] {
            assert_eq!(GROUPS.iter().map(|group| group.count(preset)).sum::<usize>(), count);
        }
        assert!(GROUPS.iter().all(|group| group.count(Preset::Mini) <= group.count(Preset::Full)));
    }

    #[test]
    fn groups_are_found_by_shape() {
        for group in &GROUPS {
            let Shape { rows, columns, boxes, .. } = group.shape;
            assert_eq!(Shape::new(rows, columns, boxes).unwrap().group(), Some(group));
        }
        assert_eq!(Shape::new(7, 7, 4).unwrap().group(), None);
        assert_eq!(Shape::new(7, 7, 2).unwrap(), GROUPS[0].shape, "the usual walk");
    }

    #[test]
    fn a_shape_is_named_after_its_group_or_its_size() {
        let called = |text: &str| Group::shape_name(&Level::from_text(1, None, text));
        let wide = "#".repeat(7);
        let inner = |row: &str| format!("{wide}\n{row}\n#     #\n#     #\n#     #\n#     #\n{wide}");
        assert_eq!(called(&inner("#@$$..#")).as_deref(), Some("small-v0"));
        assert_eq!(called(&inner("#@$  .#")).as_deref(), Some("7x7-1"));
        assert_eq!(
            called("###\n#@#\n#$#\n#.#\n###").as_deref(),
            Some("5x3-1"),
            "no room of this shape is made"
        );
        assert_eq!(called("#####"), None);
    }

    #[test]
    fn invalid_shapes_are_refused_with_a_reason() {
        let refused = |rows, columns, boxes| Shape::new(rows, columns, boxes).unwrap_err().to_string();
        assert_eq!(refused(3, 9, 1), "a room cannot have 3x9 squares: rows and columns are from 4 to 64");
        assert!(refused(9, 65, 1).starts_with("a room cannot have 9x65 squares"));
        assert_eq!(refused(5, 5, 8), "8 boxes do not fit into a room of 5x5: it can have 1 to 7");
        assert!(refused(64, 64, 255).ends_with("it can have 1 to 254"));
        assert!(refused(4, 4, 0).ends_with("it can have 1 to 2"));
    }
}
