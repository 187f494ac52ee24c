//! A level: one initial state of an environment, as text or as files.

use std::borrow::Cow;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::BlobRef;

/// A level of a file or set. Its source is complete: the level opens without the file it was read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// The position in the file, from 1.
    pub number: usize,
    /// The title in the file.
    pub title: Option<String>,
    /// What the environment opens.
    pub source: LevelSource,
}

/// What a level is made of. Stored as a string or as an object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum LevelSource {
    /// Text in the environment's format, without titles and comments that the environment does not parse.
    Text(Arc<str>),
    /// Files, such as those of a page, or a record with the files that it names. Only their digests are here; a blob store
    /// has the bytes.
    Files {
        /// The record, in the environment's format; empty if the files are all.
        #[serde(default, skip_serializing_if = "str::is_empty")]
        record: Arc<str>,
        /// The files, sorted by name.
        files: Arc<[LevelFile]>,
    },
    /// A record of a file of the user that names other files, before an episode is made of it. An episode that is opened
    /// has [`LevelSource::Files`].
    Record {
        /// The record, in JSON.
        record: Arc<str>,
        /// The file, as an absolute path.
        path: Arc<Path>,
        /// The line of the record, from 1.
        line: usize,
    },
}

/// A file of a level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LevelFile {
    /// The path in the folder of the level, with `/` between its parts.
    pub name: String,
    /// The content.
    #[serde(flatten)]
    pub content: BlobRef,
}

impl Level {
    /// A level made of text.
    pub fn from_text(number: usize, title: Option<&str>, text: impl Into<LevelSource>) -> Self {
        Self { number, title: title.map(str::to_owned), source: text.into() }
    }

    /// The title, or the number if there is none.
    pub fn label(&self) -> String {
        self.title.clone().unwrap_or_else(|| self.number.to_string())
    }

    /// The text of the level, or its record; empty for a level made of files alone.
    pub fn text(&self) -> &str {
        self.source.text()
    }

    /// The same level with more lines at the end of its text.
    #[must_use]
    pub fn with_lines(&self, lines: &str) -> Self {
        Self { source: format!("{}{lines}", self.text()).into(), ..self.clone() }
    }
}

impl LevelSource {
    /// The text, or the record of files; empty for files alone.
    pub fn text(&self) -> &str {
        match self {
            Self::Text(text) | Self::Files { record: text, .. } | Self::Record { record: text, .. } => text,
        }
    }

    /// Whether both are the same level, also if the files of one are not read yet.
    pub fn is_same_level(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Record { record, .. }, other) | (other, Self::Record { record, .. }) => {
                other.text() == record.as_ref()
            }
            _ => self == other,
        }
    }

    /// What distinguishes the level from others: its text, or one line with digest and name for each file and then the record.
    /// Random choices of agents depend on it, so it must never change for a recorded level.
    pub fn identity(&self) -> Cow<'_, str> {
        match self {
            Self::Text(text) | Self::Record { record: text, .. } => Cow::Borrowed(text),
            Self::Files { record, files } => {
                let mut lines = files.iter().fold(String::new(), |mut lines, file| {
                    // Writing to a string does not fail.
                    let _ = writeln!(lines, "{} {}", file.content.digest, file.name);
                    lines
                });
                lines.push_str(record);
                Cow::Owned(lines)
            }
        }
    }
}

impl From<String> for LevelSource {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}

impl From<&str> for LevelSource {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

/// Titles, authors and comments of a level file, which do not affect play.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileNotes {
    /// Lines about the whole collection, such as `Title: …` or `Author: …`.
    pub collection: Vec<String>,
    /// Lines about each level.
    pub levels: Vec<Vec<String>>,
}

/// An error in a level file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {reason}")]
pub struct LevelError {
    /// The line in the file, from 1.
    pub line: usize,
    /// What is wrong, and what is expected.
    pub reason: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_stored_as_a_string_and_files_as_a_list_of_digests() {
        let stored = |source: &LevelSource| serde_json::to_string(source).unwrap();
        let text = LevelSource::from("#@$.#");
        assert_eq!(stored(&text), "\"#@$.#\"", "as in journals of version 1");
        let page = LevelFile { name: "css/style.css".into(), content: BlobRef::of("text/css", b"p {}") };
        let files = LevelSource::Files { record: "".into(), files: [page.clone()].into() };
        let record = LevelSource::Files { record: "{}".into(), files: [page].into() };
        let digest = BlobRef::of("", b"p {}").digest;
        assert_eq!(
            stored(&files),
            format!(
                "{{\"files\":[{{\"name\":\"css/style.css\",\"digest\":\"{digest}\",\"media\":\"text/css\",\"length\":4}}]}}"
            )
        );
        assert_eq!(stored(&record), stored(&files).replacen('{', "{\"record\":\"{}\",", 1));
        let unread = LevelSource::Record { record: "{}".into(), path: Path::new("/a.jsonl").into(), line: 3 };
        assert_eq!(unread.identity(), "{}", "the same wherever the file is");
        assert!(unread.is_same_level(&record) && !unread.is_same_level(&files) && text.is_same_level(&text));
        for source in [text, files, record, unread] {
            assert_eq!(serde_json::from_str::<LevelSource>(&stored(&source)).unwrap(), source);
        }
    }

    #[test]
    fn a_level_is_identified_by_its_text_or_by_the_digests_of_its_files() {
        let text = LevelSource::from("#@$.#");
        assert_eq!((text.identity().as_ref(), text.text()), ("#@$.#", "#@$.#"));
        let file = |name: &str, bytes: &[u8]| LevelFile {
            name: name.into(),
            content: BlobRef::of("text/html", bytes),
        };
        let files = LevelSource::Files {
            record: "".into(),
            files: [file("a.html", b"a"), file("b.html", b"b")].into(),
        };
        let lines =
            format!("{} a.html\n{} b.html\n", BlobRef::of("", b"a").digest, BlobRef::of("", b"b").digest);
        assert_eq!((files.identity().as_ref(), files.text()), (lines.as_str(), ""));
    }
}
