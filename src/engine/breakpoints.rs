//! Breakpoints: conditions on a finished step that pause a run. A condition sees the step with the analysis of the
//! episode up to it.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::fmt;
use std::str::FromStr;

use super::distance::Distances;
use super::distance::PathVerdict;
use super::error_analysis::ErrorAnalysis;
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

/// What a condition sees.
pub struct StepReport<'a> {
    /// The step that was just finished.
    pub finished: FinishedStep,
    /// The errors of the episode so far.
    pub errors: &'a ErrorAnalysis,
    /// The distances that are known.
    pub distances: &'a Distances,
}

/// Whether a step pauses a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BreakVerdict {
    /// It does not.
    Continue,
    /// It does, for this reason.
    Stop(String),
    /// Not known before the distance of the step is.
    NeedsDistance,
    /// Not known, because the distance of the step cannot be found.
    Unknown,
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

    /// Whether it is judged by the distance of the step.
    fn needs_distance(self) -> bool {
        self == Self::OffPath
    }

    /// Whether this step meets the condition.
    fn verdict(self, report: &StepReport<'_>) -> BreakVerdict {
        let step = report.finished;
        match self {
            Self::OffPath => match report.distances.path_verdict(step.index) {
                None => BreakVerdict::NeedsDistance,
                Some(PathVerdict::OnPath) => BreakVerdict::Continue,
                Some(PathVerdict::OffPath(detour)) => BreakVerdict::Stop(detour.to_string()),
                Some(PathVerdict::Unknown) => BreakVerdict::Unknown,
            },
            Self::On(mark) if step.marks.has(mark) && !step.continued.has(mark) => {
                BreakVerdict::Stop(format!("step {}: {}", step.index + 1, mark.title()))
            }
            Self::On(_) => BreakVerdict::Continue,
        }
    }
}

/// The name of the empty set.
const NONE: &str = "none";

/// The active conditions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Breakpoints(Vec<Breakpoint>);

impl Breakpoints {
    /// Whether no condition is active.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether this condition is active.
    pub fn has(&self, one: Breakpoint) -> bool {
        self.0.contains(&one)
    }

    /// The active conditions, in display order.
    pub fn iter(&self) -> impl Iterator<Item = Breakpoint> {
        self.0.iter().copied()
    }

    /// The set with the condition at this index of [`Breakpoint::ALL`] toggled; unchanged if there is none.
    #[must_use]
    pub fn toggled(&self, index: usize) -> Self {
        let toggled = |(at, one): &(usize, Breakpoint)| self.has(*one) != (*at == index);
        Self(Breakpoint::ALL.into_iter().enumerate().filter(toggled).map(|(_, one)| one).collect())
    }

    /// Whether a condition is judged by distances.
    pub(super) fn need_distance(&self) -> bool {
        self.iter().any(Breakpoint::needs_distance)
    }

    /// Whether this step pauses a run. The conditions that need no distance are judged first; a run stops at the first
    /// one that is met.
    pub fn verdict(&self, report: &StepReport<'_>) -> BreakVerdict {
        let (last, first): (Vec<Breakpoint>, Vec<Breakpoint>) =
            self.iter().partition(|one| one.needs_distance());
        let verdicts = first.into_iter().chain(last).map(|one| one.verdict(report));
        verdicts.fold(BreakVerdict::Continue, |sum, verdict| match (&sum, &verdict) {
            (BreakVerdict::Stop(_), _) | (_, BreakVerdict::Continue) => sum,
            (BreakVerdict::NeedsDistance, BreakVerdict::Unknown) => sum,
            _ => verdict,
        })
    }
}

impl FromStr for Breakpoints {
    type Err = String;

    /// Names separated by commas or spaces, or `none`.
    fn from_str(names: &str) -> Result<Self, String> {
        let names: Vec<&str> = names.split([',', ' ']).filter(|name| !name.is_empty()).collect();
        if names == [NONE] {
            return Ok(Self::default());
        }
        let all = Breakpoint::ALL.map(Breakpoint::name);
        if let Some(name) = names.iter().find(|name| !all.contains(name)) {
            return Err(unknown(name));
        }
        let chosen = Breakpoint::ALL.into_iter().filter(|one| names.contains(&one.name()));
        if names.is_empty() { Err(unknown("")) } else { Ok(Self(chosen.collect())) }
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
    use crate::engine::Distance;
    use crate::engine::MarkSet;

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
        let (errors, distances) = (ErrorAnalysis::default(), Distances::default());
        let judge = |breakpoints: &Breakpoints, finished| {
            let report = StepReport { finished, errors: &errors, distances: &distances };
            match breakpoints.verdict(&report) {
                BreakVerdict::Stop(reason) => Some(reason),
                verdict => {
                    assert_eq!(verdict, BreakVerdict::Continue);
                    None
                }
            }
        };
        let all: Breakpoints = "dead,same".parse().unwrap();
        assert_eq!(judge(&all, step(0, &[], &[])), None);
        assert_eq!(judge(&all, step(1, &[Mark::Dead], &[])).as_deref(), Some("step 2: dead state"));
        assert_eq!(judge(&all, step(2, &[Mark::Dead], &[Mark::Dead])), None);
        let same = step(2, &[Mark::Dead, Mark::Unchanged], &[Mark::Dead]);
        assert_eq!(judge(&all, same).as_deref(), Some("step 3: ineffective action"));
        assert_eq!(judge(&Breakpoints::default(), same), None);
    }

    #[test]
    fn a_mark_decides_before_a_distance_is_known_and_an_unknown_distance_decides_nothing() {
        let finished = |marks: &[Mark]| FinishedStep {
            index: 0,
            marks: marks.iter().copied().collect(),
            continued: MarkSet::default(),
        };
        let verdict = |marks: &[Mark], left: [Option<Distance>; 2], searched| {
            let (finished, distances) = (finished(marks), Distances::new(left, searched));
            let report = StepReport { finished, errors: &ErrorAnalysis::default(), distances: &distances };
            "off_path,same".parse::<Breakpoints>().unwrap().verdict(&report)
        };
        let left = |moves| Some(Distance::Exact(moves));
        assert_eq!(verdict(&[], [None, None], true), BreakVerdict::NeedsDistance);
        assert_eq!(verdict(&[], [None, None], false), BreakVerdict::Unknown);
        assert_eq!(verdict(&[], [left(3), left(2)], true), BreakVerdict::Continue);
        let detour = "step 1 left the shortest path (3 moves left, then 4)";
        assert_eq!(verdict(&[], [left(3), left(4)], true), BreakVerdict::Stop(detour.to_owned()));
        for left in [[None, None], [left(3), left(4)]] {
            let stopped = verdict(&[Mark::Unchanged], left, true);
            assert_eq!(stopped, BreakVerdict::Stop("step 1: ineffective action".to_owned()));
        }
    }
}
