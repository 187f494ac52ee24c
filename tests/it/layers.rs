//! The arrows of the house point down only.

use std::fs;
use std::path::Path;
use std::path::PathBuf;

/// Each layer with the layers it may name.
const ALLOWED: &[(&str, &[&str])] = &[
    ("domain", &[]),
    ("dialog", &["domain"]),
    ("config", &["domain", "dialog"]),
    ("envs", &["domain"]),
    ("agents", &["domain"]),
    ("engine", &["domain", "dialog"]),
    ("tui", &["domain", "dialog", "config", "engine"]),
    ("cli", &["domain", "dialog", "config", "envs", "agents", "engine", "tui"]),
];

/// Crates that only these layers may use: async, the terminal and the disk live at the edges.
const CRATE_LAYERS: &[(&str, &[&str])] = &[
    ("async_openai", &["agents"]),
    ("reqwest", &["agents"]),
    ("rustls", &["agents"]),
    ("tokio", &["agents", "config", "engine", "tui", "cli"]),
    ("crossterm", &["tui", "cli"]),
    ("ratatui", &["tui"]),
    ("ratatui_image", &["tui"]),
    ("clap", &["cli"]),
    ("miette", &["cli"]),
    ("viuer", &["cli"]),
    ("directories", &["config"]),
    ("notify", &["config"]),
];

pub(crate) fn source_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    let rust = files.into_iter().filter(|path| path.extension().is_some_and(|ext| ext == "rs"));
    rust.chain(folders.iter().flat_map(|folder| self::source_files(folder))).collect()
}

/// What follows each `word::` in the code of a file, comments left out.
fn names_after<'a>(text: &'a str, word: &str) -> Vec<&'a str> {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let start = format!("{word}::");
    let mut found = Vec::new();
    for line in code {
        for (at, _) in line.match_indices(&start) {
            let before = line[..at].chars().next_back();
            if before.is_none_or(|c| !c.is_alphanumeric() && c != '_' && c != ':') {
                let rest = &line[at + start.len()..];
                let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
                found.push(&rest[..end]);
            }
        }
    }
    found
}

fn each_file(mut look: impl FnMut(&str, &Path, &str)) {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for (layer, _) in ALLOWED {
        let files = source_files(&src.join(layer));
        assert!(!files.is_empty(), "{layer} is empty");
        for file in files {
            look(layer, &file, &fs::read_to_string(&file).unwrap());
        }
    }
}

/// What a file of this layer names and must not. A list or a star after `crate::` hides the layer it
/// names, so it is refused too: paths are written whole, one a line.
fn wrong_arrows<'a>(layer: &str, text: &'a str) -> Vec<&'a str> {
    let allowed = ALLOWED.iter().find(|row| row.0 == layer).unwrap().1;
    let is_layer = |name: &str| ALLOWED.iter().any(|row| row.0 == name);
    let mut names = names_after(text, "crate");
    names.retain(|name| name.is_empty() || is_layer(name) && *name != layer && !allowed.contains(name));
    names
}

#[test]
fn layers_depend_only_on_lower_layers() {
    let mut faults = Vec::new();
    each_file(|layer, file, text| {
        let names = wrong_arrows(layer, text);
        faults.extend(names.iter().map(|name| format!("{} names {name:?}", file.display())));
    });
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn restricted_crates_are_used_only_in_their_layers() {
    let mut faults = Vec::new();
    each_file(|layer, file, text| {
        for (name, layers) in CRATE_LAYERS {
            if !layers.contains(&layer) && !names_after(text, name).is_empty() {
                faults.push(format!("{} uses {name}", file.display()));
            }
        }
    });
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn pure_modules_enable_the_restriction_lints() {
    for module in [
        "domain/mod.rs",
        "dialog/mod.rs",
        "envs/mod.rs",
        "agents/seeded_choice.rs",
        "agents/random.rs",
        "engine/episode/mod.rs",
        "engine/event.rs",
        "engine/head.rs",
        "engine/step.rs",
        "engine/stored_event.rs",
        "tui/update/mod.rs",
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(module);
        let text = fs::read_to_string(path).unwrap();
        assert!(text.contains("#![deny(clippy::disallowed_methods, clippy::disallowed_types)]"), "{module}");
    }
}

#[test]
fn the_test_detects_wrong_dependencies() {
    assert_eq!(
        names_after("use crate::tui::Look;\n// crate::cli::x\nlet a = crate::envs::kinds();", "crate"),
        ["tui", "envs"]
    );
    assert!(names_after("use my_crate::tui;", "crate").is_empty());
    assert_eq!(wrong_arrows("envs", "use crate::domain::Level;\nuse crate::tui::Look;"), ["tui"]);
    for hidden in ["use crate::{tui::Look};", "use crate::*;", "use crate::{\n    tui::Look,\n};"] {
        assert_eq!(wrong_arrows("envs", hidden), [""], "{hidden}");
    }
}
