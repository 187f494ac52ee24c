//! The panes: each draws one part of a snapshot and changes nothing.

mod agent;
mod annotations;
mod board;
mod border;
mod boxes;
mod caching;
mod claims;
mod code;
mod filmstrip;
mod frame;
mod frame_cells;
mod frame_note;
mod frame_pair;
mod frame_text;
mod frame_title;
mod hint;
mod memory;
mod notice;
mod overlay;
mod paragraph;
mod plan;
mod raw_reply;
mod reply;
mod score;
mod score_rows;
mod scrolling;
mod search_marks;
mod side;
mod small_drawing;
mod status;
mod streaming;
mod text_changes;
mod thumbnails;
mod transcript;
mod tutor;
mod which_key;
mod words;

pub use self::filmstrip::mark_symbol;
use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};
use ratatui::style::Modifier;
use ratatui::text::Line;
use ratatui::widgets::{Block, Widget};

pub(crate) use annotations::counts as annotation_counts;
pub(crate) use board::{Board, Hidden, style_role as glyph_role};
pub(crate) use border::{inner_area, rounded_block, tab_at};
pub(crate) use boxes::{legend as boxes_legend, outline};
pub(crate) use caching::estimate as caching_estimate;
pub(crate) use frame_cells::cells_line;
pub(crate) use frame_cells::line as drawn_line;
pub(crate) use hint::hint;
pub(crate) use memory::{count_parts, part_note, request_size, thoughts_text};
pub(crate) use notice::notices;
pub(crate) use overlay::tip as arrow_tip;
pub(crate) use raw_reply::{attempt_lines, findings};
pub(crate) use reply::reply_name;
pub(crate) use score::height as score_height;
pub(crate) use scrolling::draw_scroll_marks;
pub(crate) use search_marks::{mark_matches, plain_row};
pub(crate) use side::answer_words as side_answer_words;
pub(crate) use status::status;
pub(crate) use transcript::analysis;
pub(crate) use tutor::{draw as tutor, tutor_height};
pub(crate) use which_key::draw as which_key;
pub(crate) use words::{agent_lines, memory_rows, memory_summary, score_lines, state_words, status_summary};

use self::border::{padded, padding, tab_line, title};
use self::scrolling::hidden_lines;
use super::model::{EpisodeView, Model};
use crate::pane::Pane;
use mageyard_domain::Picture;
use mageyard_terminal::{FrameCache, PictureZoom, Placement, StyleRole};

/// Draws a pane with its border. `tabs` are the panes that share its area.
pub(crate) fn draw(
    model: &Model,
    gallery: &FrameCache,
    pane: Pane,
    tabs: &[Pane],
    area: Rect,
    buf: &mut Buffer,
) {
    let block = pane_block(model, pane, tabs, area);
    let inner = block.inner(area);
    block.render(area, buf);
    if inner.is_empty() {
        return;
    }
    match pane {
        Pane::Frame => frame::draw(model, gallery, inner, buf),
        Pane::Agent => agent::draw(model, inner, buf),
        Pane::Memory => memory::draw(model, inner, buf),
        Pane::Score => score::draw(model, inner, buf),
        Pane::Steps => filmstrip::draw(model, gallery, inner, buf),
    }
}

fn pane_block(model: &Model, pane: Pane, tabs: &[Pane], area: Rect) -> Block<'static> {
    let focused = model.panes.focus == pane;
    let border = if focused { StyleRole::BorderFocus } else { StyleRole::Border };
    let block = rounded_block(model, border).padding(padding(pane));
    // A title inherits the weight of the border; secondary text must not be bold.
    let quiet = model.style(StyleRole::Dim).remove_modifier(Modifier::BOLD);
    let info = Line::styled(padded(&title_info(model, pane, area)), quiet).right_aligned();
    let block = match pane {
        Pane::Steps if tabs.is_empty() => {
            let room = area.width.saturating_sub(4);
            let marks =
                model.episode().map(|viewed| filmstrip::mark_legend(viewed, room)).unwrap_or_default();
            block.title_bottom(Line::styled(padded(&marks), quiet).right_aligned())
        }
        Pane::Frame => {
            let note = frame_note::note(model, inner_area(pane, area)).unwrap_or_default();
            block.title_bottom(Line::styled(padded(&note), quiet))
        }
        _ => block,
    };
    if tabs.is_empty() {
        let style = model.style(if focused { StyleRole::TitleFocus } else { StyleRole::Title });
        return block.title_top(Line::styled(title(pane, focused), style)).title_top(info);
    }
    block.title_top(tab_line(model, pane, tabs)).title_bottom(info)
}

fn title_info(model: &Model, pane: Pane, area: Rect) -> String {
    let Some(viewed) = model.episode() else { return String::new() };
    let words = match pane {
        Pane::Frame => frame_title::info(model, viewed, inner_area(pane, area)),
        Pane::Agent => agent::info(viewed),
        Pane::Memory => memory::info(viewed),
        Pane::Score => score::info(viewed),
        Pane::Steps => filmstrip::info(model, viewed),
    };
    // Leaves room for two corners, two spaces and the name of the pane.
    mageyard_terminal::truncate(&words, area.width.saturating_sub(14))
}

/// The largest scroll position of the pane in this area, and the lines of a page.
pub(crate) fn scroll_extent(model: &Model, pane: Pane, area: Rect) -> (u16, u16) {
    let inner = inner_area(pane, area);
    let (lines, height) = match pane {
        Pane::Frame => frame::scroll_extent(model, inner),
        Pane::Agent => agent::scroll_extent(model, inner),
        Pane::Memory => memory::scroll_extent(model, inner),
        Pane::Score | Pane::Steps => (0, inner.height),
    };
    (hidden_lines(lines, height), height.max(1))
}

/// The rows of a pane that can be searched, as they are drawn in this area; none of a picture.
pub(crate) fn searched_rows(model: &Model, pane: Pane, area: Rect) -> Vec<String> {
    let inner = inner_area(pane, area);
    let rows = match pane {
        Pane::Frame => frame::text_lines(model, inner),
        Pane::Agent => agent::shown_lines(model, inner),
        Pane::Memory => memory::row_lines(model, inner),
        Pane::Score => {
            model.episode().map_or_else(Vec::new, |viewed| score::lines(model, viewed, inner.width))
        }
        Pane::Steps => Vec::new(),
    };
    rows.iter().map(plain_row).collect()
}

/// The number of replies in the agent pane.
pub(crate) fn reply_count(model: &Model) -> usize {
    model.episode().and_then(agent::step_with_replies).map_or(0, |step| step.attempts.len())
}

/// The picture that the frame pane draws in this area, if any; of a pair the later one.
pub(crate) fn picture(model: &Model, area: Rect) -> Option<&Arc<Picture>> {
    frame::picture(model, inner_area(Pane::Frame, area).as_size())
}

/// The pictures that a pane draws in this area, each with its size in cells and how far it is magnified.
pub(crate) fn pictures(model: &Model, pane: Pane, area: Rect) -> Vec<(&Arc<Picture>, Size, PictureZoom)> {
    let inner = inner_area(pane, area);
    match pane {
        Pane::Frame => frame::pictures(model, inner)
            .into_iter()
            .map(|(picture, area)| (picture, area.as_size(), model.frame.zoom))
            .collect(),
        Pane::Steps => filmstrip::thumbnails_in(model, inner)
            .into_iter()
            .map(|one| (one.picture, one.area.as_size(), PictureZoom::default()))
            .collect(),
        _ => Vec::new(),
    }
}

/// The rows that the filmstrip can use of these for thumbnails.
pub(crate) fn thumbnail_rows(model: &Model, spare: u16) -> u16 {
    let rows = spare.min(thumbnails::ROWS.end - 1);
    if rows >= thumbnails::ROWS.start && thumbnails::are_possible(model) { rows } else { 0 }
}

/// The part of the picture that the frame pane draws in this area, and the area within its border.
pub(crate) fn placement(model: &Model, area: Rect) -> Option<(Placement, Rect)> {
    let inner = inner_area(Pane::Frame, area);
    let place = frame::picture_area(model, inner);
    Some((frame::placement(model, inner.as_size())?, place))
}

/// The pixel of the picture that a cell of the drawing in this frame pane stands for, if it shows one.
pub(crate) fn drawn_pixel(model: &Model, area: Rect, at: Position) -> Option<(u32, u32)> {
    frame_cells::pixel_at(model, inner_area(Pane::Frame, area), at)
}

/// The size that the frame pane needs for its content with its border, at most this size.
pub(crate) fn frame_size(model: &Model, most: Size) -> Size {
    let inner = inner_area(Pane::Frame, Rect::from((Position::ORIGIN, most))).as_size();
    let wanted = frame::content_size(model, inner);
    let width = wanted.width.saturating_add(most.width.saturating_sub(inner.width));
    Size::new(width, wanted.height.saturating_add(most.height.saturating_sub(inner.height)))
}

/// How many columns of the frame's text do not fit into this area.
pub(crate) fn hidden_columns(model: &Model, area: Rect) -> u16 {
    frame::hidden_columns(model, inner_area(Pane::Frame, area))
}

/// The index of the step whose tick, or whose row of the memory window or of the transcript, is at this cell of a pane.
pub(crate) fn step_at(model: &Model, pane: Pane, area: Rect, at: Position) -> Option<usize> {
    match pane {
        Pane::Steps => filmstrip::tick_at(model, inner_area(pane, area), at),
        Pane::Memory => memory::step_at(model, inner_area(pane, area), at),
        Pane::Agent => agent::step_at(model, inner_area(pane, area), at),
        Pane::Frame | Pane::Score => None,
    }
}

/// The index of the picture of the shown step whose thumbnail is at this cell of a pane, if it has several.
pub(crate) fn picture_at(model: &Model, pane: Pane, area: Rect, at: Position) -> Option<usize> {
    (pane == Pane::Steps).then(|| filmstrip::picture_at(model, inner_area(pane, area), at))?
}

/// The style of a reward: a gain, a loss, or dim for the usual penalty of a step.
fn reward_role(viewed: &EpisodeView, reward: f64) -> StyleRole {
    let usual = viewed.snapshot.smallest_loss.unwrap_or(f64::INFINITY);
    match reward {
        reward if reward > 0.0 => StyleRole::RewardGood,
        reward if -reward > 2.0 * usual => StyleRole::RewardBad,
        _ => StyleRole::Dim,
    }
}

/// How many squares of a board are outside the frame pane.
pub(crate) fn hidden_squares(model: &Model, area: Rect) -> Hidden {
    frame::hidden_squares(model, inner_area(Pane::Frame, area))
}
