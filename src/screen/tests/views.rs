//! The views of a frame, and the part of its picture that is shown.

use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

use super::*;
use crate::update::{Msg, update};
use mageyard_domain::PairPlace;

fn press(model: &mut Model, keys: &str) {
    for name in keys.split(' ') {
        update(model, Msg::Key(testing::key(name)));
        model.prepare();
    }
}

fn command(model: &mut Model, line: &str) {
    press(model, ":");
    update(model, Msg::Paste(line.into()));
    press(model, "enter");
}

fn page() -> Model {
    testing::page_model("a page", true, 200, 50)
}

/// The title of the frame pane and its bottom line.
fn titles(model: &Model) -> (String, String) {
    let text = screen_text(model);
    let frame = |line: &str| line.split_inclusive(['╮', '╯']).next().unwrap_or_default().to_owned();
    let line = |at: usize| text.lines().nth(at).map(frame).unwrap_or_default();
    let bottom = (1..50).find(|at| line(*at).starts_with('╰')).unwrap_or(0);
    (line(0), line(bottom))
}

#[test]
fn views_are_walked_through_and_named_in_the_title() {
    let mut model = page();
    let mut seen = Vec::new();
    for _ in 0..7 {
        seen.push(model.shown_view().map(|shown| shown.view.name));
        press(&mut model, "v");
    }
    let views = ["page", "wanted", "side by side", "difference", "pairs"].map(Some);
    assert_eq!(seen, [&views[..], &[None, None]].concat(), "then the picture of the agent and the text");
    assert_eq!(model.shown_view().map(|shown| shown.view.name), Some("page"));
    press(&mut model, "2 v");
    let (title, note) = titles(&model);
    assert!(title.contains("step 7 of 50 · side by side · 1296×320 px"), "{title}");
    assert!(note.contains("page 1 of 2: as opened"), "{note}");
    command(&mut model, "view diff");
    assert_eq!(model.shown_view().map(|shown| shown.view.name), Some("difference"));
    command(&mut model, "view nothing");
    let text = screen_text(&model);
    let names = "page, wanted, side by side, difference, pairs, picture, text";
    assert!(text.contains(&format!("there is no view \"nothing\"; the views are {names}")), "{text}");
}

#[test]
fn the_pages_of_a_view_are_walked_through_and_their_titles_are_escaped() {
    let mut model = page();
    press(&mut model, "v i");
    let (_, note) = titles(&model);
    assert!(note.contains("page 2 of 2: after ␛[2J a click"), "{note}");
    press(&mut model, "i");
    assert_eq!(model.shown_view().map(|shown| shown.index), Some(0));
    command(&mut model, "picture 2");
    assert_eq!(model.shown_view().map(|shown| shown.index), Some(1));
    command(&mut model, "picture 3");
    assert!(screen_text(&model).contains("there is no page 3; the pages are 1 to 2"));
}

#[test]
fn a_view_stays_chosen_and_steps_without_it_show_their_frame() {
    let mut model = page();
    press(&mut model, "v h");
    assert!(model.shown_view().is_none() && crate::view::shows_picture(&model));
    press(&mut model, "l");
    assert_eq!(model.shown_view().map(|shown| shown.view.name), Some("wanted"));
    command(&mut model, "view picture");
    assert!(model.shown_view().is_none() && crate::view::shows_picture(&model));
    let mut bare = testing::page_model("a page", false, 120, 40);
    assert_eq!(bare.frame_choices().len(), 6, "there is no picture to choose");
    command(&mut bare, "view picture");
    assert_eq!(bare.shown_view().map(|shown| shown.view.name), Some("page"));
    let broken = testing::page_model("broken", true, 200, 50);
    assert!(broken.shown_view().is_none());
    assert!(
        titles(&broken).1.contains("the details of this observation cannot be shown"),
        "{:?}",
        titles(&broken)
    );
}

#[test]
fn pairs_are_boxes_with_labels_on_any_terminal() {
    let mut model = testing::page_model("a page", true, 120, 40);
    command(&mut model, "view pairs");
    for (name, depth) in [("views-pairs", ColorDepth::TrueColor), ("views-pairs-plain", ColorDepth::None)] {
        model.appearance.settings.depth = depth;
        assert_snapshot!(name, symbols(&render(&model)));
    }
    model.score.selected_pair = Some(PairPlace { page: 0, pair: 2 });
    assert_snapshot!("views-pairs-selected", symbols(&render(&model)));
}

#[test]
fn keys_magnify_pan_and_fit_the_picture() {
    let mut model = page();
    let pace = model.episodes[0].pace();
    press(&mut model, "+ +");
    let (_, note) = titles(&model);
    assert!(note.contains("×2 · ") && note.contains("px at ("), "{note}");
    let before = crate::view::shown_frame(&model).unwrap().placement.crop;
    press(&mut model, "right down");
    let after = crate::view::shown_frame(&model).unwrap().placement.crop;
    assert!(after.left > before.left && after.width == before.width, "{before:?} {after:?}");
    assert_eq!(
        (model.episodes[0].cursor, model.episodes[0].pace()),
        (None, pace),
        "it neither steps nor runs faster"
    );
    press(&mut model, "0");
    assert!(!model.frame.zoom.is_magnified() && model.episodes[0].cursor.is_none());
    press(&mut model, "z + esc");
    assert!(!model.frame.zoom.is_magnified() && model.panes.zoomed, "Esc fits the picture first");
    press(&mut model, "- esc 0");
    assert!(
        !model.panes.zoomed && model.episodes[0].cursor == Some(0),
        "then the keys have their usual meaning"
    );
    command(&mut model, "magnify 4");
    assert!(
        screen_text(&model).contains("this picture is magnified at most") || model.frame.zoom.is_magnified()
    );
}

#[test]
fn the_hint_line_has_the_keys_only_for_pictures_larger_than_the_pane() {
    let mut model = page();
    assert!(screen_text(&model).contains("+ - magnify"), "{}", screen_text(&model));
    press(&mut model, "h");
    assert!(!screen_text(&model).contains("magnify"), "a board of tiles");
}

#[test]
fn the_mouse_magnifies_and_selects_pairs() {
    let mut model = page();
    command(&mut model, "view pairs");
    let area = crate::view::shown_frame(&model).unwrap().area;
    let mouse = |model: &mut Model, kind, column, row| {
        update(model, Msg::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }));
    };
    let middle = (area.x + area.width / 4, area.y + area.height / 2);
    mouse(&mut model, MouseEventKind::Down(MouseButton::Left), middle.0, middle.1);
    assert_eq!(model.score.selected_pair, Some(PairPlace { page: 0, pair: 1 }));
    mouse(&mut model, MouseEventKind::ScrollUp, middle.0, middle.1);
    assert!(model.frame.zoom.is_magnified());
    mouse(&mut model, MouseEventKind::ScrollDown, middle.0, middle.1);
    assert!(!model.frame.zoom.is_magnified());
}

#[test]
fn panning_does_not_decode_the_picture_again() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};
    let times = Arc::new(AtomicU32::new(0));
    let count = times.clone();
    let picture = Picture::painted(1920, 960, 1, move |_| _ = count.fetch_add(1, Ordering::Relaxed)).unwrap();
    let picture = Arc::new(picture);
    let room = Size::new(60, 30);
    let place = mageyard_terminal::PictureRoom::of_characters(room);
    let mut frames = mageyard_terminal::FrameCache::default();
    let mut zoom = mageyard_terminal::PictureZoom::default().with_factor(4, &picture, place);
    for _ in 0..5 {
        frames.prepare(&picture, room, zoom);
        zoom = zoom.panned((1, 0), &picture, place);
    }
    assert_eq!(times.load(Ordering::Relaxed), 1);
    frames.prepare(&picture, room, mageyard_terminal::PictureZoom::default());
    assert_eq!((times.load(Ordering::Relaxed), Arc::strong_count(&picture)), (1, 1));
    frames.prepare(&picture, room, zoom);
    assert_eq!(times.load(Ordering::Relaxed), 2, "the pixels were freed with the fitted picture");
}
