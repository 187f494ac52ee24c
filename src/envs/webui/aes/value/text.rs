//! Texts: equal without case, or for longer ones the overlap of their words.

use rustc_hash::FxHashSet;

use super::super::python::strip;
use super::super::rules::{PaperRule, Rules};
use super::equal;

/// From this number of words on, texts are compared by overlap.
const MANY: usize = 10;

/// A trimmed text. Its words are what lies between single spaces, so two spaces enclose an empty one.
#[derive(Debug)]
pub(in super::super) struct Text<'a> {
    count: usize,
    /// In small letters, of a text with few words.
    lower: Option<String>,
    /// The different words in order, unless there are too many.
    words: Option<Vec<&'a str>>,
}

impl<'a> Text<'a> {
    pub(super) fn new(source: &'a str, limit: usize) -> Self {
        let text = strip(source);
        let count = text.split(' ').count();
        let lower = (count < MANY).then(|| text.to_lowercase());
        Self { count, lower, words: different_words(text, limit) }
    }

    pub(super) fn likeness(&self, generated: &Self, rules: Rules) -> f64 {
        if !self.by_overlap(rules) {
            return equal(&self.lower, &generated.lower);
        }
        match (&self.words, &generated.words) {
            (Some(target), Some(generated)) => overlap(target, generated),
            _ => 0.0,
        }
    }

    /// Twice as many words have an overlap of at most a half.
    pub(super) fn word_limit(&self, rules: Rules) -> usize {
        let words = self.words.as_ref().map_or(0, Vec::len);
        if self.by_overlap(rules) { 2 * words } else { 0 }
    }

    fn by_overlap(&self, rules: Rules) -> bool {
        self.count >= MANY || rules.has(PaperRule::TextOverlap)
    }
}

fn different_words(text: &str, limit: usize) -> Option<Vec<&str>> {
    let mut known = FxHashSet::default();
    for word in text.split(' ') {
        if known.insert(word) && known.len() > limit {
            return None;
        }
    }
    let mut words: Vec<&str> = known.into_iter().collect();
    words.sort_unstable();
    Some(words)
}

/// The size of the intersection over that of the union.
#[expect(clippy::cast_precision_loss, reason = "a page has fewer words than a float has whole numbers")]
fn overlap(target: &[&str], generated: &[&str]) -> f64 {
    let mut left = 0;
    let mut right = 0;
    let mut common = 0;
    while let (Some(first), Some(second)) = (target.get(left), generated.get(right)) {
        common += usize::from(first == second);
        left += usize::from(first <= second);
        right += usize::from(first >= second);
    }
    common as f64 / (target.len() + generated.len() - common) as f64
}
