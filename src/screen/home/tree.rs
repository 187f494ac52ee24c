//! The rows of the tree.

use std::collections::{BTreeMap, BTreeSet};

use crate::requests::{HomeContents, HomeItem, HomeSection, SessionSummary};
use crate::tutor::Lesson;
use mageyard_terminal::count_of;

/// All sections, in their order.
pub(super) const SECTIONS: [HomeSection; 7] = [
    HomeSection::Continue,
    HomeSection::Play,
    HomeSection::Recordings,
    HomeSection::Suites,
    HomeSection::Prompts,
    HomeSection::Models,
    HomeSection::Learn,
];

/// A row of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) item: HomeItem,
    /// How many rows it is below.
    pub(super) depth: u16,
    pub(super) name: String,
    /// What is said beside its name.
    pub(super) note: String,
    /// Whether its children are shown; `None` if it has none.
    pub(super) is_open: Option<bool>,
}

pub(super) fn section_name(section: HomeSection) -> &'static str {
    match section {
        HomeSection::Continue => "Continue",
        HomeSection::Play => "Play",
        HomeSection::Recordings => "Recordings",
        HomeSection::Suites => "Suites",
        HomeSection::Prompts => "Prompts",
        HomeSection::Models => "Models",
        HomeSection::Learn => "Learn",
    }
}

/// What a section has before anything was added to it.
pub(super) fn when_empty(section: HomeSection) -> &'static str {
    match section {
        HomeSection::Continue => "no unfinished session: one that you leave with q is here",
        HomeSection::Play => "no levels are known",
        HomeSection::Recordings => "nothing is recorded yet: every episode that is played is here",
        HomeSection::Suites => "no suites: :suite add NAME keeps the shown step as a state of one",
        HomeSection::Prompts => "no prompt variants",
        HomeSection::Models => "no models",
        HomeSection::Learn => "no lessons",
    }
}

/// The rows that are shown: those below open items, or with a filter all that contain each of its words.
pub(super) fn rows(contents: &HomeContents, open: &BTreeSet<HomeItem>, filter: &str) -> Vec<Row> {
    let words: Vec<String> = filter.to_lowercase().split_whitespace().map(str::to_owned).collect();
    let mut rows = Vec::new();
    for section in SECTIONS {
        let children = children(contents, section);
        let item = HomeItem::Section(section);
        let is_open = open.contains(&item);
        let count = children.len();
        if words.is_empty() {
            let note = if count == 0 { "–".to_owned() } else { count.to_string() };
            let name = section_name(section).to_owned();
            rows.push(Row { item, depth: 0, name, note, is_open: Some(is_open) });
            if is_open {
                add(contents, children, 1, open, &mut rows);
            }
        } else {
            let all = children.into_iter().flat_map(|row| leaves(contents, row));
            rows.extend(all.filter(|row| has_words(row, section, &words)));
        }
    }
    rows
}

fn has_words(row: &Row, section: HomeSection, words: &[String]) -> bool {
    let text = format!("{} {} {}", section_name(section), row.name, row.note).to_lowercase();
    words.iter().all(|word| text.contains(word))
}

/// The rows below a row, as far down as there are; itself if it has none.
fn leaves(contents: &HomeContents, row: Row) -> Vec<Row> {
    if row.is_open.is_none() {
        return vec![Row { depth: 0, name: full_name(&row.item, &row.name), ..row }];
    }
    below(contents, &row.item).into_iter().flat_map(|row| leaves(contents, row)).collect()
}

fn full_name(item: &HomeItem, name: &str) -> String {
    match item {
        HomeItem::Level(reference) => reference.clone(),
        HomeItem::Prompt(environment, name) => format!("{environment} {name}"),
        _ => name.to_owned(),
    }
}

fn add(
    contents: &HomeContents,
    children: Vec<Row>,
    depth: u16,
    open: &BTreeSet<HomeItem>,
    rows: &mut Vec<Row>,
) {
    for row in children {
        let is_open = row.is_open.map(|_| open.contains(&row.item));
        let item = row.item.clone();
        rows.push(Row { depth, is_open, ..row });
        if is_open == Some(true) {
            add(contents, below(contents, &item), depth + 1, open, rows);
        }
    }
}

fn leaf(item: HomeItem, name: impl Into<String>, note: impl Into<String>) -> Row {
    Row { item, depth: 0, name: name.into(), note: note.into(), is_open: None }
}

fn folder(item: HomeItem, name: &str, count: usize) -> Row {
    Row { item, depth: 0, name: name.to_owned(), note: count.to_string(), is_open: Some(false) }
}

fn children(contents: &HomeContents, section: HomeSection) -> Vec<Row> {
    match section {
        HomeSection::Continue => {
            let summary = |name: &str| contents.sessions.iter().find(|session| session.name == name);
            let row = |name: &String| {
                let title = summary(name).map_or_else(|| name.clone(), session_title);
                leaf(HomeItem::Unfinished(name.clone()), title, name)
            };
            contents.unfinished.iter().map(row).collect()
        }
        HomeSection::Play => level_folders(contents, ""),
        HomeSection::Recordings => contents.sessions.iter().map(session_row).collect(),
        HomeSection::Suites => {
            let row = |suite: &crate::requests::SuiteEntry| {
                let note = suite.broken.clone().unwrap_or_else(|| suite.facts.join(" · "));
                leaf(HomeItem::Suite(suite.name.clone()), &suite.name, note)
            };
            contents.suites.iter().map(row).collect()
        }
        HomeSection::Prompts => {
            let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
            for (environment, _) in &contents.prompts {
                *counts.entry(environment).or_default() += 1;
            }
            let row = |(name, count): (&str, usize)| folder(HomeItem::Prompts(name.to_owned()), name, count);
            counts.into_iter().map(row).collect()
        }
        HomeSection::Models => {
            contents.models.iter().map(|name| leaf(HomeItem::Model(name.clone()), name, "")).collect()
        }
        HomeSection::Learn => {
            let lessons = Lesson::all().unwrap_or_default();
            lessons.iter().map(|lesson| leaf(HomeItem::Lesson(lesson.name()), lesson.title(), "")).collect()
        }
    }
}

fn session_row(session: &SessionSummary) -> Row {
    let item = if session.is_sweep {
        HomeItem::Sweep(session.name.clone())
    } else {
        HomeItem::Session(session.name.clone())
    };
    let episodes = count_of(session.episodes, "episode");
    if session.is_sweep {
        return leaf(item, &session.name, format!("{episodes} · {}", session.summary));
    }
    leaf(item, session_title(session), format!("{episodes} · {}", session.name))
}

/// The levels and the agent of a session, which tell more than its name.
fn session_title(session: &SessionSummary) -> String {
    let parts: Vec<&str> = session.summary.split(" · ").take(2).collect();
    if session.summary.is_empty() { session.name.clone() } else { parts.join(" · ") }
}

/// The rows below an item that can be opened.
fn below(contents: &HomeContents, item: &HomeItem) -> Vec<Row> {
    match item {
        HomeItem::Levels(prefix) => level_folders(contents, prefix),
        HomeItem::Prompts(environment) => {
            let own = contents.prompts.iter().filter(|(of, _)| of == environment);
            own.map(|(of, name)| leaf(HomeItem::Prompt(of.clone(), name.clone()), name, "")).collect()
        }
        HomeItem::Section(section) => children(contents, *section),
        HomeItem::Level(_)
        | HomeItem::Unfinished(_)
        | HomeItem::Session(_)
        | HomeItem::Sweep(_)
        | HomeItem::Suite(_)
        | HomeItem::Prompt(..)
        | HomeItem::Model(_)
        | HomeItem::Lesson(_) => Vec::new(),
    }
}

/// The next parts of the references that begin with this: folders with their counts, and levels.
fn level_folders(contents: &HomeContents, prefix: &str) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let mut counts: Vec<usize> = Vec::new();
    for reference in contents.levels.iter().filter(|reference| reference.starts_with(prefix)) {
        let rest = &reference[prefix.len()..];
        let Some((part, _)) = rest.split_once('/') else {
            rows.push(leaf(HomeItem::Level(reference.clone()), rest, ""));
            counts.push(0);
            continue;
        };
        let item = HomeItem::Levels(format!("{prefix}{part}/"));
        if rows.last().is_some_and(|last| last.item == item) {
            if let Some(count) = counts.last_mut() {
                *count += 1;
            }
        } else {
            rows.push(folder(item, part, 0));
            counts.push(1);
        }
    }
    for (row, count) in rows.iter_mut().zip(counts) {
        if row.is_open.is_some() {
            row.note = count.to_string();
        }
    }
    rows
}
