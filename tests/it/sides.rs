//! The whole program with side requests: a judge that the environment asks, and a module of the agent.

use std::fs;

use serde_json::{Value, json};

use crate::sandbox::{CommandResult, Sandbox, complete, program};

/// A folder with a level of `pages`.
struct Program(Sandbox);

impl Program {
    fn new(level: &str) -> Self {
        let sandbox = Sandbox::new();
        let surface = sandbox.path("surface");
        sandbox.write("work/live.pages", format!("field hello\nsurface {}\n{level}\n", surface.display()));
        Self(sandbox)
    }

    fn run(&self, args: &[&str]) -> CommandResult {
        let mut command = self.0.command_of(&program("examples/pages"), args);
        command.args(["--store", "runs"]);
        complete(&mut command)
    }

    /// The lines of the only journal.
    fn journal(&self) -> Vec<Value> {
        let session = &self.0.sessions("work/runs")[0];
        let text = fs::read_to_string(session.join("0001/journal.jsonl")).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    fn events(&self) -> Vec<String> {
        self.journal().iter().map(|line| line["event"].as_str().unwrap().to_owned()).collect()
    }
}

#[test]
fn a_judge_answers_what_an_environment_asks_and_a_replay_repeats_it() {
    let program = Program::new("asks\njudge ask");
    let flags = ["--agent", "oracle", "--set", "roles.judge=demo temperature=0"];
    let done = program.run(&[&["run", "live.pages"][..], &flags].concat());
    assert_eq!(done.code, Some(0), "{done:?}");
    let events = program.events();
    let count = |name: &str| events.iter().filter(|event| *event == name).count();
    assert_eq!((count("settled"), count("judged")), (1, 1), "{events:?}");
    assert_eq!(count("questioned"), 0, "the verdict needs what was answered before: {events:?}");
    let journal = program.journal();
    let head = &journal[0]["head"];
    assert_eq!(head["roles"]["judge"]["model"], "demo");
    assert!(head["roles"]["judge"]["prompt"].as_str().unwrap().contains("{rule}"));
    let answer = journal.iter().find(|line| line["event"] == "side_replied" && line["answer"].is_number());
    let worth = answer.unwrap()["answer"].as_f64().unwrap();
    let settled = journal.iter().find(|line| line["event"] == "settled").unwrap();
    assert_eq!(settled["reward"], json!(5.0 * worth));
    let judged = journal.iter().find(|line| line["event"] == "judged").unwrap();
    assert_eq!(judged["judgement"]["verdict"]["score"], json!(50.0 * worth + 50.0));
    fs::remove_dir_all(program.0.path("surface")).unwrap();
    let replayed = program.run(&["replay", "last"]);
    assert_eq!(replayed.code, Some(0), "{replayed:?}");
    fs::remove_dir_all(program.0.path("surface")).unwrap();
    let again = program.run(&["rejudge", "last", "--json"]);
    assert_eq!(again.json_lines()[0]["changed"], false, "{again:?}");
}

/// A server that cannot be reached is a failure and never a value. The verdict is given later, with what is asked then.
#[test]
fn a_judge_that_cannot_be_reached_leaves_the_episode_unjudged() {
    let program = Program::new("judge ask");
    let away = ["--set", "model.base_url=http://127.0.0.1:9/v1", "--set", "model.max_retries=0"];
    let run = ["run", "live.pages", "--agent", "oracle", "--set", "roles.judge=nobody temperature=0"];
    let failed = program.run(&[&run[..], &away, &["--set", "model.key_variable="]].concat());
    assert_ne!(failed.code, Some(0), "{failed:?}");
    assert!(failed.err.contains("cannot be reached"), "{}", failed.err);
    let events = program.events();
    assert!(events.iter().any(|event| event == "side_failed") && !events.contains(&"judged".to_owned()));
    let counted = program.run(&["rejudge", "last", "--set", "roles.judge=demo"]);
    assert!(counted.out.contains("not judged: it needs 1 answer, ~"), "{}", counted.out);
    assert!(counted.out.contains("add --ask"), "{}", counted.out);
    let asked = program.run(&["rejudge", "last", "--ask", "--set", "roles.judge=demo"]);
    assert!(asked.out.starts_with("sending 1 question of 1 episode, ~"), "{}", asked.out);
    assert!(asked.out.contains("judged again 1"), "{}", asked.out);
    assert!(!program.events().contains(&"judged".to_owned()), "no journal is changed");
}

#[test]
fn a_module_of_the_agent_looks_back_and_a_replay_repeats_it() {
    let sandbox = Sandbox::new();
    let run = |args: &[&str]| complete(&mut sandbox.command(args));
    let played = run(&[
        "run",
        "sokoban/mini/1",
        "--agent",
        "demo",
        "--set",
        "roles.modules=reward",
        "--store",
        "runs",
    ]);
    assert_eq!(played.code, Some(0), "{played:?}");
    let session = &sandbox.sessions("work/runs")[0];
    let text = fs::read_to_string(session.join("0001/journal.jsonl")).unwrap();
    assert!(text.contains("\"event\":\"side_replied\"") && text.contains("\"reflection\""), "{text:.2000}");
    let replayed = run(&["replay", "last", "--store", "runs"]);
    assert_eq!(replayed.code, Some(0), "{replayed:?}");
}

#[test]
fn a_role_that_cannot_be_filled_is_refused_before_anything_is_played() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "config/mageyard/prompts/sokoban/roles/reward.md",
        "+++\nname = \"reward\"\nsummary = \"s\"\n+++\n## task\n{rule}\n",
    );
    for (flags, words) in [
        (&["--agent", "oracle", "--set", "roles.modules=reward"][..], "the agent oracle sends no requests"),
        (&["--agent", "demo", "--set", "roles.modules=rewards"], "there is no module \"rewards\""),
        (&["--agent", "demo", "--set", "roles.tries=4"], "roles.tries"),
        (&["--agent", "demo", "--set", "roles.modules=reward"], "unknown variable {rule}"),
    ] {
        let refused =
            complete(&mut sandbox.command(&[&["run", "sokoban/mini/1", "--store", "runs"], flags].concat()));
        assert_eq!(refused.code, Some(2), "{flags:?}: {refused:?}");
        assert!(refused.err.contains(words), "{flags:?}: {}", refused.err);
    }
}

/// What a module said of a state belongs to the request of its step, also when that is asked again.
#[test]
fn a_step_with_a_module_can_be_asked_again_and_left_by_a_branch() {
    let sandbox = Sandbox::new();
    let run = |args: &[&str]| complete(&mut sandbox.command(args));
    let flags = ["--agent", "demo", "--set", "roles.modules=reward", "--max-steps", "4", "--store", "runs"];
    let played = run(&[&["run", "sokoban/mini/1"][..], &flags].concat());
    assert_eq!(played.code, Some(0), "{played:?}");
    let asked = run(&["ask", "last#3", "--samples", "1", "--store", "runs", "--json"]);
    assert_eq!(asked.code, Some(0), "{asked:?}");
    let branch = run(&["fork", "last#3", "--store", "runs"]);
    assert_eq!(branch.code, Some(0), "{branch:?}");
    let played = run(&["run", "--resume", "last#b1", "--store", "runs"]);
    assert_eq!(played.code, Some(0), "{played:?}");
    let session = &sandbox.sessions("work/runs")[0];
    let text = fs::read_to_string(session.join("0001/b1/journal.jsonl")).unwrap();
    assert!(text.contains("\"event\":\"side_sent\""), "the branch asks the module of its own: {text:.1000}");
    let replayed = run(&["replay", "last#b1", "--store", "runs"]);
    assert_eq!(replayed.code, Some(0), "{replayed:?}");
}
