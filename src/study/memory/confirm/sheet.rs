//! The sweep whose cells are the episodes: one cell for each window, level and seed.

use std::collections::BTreeMap;
use std::fmt::Write;

use mageyard_config::SettingOverride;
use mageyard_domain::Digest;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use serde_json::Value;

use super::window::KeptWindow;

/// A pair of episodes: the level and the seed that a candidate and the reference have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PlannedPair {
    pub(super) level: String,
    /// The repeat of the level, from 1.
    pub(super) repeat: u32,
    pub(super) seed: u64,
}

/// So many pairs in the order in which they are played: all levels in a random order that only the seed decides, then all of
/// them again with the next seed, and so on.
pub(super) fn draw_pairs(levels: &[String], seed: u64, count: u32) -> Vec<PlannedPair> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut drawn: Vec<(u64, &String)> = levels.iter().map(|level| (random.next_u64(), level)).collect();
    drawn.sort();
    let round = |repeat: u32| {
        let seed = seed.saturating_add(u64::from(repeat) - 1);
        drawn.iter().map(move |(_, level)| PlannedPair { level: (*level).clone(), repeat, seed })
    };
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    if drawn.is_empty() { Vec::new() } else { (1..).flat_map(round).take(count).collect() }
}

/// The file of the sweep.
pub(super) struct ConfirmSheet<'a> {
    pub(super) settings: &'a BTreeMap<String, Value>,
    pub(super) flags: &'a [SettingOverride],
    /// The reference first.
    pub(super) windows: &'a [KeptWindow],
    pub(super) pairs: &'a [PlannedPair],
}

impl ConfirmSheet<'_> {
    /// Its text. The name depends on the levels, the seed and the settings, so that later plans with other windows find the
    /// episodes that are there.
    pub(super) fn text(&self, levels: &[String]) -> String {
        // Writing to a string does not fail.
        let mut text = String::new();
        let _ = writeln!(text, "name = {}", quoted(&self.name(levels)));
        let _ = writeln!(text, "about = \"Whole episodes with several memory windows\"");
        let _ = writeln!(text, "\n[settings]\n{}", self.shared());
        for round in self.pairs.chunk_by(|one, other| one.repeat == other.repeat) {
            let levels: Vec<String> = round.iter().map(|pair| quoted(&pair.level)).collect();
            let seed = round.first().map_or(0, |pair| pair.seed);
            for window in self.windows {
                let _ = writeln!(text, "[[grid]]\nlevels = [{}]\nseed = {seed}", levels.join(", "));
                for (name, value) in window.settings() {
                    let _ = writeln!(text, "{name} = {value}");
                }
            }
        }
        text
    }

    fn shared(&self) -> String {
        let mut text = String::new();
        for (name, value) in self.settings.iter().filter(|(_, value)| !value.is_null()) {
            let written = toml::Value::try_from(value).map(|value| value.to_string()).unwrap_or_default();
            let _ = writeln!(text, "{name} = {written}");
        }
        text
    }

    fn name(&self, levels: &[String]) -> String {
        let flags = self.flags.iter().map(|flag| format!("{}={}\n", flag.name, flag.text));
        let seed = self.pairs.first().map_or(0, |pair| pair.seed);
        let all = format!("{}\n{}{}{seed}", levels.join("\n"), self.shared(), flags.collect::<String>());
        let digest = Digest::of(all.as_bytes()).to_string();
        format!("memory-{}", digest.get(..10).unwrap_or(&digest))
    }
}

fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_go_through_all_levels_before_one_is_repeated() {
        let levels: Vec<String> = ["a", "b", "c"].map(str::to_owned).to_vec();
        let pairs = draw_pairs(&levels, 7, 5);
        let mut first: Vec<&str> = pairs[..3].iter().map(|pair| pair.level.as_str()).collect();
        let again: Vec<&str> = pairs[3..].iter().map(|pair| pair.level.as_str()).collect();
        assert_eq!(again, first[..2]);
        first.sort_unstable();
        assert_eq!(first, ["a", "b", "c"]);
        assert_eq!(
            pairs.iter().map(|pair| (pair.repeat, pair.seed)).collect::<Vec<_>>()[2..4],
            [(1, 7), (2, 8)]
        );
        assert_eq!(draw_pairs(&levels, 7, 5), pairs);
        assert!((0..10).any(|seed| draw_pairs(&levels, seed, 3) != draw_pairs(&levels, seed + 10, 3)));
        assert_eq!(draw_pairs(&[], 7, 5), []);
    }
}
