//! Which paths outside its own crate a source file names.
//!
//! It reads syntax, not types: `use` trees, paths in code, and the tokens of macros. Names that a module imports are
//! followed, so `use std::net; net::TcpStream` counts twice. Code under `#[cfg(test)]` is passed over.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use proc_macro2::{Span, TokenStream, TokenTree};
use syn::UseTree;
use syn::visit::{Visit, visit_item_mod};

/// A source file: its crate and module (`screen::model`) and its text.
#[derive(Clone)]
pub(crate) struct SourceFile {
    pub(crate) module: String,
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

/// Something that a file names.
#[derive(Debug, PartialEq, Eq, Clone)]
pub(crate) enum Named {
    /// A path that starts with the name of another crate.
    External(Vec<String>),
    /// A method that is called, by its name.
    Method(String),
    /// `.await`.
    Await,
    /// A construct that hides what it names: `#[path]`, `include!`, `extern crate`.
    Hidden(&'static str),
}

/// What is named, and the line, counted from 1.
pub(crate) type Mention = (Named, usize);

/// Every `.rs` file below a folder.
pub(crate) fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    let rust = files.into_iter().filter(|path| path.extension().is_some_and(|ext| ext == "rs"));
    rust.chain(folders.iter().flat_map(|folder| rust_files(folder))).collect()
}

/// The files of the program, its tests left out.
pub(crate) fn crate_sources() -> &'static [SourceFile] {
    static SOURCES: LazyLock<Vec<SourceFile>> = LazyLock::new(read_sources);
    &SOURCES
}

fn read_sources() -> Vec<SourceFile> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("src");
    let read = |path: PathBuf| {
        let module = module_path(path.strip_prefix(&src).unwrap());
        SourceFile { module, text: fs::read_to_string(&path).unwrap(), path }
    };
    let mut files: Vec<_> = rust_files(&src).into_iter().map(read).collect();
    files.retain(|file| !is_test(&file.module));
    files.sort_by(|a, b| a.module.cmp(&b.module));
    files
}

fn module_path(file: &Path) -> String {
    let path = file.with_extension("");
    let mut parts: Vec<_> = path.iter().map(|part| part.to_str().unwrap()).collect();
    if parts.len() > 1 {
        parts.pop_if(|last| matches!(*last, "mod" | "lib"));
    }
    parts.join("::")
}

fn is_test(module: &str) -> bool {
    module.split("::").any(|part| matches!(part, "tests" | "testing" | "golden"))
}

/// Everything that a file names, in the order of its text.
pub(crate) fn mentions(file: &SourceFile) -> Vec<Mention> {
    let parsed =
        syn::parse_file(&file.text).unwrap_or_else(|error| panic!("{}: {error}", file.path.display()));
    let mut walk = Walk { imports: vec![imports(&parsed.items)], found: Vec::new() };
    walk.visit_file(&parsed);
    walk.found
}

/// The names that one module imports or declares as modules, each with its written path.
fn imports(items: &[syn::Item]) -> BTreeMap<String, Vec<String>> {
    let mut names = BTreeMap::new();
    for item in items {
        match item {
            syn::Item::Use(item) => {
                names.extend(leaves(&item.tree).into_iter().map(|(path, name)| (name, path)));
            }
            syn::Item::Mod(item) => {
                let name = item.ident.to_string();
                names.insert(name.clone(), vec!["self".to_owned(), name]);
            }
            _ => {}
        }
    }
    names
}

/// The paths of a `use` tree with the names they import; a glob imports `*`.
fn leaves(tree: &UseTree) -> Vec<(Vec<String>, String)> {
    let under = |first: String, rest: Vec<(Vec<String>, String)>| {
        rest.into_iter().map(|(path, name)| ([vec![first.clone()], path].concat(), name)).collect()
    };
    match tree {
        UseTree::Path(path) => under(path.ident.to_string(), leaves(&path.tree)),
        UseTree::Name(name) => vec![(vec![name.ident.to_string()], name.ident.to_string())],
        UseTree::Rename(name) => vec![(vec![name.ident.to_string()], name.rename.to_string())],
        UseTree::Glob(_) => vec![(vec!["*".to_owned()], "*".to_owned())],
        UseTree::Group(group) => group.items.iter().flat_map(leaves).collect(),
    }
}

struct Walk {
    /// The imports of the modules that enclose the present place, outermost first.
    imports: Vec<BTreeMap<String, Vec<String>>>,
    found: Vec<Mention>,
}

impl Walk {
    fn add(&mut self, named: Named, span: Span) {
        self.found.push((named, span.start().line));
    }

    /// A path in another crate. A single name is local and names nothing.
    fn resolve(&self, path: &[String], is_use: bool) -> Option<Named> {
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" | "self" | "super" => None,
            _ if rest.is_empty() && !is_use => None,
            _ => self.imported(path),
        }
    }

    /// A path whose first name may be imported into this module or declared in it.
    fn imported(&self, path: &[String]) -> Option<Named> {
        match self.imports.last()?.get(&path[0]) {
            None => Some(external(path)),
            Some(written) if written[0] == path[0] => Some(external(&[written, &path[1..]].concat())),
            Some(written) => self.resolve(&[written, &path[1..]].concat(), true),
        }
    }

    fn path(&mut self, path: &[String], span: Span) {
        if let Some(named) = self.resolve(path, false) {
            self.add(named, span);
        }
    }

    /// The paths among the tokens of a macro: names with `::` between them.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<(String, Span)> = Vec::new();
        let mut joined = false;
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(name) => {
                    if !joined {
                        self.end_path(&mut path);
                    }
                    path.push((name.to_string(), name.span()));
                    (joined, colons) = (false, 0);
                }
                TokenTree::Punct(mark) if mark.as_char() == ':' => {
                    colons += 1;
                    joined = colons == 2;
                }
                TokenTree::Group(group) => {
                    let prefix: Vec<_> = if joined { std::mem::take(&mut path) } else { Vec::new() };
                    self.end_path(&mut path);
                    self.group(&prefix, group.stream());
                    (joined, colons) = (false, 0);
                }
                _ => {
                    self.end_path(&mut path);
                    (joined, colons) = (false, 0);
                }
            }
        }
        self.end_path(&mut path);
    }

    /// The tokens of a group; `std::{fs::File}` continues the path before it.
    fn group(&mut self, prefix: &[(String, Span)], tokens: TokenStream) {
        if let Some((_, span)) = prefix.first() {
            let names: Vec<_> = prefix.iter().map(|(name, _)| name.clone()).collect();
            for token in tokens.clone() {
                if let TokenTree::Ident(name) = token {
                    self.path(&[names.as_slice(), &[name.to_string()]].concat(), *span);
                }
            }
        }
        self.tokens(tokens);
    }

    fn end_path(&mut self, path: &mut Vec<(String, Span)>) {
        let path = std::mem::take(path);
        let names: Vec<_> = path.iter().map(|(name, _)| name.clone()).collect();
        if let [(first, span), ..] = path.as_slice() {
            if path.len() > 1 {
                self.path(&names, *span);
            }
            if first == "include" {
                self.add(Named::Hidden("include!"), *span);
            }
        }
    }

    fn attributes(&mut self, attributes: &[syn::Attribute]) {
        for attribute in attributes {
            if attribute.path().is_ident("path") {
                self.add(Named::Hidden("path"), attribute.pound_token.spans[0]);
            }
        }
    }
}

/// A path outside the crate.
fn external(path: &[String]) -> Named {
    Named::External(path.iter().filter(|part| !matches!(part.as_str(), "self" | "*")).cloned().collect())
}

fn is_cfg_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        syn::Meta::List(list) => attribute.path().is_ident("cfg") && list.tokens.to_string() == "test",
        _ => false,
    })
}

impl<'ast> Visit<'ast> for Walk {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        let attributes: &[syn::Attribute] = match item {
            syn::Item::Mod(item) => &item.attrs,
            syn::Item::Fn(item) => &item.attrs,
            syn::Item::Use(item) => &item.attrs,
            syn::Item::Impl(item) => &item.attrs,
            syn::Item::Macro(item) => &item.attrs,
            _ => &[],
        };
        if !is_cfg_test(attributes) {
            self.attributes(attributes);
            syn::visit::visit_item(self, item);
        }
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        let inside = item.content.as_ref().map(|(_, items)| imports(items)).unwrap_or_default();
        self.imports.push(inside);
        visit_item_mod(self, item);
        self.imports.pop();
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        for (path, _) in leaves(&item.tree) {
            // A name of this module that is imported again leads where its own import leads.
            if let Some(named) = self.resolve(&path, true) {
                self.add(named, item.use_token.span);
            }
        }
    }

    /// `pub(crate)` says who may name an item; it names nothing.
    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {}

    fn visit_item_extern_crate(&mut self, item: &'ast syn::ItemExternCrate) {
        self.add(Named::Hidden("extern crate"), item.extern_token.span);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<_> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if let Some(first) = path.segments.first() {
            self.path(&names, first.ident.span());
        }
        syn::visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, item: &'ast syn::Macro) {
        if item.path.is_ident("include") {
            self.add(Named::Hidden("include!"), item.path.segments[0].ident.span());
        }
        self.tokens(item.tokens.clone());
        syn::visit::visit_macro(self, item);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        self.add(Named::Method(call.method.to_string()), call.method.span());
        syn::visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_await(&mut self, item: &'ast syn::ExprAwait) {
        self.add(Named::Await, item.await_token.span);
        syn::visit::visit_expr_await(self, item);
    }
}
