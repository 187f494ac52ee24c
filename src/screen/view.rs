//! The screen: the order of drawing, and what is at a position. A pure function of the model and of the frames that
//! were encoded before.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::Span;
use ratatui::widgets::Widget;

pub(crate) use super::layout::fits;
use super::layout::{MIN_SIZE, areas, dialog_area, screen_areas};
use super::model::{Model, View};
use super::pane::Pane;
use super::sweep::DashboardLook;
use super::{home, modals, panes, sweep};
use mageyard_domain::Picture;
use mageyard_terminal::{
    Divider, FrameCache, PictureRoom, PictureZoom, Placement, StyleRole, can_magnify, wrap,
};

/// A picture in the frame pane.
pub(crate) struct ShownFrame<'a> {
    pub(crate) picture: &'a Arc<Picture>,
    pub(crate) placement: Placement,
    room: PictureRoom,
    /// The area within the border of the pane.
    pub(crate) area: Rect,
}

/// Begins a drawing and encodes the pictures that this model shows.
pub(crate) fn prepare_frame(model: &Model, whole: Rect, gallery: &mut FrameCache) {
    let depth = model.device.link.picture_depth(model.appearance.settings.depth);
    gallery.begin(depth, model.look.theme.is_greyscale(), model.style(StyleRole::Fault));
    match model.view() {
        View::Episode => prepare_panes(model, whole, gallery),
        View::Home => {
            let shown = model.home.as_deref().and_then(|home| home::picture(model, home, whole));
            if let Some((picture, area)) = shown {
                gallery.prepare(picture, area.as_size(), PictureZoom::default());
            }
        }
        View::Sweep => {}
    }
    for (picture, area) in modals::pictures(model, dialog_area(model, whole)) {
        gallery.prepare(picture, area.as_size(), PictureZoom::default());
    }
}

fn prepare_panes(model: &Model, whole: Rect, gallery: &mut FrameCache) {
    for (pane, area) in areas(model, whole).into_iter().flat_map(|areas| areas.panes) {
        for (picture, room, zoom) in panes::pictures(model, pane, area) {
            gallery.prepare(picture, room, zoom);
        }
    }
}

/// Draws the screen.
pub(crate) fn draw(model: &Model, gallery: &FrameCache, whole: Rect, buf: &mut Buffer) {
    buf.set_style(whole, model.style(StyleRole::Text).patch(model.style(StyleRole::Background)));
    match (model.view(), model.home.as_deref(), model.sweep.as_deref()) {
        (View::Home, Some(home), _) => home::draw(model, home, gallery, whole, buf),
        (View::Sweep, _, Some(dashboard)) => {
            let look = DashboardLook {
                theme: &model.look.theme,
                keys: model.appearance.keys.dashboard(),
                notice: model.notice.as_deref(),
                has_frames: !model.device.link.is_slow,
            };
            sweep::draw(dashboard, &look, whole, buf);
        }
        (View::Episode | View::Home | View::Sweep, ..) => return draw_episode(model, gallery, whole, buf),
    }
    draw_dialog(model, gallery, whole, buf);
}

fn draw_dialog(model: &Model, gallery: &FrameCache, whole: Rect, buf: &mut Buffer) {
    modals::draw(model, dialog_area(model, whole), buf);
    modals::draw_pictures(model, gallery, dialog_area(model, whole), buf);
}

fn draw_episode(model: &Model, gallery: &FrameCache, whole: Rect, buf: &mut Buffer) {
    let Some(areas) = areas(model, whole) else { return too_small(model, whole, buf) };
    for (pane, area) in &areas.panes {
        let tabs = if *pane == Pane::Frame && areas.panes.len() > 1 { &[][..] } else { areas.tabs };
        panes::draw(model, gallery, *pane, tabs, *area, buf);
    }
    panes::status(model, areas.status, buf);
    let magnifies = shown_frame(model).is_some_and(|shown| shown.can_magnify());
    panes::hint(model, magnifies, &|| counted_rows(model), areas.hint, buf);
    panes::tutor(model, areas.tutor, buf);
    draw_dialog(model, gallery, whole, buf);
    panes::which_key(model, areas.status, buf);
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

/// The border between two panes at this cell, if it can be moved.
pub(crate) fn divider_at(model: &Model, at: Position) -> Option<Divider> {
    screen_areas(model)?.dividers.into_iter().find(|divider| divider.line.contains(at))
}

fn area(model: &Model, pane: Pane) -> Option<Rect> {
    let found = screen_areas(model)?.panes.into_iter().find(|(shown, _)| *shown == pane);
    found.map(|(_, area)| area)
}

/// The largest scroll position of a pane, and the lines of a page.
pub(crate) fn scroll_extent(model: &Model, pane: Pane) -> (u16, u16) {
    area(model, pane).map_or((0, 1), |area| panes::scroll_extent(model, pane, area))
}

/// The rows that a search looks at: those of the open dialog, or of the focused pane.
pub(crate) fn searched_rows(model: &Model) -> Vec<String> {
    match &model.modal {
        Some(dialog) => modals::searched_rows(model, dialog),
        None => rows_of(model, model.panes.focus),
    }
}

/// The rows in which matches are counted: while a text is typed in a pane without words, those of all panes.
fn counted_rows(model: &Model) -> Vec<String> {
    let is_typing = model.search.as_ref().is_some_and(|search| search.is_typing);
    if is_typing && model.modal.is_none() && words_of(model, model.panes.focus).is_empty() {
        return Pane::ALL.into_iter().flat_map(|pane| words_of(model, pane)).collect();
    }
    searched_rows(model)
}

/// The rows of a pane that is shown; none of another one.
fn rows_of(model: &Model, pane: Pane) -> Vec<String> {
    area(model, pane).map_or_else(Vec::new, |area| panes::searched_rows(model, pane, area))
}

/// The rows of a pane as they are once it has the focus, if it has words; the signs of a board are none.
pub(crate) fn words_of(model: &Model, pane: Pane) -> Vec<String> {
    let mut rows = if area(model, pane).is_some() {
        rows_of(model, pane)
    } else {
        let mut shown = model.clone();
        shown.set_focus(pane);
        rows_of(&shown, pane)
    };
    if !rows.iter().any(|row| row.chars().any(char::is_alphabetic)) {
        rows.clear();
    }
    rows
}

/// Whether the frame is drawn as a picture.
pub(crate) fn shows_picture(model: &Model) -> bool {
    match area(model, Pane::Frame) {
        Some(area) => panes::picture(model, area).is_some(),
        None => model.shows_pictures(),
    }
}

/// The picture that the frame pane draws, the part of it that is shown, and its area on the screen.
pub(crate) fn shown_frame(model: &Model) -> Option<ShownFrame<'_>> {
    let whole = area(model, Pane::Frame)?;
    let (placement, area) = panes::placement(model, whole)?;
    let room = model.picture_room(area.as_size());
    Some(ShownFrame { picture: panes::picture(model, whole)?, placement, area, room })
}

/// The pixel of the picture that a cell of the screen stands for, where the frame is drawn in cells.
pub(crate) fn drawn_pixel(model: &Model, at: Position) -> Option<(u32, u32)> {
    panes::drawn_pixel(model, area(model, Pane::Frame)?, at)
}

impl ShownFrame<'_> {
    /// Whether it has more pixels than its pane can show.
    pub(crate) fn can_magnify(&self) -> bool {
        can_magnify(self.picture, self.room)
    }

    /// Whether only a part of it is shown.
    pub(crate) fn is_magnified(&self) -> bool {
        self.placement.is_part_of(self.picture)
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
    let found = screen_areas(model)?.panes.into_iter().find(|(_, area)| area.contains(at));
    found.map(|(pane, _)| pane)
}

/// The index of the step whose tick, or whose row of the memory window, is at this cell.
pub(crate) fn step_at(model: &Model, at: Position) -> Option<usize> {
    let (pane, area) = screen_areas(model)?.panes.into_iter().find(|(_, area)| area.contains(at))?;
    panes::step_at(model, pane, area, at)
}

/// The index of the picture of the shown step whose thumbnail is at this cell, if it has several.
pub(crate) fn picture_at(model: &Model, at: Position) -> Option<usize> {
    let (pane, area) = screen_areas(model)?.panes.into_iter().find(|(_, area)| area.contains(at))?;
    panes::picture_at(model, pane, area, at)
}

/// The pane whose tab is at this cell.
pub(crate) fn tab_at(model: &Model, at: Position) -> Option<Pane> {
    let areas = screen_areas(model)?;
    let (_, area) = areas.panes.last().filter(|(_, area)| area.y == at.y && area.contains(at))?;
    panes::tab_at(areas.tabs, at.x.checked_sub(area.x + 1)?)
}
