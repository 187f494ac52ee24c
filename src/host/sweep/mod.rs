//! Dashboards of sweeps: their views, and what they read beside them.

mod attach;
mod cell_episodes;
mod cell_results;
mod dashboard_sources;
mod initial_view;
mod map_reader;
mod order;
mod preview;
mod run_dashboard;
mod running;
mod score_maps;
mod start;
mod tracker;

pub(crate) use self::attach::{attach, recorded_sources};
pub(crate) use self::initial_view::short_name;
pub(crate) use self::order::order_sweep;
pub(crate) use self::preview::SweepReading;
pub(crate) use self::run_dashboard::follow_run;
pub(crate) use self::start::SweepRuns;
