//! Nodes with facts of acts that are given as records, to be compared outside an episode.

use mageyard_domain::{FieldError, RawRecord, RecordFault, read_object};
use serde::Deserialize;
use serde_json::Value;

use super::{Comparison, NodeSettings, Progress, examine};
use crate::facts::ActFacts;
use crate::levels::each_record;
use crate::task::{Fields, Node, Task, TaskIndex};

/// A node and the facts of an act.
#[derive(Clone, Debug, PartialEq)]
pub struct GivenAct {
    /// The line where the record begins, from 1.
    pub line: usize,
    /// The node.
    pub node: Node,
    /// What the act did.
    pub act: ActFacts,
}

/// Reads records such as `{"node": {"match_function_name": …, "content": {…}}, "act": {"before": …, "verb": …, …}}`, in any form
/// of JSON.
///
/// # Errors
///
/// The first record that is wrong, with line and field; fields of facts that are not known are refused.
pub fn read_given(text: &str) -> Result<Vec<GivenAct>, RecordFault> {
    let mut acts = Vec::new();
    each_record(text.as_bytes(), |piece| acts.push(read_piece(piece)));
    if acts.is_empty() {
        return Err(RecordFault { line: 1, error: FieldError::new("", "has no records") });
    }
    acts.into_iter().collect()
}

fn read_piece(piece: &RawRecord<'_>) -> Result<GivenAct, RecordFault> {
    let record = read_object(piece)?.fields;
    let line = piece.line;
    let read = read_record(&Fields::new(&record, ""));
    let (node, act) = read.map_err(|error| RecordFault { line, error })?;
    Ok(GivenAct { line, node, act })
}

fn read_record(fields: &Fields<'_>) -> Result<(Node, ActFacts), FieldError> {
    if let Some(unknown) = fields.unknown(&["node", "act"]).into_iter().next() {
        return Err(FieldError::new(unknown, "is not a known field; a record has node and act"));
    }
    let node = Node::read(fields.object("node")?, "node.")?;
    let given = fields.required("act")?;
    let act = ActFacts::deserialize(given).map_err(|error| fields.error("act", error.to_string()))?;
    let known = serde_json::to_value(&act).map_err(|error| fields.error("act", error.to_string()))?;
    if let Some(unknown) = unknown_field(given, &known, "act") {
        return Err(FieldError::new(unknown, "is not a known field"));
    }
    if act.verb.is_empty() {
        return Err(FieldError::new("act.verb", "is missing"));
    }
    Ok((node, act))
}

/// The first field that was given and not read.
fn unknown_field(given: &Value, read: &Value, place: &str) -> Option<String> {
    match (given, read) {
        (Value::Object(given), Value::Object(read)) => given.iter().find_map(|(name, value)| {
            let place = format!("{place}.{name}");
            read.get(name).map_or(Some(place.clone()), |read| unknown_field(value, read, &place))
        }),
        (Value::Array(given), Value::Array(read)) => {
            let mut pairs = given.iter().zip(read).enumerate();
            pairs.find_map(|(index, (given, read))| unknown_field(given, read, &format!("{place}[{index}]")))
        }
        _ => None,
    }
}

impl GivenAct {
    /// The comparison of the node with the act; `None` never happens, for the node is open.
    pub fn compare(&self, settings: NodeSettings) -> Option<Comparison> {
        let task = Task {
            index: TaskIndex::Number(0),
            text: String::new(),
            reference_length: 1,
            nodes: vec![self.node.clone()],
            start: None,
            search: None,
            workflow: Vec::new(),
        };
        let examination = examine(&task, settings, &self.act, &Progress::of(&task), &[]);
        examination.comparisons.into_iter().next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nodes::{JudgeAt, Rules};

    const NODE: &str =
        r#"{"match_function_name": "url_included_match", "content": {"key": "", "reference_answer": ";a"}}"#;

    #[test]
    fn given_facts_are_compared() {
        let text =
            format!(r#"{{"node": {NODE}, "act": {{"before": "http://a.test/b;a", "verb": "click"}}}}"#);
        let given = read_given(&format!("\n{text}\n{text}")).unwrap();
        assert_eq!((given.len(), given[1].line), (2, 3));
        let scores = Rules::ALL
            .map(|rules| given[0].compare(NodeSettings { rules, judge_at: JudgeAt::Before }).unwrap().score);
        assert_eq!(scores, [Some(1.0), Some(0.0)]);
    }

    #[test]
    fn wrong_records_have_line_and_field() {
        let record = |act: &str| format!("\n{{\"node\": {NODE}, \"act\": {act}}}");
        for (text, expected) in [
            (String::new(), "line 1: has no records"),
            (record("{}"), "line 2: act.verb: is missing"),
            (record(r#"{"verb": "click", "elment": {}}"#), "line 2: act.elment: is not a known field"),
            (
                record(r#"{"verb": "click", "element": {"paths": [{"paht": ""}]}}"#),
                "line 2: act.element.paths[0].paht: is not a known field",
            ),
            (record(r#"{"verb": 3}"#), "line 2: act: invalid type: integer `3`, expected a string"),
            ("{\"node\": 1}".to_owned(), "line 1: node: is not an object"),
            (record("{}, \"x\": 1"), "line 2: x: is not a known field; a record has node and act"),
        ] {
            let error = mageyard_domain::LevelError::from(read_given(&text).unwrap_err());
            assert_eq!(error.to_string(), expected);
        }
    }
}
