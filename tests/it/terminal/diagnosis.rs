//! What an analysis claims, and what was wrong with a step: on the screen and in lines, with a model that sees states mirrored.

use super::{sandbox, start};
use crate::sandbox::Sandbox;

/// The settings of a model whose only fault is that it sees each state mirrored.
const MIRRORED: [&str; 11] = [
    "demo.skill=1",
    "demo.parse_errors=0",
    "demo.invalid_actions=0",
    "demo.refusals=0",
    "demo.cuts=0",
    "demo.loops=0",
    "demo.rate_limits=0",
    "demo.lost_connections=0",
    "demo.pace=0",
    "demo.misread=1",
    "demo.misreading=columns",
];

/// A sandbox with a session of three steps of that model.
fn recorded() -> Sandbox {
    let sandbox = sandbox();
    let settings = MIRRORED.iter().flat_map(|setting| ["--set", setting]);
    let run = ["run", "sokoban/first/6", "--agent", "demo", "--model", "demo", "--max-steps", "3"];
    sandbox.run(&run.into_iter().chain(settings).collect::<Vec<_>>()).success();
    sandbox
}

#[test]
fn a_wrong_claim_is_marked_and_the_step_is_found_to_be_seen_wrong() {
    let sandbox = recorded();
    let mut screen = start(&sandbox, &["view", "last#2"]);
    screen.sees("step 2 of").sees("claims: 1 read, 1 wrong").sees("✗ claimed ○ is there");
    screen.command("claims").sees("claims of analyses are not marked").misses("claims: 1 read");
    screen.command("diagnose nowhere").sees("What is wrong with failed steps?").sees("! ");
    screen.press("esc").misses("What is wrong").command("diagnose samples=1 views=image,text");
    screen.sees("16 questions about the state").sees("Enter makes the calls").press("enter");
    screen.sees("◎ seen wrong, 0 % right  ✓ right, 100 % right").sees("y copies");
    screen.sees("seen wrong 100 % of 1 failed state").press("right").press("enter");
    screen.sees("State 1 of 1").sees("2 of 2: text").sees("as asked").sees("Enter recording");
    screen.press("esc").misses("Enter recording").sees("Enter opens").press("esc").misses("What is wrong");
    // All replies are there, and those of the other steps are made.
    screen.command("diagnose samples=1 views=image,text").sees("Enter shows the table").press("enter");
    screen.sees("22 of 22 replies").sees("y copies").press("esc").misses("22 of 22");
    screen.command("diagnose last samples=1 questions=player").sees("drawn from 3 steps");
    screen.sees("Enter makes the calls").press("enter").sees("3. first/6 step").sees("y copies");
    screen.sees("of 3 failed states").press("esc").misses("of 3 failed states");
    screen.command("probe samples=1 questions=player,left views=image,text").sees("Enter makes the calls");
    screen.press("enter").sees("✗ 50 % right  ✓ 100 % right").sees("player    text").sees("y copies");
    screen.press("esc").misses("y copies").command("probe last");
    screen.sees("! last names neither a step nor a suite").press("esc").misses("What does").press("q");
    screen.wait_for_exit().assert_restored(0);
}

#[test]
fn in_lines_claims_and_findings_are_text() {
    let sandbox = recorded();
    let mut lines = start(&sandbox, &["view", "last#2", "--linear"]);
    lines.sees("Claims: 1 read, 1 wrong: box at row").send(b"diagnose samples=1 questions=player\r");
    lines.sees("what is wrong with the shown step (samples=1").sees("an empty line makes the calls");
    lines.send(b"\r").sees("state 1, first/6 step 2: own view: ◎ seen wrong, 0 % right");
    lines.send(b"1\r").sees("question player: Where is the player?").send(b"\r").sees("an empty line closes");
    lines.send(b"\rquit\r");
    lines.wait_for_exit().assert_plain(0);
}
