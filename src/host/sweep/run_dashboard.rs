//! The dashboard of a run: a task follows its events, and the screen shows the newest view of them.

use std::sync::Arc;

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::appearance;
use crate::opening::screen_failure;
use crate::sweep::cell_screen::{AfterEpisode, show_episode};
use crate::sweep::dashboard_sources::dashboard_sources;
use crate::sweep::initial_view;
use crate::sweep::tracker::Tracker;
use mageyard_cli::context::Context;
use mageyard_cli::exit::{Exit, Failure};
use mageyard_cli::screen_verbs::ShownRun;
use mageyard_config::Config;
use mageyard_screen::{DashboardExit, DashboardState};
use mageyard_sweep::{SweepEnd, SweepRun};

/// Shows a run until the user leaves, which stops it. A signal is returned with the end.
pub(crate) async fn follow_run(
    run: SweepRun,
    stop: &CancellationToken,
    shown: ShownRun,
    context: &Context,
    config: &Config,
) -> Result<(SweepEnd, Option<Exit>), Failure> {
    let ShownRun { plan, folder, spending } = &shown;
    let view = initial_view::view(plan, folder, &context.lab)?;
    let tracker = Tracker::new(context.lab.clone(), spending.clone(), view);
    let look = appearance::load(context.folders(), config)?;
    let (shown, views) = watch::channel(Arc::new(tracker.view()));
    let mut sources = dashboard_sources(views, plan, folder.to_owned(), &context.lab, config)?;
    let following = tokio::spawn(tracker.follow(run, shown));
    let mut state = DashboardState::default();
    let exit = loop {
        match mageyard_screen::run_dashboard(&mut sources, &mut state, &look).await {
            Ok(DashboardExit::Show(cell, episode)) => {
                let name = plan.cells.get(cell).map(|cell| cell.name.as_str()).unwrap_or_default();
                match show_episode(folder, (name, &episode), context, config).await {
                    AfterEpisode::Dashboard(remark) => state.say(remark.unwrap_or_default()),
                    AfterEpisode::Leave(exit) => break Ok(exit),
                }
            }
            Ok(DashboardExit::Exit(exit)) => break Ok(exit),
            Err(error) => break Err(error),
        }
    };
    drop(sources);
    stop.cancel();
    let ended = following.await.map_err(Failure::running)??;
    let exit = exit.map_err(|error| screen_failure(&error))?;
    Ok((ended, Some(signal(exit))))
}

/// The exit code of a signal; a user who quits has stopped the run as by Ctrl-C.
fn signal(exit: mageyard_terminal::ScreenExit) -> Exit {
    match exit {
        mageyard_terminal::ScreenExit::Quit | mageyard_terminal::ScreenExit::Interrupted => Exit::Interrupted,
        mageyard_terminal::ScreenExit::Terminated => Exit::Terminated,
        mageyard_terminal::ScreenExit::HungUp => Exit::HungUp,
    }
}
