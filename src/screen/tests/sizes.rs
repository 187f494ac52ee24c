//! The screen at different terminal sizes.

use super::*;
use mageyard_engine::RequestContext;

/// A model whose frame is a text of two rows with `columns` columns, and notes.
fn model_with_wide_board(columns: usize, width: u16, height: u16) -> Model {
    let row: String = ('a'..='z').cycle().take(columns).collect();
    let mut told = testing::sample_episode().snapshot();
    let text = format!("{row}\n{row}\n\na wall, b box, c target, d player, e player on a target, f floor");
    let seen = Observation::from_parts(testing::observation(0).parts().to_vec(), text, ());
    let step = Step { observation: seen, ..Step::clone(&told.steps[6]) };
    *told.steps.get_mut(6).unwrap() = step.into();
    testing::with(testing::model_of(told, width, height), |model| model.frame.shown_as = FrameView::Text)
}

/// Every small size, and a third of the larger ones; the sample models take turns.
#[test]
fn every_size_can_be_drawn() {
    let mut dresses = super::themes::sample_models();
    let turns = dresses.len();
    let sizes = (0..=130u16).flat_map(|width| (0..=45u16).map(move |height| (width, height)));
    let wanted = sizes.filter(|(width, height)| (*width < 64 && *height < 18) || width % 3 == height % 3);
    for (turn, (width, height)) in wanted.enumerate() {
        let model = &mut dresses[turn % turns];
        model.size = Size::new(width, height);
        assert_eq!(render(model).area.as_size(), model.size);
    }
}

#[test]
fn a_screen_drawn_while_it_shrinks_does_not_break() {
    let model = testing::model(120, 40);
    let mut gallery = mageyard_terminal::FrameCache::default();
    crate::view::prepare_frame(&model, ratatui::layout::Rect::new(0, 0, 120, 40), &mut gallery);
    for (width, height) in [(60, 16), (61, 40), (1, 1), (0, 0), (110, 30), (200, 70)] {
        let area = ratatui::layout::Rect::new(0, 0, width, height);
        crate::view::draw(&model, &gallery, area, &mut Buffer::empty(area));
    }
}

#[test]
fn below_the_smallest_size_a_message_is_shown() {
    let text = symbols(&render(&text_model(59, 16)));
    assert_eq!(
        text.trim(),
        "The screen needs 60x16 cells; this terminal has 59x16.\nEnlarge it, or press q to quit."
    );
    assert!(symbols(&render(&text_model(60, 15))).starts_with("The screen needs 60x16"));
}

#[test]
fn a_wide_board_is_marked_and_its_notes_are_wrapped() {
    let mut model = model_with_wide_board(60, 80, 24);
    let text = screen_text(&model);
    // 38 columns are shown.
    assert!(text.contains("│abcdefghijklmnopqrstuvwxyzabcdefghijk…│"), "{text}");
    assert!(
        text.contains("│ a wall, b box, c target, d player, e ││")
            && text.contains("│ player on a target, f floor"),
        "{text}"
    );
    model.frame.sideways = 500;
    let text = screen_text(&model);
    assert!(text.contains("│…xyzabcdefghijklmnopqrstuvwxyzabcdefgh│"), "{text}");
    let text = screen_text(&model_with_wide_board(10, 80, 24));
    assert!(text.contains(&format!("│{0}abcdefghij{0}│", " ".repeat(14))), "{text}");
}

#[test]
fn a_picture_that_would_be_too_small_is_drawn_as_text_by_default() {
    for (width, height, small) in [(120, 40, false), (80, 24, false), (60, 16, false), (80, 16, false)] {
        let text = screen_text(&testing::model(width, height));
        assert_eq!(text.contains("too small for the picture; v draws it"), small, "{width}x{height}\n{text}");
    }
    let mut told = testing::sample_episode().snapshot();
    let parts =
        vec![ObservationPart::Image(Picture::new(208, 208, 16, vec![90; 208 * 208 * 3]).unwrap().into())];
    let seen_there = Observation::from_parts(parts, testing::observation(0).text().clone(), ());
    *told.steps.get_mut(6).unwrap() = Step { observation: seen_there, ..Step::clone(&told.steps[6]) }.into();
    for (width, height, small) in [(120, 40, false), (80, 24, true), (60, 16, true)] {
        let mut model = testing::model_of(told.clone(), width, height);
        let text = screen_text(&model);
        let noted = text.contains("too small for the picture; v draws it") && text.contains("# $ $ #");
        assert_eq!((noted, text.contains("208×208 px")), (small, !small), "{width}x{height}\n{text}");
        model.frame.shown_as = FrameView::Picture;
        assert!(screen_text(&model).contains("208×208 px"));
    }
}

#[test]
fn the_editor_is_as_tall_as_its_text_needs() {
    for (width, height) in [(120, 40), (80, 24)] {
        let form = Some(ReplyFormat::headings("# analyze", "# action", false));
        let mut model = testing::model_of(
            {
                let base = testing::sample_episode().snapshot();
                Snapshot { requests: RequestContext { form, ..base.requests.clone() }, ..base }
            },
            width,
            height,
        );
        let rows = |model: &Model| {
            let text = screen_text(model);
            let at = |words: &str| text.lines().position(|line| line.contains(words)).unwrap();
            at("cancels ").max(at("Ctrl-E")) - at("Edit the") + 1
        };
        let press = |model: &mut Model, keys: &str| {
            for key in keys.split(' ') {
                crate::update::update(model, crate::update::Msg::Key(testing::key(key)));
            }
        };
        press(&mut model, "e");
        assert!(rows(&model) <= 7, "{}", screen_text(&model));
        press(&mut model, "ctrl-r");
        let reply = rows(&model);
        assert!((9..20).contains(&reply), "{}", screen_text(&model));
        press(&mut model, "enter enter enter enter enter");
        assert!(rows(&model) > reply, "the editor grows with the text\n{}", screen_text(&model));
        press(&mut model, &["enter"; 60].join(" "));
        let panes = usize::from(height - crate::pane::footer_height(width));
        assert_eq!(rows(&model), panes, "the editor covers at most the panes");
    }
}

#[test]
fn the_status_always_shows_the_number_of_images() {
    for (width, height) in [(60, 16), (80, 24), (110, 30), (120, 40), (200, 60)] {
        for cursor in [None, Some(2)] {
            for reference in ["sokoban/mini/7", "/a/very/long/way/to/some/levels/of/my/own/collection.xsb#12"]
            {
                let mut told = testing::sample_episode().snapshot();
                let head = Head { reference: reference.into(), ..Head::clone(&told.head) };
                told.head = head.into();
                let mut model = testing::model_of(told, width, height);
                model.episodes[0].cursor = cursor;
                let text = screen_text(&model);
                assert!(text.contains("AM 3 OM 2 · 2 images"), "{width}x{height} {cursor:?}\n{text}");
            }
        }
    }
}
