//! Which level set an episode belongs to, by what its levels contain. A name can stand for two contents (an edited file, two
//! files of one name), and two names for one (a relative and an absolute path): the first are kept apart, the second are
//! one set.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use mageyard_domain::Digest;
use mageyard_engine::Head;

/// The references of levels that are cells of their own in a sweep, by the folder of the cell.
pub type OwnReferences = BTreeMap<PathBuf, String>;

/// The number of digits of a digest that are shown.
const DIGITS: usize = 4;

/// What a level contains, as a digest: of its text, or of the names and digests of its files.
pub(super) fn level_digest(head: &Head) -> Digest {
    Digest::of(head.level.identity().as_bytes())
}

/// The level of an episode.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlayedLevel<'a> {
    pub(super) environment: &'a str,
    pub(super) reference: &'a str,
    pub(super) content: Digest,
}

impl<'a> PlayedLevel<'a> {
    pub(super) fn of(head: &'a Head) -> Self {
        Self { environment: &head.environment, reference: &head.reference, content: level_digest(head) }
    }
}

/// The level set of an episode, as its condition has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LevelSetName {
    /// What is compared: equal for equal sets.
    pub(super) key: String,
    pub(super) shown: String,
}

impl LevelSetName {
    /// A set that its name alone tells from others.
    pub(super) fn only(name: &str) -> Self {
        Self { key: name.to_owned(), shown: name.to_owned() }
    }
}

/// A level set of one session: what its levels contain, by what follows the name of the set.
#[derive(Clone, Debug, Default)]
struct Part {
    names: BTreeSet<String>,
    /// Whether its name is that of a reference that is a cell of its own.
    is_own: bool,
    /// Whether its name is a path.
    is_file: bool,
    levels: BTreeMap<String, Digest>,
}

/// Where a part comes from: the folder of the session, the environment, and the name of the set.
type Origin = (PathBuf, String, String);

/// The level sets of a report.
#[derive(Debug, Default)]
pub(super) struct LevelSets {
    parts: BTreeMap<Origin, Part>,
    /// The order in which the parts were found.
    order: Vec<Origin>,
    names: BTreeMap<Origin, LevelSetName>,
}

impl LevelSets {
    /// Adds the level of an episode in this session to the set with this name.
    pub(super) fn add(&mut self, session: &Path, level: &PlayedLevel<'_>, set: &str, own: Option<&String>) {
        let PlayedLevel { environment, reference, content } = *level;
        let origin = (session.to_owned(), environment.to_owned(), set.to_owned());
        let part = self.parts.entry(origin.clone()).or_insert_with(|| {
            self.order.push(origin);
            let is_file = reference.split('/').next() != Some(environment);
            let name = own.map_or(set, String::as_str).to_owned();
            Part { names: [name].into(), is_own: own.is_some(), is_file, levels: BTreeMap::new() }
        });
        let number = reference.rsplit(['/', '#']).next().unwrap_or_default();
        part.levels.insert(number.to_owned(), content);
    }

    /// Decides which parts are one set.
    pub(super) fn resolve(&mut self) {
        let mut sets: Vec<(String, Part, Vec<Origin>)> = Vec::new();
        for origin in &self.order {
            let Some(part) = self.parts.get(origin) else { continue };
            let joined =
                sets.iter_mut().find(|(environment, set, _)| *environment == origin.1 && set.takes(part));
            match joined {
                Some((_, set, members)) => {
                    set.join(part);
                    members.push(origin.clone());
                }
                None => sets.push((origin.1.clone(), part.clone(), vec![origin.clone()])),
            }
        }
        let sets = with_equal_contents_joined(sets);
        for (index, (environment, set, members)) in sets.iter().enumerate() {
            let shown = set.label();
            let is_shared = |(place, (kind, other, _)): (usize, &(String, Part, _))| {
                place != index && kind == environment && other.label() == shown
            };
            let key = if sets.iter().enumerate().any(is_shared) {
                format!("{shown} {}", set.digest())
            } else {
                shown.clone()
            };
            let name = LevelSetName { key, shown };
            self.names.extend(members.iter().map(|origin| (origin.clone(), name.clone())));
        }
    }

    /// The set of an episode that was added before [`LevelSets::resolve`].
    pub(super) fn name(&self, session: &Path, level: &PlayedLevel<'_>, set: &str) -> LevelSetName {
        let origin = (session.to_owned(), level.environment.to_owned(), set.to_owned());
        self.names.get(&origin).cloned().unwrap_or_else(|| LevelSetName::only(set))
    }
}

/// Joins sets with exactly the same levels, of which one at least is a file: a copy of a set, or of a file.
fn with_equal_contents_joined(sets: Vec<(String, Part, Vec<Origin>)>) -> Vec<(String, Part, Vec<Origin>)> {
    let mut joined: Vec<(String, Part, Vec<Origin>)> = Vec::new();
    for (environment, set, members) in sets {
        let is_same = |(kind, other, _): &&mut (String, Part, Vec<Origin>)| {
            let files = set.is_file || other.is_file;
            *kind == environment
                && files
                && !set.is_own
                && !other.is_own
                && set.contents() == other.contents()
        };
        match joined.iter_mut().find(is_same) {
            Some((_, other, all)) => {
                other.names.extend(set.names);
                other.is_file &= set.is_file;
                all.extend(members);
            }
            None => joined.push((environment, set, members)),
        }
    }
    joined
}

impl Part {
    fn contents(&self) -> BTreeSet<&Digest> {
        self.levels.values().collect()
    }

    /// Whether another part belongs to this set: no number stands for two contents, and the names are the same, or
    /// are paths of one file.
    fn takes(&self, other: &Self) -> bool {
        let conflicts = |(number, digest): (&String, &Digest)| {
            self.levels.get(number).is_some_and(|known| known != digest)
        };
        if self.is_own != other.is_own || other.levels.iter().any(conflicts) {
            return false;
        }
        let named = self.names.iter().any(|name| other.names.contains(name));
        let shares = || !self.contents().is_disjoint(&other.contents());
        let is_path_of = |one: &String, two: &String| {
            let (one, two) = (Path::new(one), Path::new(two));
            one.ends_with(two) || two.ends_with(one) || (one.file_name() == two.file_name() && shares())
        };
        let files = self.is_file && other.is_file && !self.is_own;
        named || files && self.names.iter().any(|one| other.names.iter().any(|two| is_path_of(one, two)))
    }

    fn join(&mut self, other: &Self) {
        self.names.extend(other.names.iter().cloned());
        self.levels.extend(other.levels.iter().map(|(number, digest)| (number.clone(), *digest)));
    }

    /// The shortest of its names; that of a set comes before that of a file.
    fn label(&self) -> String {
        let is_path = |name: &str| Path::new(name).extension().is_some();
        let shortest = self.names.iter().min_by_key(|name| (is_path(name), name.len(), name.as_str()));
        shortest.cloned().unwrap_or_default()
    }

    fn digest(&self) -> Digest {
        let lines: Vec<String> = self.contents().iter().map(ToString::to_string).collect();
        Digest::of(lines.join("\n").as_bytes())
    }
}

/// The names that the levels of a report have, by environment and content.
#[derive(Debug, Default)]
pub(super) struct LevelNames(BTreeMap<(String, Digest), NamedLevel>);

/// The names of a level, and the sets that it is in.
#[derive(Debug, Default)]
struct NamedLevel {
    names: BTreeSet<String>,
    sets: Vec<LevelSetName>,
}

impl LevelNames {
    /// Adds the level of an episode, which is in this set.
    pub(super) fn add(&mut self, head: &Head, set: &LevelSetName) {
        let level = self.0.entry((head.environment.clone(), level_digest(head))).or_default();
        if !level.names.contains(&head.reference) {
            level.names.insert(head.reference.clone());
        }
        if !level.sets.contains(set) {
            level.sets.push(set.clone());
        }
    }

    /// The sets of the report that have the level of this episode.
    pub(super) fn sets(&self, head: &Head) -> &[LevelSetName] {
        self.0.get(&(head.environment.clone(), level_digest(head))).map_or(&[], |level| &level.sets)
    }

    /// The name of the level with this digest in an environment: with a part of the digest if the name stands for several.
    pub(super) fn name(&self, digest: &str) -> String {
        let found = self.0.iter().find(|((_, known), _)| known.to_string() == digest);
        let name =
            found.and_then(|(_, level)| level.names.iter().min_by_key(|name| (name.len(), name.as_str())));
        let Some(name) = name else { return digest.to_owned() };
        match self.contents(name).len() {
            0 | 1 => name.clone(),
            _ => format!("{name}~{}", digest.get(..DIGITS).unwrap_or(digest)),
        }
    }

    fn contents(&self, name: &str) -> Vec<&Digest> {
        self.0.iter().filter(|(_, level)| level.names.contains(name)).map(|((_, digest), _)| digest).collect()
    }

    /// The names that stand for several contents, with how many.
    pub(super) fn ambiguous(&self) -> Vec<(String, usize)> {
        let mut counts: BTreeMap<(&String, &str), usize> = BTreeMap::new();
        for NamedLevel { names, sets } in self.0.values() {
            // Sets with other names are told apart by them.
            let shown: BTreeSet<&str> = sets.iter().map(|set| set.shown.as_str()).collect();
            for name in names {
                for shown in &shown {
                    *counts.entry((name, shown)).or_default() += 1;
                }
            }
        }
        let several = counts.into_iter().filter(|(_, count)| *count > 1);
        several.map(|((name, _), count)| (name.clone(), count)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level<'a>(reference: &'a str, text: &str) -> PlayedLevel<'a> {
        PlayedLevel { environment: "env", reference, content: Digest::of(text.as_bytes()) }
    }

    /// The keys of the sets of these sessions, each of one set with these levels.
    fn keys(sessions: &[&[(&str, &str)]]) -> Vec<LevelSetName> {
        let mut sets = LevelSets::default();
        let set = |reference: &str| reference.rsplit_once(['/', '#']).unwrap().0.to_owned();
        let folder = |index: usize| PathBuf::from(index.to_string());
        for (index, levels) in sessions.iter().enumerate() {
            for (reference, text) in *levels {
                sets.add(&folder(index), &level(reference, text), &set(reference), None);
            }
        }
        sets.resolve();
        let first = sessions.iter().enumerate().map(|(index, levels)| (index, levels[0]));
        first
            .map(|(index, (reference, text))| {
                sets.name(&folder(index), &level(reference, text), &set(reference))
            })
            .collect()
    }

    #[test]
    fn a_name_with_two_contents_is_two_sets() {
        let before: &[(&str, &str)] = &[("a.x#1", "A"), ("a.x#2", "B")];
        let part: &[(&str, &str)] = &[("a.x#2", "B")];
        let after: &[(&str, &str)] = &[("a.x#1", "A"), ("a.x#2", "C")];
        let found = keys(&[before, after, part]);
        assert!(found.iter().all(|set| set.shown == "a.x"), "{found:?}");
        assert_ne!(found[0].key, found[1].key);
        assert_eq!(found[0], found[2], "a session with a part of the levels is of the first set");
    }

    #[test]
    fn paths_of_one_file_and_copies_are_one_set() {
        let found = keys(&[&[("w/a.x#1", "A")], &[("/home/w/a.x#2", "B")], &[("/other/a.x#1", "Z")]]);
        assert_eq!((found[0].key.as_str(), found[1].key.as_str()), ("w/a.x", "w/a.x"));
        assert_eq!(found[2].key, "/other/a.x");
        let found = keys(&[&[("env/set/1", "A"), ("env/set/2", "B")], &[("b.x#1", "B"), ("b.x#2", "A")]]);
        assert_eq!((found[0].key.as_str(), found[1].key.as_str()), ("env/set", "env/set"));
        let found = keys(&[&[("env/one/1", "A")], &[("env/two/1", "A")]]);
        assert_ne!(found[0].key, found[1].key, "sets that ship are what they are called");
    }
}
