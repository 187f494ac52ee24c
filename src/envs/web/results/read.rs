//! Reads `out.json` of the released program: what its scores are made of.

use mageyard_domain::{FieldError, RawRecord, nearest_names, read_object};
use serde_json::Value;

use crate::levels::each_record;
use crate::scores::TaskStatus;
use crate::task::Fields;

/// A task of `out.json`, as far as scores need it.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedTask {
    /// The line where it begins, from 1.
    pub line: usize,
    /// The position of the task in its file, as it was written.
    pub id: Option<u64>,
    /// What was to be done.
    pub name: String,
    /// How it ended.
    pub status: TaskStatus,
    /// The recorded steps (k). The released program takes the number of the last one and adds 1, which is the same from v0.0.3 on.
    pub steps: u32,
    /// The sum of the scores of the nodes (s).
    pub achieved: f64,
    /// The number of nodes (n).
    pub nodes: u32,
    /// Whether the agent signalled the end: by its status, by an answer as its last action, or by the reward module at its last
    /// step.
    pub signalled: bool,
}

/// Why a file of results cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {error}")]
pub struct OutError {
    /// The line of the task, from 1.
    pub line: usize,
    /// The field of the task and what is wrong with it.
    pub error: FieldError,
}

/// The tasks of a file of results.
///
/// # Errors
///
/// The first task that is wrong, with its line and field; a file without tasks.
pub fn read_out(text: &str) -> Result<Vec<RecordedTask>, OutError> {
    let mut tasks = Vec::new();
    each_record(text.as_bytes(), |piece| tasks.push(read_piece(piece)));
    if tasks.is_empty() {
        return Err(OutError { line: 1, error: FieldError::new("", "has no tasks") });
    }
    tasks.into_iter().collect()
}

fn read_piece(piece: &RawRecord<'_>) -> Result<RecordedTask, OutError> {
    let record = read_object(piece).map_err(|fault| OutError { line: fault.line, error: fault.error })?;
    let at = |error| OutError { line: piece.line, error };
    read_task(&Fields::new(&record.fields, ""), piece.line).map_err(at)
}

fn read_task(fields: &Fields<'_>, line: usize) -> Result<RecordedTask, FieldError> {
    let status = status(fields)?;
    let steps = fields.objects("step_list")?;
    let evaluated = fields.objects("evaluation")?.len();
    let last = steps.len().saturating_sub(1);
    let place = format!("step_list[{last}].");
    let last = steps.last().map(|step| Fields::new(step, &place));
    let (achieved, nodes) = match &last {
        Some(step) => score(step)?,
        None => (0.0, u32::try_from(evaluated).unwrap_or(u32::MAX)),
    };
    if nodes == 0 {
        return Err(fields.error("evaluation", "has no nodes"));
    }
    Ok(RecordedTask {
        line,
        id: fields.value("task_id").and_then(Value::as_u64),
        name: fields.nonempty_text("task_name")?,
        status,
        steps: u32::try_from(steps.len()).unwrap_or(u32::MAX),
        achieved,
        nodes,
        signalled: status == TaskStatus::LlmFinished || last.is_some_and(|step| is_signal(&step)),
    })
}

fn status(fields: &Fields<'_>) -> Result<TaskStatus, FieldError> {
    let name = fields.text("task_status")?;
    TaskStatus::named(&name).ok_or_else(|| {
        let known = TaskStatus::ALL.map(TaskStatus::name);
        let near = nearest_names(&name, known);
        let hint = if near.is_empty() { known.join(", ") } else { near.join(" or ") };
        fields.error("task_status", format!("{name:?} is not known; known is {hint}"))
    })
}

/// The two numbers of a score such as `1.5 / 4`.
fn score(step: &Fields<'_>) -> Result<(f64, u32), FieldError> {
    let text = step.text("task_score")?;
    let numbers = text.split_once('/').and_then(|(achieved, nodes)| {
        let achieved: f64 = achieved.trim().parse().ok()?;
        let nodes: u32 = nodes.trim().parse().ok()?;
        Some((achieved, nodes)).filter(|_| achieved >= 0.0 && achieved <= f64::from(nodes))
    });
    numbers.ok_or_else(|| step.error("task_score", format!("{text:?} is not a score such as \"1 / 4\"")))
}

/// Whether the last step signals the end.
fn is_signal(step: &Fields<'_>) -> bool {
    let is_answer = step
        .value("action")
        .and_then(Value::as_str)
        .is_some_and(|action| action.starts_with("get_final_answer"));
    let reward = step.value("current_reward_score_description");
    let said =
        reward.and_then(|reward| reward.get("status").or(reward.get("description"))).and_then(Value::as_str);
    is_answer || said == Some("finished")
}
