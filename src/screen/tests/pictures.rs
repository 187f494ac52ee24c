//! The frame before beside the present one, the action on the frame, thumbnails, and each form of pictures.

use super::*;
use crate::update::{Msg, update};
use mageyard_config::PictureForm;
use mageyard_domain::{
    Action, ActionShape, BlobRef, DetailsError, Observation, ObservationDetails, ObservationInspector,
    PartId, Presentation, SentImage, SentRequest,
};
use mageyard_engine::Snapshot;
use mageyard_terminal::{FrameCache, PicturePane};

/// An environment whose action is an arrow to the right.
#[derive(Debug)]
struct Arrows;

impl ObservationInspector for Arrows {
    fn inspect(&self, _: &Observation) -> Result<ObservationDetails, DetailsError> {
        Ok(ObservationDetails::default())
    }

    fn action_shapes(&self, _: &Observation, action: &Action) -> Vec<ActionShape> {
        let arrow = ActionShape::Arrow { from: (24, 56), to: (72, 56) };
        let point = ActionShape::Point { at: (8, 8), label: format!("{}\u{1b}[2J", action.name) };
        vec![arrow, point]
    }
}

fn model(width: u16, height: u16) -> Model {
    let snapshot = {
        let base = testing::sample_episode().snapshot();
        Snapshot { presentation: Presentation { inspector: Some(&Arrows), ..base.presentation }, ..base }
    };
    let mut model = testing::model_of(snapshot, width, height);
    model.prepare();
    model
}

fn press(model: &mut Model, keys: &str) {
    for name in keys.split(' ') {
        update(model, Msg::Key(testing::key(name)));
        model.prepare();
    }
}

/// The text of the screen and the sequences after it, with pictures in this form.
fn drawn(model: &Model, cache: &mut FrameCache) -> (String, String) {
    let area = ratatui::layout::Rect::new(0, 0, model.size.width, model.size.height);
    let mut buffer = ratatui::buffer::Buffer::empty(area);
    crate::view::prepare_frame(model, area, cache);
    crate::view::draw(model, cache, area, &mut buffer);
    let sequences = cache.finish(&mut buffer);
    (symbols(&buffer), sequences)
}

#[test]
fn lines_around_changes_stand_out_on_pictures_in_dark_and_light_themes() {
    for name in ["dark", "light"] {
        let mut model = model(160, 50);
        model.look.theme = mageyard_terminal::Theme::named(name).unwrap();
        press(&mut model, "0 l B z");
        let buffer = render(&model);
        let role = model.style(mageyard_terminal::StyleRole::BoxFirst).fg;
        let lines: Vec<_> = buffer.content.iter().filter(|cell| cell.symbol() == "┐").collect();
        let line = lines.iter().find(|cell| cell.style().fg == role).unwrap();
        let ground = model.style(mageyard_terminal::StyleRole::Background).bg;
        assert_eq!(line.style().bg == ground, name == "light", "{name}: {line:?}");
    }
}

#[test]
fn an_action_without_a_place_on_the_frame_is_said_to_have_none() {
    let mut with_place = model(120, 40);
    press(&mut with_place, "0 o");
    assert_eq!(with_place.notice.as_deref(), Some("the action is drawn onto the frame"));
    let mut without = testing::model_of(testing::sample_episode().snapshot(), 120, 40);
    without.prepare();
    press(&mut without, "0 o");
    assert!(without.notice.as_deref().unwrap().ends_with("the one of this step has none"));
}

#[test]
fn the_frame_before_is_shown_with_what_has_changed() {
    let mut model = model(160, 50);
    press(&mut model, "0 l B");
    let text = screen_text(&model);
    assert!(text.contains("before: step 1") && text.contains("after: step 2"), "{text}");
    assert!(text.contains("before and after"), "{text}");
    let pair = model.shown_pair().expect("both steps have a frame").label();
    assert!(pair.starts_with("changed: ") && pair.contains(" px at ("), "{pair}");
    assert!(text.contains(&pair[..30]), "{text}");
    press(&mut model, "0");
    assert!(screen_text(&model).contains("no earlier frame: this is the first step"));
    press(&mut model, "l B");
    assert!(model.shown_pair().is_none() && !screen_text(&model).contains("before: step"));
}

#[test]
fn in_text_the_changed_squares_are_reversed() {
    let mut model = model(120, 40);
    press(&mut model, "0 l B v");
    let text = screen_text(&model);
    assert!(text.contains("changed: "), "{text}");
    let screen = render(&model);
    let reversed = |cell: &&ratatui::buffer::Cell| {
        cell.modifier.contains(ratatui::style::Modifier::REVERSED) && "@$. ".contains(cell.symbol())
    };
    assert!(screen.content.iter().filter(reversed).count() >= 2, "{text}");
}

#[test]
fn the_action_is_drawn_in_cells_and_in_pixels_where_there_are_some() {
    let mut model = model(160, 50);
    press(&mut model, "h");
    assert!(!screen_text(&model).contains('→'));
    press(&mut model, "o");
    let text = screen_text(&model);
    assert!(text.contains("━→") && text.contains("◎ "), "{text}");
    assert!(!text.contains('\u{1b}') && text.contains('␛'), "labels are escaped");
    model.device.chosen_form = mageyard_terminal::ChosenForm::Form(PictureForm::Sixel);
    let mut cache = FrameCache::default();
    cache.set_form(PictureForm::Sixel, None, true, false);
    let (text, marked) = drawn(&model, &mut cache);
    assert!(!text.contains('→'), "{text}");
    press(&mut model, "o");
    let (_, plain) = drawn(&model, &mut cache);
    assert!(!plain.is_empty() && plain.len() < marked.len(), "only the cells of the marks are sent again");
}

#[test]
fn a_terminal_with_pixels_has_thumbnails_of_the_steps_around_the_shown_one() {
    let mut model = model(120, 40);
    let mut cache = FrameCache::default();
    let plain = drawn(&model, &mut cache).0;
    model.device.chosen_form = mageyard_terminal::ChosenForm::Form(PictureForm::Kitty);
    cache.set_form(PictureForm::Kitty, None, true, false);
    let (text, sequences) = drawn(&model, &mut cache);
    let steps = |text: &str| text.lines().position(|line| line.contains(" Steps ")).unwrap_or_default();
    assert!(steps(&text) < steps(&plain), "the filmstrip is higher:\n{text}");
    assert!(sequences.contains("a=T"));
    let numbers = text.lines().rfind(|line| line.contains("▲ 7")).unwrap_or_default();
    assert!(numbers.contains('5') && numbers.contains('6'), "{text}");
    let pane = crate::view::pane_at(&model, (3, 38).into());
    assert_eq!(pane, None, "the status line");
    let row = text.lines().position(|line| line.contains("▲ 7") && line.contains('6')).unwrap();
    let column = text.lines().nth(row).unwrap().chars().position(|letter| letter == '6').unwrap();
    let at = (u16::try_from(column).unwrap(), u16::try_from(row).unwrap()).into();
    assert_eq!(crate::view::step_at(&model, at), Some(5), "a click shows the step");
    model.device.chosen_form = mageyard_terminal::ChosenForm::Form(PictureForm::Braille);
    assert_eq!(steps(&screen_text(&model)), steps(&plain), "without pixels there are ticks only");
}

/// The sample episode whose newest step has these pictures, on a terminal with pixels.
fn with_pictures(count: usize) -> (Model, FrameCache) {
    let mut snapshot = testing::sample_episode().snapshot();
    let part = |moved: usize| testing::observation(moved).parts()[0].clone();
    let observation = Observation::from_parts((0..count).map(part).collect(), "several", ());
    let step = snapshot.steps.get_mut(6).unwrap();
    *step = mageyard_engine::Step { observation, ..mageyard_engine::Step::clone(step) }.into();
    let mut model = testing::model_of(snapshot, 120, 40);
    model.prepare();
    model.device.chosen_form = mageyard_terminal::ChosenForm::Form(PictureForm::Kitty);
    let mut cache = FrameCache::default();
    cache.set_form(PictureForm::Kitty, None, true, false);
    (model, cache)
}

#[test]
fn all_pictures_of_the_shown_step_are_thumbnails() {
    let (mut model, mut cache) = with_pictures(2);
    let text = drawn(&model, &mut cache).0;
    let row = text.lines().position(|line| line.contains("▲ 7") && line.contains("·2"));
    let row = row.unwrap_or_else(|| panic!("the first one of two is shown: {text}"));
    let column = text.lines().nth(row).unwrap().chars().position(|letter| letter == '·').unwrap();
    let at = (u16::try_from(column).unwrap(), u16::try_from(row).unwrap()).into();
    assert_eq!((crate::view::step_at(&model, at), crate::view::picture_at(&model, at)), (Some(6), Some(1)));
    model.choose_picture(1);
    model.prepare();
    assert_eq!(model.shown_picture().unwrap().number, 2);
    let text = drawn(&model, &mut cache).0;
    assert!(text.lines().any(|line| line.contains("▲ ·2") && line.contains('7')), "{text}");
}

/// The bytes of a terminal in letters: printable characters as they are, data of pictures as its length.
fn legible(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes).replace('\u{1b}', "␛");
    let mut shown = String::new();
    for part in text.split_inclusive("␛\\") {
        match part.split_once(';').filter(|_| part.contains("␛_G")) {
            Some((keys, data)) => {
                writeln!(shown, "{keys};[{}]", if data.len() > 40 { "data" } else { data }).unwrap();
            }
            None => writeln!(shown, "{part}").unwrap(),
        }
    }
    shown
}

#[test]
fn each_form_of_pictures_sends_these_bytes() {
    let colors = [[200, 30, 30], [20, 20, 220], [240, 240, 240], [10, 10, 10]];
    let picture = |first: usize| {
        let pixels = (0..32 * 16).flat_map(|at| colors[(at % 32 / 8 + at / 256 + first) % 4]).collect();
        std::sync::Arc::new(mageyard_domain::Picture::new(32, 16, 8, pixels).unwrap())
    };
    let mut all = String::new();
    for form in PictureForm::ALL {
        let mut pane = PicturePane::new(form, (8, 2), (4, 8));
        for (name, first) in [("first", 0), ("step", 1), ("same", 1)] {
            let bytes = pane.show(&picture(first)).unwrap();
            // A picture of iTerm2 is a file in one sequence.
            let text = legible(&bytes);
            let file = text.split_once(':').filter(|_| form == PictureForm::Iterm2);
            let text = file.map_or(text.clone(), |(keys, _)| format!("{keys}:[file]\n"));
            write!(all, "--- {} {name}\n{text}", form.name()).unwrap();
        }
        all.push_str(&pane.rows().join("\n"));
        all.push('\n');
    }
    assert_snapshot!("picture-forms", all);
}

/// The sample episode at its first step, whose frame was sent with 256 pixels a side.
fn with_sent_frame(width: u16, height: u16) -> Model {
    let mut snapshot = testing::sample_episode().snapshot();
    let image = SentImage {
        part: PartId { step: 1, index: 0 },
        blob: BlobRef::of("image/png", b"picture"),
        size: (256, 256),
        bytes: [].into(),
    };
    let sent = SentRequest { frames: vec![image], images: 1, ..SentRequest::default() };
    let step = std::sync::Arc::make_mut(snapshot.steps.get_mut(0).unwrap());
    step.attempts.last_mut().unwrap().sent = Some(sent.into());
    let mut model = testing::model_of(snapshot, width, height);
    model.prepare();
    press(&mut model, "0");
    model
}

#[test]
fn the_title_of_a_frame_has_the_size_that_was_sent_and_the_form_that_is_shown() {
    let text = |model: &Model| drawn(model, &mut FrameCache::default()).0;
    let title = |model: &Model| text(model).lines().next().unwrap_or_default().to_owned();
    let mut model = with_sent_frame(120, 40);
    (model.frame.shown_as, model.panes.zoomed) = (FrameView::Picture, true);
    assert!(title(&model).contains("step 1 of 50 · 256×256 sent · shown 112×112 px"), "{}", title(&model));
    model.frame.shown_as = FrameView::Text;
    assert!(title(&model).contains("256×256 sent · shown as text"), "{}", title(&model));
    model.panes.zoomed = false;
    // Where the title has no room the form is at the lower border.
    for (width, height) in [(120, 40), (80, 24)] {
        let mut model = with_sent_frame(width, height);
        model.frame.shown_as = FrameView::Text;
        assert!(title(&model).contains("256×256 sent"), "{}", text(&model));
        assert!(text(&model).contains("shown as text"), "{}", text(&model));
    }
    model.frame.as_sent = true;
    assert!(title(&model).contains("256×256 as sent"), "{}", title(&model));
    model.frame.as_sent = false;
    // Nothing was sent at the next step, so its title has the size of what is drawn.
    model.frame.shown_as = FrameView::Picture;
    press(&mut model, "l");
    assert!(title(&model).contains("step 2 of 50 · 112×112 px"), "{}", title(&model));
}

#[test]
fn flat_cells_of_a_picture_are_darker_around_a_dialog_and_not_gone() {
    let mut model = with_sent_frame(120, 40);
    model.frame.shown_as = FrameView::Picture;
    let background = model.style(StyleRole::Background).bg.unwrap();
    let before = render(&model);
    let frame = ratatui::layout::Rect::new(1, 1, 20, 8);
    let flat: Vec<_> =
        frame.positions().filter(|at| before[*at].symbol() == " " && before[*at].bg != background).collect();
    assert!(flat.len() > 9, "{}", symbols(&before));
    model.modal = Some(Modal::Abandon);
    let after = render(&model);
    for at in flat {
        assert!(after[at].bg != background && after[at].bg != before[at].bg, "{at:?}\n{}", symbols(&after));
    }
}
