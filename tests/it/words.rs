//! Words that must not come back in text for users: string literals of the program, help texts, documents, and files that
//! people read or edit. Each has a plain replacement.

mod literals;
mod refused;

use std::path::{Path, PathBuf};
use std::{fmt, fs};

use crate::sandbox::Sandbox;
use crate::source_paths::crate_sources;

use self::literals::literals;
use self::refused::{NAMES, REFUSED, Refused};

/// Documents and folders of files for users, relative to the project.
const FILES: [&str; 17] = [
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "config.toml",
    "prices.toml",
    "docs",
    "fuzz/README.md",
    "levels",
    "readers",
    "suites",
    "sweeps",
    "themes",
    "src/envs/football/prompts",
    "src/envs/hanoi/prompts",
    "src/envs/looks/prompts",
    "src/envs/web/prompts",
    "src/envs/sokoban/prompts",
];
/// What has text in these folders.
const EXTENSIONS: [&str; 5] = ["md", "toml", "xsb", "hanoi", "football"];

/// Text for users: a file or a command, the number of its first line, and the text.
struct UserText {
    place: String,
    line: usize,
    text: String,
}

/// A refused phrase in a text.
struct Hit {
    place: String,
    line: usize,
    phrase: &'static str,
    instead: &'static str,
    context: String,
}

impl fmt::Display for Hit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, line, phrase, instead, context } = self;
        write!(f, "{place}:{line}: {phrase:?} (write: {instead}) in: {context}")
    }
}

#[test]
fn the_program_has_no_refused_words() {
    let texts = crate_sources().iter().flat_map(|file| {
        let place = relative(&file.path);
        let shown =
            literals(&file.text).into_iter().filter(|literal| !NAMES.contains(&literal.text.as_str()));
        shown.map(move |literal| UserText { place: place.clone(), line: literal.line, text: literal.text })
    });
    assert_plain(texts);
}

#[test]
fn documents_and_edited_files_have_no_refused_words() {
    let files = FILES.iter().flat_map(|path| files(&project().join(path)));
    assert_plain(files.map(|path| {
        let text = fs::read_to_string(&path).unwrap();
        UserText { place: relative(&path), line: 1, text }
    }));
}

#[test]
fn help_has_no_refused_words() {
    let sandbox = Sandbox::new();
    let verbs = verbs(&sandbox.run(&["man"]).success());
    assert!(verbs.len() > 30 && verbs.contains(&vec!["levels".to_owned(), "solve".to_owned()]), "{verbs:?}");
    let help = |verb: &Vec<String>, flag: &'static str| {
        let args: Vec<&str> = verb.iter().map(String::as_str).chain([flag]).collect();
        UserText {
            place: format!("mageyard {}", args.join(" ")),
            line: 1,
            text: sandbox.run(&args).success(),
        }
    };
    assert_plain(verbs.iter().flat_map(|verb| ["-h", "--help"].map(|flag| help(verb, flag))));
}

/// The verbs of the manual: `mageyard-levels-solve` is `levels solve`; the program itself is empty.
fn verbs(manual: &str) -> Vec<Vec<String>> {
    let titles = manual.lines().filter_map(|line| line.strip_prefix(".TH "));
    let names = titles.filter_map(|title| title.split_whitespace().next());
    names.map(|name| name.replace('\\', "").split('-').skip(1).map(str::to_owned).collect()).collect()
}

/// Fails with every refused phrase, its place and what to write instead.
fn assert_plain(texts: impl Iterator<Item = UserText>) {
    let mut hits: Vec<Hit> = texts.flat_map(|text| hits(&text)).collect();
    // Many help texts have the same options.
    hits.sort_by(|one, other| (&one.context, &one.place).cmp(&(&other.context, &other.place)));
    hits.dedup_by(|one, other| one.context == other.context);
    let hits: Vec<String> = hits.iter().map(Hit::to_string).collect();
    assert!(hits.is_empty(), "{} refused words:\n{}", hits.len(), hits.join("\n"));
}

/// Every refused phrase in a text, in any case and across line breaks.
fn hits(text: &UserText) -> Vec<Hit> {
    let (plain, lines) = normalized(text);
    let mut hits = Vec::new();
    for refused in REFUSED {
        for (at, _) in plain.match_indices(refused.0).filter(|(at, _)| is_hit(&plain, *at, refused)) {
            let before: Vec<char> = plain[..at].chars().rev().take(30).collect();
            let context = before.into_iter().rev().chain(plain[at..].chars().take(60)).collect();
            let (phrase, instead, _) = *refused;
            hits.push(Hit { place: text.place.clone(), line: lines[at], phrase, instead, context });
        }
    }
    hits
}

/// The text in lower case with one blank for each run of white space, and the line of each byte.
fn normalized(text: &UserText) -> (String, Vec<usize>) {
    let mut plain = String::new();
    let mut lines = Vec::new();
    let mut line = text.line;
    for c in text.text.chars() {
        if !c.is_whitespace() {
            plain.extend(c.to_lowercase());
        } else if !plain.ends_with(' ') {
            plain.push(' ');
        }
        lines.resize(plain.len(), line);
        line += usize::from(c == '\n');
    }
    (plain, lines)
}

/// Whether the phrase at this byte consists of complete words and is not part of an allowed phrase.
fn is_hit(plain: &str, at: usize, (phrase, _, allowed): &Refused) -> bool {
    let letter = |c: char| c.is_alphanumeric() || c == '_';
    let end = at + phrase.len();
    let inside_word = plain[..at].ends_with(letter) && phrase.starts_with(letter)
        || plain[end..].starts_with(letter) && phrase.ends_with(letter);
    let covers = |allowed: &str| {
        let mut offsets = allowed.match_indices(phrase).filter_map(|(offset, _)| at.checked_sub(offset));
        offsets.any(|from| plain.get(from..).is_some_and(|rest| rest.starts_with(allowed)))
    };
    !inside_word && !allowed.iter().any(|allowed| covers(allowed))
}

fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

fn relative(path: &Path) -> String {
    path.strip_prefix(project()).unwrap().display().to_string()
}

/// The file itself, or the files with text below a folder.
fn files(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_owned()];
    }
    let mut paths: Vec<PathBuf> = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let has_text =
        |path: &Path| path.extension().is_some_and(|found| EXTENSIONS.iter().any(|ext| found == *ext));
    paths.iter().flat_map(|path| files(path)).filter(|path| has_text(path)).collect()
}

#[test]
fn a_refused_phrase_is_found_in_any_case_across_lines_and_only_as_complete_words() {
    let found = |text: &str| {
        let text = UserText { place: "x".to_owned(), line: 5, text: text.to_owned() };
        hits(&text).iter().map(|hit| (hit.line, hit.phrase)).collect::<Vec<_>>()
    };
    assert_eq!(found("\nIt Stands\n  still here."), [(6, "stands still")]);
    assert_eq!(found("Everybody, retold, sittings"), []);
    assert_eq!(found("Nobody: sitting"), [(5, "sitting"), (5, "nobody")]);
    assert_eq!(found("There is no terminal; press n to go to the next"), []);
    assert_eq!(found("it is no terminal, 3 to go"), [(5, "to go"), (5, "is no")]);
}

#[test]
fn every_refused_phrase_is_found_and_none_is_in_its_own_replacement() {
    for refused in REFUSED {
        assert!(is_hit(refused.0, 0, refused), "{:?} is not found", refused.0);
        let text = UserText { place: String::new(), line: 1, text: refused.1.to_owned() };
        assert!(hits(&text).is_empty(), "{:?} has a refused replacement: {:?}", refused.0, refused.1);
    }
}
