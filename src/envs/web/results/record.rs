//! Writes a stored episode in the form of `out.json`.

use mageyard_domain::{ActProblem, StoredEpisode, StoredStep};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::out_file::{EvaluatedNode, OutStep, OutTask, TraceDescription};
use super::python_text;
use crate::facts::ActFacts;
use crate::nodes::Progress;
use crate::scores::TaskStatus;
use crate::task::{Node, Target, Task};

/// The verbs with a text but without an element.
const WITH_TEXT: [&str; 4] = ["goto", "google_search", "cache_data", "get_final_answer"];

/// The fact of a state with its last act and the progress after it.
const COURSE: &str = "course";

/// What the agent wrote at a step, and what the reward module said before it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StepTrace {
    /// Thought and action.
    pub description: TraceDescription,
    /// The assessment of the reward module; empty without one.
    pub reward: Map<String, Value>,
}

/// An episode as a task of `out.json`. `traces` are those of its steps, in order; a missing one is empty.
///
/// # Errors
///
/// The level is not a task, or a state has no facts of its act and progress.
pub fn record(episode: &StoredEpisode<'_>, traces: &[StepTrace]) -> Result<OutTask, String> {
    let task = Task::of_level(episode.level).map_err(|error| error.to_string())?;
    let mut progress = Progress::of(&task);
    let mut steps = Vec::new();
    let pairs = episode.conclusion.steps.iter().zip(episode.conclusion.steps.iter().skip(1));
    for ((step, after), index) in pairs.filter(|(step, _)| step.action.is_some()).zip(0_u32..) {
        let place = format!("the state after step {}", index + 1);
        let act: ActFacts = fact(after, "act", &place)?;
        progress = fact(after, "progress", &place)?;
        if !progress.fits(&task) {
            return Err(format!("{place} has the progress of another task"));
        }
        let trace = traces.get(steps.len()).cloned().unwrap_or_default();
        steps.push(out_step(index, &task, &act, &progress, step.problem.as_ref(), trace));
    }
    let blocked = episode.verdict.and_then(|verdict| verdict.figures.get("blocked")) == Some(&1.0);
    let status = TaskStatus::of(progress.is_complete(), blocked, episode.conclusion.ending);
    let nodes = task.nodes.iter().zip(&progress.nodes);
    Ok(OutTask {
        task_id: (episode.level.number as u64).saturating_sub(1),
        task_name: task.text.clone(),
        task_status: status.name().to_owned(),
        step_list: steps,
        evaluation: nodes.map(|(node, progress)| evaluated(node, progress.score)).collect(),
    })
}

/// A part of the course that a state has among its facts.
fn fact<T: DeserializeOwned>(step: &StoredStep, name: &str, place: &str) -> Result<T, String> {
    let course = step.observation.facts().get(COURSE);
    let fact = course.and_then(|course| course.get(name));
    let fact = fact.ok_or_else(|| format!("{place} has no fact {COURSE}.{name}"))?;
    T::deserialize(fact).map_err(|error| format!("{place}, fact {COURSE}.{name}: {error}"))
}

fn out_step(
    index: u32,
    task: &Task,
    act: &ActFacts,
    progress: &Progress,
    problem: Option<&ActProblem>,
    trace: StepTrace,
) -> OutStep {
    let element = act.element.as_ref();
    let selector = element.and_then(|element| element.css.clone());
    let is_typed = matches!(act.verb.as_str(), "fill_form" | "fill_search");
    let typed = act.text.clone().filter(|_| is_typed);
    let label = element.map(|element| element.label.clone());
    let nodes = task.nodes.len();
    let achieved = progress.achieved();
    #[expect(clippy::cast_precision_loss, reason = "a task has few nodes")]
    let rate = achieved / nodes as f64;
    OutStep {
        step_index: index,
        trace_description: trace.description,
        selector: selector.unwrap_or_default(),
        element_value: typed.or(label).unwrap_or_default(),
        action: action(act),
        task_score: format!("{} / {nodes}", python_text::number(achieved)),
        task_score_rate: rate,
        current_reward_score_description: trace.reward,
        url: act.after.clone(),
        match_result: met(task, progress),
        error: problem.map(|problem| problem.reason().to_string()).unwrap_or_default(),
    }
}

/// The action with its arguments, such as `fill_form[3,two words]`.
fn action(act: &ActFacts) -> String {
    let number = act.element.as_ref().map(|element| element.number.to_string());
    let text = act.text.clone();
    let arguments: Vec<String> = match act.verb.as_str() {
        verb if WITH_TEXT.contains(&verb) => text.into_iter().collect(),
        _ => number.into_iter().chain(text).collect(),
    };
    if arguments.is_empty() { act.verb.clone() } else { format!("{}[{}]", act.verb, arguments.join(",")) }
}

/// The nodes that are met in full, such as `[{'url_included_match': 'shop.'}]`.
fn met(task: &Task, progress: &Progress) -> String {
    let nodes = task.nodes.iter().zip(&progress.nodes).filter(|(_, progress)| progress.is_full());
    let entries = nodes.map(|(node, _)| {
        format!("{{{}: {}}}", python_text::text(node.function.name()), python_text::text(&node.reference))
    });
    format!("[{}]", entries.collect::<Vec<_>>().join(", "))
}

fn evaluated(node: &Node, score: f64) -> EvaluatedNode {
    let target = node.function.target;
    let is_element = matches!(target, Target::Path | Target::Value);
    EvaluatedNode {
        match_function: node.function.name().to_owned(),
        key: (target == Target::Address).then(|| node.key.clone().unwrap_or_default()),
        method: (target == Target::Path).then(|| node.method.name().to_owned()),
        reference_answer: node.reference.clone(),
        netloc: is_element.then(|| node.netloc.clone()),
        path: node.path.clone(),
        score,
    }
}
