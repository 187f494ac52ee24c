//! The memory pane in words.

use super::legend::legend;
use super::request::{ShownRequest, shown_request};
use super::rows::{observation_words, output_words};
use super::size::count_outputs_and_parts;
use super::window_change;
use crate::model::{EpisodeView, Model};
use mageyard_dialog::LedgerRow;
use mageyard_domain::PartKind;
use mageyard_terminal::count_of;

/// The most rows that are told; older steps are outside every window.
const MAX_ROWS: usize = 50;

/// A width at which no line of the legend is wrapped.
const WIDTH: u16 = 4096;

/// What the request of the shown step has: `3 outputs, 1 frame, 1 image in the request; AM 3, OM 1`.
pub(in crate::panes) fn summary(viewed: &EpisodeView) -> Option<String> {
    let request = shown_request(viewed)?;
    let frames = request.ledger.rows().iter().filter(|row| has_frame(row)).count();
    let outputs = count_of(request.ledger.outputs(), "output");
    let rest = count_outputs_and_parts(&request.ledger);
    let parts = rest.split_once(", ").map_or("", |(_, parts)| parts);
    let am = request.window.am();
    let om = request.window.om();
    Some(format!("{outputs}, {}, {parts} in the request; AM {am}, OM {om}", count_of(frames, "frame")))
}

/// Whether an image of the step is in the request.
fn has_frame(row: &LedgerRow) -> bool {
    let is_in =
        |part: &mageyard_dialog::LedgerPart| part.kind == PartKind::Image && part.inclusion.is_included();
    row.parts.iter().any(is_in)
}

/// A line for each step, newest first, then what the reasons mean and what the next request will have.
pub(in crate::panes) fn row_words(model: &Model) -> Vec<String> {
    let Some((viewed, request)) = model.episode().and_then(|viewed| Some((viewed, shown_request(viewed)?)))
    else {
        return Vec::new();
    };
    let row = |index| request.row(viewed, index).map(|row| row_line(viewed, &request, &row));
    let mut lines: Vec<String> = (0..request.rows().min(MAX_ROWS)).filter_map(row).collect();
    let more = request.rows().saturating_sub(MAX_ROWS);
    lines.extend((more > 0).then(|| format!("and {}", count_of(more, "older step"))));
    lines.extend(legend(model, viewed, &request, WIDTH).iter().map(ToString::to_string));
    lines.extend(window_change(viewed, &request));
    lines.retain(|line| !line.is_empty());
    lines
}

fn row_line(viewed: &EpisodeView, request: &ShownRequest, row: &LedgerRow) -> String {
    let output = output_words(viewed, request, row);
    format!("step {}: output {output}; frame {}", row.step, observation_words(viewed, request, row))
}
