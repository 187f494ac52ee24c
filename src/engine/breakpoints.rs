//! Breakpoints on meaning: what of a step makes a run stand.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::fmt;
use std::str::FromStr;

use super::error_analysis::ErrorAnalysis;
use super::error_analysis::Mark;
use crate::domain::nearest_names;

/// One condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breakpoint {
    /// The step left the best path: the goal is not one action nearer after it.
    OffPath,
    /// The step has this mark. Of what lasts (`dead`, `ra`), only the step with which it begins.
    On(Mark),
}

impl Breakpoint {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Self; 6] = [
        Self::OffPath,
        Self::On(Mark::Dead),
        Self::On(Mark::InvalidAction),
        Self::On(Mark::RepeatedAction),
        Self::On(Mark::ParseError),
        Self::On(Mark::Unchanged),
    ];

    /// The name by which it is asked for.
    pub fn name(self) -> &'static str {
        match self {
            Self::OffPath => "off_path",
            Self::On(mark) => mark.name(),
        }
    }

    /// What it is called in full.
    pub fn title(self) -> &'static str {
        match self {
            Self::OffPath => "off the best path (searched for)",
            Self::On(mark) => mark.title(),
        }
    }
}

/// What stands for no condition at all.
const NONE: &str = "none";

/// The conditions that are set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Breakpoints([bool; Breakpoint::ALL.len()]);

impl Breakpoints {
    /// Whether none is set.
    pub fn is_empty(self) -> bool {
        self == Self::default()
    }

    /// Whether this one is set.
    pub fn has(self, one: Breakpoint) -> bool {
        self.iter().any(|set| set == one)
    }

    /// The conditions that are set, in their order.
    pub fn iter(self) -> impl Iterator<Item = Breakpoint> {
        Breakpoint::ALL.into_iter().zip(self.0).filter(|(_, set)| *set).map(|(one, _)| one)
    }

    /// The same with the condition of this index in [`Breakpoint::ALL`] switched over, if there is one.
    #[must_use]
    pub fn toggled(mut self, index: usize) -> Self {
        self.0.get_mut(index).into_iter().for_each(|set| *set = !*set);
        self
    }

    /// Why the step at this index makes a run stand by its marks, in a sentence. `before` is the verdict on the
    /// episode before that step.
    pub fn stop_reason(self, before: &ErrorAnalysis, after: &ErrorAnalysis, index: usize) -> Option<String> {
        let begun = |mark| index.checked_sub(1).is_some_and(|last| before.at(last).has(mark));
        let mark = self.iter().find_map(|one| match one {
            Breakpoint::On(mark @ (Mark::Dead | Mark::RepeatedAction)) if begun(mark) => None,
            Breakpoint::On(mark) => after.at(index).has(mark).then_some(mark),
            Breakpoint::OffPath => None,
        })?;
        Some(format!("step {}: {}", index + 1, mark.title()))
    }
}

impl FromStr for Breakpoints {
    type Err = String;

    /// Names with commas or blanks between them, or `none`.
    fn from_str(names: &str) -> Result<Self, String> {
        let names: Vec<&str> = names.split([',', ' ']).filter(|name| !name.is_empty()).collect();
        let mut breaks = Self::default();
        if names == [NONE] {
            return Ok(breaks);
        }
        for name in &names {
            let index =
                Breakpoint::ALL.iter().position(|one| one.name() == *name).ok_or_else(|| unknown(name))?;
            breaks.0[index] = true;
        }
        if names.is_empty() { Err(unknown("")) } else { Ok(breaks) }
    }
}

fn unknown(name: &str) -> String {
    let names = Breakpoint::ALL.map(Breakpoint::name);
    let near = nearest_names(name, names.iter().copied());
    let near = near.first().map_or(String::new(), |near| format!("; did you mean {near}?"));
    format!("there is no breakpoint {name:?}{near} (they are {}, or {NONE})", names.join(", "))
}

impl fmt::Display for Breakpoints {
    /// As it is read.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.iter().map(Breakpoint::name).collect();
        f.pad(&if names.is_empty() { NONE.to_owned() } else { names.join(",") })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::MarkSet;

    #[test]
    fn names_are_read_with_commas_or_blanks_and_told_again() {
        let read = |names: &str| names.parse::<Breakpoints>().map(|breaks| breaks.to_string());
        assert_eq!(read("dead off_path").as_deref(), Ok("off_path,dead"));
        assert_eq!(read("ia, ra,parse,same").as_deref(), Ok("ia,ra,parse,same"));
        assert_eq!(read("none").as_deref(), Ok("none"));
        assert!(read("off-path").unwrap_err().contains("did you mean off_path?"));
        assert!(read("").is_err() && read("none,ia").is_err());
        assert!(Breakpoints::default().toggled(1).has(Breakpoint::On(Mark::Dead)));
        assert!(
            Breakpoints::default().toggled(1).toggled(1).is_empty()
                && Breakpoints::default().toggled(9).is_empty()
        );
    }

    #[test]
    fn what_lasts_is_met_where_it_begins() {
        let faults = |marks: &[&[Mark]]| ErrorAnalysis {
            marks: marks.iter().map(|marks| marks.iter().copied().collect::<MarkSet>()).collect(),
            ..ErrorAnalysis::default()
        };
        let all: Breakpoints = "dead,same".parse().unwrap();
        let (none, one) = (faults(&[&[]]), faults(&[&[], &[Mark::Dead]]));
        assert_eq!(all.stop_reason(&none, &one, 1).as_deref(), Some("step 2: dead state"));
        let two = faults(&[&[], &[Mark::Dead], &[Mark::Dead]]);
        assert_eq!(all.stop_reason(&one, &two, 2), None);
        let same = faults(&[&[], &[Mark::Dead], &[Mark::Dead, Mark::Unchanged]]);
        assert_eq!(all.stop_reason(&one, &same, 2).as_deref(), Some("step 3: ineffective action"));
        assert_eq!(Breakpoints::default().stop_reason(&one, &same, 2), None);
    }
}
