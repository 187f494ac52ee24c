//! Whether a reply shows that the model received its request. The wording does not matter.

use serde_json::Value;

use super::colors::{Color, named};

/// What a reply must have.
#[derive(Debug)]
pub(super) enum Expected {
    /// This word.
    Word(&'static str),
    /// The names of these colours, in this order and without others between them.
    Colors(Vec<&'static Color>),
    /// A JSON object with this text in this field, and nothing else around it.
    Field(&'static str, &'static str),
}

impl Expected {
    /// Whether the reply has it.
    pub(super) fn is_met(&self, reply: &str) -> bool {
        match self {
            Self::Word(word) => has_word(reply, word),
            Self::Colors(colors) => {
                named(reply).windows(colors.len()).any(|found| found == colors.as_slice())
            }
            Self::Field(field, word) => {
                let value: Value = serde_json::from_str(reply.trim()).unwrap_or_default();
                value.as_object().is_some_and(|object| object.len() == 1)
                    && value[*field].as_str().is_some_and(|text| has_word(text, word))
            }
        }
    }
}

fn has_word(text: &str, word: &str) -> bool {
    text.to_lowercase().split(|c: char| !c.is_alphanumeric()).any(|found| found == word)
}

#[cfg(test)]
mod tests {
    use super::super::colors::COLORS;
    use super::*;

    #[test]
    fn the_wording_does_not_matter_but_the_content_does() {
        let colors = || Expected::Colors(vec![&COLORS[0], &COLORS[1], &COLORS[2], &COLORS[3]]);
        for (reply, met) in [
            ("Red, green, blue, yellow", true),
            ("Top left: **crimson**\nTop right: Lime\nBottom left: navy\nBottom right: gold.", true),
            ("I see black: red green blue yellow", true),
            ("green, red, blue, yellow", false),
            ("red, green, blue", false),
            ("red, black, green, blue, yellow", false),
            ("I cannot see images.", false),
        ] {
            assert_eq!(colors().is_met(reply), met, "{reply}");
        }
        let word = Expected::Word("walnut");
        assert!(word.is_met("The word is \"Walnut\".") && !word.is_met("walnuts") && !word.is_met(""));
        let field = Expected::Field("word", "walnut");
        assert!(field.is_met(" {\"word\": \"walnut\"}\n"));
        assert!(!field.is_met("```json\n{\"word\": \"walnut\"}\n```") && !field.is_met("walnut"));
        assert!(!field.is_met("{\"word\": \"walnut\", \"more\": 1}"));
    }
}
