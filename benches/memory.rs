//! The memory of an episode of 3000 steps with frames of 1280x720 pixels, distinct and stored as blobs, that is watched
//! from end to end: each step is drawn when it is played, and again on the way back through all of them. Prints the
//! peak of the resident memory, and what the pixels of all frames would need if they were kept.
//!
//! The number of steps can be given: `cargo bench --bench memory -- 300`.

#![allow(clippy::expect_used, clippy::print_stdout, missing_docs, reason = "a benchmark may panic and print")]

use std::fs;
use std::io::Cursor;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder};
use mageyard::agents::{AgentContext, create_agent, request_reader};
use mageyard::dialog::ReaderRules;
use mageyard::domain::{
    Action, ActionSpace, BlobHandle, Environment, EnvironmentContext, EnvironmentError, Observation,
    ObservationPart, Opening, Outcome, Picture, Prices, Recovery, ReplyFormat, Status,
};
use mageyard::engine::{
    Driver, Episode, EpisodeAnalysis, Head, Journal, Need, Participants, RecordedAgent, RequestContext,
    RunState, SessionPlace, Snapshot, Waiting,
};
use mageyard::screen::{Appearance, DisplaySettings, FrameView, Keymap, Motion, OffscreenScreen};
use mageyard::terminal::{ColorDepth, Theme};

const WIDTH: u32 = 1280;
const HEIGHT: u32 = 720;

/// A surface whose every screenshot is another one.
struct Film {
    page: Vec<u8>,
    number: u32,
}

impl Film {
    fn space() -> ActionSpace {
        ActionSpace::new(&[("Next", "shows the next frame")])
    }

    fn observe(&self, context: &EnvironmentContext) -> Observation {
        let blob = BlobHandle::store(&context.blobs, "image/png", &screenshot(&self.page, self.number))
            .expect("room on the disk");
        let picture = Picture::open(blob, 1).expect("a picture");
        let parts = vec![ObservationPart::Image(Arc::new(picture))];
        Observation::from_parts(parts, format!("frame {}", self.number), ())
    }
}

#[async_trait]
impl Environment for Film {
    fn recovery(&self) -> Recovery {
        Recovery::StoredOnly
    }

    async fn open(&mut self, context: &EnvironmentContext) -> Result<Opening, EnvironmentError> {
        self.look(context).await
    }

    async fn act(&mut self, _: &Action, context: &EnvironmentContext) -> Result<Outcome, EnvironmentError> {
        self.number += 1;
        let observation = self.observe(context);
        let space = Self::space();
        Ok(Outcome {
            observation,
            space,
            reward: 0.0,
            status: Status::Running,
            note: None,
            problem: None,
            questions: Vec::new(),
        })
    }

    async fn look(&mut self, context: &EnvironmentContext) -> Result<Opening, EnvironmentError> {
        Ok(Opening {
            observation: self.observe(context),
            space: Self::space(),
            status: Status::Running,
            points: 0.0,
        })
    }
}

/// A page of text, and a bar with the number of the frame. Its PNG file has some 600 KB.
fn screenshot(page: &[u8], number: u32) -> Vec<u8> {
    let mut pixels = page.to_vec();
    for bit in 0..32 {
        let shade = if number >> bit & 1 == 1 { 0 } else { 200 };
        for row in 0..24 {
            let start = (row * WIDTH as usize + bit * 40) * 3;
            pixels[start..start + 40 * 3].fill(shade);
        }
    }
    let mut file = Cursor::new(Vec::new());
    PngEncoder::new_with_quality(&mut file, CompressionType::Fast, FilterType::Up)
        .write_image(&pixels, WIDTH, HEIGHT, ExtendedColorType::Rgb8)
        .expect("a picture");
    file.into_inner()
}

/// Lines of 16 glyphs in pseudo-random order, dark on light.
fn page() -> Vec<u8> {
    let random = |seed: u32| {
        let mixed = (seed ^ seed >> 15).wrapping_mul(2_654_435_761);
        mixed ^ mixed >> 13
    };
    let ink = |x: u32, y: u32| {
        let glyph = random(y / 16 * WIDTH + x / 8) % 16;
        y % 16 < 12 && x % 8 < 6 && random(glyph * 64 + y % 16 / 2 * 8 + x % 8 / 2).is_multiple_of(3)
    };
    let pixels = (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| (x, y)));
    pixels.flat_map(|(x, y)| if ink(x, y) { [40, 40, 60] } else { [245, 245, 240] }).collect()
}

fn head(steps: u32) -> Head {
    let kind = mageyard::envs::environment("sokoban").expect("sokoban");
    let level = kind.parse_levels(kind.level_sets()[0].text).expect("a shipped set").swap_remove(0);
    let agent = RecordedAgent::named("random");
    let rules = ReaderRules::named("strict").expect("shipped");
    Head { max_steps: steps, ..Head::new("film", "film/1", level, agent, rules, 0) }
}

fn look() -> Appearance {
    let settings = DisplaySettings {
        pictures: Some(mageyard::config::PictureForm::HalfBlocks),
        passthrough: false,
        outside: mageyard::terminal::OutsideTerminal::default(),
        known: None,
        assumed_size: mageyard::terminal::USUAL_SIZE,
        can_ask: false,
        link: mageyard::config::LinkSetting::Fast,
        remote: false,
        depth: ColorDepth::TrueColor,
        view: FrameView::Picture,
        mouse: false,
        layout: mageyard::terminal::Proportions::default(),
        copy_route: mageyard::terminal::CopyRoute::Terminal,
        linear: false,
        motion: Motion::Full,
        pace: Duration::ZERO,
        tmux: false,
        console: false,
    };
    let theme = Theme::named("dark").expect("shipped");
    Appearance { theme, keys: Keymap::default(), settings, prices: Prices::default() }
}

/// A value of `/proc/self/status` in MB; 0 where there is none.
fn megabytes(name: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
    line.trim_start_matches(':').trim().trim_end_matches(" kB").parse::<u64>().unwrap_or(0) / 1000
}

async fn watch(steps: u32, folder: &Path) {
    let kind = mageyard::envs::environment("sokoban").expect("sokoban");
    let agent = create_agent("random", AgentContext::default()).expect("random needs nothing").agent;
    let form = ReplyFormat::headings("# analyze", "# action", false);
    let participants = Participants {
        environment: Box::new(Film { page: page(), number: 0 }),
        agent,
        form,
        prompts: Arc::default(),
        reference_search: None,
        roles: mageyard_engine::RoleSeats::default(),
    };
    let head = head(steps);
    let journal = Journal::create(folder, &head).expect("a folder");
    let mut driver = Driver::new(Episode::new(head.into()), participants, Box::new(journal), Duration::ZERO);
    let mut analysis = EpisodeAnalysis::new(kind, driver.episode().head().conduct.thresholds, None);
    let mut snapshot = |driver: &Driver| -> Arc<Snapshot> {
        analysis.update(driver.episode());
        let run = RunState::recorded(Waiting::of(driver.episode().need()));
        let journal = driver.journal_path().map(Path::to_owned);
        let place = SessionPlace { folder: folder.to_owned(), journal };
        let requests = RequestContext::default();
        Arc::new(Snapshot::new(driver.episode(), kind, &analysis, requests, run, place))
    };
    driver.advance().await.expect("it opens");
    let baseline = megabytes("VmRSS");
    let began = Instant::now();
    let mut screen = OffscreenScreen::new(snapshot(&driver), &look(), request_reader(), (160, 50));
    while !matches!(driver.episode().need(), Need::Nothing(_)) {
        driver.advance().await.expect("a step");
        screen.show(snapshot(&driver));
        screen.draw();
    }
    let played = megabytes("VmRSS");
    let played_in = began.elapsed();
    for _ in 0..steps {
        screen.press("h").expect("it only looks");
        screen.draw();
    }
    let kept = u64::from(WIDTH * HEIGHT * 3) * u64::from(steps) / 1_000_000;
    println!("{steps} steps with frames of {WIDTH}x{HEIGHT} px, each drawn twice");
    println!("  resident before:       {baseline} MB");
    println!("  resident after play:   {played} MB, {:.1} s", played_in.as_secs_f64());
    println!("  resident after review: {} MB, {:.1} s", megabytes("VmRSS"), began.elapsed().as_secs_f64());
    println!("  peak:                  {} MB (limit 150 MB)", megabytes("VmHWM"));
    println!("  pixels of all frames:  {kept} MB");
}

fn main() {
    let steps = std::env::args().find_map(|word| word.parse().ok()).unwrap_or(3000);
    let folder = tempfile::tempdir().expect("a folder");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    runtime.block_on(watch(steps, folder.path()));
}
