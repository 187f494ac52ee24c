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
    OwnWords { module: "envs::looks", words: &["GroundUI", "IDMBench", "CriticBench"], exact: &[] },
];

/// Lines that may have such a word: a part of the path, a part of the line, and why.
const ALLOWED: &[(&str, &str, &str)] = &[
    ("envs/lib.rs", "pub use mageyard_sokoban as sokoban;", "the list of environments"),
    ("envs/lib.rs", "&sokoban::Sokoban,", "the list of environments"),
    ("envs/lib.rs", "&hanoi::Hanoi,", "the list of environments"),
    ("envs/lib.rs", "pub use mageyard_hanoi as hanoi;", "the list of environments"),
    ("ai/mod.rs", "a moving box", "the box of a formation"),
    ("ai/formation.rs", "box", "the box of a formation"),
    ("ai/slots.rs", "push", "slots that keep apart"),
    ("ai/memory.rs", "pushes", "values of a list"),
    ("sim/bodies.rs", "push", "bodies that touch"),
    ("screen/command/table.rs", "such as :open sokoban/mini/8", "an example of a reference in a help text"),
    ("cli/doctor.rs", "box drawing needs UTF-8", "a kind of characters"),
    ("", "hanoi/", "an example of a reference"),
    ("", ".hanoi", "an example of a file name"),
    ("domain/environment_spec.rs", "such as `hanoi`", "an example of a name"),
    ("lab/environments.rs", "`hanoi.scale`", "an example of a setting"),
    ("lab/levels/mod.rs", "//! Level references: `hanoi`", "an example of a reference"),
    ("domain/frame_view/mod.rs", "box", "boxes of elements in a picture"),
    ("domain/score_details.rs", "box", "boxes of elements in a picture"),
    ("envs/webui/inspector.rs", "box", "boxes of elements in a picture"),
    ("screen/command/table.rs", "box", "boxes of elements in a picture"),
    ("screen/linear/pane_lines.rs", "boxes", "boxes of elements in a picture"),
    ("screen/model/details.rs", "box", "boxes of elements in a picture"),
    ("screen/model/score_tree.rs", "box", "boxes of elements in a picture"),
    ("screen/pane.rs", "box", "boxes of elements in a picture"),
    ("screen/panes/boxes.rs", "box", "boxes of elements in a picture"),
    ("screen/panes/claims.rs", "boxes", "lines around parts of a picture"),
    ("screen/panes/frame.rs", "box", "boxes of elements in a picture"),
    ("screen/panes/frame_note.rs", "boxes", "boxes of elements in a picture"),
    ("screen/panes/frame_pair.rs", "boxes", "lines around parts of a picture"),
    ("screen/panes/overlay.rs", "boxes", "lines around parts of a picture"),
    ("terminal/picture_changes.rs", "box", "extents of changes in a picture"),
    ("screen/panes/mod.rs", "box", "boxes of elements in a picture"),
    ("terminal/theme/style_role.rs", "box", "boxes of elements in a picture"),
    ("screen/update/frame.rs", "box", "boxes of elements in a picture"),
    ("domain/picture.rs", "box", "boxes of elements in a picture"),
    ("picture/numbers.rs", "box", "boxes of elements in a picture"),
    ("journal/stored_observation.rs", "boxes", "boxes of elements in a picture"),
    ("web/drawing.rs", "box", "boxes of elements in a picture"),
    ("web/inspector.rs", "box", "boxes of elements in a picture"),
    ("web/observation.rs", "box", "boxes of elements in a picture"),
    ("webui/shelf.rs", "book-filter", "the name of a page"),
    ("web/sites/mod.rs", "books", "a host of the local web"),
    ("sites/books/mod.rs", "ooks", "a host of the local web"),
    ("aes/table.rs", "box-shadow", "a computed style"),
    ("aes/view.rs", "box-shadow", "a computed style"),
    ("snapshot/properties.rs", "box-shadow", "a computed style"),
    ("perception/style.rs", "box-shadow", "a computed style"),
    ("cli/output.rs", "such as `Hanoi`", "an example of a name"),
    ("cli/output.rs", "is not a Hanoi level", "an example of a message"),
];

/// The lines of a file without its unit tests, with their numbers.
fn program_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let program = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    program.lines().enumerate().map(|(index, line)| (index + 1, line))
}

/// The words of an environment as one expression.
struct Words(Regex);

impl Words {
    fn of(own: &OwnWords) -> Self {
        let words = own.words.iter().map(|word| format!("(?i:{word})"));
        let all: Vec<String> = words.chain(own.exact.iter().map(|word| format!("(?:{word})"))).collect();
        Self(Regex::new(&all.join("|")).unwrap())
    }

    /// The lines of a file outside the environment's folder that have them.
    fn found(&self, path: &str, text: &str) -> Vec<String> {
        let is_allowed =
            |line: &str| ALLOWED.iter().any(|(file, part, _)| path.ends_with(file) && line.contains(part));
        program_lines(text)
            .filter(|(_, line)| self.0.is_match(line) && !is_allowed(line))
            .map(|(number, line)| format!("{path}:{number}: {}", line.trim()))
            .collect()
    }
}

#[test]
fn an_environment_is_known_only_in_its_own_folder() {
    let mut found = Vec::new();
    for own in OWN {
        let words = Words::of(own);
        for file in crate_sources().iter().filter(|file| !file.module.starts_with(own.module)) {
            let path = file.path.to_string_lossy();
            if !path.contains("/testing") {
                found.extend(words.found(&path, &file.text));
            }
        }
    }
    assert!(found.is_empty(), "words of an environment outside its folder:\n{}", found.join("\n"));
}

#[test]
fn every_kind_of_word_is_found_and_ordinary_code_is_not() {
    let words = Words::of(&OWN[0]);
    let hits = |line: &str| words.found("src/cli/a.rs", line).len();
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
