//! The memory window: how much of the past a request carries.

use serde::Deserialize;
use serde::Serialize;
use thiserror::Error;

/// Action memory and observation memory (`MageBench`, AM and OM). A request holds the last `am`
/// outputs of the agent and the last `om` frames, the current one included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Raw", into = "Raw")]
pub struct Window {
    am: u16,
    om: u16,
}

/// A window that makes no sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum WindowError {
    /// The current frame is always shown.
    #[error("OM is 0, but the current frame counts: OM is at least 1")]
    Blind,
    /// A frame belongs to a turn that AM keeps.
    #[error(
        "OM={om} is more than AM={am}: a frame is kept only with its turn, so OM is at most AM (AM=0 with OM=1 is the agent without memory)"
    )]
    FramesWithoutTurns {
        /// Action memory asked for.
        am: u16,
        /// Observation memory asked for.
        om: u16,
    },
}

impl Window {
    /// A window with `om` from 1 and `om <= am`, or the memoryless `am = 0, om = 1`.
    pub fn new(am: u16, om: u16) -> Result<Self, WindowError> {
        match (am, om) {
            (_, 0) => Err(WindowError::Blind),
            (0, 1) => Ok(Self { am, om }),
            (am, om) if om > am => Err(WindowError::FramesWithoutTurns { am, om }),
            (am, om) => Ok(Self { am, om }),
        }
    }

    /// Action memory: how many past outputs are kept.
    pub fn am(self) -> u16 {
        self.am
    }

    /// Observation memory: how many frames are kept, the current one included.
    pub fn om(self) -> u16 {
        self.om
    }
}

#[derive(Serialize, Deserialize)]
struct Raw {
    am: u16,
    om: u16,
}

impl From<Window> for Raw {
    fn from(Window { am, om }: Window) -> Self {
        Self { am, om }
    }
}

impl TryFrom<Raw> for Window {
    type Error = WindowError;

    fn try_from(Raw { am, om }: Raw) -> Result<Self, WindowError> {
        Self::new(am, om)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_windows_that_make_sense_exist() {
        assert!(Window::new(0, 1).is_ok());
        assert!(Window::new(5, 5).is_ok());
        assert_eq!(Window::new(5, 0), Err(WindowError::Blind));
        assert_eq!(Window::new(1, 2), Err(WindowError::FramesWithoutTurns { am: 1, om: 2 }));
        assert!(serde_json::from_str::<Window>(r#"{"am":1,"om":3}"#).is_err());
    }
}
