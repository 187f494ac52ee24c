//! `report`: scores, errors, endings, distances and costs of sessions.

mod choice;
pub(super) mod comparison;
mod computed_fields;
mod correction;
mod csv;
mod definitions;
mod format;
pub(super) mod main_effects;
pub(super) mod published;
pub(super) mod records;
mod repeats;
pub(super) mod rows;
mod selection;
mod sweep;
mod text;

pub(super) use self::computed_fields::PairedFields;

use mageyard_report::make_report;
use std::io;
use std::path::PathBuf;

use serde_json::Value;

use self::comparison::ComparisonRecord;
use self::correction::CorrectionName;
use self::format::Format;
use self::main_effects::MainEffectRecord;
use self::records::ReportRecord;
use self::rows::Rows;
use self::selection::Selection;
use self::sweep::SweptCells;
use super::context::Context;
use super::diagnostics::print_message;
use super::exit::{Exit, Failure};
use super::output::{Output, count_noun};
use super::runtime::single_thread_runtime;
use super::session;
use super::sight::FindingRecord;
use crate::records::Record;
use mageyard_config::{Config, Problem};
use mageyard_domain::{ModelTotals, Prices, TokenTotals};
use mageyard_engine::Store;
use mageyard_report::document::{self, Document};
use mageyard_report::tables::{Metric, ReportTables};
use mageyard_report::{
    BaselineReference, NEVER_IGNORED, ReferenceQuery, Report, ReportOptions, RowDifferences, episode_rows,
};
use mageyard_study::{StoredDiagnoses, ask_spending};

/// Summarize sessions: scores, errors, endings, costs
///
/// One row per combination of agent, model, environment, level set, setting, prompt, AM, OM, reader and every other
/// setting that can change the outcome. Columns show what differs; the line above shows what is the same in every row.
///
/// An interval contains the true mean for levels like these with 95 %, also near the ends of the range of scores. Differences
/// are paired by level and repeat, and p values are corrected for the number of comparisons (Holm, see --correction); "inside noise" means that
/// equal cells differ as much, and "too few pairs" that fewer than six levels differ. docs/report.md describes how each number
/// is computed.
///
/// n is the number of finished episodes that no person changed. SE is the standard error of the mean (of the score, and
/// of the success rate as the mean of 0 and 100): episodes of one level are a cluster, as repeats of a level are not
/// independent. With g clusters and deviations d from the mean it is sqrt(g/(g-1) * sum over clusters (sum of d)^2) / n,
/// which is s/sqrt(n) with one episode per level. If there is only one level, each episode is a cluster. It is not shown
/// for n = 1, and it is 0 when all episodes have the same result, which does not mean certainty.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Sessions to read: a name or its beginning, `last`, a folder, a journal, a folder of sessions, or a sweep
    #[arg(value_name = "SESSION", default_value = "last")]
    runs: Vec<String>,
    /// Apply the current [faults] settings instead of those of the episode
    #[arg(long, hide_short_help = true)]
    current_thresholds: bool,
    /// Add extra moves and dead states (each state is searched; slow for hard levels)
    #[arg(long)]
    distance: bool,
    /// Add the published scores of these environments, to compare with
    #[arg(long)]
    paper: bool,
    /// Compare with the rows that have these settings [default: the smallest memory window]
    #[arg(long, value_name = "NAME=VALUE,...")]
    reference: Option<String>,
    /// Show recorded episodes on the same levels beside the rows, such as those of people; can be repeated
    ///
    /// A session, a folder of sessions, or the name of a sweep, like SESSION. Only finished episodes on levels of the report
    /// count. A sweep can name its own with `baselines`.
    #[arg(long = "baseline", value_name = "SESSION", hide_short_help = true)]
    baselines: Vec<String>,
    /// Do not tell rows apart by this setting, such as memory.am or model.temperature; can be repeated
    ///
    /// Where the server is and how it is reached, such as `model.base_url`, never tells rows apart.
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    ignore: Vec<String>,
    /// Tell rows apart by this too: a setting such as `model.base_url`, seed, repeat, level, session, program or
    /// `served_model`; can be repeated
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    by: Vec<String>,
    /// Add how many repeats it takes to see a difference of this many points
    #[arg(long, value_name = "POINTS", hide_short_help = true)]
    difference: Option<f64>,
    /// Correct p values for the number of comparisons
    ///
    /// Verdicts, the marks of maps and the sentence about all cells follow the corrected values.
    #[arg(long, value_enum, value_name = "METHOD", default_value_t)]
    correction: CorrectionName,
    /// Write one row per episode or per step, as CSV or JSON, in place of the report
    ///
    /// Every setting and every number has a column of its own, and all rows have the same columns: docs/data.md lists them.
    /// Episodes that are not counted are rows too, with `counted` false.
    #[arg(long, value_enum, conflicts_with_all = ["paper", "reference", "baselines", "difference", "correction", "metrics", "tables"])]
    rows: Option<Rows>,
    /// Show one table with these metrics only
    #[arg(long = "metric", value_enum, value_name = "NAME,...", value_delimiter = ',', conflicts_with_all = ["columns", "tables"])]
    metrics: Vec<Metric>,
    /// Show these columns only, by their names in CSV
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    columns: Vec<String>,
    /// Show the tables with these words in their titles, or `all`
    ///
    /// All are shown without it, except in a text report of more than eight rows, which shows the main numbers and names the
    /// other tables.
    #[arg(long, value_name = "WORD,...", value_delimiter = ',', conflicts_with = "columns")]
    tables: Vec<String>,
    /// Write in this format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Print JSON, one object per line; the same as `--format json`
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let config = context.config()?;
    let lab = &context.lab;
    let store = Store::new(config.store_folder());
    args.check()?;
    let swept = SweptCells::read(lab, &store, &args.runs, &config);
    let options = ReportOptions {
        thresholds: args.current_thresholds.then(|| config.settings().faults.thresholds()),
        distances: args.distance,
        prices: &mageyard_config::load_prices(&config)?,
        reference: &args.reference(&swept)?,
        difference: args.difference.or(swept.difference),
        correction: args.correction.into(),
        idle: args.paper,
        without_simulated: args.paper,
        baselines: &args.baselines(&swept),
        ignore: &args.ignore,
        by: &args.by,
        own_references: &swept.own_references,
    };
    if let Some(rows) = args.rows {
        return single_thread_runtime()?.block_on(write_rows(args, rows, &store, &options, context, &config));
    }
    let report =
        single_thread_runtime()?.block_on(make_report(lab, &store, &args.runs, &options, &config))?;
    args.check_settings(&report)?;
    args.check_reference(&report, options.reference)?;
    args.say_what_is_counted(&report, context);
    if let Some(line) = asked_line(&report, options.prices) {
        print_message(&line);
    }
    if report.simulated > 0 {
        let count = count_noun(
            report.simulated,
            "episode of a simulated model is",
            "episodes of simulated models are",
        );
        let rest = "; there are no others: play some with `--agent model`, or leave out --paper";
        let rest = if report.has_rows() { "" } else { rest };
        print_message(&format!("{count} left out: published values are those of real models{rest}"));
    }
    for name in &report.empty_baselines {
        let what = "no finished episode on a level of this report";
        let help = "record one with `mageyard play LEVEL --agent human`";
        print_message(&format!("baseline {name}: {what}; {help}"));
    }
    let (of_sweeps, others): (Vec<&PathBuf>, Vec<_>) =
        report.unfinished.iter().partition(|journal| sweep::is_in_sweep(journal));
    session::print_resume_commands(
        others.into_iter().map(|journal| session::resume_command(&store, journal, &config)).collect(),
    );
    if !of_sweeps.is_empty() {
        let count = count_noun(of_sweeps.len(), "episode of a sweep is", "episodes of sweeps are");
        print_message(&format!("{count} unfinished: the same `mageyard sweep run` completes them"));
    }
    if report.has_rows() || report.simulated == 0 {
        args.write(&report, &swept, context)?;
    }
    Ok(Exit::Done)
}

/// Writes the rows of the episodes or of their steps.
async fn write_rows(
    args: &Args,
    rows: Rows,
    store: &Store,
    options: &ReportOptions<'_>,
    context: &Context,
    config: &Config,
) -> Result<Exit, Failure> {
    let episodes = episode_rows(&context.lab, store, &args.runs, options, config).await?;
    let selection = Selection::of(&args.columns);
    rows::write((rows, args.format(), &selection), &episodes, options, context).await?;
    Ok(Exit::Done)
}

/// What the asks at the episodes of a report took, which no row has; `None` if nothing was asked. Asks that cannot be read are
/// named in a message.
fn asked_line(report: &Report, prices: &Prices) -> Option<String> {
    let mut models: Vec<ModelTotals> = Vec::new();
    for journal in &report.journals {
        match ask_spending(journal) {
            Ok(spent) => models.extend(spent),
            Err(error) => print_message(&format!("what was asked is not counted: {error}")),
        }
    }
    let spent = models.iter().fold(TokenTotals::default(), |sum, of| sum.plus(of.spent));
    let requests = count_noun(spent.requests, "request", "requests");
    let cost = prices.episode_cost(None, spent, &models);
    (spent.requests > 0).then(|| {
        format!("asks at these episodes, which no row has: {requests}, {}, cost {cost}", spent.text())
    })
}

/// What diagnoses have found out about the steps of the episodes of a report. Those that cannot be read are named in a message.
fn diagnoses(report: &Report) -> StoredDiagnoses {
    let mut found = StoredDiagnoses::default();
    for journal in &report.journals {
        if let Err(error) = found.add(journal) {
            print_message(&format!("a diagnosis is not counted: {error}"));
        }
    }
    found
}

impl Args {
    fn format(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }

    /// Refuses options that would have no effect or make no sense.
    fn check(&self) -> Result<(), Problem> {
        let format = self.format();
        if self.rows.is_some() && !matches!(format, Format::Csv | Format::Json) {
            let help = "add `--format csv` or `--format json`".to_owned();
            return Err(Problem::new("--rows is data for other programs".to_owned()).with_help(help));
        }
        let is_data = matches!(format, Format::Csv | Format::Json);
        if is_data && !(self.metrics.is_empty() && self.tables.is_empty()) {
            let help = "--columns chooses columns of CSV and JSON".to_owned();
            return Err(Problem::new("--metric and --tables have no effect in this format".to_owned())
                .with_help(help));
        }
        if self.paper && self.format == Format::Csv {
            let help = "published scores are in the formats text, md, html and json".to_owned();
            return Err(Problem::new("--paper has no effect in this format".to_owned()).with_help(help));
        }
        match self.difference {
            Some(points) if !(points.is_finite() && points > 0.0) => {
                let help = "it is a difference of mean scores in points, more than 0".to_owned();
                Err(Problem::new(format!("--difference {points} is not possible")).with_help(help))
            }
            _ => Ok(()),
        }
    }

    /// The baselines: those of the flags, which must exist, and those of the sweeps.
    fn baselines(&self, swept: &SweptCells) -> Vec<BaselineReference> {
        let reference =
            |is_required| move |name: &String| BaselineReference { name: name.clone(), is_required };
        let of_flags = self.baselines.iter().map(reference(true));
        of_flags.chain(swept.baselines.iter().map(reference(false))).collect()
    }

    /// The wanted reference: that of the flag, or else that of the sweep.
    fn reference(&self, swept: &SweptCells) -> Result<ReferenceQuery, Problem> {
        let Some(text) = &self.reference else { return Ok(ReferenceQuery::of(&swept.reference)) };
        ReferenceQuery::parse(text).map_err(|part| {
            let help = "write settings with values, as in --reference memory.am=1,memory.om=1".to_owned();
            Problem::new(format!("--reference: {part:?} has no value")).with_help(help)
        })
    }

    /// Refuses names of `--ignore` and `--by` that no episode has.
    fn check_settings(&self, report: &Report) -> Result<(), Problem> {
        if report.groups.is_empty() {
            return Ok(());
        }
        if let Some(name) = self.ignore.iter().find(|name| is_never_ignored(name)) {
            let problem = Problem::new(format!("--ignore {name}: each row has its own"));
            return Err(problem.with_help("name another setting, such as memory.am or play.prompt"));
        }
        match report.unknown_settings.first() {
            None => Ok(()),
            Some(name) => {
                let flag = if self.ignore.contains(name) { "--ignore" } else { "--by" };
                let problem = Problem::new(format!("{flag} {name}: no episode has it"));
                Err(problem.with_help("`mageyard report SESSION --json` has the names below `settings`"))
            }
        }
    }

    /// Says in a message what formats without notes cannot.
    fn say_what_is_counted(&self, report: &Report, context: &Context) {
        if matches!(self.format(), Format::Json | Format::Csv) {
            let tables = ReportTables::new(report, context.lab.environments());
            for line in tables.what_is_counted() {
                print_message(&line);
            }
        }
    }

    /// Refuses a reference with names or values that no row has. The reference of a sweep may not be played yet: its plan is
    /// checked, so this is a message.
    fn check_reference(&self, report: &Report, wanted: &ReferenceQuery) -> Result<(), Problem> {
        if report.groups.is_empty() || wanted.is_empty() {
            return Ok(());
        }
        let differing = RowDifferences::of(report.groups.keys()).differing.join(", ");
        let help = match differing.as_str() {
            "" => "there is one row, and nothing to compare it with".to_owned(),
            names => format!("the rows differ in: {names}"),
        };
        let what = if !report.unknown_names.is_empty() {
            format!("no row has a setting {}", report.unknown_names.join(", "))
        } else if report.has_reference {
            return Ok(());
        } else {
            format!("{wanted}: no row has these values")
        };
        if self.reference.is_some() {
            return Err(Problem::new(format!("--reference: {what}")).with_help(help));
        }
        print_message(&format!("the reference of the sweep: {what}, so nothing is compared; {help}"));
        Ok(())
    }

    fn write(&self, report: &Report, swept: &SweptCells, context: &Context) -> Result<(), Failure> {
        let mut out = Output::open();
        let selection = Selection::of(&self.columns);
        let document = || self.document(report, swept, &selection, context);
        match self.format() {
            Format::Text => text::write(&document()?, &mut out)?,
            Format::Md => out.raw(document::markdown(&document()?).as_bytes())?,
            Format::Latex => out.raw(document::latex(&document()?).as_bytes())?,
            Format::Html => out.raw(document::html(&document()?).as_bytes())?,
            Format::Csv => {
                let objects = values(report).map_err(io::Error::from)?;
                out.raw(csv::write(&objects, &selection)?.as_bytes())?;
            }
            Format::Json if selection.is_chosen() => {
                for object in values(report).map_err(io::Error::from)? {
                    let row = selection.of_row(csv::flat(&object))?;
                    let line = mageyard_lab::json_line(ReportRecord::TYPE, &row).map_err(io::Error::from)?;
                    out.finished_line(&line)?;
                }
            }
            Format::Json => {
                let differing = differing(report);
                rows(report, &differing).try_for_each(|row| out.record(&row))?;
                let tables = ReportTables::new(report, context.lab.environments());
                let records =
                    report.comparisons.iter().map(|of| ComparisonRecord::new(of, tables.finding(of)));
                records.into_iter().try_for_each(|record| out.record(&record))?;
                let mut effects = report.main_effects.iter();
                effects.try_for_each(|effect| out.record(&MainEffectRecord::from(effect)))?;
                let diagnosed = diagnoses(report).shares();
                diagnosed.iter().try_for_each(|group| FindingRecord::print(group, &mut out))?;
                if self.paper {
                    write_published(report, context, &mut out)?;
                }
            }
        }
        Ok(())
    }

    fn document(
        &self,
        report: &Report,
        swept: &SweptCells,
        selection: &Selection,
        context: &Context,
    ) -> Result<Document, Problem> {
        let tables = ReportTables::new(report, context.lab.environments());
        if selection.is_chosen() {
            return choice::columns(report, &tables, selection);
        }
        if !self.metrics.is_empty() {
            return Ok(choice::metrics(&tables, &self.metrics));
        }
        let mut notes = definitions::definitions(&report.groups);
        notes.extend([ERROR_BARS.to_owned(), INTERVALS.to_owned()]);
        let mut document = tables.document(report, swept.notes(), self.paper, notes);
        document
            .findings
            .extend(diagnoses(report).lines().into_iter().map(|line| format!("diagnosed: {line}")));
        if self.tables.is_empty() && self.format() == Format::Text && !self.paper {
            return Ok(choice::brief(document, &tables));
        }
        choice::named(document, &self.tables)
    }
}

/// Whether a row cannot be without this setting.
fn is_never_ignored(name: &str) -> bool {
    NEVER_IGNORED.contains(&name) || ["play.agent", "model.name", "level_set"].contains(&name)
}

/// The published figures of the environments in the report.
fn write_published(report: &Report, context: &Context, out: &mut Output) -> io::Result<()> {
    for spec in ReportTables::new(report, context.lab.environments()).environments() {
        published::scores(spec).try_for_each(|record| out.record(&record))?;
        published::errors(spec).try_for_each(|record| out.record(&record))?;
        published::measures(spec).try_for_each(|record| out.record(&record))?;
    }
    Ok(())
}

/// The names of the properties in which the rows differ.
fn differing(report: &Report) -> Vec<String> {
    RowDifferences::of(report.groups.keys()).differing
}

/// The objects of all rows.
fn rows<'a>(report: &'a Report, differing: &'a [String]) -> impl Iterator<Item = ReportRecord<'a>> {
    let groups = report.groups.iter();
    let groups = groups.map(|(condition, stats)| {
        ReportRecord::new(condition, stats, differing).with_idle(report.idle.find(condition))
    });
    let baselines = report.baselines.iter();
    groups.chain(
        baselines.map(|(condition, baseline)| ReportRecord::of_baseline(condition, baseline, differing)),
    )
}

/// The same as values.
fn values(report: &Report) -> serde_json::Result<Vec<Value>> {
    rows(report, &differing(report)).map(serde_json::to_value).collect()
}

/// How standard errors are computed, in one line.
const ERROR_BARS: &str =
    "± SE: standard error of the mean over n episodes; episodes of the same level count as one cluster";

/// What intervals are, in one line.
const INTERVALS: &str = "95 % interval: of the mean for levels like these, within the range of scores; where fewer than six levels differ it follows from their number and not from the spread of scores";
