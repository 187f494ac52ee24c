//! The first measurement of a link, before the first frame.

use std::time::Duration;

use tokio::time::Instant;

/// The bytes between the two questions of the measurement.
const PADDING: usize = 1_200;
/// A sequence that changes nothing: the default style.
const NOTHING: &str = "\x1b[m";

/// What was measured before the first frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LinkProbe {
    /// From the first question to its answer.
    pub round_trip: Option<Duration>,
    /// Bytes a second, if both answers came.
    pub rate: Option<f64>,
    /// Whether an answer did not come in time.
    pub is_late: bool,
}

/// The times of a measurement: a question, some bytes, another question.
#[derive(Debug)]
pub(crate) struct ProbeClock {
    /// The bytes between the two questions.
    bytes: usize,
    asked: Instant,
    first: Option<Instant>,
    second: Option<Instant>,
}

impl ProbeClock {
    /// The questions were sent now, with so many bytes between them.
    pub(crate) fn start(bytes: usize) -> Self {
        Self { bytes, asked: Instant::now(), first: None, second: None }
    }

    /// What is sent between the two questions.
    pub(crate) fn padding() -> String {
        NOTHING.repeat(PADDING / NOTHING.len())
    }

    /// The first question was answered.
    pub(crate) fn first_answer(&mut self) {
        self.first.get_or_insert_with(Instant::now);
    }

    /// The second question was answered.
    pub(crate) fn second_answer(&mut self) {
        self.second.get_or_insert_with(Instant::now);
    }

    /// The result.
    pub(crate) fn result(&self) -> LinkProbe {
        let Self { bytes, asked, first, second } = *self;
        let round_trip = first.map(|first| first - asked);
        let rate = first.zip(second).map(|(first, second)| {
            let seconds = second.saturating_duration_since(first).as_secs_f64().max(0.000_1);
            super::to_number(bytes) / seconds
        });
        LinkProbe { round_trip, rate, is_late: second.is_none() }
    }
}
