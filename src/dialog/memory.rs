//! The memory ledger: which past outputs and parts of observations a request includes, and why the others are left
//! out.

use serde::Deserialize;
use serde::Serialize;

use crate::domain::Observation;
use crate::domain::ObservationPart;
use crate::domain::PartId;
use crate::domain::PartKind;
use crate::domain::Window;

/// Whether an output or a part of an observation is in the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inclusion {
    /// In the request.
    Included,
    /// Left out: older than the last AM outputs.
    OutsideAm,
    /// Left out: older than the last OM observations. A placeholder replaces the observation.
    OutsideOm,
    /// Left out: the prompt sends no images, so the state as text is sent instead.
    SentAsText,
    /// Left out: data whose media type is no kind of text.
    NotText,
    /// Left out: an image of the state, and the prompt sends those of the task only.
    StateImage,
    /// Left out: a request has at most this many images of the state. A placeholder replaces it.
    OverLimit,
    /// The output itself is left out: the files that it wrote are in the newest observation.
    AsFiles,
    /// Data that should be in the request and cannot be loaded. Such a request must not be sent.
    Unreadable,
    /// There is none: the agent has not replied yet, the step has no reply, or the text is empty.
    Absent,
}

impl Inclusion {
    /// Whether it is in the request.
    pub fn is_included(self) -> bool {
        self == Self::Included
    }
}

/// What past outputs of the agent are in a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum History {
    /// The last AM outputs, as turns.
    #[default]
    Turns,
    /// None: the newest observation has what they wrote. The window is fixed.
    State,
}

impl History {
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    pub(super) fn is_turns(&self) -> bool {
        *self == Self::Turns
    }
}

/// Which images a prompt sends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PromptImages {
    /// All.
    #[default]
    All,
    /// Those of the task, which every observation begins with, and not those of the state.
    Task,
    /// None: the state is sent as text.
    None,
}

/// What a ledger depends on besides the steps.
#[derive(Clone, Copy, Debug)]
pub struct LedgerRules {
    /// The memory window.
    pub window: Window,
    /// Which images the prompt sends.
    pub images: PromptImages,
    /// What past outputs are in the request.
    pub history: History,
    /// The maximum number of images of an observation; 0 for no limit.
    pub images_most: u16,
}

/// A part of an observation in the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LedgerPart {
    /// The index among the parts of the observation; `None` for its text, which is sent if none of its parts can be.
    pub index: Option<u16>,
    /// The kind of the part.
    pub kind: PartKind,
    /// Whether it is in the request.
    pub inclusion: Inclusion,
}

/// The output and the observation of one step in the request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LedgerRow {
    /// The step, from 1.
    pub step: u32,
    /// The output of the agent at that step.
    pub output: Inclusion,
    /// Whether the observation of that step is in the window.
    pub observation: Inclusion,
    /// The parts of that observation, in order.
    pub parts: Vec<LedgerPart>,
}

impl LedgerRow {
    /// The number of parts that are in the request.
    pub fn parts_included(&self) -> usize {
        self.parts.iter().filter(|part| part.inclusion.is_included()).count()
    }

    /// The number of parts of this kind that are in the request.
    pub fn count(&self, kind: PartKind) -> usize {
        self.parts.iter().filter(|part| part.kind == kind && part.inclusion.is_included()).count()
    }
}

/// One row per step of the window, newest first. The first row is the step that the request is for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    rows: Vec<LedgerRow>,
}

impl Ledger {
    /// The rows, newest first: at most AM + 1. Steps without a row are older than AM.
    pub fn rows(&self) -> &[LedgerRow] {
        &self.rows
    }

    pub(super) fn rows_mut(&mut self) -> &mut [LedgerRow] {
        &mut self.rows
    }

    /// The number of steps that are older than the rows.
    pub fn older(&self) -> u32 {
        self.rows.last().map_or(0, |row| row.step.saturating_sub(1))
    }

    /// The number of parts of this kind in the request.
    pub fn count(&self, kind: PartKind) -> usize {
        self.rows.iter().map(|row| row.count(kind)).sum()
    }

    /// The number of images in the request.
    pub fn images(&self) -> usize {
        self.count(PartKind::Image)
    }

    /// The number of past outputs in the request.
    pub fn outputs(&self) -> usize {
        self.rows.iter().filter(|row| row.output.is_included()).count()
    }

    /// The parts in the request, in its order: oldest step first.
    pub(super) fn included(&self) -> impl Iterator<Item = (u32, &LedgerPart)> {
        let parts = self.rows.iter().rev().flat_map(|row| row.parts.iter().map(|part| (row.step, part)));
        parts.filter(|(_, part)| part.inclusion.is_included())
    }

    /// The first part that cannot be loaded.
    pub(super) fn unreadable(&self) -> Option<PartId> {
        let mut parts = self.rows.iter().flat_map(|row| row.parts.iter().map(|part| (row.step, part)));
        let (step, part) = parts.find(|(_, part)| part.inclusion == Inclusion::Unreadable)?;
        Some(PartId { step, index: part.index.unwrap_or_default() })
    }
}

/// A step as the ledger needs it.
#[derive(Clone, Copy, Debug)]
pub struct LedgerStep<'a> {
    /// The step, from 1.
    pub number: u32,
    /// What the agent is shown.
    pub observation: &'a Observation,
    /// Whether it has an output.
    pub has_output: bool,
}

/// The ledger of the request for the last of `steps`, which are in order, oldest first. Only the last AM + 1 of them
/// are read.
///
/// An observation is included if it is among the last OM ones and its step is among the last AM steps. With AM=3 and
/// OM=2, the request for step t+1 has the outputs t-2, t-1 and t, and the observations t and t+1 (`MageBench`, AM and
/// OM).
pub fn build_ledger(rules: LedgerRules, steps: &[LedgerStep<'_>]) -> Ledger {
    let rows = steps.iter().rev().take(usize::from(rules.window.am()) + 1).enumerate();
    let rows = rows.map(|(age, step)| {
        let observation = observation_inclusion(rules.window, age);
        let mut parts = ledger_parts(step.observation, rules.images, observation);
        leave_out_images(&mut parts, rules.images_most);
        let output = output_inclusion(rules, age, step.has_output);
        LedgerRow { step: step.number, output, observation, parts }
    });
    Ledger { rows: rows.collect() }
}

/// Leaves out the images after the first ones, if their number is limited.
fn leave_out_images(parts: &mut [LedgerPart], most: u16) {
    let images = parts.iter_mut().filter(|part| part.kind == PartKind::Image && part.inclusion.is_included());
    let over = images.skip(if most == 0 { usize::MAX } else { most.into() });
    over.for_each(|part| part.inclusion = Inclusion::OverLimit);
}

/// The row of a step that is older than the rows of a ledger.
pub fn older_row(images: PromptImages, step: LedgerStep<'_>) -> LedgerRow {
    LedgerRow {
        step: step.number,
        output: if step.has_output { Inclusion::OutsideAm } else { Inclusion::Absent },
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
fn ledger_parts(observation: &Observation, images: PromptImages, by_window: Inclusion) -> Vec<LedgerPart> {
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
    let mut parts: Vec<LedgerPart> = parts.collect();
    if !parts.iter().any(|part| part.inclusion == by_window) {
        let inclusion = if observation.text().is_empty() { Inclusion::Absent } else { by_window };
        parts.push(LedgerPart { index: None, kind: PartKind::Text, inclusion });
    }
    parts
}

fn part_inclusion(part: &ObservationPart, by_window: Inclusion) -> Inclusion {
    match part {
        ObservationPart::Text(text) if text.is_empty() => Inclusion::Absent,
        ObservationPart::Data(blob) if !blob.blob().is_text() => Inclusion::NotText,
        ObservationPart::Data(blob) if blob.blob().length == 0 => Inclusion::Absent,
        ObservationPart::Text(_) | ObservationPart::Image(_) | ObservationPart::Data(_) => by_window,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::domain::BlobHandle;
    use crate::domain::BlobStore;
    use crate::domain::MemoryBlobStore;
    use crate::domain::Picture;

    fn image() -> ObservationPart {
        ObservationPart::Image(Arc::new(Picture::new(1, 1, 1, vec![0; 3]).unwrap()))
    }

    fn observation(parts: Vec<ObservationPart>) -> Observation {
        Observation::from_parts(parts, "a state", ())
    }

    fn ledger(am: u16, om: u16, outputs: &[bool], observation: &Observation) -> Ledger {
        let outputs = outputs.iter().chain([&false]);
        let steps =
            (1..).zip(outputs).map(|(number, &has_output)| LedgerStep { number, observation, has_output });
        let rules = LedgerRules {
            window: Window::new(am, om).unwrap(),
            images: PromptImages::All,
            history: History::Turns,
            images_most: 0,
        };
        build_ledger(rules, &steps.collect::<Vec<_>>())
    }

    fn included_steps(am: u16, om: u16, past: usize) -> (Vec<u32>, Vec<u32>, usize) {
        let ledger = ledger(am, om, &vec![true; past], &observation(vec![image()]));
        let steps = |pick: fn(&LedgerRow) -> Inclusion| {
            let rows = ledger.rows().iter().rev().filter(|row| pick(row).is_included());
            rows.map(|row| row.step).collect()
        };
        assert_eq!(ledger.older() as usize + ledger.rows().len(), past + 1);
        (steps(|row| row.output), steps(|row| row.observation), ledger.images())
    }

    #[test]
    fn am_3_and_om_2_keep_three_outputs_and_two_frames() {
        assert_eq!(included_steps(3, 2, 6), (vec![4, 5, 6], vec![6, 7], 2));
    }

    #[test]
    fn every_legal_window_keeps_its_outputs_and_frames() {
        for (am, om, past, outputs, frames) in [
            (0, 1, 4, vec![], vec![5]),
            (1, 1, 0, vec![], vec![1]),
            (1, 1, 4, vec![4], vec![5]),
            (5, 1, 12, vec![8, 9, 10, 11, 12], vec![13]),
            (5, 3, 12, vec![8, 9, 10, 11, 12], vec![11, 12, 13]),
            (10, 2, 4, vec![1, 2, 3, 4], vec![4, 5]),
            (10, 3, 1, vec![1], vec![1, 2]),
        ] {
            let images = frames.len();
            assert_eq!(
                included_steps(am, om, past),
                (outputs, frames, images),
                "AM={am} OM={om} past={past}"
            );
        }
    }

    #[test]
    fn a_step_without_an_output_keeps_its_row() {
        let ledger = ledger(5, 1, &[true, false], &observation(vec![image()]));
        assert_eq!(ledger.rows()[1].output, Inclusion::Absent);
        assert_eq!(ledger.outputs(), 1);
    }

    #[test]
    fn a_long_episode_has_only_the_rows_of_its_window() {
        let ledger = ledger(5, 2, &vec![true; 30_000], &observation(vec![image()]));
        assert_eq!((ledger.rows().len(), ledger.older()), (6, 29_995));
        assert_eq!(ledger.rows()[0].step, 30_001);
    }

    fn inclusions(
        images: PromptImages,
        parts: Vec<ObservationPart>,
    ) -> Vec<(Option<u16>, PartKind, Inclusion)> {
        let observation = Observation::from_parts(parts, "a state", serde_json::json!({"task_parts": 2}));
        let step = LedgerStep { number: 1, observation: &observation, has_output: false };
        let window = Window::new(1, 1).unwrap();
        let rules = LedgerRules { window, images, history: History::Turns, images_most: 2 };
        let ledger = build_ledger(rules, &[step]);
        ledger.rows()[0].parts.iter().map(|part| (part.index, part.kind, part.inclusion)).collect()
    }

    #[test]
    fn every_part_has_its_own_reason() {
        use Inclusion::Absent;
        use Inclusion::Included;
        use Inclusion::NotText;
        use Inclusion::SentAsText;
        use PartKind::Data;
        use PartKind::Image;
        use PartKind::Text;
        let store: Arc<dyn BlobStore> = Arc::new(MemoryBlobStore::default());
        let data = |media: &str| ObservationPart::Data(BlobHandle::store(&store, media, b"x").unwrap());
        let text = |text: &str| ObservationPart::Text(text.into());
        let fallback = (None, Text, Included);
        assert_eq!(inclusions(PromptImages::All, vec![]), [fallback]);
        assert_eq!(
            inclusions(
                PromptImages::All,
                vec![text("a"), image(), data("text/html"), data("application/zip"), text("")]
            ),
            [
                (Some(0), Text, Included),
                (Some(1), Image, Included),
                (Some(2), Data, Included),
                (Some(3), Data, NotText),
                (Some(4), Text, Absent),
            ]
        );
        assert_eq!(
            inclusions(PromptImages::All, vec![data("application/zip")]),
            [(Some(0), Data, NotText), fallback]
        );
        assert_eq!(
            inclusions(PromptImages::All, vec![image(), image(), image()]),
            [(Some(0), Image, Included), (Some(1), Image, Included), (Some(2), Image, Inclusion::OverLimit)]
        );
        assert_eq!(
            inclusions(PromptImages::Task, vec![text("a"), image(), text("b"), image()]),
            [
                (Some(0), Text, Included),
                (Some(1), Image, Included),
                (Some(2), Text, Included),
                (Some(3), Image, Inclusion::StateImage)
            ]
        );
        assert_eq!(
            inclusions(PromptImages::None, vec![image(), text("a")]),
            [(Some(0), Image, SentAsText), (Some(1), Text, SentAsText), fallback]
        );
    }
}
