//! Tidy rows: one per episode, or one per step, with every setting and every number in a column of its own. All rows of an
//! output have the same columns in the same order, so that each line of JSON has one schema.

pub(crate) mod episode;
mod marks;
mod roles;
pub(crate) mod step;

use std::collections::HashSet;
use std::io;

use serde::Serialize;
use serde_json::{Map, Value};

use self::episode::EpisodeRowRecord;
use self::roles::role_columns;
use self::step::StepRowRecord;
use super::csv;
use super::format::Format;
use super::selection::Selection;
use crate::context::Context;
use crate::exit::Failure;
use crate::output::Output;
use crate::records::Record;
use mageyard_domain::{EnvironmentSpec, Prices};
use mageyard_engine::analyze;
use mageyard_lab::recorded_episode;
use mageyard_report::{EpisodeRow, ReportOptions};

/// What a row is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Rows {
    /// An episode
    Episodes,
    /// A step; its column `address` is that of its episode
    Steps,
}

/// Columns that only some episodes have, such as settings, in the order in which they first occur.
#[derive(Default)]
struct OwnColumns(Vec<String>);

impl OwnColumns {
    fn of<'a>(names: impl Iterator<Item = &'a String>) -> Self {
        let mut known = HashSet::new();
        Self(names.filter(|name| known.insert(*name)).cloned().collect())
    }

    /// These values in all columns, null where an episode has none.
    fn fill(&self, values: &Map<String, Value>) -> Map<String, Value> {
        let value = |name: &String| (name.clone(), values.get(name).cloned().unwrap_or(Value::Null));
        self.0.iter().map(value).collect()
    }
}

/// Writes the rows of these episodes.
pub(super) async fn write(
    (kind, format, selection): (Rows, Format, &Selection),
    episodes: &[EpisodeRow],
    options: &ReportOptions<'_>,
    context: &Context,
) -> Result<(), Failure> {
    let mut table = RowWriter { out: Output::open(), format, selection, has_head: false };
    match kind {
        Rows::Episodes => write_episodes(&mut table, episodes)?,
        Rows::Steps => {
            let columns: Vec<_> = episodes.iter().map(episode::role_columns_of).collect();
            let names: Vec<String> = columns.iter().flat_map(Map::keys).cloned().collect();
            for row in episodes {
                write_steps(&mut table, row, &names, options, context).await?;
            }
        }
    }
    Ok(())
}

fn write_episodes(table: &mut RowWriter<'_>, episodes: &[EpisodeRow]) -> Result<(), Failure> {
    let settings = OwnColumns::of(episodes.iter().flat_map(|row| row.condition.settings.keys()));
    let parts: Vec<_> = episodes.iter().map(episode::parts_of_score).collect();
    let own = OwnColumns::of(parts.iter().flat_map(Map::keys));
    for (row, parts) in episodes.iter().zip(&parts) {
        let record = EpisodeRowRecord::new(row, settings.fill(&row.condition.settings), own.fill(parts));
        table.write(&record)?;
    }
    Ok(())
}

async fn write_steps(
    table: &mut RowWriter<'_>,
    row: &EpisodeRow,
    role_names: &[String],
    options: &ReportOptions<'_>,
    context: &Context,
) -> Result<(), Failure> {
    let restored = recorded_episode(&context.lab, &row.journal).restore().await?;
    let episode = &restored.episode;
    let spec: &'static dyn EnvironmentSpec = restored.spec;
    let errors = analyze(episode, spec, row.summary.thresholds);
    let prices: &Prices = options.prices;
    let own = OwnColumns::of(role_names.iter());
    for (index, step) in episode.steps().iter().enumerate().filter(|(_, step)| step.is_done()) {
        let roles = step.roles(episode.head());
        let columns =
            roles.iter().flat_map(|(role, totals)| role_columns(*role, totals, &totals.cost(prices)));
        let columns = own.fill(&columns.collect());
        table.write(&StepRowRecord::new(row, (step, episode.head()), errors.at(index), prices, columns))?;
    }
    Ok(())
}

/// Writes rows one after the other.
struct RowWriter<'a> {
    out: Output,
    format: Format,
    selection: &'a Selection,
    has_head: bool,
}

impl RowWriter<'_> {
    fn write<R: Record>(&mut self, record: &R) -> Result<(), Failure> {
        let row = self.selection.of_row(fields(record)?)?;
        if self.format == Format::Json {
            let line = mageyard_lab::json_line(R::TYPE, &row).map_err(io::Error::from)?;
            return Ok(self.out.finished_line(&line)?);
        }
        if !std::mem::replace(&mut self.has_head, true) {
            self.out.raw(csv::line(row.keys().map(|name| csv::quoted(name))).as_bytes())?;
        }
        Ok(self.out.raw(csv::line(row.values().map(|value| csv::quoted(&csv::scalar(value)))).as_bytes())?)
    }
}

fn fields(record: &impl Serialize) -> io::Result<Map<String, Value>> {
    match serde_json::to_value(record)? {
        Value::Object(fields) => Ok(fields),
        _ => Ok(Map::new()),
    }
}
