//! Recordings of an engine: episodes frame by frame, lists of episodes, and measurements. Text in, data out; each
//! error says in which field it is. A recording is untrusted: whatever it contains, reading it returns.

mod error;
mod field;
mod measure;
mod start;
mod state;
mod summary;
mod trace;

pub use error::RecordingError;
pub use measure::FlightMeasure;
pub use measure::Measures;
pub use measure::PassMeasure;
pub use measure::PassRow;
pub use measure::ShotMeasure;
pub use measure::ShotRow;
pub use measure::SpeedMeasure;
pub use measure::TackleMeasure;
pub use measure::TurnRun;
pub use start::starting_scene;
pub use summary::EpisodeSummary;
pub use summary::RecordedEnd;
pub use summary::read_summaries;
pub use trace::RecordedFrame;
pub use trace::Trace;
pub use trace::read_trace;

#[cfg(test)]
mod tests;
