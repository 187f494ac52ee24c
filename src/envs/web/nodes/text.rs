//! What nodes compare of texts that the agent keeps or answers.

use super::finding::Finding;
use super::settings::Rules;
use crate::facts::ActFacts;
use crate::task::{Matching, Node};

/// The verbs with such a text. A node of either kind takes the text of both.
const VERBS: [&str; 2] = ["cache_data", "get_final_answer"];

/// The comparison with the text of an act.
pub(super) fn finding(node: &Node, rules: Rules, act: &ActFacts) -> Finding {
    let text = act.text.as_deref().filter(|text| !text.is_empty() && VERBS.contains(&act.verb.as_str()));
    let Some(text) = text else { return Finding::void("the act keeps and answers no text") };
    if rules == Rules::Standard && !act.done {
        return Finding::refused(text, "the act did not succeed");
    }
    match node.function.matching {
        Matching::Semantic if rules == Rules::Code => {
            Finding::raised(text, "the released code does not wait for the judge and fails")
        }
        Matching::Semantic => Finding::compared(Matching::Semantic, "the text", text, &node.reference),
        matching => {
            Finding::compared(matching, "the text", &text.to_lowercase(), &node.reference.to_lowercase())
        }
    }
}
