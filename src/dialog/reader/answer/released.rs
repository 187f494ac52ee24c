//! The rules of released code, to the letter: they take a letter in any case, the first letter of a line, and a word
//! anywhere.

use std::ops::Range;

use super::super::{ActionPart, ParseError};
use super::{FoundAnswer, call, lines, missing_word, place, standard, words};
use mageyard_domain::AnswerShape;

/// The most words of a question that is answered with yes or no: both, and both together.
const FEW: usize = 3;

pub(super) fn find(part: &ActionPart<'_>, word: &str, shape: AnswerShape) -> Result<FoundAnswer, ParseError> {
    let letters = part.action_space.names().all(|name| name.len() == 1);
    match shape {
        AnswerShape::Point => place::last_plain_pair(part),
        AnswerShape::Lines => lines::adjoining_letters(part, word),
        AnswerShape::Name if letters => last_letter(part, word),
        AnswerShape::Name if part.action_space.specs().len() <= FEW => word_anywhere(part),
        AnswerShape::Name => standard::find(part, word, shape),
        AnswerShape::Call => {
            let found = call(part, word)?;
            let at = found.at.clone();
            Ok(found.by("a call", at))
        }
    }
}

/// The first letter after the last word that a letter follows. A small one is no answer.
fn last_letter(part: &ActionPart<'_>, word: &str) -> Result<FoundAnswer, ParseError> {
    let reply = part.reply;
    let letters = words(reply, word).filter_map(|found| {
        let rest = reply[found.end..].trim_start();
        let letter = rest.chars().next().filter(char::is_ascii_alphabetic)?;
        Some((found.start, reply.len() - rest.len(), letter))
    });
    let (start, at, letter) = letters.last().ok_or_else(|| missing_word(word))?;
    let name = letter.to_string();
    if part.action_space.spec(&name).is_none() {
        return Err(ParseError::at("action", format!("{name:?} is not a letter of an answer"), at..at + 1));
    }
    Ok(FoundAnswer::plain(&name, at..at + 1).by("last answer with a letter", start..at + 1))
}

/// The name that occurs anywhere in the reply, as a part of a longer word too. If several do, the answer is the action that
/// is named by all of them, such as `True and False`, if there is one.
fn word_anywhere(part: &ActionPart<'_>) -> Result<FoundAnswer, ParseError> {
    let mut found: Vec<(&str, Range<usize>)> = Vec::new();
    let mut names: Vec<&str> = part.action_space.names().filter(|name| !name.is_empty()).collect();
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    for name in names {
        let places = part.reply.match_indices(name).map(|(at, _)| at..at + name.len());
        let is_free = |place: &Range<usize>| {
            found.iter().all(|(_, taken)| place.end <= taken.start || taken.end <= place.start)
        };
        let last = places.filter(is_free).last();
        found.extend(last.map(|place| (name, place)));
    }
    match found.as_slice() {
        [] => Err(ParseError::missing("action", "the reply has no word of an answer".to_owned())),
        [(name, at)] => Ok(FoundAnswer::plain(name, at.clone()).by("a word anywhere", at.clone())),
        [(_, first), .., (_, last)] => {
            let both = first.start.min(last.start)..first.end.max(last.end);
            let all = |name: &&str| found.iter().all(|(word, _)| name.contains(word));
            let joined = part.action_space.names().find(all).ok_or_else(|| {
                let why = "the reply has several words of answers; the released code takes the right one";
                ParseError::at("action", why.to_owned(), both.clone())
            })?;
            Ok(FoundAnswer::plain(joined, both.clone()).by("words anywhere", both))
        }
    }
}
