//! The parts of a request that can be left out.

use super::compose::Request;
use super::left_out::LeftOut;
use mageyard_domain::{MessagePart, Segment};

/// The parts of a request that can be left out, by their sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartSort {
    /// The past steps that are remembered.
    Rows,
    /// The states that are shown, that of the present step included.
    Frames,
    /// Two past steps in a row that are remembered.
    RowPairs,
    /// The states of two steps in a row that are shown.
    FramePairs,
    /// The segments of the prompt, and the hint of a person.
    Segments,
}

impl PartSort {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Rows, Self::Frames, Self::RowPairs, Self::FramePairs, Self::Segments];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rows => "rows",
            Self::Frames => "frames",
            Self::RowPairs => "row-pairs",
            Self::FramePairs => "frame-pairs",
            Self::Segments => "segments",
        }
    }
}

impl Request {
    /// The parts of a sort that the request has, in its order.
    pub fn parts_of(&self, sort: PartSort) -> Vec<LeftOut> {
        match sort {
            PartSort::Rows => self.past_rows().into_iter().map(LeftOut::Row).collect(),
            PartSort::Frames => self.shown_frames().into_iter().map(LeftOut::Frame).collect(),
            PartSort::RowPairs => pairs(&self.past_rows()).map(LeftOut::RowPair).collect(),
            PartSort::FramePairs => pairs(&self.shown_frames()).map(LeftOut::FramePair).collect(),
            PartSort::Segments => self.segments().into_iter().map(LeftOut::Segment).collect(),
        }
    }

    /// The past steps that are remembered, oldest first.
    fn past_rows(&self) -> Vec<u32> {
        let rows = self.ledger.rows().iter().skip(1).rev();
        let remembered = rows.filter(|row| row.output.is_included() || row.parts_included() > 0);
        remembered.map(|row| row.step).collect()
    }

    /// The steps whose states are shown, oldest first.
    fn shown_frames(&self) -> Vec<u32> {
        let rows = self.ledger.rows().iter().rev();
        rows.filter(|row| row.parts_included() > 0).map(|row| row.step).collect()
    }

    /// The segments that can be left out, each once.
    fn segments(&self) -> Vec<Segment> {
        let mut found = Vec::new();
        for part in self.messages.iter().flat_map(|message| &message.parts) {
            if let MessagePart::Text(segment, _) = part
                && is_of_prompt(*segment)
                && !found.contains(segment)
            {
                found.push(*segment);
            }
        }
        found
    }
}

/// The first steps of the pairs of steps in a row.
fn pairs(steps: &[u32]) -> impl Iterator<Item = u32> {
    steps.windows(2).filter(|pair| pair[0] + 1 == pair[1]).map(|pair| pair[0])
}

/// Whether a segment belongs to the first request of a step, and is neither a state nor an output.
fn is_of_prompt(segment: Segment) -> bool {
    match segment {
        Segment::System
        | Segment::Task
        | Segment::Cot
        | Segment::Io
        | Segment::Turn
        | Segment::Skipped
        | Segment::Feedback
        | Segment::Reflection
        | Segment::Placeholder
        | Segment::Hint => true,
        Segment::Retry | Segment::Continue | Segment::Partial | Segment::StateText | Segment::Output => false,
    }
}
