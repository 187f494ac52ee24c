//! Randomness of a game: a counter-based generator with one stream for each purpose and player. A draw is a
//! hash of seed, purpose, player and counter (finalizer of `SplitMix64`), so a draw for one purpose never moves
//! another, and a cloned game goes on the same.

/// Players of both teams; the number of streams of one purpose.
pub(crate) const PLAYERS: usize = 22;
const PURPOSES: usize = 8;

/// What a draw is for; each purpose has a stream of its own for each player.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Purpose {
    /// Delays at the start of the game.
    Start,
    /// Errors of dribble touches and traps.
    Touch,
    /// Errors of passes.
    Pass,
    /// Errors of shots.
    Shot,
    /// Tackles and slides.
    Duel,
    /// Decisions of the AI.
    Decision,
    /// Saves of keepers.
    Keeper,
    /// Choices of a random policy.
    Policy,
}

/// The generator: a seed and one counter for each stream.
#[derive(Clone, Debug, PartialEq)]
pub struct Random {
    seed: u64,
    counters: [[u32; PLAYERS]; PURPOSES],
}

impl Random {
    /// A generator with every stream at its beginning.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { seed, counters: [[0; PLAYERS]; PURPOSES] }
    }

    /// The next number of the stream, uniform in 0 to 1 (1 excluded), in steps of 2^-53.
    pub fn unit(&mut self, purpose: Purpose, player: usize) -> f64 {
        let bits = self.next(purpose, player) >> 11;
        #[allow(clippy::cast_precision_loss, reason = "53 bits fit exactly")]
        let numerator = bits as f64;
        numerator / 9_007_199_254_740_992.0
    }

    /// The next number of the stream, uniform between `low` and `high`.
    pub fn range(&mut self, purpose: Purpose, player: usize, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit(purpose, player)
    }

    /// True with this chance.
    pub fn chance(&mut self, purpose: Purpose, player: usize, probability: f64) -> bool {
        self.unit(purpose, player) < probability
    }

    /// A whole number below `count`, each as likely as the others.
    pub fn below(&mut self, purpose: Purpose, player: usize, count: u8) -> u8 {
        let place = self.unit(purpose, player) * f64::from(count);
        let steps = (1..count).filter(|step| place >= f64::from(*step));
        u8::try_from(steps.count()).unwrap_or(0)
    }

    fn next(&mut self, purpose: Purpose, player: usize) -> u64 {
        let counter = &mut self.counters[purpose as usize][player];
        *counter = counter.wrapping_add(1);
        let stream = (purpose as u64) << 40 | (player as u64) << 32 | u64::from(*counter);
        mix(mix(self.seed).wrapping_add(stream.wrapping_mul(0x9E37_79B9_7F4A_7C15)))
    }
}

/// The finalizer of `SplitMix64`: every input bit moves every output bit.
const fn mix(value: u64) -> u64 {
    let first = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let second = (first ^ (first >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    second ^ (second >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draw_for_one_purpose_does_not_move_another() {
        let mut one = Random::new(7);
        let mut other = Random::new(7);
        one.unit(Purpose::Pass, 3);
        one.unit(Purpose::Duel, 4);
        assert_eq!(one.unit(Purpose::Duel, 3).to_bits(), other.unit(Purpose::Duel, 3).to_bits());
    }

    #[test]
    fn whole_numbers_are_below_their_count_and_even() {
        let mut random = Random::new(3);
        let mut counts = [0; 16];
        for _ in 0..16_000 {
            counts[usize::from(random.below(Purpose::Policy, 0, 16))] += 1;
        }
        assert!(counts.iter().all(|count| (850..1150).contains(count)), "{counts:?}");
        assert_eq!(random.below(Purpose::Policy, 0, 1), 0);
    }

    #[test]
    fn draws_are_uniform_and_differ_between_streams() {
        let mut random = Random::new(0);
        let draws: Vec<f64> = (0..4000).map(|k| random.unit(Purpose::Touch, k % PLAYERS)).collect();
        let mean = draws.iter().sum::<f64>() / 4000.0;
        let low = draws.iter().filter(|&&draw| draw < 0.1).count();
        assert!((mean - 0.5).abs() < 0.02, "mean {mean}");
        assert!((300..500).contains(&low), "below 0.1: {low} of 4000");
    }
}
