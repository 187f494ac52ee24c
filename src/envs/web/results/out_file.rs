//! The form of `out.json`: a list of tasks with their steps.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A task with its recorded steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OutTask {
    /// The position of the task in its file, from 0.
    pub task_id: u64,
    /// What is to be done.
    pub task_name: String,
    /// How it ended: a name of [`TaskStatus`](crate::scores::TaskStatus).
    pub task_status: String,
    /// The recorded steps.
    pub step_list: Vec<OutStep>,
    /// The nodes with their scores at the end.
    pub evaluation: Vec<EvaluatedNode>,
}

/// A step. Its texts come from pages and models, so they are untrusted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OutStep {
    /// From 0.
    pub step_index: u32,
    /// What the agent wrote.
    pub trace_description: TraceDescription,
    /// CSS of the element; empty if none was chosen.
    pub selector: String,
    /// The typed text or the label of the element; may be empty.
    pub element_value: String,
    /// Such as `click[12]`. The number is that of the observation; a filled form has its own verb here.
    pub action: String,
    /// Such as `1 / 4`, after the step.
    pub task_score: String,
    /// The same as a number.
    pub task_score_rate: f64,
    /// What the reward module said before the step; may be empty.
    pub current_reward_score_description: Map<String, Value>,
    /// The address after the step.
    pub url: String,
    /// The nodes that are met in full, as a list of dictionaries in the text form of Python.
    pub match_result: String,
    /// Why the action did not do what it says; empty if it did.
    pub error: String,
}

/// What the agent wrote at a step.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceDescription {
    /// Its thought.
    pub thought: String,
    /// Its action, in words.
    pub action: String,
}

/// A node with its score at the end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EvaluatedNode {
    /// The name of its function.
    pub match_function: String,
    /// The parameter of the query; only for addresses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// How a path is written; only for paths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// The reference.
    pub reference_answer: String,
    /// The label of the site; only for elements.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub netloc: Option<String>,
    /// CSS of the element; only for values that have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// From 0 to 1.
    pub score: f64,
}
