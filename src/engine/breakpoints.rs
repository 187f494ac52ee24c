//! Breakpoints: conditions on a step that pause a run.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::fmt;
use std::str::FromStr;

use super::error_analysis::FinishedStep;
use super::error_analysis::Mark;
use crate::domain::nearest_names;

/// One condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breakpoint {
    /// The step left the shortest path: the goal is not one move nearer after it. Needs a distance search.
    OffPath,
    /// The step has this mark. For marks that continue (`dead`, `ra`) only the first step counts.
    On(Mark),
}

impl Breakpoint {
    /// All conditions, in display order.
    pub const ALL: [Self; 6] = [
        Self::OffPath,
        Self::On(Mark::Dead),
        Self::On(Mark::InvalidAction),
        Self::On(Mark::RepeatedAction),
        Self::On(Mark::ParseError),
        Self::On(Mark::Unchanged),
    ];

    /// The name in commands and flags.
    pub fn name(self) -> &'static str {
        match self {
            Self::OffPath => "off_path",
            Self::On(mark) => mark.name(),
        }
    }

    /// The full title.
    pub fn title(self) -> &'static str {
        match self {
            Self::OffPath => "off the shortest path (needs a distance search)",
            Self::On(mark) => mark.title(),
        }
    }
}

/// The name of the empty set.
const NONE: &str = "none";

/// The set of active conditions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Breakpoints([bool; Breakpoint::ALL.len()]);

impl Breakpoints {
    /// Whether no condition is active.
    pub fn is_empty(self) -> bool {
        self == Self::default()
    }

    /// Whether this condition is active.
    pub fn has(self, one: Breakpoint) -> bool {
        self.iter().any(|set| set == one)
    }

    /// The active conditions, in display order.
    pub fn iter(self) -> impl Iterator<Item = Breakpoint> {
        Breakpoint::ALL.into_iter().zip(self.0).filter(|(_, set)| *set).map(|(one, _)| one)
    }

    /// The set with the condition at this index of [`Breakpoint::ALL`] toggled; unchanged if there is none.
    #[must_use]
    pub fn toggled(mut self, index: usize) -> Self {
        self.0.get_mut(index).into_iter().for_each(|set| *set = !*set);
        self
    }

    /// Why this step pauses a run because of its marks, as a sentence.
    pub fn stop_reason(self, step: FinishedStep) -> Option<String> {
        let mark = self.iter().find_map(|one| match one {
            Breakpoint::On(mark) if step.continued.has(mark) => None,
            Breakpoint::On(mark) => step.marks.has(mark).then_some(mark),
            Breakpoint::OffPath => None,
        })?;
        Some(format!("step {}: {}", step.index + 1, mark.title()))
    }
}

impl FromStr for Breakpoints {
    type Err = String;

    /// Names separated by commas or spaces, or `none`.
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
    format!("there is no breakpoint {name:?}{near} (the breakpoints are {}, or {NONE})", names.join(", "))
}

impl fmt::Display for Breakpoints {
    /// The form that [`FromStr`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.iter().map(Breakpoint::name).collect();
        f.pad(&if names.is_empty() { NONE.to_owned() } else { names.join(",") })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_parsed_with_commas_or_spaces_and_displayed() {
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
    fn continuing_marks_stop_a_run_only_at_their_first_step() {
        let step = |index, marks: &[Mark], continued: &[Mark]| FinishedStep {
            index,
            marks: marks.iter().copied().collect(),
            continued: continued.iter().copied().collect(),
        };
        let all: Breakpoints = "dead,same".parse().unwrap();
        assert_eq!(all.stop_reason(step(0, &[], &[])), None);
        assert_eq!(all.stop_reason(step(1, &[Mark::Dead], &[])).as_deref(), Some("step 2: dead state"));
        assert_eq!(all.stop_reason(step(2, &[Mark::Dead], &[Mark::Dead])), None);
        let same = step(2, &[Mark::Dead, Mark::Unchanged], &[Mark::Dead]);
        assert_eq!(all.stop_reason(same).as_deref(), Some("step 3: ineffective action"));
        assert_eq!(Breakpoints::default().stop_reason(same), None);
    }
}
