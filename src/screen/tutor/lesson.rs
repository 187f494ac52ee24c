//! A lesson as it is written in its file.

use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;

use super::condition;
use super::condition::Condition;
use crate::command::find_command;
use crate::pane::Pane;
use mageyard_config::Problem;

/// The lessons in their order, with their files.
const LESSONS: [(&str, &str); 10] = [
    ("stepping", include_str!("../../../tutor/lessons/stepping.toml")),
    ("prompts", include_str!("../../../tutor/lessons/prompts.toml")),
    ("memory", include_str!("../../../tutor/lessons/memory.toml")),
    ("failure", include_str!("../../../tutor/lessons/failure.toml")),
    ("branches", include_str!("../../../tutor/lessons/branches.toml")),
    ("seats", include_str!("../../../tutor/lessons/seats.toml")),
    ("compare", include_str!("../../../tutor/lessons/compare.toml")),
    ("ask", include_str!("../../../tutor/lessons/ask.toml")),
    ("blame", include_str!("../../../tutor/lessons/blame.toml")),
    ("suites", include_str!("../../../tutor/lessons/suites.toml")),
];

/// A lesson of the tutor.
#[derive(Clone, Debug)]
pub struct Lesson {
    name: &'static str,
    file: Arc<LessonFile>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct LessonFile {
    title: String,
    summary: String,
    start: Start,
    parts: Vec<Part>,
}

/// What is on the screen at the beginning.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Start {
    step: u32,
    focus: String,
}

/// One instruction.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Part {
    /// The text; names of commands in braces are replaced by their keys.
    text: String,
    /// The default keys that do what the text says, for the test.
    keys: String,
    done: Condition,
}

impl Lesson {
    /// All lessons in their order.
    pub fn all() -> Result<Vec<Self>, Problem> {
        LESSONS.into_iter().map(|(name, text)| Self::parse(name, text)).collect()
    }

    /// The names of all lessons in their order.
    pub fn names() -> [&'static str; LESSONS.len()] {
        LESSONS.map(|(name, _)| name)
    }

    /// The lesson of this name.
    pub fn named(name: &str) -> Result<Self, Problem> {
        let found = LESSONS.into_iter().find(|(known, _)| *known == name);
        let (name, text) = found.ok_or_else(|| {
            Problem::new(format!("there is no lesson {name:?}")).with_suggestions(name, Self::names())
        })?;
        Self::parse(name, text)
    }

    /// The name of the lesson after this one.
    pub(crate) fn after(name: &str) -> Option<&'static str> {
        let index = Self::names().iter().position(|known| *known == name)?;
        Self::names().get(index + 1).copied()
    }

    fn parse(name: &'static str, text: &str) -> Result<Self, Problem> {
        let path = format!("tutor/lessons/{name}.toml");
        let problem = |what: String, span| Problem::new(what).at(Path::new(&path), text, span);
        let file: LessonFile = toml::from_str(text)
            .map_err(|error| problem(error.message().to_owned(), error.span().unwrap_or(0..0)))?;
        let wrong = file.parts.iter().find_map(|part| part.error().map(|why| (part, why)));
        if let Some((part, why)) = wrong {
            let start = text.find(part.text.as_str()).unwrap_or(0);
            return Err(problem(why, start..start + part.text.len()));
        }
        if condition::pane_named(&file.start.focus).is_none() {
            return Err(problem(format!("there is no pane {:?}", file.start.focus), 0..0));
        }
        Ok(Self { name, file: Arc::new(file) })
    }

    /// Its name, which is that of its file.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Its title.
    pub fn title(&self) -> &str {
        &self.file.title
    }

    /// What it teaches, in one line.
    pub fn summary(&self) -> &str {
        &self.file.summary
    }

    /// The number of its parts.
    #[expect(clippy::len_without_is_empty, reason = "no lesson is empty")]
    pub fn len(&self) -> usize {
        self.file.parts.len()
    }

    /// The default keys that do what a part says, as `keys.toml` writes them, with blanks between them.
    pub fn keys(&self, part: usize) -> Option<&str> {
        self.file.parts.get(part).map(|part| part.keys.as_str())
    }

    /// The step and the pane that are shown at the beginning.
    pub(crate) fn start(&self) -> (u32, Pane) {
        (self.file.start.step, condition::pane_named(&self.file.start.focus).unwrap_or(Pane::Frame))
    }

    pub(super) fn text(&self, part: usize) -> Option<&str> {
        self.file.parts.get(part).map(|part| part.text.as_str())
    }

    pub(super) fn condition(&self, part: usize) -> Option<&Condition> {
        self.file.parts.get(part).map(|part| &part.done)
    }
}

impl Part {
    /// What is wrong with it.
    fn error(&self) -> Option<String> {
        let braces = self.text.split('{').skip(1).filter_map(|rest| rest.split_once('}'));
        let mut names = braces.map(|(name, _)| name).filter(|name| !name.trim().is_empty());
        let unknown = names.find(|name| find_command(name).is_none());
        let command = unknown.map(|name| format!("there is no command {name:?}"));
        command.or_else(|| self.done.error())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_a_lesson_and_has_its_row() {
        let lessons = Lesson::all().unwrap();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tutor/lessons");
        let mut files: Vec<_> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
            .collect();
        let mut names: Vec<_> = lessons.iter().map(|lesson| lesson.name().to_owned()).collect();
        files.sort();
        names.sort();
        assert_eq!(names, files);
        assert!(lessons.iter().all(|lesson| lesson.len() > 2 && lesson.summary().len() > 20));
    }

    #[test]
    fn a_mistake_in_a_lesson_is_reported_with_its_line() {
        let lesson = |done: &str, text: &str| {
            let start = "title = \"t\"\nsummary = \"s\"\nstart = { step = 1, focus = \"frame\" }\n";
            let part = format!("[[parts]]\ntext = \"{text}\"\nkeys = \"l\"\ndone = {done}\n");
            Lesson::parse("stepping", &format!("{start}{part}")).map(drop).unwrap_err().to_string()
        };
        for (done, text, said) in [
            ("{ focus = \"fram\" }", "x", "stepping.toml:5: there is no pane \"fram\""),
            ("{ mark = \"bad\" }", "x", "stepping.toml:5: there is no mark \"bad\""),
            ("{}", "x", "stepping.toml:5: the condition is empty"),
            ("{ step = 1 }", "{forwards}", "stepping.toml:5: there is no command \"forwards\""),
            ("{ steps = 1 }", "x", "stepping.toml:7: unknown field `steps`"),
        ] {
            let message = lesson(done, text);
            assert!(message.contains(said), "{message}");
        }
    }
}
