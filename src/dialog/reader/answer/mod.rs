//! Replies of free text with an answer at their end, such as `Answer: B`. What an answer looks like follows from the
//! actions ([`AnswerShape`]). There are two sets of rules: our own (`standard`), and those of released code (`released`),
//! to the letter.

mod lines;
mod place;
mod released;
mod standard;
#[cfg(test)]
mod tests;

use std::ops::Range;

use super::{ActionPart, FallbackMatch, Leniency, Located, ParseError, Spans, trimmed_span};
use crate::rules::AnswerRules;
use mageyard_domain::{Action, ActionSpec, AnswerShape, Arg, Notation};

/// An answer that was found, and how.
struct FoundAnswer {
    action: Action,
    /// The bytes of the answer.
    at: Range<usize>,
    /// The parameters and the bytes of their values.
    args: Vec<(String, Range<usize>)>,
    /// The rule that found it, if it is not the word before it, and the bytes that it matched.
    rule: Option<(&'static str, Range<usize>)>,
    leniencies: Vec<Leniency>,
}

impl FoundAnswer {
    /// An answer without arguments.
    fn plain(name: &str, at: Range<usize>) -> Self {
        Self { action: Action::plain(name), at, args: Vec::new(), rule: None, leniencies: Vec::new() }
    }

    fn by(self, rule: &'static str, matched: Range<usize>) -> Self {
        Self { rule: Some((rule, matched)), ..self }
    }

    fn with_leniency(mut self, leniency: Leniency, found: bool) -> Self {
        self.leniencies.extend(found.then_some(leniency));
        self
    }
}

/// What the reply answers. A list, and actions in another notation than calls, are what follows the first word.
pub(super) fn locate<'a>(
    part: &ActionPart<'a>,
    rules: &AnswerRules,
    spans: &mut Spans,
) -> Result<Located<'a>, ParseError> {
    if part.format.list || part.format.notation != Notation::Call {
        return Ok(Located::Span(after_first_word(part, rules, spans)?));
    }
    let shape = AnswerShape::of(part.action_space);
    let found = if rules.released {
        released::find(part, &rules.word, shape)
    } else {
        standard::find(part, &rules.word, shape)
    };
    let found = found?;
    spans.analysis = analysis_before(part.reply, found.at.start, &rules.word);
    spans.action = Some(found.at);
    spans.fallback = found.rule.map(|(rule, span)| FallbackMatch { rule: rule.to_owned(), span });
    for (parameter, at) in found.args {
        spans.record_argument(&parameter, at);
    }
    for leniency in found.leniencies {
        spans.record_leniency(leniency);
    }
    Ok(Located::Actions(vec![found.action]))
}

/// The text below the first word, whose analysis is before it.
fn after_first_word(
    part: &ActionPart<'_>,
    rules: &AnswerRules,
    spans: &mut Spans,
) -> Result<Range<usize>, ParseError> {
    let word = words(part.reply, &rules.word).next().ok_or_else(|| missing_word(&rules.word))?;
    spans.analysis = Some(trimmed_span(part.reply, 0..word.start)).filter(|range| !range.is_empty());
    Ok(trimmed_span(part.reply, word.end..part.reply.len()))
}

/// The text before the answer, without the word that belongs to it.
fn analysis_before(reply: &str, answer: usize, word: &str) -> Option<Range<usize>> {
    let own = words(&reply[..answer], word).last();
    let own = own.filter(|found| reply[found.end..answer].trim().is_empty());
    let end = own.map_or(answer, |found| found.start);
    Some(trimmed_span(reply, 0..end)).filter(|range| !range.is_empty())
}

fn missing_word(word: &str) -> ParseError {
    ParseError::missing("heading", format!("the reply has no {word:?}"))
}

/// Each word of an answer in any capitals, also in bold, with its colon: `Answer:`, `**Answer:**`, `**Answer** :`.
fn words<'a>(reply: &'a str, word: &'a str) -> impl Iterator<Item = Range<usize>> + 'a {
    let stem = word.trim_end_matches(':');
    let letters = reply.as_bytes().windows(stem.len().max(1)).enumerate();
    letters.filter(|(_, found)| found.eq_ignore_ascii_case(stem.as_bytes())).filter_map(move |(start, _)| {
        let rest = &reply[start + stem.len()..];
        let colon = rest.trim_start_matches(['*', '_', ' ']).strip_prefix([':', '：'])?;
        let end = reply.len() - colon.trim_start_matches(['*', '_']).len();
        let start = reply[..start].trim_end_matches(['*', '_']).len();
        Some(start..end)
    })
}

/// The answer with these arguments of the only action, if they are allowed.
fn answer_with(
    spec: &ActionSpec,
    values: Vec<(Arg, Range<usize>)>,
    at: Range<usize>,
) -> Result<FoundAnswer, ParseError> {
    let mut found = FoundAnswer::plain(&spec.name, at.clone());
    for (param, (arg, span)) in spec.params.iter().zip(values) {
        found.args.push((param.name.clone(), span));
        found.action.args.insert(param.name.clone(), arg);
    }
    spec.check(&found.action).map_err(|error| ParseError::at("argument", error.to_string(), at))?;
    Ok(found)
}

/// The action that is all that follows a word of an answer; otherwise the last call, whatever is written around it.
fn call(part: &ActionPart<'_>, word: &str) -> Result<FoundAnswer, ParseError> {
    let reply = part.reply;
    let exact = words(reply, word).find_map(|found| {
        let at = trimmed_span(reply, found.end..reply.len());
        let read = part.action_space.read(&reply[at.clone()]).ok()?;
        let moved = |(name, span): (String, Range<usize>)| (name, span.start + at.start..span.end + at.start);
        let args = read.args.into_iter().map(moved).collect();
        Some(FoundAnswer { action: read.action, args, ..FoundAnswer::plain("", at) })
    });
    exact.map_or_else(|| last_call(part), Ok)
}

/// The last call of an action. Single quotes are read too, as in Python.
fn last_call(part: &ActionPart<'_>) -> Result<FoundAnswer, ParseError> {
    let reply = part.reply;
    let opens =
        |spec: &ActionSpec, at: usize| reply[at + spec.name.len()..].trim_start_matches(' ').starts_with('(');
    let specs = part.action_space.specs().iter().filter(|spec| !spec.name.is_empty());
    let last = specs.filter_map(|spec| {
        let mut places = reply.rmatch_indices(spec.name.as_str()).map(|(at, _)| at);
        Some((places.find(|at| opens(spec, *at))?, spec))
    });
    let Some((start, spec)) = last.max_by_key(|(at, spec)| (*at, spec.name.len())) else {
        return last_plain(part);
    };
    let arguments = start + spec.name.len();
    let read = spec.read_arguments(reply, arguments);
    let read = read.or_else(|_| spec.read_arguments(&reply.replace('\'', "\""), arguments));
    match read {
        Ok(read) => {
            let at = start..read.length;
            Ok(FoundAnswer { action: read.action, args: read.args, ..FoundAnswer::plain("", at) })
        }
        Err(misread) => Err(ParseError::at("argument", misread.error.to_string(), misread.at)),
    }
}

/// The last name of an action that needs no arguments, where there is no call.
fn last_plain(part: &ActionPart<'_>) -> Result<FoundAnswer, ParseError> {
    let plain = part.action_space.specs().iter().filter(|spec| spec.is_plain() && !spec.name.is_empty());
    let places = plain.filter_map(|spec| Some((part.reply.rfind(&spec.name)?, &spec.name)));
    let last = places.max_by_key(|(at, name)| (*at, name.len()));
    let (at, name) = last.ok_or_else(|| ParseError::missing("action", "the reply has no call".to_owned()))?;
    Ok(FoundAnswer::plain(name, at..at + name.len()))
}
