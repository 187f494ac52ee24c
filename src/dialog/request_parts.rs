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
    /// The segments of the prompt, and the hint of a person.
    Segments,
}

impl PartSort {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rows => "rows",
            Self::Frames => "frames",
            Self::Segments => "segments",
        }
    }
}

impl Request {
    /// The parts of a sort that the request has, in its order.
    pub fn parts_of(&self, sort: PartSort) -> Vec<LeftOut> {
        let rows = self.ledger.rows().iter().enumerate().rev();
        match sort {
            PartSort::Rows => rows
                .filter(|(age, row)| *age > 0 && (row.output.is_included() || row.parts_included() > 0))
                .map(|(_, row)| LeftOut::Row(row.step))
                .collect(),
            PartSort::Frames => rows
                .filter(|(_, row)| row.parts_included() > 0)
                .map(|(_, row)| LeftOut::Frame(row.step))
                .collect(),
            PartSort::Segments => self.segments().into_iter().map(LeftOut::Segment).collect(),
        }
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
