//! The whole program with the environment `pages`: signals in the middle of an act, and what comes back.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::pty::Pty;
use crate::sandbox::{Sandbox, complete, program, wait};

/// The log of the surface, which `pages` writes.
const LOG: &str = "surface.log";
const TIMEOUT: Duration = Duration::from_secs(30);

/// The program with the environment `pages`.
fn pages() -> PathBuf {
    program("examples/pages")
}

/// The actions in the log of a surface, in JSON.
fn acts(log: &Path) -> Vec<String> {
    let text = fs::read_to_string(log).unwrap_or_default();
    text.lines().filter_map(|row| row.strip_prefix("act ")).map(str::to_owned).collect()
}

struct Program {
    sandbox: Sandbox,
    surface: PathBuf,
}

impl Program {
    /// A level file with these faults.
    fn new(faults: &str) -> Self {
        let sandbox = Sandbox::new();
        let surface = sandbox.path("surface");
        sandbox.write("work/live.pages", format!("field hello\nsurface {}\n{faults}\n", surface.display()));
        Self { sandbox, surface }
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = self.sandbox.command_of(&pages(), args);
        command.args(["--store", "runs"]);
        command
    }

    fn start(&self) -> Child {
        let mut command =
            self.command(&["run", "live.pages", "--agent", "oracle", "--set", "play.verdict_time=6"]);
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }

    /// Waits until the surface has got this many actions.
    fn wait_for_acts(&self, count: usize) {
        let begun = Instant::now();
        while acts(&self.surface.join(LOG)).len() < count {
            assert!(begun.elapsed() < TIMEOUT, "no action came");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn resume(&self) -> String {
        let done = complete(&mut self.command(&["run", "--resume", "last"]));
        assert_eq!(done.code, Some(0), "{done:?}");
        done.out
    }

    /// The events of the only episode.
    fn events(&self) -> Vec<String> {
        let session = &self.sandbox.sessions("work/runs")[0];
        let text = fs::read_to_string(session.join("0001/journal.jsonl")).unwrap();
        let name =
            |line: &str| serde_json::from_str::<Value>(line).unwrap()["event"].as_str().unwrap().to_owned();
        text.lines().map(name).collect()
    }

    fn count(&self, name: &str) -> usize {
        self.events().iter().filter(|event| *event == name).count()
    }
}

fn signal(child: &Child, signal: rustix::process::Signal) {
    let id = i32::try_from(child.id()).unwrap();
    rustix::process::kill_process(rustix::process::Pid::from_raw(id).unwrap(), signal).unwrap();
}

#[test]
fn a_signal_ends_an_act_that_hangs_and_the_resumed_episode_looks() {
    use rustix::process::Signal;
    for (fault, sent, code) in [("hang 1", Signal::INT, 130), ("deaf 2", Signal::TERM, 143)] {
        let program = Program::new(fault);
        let mut child = program.start();
        program.wait_for_acts(fault[5..].parse().unwrap());
        let begun = Instant::now();
        signal(&child, sent);
        assert_eq!(wait(&mut child), Some(code), "{fault}");
        assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
        assert_eq!(program.events().last().unwrap(), "interrupted");
        let log = fs::read_to_string(program.surface.join(LOG)).unwrap();
        assert_eq!(log.lines().filter(|line| *line == "close").count(), 1, "{log}");
        let out = program.resume();
        assert!(out.contains("the action was interrupted"), "{out}");
        assert_eq!(acts(&program.surface.join(LOG)).len(), program.count("acting"), "{fault}: {out}");
        assert_eq!((program.count("interrupted"), program.count("looked")), (1, 1));
    }
}

#[test]
fn a_killed_program_never_acts_twice() {
    for fault in ["hang 1", "deaf 2", "late 20"] {
        let program = Program::new(fault);
        let mut child = program.start();
        program.wait_for_acts(if fault == "hang 1" { 1 } else { 2 });
        child.kill().unwrap();
        wait(&mut child);
        assert_eq!(program.events().last().unwrap(), "acting", "{fault}");
        let out = program.resume();
        assert_eq!(acts(&program.surface.join(LOG)).len(), program.count("acting"), "{fault}: {out}");
        assert_eq!((program.count("interrupted"), program.count("looked")), (1, 1), "{fault}");
        assert!(out.contains("won"), "{out}");
    }
}

/// Without its surface a recording is shown, found and reported; only resuming needs it.
#[test]
fn a_recording_opens_without_its_environment() {
    let program = Program::new("late 1");
    assert_eq!(wait(&mut program.start()), Some(0));
    fs::remove_dir_all(&program.surface).unwrap();
    for args in [
        &["report", "last", "--json"][..],
        &["find", "any", "last", "--json"],
        &["log", "check", "last"],
        &["reparse", "last"],
    ] {
        let done = complete(&mut program.command(args));
        assert_eq!(done.code, Some(0), "{args:?}: {}", done.err);
        assert!(!program.surface.exists(), "{args:?}");
    }
}

/// A program that was killed while the environment judged has it judge again when it is resumed.
#[test]
fn a_verdict_that_was_killed_is_tried_again_by_the_resumed_program() {
    let program = Program::new("judge late 600000");
    let mut child = program.start();
    program.wait_for_acts(2);
    let begun = Instant::now();
    while program.events().last().is_none_or(|event| event != "acted") || program.count("acted") < 2 {
        assert!(begun.elapsed() < TIMEOUT, "{:?}", program.events());
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    wait(&mut child);
    let unfinished = complete(&mut program.command(&["report", "last", "--json"]));
    assert!(unfinished.out.contains("\"unfinished\":1"), "{}", unfinished.out);
    // The page judges as late as before, so the resumed program gives it up after its time.
    let journal = program.sandbox.sessions("work/runs")[0].join("0001/journal.jsonl");
    assert!(fs::read_to_string(&journal).unwrap().contains("\"verdict_limit\":6"));
    let done = complete(&mut program.command(&["run", "--resume", "last"]));
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(done.out.contains("not judged: the environment gave no verdict within 6 s"), "{}", done.out);
    assert_eq!(program.count("judged"), 1, "{}", done.out);
    assert_eq!(acts(&program.surface.join(LOG)).len(), 2);
}

#[test]
fn verdicts_are_in_lines_json_and_reports_and_can_be_computed_again() {
    let program = Program::new("judge\ncover a banner\nchecks\ndone");
    let run = |args: &[&str]| {
        let done = complete(&mut program.command(args));
        assert_eq!(done.code, Some(0), "{args:?}: {}", done.err);
        done
    };
    let oracle = run(&["run", "live.pages", "--agent", "oracle"]).out;
    assert!(oracle.contains("score 100.0") && oracle.contains("verdict: success"), "{oracle}");
    fs::remove_dir_all(&program.surface).unwrap();
    let idle = run(&["run", "live.pages", "--agent", "idle", "--json"]);
    let episode = idle.json_lines().into_iter().find(|line| line["type"] == "episode").unwrap();
    assert_eq!(episode["verdict"]["success"], false, "{episode}");
    assert_eq!(
        episode["verdict"]["feedback"],
        serde_json::json!(["the text is wrong", "the form was not sent"])
    );
    assert_eq!((&episode["score"], &episode["solved"]), (&serde_json::json!(0.0), &serde_json::json!(false)));
    let report = run(&["report", "runs", "--json"]).json_lines();
    let verdicts = |agent: &str| {
        let row = report.iter().find(|row| row["agent"] == agent).unwrap();
        (row["verdicts"].clone(), row["endings"].clone())
    };
    let counts = |successes: u32, active: u32, wrong: u32| serde_json::json!({"judged": 1, "successes": successes, "not_judged": 0, "active_finishes": active, "false_finishes": wrong});
    assert_eq!(verdicts("oracle"), (counts(1, 0, 0), serde_json::json!({"won": 1})));
    assert_eq!(verdicts("idle"), (counts(0, 1, 1), serde_json::json!({"false finish": 1})));
    let text = run(&["report", "runs"]).out;
    assert!(text.contains("active finish %"), "{text}");
    fs::remove_dir_all(&program.surface).unwrap();
    let again = run(&["rejudge", "last", "--json"]).json_lines();
    assert_eq!(
        (&again[0]["changed"], &again[0]["score"]),
        (&serde_json::json!(false), &serde_json::json!(0.0))
    );
    assert_eq!(again[1]["judged"], 1);
    assert!(!program.surface.exists(), "nothing was opened");
}

/// A branch of a surface that comes back by repeating is proven by its states.
#[test]
fn a_branch_of_a_repeated_surface_is_replayed_or_refused() {
    for (level, surfaces, badge) in [("repeat", 3, "replayed"), ("repeat\ndrift", 3, "unsafe")] {
        let program = Program::new(level);
        assert_eq!(wait(&mut program.start()), Some(0), "{level}");
        let fork = |more: &[&str]| complete(&mut program.command(&[&["fork", "last#2"], more].concat()));
        let made = if badge == "unsafe" {
            let refused = fork(&[]);
            assert_eq!(refused.code, Some(2), "{}", refused.err);
            assert!(
                refused.err.contains("repeating its actions") && refused.err.contains("--unsafe"),
                "{}",
                refused.err
            );
            fork(&["--unsafe"])
        } else {
            fork(&[])
        };
        assert_eq!(made.code, Some(0), "{level}: {}", made.err);
        let listed = complete(&mut program.command(&["fork", "last"]));
        assert!(listed.out.contains(badge), "{}", listed.out);
        let count = fs::read_dir(&program.surface).unwrap().count();
        assert!(count >= surfaces - 1, "{level}: {count} surfaces");
    }
}

/// The head of the only episode.
fn head(program: &Program) -> Value {
    let session = &program.sandbox.sessions("work/runs")[0];
    let text = fs::read_to_string(session.join("0001/journal.jsonl")).unwrap();
    serde_json::from_str::<Value>(text.lines().next().unwrap()).unwrap()["head"].take()
}

/// Plays the level with these flags; returns what is printed.
fn play(program: &Program, flags: &[&str]) -> String {
    let mut command = program.command(&["run", "live.pages", "--agent", "oracle"]);
    let done = complete(command.args(flags));
    assert!(matches!(done.code, Some(0 | 4)), "{done:?}");
    done.out
}

#[test]
fn an_environment_says_its_own_rules_and_flags_are_stronger() {
    let program = Program::new("");
    play(&program, &[]);
    let conduct = &head(&program)["conduct"];
    let rules =
        ["attempts", "on_unreadable", "on_repeating", "time_checked"].map(|name| conduct[name].clone());
    assert_eq!(rules, [Value::from(1), "end".into(), "refuse".into(), "between".into()]);
    assert_eq!(conduct["thresholds"]["same"], 3);
    let program = Program::new("");
    play(&program, &["--attempts", "3", "--on-repeating", "go_on", "--time-checked", "always"]);
    let conduct = &head(&program)["conduct"];
    assert_eq!((&conduct["attempts"], &conduct["time_checked"]), (&Value::Null, &Value::Null), "{conduct}");
    assert_eq!((&conduct["on_unreadable"], &conduct["on_repeating"]), (&"end".into(), &"go_on".into()));
}

#[test]
fn a_level_without_steps_ends_after_it_was_opened() {
    let program = Program::new("max_steps 0");
    let out = play(&program, &[]);
    assert!(out.contains("0 steps") && out.contains("step limit"), "{out}");
    assert_eq!(program.events(), ["head", "opened"]);
    assert_eq!(head(&program)["limits_of_level"], serde_json::json!({ "steps": true }));
    let rows = complete(&mut program.command(&["report", "last", "--rows", "episodes", "--format", "json"]));
    let row: Value = serde_json::from_str(rows.out.lines().next().unwrap()).unwrap();
    assert_eq!(row["play.max_steps"], "level", "{row}");
    let out = play(&program, &["--max-steps", "1"]);
    assert!(out.contains("1 step ") && out.contains("step limit"), "{out}");
    let wrong = Program::new("max_steps few");
    let mut command = wrong.command(&["run", "live.pages", "--agent", "oracle"]);
    let done = complete(&mut command);
    let says = "live.pages:3: \"few\" is not a step limit; allowed is a whole number from 0 to 1000000";
    assert!(done.code == Some(2) && done.err.contains(says), "{done:?}");
}

/// Opening takes longer than the limit and does not count. An act that has begun ends by itself, unless the limit is
/// checked always.
#[test]
fn the_time_of_a_level_begins_when_the_page_is_open() {
    let program = Program::new("late 300\nmax_time 0.1");
    let out = play(&program, &[]);
    assert!(out.contains("1 step ") && out.contains("time limit"), "{out}");
    let end = program.events().split_off(program.events().len() - 3);
    assert_eq!(end, ["acting", "acted", "expired"]);
    assert_eq!(head(&program)["limits_of_level"], serde_json::json!({ "time": true }));
    assert_eq!(head(&program)["conduct"]["time_counted"], "play");
    let program = Program::new("late 300\nmax_time 0.1");
    let out = play(&program, &["--time-checked", "always"]);
    assert!(out.contains("time limit"), "{out}");
    let end = program.events().split_off(program.events().len() - 3);
    assert_eq!(end, ["acting", "interrupted", "expired"]);
}

/// The oracle types for ever into a page that ignores it. The third time is refused, also if the program was killed while
/// it typed.
#[test]
fn an_action_that_is_refused_stays_refused_after_a_kill() {
    let refused = "refused by the repetition limit";
    let program = Program::new("stuck");
    let out = play(&program, &[]);
    assert!(out.contains(refused) && out.contains("2 steps") && out.contains("repetition limit"), "{out}");
    assert_eq!((acts(&program.surface.join(LOG)).len(), program.count("acting")), (2, 2));
    for (kill_at, acted) in [(1, 2), (2, 2)] {
        let program = Program::new("stuck\nlate 100");
        let mut child = program.start();
        program.wait_for_acts(kill_at);
        child.kill().unwrap();
        wait(&mut child);
        let out = program.resume();
        assert!(out.contains(refused) && out.contains("repetition limit"), "{out}");
        assert_eq!((acts(&program.surface.join(LOG)).len(), program.count("acting")), (acted, acted));
        assert_eq!(program.events().last().unwrap(), "accepted");
    }
    for args in [&["log", "check", "last"][..], &["reparse", "last"], &["report", "last", "--json"]] {
        let done = complete(&mut program.command(args));
        assert_eq!(done.code, Some(0), "{args:?}: {}", done.err);
    }
    let done = complete(&mut program.command(&["view", "last", "--json"]));
    let step = |line: &str| serde_json::from_str::<Value>(line).unwrap();
    let last = done.out.lines().map(step).rfind(|line| line["type"] == "step").unwrap();
    assert_eq!((&last["step"], &last["over_limit"], &last["reward"]), (&3.into(), &true.into(), &0.0.into()));
}

/// A level that asks: how it is opened, each action, the surface, the verdict.
const ASKING: &str = "confirm\ndestructive the folder is emptied\ncaptcha 1\njudge person";

#[test]
fn without_a_person_a_level_that_asks_is_refused_or_parked() {
    let program = Program::new(ASKING);
    let args = ["run", "live.pages", "--agent", "oracle"];
    let refused = complete(&mut program.command(&args));
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.err.contains("live.pages#1 must be allowed to open by a person"), "{}", refused.err);
    assert!(!program.sandbox.path("work/runs").exists() && !program.surface.exists(), "nothing began");
    let parked = complete(program.command(&args).args(["--without-person", "park"]));
    assert_eq!(parked.code, Some(3), "{parked:?}");
    assert!(parked.err.contains("parked at a question to a person: Allow this"), "{}", parked.err);
    assert_eq!(program.events(), ["head"]);
    // What cannot be known before is parked.
    let program = Program::new("captcha 1");
    let parked = complete(&mut program.command(&args));
    assert!(parked.code == Some(3) && parked.err.contains("captcha"), "{parked:?}");
    // An environment that demands confirmation is not overruled.
    let program = Program::new("confirm");
    let given =
        complete(program.command(&args).args(["--confirm-actions", "never", "--without-person", "park"]));
    assert!(given.code == Some(2) && given.err.contains("must confirm each action"), "{given:?}");
}

/// Each question is a line on a terminal; a run that was stopped at one asks it again.
#[test]
fn a_run_on_a_terminal_asks_each_question_in_a_line() {
    let program = Program::new(ASKING);
    let command = program.command(&["run", "live.pages", "--agent", "oracle"]);
    let mut pty = Pty::start(&command, 120, 40);
    pty.sees("the folder is emptied").send(b"maybe\n").sees("another answer").send(b"y\n");
    pty.sees("y carries it out").send(b"\x03");
    assert_eq!(pty.wait_for_exit().code, 130);
    let mut pty = Pty::start(&program.command(&["run", "--resume", "last"]), 120, 40);
    pty.sees("type(text=\"hello\")").send(b"edit type(text=bye)\n").sees("type(text=\"bye\")");
    pty.send(b"no say hello\n").sees("refused: say hello").sees("step 2: Carry out").send(b"y\n");
    pty.sees("The page shows a captcha").send(b"done\n").sees("step 3: Carry out").send(b"y\n");
    pty.sees("Is the form filled in well?").send(b"\n").sees("verdict: success");
    assert_eq!(pty.wait_for_exit().code, 0);
    assert_eq!((program.count("person"), program.count("looked"), program.count("edited")), (6, 1, 1));
    assert_eq!(acts(&program.surface.join(LOG)).len(), 2, "the refused action did not happen");
    for args in [&["log", "check", "last"][..], &["rejudge", "last"], &["report", "last", "--json"]] {
        let done = complete(&mut program.command(args));
        assert_eq!(done.code, Some(0), "{args:?}: {}", done.err);
    }
}

/// On the screen and in lines a dialog asks.
#[test]
fn the_screen_and_the_linear_mode_ask_in_a_dialog() {
    let program = Program::new(ASKING);
    let mut pty = Pty::start(&program.command(&["play", "live.pages", "--agent", "oracle"]), 120, 40);
    pty.sees("the folder is emptied")
        .press("y")
        .sees("PAUSED")
        .press("enter")
        .sees("y runs it")
        .press("n n o");
    pty.press("enter").sees("refused: no").press("q");
    assert_eq!(pty.wait_for_exit().code, 0);
    let linear = program.command(&["play", "--resume", "last", "--linear"]);
    let mut pty = Pty::start(&linear, 120, 40);
    pty.send(b"run\n").sees("Carry out this action?").send(b"y\n").sees("captcha").send(b"done\n");
    pty.sees("Asked: click").send(b"y\n").sees("Is the form filled in well?").send(b"odd\n");
    pty.sees("won").send(b"quit\n");
    assert_eq!(pty.wait_for_exit().code, 0);
    let judged = complete(&mut program.command(&["view", "last", "--json"]));
    assert!(judged.out.contains("\"feedback\":[\"odd\"]"), "{}", judged.out);
}

/// A sweep parks the cell that asks, and others go on.
#[test]
fn a_sweep_parks_at_a_question() {
    let program = Program::new("captcha 1");
    let sweep = "[settings]\nplay.agent = \"oracle\"\n[[grid]]\nlevels = \"live.pages\"\n[[grid]]\nlevels = \"pages/forms/1\"\n";
    program.sandbox.write("work/asks.toml", sweep);
    let done = complete(&mut program.command(&["sweep", "run", "asks.toml", "--json"]));
    assert_eq!(done.code, Some(3), "{done:?}");
    let states = |name: &str| done.out.matches(&format!("\"state\":\"{name}\"")).count();
    assert_eq!((states("parked"), states("done")), (1, 1), "{}", done.out);
    assert!(done.out.contains("\"class\":\"question\""), "{}", done.out);
    let asks = Program::new("confirm");
    asks.sandbox.write("work/asks.toml", sweep);
    let refused = complete(&mut asks.command(&["sweep", "run", "asks.toml"]));
    assert!(refused.code == Some(2) && refused.err.contains("no person is here"), "{refused:?}");
}

/// In a pure world the recorded answers are repeated: a refused action ends its step without an act.
#[test]
fn a_recording_with_a_refused_action_is_replayed() {
    let program = Program::new("");
    let args = ["run", "sokoban/first/1", "--agent", "oracle", "--confirm-actions", "each"];
    let mut pty = Pty::start(&program.command(&args), 120, 40);
    pty.sees("step 1: Carry out").send(b"no not yet\n").sees("step 2: Carry out").send(b"y\n").sees("won");
    assert_eq!(pty.wait_for_exit().code, 0);
    let replayed = complete(&mut program.command(&["replay", "last"]));
    assert!(replayed.code == Some(0) && replayed.out.contains("2 replies: identical"), "{replayed:?}");
    let forked = complete(&mut program.command(&["fork", "last#2"]));
    assert_eq!(forked.code, Some(0), "{forked:?}");
}
