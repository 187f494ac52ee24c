//! The parameter for code that the label of a block names.

use mageyard_domain::{ActionSpace, ActionSpec, ParamSpec};

/// Other labels of a language, and the extensions of its files.
const ALIASES: [(&str, &str); 7] = [
    ("js", "javascript"),
    ("mjs", "javascript"),
    ("htm", "html"),
    ("py", "python"),
    ("ipython", "python"),
    ("sh", "bash"),
    ("shell", "bash"),
];

/// A parameter for code, with its action.
pub(super) type CodeParam<'a> = (&'a ActionSpec, &'a ParamSpec);

/// The only parameter with exactly this label. `begun` is an action that a line has begun: its parameters are first.
pub(super) fn exact_param<'a>(
    space: &'a ActionSpace,
    begun: Option<&'a ActionSpec>,
    label: &str,
) -> Option<CodeParam<'a>> {
    let own = begun.and_then(|spec| {
        let params = || code_params(spec);
        let language = |param: &ParamSpec| param.kind.language() == Some(label);
        only(params(), |param| space.code_label(param) == label)
            .or_else(|| only(params(), language))
            .or_else(|| only(params(), |_| label.is_empty()))
    });
    own.or_else(|| only(space.code_params(), |param| space.code_label(param) == label))
}

/// The only parameter that this label can mean: the name or the language in any capitals, an alias, or the name of a
/// file; any if the label is empty.
pub(super) fn likely_param<'a>(space: &'a ActionSpace, label: &str) -> Option<CodeParam<'a>> {
    let is_empty = canonical_label(label).is_empty();
    named_param(space, label).or_else(|| only(space.code_params(), |_| is_empty))
}

/// The only parameter that this word names: by its name or its language in any capitals, an alias, or the name of a file.
pub(super) fn named_param<'a>(space: &'a ActionSpace, word: &str) -> Option<CodeParam<'a>> {
    let word = canonical_label(word);
    let names = |param: &ParamSpec| {
        param.name.to_lowercase() == word || param.kind.language().is_some_and(|language| language == word)
    };
    only(space.code_params(), names)
}

/// The labels of all parameters for code.
pub(super) fn known_labels(space: &ActionSpace) -> Vec<&str> {
    space.code_params().map(|(_, param)| space.code_label(param)).collect()
}

fn code_params(spec: &ActionSpec) -> impl Iterator<Item = CodeParam<'_>> {
    spec.params.iter().filter(|param| param.kind.is_code()).map(move |param| (spec, param))
}

/// The only parameter that is accepted.
fn only<'a>(
    params: impl Iterator<Item = CodeParam<'a>>,
    accepts: impl Fn(&ParamSpec) -> bool,
) -> Option<CodeParam<'a>> {
    let mut found = params.filter(|(_, param)| accepts(param));
    found.next().filter(|_| found.next().is_none())
}

/// A label in lower case, without the name of a file before its extension, and without an alias.
fn canonical_label(label: &str) -> String {
    let label = label.trim_matches(['*', '`', ':', '"']).to_lowercase();
    let label = label.rsplit_once('.').map_or(label.as_str(), |(_, extension)| extension);
    ALIASES.iter().find(|(alias, _)| *alias == label).map_or(label, |(_, language)| language).to_owned()
}
