//! The screen: the layout of the panes for a terminal size, and the order of drawing. A pure function of the model
//! and of the frames that were encoded before.

use ratatui::buffer::Buffer;
use ratatui::layout::Constraint;
use ratatui::layout::Layout;
use ratatui::layout::Position;
use ratatui::layout::Rect;
use ratatui::layout::Size;
use ratatui::style::Style;
use ratatui::text::Span;
use ratatui::widgets::Widget;

use super::modals;
use super::model::Model;
use super::pane::Pane;
use super::pane::footer_height;
use super::panes;
use super::picture::FrameCache;
use super::theme::StyleRole;
use super::wrap::wrap;

/// The smallest supported terminal in columns and rows.
const MIN_SIZE: (u16, u16) = (60, 16);
/// The least columns and rows for three columns of panes.
const THREE_COLUMNS: (u16, u16) = (110, 30);
/// The least columns for a pane beside the frame.
const TWO_COLUMNS: u16 = 76;

/// The areas of the screen.
pub(crate) struct Areas {
    pub(crate) panes: Vec<(Pane, Rect)>,
    /// The panes that share the area of the last one, as tabs; empty if none do.
    pub(crate) tabs: &'static [Pane],
    pub(crate) status: Rect,
    pub(crate) hint: Rect,
}

/// Whether a terminal of this size is large enough for the screen.
pub(crate) fn fits(size: Size) -> bool {
    size.width >= MIN_SIZE.0 && size.height >= MIN_SIZE.1
}

/// Encodes the frame that this model shows.
pub(crate) fn prepare_frame(model: &Model, whole: Rect, gallery: &mut FrameCache) {
    gallery.set_colors(model.appearance.settings.depth, model.theme.is_greyscale());
    let place =
        areas(model, whole).and_then(|areas| areas.panes.into_iter().find(|(pane, _)| *pane == Pane::Frame));
    if let Some((pane, area)) = place
        && let Some(picture) = panes::picture(model, area)
    {
        gallery.prepare(picture, panes::inner_area(pane, area).as_size());
    }
}

/// The layout for an area, or `None` if it is too small.
pub(crate) fn areas(model: &Model, whole: Rect) -> Option<Areas> {
    if !fits(whole.as_size()) {
        return None;
    }
    let lines = footer_height(whole.width) - 1;
    let [body, status, hint] =
        Layout::vertical([Constraint::Fill(1), Constraint::Length(lines), Constraint::Length(1)])
            .areas(whole);
    let (panes, tabs) = match whole {
        _ if model.zoomed => (vec![(model.focus, body)], &[][..]),
        Rect { width, height, .. } if width >= THREE_COLUMNS.0 && height >= THREE_COLUMNS.1 => {
            (three_columns(body, panes::score_height(model)), &[][..])
        }
        Rect { width, .. } if width >= TWO_COLUMNS => (two_columns(body, model.tab), &Pane::ALL[1..]),
        _ => (vec![(model.focus, body)], &Pane::ALL[..]),
    };
    Some(Areas { panes, tabs, status, hint })
}

fn three_columns(body: Rect, score: u16) -> Vec<(Pane, Rect)> {
    let right = (body.width / 4).clamp(30, 38);
    let [left, middle, right] =
        Layout::horizontal([Constraint::Fill(3), Constraint::Fill(2), Constraint::Length(right)]).areas(body);
    let [frame, steps] = Layout::vertical([Constraint::Fill(1), Constraint::Length(6)]).areas(left);
    let [memory, score] = Layout::vertical([Constraint::Fill(1), Constraint::Length(score)]).areas(right);
    vec![
        (Pane::Frame, frame),
        (Pane::Steps, steps),
        (Pane::Agent, middle),
        (Pane::Memory, memory),
        (Pane::Score, score),
    ]
}

fn two_columns(body: Rect, tab: Pane) -> Vec<(Pane, Rect)> {
    let [left, right] = Layout::horizontal([Constraint::Fill(1), Constraint::Fill(1)]).areas(body);
    vec![(Pane::Frame, left), (tab, right)]
}

/// Draws the screen.
pub(crate) fn draw(model: &Model, gallery: &FrameCache, whole: Rect, buf: &mut Buffer) {
    buf.set_style(whole, model.style(StyleRole::Text).patch(model.style(StyleRole::Background)));
    let Some(areas) = areas(model, whole) else { return too_small(model, whole, buf) };
    for (pane, area) in &areas.panes {
        let tabs = if *pane == Pane::Frame && areas.panes.len() > 1 { &[][..] } else { areas.tabs };
        panes::draw(model, gallery, *pane, tabs, *area, buf);
    }
    panes::status(model, areas.status, buf);
    panes::hint(model, areas.hint, buf);
    modals::draw(model, whole, buf);
    panes::notices(model, areas.status, buf);
}

fn too_small(model: &Model, whole: Rect, buf: &mut Buffer) {
    let (width, height) = MIN_SIZE;
    let words = format!(
        "The screen needs {width}x{height} cells; this terminal has {}x{}. Enlarge it, or press q to quit.",
        whole.width, whole.height,
    );
    let lines = wrap(&words, whole.width, &Span::raw(""), model.style(StyleRole::Warn));
    ratatui::text::Text::from(lines).style(Style::new()).render(whole, buf);
}

fn current_areas(model: &Model) -> Option<Areas> {
    areas(model, Rect::from((Position::ORIGIN, model.size)))
}

fn area(model: &Model, pane: Pane) -> Option<Rect> {
    let found = current_areas(model)?.panes.into_iter().find(|(shown, _)| *shown == pane);
    found.map(|(_, area)| area)
}

/// The largest scroll position of a pane, and the lines of a page.
pub(crate) fn scroll_extent(model: &Model, pane: Pane) -> (u16, u16) {
    area(model, pane).map_or((0, 1), |area| panes::scroll_extent(model, pane, area))
}

/// Whether the frame is drawn as a picture.
pub(crate) fn shows_picture(model: &Model) -> bool {
    match area(model, Pane::Frame) {
        Some(area) => panes::picture(model, area).is_some(),
        None => model.shows_pictures(),
    }
}

/// How many squares of a board are outside the frame pane.
pub(crate) fn hidden_squares(model: &Model) -> panes::Hidden {
    area(model, Pane::Frame).map_or(panes::Hidden::default(), |area| panes::hidden_squares(model, area))
}

/// How many columns the frame's text can be scrolled sideways.
pub(crate) fn hidden_columns(model: &Model) -> u16 {
    area(model, Pane::Frame).map_or(0, |area| panes::hidden_columns(model, area))
}

/// The pane at this cell.
pub(crate) fn pane_at(model: &Model, at: Position) -> Option<Pane> {
    let found = current_areas(model)?.panes.into_iter().find(|(_, area)| area.contains(at));
    found.map(|(pane, _)| pane)
}

/// The index of the step whose tick is at this cell.
pub(crate) fn tick_at(model: &Model, at: Position) -> Option<usize> {
    let area = area(model, Pane::Steps).filter(|area| area.contains(at))?;
    panes::tick_at(model, area, at)
}
