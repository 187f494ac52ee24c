//! Modules depend on each other in one direction: no chain of references leads back to its start.

use std::collections::{BTreeMap, BTreeSet};

use crate::source_paths::{Named, SourceFile, crate_sources, mentions};

/// Modules, each with those that it names.
type Dependencies = BTreeMap<String, BTreeSet<String>>;

/// The paths that a file names, from the root of the crate.
fn named_paths(file: &SourceFile) -> Vec<String> {
    let internal = |(named, _)| match named {
        Named::Internal(path) => Some(path.join("::")),
        _ => None,
    };
    mentions(file).into_iter().filter_map(internal).collect()
}

/// The module of a path: the longest that exists.
fn imported_module<'a>(path: &'a str, modules: &Dependencies) -> Option<&'a str> {
    let shorter = |path: &&'a str| path.rsplit_once("::").map(|(before, _)| before);
    std::iter::successors(Some(path), shorter).find(|path| modules.contains_key(*path))
}

/// The dependencies between modules. A `mod.rs` may use the modules of its folder.
fn dependencies(files: &[SourceFile]) -> Dependencies {
    let bare: Dependencies = files.iter().map(|file| (file.module.clone(), BTreeSet::new())).collect();
    let of = |file: &SourceFile| {
        let inside = format!("{}::", file.module);
        let named = named_paths(file);
        let named = named.iter().filter_map(|path| imported_module(path, &bare));
        let others = named.filter(|other| **other != *file.module && !other.starts_with(&inside));
        (file.module.clone(), others.map(str::to_owned).collect())
    };
    files.iter().map(of).collect()
}

/// A path along the arrows from one module back to itself.
fn find_cycle(from: &str, arrows: &Dependencies) -> Option<Vec<String>> {
    let mut came: BTreeMap<&str, &str> = BTreeMap::new();
    let mut open = vec![from];
    while let Some(at) = open.pop() {
        for next in arrows.get(at).into_iter().flatten() {
            if next == from {
                let back = std::iter::successors(Some(at), |at| came.get(at).copied());
                let way = back.map(str::to_owned).collect::<Vec<_>>();
                return Some(way.into_iter().rev().chain([from.to_owned()]).collect());
            }
            if !came.contains_key(next.as_str()) {
                came.insert(next, at);
                open.push(next);
            }
        }
    }
    None
}

#[test]
fn modules_have_no_dependency_cycles() {
    let arrows = dependencies(crate_sources());
    assert!(arrows.values().map(BTreeSet::len).sum::<usize>() > 500, "too few dependencies found");
    let cycles: BTreeSet<_> = arrows.keys().filter_map(|module| find_cycle(module, &arrows)).collect();
    assert!(cycles.is_empty(), "{cycles:#?}");
}

#[test]
fn the_test_detects_cycles() {
    let cycle = |texts: &[(&str, &str)]| {
        let file = |(module, text): &(&str, &str)| SourceFile {
            module: (*module).to_owned(),
            path: (*module).into(),
            text: (*text).to_owned(),
        };
        let arrows = dependencies(&texts.iter().map(file).collect::<Vec<_>>());
        arrows.keys().find_map(|module| find_cycle(module, &arrows))
    };
    let a = ("x::a", "use super::b::B;\npub use crate::y::C;");
    assert_eq!(cycle(&[a, ("x::b", "use std::fmt;"), ("y", "use self::d::D;"), ("y::d", "")]), None);
    assert!(cycle(&[a, ("x::b", "use crate::y::C;"), ("y", "pub(crate) use crate::x::a::A;")]).is_some());
    assert!(cycle(&[a, ("x::b", "fn f() { super::a::f() }")]).is_some());
    assert_eq!(cycle(&[a, ("x::b", "#[cfg(test)]\nmod tests {\nuse super::super::a::A;\n}")]), None);
    assert_eq!(cycle(&[("y", "mod d;\nuse self::d::D;"), ("y::d", "use super::Y;")]), None);
}
