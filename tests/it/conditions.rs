//! Conditions in `run --break` and `find`: the same steps by both, and mistakes with their place.

use serde_json::Value;

use crate::pty::Pty;
use crate::sandbox::Sandbox;

/// One push down and the box can never reach its target.
const LEVEL: &str = "#######\n# @   #\n# $ . #\n#     #\n#######\n";

const FAULTY: [&str; 8] = ["run", "edge.xsb", "--agent", "faulty", "--seed", "2", "--max-steps", "25"];

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("work/edge.xsb", LEVEL);
    sandbox
}

/// The numbers of the steps that `find` lists.
fn found(sandbox: &Sandbox, condition: &str) -> Vec<u64> {
    let rows = sandbox.run(&["find", condition, "last", "--json", "--store", "runs"]).json_lines();
    rows.iter().map(|row: &Value| row["step"].as_u64().unwrap()).collect()
}

#[test]
fn a_run_is_parked_at_the_first_step_that_find_lists() {
    let sandbox = sandbox();
    sandbox.run(&[&FAULTY[..], &["--store", "runs"]].concat()).success();
    for condition in [
        "ia",
        "parse",
        "same",
        "same>=2",
        "dead",
        "attempts=3",
        "sum<=-3",
        "reward_drop>0 and step>2",
        "action=Up",
        "action!=Up and not (ia or parse)",
        "text~teleport",
        "text~/I think/",
        "seen~/./ and step=7",
        "distance>3",
        "agent=faulty and step>=4",
    ] {
        let first =
            found(&sandbox, condition).first().copied().unwrap_or_else(|| panic!("{condition}: none"));
        let parked = sandbox.run(&[&FAULTY[..], &["--store", "parked", "--break", condition]].concat());
        assert_eq!(parked.code, Some(3), "{condition}: {parked:?}");
        let said = format!("parked at a breakpoint: step {first}");
        assert!(parked.err.contains(&said), "{condition}: {said}: {}", parked.err);
    }
    for condition in ["tokens>0", "action=Sideways", "ra>=26", "model~x", "step>25"] {
        assert!(found(&sandbox, condition).is_empty(), "{condition}");
        sandbox.run(&[&FAULTY[..], &["--store", "silent", "--break", condition]].concat()).success();
    }
}

#[test]
fn phases_counts_and_recordings_park_a_run_and_say_why() {
    let sandbox = sandbox();
    sandbox.run(&[&FAULTY[..], &["--store", "runs"]].concat()).success();
    let parked = |condition: &str| {
        let result = sandbox.run(&[&FAULTY[..], &["--store", "runs", "--break", condition]].concat());
        assert_eq!(result.code, Some(3), "{result:?}");
        result.err
    };
    let why = parked("step=4 before request");
    assert!(why.contains("step 4, before the request: step=4 before request: step is 4"), "{why}");
    assert_eq!(found(&sandbox, "step>=1"), [1, 2, 3], "the agent was not asked at step 4");
    let why = parked("step>=2 after 3");
    assert!(why.contains("step 4: step>=2 after 3: step is 4"), "{why}");
    let why = parked("ia; step=2 after reply");
    assert!(why.contains("step 2, after the reply"), "{why}");
}

#[test]
fn a_recording_is_compared_step_by_step() {
    let sandbox = sandbox();
    sandbox.run(&[&FAULTY[..], &["--store", "runs"]].concat()).success();
    let same = sandbox.run(&[&FAULTY[..], &["--store", "runs", "--break", "differs(last)"]].concat());
    assert_eq!(same.code, Some(0), "{same:?}");
    let other = ["run", "edge.xsb", "--agent", "random", "--max-steps", "25", "--store", "runs"];
    let parked = sandbox.run(&[&other[..], &["--break", "differs(last)"]].concat());
    assert_eq!(parked.code, Some(3), "{parked:?}");
    assert!(parked.out.contains("differs") || parked.err.contains("differs"), "{parked:?}");
    sandbox
        .run(&[&FAULTY[..], &["--store", "runs", "--break", "ia or differs(nothing)"]].concat())
        .fails_with(2, &["nothing", "ia or differs(nothing)", "^^^^^^^^^^^^^^^^"]);
}

#[test]
fn a_wrong_condition_is_refused_with_a_caret_under_its_place() {
    let sandbox = sandbox();
    for (condition, caret, hint) in [
        ("ia and dedd", "^^^^", "did you mean dead"),
        ("stepp=3", "^^^^^", "did you mean step"),
        ("ia annd ra", "^^^^", "expected"),
        ("text~/[/", "^^^", "regular expression"),
    ] {
        let wrong = [&FAULTY[..], &["--break", condition]].concat();
        sandbox.run(&wrong).fails_with(2, &[condition, caret, hint]);
        sandbox.run(&["find", condition]).fails_with(2, &[condition, caret, hint]);
    }
    let late = [&FAULTY[..], &["--break", "reward>0 before request"]].concat();
    sandbox.run(&late).fails_with(2, &["reward>0 is not known before request", "^^^^^^^^"]);
}

#[test]
fn find_searches_all_sessions_when_none_is_named() {
    let sandbox = sandbox();
    for seed in ["2", "3"] {
        let play = ["run", "edge.xsb", "--agent", "faulty", "--seed", seed, "--max-steps", "9"];
        sandbox.run(&[&play[..], &["--store", "runs"]].concat()).success();
    }
    let text = sandbox.run(&["find", "step=5 and environment=sokoban", "--store", "runs"]).success();
    assert_eq!(text.lines().count(), 2, "{text}");
    assert!(text.lines().all(|line| line.contains("#5 ") && line.contains("step is 5")), "{text}");
    let none = sandbox.run(&["find", "step=99", "--store", "runs"]);
    assert!(none.code == Some(0) && none.err.contains("no step meets step=99"), "{none:?}");
}

#[test]
fn the_screen_adds_conditions_and_shows_a_mistake_where_it_was_typed() {
    let sandbox = sandbox().with("TERM", "xterm-256color");
    let play = ["play", "edge.xsb", "--agent", "random", "--max-steps", "25", "--pace", "20"];
    for (columns, rows) in [(120, 40), (80, 24)] {
        let mut screen = Pty::start(&sandbox.command(&play), columns, rows);
        screen.sees("Enter asks the agent").command("break step=2 and dedd").sees("               ^^^^");
        screen
            .press("esc")
            .misses("^^^^")
            .command("break step=2 or sum<-90")
            .sees("breakpoints: step=2; sum<-90");
        screen
            .press("b")
            .sees("7 [x] step=2")
            .sees("8 [x] sum<-90")
            .press("8")
            .misses("sum<-90")
            .press("esc");
        screen.misses("[x] step=2").press("space").sees("BREAKPOINT").sees("step is 2");
        screen.command("break none").sees("breakpoints: none").press("q");
        screen.wait_for_exit().assert_restored(0);
    }
}
