//! The measurements of `bench sokoban`.

/// One table of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Measurement {
    /// Steps per second, with and without the work of an episode
    Steps,
    /// Frames per second, painted in full and only where changed
    Frames,
    /// Levels generated per second in each group
    Generate,
    /// Time to find shortest solutions in each group
    Solve,
}

impl Measurement {
    pub(super) const ALL: [Self; 4] = [Self::Steps, Self::Frames, Self::Generate, Self::Solve];
}
