//! Filters of lists in the language of conditions: comparisons of some texts, beside plain words.

use std::borrow::Cow;

use super::Parser;
use super::expression::Match;

/// A filter such as `model~gpt ending=won mini`: comparisons of texts by their names, as conditions have them, and words. A
/// list shows what meets all of them. A value with spaces is written in double quotes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextFilter {
    /// The words, in lower case.
    pub words: Vec<String>,
    comparisons: Vec<(&'static str, Match)>,
}

impl TextFilter {
    /// Reads a filter. Only texts with one of these names are compared; everything else is a word. A comparison that is
    /// being typed, such as `model=`, says nothing yet.
    pub fn read(text: &str, names: &[&'static str]) -> Self {
        let mut filter = Self::default();
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            let (length, comparison) = comparison(rest, names);
            match comparison {
                Part::Comparison(name, wanted) => filter.comparisons.push((name, wanted)),
                Part::Incomplete => {}
                Part::Word => filter.words.extend(rest.get(..length).map(str::to_lowercase)),
            }
            rest = rest.get(length..).unwrap_or_default().trim_start();
        }
        filter
    }

    /// Whether it compares anything but words.
    pub fn compares(&self) -> bool {
        !self.comparisons.is_empty()
    }

    /// Whether it has neither words nor comparisons.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty() && self.comparisons.is_empty()
    }

    /// Whether all comparisons hold for something that has these texts by the names.
    pub fn holds<'a>(&self, texts: impl Fn(&str) -> Vec<&'a str>) -> bool {
        self.comparisons.iter().all(|(name, wanted)| {
            let texts: Vec<Cow<'_, str>> = texts(name).into_iter().map(Cow::Borrowed).collect();
            wanted.holds(&texts, false)
        })
    }
}

/// What a text begins with.
enum Part {
    Word,
    /// A comparison whose value is still being typed.
    Incomplete,
    Comparison(&'static str, Match),
}

/// What a text begins with, and its length in bytes.
fn comparison(text: &str, names: &[&'static str]) -> (usize, Part) {
    let word = text.find(char::is_whitespace).unwrap_or(text.len());
    let Ok(mut parser) = Parser::new(text) else { return (word, Part::Word) };
    let Some((name, _)) = parser.cursor.word() else { return (word, Part::Word) };
    let Some(name) = names.iter().find(|known| known.eq_ignore_ascii_case(name)) else {
        return (word, Part::Word);
    };
    let is_compared = text.get(name.len()..).is_some_and(|rest| rest.starts_with(['=', '!', '~']));
    if !is_compared {
        return (word, Part::Word);
    }
    match parser.matched(name, 0) {
        Ok(wanted) => (parser.cursor.end().max(1), Part::Comparison(name, wanted)),
        Err(_) => (word, Part::Incomplete),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 3] = ["model", "ending", "environment"];

    fn holds(filter: &str) -> bool {
        TextFilter::read(filter, &NAMES).holds(|name| match name {
            "model" => vec!["GPT-4o"],
            "ending" => vec!["won", "step limit"],
            _ => Vec::new(),
        })
    }

    #[test]
    fn comparisons_are_those_of_conditions() {
        for yes in [
            "model~gpt",
            "model=gpt-4o mini",
            "ending=won",
            "ending=\"step limit\"",
            "ending~limit model!=x",
            "model~/^GPT/",
            "environment!=sokoban",
            "",
            "mini",
            "Model=gpt-4o",
        ] {
            assert!(holds(yes), "{yes}");
        }
        for no in
            ["model=gpt", "model!=gpt-4o", "ending=lost", "environment=sokoban", "model~gpt ending=lost"]
        {
            assert!(!holds(no), "{no}");
        }
    }

    #[test]
    fn everything_else_is_a_word_and_what_is_being_typed_says_nothing() {
        let filter = TextFilter::read("  Mini model~gpt other=1 20260101-won model ", &NAMES);
        assert_eq!(filter.words, ["mini", "other=1", "20260101-won", "model"]);
        assert!(filter.compares());
        for half in ["model=", "model~", "model!=", "model~/[", "ending=\"step"] {
            let filter = TextFilter::read(half, &NAMES);
            assert!(filter.is_empty() && !filter.compares(), "{half}: {filter:?}");
        }
        assert!(TextFilter::read("", &NAMES).is_empty());
    }
}
