//! Files know each other in one direction: what names another is not named by it again, on no way.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::layers::source_files;

/// Modules, each with those that its `use` lines name.
type Dependencies = BTreeMap<String, BTreeSet<String>>;

/// `tui::model::pane` for `src/tui/model/pane.rs`; a folder is called like its `mod.rs`.
fn module(file: &Path, src: &Path) -> String {
    let path = file.strip_prefix(src).unwrap().with_extension("");
    let parts: Vec<_> = path.iter().map(|part| part.to_str().unwrap()).collect();
    parts.join("::").trim_end_matches("::mod").to_owned()
}

fn is_test(module: &str) -> bool {
    module.split("::").any(|part| matches!(part, "tests" | "testing" | "golden"))
}

/// The paths of the `use` lines before a file's tests, from the root of the crate.
fn imports(module: &str, text: &str) -> Vec<String> {
    let code = text.split("mod tests {").next().unwrap_or_default();
    let lines = code.lines().filter_map(|line| line.split_once("use ")?.1.split([';', ' ', '{']).next());
    let own: Vec<&str> = module.split("::").collect();
    let whole = |path: &str| {
        let mut parts = path.split("::").filter(|part| !part.is_empty()).peekable();
        let mut start = own.as_slice();
        match *parts.peek()? {
            "crate" => start = &[],
            "self" => {}
            "super" => {
                while parts.next_if_eq(&"super").is_some() {
                    start = start.split_last()?.1;
                }
            }
            _ => return None,
        }
        let rest = parts.skip_while(|part| matches!(*part, "crate" | "self"));
        Some(start.iter().copied().chain(rest).collect::<Vec<_>>().join("::"))
    };
    lines.filter_map(whole).collect()
}

/// The module that a path leads into: the longest there is.
fn imported_module<'a>(path: &'a str, modules: &Dependencies) -> Option<&'a str> {
    let shorter = |path: &&'a str| path.rsplit_once("::").map(|(before, _)| before);
    std::iter::successors(Some(path), shorter).find(|path| modules.contains_key(*path))
}

/// A folder may name what lies in it: its `mod.rs` is the face of the files behind it.
fn dependencies(texts: &[(String, String)]) -> Dependencies {
    let bare: Dependencies = texts.iter().map(|(module, _)| (module.clone(), BTreeSet::new())).collect();
    let of = |(module, text): &(String, String)| {
        let inside = format!("{module}::");
        let named = imports(module, text);
        let named = named.iter().filter_map(|path| imported_module(path, &bare));
        let others = named.filter(|other| *other != module && !other.starts_with(&inside));
        (module.clone(), others.map(str::to_owned).collect())
    };
    texts.iter().map(of).collect()
}

/// A way along the arrows from one module back to itself.
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
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let texts =
        source_files(&src).into_iter().map(|file| (module(&file, &src), fs::read_to_string(file).unwrap()));
    let texts: Vec<_> = texts.filter(|(module, _)| !is_test(module)).collect();
    let arrows = dependencies(&texts);
    assert!(arrows.values().map(BTreeSet::len).sum::<usize>() > 500, "too few arrows are seen");
    let circles: BTreeSet<_> = arrows.keys().filter_map(|module| find_cycle(module, &arrows)).collect();
    assert!(circles.is_empty(), "{circles:#?}");
}

#[test]
fn the_test_detects_cycles() {
    let house = |texts: &[(&str, &str)]| {
        let own: Vec<_> =
            texts.iter().map(|(module, text)| ((*module).to_owned(), (*text).to_owned())).collect();
        let arrows = dependencies(&own);
        arrows.keys().find_map(|module| find_cycle(module, &arrows))
    };
    let a = ("x::a", "use super::b::B;\npub use crate::y::C;");
    assert_eq!(house(&[a, ("x::b", "use std::fmt;"), ("y", "use self::d::D;"), ("y::d", "")]), None);
    assert!(house(&[a, ("x::b", "use crate::y::C;"), ("y", "pub(crate) use crate::x::a::A;")]).is_some());
    assert_eq!(house(&[a, ("x::b", "#[cfg(test)]\nmod tests {\nuse super::super::a::A;")]), None);
    assert_eq!(house(&[("y", "mod d;\nuse self::d::D;"), ("y::d", "use super::Y;")]), None);
}
