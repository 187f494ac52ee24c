//! Pictures that are made beside the event loop: no key waits for one.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use tokio::time::Instant;

use super::super::pictures::ENCODING_PATIENCE;
use super::*;
use crate::appearance::FrameView;
use mageyard_config::PictureForm;
use mageyard_domain::{
    AgentError, Message, Observation, ObservationPart, Picture, RequestEncoder, SentRequest, VariableText,
};
use mageyard_engine::{RequestContext, RunState, Step, Waiting};
use mageyard_terminal::ChosenForm;

/// How long the event loop is let run.
const WHILE: Duration = Duration::from_millis(300);

/// Holds something back until the test opens it.
#[derive(Clone, Debug, Default)]
struct Gate(Arc<AtomicBool>);

impl Gate {
    fn pass(&self) {
        while !self.0.load(Ordering::Acquire) {
            thread::sleep(Duration::from_millis(1));
        }
    }

    fn open(&self) {
        self.0.store(true, Ordering::Release);
    }
}

/// Opens a gate at the end of a test, even of one that fails: the runtime waits for its tasks.
struct OpenAtEnd<'a>(&'a Gate);

impl Drop for OpenAtEnd<'_> {
    fn drop(&mut self) {
        self.0.open();
    }
}

/// A picture of rows in two colours that is painted once the gate is open.
fn picture(gate: &Gate) -> Arc<Picture> {
    let gate = gate.clone();
    let paint = move |pixels: &mut [u8]| {
        gate.pass();
        for (row, pixels) in pixels.chunks_mut(40 * 3).enumerate() {
            pixels.fill([30, 220][row % 2]);
        }
    };
    Arc::new(Picture::painted(40, 40, 1, paint).unwrap())
}

/// The sample episode whose second step has a picture that is held back, and the others one that is not.
fn snapshot(gate: &Gate) -> Snapshot {
    let mut snapshot = testing::sample_episode().snapshot();
    let open = Gate::default();
    open.open();
    for index in 0..snapshot.steps.len() {
        let image = ObservationPart::Image(picture(if index == 1 { gate } else { &open }));
        let step = snapshot.steps.get_mut(index).unwrap();
        let observation = Observation::from_parts(vec![image], "a frame", index);
        *step = Arc::new(Step { observation, ..Step::clone(step) });
    }
    snapshot
}

async fn run_for(screen: &mut Screen<'_, TestCanvas>, time: Duration) {
    assert!(timeout(time, screen.event_loop()).await.is_err());
}

/// Whether a picture was sent in this form.
fn shows_picture(canvas: &TestCanvas, form: PictureForm) -> bool {
    match form {
        PictureForm::Kitty => canvas.written.contains("a=T"),
        PictureForm::Sixel => canvas.written.contains("\x1bP9;1;0q"),
        _ => canvas.last.contains('▀') || canvas.last.contains('▄'),
    }
}

#[tokio::test]
async fn the_effect_of_a_key_is_drawn_before_the_picture_of_its_step() {
    for form in [PictureForm::HalfBlocks, PictureForm::Sixel, PictureForm::Kitty] {
        let gate = Gate::default();
        let _opened = OpenAtEnd(&gate);
        let Harness { keys, files: _files, inbox, lab, mut canvas } = harness();
        let mut screen = screen(&lab, inbox, &mut canvas);
        screen.model.episodes[0] = EpisodeView::new(Arc::new(snapshot(&gate)), true);
        screen.model.frame.shown_as = FrameView::Picture;
        screen.model.device.chosen_form = ChosenForm::Form(form);
        screen.model.panes.zoomed = true;
        screen.model.episodes[0].cursor = Some(1);
        screen.make_pictures_beside(ENCODING_PATIENCE).unwrap();
        run_for(&mut screen, WHILE).await;
        assert!(screen.canvas.last.contains("step 2 of 50"), "{}", screen.canvas.last);
        assert!(!shows_picture(screen.canvas, form), "{form:?}: it is held back");
        for (name, effect) in [("h", "step 1 of"), ("l", "step 2 of"), ("?", "╭ Keys "), ("esc", "▸Frame◂")]
        {
            keys.send(Event::Key(key(name))).unwrap();
            run_for(&mut screen, WHILE / 3).await;
            assert!(screen.canvas.last.contains(effect), "{form:?}: {name}\n{}", screen.canvas.last);
        }
        let drawn = screen.canvas.drawn;
        run_for(&mut screen, WHILE).await;
        assert_eq!(screen.canvas.drawn, drawn, "{form:?}: nothing is drawn while nothing comes");
        gate.open();
        let due = Instant::now() + DEADLINE;
        while !shows_picture(screen.canvas, form) {
            assert!(Instant::now() < due, "{form:?}");
            run_for(&mut screen, WHILE).await;
        }
        run_for(&mut screen, WHILE).await;
        let drawn = screen.canvas.drawn;
        run_for(&mut screen, WHILE).await;
        assert_eq!(screen.canvas.drawn, drawn, "{form:?}: all is drawn");
    }
}

#[tokio::test(start_paused = true)]
async fn a_step_with_a_quick_picture_is_drawn_once() {
    let gate = Gate::default();
    gate.open();
    let Harness { keys, files: _files, inbox, lab, mut canvas } = harness();
    let mut screen = screen(&lab, inbox, &mut canvas);
    screen.model.episodes[0] = EpisodeView::new(Arc::new(snapshot(&gate)), true);
    screen.model.frame.shown_as = FrameView::Picture;
    screen.make_pictures_beside(DEADLINE).unwrap();
    run_for(&mut screen, Duration::from_secs(1000)).await;
    let drawn = screen.canvas.drawn;
    keys.send(Event::Key(key("h"))).unwrap();
    run_for(&mut screen, Duration::from_secs(1000)).await;
    assert_eq!((drawn, screen.canvas.drawn), (1, 2));
    assert!(shows_picture(screen.canvas, PictureForm::HalfBlocks));
}

/// An encoder of requests that is held back.
#[derive(Debug)]
struct HeldEncoder(Gate);

impl RequestEncoder for HeldEncoder {
    fn encode(&self, _: &[Message], _: usize) -> Result<SentRequest, AgentError> {
        self.0.pass();
        Err(AgentError::InvalidRequest("out of order".to_owned()))
    }

    fn scaled_size(&self, painted: (u32, u32)) -> (u32, u32) {
        painted
    }

    fn url(&self) -> &'static str {
        "http://127.0.0.1:1/v1"
    }

    fn headers(&self) -> Vec<(String, VariableText)> {
        Vec::new()
    }
}

#[tokio::test]
async fn a_frame_as_sent_that_comes_late_holds_no_key_and_is_dropped_after_another_step() {
    let gate = Gate::default();
    let _opened = OpenAtEnd(&gate);
    let Harness { keys, files: _files, inbox, lab, mut canvas } = harness();
    let mut screen = screen(&lab, inbox, &mut canvas);
    let base = Snapshot::clone(&testing::model_agent("m").episodes[0].snapshot);
    let encoder: Arc<dyn RequestEncoder> = Arc::new(HeldEncoder(gate.clone()));
    let requests = RequestContext { encoder: Some(encoder), ..base.requests.clone() };
    let run = RunState { waiting: Waiting::Ask, ..base.run.clone() };
    screen.model.episodes[0] = EpisodeView::new(Arc::new(Snapshot { requests, run, ..base }), true);
    screen.make_pictures_beside(ENCODING_PATIENCE).unwrap();
    for name in ["s", "h", "l", "h"] {
        keys.send(Event::Key(key(name))).unwrap();
        run_for(&mut screen, WHILE / 3).await;
    }
    let number = screen.model.episodes[0].step().unwrap().number;
    assert!(screen.canvas.last.contains(&format!("step {number} of 50")), "{}", screen.canvas.last);
    let is_awaited = screen.model.frame.awaited.is_some() && screen.model.frame.decoded.is_none();
    assert!(is_awaited, "{}", screen.canvas.last);
    gate.open();
    run_for(&mut screen, WHILE).await;
    assert!(screen.model.frame.awaited.is_none());
    assert!(screen.model.frame.decoded.is_none(), "it is of another step");
    keys.send(Event::Key(key("l"))).unwrap();
    run_for(&mut screen, WHILE).await;
    let decoded = screen.model.frame.decoded.as_ref().unwrap();
    assert!(decoded.frame.as_ref().is_err_and(|why| why.contains("out of order")), "{decoded:?}");
}
