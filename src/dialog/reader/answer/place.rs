//! Pairs of numbers that are a place, such as `(0.5, 0.25)`.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::super::{ActionPart, Leniency, ParseError};
use super::{FoundAnswer, answer_with, words};
use mageyard_domain::{Arg, Number};

const NUMBER: &str = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?";

/// Plain numbers in round brackets.
static PLAIN: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\(\s*(\d+\.?\d*|\.\d+)\s*,\s*(\d+\.?\d*|\.\d+)\s*\)").ok());

/// Also with signs, exponents, square brackets and names.
static ANY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(&format!(r"[(\[]\s*(?:[xX]\s*[=:]\s*)?({NUMBER})\s*,\s*(?:[yY]\s*[=:]\s*)?({NUMBER})\s*[)\]]"))
        .ok()
});

/// Without brackets, where nothing else comes before.
static BARE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(&format!(r"^[\s*_`]*({NUMBER})\s*,\s*({NUMBER})")).ok());

/// The last pair of plain numbers in round brackets in the complete reply.
pub(super) fn last_plain_pair(part: &ActionPart<'_>) -> Result<FoundAnswer, ParseError> {
    let found = last_pair(part, &PLAIN, 0)?;
    found.map_or_else(
        || {
            Err(ParseError::missing(
                "action",
                "the reply has no pair of numbers in round brackets".to_owned(),
            ))
        },
        |found| {
            let at = found.at.clone();
            Ok(found.by("last pair in round brackets", at))
        },
    )
}

/// The last pair after the last word of an answer or, without such a word, in the complete reply.
pub(super) fn last_pair_of_answer(part: &ActionPart<'_>, word: &str) -> Result<FoundAnswer, ParseError> {
    let from = words(part.reply, word).last().map(|found| found.end);
    let start = from.unwrap_or(0);
    if let Some(found) = last_pair(part, &ANY, start)? {
        let square = part.reply[found.at.clone()].starts_with('[');
        let at = found.at.clone();
        let found = found.with_leniency(Leniency::Around, square);
        return Ok(if from.is_some() { found } else { found.by("last pair in the reply", at) });
    }
    let bare = from.map(|from| last_pair(part, &BARE, from)).transpose()?.flatten();
    let bare = bare.map(|found| found.with_leniency(Leniency::Around, true));
    bare.ok_or_else(|| {
        ParseError::missing("action", "the reply has no pair of numbers in brackets".to_owned())
    })
}

fn last_pair(
    part: &ActionPart<'_>,
    pattern: &LazyLock<Option<Regex>>,
    from: usize,
) -> Result<Option<FoundAnswer>, ParseError> {
    let Some(spec) = part.action_space.specs().first() else { return Ok(None) };
    let text = &part.reply[from..];
    let pairs = LazyLock::force(pattern).iter().flat_map(|pattern| pattern.captures_iter(text));
    let last = pairs.last().and_then(|pair| Some((pair.get(1)?.range(), pair.get(2)?.range(), pair.get(0)?)));
    let Some((x, y, all)) = last else { return Ok(None) };
    let moved = |range: &Range<usize>| range.start + from..range.end + from;
    let value = |range: Range<usize>| {
        let number = text[range.clone()].parse().ok().and_then(Number::new);
        number.map(|number| (Arg::Number(number), moved(&range)))
    };
    let all = moved(&all.range());
    match (value(x), value(y)) {
        (Some(x), Some(y)) => answer_with(spec, vec![x, y], all).map(Some),
        _ => Err(ParseError::at("argument", "a number is not valid".to_owned(), all)),
    }
}
