//! The answers at a state to the complete request and to those without a part, as counts.

use std::collections::BTreeSet;

use crate::{ActionVerdict, AskCall, AskRecord, StoredAsk, Variant};
use mageyard_dialog::LeftOut;

/// What is left out of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Remembered {
    /// A past step: its output, and its frame if that is in OM.
    Row,
    /// A frame.
    Frame,
    /// Two past steps in a row.
    RowPair,
    /// Two frames in a row.
    FramePair,
}

impl Remembered {
    /// Whether it is two neighbours.
    pub fn is_pair(self) -> bool {
        matches!(self, Self::RowPair | Self::FramePair)
    }

    /// The same for a single step.
    #[must_use]
    pub fn single(self) -> Self {
        match self {
            Self::Row | Self::RowPair => Self::Row,
            Self::Frame | Self::FramePair => Self::Frame,
        }
    }
}

/// A part that is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MemoryPart {
    /// What it is.
    pub what: Remembered,
    /// How many steps back it is, the nearer one of a pair; 0 for the frame of the step.
    pub back: u32,
}

impl MemoryPart {
    /// The part that the request of a step is without; `None` for a segment.
    fn of(left_out: LeftOut, step: u32) -> Option<Self> {
        let (what, nearer) = match left_out {
            LeftOut::Row(of) => (Remembered::Row, of),
            LeftOut::Frame(of) => (Remembered::Frame, of),
            LeftOut::RowPair(of) => (Remembered::RowPair, of.saturating_add(1)),
            LeftOut::FramePair(of) => (Remembered::FramePair, of.saturating_add(1)),
            LeftOut::Segment(_) => return None,
        };
        Some(Self { what, back: step.saturating_sub(nearer) })
    }
}

/// The answers at a state. All counts have an entry for each answer, the same one at the same place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryAnswers {
    /// The reference of the level.
    pub level: String,
    /// The step.
    pub step: u32,
    /// How often each answer was given to the complete request.
    pub complete: Vec<usize>,
    /// The same for the requests without a part.
    pub without: Vec<(MemoryPart, Vec<usize>)>,
    /// Which answers are optimal; `None` if that is not known of each, or none is.
    pub optimal: Option<Vec<bool>>,
}

impl MemoryAnswers {
    /// The answers that are stored. Replies that cannot be read are one answer. A request that is equal to another one has no answers
    /// of its own.
    pub(super) fn of(level: &str, ask: &StoredAsk) -> Self {
        let record = &ask.record;
        let answer = |call: &AskCall| call.actions.first().cloned();
        let given: BTreeSet<Option<String>> =
            ask.calls.iter().filter(|call| call.reply.is_some()).map(answer).collect();
        let count = |variant: usize| -> Vec<usize> {
            let replies = || ask.calls.iter().filter(|call| call.variant == variant && call.reply.is_some());
            given.iter().map(|kind| replies().filter(|call| answer(call) == *kind).count()).collect()
        };
        let part = |(index, variant): (usize, &Variant)| {
            let part = MemoryPart::of(variant.left_out?, record.step)?;
            variant.same_as.is_none().then(|| (part, count(index)))
        };
        Self {
            level: level.to_owned(),
            step: record.step,
            complete: count(0),
            without: record.variants.iter().enumerate().filter_map(part).collect(),
            optimal: optimal(record, &given),
        }
    }
}

fn optimal(record: &AskRecord, given: &BTreeSet<Option<String>>) -> Option<Vec<bool>> {
    let verdicts = record.verdicts.as_ref()?;
    let is_judged = verdicts.values().all(|verdict| *verdict != ActionVerdict::Legal);
    let has_optimal = verdicts.values().any(|verdict| *verdict == ActionVerdict::Optimal);
    let is_optimal = |answer: &Option<String>| {
        answer.as_ref().and_then(|answer| verdicts.get(answer)) == Some(&ActionVerdict::Optimal)
    };
    (is_judged && has_optimal).then(|| given.iter().map(is_optimal).collect())
}
