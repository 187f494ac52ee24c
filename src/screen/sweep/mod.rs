//! The dashboard of a sweep: maps of AM and OM, its cells by state, the episodes of a cell, how far they are, what was
//! spent, and what the model servers allow.
//!
//! It shows content that is made elsewhere, of a run in this process or of the files of other processes, and changes
//! nothing. `state` is the pure part; `draw` turns content and state into cells; `event_loop` waits, updates and draws. `lines` and
//! `line_loop` are the same in lines of text.

mod calls;
mod cell_episodes;
mod commands;
mod content;
mod draw;
mod event_loop;
mod line_loop;
mod lines;
mod moves;
mod page;
mod score_map;
mod state;
#[cfg(test)]
mod tests;
mod view;

pub use self::cell_episodes::{CellEpisodes, EpisodeRow};
pub use self::content::DashboardSources;
pub use self::event_loop::DashboardExit;
pub use self::score_map::{MapSquare, PlaceContent, PlaceScore, ScoreMap};
pub use self::state::DashboardState;
pub use self::view::{CellPhase, CellView, SweepView};
use super::appearance::Appearance;
use mageyard_terminal::ScreenError;

/// Shows the newest content until the user leaves: on the screen, or in lines. When nothing newer can come, the last one
/// stays.
pub async fn run_dashboard(
    sources: &mut DashboardSources,
    state: &mut DashboardState,
    look: &Appearance,
) -> Result<DashboardExit, ScreenError> {
    if look.settings.linear {
        return Box::pin(line_loop::run(sources, state)).await;
    }
    event_loop::run(sources, state, look).await
}
