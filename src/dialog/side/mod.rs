//! Side requests: how a question becomes the turns of a request, and how its answer is read.

mod answer;
mod compose;
mod probe;
mod prompt;

pub use self::answer::read_answer;
pub use self::compose::compose_side;
pub use self::probe::{compose_probe, read_probe_answer};
pub use self::prompt::SidePrompt;
