//! How an episode is played on, and how a person writes that in one line.

use crate::ask::{MOST_TO_END, read_ask_words, within};
use mageyard_config::{Problem, SettingOverride};
use mageyard_domain::quoted_words;
use mageyard_lab::Lab;

/// The word for playing on even if there is a solver.
const PLAY: &str = "play";
/// What can be written beside settings.
const NAMES: [&str; 4] = ["samples", "seed", "concurrency", "unsafe"];

/// How an episode is played on.
#[derive(Clone, Debug, Default)]
pub struct BlameRequest {
    /// The continuations from each step.
    pub samples: u32,
    /// The seed of their order and of the agent's random choices.
    pub seed: u64,
    /// The names of the settings that are taken from the configuration; all others are those of the steps.
    pub given: Vec<String>,
    /// Whether a live surface may be opened again, although its state cannot be proven.
    pub allow_unsafe: bool,
}

/// What a person wrote.
#[derive(Debug)]
pub struct WrittenBlame {
    /// The settings that are replaced.
    pub given: Vec<SettingOverride>,
    /// How the episode is played on, if it is.
    pub request: BlameRequest,
    /// The episodes at once, if that is limited.
    pub at_once: Option<usize>,
    /// Whether it is played on even if there is a solver.
    pub plays: bool,
}

/// Reads how to look for the step that lost an episode, such as `play samples=20` or `--play --samples 20`.
pub fn read_blame(lab: &Lab, words: &str) -> Result<WrittenBlame, Problem> {
    let is_play = |word: &&str| word.strip_prefix("--").unwrap_or(word) == PLAY;
    let plays = quoted_words(words).any(|word| is_play(&word));
    let rest: Vec<&str> = quoted_words(words).filter(|word| !is_play(word)).collect();
    let written = read_ask_words(lab, &rest.join(" "), 0)?;
    if let Some(name) = written.name_beside(&NAMES) {
        let problem = Problem::new(format!("blame takes no {name}"));
        return Err(
            problem.with_help("write play, samples=20, seed=1, unsafe, or a setting such as agent=random")
        );
    }
    let request = BlameRequest {
        samples: within("samples", written.request.samples, MOST_TO_END)?,
        seed: written.request.seed,
        given: written.request.given,
        allow_unsafe: written.allow_unsafe,
    };
    Ok(WrittenBlame { given: written.given, request, at_once: written.at_once, plays })
}
