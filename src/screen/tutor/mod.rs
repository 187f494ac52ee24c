//! The tutor: lessons on an episode that the simulated model plays. A lesson is one file in `tutor/lessons`: texts, the keys
//! that they name, and what must be on the screen then.
//!
//! It is a strip below the panes, which become smaller for it, so that it covers neither panes nor dialogs. After
//! each message the model is compared with the condition of the present part. Enter steps the agent only in parts that
//! ask for a step, and goes on only in parts that ask for nothing; neighbouring parts never use it differently, so a second Enter
//! does no harm.

mod condition;
mod lesson;

use self::condition::Condition;
pub(crate) use self::lesson::EnterUse;
pub use self::lesson::Lesson;
use super::command::{CommandId, find_command};
use super::keymap::Keymap;

/// A lesson in progress.
#[derive(Clone, Debug)]
pub(crate) struct Tutor {
    pub(crate) lesson: Lesson,
    /// Index of the part whose instruction is shown; the number of parts once all are done.
    pub(crate) part: usize,
    /// Index of its episode; those after it are branches of it.
    pub(crate) episode: usize,
}

/// The text of the strip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TutorText {
    /// What the part before has shown.
    pub(crate) shown: Option<String>,
    /// What to do, or what is explained.
    pub(crate) text: String,
}

impl Tutor {
    /// A lesson at its first part.
    pub(crate) fn new(lesson: Lesson, episode: usize) -> Self {
        Self { lesson, part: 0, episode }
    }

    /// Whether all parts are done.
    pub(crate) fn is_complete(&self) -> bool {
        self.part >= self.lesson.len()
    }

    /// What must be on the screen for the next part.
    pub(crate) fn condition(&self) -> Option<&Condition> {
        self.lesson.condition(self.part)
    }

    /// What Enter is for.
    pub(crate) fn enter_use(&self) -> EnterUse {
        self.lesson.enter_use(self.part)
    }

    /// The title of the lesson and the place in it.
    pub(crate) fn heading(&self) -> String {
        let title = self.lesson.title();
        let count = self.lesson.len();
        if self.is_complete() {
            format!("Tutor · {title} · complete")
        } else {
            format!("Tutor · {title} · {} of {count}", self.part + 1)
        }
    }

    /// The text of a part, with the keys that are bound; after the last part what to do next.
    pub(crate) fn text(&self, part: usize, keys: &Keymap) -> TutorText {
        let text = match (self.lesson.text(part), self.lesson.condition(part)) {
            (Some(text), Some(_)) => with_keys(text, keys),
            (Some(text), None) => with_keys(&format!("{text} {{step}} goes on."), keys),
            (None, _) => with_keys(&self.farewell(), keys),
        };
        TutorText { shown: self.lesson.shown_before(part).map(|shown| with_keys(shown, keys)), text }
    }

    fn farewell(&self) -> String {
        let next = Lesson::after(self.lesson.name()).and_then(|name| Lesson::named(name).ok());
        match next {
            Some(next) => {
                format!("Done. {{step}} starts the next lesson, {}; {{quit}} leaves.", next.title())
            }
            None => {
                "Done: this was the last lesson. {step} leaves; mageyard play starts an episode of your own."
                    .to_owned()
            }
        }
    }
}

/// A text with the first key of each command that it names in braces, such as `{forward}`.
fn with_keys(text: &str, keys: &Keymap) -> String {
    let mut shown = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let named = after.split_once('}').and_then(|(name, tail)| Some((find_command(name)?.id, tail)));
        shown.push_str(before);
        if let Some((id, tail)) = named {
            shown.push_str(&first_key(id, keys));
            rest = tail;
        } else {
            shown.push('{');
            rest = after;
        }
    }
    shown.push_str(rest);
    shown
}

/// The first key of a command, or how to run it without one.
fn first_key(id: CommandId, keys: &Keymap) -> String {
    keys.keys(id).into_iter().next().unwrap_or_else(|| format!(":{}", id.command().name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instruction_names_the_keys_that_are_bound() {
        let text = "Press {forward} or {open}; [ ] and { } stay.";
        assert_eq!(with_keys(text, &Keymap::default()), "Press l or :open; [ ] and { } stay.");
        let file = std::path::Path::new("keys.toml");
        let moved = Keymap::parse_key(file, "[keys]\nl = \"nothing\"\nx = \"forward\"").unwrap();
        assert_eq!(with_keys("Press {forward}.", &moved), "Press x.");
    }
}
