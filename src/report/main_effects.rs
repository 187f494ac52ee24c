//! Main effects: what one setting changes over all combinations of the others, from the same pairs of episodes as the
//! differences between rows.

use std::collections::BTreeMap;

use super::condition::{AGENT, AM, Condition, OM, PROMPT};
use super::{GroupStats, Groups, SAME_LEVELS};
use mageyard_statistics::{Correction, Counted, Interval, PairedDifference, paired_difference};

/// The settings that have main effects: the property and its name in tables.
const SETTINGS: [(&str, &str); 4] = [(AM, "AM"), (OM, "OM"), (PROMPT, "prompt"), (AGENT, "model")];

/// With fewer combinations of the other settings it is the difference between two rows.
const FEWEST_COMBINATIONS: usize = 2;

/// What a value of a setting changes, compared with another value of it.
#[derive(Clone, Debug)]
pub struct MainEffect {
    /// The setting: `AM`, `OM`, `prompt` or `model`.
    pub setting: &'static str,
    /// The level set.
    pub level_set: String,
    /// The value.
    pub value: String,
    /// The value that it is compared with: that of the reference, or else the lowest.
    pub base: String,
    /// The combinations of all other settings that have both values.
    pub combinations: usize,
    /// The difference over the pairs of all these combinations. Pairs of a level are one cluster. Its test is corrected for the
    /// number of main effects in the report.
    pub paired: PairedDifference,
}

/// The rows that differ only in one setting, by the key of its value.
type Rows<'a> = BTreeMap<&'a str, (&'a Condition, &'a GroupStats)>;

/// These rows by the names and keys of all other properties.
type Combinations<'a> = BTreeMap<Vec<(&'a str, &'a str)>, Rows<'a>>;

/// The main effects of a report; `range` is that of the scores of a row.
pub(super) fn main_effects(
    groups: &Groups,
    correction: Correction,
    range: impl Fn(&Condition) -> Option<Interval>,
) -> Vec<MainEffect> {
    let mut all: Vec<MainEffect> =
        SETTINGS.iter().flat_map(|setting| effects(groups, *setting, &range)).collect();
    correction.apply(all.iter_mut().map(|effect| &mut effect.paired.test), Counted::Possible);
    all
}

/// The effects of a setting, level set by level set.
fn effects(
    groups: &Groups,
    (property, setting): (&str, &'static str),
    range: &impl Fn(&Condition) -> Option<Interval>,
) -> Vec<MainEffect> {
    let mut sets: BTreeMap<[&str; 3], Combinations<'_>> = BTreeMap::new();
    for (condition, stats) in groups.iter().filter(|(condition, _)| condition.is_of_model()) {
        let set = SAME_LEVELS.map(|name| condition.shown(name));
        let rows = sets.entry(set).or_default().entry(condition.keys_without(property)).or_default();
        rows.insert(condition.key(property), (condition, stats));
    }
    let mut effects = Vec::new();
    for combinations in sets.into_values() {
        let combinations: Vec<Rows<'_>> = combinations.into_values().filter(|rows| rows.len() > 1).collect();
        let Some(base) = base(&combinations) else { continue };
        let mut values: Vec<&str> = combinations.iter().flat_map(|rows| rows.keys().copied()).collect();
        values.sort_unstable();
        values.dedup();
        let others = values.into_iter().filter(|value| *value != base);
        effects.extend(
            others.filter_map(|value| effect(&combinations, (property, setting), (value, base), range)),
        );
    }
    effects
}

/// The value that others are compared with: that of a row that is a reference, or else the first.
fn base<'a>(combinations: &[Rows<'a>]) -> Option<&'a str> {
    let rows = || combinations.iter().flatten();
    let of_reference = rows().filter(|(_, (_, stats))| stats.results.is_reference).map(|(value, _)| *value);
    of_reference.min().or_else(|| rows().map(|(value, _)| *value).min())
}

fn effect(
    combinations: &[Rows<'_>],
    (property, setting): (&str, &'static str),
    (value, base): (&str, &str),
    range: &impl Fn(&Condition) -> Option<Interval>,
) -> Option<MainEffect> {
    let both = combinations.iter().filter_map(|rows| Some((rows.get(value)?, rows.get(base)?)));
    let both: Vec<_> = both.collect();
    let ((condition, _), (other, _)) = both.first()?;
    let range = range(condition);
    let differences =
        both.iter().map(|(own, other)| paired_difference(&own.1.scores, &other.1.scores, range));
    let paired = PairedDifference::pooled(differences, range);
    (both.len() >= FEWEST_COMBINATIONS && !paired.pairs.is_empty()).then(|| MainEffect {
        setting,
        level_set: condition.shown(super::LEVEL_SET).to_owned(),
        value: condition.shown(property).to_owned(),
        base: other.shown(property).to_owned(),
        combinations: both.len(),
        paired,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use mageyard_statistics::{LevelSample, Repeat, Verdict};

    /// Rows of one level set by prompt and AM, each with its score on eight levels of different difficulty.
    fn groups(rows: &[(&str, &str, f64)]) -> Groups {
        let row = |(prompt, am, score): &(&str, &str, f64)| {
            let condition =
                Condition::with(&[(PROMPT, prompt), (AM, am), (super::super::LEVEL_SET, "s/mini")]);
            let sample = |level: u32| LevelSample {
                level: level.to_string(),
                repeat: Repeat { number: 1, seed: 0 },
                value: score + 5.0 * f64::from(level) + if *am == "1" { f64::from(level % 2) } else { 0.0 },
            };
            let mut stats = GroupStats::default();
            stats.scores.extend((1..=8).map(sample));
            (condition, stats)
        };
        rows.iter().map(row).collect()
    }

    #[test]
    fn an_effect_is_the_mean_over_the_combinations_of_the_others() {
        let groups = groups(&[
            ("A", "1", 10.0),
            ("A", "5", 14.0),
            ("B", "1", 20.0),
            ("B", "5", 26.0),
            ("B", "9", 0.0),
        ]);
        let found = main_effects(&groups, Correction::Holm, |_| Some(Interval { low: 0.0, high: 100.0 }));
        let named: Vec<_> = found
            .iter()
            .map(|effect| (effect.setting, effect.value.as_str(), effect.base.as_str(), effect.combinations))
            .collect();
        assert_eq!(named, [("AM", "5", "1", 2), ("prompt", "B", "A", 2)], "AM 9 has only one prompt");
        // On odd levels AM 1 has a point more: 4 and 6 less half a point, and 10 and 12 for the prompt.
        let means: Vec<f64> = found.iter().map(|effect| effect.paired.mean.unwrap()).collect();
        assert!((means[0] - 4.5).abs() < 1e-9 && (means[1] - 11.0).abs() < 1e-9, "{means:?}");
        // Of 256 ways to flip eight levels two are as far from zero, and there are two tests.
        for effect in &found {
            let test = effect.paired.test;
            assert!((test.p - 2.0 / 256.0).abs() < 1e-12 && (test.corrected - 4.0 / 256.0).abs() < 1e-12);
            assert_eq!((effect.paired.pairs.len(), effect.paired.levels()), (16, 8));
            assert_eq!(test.verdict(), Verdict::Different);
        }
    }

    #[test]
    fn one_combination_is_a_difference_between_rows_and_no_main_effect() {
        let groups = groups(&[("A", "1", 10.0), ("A", "5", 14.0)]);
        assert!(main_effects(&groups, Correction::Holm, |_| None).is_empty());
    }
}
