//! Answers that are a list of letters, one on each line.

use std::ops::Range;

use super::super::{ActionPart, Leniency, ParseError};
use super::{FoundAnswer, answer_with, missing_word, words};
use mageyard_domain::Arg;

/// What may separate letters on one line.
const SEPARATORS: [char; 8] = [' ', '\t', ',', ';', '、', '→', '>', '-'];

/// A letter and its byte.
type Letter = (char, usize);

/// Letters on the lines below the last word: several on a line, small ones, list markers, explanations after a full stop and
/// empty lines are read. The first other line ends the list.
pub(super) fn lines_of_letters(part: &ActionPart<'_>, word: &str) -> Result<FoundAnswer, ParseError> {
    let reply = part.reply;
    let start = words(reply, word).last().ok_or_else(|| missing_word(word))?.end;
    let mut letters: Vec<Letter> = Vec::new();
    let mut leniencies = Vec::new();
    let mut at = start;
    for line in reply[start..].split_inclusive('\n') {
        if !line.trim().is_empty() {
            let Some(read) = letters_of(line, at, &mut leniencies) else { break };
            letters.extend(read);
        }
        at += line.len();
    }
    let found = letters_answer(part, &letters)?;
    Ok(leniencies.into_iter().fold(found, |found, leniency| found.with_leniency(leniency, true)))
}

/// The letters of a line; `None` if it has something else.
fn letters_of(line: &str, at: usize, leniencies: &mut Vec<Leniency>) -> Option<Vec<Letter>> {
    let decoration =
        |c: char| c.is_whitespace() || matches!(c, '*' | '_' | '`' | '[' | ']' | '(' | '"' | '\'');
    let text = line.trim_start_matches(decoration);
    let text = text.strip_prefix(['-', '+', '•']).unwrap_or(text).trim_start_matches(decoration);
    let text = without_number(text).trim_start_matches(decoration);
    let start = at + (line.len() - text.len());
    let mut letters = Vec::new();
    let mut token_start = 0;
    for token in text.split_inclusive(SEPARATORS) {
        let word = token.trim_end_matches(SEPARATORS);
        let word = word.trim_matches(decoration);
        let place = start + token_start + token.find(word).unwrap_or(0);
        token_start += token.len();
        match word.chars().collect::<Vec<_>>().as_slice() {
            [] => {}
            [letter] if letter.is_ascii_alphabetic() => letters.push((*letter, place)),
            [letter, '.' | ')' | ':' | '*' | '`', ..]
                if letter.is_ascii_alphabetic() && letters.is_empty() =>
            {
                letters.push((*letter, place));
                leniencies.extend((text.trim_end().len() > 2).then_some(Leniency::Explanation));
                break;
            }
            _ => return None,
        }
    }
    leniencies.extend((letters.len() > 1).then_some(Leniency::Joint));
    leniencies
        .extend(letters.iter().any(|(letter, _)| letter.is_ascii_lowercase()).then_some(Leniency::Capitals));
    (!letters.is_empty())
        .then(|| letters.into_iter().map(|(letter, at)| (letter.to_ascii_uppercase(), at)).collect())
}

/// The text after the number of a list, such as `1. `.
fn without_number(text: &str) -> &str {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let marked = rest.strip_prefix(['.', ')']).filter(|_| rest.len() < text.len());
    marked.filter(|rest| rest.starts_with(' ')).unwrap_or(text)
}

/// The first letter after the last word, and the first letter of each line directly below that begins with one.
pub(super) fn adjoining_letters(part: &ActionPart<'_>, word: &str) -> Result<FoundAnswer, ParseError> {
    let reply = part.reply;
    let start = words(reply, word).last().ok_or_else(|| missing_word(word))?;
    let mut letters: Vec<Letter> = Vec::new();
    let first = reply[start.end..].trim_start();
    let mut at = reply.len() - first.len();
    for line in first.split('\n') {
        let Some(letter) = line.chars().next().filter(char::is_ascii_alphabetic) else { break };
        letters.push((letter, at));
        at += line.len() + 1;
    }
    let found = letters_answer(part, &letters)?;
    let matched = start.start..found.at.end;
    Ok(found.by("last answer and the first letters of the lines below", matched))
}

fn letters_answer(part: &ActionPart<'_>, letters: &[Letter]) -> Result<FoundAnswer, ParseError> {
    let (Some(spec), Some((_, first)), Some((_, last))) =
        (part.action_space.specs().first(), letters.first(), letters.last())
    else {
        return Err(ParseError::missing("list", "no letter follows the word of the answer".to_owned()));
    };
    let at: Range<usize> = *first..last + 1;
    let text: Vec<String> = letters.iter().map(|(letter, _)| letter.to_string()).collect();
    answer_with(spec, vec![(Arg::Text(text.join(" ")), at.clone())], at)
}
