//! An idle screen writes nothing, a busy one little, and without a terminal there is no screen.

use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use super::{sandbox, start, start_hall};
use crate::pty::Pty;
use crate::sandbox::Sandbox;

#[test]
fn an_idle_screen_writes_nothing_and_sleeps() {
    let sandbox = sandbox();
    sandbox.write("config/mageyard/config.toml", "[screen]\n");
    let mut screen = start_hall(&sandbox, &[]);
    screen.press("enter").sees("Enter applies").settle();
    let bytes = screen.byte_count();
    let (ticks, switches) = screen.cpu_use();
    thread::sleep(Duration::from_secs(2));
    let (more_ticks, more_switches) = screen.cpu_use();
    assert_eq!(screen.byte_count() - bytes, 0, "bytes");
    assert_eq!(more_ticks - ticks, 0, "processor time");
    eprintln!("two idle seconds: 0 bytes, 0 ticks, woken {} times", more_switches - switches);
    assert!(more_switches - switches <= 2, "woken {} times", more_switches - switches);
}

#[test]
fn a_linux_console_gets_only_characters_of_its_fonts() {
    let sandbox = Sandbox::new().with("TERM", "linux");
    let mut screen = Pty::start(&sandbox.command(&["play", "sokoban/full/1"]), 80, 24);
    screen.sees("step 1 of").sees(">Frame<").press("enter").sees("> ").press("tab").sees(">Agent<").settle();
    let text = screen.text();
    let fonts = "·•←↑→↓≈─│┌┐└┘═║╔╗╚╝█▒░■▲▼»¶";
    let other = text.chars().find(|c| !c.is_ascii() && !fonts.contains(*c));
    assert_eq!(other, None, "{text}");
    screen.command("pictures").sees("ascii").press("q");
    screen.wait_for_exit().assert_restored(0);
}

#[test]
fn a_step_costs_few_bytes() {
    let sandbox = sandbox();
    let mut screen = start(&sandbox, &["play", "sokoban/full/1"]);
    screen.sees("Enter asks the agent").settle();
    let first = screen.byte_count();
    let mut steps = Vec::new();
    for step in 2..8 {
        let before = screen.byte_count();
        screen.press("enter").sees("Enter applies").press("enter").sees(&format!("step {step} of"));
        steps.push(screen.settle().byte_count() - before);
    }
    eprintln!("bytes at 120x40 in true colour: {first} for the first screen, {steps:?} a step");
    assert!(first < 40_000 && steps.iter().all(|bytes| *bytes < 4_500), "{first}, {steps:?}");
}

#[test]
fn the_first_frame_appears_within_a_second() {
    let sandbox = sandbox();
    let times = [(); 3].map(|()| {
        let started = Instant::now();
        start(&sandbox, &["play", "sokoban/full/1"]).sees("Enter asks the agent");
        started.elapsed()
    });
    eprintln!("start to first frame: {times:?}");
    assert!(times.iter().min().unwrap() < &Duration::from_secs(1), "{times:?}");
}

#[test]
fn without_a_terminal_the_screen_is_refused() {
    let sandbox = sandbox();
    for args in [&["play", "hall.xsb"][..], &[]] {
        let result = sandbox.run(args);
        result.fails_with(2, &["the screen needs a terminal for input and output"]);
        assert_eq!(result.out, "");
    }
    assert!(!sandbox.path("data/mageyard/sessions").exists(), "no session was started");
}

#[test]
fn a_pipe_on_one_side_is_no_terminal() {
    let sandbox = sandbox();
    for redirection in ["</dev/null", "|cat"] {
        let mut shell = sandbox.command(&[]);
        let binary = shell.get_program().to_str().unwrap().to_owned();
        shell = {
            let mut sh = std::process::Command::new("/bin/sh");
            sh.args(["-c", &format!("'{binary}' play hall.xsb {redirection}")]).stdin(Stdio::null());
            sh.envs(shell.get_envs().filter_map(|(name, value)| Some((name, value?))));
            sh.env("PATH", "/usr/bin:/bin").current_dir(sandbox.path("work"));
            sh
        };
        let ended = Pty::start(&shell, 120, 40).wait_for_exit();
        assert!(ended.text.contains("the screen needs a terminal"), "{redirection}: {}", ended.text);
        assert!(!String::from_utf8_lossy(&ended.bytes).contains("\x1b[?"), "{redirection}");
    }
}

#[test]
fn a_dumb_terminal_gets_lines_and_no_screen() {
    let sandbox = sandbox().with("TERM", "dumb");
    sandbox.run(&["run", "hall.xsb"]).success();
    for (args, shown) in
        [(&["play", "hall.xsb"][..], "State:"), (&["view", "last"], "State:"), (&[], "1: Continue, open")]
    {
        let mut lines = start(&sandbox, args);
        lines.sees("TERM is dumb, so the screen is written in lines").sees(shown).press("quit enter");
        lines.wait_for_exit().assert_plain(0);
    }
}

#[test]
fn with_too_few_colors_a_frame_is_text() {
    for (sandbox, why) in [
        (sandbox().with("NO_COLOR", "1"), "NO_COLOR is set"),
        (sandbox().with("TERM", "dumb"), "TERM is dumb"),
        (sandbox().with("TERM", "linux").with("COLORTERM", ""), "fewer than 256 colours"),
    ] {
        let ended = start(&sandbox, &["frame", "hall.xsb"]).wait_for_exit();
        assert_eq!(ended.code, 0, "{why}: {}", ended.text);
        assert!(ended.text.contains(&format!("{why}, so the frame is printed as text")), "{}", ended.text);
        assert!(ended.text.contains("#@ $ .#") && !ended.bytes.contains(&0x1b), "{}", ended.text);
    }
}

#[test]
fn without_colors_none_are_sent() {
    let bare = Sandbox::new();
    bare.write("work/hall.xsb", super::HALL_LEVEL);
    for sandbox in [sandbox().with("NO_COLOR", "1"), bare] {
        let mut screen = start_hall(&sandbox, &[]);
        screen.sees("##@   $   . ##").press("v").sees("has no colors").press("enter").sees("Enter applies");
        screen.press("q");
        let ended = screen.wait_for_exit().assert_restored(0);
        let written = String::from_utf8(ended.bytes).unwrap();
        for code in written.split("\x1b[").filter_map(|part| part.split_once('m')).map(|pair| pair.0) {
            let numbers = code.split([';', ':']).map(|number| number.parse().unwrap_or(1_000));
            let colours = numbers.filter(|number| matches!(number, 30..=38 | 40..=48 | 90..=107)).count();
            assert!(colours == 0 || !code.bytes().all(|b| b.is_ascii_digit() || b == b';'), "{code}");
        }
    }
}

#[test]
fn the_mouse_reports_presses_drags_and_the_wheel_but_not_every_motion() {
    let sandbox = sandbox();
    let mut screen = start_hall(&sandbox, &[]);
    screen.press("q");
    let ended = screen.wait_for_exit().assert_restored(0);
    let has = |mode: &str| ended.bytes.windows(mode.len()).any(|bytes| bytes == mode.as_bytes());
    for mode in ["\x1b[?1000h", "\x1b[?1002h", "\x1b[?1006h"] {
        assert!(has(mode), "{mode:?} is missing");
    }
    assert!(!has("\x1b[?1003h") && !has("\x1b[?1015h"));
}
