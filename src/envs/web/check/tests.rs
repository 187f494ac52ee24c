use mageyard_domain::Level;
use serde_json::{Value, json};

use super::*;

/// A task with these nodes.
fn record(nodes: &Value) -> Value {
    json!({"index": 0, "task": "t", "reference_task_length": 2, "evaluation": nodes})
}

fn found(record: &Value, rules: Rules) -> Vec<String> {
    level_findings(&Level::from_text(1, None, record.to_string()), rules)
}

/// What is wrong with one node by both rules, without its place.
fn of_node(function: &str, content: &Value) -> [Vec<String>; 2] {
    let node = json!([{"match_function_name": function, "method": "selector", "content": content}]);
    Rules::ALL.map(|rules| {
        let found = found(&record(&node), rules).into_iter();
        found.map(|sentence| sentence.split_once("): ").unwrap().1.to_owned()).collect()
    })
}

fn url(key: &str, reference: &str, url: &str) -> Value {
    json!({"key": key, "reference_answer": reference, "url": url})
}

#[test]
fn addresses_that_cannot_be_met_are_found() {
    for (function, content, expected) in [
        ("url_included_match", url("", "shop.", "http://www.shop.test/"), None),
        ("url_included_match", url("", "shop.test/?q=a", "http://shop.test/?q=a"), Some("has a query")),
        ("url_included_match", url("", "http://shop", "http://shop.test/"), Some("has a scheme")),
        ("url_included_match", url("", "", "http://shop.test/"), Some("anything meets it")),
        (
            "url_included_match",
            url("", "blank", "about:blank"),
            Some("is met on the start page, \"about:blank\""),
        ),
        (
            "url_included_match",
            url("", "cinema", "http://shop.test/"),
            Some("contradicts its own url, where the address is \"shop.test/\""),
        ),
        ("url_exactly_match", url("", "shop.test/", "http://shop.test/"), Some("has no scheme")),
        ("url_exactly_match", url("", "http://shop.test/ a", "http://shop.test/%20a"), None),
        ("url_exactly_match", url("q", "", "http://shop.test/?q="), Some("empty values do not count")),
        ("url_exactly_match", url("q", "a b", "http://shop.test/?q=a+b"), None),
        (
            "url_exactly_match",
            url("q", "a", "http://shop.test/?q=b"),
            Some("the parameter \"q\" is \"b\", and the reference is \"a\""),
        ),
        (
            "url_semantic_match",
            url("q", "is a", "http://shop.test/?p=b"),
            Some("which has no value of the parameter \"q\""),
        ),
        ("url_semantic_match", url("q", "is a", "http://shop.test/?q=b"), None),
    ] {
        for found in of_node(function, &content) {
            assert_eq!(found.len(), usize::from(expected.is_some()), "{content}: {found:?}");
            assert!(found.iter().all(|found| found.contains(expected.unwrap())), "{content}: {found:?}");
        }
    }
}

#[test]
fn elements_that_cannot_be_met_are_found() {
    let element = |reference: &str, netloc: &str| json!({"reference_answer": reference, "netloc": netloc, "url": "http://www.shop.test/"});
    for (function, content, standard, code) in [
        ("element_path_exactly_match", element("#a > b", "shop"), None, None),
        (
            "element_path_exactly_match",
            element("#1", "shop"),
            Some("is not valid CSS"),
            Some("is not valid CSS"),
        ),
        ("element_path_exactly_match", element("#a > option", "shop"), None, Some("points at an option")),
        ("element_path_exactly_match", element("a > svg", "shop"), None, Some("points into an svg")),
        ("element_path_exactly_match", element("a", "shop.test"), Some("has a dot"), Some("has a dot")),
        (
            "element_path_exactly_match",
            element("a", "www"),
            Some("contradicts its own url"),
            Some("contradicts its own url"),
        ),
        ("element_path_included_match", element("a", "shop"), Some("never met"), Some("never met")),
        (
            "element_value_exactly_match",
            json!({"reference_answer": "a", "netloc": "shop", "path": "a >"}),
            Some("is not valid CSS"),
            Some("is not valid CSS"),
        ),
        ("cache_data_semantic_match", json!({"reference_answer": "a"}), None, Some("fails")),
        ("final_answer_exact_match", json!({"reference_answer": ""}), Some("never met"), Some("never met")),
    ] {
        let all = of_node(function, &content);
        for (found, expected) in all.into_iter().zip([standard, code]) {
            assert_eq!(found.len(), usize::from(expected.is_some()), "{content}: {found:?}");
            assert!(found.iter().all(|found| found.contains(expected.unwrap())), "{content}: {found:?}");
        }
    }
}

#[test]
fn an_xpath_is_met_by_the_standard_rules_only() {
    let node = |reference: &str| json!([{"match_function_name": "element_path_exactly_match", "method": "xpath", "content": {"reference_answer": reference, "netloc": ""}}]);
    let counts = |reference: &str| Rules::ALL.map(|rules| found(&record(&node(reference)), rules).len());
    assert_eq!(counts("//a"), [0, 1]);
    assert_eq!(counts("#a"), [1, 1]);
}

#[test]
fn duplicates_unknown_fields_and_workflows_are_checked() {
    let node = json!({"match_function_name": "cache_data_exact_match", "content": {"reference_answer": "a"}});
    let mut task = record(&json!([node, node]));
    task["note"] = json!(1);
    task["workflow"] = json!([
        {"action": "click", "selector": "#1"},
        {"action": "click", "argument": "x"},
        {"action": "goto", "selector": "a"},
    ]);
    let expected = [
        "note: is not a known field",
        "node 2 is the same as node 1",
        "reference_task_length is 2, and the workflow has 3 steps",
        "workflow[0]: selector: the name \"1\" begins with a digit, which needs an escape",
        "workflow[1]: click needs a selector",
        "workflow[1]: click has no use for an argument",
        "workflow[2]: goto has no use for a selector",
        "workflow[2]: goto needs an argument",
    ];
    assert_eq!(found(&task, Rules::Standard), expected);
}

#[test]
fn a_copy_of_a_file_can_be_compared_by_its_counts() {
    let node = |function: &str| json!({"match_function_name": function, "content": {"key": "", "reference_answer": "a"}});
    let task = |nodes: &[&str]| {
        let nodes: Vec<Value> = nodes.iter().map(|function| node(function)).collect();
        Task::read(record(&json!(nodes)).as_object().unwrap()).unwrap()
    };
    let tasks = [task(&["url_included_match", "cache_data_exact_match"]), task(&["url_included_match"])];
    assert_eq!(
        Counts::of(&tasks).to_string(),
        "2 tasks, 3 nodes (1 to 2, mean 1.50), length 2 to 2, mean 2.00: url_included_match 2, cache_data_exact_match 1"
    );
    assert_eq!(Counts::of(&[]).to_string(), "0 tasks, 0 nodes (0 to 0, mean 0.00), length 0 to 0, mean 0.00");
}
