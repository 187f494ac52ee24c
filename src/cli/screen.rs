//! `screen`: the screen as a picture, for pages and papers.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::appearance;
use super::context::Context;
use super::distance;
use super::episode_builder;
use super::exit::Exit;
use super::exit::Failure;
use super::level_ref;
use super::output::Output;
use super::output_file;
use super::readers;
use super::replay_source::ReplaySource;
use super::runtime::single_thread_runtime;
use crate::config::Config;
use crate::config::Problem;
use crate::engine::Driver;
use crate::engine::Mode;
use crate::engine::Need;
use crate::engine::Snapshot;
use crate::engine::Waiting;
use crate::tui;
use crate::tui::ColorDepth;

/// Draw the screen of a level into an SVG file
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Environment, set, level or file; the play.level setting when left out
    #[arg(value_name = "LEVEL")]
    level: Option<String>,
    /// The file to write; standard output when left out
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Columns and rows of the screen
    #[arg(long, value_name = "COLSxROWS", default_value = "120x40", value_parser = parse_size)]
    size: (u16, u16),
    /// How many halves of steps are played before it is drawn, as if by Enter
    #[arg(long, value_name = "N", default_value_t = 0)]
    halves: u32,
    /// Search each state for how far the goal is, as the screen does by its screen.distance setting
    #[arg(long)]
    distance: bool,
    /// Keys that are pressed before it is drawn, such as "R j": they look, and never act
    #[arg(long, value_name = "KEYS", default_value = "")]
    press: String,
}

fn parse_size(text: &str) -> Result<(u16, u16), String> {
    let side = |text: &str| text.parse().ok().filter(|side| (1..=500).contains(side));
    let sides = text.split_once('x').and_then(|(columns, rows)| Some((side(columns)?, side(rows)?)));
    sides.ok_or_else(|| "columns and rows from 1 to 500, such as 80x24".to_owned())
}

pub(super) fn run(args: &Args, house: &Context) -> Result<Exit, Failure> {
    let config = house.config()?;
    let mut look = appearance::load(house.folders(), &config)?;
    look.settings.depth = ColorDepth::TrueColor;
    let snapshot = single_thread_runtime()?.block_on(snapshot_after(args, house, &config))?;
    let buffer = tui::render_after_keys(Arc::new(snapshot), &look, args.size, &args.press)
        .map_err(|why| Problem::new(format!("--press: {why}")))?;
    let drawn = tui::svg(&buffer, &look.theme);
    match &args.out {
        None => Output::open().raw(drawn.as_bytes())?,
        Some(file) => output_file::write(file, drawn.as_bytes(), true)?,
    }
    Ok(Exit::Done)
}

/// The level after so many halves. Nothing of it is kept.
async fn snapshot_after(args: &Args, house: &Context, config: &Config) -> Result<Snapshot, Failure> {
    let level = args.level.as_ref().unwrap_or(&config.settings().play.level);
    let chosen = level_ref::level(house.folders(), level)?;
    let rules = readers::configured(house.folders(), config)?;
    let mut head = episode_builder::new_head(config, &chosen, rules, config.settings().play.seed)?;
    if let Some(tape) = ReplaySource::from_config(config)? {
        tape.assign(&mut head)?;
    }
    let agent = crate::agents::AGENTS.iter().find(|row| row.name == head.agent);
    if agent.is_some_and(|agent| agent.needs_person) && args.halves > 0 {
        return Err(Problem::new("a person plays no halves by himself; leave --halves out").into());
    }
    let mut driver = episode_builder::without_journal(head, config)?;
    driver.advance().await.map_err(Failure::running)?;
    for _ in 0..args.halves {
        half_step(&mut driver).await?;
    }
    let waiting = Waiting::of(driver.episode().need());
    let pace = Duration::from_millis(config.settings().screen.pace);
    let snapshot =
        driver.snapshot(chosen.spec, &config.store_folder()).with_state(Mode::Paused, waiting, pace, None);
    if !args.distance {
        return Ok(snapshot);
    }
    let distances = distance::search_distances(chosen.spec, driver.episode(), config).await;
    Ok(snapshot.with_distances(distances.unwrap_or_default()))
}

async fn half_step(driver: &mut Driver) -> Result<(), Failure> {
    let acts = matches!(driver.episode().need(), Need::Act(_));
    driver.advance().await.map_err(Failure::running)?;
    while !acts && matches!(driver.episode().need(), Need::Decide { .. } | Need::Read(_) | Need::Skip) {
        driver.advance().await.map_err(Failure::running)?;
    }
    Ok(())
}
