//! `reparse`: reads all stored replies again with other reader rules. No model is called and no journal is
//! changed.

mod compare;

use std::path::Path;
use std::slice;

use schemars::JsonSchema;
use serde::Serialize;

pub(super) use self::compare::{ReaderCountsRecord, ReplyShapeRecord};
use super::context::Context;
use super::exit::{Exit, Failure};
use super::output::{Output, count_noun};
use super::records::Record;
use super::runtime::single_thread_runtime;
use mageyard_dialog::ReaderRules;
use mageyard_engine::Store;
use mageyard_lab::{ChangedStep, EpisodeFields, EpisodeId, Lab, ReparseCounts, read_recordings};

/// Read stored replies again with other rules; no model is called
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Sessions to read: a name or its beginning, `last`, a folder, a journal or a sweep
    #[arg(value_name = "SESSIONS", default_value = "last")]
    sessions: Vec<String>,
    /// Reader to use: a name from `mageyard readers`, or a file [default: the play.reader setting]
    #[arg(long, value_name = "NAME|FILE")]
    reader: Option<String>,
    /// Compare all readers, and list the replies that the reader refuses or reads with doubt by their shape
    #[arg(long)]
    compare: bool,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    if args.compare {
        return compare::run(args, context);
    }
    let config = context.config()?;
    let rules = match &args.reader {
        Some(given) => mageyard_lab::reader_by_name_or_path(context.folders(), given)?,
        None => mageyard_lab::configured_reader(context.folders(), &config)?,
    };
    let store = Store::new(config.store_folder());
    let mut printer = Printer { rules, out: Output::open(), json: args.json };
    single_thread_runtime()?.block_on(async {
        let mut total = ReparseCounts::default();
        for session in &args.sessions {
            total.add(&reparse_session(&context.lab, &store, session, &mut printer).await?);
        }
        printer.print_counts("total", "total", &total)?;
        Ok(Exit::Done)
    })
}

async fn reparse_session(
    lab: &Lab,
    store: &Store,
    session: &String,
    printer: &mut Printer,
) -> Result<ReparseCounts, Failure> {
    let mut sum = ReparseCounts::default();
    let mut name = String::new();
    for recording in read_recordings(lab, store, slice::from_ref(session)) {
        let recording = recording?;
        let (counts, changes) = recording.replies().await?.changes(&printer.rules);
        changes.into_iter().try_for_each(|change| printer.print_change(recording.path(), change))?;
        sum.add(&counts);
        name = recording.id().session_name();
    }
    if store.sweep(session).is_some() {
        name.clone_from(session);
    }
    printer.print_counts("session", &name, &sum)?;
    Ok(sum)
}

/// The session and the folder of an episode: `SESSION/0001`.
pub(super) fn episode_name(journal: &Path) -> String {
    let episode = journal.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
    format!("{}/{episode}", EpisodeId::of_journal(journal).session_name())
}

/// A step whose action changes with other reader rules (`reparse`).
#[derive(Serialize, JsonSchema)]
pub(super) struct ChangeOfStepRecord {
    #[serde(flatten)]
    identity: EpisodeFields,
    /// Number of the step.
    step: u32,
    /// Number of the attempt.
    attempt: usize,
    /// Action by the recorded rules.
    before: Option<String>,
    /// Action by the new rules.
    after: Option<String>,
    /// Rule that failed.
    rule: Option<String>,
    /// Fallback rule that found the action.
    fallback: Option<String>,
    /// New reader rules.
    new_reader: String,
}

impl Record for ChangeOfStepRecord {
    const TYPE: &'static str = "change";
}

/// Counts of a session (`reparse`).
#[derive(Serialize, JsonSchema)]
pub(super) struct CountsRecord<'a> {
    /// Name of the session; null for the total.
    session: Option<&'a str>,
    /// New reader rules.
    reader: String,
    /// Number of episodes.
    episodes: usize,
    /// Number of replies.
    replies: usize,
    /// Steps whose action changes.
    changed_steps: usize,
    /// Parse errors by the recorded rules.
    parse_errors_before: usize,
    /// Parse errors by the new rules.
    parse_errors_after: usize,
    /// % of episodes with IA by the recorded rules.
    ia_before: Option<f64>,
    /// % of episodes with IA by the new rules.
    ia_after: Option<f64>,
}

impl Record for CountsRecord<'_> {
    const TYPE: &'static str = "reparse_session";
}

/// Counts of all sessions (`reparse`).
#[derive(Serialize, JsonSchema)]
pub(super) struct TotalRecord<'a> {
    #[serde(flatten)]
    counts: CountsRecord<'a>,
}

impl Record for TotalRecord<'_> {
    const TYPE: &'static str = "reparse_total";
}

/// Prints the changes and the counts.
struct Printer {
    /// The new rules.
    rules: ReaderRules,
    out: Output,
    json: bool,
}

impl Printer {
    /// Prints a step whose action has changed.
    fn print_change(&mut self, journal: &Path, change: ChangedStep) -> Result<(), Failure> {
        let ChangedStep { identity, step, attempt, before, after, rule, fallback } = change;
        if self.json {
            let new_reader = self.rules.to_string();
            let record =
                ChangeOfStepRecord { identity, step, attempt, before, after, rule, fallback, new_reader };
            return Ok(self.out.record(&record)?);
        }
        let [before, after] = [before, after].map(|side| side.unwrap_or_else(|| "(none)".to_owned()));
        let rule = rule.map_or_else(String::new, |rule| format!("  rule {rule}"));
        let fallback = fallback.map_or_else(String::new, |rule| format!("  by fallback rule {rule:?}"));
        Ok(self.out.line(format!(
            "{}  step {step}  attempt {attempt}  {before} -> {after}{rule}{fallback}",
            episode_name(journal),
        ))?)
    }

    fn print_counts(&mut self, sort: &str, what: &str, tally: &ReparseCounts) -> Result<(), Failure> {
        let ia = [0, 1].map(|side| tally.invalid_percent(side));
        if self.json {
            let is_session = sort == "session";
            let counts = CountsRecord {
                session: is_session.then_some(what),
                reader: self.rules.to_string(),
                episodes: tally.episodes,
                replies: tally.replies,
                changed_steps: tally.changed,
                parse_errors_before: tally.errors[0],
                parse_errors_after: tally.errors[1],
                ia_before: ia[0],
                ia_after: ia[1],
            };
            let printed =
                if is_session { self.out.record(&counts) } else { self.out.record(&TotalRecord { counts }) };
            return Ok(printed?);
        }
        let percent =
            |share: Option<f64>| share.map_or("unknown".to_owned(), |share| format!("{share:.1} %"));
        Ok(self.out.line(format!(
            "{what}  {}  {}  parse errors {} -> {}  IA {} -> {}  changed steps {}  reader {}",
            count_noun(tally.episodes, "episode", "episodes"),
            count_noun(tally.replies, "reply", "replies"),
            tally.errors[0],
            tally.errors[1],
            percent(ia[0]),
            percent(ia[1]),
            tally.changed,
            self.rules,
        ))?)
    }
}
