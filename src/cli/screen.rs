//! `screen`: a picture of the screen as SVG, for documents.

use mageyard_lab::{new_head, open_without_journal, replay_source, select_level};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::context::Context;
use super::exit::{Exit, Failure};
use super::output::Output;
use super::runtime::single_thread_runtime;
use super::{appearance, output_file};
use mageyard_agents::request_reader;
use mageyard_config::{Config, Problem};
use mageyard_engine::{Controller, Snapshot};
use mageyard_terminal::ColorDepth;

/// Draw the screen of a level as an SVG file
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Environment, level set, level or file [default: the play.level setting]
    #[arg(value_name = "LEVEL")]
    level: Option<String>,
    /// File to write [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Size of the screen in columns and rows
    #[arg(long, value_name = "COLSxROWS", default_value = "120x40", value_parser = parse_size)]
    size: (u16, u16),
    /// Half-steps to play before drawing, as if by pressing Enter
    #[arg(long, value_name = "N", default_value_t = 0)]
    halves: u32,
    /// Search the distance of each state to the goal and show it
    #[arg(long)]
    distance: bool,
    /// Keys to press before drawing, such as "R j"; only keys that look, not keys that act
    #[arg(long, value_name = "KEYS", default_value = "")]
    press: String,
}

fn parse_size(text: &str) -> Result<(u16, u16), String> {
    let side = |text: &str| text.parse().ok().filter(|side| (1..=500).contains(side));
    let sides = text.split_once('x').and_then(|(columns, rows)| Some((side(columns)?, side(rows)?)));
    sides.ok_or_else(|| "columns and rows from 1 to 500, such as 80x24".to_owned())
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let config = context.config()?;
    let mut look = appearance::load(context.folders(), &config)?;
    look.settings.depth = ColorDepth::TrueColor;
    let snapshot = single_thread_runtime()?.block_on(snapshot_after(args, context, &config))?;
    let mut screen =
        mageyard_screen::OffscreenScreen::new(Arc::new(snapshot), &look, request_reader(), args.size);
    screen.press(&args.press).map_err(|why| Problem::new(format!("--press: {why}")))?;
    let drawn = mageyard_terminal::svg(&screen.draw(), &look.theme);
    match &args.out {
        None => Output::open().raw(drawn.as_bytes())?,
        Some(file) => output_file::write(file, drawn.as_bytes(), true)?,
    }
    Ok(Exit::Done)
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
    Ok(Snapshot { pace, ..controller.snapshot(&config.store_folder(), None) })
}

/// The controller of an episode on a level, for so many half-steps. Nothing is stored.
pub(super) fn controller(
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
