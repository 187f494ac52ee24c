//! Prompt tokens of requests that differ in one thing: whether the server counted what it was given.

use super::Attempted;
use super::table::{LISTS, ONE_IMAGE, SEVERAL, SEVERAL_IMAGES, TEXT};

/// An image that adds fewer prompt tokens than this was not given to the model.
const FEWEST_IMAGE_TOKENS: u64 = 8;
/// The text that a list has besides the one that is also sent as a string has about six tokens, and the words of both
/// requests can differ by two.
const FEWEST_LIST_TOKENS: u64 = 3;

/// The prompt tokens that are added by another image, and by another text in a list; `None` if the server reports none.
#[derive(Clone, Copy)]
pub(super) struct AddedTokens {
    image: Option<u64>,
    list: Option<u64>,
}

impl AddedTokens {
    pub(super) fn of(attempts: &[Attempted]) -> Self {
        let input = |ability| {
            let attempt = attempts.iter().find(|attempt| attempt.trial.ability == ability)?;
            Some(attempt.usage()?.input)
        };
        let more = |with, without| Some(input(with)?.saturating_sub(input(without)?));
        let image = more(SEVERAL_IMAGES, ONE_IMAGE).map(|tokens| tokens / (SEVERAL - 1));
        Self { image, list: more(LISTS, TEXT) }
    }

    /// The comparison in words, after the tokens of the request; empty for other abilities.
    pub(super) fn described(self, ability: &str) -> String {
        match (ability, self) {
            (SEVERAL_IMAGES, Self { image: Some(tokens), .. }) => {
                format!(", {tokens} tokens for another image")
            }
            (LISTS, Self { list: Some(tokens), .. }) => format!(", {tokens} tokens for another text"),
            _ => String::new(),
        }
    }

    /// What the comparison says of a request that the model did not see, in front of the advice.
    pub(super) fn verdict(self, ability: &str) -> &'static str {
        match (ability, self) {
            (ONE_IMAGE | SEVERAL_IMAGES, Self { image: Some(tokens), .. })
                if tokens < FEWEST_IMAGE_TOKENS =>
            {
                "images add no prompt tokens, so the server drops them: "
            }
            (ONE_IMAGE | SEVERAL_IMAGES, Self { image: Some(_), .. }) => {
                "images add prompt tokens, so the model reads them wrongly: "
            }
            (LISTS, Self { list: Some(tokens), .. }) if tokens < FEWEST_LIST_TOKENS => {
                "the texts of a list add no prompt tokens, so the server drops them: "
            }
            (LISTS, Self { list: Some(_), .. }) => {
                "the texts of a list add prompt tokens, so the model reads them wrongly: "
            }
            _ => "",
        }
    }
}
