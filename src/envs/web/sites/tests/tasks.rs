//! The shipped tasks: whether they fit the pages and use all functions and verbs.

use serde_json::Value;

use super::*;
use crate::sites::SITES;

const TASKS: &str = include_str!("../../../../../levels/web/local.json");

const FUNCTIONS: [&str; 11] = [
    "cache_data_exact_match",
    "cache_data_included_match",
    "element_path_exactly_match",
    "element_value_exactly_match",
    "element_value_included_match",
    "element_value_semantic_match",
    "final_answer_exact_match",
    "final_answer_included_match",
    "url_exactly_match",
    "url_included_match",
    "url_semantic_match",
];

/// Each verb with whether it needs an element and an argument.
const VERBS: [(&str, bool, bool); 13] = [
    ("cache_data", false, true),
    ("click", true, false),
    ("fill_form", true, true),
    ("fill_search", true, true),
    ("get_final_answer", false, true),
    ("go_back", false, false),
    ("google_search", false, true),
    ("goto", false, true),
    ("hover", true, false),
    ("scroll_down", false, false),
    ("scroll_up", false, false),
    ("select_option", true, true),
    ("switch_tab", false, true),
];

fn tasks() -> Vec<Value> {
    serde_json::from_str(TASKS).unwrap()
}

fn list<'a>(task: &'a Value, name: &str) -> &'a [Value] {
    task[name].as_array().unwrap()
}

fn function(node: &Value) -> &str {
    node["match_function_name"].as_str().unwrap()
}

/// The label of a host that nodes compare: the first one, or the second after `www`.
fn netloc(url: &str) -> String {
    let url = Url::parse(url).unwrap();
    let host = url.host_str().unwrap().trim_start_matches("www.");
    host.split('.').next().unwrap().to_owned()
}

#[test]
fn there_are_24_tasks_with_numbers_and_titles_of_their_own() {
    let tasks = tasks();
    assert_eq!(tasks.len(), 24);
    let titles: BTreeSet<&str> = tasks.iter().map(|task| task["task"].as_str().unwrap()).collect();
    assert_eq!(titles.len(), 24);
    for (index, task) in tasks.iter().enumerate() {
        assert_eq!(task["index"], index);
        assert_eq!(task["search"], "http://find.test/search?q=");
    }
}

#[test]
fn lengths_and_numbers_of_nodes_are_consistent() {
    for task in tasks() {
        let (steps, nodes) = (list(&task, "workflow").len(), list(&task, "evaluation").len());
        assert_eq!(task["reference_task_length"], steps, "{task}");
        assert!((2..=6).contains(&nodes) && nodes <= steps + 1, "{task}");
    }
}

#[test]
fn every_function_and_every_verb_is_used_and_two_tasks_need_a_judge() {
    let tasks = tasks();
    let nodes: Vec<&Value> = tasks.iter().flat_map(|task| list(task, "evaluation")).collect();
    let functions: BTreeSet<&str> = nodes.iter().map(|node| function(node)).collect();
    assert_eq!(functions.into_iter().collect::<Vec<_>>(), FUNCTIONS);
    let judged = tasks
        .iter()
        .filter(|task| list(task, "evaluation").iter().any(|node| function(node).contains("semantic")));
    assert_eq!(judged.count(), 2);
    let steps = tasks.iter().flat_map(|task| list(task, "workflow"));
    let verbs: BTreeSet<&str> = steps.map(|step| step["action"].as_str().unwrap()).collect();
    assert_eq!(verbs.into_iter().collect::<Vec<_>>(), VERBS.map(|verb| verb.0));
}

#[test]
fn steps_have_what_their_verbs_need_and_begin_at_an_address() {
    for task in tasks() {
        for step in list(&task, "workflow") {
            let verb = VERBS.iter().find(|verb| step["action"] == verb.0).unwrap();
            assert_eq!(
                (step["selector"].is_string(), step["argument"].is_string()),
                (verb.1, verb.2),
                "{step}"
            );
        }
        let first = list(&task, "workflow")[0]["action"].as_str().unwrap();
        let begins = ["goto", "google_search"].contains(&first);
        assert_ne!(task["start"].is_string(), begins, "{task}");
    }
}

#[test]
fn addresses_of_nodes_are_answered_and_have_their_label() {
    for task in tasks() {
        if let Some(start) = task["start"].as_str() {
            assert_eq!(get(start).status, 200, "{start}");
        }
        for node in list(&task, "evaluation") {
            let content = &node["content"];
            let url = content["url"].as_str().unwrap();
            assert_eq!(get(url).status, 200, "{url}");
            let of_element = function(node).starts_with("element");
            assert_eq!(content["netloc"].as_str(), of_element.then(|| netloc(url)).as_deref(), "{node}");
            assert!(!content["reference_answer"].as_str().unwrap().is_empty(), "{node}");
        }
    }
}

#[test]
fn nodes_of_addresses_agree_with_their_own_address() {
    for task in tasks() {
        for node in list(&task, "evaluation").iter().filter(|node| function(node).starts_with("url")) {
            let content = &node["content"];
            let url = Url::parse(content["url"].as_str().unwrap()).unwrap();
            let (key, reference) =
                (content["key"].as_str().unwrap(), content["reference_answer"].as_str().unwrap());
            let value =
                url.query_pairs().find(|(name, _)| name == key).map(|(_, value)| value.replace("%2F", "/"));
            let fragment = url.fragment().map_or(String::new(), |fragment| format!("#{fragment}"));
            let place = format!("{}{}{fragment}", url.host_str().unwrap(), url.path());
            let holds = match (function(node), key) {
                ("url_semantic_match", _) => true,
                ("url_exactly_match", "") => url.as_str() == reference,
                ("url_exactly_match", _) => value.as_deref() == Some(reference),
                (_, "") => place.contains(reference),
                _ => value.is_some_and(|value| value.contains(reference)),
            };
            assert!(holds, "{node}");
        }
    }
}

/// The parts of a selector that a page must have: ids, classes, and attributes with values.
fn parts(selector: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let (mut plain, mut rest) = (String::new(), selector);
    while let Some((before, after)) = rest.split_once('[') {
        let (attribute, tail) = after.split_once(']').unwrap();
        plain.push_str(before);
        parts.push(attribute.to_owned());
        rest = tail;
    }
    plain.push_str(rest);
    for piece in plain.split(' ') {
        let names = piece.char_indices().filter(|(_, sign)| "#.".contains(*sign));
        parts.extend(names.map(|(at, sign)| {
            let name = piece[at + 1..].split(['#', '.']).next().unwrap();
            format!("{}=\"{name}\"", if sign == '#' { "id" } else { "class" })
        }));
    }
    parts
}

#[test]
fn every_selector_occurs_on_a_page_or_in_a_script() {
    let tasks = tasks();
    let nodes = tasks.iter().flat_map(|task| list(task, "evaluation"));
    let urls = nodes.map(|node| node["content"]["url"].as_str().unwrap().to_owned());
    let urls: Vec<String> = urls.chain(tasks.iter().flat_map(searches)).collect();
    let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
    let pages = crawl(&[&BY_SCRIPT[..], &urls].concat());
    let bodies: Vec<String> = pages.values().map(|page| text(page).replace("&amp;", "&")).collect();
    let by_script = |part: &str| {
        let (name, value) = part.split_once('=').unwrap();
        let name = if name == "class" { "className" } else { name };
        SITES.iter().any(|site| {
            site.script.contains(&format!("{name}: {value}"))
                || site.script.contains(&format!("setAttribute(\"{name}\""))
        })
    };
    for selector in tasks.iter().flat_map(selectors) {
        let parts = parts(&selector);
        assert!(!parts.is_empty(), "{selector}");
        for part in parts {
            let found = bodies.iter().any(|body| body.contains(&part));
            assert!(found || by_script(&part), "{selector}: {part}");
        }
    }
}

/// The addresses of the searches of a task.
fn searches(task: &Value) -> Vec<String> {
    let steps = list(task, "workflow").iter().filter(|step| step["action"] == "google_search");
    let search = task["search"].as_str().unwrap();
    steps.map(|step| format!("{search}{}", step["argument"].as_str().unwrap())).collect()
}

/// All selectors of a task.
fn selectors(task: &Value) -> Vec<String> {
    let steps = list(task, "workflow").iter().map(|step| &step["selector"]);
    let nodes = list(task, "evaluation").iter();
    let paths = nodes.map(|node| match function(node) {
        "element_path_exactly_match" => &node["content"]["reference_answer"],
        _ => &node["content"]["path"],
    });
    steps.chain(paths).filter_map(|selector| selector.as_str().map(str::to_owned)).collect()
}

#[test]
fn the_parts_of_a_selector_are_found() {
    let found = parts("#days .day[aria-disabled=\"false\"] a.x[href=\"/p/a.b#c\"]");
    let meant =
        ["aria-disabled=\"false\"", "href=\"/p/a.b#c\"", "id=\"days\"", "class=\"day\"", "class=\"x\""];
    assert_eq!(found, meant);
}
