//! The annotations of a session: what its lines say together.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use super::annotation::Annotation;
use super::line::Entry;
use super::place::StepPlace;
use crate::utc_minute;

/// The annotations of a step, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StepAnnotations {
    /// Its tags.
    pub tags: Vec<AnnotationText>,
    /// Its comments.
    pub comments: Vec<AnnotationText>,
}

/// The name of a tag, or the text of a comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnnotationText {
    /// When it was written: milliseconds since 1970-01-01 UTC.
    pub at: u64,
    /// The name or the text.
    pub text: String,
}

impl AnnotationText {
    /// When it was written in UTC, such as `2026-11-20 11:02`.
    pub fn date(&self) -> String {
        utc_minute(self.at / 1000)
    }
}

/// A line that cannot be read. It is left as it is, and all others count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DamagedAnnotation {
    /// The file.
    pub path: PathBuf,
    /// The number of the line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub why: String,
}

impl fmt::Display for DamagedAnnotation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: this line is skipped: {}", self.path.display(), self.line, self.why)
    }
}

/// The annotations of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionAnnotations {
    /// The steps that have some.
    pub steps: BTreeMap<StepPlace, StepAnnotations>,
    /// The lines that cannot be read.
    pub damaged: Vec<DamagedAnnotation>,
}

impl SessionAnnotations {
    /// Reads the lines of a file.
    pub(super) fn of_lines(path: &Path, bytes: &[u8]) -> Self {
        let mut this = Self::default();
        for (index, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
            match Entry::parse(line) {
                _ if line.trim_ascii().is_empty() => {}
                Ok(entry) => this.apply(entry),
                Err(why) => {
                    this.damaged.push(DamagedAnnotation { path: path.to_owned(), line: index + 1, why });
                }
            }
        }
        this.steps.retain(|_, step| !step.is_empty());
        this
    }

    fn apply(&mut self, entry: Entry) {
        let step = self.steps.entry(entry.place).or_default();
        let (kind, text) = match entry.annotation {
            Annotation::Tag(name) => (&mut step.tags, name),
            Annotation::Comment(text) => (&mut step.comments, text),
        };
        let known = kind.iter().position(|known| known.text == text);
        match (known, entry.is_removed) {
            (Some(index), true) => drop(kind.remove(index)),
            (None, false) => kind.push(AnnotationText { at: entry.at, text }),
            _ => {}
        }
    }

    /// The names of all tags in use, in alphabetical order.
    pub fn tags(&self) -> Vec<String> {
        sorted_tags(self.steps.values())
    }

    /// How many tags and comments the session has.
    pub fn counts(&self) -> (usize, usize) {
        counts(self.steps.values())
    }

    /// How many tags and comments the own steps of a branch of this episode have, or of the episode itself.
    pub fn counts_of(&self, episode: Option<u32>, branch: Option<u32>) -> (usize, usize) {
        let own = self.steps.iter().filter(|(place, _)| (place.episode, place.branch) == (episode, branch));
        counts(own.map(|(_, step)| step))
    }
}

pub(super) fn sorted_tags<'a>(steps: impl Iterator<Item = &'a StepAnnotations>) -> Vec<String> {
    let mut names: Vec<String> =
        steps.flat_map(|step| step.tags.iter().map(|tag| tag.text.clone())).collect();
    names.sort_unstable();
    names.dedup();
    names
}

pub(super) fn counts<'a>(steps: impl Iterator<Item = &'a StepAnnotations>) -> (usize, usize) {
    steps.fold((0, 0), |(tags, comments), step| (tags + step.tags.len(), comments + step.comments.len()))
}

impl StepAnnotations {
    /// Whether the step has neither tags nor comments.
    pub fn is_empty(&self) -> bool {
        self.tags.is_empty() && self.comments.is_empty()
    }

    /// Whether the step has this tag or comment.
    pub fn has(&self, annotation: &Annotation) -> bool {
        let kind = match annotation {
            Annotation::Tag(_) => &self.tags,
            Annotation::Comment(_) => &self.comments,
        };
        kind.iter().any(|known| known.text == annotation.text())
    }

    /// The names of its tags.
    pub fn tag_names(&self) -> impl Iterator<Item = &str> {
        self.tags.iter().map(|tag| tag.text.as_str())
    }
}
