//! `readers try`: reads one reply, and says which rule took which part of it.

use std::ops::Range;
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::Serialize;

use crate::context::Context;
use crate::exit::{Exit, Failure};
use crate::output::Output;
use crate::records::Record;
use crate::runtime::first_space;
use mageyard_config::{Problem, SourceFile};
use mageyard_dialog::{ParseOutcome, ReaderRules, Spans};
use mageyard_domain::{Action, ActionSpace, EpisodePolicy, ReplyEnding, ReplyFormat, Setting};
use mageyard_engine::ReplyReader;
use mageyard_lab::{SelectedLevel, all_readers, reader, reader_by_name_or_path, select_level};

/// The size limit of a reply, in bytes.
const LIMIT: u64 = 16 << 20;
/// The name for all readers.
const ALL: &str = "all";
/// The reader that is compared with.
const LENIENT: &str = "lenient";
/// The most characters of a part that are shown.
const SHOWN: usize = 60;

/// Read one reply, and print action, rule and places
///
/// The reply is the content of the file, or of standard input. What the reader `lenient` takes is printed too; `all` prints what
/// each reader takes.
#[derive(Debug, clap::Args)]
#[command(name = "try")]
pub(super) struct Args {
    /// Reader, path of its file, or `all`
    #[arg(value_name = "NAME")]
    name: String,
    /// File with the reply [default: standard input]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Environment whose replies have this format
    #[arg(long, value_name = "NAME", required_unless_present = "level")]
    environment: Option<String>,
    /// Level in whose first state the reply is given [default: the first]
    #[arg(long, value_name = "LEVEL")]
    level: Option<String>,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

/// A reply that was read (`readers try`).
#[derive(Serialize, JsonSchema)]
pub(crate) struct ReadingRecord {
    /// Reference of the level.
    level: String,
    /// `online` or `global`.
    #[schemars(with = "String")]
    setting: Setting,
    #[serde(flatten)]
    reading: Reading,
    /// What the reader `lenient` takes; without it if that is the reader.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Reading")]
    lenient: Option<Reading>,
}

impl Record for ReadingRecord {
    const TYPE: &'static str = "reading";
}

/// What a reader takes from a reply.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "reader_result")]
struct Reading {
    /// Name and version of the reader.
    reader: String,
    /// Actions; empty if the reply cannot be read.
    actions: Vec<String>,
    /// Rule that failed, or the fallback rule that gave the actions.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    rule: Option<String>,
    /// What was found and what was expected, if a rule failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    why: Option<String>,
    /// Nearest allowed actions or values, if a rule failed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    near: Vec<String>,
    /// Deviations from the format that were accepted.
    accepted: Vec<String>,
    /// Parts of the reply that were used, ignored or refused, in order.
    places: Vec<ReadingPlace>,
}

/// A part of a reply.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "reply_place")]
struct ReadingPlace {
    /// `analysis`, `action`, `argument`, `block`, `ignored`, `fallback` or `wrong`.
    part: &'static str,
    /// Name of the parameter, or the rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    name: Option<String>,
    /// First byte, from 0.
    start: usize,
    /// Byte after the last one.
    end: usize,
    /// Line of the first byte, from 1.
    line: usize,
    /// Text.
    text: String,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let config = context.config()?;
    let folders = context.folders();
    let every = args.name == ALL;
    let readers =
        if every { all_readers(folders)? } else { vec![reader_by_name_or_path(folders, &args.name)?] };
    let lenient = (!every && args.name != LENIENT).then(|| reader(folders, LENIENT)).transpose()?;
    let level = level(args, context)?;
    let setting = config.settings().play.setting;
    let format = level.spec.reply_format(setting).ok_or_else(|| {
        Problem::new(format!("{} has no {setting} setting", level.spec.name())).with_help("add --setting")
    })?;
    let constant = level.spec.capabilities().presentation.constant_space;
    let space = constant.map_or_else(|| first_space(&level, &config), |space| Ok(space()))?;
    let text = reply(args.file.as_deref())?;
    let read = |rules: &ReaderRules| Reading::of(rules, &format, &text, &space);
    let record = |rules: &ReaderRules| ReadingRecord {
        level: level.reference.clone(),
        setting,
        reading: read(rules),
        lenient: lenient.as_ref().map(read),
    };
    let records: Vec<ReadingRecord> = readers.iter().map(record).collect();
    let mut out = Output::open();
    match &records[..] {
        records if args.json => records.iter().try_for_each(|record| out.record(record))?,
        [record] => print(record, &mut out)?,
        records => out.table(&records.iter().map(ReadingRecord::row).collect::<Vec<_>>())?,
    }
    Ok(Exit::Done)
}

impl ReadingRecord {
    /// The reader and what it takes, beside others.
    fn row(&self) -> Vec<String> {
        let Reading { reader, rule, .. } = &self.reading;
        vec![reader.clone(), rule.clone().unwrap_or_default(), self.reading.result()]
    }
}

/// The level, which must be one of the environment if both are given.
fn level(args: &Args, context: &Context) -> Result<SelectedLevel, Problem> {
    let reference = args.level.as_deref().or(args.environment.as_deref()).unwrap_or_default();
    let level = select_level(&context.lab, context.folders(), reference)?;
    match &args.environment {
        Some(name) if name != level.spec.name() => Err(Problem::new(format!(
            "{} is a level of {}, not of {name}",
            level.reference,
            level.spec.name()
        ))),
        _ => Ok(level),
    }
}

fn reply(file: Option<&Path>) -> Result<String, Problem> {
    let path = file.unwrap_or(Path::new("-"));
    let bytes = SourceFile::read_limited(path, LIMIT)?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to() + 1;
        Problem::new(format!("is not UTF-8 text: invalid byte at position {at}")).at(path, "", 0..0)
    })
}

impl Reading {
    fn of(rules: &ReaderRules, format: &ReplyFormat, text: &str, space: &ActionSpace) -> Self {
        let format = rules.reply_format(format);
        let reader = ReplyReader { rules, format: &format, policy: EpisodePolicy::default() };
        let ParseOutcome { result, spans } = reader.read(text, &ReplyEnding::default(), space);
        let mut places = places(&spans, text);
        let (actions, error) = match result {
            Ok(actions) => (actions.iter().map(Action::to_string).collect(), None),
            Err(error) => (Vec::new(), Some(error)),
        };
        let wrong = error.as_ref().and_then(|error| error.at.clone());
        places.extend(wrong.map(|at| place("wrong", None, &at, text)));
        places.sort_by_key(|place| (place.start, std::cmp::Reverse(place.end)));
        let fallback = spans.fallback.map(|found| found.rule);
        Self {
            reader: rules.to_string(),
            actions,
            rule: error.as_ref().map(|error| error.rule.clone()).or(fallback),
            why: error.as_ref().map(|error| error.why.clone()),
            near: error.map(|error| error.near).unwrap_or_default(),
            accepted: spans.liberties.iter().map(ToString::to_string).collect(),
            places,
        }
    }

    /// The actions, or why there are none.
    fn result(&self) -> String {
        match &self.why {
            Some(why) => format!("none: {why}"),
            None => self.actions.join(", "),
        }
    }
}

/// What the reader marked in the reply.
fn places(spans: &Spans, text: &str) -> Vec<ReadingPlace> {
    let plain = |part: &'static str| move |at: &Range<usize>| place(part, None, at, text);
    let args = spans.args.iter().map(|one| place("argument", Some(&one.parameter), &one.at, text));
    let blocks = spans.blocks.iter().map(|one| {
        let rule = one.rule.to_string();
        let name = one.parameter.as_ref().map_or(rule.clone(), |parameter| format!("{parameter}, {rule}"));
        place("block", Some(&name), &one.at, text)
    });
    let fallback = spans.fallback.iter().map(|one| place("fallback", Some(&one.rule), &one.span, text));
    let parts = spans.analysis.iter().map(plain("analysis")).chain(spans.action.iter().map(plain("action")));
    let dropped = spans.dropped.iter().map(plain("ignored"));
    parts.chain(dropped).chain(args).chain(blocks).chain(fallback).collect()
}

fn place(part: &'static str, name: Option<&str>, at: &Range<usize>, text: &str) -> ReadingPlace {
    let before = text.get(..at.start).unwrap_or_default();
    ReadingPlace {
        part,
        name: name.map(str::to_owned),
        start: at.start,
        end: at.end,
        line: 1 + before.matches('\n').count(),
        text: text.get(at.clone()).unwrap_or_default().to_owned(),
    }
}

fn print(record: &ReadingRecord, out: &mut Output) -> Result<(), Failure> {
    let ReadingRecord { level, setting, reading, lenient } = record;
    let row = |name: &str, value: String| vec![name.to_owned(), value];
    let mut rows = vec![row("level", format!("{level}, {setting}"))];
    for reading in [Some(reading), lenient.as_ref()].into_iter().flatten() {
        rows.push(row("reader", reading.reader.clone()));
        rows.push(row("action", reading.result()));
        rows.extend(reading.rule.clone().map(|rule| row("rule", rule)));
        let lists = [("nearest", &reading.near), ("accepted", &reading.accepted)];
        let lists = lists.into_iter().filter(|(_, values)| !values.is_empty());
        rows.extend(lists.map(|(name, values)| row(name, values.join(", "))));
        let places = reading.places.iter().enumerate();
        rows.extend(places.map(|(index, place)| row(if index == 0 { "places" } else { "" }, place.words())));
    }
    Ok(out.table(&rows)?)
}

impl ReadingPlace {
    fn words(&self) -> String {
        let Self { part, name, start, end, line, text } = self;
        let name = name.as_ref().map_or_else(String::new, |name| format!(" ({name})"));
        let mut shown: String = text.chars().take(SHOWN).collect();
        if shown.len() < text.len() {
            shown.push('…');
        }
        format!("line {line}, bytes {start}..{end}: {part}{name} {shown:?}")
    }
}
