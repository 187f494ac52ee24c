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
    ("replies", include_str!("../../../tutor/lessons/replies.toml")),
    ("memory", include_str!("../../../tutor/lessons/memory.toml")),
    ("prompts", include_str!("../../../tutor/lessons/prompts.toml")),
    ("branches", include_str!("../../../tutor/lessons/branches.toml")),
    ("ask", include_str!("../../../tutor/lessons/ask.toml")),
    ("worth", include_str!("../../../tutor/lessons/worth.toml")),
    ("failure", include_str!("../../../tutor/lessons/failure.toml")),
    ("diagnose", include_str!("../../../tutor/lessons/diagnose.toml")),
    ("compare", include_str!("../../../tutor/lessons/compare.toml")),
];

/// The settings of all lessons: the simulated model, which makes no mistakes that the lesson does not ask for.
const SETTINGS: [&str; 10] = [
    "play.agent=demo",
    "play.seed=1",
    "demo.pace=200",
    "demo.parse_errors=0",
    "demo.invalid_actions=0",
    "demo.refusals=0",
    "demo.cuts=0",
    "demo.loops=0",
    "demo.rate_limits=0",
    "demo.lost_connections=0",
];

/// How a text names the command that steps the agent.
const STEP: &str = "{step}";

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
    level: String,
    /// The pane that has the focus at the beginning.
    focus: String,
    /// Settings as `TABLE.NAME=VALUE`, besides those of all lessons.
    #[serde(default)]
    settings: Vec<String>,
    parts: Vec<Part>,
}

/// One instruction, or a text that only explains.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Part {
    /// The text; names of commands in braces are replaced by their keys.
    text: String,
    /// The default keys that do what the text says, for the test.
    #[serde(default)]
    keys: String,
    /// What the screen shows then; without it Enter goes on.
    done: Option<Condition>,
    /// What that has shown.
    #[serde(default)]
    shows: String,
}

/// What Enter is for while a part is shown and no dialog is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EnterUse {
    /// The part only explains, or was the last one: it goes on.
    GoesOn,
    /// It steps the agent, as always.
    Steps,
    /// Nothing: the part asks for something else.
    Nothing,
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
        if condition::pane_named(&file.focus).is_none() {
            return Err(problem(format!("there is no pane {:?}", file.focus), 0..0));
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
        let part = self.file.parts.get(part)?;
        Some(if part.done.is_none() { "enter" } else { &part.keys })
    }

    /// The level that is played.
    pub fn level(&self) -> &str {
        &self.file.level
    }

    /// The settings of its episode as `TABLE.NAME=VALUE`, the strongest last.
    pub fn settings(&self) -> impl Iterator<Item = &str> {
        SETTINGS.into_iter().chain(self.file.settings.iter().map(String::as_str))
    }

    /// The pane that has the focus at the beginning.
    pub(crate) fn focus(&self) -> Pane {
        condition::pane_named(&self.file.focus).unwrap_or(Pane::Frame)
    }

    pub(super) fn text(&self, part: usize) -> Option<&str> {
        self.file.parts.get(part).map(|part| part.text.as_str())
    }

    /// What the part before this one has shown.
    pub(super) fn shown_before(&self, part: usize) -> Option<&str> {
        let before = self.file.parts.get(part.checked_sub(1)?)?;
        Some(before.shows.as_str()).filter(|shows| !shows.is_empty())
    }

    pub(super) fn condition(&self, part: usize) -> Option<&Condition> {
        self.file.parts.get(part)?.done.as_ref()
    }

    pub(super) fn enter_use(&self, part: usize) -> EnterUse {
        match self.file.parts.get(part) {
            Some(Part { done: Some(_), text, .. }) if text.contains(STEP) => EnterUse::Steps,
            Some(Part { done: Some(_), .. }) => EnterUse::Nothing,
            Some(Part { done: None, .. }) | None => EnterUse::GoesOn,
        }
    }
}

impl Part {
    /// What is wrong with it.
    fn error(&self) -> Option<String> {
        let braces = self.text.split('{').skip(1).filter_map(|rest| rest.split_once('}'));
        let mut names = braces.map(|(name, _)| name).filter(|name| !name.trim().is_empty());
        let unknown = names.find(|name| find_command(name).is_none());
        let command = unknown.map(|name| format!("there is no command {name:?}"));
        command.or_else(|| self.done.as_ref()?.error())
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

    /// What Enter is pressed for in a part, by its default keys; `None` if it is not.
    fn pressed_for(lesson: &Lesson, part: usize) -> Option<&'static str> {
        match lesson.enter_use(part) {
            EnterUse::GoesOn => Some("going on"),
            EnterUse::Steps => Some("stepping"),
            EnterUse::Nothing => lesson.keys(part)?.contains("enter").then_some("a dialog"),
        }
    }

    #[test]
    fn a_second_enter_never_does_something_else_than_the_first() {
        for lesson in Lesson::all().unwrap() {
            // A lesson begins with Enter in a list, or at the end of the one before, and Enter goes on at its end.
            let parts = (0..lesson.len()).map(|part| pressed_for(&lesson, part));
            let end = Some("going on");
            let uses: Vec<_> = std::iter::once(end).chain(parts).chain([end]).collect();
            for (part, uses) in uses.windows(2).enumerate() {
                let [Some(first), Some(second)] = uses else { continue };
                assert_eq!(first, second, "{}, before part {}", lesson.name(), part + 1);
            }
        }
    }

    #[test]
    fn a_mistake_in_a_lesson_is_reported_with_its_line() {
        let lesson = |done: &str, text: &str| {
            let start = "title = \"t\"\nsummary = \"s\"\nlevel = \"l\"\nfocus = \"frame\"\n";
            let part = format!("[[parts]]\ntext = \"{text}\"\nkeys = \"l\"\ndone = {done}\n");
            Lesson::parse("stepping", &format!("{start}{part}")).map(drop).unwrap_err().to_string()
        };
        for (done, text, said) in [
            ("{ focus = \"fram\" }", "x", "stepping.toml:6: there is no pane \"fram\""),
            ("{ mark = \"bad\" }", "x", "stepping.toml:6: there is no mark \"bad\""),
            ("{}", "x", "stepping.toml:6: the condition is empty"),
            ("{ om = 1 }", "{forwards}", "stepping.toml:6: there is no command \"forwards\""),
            ("{ step = 1 }", "x", "stepping.toml:8: unknown field `step`"),
        ] {
            let message = lesson(done, text);
            assert!(message.contains(said), "{message}");
        }
    }
}
