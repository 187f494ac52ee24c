//! The keys and types of a suite file, as TOML has them.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

/// Settings by table and name.
pub(super) type RawSettings = BTreeMap<Spanned<String>, BTreeMap<Spanned<String>, Spanned<toml::Value>>>;

/// The whole file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawSuite {
    pub(super) schema: Spanned<i64>,
    pub(super) name: Option<Spanned<String>>,
    pub(super) about: String,
    pub(super) environment: String,
    pub(super) margin: Option<Spanned<f64>>,
    #[serde(default)]
    pub(super) settings: RawSettings,
    pub(super) level: Vec<RawLevel>,
    pub(super) state: Vec<Spanned<RawState>>,
}

/// A `[[level]]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawLevel {
    pub(super) reference: Spanned<String>,
    #[serde(default = "first")]
    pub(super) number: usize,
    pub(super) title: Option<String>,
    pub(super) text: Option<Spanned<String>>,
    pub(super) digest: Option<Spanned<String>>,
}

/// A `[[state]]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawState {
    pub(super) why: String,
    pub(super) category: Option<String>,
    pub(super) address: Option<Spanned<String>>,
    pub(super) digest: Spanned<String>,
    #[serde(default)]
    pub(super) accept: Vec<String>,
    #[serde(default)]
    pub(super) mistake: Vec<String>,
    pub(super) taken: Option<String>,
    pub(super) level: Spanned<String>,
    #[serde(default)]
    pub(super) seed: u64,
    pub(super) actions: Option<Vec<String>>,
    #[serde(default)]
    pub(super) settings: RawSettings,
}

fn first() -> usize {
    1
}
