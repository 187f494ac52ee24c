//! Small frames of the steps around the shown one, below the ticks of the filmstrip, where the terminal gets pixels. The shown
//! step has all its pictures, other steps have one each.

use std::ops::Range;
use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::model::{EpisodeView, Model};
use mageyard_domain::Picture;
use mageyard_terminal::{FrameCache, PictureZoom, StyleRole};

/// The least and the most rows of thumbnails, with the numbers of their steps.
pub(super) const ROWS: Range<u16> = 4..9;
/// The least columns of a thumbnail: the number of its step is below it.
const MIN_WIDTH: u16 = 5;
/// The columns between two thumbnails.
const GAP: u16 = 1;
/// The least thumbnails: fewer show no more than the frame.
const LEAST: u16 = 3;

/// A frame of a step, and where it is drawn; the number is below it.
pub(super) struct Thumbnail<'a> {
    pub(super) index: usize,
    /// The index of the picture among those of the step; `None` if only one of them has a thumbnail.
    pub(super) number: Option<usize>,
    pub(super) picture: &'a Arc<Picture>,
    pub(super) area: Rect,
}

/// Whether there can be thumbnails: the terminal gets pixels and the shown step has a picture.
pub(super) fn are_possible(model: &Model) -> bool {
    model.picture_form().0.has_pixels() && model.shows_pictures() && model.shown_picture().is_some()
}

/// The thumbnails of these steps in this area, around the picture that is shown; none where too few fit.
pub(super) fn thumbnails<'a>(model: &'a Model, steps: &[usize], area: Rect) -> Vec<Thumbnail<'a>> {
    let (Some(viewed), Some(shown)) = (model.episode(), model.shown_picture()) else { return Vec::new() };
    if !are_possible(model) || !ROWS.contains(&area.height) {
        return Vec::new();
    }
    let Some((rows, width)) = size(shown.picture, area) else { return Vec::new() };
    let room = (area.width + GAP) / (width + GAP);
    let all = all_pictures(model, viewed, steps);
    let is_shown = |(index, number, _): &(usize, Option<usize>, _)| {
        *index == viewed.index() && number.is_none_or(|number| number == model.shown_number())
    };
    let at = all.iter().position(is_shown).unwrap_or_default();
    let from = at.saturating_sub(usize::from(room) / 2).min(all.len().saturating_sub(room.into()));
    let columns = (area.x..).step_by(usize::from(width + GAP));
    let shown = all.into_iter().skip(from).take(room.into()).zip(columns);
    let thumbnail = |((index, number, picture), x)| {
        let area = Rect { x, width, height: rows, ..area };
        Thumbnail { index, number, picture, area }
    };
    shown.map(thumbnail).collect()
}

/// The pictures of steps in their order: of the shown step all with their indices, of others one.
fn all_pictures<'a>(
    model: &Model,
    viewed: &'a EpisodeView,
    steps: &[usize],
) -> Vec<(usize, Option<usize>, &'a Arc<Picture>)> {
    let mut all = Vec::new();
    for index in steps.iter().copied() {
        let Some(step) = viewed.snapshot.steps.get(index) else { continue };
        let pictures: Vec<_> = step.observation.images().map(|(_, picture)| picture).collect();
        if index == viewed.index() && pictures.len() > 1 {
            all.extend(pictures.into_iter().enumerate().map(|(number, one)| (index, Some(number), one)));
        } else if let Some(picture) = pictures.get(model.frame.picture).or(pictures.last()) {
            all.push((index, None, picture));
        }
    }
    all
}

/// The rows and columns of the largest thumbnails of which enough fit beside each other.
fn size(picture: &Picture, area: Rect) -> Option<(u16, u16)> {
    let width = |rows: u16| {
        let sides = (u32::from(rows) * 2 * picture.width()).div_ceil(picture.height().max(1));
        u16::try_from(sides).unwrap_or(u16::MAX).max(MIN_WIDTH)
    };
    let most = (area.width + GAP) / LEAST;
    let sizes = (ROWS.start - 1..area.height).rev().map(|rows| (rows, width(rows)));
    sizes.into_iter().find(|(_, width)| width.saturating_add(GAP) <= most)
}

pub(super) fn draw(model: &Model, thumbnails: &[Thumbnail<'_>], gallery: &FrameCache, buf: &mut Buffer) {
    let Some(viewed) = model.episode() else { return };
    for thumbnail in thumbnails {
        let Rect { x, width, .. } = thumbnail.area;
        gallery.draw(thumbnail.picture, thumbnail.area, buf);
        let number = viewed.snapshot.steps.get(thumbnail.index).map_or(0, |step| step.number);
        let name = match thumbnail.number {
            Some(later @ 1..) => format!("·{}", later + 1),
            _ if viewed.is_end(thumbnail.index) => "end".to_owned(),
            _ => number.to_string(),
        };
        let is_shown = thumbnail.index == viewed.index()
            && thumbnail.number.is_none_or(|number| number == model.shown_number());
        let (name, role) =
            if is_shown { (format!("▲ {name}"), StyleRole::Key) } else { (name, StyleRole::Dim) };
        let room = model.picture_room(thumbnail.area.as_size());
        let place = PictureZoom::default().placement(thumbnail.picture, room);
        let shown = place.map_or(thumbnail.area, |place| place.area(thumbnail.area));
        let start = shown.x.min(x + width.saturating_sub(mageyard_terminal::to_cells(name.chars().count())));
        buf.set_stringn(start.max(x), thumbnail.area.bottom(), name, width.into(), model.style(role));
    }
}

/// The thumbnail at this cell.
pub(super) fn thumbnail_at<'a, 'b>(
    thumbnails: &'b [Thumbnail<'a>],
    at: Position,
) -> Option<&'b Thumbnail<'a>> {
    let is_here = |one: &&Thumbnail<'_>| Rect { height: one.area.height + 1, ..one.area }.contains(at);
    thumbnails.iter().find(is_here)
}
