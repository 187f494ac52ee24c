//! Results of recorded episodes in the files of another program, so that its own scripts read them.

use std::sync::Arc;

use serde_json::Value;

use super::{PartId, StoredEpisode, Usage};

/// A form of results. Episodes are read one after the other, so each becomes a small entry first; the entries of all
/// episodes then become files.
#[derive(Clone, Copy)]
pub struct ResultFormat {
    /// The name, such as `agentstudio`.
    pub name: &'static str,
    /// What is written, in at most 80 characters.
    pub summary: &'static str,
    /// What is kept of an episode. An error is why it cannot be written in this form.
    pub entry: fn(&ResultEpisode<'_>) -> Result<Value, String>,
    /// The files of these entries, which are in the order of their episodes.
    pub files: fn(&[Value]) -> Vec<ResultFile>,
}

/// An episode that is over, with what was asked and replied.
#[derive(Clone, Copy, Debug)]
pub struct ResultEpisode<'a> {
    /// Its level, states, actions and verdict.
    pub stored: StoredEpisode<'a>,
    /// The reference of its level, such as `ground/drawn/3`.
    pub reference: &'a str,
    /// The title of its level.
    pub title: Option<&'a str>,
    /// The model, or the name of an agent that has none.
    pub agent: &'a str,
    /// How long it was played, in seconds.
    pub seconds: f64,
    /// The replies that count, oldest first.
    pub replies: &'a [ResultReply],
}

/// A reply, and the request that led to it.
#[derive(Clone, Debug)]
pub struct ResultReply {
    /// The step, from 1.
    pub step: u32,
    /// The request, as it was sent; for an agent that reads none, as a model would have got it.
    pub turns: Vec<ResultTurn>,
    /// The text before any edit.
    pub text: Arc<str>,
    /// The tokens, if the server has said them.
    pub usage: Option<Usage>,
}

/// A turn of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultTurn {
    /// The role, such as `user`.
    pub role: String,
    /// Its texts and pictures, in order.
    pub parts: Vec<ResultPart>,
}

/// A part of a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResultPart {
    /// A text.
    Text(String),
    /// The picture that is this part of an observation.
    Picture(PartId),
}

/// A file of results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultFile {
    /// The name, without a folder: see [`file_name_of`].
    pub name: String,
    /// The whole text.
    pub text: String,
}

/// A text as a part of a file name: letters, digits, `.`, `_` and `-` of ASCII stay, each other character becomes `-`. It never
/// begins with a point and is never empty.
pub fn file_name_of(text: &str) -> String {
    let kept = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' };
    let name: String = text.chars().map(kept).collect();
    let hidden = name.is_empty() || name.starts_with('.');
    if hidden { format!("_{name}") } else { name }
}

#[cfg(test)]
mod tests {
    use super::file_name_of;

    #[test]
    fn a_name_cannot_leave_its_folder() {
        let names = ["Qwen/Qwen-VL_2.5", "../../etc", "", ".x", "a\u{1b}[2Jb", "ä"].map(file_name_of);
        assert_eq!(names, ["Qwen-Qwen-VL_2.5", "_..-..-etc", "_", "_.x", "a--2Jb", "-"]);
    }
}
