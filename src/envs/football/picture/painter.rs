//! Paints states in one view, with the ground and the letters that it keeps.

use super::super::FrameState;
use super::broadcast::Quad;
use super::canvas::Canvas;
use super::letters::Letters;
use super::shown::Shown;
use super::{board, broadcast, markings};

/// How the game is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum View {
    /// The whole pitch from above, 1280 x 832 pixels.
    Board,
    /// Through a camera beside the pitch, 1280 x 720 pixels.
    Broadcast,
}

impl View {
    /// The pixels of the discs and of the shirts, which are the smallest things that matter.
    pub const DETAIL: u32 = 24;

    /// Width and height in pixels.
    pub fn size(self) -> [u32; 2] {
        match self {
            Self::Board => board::SIZE,
            Self::Broadcast => broadcast::SIZE,
        }
    }
}

/// Paints one view.
pub struct Painter {
    minimal: bool,
    letters: Letters,
    ground: Ground,
}

impl Painter {
    /// A painter of this view. A `minimal` one leaves out the lines of movement, the line to the owner and what is
    /// written beside the pitch except score, time and flags. `None` only if the embedded font cannot be read.
    pub fn new(view: View, minimal: bool) -> Option<Self> {
        let ground = match view {
            View::Board => Ground::Still(board::ground()?),
            View::Broadcast => Ground::Moving(markings::quads()),
        };
        Some(Self { minimal, letters: Letters::new()?, ground })
    }

    /// Paints a state into `rgb`: three bytes a pixel, rows from the top, as many as [`View::size`] says. The same
    /// state gives the same pixels.
    pub fn paint(&self, state: &FrameState, shown: &Shown, rgb: &mut [u8]) {
        if let Some(canvas) = self.canvas(state, shown) {
            canvas.write_rgb(rgb);
        }
    }

    /// The painted canvas; `None` only if it has no size.
    fn canvas(&self, state: &FrameState, shown: &Shown) -> Option<Canvas> {
        match &self.ground {
            Ground::Still(ground) => {
                let mut canvas = ground.clone();
                board::draw(&mut canvas, &self.letters, state, shown, self.minimal);
                Some(canvas)
            }
            Ground::Moving(chalk) => broadcast::drawn((&self.letters, chalk), state, shown, self.minimal),
        }
    }
}

/// What is kept of the ground between frames.
enum Ground {
    /// The whole board without players.
    Still(Canvas),
    /// The lines of the pitch.
    Moving(Vec<Quad>),
}
