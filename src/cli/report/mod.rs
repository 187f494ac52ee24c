//! `report`: what sessions came to, with the errors by name.

mod mean;
mod sum;
mod tables;
mod ways;

pub(super) use ways::Ways;

use std::collections::BTreeMap;

use self::sum::Group;
use self::sum::Sum;
use super::exit::Exit;
use super::exit::Failure;
use super::house::House;
use super::open::runtime;
use super::output::Output;
use super::stage;
use super::trouble;
use super::way;
use crate::config;
use crate::config::Config;
use crate::domain::Prices;
use crate::domain::Thresholds;
use crate::engine::Store;
use crate::engine::read;

/// Sum sessions up: scores, errors by name, endings
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Sessions: names, beginnings of names, `last`, folders or journals
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<String>,
    /// Judge by the [faults] settings that hold now, not by those an episode was begun with
    #[arg(long)]
    anew: bool,
    /// Search each state for how far the goal was: wasted moves, and the step that lost a level. Each search has
    /// the limits of its environment's solver, and the limit of time that the [screen] settings give
    #[arg(long)]
    distance: bool,
    /// Print one object a line
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, house: &House) -> Result<Exit, Failure> {
    let config = house.config()?;
    let anew = args.anew.then(|| config.settings().faults.thresholds());
    let store = Store::new(config.store());
    let prices = config::prices(house.folders())?;
    let groups = runtime()?.block_on(gather(&store, args, &config, anew, &prices))?;
    let mut out = Output::open();
    if args.json {
        groups.iter().try_for_each(|(group, sum)| out.object(&tables::object(group, sum)))?;
        return Ok(Exit::Done);
    }
    // Each with how many of its columns name the row.
    let tables = [
        (tables::sums(&groups), 3),
        (tables::errors(&groups), 1),
        (tables::endings(&groups), 2),
        (tables::ways(&groups), 3),
        (tables::costs(&groups), 2),
        (tables::published(&groups), 3),
    ];
    for (table, names) in tables.iter().filter(|(table, _)| table.len() > 1) {
        out.blocks(table, *names)?;
        out.line("")?;
    }
    tables::definitions(&groups).iter().try_for_each(|line| out.table(&[vec![line.clone()]]))?;
    Ok(Exit::Done)
}

/// Every episode of these sessions, in its group, judged by these thresholds or by its own.
async fn gather(
    store: &Store,
    args: &Args,
    config: &Config,
    anew: Option<Thresholds>,
    prices: &Prices,
) -> Result<BTreeMap<Group, Sum>, Failure> {
    let mut groups: BTreeMap<Group, Sum> = BTreeMap::new();
    for run in &args.runs {
        for journal in store.find(run).map_err(|error| trouble::unfound(&error))? {
            let recorded = read(&journal).map_err(|error| trouble::refused(&error))?;
            let (kind, episode, _) = stage::relive(&journal, &recorded).await?;
            let mut distances = None;
            if args.distance && episode.ending().is_some() && !episode.is_mixed() {
                distances = way::searched(kind, &episode, config).await;
            }
            let sum = groups.entry(Group::of(&episode)).or_default();
            sum.add(&episode, kind, anew, prices, distances.as_ref());
        }
    }
    Ok(groups)
}
