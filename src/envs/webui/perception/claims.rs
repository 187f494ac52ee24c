//! What an analysis says of the pages: that there is a button, a link or a heading with a quoted text. A sentence that denies, asks,
//! supposes or demands something is not read, and what cannot be known for sure is left out.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::list::{Kind, PageList};
use super::pictures::{Side, all_lists, pictures};
use crate::inspector;
use mageyard_domain::{ActionShape, Claim, Observation, ObservationPart, PixelBox};

/// Sentences that are not read: they deny, suppose, ask, demand, or describe what was or will be.
static UNREAD: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?i)\b(not|no|never|none|neither|nor|missing|lacks?|without|if|would|could|should|must|may|might|will|shall|needs?|needed|adds?|added|adding|changes?|changed|renames?|renamed|replaces?|replaced|instead|after|then|when|once|before|until|creates?|created|makes?|new|let|wants?|expect|expected|supposed|hover|hovered|clicks?|clicked)\b|n['’]t\b|\?",
    )
    .ok()
});

/// `a button "Send"`, `the heading that says "Tea"`.
static AFTER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r#"(?i)\b(button|link|heading)\s+(?:(?:labell?ed|saying|reading|that says|that reads|with the (?:text|label))\s+)?["“]([^"“”\n]{1,80})["”]"#,
    )
    .ok()
});

/// `the "Send" button`.
static BEFORE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"(?i)["“]([^"“”\n]{1,80})["”]\s+(button|link|heading)\b"#).ok());

static PRESENT: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?i)\b(present|current|generated|my|our|mine|ours)\b").ok());
static WANTED: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?i)\b(wanted|target|reference|described|description|original)\b").ok());

/// A page with everything that is stored of it.
struct Known {
    side: Side,
    /// The elements of all its states, whether they are in a picture or not.
    lists: Vec<PageList>,
    /// What it is made from: an element of it may appear later.
    source: String,
}

/// What an analysis says of the pages of an observation.
pub(super) fn claims(seen: &Observation, analysis: &str) -> Vec<Claim> {
    let known = known(seen);
    let mut claims = Vec::new();
    for sentence in sentences(analysis) {
        let text = &analysis[sentence.clone()];
        if !has(&UNREAD, &unquoted(text)) {
            claims.extend(of_sentence(seen, &known, text, sentence.start));
        }
    }
    claims.sort_by_key(|claim| claim.at.start);
    claims
}

/// Whether a text has a match. An expression that cannot be built matches every text, so that nothing is read.
fn has(expression: &LazyLock<Option<Regex>>, text: &str) -> bool {
    expression.as_ref().is_none_or(|expression| expression.is_match(text))
}

/// The text without what is quoted, which says nothing about how the sentence is meant.
fn unquoted(text: &str) -> String {
    text.split(['"', '“', '”']).step_by(2).collect::<Vec<_>>().join("\"")
}

/// The sentences of a text: they end with a sign before a space, and with a line.
fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, sign) in text.char_indices() {
        let end = at + sign.len_utf8();
        let ends = sign == '\n' || ".!?;".contains(sign) && text[end..].starts_with(char::is_whitespace);
        if ends {
            found.push(start..end);
            start = end;
        }
    }
    found.push(start..text.len());
    found
}

fn of_sentence(seen: &Observation, known: &[Known], text: &str, from: usize) -> Vec<Claim> {
    let plain = unquoted(text);
    let sides: &[Side] = match (has(&PRESENT, &plain), has(&WANTED, &plain)) {
        (true, false) => &[Side::Present],
        (false, true) => &[Side::Wanted],
        // A sentence about both pages, or about one that it does not name.
        _ => &[Side::Present, Side::Wanted],
    };
    let known: Vec<&Known> = known.iter().filter(|known| sides.contains(&known.side)).collect();
    let (Some(after), Some(before)) = (AFTER.as_ref(), BEFORE.as_ref()) else { return Vec::new() };
    let after: Vec<_> = after.captures_iter(text).map(|found| (found, [1, 2])).collect();
    let overlaps = |at: Range<usize>| {
        after.iter().any(|(other, _)| {
            other.get(0).is_some_and(|other| at.start < other.end() && other.start() < at.end)
        })
    };
    // In `link "A", button "B"` the words `"A", button` are not one thing, nor is what is between two quoted texts.
    let before = before.captures_iter(text).filter(|found| {
        found.get(0).is_some_and(|whole| !overlaps(whole.range()) && is_opening(text, whole.start()))
    });
    let found: Vec<_> = before.map(|found| (found, [2, 1])).collect();
    let found = found.into_iter().chain(after);
    found
        .filter_map(|(found, [kind, words])| {
            let whole = found.get(0)?;
            let kind = kind_named(found.get(kind)?.as_str())?;
            let words = found.get(words)?.as_str();
            let holds = holds(&known, kind, words)?;
            Some(Claim {
                at: from + whole.start()..from + whole.end(),
                says: format!("{} \"{}\"", kind.name(), super::list::one_line(words)),
                holds,
                claimed: area(seen, sides, kind, words).into_iter().collect(),
                actual: Vec::new(),
            })
        })
        .collect()
}

/// Whether the quotation mark at this byte opens a quoted text.
fn is_opening(text: &str, at: usize) -> bool {
    text[at..].starts_with('“') || text[..at].matches('"').count().is_multiple_of(2)
}

fn kind_named(word: &str) -> Option<Kind> {
    let word = word.to_ascii_lowercase();
    [Kind::Button, Kind::Link, Kind::Heading].into_iter().find(|kind| kind.name() == word)
}

/// Whether all of these pages have the element, or none has; `None` if they differ, or if it cannot be known.
fn holds(known: &[&Known], kind: Kind, words: &str) -> Option<bool> {
    let mut answers = known.iter().map(|known| known.has(kind, words));
    let first = answers.next()??;
    answers.all(|answer| answer == Some(first)).then_some(first)
}

impl Known {
    /// Whether it has an element with this text. `None` if another element or the source has the text.
    fn has(&self, kind: Kind, words: &str) -> Option<bool> {
        let words = letters(words);
        if words.is_empty() {
            return None;
        }
        let elements = || self.lists.iter().flat_map(|list| &list.elements);
        if elements().any(|one| one.kind == kind && letters(&one.text) == words) {
            return Some(true);
        }
        let is_elsewhere =
            elements().any(|one| letters(&one.text).contains(&words)) || self.source.contains(&words);
        (!is_elsewhere).then_some(false)
    }
}

/// Small letters and digits, by which texts are compared.
fn letters(text: &str) -> String {
    text.chars().filter(|sign| sign.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The pages of an observation that have a layout.
fn known(seen: &Observation) -> Vec<Known> {
    let description = seen.parts().iter().take(seen.task_parts()).filter_map(|part| match part {
        ObservationPart::Text(text) => Some(letters(text)),
        _ => None,
    });
    let description = description.collect::<Vec<_>>().join("\n");
    let Ok(files) = inspector::files(seen) else { return Vec::new() };
    let files: Vec<String> = files.written().map(|(_, text)| letters(text)).collect();
    let sources = [(Side::Wanted, description), (Side::Present, files.join("\n"))];
    let page = |(side, source)| {
        let lists = all_lists(seen, side).ok().filter(|lists| !lists.is_empty())?;
        Some(Known { side, lists, source })
    };
    sources.into_iter().filter_map(page).collect()
}

/// The element in the first picture of the observation, if that is of one of these pages.
fn area(seen: &Observation, sides: &[Side], kind: Kind, words: &str) -> Option<ActionShape> {
    let (first, _) = seen.images().next()?;
    let found = pictures(seen).ok()?;
    let picture = found.pictures.iter().find(|picture| picture.layout.part == first)?;
    let list = found.list(picture).ok().filter(|_| sides.contains(&picture.layout.side))?;
    let element =
        list.elements.into_iter().find(|one| one.kind == kind && letters(&one.text) == letters(words))?;
    let [left, top, width, height] = element.area;
    let side = |pixels: i32| u32::try_from(pixels).ok();
    Some(ActionShape::Area(PixelBox {
        left: left.into(),
        top: top.into(),
        width: side(width)?,
        height: side(height)?,
    }))
}
