//! The dashboard of a run: a task follows its events, and the screen shows the newest view of them.

use std::sync::Arc;

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::appearance;
use crate::lab_task::LabTask;
use crate::opening::show_screen;
use crate::sweep::dashboard_sources::dashboard_sources;
use crate::sweep::initial_view::{self, SweepFiles};
use crate::sweep::tracker::Tracker;
use mageyard_cli::context::Context;
use mageyard_cli::exit::{Exit, Failure};
use mageyard_cli::screen_verbs::ShownRun;
use mageyard_config::Config;
use mageyard_screen::{ScreenSpec, SweepView};
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
    let prices = mageyard_config::load_prices(config)?;
    let files = SweepFiles { plan, folder, lab: &context.lab, prices: &prices };
    let address = initial_view::address(plan, folder, config);
    let view = SweepView { address, ..files.view()? };
    let tracker = Tracker::new(context.lab.clone(), (spending.clone(), prices), view);
    let look = appearance::load(context.folders(), config)?;
    let (shown, views) = watch::channel(Arc::new(tracker.view()));
    let sources = dashboard_sources(views, plan, folder.to_owned(), &context.lab, config)?;
    let following = tokio::spawn(tracker.follow(run, shown));
    let spec = ScreenSpec { sweep: Some(sources), ..ScreenSpec::default() };
    let task = LabTask::new(context.lab.clone(), context.sources.clone(), config.clone());
    let exit = show_screen(task, spec, look, context).await;
    stop.cancel();
    let ended = following.await.map_err(Failure::running)??;
    // A user who quits has stopped the run as by Ctrl-C.
    let (exit, _) = exit?;
    Ok((ended, Some(if exit == Exit::Done { Exit::Interrupted } else { exit })))
}
