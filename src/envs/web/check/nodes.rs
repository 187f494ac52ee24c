//! What is wrong with a node on its face.

use super::css;
use crate::nodes::{Rules, compared_address, quoted, site};
use crate::task::{Matching, Node, PathMethod, Target, Task};

/// Everything that is wrong with a node, a sentence each.
pub(super) fn findings(task: &Task, node: &Node, rules: Rules) -> Vec<String> {
    match node.function.target {
        Target::Address => address_findings(task, node, rules),
        Target::Path => {
            let mut found = path_findings(node, rules);
            found.extend(site_finding(node, rules));
            found
        }
        Target::Value => {
            let path = node.path.as_deref().map(|path| css_findings(path, rules));
            path.into_iter().flatten().chain(site_finding(node, rules)).chain(empty_finding(node)).collect()
        }
        Target::CachedData | Target::FinalAnswer => text_findings(node, rules),
    }
}

fn address_findings(task: &Task, node: &Node, rules: Rules) -> Vec<String> {
    let is_whole = node.key.is_none();
    let reference = node.reference.as_str();
    let never = match node.function.matching {
        Matching::Included if is_whole && reference.contains('?') => {
            Some("the reference has a query, which is not compared: it is never met")
        }
        Matching::Included if is_whole && reference.contains("://") => {
            Some("the reference has a scheme, which is not compared: it is never met")
        }
        Matching::Exact if is_whole && !reference.contains(':') => {
            Some("the reference has no scheme, and complete addresses have one: it is never met")
        }
        Matching::Exact if !is_whole && reference.is_empty() => {
            Some("the reference is empty, and empty values do not count: it is never met")
        }
        _ => None,
    };
    let mut found: Vec<String> = never.map(str::to_owned).into_iter().collect();
    found.extend(empty_finding(node));
    if found.is_empty() {
        found.extend(own_address_finding(node, rules));
        found.extend(start_finding(task, node, rules));
    }
    found
}

/// Whether a node contradicts the address where it was annotated.
fn own_address_finding(node: &Node, rules: Rules) -> Option<String> {
    let found = compared_address(node, rules, node.url.as_deref()?);
    let what =
        node.key.as_deref().map_or("the address".to_owned(), |key| format!("the parameter {}", quoted(key)));
    match found {
        None => Some(format!("contradicts its own url, which has no value of {what}")),
        Some(found) if is_met(node, &found) == Some(false) => {
            let reference = quoted(&node.reference);
            Some(format!(
                "contradicts its own url, where {what} is {}, and the reference is {reference}",
                quoted(&found)
            ))
        }
        Some(_) => None,
    }
}

/// Whether a node is met before anything is done.
fn start_finding(task: &Task, node: &Node, rules: Rules) -> Option<String> {
    let start = task.start.as_deref().unwrap_or("about:blank");
    let found = compared_address(node, rules, start)?;
    (is_met(node, &found) == Some(true)).then(|| format!("is met on the start page, {}", quoted(start)))
}

/// Whether a text meets a node; `None` if only a judge can say.
fn is_met(node: &Node, found: &str) -> Option<bool> {
    match node.function.matching {
        Matching::Exact => Some(found == node.reference),
        Matching::Included => Some(found.contains(&node.reference)),
        Matching::Semantic => None,
    }
}

fn empty_finding(node: &Node) -> Option<String> {
    let is_empty = node.function.matching == Matching::Included && node.reference.is_empty();
    is_empty.then(|| "the reference is empty: anything meets it".to_owned())
}

fn path_findings(node: &Node, rules: Rules) -> Vec<String> {
    if node.function.matching != Matching::Exact {
        return vec!["the released code has this name without a function: it is never met".to_owned()];
    }
    match (node.method, rules) {
        (PathMethod::Selector, _) => css_findings(&node.reference, rules),
        (PathMethod::XPath, Rules::Code) => {
            vec!["the released code fails at an XPath: neither it nor the nodes after it are met".to_owned()]
        }
        (PathMethod::XPath, Rules::Standard) => {
            let is_path = node.reference.trim_start().starts_with(['/', '(', '.']);
            let finding = || format!("{} does not look like an XPath", quoted(&node.reference));
            (!is_path).then(finding).into_iter().collect()
        }
    }
}

fn css_findings(selector: &str, rules: Rules) -> Vec<String> {
    let parsed = match css::parse(selector) {
        Ok(parsed) => parsed,
        Err(why) => return vec![format!("{} is not valid CSS: {why}", quoted(selector))],
    };
    if rules == Rules::Standard {
        return Vec::new();
    }
    let option = parsed.iter().all(css::Complex::is_option);
    let drawing = parsed.iter().all(css::Complex::is_in_drawing);
    let found = if option {
        "it points at an option, and agents are said to name the select: it is met only by an agent that names the option"
    } else if drawing {
        "it points into an svg, which is not in the tree: it is never met"
    } else {
        return Vec::new();
    };
    vec![found.to_owned()]
}

/// Whether the label of the site cannot be one, or contradicts the address where the node was annotated.
fn site_finding(node: &Node, rules: Rules) -> Option<String> {
    let label = quoted(&node.netloc);
    if node.netloc.contains('.') {
        return Some(format!("netloc {label} has a dot; it must be one label of the host: it is never met"));
    }
    let own = site(rules, node.url.as_deref()?);
    (own != node.netloc)
        .then(|| format!("netloc {label} contradicts its own url, whose site is {}", quoted(&own)))
}

fn text_findings(node: &Node, rules: Rules) -> Vec<String> {
    if node.function.matching == Matching::Semantic && rules == Rules::Code {
        return vec!["the released code fails at it: neither it nor the nodes after it are met".to_owned()];
    }
    let never = node.function.matching == Matching::Exact && node.reference.is_empty();
    let never =
        never.then(|| "the reference is empty, and empty texts do not count: it is never met".to_owned());
    never.into_iter().chain(empty_finding(node)).collect()
}
