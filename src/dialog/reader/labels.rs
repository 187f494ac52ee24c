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

/// The only parameter that this word names: by its name or its language in any capitals, an alias, the name of a file, or
/// after the name of its action, as the released program of `MageBench` calls its actions (`write_html`).
pub(super) fn named_param<'a>(space: &'a ActionSpace, word: &str) -> Option<CodeParam<'a>> {
    let word = canonical_label(word);
    let own = space.specs().iter().find_map(|spec| {
        let rest = word.strip_prefix(&spec.name.to_lowercase())?.strip_prefix('_')?;
        Some(canonical_label(rest))
    });
    let word = own.unwrap_or(word);
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

#[cfg(test)]
mod tests {
    use mageyard_domain::ParamKind;

    use super::*;

    #[test]
    fn a_parameter_is_named_by_its_language_its_file_or_its_action() {
        let code = |name: &str, language: &str| {
            ParamSpec::new(name, "a file", ParamKind::Code { language: language.into() }).optional()
        };
        let write = ActionSpec::new("write", "write files");
        let write = write.with_param(code("html", "html")).with_param(code("js", "javascript"));
        let space = ActionSpace::from_iter([write]);
        let named = |word: &str| named_param(&space, word).map(|(_, param)| param.name.clone());
        for (word, name) in [
            ("HTML", "html"),
            ("script.js", "js"),
            ("write_html", "html"),
            ("write_javascript", "js"),
            ("**Write_JS**", "js"),
        ] {
            assert_eq!(named(word).as_deref(), Some(name), "{word}");
        }
        assert_eq!((named("write_css"), named("write"), named("rewrite_html")), (None, None, None));
    }
}
