//! Conditions on a step of an episode, one language for breakpoints and for `find`: `ia and action=Up`,
//! `ra>=3 or reward<-1`, `not (text~wall)`.
//!
//! A condition is read from text and displayed in a form that reads as the same condition. It is judged with a
//! [`StepView`]; the judgement says which facts decide it. It may need a distance that is searched, and may be unknown.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod asker;
mod cursor;
mod error;
mod evaluation;
mod expression;
mod known;
mod parser;
mod step_view;
#[cfg(test)]
mod tests;
mod text_filter;

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

pub(super) use self::cursor::Cursor;
pub use self::error::ConditionError;
pub use self::evaluation::{Judgement, Truth};
pub(super) use self::expression::{Expression, Quantity, Term, TextField};
pub use self::known::{Known, RecordedPath};
pub(super) use self::parser::Parser;
pub use self::step_view::{StepView, UNKNOWN_DISTANCE};
pub use self::text_filter::TextFilter;
use crate::error_analysis::{Mark, MarkSet};

/// The name of the condition that any mark makes true.
const ANY: &str = "any";

/// The name of the condition that compares with a recording.
const DIFFERS: &str = "differs";

/// A condition on a step. Equal conditions have the same parts.
#[derive(Clone, Debug)]
pub struct Condition {
    expression: Expression,
    /// The sessions that it names, with their places.
    sessions: Vec<(String, Range<usize>)>,
}

impl Condition {
    /// A condition with these terms at these places.
    pub(super) fn new(expression: Expression, terms: &[(Term, Range<usize>)]) -> Self {
        let session = |(term, span): &(Term, Range<usize>)| match term {
            Term::Differs(session) => Some((session.clone(), span.clone())),
            _ => None,
        };
        Self { expression, sessions: terms.iter().filter_map(session).collect() }
    }

    /// The condition that a step has this mark.
    pub fn marked(mark: Mark) -> Self {
        Self::new(Expression::Term(Term::Marked(mark)), &[])
    }

    /// Reads the condition that a text begins with, and the length of its text in bytes.
    pub fn read_start(text: &str) -> Result<(Self, usize), ConditionError> {
        let mut parser = Parser::new(text)?;
        let expression = parser.condition()?;
        Ok((Self::new(expression, &parser.take_terms()), parser.cursor.end()))
    }

    /// The mark, if the condition is only that.
    pub fn only_mark(&self) -> Option<Mark> {
        match self.expression {
            Expression::Term(Term::Marked(mark)) => Some(mark),
            _ => None,
        }
    }

    /// The marks, if the condition is only that a step has one of them.
    pub fn only_marks(&self) -> Option<MarkSet> {
        match &self.expression {
            Expression::Term(Term::Any) => Some(MarkSet::ANY),
            Expression::Term(Term::Marked(mark)) => Some([*mark].into_iter().collect()),
            Expression::Or(parts) => {
                let marks = parts.iter().map(|part| match part {
                    Expression::Term(Term::Marked(mark)) => Some(*mark),
                    _ => None,
                });
                marks.collect()
            }
            _ => None,
        }
    }

    /// Marks of which a step needs at least one for the condition to be true; `None` if it can be true without.
    pub fn needed_marks(&self) -> Option<MarkSet> {
        needed_marks(&self.expression)
    }

    /// The sessions that it compares with, and their places in the text.
    pub fn sessions(&self) -> &[(String, Range<usize>)] {
        &self.sessions
    }

    /// Whether it is judged by distances.
    pub fn needs_distance(&self) -> bool {
        self.expression.terms().into_iter().any(Term::needs_distance)
    }

    /// Whether it is judged by the annotations of a step.
    pub fn reads_annotations(&self) -> bool {
        self.expression.terms().into_iter().any(Term::reads_annotations)
    }

    /// Whether it can be true only of a step that has annotations.
    pub fn needs_annotations(&self) -> bool {
        needs_annotations(&self.expression)
    }

    /// Whether it counts steps in a row with a mark that continues.
    pub(super) fn continues(&self) -> bool {
        self.expression.terms().into_iter().any(Term::continues)
    }

    /// Judges a step. Marks count at each step that has them.
    pub fn judge(&self, view: &StepView<'_>) -> Judgement {
        self.expression.judge(view, false)
    }

    /// Judges a step; a mark that continues counts only at its first step.
    pub(super) fn judge_once(&self, view: &StepView<'_>) -> Judgement {
        self.expression.judge(view, true)
    }
}

fn needed_marks(expression: &Expression) -> Option<MarkSet> {
    match expression {
        Expression::Term(Term::Any) => Some(MarkSet::ANY),
        Expression::Term(Term::Marked(mark)) => Some([*mark].into_iter().collect()),
        Expression::Term(Term::Streak(mark, sign, limit)) => {
            (!sign.holds(0.0, limit.get())).then(|| [*mark].into_iter().collect())
        }
        Expression::Term(Term::Quantity(Quantity::Dropped, sign, limit)) => {
            (!sign.holds(0.0, limit.get())).then(|| [Mark::Dropped].into_iter().collect())
        }
        Expression::Term(_) | Expression::Not(_) => None,
        Expression::And(parts) => parts.iter().find_map(needed_marks),
        Expression::Or(parts) => {
            parts.iter().map(needed_marks).try_fold(MarkSet::default(), |sum, marks| Some(sum.union(marks?)))
        }
    }
}

fn needs_annotations(expression: &Expression) -> bool {
    match expression {
        Expression::Term(term) => term.needs_annotations(),
        Expression::Not(_) => false,
        Expression::And(parts) => parts.iter().any(needs_annotations),
        Expression::Or(parts) => parts.iter().all(needs_annotations),
    }
}

/// The names of conditions: marks, numbers and texts.
fn names() -> Vec<&'static str> {
    condition_names().into_iter().map(|(name, _)| name).collect()
}

/// The names of conditions, each with what it is.
pub fn condition_names() -> Vec<(&'static str, &'static str)> {
    let marks = Mark::ALL.into_iter().map(|mark| (mark.name(), mark.title()));
    let is_mark = |one: &Quantity| Mark::ALL.iter().any(|mark| mark.name() == one.name());
    let quantities = Quantity::ALL.into_iter().filter(|one| !is_mark(one));
    let quantities = quantities.map(|one| (one.name(), "a number, compared with = < >"));
    let texts = TextField::ALL.into_iter().map(|one| (one.name(), "a text, compared with = or ~ (contains)"));
    let others = [(ANY, "any mark"), (DIFFERS, "the first difference from a session, in parentheses")];
    marks.chain(quantities).chain(texts).chain(others).collect()
}

impl FromStr for Condition {
    type Err = ConditionError;

    fn from_str(text: &str) -> Result<Self, ConditionError> {
        let mut parser = Parser::new(text)?;
        let expression = parser.condition()?;
        if !parser.cursor.is_at_end() {
            return Err(parser.unexpected("and, or, a comma or the end"));
        }
        Ok(Self::new(expression, &parser.take_terms()))
    }
}

impl fmt::Display for Condition {
    /// The form that [`FromStr`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.expression.to_string())
    }
}

impl PartialEq for Condition {
    fn eq(&self, other: &Self) -> bool {
        self.expression == other.expression
    }
}

impl Eq for Condition {}
