//! Observations with several parts on the screen.

use std::sync::Arc;

use super::*;
use crate::update::{Msg, update};
use mageyard_domain::{
    BlobHandle, BlobRef, BlobStore, MemoryBlobStore, Observation, ObservationPart, Picture,
};
use mageyard_engine::Step;

/// The sample episode whose newest observation has a text, two pictures and data of two kinds.
fn mixed_model() -> Model {
    let mut model = testing::model_with_prompts();
    let mut snapshot = Snapshot::clone(&model.episodes[0].snapshot);
    let store: Arc<dyn BlobStore> = Arc::new(MemoryBlobStore::default());
    let data = |media: &str| {
        ObservationPart::Data(BlobHandle::store(&store, media, b"<p>A page\x1b[2J</p>").unwrap())
    };
    let image = |width: u32| {
        let pixels = vec![90; width as usize * 64 * 3];
        ObservationPart::Image(Arc::new(Picture::new(width, 64, 16, pixels).unwrap()))
    };
    let parts = vec![
        ObservationPart::Text("two screens\u{1b}[2J".into()),
        image(128),
        image(96),
        data("text/html"),
        data("application/zip"),
    ];
    let last = snapshot.steps.len() - 1;
    let step = snapshot.steps.get_mut(last).unwrap();
    let observation = Observation::from_parts(parts, "two screens", ());
    *step = Step { observation, ..Step::clone(step) }.into();
    model.episodes[0].snapshot = Arc::new(snapshot);
    model
}

fn press(model: &mut Model, keys: &[&str]) {
    for name in keys {
        update(model, Msg::Key(testing::key(name)));
    }
}

#[test]
fn each_picture_of_a_step_can_be_shown() {
    let mut model = mixed_model();
    let shown = |model: &Model, number: usize, size: &str| {
        let text = screen_text(model);
        assert!(text.contains(&format!("picture {number} of 2")) && text.contains(size), "{text}");
    };
    shown(&model, 1, "128×64 px");
    press(&mut model, &["i"]);
    shown(&model, 2, "96×64 px");
    press(&mut model, &["i"]);
    shown(&model, 1, "128×64 px");
    press(&mut model, &[":", "p", "i", "c", "t", "u", "r", "e", "space", "2", "enter"]);
    shown(&model, 2, "96×64 px");
    press(&mut model, &[":", "p", "i", "c", "t", "u", "r", "e", "space", "3", "enter"]);
    let text = screen_text(&model);
    assert!(text.contains("there is no picture 3; the pictures are 1 to 2"), "{text}");
    press(&mut model, &["h", "i"]);
    let text = screen_text(&model);
    assert!(text.contains("this step has one picture") && !text.contains("picture 1 of"), "{text}");
}

#[test]
fn a_picture_that_cannot_be_loaded_says_why() {
    let mut model = mixed_model();
    let mut snapshot = Snapshot::clone(&model.episodes[0].snapshot);
    let missing = BlobHandle::new(BlobRef::of("image/png", b"x"), Arc::new(MemoryBlobStore::default()));
    let parts = vec![ObservationPart::Image(Arc::new(Picture::stored(missing, (64, 64), 1).unwrap()))];
    let last = snapshot.steps.len() - 1;
    let step = snapshot.steps.get_mut(last).unwrap();
    *step = Step { observation: Observation::from_parts(parts, "", ()), ..Step::clone(step) }.into();
    model.episodes[0].snapshot = Arc::new(snapshot);
    let text = screen_text(&model);
    assert!(text.contains("is not stored"), "{text}");
}

#[test]
fn the_text_view_lists_every_part() {
    let mut model = mixed_model();
    model.frame.shown_as = FrameView::Text;
    let text = screen_text(&model);
    for line in [
        "1 text: two screens␛[2J",
        "2 picture: 128×64 px",
        "3 picture: 96×64 px",
        "4 data: text/html, 17 bytes",
        "5 data: application/zip, 17 bytes",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
}

#[test]
fn memory_pane_and_request_dialog_count_parts_by_kind() {
    let mut model = mixed_model();
    let text = screen_text(&model);
    assert!(text.contains("3 outputs, 5 parts") && text.contains("● 4 parts"), "{text}");
    model.panes.zoomed = true;
    model.panes.focus = Pane::Memory;
    let text = screen_text(&model);
    for words in ["3 images, 1 text, 1 data part", "● 2 images, 1 text, 1 data part", "not text: data"] {
        assert!(text.contains(words), "{words}\n{text}");
    }
    press(&mut model, &["R"]);
    let text = screen_text(&model);
    assert!(text.contains("3 images, 1 text, 1 data part, "), "{text}");
    press(&mut model, &["G"]);
    let text = screen_text(&model);
    assert!(text.contains("image: part 2 of step 7") && text.contains("│ <p>A page␛[2J</p>"), "{text}");
}
