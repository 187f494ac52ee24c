//! Reads breakpoints: conditions with their options, separated by semicolons.

use std::str::FromStr;

use super::{BreakEffect, Breakpoint, Breakpoints, NONE, Phase, Place};
use crate::annotations::Annotation;
use crate::condition::{Condition, ConditionError, Cursor, Expression, Parser};
use crate::error_analysis::Mark;

impl FromStr for Breakpoints {
    type Err = ConditionError;

    /// Conditions separated by semicolons, names of marks separated by commas or spaces, or `none`.
    fn from_str(text: &str) -> Result<Self, ConditionError> {
        if text.trim().eq_ignore_ascii_case(NONE) {
            return Ok(Self::default());
        }
        if let Some(marks) = mark_list(text) {
            return Ok(Self::new(marks.into_iter().map(Breakpoint::marked)));
        }
        let mut parser = Parser::new(text)?;
        let mut list = Vec::new();
        loop {
            list.extend(one(&mut parser)?);
            let more = parser.cursor.take(";");
            if parser.cursor.is_at_end() {
                return Ok(Self::new(list));
            }
            if !more {
                let expected = "and, or, a comma, a semicolon, once, after, before, an effect (pause, tag, fork or seat) or the end";
                return Err(parser.unexpected(expected));
            }
        }
    }
}

/// The marks, if the text is a list of nothing else.
fn mark_list(text: &str) -> Option<Vec<Mark>> {
    let words = text.split([',', ' ']).filter(|word| !word.is_empty());
    let marks: Vec<Mark> = words.map(|word| word.parse().ok()).collect::<Option<_>>()?;
    (!marks.is_empty()).then_some(marks)
}

/// Reads a condition with its options. Alternatives without options are breakpoints of their own, so that each can be
/// switched off.
fn one(parser: &mut Parser<'_>) -> Result<Vec<Breakpoint>, ConditionError> {
    let expression = parser.condition()?;
    let options = options(parser)?;
    let terms = parser.take_terms();
    options.phase.check(&terms)?;
    let is_plain = options == Options::default();
    match expression {
        Expression::Or(parts) if is_plain && terms.iter().all(|(term, _)| !term.names_session()) => {
            Ok(parts.into_iter().map(|part| Breakpoint::of(Condition::new(part, &[]))).collect())
        }
        expression => {
            let Options { phase, after, once, effect, place } = options;
            let condition = Condition::new(expression, &terms);
            Ok(vec![Breakpoint { condition, phase, after, once, effect, place }])
        }
    }
}

/// The options after a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Options {
    phase: Phase,
    after: u32,
    once: bool,
    effect: BreakEffect,
    place: Place,
}

impl Default for Options {
    fn default() -> Self {
        let effect = BreakEffect::default();
        let place = Place::default();
        Self { phase: Phase::default(), after: 1, once: false, effect, place }
    }
}

fn options(parser: &mut Parser<'_>) -> Result<Options, ConditionError> {
    let mut options = Options::default();
    loop {
        let from = parser.cursor.place();
        if parser.cursor.take_word("once") {
            options.once = true;
        } else if parser.cursor.take_word("before") {
            parser.cursor.take_word("the");
            if !parser.cursor.take_word("request") {
                return Err(ConditionError::new("expected before request", from..parser.cursor.end()));
            }
            options.phase = Phase::BeforeRequest;
        } else if parser.cursor.take_word("after") {
            after(parser, from, &mut options)?;
        } else if !effect(parser, from, &mut options)? {
            return Ok(options);
        }
    }
}

/// Reads an effect; false if there is none here.
fn effect(parser: &mut Parser<'_>, from: usize, options: &mut Options) -> Result<bool, ConditionError> {
    let cursor = &mut parser.cursor;
    let effect = if cursor.take_word("pause") {
        BreakEffect::Pause
    } else if cursor.take_word("seat") {
        let (name, _) =
            cursor.token().ok_or_else(|| missing("the name of an agent", "seat oracle 3", cursor))?;
        BreakEffect::Seat(name.to_owned(), steps(cursor)?)
    } else if cursor.take_word("tag") {
        let (name, span) = cursor.token().ok_or_else(|| missing("the name of a tag", "tag wall", cursor))?;
        Annotation::tag(name).map_err(|error| ConditionError::new(error.to_string(), span))?;
        BreakEffect::Tag(name.to_owned())
    } else if cursor.take_word("fork") {
        BreakEffect::Fork(cursor.rest_of_part().to_owned())
    } else {
        return Ok(false);
    };
    let span = from..parser.cursor.end();
    if options.effect != BreakEffect::Pause {
        return Err(ConditionError::new("a breakpoint has one effect", span)
            .with_help("write the condition twice, separated by a semicolon"));
    }
    (options.effect, options.place) = (effect, Place(span));
    Ok(true)
}

/// Reads for how many steps a seat is given, if that is said.
fn steps(cursor: &mut Cursor<'_>) -> Result<Option<u32>, ConditionError> {
    let from = cursor.place();
    match cursor.count() {
        Some(0) => Err(ConditionError::new("a seat is given for at least one step", from..cursor.end())),
        steps => Ok(steps),
    }
}

fn missing(what: &str, example: &str, cursor: &Cursor<'_>) -> ConditionError {
    let at = cursor.end();
    ConditionError::new(format!("{what} is missing here"), at..at).with_help(format!("such as {example}"))
}

/// Reads what follows `after`: a phase or a number of times.
fn after(parser: &mut Parser<'_>, from: usize, options: &mut Options) -> Result<(), ConditionError> {
    parser.cursor.take_word("the");
    if parser.cursor.take_word("reply") {
        options.phase = Phase::AfterReply;
    } else if parser.cursor.take_word("act") {
        options.phase = Phase::AfterAct;
    } else if let Some(times) = parser.cursor.count().filter(|times| *times > 0) {
        options.after = times;
    } else {
        let to = parser.cursor.word().map_or(parser.cursor.end(), |(_, span)| span.end);
        let error = ConditionError::new("expected after reply, after act or a number of times", from..to);
        return Err(error.with_help("such as after 3, which pauses from the third time on"));
    }
    Ok(())
}
