//! What can be measured.

/// A table of the whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Measurement {
    /// Steps a second, with and without what an episode asks for at a step
    Steps,
    /// Painted frames a second, whole and where something has changed
    Frames,
    /// New levels a second in each group
    Generate,
    /// How long shortest solutions take in each group
    Solve,
}

impl Measurement {
    pub(super) const ALL: [Self; 4] = [Self::Steps, Self::Frames, Self::Generate, Self::Solve];
}
