//! `screen`: a picture of the screen as SVG, for documents.

use std::path::PathBuf;

use super::context::Context;
use super::exit::{Exit, Failure};
use super::output::Output;
use super::output_file;

/// Draw the screen of a level as an SVG file
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Environment, level set, level or file [default: the play.level setting]
    #[arg(value_name = "LEVEL")]
    pub level: Option<String>,
    /// File to write [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Size of the screen in columns and rows
    #[arg(long, value_name = "COLSxROWS", default_value = "120x40", value_parser = parse_size)]
    pub size: (u16, u16),
    /// Half-steps to play before drawing, as if by pressing Enter
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub halves: u32,
    /// Search the distance of each state to the goal and show it
    #[arg(long)]
    pub distance: bool,
    /// Keys to press before drawing, such as "R j"; only keys that look, not keys that act
    #[arg(long, value_name = "KEYS", default_value = "")]
    pub press: String,
}

fn parse_size(text: &str) -> Result<(u16, u16), String> {
    let side = |text: &str| text.parse().ok().filter(|side| (1..=500).contains(side));
    let sides = text.split_once('x').and_then(|(columns, rows)| Some((side(columns)?, side(rows)?)));
    sides.ok_or_else(|| "columns and rows from 1 to 500, such as 80x24".to_owned())
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let drawn = context.screen.draw(args, context)?;
    match &args.out {
        None => Output::open().raw(drawn.as_bytes())?,
        Some(file) => output_file::write(file, drawn.as_bytes(), true)?,
    }
    Ok(Exit::Done)
}
