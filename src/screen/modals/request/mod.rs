//! The request of the step in view: as it was sent or, otherwise, as it would be sent. A request that has not been
//! sent is composed whenever it is drawn, so that a changed window shows at once.

mod sent;
mod side;
#[cfg(test)]
mod tests;
mod unsent;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::command::CommandId;
use crate::layout::screen_dialog_area;
use crate::model::{EpisodeView, Model};
use crate::panes::{caching_estimate, part_note, thoughts_text};
use crate::shown_request::{RequestContent, SelectedRequest, UnsentReason, selected_request};
use mageyard_dialog::LeftOut;
use mageyard_domain::{PartId, Segment, Setting};
use mageyard_engine::{Attempt, Snapshot};
use mageyard_terminal::{StyleRole, decimal, to_cells, wrap};

/// The most steps that are searched for thoughts, so that drawing stays fast in a long episode.
const MAX_SEARCHED: usize = 1000;

fn modal_area(whole: Rect) -> Rect {
    super::centered_area(whole, 100, whole.height)
}

pub(super) fn draw(model: &Model, scroll: u16, whole: Rect, buf: &mut Buffer) {
    let place = modal_area(whole);
    let asked = selected_request(model);
    let lines = lines(model, &asked, place.width.saturating_sub(4));
    let foot = footer(model, &asked, super::scroll_footer(lines.len(), place));
    let inner = super::draw_border(model, &title(&asked), &foot, StyleRole::BorderFocus, place, buf);
    super::draw_lines(model, lines, scroll, inner, buf);
}

/// All lines, as they are drawn.
pub(super) fn shown_lines(model: &Model) -> Vec<Line<'static>> {
    let place = modal_area(screen_dialog_area(model));
    lines(model, &selected_request(model), place.width.saturating_sub(4))
}

pub(super) fn scroll_extent(model: &Model) -> (u16, u16) {
    let place = modal_area(screen_dialog_area(model));
    let width = place.width.saturating_sub(4);
    let height = place.height.saturating_sub(2);
    let lines = lines(model, &selected_request(model), width);
    (to_cells(lines.len()).saturating_sub(height), height.max(1))
}

/// The title and the lines at this width.
pub(super) fn text(model: &Model, width: u16) -> (String, Vec<Line<'static>>) {
    let asked = selected_request(model);
    (title(&asked), lines(model, &asked, width))
}

fn title(asked: &Result<SelectedRequest, String>) -> String {
    let Ok(asked) = asked else { return "Request".into() };
    let role = asked.side().map(|side| format!(", role {}", side.role())).unwrap_or_default();
    let state = match &asked.content {
        RequestContent::Side(_) => "",
        RequestContent::Sent(..) => ", as sent",
        RequestContent::Unsent(_, UnsentReason::Next) => ", not sent yet",
        RequestContent::Unsent(_, UnsentReason::Preview) => ", preview",
        RequestContent::Unsent(..) => ", never sent",
        RequestContent::Missing(_) => "",
    };
    let which =
        if asked.count > 1 { format!(" ({} of {})", asked.index + 1, asked.count) } else { String::new() };
    format!("Request of step {}{role}{state}{which}", asked.step.number)
}

fn footer(model: &Model, asked: &Result<SelectedRequest, String>, reading: &str) -> String {
    let key = |deed: CommandId| model.appearance.keys.keys(deed).into_iter().next().unwrap_or_default();
    let several = asked.as_ref().is_ok_and(|asked| asked.count > 1);
    let unsent = asked.as_ref().is_ok_and(|asked| matches!(asked.content, RequestContent::Unsent(..)));
    let changes = |viewed: &EpisodeView| viewed.live && !viewed.is_over() && !viewed.looks_back();
    let mut words = Vec::new();
    if several {
        words.push(format!("{} {} other requests", key(CommandId::PreviousReply), key(CommandId::NextReply)));
    }
    if unsent && model.episode().is_some_and(changes) {
        words.push("[ ] AM  { } OM  p prompt  e edit".to_owned());
    } else if model.episode().is_some_and(EpisodeView::can_preview) {
        words.push("[ ] AM  { } OM  p prompt".to_owned());
    }
    words.push(format!("{} copy", key(CommandId::Copy)));
    words.push(reading.to_owned());
    words.join(" · ")
}

fn lines(model: &Model, asked: &Result<SelectedRequest, String>, width: u16) -> Vec<Line<'static>> {
    let Some(viewed) = model.episode() else { return Vec::new() };
    let quiet = |why: &str| wrap(why, width, &Span::raw(""), model.style(StyleRole::Dim));
    match asked {
        Err(why) => quiet(why),
        Ok(SelectedRequest { content: RequestContent::Missing(why), .. }) => quiet(why),
        Ok(asked @ SelectedRequest { content: RequestContent::Side(_), .. }) => {
            asked.side().map_or_else(Vec::new, |exchange| side::lines(model, viewed, exchange, width))
        }
        Ok(SelectedRequest { step, index, content: RequestContent::Sent(sent, asking), .. }) => {
            let attempt = index.saturating_sub(step.side.len());
            let caching = caching_estimate(model, viewed, (step.number, attempt));
            sent::lines(model, &viewed.snapshot, sent, (asking.as_deref(), caching), width)
        }
        Ok(SelectedRequest { content: RequestContent::Unsent(request, why), .. }) => {
            unsent::lines(model, viewed, request, *why, width)
        }
    }
}

/// What happens to thoughts in past outputs, if the request has any output and the episode any thoughts.
fn thoughts_line(snapshot: &Snapshot, outputs: usize) -> Option<String> {
    let has_thoughts = |attempt: &Attempt| !attempt.thoughts.is_empty();
    let mut steps = snapshot.steps.iter().take(MAX_SEARCHED);
    let any = outputs > 0 && steps.any(|step| step.attempts.iter().any(has_thoughts));
    any.then(|| thoughts_text(snapshot.head.layout.thoughts).to_owned())
}

/// An empty line, then the number and role of a turn, and whether the request asks the server to cache up to its end.
pub(crate) fn turn_heading(model: &Model, number: usize, who: &str, cache_mark: bool) -> Vec<Line<'static>> {
    let who = mageyard_domain::sanitize(who);
    let mark = if cache_mark { ", cache up to here" } else { "" };
    vec![Line::default(), super::heading(model, format!("{number} {who}{mark}"))]
}

/// A text with the name of its segment above it and a bar in the segment's colour beside it.
fn text_part(model: &Model, segment: Option<Segment>, text: &str, width: u16) -> Vec<Line<'static>> {
    let style = model.style(segment.map_or(StyleRole::Text, segment_role));
    let name = segment.map_or_else(|| "text".to_owned(), |segment| segment.to_string());
    let note = segment.map_or_else(String::new, |segment| left_out_note(model, LeftOut::Segment(segment)));
    let mut lines = vec![Line::styled(format!("  [{name}]{note}"), style)];
    lines.extend(wrap(text.trim_end(), width, &Span::styled("  │ ", style), model.style(StyleRole::Text)));
    lines
}

/// Which image it is.
fn image_name(PartId { step, index }: PartId) -> String {
    match index {
        0 => format!("image: frame of step {step}"),
        index => format!("image: part {} of step {step}", index + 1),
    }
}

/// What a stored ask says of leaving a part out of the request of the shown step; empty if that was not asked.
fn left_out_note(model: &Model, part: LeftOut) -> String {
    let Some((viewed, step)) = model.episode().and_then(|viewed| Some((viewed, viewed.step()?))) else {
        return String::new();
    };
    let is_global = viewed.snapshot.head.setting == Setting::Global;
    part_note(viewed, if is_global { 1 } else { step.number }, part)
}

/// The description of an image.
fn image_part(model: &Model, words: &str, part: Option<PartId>, width: u16) -> Vec<Line<'static>> {
    let note = part.map_or_else(String::new, |part| left_out_note(model, LeftOut::Frame(part.step)));
    let words = &format!("{words}{note}");
    let mut lines = wrap(words, width, &Span::raw("    "), model.style(StyleRole::Title));
    if let Some(mark) = lines.first_mut().and_then(|line| line.spans.first_mut()) {
        *mark = Span::styled("  ▣ ", model.style(StyleRole::Title));
    }
    lines
}

/// The scale of a sent image relative to the rendered frame; empty if it was not scaled.
fn scale_text(painted: Option<(u32, u32)>, sent: (u32, u32)) -> String {
    match painted {
        Some(painted) if painted != sent && painted.0 > 0 => {
            format!(" (×{} of {}×{})", scale_factor(painted.0, sent.0), painted.0, painted.1)
        }
        _ => String::new(),
    }
}

/// `2.29`.
pub(crate) fn scale_factor(painted: u32, sent: u32) -> String {
    decimal(f64::from(sent) / f64::from(painted.max(1)))
}

/// The style of a segment. Its name is always shown too.
pub(crate) fn segment_role(segment: Segment) -> StyleRole {
    match segment {
        Segment::System => StyleRole::Key,
        Segment::Task => StyleRole::In,
        Segment::Cot => StyleRole::MarkUnchanged,
        Segment::Io => StyleRole::Action,
        Segment::Turn | Segment::Skipped | Segment::Feedback | Segment::Reflection => StyleRole::BorderFocus,
        Segment::StateText => StyleRole::Bar,
        Segment::Placeholder => StyleRole::Out,
        Segment::Retry | Segment::Continue => StyleRole::MarkUnread,
        Segment::Hint => StyleRole::Warn,
        Segment::Output | Segment::Partial => StyleRole::Analysis,
    }
}
