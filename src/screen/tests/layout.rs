//! The layout of the panes at different sizes, and its borders moved by keys.

use ratatui::layout::Rect;

use super::*;
use crate::layout::areas;
use crate::update::{Msg, update};

fn panes(model: &Model) -> Vec<(Pane, Rect)> {
    areas(model, Rect::new(0, 0, model.size.width, model.size.height)).unwrap().panes
}

fn area(model: &Model, pane: Pane) -> Rect {
    panes(model).into_iter().find(|(shown, _)| *shown == pane).unwrap().1
}

fn press(model: &mut Model, keys: &str) {
    for key in keys.split_whitespace() {
        update(model, Msg::Key(testing::key(key)));
    }
}

#[test]
fn panes_fill_the_screen_without_overlap() {
    for (width, height) in [
        (60, 34),
        (60, 56),
        (60, 80),
        (80, 24),
        (80, 50),
        (110, 30),
        (120, 40),
        (180, 16),
        (200, 60),
        (300, 20),
    ] {
        for moves in ["", "> > >", "< < < < < <", "> > > > > > > > > > > >"] {
            for focus in Pane::ALL {
                let mut model = testing::with(testing::model(width, height), |model| {
                    model.panes.focus = focus;
                    model.panes.tab = focus;
                });
                press(&mut model, moves);
                let shown = panes(&model);
                let body = height - crate::pane::footer_height(width);
                let cells: u32 = shown.iter().map(|(_, area)| area.area()).sum();
                assert_eq!(cells, u32::from(width) * u32::from(body), "{width}x{height} {moves} {shown:?}");
                for (index, (_, one)) in shown.iter().enumerate() {
                    assert!(one.width >= 28 && one.height >= 5, "{width}x{height} {moves} {shown:?}");
                    assert!(shown[index + 1..].iter().all(|(_, two)| one.intersection(*two).is_empty()));
                }
            }
        }
    }
}

#[test]
fn tall_and_very_wide_terminals_show_all_panes() {
    for (width, height) in [(60, 56), (60, 80), (80, 44), (109, 60), (110, 30), (180, 20), (300, 20)] {
        assert_eq!(panes(&testing::model(width, height)).len(), 5, "{width}x{height}");
    }
}

#[test]
fn the_agent_gets_what_the_picture_leaves() {
    for (width, height, frame, agent) in
        [(120, 40, 44, 46), (80, 24, 37, 43), (300, 20, 30, 202), (200, 60, 79, 83)]
    {
        let model = testing::model(width, height);
        assert_eq!(
            (area(&model, Pane::Frame).width, area(&model, Pane::Agent).width),
            (frame, agent),
            "{width}x{height}"
        );
    }
}

#[test]
fn the_borders_move_with_keys_and_stay_for_the_session() {
    let mut model = testing::model(120, 40);
    let before = area(&model, Pane::Frame);
    press(&mut model, "> >");
    assert_eq!(area(&model, Pane::Frame).width, before.width + 8);
    press(&mut model, "tab >");
    assert_eq!(area(&model, Pane::Frame).width, before.width + 4, "the agent takes from the frame");
    press(&mut model, "tab 2 >");
    assert_eq!(area(&model, Pane::Memory).width, 38);
    press(&mut model, "3 0 >");
    assert!(model.notice.is_none());
    press(&mut model, ">");
    let notice = model.notice.clone().unwrap();
    assert!(notice.contains("Memory cannot be larger"), "{notice}");
    let kept = model.panes.proportions;
    let other = testing::sample_episode().snapshot();
    update(&mut model, Msg::Opened(Ok(other.into())));
    assert_eq!(model.panes.proportions, kept);
    let mut tall = testing::model(60, 80);
    let before = area(&tall, Pane::Frame);
    press(&mut tall, ">");
    assert_eq!(area(&tall, Pane::Frame).height, before.height + 2);
}

#[test]
fn rows_move_with_keys_and_a_reset_restores_the_settings() {
    let mut model = testing::model(120, 40);
    let height = |model: &Model, pane| area(model, pane).height;
    let steps = height(&model, Pane::Steps);
    let score = height(&model, Pane::Score);
    press(&mut model, "g t ctrl-w + ctrl-w +");
    assert_eq!(height(&model, Pane::Steps), steps + 4);
    press(&mut model, "ctrl-w -");
    assert_eq!(height(&model, Pane::Steps), steps + 2);
    press(&mut model, "g m 2 ctrl-w -");
    assert_eq!(height(&model, Pane::Score), score + 4, "memory gives its rows to the score");
    press(&mut model, "g a ctrl-w +");
    assert!(model.notice.clone().unwrap().contains("Agent cannot be taller"), "{:?}", model.notice);
    press(&mut model, "ctrl-w =");
    assert_eq!(model.panes.proportions, mageyard_terminal::Proportions::default());
    model.appearance.settings.layout = mageyard_terminal::Proportions::percent([50, 0, 0, 0]);
    press(&mut model, "ctrl-w =");
    assert_eq!(area(&model, Pane::Frame).width, 60);
}

#[test]
fn sizes_follow_the_terminal_and_are_said_as_lines_of_the_settings() {
    let mut model = testing::model(120, 40);
    model.panes.proportions = mageyard_terminal::Proportions::percent([40, 30, 0, 0]);
    assert_eq!((area(&model, Pane::Frame).width, area(&model, Pane::Memory).width), (48, 36));
    model.size.width = 150;
    assert_eq!((area(&model, Pane::Frame).width, area(&model, Pane::Memory).width), (60, 45));
    press(&mut model, ": l a y o u t enter");
    let notice = model.notice.clone().unwrap();
    assert!(notice.contains("below [layout] in config.toml: frame = 40, side = 30"), "{notice}");
}
