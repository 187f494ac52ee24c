//! The objects of `levels import magebench`. Their types begin with the name of the checkout.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::Serialize;

use crate::records::Record;

/// A level of a MageBench checkout (`levels import magebench`).
#[derive(Serialize, JsonSchema)]
pub(crate) struct CheckoutLevelRecord<'a> {
    /// Name of the level.
    pub(super) level: &'a str,
    /// The level.
    pub(super) text: &'a str,
    /// Published optimum.
    pub(super) published: Option<f64>,
    /// Published length of a shortest solution.
    pub(super) published_steps: Option<u32>,
    /// True optimum.
    pub(super) optimum: Option<f64>,
    /// True length of a shortest solution.
    pub(super) shortest: Option<u32>,
    /// Whether the published optimum is wrong.
    pub(super) differs: bool,
    /// Problem with the level.
    pub(super) trouble: Option<&'a str>,
}

impl Record for CheckoutLevelRecord<'_> {
    const TYPE: &'static str = "magebench_level";
}

/// A level of a MageBench checkout that is left out (`levels import magebench`).
#[derive(Serialize, JsonSchema)]
pub(crate) struct RefusedLevelRecord<'a> {
    /// Name of the level.
    pub(super) level: &'a str,
    /// Why, with file and line.
    pub(super) reason: Cow<'a, str>,
}

impl Record for RefusedLevelRecord<'_> {
    const TYPE: &'static str = "magebench_refused";
}

/// A level set that a MageBench checkout does not have (`levels import magebench`).
#[derive(Serialize, JsonSchema)]
pub(crate) struct MissingSetRecord<'a> {
    /// Reference of the set that was not written.
    pub(super) reference: String,
    /// The list of its levels, which is not in the checkout.
    pub(super) list: &'a str,
}

impl Record for MissingSetRecord<'_> {
    const TYPE: &'static str = "magebench_missing";
}
