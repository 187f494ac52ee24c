//! What nodes compare of the address of a page.

use super::Moment;
use super::finding::Finding;
use super::quoted::quoted;
use super::settings::{JudgeAt, NodeSettings, Rules};
use crate::address::{Parts, percent_decoded, site_label};
use crate::facts::ActFacts;
use crate::task::{Matching, Node};

/// The comparisons with the addresses before and after an act, as the settings say.
pub(super) fn findings(node: &Node, settings: NodeSettings, act: &ActFacts) -> Vec<Finding> {
    let before = (Moment::Before, act.before.as_str());
    let after = (Moment::After, act.after.as_str());
    let moments = match settings.judge_at {
        JudgeAt::Before => vec![before],
        JudgeAt::After => vec![after],
        // A page that stays where it is, is compared once.
        JudgeAt::Both if before.1 == after.1 => vec![after],
        JudgeAt::Both => vec![before, after],
    };
    moments.into_iter().map(|(when, address)| finding(node, settings.rules, address).at(when)).collect()
}

fn finding(node: &Node, rules: Rules, address: &str) -> Finding {
    match (compared_address(node, rules, address), &node.key) {
        (Some(found), None) => {
            Finding::compared(node.function.matching, "the address", &found, &node.reference)
        }
        (Some(found), Some(key)) => {
            let what = format!("the parameter {}", quoted(key));
            Finding::compared(node.function.matching, &what, &found, &node.reference)
        }
        (None, key) => {
            let key = quoted(key.as_deref().unwrap_or_default());
            Finding::void(format!("the query of the address has no value of the parameter {key}"))
        }
    }
}

/// What a node compares of an address: the first value of its parameter that is not empty, form-decoded and then
/// percent-decoded again; without a parameter the address, decoded, and to look for a part of it only host, port, path and
/// fragment. `None` if the parameter has no value.
pub(crate) fn compared_address(node: &Node, rules: Rules, address: &str) -> Option<String> {
    let parts = Parts::of(address);
    if let Some(key) = &node.key {
        return parts.parameter(key).map(|value| percent_decoded(&value));
    }
    if node.function.matching != Matching::Included {
        return Some(percent_decoded(address));
    }
    let (host, path) = match rules {
        Rules::Standard => (parts.host_without_user(), parts.path.as_str()),
        // `urlparse` leaves user and password in the host, and takes parameters of the last piece out of the path.
        Rules::Code => (parts.host.as_str(), parts.path_without_parameters()),
    };
    let fragment = match parts.fragment.as_str() {
        "" => String::new(),
        fragment => format!("#{fragment}"),
    };
    Some(percent_decoded(&format!("{host}{path}{fragment}")))
}

/// The label of the site of an address, which is compared with `netloc`.
pub(crate) fn site(rules: Rules, address: &str) -> String {
    let parts = Parts::of(address);
    let host = match rules {
        Rules::Standard => parts.host_without_user(),
        Rules::Code => &parts.host,
    };
    site_label(host).to_owned()
}
