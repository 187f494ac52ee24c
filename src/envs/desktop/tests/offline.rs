use serde_json::{Map, Value};

use crate::task::{Need, Task};

const TASKS: &str = include_str!("../../../../levels/desktop/offline.json");

fn records() -> Vec<Map<String, Value>> {
    serde_json::from_str(TASKS).unwrap()
}

fn tasks() -> Vec<Task> {
    records().iter().map(|record| Task::read(record).unwrap()).collect()
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
