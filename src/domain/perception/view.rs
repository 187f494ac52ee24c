//! Views: renderings of one state that are equal in content.

use std::sync::Arc;

/// The option that names the view, in the table of every environment that has views.
pub const VIEW_OPTION: &str = "view";

/// The variable of a prompt that stands for the legend of the picture.
const PICTURE: &str = "{picture}";

/// A rendering of states. All views of an environment have the same content: the state can be read from each of them.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// The name, a word.
    pub name: &'static str,
    /// What it shows, in a line.
    pub summary: &'static str,
    /// How a prompt says what the state is given as, after "as": `{view}`. `{picture}` in it is the legend of the picture.
    pub words: &'static str,
    /// Whether it is a picture and nothing else, so that prompts without `{view}`, which speak of an image, are right for it.
    pub is_picture: bool,
}

impl View {
    /// A picture, and nothing else.
    pub const fn picture(name: &'static str, summary: &'static str) -> Self {
        Self { name, summary, words: "an image.\n\nIn the image, {picture}", is_picture: true }
    }

    /// A text, or a picture with a text; the words say what it is.
    pub const fn written(name: &'static str, summary: &'static str, words: &'static str) -> Self {
        Self { name, summary, words, is_picture: false }
    }

    /// The value of `{view}` with this legend of the picture.
    pub fn filled(&self, legend: &str) -> String {
        self.words.replace(PICTURE, legend)
    }
}

/// What prompts say of how states are given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StateWords {
    /// The legend of the picture: `{picture}`.
    pub picture: Arc<str>,
    /// What the state is given as: `{view}`.
    pub view: Arc<str>,
    /// The same in a word: `{shown}`, image or state.
    pub shown: Arc<str>,
}
