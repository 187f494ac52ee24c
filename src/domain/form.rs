//! The form of a reply: which headings it has and whether one action or a list follows.

use super::Action;

/// How a reply is laid out (`MageBench`, supplement: output formats). An agent that speaks without
/// a model writes in it; a reader reads by it; a prompt shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// The heading above the free text, such as `# analyze`.
    pub analysis: &'static str,
    /// The heading above the action or the list, such as `# action`.
    pub action: &'static str,
    /// Whether a list separated by commas follows, not one action.
    pub list: bool,
}

impl Form {
    /// A reply in this form.
    pub fn write(&self, reason: &str, actions: &[Action]) -> String {
        let names: Vec<String> = actions.iter().map(Action::to_string).collect();
        format!("{}\n{reason}\n\n{}\n{}\n", self.analysis, self.action, names.join(", "))
    }
}
