//! The rows of the tree.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::episode_state::{EpisodeState, session_states};
use crate::requests::{HomeContents, HomeItem, HomeSection, SessionBatch, SessionSummary};
use crate::tutor::Lesson;
use mageyard_engine::TextFilter;
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
    /// How its episodes ended, or that they have not.
    pub(super) states: Vec<EpisodeState>,
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

/// What is listed, and the rows that are shown of it. They are made when one of the two changes, not when they are drawn.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    /// What is listed; `None` while it is read.
    contents: Option<HomeContents>,
    /// The items whose children are shown.
    open: BTreeSet<HomeItem>,
    filter: String,
    /// The recordings, each with the text that words are looked for in.
    recordings: Vec<(Row, String)>,
    rows: Vec<Row>,
    /// How often the rows were made.
    #[cfg(test)]
    pub(super) made: usize,
}

impl Default for Tree {
    fn default() -> Self {
        let sections = [HomeSection::Continue, HomeSection::Play, HomeSection::Recordings];
        Self {
            contents: None,
            open: sections.map(HomeItem::Section).into(),
            filter: String::new(),
            recordings: Vec::new(),
            rows: Vec::new(),
            #[cfg(test)]
            made: 0,
        }
    }
}

impl Tree {
    pub(super) fn contents(&self) -> Option<&HomeContents> {
        self.contents.as_ref()
    }

    pub(super) fn filter(&self) -> &str {
        &self.filter
    }

    pub(super) fn rows(&self) -> &[Row] {
        &self.rows
    }

    pub(super) fn list(&mut self, contents: HomeContents) {
        self.contents = Some(contents);
        self.make_recordings();
    }

    /// Changes what is listed of sessions that were read, or deleted.
    pub(super) fn apply(&mut self, batch: &SessionBatch) {
        let Some(contents) = &mut self.contents else { return };
        batch.apply(&mut contents.sessions);
        match &batch.unfinished {
            Some(unfinished) => contents.unfinished.clone_from(unfinished),
            None => contents.unfinished.retain(|name| !batch.gone.contains(name)),
        }
        self.make_recordings();
    }

    pub(super) fn set_open(&mut self, item: &HomeItem, is_open: bool) {
        if is_open {
            self.open.insert(item.clone());
        } else {
            self.open.remove(item);
        }
        self.make_rows();
    }

    pub(super) fn set_filter(&mut self, filter: String) {
        if self.filter != filter {
            self.filter = filter;
            self.make_rows();
        }
    }

    fn make_recordings(&mut self) {
        let sessions = self.contents.iter().flat_map(|contents| &contents.sessions);
        let section = section_name(HomeSection::Recordings);
        let unfinished = self.contents.iter().flat_map(|contents| &contents.unfinished);
        let unfinished: HashSet<&str> = unfinished.map(String::as_str).collect();
        let recording = |session: &SessionSummary| {
            let row = session_row(session, unfinished.contains(session.name.as_str()));
            let states = row.states.iter().map(|state| state.word()).collect::<Vec<_>>().join(" ");
            let text = format!("{section} {} {states} {}", row.name, row.note).to_lowercase();
            (row, text)
        };
        self.recordings = sessions.map(recording).collect();
        self.make_rows();
    }

    fn make_rows(&mut self) {
        #[cfg(test)]
        {
            self.made += 1;
        }
        let Some(contents) = &self.contents else { return self.rows.clear() };
        let filter = TextFilter::read(&self.filter, &FIELDS);
        let making = Making { contents, open: &self.open, recordings: &self.recordings };
        self.rows = if filter.is_empty() { making.all() } else { making.filtered(&filter) };
    }
}

/// Makes rows.
struct Making<'a> {
    contents: &'a HomeContents,
    open: &'a BTreeSet<HomeItem>,
    recordings: &'a [(Row, String)],
}

impl Making<'_> {
    /// The rows below open items.
    fn all(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        for section in SECTIONS {
            let item = HomeItem::Section(section);
            let is_open = self.open.contains(&item);
            let at = rows.len();
            let count = if section == HomeSection::Recordings {
                let below = self.recordings.iter().filter(|_| is_open);
                rows.extend(below.map(|(row, _)| Row { depth: 1, ..row.clone() }));
                self.recordings.len()
            } else {
                let children = children(self.contents, section);
                let count = children.len();
                if is_open {
                    self.add(children, 1, &mut rows);
                }
                count
            };
            let note = if count == 0 { "–".to_owned() } else { count.to_string() };
            let name = section_name(section).to_owned();
            rows.insert(at, Row { is_open: Some(is_open), ..leaf(item, name, note) });
        }
        rows
    }

    fn add(&self, children: Vec<Row>, depth: u16, rows: &mut Vec<Row>) {
        for row in children {
            let is_open = row.is_open.map(|_| self.open.contains(&row.item));
            let item = row.item.clone();
            rows.push(Row { depth, is_open, ..row });
            if is_open == Some(true) {
                self.add(below(self.contents, &item), depth + 1, rows);
            }
        }
    }

    /// All rows that have each word of a filter. If it compares texts, these are recordings.
    fn filtered(&self, filter: &TextFilter) -> Vec<Row> {
        let has_words = |text: &str| filter.words.iter().all(|word| text.contains(word));
        let mut rows = Vec::new();
        for section in SECTIONS {
            if section == HomeSection::Recordings {
                let sessions = self.recordings.iter().zip(&self.contents.sessions);
                let found =
                    sessions.filter(|((_, text), session)| has_words(text) && compares(filter, session));
                rows.extend(found.map(|((row, _), _)| row.clone()));
                continue;
            }
            let all = children(self.contents, section).into_iter().flat_map(|row| leaves(self.contents, row));
            rows.extend(all.filter(|row| {
                let text = format!("{} {} {}", section_name(section), row.name, row.note).to_lowercase();
                has_words(&text) && (!filter.compares() || self.is_unfinished_of(row, filter))
            }));
        }
        rows
    }

    /// Whether a row is an unfinished session that the comparisons hold for.
    fn is_unfinished_of(&self, row: &Row, filter: &TextFilter) -> bool {
        let HomeItem::Unfinished(name) = &row.item else { return false };
        let mut sessions = self.contents.sessions.iter();
        sessions.any(|session| session.name == *name && compares(filter, session))
    }
}

/// The texts of recordings that a filter can compare, named as in conditions.
pub(super) const FIELDS: [&str; 6] = ["environment", "level", "agent", "model", "prompt", "ending"];

fn compares(filter: &TextFilter, session: &SessionSummary) -> bool {
    let fields = &session.fields;
    filter.holds(|name| {
        let texts = match name {
            "environment" => &fields.environments,
            "level" => &fields.levels,
            "agent" => &fields.agents,
            "model" => &fields.models,
            "prompt" => &fields.prompts,
            _ => &fields.endings,
        };
        texts.iter().map(String::as_str).collect()
    })
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

fn leaf(item: HomeItem, name: impl Into<String>, note: impl Into<String>) -> Row {
    Row { item, depth: 0, name: name.into(), states: Vec::new(), note: note.into(), is_open: None }
}

fn folder(item: HomeItem, name: &str, count: usize) -> Row {
    Row { is_open: Some(false), ..leaf(item, name, count.to_string()) }
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
        // The recordings are made once.
        HomeSection::Recordings => Vec::new(),
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

fn session_row(session: &SessionSummary, is_unfinished: bool) -> Row {
    let item = if session.is_sweep {
        HomeItem::Sweep(session.name.clone())
    } else {
        HomeItem::Session(session.name.clone())
    };
    if session.summary.is_empty() {
        return leaf(item, &session.name, "");
    }
    let episodes = count_of(session.episodes, "episode");
    if session.is_sweep {
        return leaf(item, &session.name, format!("{episodes} · {}", session.summary));
    }
    let states = session_states(session, is_unfinished);
    Row { states, ..leaf(item, session_title(session), format!("{episodes} · {}", session.name)) }
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
