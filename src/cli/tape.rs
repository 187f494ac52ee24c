//! The recordings that the agent `replay` speaks from: which recorded episode belongs to which new one.

use std::path::Path;
use std::path::PathBuf;

use serde_json::Value;

use super::exit::Exit;
use super::exit::Failure;
use super::trouble;
use crate::agents::Script;
use crate::config::Config;
use crate::config::Origin;
use crate::config::Problem;
use crate::engine::FROM;
use crate::engine::Head;
use crate::engine::Store;
use crate::engine::cues;
use crate::engine::read;

/// The agent's name.
const AGENT: &str = "replay";
/// The most episodes that are named when none fits.
const NAMED: usize = 8;

/// The recorded episodes of a run.
pub(super) struct Tape {
    given: String,
    episodes: Vec<(PathBuf, Head)>,
}

impl Tape {
    /// The recording that is set; `None` where nobody is to speak from one.
    pub(super) fn of(config: &Config) -> Result<Option<Self>, Failure> {
        let play = &config.settings().play;
        if play.agent != AGENT {
            return idle(config).map(|()| None).map_err(Failure::from);
        }
        if play.from.is_empty() {
            let problem = config.refuse("play.agent", "replay speaks from a recording, and none is named");
            return Err(problem.help("--from RUN: a session's name, `last`, a folder or a journal").into());
        }
        let found = Store::new(config.store()).find(&play.from);
        let journals = found.map_err(|error| trouble::unfound(&error))?.into_iter();
        let head = |path: PathBuf| {
            let head = read(&path).map_err(|error| trouble::refused(&error))?.head;
            Ok((std::path::absolute(&path).unwrap_or(path), head))
        };
        let episodes = journals.map(head).collect::<Result<_, Failure>>()?;
        Ok(Some(Self { given: play.from.clone(), episodes }))
    }

    /// Names in the head of a new episode the one it repeats: the same level, seed and setting. Another
    /// agent's head is left alone.
    pub(super) fn cast(&self, head: &mut Head) -> Result<(), Problem> {
        if head.agent != AGENT {
            return Ok(());
        }
        let fitting: Vec<&PathBuf> =
            self.episodes.iter().filter(|(_, recorded)| fits(recorded, head)).map(|(path, _)| path).collect();
        match fitting.as_slice() {
            [path] => {
                let path = path.to_string_lossy().into_owned();
                head.seated.insert(FROM.to_owned(), Value::from(path));
                Ok(())
            }
            [] => Err(Problem::new(format!("{}: nothing recorded is of {}", self.given, named(head)))
                .help(format!("there is: {}", self.there()))),
            several => {
                let folders: Vec<_> = several.iter().map(|path| folder(path)).collect();
                let what =
                    format!("{}: {} recorded episodes are of {}", self.given, several.len(), named(head));
                Err(Problem::new(what).help(format!("name one by its folder: {}", folders.join(", "))))
            }
        }
    }

    fn there(&self) -> String {
        let names: Vec<_> = self.episodes.iter().take(NAMED).map(|(_, head)| named(head)).collect();
        match self.episodes.len().saturating_sub(NAMED) {
            0 => names.join("; "),
            more => format!("{}; and {more} more", names.join("; ")),
        }
    }
}

/// A recording that nobody speaks from: refused where a flag names it for this run alone.
fn idle(config: &Config) -> Result<(), Problem> {
    let row = config.rows().iter().find(|row| row.name() == "play.from");
    match row.map(|row| &row.origin) {
        Some(Origin::Flag(flag)) => {
            let agent = &config.settings().play.agent;
            Err(Problem::new(format!("{flag} has no effect: the agent is {agent}, which speaks for itself"))
                .help("add --agent replay, or leave it out"))
        }
        _ => Ok(()),
    }
}

fn fits(recorded: &Head, head: &Head) -> bool {
    let level = |head: &Head| (head.environment.clone(), head.level.clone());
    level(recorded) == level(head) && recorded.seed == head.seed && recorded.setting == head.setting
}

fn named(head: &Head) -> String {
    format!("{}, seed {}, {}", head.reference, head.seed, head.setting)
}

fn folder(journal: &Path) -> String {
    journal.parent().unwrap_or(journal).display().to_string()
}

/// What the agent of this head speaks from; `None` where it speaks for itself.
pub(super) fn script(head: &Head) -> Result<Option<Script>, Failure> {
    if head.agent != AGENT {
        return Ok(None);
    }
    let Some(from) = head.seated.get(FROM).and_then(Value::as_str) else {
        return Err(Failure::Problem(
            Exit::Mismatch,
            Problem::new("the head names no recording for the agent replay"),
        ));
    };
    let recorded = read(Path::new(from)).map_err(|error| trouble::refused(&error))?;
    let (cues, model) = (cues(&recorded.lines), recorded.head.seated);
    Ok(Some(Script { from: folder(Path::new(from)), model, cues }))
}
