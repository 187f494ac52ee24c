//! Levels: a form, and how its surface behaves. A block of lines `key value` each, separated by empty lines.

use std::path::PathBuf;
use std::time::Duration;

use mageyard_domain::{Level, LevelError, LevelLimits};

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
}

impl PageLevel {
    /// Reads one block.
    pub(super) fn parse(text: &str) -> Result<Self, LevelError> {
        let mut level = Self::default();
        for (line, row) in (1..).zip(text.lines()) {
            let (key, value) = row.split_once(' ').unwrap_or((row, ""));
            let wrong = |reason: String| LevelError { line, reason };
            let number = || value.parse::<usize>().map_err(|_| wrong(format!("{key} needs a number")));
            match key {
                "title" => {}
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
