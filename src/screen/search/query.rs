//! What is searched: words, of which a row break separates two as a space does. Upper and lower case are the same unless
//! an upper-case letter is given.

/// The text that is searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Query {
    /// With single spaces, and in lower case unless case counts.
    letters: Vec<char>,
    text: String,
    is_exact: bool,
}

impl Query {
    /// A query; `None` if there is nothing to search.
    pub(crate) fn new(text: &str) -> Option<Self> {
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let is_exact = words.chars().any(char::is_uppercase);
        let letters: Vec<char> = words.chars().map(|letter| folded(letter, is_exact)).collect();
        (!letters.is_empty()).then(|| Self { text: letters.iter().collect(), letters, is_exact })
    }

    /// The number of its letters.
    pub(crate) fn len(&self) -> usize {
        self.letters.len()
    }

    /// Whether case counts.
    pub(crate) fn is_exact(&self) -> bool {
        self.is_exact
    }

    pub(super) fn letters(&self) -> &[char] {
        &self.letters
    }

    /// A letter as it is compared.
    pub(super) fn folded(&self, letter: char) -> char {
        folded(letter, self.is_exact)
    }

    /// The byte offset in [`Query::comparable`] at which this text has it.
    pub(super) fn position(&self, comparable: &str) -> Option<usize> {
        comparable.find(&self.text)
    }

    /// Whether a text has it.
    pub(super) fn is_in(&self, text: &str) -> bool {
        self.position(&self.comparable(text)).is_some()
    }

    /// A text as it is compared: with single spaces if the query has some.
    pub(super) fn comparable(&self, text: &str) -> String {
        let spaced =
            self.letters.contains(&' ').then(|| text.split_whitespace().collect::<Vec<_>>().join(" "));
        let text = spaced.as_deref().unwrap_or(text);
        if self.is_exact { text.to_owned() } else { text.chars().map(|letter| self.folded(letter)).collect() }
    }
}

fn folded(letter: char, is_exact: bool) -> char {
    if is_exact { letter } else { letter.to_lowercase().next().unwrap_or(letter) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_counts_only_with_an_upper_case_letter() {
        let has = |query: &str, text: &str| Query::new(query).unwrap().is_in(text);
        assert!(has("wall", "the WALL") && has("Wall", "the Wall") && has("ärger", "ÄRGER"));
        assert!(!has("Wall", "the wall") && !has("wall", "wa ll"));
        assert!(has(" the  wall ", "to the\n  wall"));
        assert!(Query::new("  ").is_none());
    }
}
