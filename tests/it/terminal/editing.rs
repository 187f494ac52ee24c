//! What is pending is edited in place and in the person's own editor, and so is a prompt.

use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use serde_json::Value;

use super::hall;
use super::journals_are_whole;
use super::world;
use crate::pty::Pty;
use crate::server::Mood;
use crate::server::Office;
use crate::server::Server;
use crate::world::World;

/// A script in the place of an editor.
fn editor(world: &World, text: &str) -> String {
    let path = world.write("work/edit.sh", format!("#!/bin/sh\n{text}\n"));
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path.display().to_string()
}

/// The screen with a model behind this server, asked once.
fn asked(world: &World, server: &Server) -> Pty {
    let url = server.url();
    let mut screen = hall(world, &["--agent", "model", "--model", "mock", "--base-url", &url]);
    screen.sees("Enter asks the agent").press("enter");
    screen
}

fn steps(world: &World) -> Vec<Value> {
    let rows = world.run(&["view", "last", "--json"]).objects();
    rows.into_iter().filter(|row| row["type"] == "step").collect()
}

/// Many words, so that a slow server is still saying them when somebody presses a key.
const SLOW: &str = "let me see, let me see, let me see, let me see, let me see, let me see, let me see";

#[test]
fn a_refused_reply_is_repaired_applied_and_remembered() {
    let (world, pace) = (world(), Duration::from_millis(150));
    let server = Server::with(Office::new(Mood::Normal, pace));
    server.say("Right");
    server.say(&SLOW.repeat(9));
    let mut screen = asked(&world, &server);
    screen.sees("let me see").press("esc").sees("STANDING");
    screen.press("e").sees("Edit the reply of step 1").sees("✗ rule heading of strict/1");
    screen.press("! ctrl-d").sees("Ctrl-D again takes it all the same");
    screen.press("ctrl-u # space analyze enter myself enter # space action enter Right");
    screen.sees("✓ read by strict/1 as Right").press("ctrl-d").sees("Enter applies Right");
    screen.sees("✎ edited by a person").press("enter").sees("step 2 of 50").sees("● in ✎");
    screen.press("e").sees("nothing is pending at step 2").press("enter").sees("cancels the thought");
    screen.poll("the third request", |_| server.requests().len() == 3);
    screen.press("esc").sees("STANDING").press("q");
    screen.ends().gave_back(0);
    journals_are_whole(&world, 1);
    let rows = steps(&world);
    assert_eq!((&rows[0]["action"], &rows[0]["edited"]), (&"Right".into(), &true.into()));
    let last = server.requests().pop().unwrap().to_string();
    assert!(last.contains("# analyze\\nmyself"), "the next request carries what the person wrote: {last}");
    assert!(world.run(&["report", "last"]).done().contains("+1 mixed"));
    assert!(world.run(&["log", "check"]).done().contains("mixed: a person edited once"));
}

#[test]
fn an_action_is_edited_and_escape_leaves_it() {
    let world = world();
    let mut screen = hall(&world, &[]);
    screen.press("e").sees("nothing is pending at step 1").press("enter").sees("Enter applies Right");
    screen.press("e").sees("Edit the action of step 1").sees("will be done: Right");
    screen.press("ctrl-u Jump").sees("\"Jump\" is no action here").press("enter").sees("Edit the action");
    screen.press("esc").sees("Esc again leaves without the change").press("esc").misses("Edit the action");
    screen.sees("Enter applies Right").command("edit action").sees("will be done: Right");
    screen.press("ctrl-u L tab").sees("will be done: Left").press("enter").sees("Enter applies Left");
    screen.sees("✎ edited by a person").press("enter").sees("step 2 of 50").sees("mixed").press("q");
    screen.ends().gave_back(0);
    assert_eq!(steps(&world)[0]["action"], "Left");
}

#[test]
fn the_persons_own_editor_has_the_terminal_and_gives_the_text_back() {
    let world = world();
    let script = "test \"$1\" = -w || exit 9\nstat -c %a \"$2\" > mode\nprintf 'your turn? '; read -r answer\n\
        sed -i \"s/Right/$answer/\" \"$2\"; echo \"$2\" > name";
    let world = world_with(&editor(&world, script), world);
    let mut screen = hall(&world, &[]);
    screen.press("enter").sees("Enter applies Right").command("edit reply").sees("as Right");
    screen.press("ctrl-e").sees("your turn?").press("Left enter").sees("✓ read by strict/1 as Left");
    screen.press("esc").sees("Esc again leaves").press("ctrl-d").sees("Enter applies Left").press("q");
    screen.ends().gave_back(0);
    let left = |name: &str| std::fs::read_to_string(world.path(format!("work/{name}"))).unwrap();
    assert_eq!(left("mode"), "600\n", "nobody else reads it");
    assert!(!std::path::Path::new(left("name").trim()).exists(), "it is gone");
}

#[test]
fn an_editor_that_fails_or_is_missing_is_a_sentence_and_the_text_stays() {
    for (command, says) in [
        ("", "no editor is known: set VISUAL or EDITOR"),
        ("/nowhere/ed --wait", "did not start"),
        ("'ed", "a quote that never ends"),
        ("false", "failed (exit status: 1): the text is as it was"),
    ] {
        let mut screen = hall(&world().with("EDITOR", command), &[]);
        screen.press("enter").sees("Enter applies Right").press("e").sees("will be done: Right");
        screen.press("ctrl-u Left").sees("will be done: Left");
        screen
            .press("ctrl-e")
            .sees(says)
            .sees("will be done: Left")
            .press("enter")
            .sees("Enter applies Left");
        screen.press("q");
        screen.ends().gave_back(0);
    }
}

#[test]
fn a_prompt_is_edited_into_a_new_one_that_asks_next() {
    let (world, server) = (world(), Server::start(Mood::Normal));
    let script = "sed -i -e 's/{format}/{formt}/' -e 's/^You play/Mind the walls. &/' \"$2\"";
    let again = "sed -i 's/{formt}/{format}/' \"$2\"";
    let both = format!("if grep -q formt \"$2\"; then {again}; else {script}; fi");
    let world = world_with(&editor(&world, &both), world);
    let url = server.url();
    let mut screen = hall(&world, &["--agent", "model", "--model", "mock", "--base-url", &url]);
    screen.press("R").sees("Request").press("e").sees("Edit a prompt made from 0s-CoT");
    screen.sees("a prompt \"0s-CoT-edited\"").press("ctrl-e").sees("did you mean {format}?");
    screen.press("ctrl-d").sees("0s-CoT-edited.md:").sees("Edit a prompt");
    screen
        .press("ctrl-e")
        .sees("a prompt \"0s-CoT-edited\"")
        .press("ctrl-d")
        .sees("asks from the next request on");
    screen.sees("0s-CoT-edited").press("enter").sees("Enter applies").press("q");
    screen.ends().gave_back(0);
    assert!(server.requests()[0].to_string().contains("Mind the walls."));
    let listed = world.run(&["prompts", "list"]).done();
    assert!(listed.contains("0s-CoT-edited"), "{listed}");
    journals_are_whole(&world, 1);
}

/// The same world, with this for an editor.
fn world_with(editor: &str, world: World) -> World {
    world.with("VISUAL", &format!("{editor} -w"))
}
