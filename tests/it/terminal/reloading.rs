//! Edited files reload while the screen is open; an invalid one changes nothing.

use super::{sandbox, start_hall};
use crate::pty::Pty;

/// The background colour of the first cell.
fn background(screen: &Pty) -> vt100::Color {
    screen.screen().cell(0, 0).unwrap().bgcolor()
}

fn wait_for_light_theme(screen: &mut Pty) {
    screen.until("the light ground", |screen| {
        screen.cell(0, 0).unwrap().bgcolor() == vt100::Color::Rgb(0xfa, 0xf8, 0xf3)
    });
}

#[test]
fn a_theme_change_in_the_settings_applies_at_once() {
    let sandbox = sandbox();
    sandbox.write("config/mageyard/config.toml", "[screen]\n");
    let mut screen = start_hall(&sandbox, &[]);
    let dark = background(&screen);
    sandbox.write("config/mageyard/config.toml", "[screen]\ntheme = \"light\"\n");
    wait_for_light_theme(&mut screen);
    sandbox.write("config/mageyard/config.toml", "[screen]\ntheme = \"lihgt\"\n");
    screen.sees("A file is invalid; the previous settings are kept").sees("config.toml, line 2");
    screen.sees("there is no theme lihgt");
    wait_for_light_theme(&mut screen);
    sandbox.write("config/mageyard/config.toml", "[screen]\ntheme = \"dark\"\n");
    screen
        .misses("A file is invalid")
        .until("the dark ground", |screen| screen.cell(0, 0).unwrap().bgcolor() == dark);
}

#[test]
fn a_custom_theme_applies_when_saved() {
    let sandbox = sandbox();
    sandbox.write("config/mageyard/themes/mine.toml", "parent = \"dark\"\n");
    let mut screen = start_hall(&sandbox, &["--theme", "mine"]);
    sandbox.write("config/mageyard/themes/mine.toml", "parent = \"dark\"\n[palette]\nground = \"#faf8f3\"\n");
    wait_for_light_theme(&mut screen);
    sandbox.write("config/mageyard/themes/mine.toml", "parent = \"dark\"\n[palette]\nground = \"white\n");
    screen.sees("A file is invalid").sees("mine.toml, line 3");
    wait_for_light_theme(&mut screen);
    sandbox.write("config/mageyard/themes/mine.toml", "parent = \"light\"\n");
    screen.misses("A file is invalid");
    wait_for_light_theme(&mut screen);
}

#[test]
fn key_bindings_reload_while_playing() {
    let sandbox = sandbox();
    sandbox.write("config/mageyard/keys.toml", "[keys]\n");
    let mut screen = start_hall(&sandbox, &[]);
    sandbox.write("config/mageyard/keys.toml", "[keys]\nx = \"stpe\"\n");
    screen.sees("A file is invalid").sees("keys.toml, line 2").sees("stpe");
    sandbox.write("config/mageyard/keys.toml", "[keys]\nx = \"step\"\n");
    screen.misses("A file is invalid").press("x").sees("Enter applies Right").press("q");
    screen.wait_for_exit().assert_restored(0);
}

#[test]
fn invisible_characters_never_reach_the_terminal() {
    let sandbox = sandbox();
    let title = "\x1b]0;mine\x07\x1b[5mred\u{202e}der\u{9b}31m";
    let name = "h\x1b[5m\u{202e}all.xsb";
    sandbox.write(format!("work/{name}"), format!("; {title}\n#####\n#@$.#\n#####\n"));
    let mut screen = super::start(&sandbox, &["play", name]);
    screen.sees("all.xsb#1").press("enter").sees("Enter applies").press("v").sees("#####");
    screen.command("open \x1b[200~no\u{202e}\x1b[5mne\x1b[201~").sees("could not be opened").press("q");
    screen.misses("could not be opened").press("2 space").sees("WON").press("q");
    let ended = screen.wait_for_exit().assert_restored(0);
    let written = String::from_utf8(ended.bytes).unwrap();
    for hidden in ["\u{202e}", "\u{9b}", "\x1b[5m", "\x1b]", "\x07"] {
        assert!(!written.contains(hidden), "{hidden:?}");
    }
}
