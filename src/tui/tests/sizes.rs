//! What a screen of each size has room for.

use super::*;

/// The hall of a level of so many columns and rows, as text alone.
fn wide(columns: usize, width: u16, height: u16) -> Model {
    let row: String = ('a'..='z').cycle().take(columns).collect();
    let mut told = testing::story().snapshot();
    let text = format!("{row}\n{row}\n\na wall, b box, c target, d player, e player on a target, f floor");
    let seen = Observation::told(testing::observation(0).parts().to_vec(), text, ());
    let step = Step { seen, ..Step::clone(&told.steps[6]) };
    told.steps[6] = step.into();
    Model { view: View::Text, ..testing::on(told, width, height) }
}

/// Every small size, and beyond it every third; the dresses take turns.
#[test]
fn no_size_is_too_small_or_too_odd() {
    let mut dresses = super::dresses::wardrobe();
    let turns = dresses.len();
    let sizes = (0..=130u16).flat_map(|width| (0..=45u16).map(move |height| (width, height)));
    let wanted = sizes.filter(|(width, height)| (*width < 64 && *height < 18) || width % 3 == height % 3);
    for (turn, (width, height)) in wanted.enumerate() {
        let model = &mut dresses[turn % turns];
        model.size = Size::new(width, height);
        assert_eq!(picture(model).area.as_size(), model.size);
    }
}

#[test]
fn a_screen_drawn_while_it_shrinks_does_not_break() {
    let model = testing::model(120, 40);
    let mut gallery = crate::tui::picture::Gallery::default();
    crate::tui::view::prepare(&model, ratatui::layout::Rect::new(0, 0, 120, 40), &mut gallery);
    for (width, height) in [(60, 16), (61, 40), (1, 1), (0, 0), (110, 30), (200, 70)] {
        let area = ratatui::layout::Rect::new(0, 0, width, height);
        crate::tui::view::draw(&model, &gallery, area, &mut Buffer::empty(area));
    }
}

#[test]
fn below_the_smallest_size_there_is_a_sentence() {
    let text = symbols(&picture(&plain(59, 16)));
    assert_eq!(
        text.trim(),
        "The screen needs 60x16 cells; this terminal has 59x16.\nEnlarge it, or press q to leave."
    );
    assert!(symbols(&picture(&plain(60, 15))).starts_with("The screen needs 60x16"));
}

#[test]
fn a_board_beyond_the_pane_is_marked_and_the_words_below_it_are_wrapped() {
    let mut model = wide(60, 80, 24);
    let text = seen(&model);
    // 38 columns are shown.
    assert!(text.contains("│abcdefghijklmnopqrstuvwxyzabcdefghijk…│"), "{text}");
    assert!(
        text.contains("│ a wall, b box, c target, d player, e ││")
            && text.contains("│ player on a target, f floor"),
        "{text}"
    );
    model.sideways = 500;
    let text = seen(&model);
    assert!(text.contains("│…xyzabcdefghijklmnopqrstuvwxyzabcdefgh│"), "{text}");
    let text = seen(&wide(10, 80, 24));
    assert!(text.contains(&format!("│{0}abcdefghij{0}│", " ".repeat(14))), "{text}");
}

#[test]
fn a_frame_too_small_for_a_picture_is_text_unless_somebody_asks() {
    for (width, height, small) in [(120, 40, false), (80, 24, false), (60, 16, false), (80, 16, false)] {
        let text = seen(&testing::model(width, height));
        assert_eq!(text.contains("too small for the picture; v draws it"), small, "{width}x{height}\n{text}");
    }
    let mut told = testing::story().snapshot();
    let parts = vec![Part::Picture(Picture::new(208, 208, 16, vec![90; 208 * 208 * 3]).unwrap().into())];
    let seen_there = Observation::told(parts, testing::observation(0).text().clone(), ());
    told.steps[6] = Step { seen: seen_there, ..Step::clone(&told.steps[6]) }.into();
    for (width, height, small) in [(120, 40, false), (80, 24, true), (60, 16, true)] {
        let mut model = testing::on(told.clone(), width, height);
        let text = seen(&model);
        let noted = text.contains("too small for the picture; v draws it") && text.contains("# $ $ #");
        assert_eq!((noted, text.contains("208×208 px")), (small, !small), "{width}x{height}\n{text}");
        model.view = View::Picture;
        assert!(seen(&model).contains("208×208 px"));
    }
}

#[test]
fn the_editor_is_as_tall_as_its_text_needs() {
    for (width, height) in [(120, 40), (80, 24)] {
        let form = Some(Form::headings("# analyze", "# action", false));
        let mut model = testing::on(Snapshot { form, ..testing::story().snapshot() }, width, height);
        let rows = |model: &Model| {
            let text = seen(model);
            let at = |words: &str| text.lines().position(|line| line.contains(words)).unwrap();
            at("leaves ").max(at("Ctrl-E")) - at("Edit the") + 1
        };
        let press = |model: &mut Model, keys: &str| {
            for key in keys.split(' ') {
                crate::tui::update::update(model, crate::tui::update::Msg::Key(testing::key(key)));
            }
        };
        press(&mut model, "e");
        assert!(rows(&model) <= 7, "{}", seen(&model));
        press(&mut model, "ctrl-r");
        let reply = rows(&model);
        assert!((9..20).contains(&reply), "{}", seen(&model));
        press(&mut model, "enter enter enter enter enter");
        assert!(rows(&model) > reply, "it grows with the text\n{}", seen(&model));
        press(&mut model, &["enter"; 60].join(" "));
        let panes = usize::from(height - crate::tui::pane::below(width));
        assert_eq!(rows(&model), panes, "and no further than the panes");
    }
}

#[test]
fn the_count_of_images_is_always_there() {
    for (width, height) in [(60, 16), (80, 24), (110, 30), (120, 40), (200, 60)] {
        for cursor in [None, Some(2)] {
            for reference in ["sokoban/mini/7", "/a/very/long/way/to/some/levels/of/my/own/collection.xsb#12"]
            {
                let mut told = testing::story().snapshot();
                let head = Head { reference: reference.into(), ..Head::clone(&told.head) };
                told.head = head.into();
                let mut model = testing::on(told, width, height);
                model.episodes[0].cursor = cursor;
                let text = seen(&model);
                assert!(text.contains("AM 3 OM 2 · 2 images"), "{width}x{height} {cursor:?}\n{text}");
            }
        }
    }
}
