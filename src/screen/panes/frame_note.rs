//! The words below the frame.

use ratatui::layout::{Rect, Size};
use unicode_width::UnicodeWidthStr;

use super::frame::{hidden_squares, picture, placement, sent_frame};
use super::frame_text::FrameText;
use super::{boxes, claims, frame_title};
use crate::command::CommandId;
use crate::model::{FramePair, Model, ShownPicture};
use mageyard_domain::sanitize;
use mageyard_terminal::{decimal, to_cells, truncate};

/// The bottom title: which part of the picture is shown, which of several pictures or pages it is, details of the frame
/// as sent, and why the frame is text although pictures are enabled.
pub(super) fn note(model: &Model, area: Rect) -> Option<String> {
    if let Some(film) = model.film_label() {
        return Some(truncate(&film, area.width.saturating_sub(1)));
    }
    if model.is_real_time() {
        return Some(truncate("real time: Space stops the clock", area.width.saturating_sub(1)));
    }
    let which = match model.shown_page() {
        Some(shown) => Some(shown.label()),
        None => model.shown_picture().and_then(ShownPicture::label),
    };
    let which: Vec<String> = changes_label(model, area.as_size())
        .into_iter()
        .chain(action_label(model))
        .chain(magnified_part(model, area.as_size()))
        .chain(which)
        .collect();
    let which = Some(which.join(" · ")).filter(|label| !label.is_empty());
    if model.frame.as_sent {
        let which = which.map_or_else(String::new, |label| format!("{label} · "));
        let room = area.width.saturating_sub(2).saturating_sub(to_cells(which.chars().count()));
        return sent_frame(model).map(|shot| format!("{which}{}", shot.caption(room)));
    }
    let seen = &model.episode()?.step()?.observation;
    let small =
        seen.picture().is_some() && model.shows_pictures() && picture(model, area.as_size()).is_none();
    let key = model.key_or_name(CommandId::View);
    let outside = hidden_squares(model, area).text();
    let outside = Some(outside).filter(|text| !text.is_empty());
    let boxes = model.shown_boxes().map(boxes::legend);
    let wrong = model.details_error().map(str::to_owned);
    let film = model.film_offer(&film_keys(model));
    let form = frame_title::form_beside_title(model, area);
    let claims = claims_label(model, area.as_size());
    let before: Vec<String> =
        claims.into_iter().chain(form).chain(boxes).chain(which).chain(outside).collect();
    let after: Vec<String> = film.into_iter().chain(wrong).collect();
    let notes = |small: Option<String>| -> String {
        before.iter().cloned().chain(small).chain(after.clone()).collect::<Vec<_>>().join(" · ")
    };
    let offer = if model.shown_drawing().is_some() {
        format!("{key} shows text and picture")
    } else if model.device.link.is_slow {
        format!("the link is slow; {key} draws the picture")
    } else if model.appearance.settings.console {
        format!("{key} draws the picture")
    } else {
        format!("too small for the picture; {key} draws it")
    };
    let full = notes(small.then_some(offer));
    let room = area.width.saturating_sub(1);
    let fits = full.width() <= room.into();
    let text = if fits { full } else { notes(small.then(|| format!("{key}: picture"))) };
    (!text.is_empty()).then(|| truncate(&text, room))
}

/// What has changed since the step before, if that is shown.
fn changes_label(model: &Model, room: Size) -> Option<String> {
    if !model.compares_frames() {
        return None;
    }
    let Some(earlier) = model.earlier_step() else {
        return Some("no earlier frame: this is the first step".into());
    };
    if picture(model, room).is_none() {
        return FrameText::new(model, room).changes;
    }
    let missing = || format!("step {} has no frame", earlier.number);
    Some(model.shown_pair().map_or_else(missing, FramePair::label))
}

/// The action that is drawn onto the frame.
fn action_label(model: &Model) -> Option<String> {
    let step = model.marked_step()?;
    Some(match &step.action {
        None => "no action yet".to_owned(),
        Some(action) if model.frame.marked.is_none() && model.shown_drawing().is_none() => {
            format!("{} has no place on the frame", sanitize(&action.label()))
        }
        Some(action) => sanitize(&action.label()).into_owned(),
    })
}

/// What the signs of wrong claims mean, where they are drawn.
fn claims_label(model: &Model, room: Size) -> Option<String> {
    let is_drawn = match picture(model, room) {
        _ if model.shown_drawing().is_some() => false,
        Some(picture) => model.is_claimed_about(picture),
        None => FrameText::new(model, room).grid.is_some(),
    };
    claims::legend(model).filter(|_| is_drawn)
}

/// The keys that show a film.
fn film_keys(model: &Model) -> String {
    let keys = [CommandId::NextReply, CommandId::Film];
    let keys = keys.into_iter().filter_map(|id| model.key(id));
    let keys: Vec<String> = keys.collect();
    if keys.is_empty() { ":film".to_owned() } else { keys.join(" ") }
}

/// The factor and the shown part of a magnified picture: `×4 · 480×234 px at (960, 0)`.
fn magnified_part(model: &Model, room: Size) -> Option<String> {
    let picture = picture(model, room)?;
    let shown = placement(model, room)?;
    let crop = shown.crop;
    shown.is_part_of(picture).then(|| {
        let factor = decimal(model.frame.zoom.factor());
        format!("×{factor} · {}×{} px at ({}, {})", crop.width, crop.height, crop.left, crop.top)
    })
}
