//! An episode of a cell on the screen, opened from a dashboard.

use crate::lab::recorded_episode;
use std::path::Path;

use crate::cli::context::Context;
use crate::cli::exit::Exit;
use crate::cli::exit::Failure;
use crate::cli::view;
use crate::cli::view::Opening;
use crate::config::Config;
use crate::engine::Store;
use crate::tui;

/// What follows when the screen of an episode was left.
pub(super) enum AfterEpisode {
    /// The dashboard again, with a remark if the episode could not be shown.
    Dashboard(Option<String>),
    /// The end of the program: it was told to end.
    Leave(tui::Exit),
}

/// Shows a recorded episode of a cell until the user quits, while it is written if it is not over.
pub(super) async fn show_episode(
    sweep: &Path,
    address: (&str, &str),
    context: &Context,
    config: &Config,
) -> AfterEpisode {
    match show(sweep, address, context, config).await {
        Ok(Exit::Terminated) => AfterEpisode::Leave(tui::Exit::Terminated),
        Ok(Exit::HungUp) => AfterEpisode::Leave(tui::Exit::HungUp),
        Ok(_) => AfterEpisode::Dashboard(None),
        Err(failure) => AfterEpisode::Dashboard(Some(failure.into_problem().to_string())),
    }
}

async fn show(
    sweep: &Path,
    (cell, episode): (&str, &str),
    context: &Context,
    config: &Config,
) -> Result<Exit, Failure> {
    let (store, run) = (Store::new(sweep), format!("{cell}/{episode}"));
    let journals = store.find(&run)?;
    let is_over = |journal: &std::path::PathBuf| {
        recorded_episode(&context.lab, journal).summary().is_some_and(|summary| summary.ending.is_some())
    };
    let follow = !journals.iter().all(is_over);
    let opening = Opening { run: &run, store, journals, step: None, follow };
    Box::pin(view::show(opening, context, config.clone())).await
}
