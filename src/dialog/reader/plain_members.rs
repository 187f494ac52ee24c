//! Common forms of a list member that say plainly which actions are meant: `Up x2`, `and Left`, `[Up`, `Up (nudge)`,
//! `Up -> Left`.
//!
//! A member is read completely or not at all: if a part of it is not understood, it is not an action.

use std::sync::LazyLock;

use regex::Regex;

use super::actions::strip_list_marker;
use super::anywhere::find_names;
use super::{ActionPart, Leniency};

/// The most that a member can repeat an action.
const MAX_TIMES: usize = 99;

/// How many decorations of one action are taken off.
const MAX_DECORATIONS: usize = 6;

/// Signs that may be left at the start of a member of a list in brackets, in bold or in quotes.
const OPENING: &[char] =
    &['[', '(', '{', '*', '_', '`', '"', '\'', '“', '‘', '«', '（', '［', '【', '「', '~'];

/// The same at the end of a member.
const CLOSING: &[char] =
    &[']', ')', '}', '*', '_', '`', '"', '\'', '”', '’', '»', '）', '］', '】', '」', '~'];

/// A count of an action: `x2`, `2 times`, `twice`.
const COUNT: &str = r"(?:[x×✕*]\s*(\d{1,2})|(\d{1,2})\s*(?:[x×✕]|times?)|(once|twice|thrice))";

static COUNT_AFTER: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(&format!(r"(?is)^(.*?\S)\s*{COUNT}$")).ok());

static COUNT_IN_PARENTHESES: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(&format!(r"(?is)^(.*?\S)\s*[(\[（]\s*{COUNT}\s*[)\]）]$")).ok());

static COUNT_BEFORE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?is)^(\d{1,2})\s*(?:[x×✕*]|times)\s*(\D.*)$").ok());

/// An action, and an explanation in parentheses.
static IN_PARENTHESES: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?s)^([^(（]*[^\s(（])\s*[(（]([^()（）]*)[)）]\s*[.。]?$").ok());

/// An action, and an explanation after a colon or a dash.
static AFTER_DASH: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?s)^([^:：–—]*?\S)(?:\s+[-–—]+\s+|\s*[:：]\s*)(\S.*)$").ok());

/// An explanation that is only a number, or a number of something.
static NUMBER: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^[\W_]*\d+[\W_]*[^\W\d_]*[\W_]*$").ok());

/// Words before an action: `and then`, `Step 2:`, `finally`.
static LEAD: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words = "and|then|next|first|second|third|finally|lastly";
    Regex::new(&format!(r"(?i)^(?:(?:(?:{words})[,:]?|&)\s+|(?:step|move)\s+\d{{1,3}}\s*[:：.)]\s*)+")).ok()
});

/// What separates actions within a member.
static JOINT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let signs = r"\s*[,，、;；|→⇒➜➔➡\n]\u{fe0f}?\s*|\s*[-=]{1,2}>\s*|\s+[-–—]\s+";
    Regex::new(&format!(r"(?i){signs}|\s+(?:(?:and|then|&)\s+)+")).ok()
});

/// What is left of a text without one decoration, and how often its action is repeated.
struct Stripped<'t> {
    rest: &'t str,
    times: usize,
    explanation: Option<&'t str>,
    leniency: Leniency,
}

/// An action with decorations: the text that should name it, and how often it is repeated.
pub(super) struct Decorated<'t> {
    pub(super) text: &'t str,
    pub(super) times: usize,
    explanations: Vec<&'t str>,
    pub(super) leniencies: Vec<Leniency>,
}

impl<'t> Decorated<'t> {
    /// The forms of a text with fewer and fewer decorations, the complete text first.
    pub(super) fn forms(text: &'t str) -> impl Iterator<Item = Self> {
        let first = Self { text, times: 1, explanations: Vec::new(), leniencies: Vec::new() };
        std::iter::successors(Some(first), Self::without_one).take(MAX_DECORATIONS)
    }

    fn without_one(&self) -> Option<Self> {
        let Stripped { rest, times, explanation, leniency } = strip_one(self.text)?;
        let times = self.times * times;
        let explanations = self.explanations.iter().copied().chain(explanation).collect();
        let leniencies = self.leniencies.iter().copied().chain([leniency]).collect();
        (1..=MAX_TIMES).contains(&times).then_some(Self { text: rest, times, explanations, leniencies })
    }

    /// Whether an explanation names an action that is not this one, and so may be a part of the plan.
    pub(super) fn explains_another(&self, part: &ActionPart<'_>, name: &str) -> bool {
        let names = |why: &&str| find_names(why, false, part.action_space);
        self.explanations
            .iter()
            .flat_map(names)
            .flat_map(|found| found.actions)
            .any(|other| other.name != name)
    }
}

fn strip_one(text: &str) -> Option<Stripped<'_>> {
    let plain = |rest, leniency| Stripped { rest, times: 1, explanation: None, leniency };
    if let Some(lead) = LEAD.as_ref().and_then(|lead| lead.find(text)) {
        return Some(plain(&text[lead.end()..], Leniency::Joint));
    }
    if let Some(rest) = strip_list_marker(text) {
        return Some(plain(rest.trim(), Leniency::Marker));
    }
    if let Some((rest, times)) = strip_count(text) {
        return Some(Stripped { times, ..plain(rest, Leniency::Count) });
    }
    if let Some((rest, why)) = strip_explanation(text) {
        return Some(Stripped { explanation: Some(why), ..plain(rest, Leniency::Explanation) });
    }
    let bare = text.trim_start_matches(OPENING).trim_end_matches(CLOSING).trim();
    (bare.len() < text.len()).then(|| plain(bare, Leniency::Around))
}

/// A text without the count of repetitions before or after it.
fn strip_count(text: &str) -> Option<(&str, usize)> {
    let after = [&COUNT_IN_PARENTHESES, &COUNT_AFTER];
    let after = after.iter().find_map(|count| count.as_ref()?.captures(text));
    if let Some(found) = after {
        let digits = found.get(2).or_else(|| found.get(3)).map(|digits| digits.as_str());
        let word = || found.get(4).map(|word| word.as_str().to_lowercase());
        let times = match digits {
            Some(digits) => digits.parse().ok()?,
            None => ["once", "twice", "thrice"].iter().position(|name| Some(*name) == word().as_deref())? + 1,
        };
        return Some((found.get(1)?.as_str(), times));
    }
    let found = COUNT_BEFORE.as_ref()?.captures(text)?;
    Some((found.get(2)?.as_str(), found.get(1)?.as_str().parse().ok()?))
}

/// A text without the explanation after it, and the explanation.
fn strip_explanation(text: &str) -> Option<(&str, &str)> {
    let forms = [&IN_PARENTHESES, &AFTER_DASH];
    let found = forms.iter().find_map(|form| form.as_ref()?.captures(text))?;
    let why = found.get(2)?.as_str();
    // `(3)` or `(3 moves)` may be a count.
    let is_number = NUMBER.as_ref().is_none_or(|number| number.is_match(why));
    Some((found.get(1)?.as_str(), why)).filter(|_| !is_number)
}

/// The parts of a member with signs or words such as `->` and `then` between them; one part if there are none.
pub(super) fn joined_parts(text: &str) -> Vec<&str> {
    let Some(joint) = JOINT.as_ref() else { return vec![text] };
    joint.split(text.trim_start_matches(OPENING).trim_end_matches(CLOSING)).collect()
}

/// Whether a member is only a line with a code fence.
pub(super) fn is_fence(text: &str) -> bool {
    text.strip_prefix("```").is_some_and(|word| word.chars().all(|c| c.is_alphanumeric() || c == '`'))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The program may have fewer features of the crate than a test.
    #[test]
    fn every_pattern_is_valid_and_has_only_classes_that_the_program_has() {
        for pattern in [
            &COUNT_AFTER,
            &COUNT_IN_PARENTHESES,
            &COUNT_BEFORE,
            &IN_PARENTHESES,
            &AFTER_DASH,
            &NUMBER,
            &LEAD,
            &JOINT,
        ] {
            let text = pattern.as_ref().expect("a valid pattern").as_str();
            assert!(!text.contains(r"\p"), "{text}");
        }
        for (why, is_number) in [("3", true), (" 3 moves", true), ("3rd to last", false), ("nudge", false)] {
            assert_eq!(NUMBER.as_ref().unwrap().is_match(why), is_number, "{why}");
        }
    }
}
