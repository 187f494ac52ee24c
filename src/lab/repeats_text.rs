//! What is said of repeats and of where they part.

use crate::{Choice, Parting, Repeats};
use mageyard_domain::count_noun;

/// The level, the agent and the number of repeats.
pub fn repeats_title(cell: &Repeats) -> String {
    let agent = cell.head.agent.display_name();
    format!("{}, {agent}, {}", cell.head.reference, count_noun(cell.episodes, "repeat", "repeats"))
}

/// Where the repeats part, in words.
pub fn parting_text(parting: Option<&Parting>) -> String {
    match parting {
        None => "every state and every action is equal".to_owned(),
        Some(Parting { step, is_same_state: true, .. }) => {
            format!("they part at step {step}, in the same state")
        }
        Some(Parting { step, .. }) => {
            format!("at step {step} the states differ, although every action before it was equal")
        }
    }
}

/// A choice: the action, its count and its results.
pub fn choice_words(choice: &Choice, episodes: usize) -> [String; 4] {
    [
        choice.action.clone().unwrap_or_else(|| "no action".to_owned()),
        format!("{} of {episodes}", choice.journals.len()),
        format!("solved {} of {}", choice.solved, choice.ended),
        format!("mean sum {:+.2}", choice.mean_sum),
    ]
}
