//! A text with variables, taken apart once so that filling it in for each request only joins its parts.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::fill_cache::FillCache;
use super::sentences::CHANGING;
use super::variables::{VariableValues, feedback_value, find_variables, variable_value};
use mageyard_domain::{ActProblem, Digest, StateWords};

/// A text of a prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Template {
    text: Arc<str>,
    digest: Digest,
    parts: Arc<[TemplatePart]>,
    filled: FillCache,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum TemplatePart {
    /// A text without variables, with single braces.
    Text(Arc<str>),
    /// A variable by its name.
    Variable(Box<str>),
}

impl Template {
    pub(super) fn new(text: &str) -> Self {
        let mut parts = Vec::new();
        let mut from = 0;
        let literal = |text: &str| TemplatePart::Text(unescape_braces(text).into());
        for (name, span) in find_variables(text) {
            if span.start > from {
                parts.push(literal(&text[from..span.start]));
            }
            parts.push(TemplatePart::Variable(name.into()));
            from = span.end;
        }
        if from < text.len() {
            parts.push(literal(&text[from..]));
        }
        Self {
            text: text.into(),
            digest: Digest::of(text.as_bytes()),
            parts: parts.into(),
            filled: FillCache::default(),
        }
    }

    /// The text as it was written.
    pub(super) fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// The digest of the text as it was written.
    pub(super) fn digest(&self) -> Digest {
        self.digest
    }

    /// Whether it has a variable whose value changes at every step.
    pub(super) fn changes(&self) -> bool {
        let is_changing =
            |part: &TemplatePart| matches!(part, TemplatePart::Variable(name) if CHANGING.contains(&&**name));
        self.parts.iter().any(is_changing)
    }

    /// Whether it has this variable.
    pub(super) fn has_variable(&self, name: &str) -> bool {
        self.parts.iter().any(|part| matches!(part, TemplatePart::Variable(variable) if **variable == *name))
    }

    /// The text with its variables filled in. A text without variables is not copied, nor is one whose variables
    /// have the values of the first call.
    pub(super) fn fill(&self, words: &StateWords, values: &VariableValues<'_>) -> Arc<str> {
        if let [TemplatePart::Text(text)] = &*self.parts {
            return text.clone();
        }
        if self.changes() {
            return self.fill_parts(words, values);
        }
        self.filled.get_or_fill(words, values, || self.fill_parts(words, values))
    }

    /// The text of the segment `feedback` for an action that was refused or failed.
    pub(super) fn fill_feedback(&self, problem: &ActProblem) -> Arc<str> {
        self.fill_with(|name| feedback_value(name, problem))
    }

    /// The text with these values of its variables; one without a value is empty.
    pub(super) fn fill_values(&self, values: &BTreeMap<String, String>) -> Arc<str> {
        self.fill_with(|name| values.get(name).map_or("", String::as_str))
    }

    fn fill_with<'a>(&'a self, value: impl Fn(&'a str) -> &'a str) -> Arc<str> {
        let text = |part: &'a TemplatePart| match part {
            TemplatePart::Text(text) => &**text,
            TemplatePart::Variable(name) => value(name),
        };
        self.parts.iter().map(text).collect::<String>().into()
    }

    fn fill_parts(&self, words: &StateWords, values: &VariableValues<'_>) -> Arc<str> {
        let mut filled = String::with_capacity(self.text.len() + 256);
        for part in &*self.parts {
            match part {
                TemplatePart::Text(text) => filled.push_str(text),
                TemplatePart::Variable(name) if **name == *"picture" => filled.push_str(&words.picture),
                TemplatePart::Variable(name) if **name == *"shown" => filled.push_str(&words.shown),
                TemplatePart::Variable(name) if **name == *"view" => filled.push_str(&words.view),
                TemplatePart::Variable(name) => filled.push_str(&variable_value(name, values)),
            }
        }
        filled.into()
    }
}

fn unescape_braces(text: &str) -> String {
    text.replace("{{", "{").replace("}}", "}")
}
