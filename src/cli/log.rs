//! `log`: lists sessions, checks their journals, and deletes and restores them.

use mageyard_lab::{recorded_episode, restore_episode, stored_session};
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::context::Context;
use super::diagnostics::print_message;
use super::episode_output::reply_endings_text;
use super::error_codes::journal_failure;
use super::exit::{Exit, Failure};
use super::log_records::{
    ContentFields, JournalRecord, LineFields, ListedSweepRecord, SearchedFields, SessionRecord,
};
use super::log_trash::{self, DeleteArgs, EmptyArgs, RestoreArgs, TrashArgs};
use super::output::Output;
use super::runtime::single_thread_runtime;
use super::session;
use mageyard_config::Config;
use mageyard_domain::shell_quote;
use mageyard_engine::{
    EpisodeSummary, Head, JournalCheck, JournalContents, JournalError, Store, StoreError, check_journal,
    repair_journal,
};
use mageyard_lab::{EpisodeSettings, Lab, RecordedEpisode, StoredSession};
use mageyard_report::DistanceStats;
use mageyard_sweep::sweep_folder;

/// List, check, delete and restore sessions
#[derive(Debug, clap::Subcommand)]
pub(super) enum Verb {
    /// List the sweeps and the sessions, oldest first
    List {
        /// Add extra moves and dead states (each state is searched; slow for hard levels)
        #[arg(long)]
        distance: bool,
        /// List only the newest sessions, and no sweeps
        #[arg(long, value_name = "COUNT")]
        newest: Option<usize>,
        /// Print JSON, one object per line
        #[arg(long)]
        json: bool,
    },
    /// Check whether journals are intact, and find the damage
    Check {
        /// Sessions, sweeps or journal files [default: all of the store]
        #[arg(value_name = "SESSION")]
        runs: Vec<String>,
        /// Write the intact part of a damaged journal to a new file; the damaged one is kept
        #[arg(long)]
        repair: bool,
        /// Print JSON, one object per line
        #[arg(long)]
        json: bool,
    },
    Delete(DeleteArgs),
    Trash(TrashArgs),
    Restore(RestoreArgs),
    Empty(EmptyArgs),
}

pub(super) fn run(verb: &Verb, context: &Context) -> Result<Exit, Failure> {
    let config = context.config()?;
    let store = Store::new(config.store_folder());
    match verb {
        Verb::List { distance, newest, json } => {
            let (sweeps, sessions) = match newest {
                Some(count) => (Ok(Vec::new()), store.newest_sessions(*count)),
                None => (store.sweeps(), store.sessions()),
            };
            let names = (sweeps.map_err(Failure::running)?, sessions.map_err(Failure::running)?);
            let listing = list(&context.lab, &store, names, &config, *distance, *json);
            single_thread_runtime()?.block_on(listing)
        }
        Verb::Check { runs, repair, json } => {
            let check = CheckRun {
                lab: &context.lab,
                repair: *repair,
                json: *json,
                out: Output::open(),
                exits: Vec::new(),
            };
            single_thread_runtime()?.block_on(check.run(&store, runs))
        }
        Verb::Delete(args) => log_trash::delete(args, context),
        Verb::Trash(args) => log_trash::trash(args, context),
        Verb::Restore(args) => log_trash::restore(args, context),
        Verb::Empty(args) => log_trash::empty(args, context),
    }
}

/// Lists these sweeps and sessions; with `search` also the distances of the episodes of sessions.
async fn list(
    lab: &Lab,
    store: &Store,
    (sweeps, sessions): (Vec<String>, Vec<String>),
    config: &Config,
    search: bool,
    json: bool,
) -> Result<Exit, Failure> {
    let mut out = Output::open();
    let mut rows = Vec::new();
    for sweep in sweeps {
        let cells = Store::new(sweep_folder(store.root(), &sweep));
        let episodes = cells.all_journals().map_err(Failure::running)?.len();
        let record = ListedSweepRecord {
            sweep: &sweep,
            cells: cells.sessions().map_err(Failure::running)?.len(),
            episodes,
        };
        if json {
            out.record(&record)?;
        } else {
            rows.push(record.cells());
        }
    }
    for session in sessions {
        let listed = SessionRow::of(lab, store, session, config, search).await;
        if json {
            out.record(&listed.record())?;
        } else {
            rows.push(listed.cells());
        }
    }
    if rows.is_empty() && !json {
        let folder = store.root().display();
        print_message(&format!("no session in {folder}; `mageyard play` or `mageyard run` starts one"));
    }
    out.stacked_entries(&rows)?;
    Ok(Exit::Done)
}

/// A session of the store.
struct SessionRow {
    session: String,
    episodes: usize,
    /// The head of the first episode, if it can be read.
    head: Option<Head>,
    /// The level of the last episode, if there are several.
    last_level: Option<String>,
    /// The distances of the episodes, if they were searched.
    distances: Option<DistanceStats>,
    /// How many replies of finished episodes ended in each way, complete ones left out.
    reply_endings: BTreeMap<String, usize>,
    /// The command that resumes it, if it is unfinished.
    resume: Option<String>,
}

impl SessionRow {
    async fn of(lab: &Lab, store: &Store, name: String, config: &Config, search: bool) -> Self {
        let none = StoredSession { name: name.clone(), episodes: Vec::new() };
        let session = stored_session(lab, store, name).unwrap_or(none);
        let resume = |episode: &RecordedEpisode| session::resume_command(store, episode.path(), config);
        Self {
            episodes: session.episodes.len(),
            head: session.first_head(),
            last_level: session.last_head().map(|head| head.reference),
            distances: if search {
                Some(mageyard_report::session_distances(&session, config).await)
            } else {
                None
            },
            reply_endings: session.reply_endings(),
            resume: session.unfinished(store).await.map(resume),
            session: session.name,
        }
    }

    fn record(&self) -> SessionRecord<'_> {
        let searched = self.distances.as_ref().map(|distances| SearchedFields {
            distance: (!distances.is_empty()).then(|| distances.fields()),
        });
        SessionRecord {
            session: &self.session,
            episodes: self.episodes,
            last: self.last_level.as_deref(),
            resume: self.resume.as_deref(),
            reply_endings: &self.reply_endings,
            settings: self.head.as_ref().map(EpisodeSettings::of),
            searched,
        }
    }

    fn cells(self) -> Vec<String> {
        let way =
            self.distances.map(|ways| if ways.is_empty() { "no solver".to_owned() } else { ways.summary() });
        let endings = Some(reply_endings_text(&self.reply_endings)).filter(|text| !text.is_empty());
        let resume = self.resume.map(|command| format!("unfinished: {command}"));
        let count = format!("{} {}", self.episodes, if self.episodes == 1 { "episode" } else { "episodes" });
        let unknown = if self.episodes == 0 { "not started" } else { "unreadable: run `mageyard log check`" };
        let engine = self.head.as_ref().and_then(|head| head.engine.clone());
        let what = self.head.map_or([unknown.into(), String::new(), String::new()], |head| {
            [
                level_range(&head.reference, self.last_level.as_deref()),
                head.agent.name,
                head.setting.to_string(),
            ]
        });
        [self.session, count]
            .into_iter()
            .chain(what)
            .chain(engine)
            .chain(way)
            .chain(endings)
            .chain(resume)
            .collect()
    }
}

/// The first and the last level of a session: `hanoi/first/1 … 15`.
fn level_range(first: &str, last: Option<&str>) -> String {
    let set = first.rfind(['/', '#']).map_or(0, |at| at + 1);
    match last {
        None => first.to_owned(),
        Some(last) if last == first => first.to_owned(),
        Some(last) => format!("{first} … {}", last.strip_prefix(&first[..set]).unwrap_or(last)),
    }
}

struct CheckRun<'a> {
    lab: &'a Lab,
    repair: bool,
    json: bool,
    out: Output,
    /// Exit codes of the problems found; the most severe one is used.
    exits: Vec<Exit>,
}

impl CheckRun<'_> {
    /// Checks all journals, even if some are damaged.
    async fn run(mut self, store: &Store, runs: &[String]) -> Result<Exit, Failure> {
        for run in runs {
            for journal in store.find(run)? {
                self.check_journal(&journal).await?;
            }
        }
        if runs.is_empty() {
            self.check_all(store).await?;
        }
        let gravest = [Exit::Mismatch, Exit::Failed, Exit::BadRequest].into_iter();
        Ok(gravest.into_iter().find(|exit| self.exits.contains(exit)).unwrap_or(Exit::Done))
    }

    /// Checks the journals of all sweeps and sessions of the store.
    async fn check_all(&mut self, store: &Store) -> Result<(), Failure> {
        for sweep in store.sweeps().map_err(Failure::running)? {
            let cells = Store::new(sweep_folder(store.root(), &sweep));
            for journal in cells.all_journals().map_err(Failure::running)? {
                self.check_journal(&journal).await?;
            }
        }
        for session in store.sessions().map_err(Failure::running)? {
            match store.journals(&session) {
                Ok(journals) => {
                    for journal in journals {
                        self.check_journal(&journal).await?;
                    }
                }
                Err(error) => self.print_empty(&session, &error)?,
            }
        }
        Ok(())
    }

    /// Prints a session without a journal, which is not damage.
    fn print_empty(&mut self, session: &str, error: &StoreError) -> Result<(), Failure> {
        if let StoreError::Disk { .. } = error {
            self.exits.push(Exit::Failed);
        }
        if self.json {
            let why = error.to_string();
            let record = JournalRecord { session: Some(session), ..JournalRecord::unchecked(&why) };
            return Ok(self.out.record(&record)?);
        }
        Ok(self.out.line(error.to_string())?)
    }

    /// Checks one journal and prints the result.
    async fn check_journal(&mut self, path: &Path) -> Result<(), Failure> {
        let checked = match check_journal(path) {
            Ok(checked) => checked,
            Err(error) => return self.print_unreadable(path, &error),
        };
        let verdict = verdict(self.lab, path, &checked).await;
        let repaired = self.repair_journal(path, &checked)?;
        if verdict.is_err() && !matches!(repaired, Repaired::AlreadyThere(_)) {
            self.exits.push(Exit::Mismatch);
        }
        let edits = checked.recorded.as_ref().map_or(0, JournalContents::edits);
        let seats = checked.recorded.as_ref().map_or(0, JournalContents::seats);
        let lines = checked.recorded.as_ref().map_or(0, |good| good.lines.len() + 1);
        if self.json {
            let torn = checked.recorded.as_ref().and_then(|good| good.torn).map(|torn| torn.bytes);
            let line = checked.damage.as_ref().map(|damage| damage.line);
            let repaired = repaired.file();
            return Ok(self.out.record(&JournalRecord {
                session: None,
                journal: Some(path),
                whole: Some(verdict.is_ok()),
                lines: Some(LineFields { lines, torn, line }),
                why: verdict.as_ref().err().map(String::as_str),
                contents: Some(ContentFields { edits, seats, lost: checked.lost, repaired }),
            })?);
        }
        let said = match &verdict {
            Ok(remark) => format!("intact, {lines} lines{}{}{remark}", edit_note(edits), seat_note(seats)),
            Err(why) if checked.damage.is_none() && checked.lost == 0 => {
                format!("DAMAGED, {why}; all {lines} lines are intact")
            }
            Err(why) => format!(
                "DAMAGED, {why}; the {lines} lines before it are intact, {} lines are lost",
                checked.lost
            ),
        };
        Ok(self.out.line(format!("{}: {said}{}", path.display(), repaired.message()))?)
    }

    /// Prints a journal that cannot be checked: written by a newer program, or not accessible.
    fn print_unreadable(&mut self, path: &Path, error: &JournalError) -> Result<(), Failure> {
        let Failure::Problem(exit, problem) = journal_failure(error) else { return Ok(()) };
        self.exits.push(exit);
        if self.json {
            let record = JournalRecord { journal: Some(path), ..JournalRecord::unchecked(&problem.message) };
            return Ok(self.out.record(&record)?);
        }
        Ok(self.out.line(problem.message)?)
    }

    /// Writes the intact part of a damaged journal to a new file if requested; never overwrites a file.
    fn repair_journal(&mut self, path: &Path, checked: &JournalCheck) -> Result<Repaired, Failure> {
        let (true, Some(_), Some(good)) = (self.repair, &checked.damage, &checked.recorded) else {
            return Ok(Repaired::Unchanged);
        };
        match repair_journal(path, good) {
            Ok(new) => Ok(Repaired::Written(new)),
            Err(JournalError::Disk { path, source }) if source.kind() == ErrorKind::AlreadyExists => {
                self.exits.push(Exit::BadRequest);
                Ok(Repaired::AlreadyThere(path))
            }
            Err(error) => Err(error.into()),
        }
    }
}

/// Whether the intact part of a journal was written to a new file.
enum Repaired {
    Unchanged,
    Written(PathBuf),
    /// The file already exists.
    AlreadyThere(PathBuf),
}

impl Repaired {
    /// The file that was written.
    fn file(&self) -> Option<&Path> {
        match self {
            Self::Written(new) => Some(new),
            Self::Unchanged | Self::AlreadyThere(_) => None,
        }
    }

    fn message(&self) -> String {
        match self {
            Self::Unchanged => String::new(),
            Self::Written(new) => format!(
                "; the intact part is now in {new}: resume it with `mageyard run --resume {new}`, look at it with `mageyard view {new}`",
                new = shell_quote(&new.to_string_lossy())
            ),
            Self::AlreadyThere(old) => format!(
                "; not repaired, because {old} already exists: resume it with `mageyard run --resume {old}`, or move it away to repair again",
                old = shell_quote(&old.to_string_lossy())
            ),
        }
    }
}

/// A note that a person edited the episode.
fn edit_note(times: usize) -> String {
    match times {
        0 => String::new(),
        1 => "; mixed: a person edited once".to_owned(),
        times => format!("; mixed: a person edited {times} times"),
    }
}

/// A note that the agent was changed while the episode was played.
fn seat_note(times: usize) -> String {
    match times {
        0 => String::new(),
        1 => "; mixed: the agent was changed once".to_owned(),
        times => format!("; mixed: the agent was changed {times} times"),
    }
}

/// A remark on an intact journal, or what is wrong with it.
async fn verdict(lab: &Lab, path: &Path, checked: &JournalCheck) -> Result<String, String> {
    if let Some(damage) = &checked.damage {
        return Err(format!("line {}: {}", damage.line, damage.why));
    }
    let Some(recorded) = &checked.recorded else {
        return Err("line 1: the first line is incomplete, so the head is unknown".to_owned());
    };
    let (spec, episode, _) = match restore_episode(lab, path, recorded).await {
        Ok(restored) => restored,
        Err(error) => return Err(Failure::from(error).into_problem().message),
    };
    let computed = EpisodeSummary::of(&episode, spec, Duration::ZERO);
    if let Some(why) = recorded_episode(lab, path).wrong_summary(&computed) {
        return Err(why);
    }
    Ok(recorded.torn.map_or_else(String::new, |torn| {
        format!("; the last line is incomplete ({} bytes) and will be dropped", torn.bytes)
    }))
}
