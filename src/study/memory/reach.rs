//! Up to how many steps back what is remembered decides, and the window that has it.

use super::answers::{MemoryAnswers, Remembered};
use mageyard_statistics::{RankTest, RankedAnswers, RankedSet, rank_tests};

/// The probability of finding too much: that a frame or a past step decides which does not.
pub(super) const LEVEL: f64 = 0.025;

/// Frames and past steps are tested for themselves.
const SORTS: f64 = 2.0;

/// The tests of one sort from the nearest distance backwards, up to the first one that shows nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reach {
    /// The distance, and the p value that nothing there or further back decides, alone or with its neighbour; corrected for the two
    /// sorts.
    pub tests: Vec<(u32, f64)>,
}

impl Reach {
    /// The tests of the frames or of the past steps, with the pairs that were asked about.
    fn of(what: Remembered, states: &[MemoryAnswers]) -> Self {
        let asked: Vec<RankedAnswers> = states.iter().map(|state| ranked(what, state)).collect();
        let corrected = |test: RankTest| (test.rank, (SORTS * test.p).min(1.0));
        Self { tests: rank_tests(&asked, LEVEL / SORTS).into_iter().map(corrected).collect() }
    }

    /// The furthest distance that decides.
    pub fn furthest(&self) -> Option<u32> {
        self.tests.iter().take_while(|(_, p)| *p < LEVEL).last().map(|(back, _)| *back)
    }

    /// The p value that nothing at this distance or further back decides; `None` if a nearer one has shown nothing.
    pub fn p(&self, back: u32) -> Option<f64> {
        self.tests.iter().find(|(tested, _)| *tested == back).map(|(_, p)| *p)
    }
}

fn ranked(what: Remembered, state: &MemoryAnswers) -> RankedAnswers {
    let sets = state.without.iter().filter(|(part, _)| part.what.single() == what);
    let set = |(part, counts): &(super::MemoryPart, Vec<usize>)| RankedSet {
        rank: part.back,
        sort: u32::from(part.what.is_pair()),
        counts: counts.clone(),
    };
    RankedAnswers { reference: state.complete.clone(), sets: sets.map(set).collect() }
}

/// What decides, by the answers at some states.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MemoryReach {
    /// The frames, from that of the step.
    pub frames: Reach,
    /// The past steps, from the last one.
    pub rows: Reach,
}

impl MemoryReach {
    /// Tests up to which distance something decides.
    pub fn of(states: &[MemoryAnswers]) -> Self {
        Self { frames: Reach::of(Remembered::Frame, states), rows: Reach::of(Remembered::Row, states) }
    }

    /// The tests that a part belongs to.
    pub fn of_sort(&self, what: Remembered) -> &Reach {
        match what.single() {
            Remembered::Row | Remembered::RowPair => &self.rows,
            Remembered::Frame | Remembered::FramePair => &self.frames,
        }
    }

    /// AM and OM of the smallest window with all that decides; `None` if nothing does.
    pub fn window(&self) -> Option<(u32, u32)> {
        let (frames, rows) = (self.frames.furthest(), self.rows.furthest());
        frames.or(rows)?;
        let om = frames.unwrap_or(0) + 1;
        // OM is at most AM, but for the present frame alone.
        Some((rows.unwrap_or(0).max(if om > 1 { om } else { 0 }), om))
    }
}
