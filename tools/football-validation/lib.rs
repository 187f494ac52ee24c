//! The evidence that the simulator of football resembles the real engine: reads recordings of the engine, repeats them and
//! compares. A developer's tool, which is not part of the program. Nothing in this library prints or reads files; the
//! binary does. `README.md` describes the recordings, the checks and the results.

pub mod baseline;
pub mod recording;
mod statistics;
pub mod validation;
