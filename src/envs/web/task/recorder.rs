//! The raw export of the recorder of `WebCanvas`: a title, and steps with reward functions, which become a task by the rules of
//! its `raw_data_processor`.
//!
//! Where that program fails or writes a node without content, such as for an unknown function, a parameter that is missing or
//! an exact answer, the record is refused, or the reference is the value of the step.

use mageyard_domain::FieldError;
use serde_json::{Map, Value};

use super::read::{address, workflow};
use super::{Fields, Function, Matching, Node, PathMethod, Target, Task, TaskIndex};
use crate::address::{Parts, percent_decoded, site_label};

/// Whether a record is one of a raw export, by the names of its fields.
pub(crate) fn is_export(record: &Map<String, Value>) -> bool {
    ["title", "steps"].iter().all(|name| record.contains_key(*name))
}

/// The task of a record of a raw export, which is the one at this position of its file, from 0.
pub(crate) fn read_export(record: &Map<String, Value>, position: u64) -> Result<Task, FieldError> {
    let fields = Fields::new(record, "");
    let steps = fields.objects("steps")?;
    if steps.is_empty() {
        return Err(fields.error("steps", "has no steps"));
    }
    let reference_length = u32::try_from(steps.len()).unwrap_or(u32::MAX);
    let mut nodes = Vec::new();
    for (index, step) in steps.into_iter().enumerate() {
        nodes.extend(Step::read(step, &format!("steps[{index}]."))?.nodes()?);
    }
    if nodes.is_empty() {
        return Err(fields.error("steps", "has no step with a reward function"));
    }
    Ok(Task {
        index: TaskIndex::Number(position),
        text: fields.nonempty_text("title")?,
        reference_length,
        nodes,
        start: address(&fields, "start")?,
        search: address(&fields, "search")?,
        workflow: workflow(&fields)?,
    })
}

/// A recorded step with its reward functions.
struct Step<'a> {
    fields: Fields<'a>,
    place: &'a str,
    /// The address of the page, or the description if that is one.
    href: String,
    functions: Vec<&'a Map<String, Value>>,
}

impl<'a> Step<'a> {
    fn read(object: &'a Map<String, Value>, place: &'a str) -> Result<Self, FieldError> {
        let fields = Fields::new(object, place);
        let functions = match fields.value("rewardFunction") {
            Some(_) => fields.objects("rewardFunction")?,
            None => Vec::new(),
        };
        // An empty one ends the list.
        let functions: Vec<_> = functions.into_iter().take_while(|function| !function.is_empty()).collect();
        let description = fields.value("description").and_then(Value::as_str).filter(|text| is_address(text));
        let href = match description {
            Some(address) => address.to_owned(),
            None if functions.is_empty() => String::new(),
            None => fields.text("href")?,
        };
        Ok(Self { fields, place, href, functions })
    }

    /// A value and a path on one step are one node: a value with its path.
    fn nodes(&self) -> Result<Vec<Node>, FieldError> {
        let places: Vec<String> = (0..self.functions.len())
            .map(|index| format!("{}rewardFunction[{index}].", self.place))
            .collect();
        let given = self.functions.iter().zip(&places).map(|(given, place)| Fields::new(given, place));
        let mut functions: Vec<_> =
            given.map(|given| Ok((function(&given)?, given))).collect::<Result<_, FieldError>>()?;
        let has_value = functions.iter().any(|(function, _)| function.target == Target::Value);
        let path = functions.iter().rposition(|(function, _)| function.target == Target::Path);
        let joined = path.filter(|_| has_value);
        if let Some(path) = joined {
            functions.remove(path);
        }
        functions.into_iter().map(|(function, given)| self.node(function, &given, joined.is_some())).collect()
    }

    fn node(&self, function: Function, given: &Fields<'_>, with_path: bool) -> Result<Node, FieldError> {
        let is_element = matches!(function.target, Target::Path | Target::Value);
        let key = given.optional_text("key")?.map(|key| percent_decoded(&key)).filter(|key| !key.is_empty());
        let key = key.filter(|_| function.target == Target::Address);
        let reference = self.reference(function, given, key.as_deref())?;
        let has_path = with_path && function.target == Target::Value;
        Ok(Node {
            function,
            reference,
            key,
            method: PathMethod::Selector,
            netloc: if is_element {
                site_label(&Parts::of(&self.href).host).to_owned()
            } else {
                String::new()
            },
            path: has_path.then(|| self.fields.text("selector")).transpose()?,
            url: Some(self.href.clone()),
        })
    }

    /// References of addresses and of texts are percent-decoded, but for rules about addresses.
    fn reference(
        &self,
        function: Function,
        given: &Fields<'_>,
        key: Option<&str>,
    ) -> Result<String, FieldError> {
        match (function.target, function.matching) {
            (Target::Path, _) => self.fields.text("selector"),
            (Target::Address, Matching::Exact) => self.exact_address(given, key),
            (_, Matching::Exact) => self.fields.text("value"),
            (Target::Value, Matching::Included) => given.text("required"),
            (_, Matching::Included) => Ok(percent_decoded(&given.text("required")?)),
            (Target::Address | Target::Value, Matching::Semantic) => given.nonempty_text("optional"),
            (_, Matching::Semantic) => Ok(percent_decoded(&given.nonempty_text("optional")?)),
        }
    }

    /// What is given, else the value of the parameter in the address, else the address.
    fn exact_address(&self, given: &Fields<'_>, key: Option<&str>) -> Result<String, FieldError> {
        let reference = match (given.optional_text("optional")?, key) {
            (Some(given), _) => given,
            (None, None) => self.href.clone(),
            (None, Some(key)) => Parts::of(&self.href).parameter(key).ok_or_else(|| {
                given.error("key", format!("{key:?} has no value in the address of the step"))
            })?,
        };
        Ok(percent_decoded(&reference))
    }
}

fn function(given: &Fields<'_>) -> Result<Function, FieldError> {
    Function::named(&given.text("name")?).map_err(|reason| given.error("name", reason))
}

/// Whether a text has a scheme and a host.
fn is_address(text: &str) -> bool {
    let parts = Parts::of(text);
    !parts.scheme.is_empty() && !parts.host.is_empty()
}
