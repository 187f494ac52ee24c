//! Changes of seat without a screen and on it: who decided which step, what is left out of averages, and what branches,
//! replays and exports make of it.

use serde_json::Value;

use crate::pty::Pty;
use crate::sandbox::Sandbox;
use crate::server::{Behavior, Server};

const LEVEL: &str = "#########\n#       #\n# @ $ . #\n#       #\n#########\n";

/// An episode of a model in which the oracle decides two steps after the first one.
fn mixed(server: &Server) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("work/hall.xsb", LEVEL);
    let url = server.url();
    let run =
        ["run", "hall.xsb", "--agent", "model", "--model", "mock", "--base-url", &url, "--max-steps", "6"];
    let done = sandbox.run(&[&run[..], &["--break", "step=1 seat oracle 2"]].concat());
    assert_eq!(done.code, Some(0), "{}", done.err);
    let said =
        "step 1: step=1 seat oracle 2: step is 1: oracle decides from the next request on, for 2 steps";
    assert!(done.err.contains(said), "{}", done.err);
    assert!(done.out.contains("(decided by oracle)") && done.out.contains("  mixed"), "{}", done.out);
    sandbox
}

fn steps(sandbox: &Sandbox, reference: &str) -> Vec<Value> {
    let rows = sandbox.run(&["view", reference, "--json"]).json_lines();
    rows.into_iter().filter(|row| row["type"] == "step").collect()
}

fn agents(sandbox: &Sandbox, reference: &str) -> Vec<String> {
    let steps = steps(sandbox, reference);
    steps.iter().map(|step| step["agent"].as_str().unwrap().to_owned()).collect()
}

const EXPECTED: [&str; 6] = ["model", "oracle", "oracle", "model", "model", "model"];

#[test]
fn each_step_knows_who_decided_it_and_the_episode_is_left_out_of_averages() {
    let server = Server::start(Behavior::Normal);
    let sandbox = mixed(&server);
    assert_eq!(server.requests().len(), 4, "the oracle asks no server");
    assert_eq!(agents(&sandbox, "last"), EXPECTED);
    assert_eq!(steps(&sandbox, "last")[1]["model"], Value::Null);
    let found = sandbox.run(&["find", "agent=oracle", "last", "--json"]).json_lines();
    assert_eq!(found.iter().map(|row| row["step"].as_u64().unwrap()).collect::<Vec<_>>(), [2, 3]);
    let checked = sandbox.run(&["log", "check", "last"]).success();
    assert!(checked.contains("mixed: the agent was changed once"), "{checked}");
    let report = sandbox.run(&["report", "last", "--json"]).json_lines();
    assert_eq!((&report[0]["episodes"], &report[0]["mixed"]), (&0.into(), &1.into()), "{report:?}");
    let asked = server.requests().len();
    let replay = sandbox.run(&["replay", "last"]);
    assert_eq!((replay.code, server.requests().len()), (Some(0), asked), "{}", replay.err);
    let export = sandbox.run(&["export", "last", "--rl", "--out", "out", "--clean"]);
    assert!(export.err.contains("1 mixed") || export.out.contains("1 mixed"), "{export:?}");
}

#[test]
fn a_branch_takes_over_the_seat_of_its_step_unless_it_has_an_agent_of_its_own() {
    let server = Server::start(Behavior::Normal);
    let sandbox = mixed(&server);
    for (change, expected) in [
        (&[][..], ["model", "oracle", "oracle", "model", "model", "model"]),
        (&["--set", "agent=random"], ["model", "oracle", "random", "random", "random", "random"]),
        (&["--set", "agent=model"], ["model", "oracle", "model", "model", "model", "model"]),
    ] {
        let made = sandbox.run(&[&["fork", "last#3"], change].concat());
        assert_eq!(made.code, Some(0), "{}", made.err);
        let name = made.out.split_whitespace().next().unwrap().to_owned();
        let played = sandbox.run(&["run", "--resume", &name]);
        assert_eq!(played.code, Some(0), "{}", played.err);
        assert_eq!(agents(&sandbox, &name), expected, "{change:?}");
        assert_eq!(sandbox.run(&["replay", &name]).code, Some(0), "{change:?}");
    }
    let list = sandbox.run(&["fork", "last"]).out;
    assert!(list.contains("agent oracle -> random") && list.contains("agent oracle -> model"), "{list}");
}

#[test]
fn a_breakpoint_makes_a_branch_or_a_tag_and_the_run_goes_on() {
    let sandbox = Sandbox::new();
    sandbox.write("work/hall.xsb", LEVEL);
    let run = ["run", "hall.xsb", "--agent", "random", "--max-steps", "25", "--break"];
    let done =
        sandbox.run(&[&run[..], &["step=4 once fork agent=oracle expect=sum>5 why is it too far"]].concat());
    assert_eq!(done.code, Some(0), "{}", done.err);
    assert!(done.err.contains("branch b1 begins at step 4"), "{}", done.err);
    assert_eq!(sandbox.run(&["run", "--resume", "last#b1"]).code, Some(0));
    assert_eq!(agents(&sandbox, "last#b1")[2..4], ["random", "oracle"]);
    let branch = sandbox.run(&["fork", "last", "--json"]).json_lines().remove(1);
    assert_eq!(
        (&branch["why"], &branch["expect"]["outcome"]),
        (&"is it too far".into(), &"came_true".into())
    );
    let done = sandbox.run(&[&run[..], &["step=2 tag far; step=3 once tag near"]].concat());
    assert!(done.code == Some(0) && done.err.contains("step 2 is tagged far"), "{}", done.err);
    let tagged = |name: &str| sandbox.run(&["find", &format!("tag={name}"), "last", "--json"]).json_lines();
    assert_eq!((&tagged("far")[0]["step"], &tagged("near")[0]["step"]), (&2.into(), &3.into()));
    for (text, caret, hint) in [
        ("ia tag =x", "^^", "tag"),
        ("ia seat orcale", "^^^^^^^^^^^", "did you mean oracle"),
        ("ia fork seed=3", "^^^^^^^^^^^", "a branch keeps the setting"),
        ("ia fork am", "^^^^^^^", "is not a change"),
        ("ia seat oracle 0", "^", "at least one step"),
    ] {
        sandbox.run(&[&run[..], &[text]].concat()).fails_with(2, &[text, caret, hint]);
    }
}

#[test]
fn the_dialog_and_the_command_give_the_seat_and_the_status_names_who_has_it() {
    let sandbox = Sandbox::new().with("TERM", "xterm-256color");
    sandbox.write("work/hall.xsb", LEVEL);
    let play = ["play", "hall.xsb", "--agent", "random", "--max-steps", "25", "--pace", "20"];
    for (columns, rows) in [(120, 40), (80, 24)] {
        let mut screen = Pty::start(&sandbox.command(&play), columns, rows);
        screen.sees("Enter asks the agent").press("t").sees("Who decides from the next request on");
        screen.sees("needs a recording: replay:SESSION").sees("not here: model.name");
        screen.press("k").press("2").sees("for: the next 2 steps").press("enter");
        screen.sees("oracle (2 steps)").press("enter").sees("Enter applies Right").press("enter");
        screen.sees("step 2 of 25").sees("oracle (1 step)");
        screen.command("seat human").sees("human").sees("your move").sees(" s in all");
        screen.press("right").command("seat orcale").sees("did you mean oracle");
        screen.command("seat oracle none").sees("is not a number of steps");
        screen.press("q");
        screen.wait_for_exit().assert_restored(0);
        assert_eq!(agents(&sandbox, "last")[..2], ["oracle", "human"]);
    }
}
