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
pub use measure::{
    FlightMeasure, Measures, PassMeasure, PassRow, ShotMeasure, ShotRow, SpeedMeasure, TackleMeasure, TurnRun,
};
pub use start::starting_scene;
pub use summary::{EpisodeSummary, RecordedEnd, read_summaries};
pub use trace::{RecordedFrame, Trace, read_trace};

#[cfg(test)]
mod tests;
