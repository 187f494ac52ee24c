//! Live environments: calls that hang, end in time; nothing is done twice; the environment is always closed.

mod checkpoints;
mod contract;
mod cut;
mod driver;
mod episode;
mod persons;
mod problems;
mod repeats;
mod session;
mod sides;
mod verdicts;
