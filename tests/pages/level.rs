//! Levels: a form, and how its surface behaves. A block of lines `key value` each, separated by empty lines.

use std::path::PathBuf;
use std::time::Duration;

use mageyard_domain::{ActionSpace, ActionSpec, Level, LevelError, LevelLimits};

use super::page::action_space;
use super::records;

/// A level as written.
#[derive(Clone, Debug, Default)]
pub(super) struct PageLevel {
    /// The text that the form wants.
    pub(super) field: String,
    /// The folder of the surface; a temporary one without it.
    pub(super) surface: Option<PathBuf>,
    /// How long every answer takes.
    pub(super) late: Duration,
    /// The action that gets no answer, from 1.
    pub(super) hang: Option<usize>,
    /// The action after which the surface answers nothing any more; it also ignores that it is cancelled.
    pub(super) deaf: Option<usize>,
    /// The action at which the surface dies.
    pub(super) die: Option<usize>,
    /// The action at which the environment panics.
    pub(super) panic: Option<usize>,
    /// Whether the page ignores what is typed, so that it is typed again.
    pub(super) stuck: bool,
    /// The limits of the level.
    pub(super) limits: LevelLimits,
    /// Whether opening hangs.
    pub(super) hang_open: bool,
    /// Whether closing hangs.
    pub(super) hang_close: bool,
    /// What covers the left part of the page: clicks there are refused.
    pub(super) cover: Option<String>,
    /// Whether the form checks its field: a click on the button fails before the text is right.
    pub(super) checks: bool,
    /// Whether a corner of the page blinks: each picture differs from the one before.
    pub(super) blink: bool,
    /// How the page is judged at the end: at once if it is empty, else `late N`, `hang`, `fail`, `panic`, by a model (`ask`) or
    /// by a person (`person`). `None` if it is not.
    pub(super) judge: Option<String>,
    /// Whether a model is asked what a typed text is worth.
    pub(super) asks: bool,
    /// Whether a person confirms each action.
    pub(super) confirm: bool,
    /// What opening destroys, a sentence each.
    pub(super) destructive: Vec<String>,
    /// The action after which a person must solve a captcha, from 1.
    pub(super) captcha: Option<usize>,
    /// Whether an episode comes back by repeating its actions on a new surface.
    pub(super) repeat: bool,
    /// Whether each new surface shows something else.
    pub(super) drift: bool,
    /// The name of a picture that is shown beside the page.
    pub(super) image: Option<String>,
    /// Whether the agent says that it is done, by an action of its own.
    pub(super) done: bool,
}

impl PageLevel {
    /// The actions of the page.
    pub(super) fn space(&self) -> ActionSpace {
        let specs = action_space().specs().to_vec();
        let done = self.done.then(|| ActionSpec::new("done", "say that the task is done"));
        specs.into_iter().chain(done).collect()
    }

    /// Reads one block, or the record of a level.
    pub(super) fn parse(text: &str) -> Result<Self, LevelError> {
        if text.starts_with('{') {
            let record = serde_json::from_str(text);
            let record = record.map_err(|error| LevelError { line: 1, reason: error.to_string() })?;
            return Self::parse(&records::block(&record));
        }
        let mut level = Self::default();
        for (line, row) in (1..).zip(text.lines()) {
            let (key, value) = row.split_once(' ').unwrap_or((row, ""));
            let wrong = |reason: String| LevelError { line, reason };
            let number = || value.parse::<usize>().map_err(|_| wrong(format!("{key} needs a number")));
            match key {
                "title" | "size" => {}
                "image" => level.image = Some(value.to_owned()),
                "field" => value.clone_into(&mut level.field),
                "surface" => level.surface = Some(value.into()),
                "late" => level.late = Duration::from_millis(number()? as u64),
                "hang" => level.hang = Some(number()?),
                "deaf" => level.deaf = Some(number()?),
                "die" => level.die = Some(number()?),
                "panic" => level.panic = Some(number()?),
                "stuck" => level.stuck = true,
                "max_steps" => level.limits.steps = Some(LevelLimits::read_steps(value).map_err(wrong)?),
                "max_time" => level.limits.time = Some(LevelLimits::read_time(value).map_err(wrong)?),
                "hang_open" => level.hang_open = true,
                "hang_close" => level.hang_close = true,
                "cover" => level.cover = Some(value.to_owned()),
                "checks" => level.checks = true,
                "blink" => level.blink = true,
                "judge" => level.judge = Some(value.to_owned()),
                "asks" => level.asks = true,
                "confirm" => level.confirm = true,
                "destructive" => level.destructive = value.split("; ").map(str::to_owned).collect(),
                "captcha" => level.captcha = Some(number()?),
                "repeat" => level.repeat = true,
                "drift" => level.drift = true,
                "done" => level.done = true,
                _ => return Err(wrong(format!("unknown key {key:?}"))),
            }
        }
        Ok(level)
    }
}

/// Reads a file with one level or more.
pub(super) fn parse(text: &str) -> Result<Vec<Level>, LevelError> {
    let mut levels = Vec::new();
    let mut first = 1;
    for block in text.trim_end().split("\n\n") {
        let at = |error: LevelError| LevelError { line: first + error.line - 1, ..error };
        PageLevel::parse(block).map_err(at)?;
        let title = block.lines().find_map(|row| row.strip_prefix("title "));
        levels.push(Level::from_text(levels.len() + 1, title, block));
        first += block.lines().count() + 1;
    }
    Ok(levels)
}
