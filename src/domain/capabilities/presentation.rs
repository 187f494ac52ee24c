//! How the states of an environment are shown to people and described in prompts.

use crate::{ActionSpace, Glyph, ObservationInspector, Options};

/// What viewers and prompts know about states beyond the observations themselves.
#[derive(Clone, Copy, Debug)]
pub struct Presentation {
    /// What the characters of the text observation mean, for viewers; empty if the text does not begin with a grid of
    /// squares.
    pub glyphs: &'static [(char, Glyph)],
    /// What these characters are called.
    pub glyph_name: fn(Glyph) -> &'static str,
    /// Reads views, details of the score and present texts from observations, for people.
    pub inspector: Option<&'static dyn ObservationInspector>,
    /// A legend of the frames painted with these options, as the end of a sentence; may be empty. Prompts insert it as
    /// `{picture}`.
    pub picture_legend: fn(&Options) -> &'static str,
    /// The allowed actions, if they are the same in every state of every level: then prompts can be shown without
    /// opening a level.
    pub constant_space: Option<fn() -> ActionSpace>,
}

impl Presentation {
    /// The observations as they are.
    pub const NONE: Self = Self {
        glyphs: &[],
        glyph_name: Glyph::name,
        inspector: None,
        picture_legend: |_| "",
        constant_space: None,
    };
}
