//! Draws the screen of a level without a terminal, as SVG for documents or as bytes that are counted.

use std::sync::Arc;
use std::time::Duration;

use mageyard_agents::request_reader;
use mageyard_cli::context::Context;
use mageyard_cli::exit::Failure;
use mageyard_cli::runtime::single_thread_runtime;
use mageyard_cli::screen::Args;
use mageyard_config::{Config, Problem};
use mageyard_engine::{Controller, Snapshot};
use mageyard_lab::{new_head, open_without_journal, replay_source, select_level};
use mageyard_screen::OffscreenScreen;
use mageyard_terminal::ColorDepth;
use tokio_util::sync::CancellationToken;

use crate::appearance;

/// The screen of a level as SVG.
pub(crate) fn draw(args: &Args, context: &Context) -> Result<String, Failure> {
    let config = context.config()?;
    let mut look = appearance::load(context.folders(), &config)?;
    look.settings.depth = ColorDepth::TrueColor;
    let snapshot = single_thread_runtime()?.block_on(snapshot_after(args, context, &config))?;
    let mut screen = OffscreenScreen::new(Arc::new(snapshot), &look, request_reader(), args.size);
    screen.press(&args.press).map_err(|why| Problem::new(format!("--press: {why}")))?;
    Ok(mageyard_terminal::svg(&screen.draw(), &look.theme))
}

/// The snapshot after this many half-steps.
async fn snapshot_after(args: &Args, context: &Context, config: &Config) -> Result<Snapshot, Failure> {
    let level = args.level.as_ref().unwrap_or(&config.settings().play.level);
    let mut controller = controller(context, config, level, args.halves, args.distance)?;
    // The first half opens the level.
    for _ in 0..=args.halves {
        controller.half(&CancellationToken::new()).await.map_err(Failure::running)?;
    }
    controller.search_all().await;
    let pace = Duration::from_millis(config.settings().screen.pace);
    let mut snapshot = controller.snapshot(&config.store_folder());
    snapshot.run.pace = pace;
    Ok(snapshot)
}

/// The controller of an episode on a level, for so many half-steps. Nothing is stored.
pub(crate) fn controller(
    context: &Context,
    config: &Config,
    level: &str,
    halves: u32,
    distance: bool,
) -> Result<Controller, Failure> {
    let selected = select_level(&context.lab, context.folders(), level)?;
    let mut head = new_head(&context.lab, config, &selected, config.settings().play.seed)?;
    if let Some(replay_source) = replay_source(&context.lab, config)? {
        replay_source.assign(&mut head, config)?;
    }
    let agent = context.lab.agent(&head.agent.name);
    if let Some(agent) = agent.filter(|agent| agent.needs_person && halves > 0) {
        let what = format!("the agent {} cannot play half-steps here; remove --halves", agent.name);
        return Err(Problem::new(what).into());
    }
    let limits = distance.then(|| mageyard_lab::search_limits(selected.spec, &head, config));
    let driver = open_without_journal(&context.lab, head, config)?;
    Ok(Controller::new(driver, selected.spec, limits))
}
