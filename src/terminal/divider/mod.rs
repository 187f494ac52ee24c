//! The borders between panes: splitting an area by one, and moving it.

mod proportions;

pub use self::proportions::Border;
use ratatui::layout::{Position, Rect};

pub use self::proportions::Proportions;

/// A border between two panes that can be moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Divider {
    /// Which border of the layout it is.
    pub border: Border,
    /// Whether panes are side by side at it.
    pub between_columns: bool,
    /// The cells of the borders of both panes.
    pub line: Rect,
    /// The size that it changes, in cells.
    pub size: u16,
    /// The least and the most cells that the size may have.
    pub range: (u16, u16),
    /// The cells of all panes in that direction.
    pub whole: u16,
    /// Whether the size is that of the part after it.
    pub sizes_last: bool,
}

impl Divider {
    /// The proportions with the border moved to another size, as far as the panes allow.
    pub fn resized(&self, proportions: Proportions, by: i32) -> Proportions {
        let size = (i32::from(self.size) + by).clamp(self.range.0.into(), self.range.1.into());
        proportions.with(self.border, u16::try_from(size).unwrap_or(self.size), self.whole)
    }

    /// The proportions after the pointer moved from one cell to another.
    pub fn dragged(&self, proportions: Proportions, from: Position, to: Position) -> Proportions {
        let moved = if self.between_columns {
            i32::from(to.x) - i32::from(from.x)
        } else {
            i32::from(to.y) - i32::from(from.y)
        };
        self.resized(proportions, if self.sizes_last { -moved } else { moved })
    }
}

/// A border that the mouse moves: the border as it was, and where it was taken.
#[derive(Clone, Copy, Debug)]
pub struct Drag {
    /// The border when the button was pressed.
    pub divider: Divider,
    /// The cell where it was taken.
    pub from: Position,
}

/// Splits areas and remembers the dividers.
pub struct Splitter {
    /// The sizes that were set by hand.
    pub proportions: Proportions,
    /// The area of all panes.
    pub body: Rect,
    /// The dividers of the splits so far.
    pub dividers: Vec<Divider>,
}

/// How an area is split in two.
pub struct Split {
    /// The border between the two parts.
    pub border: Border,
    /// Whether the size is that of the part after the border.
    pub sizes_last: bool,
    /// The size in cells while none was set by hand; it follows the content.
    pub auto: u16,
    /// The least and the most cells of the size.
    pub range: (u16, u16),
}

impl Splitter {
    /// Splits into a left and a right part.
    pub fn columns(&mut self, area: Rect, split: &Split) -> [Rect; 2] {
        let first = self.first(area.width, self.body.width, split);
        let left = Rect { width: first, ..area };
        let right = Rect { x: area.x + first, width: area.width - first, ..area };
        let line = Rect { x: right.x.saturating_sub(1), width: 2, ..area };
        self.remember(split, true, line, area.width, first);
        [left, right]
    }

    /// Splits into an upper and a lower part.
    pub fn rows(&mut self, area: Rect, split: &Split) -> [Rect; 2] {
        let first = self.first(area.height, self.body.height, split);
        let top = Rect { height: first, ..area };
        let bottom = Rect { y: area.y + first, height: area.height - first, ..area };
        let line = Rect { y: bottom.y.saturating_sub(1), height: 2, ..area };
        self.remember(split, false, line, area.height, first);
        [top, bottom]
    }

    /// The cells of the first part.
    fn first(&self, room: u16, whole: u16, split: &Split) -> u16 {
        let (least, most) = split.range;
        let set = self.proportions.size(split.border, whole);
        let size = set.map_or(split.auto, |set| set.clamp(least, most.max(least))).min(room);
        if split.sizes_last { room - size } else { size }
    }

    fn remember(&mut self, split: &Split, between_columns: bool, line: Rect, room: u16, first: u16) {
        let Split { border, sizes_last, range: (least, most), .. } = *split;
        let size = if sizes_last { room - first } else { first };
        let whole = if between_columns { self.body.width } else { self.body.height };
        let range = (least, most.max(least));
        self.dividers.push(Divider { border, between_columns, line, size, range, whole, sizes_last });
    }
}
