//! A person plays actions with arguments in the live environment `pages`: on the command line, with the form, and by
//! editing what an agent chose.

use std::path::PathBuf;

use super::sandbox;
use crate::pty::Pty;
use crate::sandbox::{CommandResult, Sandbox, complete, program};

/// The program with the environment `pages`.
fn pages() -> PathBuf {
    program("examples/pages")
}

fn start(sandbox: &Sandbox, args: &[&str], columns: u16, rows: u16) -> Pty {
    let mut screen = Pty::start(&sandbox.command_of(&pages(), args), columns, rows);
    screen.sees("step 1 of").drawing_ends();
    screen
}

/// Runs a verb of that program.
fn run(sandbox: &Sandbox, args: &[&str]) -> CommandResult {
    complete(&mut sandbox.command_of(&pages(), args))
}

/// The actions of the only episode, in written form. Its journal must be valid.
fn played(sandbox: &Sandbox) -> Vec<String> {
    assert_eq!(run(sandbox, &["log", "check"]).code, Some(0));
    let rows = run(sandbox, &["view", "--json", "last"]).json_lines();
    let steps = rows.iter().filter(|row| row["type"] == "step" && row["action"].is_string());
    steps.map(|row| row["action"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_person_types_and_clicks() {
    for (columns, rows) in [(120, 40), (80, 24)] {
        let sandbox = sandbox();
        let mut screen = start(&sandbox, &["play", "pages/forms/1", "--agent", "human"], columns, rows);
        screen.sees("your move").sees("type(text");
        screen.command("type text=\"hel\"").sees("step 2 of");
        screen.command("click (400, 3)").sees("must be a point (x, y) from (0, 0) to (159, 89)");
        // Without its argument an action opens the form.
        screen.command("type").sees("type: replace the text of the field").press("enter");
        screen.sees("type needs the parameter text").press("hello enter").sees("step 3 of");
        screen.command("click").sees("click: click a point of the page").press("125,65");
        screen.sees("click(at=(125, 65))").press("enter").sees("WON").press("q");
        screen.wait_for_exit().assert_restored(0);
        assert_eq!(played(&sandbox), ["type(text=\"hel\")", "type(text=\"hello\")", "click(at=(125, 65))"]);
    }
}

#[test]
fn a_chosen_action_is_edited_in_its_written_form() {
    let sandbox = sandbox();
    let mut screen = start(&sandbox, &["play", "pages/forms/1", "--agent", "oracle"], 120, 40);
    screen.press("enter").sees("Enter applies type(text=\"hello\")").press("e").sees("Edit the action");
    screen.press("ctrl-u type(text=5) enter").sees("text must be a text of at most 40 characters, not 5");
    screen.press("ctrl-u type(bye) enter").sees("Enter applies type(text=\"bye\")");
    screen.press("enter").sees("step 2 of").press("q");
    screen.wait_for_exit().assert_restored(0);
    assert_eq!(played(&sandbox), ["type(text=\"bye\")"]);
}
