//! `sweep status`: the cells of a sweep by state, from any second terminal. It only reads.

use std::collections::BTreeMap;

use super::orders::OrderRecord;
use super::status_records::{CellStatusRecord, StateCounts, SweepStatusRecord};
use crate::context::Context;
use crate::exit::{Exit, Failure};
use crate::output::{Output, count_noun};
use crate::records::{CostFields, UsageFields};
use crate::runtime::single_thread_runtime;
use mageyard_domain::{Amount, Cost, Prices, TokenTotals};
use mageyard_sweep::claims::State;
use mageyard_sweep::existing_sweep;
use mageyard_sweep::{CellStatus, ControlState, GivenOrder, control_state, sweep_status};

/// Show the cells of a sweep by state: workers, episodes, spend, failures
///
/// It only reads, so it works from any second terminal while workers run. Requests without a reply are not counted yet.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Name of a sweep in the store, or its folder
    #[arg(value_name = "SWEEP")]
    sweep: String,
    /// List queued and done cells too
    #[arg(long)]
    all: bool,
    /// List all orders, not only the last ones
    #[arg(long)]
    orders: bool,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

/// The number of orders that are listed without `--orders`.
const LAST_ORDERS: usize = 3;

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let config = context.config()?;
    let folder = existing_sweep(&args.sweep, &config)?;
    let prices = mageyard_config::load_prices(&config)?;
    let status = sweep_status(&context.lab, &folder);
    let cells = single_thread_runtime()?.block_on(status).map_err(Failure::running)?;
    let orders = mageyard_sweep::orders(&folder).map_err(Failure::running)?;
    let control = control_state(&orders);
    let listed = if args.orders { 0 } else { orders.len().saturating_sub(LAST_ORDERS) };
    let listed = &orders[listed..];
    let mut out = Output::open();
    if args.json {
        out.record(&totals(&args.sweep, &cells, &prices, &control))?;
        listed.iter().try_for_each(|order| out.record(&OrderRecord::new(&args.sweep, order)))?;
        cells.iter().try_for_each(|cell| out.record(&CellStatusRecord::new(cell, &prices)))?;
        return Ok(Exit::Done);
    }
    control.lines(&args.sweep).iter().try_for_each(|line| out.line(line))?;
    summary_lines(&cells, &prices).iter().try_for_each(|line| out.line(line))?;
    if !listed.is_empty() {
        out.line(format!("\norders, {} of {}:", listed.len(), orders.len()))?;
        out.table(&listed.iter().map(GivenOrder::columns).collect::<Vec<_>>())?;
    }
    for state in State::ALL {
        let listed = args.all || !matches!(state, State::Queued | State::Done);
        let rows: Vec<_> = cells.iter().filter(|cell| listed && cell.state.state == state).map(row).collect();
        if !rows.is_empty() {
            out.line("")?;
            out.line(format!("{}:", state.name()))?;
            out.table(&rows)?;
        }
    }
    Ok(Exit::Done)
}

/// The numbers of cells in each state that has any.
fn counts(cells: &[CellStatus]) -> Vec<(State, usize)> {
    let count = |state: State| (state, cells.iter().filter(|cell| cell.state.state == state).count());
    State::ALL.into_iter().map(count).filter(|(_, count)| *count > 0).collect()
}

/// The failed cells by the class of the failure.
fn failures(cells: &[CellStatus]) -> BTreeMap<&str, usize> {
    let failed = cells.iter().filter(|cell| cell.state.state == State::Failed);
    let classes =
        failed.map(|cell| cell.state.reason.as_ref().map_or("unknown", |reason| reason.class.as_str()));
    classes.fold(BTreeMap::new(), |mut counts, class| {
        *counts.entry(class).or_default() += 1;
        counts
    })
}

fn spent(cells: &[CellStatus]) -> TokenTotals {
    cells.iter().map(|cell| cell.spent).sum()
}

/// What the requests of all cells cost: a sum for each currency, and the number of cells whose cost is unknown.
fn costs(cells: &[CellStatus], prices: &Prices) -> (BTreeMap<String, Amount>, usize) {
    let mut sums = BTreeMap::<String, Amount>::new();
    let mut unknown = 0;
    for cell in cells {
        match prices.cost_of_models(&cell.models) {
            Cost::NoRequests => {}
            Cost::Unknown => unknown += 1,
            Cost::Known { amount, currency, .. } => {
                let sum = sums.entry(currency).or_default();
                *sum = sum.plus(amount);
            }
        }
    }
    (sums, unknown)
}

fn costs_text(cells: &[CellStatus], prices: &Prices) -> String {
    let (sums, unknown) = costs(cells, prices);
    let sums = sums.iter().map(|(currency, amount)| format!("{} {currency}", amount.rounded()));
    let unknown = (unknown > 0).then(|| format!("cost of {} unknown", count_noun(unknown, "cell", "cells")));
    sums.chain(unknown).collect::<Vec<_>>().join(", ")
}

fn summary_lines(cells: &[CellStatus], prices: &Prices) -> Vec<String> {
    let states: Vec<String> =
        counts(cells).iter().map(|(state, count)| format!("{count} {}", state.name())).collect();
    let finished: usize = cells.iter().map(|cell| cell.finished).sum();
    let planned: usize = cells.iter().filter_map(|cell| cell.planned).sum();
    let started = cells.iter().filter(|cell| cell.planned.is_some()).count();
    let unreadable: usize = cells.iter().map(|cell| cell.unreadable).sum();
    let mut lines = vec![
        format!("{}: {}", count_noun(cells.len(), "cell", "cells"), states.join(", ")),
        format!(
            "{finished} of {planned} episodes done in the {} started so far",
            count_noun(started, "cell", "cells")
        ),
    ];
    if unreadable > 0 {
        let journals = count_noun(unreadable, "journal", "journals");
        lines.push(format!("{journals} cannot be read; `mageyard log check` says why"));
    }
    let spent = spent(cells);
    if spent.requests > 0 {
        let requests = count_noun(spent.requests, "request", "requests");
        lines.push(format!("{requests}, {}, {}", spent.text(), costs_text(cells, prices)));
    }
    let failures: Vec<String> =
        failures(cells).iter().map(|(class, count)| format!("{count} {class}")).collect();
    if !failures.is_empty() {
        lines.push(format!("failures: {}", failures.join(", ")));
    }
    lines
}

/// The cell, its episodes, its worker, and what there is to say about its state.
fn row(cell: &CellStatus) -> Vec<String> {
    let state = &cell.state;
    let planned =
        cell.planned.map_or_else(|| "–".to_owned(), |planned| format!("{}/{planned}", cell.finished));
    let age = state.heartbeat_age.map(|age| format!("heartbeat {} s ago", age.as_secs()));
    let reason = state.reason.as_ref().map(|reason| format!("{}: {}", reason.class, reason.text));
    vec![
        cell.name.clone(),
        planned,
        state.worker.clone().unwrap_or_default(),
        age.or(reason).unwrap_or_default(),
    ]
}

fn totals<'a>(
    sweep: &'a str,
    cells: &'a [CellStatus],
    prices: &Prices,
    control: &ControlState,
) -> SweepStatusRecord<'a> {
    let (sums, unpriced) = costs(cells, prices);
    // A sum over currencies would mean nothing.
    let sum = sums.iter().next().filter(|_| sums.len() == 1);
    let none = CostFields { cost: None, currency: None };
    let cost = sum.map_or(none, |(currency, amount)| CostFields::sum(*amount, currency));
    SweepStatusRecord {
        sweep,
        control: control.name(),
        control_order: control.order().map(|order| order.number),
        cells: cells.len(),
        states: StateCounts(counts(cells)),
        episodes_planned: cells.iter().filter_map(|cell| cell.planned).sum(),
        episodes_done: cells.iter().map(|cell| cell.finished).sum(),
        failures: failures(cells),
        unpriced,
        usage: UsageFields::with_sum(spent(cells), cost),
    }
}
