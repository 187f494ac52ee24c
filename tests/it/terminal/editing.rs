//! Editing what is pending, in place and in an external editor, and editing a prompt.

use std::time::Duration;

use serde_json::Value;

use super::{assert_journals_valid, sandbox, start_hall};
use crate::pty::Pty;
use crate::sandbox::Sandbox;
use crate::server::{Behavior, Server, ServerState};

/// A script that acts as an editor.
fn editor(sandbox: &Sandbox, text: &str) -> String {
    let path = sandbox.write_program("work/edit.sh", format!("#!/bin/sh\n{text}\n"));
    path.display().to_string()
}

/// Starts the screen with a model on this server and asks it once.
fn start_unreadable(sandbox: &Sandbox, server: &Server) -> Pty {
    let url = server.url();
    let mut screen = start_hall(sandbox, &["--agent", "model", "--model", "mock", "--base-url", &url]);
    screen.sees("Enter asks the agent").press("enter");
    screen
}

fn steps(sandbox: &Sandbox) -> Vec<Value> {
    let rows = sandbox.run(&["view", "last", "--json"]).json_lines();
    rows.into_iter().filter(|row| row["type"] == "step").collect()
}

/// A long text, so that a slow server is still sending it when a key is pressed.
const SLOW_REPLY: &str = "let me see, let me see, let me see, let me see, let me see, let me see, let me see";

#[test]
fn an_unreadable_reply_can_be_edited_and_applied() {
    let sandbox = sandbox();
    let pace = Duration::from_millis(150);
    let server = Server::with(ServerState::new(Behavior::Normal, pace));
    server.queue_reply("Right");
    server.queue_reply(&SLOW_REPLY.repeat(9));
    let mut screen = start_unreadable(&sandbox, &server);
    screen.sees("let me see").press("esc").sees("PAUSED");
    screen.press("e").sees("Edit the reply of step 1").sees("✗ rejected by rule heading of strict/1");
    screen.press("! ctrl-d").sees("Ctrl-D again submits it anyway");
    screen.press("ctrl-u # space analyze enter myself enter # space action enter Right");
    screen.sees("✓ parsed by strict/1 as Right").press("ctrl-d").sees("Enter applies Right");
    screen.sees("✎ edited by a person").press("enter").sees("step 2 of 50").sees("● in ✎");
    screen.press("e").sees("nothing is pending at step 2").press("enter").sees("cancels the request");
    screen.poll("the third request", |_| server.requests().len() == 3);
    screen.press("esc").sees("PAUSED").press("q");
    screen.wait_for_exit().assert_restored(0);
    assert_journals_valid(&sandbox, 1);
    let rows = steps(&sandbox);
    assert_eq!((&rows[0]["action"], &rows[0]["edited"]), (&"Right".into(), &true.into()));
    let last = server.requests().pop().unwrap().to_string();
    assert!(last.contains("# analyze\\nmyself"), "the next request carries what the person wrote: {last}");
    let report = sandbox.run(&["report", "last"]);
    assert!(report.code == Some(0) && report.out.contains("+1 mixed"), "{report:?}");
    assert!(report.err.starts_with("unfinished: resume it with `mageyard play --resume "), "{report:?}");
    assert!(sandbox.run(&["log", "check"]).success().contains("mixed: a person edited once"));
}

#[test]
fn an_action_is_edited_and_escape_discards_the_edit() {
    let sandbox = sandbox();
    let mut screen = start_hall(&sandbox, &[]);
    screen.press("e").sees("nothing is pending at step 1").press("enter").sees("Enter applies Right");
    screen.press("e").sees("Edit the action of step 1").sees("new action: Right");
    screen.press("ctrl-u Jump").sees("\"Jump\" is not an action here").press("enter").sees("Edit the action");
    screen.press("esc").sees("Esc again discards the change").press("esc").misses("Edit the action");
    screen.sees("Enter applies Right").command("edit action").sees("new action: Right");
    screen.press("ctrl-u L tab").sees("new action: Left").press("enter").sees("Enter applies Left");
    screen.sees("✎ edited by a person").press("enter").sees("step 2 of 50").sees("mixed").press("q");
    screen.wait_for_exit().assert_restored(0);
    assert_eq!(steps(&sandbox)[0]["action"], "Left");
}

#[test]
fn the_external_editor_gets_the_terminal_and_returns_the_text() {
    let sandbox = sandbox();
    let script = "test \"$1\" = -w || exit 9\nstat -c %a \"$2\" > mode\nprintf 'your turn? '; read -r answer\n\
        sed -i \"s/Right/$answer/\" \"$2\"; echo \"$2\" > name";
    let sandbox = with_editor(&editor(&sandbox, script), sandbox);
    let mut screen = start_hall(&sandbox, &[]);
    screen.press("enter").sees("Enter applies Right").command("edit reply").sees("as Right");
    screen.press("ctrl-e").sees("your turn?").press("Left enter").sees("✓ parsed by strict/1 as Left");
    screen.press("esc").sees("Esc again discards").press("ctrl-d").sees("Enter applies Left").press("q");
    screen.wait_for_exit().assert_restored(0);
    let left = |name: &str| std::fs::read_to_string(sandbox.path(format!("work/{name}"))).unwrap();
    assert_eq!(left("mode"), "600\n", "only the owner can read it");
    assert!(!std::path::Path::new(left("name").trim()).exists(), "the file is removed");
}

#[test]
fn a_failing_editor_is_reported_and_the_text_kept() {
    for (command, says) in [
        ("", "no editor found: set VISUAL or EDITOR"),
        ("/nowhere/ed --wait", "cannot start the editor"),
        ("'ed", "an unclosed quote"),
        ("false", "failed (exit status: 1); the text is unchanged"),
    ] {
        // With an empty variable an installed editor would be used.
        let path = if command.is_empty() { "/nowhere" } else { "/usr/bin:/bin" };
        let mut screen = start_hall(&sandbox().with("EDITOR", command).with("PATH", path), &[]);
        screen.press("enter").sees("Enter applies Right").press("e").sees("new action: Right");
        screen.press("ctrl-u Left").sees("new action: Left");
        screen.press("ctrl-e").sees(says).sees("new action: Left").press("enter").sees("Enter applies Left");
        screen.press("q");
        screen.wait_for_exit().assert_restored(0);
    }
}

#[test]
fn an_edited_prompt_takes_the_place_of_the_shipped_one_from_the_next_request_on() {
    let sandbox = sandbox();
    let server = Server::start(Behavior::Normal);
    let script = "sed -i -e 's/{format}/{formt}/' -e 's/^You are playing/Mind the walls. &/' \"$2\"";
    let again = "sed -i 's/{formt}/{format}/' \"$2\"";
    let both = format!("if grep -q formt \"$2\"; then {again}; else {script}; fi");
    let sandbox = with_editor(&editor(&sandbox, &both), sandbox);
    let url = server.url();
    let mut screen = start_hall(&sandbox, &["--agent", "model", "--model", "mock", "--base-url", &url]);
    screen.press("R").sees("Request").press("e").sees("Edit your copy of the shipped prompt 0s-CoT");
    screen.sees("valid prompt \"0s-CoT\"").press("ctrl-e").sees("did you mean {format}?");
    screen.press("ctrl-d").sees("0s-CoT.md:").sees("Edit your copy");
    screen
        .press("ctrl-e")
        .sees("valid prompt \"0s-CoT\"")
        .press("ctrl-d")
        .sees("is used from the next request on");
    // The saved file is also a changed file: both notices are shown.
    screen.sees("files changed and were reloaded").sees("saved your own 0s-CoT");
    screen.sees("0s-CoT.md").press("enter").sees("Enter applies").press("q");
    screen.wait_for_exit().assert_restored(0);
    assert!(server.requests()[0].to_string().contains("Mind the walls."));
    let listed = sandbox.run(&["prompts", "list"]).success();
    assert!(listed.contains("yours, in place of the shipped one"), "{listed}");
    let shown = sandbox.run(&["prompts", "show", "sokoban/0s-CoT"]).success();
    assert!(shown.contains("Mind the walls."), "{shown}");
    assert_journals_valid(&sandbox, 1);
}

/// The same sandbox with an editor.
fn with_editor(editor: &str, sandbox: Sandbox) -> Sandbox {
    sandbox.with("VISUAL", &format!("{editor} -w"))
}
