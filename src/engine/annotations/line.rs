//! The stored form of an annotation: one line of JSON.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use serde::{Deserialize, Serialize};

use super::annotation::Annotation;
use super::place::StepPlace;

/// The version of the lines that this program writes. Lines of a higher one are reported.
const FORMAT: u32 = 1;

/// The longest line that is read, in bytes.
const MAX_LINE: usize = 64 << 10;

/// A line of the file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredLine {
    format: u32,
    /// Milliseconds since 1970-01-01 UTC.
    at: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    episode: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    branch: Option<u32>,
    step: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tag: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    comment: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    removed: bool,
}

/// What a line says.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) at: u64,
    pub(super) place: StepPlace,
    pub(super) annotation: Annotation,
    pub(super) is_removed: bool,
}

impl Entry {
    /// The line, with its end.
    pub(super) fn to_line(&self) -> Result<String, serde_json::Error> {
        let StepPlace { episode, branch, step } = self.place;
        let (tag, comment) = match self.annotation.clone() {
            Annotation::Tag(name) => (Some(name), None),
            Annotation::Comment(text) => (None, Some(text)),
        };
        let at = self.at;
        let removed = self.is_removed;
        let line = StoredLine { format: FORMAT, at, episode, branch, step, tag, comment, removed };
        Ok(serde_json::to_string(&line)? + "\n")
    }

    /// Reads a line without its end. The error says what is wrong with it.
    pub(super) fn parse(line: &[u8]) -> Result<Self, String> {
        if line.len() > MAX_LINE {
            return Err(format!("it has {} bytes, and {MAX_LINE} at most are read", line.len()));
        }
        let stored: StoredLine =
            serde_json::from_slice(line).map_err(|error| format!("not an annotation: {error}"))?;
        if stored.format > FORMAT {
            return Err(format!("format {} is newer than {FORMAT}; use a newer mageyard", stored.format));
        }
        let annotation = match (&stored.tag, &stored.comment) {
            (Some(name), None) => Annotation::tag(name),
            (None, Some(text)) => Annotation::comment(text),
            _ => return Err("it must have either a tag or a comment".to_owned()),
        };
        let place = StepPlace { episode: stored.episode, branch: stored.branch, step: stored.step };
        let annotation = annotation.map_err(|error| error.to_string())?;
        Ok(Self { at: stored.at, place, annotation, is_removed: stored.removed })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_reads_as_what_it_was_written_from() {
        for (annotation, branch, is_removed) in
            [(Annotation::tag("wall"), None, false), (Annotation::comment("a \"b\"\nc"), Some(2), true)]
        {
            let place = StepPlace { episode: Some(3), branch, step: 7 };
            let entry = Entry { at: 12, place, annotation: annotation.unwrap(), is_removed };
            let line = entry.to_line().unwrap();
            assert_eq!(line.matches('\n').count(), 1, "{line}");
            assert_eq!(Entry::parse(line.trim_end().as_bytes()).unwrap(), entry);
        }
        let written = r#"{"format":1,"at":12,"episode":3,"step":7,"tag":"wall"}"#;
        assert_eq!(Entry::parse(written.as_bytes()).unwrap().annotation.text(), "wall");
    }

    #[test]
    fn a_wrong_line_says_what_is_wrong() {
        for (line, why) in [
            (r#"{"format":1,"at":12,"#, "not an annotation: EOF while parsing"),
            (r#"{"format":2,"at":12,"step":7,"tag":"a"}"#, "format 2 is newer than 1"),
            (r#"{"format":1,"at":12,"step":7}"#, "it must have either a tag or a comment"),
            (r#"{"format":1,"at":12,"step":7,"tag":"a b"}"#, "\"a b\" is not a tag"),
            (r#"{"format":1,"at":12,"step":7,"tag":"a","x":1}"#, "not an annotation: unknown field"),
            ("\u{fffd}\0", "not an annotation"),
        ] {
            let error = Entry::parse(line.as_bytes()).unwrap_err();
            assert!(error.starts_with(why), "{line}: {error}");
        }
        assert!(Entry::parse(&vec![b' '; MAX_LINE + 1]).unwrap_err().contains("at most are read"));
    }
}
