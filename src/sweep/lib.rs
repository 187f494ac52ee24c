//! Sweeps: many cells of settings that are planned, run by any number of processes, and compared.

pub mod claims;
mod folder;
mod merge;
mod permits;
mod plan;
mod run;
mod shard;
mod status;

pub use self::folder::{cell_journals, count_spending, recorded_source, sweep_folder, sweep_models};
pub use self::merge::{Merge, MergeError, MergedCell};
pub use self::permits::{leave_shared_permits, share_permits};
pub(crate) use self::plan::agent_row;
pub use self::plan::{
    Bounds, CellEstimate, CellSummary, CostBounds, PlannedCell, StruckCell, SweepEstimate, SweepOverrides,
    SweepPlan, cell_heads, cell_summary, estimate_sweep, plan_sweep, sweep_catalog, sweep_file,
    sweep_summary,
};
pub use self::run::{SweepEnd, SweepEvent, SweepRun, SweepRunOptions, run_sweep};
pub use self::shard::Shard;
pub use self::status::{CellStatus, StatusError, sweep_status};
