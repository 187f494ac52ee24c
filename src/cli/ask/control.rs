//! The object `ask_control`: the same request in two asks, which shows whether the server still answers as it did.

use std::collections::BTreeSet;
use std::io;

use schemars::JsonSchema;
use serde::Serialize;

use crate::records::Record;
use crate::studies::StudyPrinter;
use mageyard_study::{ServerControl, StoredAsk};

/// A variant whose request is the same in two asks (`ask`), such as one of today and one of last month. Pairs have the ask that was
/// just made, or is printed later, first.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ControlRecord<'a> {
    /// Reference of the step, or name of the suite.
    run: &'a str,
    /// Number of the variant in the first ask.
    variant: usize,
    /// Seeds of the two asks.
    seeds: [u64; 2],
    /// States in which both have replies.
    states: usize,
    /// Replies of each.
    replies: [usize; 2],
    /// Total variation distance of the answers, from 0 to 1, averaged over states.
    distance: f64,
    /// The distance of the shares that are averaged over states first, from 0 to 1.
    distance_pooled: f64,
    /// P value of a permutation test of the sum of both.
    p: f64,
    /// The same, corrected by Holm for the variants.
    p_corrected: f64,
    /// Whether the answers differ beyond chance: the corrected value is below 0.05.
    moved: bool,
    /// Names of the model with its fingerprint, as the server gave them in the first ask.
    answered_as: &'a BTreeSet<String>,
    /// The same in the other one.
    answered_before_as: &'a BTreeSet<String>,
}

impl Record for ControlRecord<'_> {
    const TYPE: &'static str = "ask_control";
}

impl<'a> ControlRecord<'a> {
    fn new(run: &'a str, found: &'a ServerControl) -> Self {
        Self {
            run,
            variant: found.variant + 1,
            seeds: [found.seeds.0, found.seeds.1],
            states: found.states,
            replies: [found.replies.0, found.replies.1],
            distance: found.distance,
            distance_pooled: found.pooled,
            p: found.p,
            p_corrected: found.corrected,
            moved: found.answers_differ(),
            answered_as: &found.answered_as.0,
            answered_before_as: &found.answered_as.1,
        }
    }
}

/// Prints what the requests show that two asks have in common.
pub(super) fn print_controls(
    printer: &mut StudyPrinter,
    run: &str,
    (one, other): (&[&StoredAsk], &[&StoredAsk]),
) -> io::Result<()> {
    for found in ServerControl::all(one, other) {
        if printer.json {
            printer.out.record(&ControlRecord::new(run, &found))?;
        } else {
            printer.out.line(found.to_string())?;
        }
    }
    Ok(())
}
