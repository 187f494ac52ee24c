//! A duration in seconds, as written in settings and journals.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize, Serializer};

/// A number of seconds, with fractions. Whole numbers are stored as integers, so that older versions of the program
/// can read them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "f64")]
pub struct Seconds(Duration);

impl Seconds {
    /// A whole number of seconds.
    pub const fn whole(seconds: u64) -> Self {
        Self(Duration::from_secs(seconds))
    }

    /// The duration.
    pub const fn duration(self) -> Duration {
        self.0
    }

    /// Whether the duration is zero.
    pub const fn is_zero(self) -> bool {
        self.0.is_zero()
    }
}

impl TryFrom<f64> for Seconds {
    type Error = String;

    fn try_from(seconds: f64) -> Result<Self, String> {
        let duration = Duration::try_from_secs_f64(seconds);
        duration.map(Self).map_err(|_| format!("{seconds} is not a number of seconds of at least 0"))
    }
}

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.as_secs_f64())
    }
}

impl Serialize for Seconds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.subsec_nanos() == 0 {
            serializer.serialize_u64(self.0.as_secs())
        } else {
            serializer.serialize_f64(self.0.as_secs_f64())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_and_whole_numbers_round_trip() {
        for (text, milliseconds) in [("0.5", 500), ("7", 7000), ("0", 0), ("31536000", 31_536_000_000)] {
            let seconds: Seconds = serde_json::from_str(text).unwrap();
            assert_eq!(seconds.duration().as_millis(), milliseconds);
            assert_eq!(
                (serde_json::to_string(&seconds).unwrap().as_str(), &*seconds.to_string()),
                (text, text)
            );
        }
        assert_eq!(serde_json::from_str::<Seconds>("7.0").unwrap(), Seconds::whole(7));
    }

    #[test]
    fn negative_and_infinite_durations_are_rejected() {
        for seconds in [-0.5, f64::NAN, f64::INFINITY, 1e30] {
            assert!(Seconds::try_from(seconds).is_err(), "{seconds}");
        }
    }
}
