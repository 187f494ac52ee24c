//! The frame as a drawing in cells.

use super::*;
use crate::update::{Msg, update};
use mageyard_config::PictureForm;

fn press(model: &mut Model, keys: &str) {
    for name in keys.split(' ') {
        update(model, Msg::Key(testing::key(name)));
        model.prepare();
    }
}

/// A page whose environment draws it in cells, on a screen of this size.
fn drawn(width: u16, height: u16) -> Model {
    testing::page_model("a drawn page", true, width, height)
}

/// The title of the frame pane.
fn title(model: &Model) -> String {
    screen_text(model).lines().next().unwrap_or_default().to_owned()
}

#[test]
fn a_terminal_without_pixels_shows_the_drawing_and_one_with_pixels_the_picture() {
    let mut model = drawn(200, 50);
    assert!(model.shown_drawing().is_some() && !crate::view::shows_picture(&model));
    assert!(title(&model).contains("step 7 of 50 · drawing"), "{}", title(&model));
    assert!(screen_text(&model).contains("@ in cells"), "{}", screen_text(&model));
    for form in [PictureForm::Kitty, PictureForm::Iterm2, PictureForm::Sixel] {
        model.appearance.settings.pictures = Some(form);
        assert!(model.shown_drawing().is_none() && crate::view::shows_picture(&model), "{form:?}");
    }
    model.appearance.settings.pictures = Some(PictureForm::HalfBlocks);
    model.appearance.settings.depth = ColorDepth::None;
    assert!(model.shown_drawing().is_some());
    model.appearance.settings.linear = true;
    assert!(model.shown_drawing().is_none(), "the linear mode has texts");
}

#[test]
fn v_goes_round_views_picture_drawing_and_text() {
    let mut model = drawn(200, 50);
    let mut titles = Vec::new();
    for _ in 0..8 {
        press(&mut model, "v");
        titles.push(
            title(&model).split(" · ").nth(1).unwrap_or_default().split(' ').next().unwrap().to_owned(),
        );
    }
    assert_eq!(titles[1..7], ["page", "wanted", "side", "difference", "pairs", "picture"]);
    assert_eq!(titles[7], "drawing");
    press(&mut model, "s");
    assert!(model.shown_drawing().is_none(), "what was sent is no drawing");
}

#[test]
fn a_film_and_an_action_are_drawn_too() {
    let mut model = drawn(120, 40);
    press(&mut model, "o");
    assert!(screen_text(&model).contains("in cells"), "{}", screen_text(&model));
    assert!(!crate::view::words_of(&model, Pane::Frame).is_empty(), "the words of a drawing can be searched");
}

#[test]
fn the_drawing_at_its_sizes() {
    for (width, height) in [(120, 40), (80, 24), (60, 16)] {
        let model = drawn(width, height);
        assert_snapshot!(format!("drawing-{width}x{height}"), symbols(&render(&model)));
        assert_snapshot!(format!("drawing-styles-{width}x{height}"), roles(&model));
    }
}
