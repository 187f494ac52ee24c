//! The request of the step looked at: as it was sent, where it was, and otherwise as it would be asked. One
//! that is still to come is composed anew whenever it is drawn, so a changed window shows at once.

mod body;
#[cfg(test)]
mod tests;
mod turns;

use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::text::Span;
use ratatui::text::Text;
use ratatui::widgets::Widget;

use crate::domain::Segment;
use crate::tui::asked::Asked;
use crate::tui::asked::What;
use crate::tui::asked::Why;
use crate::tui::asked::asked;
use crate::tui::command::Deed;
use crate::tui::figures::cells;
use crate::tui::figures::plain;
use crate::tui::model::Model;
use crate::tui::model::Viewed;
use crate::tui::theme::Role;
use crate::tui::wrap::wrap;

fn place(whole: Rect) -> Rect {
    super::middle(whole, 100, whole.height)
}

pub(super) fn draw(model: &Model, scroll: u16, whole: Rect, buf: &mut Buffer) {
    let place = place(whole);
    let asked = asked(model);
    let lines = lines(model, &asked, place.width.saturating_sub(4));
    let foot = foot(model, &asked, super::reading(lines.len(), place));
    let inner = super::open(model, &title(&asked), &foot, Role::BorderFocus, place, buf);
    super::ends(model, scroll, lines.len(), inner, buf);
    let shown = lines.into_iter().skip(scroll.into()).take(inner.height.into());
    Text::from(shown.collect::<Vec<_>>()).render(inner, buf);
}

pub(super) fn extent(model: &Model) -> (u16, u16) {
    let place = place(Rect::from((Position::ORIGIN, model.size)));
    let (width, height) = (place.width.saturating_sub(4), place.height.saturating_sub(2));
    let lines = lines(model, &asked(model), width);
    (cells(lines.len()).saturating_sub(height), height.max(1))
}

fn title(asked: &Result<Asked, String>) -> String {
    let Ok(asked) = asked else { return "Request".into() };
    let state = match &asked.what {
        What::Sent(..) => ", as sent",
        What::Unsent(_, Why::Coming) => ", not sent yet",
        What::Unsent(..) => ", never sent",
        What::None(_) => "",
    };
    let which = if asked.of > 1 { format!(" ({} of {})", asked.at + 1, asked.of) } else { String::new() };
    format!("Request of step {}{state}{which}", asked.step.number)
}

fn foot(model: &Model, asked: &Result<Asked, String>, reading: &str) -> String {
    let key = |deed: Deed| model.look.keys.keys(deed).into_iter().next().unwrap_or_default();
    let several = asked.as_ref().is_ok_and(|asked| asked.of > 1);
    let unsent = asked.as_ref().is_ok_and(|asked| matches!(asked.what, What::Unsent(..)));
    let changes = |viewed: &Viewed| viewed.live && !viewed.is_over() && !viewed.looks_back();
    let mut words = Vec::new();
    if several {
        words.push(format!("{} {} attempt", key(Deed::PreviousReply), key(Deed::NextReply)));
    }
    if unsent && model.viewed().is_some_and(changes) {
        words.push("[ ] AM  { } OM  p prompt  e edit".to_owned());
    }
    words.push(format!("{} copy", key(Deed::Copy)));
    words.push(reading.to_owned());
    words.join(" · ")
}

fn lines(model: &Model, asked: &Result<Asked, String>, width: u16) -> Vec<Line<'static>> {
    let Some(viewed) = model.viewed() else { return Vec::new() };
    let quiet = |why: &str| wrap(why, width, &Span::raw(""), model.style(Role::Dim));
    match asked {
        Err(why) => quiet(why),
        Ok(Asked { what: What::None(why), .. }) => quiet(why),
        Ok(Asked { what: What::Sent(sent, asking), .. }) => {
            body::lines(model, &viewed.snapshot, sent, asking.as_ref(), width)
        }
        Ok(Asked { what: What::Unsent(request, why), .. }) => {
            turns::lines(model, &viewed.snapshot, request, *why, width)
        }
    }
}

/// An empty line and who speaks.
fn speaker(model: &Model, number: usize, who: &str) -> Vec<Line<'static>> {
    let who = crate::domain::visible(who);
    vec![Line::default(), super::heading(model, format!("{number} {who}"))]
}

/// A text with its name above it, and a bar of the name's colour beside it.
fn said(model: &Model, segment: Option<Segment>, text: &str, width: u16) -> Vec<Line<'static>> {
    let style = model.style(segment.map_or(Role::Text, dress));
    let name = segment.map_or_else(|| "text".to_owned(), |segment| segment.to_string());
    let mut lines = vec![Line::styled(format!("  [{name}]"), style)];
    lines.extend(wrap(text.trim_end(), width, &Span::styled("  │ ", style), model.style(Role::Text)));
    lines
}

/// The place of an image, in words.
fn image(model: &Model, words: &str, width: u16) -> Vec<Line<'static>> {
    let mut lines = wrap(words, width, &Span::raw("    "), model.style(Role::Title));
    if let Some(mark) = lines.first_mut().and_then(|line| line.spans.first_mut()) {
        *mark = Span::styled("  ▣ ", model.style(Role::Title));
    }
    lines
}

/// By how much the picture of a step is scaled when it has this size; empty where it is not.
fn scale(painted: Option<(u32, u32)>, sent: (u32, u32)) -> String {
    match painted {
        Some(painted) if painted != sent && painted.0 > 0 => {
            format!(" (×{} of {}×{})", factor(painted.0, sent.0), painted.0, painted.1)
        }
        _ => String::new(),
    }
}

/// `2.29`.
pub(crate) fn factor(painted: u32, sent: u32) -> String {
    plain(f64::from(sent) / f64::from(painted.max(1)))
}

/// The colour of a segment; its name always stands beside it.
fn dress(segment: Segment) -> Role {
    match segment {
        Segment::System => Role::Key,
        Segment::Task => Role::In,
        Segment::Cot => Role::MarkUnchanged,
        Segment::Io => Role::Action,
        Segment::Turn => Role::BorderFocus,
        Segment::Board => Role::Bar,
        Segment::Placeholder => Role::Out,
        Segment::Retry => Role::MarkUnread,
        Segment::Output => Role::Analysis,
    }
}
