//! Maps of scores by AM and OM.

use std::collections::{BTreeMap, BTreeSet};

use super::Groups;
use super::condition::{AM, Condition, OM};
use mageyard_domain::{Window, WindowError};

/// The groups that differ only in their memory window, by AM and OM.
#[derive(Debug)]
pub struct WindowMap<'a> {
    /// Any of them, for the properties that they share.
    pub sample: &'a Condition,
    /// The values of AM, ascending.
    pub am: Vec<u16>,
    /// The values of OM, ascending.
    pub om: Vec<u16>,
    groups: BTreeMap<(u16, u16), &'a Condition>,
}

/// A place of a map.
#[derive(Debug)]
pub enum MapPlace<'a> {
    /// This group.
    Group(&'a Condition),
    /// No episode has this window.
    NotRun,
    /// No episode can have this window.
    Illegal(WindowError),
}

impl<'a> WindowMap<'a> {
    /// The maps of these groups, for every set of at least two windows.
    pub fn all(groups: &'a Groups) -> Vec<Self> {
        let mut sets: Vec<Vec<&Condition>> = Vec::new();
        for condition in groups.keys().filter(|condition| condition.window().is_some()) {
            let alike = |set: &&mut Vec<&Condition>| {
                set.iter()
                    .take(1)
                    .all(|first| first.differences(condition).all(|name| name == AM || name == OM))
            };
            match sets.iter_mut().find(alike) {
                Some(set) => set.push(condition),
                None => sets.push(vec![condition]),
            }
        }
        sets.into_iter().filter(|set| set.len() > 1).filter_map(|set| Self::of(&set)).collect()
    }

    fn of(set: &[&'a Condition]) -> Option<Self> {
        let groups: BTreeMap<(u16, u16), &Condition> =
            set.iter().filter_map(|condition| Some((condition.window()?, *condition))).collect();
        let values = |of: fn(&(u16, u16)) -> u16| {
            groups.keys().map(of).collect::<BTreeSet<u16>>().into_iter().collect::<Vec<_>>()
        };
        let am = values(|window| window.0);
        let om = values(|window| window.1);
        Some(Self { sample: set.first()?, am, om, groups })
    }

    /// Its groups.
    pub fn groups(&self) -> impl Iterator<Item = &'a Condition> {
        self.groups.values().copied()
    }

    /// What is at this place.
    pub fn at(&self, am: u16, om: u16) -> MapPlace<'a> {
        match (self.groups.get(&(am, om)), Window::new(am, om)) {
            (Some(condition), _) => MapPlace::Group(condition),
            (None, Err(error)) => MapPlace::Illegal(error),
            (None, Ok(_)) => MapPlace::NotRun,
        }
    }
}
