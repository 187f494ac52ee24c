//! Writes tasks in the form of their files.

use serde_json::{Map, Value, json};

use super::{Node, Target, Task, WorkflowStep};

impl Task {
    /// The record that [`Task::read`] reads.
    pub fn to_record(&self) -> Value {
        let mut record = Map::new();
        let mut add = |name: &str, value: Value| record.insert(name.to_owned(), value);
        add("index", json!(self.index));
        add("task", json!(self.text));
        add("reference_task_length", json!(self.reference_length));
        add("evaluation", self.nodes.iter().map(Node::to_record).collect());
        for (name, value) in [("start", &self.start), ("search", &self.search)] {
            if let Some(value) = value {
                add(name, json!(value));
            }
        }
        if !self.workflow.is_empty() {
            add("workflow", self.workflow.iter().map(WorkflowStep::to_record).collect());
        }
        Value::Object(record)
    }
}

impl Node {
    /// The object that [`Node::read`] reads.
    pub fn to_record(&self) -> Value {
        let mut content = Map::new();
        let mut add = |name: &str, value: &str| content.insert(name.to_owned(), json!(value));
        let target = self.function.target;
        if target == Target::Address {
            add("key", self.key.as_deref().unwrap_or_default());
        }
        add("reference_answer", &self.reference);
        if matches!(target, Target::Path | Target::Value) {
            add("netloc", &self.netloc);
        }
        for (name, value) in [("path", &self.path), ("url", &self.url)] {
            if let Some(value) = value {
                add(name, value);
            }
        }
        let mut node = Map::new();
        node.insert("match_function_name".to_owned(), json!(self.function.name()));
        if target == Target::Path {
            node.insert("method".to_owned(), json!(self.method.name()));
        }
        node.insert("content".to_owned(), Value::Object(content));
        Value::Object(node)
    }
}

impl WorkflowStep {
    fn to_record(&self) -> Value {
        let mut step = json!({"action": self.action});
        for (name, value) in [("selector", &self.selector), ("argument", &self.argument)] {
            if let Some(value) = value {
                step[name] = json!(value);
            }
        }
        step
    }
}

/// Tasks as a file: an array with one record in each element.
pub(crate) fn to_file(tasks: &[Task]) -> String {
    let records: Vec<Value> = tasks.iter().map(Task::to_record).collect();
    // An array of values with texts as keys is always written.
    serde_json::to_string_pretty(&records).unwrap_or_default()
}
