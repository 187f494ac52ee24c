//! Lines as text: an event with its number and time, without the seal.

use std::borrow::Cow;
use std::io::Write as _;

use serde::Serialize;

use super::pieces::{Pieces, WrittenPieces};
use super::sent_line::{NewSentLine, SentLineV1, parse_sent};
use super::stored_event::{JournalLine, StoredEvent};
use super::tagged::{LineTag, parse_event};

/// The name of requests, whose form is their own.
const SENT: &str = "sent";
/// The name of side requests, which have the same form.
const SIDE_SENT: &str = "side_sent";

impl JournalLine {
    /// Reads a line that refers to no line before it, without its seal.
    pub fn parse(text: &str) -> Result<Self, String> {
        parse_line(text, &mut Pieces::default())
    }
}

/// The name of a line's event, if it has one.
pub(super) fn line_event(text: &str) -> Option<Cow<'_, str>> {
    LineTag::parse(text).ok().map(|tag| tag.event)
}

/// Reads a line. Its pieces are added to those of earlier lines.
pub(super) fn parse_line(text: &str, pieces: &mut Pieces) -> Result<JournalLine, String> {
    let tag = LineTag::parse(text).map_err(|error| error.to_string())?;
    let n = tag.n;
    let at = tag.at;
    if tag.event == SENT || tag.event == SIDE_SENT {
        let (request, asking) = parse_sent(text, pieces)?;
        let stored = match &*tag.event {
            SENT => StoredEvent::Sent { asking, request },
            _ => StoredEvent::SideSent { asking, request },
        };
        return Ok(JournalLine { n, at, stored });
    }
    let mut stored: StoredEvent = parse_event(&tag.event, text).map_err(|error| error.to_string())?;
    if let Some(shown) = stored.shown_mut() {
        shown.take_space(pieces)?;
    }
    Ok(JournalLine { n, at, stored })
}

/// Adds a line without its seal. `format` is that of the journal.
pub(super) fn write_line(
    text: &mut Vec<u8>,
    (n, at): (u64, u64),
    stored: &StoredEvent,
    format: u32,
    written: &mut WrittenPieces,
) -> Result<(), serde_json::Error> {
    // Writing to a Vec does not fail.
    let _ = write!(text, "{{\"n\":{n},\"at\":{at},\"event\":");
    match stored {
        StoredEvent::Sent { asking, request } if format == 1 => {
            write_fields(text, SENT, &SentLineV1::new(request, asking))?;
        }
        StoredEvent::Sent { asking, request } => {
            write_fields(text, SENT, &NewSentLine::new(request, asking, written))?;
        }
        StoredEvent::SideSent { asking, request } => {
            write_fields(text, SIDE_SENT, &NewSentLine::new(request, asking, written))?;
        }
        stored => {
            let start = text.len();
            serde_json::to_writer(&mut *text, stored)?;
            merge_fields(text, start);
        }
    }
    Ok(())
}

/// Turns the event at `start`, `{"name":{fields}}` or `"name"`, into the rest of a line: `"name",fields}`.
fn merge_fields(text: &mut Vec<u8>, start: usize) {
    let colon = text[start..].iter().position(|&byte| byte == b':').filter(|_| text[start] == b'{');
    let Some(colon) = colon else { return text.push(b'}') };
    text.remove(start);
    // The brace before the name is gone.
    let colon = start + colon - 1;
    if text[colon..] == *b":{}}" {
        text.truncate(colon);
        return text.push(b'}');
    }
    text[colon] = b',';
    text.remove(colon + 1);
    text.pop();
}

/// Writes the name and the fields of an event, which has some.
fn write_fields(text: &mut Vec<u8>, name: &str, fields: &impl Serialize) -> serde_json::Result<()> {
    let _ = write!(text, "\"{name}\"");
    let start = text.len();
    serde_json::to_writer(&mut *text, fields)?;
    // The object begins where the next field does.
    text[start] = b',';
    Ok(())
}
