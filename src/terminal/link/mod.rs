//! The link to the terminal: whether it is slow, what is on its way, and how much may be sent at once. Times come from
//! outside.
//!
//! On a link that may be slow, each frame ends with a question that every terminal answers (DSR). Until the answer comes
//! no other frame is sent, so nothing queues up before the keys that are typed next, and the answer says how fast the
//! link is.

mod probe;
#[cfg(test)]
mod tests;
mod traffic;

pub use self::traffic::Traffic;
use std::time::Duration;

use tokio::time::Instant;

pub use self::probe::LinkProbe;
pub(crate) use self::probe::ProbeClock;
pub(crate) use self::traffic::size_text;
use mageyard_config::LinkSetting;

/// The question at the end of a frame: whether the terminal is ready (DSR).
pub const QUESTION: &str = "\x1b[5n";

/// Below this rate in bytes a second a link is slow.
const SLOW_BELOW: f64 = 24_000.0;
/// Above this rate in bytes a second a link is fast again.
const FAST_ABOVE: f64 = 64_000.0;
/// The rate of a slow link that was not measured.
const ASSUMED_RATE: f64 = 4_000.0;
/// A frame of fewer bytes says too little about the rate.
const LEAST_SAMPLE: usize = 1_000;
/// The time that a part of a picture may take, so that a key that is typed next waits no longer for its effect.
const PART_TIME: f64 = 0.15;
/// The time that the change of a picture may take before the picture becomes coarser.
const CHANGE_TIME: f64 = 1.0;
/// The fewest and the most bytes of a part of a picture.
const PART_BYTES: (f64, f64) = (600.0, 262_144.0);
/// How long an answer may take, besides the time for the bytes at the lowest rate.
const PATIENCE: Duration = Duration::from_secs(2);
/// The lowest rate that is waited for, in bytes a second.
const LOWEST_RATE: f64 = 500.0;
/// So many answers in a row that did not come end the questions.
const MAX_MISSED: u32 = 3;

/// What a link carries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PicturePace {
    /// The bytes of a picture that are sent at once.
    pub(crate) part_bytes: f64,
    /// The bytes that a change may have before the picture becomes coarser.
    pub(crate) change_bytes: f64,
}

/// What was sent and not answered.
#[derive(Clone, Copy, Debug)]
struct Flight {
    sent: Instant,
    bytes: usize,
    /// Whether it ended with a question.
    asked: bool,
    /// When it is no longer waited for.
    until: Instant,
}

/// The link to the terminal.
#[derive(Debug)]
pub struct Link {
    setting: LinkSetting,
    /// Whether the terminal is on another machine.
    remote: bool,
    /// Whether the terminal answers.
    answers: bool,
    missed: u32,
    /// Whether it is slow as far as was measured.
    measured_slow: bool,
    /// Bytes a second.
    rate: Option<f64>,
    /// The shortest time from a question to its answer.
    round_trip: Option<Duration>,
    flight: Option<Flight>,
}

impl Link {
    /// The link as it was measured at the start; without a measurement it counts as fast.
    pub fn new(setting: LinkSetting, remote: bool, answers: bool, probe: LinkProbe) -> Self {
        let LinkProbe { round_trip, rate, is_late } = probe;
        let measured_slow = is_late || rate.is_some_and(|rate| rate < SLOW_BELOW);
        Self { setting, remote, answers, missed: 0, measured_slow, rate, round_trip, flight: None }
    }

    /// Changes the setting.
    pub fn set(&mut self, setting: LinkSetting) {
        self.setting = setting;
    }

    /// Whether few bytes are to be sent.
    pub fn is_slow(&self) -> bool {
        match self.setting {
            LinkSetting::Slow => true,
            LinkSetting::Fast => false,
            LinkSetting::Auto => self.remote && self.measured_slow,
        }
    }

    /// Whether frames end with a question.
    pub fn asks(&self) -> bool {
        let may_be_slow =
            self.setting == LinkSetting::Slow || self.setting == LinkSetting::Auto && self.remote;
        self.answers && may_be_slow && self.missed < MAX_MISSED
    }

    /// When the next frame may be sent; `None` is now.
    pub fn busy_until(&mut self, now: Instant) -> Option<Instant> {
        let flight = self.flight?;
        if flight.until > now {
            return Some(flight.until);
        }
        self.missed += u32::from(flight.asked);
        self.flight = None;
        None
    }

    /// A frame of so many bytes was sent from this time on, with a question if the link asks.
    pub fn sent(&mut self, bytes: usize, now: Instant) {
        let asked = self.asks();
        if bytes == 0 || !asked && !self.is_slow() {
            return;
        }
        let time = |rate: f64| Duration::from_secs_f64(to_number(bytes) / rate);
        let until = if asked { now + PATIENCE + time(LOWEST_RATE) } else { now + time(ASSUMED_RATE) };
        self.flight = Some(Flight { sent: now, bytes, asked, until });
    }

    /// The terminal has answered.
    pub fn answered(&mut self, now: Instant) {
        let Some(flight) = self.flight.take_if(|flight| flight.asked) else { return };
        self.missed = 0;
        let took = now.saturating_duration_since(flight.sent);
        let is_sample = flight.bytes >= LEAST_SAMPLE;
        // The time of many bytes is no round trip.
        if self.round_trip.is_some() || !is_sample {
            self.round_trip = Some(self.round_trip.map_or(took, |known| known.min(took)));
        }
        if !is_sample {
            return;
        }
        let trip = self.round_trip.unwrap_or_default();
        let sample = to_number(flight.bytes) / took.saturating_sub(trip).as_secs_f64().max(0.001);
        let rate = self.rate.map_or(sample, |rate| f64::midpoint(rate, sample));
        self.rate = Some(rate);
        self.measured_slow = rate < if self.measured_slow { FAST_ABOVE } else { SLOW_BELOW };
    }

    /// Until when the answer to the last question is waited for; `None` if nothing was asked.
    pub fn answer_due(&self) -> Option<Instant> {
        self.flight.filter(|flight| flight.asked).map(|flight| flight.until)
    }

    /// What it carries; `None` if bytes do not count.
    pub fn pace(&self) -> Option<PicturePace> {
        let rate = self.rate.unwrap_or(if self.is_slow() { ASSUMED_RATE } else { FAST_ABOVE });
        let part_bytes = (rate * PART_TIME).clamp(PART_BYTES.0, PART_BYTES.1);
        let change_bytes = rate * CHANGE_TIME;
        (self.asks() || self.is_slow()).then_some(PicturePace { part_bytes, change_bytes })
    }

    /// Whether it is slow and why, such as `slow: measured, 2.1 KB/s, round trip 150 ms`.
    pub fn describe(&self) -> String {
        let speed = if self.is_slow() { "slow" } else { "fast" };
        let why = match self.setting {
            LinkSetting::Slow | LinkSetting::Fast => "as it is set",
            LinkSetting::Auto if !self.remote => "the terminal is on this machine",
            LinkSetting::Auto if self.rate.is_some() => "measured",
            LinkSetting::Auto if self.measured_slow => "the terminal did not answer in time",
            LinkSetting::Auto => "not measured",
        };
        let rate = self.rate.map(|rate| format!(", {}/s", size_text(rate)));
        let trip = self.round_trip.map(|trip| format!(", round trip {} ms", trip.as_millis()));
        format!("{speed}: {why}{}{}", rate.unwrap_or_default(), trip.unwrap_or_default())
    }
}

/// A number of bytes to calculate with.
fn to_number(bytes: usize) -> f64 {
    u32::try_from(bytes).map_or(f64::from(u32::MAX), f64::from)
}
