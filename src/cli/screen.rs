//! `screen`: the screen as a picture, for pages and papers.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::exit::Exit;
use super::exit::Failure;
use super::house::House;
use super::look;
use super::open::runtime;
use super::output::Output;
use super::readers;
use super::reference;
use super::result;
use super::stage;
use super::tape::Tape;
use super::way;
use crate::config::Config;
use crate::config::Problem;
use crate::engine::Driver;
use crate::engine::Mode;
use crate::engine::Need;
use crate::engine::Snapshot;
use crate::engine::Waiting;
use crate::tui;
use crate::tui::Depth;

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
    #[arg(long, value_name = "COLSxROWS", default_value = "120x40", value_parser = size)]
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

fn size(text: &str) -> Result<(u16, u16), String> {
    let side = |text: &str| text.parse().ok().filter(|side| (1..=500).contains(side));
    let sides = text.split_once('x').and_then(|(columns, rows)| Some((side(columns)?, side(rows)?)));
    sides.ok_or_else(|| "columns and rows from 1 to 500, such as 80x24".to_owned())
}

pub(super) fn run(args: &Args, house: &House) -> Result<Exit, Failure> {
    let config = house.config()?;
    let mut look = look::look(house.folders(), &config)?;
    look.settings.depth = Depth::True;
    let snapshot = runtime()?.block_on(played(args, house, &config))?;
    let buffer = tui::still(Arc::new(snapshot), &look, args.size, &args.press)
        .map_err(|why| Problem::new(format!("--press: {why}")))?;
    let drawn = tui::svg(&buffer, &look.theme);
    match &args.out {
        None => Output::open().raw(drawn.as_bytes())?,
        Some(file) => result::write(file, drawn.as_bytes(), true)?,
    }
    Ok(Exit::Done)
}

/// The level after so many halves. Nothing of it is kept.
async fn played(args: &Args, house: &House, config: &Config) -> Result<Snapshot, Failure> {
    let level = args.level.as_ref().unwrap_or(&config.settings().play.level);
    let chosen = reference::level(house.folders(), level)?;
    let rules = readers::chosen(house.folders(), config)?;
    let mut head = stage::head(config, &chosen, rules, config.settings().play.seed)?;
    if let Some(tape) = Tape::of(config)? {
        tape.cast(&mut head)?;
    }
    let agent = crate::agents::ROWS.iter().find(|row| row.name == head.agent);
    if agent.is_some_and(|agent| agent.person) && args.halves > 0 {
        return Err(Problem::new("a person plays no halves by himself; leave --halves out").into());
    }
    let mut driver = stage::unkept(head, config)?;
    driver.meet().await.map_err(Failure::running)?;
    for _ in 0..args.halves {
        half(&mut driver).await?;
    }
    let waiting = Waiting::of(driver.episode().need());
    let pace = Duration::from_millis(config.settings().screen.pace);
    let snapshot = driver.snapshot(chosen.kind, &config.store()).with(Mode::Standing, waiting, pace, None);
    if !args.distance {
        return Ok(snapshot);
    }
    let distances = way::searched(chosen.kind, driver.episode(), config).await;
    Ok(snapshot.along(distances.unwrap_or_default()))
}

async fn half(driver: &mut Driver) -> Result<(), Failure> {
    let acts = matches!(driver.episode().need(), Need::Act(_));
    driver.meet().await.map_err(Failure::running)?;
    while !acts && matches!(driver.episode().need(), Need::Decide { .. } | Need::Read(_) | Need::Pass) {
        driver.meet().await.map_err(Failure::running)?;
    }
    Ok(())
}
