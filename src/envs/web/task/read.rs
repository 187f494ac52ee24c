//! Reads a task from a record: the first wrong field is named.

use mageyard_domain::FieldError;
use serde_json::{Map, Value};

use super::function::unknown;
use super::workflow::{self, WorkflowStep};
use super::{Fields, Function, Matching, Node, PathMethod, Target, Task, TaskIndex};

/// The most nodes of a task; published tasks have up to 20.
const MOST_NODES: usize = 256;
/// The most steps of a workflow.
const MOST_STEPS: usize = 1024;

const KNOWN: [&str; 7] =
    ["index", "task", "reference_task_length", "evaluation", "start", "search", "workflow"];
const KNOWN_IN_NODE: [&str; 3] = ["match_function_name", "method", "content"];
const KNOWN_IN_CONTENT: [&str; 5] = ["key", "reference_answer", "netloc", "url", "path"];

impl Task {
    /// Whether a record is a task, by the names of its fields.
    pub(crate) fn matches(record: &Map<String, Value>) -> bool {
        ["task", "evaluation"].iter().all(|name| record.contains_key(*name))
    }

    /// The task that a record describes.
    ///
    /// # Errors
    ///
    /// A field is missing or wrong; names of functions that are not known are refused, since leaving them out would make
    /// the task easier.
    pub fn read(record: &Map<String, Value>) -> Result<Self, FieldError> {
        let fields = Fields::new(record, "");
        Ok(Self {
            index: index(&fields)?,
            text: fields.nonempty_text("task")?,
            reference_length: fields.count("reference_task_length")?,
            nodes: nodes(&fields)?,
            start: address(&fields, "start")?,
            search: address(&fields, "search")?,
            workflow: workflow(&fields)?,
        })
    }
}

fn index(fields: &Fields<'_>) -> Result<TaskIndex, FieldError> {
    let value = fields.required("index")?;
    let number = value.as_u64().map(TaskIndex::Number);
    let text = || value.as_str().filter(|text| !text.is_empty()).map(|text| TaskIndex::Text(text.to_owned()));
    number.or_else(text).ok_or_else(|| fields.error("index", "is neither a whole number from 0 nor a text"))
}

/// An address of a page, with its scheme.
pub(super) fn address(fields: &Fields<'_>, name: &str) -> Result<Option<String>, FieldError> {
    let Some(text) = fields.optional_text(name)? else { return Ok(None) };
    if text.starts_with("http://") || text.starts_with("https://") {
        return Ok(Some(text));
    }
    Err(fields.error(name, "does not begin with http:// or https://"))
}

fn nodes(fields: &Fields<'_>) -> Result<Vec<Node>, FieldError> {
    let objects = fields.objects("evaluation")?;
    if objects.is_empty() {
        return Err(fields.error("evaluation", "has no nodes"));
    }
    if objects.len() > MOST_NODES {
        let reason = format!("has {} nodes; the limit is {MOST_NODES}", objects.len());
        return Err(fields.error("evaluation", reason));
    }
    let objects = objects.into_iter().enumerate();
    objects.map(|(index, object)| Node::read(object, &format!("evaluation[{index}]."))).collect()
}

impl Node {
    /// The node that an object describes, such as `{"match_function_name": …, "content": {…}}`; `place` is before the names
    /// of its fields in errors.
    ///
    /// # Errors
    ///
    /// A field is missing or wrong.
    pub fn read(object: &Map<String, Value>, place: &str) -> Result<Self, FieldError> {
        let fields = Fields::new(object, place);
        let name = "match_function_name";
        let function = Function::named(&fields.text(name)?).map_err(|reason| fields.error(name, reason))?;
        let inner = format!("{}.", fields.path("content"));
        let content = Fields::new(fields.object("content")?, &inner);
        let reference = match function.matching {
            Matching::Semantic => content.nonempty_text("reference_answer")?,
            Matching::Exact | Matching::Included => content.text("reference_answer")?,
        };
        let mut node = Self {
            function,
            reference,
            key: None,
            method: PathMethod::Selector,
            netloc: String::new(),
            path: None,
            url: content.optional_text("url")?,
        };
        match function.target {
            Target::Address => node.key = Some(content.text("key")?).filter(|key| !key.is_empty()),
            Target::Path => {
                node.method = method(&fields)?;
                node.netloc = content.text("netloc")?;
            }
            Target::Value => {
                node.netloc = content.text("netloc")?;
                node.path = content.optional_text("path")?;
            }
            Target::CachedData | Target::FinalAnswer => {}
        }
        Ok(node)
    }
}

fn method(fields: &Fields<'_>) -> Result<PathMethod, FieldError> {
    let name = fields.text("method")?;
    let found = PathMethod::ALL.into_iter().find(|method| method.name() == name);
    found.ok_or_else(|| {
        fields.error("method", unknown(&name, PathMethod::ALL.iter().map(|method| method.name())))
    })
}

pub(super) fn workflow(fields: &Fields<'_>) -> Result<Vec<WorkflowStep>, FieldError> {
    if fields.value("workflow").is_none() {
        return Ok(Vec::new());
    }
    let objects = fields.objects("workflow")?;
    if objects.len() > MOST_STEPS {
        let reason = format!("has {} steps; the limit is {MOST_STEPS}", objects.len());
        return Err(fields.error("workflow", reason));
    }
    let objects = objects.into_iter().enumerate();
    objects.map(|(index, object)| WorkflowStep::read(object, &format!("workflow[{index}]."))).collect()
}

/// The fields of a task's record that have no meaning here, with their places.
pub(crate) fn unknown_fields(record: &Map<String, Value>) -> Vec<String> {
    let fields = Fields::new(record, "");
    let mut unknown = fields.unknown(&KNOWN);
    for (index, node) in fields.objects("evaluation").unwrap_or_default().into_iter().enumerate() {
        let place = format!("evaluation[{index}].");
        let node = Fields::new(node, &place);
        unknown.extend(node.unknown(&KNOWN_IN_NODE));
        let inner = format!("{place}content.");
        unknown.extend(
            node.object("content")
                .into_iter()
                .flat_map(|content| Fields::new(content, &inner).unknown(&KNOWN_IN_CONTENT)),
        );
    }
    for (index, step) in fields.objects("workflow").unwrap_or_default().into_iter().enumerate() {
        unknown.extend(Fields::new(step, &format!("workflow[{index}].")).unknown(&workflow::KNOWN));
    }
    unknown
}
