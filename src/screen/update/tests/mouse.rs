//! The mouse.

use super::*;
use crate::requests::Answer;
use mageyard_domain::{DetailsError, Observation, ObservationDetails, ObservationInspector, Presentation};

fn mouse(model: &mut Model, kind: MouseEventKind, column: u16, row: u16) -> Vec<Effect> {
    let event = MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE };
    update(model, Msg::Mouse(event))
}

#[test]
fn the_mouse_focuses_looks_and_scrolls() {
    let mut model = testing::model(120, 40);
    let press = MouseEventKind::Down(MouseButton::Left);
    assert!(mouse(&mut model, press, 60, 10).is_empty());
    assert_eq!(model.panes.focus, Pane::Agent);
    // The filmstrip begins at column 2 of line 34, two columns a step.
    mouse(&mut model, press, 6, 34);
    assert_eq!((model.panes.focus, model.episodes[0].cursor), (Pane::Steps, Some(2)));
    model.size = Size::new(80, 16);
    (model.panes.focus, model.panes.tab) = (Pane::Frame, Pane::Agent);
    command(&mut model, "5");
    mouse(&mut model, MouseEventKind::ScrollDown, 60, 5);
    assert_eq!((model.panes.focus, model.panes.scroll[Pane::Agent as usize]), (Pane::Frame, 3));
    model.dirty = false;
    mouse(&mut model, MouseEventKind::Up(MouseButton::Left), 60, 5);
    mouse(&mut model, press, 500, 500);
    assert!(!model.dirty, "nothing has changed");
}

/// Answers with the half of the picture that is clicked.
#[derive(Debug)]
struct Halves;

impl ObservationInspector for Halves {
    fn inspect(&self, _: &Observation) -> Result<ObservationDetails, DetailsError> {
        Ok(ObservationDetails::default())
    }

    fn action_at(&self, observation: &Observation, (x, _): (u32, u32)) -> Option<Action> {
        let is_left = x < observation.picture()?.width() / 2;
        Some(Action::plain(if is_left { "Left" } else { "Right" }))
    }
}

#[test]
fn a_click_of_a_person_on_the_frame_answers_where_an_answer_is_a_place() {
    let model = |agent: &str| {
        let base = ScriptedEpisode::new(agent, Setting::Online, (5, 1)).snapshot();
        let presentation = Presentation { inspector: Some(&Halves), ..base.presentation };
        testing::model_of(Snapshot { presentation, ..base }, 120, 40)
    };
    let mut person = model("human");
    let area = crate::view::shown_frame(&person).unwrap().area;
    let press = MouseEventKind::Down(MouseButton::Left);
    let middle = area.y + area.height / 2;
    let play = |name| SessionCommand::Play(vec![Action::plain(name)]);
    let left = mouse(&mut person, press, area.x + area.width / 2 - 2, middle);
    let right = mouse(&mut person, press, area.x + area.width / 2 + 2, middle);
    assert_eq!((commands(left), commands(right)), (vec![play("Left")], vec![play("Right")]));
    let mut watched = model("random");
    assert!(mouse(&mut watched, press, area.x + area.width / 2, middle).is_empty(), "an agent decides");
}

#[test]
fn the_mouse_does_not_reach_through_a_sheet() {
    let mut model = testing::model(120, 40);
    press(&mut model, "?");
    mouse(&mut model, MouseEventKind::Down(MouseButton::Left), 60, 10);
    assert_eq!(model.panes.focus, Pane::Frame);
}

#[test]
fn the_wheel_moves_in_dialogs_and_in_the_pane_under_the_pointer() {
    let mut model = testing::model(120, 40);
    press(&mut model, "?");
    mouse(&mut model, MouseEventKind::ScrollDown, 60, 10);
    assert!(matches!(&model.modal, Some(Modal::Help(sheet)) if sheet.selected() == 3));
    press(&mut model, "esc");
    mouse(&mut model, MouseEventKind::ScrollUp, 6, 34);
    assert_eq!((model.panes.focus, model.episodes[0].cursor), (Pane::Frame, Some(5)));
}

#[test]
fn a_click_opens_a_tab_and_shows_the_step_of_a_memory_row() {
    let at = |model: &Model, text: &str| {
        let buffer = crate::offscreen::render(model);
        let width = usize::from(buffer.area.width);
        let rows = buffer
            .content
            .chunks(width)
            .map(|row| row.iter().map(ratatui::buffer::Cell::symbol).collect::<Vec<_>>());
        let found = (0..).zip(rows).find_map(|(y, row)| {
            let words: Vec<String> = text.chars().map(String::from).collect();
            let x = row.windows(words.len()).position(|part| part == words)?;
            Some((u16::try_from(x).unwrap(), y))
        });
        found.unwrap_or_else(|| panic!("{text} is not on the screen"))
    };
    let down = MouseEventKind::Down(MouseButton::Left);
    let mut model = testing::model(80, 24);
    for (name, pane) in
        [("Memory", Pane::Memory), ("Steps", Pane::Steps), ("Agent", Pane::Agent), ("Score", Pane::Score)]
    {
        let (x, y) = at(&model, name);
        mouse(&mut model, down, x, y);
        assert_eq!((model.panes.focus, model.panes.tab), (pane, pane), "{name}");
    }
    let mut model = testing::model(120, 40);
    let (x, y) = at(&model, "4  ●");
    mouse(&mut model, down, x, y);
    assert_eq!((model.panes.focus, model.episodes[0].cursor), (Pane::Memory, Some(3)));
}

#[test]
fn the_mouse_is_switched_and_says_its_state() {
    let mut model = testing::model(120, 40);
    assert_eq!(command(&mut model, "mouse"), [Effect::Mouse(false)]);
    assert!(model.notice.as_deref().unwrap().starts_with("the mouse is off"), "{:?}", model.notice);
    assert!(command(&mut model, "mouse off").is_empty());
    assert!(!model.device.mouse);
    assert_eq!(command(&mut model, "mouse on"), [Effect::Mouse(true)]);
    assert!(model.notice.as_deref().unwrap().starts_with("the mouse is on"), "{:?}", model.notice);
    command(&mut model, "mouse sideways");
    assert!(model.notice.as_deref().unwrap().contains("such as :mouse off"), "{:?}", model.notice);
    command(&mut model, "mouse off");
    // A reload keeps what was switched, unless the setting has changed.
    assert!(
        update(&mut model, Msg::Answer(Answer::Reloaded(Box::new(Ok(testing::appearance("dark"))))))
            .is_empty()
    );
    assert!(!model.device.mouse);
    let mut look = testing::appearance("dark");
    look.settings.mouse = false;
    assert_eq!(update(&mut model, Msg::Answer(Answer::Reloaded(Box::new(Ok(look))))), [Effect::Mouse(false)]);
}

#[test]
fn borders_between_panes_are_dragged() {
    let mut model = testing::model(120, 40);
    let area = |model: &Model, wanted: Pane| {
        let panes = crate::layout::screen_areas(model).unwrap().panes;
        panes.into_iter().find(|(pane, _)| *pane == wanted).unwrap().1
    };
    let drag = |model: &mut Model, from: (u16, u16), to: (u16, u16)| {
        mouse(model, MouseEventKind::Down(MouseButton::Left), from.0, from.1);
        mouse(
            model,
            MouseEventKind::Drag(MouseButton::Left),
            u16::midpoint(from.0, to.0),
            u16::midpoint(from.1, to.1),
        );
        mouse(model, MouseEventKind::Drag(MouseButton::Left), to.0, to.1);
        mouse(model, MouseEventKind::Up(MouseButton::Left), to.0, to.1);
    };
    let frame = area(&model, Pane::Frame);
    drag(&mut model, (frame.right() - 1, 5), (frame.right() + 6, 5));
    assert_eq!(area(&model, Pane::Frame).width, frame.width + 7);
    let memory = area(&model, Pane::Memory);
    drag(&mut model, (memory.x, 5), (memory.x - 3, 5));
    assert_eq!(area(&model, Pane::Memory).width, memory.width + 3);
    let steps = area(&model, Pane::Steps);
    drag(&mut model, (5, steps.y), (5, steps.y - 4));
    assert_eq!(area(&model, Pane::Steps).height, steps.height + 4);
    drag(&mut model, (5, steps.y - 4), (5, 0));
    assert_eq!(area(&model, Pane::Frame).height, 6, "no further than the least rows of a pane");
    let proportions = model.panes.proportions;
    mouse(&mut model, MouseEventKind::Drag(MouseButton::Left), 60, 20);
    assert_eq!(model.panes.proportions, proportions, "nothing is dragged any more");
}

#[test]
fn a_click_on_the_transcript_shows_its_step() {
    let mut model = testing::model(120, 40);
    let text = crate::tests::screen_text(&model);
    let row = text.lines().position(|line| line.contains("   2   ")).unwrap();
    let line: Vec<char> = text.lines().nth(row).unwrap().chars().collect();
    let column = line.windows(5).position(|part| part.iter().collect::<String>() == "  2  ").unwrap() + 2;
    let at = |number: usize| u16::try_from(number).unwrap();
    mouse(&mut model, MouseEventKind::Down(MouseButton::Left), at(column), at(row));
    assert_eq!((model.panes.focus, model.episodes[0].cursor), (Pane::Agent, Some(1)));
}
