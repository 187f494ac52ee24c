//! The dashboard of a sweep: maps of AM and OM, its cells by state, the episodes of a cell, how far they are, what was
//! spent, and what the model servers allow.
//!
//! It shows content that is made elsewhere, of a run in this process or of the files of other processes, and changes
//! nothing. It is a view of the screen: `dashboard` is its part of the model, with what keys and lines do; `draw` turns it into
//! cells; `lines` and `narrator` are the same in lines of text.

mod activity;
mod calls;
mod cell_episodes;
mod commands;
mod content;
mod dashboard;
mod draw;
mod lines;
mod moves;
mod narrator;
mod page;
mod preview;
mod score_map;
mod sort;
mod state;
#[cfg(test)]
mod tests;
mod view;

pub use self::activity::{Incident, IncidentKind, LimitUse, RunningEpisode};
pub use self::cell_episodes::{CellEpisodes, EpisodeRow};
pub(crate) use self::content::Content as SweepContent;
pub use self::content::DashboardSources;
pub(crate) use self::dashboard::{
    Dashboard, changed, close_left, enter, open, opened, ordered, press, shown_again, watch,
};
pub(crate) use self::draw::{DashboardLook, draw};
pub(crate) use self::narrator::SweepNarrator;
pub use self::preview::SweepPreview;
pub use self::score_map::{CellDifference, MapSquare, PlaceContent, PlaceScore, ScoreMap, SweepScores};
pub use self::view::{CellPhase, CellView, SweepView};
