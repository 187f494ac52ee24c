//! The outline of an encoded turn: which segment of the prompt each of its texts comes from. A turn without images may be
//! sent as one string, so the outline also has the lengths that are needed to find its texts again.

use serde::{Deserialize, Serialize};

use super::{Message, MessagePart, Segment};

/// What joins adjacent texts of a turn that are sent as one string.
pub const TEXT_SEPARATOR: &str = "\n\n";

/// One part of a turn in its outline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum OutlinePart {
    /// An image, stored as `null`.
    Image,
    /// A text up to the end of its string.
    Text(Segment),
    /// A text of this many bytes. Another text follows, perhaps in the same string after [`TEXT_SEPARATOR`].
    TextBefore(Segment, usize),
}

/// The parts of a turn in order. Empty if they were not recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Outline(Box<[OutlinePart]>);

impl Outline {
    /// The outline of a turn, however its texts are encoded.
    pub fn of(message: &Message) -> Self {
        let next_is_text = |index| matches!(message.parts.get(index + 1), Some(MessagePart::Text(..)));
        let parts = message.parts.iter().enumerate().map(|(index, part)| match part {
            MessagePart::Image(..) => OutlinePart::Image,
            MessagePart::Text(segment, text) if next_is_text(index) => {
                OutlinePart::TextBefore(*segment, text.len())
            }
            MessagePart::Text(segment, _) => OutlinePart::Text(*segment),
        });
        Self(parts.collect())
    }

    /// The parts in order.
    pub fn parts(&self) -> &[OutlinePart] {
        &self.0
    }

    /// Whether nothing was recorded.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Reads the content of a turn along with its outline.
    pub fn reader(&self) -> OutlineReader<'_> {
        OutlineReader(self.0.iter())
    }
}

impl<const N: usize> From<[Option<Segment>; N]> for Outline {
    fn from(segments: [Option<Segment>; N]) -> Self {
        Self(
            segments
                .into_iter()
                .map(|segment| segment.map_or(OutlinePart::Image, OutlinePart::Text))
                .collect(),
        )
    }
}

/// Finds the segments of a turn's content. The content is read in order, one call for each of its parts; an outline that
/// does not fit it gives texts without a segment and never an error.
#[derive(Clone, Debug)]
pub struct OutlineReader<'a>(std::slice::Iter<'a, OutlinePart>);

impl OutlineReader<'_> {
    /// The texts in a string of the content, each with its segment.
    pub fn texts<'t>(&mut self, string: &'t str) -> Vec<(Option<Segment>, &'t str)> {
        let mut texts = Vec::new();
        let mut rest = string;
        while let Some(OutlinePart::TextBefore(segment, length)) = self.0.as_slice().first() {
            let Some((text, after)) = rest.split_at_checked(*length) else { break };
            let Some(after) = after.strip_prefix(TEXT_SEPARATOR) else { break };
            texts.push((Some(*segment), text));
            rest = after;
            self.0.next();
        }
        texts.push((self.next_segment(), rest));
        texts
    }

    /// Passes over a part that is not a text.
    pub fn skip(&mut self) {
        self.0.next();
    }

    fn next_segment(&mut self) -> Option<Segment> {
        match self.0.next()? {
            OutlinePart::Image => None,
            OutlinePart::Text(segment) | OutlinePart::TextBefore(segment, _) => Some(*segment),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{PartId, Picture, Role};

    fn text(segment: Segment, text: &str) -> MessagePart {
        MessagePart::Text(segment, text.into())
    }

    fn message(parts: Vec<MessagePart>) -> Message {
        Message { role: Role::User, parts }
    }

    #[test]
    fn the_texts_of_one_string_are_found_by_their_lengths() {
        let message = message(vec![
            text(Segment::Task, "é\n\ntask"),
            text(Segment::StateText, ""),
            text(Segment::Io, "io\n\nio"),
        ]);
        let outline = Outline::of(&message);
        let joined = message.text();
        let expected = [
            (Some(Segment::Task), "é\n\ntask"),
            (Some(Segment::StateText), ""),
            (Some(Segment::Io), "io\n\nio"),
        ];
        assert_eq!(outline.reader().texts(&joined), expected);
        let mut reader = outline.reader();
        let parts = ["é\n\ntask", "", "io\n\nio"].map(|part| reader.texts(part));
        assert_eq!(parts.concat(), expected, "a list of texts has the same segments");
    }

    #[test]
    fn texts_around_an_image_keep_their_segments() {
        let image = MessagePart::Image(
            PartId { step: 1, index: 0 },
            Arc::new(Picture::new(1, 1, 1, vec![0; 3]).unwrap()),
        );
        let message =
            message(vec![text(Segment::Task, "a"), image, text(Segment::Cot, "b"), text(Segment::Io, "c")]);
        let outline = Outline::of(&message);
        let mut reader = outline.reader();
        assert_eq!(reader.texts("a"), [(Some(Segment::Task), "a")]);
        reader.skip();
        assert_eq!(reader.texts("b\n\nc"), [(Some(Segment::Cot), "b"), (Some(Segment::Io), "c")]);
        assert_eq!(reader.texts("d"), [(None, "d")]);
    }

    #[test]
    fn lengths_that_do_not_fit_split_nothing() {
        for (length, string) in [(9, "short"), (1, "é\n\nb"), (1, "abc"), (usize::MAX, "a\n\nb")] {
            let outline = Outline([OutlinePart::TextBefore(Segment::Task, length)].into());
            assert_eq!(outline.reader().texts(string), [(Some(Segment::Task), string)], "{length}");
        }
    }

    #[test]
    fn the_stored_form_of_a_segment_without_length_is_its_name() {
        let outline: Outline = serde_json::from_str(r#"["task",null,["cot",3],"board"]"#).unwrap();
        let expected = [
            OutlinePart::Text(Segment::Task),
            OutlinePart::Image,
            OutlinePart::TextBefore(Segment::Cot, 3),
            OutlinePart::Text(Segment::StateText),
        ];
        assert_eq!(outline.parts(), expected);
        assert_eq!(serde_json::to_string(&outline).unwrap(), r#"["task",null,["cot",3],"board"]"#);
    }
}
