//! The mouse.

use super::*;

fn mouse(model: &mut Model, kind: MouseEventKind, column: u16, row: u16) -> Vec<Effect> {
    let event = MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE };
    update(model, Msg::Mouse(event))
}

#[test]
fn the_mouse_focuses_looks_and_scrolls() {
    let mut model = testing::model(120, 40);
    let press = MouseEventKind::Down(MouseButton::Left);
    assert!(mouse(&mut model, press, 60, 10).is_empty());
    assert_eq!(model.focus, Pane::Agent);
    // The filmstrip begins at column 2 of line 34, two columns a step.
    mouse(&mut model, press, 6, 34);
    assert_eq!((model.focus, model.episodes[0].cursor), (Pane::Steps, Some(2)));
    model.size = Size::new(80, 16);
    (model.focus, model.tab) = (Pane::Frame, Pane::Agent);
    command(&mut model, "5");
    mouse(&mut model, MouseEventKind::ScrollDown, 60, 5);
    assert_eq!((model.focus, model.scroll[Pane::Agent as usize]), (Pane::Frame, 3));
    model.dirty = false;
    mouse(&mut model, MouseEventKind::Up(MouseButton::Left), 60, 5);
    mouse(&mut model, press, 500, 500);
    assert!(!model.dirty, "nothing has changed");
}

#[test]
fn the_mouse_does_not_reach_through_a_sheet() {
    let mut model = testing::model(120, 40);
    press(&mut model, "?");
    mouse(&mut model, MouseEventKind::Down(MouseButton::Left), 60, 10);
    assert_eq!(model.focus, Pane::Frame);
}
