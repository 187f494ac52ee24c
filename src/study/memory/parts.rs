//! The parts of a sent request, with how many steps back each is.

use std::collections::HashSet;

use mageyard_domain::{Digest, RequestReader, Segment, SentRequest, TurnPart, estimate_tokens};

/// A part of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RequestPart {
    /// What it is.
    pub(super) sort: AuditedPart,
    /// How many steps back its output or its state is, 0 for the step of the request; `None` for what belongs to no step.
    pub(super) back: Option<u32>,
    /// Its estimated tokens.
    pub(super) tokens: u64,
    /// Equal parts have equal digests.
    pub(super) digest: Digest,
}

/// What a part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum AuditedPart {
    /// A text of a segment.
    Text(Segment),
    /// A text whose segment is not recorded.
    OtherText,
    /// An image.
    Image,
}

impl AuditedPart {
    /// Its name in tables: that of the segment, `text` or `frame`.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Text(Segment::StateText) => "state text",
            Self::Text(segment) => segment.name(),
            Self::OtherText => "text",
            Self::Image => "frame",
        }
    }
}

/// The parts of a request for a step, in order. An output is as many steps back as outputs follow it, and one more; a text of a
/// state as many as outputs follow it. So a step without an output does not count. Replies of the step itself that could not be
/// read are 0 back.
pub(super) fn request_parts(
    request: &SentRequest,
    step: u32,
    reader: &dyn RequestReader,
) -> Vec<RequestPart> {
    let mut parts = Vec::new();
    for part in request.read_turns(reader).into_iter().flat_map(|turn| turn.parts) {
        parts.push(match part {
            TurnPart::Text(segment, text) => RequestPart {
                sort: segment.map_or(AuditedPart::OtherText, AuditedPart::Text),
                back: None,
                tokens: estimate_tokens(text.chars().count(), []),
                digest: Digest::of(text.as_bytes()),
            },
            TurnPart::Image { digest, image } => RequestPart {
                sort: AuditedPart::Image,
                back: image.as_ref().map(|image| step.saturating_sub(image.part.step)),
                tokens: image.as_ref().map_or(0, |image| estimate_tokens(0, [image.size])),
                digest: Digest::of(digest.as_bytes()),
            },
            TurnPart::Unknown(text) => RequestPart {
                sort: AuditedPart::OtherText,
                back: None,
                tokens: estimate_tokens(text.chars().count(), []),
                digest: Digest::of(text.as_bytes()),
            },
        });
    }
    place_texts(&mut parts);
    parts
}

/// Says of outputs and texts of states how many steps back they are.
fn place_texts(parts: &mut [RequestPart]) {
    let is = |part: &RequestPart, segment| part.sort == AuditedPart::Text(segment);
    let mut unread = parts.iter().filter(|part| is(part, Segment::Retry)).count();
    let mut outputs = 0;
    for part in parts.iter_mut().rev() {
        if is(part, Segment::Output) && unread > 0 {
            unread -= 1;
            part.back = Some(0);
        } else if is(part, Segment::Output) {
            outputs += 1;
            part.back = Some(outputs);
        } else if is(part, Segment::StateText) {
            part.back = Some(outputs);
        }
    }
}

/// The parts that earlier requests of an episode had.
#[derive(Default)]
pub(super) struct SentBefore(HashSet<(AuditedPart, Digest)>);

impl SentBefore {
    /// Whether an equal part was sent before the request of this one.
    pub(super) fn has(&self, part: &RequestPart) -> bool {
        self.0.contains(&(part.sort, part.digest))
    }

    /// Adds the parts of a request.
    pub(super) fn add(&mut self, parts: &[RequestPart]) {
        self.0.extend(parts.iter().map(|part| (part.sort, part.digest)));
    }
}
