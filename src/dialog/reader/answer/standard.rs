//! Our own rules: the last word of an answer decides. What a person would read as the answer is read, with its deviation
//! named; what could mean two answers is not.

use std::ops::Range;

use super::super::{ActionPart, Leniency, ParseError, excerpt, trimmed_span};
use super::{FoundAnswer, call, lines, missing_word, place, words};
use mageyard_domain::{ActionSpec, AnswerShape, nearest_names};

/// Signs around a name.
const AROUND: [char; 16] = ['*', '_', '`', '"', '\'', '“', '”', '‘', '’', '(', ')', '[', ']', '{', '}', '$'];
/// Signs after a name.
const ENDINGS: [char; 8] = ['.', ',', ';', ':', '!', '。', '-', '–'];

pub(super) fn find(part: &ActionPart<'_>, word: &str, shape: AnswerShape) -> Result<FoundAnswer, ParseError> {
    match shape {
        AnswerShape::Point => place::last_pair_of_answer(part, word),
        AnswerShape::Lines => lines::lines_of_letters(part, word),
        AnswerShape::Call => call(part, word),
        AnswerShape::Name => {
            let Some(found) = words(part.reply, word).last() else {
                return bare_name(part).ok_or_else(|| missing_word(word));
            };
            let exact = &part.reply[found.clone()] == word;
            name_after(part, found.end).map(|answer| answer.with_leniency(Leniency::Heading, !exact))
        }
    }
}

/// A reply that is nothing but a name.
fn bare_name(part: &ActionPart<'_>) -> Option<FoundAnswer> {
    let all = trimmed_span(part.reply, 0..part.reply.len());
    let read = name_at(part, all.clone())?;
    let rest = part.reply[read.at.end..all.end].trim_matches(|c| AROUND.contains(&c) || ENDINGS.contains(&c));
    rest.is_empty().then(|| {
        let at = read.at.clone();
        read.by("the reply is only a name", at)
    })
}

/// The name in the first line that has something after this byte.
fn name_after(part: &ActionPart<'_>, from: usize) -> Result<FoundAnswer, ParseError> {
    let reply = part.reply;
    let rest = trimmed_span(reply, from..reply.len());
    let length = reply[rest.clone()].find('\n').unwrap_or(rest.len());
    let line = trimmed_span(reply, rest.start..rest.start + length);
    if line.is_empty() {
        return Err(ParseError::missing("action", "nothing follows the word of the answer".to_owned()));
    }
    let unknown = || {
        let given = &reply[line.clone()];
        let near = nearest_names(given, part.action_space.names()).into_iter().map(str::to_owned).collect();
        let why = format!("{:?} is not an answer; the answers are {}", excerpt(given), names(part));
        ParseError { near, ..ParseError::at("action", why, line.clone()) }
    };
    let found = name_at(part, line.clone()).ok_or_else(unknown)?;
    let after = trimmed_span(reply, found.at.end..line.end);
    let decoration = |c: char| AROUND.contains(&c) || ENDINGS.contains(&c) || c.is_whitespace();
    let explanation = reply[after.clone()].trim_matches(decoration);
    if names_another(part, explanation) {
        let why = format!("{:?} names several answers", excerpt(&reply[line.clone()]));
        return Err(ParseError::at("action", why, line));
    }
    let ending = explanation.is_empty() && reply[after].contains(ENDINGS);
    let more = !reply[line.end..].trim().is_empty();
    Ok(found
        .with_leniency(Leniency::Ending, ending)
        .with_leniency(Leniency::Explanation, !explanation.is_empty())
        .with_leniency(Leniency::Outside, more))
}

/// The longest name with which a part of the reply begins, as a word of its own.
fn name_at(part: &ActionPart<'_>, within: Range<usize>) -> Option<FoundAnswer> {
    let text = part.reply[within.clone()].trim_start_matches(AROUND);
    let start = within.end - text.len();
    let begins = |spec: &&ActionSpec| {
        let rest = text.get(spec.name.len()..);
        let same = text.get(..spec.name.len()).is_some_and(|name| name.eq_ignore_ascii_case(&spec.name));
        same && !spec.name.is_empty() && rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    };
    let exact = |spec: &&ActionSpec| (spec.name.len(), text.starts_with(&spec.name));
    let spec = part.action_space.specs().iter().filter(begins).max_by_key(exact)?;
    let at = start..start + spec.name.len();
    let found = FoundAnswer::plain(&spec.name, at);
    let same_case = text.starts_with(&spec.name);
    Some(
        found
            .with_leniency(Leniency::Around, start > within.start)
            .with_leniency(Leniency::Capitals, !same_case),
    )
}

/// Whether what follows a name is another one.
fn names_another(part: &ActionPart<'_>, text: &str) -> bool {
    let joint = |word: &&str| matches!(*word, "or" | "and" | "then") || word.is_empty();
    let next = text.split(|c: char| !c.is_alphanumeric()).find(|word| !joint(word));
    next.is_some_and(|next| part.action_space.names().any(|name| name == next))
}

fn names(part: &ActionPart<'_>) -> String {
    part.action_space.names().collect::<Vec<_>>().join(", ")
}
