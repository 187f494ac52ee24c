//! Pictures that a thread encodes beside the drawing.

use std::sync::Barrier;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use super::super::job::Encoder;
use super::*;
use crate::graphics::Encode;

const PIXEL_FORMS: [PictureForm; 3] = [PictureForm::Kitty, PictureForm::Iterm2, PictureForm::Sixel];
const PLACE: Rect = Rect { x: 0, y: 0, width: 12, height: 6 };
/// No drawing waits, or each waits for everything.
const NO_PATIENCE: Duration = Duration::ZERO;
const PATIENCE: Duration = Duration::from_secs(20);

/// A cache with a thread, and what the thread says.
struct Beside {
    cache: FrameCache,
    wakes: mpsc::Receiver<()>,
}

impl Beside {
    fn new(form: PictureForm, patience: Duration, encoder: Encoder) -> Self {
        let mut cache = FrameCache::default();
        cache.set_form(form, Some(Size::new(8, 16)), true, false);
        let (wake, wakes) = mpsc::channel();
        cache.encode_beside_with(encoder, patience, move || _ = wake.send(())).unwrap();
        Self { cache, wakes }
    }

    fn draw(&mut self, picture: &Arc<Picture>) -> (Buffer, String) {
        draw(&mut self.cache, picture)
    }

    /// Waits for all that was wanted; returns whether the screen is to be drawn again.
    fn settle(&mut self) -> bool {
        let mut is_changed = false;
        while self.cache.queue.is_waiting() {
            self.wakes.recv_timeout(PATIENCE).unwrap();
            is_changed |= self.cache.take_finished();
        }
        is_changed
    }

    /// Draws until nothing more comes; returns the last cells and all sequences.
    fn draw_all(&mut self, picture: &Arc<Picture>) -> (Buffer, String) {
        let (mut buffer, mut sequences) = self.draw(picture);
        while self.settle() {
            let (next, more) = self.draw(picture);
            buffer = next;
            sequences.push_str(&more);
        }
        (buffer, sequences)
    }
}

fn draw(cache: &mut FrameCache, picture: &Arc<Picture>) -> (Buffer, String) {
    cache.begin(ColorDepth::TrueColor, false, Style::new());
    cache.prepare(picture, PLACE.as_size(), PictureZoom::default());
    let mut buffer = Buffer::empty(PLACE);
    cache.draw(picture, PLACE, &mut buffer);
    let sequences = cache.finish(&mut buffer);
    (buffer, sequences)
}

/// A picture without tiles.
fn plain(shade: u8) -> Arc<Picture> {
    let paint = move |pixels: &mut [u8]| {
        for (pixel, at) in pixels.iter_mut().zip(0_usize..) {
            *pixel = shade.wrapping_mul(u8::try_from(at / 3 % 96 / 32).unwrap());
        }
    };
    Arc::new(Picture::painted(96, 96, 1, paint).unwrap())
}

/// A picture that is painted once the test has come to this gate too, and how often it was painted.
fn held(shade: u8, gate: &Arc<Barrier>) -> Arc<Picture> {
    let gate = gate.clone();
    let paint = move |pixels: &mut [u8]| {
        gate.wait();
        pixels.fill(shade);
    };
    Arc::new(Picture::painted(96, 96, 1, paint).unwrap())
}

fn gate() -> Arc<Barrier> {
    Arc::new(Barrier::new(2))
}

#[test]
fn a_terminal_gets_the_same_bytes_whether_a_drawing_waits_or_not() {
    for form in PictureForm::ALL {
        let mut here = FrameCache::default();
        here.set_form(form, Some(Size::new(8, 16)), true, false);
        let mut patient = Beside::new(form, PATIENCE, Encoder::default());
        let mut hasty = Beside::new(form, NO_PATIENCE, Encoder::default());
        for shade in [60, 90, 60, 7] {
            let picture = plain(shade);
            let expected = draw(&mut here, &picture);
            assert_eq!(patient.draw(&picture), expected, "{form:?}");
            assert!(!patient.settle(), "it was drawn at once");
            assert_eq!(hasty.draw_all(&picture), expected, "{form:?}");
        }
    }
}

#[test]
fn a_place_keeps_its_picture_until_the_next_one_is_ready() {
    for form in PIXEL_FORMS.into_iter().chain([PictureForm::HalfBlocks, PictureForm::Braille]) {
        let mut beside = Beside::new(form, NO_PATIENCE, Encoder::default());
        let first = beside.draw_all(&plain(60)).0;
        let gate = gate();
        let next = held(200, &gate);
        for _ in 0..3 {
            assert_eq!(beside.draw(&next), (first.clone(), String::new()), "{form:?}");
            assert!(!beside.cache.has_more(), "no drawing until it is there");
        }
        gate.wait();
        assert!(beside.settle());
        let (buffer, sequences) = beside.draw_all(&next);
        assert!(buffer != first || !sequences.is_empty(), "{form:?}");
    }
}

#[test]
fn what_nothing_waits_for_any_more_is_not_started() {
    let mut beside = Beside::new(PictureForm::HalfBlocks, NO_PATIENCE, Encoder::default());
    let gate = gate();
    let first = held(1, &gate);
    beside.draw(&first);
    let painted = Arc::new(AtomicU32::new(0));
    let counted = |shade: u8| {
        let painted = painted.clone();
        let paint = move |pixels: &mut [u8]| {
            painted.fetch_add(1, Ordering::Relaxed);
            pixels.fill(shade);
        };
        Arc::new(Picture::painted(96, 96, 1, paint).unwrap())
    };
    let passed: Vec<_> = (10..30).map(counted).collect();
    for picture in &passed {
        beside.draw(picture);
    }
    gate.wait();
    assert!(beside.settle());
    let last = passed.last().unwrap();
    assert_eq!((beside.draw(last).0[(5, 3)].bg, painted.load(Ordering::Relaxed)), (color([29; 3]), 1));
}

#[test]
fn a_late_picture_stands_in_while_its_place_waits_for_a_newer_one() {
    let mut beside = Beside::new(PictureForm::HalfBlocks, NO_PATIENCE, Encoder::default());
    let gates = [gate(), gate()];
    let pictures = [held(1, &gates[0]), held(2, &gates[1])];
    beside.draw(&pictures[0]);
    beside.draw(&pictures[1]);
    gates[0].wait();
    beside.wakes.recv_timeout(PATIENCE).unwrap();
    assert!(beside.cache.take_finished());
    assert_eq!(beside.draw(&pictures[1]).0[(5, 3)].bg, color([1; 3]), "a film shows what it can");
    gates[1].wait();
    assert!(beside.settle());
    assert_eq!(beside.draw(&pictures[1]).0[(5, 3)].bg, color([2; 3]));
}

#[test]
fn an_answer_for_another_form_theme_or_place_is_dropped() {
    let changes: [fn(&mut FrameCache); 3] = [
        |cache| _ = cache.set_form(PictureForm::Braille, None, true, false),
        |cache| cache.begin(ColorDepth::TrueColor, true, Style::new()),
        // The place is gone.
        |cache| {
            cache.begin(ColorDepth::TrueColor, false, Style::new());
            cache.finish(&mut Buffer::empty(PLACE));
        },
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let mut beside = Beside::new(PictureForm::HalfBlocks, NO_PATIENCE, Encoder::default());
        let gate = gate();
        let picture = held(1, &gate);
        beside.draw(&picture);
        change(&mut beside.cache);
        gate.wait();
        assert!(!beside.settle(), "{number}");
        assert_eq!(beside.cache.encoded.len(), 0, "{number}");
    }
}

#[test]
fn bytes_that_are_late_leave_the_cells_as_they_are() {
    /// Holds back the second picture of each form until the test has come here, too.
    static GATE: Barrier = Barrier::new(2);
    static HELD: AtomicU32 = AtomicU32::new(0);
    let slow: Encode = |protocol, pixels, cells| {
        if pixels.get_pixel(pixels.width() - 1, 0).0[0] == 200 {
            HELD.fetch_add(1, Ordering::Relaxed);
            GATE.wait();
        }
        encode(protocol, pixels, cells)
    };
    for form in PIXEL_FORMS {
        let mut beside = Beside::new(form, NO_PATIENCE, Encoder::with(slow));
        let first = beside.draw_all(&plain(60)).0;
        let next = Arc::new(Picture::painted(96, 96, 1, |pixels| pixels.fill(200)).unwrap());
        let held = HELD.load(Ordering::Relaxed);
        let until = Instant::now() + PATIENCE;
        // It is scaled during the first drawing or after it, and drawn once it is.
        while HELD.load(Ordering::Relaxed) == held {
            assert!(Instant::now() < until, "{form:?}");
            beside.cache.take_finished();
            beside.draw(&next);
        }
        for _ in 0..3 {
            assert_eq!(beside.draw(&next), (first.clone(), String::new()), "{form:?}");
            assert!(!beside.cache.has_more());
        }
        GATE.wait();
        assert!(beside.settle(), "{form:?}");
        assert!(!beside.draw(&next).1.is_empty(), "{form:?}");
        assert!(!beside.cache.queue.is_waiting());
    }
}

#[test]
fn a_broken_picture_says_why_and_is_tried_once_while_it_is_shown() {
    let tries = Arc::new(AtomicU32::new(0));
    let counted = tries.clone();
    let paint = move |_: &mut [u8]| {
        counted.fetch_add(1, Ordering::Relaxed);
        Err(PictureError::TooLarge)
    };
    let broken = Arc::new(Picture::composed(16, 16, paint).unwrap());
    let mut beside = Beside::new(PictureForm::Sixel, NO_PATIENCE, Encoder::default());
    let (buffer, _) = beside.draw_all(&broken);
    let row: String = (0..12).map(|x| buffer[(x, 0)].symbol()).collect();
    assert_eq!((row.trim_end(), tries.load(Ordering::Relaxed)), ("the picture", 1));
    beside.draw(&broken);
    assert_eq!(tries.load(Ordering::Relaxed), 1);
    beside.draw_all(&plain(3));
    beside.draw_all(&broken);
    assert_eq!(tries.load(Ordering::Relaxed), 2, "it may be whole by now");
}

#[test]
fn a_thread_that_has_ended_wakes_the_screen_and_the_drawing_encodes() {
    let has_failed = Arc::new(AtomicU32::new(0));
    let failed = has_failed.clone();
    let paint = move |pixels: &mut [u8]| {
        assert!(failed.fetch_add(1, Ordering::Relaxed) > 0, "out of paint");
        pixels.fill(9);
    };
    let picture = Arc::new(Picture::painted(96, 96, 1, paint).unwrap());
    let mut beside = Beside::new(PictureForm::HalfBlocks, NO_PATIENCE, Encoder::default());
    beside.draw(&picture);
    beside.wakes.recv_timeout(PATIENCE).unwrap();
    while !beside.cache.queue.is_immediate() {
        beside.cache.take_finished();
    }
    assert_eq!(beside.draw(&picture).0[(5, 3)].bg, color([9; 3]));
}
