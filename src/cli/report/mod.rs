//! `report`: scores, errors, endings, distances and costs of sessions.

mod distance_stats;
mod group_stats;
mod mean;
mod tables;

pub(super) use distance_stats::DistanceStats;

use std::collections::BTreeMap;

use self::group_stats::Group;
use self::group_stats::GroupStats;
use super::context::Context;
use super::distance;
use super::episode_builder;
use super::error_codes;
use super::exit::Exit;
use super::exit::Failure;
use super::output::Output;
use super::runtime::single_thread_runtime;
use crate::config;
use crate::config::Config;
use crate::domain::Prices;
use crate::domain::RepetitionThresholds;
use crate::engine::Store;
use crate::engine::read_journal;

/// Summarize sessions: scores, errors, endings, costs
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Sessions to read: a name or its beginning, `last`, a folder or a journal
    #[arg(value_name = "SESSION", required = true)]
    runs: Vec<String>,
    /// Apply the current [faults] settings instead of those of the episode
    #[arg(long)]
    anew: bool,
    /// Add extra moves and dead states (each state is searched; slow for hard levels)
    #[arg(long)]
    distance: bool,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let config = context.config()?;
    let anew = args.anew.then(|| config.settings().faults.thresholds());
    let store = Store::new(config.store_folder());
    let prices = config::load_prices(context.folders())?;
    let groups = single_thread_runtime()?.block_on(collect_groups(&store, args, &config, anew, &prices))?;
    let mut out = Output::open();
    if args.json {
        groups.iter().try_for_each(|(group, sum)| out.object_line(&tables::object(group, sum)))?;
        return Ok(Exit::Done);
    }
    // Each table with the number of its columns that name the row.
    let tables = [
        (tables::scores(&groups), 3),
        (tables::errors(&groups), 1),
        (tables::endings(&groups), 2),
        (tables::distances(&groups), 3),
        (tables::costs(&groups), 2),
        (tables::published(&groups), 3),
    ];
    for (table, names) in tables.iter().filter(|(table, _)| table.len() > 1) {
        out.column_blocks(table, *names)?;
        out.line("")?;
    }
    tables::definitions(&groups).iter().try_for_each(|line| out.table(&[vec![line.clone()]]))?;
    Ok(Exit::Done)
}

/// Groups all episodes of these sessions.
async fn collect_groups(
    store: &Store,
    args: &Args,
    config: &Config,
    anew: Option<RepetitionThresholds>,
    prices: &Prices,
) -> Result<BTreeMap<Group, GroupStats>, Failure> {
    let mut groups: BTreeMap<Group, GroupStats> = BTreeMap::new();
    for run in &args.runs {
        for journal in store.find(run).map_err(|error| error_codes::store_failure(&error))? {
            let recorded = read_journal(&journal).map_err(|error| error_codes::journal_failure(&error))?;
            let (spec, episode, _) = episode_builder::restore_episode(&journal, &recorded).await?;
            let mut distances = None;
            if args.distance && episode.ending().is_some() && !episode.is_mixed() {
                distances = distance::search_distances(spec, &episode, config).await;
            }
            let sum = groups.entry(Group::of(&episode)).or_default();
            sum.add(&episode, spec, anew, prices, distances.as_ref());
        }
    }
    Ok(groups)
}
