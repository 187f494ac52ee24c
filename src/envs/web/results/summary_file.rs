//! Scores of results: those that the released code writes to `result.json`, and ours beside them.

use serde_json::{Map, Value, json};

use super::out_file::OutTask;
use super::read::{OutError, RecordedTask};
use crate::scores::{Summary, TaskScore, TaskStatus};
use crate::task::Task;
use mageyard_domain::FieldError;

/// The scores of results by both readings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScoredResults {
    /// The scores of all tasks.
    pub all: Summary,
    /// Those of the tasks that met no page that blocks agents, as far as their status says so.
    pub clean: Summary,
    /// The share of tasks with the status `finished`, which is the task success of the released code.
    pub success_by_status: f64,
    /// The numbers of tasks by status, in the order of [`TaskStatus::ALL`].
    pub statuses: [usize; 6],
}

/// Scores results against the tasks that they are of, which have the lengths of the references.
///
/// # Errors
///
/// A result is of no task of the file, or has another number of nodes.
pub fn score_results(
    results: &[RecordedTask],
    tasks: &[Task],
    usd: Option<f64>,
) -> Result<ScoredResults, OutError> {
    let tasks: Vec<(TaskStatus, TaskScore)> =
        results.iter().map(|result| score(result, tasks)).collect::<Result<_, _>>()?;
    let scores: Vec<TaskScore> = tasks.iter().map(|(_, score)| *score).collect();
    let clean: Vec<TaskScore> =
        tasks.iter().filter(|(status, _)| *status != TaskStatus::Blocked).map(|(_, score)| *score).collect();
    let statuses = TaskStatus::ALL.map(|status| tasks.iter().filter(|(found, _)| *found == status).count());
    Ok(ScoredResults {
        all: Summary::of(&scores, usd),
        clean: Summary::of(&clean, None),
        success_by_status: share(statuses[0], scores.len()),
        statuses,
    })
}

#[expect(clippy::cast_precision_loss, reason = "numbers of tasks are small")]
fn share(part: usize, of: usize) -> f64 {
    if of == 0 { 0.0 } else { part as f64 / of as f64 }
}

fn score(result: &RecordedTask, tasks: &[Task]) -> Result<(TaskStatus, TaskScore), OutError> {
    let wrong =
        |field: &str, reason: String| OutError { line: result.line, error: FieldError::new(field, reason) };
    let is_named = |task: &&Task| task.text.trim() == result.name.trim();
    let position = result.id.and_then(|id| usize::try_from(id).ok());
    let in_place = position.and_then(|position| tasks.get(position)).filter(is_named);
    let task = in_place.or_else(|| tasks.iter().find(is_named));
    let task =
        task.ok_or_else(|| wrong("task_name", format!("{:?} is not a task of the file", result.name)))?;
    if task.nodes.len() != result.nodes as usize {
        let reason = format!("the score is of {} nodes; the task has {}", result.nodes, task.nodes.len());
        return Err(wrong("step_list", reason));
    }
    let score = TaskScore {
        achieved: result.achieved,
        nodes: result.nodes,
        steps: result.steps,
        reference_length: Some(task.reference_length),
        signalled: result.signalled,
    };
    Ok((result.status, score))
}

/// `result.json` of these tasks, as the released code computes it: success is read from the status. Where it would divide by
/// zero, the value is null.
pub fn result_file(tasks: &[OutTask], usd: Option<f64>) -> Value {
    let scores: Vec<TaskScore> = tasks.iter().map(task_score).collect();
    let summary = Summary::of(&scores, usd);
    let finished = tasks.iter().filter(|task| task.task_status == TaskStatus::Finished.name()).count();
    let mut file = Map::new();
    let mut add = |name: &str, value: Value| file.insert(name.to_owned(), value);
    add("task_counts", json!(tasks.len()));
    add("average_step_score_rate", json!(summary.rate));
    add("average_efficiency_score", json!(summary.efficiency_with_zeros));
    if usd.is_some() {
        add("usd_efficiency_score", json!(summary.usd_efficiency));
    }
    add("key_node_completion_rate", json!(summary.completion));
    add("task_success_rate", json!(share(finished, tasks.len())));
    add("task_near_success_rate", json!(summary.near_success));
    Value::Object(file)
}

fn task_score(task: &OutTask) -> TaskScore {
    TaskScore {
        achieved: task.evaluation.iter().map(|node| node.score).sum(),
        nodes: u32::try_from(task.evaluation.len()).unwrap_or(u32::MAX),
        steps: u32::try_from(task.step_list.len()).unwrap_or(u32::MAX),
        reference_length: None,
        signalled: false,
    }
}
