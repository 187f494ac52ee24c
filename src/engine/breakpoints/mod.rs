//! Breakpoints: conditions on a step that pause a run or have another effect, each with the phase of the step in which it
//! is checked and how often it must be true.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod effect;
mod parse;
mod phase;
#[cfg(test)]
mod tests;

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

pub use self::effect::BreakEffect;
pub(super) use self::effect::DueEffect;
pub use self::phase::Phase;
use super::condition::{Condition, Known, StepView, Truth};
use super::error_analysis::Mark;

/// The name of the empty set.
const NONE: &str = "none";

/// A condition with its effect on a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breakpoint {
    condition: Condition,
    phase: Phase,
    /// From which time on that it is true it has its effect, at least 1.
    after: u32,
    /// Whether it is removed after its effect.
    once: bool,
    /// What it does.
    effect: BreakEffect,
    /// Where the effect is in the text.
    place: Place,
}

/// A place in a text, which makes no difference to what is there.
#[derive(Clone, Debug, Default)]
struct Place(Range<usize>);

impl PartialEq for Place {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Place {}

/// What is remembered of a breakpoint while a run goes on.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct History {
    /// How often it was true.
    times: u32,
    /// The index of the last step at which it was true.
    last: Option<usize>,
}

impl History {
    /// Whether it was true at the step before this one.
    fn continues_at(self, index: usize) -> bool {
        self.last.is_some_and(|last| last + 1 == index)
    }

    /// The history with this step, at which it was true.
    pub(super) fn hit(self, Hit { step, begins, .. }: Hit) -> Self {
        Self { times: self.times + u32::from(begins), last: Some(step) }
    }
}

/// A step at which a breakpoint is true.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    /// The index of the breakpoint.
    pub(super) breakpoint: usize,
    /// The index of the step.
    step: usize,
    /// Whether it counts: it is not the continuation of what was true before.
    begins: bool,
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
    /// Not known, for this reason.
    Unknown(String),
}

impl Breakpoint {
    fn of(condition: Condition) -> Self {
        Self {
            condition,
            phase: Phase::default(),
            after: 1,
            once: false,
            effect: BreakEffect::default(),
            place: Place::default(),
        }
    }

    /// The breakpoint at steps with this mark.
    fn marked(mark: Mark) -> Self {
        Self::of(Condition::marked(mark))
    }

    /// The mark, if it is only that.
    pub fn toggle(&self) -> Option<Mark> {
        let mark = self.condition.only_mark().filter(|mark| Breakpoints::TOGGLES.contains(mark))?;
        (*self == Self::marked(mark)).then_some(mark)
    }

    /// Whether it is checked at this step in this phase.
    fn is_due(&self, phase: Phase, acted: bool) -> bool {
        match self.phase {
            Phase::AfterAct => phase == Phase::AfterStep && acted,
            own => own == phase,
        }
    }

    /// Whether it pauses at this step, and whether it is true there. One that counts steps in a row with a mark that
    /// continues pauses only where it becomes true.
    fn verdict(&self, index: usize, view: &StepView<'_>, history: History) -> (Option<Hit>, BreakVerdict) {
        let judgement = self.condition.judge_once(view);
        let facts = judgement.facts.join(", ");
        let begins = !(self.condition.continues() && history.continues_at(view.step.index));
        let verdict = match judgement.truth {
            Truth::True if begins && history.times + 1 >= self.after => {
                BreakVerdict::Stop(self.reason(view.number(), &facts))
            }
            Truth::True | Truth::False => BreakVerdict::Continue,
            Truth::NeedsDistance => BreakVerdict::NeedsDistance,
            Truth::Unknown => BreakVerdict::Unknown(self.unknown(view.number(), &facts)),
        };
        let hit = Hit { breakpoint: index, step: view.step.index, begins };
        (Some(hit).filter(|_| judgement.truth == Truth::True), verdict)
    }

    /// Why it was not checked. A distance is missing at this step; a price or a recording at each, which is the same
    /// message.
    fn unknown(&self, step: u32, facts: &str) -> String {
        let needs_distance = self.condition.needs_distance();
        let place = if needs_distance { format!(" at {}", self.phase.place(step)) } else { String::new() };
        format!("breakpoint {self} not checked{place}: {facts}")
    }

    fn reason(&self, step: u32, facts: &str) -> String {
        match self.toggle() {
            // The fact names the step itself.
            Some(Mark::OffPath) => facts.to_owned(),
            Some(_) => format!("step {step}: {facts}"),
            None => format!("{}: {self}: {facts}", self.phase.place(step)),
        }
    }
}

impl fmt::Display for Breakpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.condition)?;
        if self.phase != Phase::default() {
            write!(f, " {}", self.phase)?;
        }
        if self.after > 1 {
            write!(f, " after {}", self.after)?;
        }
        write!(f, "{}{}", if self.once { " once" } else { "" }, self.effect)
    }
}

/// The active breakpoints, with what their conditions need to know beside the episode.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Breakpoints {
    list: Vec<Breakpoint>,
    known: Arc<Known>,
}

/// What breakpoints say at a step.
pub(super) struct BreakCheck {
    /// Whether the run pauses.
    pub(super) verdict: BreakVerdict,
    /// The breakpoints that are true.
    pub(super) hits: Vec<Hit>,
    /// The index of the breakpoint that pauses.
    pub(super) paused_by: Option<usize>,
    /// The effects of the others, each with the index of its breakpoint.
    pub(super) effects: Vec<(usize, DueEffect)>,
}

impl Breakpoints {
    /// The marks that are switched on and off by a number, in display order.
    pub const TOGGLES: [Mark; 6] = [
        Mark::OffPath,
        Mark::Dead,
        Mark::InvalidAction,
        Mark::RepeatedAction,
        Mark::ParseError,
        Mark::Unchanged,
    ];

    fn new(list: impl IntoIterator<Item = Breakpoint>) -> Self {
        let mut breakpoints = Self::default();
        for one in list {
            breakpoints.add(one);
        }
        breakpoints
    }

    /// Adds a breakpoint that is not there yet.
    fn add(&mut self, one: Breakpoint) {
        if !self.list.contains(&one) {
            self.list.push(one);
        }
    }

    /// The full title of a mark that is switched by a number.
    pub fn title(mark: Mark) -> &'static str {
        match mark {
            Mark::OffPath => "off the shortest path (needs a distance search)",
            mark => mark.title(),
        }
    }

    /// Whether no breakpoint is active.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether the breakpoint at this mark is active.
    pub fn has(&self, mark: Mark) -> bool {
        self.list.iter().any(|one| one.toggle() == Some(mark))
    }

    /// The active breakpoints.
    pub fn iter(&self) -> impl Iterator<Item = &Breakpoint> {
        self.list.iter()
    }

    /// The breakpoints other than the marks that are switched by a number.
    pub fn own(&self) -> impl Iterator<Item = &Breakpoint> {
        self.list.iter().filter(|one| one.toggle().is_none())
    }

    /// The breakpoints with the mark at this index of [`Breakpoints::TOGGLES`] switched; a higher index removes one of
    /// the other breakpoints. Unchanged if there is none.
    #[must_use]
    pub fn toggled(&self, index: usize) -> Self {
        let mut toggled = self.clone();
        match Self::TOGGLES.get(index) {
            Some(mark) if self.has(*mark) => toggled.list.retain(|one| one.toggle() != Some(*mark)),
            Some(mark) => toggled.add(Breakpoint::marked(*mark)),
            None => {
                let own = self.own().nth(index - Self::TOGGLES.len()).cloned();
                toggled.list.retain(|one| Some(one) != own.as_ref());
            }
        }
        toggled
    }

    /// The breakpoints of both, with what both know.
    #[must_use]
    pub fn with(mut self, others: Self) -> Self {
        if *others.known != Known::default() {
            self.known = Arc::new(self.known.with(&others.known));
        }
        for one in others.list {
            self.add(one);
        }
        self
    }

    /// Whether the breakpoint at this index is removed when it has paused the run.
    pub(super) fn is_once(&self, index: usize) -> bool {
        self.list.get(index).is_some_and(|one| one.once)
    }

    /// Removes the breakpoint at this index.
    pub(super) fn remove(&mut self, index: usize) {
        self.list.remove(index);
    }

    /// The breakpoints with what their conditions need to know.
    #[must_use]
    pub fn knowing(self, known: Arc<Known>) -> Self {
        Self { known, ..self }
    }

    /// What their conditions know beside the episode.
    pub fn known(&self) -> &Arc<Known> {
        &self.known
    }

    /// The sessions that conditions compare with, and their places in the text.
    pub fn sessions(&self) -> impl Iterator<Item = &(String, Range<usize>)> {
        self.list.iter().flat_map(|one| one.condition.sessions())
    }

    /// What they do besides pausing a run, and the places of that in the text.
    pub fn effects(&self) -> impl Iterator<Item = (&BreakEffect, Range<usize>)> {
        let others = self.list.iter().filter(|one| one.effect != BreakEffect::Pause);
        others.map(|one| (&one.effect, one.place.0.clone()))
    }

    /// Whether one does more than pausing a run.
    pub fn need_services(&self) -> bool {
        self.effects().next().is_some()
    }

    /// Whether a condition is judged by distances.
    pub(super) fn need_distance(&self) -> bool {
        self.list.iter().any(|one| one.condition.needs_distance())
    }

    /// Whether one is checked in this phase.
    pub(super) fn has_phase(&self, phase: Phase) -> bool {
        self.list.iter().any(|one| one.is_due(phase, true))
    }

    /// Whether this step pauses a run in this phase, with the history of each. Those that need no distance
    /// come first, and a run does not wait for a distance if one of them pauses it.
    pub(super) fn check(&self, view: &StepView<'_>, phase: Phase, before: &[History]) -> BreakCheck {
        let acted = view.steps.get(view.step.index).is_some_and(|step| step.effect.is_some());
        let due = self.list.iter().enumerate().filter(|(_, one)| one.is_due(phase, acted));
        let (last, first): (Vec<_>, Vec<_>) = due.partition(|(_, one)| one.condition.needs_distance());
        let mut check = BreakCheck {
            verdict: BreakVerdict::Continue,
            hits: Vec::new(),
            paused_by: None,
            effects: Vec::new(),
        };
        for (index, one) in first.into_iter().chain(last) {
            let history = before.get(index).copied().unwrap_or_default();
            let (hit, verdict) = one.verdict(index, view, history);
            check.hits.extend(hit);
            let verdict = match verdict {
                BreakVerdict::Stop(reason) if one.effect != BreakEffect::Pause => {
                    let effect = one.effect.clone();
                    let step = view.number();
                    check.effects.push((index, DueEffect { effect, step, reason }));
                    continue;
                }
                verdict => verdict,
            };
            match (&check.verdict, &verdict) {
                (BreakVerdict::Stop(_), _) | (_, BreakVerdict::Continue) => {}
                (BreakVerdict::NeedsDistance, BreakVerdict::Unknown(_)) => {}
                _ => {
                    check.paused_by = matches!(verdict, BreakVerdict::Stop(_)).then_some(index);
                    check.verdict = verdict;
                }
            }
        }
        check
    }
}

impl fmt::Display for Breakpoints {
    /// The form that is read again.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.iter().map(Breakpoint::to_string).collect();
        let is_mark =
            |one: &Breakpoint| one.condition.only_mark().is_some_and(|mark| *one == Breakpoint::marked(mark));
        let is_list = self.list.iter().all(is_mark);
        let between = if is_list { "," } else { "; " };
        f.pad(&if names.is_empty() { NONE.to_owned() } else { names.join(between) })
    }
}
