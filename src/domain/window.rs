//! The memory window: how many past turns and frames a request contains.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Action memory and observation memory (`MageBench`, AM and OM). A request holds the last `am`
/// outputs of the agent and the last `om` frames, the current one included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "RawWindow", into = "RawWindow")]
pub struct Window {
    am: u16,
    om: u16,
}

/// An invalid window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum WindowError {
    /// The current frame is always included.
    #[error("OM is 0, but it includes the current frame: OM is at least 1")]
    ZeroOm,
    /// A frame needs a turn within AM.
    #[error(
        "OM={om} is more than AM={am}: a frame is kept only with its turn, so OM is at most AM (except AM=0 with OM=1, an agent without memory)"
    )]
    OmAboveAm {
        /// The requested action memory.
        am: u16,
        /// The requested observation memory.
        om: u16,
    },
}

impl Window {
    /// An agent without memory: only the current frame.
    pub const MINIMUM: Self = Self { am: 0, om: 1 };

    /// Only the newest turn, with its frame.
    pub const NEWEST: Self = Self { am: 1, om: 1 };

    /// A window with `1 <= om <= am`, or `am = 0, om = 1` without memory.
    pub fn new(am: u16, om: u16) -> Result<Self, WindowError> {
        match (am, om) {
            (_, 0) => Err(WindowError::ZeroOm),
            (0, 1) => Ok(Self { am, om }),
            (am, om) if om > am => Err(WindowError::OmAboveAm { am, om }),
            (am, om) => Ok(Self { am, om }),
        }
    }

    /// Action memory: the number of past outputs.
    pub fn am(self) -> u16 {
        self.am
    }

    /// Observation memory: the number of frames, the current one included.
    pub fn om(self) -> u16 {
        self.om
    }
}

#[derive(Serialize, Deserialize)]
struct RawWindow {
    am: u16,
    om: u16,
}

impl From<Window> for RawWindow {
    fn from(Window { am, om }: Window) -> Self {
        Self { am, om }
    }
}

impl TryFrom<RawWindow> for Window {
    type Error = WindowError;

    fn try_from(RawWindow { am, om }: RawWindow) -> Result<Self, WindowError> {
        Self::new(am, om)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_valid_windows_can_be_built() {
        assert!(Window::new(0, 1).is_ok());
        assert!(Window::new(5, 5).is_ok());
        assert_eq!(Window::new(5, 0), Err(WindowError::ZeroOm));
        assert_eq!(Window::new(1, 2), Err(WindowError::OmAboveAm { am: 1, om: 2 }));
        assert!(serde_json::from_str::<Window>(r#"{"am":1,"om":3}"#).is_err());
    }
}
