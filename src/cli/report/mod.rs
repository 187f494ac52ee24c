//! `report`: scores, errors, endings, distances and costs of sessions.

mod condition;
mod distance_stats;
mod group_stats;
mod statistics;
mod tables;

pub(super) use distance_stats::DistanceStats;

use self::condition::Comparison;
use self::condition::Condition;
use self::tables::Groups;
use self::tables::Report;
use super::context::Context;
use super::exit::Exit;
use super::exit::Failure;
use super::output::Output;
use super::runtime::single_thread_runtime;
use super::session;
use crate::config;
use crate::config::Config;
use crate::domain::Prices;
use crate::domain::RepetitionThresholds;
use crate::engine::Store;
use crate::engine::read_journal;
use crate::lab;
use crate::lab::Lab;

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
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let config = context.config()?;
    let current_thresholds = args.current_thresholds.then(|| config.settings().faults.thresholds());
    let store = Store::new(config.store_folder());
    let prices = config::load_prices(context.folders())?;
    let groups = single_thread_runtime()?.block_on(collect_groups(
        &context.lab,
        &store,
        args,
        &config,
        current_thresholds,
        &prices,
    ))?;
    let mut out = Output::open();
    if args.json {
        let differing = Comparison::of(groups.keys()).differing;
        groups.iter().try_for_each(|(condition, stats)| {
            out.object_line("report", &tables::object(condition, stats, &differing))
        })?;
        return Ok(Exit::Done);
    }
    let report = Report::new(&groups);
    out.table(&[vec![report.common()]])?;
    out.line("")?;
    for table in report.tables().iter().filter(|table| table.rows.len() > 1) {
        out.column_blocks(&table.rows, table.names)?;
        out.line("")?;
    }
    let lines = tables::definitions(&groups);
    lines.iter().chain([&ERROR_BARS.to_owned()]).try_for_each(|line| out.table(&[vec![line.clone()]]))?;
    Ok(Exit::Done)
}

/// How standard errors are computed, in one line.
const ERROR_BARS: &str =
    "± SE: standard error of the mean over n episodes; episodes of the same level count as one cluster";

/// Groups all episodes of these sessions.
async fn collect_groups(
    lab: &Lab,
    store: &Store,
    args: &Args,
    config: &Config,
    current_thresholds: Option<RepetitionThresholds>,
    prices: &Prices,
) -> Result<Groups, Failure> {
    let mut groups: Groups = Groups::new();
    let mut unfinished = Vec::new();
    for run in &args.runs {
        for journal in store.find(run)? {
            let recorded = read_journal(&journal)?;
            let (spec, episode, _) = lab.restore(&journal, &recorded).await?;
            let mut distances = None;
            if args.distance && episode.ending().is_some() && !episode.is_mixed() {
                distances = lab::search_distances(spec, &episode, config).await;
            }
            if episode.ending().is_none() {
                unfinished.push(session::resume_command(store, &journal, config));
            }
            let sum = groups.entry(Condition::of(lab, &episode, current_thresholds.is_none())).or_default();
            sum.add(&episode, spec, current_thresholds, prices, distances.as_ref());
        }
    }
    session::print_resume_commands(unfinished);
    Ok(groups)
}
