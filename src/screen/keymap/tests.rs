//! Keys of terminals, and `keys.toml` with its errors.

use std::collections::HashSet;

use crossterm::event::{KeyCode, KeyModifiers};

use super::sequence::KeySequence;
use super::*;

fn read(text: &str) -> Result<Keymap, String> {
    Keymap::parse_key(Path::new("keys.toml"), text).map_err(|problem| problem.to_string())
}

#[test]
fn default_keys_are_unique_and_can_be_bound() {
    let mut seen = HashSet::new();
    for (row, key) in
        commands_in(ScreenView::Episode).flat_map(|row| row.keys.iter().map(move |key| (row, key)))
    {
        let parsed = KeySequence::parse(key).unwrap_or_else(|why| panic!("{}: {key}: {why}", row.name));
        assert!(seen.insert(parsed), "{}: {key} is bound twice", row.name);
    }
    assert_eq!(seen.len(), Keymap::default().screen.count());
    seen.clear();
    for (row, key) in
        commands_in(ScreenView::Sweep).flat_map(|row| row.keys.iter().map(move |key| (row, key)))
    {
        let parsed = KeySequence::parse(key).unwrap_or_else(|why| panic!("{}: {key}: {why}", row.name));
        assert!(seen.insert(parsed), "{}: {key} is bound twice", row.name);
    }
    assert_eq!(seen.len(), Keymap::default().dashboard.count());
}

#[test]
fn key_events_of_terminals_are_matched() {
    let keymap = Keymap::default();
    for (code, modifiers, id) in [
        (KeyCode::Char('H'), KeyModifiers::SHIFT, CommandId::PreviousEpisode),
        (KeyCode::Char('H'), KeyModifiers::NONE, CommandId::PreviousEpisode),
        (KeyCode::Char('h'), KeyModifiers::NONE, CommandId::Back),
        (KeyCode::Char('?'), KeyModifiers::SHIFT, CommandId::Help),
        (KeyCode::Char('?'), KeyModifiers::NONE, CommandId::Help),
        (KeyCode::Char('{'), KeyModifiers::SHIFT, CommandId::LessFrames),
        (KeyCode::Char('+'), KeyModifiers::NONE, CommandId::Faster),
        (KeyCode::Char(' '), KeyModifiers::NONE, CommandId::Run),
        (KeyCode::Char('c'), KeyModifiers::CONTROL, CommandId::Interrupt),
        (KeyCode::BackTab, KeyModifiers::SHIFT, CommandId::FocusPrevious),
    ] {
        assert_eq!(keymap.command(KeyEvent::new(code, modifiers)), Some(id), "{code:?}");
    }
    assert_eq!(keymap.command(KeyEvent::new(KeyCode::Char('Q'), KeyModifiers::NONE)), None);
}

#[test]
fn an_empty_file_is_the_default() {
    assert_eq!(read(""), Ok(Keymap::default()));
    assert_eq!(read("[keys]\n"), Ok(Keymap::default()));
}

#[test]
fn a_key_can_be_added_moved_and_removed() {
    let keymap = read("[keys]\nx = \"step\"\nq = \"nothing\"\nspace = \"help\"").unwrap();
    assert_eq!(keymap.keys(CommandId::Step), ["Enter", "x"]);
    assert_eq!(keymap.keys(CommandId::Help), ["?", "Space"]);
    assert!(keymap.keys(CommandId::Quit).is_empty() && keymap.keys(CommandId::Run).is_empty());
}

#[test]
fn sequences_are_bound_moved_and_removed() {
    let keymap = read("[keys]\n\"Z a\" = \"step\"\n\"Z 1\" = \"run\"\n\"g f\" = \"nothing\"").unwrap();
    assert_eq!(keymap.keys(CommandId::Step), ["Enter", "Za"]);
    let key = |name| crate::testing::key(name);
    let screen = keymap.screen();
    assert!(screen.is_prefix(key("Z")) && !screen.is_prefix(key("h")));
    assert_eq!(screen.command(key("Z")), None);
    assert_eq!(screen.command_after(key("Z"), key("1")), Some(CommandId::Run));
    assert_eq!(screen.command_after(key("g"), key("f")), None);
    assert_eq!(screen.following(key("Z")).map(|(keys, _)| keys).collect::<Vec<_>>(), ["a", "1"]);
    // A key of its own replaces the default sequences that it begins; a freed key can begin sequences.
    let keymap = read("[keys]\ng = \"top\"").unwrap();
    assert!(!keymap.screen().is_prefix(key("g")) && keymap.keys(CommandId::FocusFrame).is_empty());
    let keymap = read("[keys]\n\"h a\" = \"run\"\nh = \"nothing\"").unwrap();
    assert_eq!(keymap.screen().command_after(key("h"), key("a")), Some(CommandId::Run));
}

#[test]
fn keys_are_shown_in_the_usual_notation() {
    let keymap = Keymap::default();
    let shown = |id| keymap.keys(id).join(" ");
    assert_eq!(shown(CommandId::Palette), ": Ctrl-P");
    assert_eq!(shown(CommandId::PreviousEpisode), "H");
    assert_eq!(shown(CommandId::FocusPrevious), "Shift-Tab");
    assert_eq!(shown(CommandId::Slower), "-");
    assert_eq!(shown(CommandId::Left), "←");
    assert_eq!(keymap.keys(CommandId::Top), ["gg"]);
    assert_eq!(join_keys(&keymap.keys(CommandId::GrowPane)), ">, Ctrl-W >");
}

#[test]
fn errors_name_the_line() {
    for (text, sentence) in [
        ("[keys]\nx = \"stpe\"", "keys.toml:2: there is no command \"stpe\"; did you mean step"),
        (
            "[keys]\n\nctrl-a = \"step\"",
            "keys.toml:3: cannot bind the key \"ctrl-a\": terminal multiplexers use it",
        ),
        ("[keys]\nf5 = \"step\"", "keys.toml:2: cannot bind the key \"f5\": many terminals"),
        ("[keys]\nalt-x = \"step\"", "keys.toml:2: cannot bind the key \"alt-x\": many terminals"),
        ("[keys]\n3 = \"step\"", "keys.toml:2: cannot bind the key \"3\": digits are count"),
        ("[keys]\nentre = \"step\"", "keys.toml:2: cannot bind the key \"entre\": unknown key"),
        ("[keys]\nx-y = \"step\"", "keys.toml:2: cannot bind the key \"x-y\": unknown key"),
        ("[keys]\nx = 1", "keys.toml:2: expected the name of a command in quotes"),
        (
            "[key]\nx = \"step\"",
            "keys.toml:1: unknown table \"key\" in a keymap; bindings belong under [keys]",
        ),
        ("keys = 1", "keys.toml:1: unknown table \"keys\" in a keymap"),
        ("[keys]\nx = ", "keys.toml:2: "),
        (
            "[keys]\n\"g g g\" = \"step\"",
            "keys.toml:2: cannot bind the key \"g g g\": a sequence has at most",
        ),
        ("[keys]\n\"Z esc\" = \"step\"", "keys.toml:2: cannot bind the key \"Z esc\": esc leaves a sequence"),
        ("[keys]\nZ = \"run\"\n\nshift-z = \"help\"", "keys.toml:4: Z is bound twice, here and in line 2"),
        (
            "[keys]\n\"Z a\" = \"run\"\nx = \"step\"\nZ = \"help\"",
            "keys.toml:4: Z is bound, and also begins \"Z a\" (lines 2 and 4)",
        ),
        (
            "[keys]\n\"h a\" = \"run\"",
            "keys.toml:2: \"h a\" cannot begin with h, which has a command by default; add the line",
        ),
        ("[sweep]\n\"Z a\" = \"open\"", "keys.toml:2: cannot bind \"Z a\": the dashboard has no sequences"),
    ] {
        let said = read(text).unwrap_err();
        assert!(said.starts_with(sentence), "{text:?}\n  said: {said}\n  want: {sentence}");
    }
}

#[test]
fn the_dashboard_has_a_table_of_its_own() {
    let keymap = read("[sweep]\nx = \"open\"\nq = \"nothing\"\n[keys]\nx = \"step\"").unwrap();
    assert_eq!(keymap.dashboard().keys(CommandId::SweepOpen), ["Enter", "x"]);
    assert!(keymap.dashboard().keys(CommandId::SweepQuit).is_empty());
    assert_eq!(keymap.keys(CommandId::Quit), ["q"]);
    let rows = keymap.rows();
    let open = rows.iter().find(|row| (row.table, row.command) == ("sweep", "open")).unwrap();
    assert!(!open.default && open.keys == ["Enter", "x"], "{open:?}");
    let said = read("[sweep]\nx = \"opne\"").unwrap_err();
    assert!(said.starts_with("keys.toml:2: there is no command \"opne\"; did you mean open"), "{said}");
}
