//! The colours of both views, as red, green, blue and opacity.

/// A colour with its opacity.
pub(super) type Ink = [u8; 4];

/// The two greens of the mown stripes.
pub(super) const GRASS: [Ink; 2] = [[82, 152, 88, 255], [91, 163, 97, 255]];
/// The grass outside of the lines.
pub(super) const RUNOFF: Ink = [62, 124, 72, 255];
/// Behind the boards of the broadcast view.
pub(super) const STAND: Ink = [44, 50, 62, 255];
pub(super) const BOARD: Ink = [226, 230, 236, 255];
pub(super) const CHALK: Ink = [246, 250, 246, 235];
pub(super) const NET: Ink = [255, 255, 255, 70];
pub(super) const SHADOW: Ink = [10, 24, 12, 110];

/// The agent's team, and the rim of its discs.
pub(super) const OWN: Ink = [255, 217, 46, 255];
pub(super) const OWN_RIM: Ink = [46, 36, 0, 255];
pub(super) const OWN_KEEPER: Ink = [255, 160, 60, 255];
/// The opponents, and the rim of their discs.
pub(super) const OPPONENT: Ink = [18, 30, 92, 255];
pub(super) const OPPONENT_RIM: Ink = [255, 255, 255, 255];
pub(super) const OPPONENT_KEEPER: Ink = [104, 52, 150, 255];

/// The controlled player: his ring and his name.
pub(super) const CONTROLLED: Ink = [22, 78, 255, 255];
/// The player who has the ball.
pub(super) const OWNER: Ink = [255, 104, 20, 255];
/// The receiver of a pass that is under way.
pub(super) const PASS: Ink = [255, 128, 232, 255];
pub(super) const BALL: Ink = [255, 255, 255, 255];
pub(super) const BLACK: Ink = [8, 10, 14, 255];
pub(super) const WHITE: Ink = [255, 255, 255, 255];

/// The bars with score, time and flags.
pub(super) const PANEL: Ink = [20, 26, 38, 255];
pub(super) const PANEL_TEXT: Ink = [240, 243, 248, 255];
pub(super) const PANEL_DIM: Ink = [142, 154, 174, 255];
/// A flag that is on.
pub(super) const FLAG: Ink = [96, 224, 180, 255];
pub(super) const ALERT: Ink = [255, 96, 88, 255];
/// The name of an opponent in the broadcast view.
pub(super) const GREY: Ink = [74, 78, 86, 255];

/// The same colour with this opacity.
pub(super) fn faded(ink: Ink, opacity: u8) -> Ink {
    [ink[0], ink[1], ink[2], opacity]
}
