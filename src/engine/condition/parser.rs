//! Reads conditions: `or` (also a comma), `and`, `not`, parentheses and terms.

use std::ops::Range;

use super::ConditionError;
use super::asker::Asker;
use super::cursor::Cursor;
use super::expression::{Comparison, Expression, Match, Pattern, Quantity, Term, TextField};
use crate::error_analysis::Mark;
use mageyard_domain::Number;

/// The longest text of conditions, in bytes.
const MAX_LENGTH: usize = 4000;

/// The deepest nesting of parentheses and `not`.
const MAX_DEPTH: usize = 40;

/// Words that are never names.
const KEYWORDS: [&str; 9] = ["and", "or", "not", "once", "after", "before", "pause", "fork", "seat"];

/// Reads one condition after the other from a text.
#[derive(Debug)]
pub(crate) struct Parser<'a> {
    pub(crate) cursor: Cursor<'a>,
    /// The terms that were read, with their places.
    terms: Vec<(Term, Range<usize>)>,
    depth: usize,
}

impl<'a> Parser<'a> {
    pub(crate) fn new(text: &'a str) -> Result<Self, ConditionError> {
        if text.len() > MAX_LENGTH {
            let why = format!("the conditions are longer than {MAX_LENGTH} bytes");
            return Err(ConditionError::new(why, 0..0));
        }
        Ok(Self { cursor: Cursor::new(text), terms: Vec::new(), depth: 0 })
    }

    /// Takes the terms that were read since the last call, with their places.
    pub(crate) fn take_terms(&mut self) -> Vec<(Term, Range<usize>)> {
        std::mem::take(&mut self.terms)
    }

    /// Reads a condition.
    pub(crate) fn condition(&mut self) -> Result<Expression, ConditionError> {
        let mut parts = vec![self.conjunction()?];
        while self.cursor.take_word("or") || self.cursor.take(",") {
            parts.push(self.conjunction()?);
        }
        Ok(single_or(parts, Expression::Or))
    }

    /// The error for what follows a complete condition.
    pub(crate) fn unexpected(&mut self, expected: &str) -> ConditionError {
        let from = self.cursor.place();
        let to = self.cursor.word().map_or(from + 1, |(_, span)| span.end);
        ConditionError::new(format!("expected {expected} here"), from..to)
    }

    fn conjunction(&mut self) -> Result<Expression, ConditionError> {
        let mut parts = vec![self.negation()?];
        while self.cursor.take_word("and") {
            parts.push(self.negation()?);
        }
        Ok(single_or(parts, Expression::And))
    }

    fn negation(&mut self) -> Result<Expression, ConditionError> {
        let from = self.cursor.place();
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let why = format!("the condition is nested deeper than {MAX_DEPTH} levels");
            return Err(ConditionError::new(why, from..from + 1));
        }
        let read = if self.cursor.take_word("not") {
            self.negation().map(|inner| Expression::Not(Box::new(inner)))
        } else if self.cursor.take("(") {
            self.group(from)
        } else {
            self.term().map(Expression::Term)
        };
        self.depth -= 1;
        read
    }

    fn group(&mut self, from: usize) -> Result<Expression, ConditionError> {
        let inner = self.condition()?;
        if self.cursor.take(")") {
            return Ok(inner);
        }
        Err(if self.cursor.is_at_end() {
            ConditionError::new("this parenthesis is not closed", from..from + 1)
        } else {
            self.unexpected("and, or, a comma or a closing parenthesis")
        })
    }

    fn term(&mut self) -> Result<Term, ConditionError> {
        let from = self.cursor.place();
        let is_keyword = |word: &str| KEYWORDS.iter().any(|keyword| keyword.eq_ignore_ascii_case(word));
        if self.cursor.peek_word().is_none_or(is_keyword) {
            let to = self.cursor.word().map_or(from, |(_, span)| span.end);
            let example = "such as ia, ra>=3, reward<0 or action=Up";
            return Err(ConditionError::new("a condition is expected here", from..to).with_help(example));
        }
        let term = self.named(from)?;
        self.terms.push((term.clone(), from..self.cursor.end()));
        Ok(term)
    }

    /// Reads the term that begins with the next word.
    fn named(&mut self, from: usize) -> Result<Term, ConditionError> {
        let first = self.cursor.word().map(|(word, _)| word).unwrap_or_default();
        let name = first.to_lowercase().replace('-', "_");
        if let Some(quantity) = Quantity::ALL.into_iter().find(|one| one.name() == name) {
            let quantity = self.asked_by(quantity)?;
            let span = from..self.cursor.end();
            let name = quantity.to_string();
            return match (self.limit(&name)?, name.parse()) {
                (Some((sign, limit)), _) => Ok(Term::Quantity(quantity, sign, limit)),
                // A mark of the same name.
                (None, Ok(mark)) => Ok(Term::Marked(mark)),
                (None, Err(_)) => Err(no_comparison(&name, ">1", span)),
            };
        }
        if let Some(field) = TextField::ALL.into_iter().find(|one| one.name() == name) {
            return self.matched(&name, from).map(|wanted| Term::Text(field, wanted));
        }
        match name.as_str() {
            super::DIFFERS => self.differs(from),
            super::ANY | "all" => Ok(Term::Any),
            _ => self.marked(first, from),
        }
    }

    /// Reads whose requests a number counts, in parentheses after its name.
    fn asked_by(&mut self, quantity: Quantity) -> Result<Quantity, ConditionError> {
        let open = self.cursor.place();
        if quantity.asker().is_none() || !self.cursor.take("(") {
            return Ok(quantity);
        }
        let (name, span) = self.cursor.value("agent or a role")?;
        let Some(asker) = Asker::named(&name.to_lowercase()) else {
            let names: Vec<&str> = Asker::names().collect();
            let error = ConditionError::new(format!("there is no role {name:?}"), span);
            return Err(error.with_names(&name, &names));
        };
        if self.cursor.take(")") {
            return Ok(quantity.of(asker));
        }
        Err(ConditionError::new("this parenthesis is not closed", open..open + 1))
    }

    /// Reads a mark, whose name may have a space, and the length of its streak.
    fn marked(&mut self, first: &str, from: usize) -> Result<Term, ConditionError> {
        let mut ahead = self.cursor.clone();
        let joined = ahead.word().and_then(|(second, _)| format!("{first} {second}").parse::<Mark>().ok());
        let mark = match joined {
            Some(mark) => {
                self.cursor = ahead;
                mark
            }
            None => first.parse().map_err(|_| unknown(first, from..self.cursor.end()))?,
        };
        let limit = self.limit(mark.name())?;
        Ok(limit.map_or(Term::Marked(mark), |(sign, limit)| Term::Streak(mark, sign, limit)))
    }

    /// Reads a comparison with a number, if there is one.
    fn limit(&mut self, name: &str) -> Result<Option<(Comparison, Number)>, ConditionError> {
        let from = self.cursor.place();
        if self.cursor.take("~") {
            let why = format!("{name} is a number and cannot be compared with ~");
            return Err(ConditionError::new(why, from..from + 1).with_help("use = != < <= > or >="));
        }
        let Some(sign) = self.comparison() else { return Ok(None) };
        let (text, span) = self.cursor.value("a number")?;
        // No names of numbers, such as `inf`.
        let is_written = text.chars().all(|letter| letter.is_ascii_digit() || "+-.eE".contains(letter));
        let number = text.parse().ok().filter(|_| is_written).and_then(Number::new);
        let number = number.ok_or_else(|| ConditionError::new(format!("{text:?} is not a number"), span))?;
        Ok(Some((sign, number)))
    }

    fn comparison(&mut self) -> Option<Comparison> {
        let sign = Comparison::ALL.into_iter().find(|one| self.cursor.take(one.sign()))?;
        if sign == Comparison::Equal {
            self.cursor.take("=");
        }
        Some(sign)
    }

    /// Reads what the text with this name, which begins at this place, is compared with.
    pub(super) fn matched(&mut self, name: &str, from: usize) -> Result<Match, ConditionError> {
        let span = from..self.cursor.end();
        let at = self.cursor.place();
        if self.cursor.take("~") {
            let from = self.cursor.place();
            if !self.cursor.take("/") {
                return self.cursor.value("a text").map(|(text, _)| Match::Contains(text));
            }
            let text = self.cursor.quoted('/', from)?;
            let pattern = Pattern::new(&text);
            return pattern
                .map(Match::Pattern)
                .map_err(|why| ConditionError::new(why, from..self.cursor.end()));
        }
        match self.comparison() {
            Some(Comparison::Equal) => self.cursor.value("a text").map(|(text, _)| Match::Equal(text)),
            Some(Comparison::Unequal) => self.cursor.value("a text").map(|(text, _)| Match::Unequal(text)),
            Some(sign) => {
                let why = format!("{name} is a text and cannot be compared with {}", sign.sign());
                Err(ConditionError::new(why, at..self.cursor.end()).with_help("use = != or ~ (contains)"))
            }
            None => Err(no_comparison(name, "~wall", span)),
        }
    }

    fn differs(&mut self, from: usize) -> Result<Term, ConditionError> {
        let span = from..self.cursor.end();
        if !self.cursor.take("(") {
            return Err(ConditionError::new("differs needs a session", span)
                .with_help("name it in parentheses, such as differs(last)"));
        }
        let open = self.cursor.end() - 1;
        let (session, _) = self.cursor.value("the name of a session")?;
        if self.cursor.take(")") {
            return Ok(Term::Differs(session));
        }
        Err(ConditionError::new("this parenthesis is not closed", open..open + 1))
    }
}

/// The only part, or all parts together.
fn single_or(mut parts: Vec<Expression>, several: fn(Vec<Expression>) -> Expression) -> Expression {
    match parts.pop() {
        Some(only) if parts.is_empty() => only,
        last => {
            parts.extend(last);
            several(parts)
        }
    }
}

fn no_comparison(name: &str, example: &str, span: Range<usize>) -> ConditionError {
    let why = format!("{name} needs a comparison");
    ConditionError::new(why, span).with_help(format!("such as {name}{example}"))
}

fn unknown(name: &str, span: Range<usize>) -> ConditionError {
    let error = ConditionError::new(format!("there is no condition {name:?}"), span);
    error.with_names(name, &super::names())
}
