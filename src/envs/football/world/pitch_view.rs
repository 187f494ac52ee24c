//! The views of a pitch: pictures, and a list of places. All have the same content.

use mageyard_domain::View;

/// What a pitch is shown as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum PitchView {
    /// A picture of the whole pitch from above.
    #[default]
    Board,
    /// A picture as on television.
    Broadcast,
    /// The picture that the real engine draws.
    Engine,
    /// The places of all players and of the ball.
    List,
}

/// The views by name, the default first.
pub(crate) const NAMES: &[(&str, PitchView)] = &[
    ("board", PitchView::Board),
    ("broadcast", PitchView::Broadcast),
    ("engine", PitchView::Engine),
    ("list", PitchView::List),
];

/// The views, in the order of [`NAMES`].
pub(crate) const VIEWS: &[View] = &[
    View::picture("board", "a picture of the whole pitch from above"),
    View::picture("broadcast", "a picture through a camera beside the pitch, with a small map"),
    View::picture("engine", "the picture that Google Research Football draws, where it plays"),
    View {
        name: "list",
        summary: "the places of all players and of the ball",
        words: "a list of places in metres: the ball and who has it, the player whom you control, every player of both \
                teams, the score and the time",
        is_picture: false,
    },
];
