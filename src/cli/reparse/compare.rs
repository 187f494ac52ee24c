//! `reparse --compare`: all readers side by side, and the shapes of the replies that one of them refuses or reads with doubt.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Args, episode_name};
use crate::context::Context;
use crate::exit::{Exit, Failure};
use crate::output::{Output, count_noun};
use crate::records::Record;
use crate::runtime::single_thread_runtime;
use mageyard_config::Problem;
use mageyard_dialog::ReaderRules;
use mageyard_engine::Store;
use mageyard_lab::{
    Doubt, EpisodeReplies, ReparseCounts, ReplyShape, all_readers, read_again, read_recordings,
    reader_by_name_or_path,
};

/// The most characters of an example that are printed as text.
const SHOWN: usize = 200;

/// What a reader reads in the replies of some sessions (`reparse --compare`).
#[derive(Serialize, JsonSchema)]
pub(in crate::reparse) struct Counts {
    /// Number of episodes.
    episodes: usize,
    /// Number of replies.
    replies: usize,
    /// Replies with a parse error.
    parse_errors: usize,
    /// Replies that a fallback rule reads, or of which parts are ignored.
    doubtful: usize,
    /// Steps whose action is another one than the recorded one.
    changed_steps: usize,
    /// % of episodes with IA.
    ia: Option<f64>,
}

/// A reader and what it reads in the replies of some sessions (`reparse --compare`).
#[derive(Serialize, JsonSchema)]
pub(crate) struct ReaderCountsRecord {
    /// Name and version; null for the recorded readings.
    reader: Option<String>,
    #[serde(flatten)]
    counts: Counts,
}

impl Record for ReaderCountsRecord {
    const TYPE: &'static str = "reader_counts";
}

/// Replies that a reader refuses, or reads with doubt, in the same way (`reparse --compare`).
#[derive(Serialize, JsonSchema)]
pub(crate) struct ReplyShapeRecord {
    /// Name and version of the reader.
    reader: String,
    /// `refused`, `fallback` (a fallback rule read them) or `ignored` (parts of them were ignored).
    doubt: &'static str,
    /// Rule that failed, or the fallback rule that read them.
    rule: Option<String>,
    /// What they look like: `JSON`, `tags`, `code`, `headings`, `text` or `empty`.
    form: &'static str,
    /// What was found and expected; quoted texts and numbers that differ are left out.
    why: String,
    /// Number of replies.
    count: usize,
    /// Place of an example: session, episode, step and attempt.
    example: String,
    /// Text of the example.
    reply: String,
    /// Readers that read the example, each with the actions.
    read_by: Vec<ReaderActions>,
}

/// The actions that a reader reads.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "reader_actions")]
struct ReaderActions {
    /// Name and version of the reader.
    reader: String,
    /// Actions.
    actions: Vec<String>,
}

impl Record for ReplyShapeRecord {
    const TYPE: &'static str = "reply_shape";
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let config = context.config()?;
    let folders = context.folders();
    let readers = all_readers(folders)?;
    let given = args.reader.as_ref().map(|given| reader_by_name_or_path(folders, given)).transpose()?;
    let store = Store::new(config.store_folder());
    let episodes = single_thread_runtime()?.block_on(async {
        let mut episodes = Vec::new();
        for recording in read_recordings(&context.lab, &store, &args.sessions) {
            episodes.push(recording?.replies().await?);
        }
        Ok::<_, Failure>(episodes)
    })?;
    let chosen = match given {
        Some(rules) => rules,
        None => recorded_rules(&episodes)?,
    };
    let mut out = Output::open();
    let rows = counts(&episodes, &readers, &chosen);
    let shapes = read_again(&episodes, &chosen, |_| true).unwrap_or_default().shapes;
    let shapes: Vec<ReplyShapeRecord> =
        shapes.iter().filter_map(|shape| shape_record(&episodes, &readers, &chosen, shape)).collect();
    if args.json {
        rows.iter().try_for_each(|row| out.record(row))?;
        shapes.iter().try_for_each(|shape| out.record(shape))?;
    } else {
        print_counts(&rows, &mut out)?;
        print_shapes(&chosen, &shapes, &mut out)?;
    }
    Ok(Exit::Done)
}

/// The rules that these episodes were played with, which must be the same.
fn recorded_rules(episodes: &[EpisodeReplies]) -> Result<ReaderRules, Failure> {
    let mut rules = episodes.iter().map(EpisodeReplies::recorded_rules);
    let first = rules.next().ok_or_else(|| Problem::new("these sessions have no episodes"))?;
    match rules.find(|other| *other != first) {
        None => Ok(first.clone()),
        Some(other) => {
            let why = format!("these episodes were played with the readers {first} and {other}");
            Err(Problem::new(why).with_help("--reader NAME says whose refused replies are listed").into())
        }
    }
}

/// The recorded readings, then a row for each reader; the chosen one is among them, also if it is a file outside the folder.
fn counts(
    episodes: &[EpisodeReplies],
    readers: &[ReaderRules],
    chosen: &ReaderRules,
) -> Vec<ReaderCountsRecord> {
    let other = (!readers.contains(chosen)).then_some(chosen);
    let mut rows = Vec::new();
    for rules in readers.iter().chain(other) {
        let counts = read_again(episodes, rules, |_| true).unwrap_or_default().counts;
        if rows.is_empty() {
            rows.push(ReaderCountsRecord { reader: None, counts: Counts::of(&counts, 0) });
        }
        rows.push(ReaderCountsRecord { reader: Some(rules.to_string()), counts: Counts::of(&counts, 1) });
    }
    rows
}

impl Counts {
    fn of(counts: &ReparseCounts, side: usize) -> Self {
        Self {
            episodes: counts.episodes,
            replies: counts.replies,
            parse_errors: counts.errors[side],
            doubtful: counts.doubtful[side],
            changed_steps: if side == 0 { 0 } else { counts.changed },
            ia: counts.invalid_percent(side),
        }
    }
}

fn shape_record(
    episodes: &[EpisodeReplies],
    readers: &[ReaderRules],
    chosen: &ReaderRules,
    shape: &ReplyShape,
) -> Option<ReplyShapeRecord> {
    let place = shape.places.first()?;
    let replies = episodes.get(place.episode)?;
    let reads = |rules: &ReaderRules| {
        let read = replies.read_one(place.step, place.attempt, rules)?.verdict?.ok()?;
        let actions = read.iter().map(ToString::to_string).collect();
        Some(ReaderActions { reader: rules.to_string(), actions })
    };
    Some(ReplyShapeRecord {
        reader: chosen.to_string(),
        doubt: match shape.doubt {
            Doubt::Refused => "refused",
            Doubt::Fallback => "fallback",
            Doubt::Ignored => "ignored",
        },
        rule: (!shape.rule.is_empty()).then(|| shape.rule.clone()),
        form: shape.form,
        why: shape.why.clone(),
        count: shape.count,
        example: format!("{} step {} attempt {}", episode_name(replies.journal()), place.step, place.attempt),
        reply: replies.reply(place.step, place.attempt)?.content().into_owned(),
        read_by: readers.iter().filter_map(reads).collect(),
    })
}

fn print_counts(rows: &[ReaderCountsRecord], out: &mut Output) -> Result<(), Failure> {
    let Some(first) = rows.first() else { return Ok(()) };
    out.line(format!(
        "{} in {}",
        count_noun(first.counts.replies, "reply", "replies"),
        count_noun(first.counts.episodes, "episode", "episodes")
    ))?;
    let head = ["reader", "parse errors", "doubtful", "changed steps", "IA"].map(str::to_owned).to_vec();
    let cells = rows.iter().map(|row| {
        let ia = row.counts.ia.map_or_else(|| "unknown".to_owned(), |share| format!("{share:.1} %"));
        let changed = row.reader.as_ref().map_or_else(String::new, |_| row.counts.changed_steps.to_string());
        let name = row.reader.clone().unwrap_or_else(|| "as recorded".to_owned());
        vec![name, row.counts.parse_errors.to_string(), row.counts.doubtful.to_string(), changed, ia]
    });
    Ok(out.table(&std::iter::once(head).chain(cells).collect::<Vec<_>>())?)
}

fn print_shapes(chosen: &ReaderRules, shapes: &[ReplyShapeRecord], out: &mut Output) -> Result<(), Failure> {
    if shapes.is_empty() {
        return Ok(out.line(format!("\n{chosen} reads all replies without doubt"))?);
    }
    out.line(format!("\nReplies that {chosen} refuses or reads with doubt, by shape:"))?;
    for shape in shapes {
        let rule = shape.rule.as_ref().map_or_else(String::new, |rule| format!("  rule {rule}"));
        out.line(format!(
            "\n{}  {}{rule}  {}: {}",
            count_noun(shape.count, "reply", "replies"),
            shape.doubt,
            shape.form,
            shape.why
        ))?;
        let mut text: String = shape.reply.chars().take(SHOWN).collect();
        if text.len() < shape.reply.len() {
            text.push('…');
        }
        out.line(format!("  {}  {text:?}", shape.example))?;
        let read_by: Vec<String> = shape
            .read_by
            .iter()
            .filter(|read| read.reader != shape.reader)
            .map(|read| format!("{}: {}", read.reader, read.actions.join(", ")))
            .collect();
        if !read_by.is_empty() {
            out.line(format!("  read by {}", read_by.join("; ")))?;
        }
    }
    Ok(())
}
