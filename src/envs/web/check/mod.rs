//! What is wrong with a task although it can be read: nodes that cannot be met, contradict themselves or are met by anything,
//! without a browser.

mod counts;
mod css;
mod nodes;
#[cfg(test)]
mod tests;

use async_trait::async_trait;
use mageyard_domain::{EnvironmentContext, EnvironmentError, Level, LevelCheck, Options};
use serde_json::{Map, Value};

pub use self::counts::Counts;
use crate::nodes::Rules;
use crate::task::{Task, WorkflowStep, unknown_fields};

/// The check of tasks.
#[derive(Clone, Copy, Debug)]
pub struct TaskCheck;

#[async_trait]
impl LevelCheck for TaskCheck {
    async fn check(
        &self,
        level: &Level,
        options: &Options,
        _: &EnvironmentContext,
    ) -> Result<Vec<String>, EnvironmentError> {
        let code = options.get("rules").and_then(Value::as_str) == Some(Rules::Code.name());
        let rules = if code { Rules::Code } else { Rules::Standard };
        Ok(level_findings(level, rules))
    }

    fn summary(&self, levels: &[&Level]) -> Option<String> {
        let tasks: Vec<Task> = levels.iter().filter_map(|level| Task::of_level(level).ok()).collect();
        Some(Counts::of(&tasks).to_string())
    }
}

fn level_findings(level: &Level, rules: Rules) -> Vec<String> {
    let task = match Task::of_level(level) {
        Ok(task) => task,
        Err(error) => return vec![error.to_string()],
    };
    let record: Map<String, Value> = serde_json::from_str(level.text()).unwrap_or_default();
    let unknown = unknown_fields(&record).into_iter().map(|field| format!("{field}: is not a known field"));
    unknown.chain(findings(&task, rules)).collect()
}

/// Everything that is wrong with a task by these rules, a sentence each.
pub fn findings(task: &Task, rules: Rules) -> Vec<String> {
    let nodes = task.nodes.iter().enumerate().flat_map(|(index, node)| {
        let place = format!("node {} ({})", index + 1, node.function.name());
        nodes::findings(task, node, rules).into_iter().map(move |found| format!("{place}: {found}"))
    });
    nodes.chain(duplicates(task)).chain(workflow_findings(task)).collect()
}

fn duplicates(task: &Task) -> Vec<String> {
    let nodes: Vec<_> =
        task.nodes.iter().map(|node| crate::task::Node { url: None, ..node.clone() }).collect();
    let earlier = |index: usize| {
        let same = nodes.get(index).and_then(|node| nodes.iter().position(|other| other == node))?;
        (same < index).then(|| format!("node {} is the same as node {}", index + 1, same + 1))
    };
    (0..nodes.len()).filter_map(earlier).collect()
}

/// The verbs that choose an element.
const WITH_ELEMENT: [&str; 5] = ["click", "hover", "fill_form", "fill_search", "select_option"];
/// The verbs that have an argument.
const WITH_ARGUMENT: [&str; 8] = [
    "goto",
    "google_search",
    "fill_form",
    "fill_search",
    "select_option",
    "switch_tab",
    "cache_data",
    "get_final_answer",
];

fn workflow_findings(task: &Task) -> Vec<String> {
    let steps = task.workflow.len();
    let length = (steps > 0 && steps != task.reference_length as usize).then(|| {
        format!("reference_task_length is {}, and the workflow has {steps} steps", task.reference_length)
    });
    let steps = task.workflow.iter().enumerate().flat_map(|(index, step)| {
        step_findings(step).into_iter().map(move |found| format!("workflow[{index}]: {found}"))
    });
    length.into_iter().chain(steps).collect()
}

fn step_findings(step: &WorkflowStep) -> Vec<String> {
    let verb = step.action.as_str();
    let mut found = Vec::new();
    match &step.selector {
        None if WITH_ELEMENT.contains(&verb) => found.push(format!("{verb} needs a selector")),
        Some(_) if !WITH_ELEMENT.contains(&verb) => found.push(format!("{verb} has no use for a selector")),
        Some(selector) => found.extend(css::parse(selector).err().map(|why| format!("selector: {why}"))),
        None => {}
    }
    match &step.argument {
        None if WITH_ARGUMENT.contains(&verb) => found.push(format!("{verb} needs an argument")),
        Some(_) if !WITH_ARGUMENT.contains(&verb) => found.push(format!("{verb} has no use for an argument")),
        _ => {}
    }
    found
}
