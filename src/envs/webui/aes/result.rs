//! A score with everything that it depends on, as it is stored and printed.

use serde::{Deserialize, Serialize};

use super::page::PageScore;
use super::rules::{PaperRule, Rules};
use super::total::{Losses, total};

/// Where and how the pages were rendered.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rendering {
    /// Width and height of the viewport in pixels, with scroll bars.
    pub viewport: [u32; 2],
    /// The browser with its version.
    pub browser: String,
    /// The fonts that drew the pages when they were loaded, sorted.
    pub fonts: Vec<String>,
}

/// The score of a generated page with everything that it depends on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AesResult {
    /// The atomic element similarity, from 0 to 1.
    pub aes: f64,
    /// `parity`, `strict` or `mixed`.
    pub mode: String,
    /// The names of the rules that are as in the paper.
    pub flags: Vec<String>,
    /// Where and how the pages were rendered.
    #[serde(flatten)]
    pub rendering: Rendering,
    /// Whether the target of a sub-page cannot be scored: then this is not a score.
    pub task_error: bool,
    /// Where the points went; with `aes` they sum to 1.
    pub losses: Losses,
    /// The sub-pages.
    pub pages: Vec<PageScore>,
}

impl AesResult {
    /// The result over these sub-pages.
    pub fn new(pages: Vec<PageScore>, rules: Rules, rendering: Rendering) -> Self {
        let score = total(&pages, rules);
        Self {
            aes: score.aes,
            mode: rules.mode().to_owned(),
            flags: rules.flags().map(PaperRule::name).map(str::to_owned).collect(),
            rendering,
            task_error: score.task_error,
            losses: score.losses,
            pages,
        }
    }
}
