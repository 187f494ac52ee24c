//! The dashboard of a sweep: maps of AM and OM, its cells by state, the episodes of a cell, how far they are, what was
//! spent, and what the model servers allow.
//!
//! It shows content that is made elsewhere, of a run in this process or of the files of other processes, and changes
//! nothing. `state` is the pure part; `draw` turns content and state into cells; `run_dashboard` waits, updates and draws.

mod cell_episodes;
mod content;
mod draw;
mod event_loop;
mod moves;
mod page;
mod score_map;
mod state;
#[cfg(test)]
mod tests;
mod view;

pub use self::cell_episodes::CellEpisodes;
pub use self::cell_episodes::EpisodeRow;
pub use self::content::DashboardSources;
pub use self::event_loop::DashboardExit;
pub use self::event_loop::run_dashboard;
pub use self::score_map::MapPlace;
pub use self::score_map::PlaceContent;
pub use self::score_map::PlaceScore;
pub use self::score_map::ScoreMap;
pub use self::state::DashboardState;
pub use self::view::CellState;
pub use self::view::CellView;
pub use self::view::SweepView;
