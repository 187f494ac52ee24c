//! What nodes compare of the element that an act chose: which one it is, and its value.

use super::finding::Finding;
use super::page_address::site;
use super::quoted::quoted;
use super::settings::Rules;
use crate::facts::{ActFacts, ChosenElement, PathFacts, Relation};
use crate::task::{Matching, Node, PathMethod};

/// The tags whose three nearest ancestors count as the element: their text is that of the parent in the tree.
const TEXT_TAGS: [&str; 11] = ["span", "h1", "h2", "h3", "h4", "h5", "h6", "div", "li", "ul", "p"];
/// The verbs by which the released code chooses elements.
const CHOOSING: [&str; 4] = ["click", "fill_form", "fill_search", "select_option"];
/// The verbs that type a text.
const FILLING: [&str; 2] = ["fill_form", "fill_search"];

/// The comparison of the chosen element with the reference of a path.
pub(super) fn path_finding(node: &Node, rules: Rules, act: &ActFacts) -> Finding {
    if node.function.matching != Matching::Exact {
        return Finding::void("the released code has this name without a function: it is never met");
    }
    let element = match chosen(node, rules, act) {
        Ok(element) => element,
        Err(finding) => return finding,
    };
    let shown = shown_path(rules, element);
    if rules == Rules::Code && node.method == PathMethod::XPath {
        return Finding::raised(&shown, "the released code compares an XPath with CSS and fails");
    }
    match holds(rules, element, &node.reference) {
        Ok(how) => Finding::decided(&shown, true, how),
        Err(why) => Finding::refused(&shown, why),
    }
}

/// The comparison of the value of the chosen element with the reference.
pub(super) fn value_finding(node: &Node, rules: Rules, act: &ActFacts) -> Finding {
    let element = match chosen(node, rules, act) {
        Ok(element) => element,
        Err(finding) => return finding,
    };
    let values = values(rules, act, element);
    let Some((_, first)) = values.first() else { return Finding::void("the act typed no text") };
    if let Some(path) = &node.path
        && let Err(why) = holds(rules, element, path)
    {
        return Finding::refused(first, why);
    }
    if node.function.matching == Matching::Semantic && first.is_empty() {
        return Finding::refused(first, "the value is empty");
    }
    let mut findings = values
        .iter()
        .map(|(what, value)| Finding::compared(node.function.matching, what, value, &node.reference));
    let first = findings.next();
    let right = findings.find(Finding::is_right);
    let first = first.unwrap_or_else(|| Finding::void("the act typed no text"));
    right.filter(|_| !first.is_right()).unwrap_or(first)
}

/// The element that an act chose on the site of the node, or why there is none.
fn chosen<'a>(node: &Node, rules: Rules, act: &'a ActFacts) -> Result<&'a ChosenElement, Finding> {
    let counts = rules == Rules::Standard || CHOOSING.contains(&act.verb.as_str());
    let element = act.element.as_ref().filter(|_| counts);
    let element = element.ok_or_else(|| Finding::void("the act chose no element"))?;
    let found = shown_path(rules, element);
    if rules == Rules::Standard && !act.done {
        return Err(Finding::refused(&found, "the act did not succeed"));
    }
    if rules == Rules::Code && element.code_css.is_none() {
        return Err(Finding::refused(&found, "the released code makes no selector for the element"));
    }
    let page = site(rules, &act.before);
    // An element in a frame is on the site of the page and on that of the frame.
    let is_in_frame_of_site = rules == Rules::Standard
        && !element.document.is_empty()
        && site(rules, &element.document) == node.netloc;
    if page != node.netloc && !is_in_frame_of_site {
        let reason = format!("the site of the page is {}, not {}", quoted(&page), quoted(&node.netloc));
        return Err(Finding::refused(&found, reason));
    }
    Ok(element)
}

/// What is shown of the chosen element: its CSS, or its path in the document.
fn shown_path(rules: Rules, element: &ChosenElement) -> String {
    let css = match rules {
        Rules::Standard => element.css.as_ref(),
        Rules::Code => element.code_css.as_ref(),
    };
    css.unwrap_or(&element.xpath).clone()
}

/// Whether the chosen element is that of a reference path, and why.
fn holds(rules: Rules, element: &ChosenElement, path: &str) -> Result<String, String> {
    let facts = element.paths.iter().find(|facts| facts.path == path);
    let facts = facts.ok_or_else(|| format!("the page was not searched for {}", quoted(path)))?;
    let Some(tag) = &facts.tag else {
        return Err(format!("{} finds no element on the page", quoted(path)));
    };
    let relation = match rules {
        Rules::Standard => facts.relation,
        Rules::Code => facts.code_relation,
    };
    match relation {
        Some(Relation::Same) => Ok("it is the element of the reference".to_owned()),
        Some(Relation::Above(levels)) if (1..=3).contains(&levels) => ancestor(tag, levels),
        Some(Relation::ChosenOption) if rules == Rules::Standard => {
            Ok("it is the select whose option is the element of the reference".to_owned())
        }
        Some(Relation::SelectOfOption) if rules == Rules::Standard => {
            Ok("it is an option of the select of the reference".to_owned())
        }
        Some(Relation::Inside) if rules == Rules::Standard => {
            Ok("the element of the reference is a part of it".to_owned())
        }
        Some(Relation::Operated) if rules == Rules::Standard => {
            Ok("touching it operates the element of the reference".to_owned())
        }
        _ => Err(other_element(facts, tag)),
    }
}

/// The three nearest ancestors of an element that has only text count as it.
fn ancestor(tag: &str, levels: u8) -> Result<String, String> {
    let of = format!("{levels} above the element of the reference ({})", quoted(tag));
    if TEXT_TAGS.contains(&tag) {
        return Ok(format!("it is {of}"));
    }
    Err(format!("it is {of}, whose ancestors do not count"))
}

fn other_element(facts: &PathFacts, tag: &str) -> String {
    format!("{} finds another element ({})", quoted(&facts.path), quoted(tag))
}

/// The values of the chosen element, each with what it is: what was typed, else the label; for a select also what was chosen.
fn values<'a>(rules: Rules, act: &'a ActFacts, element: &'a ChosenElement) -> Vec<(&'static str, &'a str)> {
    let label = ("the label", element.label.as_str());
    let text = act.text.as_deref();
    match act.verb.as_str() {
        verb if FILLING.contains(&verb) => vec![("the typed text", text.unwrap_or_default())],
        "select_option" if rules == Rules::Standard => {
            text.map(|text| ("the chosen option", text)).into_iter().chain([label]).collect()
        }
        _ => vec![label],
    }
}
