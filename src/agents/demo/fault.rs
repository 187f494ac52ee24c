//! The faults of the model whose kind is known: it sees a state wrongly, plans badly, or writes another action than it planned. Each is a
//! property of a state, whatever the seed of a call is, so that what a diagnosis finds can be compared with it.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use super::settings::{DemoSettings, Faults};
use crate::seeded_choice::SeededChoice;
use mageyard_domain::{Message, MessagePart, Observation, ObservationPart, Options, Probes, Segment};

/// What is wrong with the decisions in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// The picture is seen wrongly.
    Seen,
    /// The plan is bad.
    Planned,
    /// Another action is written than was planned.
    Written,
}

/// The purpose of the draw of a fault.
const FAULT: u32 = 1;

impl Faults {
    /// The fault in this state, if it has one.
    pub(super) fn of(&self, seen: &Observation) -> Option<Fault> {
        let choice = SeededChoice::new(0, &seen.digest().to_string());
        let drawn = super::script::fraction(choice.below(&[FAULT], 1 << 32));
        let shares = [self.misread, self.bad_plans, self.bad_writing];
        let index = super::script::place(drawn, &shares)?;
        [Fault::Seen, Fault::Planned, Fault::Written].get(index).copied()
    }
}

/// What the request says beside the picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Help {
    /// The present state in words, as a view or as a hint, so that nothing is seen wrongly.
    pub(super) words: bool,
    /// A hint of the plan.
    pub(super) plan: bool,
}

impl Help {
    pub(super) fn of(request: &[Message], seen: &Observation, probes: &dyn Probes) -> Self {
        let newest = request.iter().rev().take(1).flat_map(|message| &message.parts);
        let words = probes.in_words(seen);
        newest.fold(Self::default(), |help, part| match part {
            MessagePart::Text(Segment::StateText, _) => Self { words: true, ..help },
            MessagePart::Text(Segment::Hint, text) => {
                let is_words = words.as_deref().is_some_and(|words| text.contains(words));
                if is_words { Self { words: true, ..help } } else { Self { plan: true, ..help } }
            }
            _ => help,
        })
    }
}

/// The state as the model sees it, where it sees it wrongly.
pub(super) fn misread(probes: &dyn Probes, seen: &Observation, kind: &str) -> Option<Observation> {
    let kinds = probes.misreadings();
    let kind = if kind.is_empty() { kinds.first()?.name } else { kind };
    probes.misread(seen, kind)
}

/// What is wrong with the decisions in a state as a view shows it, by the options of the model.
pub(super) fn known_fault(
    options: &Options,
    shown: &Observation,
    probes: &dyn Probes,
) -> Option<&'static str> {
    let faults = DemoSettings::parse(options).ok()?.faults;
    let is_written = shown.parts().iter().any(|part| matches!(part, ObservationPart::Text(_)));
    match faults.of(shown)? {
        Fault::Seen if is_written || misread(probes, shown, &faults.misreading).is_none() => None,
        Fault::Seen => Some("seen"),
        Fault::Planned => Some("planned"),
        Fault::Written => Some("written"),
    }
}
