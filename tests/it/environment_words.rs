//! What belongs to one environment stays in its folder: its name, its words, its formats and its option names appear
//! nowhere else in the program. What the program needs of them, an environment offers as a capability.

use regex::Regex;

use crate::source_paths::crate_sources;

/// An environment and the words that are its own.
struct OwnWords {
    /// Its folder, as a module path.
    module: &'static str,
    /// Words as regular expressions, in any case.
    words: &'static [&'static str],
    /// The same, in this case: they are ordinary words, or names of types, in another.
    exact: &'static [&'static str],
}

const OWN: &[OwnWords] = &[
    OwnWords {
        module: "envs::sokoban",
        words: &[
            "sokoban",
            "lurd",
            r"\bxsb\b",
            "boxoban",
            r"\bgym\b",
            "solver_(states|memory)",
            r#""solver_"#,
        ],
        exact: &[r"\bbox(es)?\b", r"\bpush(es|ed|ing)?\b([^(]|$)", r#""tiles?""#],
    },
    OwnWords { module: "envs::football", words: &["dribbl", r"\bgoalkeeper", r"\bsprint"], exact: &[] },
    OwnWords { module: "envs::hanoi", words: &[r"\bHanoi\b", r"\bbooks?\b", r"\bpegs?\b"], exact: &[] },
];

/// Lines that may have such a word: a part of the path, a part of the line, and why.
const ALLOWED: &[(&str, &str, &str)] = &[
    ("envs/mod.rs", "pub mod sokoban;", "the list of environments"),
    (
        "envs/mod.rs",
        "&[&sokoban::Sokoban, &hanoi::Hanoi, &webui::WebUi, &football::Football]",
        "the list of environments",
    ),
    ("envs/mod.rs", "mod hanoi;", "the list of environments"),
    ("ai/mod.rs", "a moving box", "the box of a formation"),
    ("ai/formation.rs", "box", "the box of a formation"),
    ("ai/slots.rs", "push", "slots that keep apart"),
    ("ai/memory.rs", "pushes", "values of a list"),
    ("sim/bodies.rs", "push", "bodies that touch"),
    ("tui/command/table.rs", "such as :open sokoban/mini/8", "an example of a reference in a help text"),
    ("cli/doctor.rs", "box drawing needs UTF-8", "a kind of characters"),
    ("", "hanoi/", "an example of a reference"),
    ("", ".hanoi", "an example of a file name"),
    ("domain/environment_spec.rs", "such as `hanoi`", "an example of a name"),
    ("lab/environments.rs", "`hanoi.scale`", "an example of a setting"),
    ("lab/levels.rs", "//! Level references: `hanoi`", "an example of a reference"),
    ("domain/frame_view/mod.rs", "box", "boxes of elements in a picture"),
    ("domain/score_details.rs", "box", "boxes of elements in a picture"),
    ("envs/webui/inspector.rs", "box", "boxes of elements in a picture"),
    ("tui/command/table.rs", "box", "boxes of elements in a picture"),
    ("tui/linear/pane_lines.rs", "boxes", "boxes of elements in a picture"),
    ("tui/model/details.rs", "box", "boxes of elements in a picture"),
    ("tui/model/mod.rs", "box", "boxes of elements in a picture"),
    ("tui/model/score_tree.rs", "box", "boxes of elements in a picture"),
    ("tui/pane.rs", "box", "boxes of elements in a picture"),
    ("tui/panes/boxes.rs", "box", "boxes of elements in a picture"),
    ("tui/panes/frame.rs", "box", "boxes of elements in a picture"),
    ("tui/panes/frame_note.rs", "boxes", "boxes of elements in a picture"),
    ("tui/panes/frame_pair.rs", "boxes", "lines around parts of a picture"),
    ("tui/panes/overlay.rs", "boxes", "lines around parts of a picture"),
    ("tui/picture_changes.rs", "box", "extents of changes in a picture"),
    ("tui/panes/mod.rs", "box", "boxes of elements in a picture"),
    ("tui/theme/style_role.rs", "box", "boxes of elements in a picture"),
    ("tui/update/frame.rs", "box", "boxes of elements in a picture"),
    ("webui/shelf.rs", "book-filter", "the name of a page"),
    ("aes/table.rs", "box-shadow", "a computed style"),
    ("aes/view.rs", "box-shadow", "a computed style"),
    ("snapshot/properties.rs", "box-shadow", "a computed style"),
    ("cli/output.rs", "such as `Hanoi`", "an example of a name"),
    ("cli/output.rs", "is not a Hanoi level", "an example of a message"),
];

/// The lines of a file without its unit tests, with their numbers.
fn program_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let program = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    program.lines().enumerate().map(|(index, line)| (index + 1, line))
}

/// The lines of a file outside an environment's folder that have its words.
fn foreign_words(own: &OwnWords, path: &str, text: &str) -> Vec<String> {
    let any: Vec<Regex> = own.words.iter().map(|word| Regex::new(&format!("(?i){word}")).unwrap()).collect();
    let exact: Vec<Regex> = own.exact.iter().map(|word| Regex::new(word).unwrap()).collect();
    let allowed =
        |line: &str| ALLOWED.iter().any(|(file, part, _)| path.ends_with(file) && line.contains(part));
    let hit = |line: &str| any.iter().chain(&exact).any(|word| word.is_match(line)) && !allowed(line);
    program_lines(text)
        .filter(|(_, line)| hit(line))
        .map(|(number, line)| format!("{path}:{number}: {}", line.trim()))
        .collect()
}

#[test]
fn an_environment_is_known_only_in_its_own_folder() {
    let mut found = Vec::new();
    for own in OWN {
        for file in crate_sources().iter().filter(|file| !file.module.starts_with(own.module)) {
            let path = file.path.to_string_lossy();
            if !path.contains("/testing") {
                found.extend(foreign_words(own, &path, &file.text));
            }
        }
    }
    assert!(found.is_empty(), "words of an environment outside its folder:\n{}", found.join("\n"));
}

#[test]
fn every_kind_of_word_is_found_and_ordinary_code_is_not() {
    let hits = |line: &str| foreign_words(&OWN[0], "src/cli/a.rs", line).len();
    for line in [
        "if spec.name() == \"sokoban\" {",
        "use crate::envs::sokoban::Sokoban;",
        "/// The number of pushes.",
        "/// a box on a target",
        "let lurd = solution.notation;",
        "options.get(\"solver_states\")",
        "options.get(\"tiles\")",
        "file.join(\"a.xsb\")",
        "// as in gym",
    ] {
        assert_eq!(hits(line), 1, "{line}");
    }
    for line in ["let list: Vec<Box<dyn Agent>> = vec![];", "rows.push(row);", "list.push_str(text)", "tile"]
    {
        assert_eq!(hits(line), 0, "{line}");
    }
    let tested = "fn a() {}\n#[cfg(test)]\nmod tests {\n    // sokoban\n}";
    assert_eq!(hits(tested), 0);
}

#[test]
fn every_exception_is_needed() {
    for (file, part, why) in ALLOWED {
        let used = crate_sources()
            .iter()
            .any(|source| source.path.to_string_lossy().ends_with(file) && source.text.contains(part));
        assert!(used, "{part:?} in {file:?} ({why}) is no longer there");
    }
}
