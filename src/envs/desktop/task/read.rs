//! Reads a task from a record: the first wrong field is named.

use mageyard_domain::{FieldError, sanitize};
use serde_json::{Map, Value};

use super::fields::Fields;
use super::{Procedure, Stage, Task, variables};

/// The most procedures of a stage; published tasks have up to 20.
const MOST_PROCEDURES: usize = 256;

const KNOWN: [&str; 10] = [
    "task_id",
    "instruction",
    "visual",
    "max_steps",
    "max_time",
    "eval_procedure",
    "reset_procedure",
    "cleanup_procedure",
    "oracle",
    "wrong",
];

impl Task {
    /// Whether a record is a task, by the names of its fields.
    pub fn matches(record: &Map<String, Value>) -> bool {
        ["task_id", "instruction", "eval_procedure"].iter().all(|name| record.contains_key(*name))
    }

    /// The task that a record describes (`AgentStudio`, ICLR 2025, appendix A).
    ///
    /// # Errors
    /// A field is missing or wrong, or names a function or a variable that is not known: leaving a procedure out would
    /// change what the task is.
    pub fn read(record: &Map<String, Value>) -> Result<Self, FieldError> {
        let fields = Fields { object: record, place: "" };
        let mut warnings = Vec::new();
        for name in fields.unknown(&KNOWN) {
            warnings.push(format!("{}: is a field that is not read", sanitize(name)));
        }
        for name in ["instruction", "oracle", "wrong"] {
            let text = record.get(name).and_then(Value::as_str).unwrap_or_default();
            variables::check(text).map_err(|reason| fields.error(name, reason))?;
        }
        let task = Self {
            id: fields.text("task_id")?.to_owned(),
            instruction: fields.text("instruction")?.to_owned(),
            visual: fields.flag("visual")?,
            max_steps: fields.count("max_steps")?,
            max_time: fields.seconds("max_time")?,
            evaluation: procedures(&fields, Stage::Evaluation, &mut warnings)?,
            reset: procedures(&fields, Stage::Reset, &mut warnings)?,
            cleanup: procedures(&fields, Stage::Cleanup, &mut warnings)?,
            oracle: fields.optional_text("oracle")?,
            wrong: fields.optional_text("wrong")?,
            warnings,
        };
        if task.evaluation.is_empty() {
            return Err(fields.error("eval_procedure", "has no procedures, so nothing can be judged"));
        }
        Ok(task)
    }
}

fn procedures(
    fields: &Fields<'_>,
    stage: Stage,
    warnings: &mut Vec<String>,
) -> Result<Vec<Procedure>, FieldError> {
    let name = stage.field();
    let objects = fields.objects(name)?;
    if objects.len() > MOST_PROCEDURES {
        let reason = format!("has {} procedures; the limit is {MOST_PROCEDURES}", objects.len());
        return Err(fields.error(name, reason));
    }
    let objects = objects.into_iter().enumerate();
    let read = |(index, object)| Procedure::read(object, &format!("{name}[{index}]."), stage, warnings);
    objects.map(read).collect()
}
