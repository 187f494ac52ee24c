//! Which crate may depend on which, by `cargo metadata`. The compiler keeps code to what a manifest lists; these tests keep
//! the manifests.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use serde_json::Value;

use crate::sandbox::complete;
use crate::source_paths::rust_files;

/// Each crate, without `mageyard-` before its name, with those that it may depend on. From bottom to top.
const MAY_DEPEND: &[(&str, &[&str])] = &[
    ("domain", &[]),
    ("statistics", &[]),
    ("dialog", &["domain"]),
    ("config", &["domain", "dialog"]),
    ("browser", &["domain"]),
    ("sandbox", &["domain"]),
    ("agents", &["domain"]),
    ("engine", &["domain", "dialog"]),
    ("kit", &["domain"]),
    ("sokoban", &["domain", "kit"]),
    ("hanoi", &["domain", "kit"]),
    ("desktop", &["domain", "kit", "sandbox"]),
    ("football", &["domain", "kit"]),
    ("looks", &["domain", "kit"]),
    ("web", &["domain", "kit", "browser"]),
    ("webui", &["domain", "kit", "browser"]),
    ("envs", &["domain", "sokoban", "hanoi", "football", "looks", "web", "webui", "desktop"]),
    ("terminal", &["domain", "config"]),
    ("lab", &["domain", "dialog", "config", "browser", "agents", "engine"]),
    ("sweep", &["domain", "dialog", "config", "agents", "engine", "lab"]),
    ("study", &["domain", "dialog", "config", "agents", "engine", "statistics", "lab", "sweep"]),
    ("report", &["domain", "config", "engine", "statistics", "lab"]),
    ("screen", &["domain", "dialog", "config", "agents", "engine", "terminal", "lab", "study"]),
    (
        "cli",
        &[
            "domain",
            "statistics",
            "dialog",
            "config",
            "browser",
            "agents",
            "engine",
            "terminal",
            "lab",
            "sweep",
            "study",
            "report",
        ],
    ),
    (
        "host",
        &[
            "domain",
            "statistics",
            "dialog",
            "config",
            "agents",
            "engine",
            "terminal",
            "lab",
            "sweep",
            "study",
            "report",
            "screen",
            "cli",
        ],
    ),
    // A tool for developers, which is not shipped.
    ("football-validation", &["domain", "football"]),
    // These tests know the program from outside only.
    ("tests", &[]),
];

/// Crates of terminals, networks and browsers, which pure crates do not have in their trees.
const OUTSIDE: [&str; 12] = [
    "crossterm",
    "ratatui",
    "ratatui-core",
    "termina",
    "vt100",
    "portable-pty",
    "reqwest",
    "hyper",
    "rustls",
    "axum",
    "mageyard-terminal",
    "mageyard-browser",
];

/// Lines of one crate, its tests included. The screen is to be split; tests of the whole program are one crate.
const MOST_LINES: usize = 26_000;
const LARGE: [&str; 2] = ["mageyard-screen", "mageyard-tests"];

/// What cargo says of the workspace.
static METADATA: LazyLock<Value> = LazyLock::new(|| {
    let mut command = Command::new(env!("CARGO"));
    // Dependencies of other platforms were never downloaded.
    command.args([
        "metadata",
        "--format-version",
        "1",
        "--locked",
        "--offline",
        "--filter-platform",
        &host(),
    ]);
    command.current_dir(root());
    let result = complete(&mut command);
    assert_eq!(result.code, Some(0), "{}", result.err);
    serde_json::from_str(&result.out).unwrap()
});

/// The platform that this program is built for.
fn host() -> String {
    let mut command = Command::new(env!("CARGO"));
    let version = complete(command.arg("-vV"));
    let line = version.out.lines().find_map(|line| line.strip_prefix("host: "));
    line.expect("cargo names its host").to_owned()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

fn texts(values: &Value) -> BTreeSet<&str> {
    values.as_array().unwrap().iter().map(|value| value.as_str().unwrap()).collect()
}

/// The packages of the workspace.
fn members() -> Vec<&'static Value> {
    let ids = texts(&METADATA["workspace_members"]);
    let packages = METADATA["packages"].as_array().unwrap();
    packages.iter().filter(|package| ids.contains(package["id"].as_str().unwrap())).collect()
}

fn name(package: &Value) -> &str {
    package["name"].as_str().unwrap()
}

/// The dependencies of a package, of tests and build scripts too.
fn dependencies(package: &'static Value) -> &'static [Value] {
    package["dependencies"].as_array().unwrap()
}

/// Whether a dependency, or an edge of the tree, is one of tests only.
fn is_normal(kind: &Value) -> bool {
    kind["kind"] != "dev"
}

/// Everything below a package, itself included: names of packages.
fn tree(package: &str) -> BTreeSet<&'static str> {
    let nodes = METADATA["resolve"]["nodes"].as_array().unwrap();
    let nodes: BTreeMap<&str, &Value> =
        nodes.iter().map(|node| (node["id"].as_str().unwrap(), node)).collect();
    let packages = METADATA["packages"].as_array().unwrap();
    let names: BTreeMap<&str, &str> =
        packages.iter().map(|found| (found["id"].as_str().unwrap(), name(found))).collect();
    let mut open: Vec<&str> =
        names.iter().filter(|(_, found)| **found == package).map(|(id, _)| *id).collect();
    assert_eq!(open.len(), 1, "{package}");
    let mut seen = BTreeSet::new();
    while let Some(id) = open.pop() {
        if seen.insert(id) {
            let edges = nodes[id]["deps"].as_array().unwrap().iter();
            let normal = edges.filter(|edge| edge["dep_kinds"].as_array().unwrap().iter().any(is_normal));
            open.extend(normal.map(|edge| edge["pkg"].as_str().unwrap()));
        }
    }
    seen.into_iter().map(|id| names[id]).collect()
}

#[test]
fn crates_depend_only_on_crates_below_them() {
    let mut listed = BTreeSet::new();
    for (name, below) in MAY_DEPEND {
        let unknown: Vec<_> = below.iter().filter(|lower| !listed.contains(*lower)).collect();
        assert!(unknown.is_empty(), "{name} is above {unknown:?} in this table, which must stand before it");
        listed.insert(name);
    }
    for package in members() {
        // The program itself stands on everything.
        let Some(short) = name(package).strip_prefix("mageyard-") else { continue };
        let row = MAY_DEPEND.iter().find(|row| row.0 == short);
        let (_, allowed) = row.unwrap_or_else(|| panic!("{short} has no row in MAY_DEPEND"));
        for dependency in dependencies(package).iter().filter(|found| is_normal(found)) {
            let lower = name(dependency).strip_prefix("mageyard-");
            assert!(
                lower.is_none_or(|lower| allowed.contains(&lower)),
                "{short} depends on {}",
                name(dependency)
            );
        }
    }
}

#[test]
fn domain_and_statistics_have_no_terminal_network_or_browser_below_them() {
    for package in ["mageyard-domain", "mageyard-statistics"] {
        let below = tree(package);
        let outside: Vec<_> = OUTSIDE.iter().filter(|name| below.contains(*name)).collect();
        assert!(outside.is_empty(), "{package} has {outside:?} in its tree");
    }
    let below = tree("mageyard-screen");
    assert!(below.contains("crossterm") && !below.contains("proptest"), "the tree is that of the program");
}

#[test]
fn only_tests_enable_a_feature_for_tests() {
    let is_testing = |feature: &str| feature == "testing" || feature.ends_with("/testing");
    let mut uses = 0;
    for package in members() {
        for dependency in dependencies(package) {
            if texts(&dependency["features"]).iter().any(|feature| is_testing(feature)) {
                assert!(!is_normal(dependency), "{} enables it of {}", name(package), name(dependency));
                uses += 1;
            }
        }
        for (feature, implied) in package["features"].as_object().unwrap() {
            let implies = texts(implied).iter().any(|implied| is_testing(implied));
            assert!(feature == "testing" || !implies, "the feature {feature} of {}", name(package));
        }
    }
    assert!(uses > 0, "the feature has another name");
}

#[test]
fn cargo_acts_on_every_crate_by_default() {
    assert_eq!(texts(&METADATA["workspace_default_members"]), texts(&METADATA["workspace_members"]));
}

#[test]
fn a_crate_is_small_enough_to_be_compiled_in_seconds() {
    let folder = |package: &Value| {
        PathBuf::from(package["manifest_path"].as_str().unwrap()).parent().unwrap().to_owned()
    };
    let folders: Vec<PathBuf> = members().into_iter().map(folder).collect();
    for package in members() {
        let own = folder(package);
        // The package at the top has its code in `src/main.rs`; the folders beside it are crates of their own.
        if own == root() || LARGE.contains(&name(package)) {
            continue;
        }
        let is_inside = |file: &PathBuf| {
            !folders.iter().any(|other| *other != own && other.starts_with(&own) && file.starts_with(other))
        };
        let lines = |file: PathBuf| std::fs::read_to_string(file).unwrap().lines().count();
        let lines: usize = rust_files(&own).into_iter().filter(is_inside).map(lines).sum();
        assert!((1..=MOST_LINES).contains(&lines), "{} has {lines} lines", name(package));
    }
}
