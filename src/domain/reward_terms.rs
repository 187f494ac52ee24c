//! The terms that a reward is the sum of, where an environment names them.
//!
//! The fact `reward_terms` of a state is an array of what each term has earned since the beginning of the episode, in the
//! order of [`Scoring::reward_terms`].

use std::fmt;

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::{Observation, Scoring};

/// What each term earned, by its name, in the order of the environment.
#[derive(Clone, Debug, PartialEq)]
pub struct RewardTerms(Vec<(&'static str, f64)>);

impl RewardTerms {
    /// What the terms have earned up to this observation; `None` if the environment has none, or its facts do not say.
    pub fn up_to(scoring: &dyn Scoring, seen: &Observation) -> Option<Self> {
        let names = scoring.reward_terms();
        if names.is_empty() {
            return None;
        }
        let sums = seen.facts().get("reward_terms")?.as_array()?;
        let values: Option<Vec<f64>> = sums.iter().map(serde_json::Value::as_f64).collect();
        let values = values.filter(|values| values.len() == names.len())?;
        Some(Self(names.iter().copied().zip(values).collect()))
    }

    /// What the terms earned between two observations, to a millionth.
    pub fn between(scoring: &dyn Scoring, before: &Observation, after: &Observation) -> Option<Self> {
        let before = Self::up_to(scoring, before)?;
        let after = Self::up_to(scoring, after)?;
        let earned = |((name, sum), (_, already)): (&(&'static str, f64), &(&str, f64))| {
            // Adding 0 turns -0 into 0.
            (*name, ((sum - already) * 1e6).round() / 1e6 + 0.0)
        };
        Some(Self(after.0.iter().zip(&before.0).map(earned).collect()))
    }

    /// The names with their values.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, f64)> + '_ {
        self.0.iter().copied()
    }
}

/// `advance +1.2 · passed +0.9`: the terms that earned something, to a tenth.
impl fmt::Display for RewardTerms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let earned = self.iter().filter(|(_, value)| value.abs() >= 0.05);
        let words: Vec<String> = earned.map(|(name, value)| format!("{name} {value:+.1}")).collect();
        f.pad(&words.join(" · "))
    }
}

/// An object with a number for each name.
impl Serialize for RewardTerms {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        self.iter().try_for_each(|(name, value)| map.serialize_entry(name, &value))?;
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NoScoring;
    use serde_json::json;

    struct Two;

    impl Scoring for Two {
        fn reward_terms(&self) -> &'static [&'static str] {
            &["near", "far"]
        }
    }

    fn seen(terms: &serde_json::Value) -> Observation {
        Observation::from_parts(Vec::new(), "", json!({ "reward_terms": terms }))
    }

    #[test]
    fn terms_are_differences_of_sums() {
        let before = seen(&json!([1.1, 0.0]));
        let after = seen(&json!([1.4, -2.0]));
        let terms = RewardTerms::between(&Two, &before, &after).unwrap();
        assert_eq!(json!(terms), json!({ "near": 0.3, "far": -2.0 }));
        assert_eq!(terms.to_string(), "near +0.3 · far -2.0");
        assert_eq!(json!(RewardTerms::up_to(&Two, &after)), json!({ "near": 1.4, "far": -2.0 }));
    }

    #[test]
    fn facts_that_do_not_fit_give_no_terms() {
        for facts in [json!([1.0]), json!([1.0, "x"]), json!(null), json!({})] {
            assert_eq!(RewardTerms::up_to(&Two, &seen(&facts)), None);
        }
        assert_eq!(RewardTerms::up_to(&NoScoring, &seen(&json!([1.0, 2.0]))), None);
    }
}
