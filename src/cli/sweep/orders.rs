//! `sweep pause`, `resume`, `cancel`, `requeue` and `set`: orders for all workers of a sweep, from any terminal.

use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

use crate::context::Context;
use crate::exit::{Exit, Failure};
use crate::output::Output;
use crate::records::Record;
use mageyard_config::Problem;
use mageyard_sweep::claims::State;
use mageyard_sweep::{
    Changes, GivenOrder, Order, OrderError, Requeue, check_cost_limit, existing_sweep, give_order,
    person_at_host, requeue_cells,
};

/// What all orders have in common
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Name of a sweep in the store, or its folder
    #[arg(value_name = "SWEEP")]
    sweep: String,
    /// Record why
    #[arg(long, value_name = "TEXT")]
    why: Option<String>,
    /// Print JSON, one object per order
    #[arg(long)]
    json: bool,
}

/// Queue cells again that failed or are parked
///
/// Without CELL all of them are queued. Workers that run or wait play them without a restart. Episodes go on where they
/// ended.
#[derive(Debug, clap::Args)]
pub(crate) struct RequeueArgs {
    #[command(flatten)]
    order: Args,
    /// Name of a cell, its beginning, or the digits at its end
    #[arg(value_name = "CELL")]
    cells: Vec<String>,
    /// Queue only cells that failed, or only those that are parked
    #[arg(long, value_enum, value_name = "STATE")]
    only: Option<super::run::Only>,
}

/// Change limits of all workers, such as jobs or cost-limit
///
/// The names are jobs, max-connections, cost-limit, max-tokens and max-time. Values are those of the flags with these names;
/// max-connections is the setting `model.max_connections`. `none` lifts a limit, and `default` gives each worker back what its
/// command line and settings say. Workers that start later have the new limits too. Nothing that is measured can be changed.
#[derive(Debug, clap::Args)]
pub(crate) struct SetArgs {
    #[command(flatten)]
    order: Args,
    /// New values, such as jobs=8 or cost-limit=20
    #[arg(value_name = "NAME=VALUE", required = true)]
    values: Vec<String>,
    /// Change only workers whose names begin so, such as those of a host
    ///
    /// `sweep status` shows the names.
    #[arg(long, value_name = "NAME")]
    worker: Option<String>,
}

pub(crate) fn give(args: &Args, order: Order, context: &Context) -> Result<Exit, Failure> {
    let folder = existing_sweep(&args.sweep, &context.config()?)?;
    let given = give_order(&folder, order, &person(context), args.why.as_deref()).map_err(failure)?;
    print(args, &[given])
}

pub(crate) fn requeue(args: &RequeueArgs, context: &Context) -> Result<Exit, Failure> {
    let folder = existing_sweep(&args.order.sweep, &context.config()?)?;
    let wanted = Requeue { cells: args.cells.clone(), only: args.only.map(State::from) };
    let (label, person) = (super::run::worker_label(), person(context));
    let given = requeue_cells(&folder, &wanted, &label, &person, args.order.why.as_deref());
    let given = given.map_err(failure)?;
    if given.is_empty() && !args.order.json {
        Output::open().line("no cell has failed or is parked")?;
    }
    print(&args.order, &given)
}

pub(crate) fn set(args: &SetArgs, context: &Context) -> Result<Exit, Failure> {
    let values = Changes::parse(args.values.iter().map(String::as_str)).map_err(failure)?;
    if values.limits_cost() {
        check_cost_limit(&args.order.sweep, &context.lab, &context.config()?)?;
    }
    give(&args.order, Order::Set { values, worker: args.worker.clone() }, context)
}

fn print(args: &Args, given: &[GivenOrder]) -> Result<Exit, Failure> {
    let mut out = Output::open();
    for given in given {
        if args.json {
            out.record(&OrderRecord::new(&args.sweep, given))?;
        } else {
            out.line(format!("order {}: {}", given.number, given.message(&args.sweep)))?;
        }
    }
    Ok(Exit::Done)
}

pub(super) fn person(context: &Context) -> String {
    person_at_host(&context.lab.key_lookup)
}

fn failure(error: OrderError) -> Failure {
    if error.is_refused() { Problem::new(error.to_string()).into() } else { Failure::running(error) }
}

/// An order that a person has given to all workers of a sweep (`sweep pause` and others, `sweep status`, `sweep run`).
#[derive(Serialize, JsonSchema)]
pub(crate) struct OrderRecord<'a> {
    /// Name or folder of the sweep, as given.
    sweep: &'a str,
    /// Its place among the orders of the sweep, from 1.
    number: u32,
    /// `pause`, `resume`, `cancel`, `requeue` or `set`.
    order: &'static str,
    /// New limits by name; null if it is not `set`.
    #[schemars(with = "Option<BTreeMap<String, String>>")]
    values: Option<BTreeMap<String, String>>,
    /// Beginning of the names of the workers that use them; null for all.
    worker: Option<&'a str>,
    /// Cells that are queued again; null if it is not `requeue`.
    cells: Option<Vec<&'a str>>,
    /// User and host.
    by: &'a str,
    /// Why, if it was said.
    why: Option<&'a str>,
    /// When it was given, in milliseconds since 1970-01-01 UTC.
    at: u64,
}

impl Record for OrderRecord<'_> {
    const TYPE: &'static str = "sweep_order";
}

impl<'a> OrderRecord<'a> {
    pub(super) fn new(sweep: &'a str, given: &'a GivenOrder) -> Self {
        let (values, worker) = match &given.order {
            Order::Set { values, worker } => (Some(values.clone().into()), worker.as_deref()),
            _ => (None, None),
        };
        let cells = match &given.order {
            Order::Requeue { cells } => Some(cells.iter().map(|cell| cell.cell.as_str()).collect()),
            _ => None,
        };
        Self {
            sweep,
            number: given.number,
            order: given.order.name(),
            values,
            worker,
            cells,
            by: &given.by,
            why: given.why.as_deref(),
            at: u64::try_from(given.at.as_millis()).unwrap_or(u64::MAX),
        }
    }
}
