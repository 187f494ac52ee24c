//! Builds the ledger of a request from its steps.

use smallvec::SmallVec;

use super::keep::{Keep, KeepRule};
use super::ledger::{Ledger, LedgerPart, LedgerRow};
use super::rules::{FeedbackMemory, History, Inclusion, LedgerRules, LedgerStep, PromptImages};
use mageyard_domain::{Observation, ObservationPart, PartKind, Window};

/// The ledger of the request for the last of `steps`, which are in order, oldest first. Only the last AM + 1 of them
/// are read, unless keep rules keep older observations: then they are all steps of the episode so far.
///
/// An observation is included if it is among the last OM ones and its step is among the last AM steps. With AM=3 and
/// OM=2, the request for step t+1 has the outputs t-2, t-1 and t, and the observations t and t+1 (`MageBench`, AM and
/// OM).
pub fn build_ledger(rules: LedgerRules, steps: &[LedgerStep<'_>]) -> Ledger {
    let until = steps.len().saturating_sub(usize::from(rules.window.om()));
    let kept = rules.keep.kept(steps, until);
    let rule = |index: usize| kept.iter().find(|(at, _)| *at == index).map(|(_, rule)| *rule);
    let window = usize::from(rules.window.am()) + 1;
    let rows = steps.iter().rev().take(window).enumerate().map(|(age, step)| {
        let by_window = observation_inclusion(rules.window, age);
        let observation = rule(steps.len() - 1 - age).map_or(by_window, Inclusion::Kept);
        let mut parts = ledger_parts(step.observation, rules.images, observation);
        let observation = keep_text(rules.keep, step.observation, observation, &mut parts);
        leave_out_images(&mut parts, rules.images_most);
        let output = output_inclusion(rules, age, step.has_output);
        let feedback = feedback_inclusion(rules, age, step.has_feedback);
        let reflection = reflection_inclusion(rules, age, step.has_reflection);
        LedgerRow { step: step.number, output, feedback, reflection, observation, parts }
    });
    let rows = rows.collect();
    let older = kept.iter().rev().filter(|(index, _)| index + window < steps.len());
    let older = older.map(|(index, rule)| {
        let mut row = older_row(rules.images, steps[*index]);
        row.observation = Inclusion::Kept(*rule);
        row.parts = ledger_parts(steps[*index].observation, rules.images, row.observation);
        row
    });
    let mut ledger = Ledger { rows, kept: older.collect(), view: None };
    if rules.task_once {
        let first = if rules.history == History::State { 0 } else { ledger.rows.len().saturating_sub(1) };
        ledger.keep_task_once(steps, first);
    }
    ledger
}

impl Ledger {
    /// Keeps the parts of the task in the first turn of the request, which shows the state of this age, whether or not it is in
    /// OM, and leaves them out of the other turns.
    pub(crate) fn keep_task_once(&mut self, steps: &[LedgerStep<'_>], first: usize) {
        let step_of = |row: &LedgerRow| steps.iter().rev().find(|step| step.number == row.step);
        for (age, row) in self.rows.iter_mut().chain(&mut self.kept).enumerate() {
            let Some(step) = step_of(row) else { continue };
            let task = step.observation.task_parts();
            let is_of_task =
                |part: &&mut LedgerPart| part.index.is_some_and(|index| usize::from(index) < task);
            for part in row.parts.iter_mut().filter(is_of_task) {
                part.inclusion = match part.inclusion {
                    Inclusion::OutsideOm | Inclusion::LeftOut | Inclusion::InFirstTurn if age == first => {
                        Inclusion::Included
                    }
                    inclusion if inclusion.is_included() && age != first => Inclusion::InFirstTurn,
                    other => other,
                };
            }
        }
    }
}

/// Keeps the texts of an observation outside OM, if a rule says so; an observation without a text stays outside.
fn keep_text(
    keep: Keep,
    of: &Observation,
    observation: Inclusion,
    parts: &mut SmallVec<[LedgerPart; 2]>,
) -> Inclusion {
    if !keep.text || observation != Inclusion::OutsideOm {
        return observation;
    }
    let kept = Inclusion::Kept(KeepRule::Text);
    let is_text =
        |part: &&mut LedgerPart| part.kind == PartKind::Text && part.inclusion == Inclusion::OutsideOm;
    let mut count = 0;
    for part in parts.iter_mut().filter(is_text) {
        part.inclusion = kept;
        count += 1;
    }
    if count == 0 && !of.text().is_empty() {
        parts.push(LedgerPart { index: None, kind: PartKind::Text, inclusion: kept });
        count = 1;
    }
    if count > 0 { kept } else { observation }
}

/// Leaves out the images after the first ones, if their number is limited.
fn leave_out_images(parts: &mut [LedgerPart], most: u16) {
    let images = parts.iter_mut().filter(|part| part.kind == PartKind::Image && part.inclusion.is_included());
    let over = images.skip(if most == 0 { usize::MAX } else { most.into() });
    for part in over {
        part.inclusion = Inclusion::OverLimit;
    }
}

/// The row of a step that is older than the rows of a ledger.
pub fn older_row(images: PromptImages, step: LedgerStep<'_>) -> LedgerRow {
    LedgerRow {
        step: step.number,
        output: if step.has_output { Inclusion::OutsideAm } else { Inclusion::Absent },
        feedback: if step.has_feedback { Inclusion::OutsideAm } else { Inclusion::Absent },
        reflection: if step.has_reflection { Inclusion::OutsideAm } else { Inclusion::Absent },
        observation: Inclusion::OutsideAm,
        parts: ledger_parts(step.observation, images, Inclusion::OutsideAm),
    }
}

fn output_inclusion(rules: LedgerRules, age: usize, present: bool) -> Inclusion {
    match (present && age > 0, age <= usize::from(rules.window.am())) {
        (false, _) => Inclusion::Absent,
        (true, true) if rules.history == History::State => Inclusion::AsFiles,
        (true, true) => Inclusion::Included,
        (true, false) => Inclusion::OutsideAm,
    }
}

/// The action before the current step is always answered. An older one is only if its output is remembered.
fn feedback_inclusion(rules: LedgerRules, age: usize, present: bool) -> Inclusion {
    match (present, age) {
        (false, _) => Inclusion::Absent,
        (true, 0) => Inclusion::Included,
        (true, age) if age >= usize::from(rules.window.am()) => Inclusion::OutsideAm,
        (true, _) if rules.history == History::State => Inclusion::AsFiles,
        (true, _) if rules.feedback == FeedbackMemory::Newest => Inclusion::OldFeedback,
        (true, _) => Inclusion::Included,
    }
}

/// What a module said of a state is remembered with the output that followed it.
fn reflection_inclusion(rules: LedgerRules, age: usize, present: bool) -> Inclusion {
    match (present, age) {
        (false, _) => Inclusion::Absent,
        (true, 0) => Inclusion::Included,
        (true, age) if age > usize::from(rules.window.am()) => Inclusion::OutsideAm,
        (true, _) if rules.history == History::State => Inclusion::AsFiles,
        (true, _) if rules.feedback == FeedbackMemory::Newest => Inclusion::OldFeedback,
        (true, _) => Inclusion::Included,
    }
}

/// The current observation has age 0, so `age < OM` includes OM of them.
fn observation_inclusion(window: Window, age: usize) -> Inclusion {
    if age > usize::from(window.am()) {
        Inclusion::OutsideAm
    } else if age >= usize::from(window.om()) {
        Inclusion::OutsideOm
    } else {
        Inclusion::Included
    }
}

/// The parts of an observation that the window includes or leaves out. If no part can be sent, its text is.
fn ledger_parts(
    observation: &Observation,
    images: PromptImages,
    by_window: Inclusion,
) -> SmallVec<[LedgerPart; 2]> {
    let task = if images == PromptImages::Task { observation.task_parts() } else { 0 };
    let inclusion = |index: u16, part: &ObservationPart| match (images, part) {
        (PromptImages::None, _) => Inclusion::SentAsText,
        (PromptImages::Task, ObservationPart::Image(_)) if usize::from(index) >= task => {
            Inclusion::StateImage
        }
        _ => part_inclusion(part, by_window),
    };
    let parts = (0..).zip(observation.parts()).map(|(index, part)| LedgerPart {
        index: Some(index),
        kind: part.kind(),
        inclusion: inclusion(index, part),
    });
    let mut parts: SmallVec<[LedgerPart; 2]> = parts.collect();
    leave_out_headings(&mut parts, observation.parts());
    if !parts.iter().any(|part| part.inclusion == by_window) {
        let inclusion = if observation.text().is_empty() { Inclusion::Absent } else { by_window };
        parts.push(LedgerPart { index: None, kind: PartKind::Text, inclusion });
    }
    parts
}

/// A text that ends in a colon and directly precedes an image of the state is its heading: it is left out with the image.
fn leave_out_headings(ledger: &mut [LedgerPart], parts: &[ObservationPart]) {
    for index in 1..ledger.len() {
        let is_heading =
            matches!(&parts[index - 1], ObservationPart::Text(text) if text.trim_end().ends_with(':'));
        if is_heading && ledger[index].inclusion == Inclusion::StateImage {
            ledger[index - 1].inclusion = Inclusion::StateImage;
        }
    }
}

fn part_inclusion(part: &ObservationPart, by_window: Inclusion) -> Inclusion {
    match part {
        ObservationPart::Text(text) if text.is_empty() => Inclusion::Absent,
        ObservationPart::Data(blob) if !blob.blob().is_text() => Inclusion::NotText,
        ObservationPart::Data(blob) if blob.blob().length == 0 => Inclusion::Absent,
        ObservationPart::Text(_) | ObservationPart::Image(_) | ObservationPart::Data(_) => by_window,
    }
}
