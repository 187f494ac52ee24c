//! How many replies and episodes a reader reads.

/// The counts with the recorded rules (index 0) and with the new rules (index 1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReparseCounts {
    /// Episodes.
    pub episodes: usize,
    /// Replies.
    pub replies: usize,
    /// Replies with a parse error.
    pub errors: [usize; 2],
    /// Replies that are read by a fallback rule, or of which parts are ignored.
    pub doubtful: [usize; 2],
    /// Episodes with an invalid action.
    pub invalid: [usize; 2],
    /// Steps whose action changed.
    pub changed: usize,
}

impl ReparseCounts {
    /// Adds the counts of more episodes.
    pub fn add(&mut self, other: &Self) {
        self.episodes += other.episodes;
        self.replies += other.replies;
        self.changed += other.changed;
        for side in 0..2 {
            self.errors[side] += other.errors[side];
            self.doubtful[side] += other.doubtful[side];
            self.invalid[side] += other.invalid[side];
        }
    }

    /// Percentage of episodes with an invalid action (IA); `None` if there are no episodes.
    pub fn invalid_percent(&self, side: usize) -> Option<f64> {
        let count = |number: usize| f64::from(u32::try_from(number).unwrap_or(u32::MAX));
        (self.episodes > 0).then(|| 100.0 * count(self.invalid[side]) / count(self.episodes))
    }
}
