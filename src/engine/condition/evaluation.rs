//! Whether a condition is true of a step, and why.

use std::cmp::Ordering;

use super::expression::{Comparison, Expression, Quantity, Term, TextField};
use super::step_view::{Reading, StepView, UNKNOWN_DISTANCE, figure, whole};
use crate::distance::PathVerdict;
use crate::error_analysis::{Mark, MarkSet};

/// Whether a condition is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// It is true.
    True,
    /// It is false.
    False,
    /// Not known before a distance is.
    NeedsDistance,
    /// Not known, because something about the step is not.
    Unknown,
}

/// Whether a condition is true, and the facts that decide it, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// Whether it is true.
    pub truth: Truth,
    /// The facts that make it so.
    pub facts: Vec<String>,
}

impl Judgement {
    fn new(truth: Truth, fact: String) -> Self {
        Self { truth, facts: vec![fact] }
    }

    fn of(holds: bool, fact: String) -> Self {
        Self::new(if holds { Truth::True } else { Truth::False }, fact)
    }

    fn needs_distance() -> Self {
        Self { truth: Truth::NeedsDistance, facts: Vec::new() }
    }
}

impl Expression {
    /// Judges a step. With `once`, a mark that continues counts only at its first step, except behind `not`.
    pub(super) fn judge(&self, view: &StepView<'_>, once: bool) -> Judgement {
        match self {
            Self::Term(term) => term.judge(view, once),
            Self::Not(inner) => {
                let inner = inner.judge(view, false);
                let truth = match inner.truth {
                    Truth::True => Truth::False,
                    Truth::False => Truth::True,
                    other => other,
                };
                Judgement { truth, ..inner }
            }
            Self::And(parts) => all(parts.iter().map(|part| part.judge(view, once)), Truth::False),
            Self::Or(parts) => all(parts.iter().map(|part| part.judge(view, once)), Truth::True),
        }
    }
}

/// The judgement of several parts, of which one that has the truth `decides` is enough.
fn all(parts: impl Iterator<Item = Judgement>, decides: Truth) -> Judgement {
    let parts: Vec<Judgement> = parts.collect();
    let has = |truth| parts.iter().any(|part| part.truth == truth);
    let otherwise = if decides == Truth::True { Truth::False } else { Truth::True };
    let open = [decides, Truth::NeedsDistance, Truth::Unknown];
    let truth = open.into_iter().find(|truth| has(*truth)).unwrap_or(otherwise);
    let deciding = parts.into_iter().filter(|part| part.truth == truth);
    Judgement { truth, facts: deciding.flat_map(|part| part.facts).collect() }
}

impl Term {
    fn judge(&self, view: &StepView<'_>, once: bool) -> Judgement {
        match self {
            Self::Any => {
                let found: Vec<Mark> = counted(view, once).collect();
                let titles: Vec<&str> = found.iter().map(|mark| mark.title()).collect();
                let fact = if titles.is_empty() { "no mark".to_owned() } else { titles.join(", ") };
                Judgement::of(!found.is_empty(), fact)
            }
            Self::Marked(Mark::OffPath) => off_path(view),
            Self::Marked(mark) => {
                let holds = counted(view, once).any(|one| one == *mark);
                let fact = if holds { String::new() } else { "not marked ".to_owned() };
                Judgement::of(holds, format!("{fact}{}", mark.title()))
            }
            Self::Streak(mark, sign, limit) => streak(view, *mark, *sign, limit.get()),
            Self::Quantity(quantity, sign, limit) => {
                compare(&view.number_of(*quantity), *quantity, *sign, limit.get())
            }
            Self::Text(field, wanted) => {
                let texts = view.texts(*field);
                let holds = wanted.holds(&texts, *field == TextField::Action);
                Judgement::of(holds, wanted.words(*field, &texts, holds))
            }
            Self::Differs(session) => differs(view, session),
        }
    }
}

/// The marks of the step that count.
fn counted<'a>(view: &'a StepView<'_>, once: bool) -> impl Iterator<Item = Mark> + 'a {
    let continued = if once { view.step.continued } else { MarkSet::default() };
    view.step.marks.iter().filter(move |mark| !continued.has(*mark))
}

/// Whether the step left the shortest path.
fn off_path(view: &StepView<'_>) -> Judgement {
    match view.distances.path_verdict(view.step.index) {
        None => Judgement::needs_distance(),
        Some(PathVerdict::OffPath(detour)) => Judgement::of(true, detour.to_string()),
        Some(PathVerdict::OnPath) => Judgement::of(false, "on a shortest path".to_owned()),
        Some(PathVerdict::Unknown) => Judgement::new(Truth::Unknown, UNKNOWN_DISTANCE.to_owned()),
    }
}

/// Compares the number of steps in a row that have the mark.
fn streak(view: &StepView<'_>, mark: Mark, sign: Comparison, limit: f64) -> Judgement {
    let mut count = 0;
    if mark == Mark::OffPath {
        for index in (0..=view.step.index).rev() {
            match view.distances.path_verdict(index) {
                Some(PathVerdict::OffPath(_)) => count += 1,
                Some(PathVerdict::OnPath) => break,
                None => return Judgement::needs_distance(),
                Some(PathVerdict::Unknown) => {
                    return Judgement::new(Truth::Unknown, UNKNOWN_DISTANCE.to_owned());
                }
            }
        }
    } else if view.step.marks.has(mark) {
        let before = (0..view.step.index).rev();
        count = 1 + before.take_while(|index| view.errors.at(*index).has(mark)).count();
    }
    let fact = format!("{} in a row: {}", steps(count), mark.title());
    Judgement::of(sign.holds(whole(count), limit), fact)
}

fn steps(count: usize) -> String {
    if count == 1 { "1 step".to_owned() } else { format!("{count} steps") }
}

fn compare(reading: &Reading, quantity: Quantity, sign: Comparison, limit: f64) -> Judgement {
    let name = quantity.to_string();
    match reading {
        Reading::Exact(value) => {
            Judgement::of(sign.holds(*value, limit), format!("{name} is {}", figure(*value)))
        }
        Reading::Endless => {
            let holds = matches!(sign, Comparison::More | Comparison::AtLeast | Comparison::Unequal);
            Judgement::of(holds, "the goal is out of reach".to_owned())
        }
        Reading::AtLeast(value) => {
            let now = sign.holds(*value, limit);
            let fact = format!("{name} is at least {}", figure(*value));
            let passed = !sign.grows() && !sign.shrinks() && limit.total_cmp(value) == Ordering::Less;
            if (now && sign.grows()) || (!now && sign.shrinks()) || passed {
                return Judgement::of(now, fact);
            }
            Judgement::new(Truth::Unknown, format!("only a part of {name} is known"))
        }
        Reading::NeedsDistance => Judgement::needs_distance(),
        Reading::Unknown(why) => Judgement::new(Truth::Unknown, why.clone()),
    }
}

/// Whether this is the first step whose state or action differs from the recording.
fn differs(view: &StepView<'_>, session: &str) -> Judgement {
    let Some(path) = view.known.recording(session, view.head) else {
        let why = format!("{session} has no recording of {}", view.head.reference);
        return Judgement::new(Truth::Unknown, why);
    };
    let difference = |index: usize| {
        let step = view.steps.get(index)?;
        let Some(recorded) = path.step(index) else {
            return Some(format!("{session} ends before this step"));
        };
        if recorded.state != step.state {
            return Some(format!("the state differs from {session}"));
        }
        let now = step.action.as_ref().map(ToString::to_string);
        let then = recorded.action.as_ref();
        let words = |action: Option<&String>| action.map_or("none", String::as_str).to_owned();
        (now.as_ref() != then)
            .then(|| format!("the action is {}, and {} in {session}", words(now.as_ref()), words(then)))
    };
    let index = view.step.index;
    match difference(index) {
        None => Judgement::of(false, format!("the same as {session}")),
        Some(fact) if (0..index).all(|before| difference(before).is_none()) => Judgement::of(true, fact),
        Some(_) => Judgement::of(false, format!("not the first difference from {session}")),
    }
}
