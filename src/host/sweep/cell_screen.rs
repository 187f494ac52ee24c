//! An episode of a cell on the screen, opened from a dashboard.

use mageyard_lab::recorded_episode;
use std::path::Path;

use crate::opening;
use mageyard_cli::context::Context;
use mageyard_cli::exit::{Exit, Failure};
use mageyard_cli::view::ViewOpening;
use mageyard_config::Config;
use mageyard_engine::Store;

/// What follows when the screen of an episode was left.
pub(crate) enum AfterEpisode {
    /// The dashboard again, with a remark if the episode could not be shown.
    Dashboard(Option<String>),
    /// The end of the program: it was told to end.
    Leave(mageyard_terminal::ScreenExit),
}

/// Shows a recorded episode of a cell until the user quits or goes back, while it is written if it is not over.
pub(crate) async fn show_episode(
    sweep: &Path,
    address: (&str, &str),
    context: &Context,
    config: &Config,
) -> AfterEpisode {
    match show(sweep, address, context, config).await {
        Ok(Exit::Terminated) => AfterEpisode::Leave(mageyard_terminal::ScreenExit::Terminated),
        Ok(Exit::HungUp) => AfterEpisode::Leave(mageyard_terminal::ScreenExit::HungUp),
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
    let store = Store::new(sweep);
    let run = format!("{cell}/{episode}");
    let journals = store.find(&run)?;
    let is_over = |journal: &std::path::PathBuf| {
        recorded_episode(&context.lab, journal).summary().is_some_and(|summary| summary.ending.is_some())
    };
    let follow = !journals.iter().all(is_over);
    let opening = ViewOpening { run: &run, store, journals, step: None, follow };
    Box::pin(opening::show(opening, true, context, config.clone())).await
}
