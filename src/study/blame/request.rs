//! How an episode is played on to find the step that lost it: the arguments of the verb, which the screen reads too.

use crate::ContinuationRequest;
use crate::ask::MOST_TO_END;

/// What the verb takes.
#[derive(Clone, Debug, clap::Args)]
pub struct BlameArgs {
    /// Play on, even if there is a solver
    #[arg(long)]
    pub play: bool,
    /// Episodes from each step that is tried
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_TO_END)))]
    pub samples: u32,
    /// Seed of the order and of the random choices of the agent
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Episodes at once [default: the run.jobs setting]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub concurrency: Option<u16>,
    /// Open a live surface again, although what cannot be seen of its state may differ
    #[arg(long = "unsafe")]
    pub allow_unsafe: bool,
}

impl BlameArgs {
    /// How the episode is played on, with these settings in place of those of its steps.
    pub fn request(&self, given: Vec<String>) -> ContinuationRequest {
        let Self { samples, seed, allow_unsafe, .. } = *self;
        ContinuationRequest { samples, seed, given, allow_unsafe, ..ContinuationRequest::default() }
    }
}
