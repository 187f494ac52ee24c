//! What came out: the levels of each group, and why the other rooms fell.

use std::fmt::Write;
use std::io;
use std::io::IsTerminal;
use std::time::Duration;

use serde::Serialize;
use serde_json::Map;
use serde_json::Value;
use serde_json::json;

use super::order::Order;
use super::order::Wish;
use crate::cli::complaint::say;
use crate::cli::output::Output;
use crate::cli::output::fitting;
use crate::cli::output::many;
use crate::envs::Fall;
use crate::envs::Made;
use crate::envs::Shape;
use crate::envs::Sieve;

/// The levels of one wish.
pub(super) struct Lot {
    pub(super) name: String,
    pub(super) shape: Shape,
    pub(super) wanted: usize,
    pub(super) levels: Vec<Made>,
    pub(super) sieve: Sieve,
    pub(super) took: Duration,
}

impl Lot {
    pub(super) fn new(wish: &Wish, sieve: Sieve) -> Self {
        let (name, shape, wanted) = (wish.name.clone(), wish.shape, wish.count);
        Self { name, shape, wanted, levels: Vec::new(), sieve, took: Duration::ZERO }
    }

    /// The levels with their titles, `small-v1-17`.
    pub(super) fn titled(&self) -> impl Iterator<Item = (String, &Made)> {
        (1..).zip(&self.levels).map(|(number, level)| (format!("{}-{number}", self.name), level))
    }

    /// Why rooms fell, in words; `None` when none did.
    pub(super) fn reasons(&self) -> Option<String> {
        let reason = |fall: Fall| match self.sieve.fallen(fall) {
            0 => None,
            count => Some(format!("{count} {}", fall.words())),
        };
        let reasons: Vec<String> = Fall::ALL.into_iter().filter_map(reason).collect();
        (!reasons.is_empty()).then(|| reasons.join(", "))
    }

    fn rate(&self) -> f64 {
        f64::from(u32::try_from(self.levels.len()).unwrap_or(u32::MAX)) / self.took.as_secs_f64().max(1e-9)
    }
}

#[derive(Serialize)]
struct Row {
    r#type: &'static str,
    group: String,
    levels: usize,
    tried: u64,
    fallen: Map<String, Value>,
    seconds: f64,
    per_second: f64,
}

#[derive(Serialize)]
struct Titled<'a> {
    r#type: &'static str,
    level: String,
    text: &'a str,
    moves: Option<usize>,
    pushes: Option<u32>,
    room: u64,
}

/// The level file.
pub(super) fn text(order: &Order, lots: &[Lot]) -> String {
    let mut text = format!(
        "; Sokoban levels made by mageyard {}, rooms in the manner of gym-sokoban.\n; {}\n",
        env!("CARGO_PKG_VERSION"),
        order.command,
    );
    for lot in lots {
        let _ = writeln!(
            text,
            "; {}: {} of {}, seed {}",
            lot.name,
            many(lot.levels.len(), "level", "levels"),
            lot.shape,
            order.seed
        );
    }
    for (title, level) in lots.iter().flat_map(Lot::titled) {
        let _ = write!(text, "\n; {title}\n{}\n; ", level.text);
        if let Some(shortest) = level.shortest {
            let _ = write!(text, "moves: {}, pushes: {}, ", shortest.moves, shortest.pushes);
        }
        let _ = writeln!(text, "room: {}", level.number);
    }
    text
}

/// The levels on standard output, as a file or as objects.
pub(super) fn levels(order: &Order, lots: &[Lot], json: bool) -> io::Result<()> {
    let mut out = Output::open();
    if !json {
        return out.raw(text(order, lots).as_bytes());
    }
    for (level, made) in lots.iter().flat_map(Lot::titled) {
        let (text, shortest) = (made.text.as_str(), made.shortest);
        let (moves, pushes) =
            (shortest.map(|shortest| shortest.moves), shortest.map(|shortest| shortest.pushes));
        out.object(&Titled { r#type: "level", level, text, moves, pushes, room: made.number })?;
    }
    Ok(())
}

/// A line for each group; on standard error when the levels themselves are on standard output.
pub(super) fn print(lots: &[Lot], aside: bool, json: bool) -> io::Result<()> {
    let mut out = Output::open();
    if json {
        return lots.iter().map(row).try_for_each(|row| out.object(&row));
    }
    let cells: Vec<_> = lots.iter().map(cells).collect();
    if aside {
        for line in fitting(&cells, io::stderr().is_terminal()) {
            say(&line);
        }
        return Ok(());
    }
    out.table(&cells)
}

fn row(lot: &Lot) -> Row {
    let counted = |fall: Fall| (fall.name().to_owned(), json!(lot.sieve.fallen(fall)));
    Row {
        r#type: "generated",
        group: lot.name.clone(),
        levels: lot.levels.len(),
        tried: lot.sieve.tried(),
        fallen: Fall::ALL.into_iter().map(counted).collect(),
        seconds: lot.took.as_secs_f64(),
        per_second: lot.rate(),
    }
}

fn cells(lot: &Lot) -> Vec<String> {
    let fell = lot.reasons().map_or_else(String::new, |reasons| format!(" ({reasons})"));
    vec![
        lot.name.clone(),
        many(lot.levels.len(), "level", "levels"),
        format!("{:.1} s, {:.0}/s", lot.took.as_secs_f64(), lot.rate()),
        format!(
            "{} tried{fell}",
            many(usize::try_from(lot.sieve.tried()).unwrap_or(usize::MAX), "room", "rooms")
        ),
    ]
}
