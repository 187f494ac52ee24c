//! `log`: which sessions there are, and whether their journals are whole.

use std::io::ErrorKind;
use std::path::Path;
use std::path::PathBuf;

use serde_json::Value;
use serde_json::json;

use super::exit::Exit;
use super::exit::Failure;
use super::house::House;
use super::lines;
use super::open::runtime;
use super::output::Output;
use super::report::Ways;
use super::stage;
use super::trouble;
use super::way;
use crate::config::Config;
use crate::domain::quoted;
use crate::engine::Checked;
use crate::engine::Head;
use crate::engine::JournalError;
use crate::engine::Recorded;
use crate::engine::Store;
use crate::engine::StoreError;
use crate::engine::check;
use crate::engine::read;
use crate::engine::read_head;
use crate::engine::repair;

/// Look after the journals of sessions
#[derive(Debug, clap::Subcommand)]
pub(super) enum Verb {
    /// List the sessions of the store, oldest first
    List {
        /// Search each state of each episode for how far the goal was: wasted moves, and the steps that lost
        /// levels. Each search has the limits of its environment's solver, and the limit of time that the
        /// [screen] settings give
        #[arg(long)]
        distance: bool,
        /// Print one object a line
        #[arg(long)]
        json: bool,
    },
    /// Say whether a journal is whole, and where it is damaged
    Check {
        /// Sessions or journal files; all sessions of the store when left out
        #[arg(value_name = "RUN")]
        runs: Vec<String>,
        /// Write what can be saved into a new file; the old one stays as it is
        #[arg(long)]
        repair: bool,
        /// Print one object a line
        #[arg(long)]
        json: bool,
    },
}

pub(super) fn run(verb: &Verb, house: &House) -> Result<Exit, Failure> {
    let config = house.config()?;
    let store = Store::new(config.store());
    match verb {
        Verb::List { distance, json } => {
            runtime()?.block_on(list(&store, distance.then_some(&config), *json))
        }
        Verb::Check { runs, repair, json } => {
            let check = Check { repair: *repair, json: *json, out: Output::open(), ends: Vec::new() };
            runtime()?.block_on(check.run(&store, runs))
        }
    }
}

/// Lists the sessions; by these settings the ways of their episodes are searched, where there are any.
async fn list(store: &Store, searched: Option<&Config>, json: bool) -> Result<Exit, Failure> {
    let mut out = Output::open();
    let mut rows = Vec::new();
    for session in store.sessions().map_err(Failure::running)? {
        let listed = Listed::of(store, session, searched).await;
        if json {
            out.object(&listed.object())?;
        } else {
            rows.push(listed.cells());
        }
    }
    out.entries(&rows)?;
    Ok(Exit::Done)
}

/// A session of the store, and what its journals say of it.
struct Listed {
    session: String,
    episodes: usize,
    /// The head of the first episode, where it can be read.
    head: Option<Head>,
    /// The level of the last episode, where there are several.
    last: Option<String>,
    /// The ways of the episodes, where they were searched.
    ways: Option<Ways>,
}

impl Listed {
    async fn of(store: &Store, session: String, searched: Option<&Config>) -> Self {
        let journals = store.journals(&session).unwrap_or_default();
        let head = |journal: &PathBuf| read_head(journal).ok();
        let last = journals.last().filter(|_| journals.len() > 1).and_then(head);
        let ways = match searched {
            Some(config) => Some(ways(&journals, config).await),
            None => None,
        };
        Self {
            session,
            episodes: journals.len(),
            head: journals.first().and_then(head),
            last: last.map(|head| head.reference),
            ways,
        }
    }

    fn object(&self) -> Value {
        let head = self.head.as_ref();
        let object = json!({
            "session": self.session, "episodes": self.episodes,
            "level": head.map(|head| &head.reference), "last": self.last,
            "agent": head.map(|head| &head.agent),
            "setting": head.map(|head| head.setting),
        });
        let way = self.ways.as_ref().map(|ways| (!ways.is_empty()).then(|| ways.object()));
        lines::with(object, way.map_or(Value::Null, |way| json!({ "distance": way })))
    }

    fn cells(self) -> Vec<String> {
        let way = self.ways.map(|ways| if ways.is_empty() { "no solver".to_owned() } else { ways.words() });
        let count = format!("{} {}", self.episodes, if self.episodes == 1 { "episode" } else { "episodes" });
        let unknown = if self.episodes == 0 { "never begun" } else { "unreadable: see log check" };
        let what = self.head.map_or([unknown.into(), String::new(), String::new()], |head| {
            [span(&head.reference, self.last.as_deref()), head.agent, head.setting.to_string()]
        });
        [self.session, count].into_iter().chain(what).chain(way).collect()
    }
}

/// The ways of these episodes; nothing of one whose environment has no solver.
async fn ways(journals: &[PathBuf], config: &Config) -> Ways {
    let mut ways = Ways::default();
    for journal in journals {
        let Ok(recorded) = read(journal) else {
            ways.miss();
            continue;
        };
        let Ok((kind, episode, _)) = stage::relive(journal, &recorded).await else {
            ways.miss();
            continue;
        };
        if let Some(distances) = way::searched(kind, &episode, config).await {
            ways.add(&episode, &distances);
        }
    }
    ways
}

/// The first and the last level of a session: `sokoban/mini/1 … 20`.
fn span(first: &str, last: Option<&str>) -> String {
    let set = first.rfind(['/', '#']).map_or(0, |at| at + 1);
    match last {
        None => first.to_owned(),
        Some(last) if last == first => first.to_owned(),
        Some(last) => format!("{first} … {}", last.strip_prefix(&first[..set]).unwrap_or(last)),
    }
}

struct Check {
    repair: bool,
    json: bool,
    out: Output,
    /// What came up on the way; the gravest is the code.
    ends: Vec<Exit>,
}

impl Check {
    /// Goes through all of them, whatever is wrong with some.
    async fn run(mut self, store: &Store, runs: &[String]) -> Result<Exit, Failure> {
        for run in runs {
            for journal in store.find(run).map_err(|error| trouble::unfound(&error))? {
                self.journal(&journal).await?;
            }
        }
        let all = if runs.is_empty() { store.sessions().map_err(Failure::running)? } else { Vec::new() };
        for session in all {
            match store.journals(&session) {
                Ok(journals) => {
                    for journal in journals {
                        self.journal(&journal).await?;
                    }
                }
                Err(error) => self.empty(&session, &error)?,
            }
        }
        let gravest = [Exit::Mismatch, Exit::Failed, Exit::Wrong].into_iter();
        Ok(gravest.into_iter().find(|exit| self.ends.contains(exit)).unwrap_or(Exit::Done))
    }

    /// A folder of the store in which nothing was begun is told, and is no damage.
    fn empty(&mut self, session: &str, error: &StoreError) -> Result<(), Failure> {
        if let StoreError::Disk { .. } = error {
            self.ends.push(Exit::Failed);
        }
        if self.json {
            return Ok(self.out.object(&json!({
                "session": session, "journal": null, "whole": null, "why": error.to_string(),
            }))?);
        }
        Ok(self.out.line(error.to_string())?)
    }

    /// Checks one journal and says what is with it.
    async fn journal(&mut self, path: &Path) -> Result<(), Failure> {
        let checked = match check(path) {
            Ok(checked) => checked,
            Err(error) => return self.unread(path, &error),
        };
        let verdict = verdict(path, &checked).await;
        let repaired = self.repaired(path, &checked)?;
        if verdict.is_err() && !matches!(repaired, Repaired::Before(_)) {
            self.ends.push(Exit::Mismatch);
        }
        let edits = checked.recorded.as_ref().map_or(0, Recorded::edits);
        let lines = checked.recorded.as_ref().map_or(0, |good| good.lines.len() + 1);
        if self.json {
            return Ok(self.out.object(&json!({
                "journal": path, "whole": verdict.is_ok(), "lines": lines,
                "torn": checked.recorded.as_ref().and_then(|good| good.torn).map(|torn| torn.bytes),
                "line": checked.damage.as_ref().map(|damage| damage.line),
                "why": verdict.as_ref().err(), "edits": edits, "lost": checked.lost, "repaired": repaired.file(),
            }))?);
        }
        let said = match &verdict {
            Ok(remark) => format!("whole, {lines} lines{}{remark}", edited(edits)),
            Err(why) => format!(
                "DAMAGED, {why}; {lines} lines before it are good, {} from it on are not",
                checked.lost
            ),
        };
        Ok(self.out.line(format!("{}: {said}{}", path.display(), repaired.tell()))?)
    }

    /// A journal that cannot be judged here: of a newer program, or out of reach.
    fn unread(&mut self, path: &Path, error: &JournalError) -> Result<(), Failure> {
        let Failure::Problem(exit, problem) = trouble::refused(error) else { return Ok(()) };
        self.ends.push(exit);
        if self.json {
            return Ok(self.out.object(&json!({"journal": path, "whole": null, "why": problem.what}))?);
        }
        Ok(self.out.line(problem.what)?)
    }

    /// Writes what is good of a damaged journal beside it, if that is asked for; never over a file.
    fn repaired(&mut self, path: &Path, checked: &Checked) -> Result<Repaired, Failure> {
        let (true, Some(_), Some(good)) = (self.repair, &checked.damage, &checked.recorded) else {
            return Ok(Repaired::No);
        };
        match repair(path, good) {
            Ok(new) => Ok(Repaired::Now(new)),
            Err(JournalError::Disk { path, source }) if source.kind() == ErrorKind::AlreadyExists => {
                self.ends.push(Exit::Wrong);
                Ok(Repaired::Before(path))
            }
            Err(error) => Err(trouble::refused(&error)),
        }
    }
}

/// Whether the good part of a journal was written to a file of its own.
enum Repaired {
    No,
    Now(PathBuf),
    /// There was such a file already.
    Before(PathBuf),
}

impl Repaired {
    /// The file that was written now.
    fn file(&self) -> Option<&Path> {
        match self {
            Self::Now(new) => Some(new),
            Self::No | Self::Before(_) => None,
        }
    }

    fn tell(&self) -> String {
        match self {
            Self::No => String::new(),
            Self::Now(new) => format!(
                "; the good part is now in {new}: `mageyard run --resume {new}` goes on with it, `mageyard view {new}` shows it",
                new = quoted(&new.to_string_lossy())
            ),
            Self::Before(old) => format!(
                "; not repaired, since {old} is there already: `mageyard run --resume {old}` goes on with it; move it away to repair anew",
                old = quoted(&old.to_string_lossy())
            ),
        }
    }
}

/// That a person has edited, so that the episode is mixed.
fn edited(times: usize) -> String {
    match times {
        0 => String::new(),
        1 => "; mixed: a person edited once".to_owned(),
        times => format!("; mixed: a person edited {times} times"),
    }
}

/// A remark on a journal that is good, or why it is not.
async fn verdict(path: &Path, checked: &Checked) -> Result<String, String> {
    if let Some(damage) = &checked.damage {
        return Err(format!("line {}: {}", damage.line, damage.why));
    }
    let Some(recorded) = &checked.recorded else {
        return Err("line 1: there is no whole line, so not even the head is known".to_owned());
    };
    if let Err(Failure::Problem(_, problem)) = stage::relive(path, recorded).await {
        return Err(problem.what);
    }
    Ok(recorded.torn.map_or_else(String::new, |torn| {
        format!("; a last line of {} bytes was cut off: it never counted and will be dropped", torn.bytes)
    }))
}
