//! `sweep`: many cells of settings, planned from one file.

mod attach;
mod columns;
mod list;
mod merge;
mod orders;
mod pilot;
mod plan;
mod ranges;
pub mod run;
mod source;
mod status;
mod status_records;
mod submit;
mod total;

pub(super) use self::columns::CellObject;
pub(super) use self::list::SweepRow;
pub(super) use self::list::findings;
pub(super) use self::merge::MergedCellRecord;
pub(super) use self::orders::OrderRecord;
pub(super) use self::plan::StruckObject;
pub(super) use self::plan::SweepObject;
pub use self::plan::struck_lines;
pub(super) use self::run::CellEndRecord;
pub(super) use self::source::{OF_SWEEPS, episode_flags};
pub(super) use self::status_records::CellStatusRecord;
pub(super) use self::status_records::SweepStatusRecord;
pub use self::total::brief_lines;
use super::context::Context;
use super::exit::{Exit, Failure};
use mageyard_sweep::Order;

/// Plan and run experiments over grids of settings
///
/// A sweep is a TOML file with grids of settings: each list or range of values is an axis, and each combination is a
/// cell, which has levels times repeats episodes. docs/sweeps.md describes the file.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Verb {
    Plan(plan::Args),
    Run(run::Args),
    Work(run::WorkArgs),
    Attach(attach::Args),
    List(list::Args),
    Status(status::Args),
    Merge(merge::Args),
    Submit(submit::Args),
    /// Start no episode on any worker until `resume`; finish running ones
    Pause(orders::Args),
    /// Start episodes again after a pause or a cancel
    Resume(orders::Args),
    /// End all workers after their steps; `sweep run` goes on later
    Cancel(orders::Args),
    Requeue(orders::RequeueArgs),
    Set(orders::SetArgs),
}

impl Verb {
    pub(super) fn run(self, context: &Context) -> Result<Exit, Failure> {
        match self {
            Self::Plan(args) => plan::run(&args, context),
            Self::Run(args) => run::run(&args, context),
            Self::Work(args) => run::work(&args, context),
            Self::Attach(args) => attach::run(&args, context),
            Self::List(args) => list::run(&args, context),
            Self::Status(args) => status::run(&args, context),
            Self::Merge(args) => merge::run(&args, context),
            Self::Submit(args) => submit::run(&args, context),
            Self::Pause(args) => orders::give(&args, Order::Pause, context),
            Self::Resume(args) => orders::give(&args, Order::Resume, context),
            Self::Cancel(args) => orders::give(&args, Order::Cancel, context),
            Self::Requeue(args) => orders::requeue(&args, context),
            Self::Set(args) => orders::set(&args, context),
        }
    }
}
