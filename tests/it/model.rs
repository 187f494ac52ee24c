//! A model behind a server: every mood of the server has exactly one outcome, what the server receives is
//! what the memory window says, and a key is nowhere.

mod agent_fixture;
mod behaviors;
mod curl;
mod runs;
mod secret;
