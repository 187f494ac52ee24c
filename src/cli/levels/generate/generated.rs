//! The result: the levels of each group, and why other rooms were rejected.

use std::fmt::Write;
use std::io;
use std::io::IsTerminal;
use std::time::Duration;

use serde::Serialize;
use serde_json::Map;
use serde_json::Value;
use serde_json::json;

use super::request::GenerateRequest;
use super::request::GroupRequest;
use crate::cli::diagnostics::print_message;
use crate::cli::output::Output;
use crate::cli::output::count_noun;
use crate::cli::output::wrap_table;
use crate::envs::Candidate;
use crate::envs::LevelFilter;
use crate::envs::Rejection;
use crate::envs::Shape;

/// The generated levels of one group.
pub(super) struct GeneratedGroup {
    pub(super) name: String,
    pub(super) shape: Shape,
    pub(super) wanted: usize,
    pub(super) levels: Vec<Candidate>,
    pub(super) filter: LevelFilter,
    pub(super) took: Duration,
}

impl GeneratedGroup {
    pub(super) fn new(group_request: &GroupRequest, filter: LevelFilter) -> Self {
        let (name, shape, wanted) = (group_request.name.clone(), group_request.shape, group_request.count);
        Self { name, shape, wanted, levels: Vec::new(), filter, took: Duration::ZERO }
    }

    /// The levels with their titles, such as `small-v1-17`.
    pub(super) fn titled_levels(&self) -> impl Iterator<Item = (String, &Candidate)> {
        (1..).zip(&self.levels).map(|(number, level)| (format!("{}-{number}", self.name), level))
    }

    /// Why rooms were rejected, as text; `None` if none were.
    pub(super) fn rejection_summary(&self) -> Option<String> {
        let reason = |fall: Rejection| match self.filter.rejected(fall) {
            0 => None,
            count => Some(format!("{count} {}", fall.description())),
        };
        let reasons: Vec<String> = Rejection::ALL.into_iter().filter_map(reason).collect();
        (!reasons.is_empty()).then(|| reasons.join(", "))
    }

    fn levels_per_second(&self) -> f64 {
        f64::from(u32::try_from(self.levels.len()).unwrap_or(u32::MAX)) / self.took.as_secs_f64().max(1e-9)
    }
}

#[derive(Serialize)]
struct GroupRow {
    r#type: &'static str,
    group: String,
    levels: usize,
    tried: u64,
    fallen: Map<String, Value>,
    seconds: f64,
    per_second: f64,
}

#[derive(Serialize)]
struct LevelRow<'a> {
    r#type: &'static str,
    level: String,
    text: &'a str,
    moves: Option<usize>,
    pushes: Option<u32>,
    room: u64,
}

/// The level file.
pub(super) fn level_file(request: &GenerateRequest, groups: &[GeneratedGroup]) -> String {
    let mut text = format!(
        "; Sokoban levels made by mageyard {}, rooms like those of gym-sokoban.\n; {}\n",
        env!("CARGO_PKG_VERSION"),
        request.command,
    );
    for group in groups {
        let _ = writeln!(
            text,
            "; {}: {} of {}, seed {}",
            group.name,
            count_noun(group.levels.len(), "level", "levels"),
            group.shape,
            request.seed
        );
    }
    for (title, level) in groups.iter().flat_map(GeneratedGroup::titled_levels) {
        let _ = write!(text, "\n; {title}\n{}\n; ", level.text);
        if let Some(shortest) = level.shortest {
            let _ = write!(text, "moves: {}, pushes: {}, ", shortest.moves, shortest.pushes);
        }
        let _ = writeln!(text, "room: {}", level.number);
    }
    text
}

/// Prints the levels to standard output, as a level file or as JSON.
pub(super) fn print_levels(
    request: &GenerateRequest,
    groups: &[GeneratedGroup],
    json: bool,
) -> io::Result<()> {
    let mut out = Output::open();
    if !json {
        return out.raw(level_file(request, groups).as_bytes());
    }
    for (level, candidate) in groups.iter().flat_map(GeneratedGroup::titled_levels) {
        let (text, shortest) = (candidate.text.as_str(), candidate.shortest);
        let (moves, pushes) =
            (shortest.map(|shortest| shortest.moves), shortest.map(|shortest| shortest.pushes));
        out.object_line(&LevelRow { r#type: "level", level, text, moves, pushes, room: candidate.number })?;
    }
    Ok(())
}

/// Prints a summary per group, to standard error if the levels are on standard output.
pub(super) fn print_summary(groups: &[GeneratedGroup], aside: bool, json: bool) -> io::Result<()> {
    let mut out = Output::open();
    if json {
        return groups.iter().map(group_row).try_for_each(|row| out.object_line(&row));
    }
    let cells: Vec<_> = groups.iter().map(group_cells).collect();
    if aside {
        for line in wrap_table(&cells, io::stderr().is_terminal()) {
            print_message(&line);
        }
        return Ok(());
    }
    out.table(&cells)
}

fn group_row(group: &GeneratedGroup) -> GroupRow {
    let counted = |fall: Rejection| (fall.name().to_owned(), json!(group.filter.rejected(fall)));
    GroupRow {
        r#type: "generated",
        group: group.name.clone(),
        levels: group.levels.len(),
        tried: group.filter.tried(),
        fallen: Rejection::ALL.into_iter().map(counted).collect(),
        seconds: group.took.as_secs_f64(),
        per_second: group.levels_per_second(),
    }
}

fn group_cells(group: &GeneratedGroup) -> Vec<String> {
    let fell = group.rejection_summary().map_or_else(String::new, |reasons| format!(" ({reasons})"));
    vec![
        group.name.clone(),
        count_noun(group.levels.len(), "level", "levels"),
        format!("{:.1} s, {:.0}/s", group.took.as_secs_f64(), group.levels_per_second()),
        format!(
            "{} tried{fell}",
            count_noun(usize::try_from(group.filter.tried()).unwrap_or(usize::MAX), "room", "rooms")
        ),
    ]
}
