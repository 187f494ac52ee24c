//! Sizes that a person sets in place of those that follow the content.

/// A border that can be moved, named after the size that it changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Border {
    /// The frame, beside or above the other panes.
    Frame,
    /// The columns of memory and score.
    Side,
    /// The rows of the filmstrip.
    Steps,
    /// The rows of the score, or of memory and score where they share a row.
    Score,
}

impl Border {
    pub(crate) const ALL: [Self; 4] = [Self::Frame, Self::Side, Self::Steps, Self::Score];

    /// Its name in the table `layout` of the settings.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Frame => "frame",
            Self::Side => "side",
            Self::Steps => "steps",
            Self::Score => "score",
        }
    }
}

/// The sizes that were set, in thousandths of the columns or rows of all panes; `None` follows the content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Proportions([Option<u16>; 4]);

impl Proportions {
    /// The sizes of frame, side, steps and score in percent; 0 follows the content.
    pub fn percent(sizes: [u16; 4]) -> Self {
        Self(sizes.map(|percent| (percent > 0).then_some(percent.saturating_mul(10))))
    }

    /// The size that is set for a border, in cells of `whole`.
    pub(crate) fn size(self, border: Border, whole: u16) -> Option<u16> {
        let cells = |share: u16| (u32::from(share) * u32::from(whole) + 500) / 1000;
        self.0[border as usize].map(|share| u16::try_from(cells(share)).unwrap_or(whole))
    }

    /// These sizes with another one, in cells of `whole`.
    pub(crate) fn with(mut self, border: Border, size: u16, whole: u16) -> Self {
        let share = (u32::from(size) * 1000 + u32::from(whole) / 2) / u32::from(whole.max(1));
        self.0[border as usize] = Some(u16::try_from(share).unwrap_or(1000));
        self
    }

    /// The sizes that are set, in percent, as the settings have them.
    pub fn set_percents(self) -> impl Iterator<Item = (&'static str, u16)> {
        Border::ALL
            .into_iter()
            .filter_map(move |border| Some((border.name(), (self.0[border as usize]? + 5) / 10)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_in_cells_are_kept_exactly() {
        for whole in [16, 37, 80, 120, 333] {
            for size in 0..=whole {
                let set = Proportions::default().with(Border::Side, size, whole);
                assert_eq!(set.size(Border::Side, whole), Some(size), "{size} of {whole}");
            }
        }
        let set = Proportions::percent([40, 0, 0, 25]);
        assert_eq!((set.size(Border::Frame, 120), set.size(Border::Side, 120)), (Some(48), None));
        assert_eq!(set.set_percents().collect::<Vec<_>>(), [("frame", 40), ("score", 25)]);
    }
}
