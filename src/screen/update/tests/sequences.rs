//! Sequences of keys, and what is shown while they are typed.

use super::*;
use crate::keymap::Keymap;

/// The last line of the screen.
fn hint(model: &Model) -> String {
    let buffer = crate::offscreen::render(model);
    let cells = buffer.content.chunks(usize::from(buffer.area.width)).next_back().unwrap();
    cells.iter().map(ratatui::buffer::Cell::symbol).collect::<String>().trim_end().to_owned()
}

#[test]
fn the_second_key_runs_the_command_at_once() {
    let mut model = testing::model(120, 40);
    press(&mut model, "g");
    let text = crate::tests::screen_text(&model);
    assert_eq!(hint(&model), " g …");
    for second in ["r ask-again", "b branches", "h hint", "m focus-memory", "g top", "Esc cancel"] {
        assert!(text.contains(second), "{text}");
    }
    press(&mut model, "m");
    assert_eq!((model.panes.focus, model.typed.prefix), (Pane::Memory, None));
    press(&mut model, "g f");
    assert_eq!(model.panes.focus, Pane::Frame);
    press(&mut model, "g esc");
    assert!(model.typed.prefix.is_none() && model.notice.is_none());
    press(&mut model, "g q");
    assert_eq!(model.notice.as_deref(), Some("g q is not bound; ? lists the keys"));
    press(&mut model, "Q");
    assert_eq!(model.notice.as_deref(), Some("Q is not bound; ? lists the keys"));
}

#[test]
fn a_count_says_what_takes_it_and_stays_for_a_sequence() {
    let mut model = testing::model(120, 40);
    press(&mut model, "1 2");
    assert!(
        hint(&model).starts_with(" 12   …  Enter step  Space run  h back  l forward"),
        "{}",
        hint(&model)
    );
    press(&mut model, "h");
    assert_eq!(model.episodes[0].cursor, Some(0));
    press(&mut model, "g t 2 ctrl-w");
    assert!(hint(&model).starts_with(" 2 Ctrl-W …  > grow-pane"), "{}", hint(&model));
    press(&mut model, "esc");
    assert!(model.typed.count.is_none());
}

#[test]
fn many_second_keys_take_rows_above_the_status() {
    let mut model = testing::model(80, 24);
    press(&mut model, "g");
    let buffer = crate::offscreen::render(&model);
    let rows: Vec<String> = buffer
        .content
        .chunks(80)
        .map(|row| row.iter().map(ratatui::buffer::Cell::symbol).collect())
        .collect();
    assert_eq!(hint(&model), " g …");
    let listed = rows[18..21].concat();
    assert!(listed.contains("b branches") && listed.contains("Esc cancel"), "{rows:?}");
}

#[test]
fn sequences_work_in_dialogs_that_take_commands_and_are_text_in_others() {
    let mut model = testing::model(80, 24);
    press(&mut model, "? G");
    assert!(matches!(&model.modal, Some(Modal::Help(sheet)) if sheet.selected() > 20));
    press(&mut model, "g g");
    assert!(matches!(&model.modal, Some(Modal::Help(sheet)) if sheet.selected() == 0));
    press(&mut model, "esc : g");
    assert!(matches!(&model.modal, Some(Modal::Palette(palette)) if palette.input() == "g"));
}

#[test]
fn interrupt_works_within_a_sequence() {
    let mut model = testing::model(80, 24);
    assert_eq!(press(&mut model, "g ctrl-c"), [Effect::Quit]);
}

#[test]
fn the_key_of_an_action_of_the_person_comes_before_a_sequence() {
    let mut model = person(Setting::Online);
    let text = "[keys]\n\"left a\" = \"run\"\nleft = \"nothing\"";
    model.appearance.keys = Keymap::parse_key(std::path::Path::new("keys.toml"), text).unwrap();
    assert_eq!(commands(press(&mut model, "left")), [SessionCommand::Play(vec![Action::plain("Left")])]);
}
