//! Measurements of an engine on scenes with few players.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::RecordingError;

/// The measurements of a folder; empty where it has none.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Measures {
    /// By mode and slot, such as `walk_5`.
    pub speeds: BTreeMap<String, SpeedMeasure>,
    /// By mode and angle, such as `sprint90`: runs of frames until the new heading holds, until full speed, and the
    /// lowest speed in m/s.
    pub turns: BTreeMap<String, Vec<TurnRun>>,
    /// By kind and distance.
    pub passes: Vec<PassMeasure>,
    /// By keeper and place.
    pub shots: Vec<ShotMeasure>,
    /// Kicks; even and odd seeds in turn.
    pub flights: Vec<FlightMeasure>,
    /// Lone defenders, by difficulty, mode and distance.
    pub tackles: Vec<TackleMeasure>,
}

/// A straight run with the ball.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct SpeedMeasure {
    /// Mean speed in m/s.
    pub v_mean: f64,
    /// The first speeds, one a frame.
    pub accel: Vec<f64>,
    /// Share of the frames in which the player owned the ball; 0 where he never got it.
    pub own_frac: f64,
}

/// Frames until the new heading holds and until full speed (none: not within the window), the lowest speed, and a count
/// that is not used.
pub type TurnRun = (Option<f64>, Option<f64>, Option<f64>, Option<f64>);

/// Passes of one kind over one distance; even and odd seeds in turn.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct PassMeasure {
    /// `short`, `long` or `high`.
    pub kind: String,
    /// The passes.
    pub rows: Vec<PassRow>,
}

/// One pass.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct PassRow {
    /// Metres to the mate when the button is pressed.
    pub pd: f64,
    /// Frames from the button to the contact.
    pub kick: Option<f64>,
    /// Frames from the button to the reception; none: never received.
    pub recv: Option<f64>,
    /// The first speed in m/s.
    pub vmax: Option<f64>,
}

/// Shots from one place.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct ShotMeasure {
    /// Whether the keeper moves.
    pub gk: bool,
    /// Metres off the middle.
    pub yoff: f64,
    /// The shots.
    pub rows: Vec<ShotRow>,
}

/// One shot.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct ShotRow {
    /// The highest speed in m/s.
    pub vmax: Option<f64>,
    /// `goal`, `saved`, a stoppage, or none.
    pub out: Option<String>,
    /// Metres to the goal when the button is pressed.
    pub dist: f64,
}

/// The path of a kicked ball.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct FlightMeasure {
    /// `short`, `long`, `high` or `shot`.
    pub kind: String,
    /// The index of the first point after the kick.
    pub kick: usize,
    /// A point a frame: place in m and velocity in m/s (x right, y **up**), and who owns the ball (−1: none).
    pub tr: Vec<([f64; 3], [f64; 3], i64)>,
}

/// A carrier against one defender.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct TackleMeasure {
    /// Skill of the defender's team.
    pub diff: f64,
    /// How the carrier moves: `idle`, `walk`, `sprint` or `dribble`.
    pub mode: String,
    /// Metres between them at the start.
    pub gap: f64,
    /// The frame in which the defender owned the ball, or another end, as text; then the frame of any other end. `None`:
    /// not within the window.
    pub rows: Vec<[String; 2]>,
}

impl Measures {
    /// Reads a file of measurements, which its name tells from the others; false for another name.
    ///
    /// # Errors
    ///
    /// The line and the column of a text that does not have the format.
    pub fn read(&mut self, name: &str, text: &[u8]) -> Result<bool, RecordingError> {
        match name {
            "measure_speed_with_ball.json" => self.speeds = parsed(text)?,
            "measure_turn.json" => self.turns = parsed(text)?,
            "measure_pass.json" => self.passes = parsed(text)?,
            "measure_shot.json" => self.shots = parsed(text)?,
            "measure_ball_flight.json" => self.flights = parsed(text)?,
            "measure_tackle.json" => self.tackles = parsed(text)?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

fn parsed<T: DeserializeOwned>(text: &[u8]) -> Result<T, RecordingError> {
    Ok(serde_json::from_slice(text)?)
}
