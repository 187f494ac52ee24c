//! The memory rule: which outputs, frames and parts a request has.

use std::sync::Arc;

use super::*;
use mageyard_domain::{
    BlobHandle, BlobStore, MemoryBlobStore, Observation, ObservationPart, PartKind, Picture, Window,
};

fn image() -> ObservationPart {
    ObservationPart::Image(Arc::new(Picture::new(1, 1, 1, vec![0; 3]).unwrap()))
}

fn observation(parts: Vec<ObservationPart>) -> Observation {
    Observation::from_parts(parts, "a state", ())
}

fn ledger(am: u16, om: u16, outputs: &[bool], observation: &Observation) -> Ledger {
    let outputs = outputs.iter().chain([&false]);
    let steps = (1..).zip(outputs).map(|(number, &has_output)| LedgerStep {
        number,
        observation,
        has_output,
        has_feedback: false,
        has_reflection: false,
        rewarded: false,
    });
    let rules = LedgerRules {
        window: Window::new(am, om).unwrap(),
        images: PromptImages::All,
        history: History::Turns,
        images_most: 0,
        feedback: FeedbackMemory::Keep,
        task_once: false,
        keep: Keep::default(),
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
        assert_eq!(included_steps(am, om, past), (outputs, frames, images), "AM={am} OM={om} past={past}");
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

fn inclusions(images: PromptImages, parts: Vec<ObservationPart>) -> Vec<(Option<u16>, PartKind, Inclusion)> {
    let observation = Observation::from_parts(parts, "a state", serde_json::json!({"task_parts": 2}));
    let step = LedgerStep {
        number: 1,
        observation: &observation,
        has_output: false,
        has_feedback: false,
        has_reflection: false,
        rewarded: false,
    };
    let window = Window::new(1, 1).unwrap();
    let rules = LedgerRules {
        window,
        images,
        history: History::Turns,
        images_most: 2,
        feedback: FeedbackMemory::Keep,
        task_once: false,
        keep: Keep::default(),
    };
    let ledger = build_ledger(rules, &[step]);
    ledger.rows()[0].parts.iter().map(|part| (part.index, part.kind, part.inclusion)).collect()
}

#[test]
fn every_part_has_its_own_reason() {
    use Inclusion::{Absent, Included, NotText, SentAsText};
    use PartKind::{Data, Image, Text};
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
    let seen = vec![text("a"), image(), text("Files: none"), text("Page:"), image(), text("End:")];
    let inclusions_of_state: Vec<_> =
        inclusions(PromptImages::Task, seen).into_iter().skip(2).map(|part| part.2).collect();
    let left_out = Inclusion::StateImage;
    assert_eq!(
        inclusions_of_state,
        [Included, left_out, left_out, Included],
        "a heading goes with its image"
    );
    assert_eq!(
        inclusions(PromptImages::None, vec![image(), text("a")]),
        [(Some(0), Image, SentAsText), (Some(1), Text, SentAsText), fallback]
    );
}
