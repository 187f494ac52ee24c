//! `report`: scores, errors, endings, distances and costs of sessions.

mod definitions;
mod object;
mod tables;

use self::tables::ReportTables;
use super::context::Context;
use super::exit::Exit;
use super::exit::Failure;
use super::output::Output;
use super::runtime::single_thread_runtime;
use super::session;
use crate::config;
use crate::engine::Store;
use crate::lab::report::Comparison;
use crate::lab::report::ReportOptions;

/// Summarize sessions: scores, errors, endings, costs
///
/// One row per combination of agent, model, environment, level set, setting, prompt, AM, OM, reader and every other
/// setting that can change the outcome. Columns show what differs; the line above shows what is the same in every row.
///
/// n is the number of finished episodes that no person changed. SE is the standard error of the mean (of the score, and
/// of the success rate as the mean of 0 and 100): episodes of one level are a cluster, as repeats of a level are not
/// independent. With g clusters and deviations d from the mean it is sqrt(g/(g-1) * sum over clusters (sum of d)^2) / n,
/// which is s/sqrt(n) with one episode per level. If there is only one level, each episode is a cluster. It is not shown
/// for n = 1, and it is 0 when all episodes have the same result, which does not mean certainty.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Sessions to read: a name or its beginning, `last`, a folder or a journal
    #[arg(value_name = "SESSION", required = true)]
    runs: Vec<String>,
    /// Apply the current [faults] settings instead of those of the episode
    #[arg(long)]
    current_thresholds: bool,
    /// Add extra moves and dead states (each state is searched; slow for hard levels)
    #[arg(long)]
    distance: bool,
    /// Add the published scores of these environments, to compare with
    #[arg(long)]
    paper: bool,
    /// Print JSON, one object per line
    #[arg(long, conflicts_with = "paper")]
    json: bool,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let config = context.config()?;
    let (lab, store) = (&context.lab, Store::new(config.store_folder()));
    let options = ReportOptions {
        thresholds: args.current_thresholds.then(|| config.settings().faults.thresholds()),
        distances: args.distance,
        prices: &config::load_prices(context.folders())?,
    };
    let report = lab.report(lab.recordings(&store, &args.runs), &options, &config);
    let report = single_thread_runtime()?.block_on(report)?;
    let unfinished = report.unfinished.iter();
    session::print_resume_commands(
        unfinished.map(|journal| session::resume_command(&store, journal, &config)).collect(),
    );
    let groups = report.groups;
    let mut out = Output::open();
    if args.json {
        let differing = Comparison::of(groups.keys()).differing;
        groups.iter().try_for_each(|(condition, stats)| {
            out.object_line("report", &object::object(condition, stats, &differing))
        })?;
        return Ok(Exit::Done);
    }
    let report = ReportTables::new(&groups, lab.environments());
    out.table(&[vec![report.common()]])?;
    out.line("")?;
    let published = args.paper.then(|| report.published_figures());
    for table in report.tables().iter().chain(&published).filter(|table| table.rows.len() > 1) {
        out.column_blocks(&table.rows, table.names)?;
        out.line("")?;
    }
    let lines = definitions::definitions(&groups);
    lines.iter().chain([&ERROR_BARS.to_owned()]).try_for_each(|line| out.table(&[vec![line.clone()]]))?;
    Ok(Exit::Done)
}

/// How standard errors are computed, in one line.
const ERROR_BARS: &str =
    "± SE: standard error of the mean over n episodes; episodes of the same level count as one cluster";
