//! `frame`: draws the first frame of a level in the terminal.

use mageyard_lab::select_level;
use std::io::IsTerminal;

use image::imageops::FilterType;
use image::{DynamicImage, RgbImage, imageops};

use super::context::Context;
use super::diagnostics::print_message;
use super::exit::{Exit, Failure};
use super::output::Output;
use super::runtime;
use mageyard_domain::{Observation, Picture};
use mageyard_terminal::ColorDepth;
use mageyard_terminal::surroundings;

/// Draw the first frame of a level in the terminal
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Environment, level set, level or file
    #[arg(value_name = "LEVEL")]
    level: String,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let selected = select_level(&context.lab, context.folders(), &args.level)?;
    let mut world = mageyard_lab::create_for_level(&selected, &context.config()?)?;
    let opening = runtime::single_thread_runtime()?.block_on(runtime::observe(world.as_mut()))?;
    draw(&opening.observation)?;
    Ok(Exit::Done)
}

/// Draws pixels on a terminal and text anywhere else.
fn draw(seen: &Observation) -> Result<(), Failure> {
    match (seen.picture(), no_picture_reason()) {
        (Some(picture), None) => print_pixels(picture),
        (picture, blind) => {
            let why = blind.filter(|_| picture.is_some()).unwrap_or("the frame has no picture");
            print_message(&format!("{why}, so the frame is printed as text"));
            Ok(Output::open().line(seen.text())?)
        }
    }
}

/// Why pixels cannot be shown on standard output; `None` if they can.
fn no_picture_reason() -> Option<&'static str> {
    match surroundings::colour_depth() {
        _ if !std::io::stdout().is_terminal() => Some("standard output is not a terminal"),
        _ if surroundings::is_dumb_terminal() => Some("TERM is dumb"),
        ColorDepth::None if std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()) => {
            Some("NO_COLOR is set")
        }
        ColorDepth::None | ColorDepth::Ansi16 => Some("TERM and COLORTERM indicate fewer than 256 colours"),
        ColorDepth::Ansi256 | ColorDepth::TrueColor => None,
    }
}

fn print_pixels(picture: &Picture) -> Result<(), Failure> {
    let pixels = picture.pixels().map_err(Failure::running)?;
    let pixels = RgbImage::from_raw(picture.width(), picture.height(), pixels.to_vec());
    let pixels = pixels.ok_or_else(|| Failure::running("the frame has no pixels"))?;
    let (width, height) = fit_size(picture, surroundings::terminal_size());
    let shrunk = imageops::resize(&pixels, width, height, FilterType::Nearest);
    // The last half cell is padded, or every tile would be stretched slightly.
    let mut whole = RgbImage::new(width, height.next_multiple_of(2));
    imageops::replace(&mut whole, &shrunk, 0, 0);
    // The query for Kitty support blocks forever on a terminal that does not answer.
    let place = viuer::Config {
        absolute_offset: false,
        width: Some(width),
        height: Some(height.div_ceil(2)),
        use_kitty: false,
        use_iterm: false,
        ..viuer::Config::default()
    };
    viuer::print(&DynamicImage::from(whole), &place).map(drop).map_err(Failure::running)
}

/// The size in pixels, two per cell, with a whole number of pixels per tile so that all tiles have the same
/// size.
fn fit_size(picture: &Picture, (columns, rows): (u16, u16)) -> (u32, u32) {
    let across = picture.width() / picture.grain();
    let down = picture.height() / picture.grain();
    let room = (u32::from(columns) / across.max(1)).min(u32::from(rows.saturating_sub(2)) * 2 / down.max(1));
    let side = room.clamp(1, picture.grain());
    (across.max(1) * side, down.max(1) * side)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_have_a_whole_number_of_pixels() {
        let picture = |across: u32, down: u32| {
            let width = across * 16;
            let height = down * 16;
            Picture::new(width, height, 16, vec![0; (width * height * 3) as usize]).unwrap()
        };
        assert_eq!(fit_size(&picture(7, 7), (80, 24)), (42, 42));
        assert_eq!(fit_size(&picture(13, 13), (80, 24)), (39, 39));
        assert_eq!(fit_size(&picture(7, 7), (300, 200)), (112, 112));
        assert_eq!(fit_size(&picture(40, 40), (1, 1)), (40, 40));
    }
}
