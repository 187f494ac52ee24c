//! The object `main_effect`: what one setting changes over all combinations of the others.

use schemars::JsonSchema;
use serde::Serialize;

use super::computed_fields::PairedFields;
use crate::records::Record;
use mageyard_report::MainEffect;

/// What a value of a setting changes in the score, over all combinations of the other settings (`report`).
#[derive(Serialize, JsonSchema)]
pub(crate) struct MainEffectRecord<'a> {
    /// `AM`, `OM`, `prompt` or `model`.
    setting: &'static str,
    /// The value.
    value: &'a str,
    /// The value that it is compared with.
    compared_with: &'a str,
    /// Reference of the level set.
    level_set: &'a str,
    /// Combinations of the other settings that have both values.
    combinations: usize,
    #[serde(flatten)]
    paired: PairedFields,
}

impl Record for MainEffectRecord<'_> {
    const TYPE: &'static str = "main_effect";
}

impl<'a> From<&'a MainEffect> for MainEffectRecord<'a> {
    fn from(effect: &'a MainEffect) -> Self {
        Self {
            setting: effect.setting,
            value: &effect.value,
            compared_with: &effect.base,
            level_set: &effect.level_set,
            combinations: effect.combinations,
            paired: PairedFields::from(&effect.paired),
        }
    }
}
