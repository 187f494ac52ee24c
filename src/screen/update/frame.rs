//! What the frame pane shows: views, pages and pictures, and the part of a picture that is magnified.

use ratatui::layout::Position;

use super::navigation::Arrow;
use super::{Effect, person};
use crate::model::{FrameChoice, Model};
use crate::pane::Pane;
use crate::view;
use crate::view::ShownFrame;
use mageyard_config::{LinkSetting, PictureForm};
use mageyard_domain::{Action, Observation, ObservationInspector, PairPlace, sanitize};
use mageyard_engine::Waiting;
use mageyard_terminal::{ChosenForm, ColorDepth, PanSteps, PictureZoom, decimal};

/// The most changes of the factor by one key.
const MAX_CHANGES: u32 = 16;

/// Shows a later view of the frame; the first one follows the last.
pub(super) fn next_view(model: &mut Model, by: u32) {
    let choices = model.frame_choices();
    let now = match model.shown_view() {
        _ if model.shown_drawing().is_some() => FrameChoice::Drawing,
        Some(shown) => FrameChoice::View(shown.view.name),
        None if view::shows_picture(model) => FrameChoice::Picture,
        None => FrameChoice::Text,
    };
    let at = choices.iter().position(|choice| *choice == now).unwrap_or(0);
    let to = (at + usize::try_from(by).unwrap_or(1)) % choices.len().max(1);
    if let Some(choice) = choices.get(to) {
        choose(model, *choice);
    }
}

/// Shows a view of the frame by its name, which may be shortened.
pub(super) fn show_view(model: &mut Model, name: &str) {
    let choices = model.frame_choices();
    let exact = choices.iter().find(|choice| choice.name() == name);
    let found = exact.or_else(|| choices.iter().find(|choice| choice.name().starts_with(name)));
    if let Some(choice) = found {
        return choose(model, *choice);
    }
    let known: Vec<&str> = choices.into_iter().map(FrameChoice::name).collect();
    model.notify(format!("there is no view {:?}; the views are {}", sanitize(name), known.join(", ")));
}

/// Chooses the form of pictures by its name until the program ends; `auto` is the best that the terminal has.
pub(super) fn set_form(model: &mut Model, name: &str) {
    let form = PictureForm::by_name(name);
    if form.is_none() && name != "auto" {
        let known = PictureForm::ALL.map(PictureForm::name).join(", ");
        return model.notify(format!("there is no form {:?}; the forms are auto, {known}", sanitize(name)));
    }
    model.device.chosen_form = form.map_or(ChosenForm::Auto, ChosenForm::Form);
    say_form(model);
}

/// Shows the frame before beside this one, or only this one.
pub(super) fn toggle_before(model: &mut Model) {
    model.frame.before_and_after = !model.frame.before_and_after;
    if !model.frame.before_and_after {
        return model.notify("the frame is shown without the one before");
    }
    model.frame.as_sent = false;
    let words = match model.earlier_step() {
        Some(earlier) => format!("the frame is shown with that of step {}", earlier.number),
        None => "this step has no step before it".to_owned(),
    };
    model.notify(words);
}

/// Draws the action of the step onto its frame, or not.
pub(super) fn toggle_overlay(model: &mut Model) {
    model.frame.overlay = !model.frame.overlay;
    model.frame.as_sent &= !model.frame.overlay;
    model.notify(match model.frame.overlay {
        false => "the action is not drawn",
        true if model.action_has_place() || model.shown_drawing().is_some() => {
            "the action is drawn onto the frame"
        }
        true => {
            "actions are drawn onto the frame where they have a place in it; the one of this step has none"
        }
    });
}

/// Marks what analyses claim, or no longer.
pub(super) fn toggle_claims(model: &mut Model) {
    model.frame.claims.is_shown = !model.frame.claims.is_shown;
    let has_claims = model.episode().is_some_and(|viewed| viewed.snapshot.perception.probes.is_some());
    model.notify(match model.frame.claims.is_shown {
        false => "claims of analyses are not marked",
        true if has_claims => "claims of analyses of finished steps are marked",
        true => "claims of analyses are marked where they can be read; those of this environment cannot",
    });
}

/// Says which form pictures have, and why.
pub(super) fn say_form(model: &mut Model) {
    let (form, why) = model.picture_form();
    model.notify(format!("pictures: {}; {why}", form.name()));
}

/// Shows the bytes that are sent in the status line, or no longer.
pub(super) fn toggle_traffic(model: &mut Model) {
    model.device.link.is_shown = !model.device.link.is_shown;
    let words = if model.device.link.is_shown { "shows" } else { "no longer shows" };
    model.notify(format!("the status line {words} the bytes of a step and of a second"));
}

/// Chooses how the link to the terminal is treated until the program ends.
pub(super) fn set_link(model: &mut Model, name: &str) {
    let Some(link) = LinkSetting::ALL.into_iter().find(|link| link.name() == name) else {
        let known = LinkSetting::ALL.map(LinkSetting::name).join(", ");
        return model.notify(format!("there is no link {:?}; the links are {known}", sanitize(name)));
    };
    model.device.link.setting = link;
    model.notify(format!("link: {name}"));
}

fn choose(model: &mut Model, choice: FrameChoice) {
    model.choose_frame(choice);
    model.panes.scroll[Pane::Frame as usize] = 0;
    let colorless = model.appearance.settings.depth == ColorDepth::None;
    let is_picture = !matches!(choice, FrameChoice::Text | FrameChoice::Drawing);
    if is_picture && colorless && model.shown_boxes().is_none() {
        let form = if model.shown_drawing().is_some() { "a drawing" } else { "text" };
        model.notify(format!("this terminal has no colors, so the frame is shown as {form}"));
    }
}

/// Shows a later page of the views, or a later picture of the step; the first one follows the last.
pub(super) fn next_picture(model: &mut Model, by: u32) {
    let by = usize::try_from(by).unwrap_or(1);
    if let Some((index, pages)) = model.shown_page().map(|shown| (shown.index, shown.pages)) {
        return match pages {
            1 => model.notify("this view has one page"),
            _ => model.frame.page = (index + by) % pages,
        };
    }
    match model.shown_picture().map(|shown| (shown.number, shown.count)) {
        None => model.notify("this step has no picture"),
        Some((_, 1)) => model.notify("this step has one picture"),
        Some((number, count)) => {
            model.frame.picture = (number - 1 + by) % count;
            model.panes.scroll[Pane::Frame as usize] = 0;
        }
    }
}

/// Shows a page of the views, or a picture of the step, by its number.
pub(super) fn show_picture(model: &mut Model, number: usize) {
    let pages = model.shown_page().map(|shown| shown.pages);
    let count = pages.unwrap_or_else(|| model.shown_picture().map_or(0, |shown| shown.count));
    let what = if pages.is_some() { "page" } else { "picture" };
    match number.checked_sub(1).filter(|index| *index < count) {
        Some(index) if pages.is_some() => model.frame.page = index,
        Some(index) => model.frame.picture = index,
        None if count == 0 => model.notify("this step has no picture"),
        None => model.notify(format!("there is no {what} {number}; the {what}s are 1 to {count}")),
    }
}

/// Magnifies the picture of the frame, or shows more of it; false if it cannot be magnified.
pub(super) fn change_factor(model: &mut Model, larger: bool, times: u32) -> bool {
    let Some(shown) = view::shown_frame(model).filter(ShownFrame::can_magnify) else { return false };
    let room = model.picture_room(shown.area.as_size());
    let change = |zoom, _| PictureZoom::changed(zoom, larger, shown.picture, room);
    let zoom = (0..times.min(MAX_CHANGES)).fold(model.frame.zoom, change);
    if zoom == model.frame.zoom {
        model.notify(if larger { "the picture is at its largest" } else { "the whole picture is shown" });
    }
    model.frame.zoom = zoom;
    true
}

/// Magnifies the picture of the frame by this factor.
pub(super) fn magnify(model: &mut Model, factor: u32) {
    let Some(shown) = view::shown_frame(model) else {
        return model.notify("the frame is not shown as a picture");
    };
    let room = model.picture_room(shown.area.as_size());
    let zoom = model.frame.zoom.with_factor(factor, shown.picture, room);
    let is_limited = (zoom.factor() - f64::from(factor.max(1))).abs() > f64::EPSILON;
    model.frame.zoom = zoom;
    if is_limited {
        model.notify(format!("this picture is magnified at most ×{}", decimal(zoom.factor())));
    }
}

/// Fits a magnified picture to the focused frame pane; false if none is magnified.
pub(super) fn fit(model: &mut Model) -> bool {
    let magnified = model.panes.focus == Pane::Frame && is_magnified(model);
    if magnified {
        model.frame.zoom = PictureZoom::default();
    }
    magnified
}

fn is_magnified(model: &Model) -> bool {
    view::shown_frame(model).is_some_and(|shown| shown.is_magnified())
}

/// Pans a magnified picture; false if the picture is shown in full.
pub(super) fn pan(model: &mut Model, arrow: Arrow, times: u32) -> bool {
    let Some(shown) = view::shown_frame(model).filter(ShownFrame::is_magnified) else {
        return false;
    };
    let by = i32::try_from(times).unwrap_or(i32::MAX);
    let steps: PanSteps = match arrow {
        Arrow::Left => (-by, 0),
        Arrow::Right => (by, 0),
        Arrow::Up => (0, -by),
        Arrow::Down => (0, by),
    };
    let room = model.picture_room(shown.area.as_size());
    model.frame.zoom = model.frame.zoom.panned(steps, shown.picture, room);
    true
}

/// The pixel of the picture at a cell of the screen.
fn pixel_at(model: &Model, at: Position) -> Option<(u32, u32)> {
    let shown = view::shown_frame(model)?;
    shown.placement.pixel_at(shown.area, at)
}

/// The state at which a person decides, if one does.
fn awaited(model: &Model) -> Option<(&'static dyn ObservationInspector, &Observation)> {
    let viewed = model.episode()?;
    let waits = viewed.is_human() && !viewed.looks_back() && viewed.snapshot.run.waiting == Waiting::Ask;
    let seen = &viewed.step().filter(|_| waits)?.observation;
    Some((viewed.snapshot.presentation.inspector?, seen))
}

/// The action of a person who clicks at a pixel of the newest picture, where an answer is a place.
fn action_at(model: &Model, (x, y): (u32, u32)) -> Option<Action> {
    let (inspector, seen) = awaited(model)?;
    let shown = view::shown_frame(model)?.picture;
    // Pages of people have the size of the picture that an agent would be shown.
    let first =
        seen.picture().map_or((shown.width(), shown.height()), |first| (first.width(), first.height()));
    let pixel = |at: u32, side: u32, shown: u32| {
        u32::try_from(u64::from(at) * u64::from(side) / u64::from(shown.max(1))).unwrap_or(at)
    };
    let at = (pixel(x, first.0, shown.width()), pixel(y, first.1, shown.height()));
    inspector.action_at(seen, at)
}

/// The same of a cell of a drawing.
fn action_at_cell(model: &Model, at: Position) -> Option<Action> {
    let (inspector, seen) = awaited(model)?;
    inspector.action_at(seen, view::drawn_pixel(model, at)?)
}

/// Answers with the place at a cell if a person is asked for one. Otherwise selects the pair of boxes there, or moves that
/// place of a magnified picture into the middle.
pub(super) fn click(model: &mut Model, at: Position, effects: &mut Vec<Effect>) {
    if let Some(action) = action_at_cell(model, at) {
        return person::play_place(model, &action, effects);
    }
    let Some((x, y)) = pixel_at(model, at) else { return };
    if let Some(action) = action_at(model, (x, y)) {
        return person::play_place(model, &action, effects);
    }
    let pair = model.shown_boxes().and_then(|boxes| boxes.pair_at(x.into(), y.into()));
    let page = model.shown_view().map(|shown| shown.index);
    match (pair, page) {
        (Some(pair), Some(page)) => model.select_pair(PairPlace { page, pair }),
        _ if is_magnified(model) => model.frame.zoom = model.frame.zoom.centered_at((x, y)),
        _ => {}
    }
}

/// Magnifies the picture around a cell, or shows more of it; false if there is no picture at the cell that can be
/// magnified.
pub(super) fn wheel(model: &mut Model, at: Position, larger: bool) -> bool {
    let Some(pixel) = pixel_at(model, at) else { return false };
    if larger {
        model.frame.zoom = model.frame.zoom.centered_at(pixel);
    }
    change_factor(model, larger, 1)
}
