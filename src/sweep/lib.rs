//! Sweeps: grids of settings that are planned, played by any number of processes, and merged.
//!
//! `plan` reads the file of a sweep and lists its cells, and sends nothing. `claims` decides by renaming files which process
//! plays which cell, also on a network file system. `run` plays claimed cells with the runner of `lab`; `orders` are what
//! people order all processes to do, such as to pause; `permits` shares the requests at once between processes. A cell is an ordinary session, so everything that reads recordings reads a sweep.
//!
//! It has no statistics (`report` has) and submits nothing to a cluster (`cli` does). Start with [`plan_sweep`] and
//! [`run_sweep`]; [`claims`] describes its protocol.

pub mod claims;
mod deletion;
mod folder;
mod folder_argument;
mod merge;
mod orders;
mod own_levels;
mod permits;
mod plan;
mod recorded;
mod run;
mod shard;
mod spent_text;
mod status;

pub use self::deletion::check_deletion;
pub use self::folder::{
    cell_journals, cell_model, count_spending, recorded_source, sweep_folder, sweep_models, unpriced_model,
};
pub use self::folder_argument::{existing_sweep, is_sweep, sweep_or_path};
pub use self::merge::{Merge, MergeError, MergedCell};
pub use self::orders::{
    Changes, ControlState, FollowedOrders, GivenOrder, Order, OrderError, Requeue, RequeuedCell,
    WorkerLimits, control_state, give_order, lift_cancel, orders, person_at_host, requeue_cells,
};
pub use self::own_levels::own_level_references;
pub use self::permits::{leave_shared_permits, share_permits};
pub(crate) use self::plan::agent_row;
pub use self::plan::{
    CellEstimate, CellSummary, ExpectedCost, MeasuredTime, PlanTimes, PlannedCell, RoleEstimate, StruckCell,
    SweepDraft, SweepEstimate, SweepOverrides, SweepPlan, USUAL_ANSWER, USUAL_REPLY, cell_heads,
    cell_summary, draft_numbers, estimate_sweep, measured_times, plan_sweep, sweep_catalog, sweep_file,
    sweep_summary,
};
pub use self::recorded::{RecordedSweep, check_cost_limit, unpriced};
pub use self::run::{
    PreparedSweep, SweepEnd, SweepEvent, SweepRun, SweepRunOptions, run_sweep, share_permits_of,
};
pub use self::shard::Shard;
pub use self::spent_text::spent_text;
pub use self::status::{CellStatus, StatusError, sweep_status};
