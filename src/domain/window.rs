//! The memory window: how much of the past a request carries.

use serde::Deserialize;
use serde::Serialize;
use thiserror::Error;

/// Action memory and observation memory (`MageBench`, AM and OM). A request holds the last `am`
/// outputs of the agent and the last `om` frames, the current one included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "RawWindow", into = "RawWindow")]
pub struct Window {
    am: u16,
    om: u16,
}

/// A window that makes no sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum WindowError {
    /// The current frame is always shown.
    #[error("OM is 0, but the current frame counts: OM is at least 1")]
    ZeroOm,
    /// A frame belongs to a turn that AM keeps.
    #[error(
        "OM={om} is more than AM={am}: a frame is kept only with its turn, so OM is at most AM (AM=0 with OM=1 is the agent without memory)"
    )]
    OmAboveAm {
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
            (_, 0) => Err(WindowError::ZeroOm),
            (0, 1) => Ok(Self { am, om }),
            (am, om) if om > am => Err(WindowError::OmAboveAm { am, om }),
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
