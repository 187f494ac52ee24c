//! Sweeps: many cells of settings that are planned, run by any number of processes, and compared.

pub mod claims;
mod folder;
mod merge;
mod permits;
mod plan;
mod run;
mod shard;
mod status;

pub use self::folder::{cell_journals, recorded_source, sweep_folder};
pub use self::merge::{Merge, MergeError, MergedCell};
pub use self::plan::{
    Bounds, CellEstimate, CellSummary, CostBounds, PlannedCell, StruckCell, SweepEstimate, SweepOverrides,
    SweepPlan, sweep_catalog, sweep_file, sweep_summary,
};
pub use self::run::{SweepEnd, SweepEvent, SweepRun, SweepRunOptions};
pub use self::shard::Shard;
pub use self::status::{CellStatus, StatusError, sweep_status};
