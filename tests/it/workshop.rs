//! The workshop of a prompt on the screen and in lines: a draft is filled in, asked on pinned states, compared, and saved.

use std::fs;

use crate::pty::Pty;
use crate::sandbox::Sandbox;

/// A store with a played session, of which five steps are pinned.
fn pinned() -> Sandbox {
    let sandbox = Sandbox::new().with("TERM", "xterm-256color").with("COLORTERM", "truecolor");
    let play = ["run", "sokoban/mini/2..3", "--agent", "demo", "--max-steps", "8"];
    assert_eq!(sandbox.run(&play).code, Some(0));
    let pin = ["last/1#1", "last/1#2", "last/1#3", "last/2#1", "last/2#2"];
    sandbox.run(&[&["suite", "add", "pinned-sokoban"], &pin[..]].concat()).success();
    sandbox
}

fn start(sandbox: &Sandbox, (columns, rows): (u16, u16)) -> Pty {
    let mut screen = Pty::start(&sandbox.command(&["view", "last/1"]), columns, rows);
    screen.sees("RECORDED").command("workshop prompts=HD-CoT");
    screen.sees("Workshop: sokoban/HD-CoT").sees("## system").sees("Is it better?");
    screen
}

#[test]
fn a_sentence_is_changed_asked_on_pinned_states_and_compared_with_the_version_before() {
    let sandbox = pinned();
    let mut screen = start(&sandbox, (120, 40));
    screen.sees("state 1 of 5").sees("the same request as with the saved text");
    screen.press("ctrl-g").sees("5 calls to make").press("ctrl-g").sees("▸ 1 ✎").sees("/5");
    screen.press("down down down down down down end").send(b" Mind the walls.");
    screen.sees("{+").sees("Mind the walls.").sees("1 part changed against the saved text");
    screen.sees("not asked yet").press("ctrl-g").sees("5 calls to make").press("ctrl-g");
    screen.sees("▸ 2 ✎").sees("version 2 against 1: ").sees("in 5 states, p ");
    // The text of the version before is asked again without a call.
    screen.press("tab tab down").sees("▸ 1 ").press("enter").sees("version 1 of").press("u");
    screen.sees("the draft has the text of version 1").press("ctrl-g").sees("all calls were made before");
    screen.press("esc").sees("▸ 1 ✎").press("up u").sees("text of version 2");
    screen.press("ctrl-d").sees("in place of the shipped one");
    screen.press("esc").misses("Workshop").press("q");
    screen.wait_for_exit().assert_restored(0);
    let saved = fs::read_to_string(sandbox.path("config/mageyard/prompts/sokoban/HD-CoT.md")).unwrap();
    assert!(saved.contains("Mind the walls."));
}

#[test]
fn a_request_that_was_paid_is_not_paid_again_when_a_state_is_pinned_or_a_variant_is_named() {
    let sandbox = pinned();
    let mut screen = start(&sandbox, (80, 24));
    screen.press("ctrl-g").sees("5 calls to make").press("ctrl-g").sees("▸ 1 ✎").sees("/5");
    screen.press("tab").sees("state 1 of 5").press("n ctrl-u").send(b"mine").press("enter");
    screen.sees("the draft is named mine").press("ctrl-g").sees("all calls were made before");
    screen.press("esc").misses("all calls were made");
    screen.press("ctrl-d").sees("saved the new prompt mine").press("D").sees("Move the prompt mine");
    screen.press("y").sees("deleted mine").misses("Workshop");
    screen.press("0").sees("step 1 of").press("5 l").command("workshop prompts=HD-CoT");
    screen.sees("▸ 1 ✎").press("tab p").sees("which has 6 states now").sees("state 1 of 6");
    screen.press("ctrl-g").sees("1 call to make (5 were made before)").press("esc");
    screen.misses("1 call to make");
    screen.press("x").sees("Remove state 1 from the suite").press("y").sees("state 1 of 5");
    screen.press("esc").misses("Workshop").press("q");
    screen.wait_for_exit().assert_restored(0);
    assert!(!sandbox.path("config/mageyard/prompts/sokoban/mine.md").exists());
    assert!(sandbox.path("data/mageyard/prompts/sokoban/.trash/mine-1.md").exists());
}

#[test]
fn home_opens_the_workshop_and_esc_goes_back_there() {
    let sandbox = pinned();
    let mut screen = Pty::start(&sandbox.command(&[]), 120, 40);
    screen.sees("Prompts").press("/").send(b"sokoban HD-CoT").press("enter").sees("Enter or e edits it");
    screen.press("e").sees("Workshop: sokoban/HD-CoT").sees("state 1 of 5").press("down x");
    screen.press("esc").sees("Esc again discards").press("esc").misses("Workshop").sees("Home").press("q");
    screen.wait_for_exit().assert_restored(0);
}

#[test]
fn lines_change_ask_and_compare() {
    let sandbox = pinned();
    let script = "workshop prompts=HD-CoT\ntext\nreplace 6 You move {soup}.\nask\nask\nreplace 6 You play.\nask\nask\n\
        insert 7 Mind the walls.\nask\nask\nversion 1\ncompare\nsave\n\nquit\n";
    sandbox.write("work/script", script);
    let script = fs::File::open(sandbox.path("work/script")).unwrap();
    let read = sandbox.run_with(&["view", "last/1", "--linear"], script);
    let text = read.success();
    for words in [
        "   5 | ## system",
        "Error: line 6: unknown variable {soup}",
        "the draft is not valid and cannot be asked",
        "Ask: 5 calls to make",
        "* version 1 (",
        "* version 2 (",
        "version 2 against 1: ",
        "+ Mind the walls.",
        "in place of the shipped one",
    ] {
        assert!(text.contains(words), "{words}\n{text}");
    }
}
