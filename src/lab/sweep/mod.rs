//! Sweeps: many cells of settings that are planned, run by any number of processes, and compared.

pub mod claims;
mod folder;
mod merge;
mod permits;
mod plan;
mod run;
mod shard;
mod status;

pub use self::folder::count_spending;
pub use self::folder::sweep_models;
pub use self::folder::{cell_journals, recorded_source, sweep_folder};
pub use self::merge::{Merge, MergeError, MergedCell};
pub use self::permits::leave_shared_permits;
pub use self::permits::share_permits;
pub(in crate::lab) use self::plan::agent_row;
pub use self::plan::cell_heads;
pub(in crate::lab) use self::plan::cell_identity;
pub use self::plan::cell_summary;
pub(in crate::lab) use self::plan::check_combination;
pub(in crate::lab) use self::plan::check_names;
pub use self::plan::estimate_sweep;
pub use self::plan::plan_sweep;
pub(in crate::lab) use self::plan::request_sizes;
pub use self::plan::{
    Bounds, CellEstimate, CellSummary, CostBounds, PlannedCell, StruckCell, SweepEstimate, SweepOverrides,
    SweepPlan, sweep_catalog, sweep_file, sweep_summary,
};
pub use self::run::run_sweep;
pub use self::run::{SweepEnd, SweepEvent, SweepRun, SweepRunOptions};
pub use self::shard::Shard;
pub use self::status::{CellStatus, StatusError, sweep_status};
