//! The functions by which key nodes compare (`WebCanvas`, section 2.3 and released code), by their names in task files.

use mageyard_domain::nearest_names;
use serde::{Deserialize, Serialize};

/// What a node looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// The address of the page, or a parameter of its query.
    Address,
    /// Which element was chosen.
    Path,
    /// The text that was typed, or the label of the chosen element.
    Value,
    /// A text that the agent keeps.
    CachedData,
    /// The answer of the agent.
    FinalAnswer,
}

/// How it is compared with the reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Matching {
    /// Both are equal.
    Exact,
    /// The reference is a part of it.
    Included,
    /// The reference is a rule in prose, and a judge says how well it is met.
    Semantic,
}

/// A function of key nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Function {
    /// What it looks at.
    pub target: Target,
    /// How it compares.
    pub matching: Matching,
}

/// The names of all functions.
const NAMES: [(&str, Target, Matching); 14] = [
    ("url_exactly_match", Target::Address, Matching::Exact),
    ("url_included_match", Target::Address, Matching::Included),
    ("url_semantic_match", Target::Address, Matching::Semantic),
    ("element_path_exactly_match", Target::Path, Matching::Exact),
    // A name of the released code that does nothing there: always 0.
    ("element_path_included_match", Target::Path, Matching::Included),
    ("element_value_exactly_match", Target::Value, Matching::Exact),
    ("element_value_included_match", Target::Value, Matching::Included),
    ("element_value_semantic_match", Target::Value, Matching::Semantic),
    ("cache_data_exact_match", Target::CachedData, Matching::Exact),
    ("cache_data_included_match", Target::CachedData, Matching::Included),
    ("cache_data_semantic_match", Target::CachedData, Matching::Semantic),
    ("final_answer_exact_match", Target::FinalAnswer, Matching::Exact),
    ("final_answer_included_match", Target::FinalAnswer, Matching::Included),
    ("final_answer_semantic_match", Target::FinalAnswer, Matching::Semantic),
];

impl Function {
    /// All functions, in the order of the documentation.
    pub fn all() -> impl Iterator<Item = Self> {
        NAMES.iter().map(|(_, target, matching)| Self { target: *target, matching: *matching })
    }

    /// Its name in task files. Every pair of a target and a way of comparing has one, but for the semantic comparison of
    /// paths, which is empty.
    pub fn name(self) -> &'static str {
        let named =
            NAMES.iter().find(|(_, target, matching)| (*target, *matching) == (self.target, self.matching));
        named.map_or("", |(name, _, _)| name)
    }

    /// The function of this name; an error is why there is none, with the nearest names.
    pub(crate) fn named(name: &str) -> Result<Self, String> {
        let found = NAMES.iter().find(|(known, _, _)| *known == name);
        let function = found.map(|(_, target, matching)| Self { target: *target, matching: *matching });
        function.ok_or_else(|| unknown(name, NAMES.iter().map(|(name, _, _)| *name)))
    }
}

/// That a name is not one of these, with the nearest, or with all of them.
pub(super) fn unknown<'a>(name: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    let near = nearest_names(name, known.clone());
    match near.as_slice() {
        [] => format!("{name:?} is not one of {}", known.collect::<Vec<_>>().join(", ")),
        near => format!("{name:?} is not known; did you mean {}?", near.join(" or ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_found_by_their_names() {
        assert_eq!(Function::all().count(), NAMES.len());
        for function in Function::all() {
            assert_eq!(Function::named(function.name()), Ok(function));
        }
        let error = Function::named("url_exact_match").unwrap_err();
        assert!(error.contains("did you mean url_exactly_match"), "{error}");
        let error = Function::named("zzz").unwrap_err();
        assert!(error.contains("is not one of url_exactly_match, "), "{error}");
    }
}
