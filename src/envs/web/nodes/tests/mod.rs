//! Each function on facts, with every trap of the released code; both rule sets on the same facts.

mod addresses;
mod elements;
mod episodes;
mod texts;

use serde_json::{Map, Value, json};

use super::*;
use crate::facts::{ActFacts, ChosenElement, PathFacts, Relation};
use crate::task::{Node, Task};

/// A node from its record.
#[expect(clippy::needless_pass_by_value, reason = "so that cases are tables")]
fn node(function: &str, content: Value) -> Node {
    let method = if function.starts_with("element_path") { json!("selector") } else { Value::Null };
    read(&json!({"match_function_name": function, "method": method, "content": content}))
}

fn read(record: &Value) -> Node {
    let record: &Map<String, Value> = record.as_object().unwrap();
    Node::read(record, "").unwrap()
}

/// A task of these nodes.
fn task(nodes: impl IntoIterator<Item = Node>) -> Task {
    let first =
        json!({"match_function_name": "url_exactly_match", "content": {"key": "", "reference_answer": "x"}});
    let record = json!({"index": 0, "task": "t", "reference_task_length": 4, "evaluation": [first]});
    let task = Task::read(record.as_object().unwrap()).unwrap();
    Task { nodes: nodes.into_iter().collect(), ..task }
}

const fn settings(rules: Rules, judge_at: JudgeAt) -> NodeSettings {
    NodeSettings { rules, judge_at }
}

/// The only comparison of a node with an act, by rules.
fn comparison(node: &Node, act: &ActFacts, rules: Rules) -> Comparison {
    let task = task([node.clone()]);
    let settings = settings(rules, JudgeAt::Before);
    let mut found = examine(&task, settings, act, &Progress::of(&task), &[]).comparisons;
    assert_eq!(found.len(), 1);
    found.remove(0)
}

/// The scores by the standard rules and by those of the released code.
fn scores(node: &Node, act: &ActFacts) -> [Option<f64>; 2] {
    Rules::ALL.map(|rules| comparison(node, act, rules).score)
}

const YES: Option<f64> = Some(1.0);
const NO: Option<f64> = Some(0.0);

/// An act on a page.
fn act_on(address: &str, verb: &str) -> ActFacts {
    ActFacts {
        before: address.to_owned(),
        after: address.to_owned(),
        verb: verb.to_owned(),
        done: true,
        ..ActFacts::default()
    }
}

/// A click on an element that is this to the element of a reference, which has a tag.
fn click(reference: &str, tag: &str, relation: Relation) -> ActFacts {
    let facts = PathFacts {
        path: reference.to_owned(),
        tag: Some(tag.to_owned()),
        relation: Some(relation),
        code_relation: Some(relation),
    };
    let element = ChosenElement {
        number: 3,
        tag: "a".to_owned(),
        role: "link".to_owned(),
        label: "Add to Cart".to_owned(),
        css: Some("#add".to_owned()),
        code_css: Some("#add".to_owned()),
        xpath: "/html/body/a".to_owned(),
        paths: vec![facts],
        ..ChosenElement::default()
    };
    ActFacts { element: Some(element), ..act_on("https://www.shop.test/p", "click") }
}
