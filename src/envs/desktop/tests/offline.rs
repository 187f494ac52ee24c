use serde_json::{Map, Value};

use super::machine::Machine;
use crate::evaluate::{Episode, Evaluation, cleanup, evaluate, reset};
use crate::handlers::{Computer, Rules};
use crate::task::{Need, Stage, Task, Variables};

const TASKS: &str = include_str!("../../../../levels/desktop/offline.json");

fn records() -> Vec<Map<String, Value>> {
    serde_json::from_str(TASKS).unwrap()
}

fn tasks() -> Vec<Task> {
    records().iter().map(|record| Task::read(record).unwrap()).collect()
}

/// Prepares a machine, runs a cell as the agent's only reply, judges and cleans up.
fn play(task: &Task, cell: Option<&str>, rules: Rules) -> Evaluation {
    let mut machine = Machine::new();
    let root = machine.home().to_owned();
    let variables = Variables { home: root.clone(), root, ..Variables::default() };
    let procedures = |stage| task.procedures(stage, &variables).unwrap();
    reset(&procedures(Stage::Reset), &mut machine, rules).unwrap();
    let cell = cell.map(|cell| variables.replace(cell).unwrap());
    if let Some(cell) = &cell {
        assert!(Machine::cell(cell), "{}: the cell failed", task.id);
    }
    let episode = Episode { rules, reply: cell.as_deref(), answers: &[] };
    let evaluation = evaluate(&procedures(Stage::Evaluation), &mut machine, episode);
    assert_eq!(cleanup(&procedures(Stage::Cleanup), &mut machine, rules), [""; 0], "{}", task.id);
    assert_eq!(machine.list(&variables.root).unwrap(), [""; 0], "{} leaves files", task.id);
    evaluation
}

#[test]
fn there_are_38_tasks_half_of_them_on_a_screen() {
    let tasks = tasks();
    assert_eq!(tasks.len(), 38);
    let (visual, text): (Vec<_>, Vec<_>) = tasks.iter().partition(|task| task.visual);
    for (twin, task) in visual.iter().zip(&text) {
        assert_eq!(twin.id.replace("os-screen-", "os-"), task.id);
        assert_eq!((&twin.instruction, &twin.evaluation), (&task.instruction, &task.evaluation));
        assert_eq!((twin.max_steps, twin.max_time.as_secs()), (20, 60));
        assert_eq!(task.max_time.as_secs(), 30);
        assert_eq!(twin.needs(), [Need::Display]);
        assert!(task.needs().is_empty() && task.warnings().is_empty());
    }
    assert_eq!((visual.len(), text.len()), (19, 19));
    // Only the agent that reads its result before it answers needs more than one step.
    let more: Vec<&str> =
        text.iter().filter(|task| task.max_steps > 1).map(|task| task.id.as_str()).collect();
    assert_eq!(more, ["os-count-scripts"]);
    let ids: std::collections::BTreeSet<&str> = tasks.iter().map(|task| task.id.as_str()).collect();
    assert_eq!(ids.len(), 38);
    assert!(records().iter().all(Task::matches));
}

#[test]
fn every_task_is_done_by_its_oracle() {
    for task in tasks().iter().filter(|task| !task.visual) {
        let evaluation = play(task, task.oracle.as_deref(), Rules::Standard);
        assert_eq!(evaluation.score(), Some(1), "{}: {evaluation:?}", task.id);
    }
}

#[test]
fn no_task_is_done_by_its_wrong_cell_or_by_nothing() {
    for task in tasks().iter().filter(|task| !task.visual) {
        for cell in [task.wrong.as_deref(), None] {
            let evaluation = play(task, cell, Rules::Standard);
            assert_eq!(evaluation.score(), Some(0), "{}: {evaluation:?}", task.id);
            assert!(!evaluation.sentences().is_empty(), "{}", task.id);
        }
    }
}

#[test]
fn the_released_code_agrees_except_on_answers() {
    for task in tasks().iter().filter(|task| !task.visual) {
        let evaluation = play(task, task.oracle.as_deref(), Rules::Code);
        let expected =
            if task.evaluation.iter().any(|procedure| procedure.evaluator == "qa") { None } else { Some(1) };
        assert_eq!(evaluation.score(), expected, "{}: {evaluation:?}", task.id);
    }
}

#[test]
fn the_sentence_of_a_wrong_cell_says_what_is_wrong() {
    for (id, part) in [
        ("os-create-file", "has the content \"remember the milk\", expected is \"remember the milk\\n\""),
        ("os-make-executable", "has the permissions 0o777, expected is 0o755"),
        ("os-symbolic-link", "expected is \"yes\""),
        ("os-ini-user", "the section User is missing"),
        ("os-json-settings", "settings.json is "),
        ("os-set-time", "expected is 2024-03-01T12:00:00"),
        ("os-start-process", "no process with the name sleep$ runs"),
        ("os-count-scripts", "the answer is \"1\", expected is \"3\""),
    ] {
        let tasks = tasks();
        let task = tasks.iter().find(|task| task.id == id).unwrap();
        let evaluation = play(task, task.wrong.as_deref(), Rules::Standard);
        let sentences = evaluation.sentences().join("\n");
        assert!(sentences.contains(part), "{id}: {sentences}");
    }
}
