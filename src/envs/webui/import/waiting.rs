//! Waiting as a step.

use mageyard_browser::{Step, WaitMs};

/// Waits for a number of seconds.
pub(super) fn wait(seconds: f64) -> Result<Step, String> {
    if !(0.0..=1e6).contains(&seconds) {
        return Err(format!("{seconds} is not a number of seconds to wait"));
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "in the range above")]
    let milliseconds = (seconds * 1000.0).round() as u64;
    WaitMs::try_from(milliseconds).map(Step::WaitMs)
}
