//! The memory of an episode of 3000 steps with frames of 1280x720 pixels, distinct and stored as blobs, that is watched
//! from end to end: each step is drawn when it is played, and again on the way back through all of them. Prints the
//! peak of the resident memory, and what the pixels of all frames would need if they were kept.
//!
//! The number of steps can be given: `cargo bench --bench memory -- 300`.

#![allow(clippy::expect_used, clippy::print_stdout, missing_docs, reason = "a benchmark may panic and print")]

use std::fs;
use std::io::Cursor;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use std::time::Instant;

use async_trait::async_trait;
use image::ExtendedColorType;
use image::ImageEncoder;
use image::codecs::png::CompressionType;
use image::codecs::png::FilterType;
use image::codecs::png::PngEncoder;
use mageyard::agents::AgentContext;
use mageyard::agents::create_agent;
use mageyard::agents::request_reader;
use mageyard::dialog::ReaderRules;
use mageyard::domain::Action;
use mageyard::domain::ActionSpace;
use mageyard::domain::BlobError;
use mageyard::domain::BlobHandle;
use mageyard::domain::BlobRef;
use mageyard::domain::BlobStore;
use mageyard::domain::Environment;
use mageyard::domain::EnvironmentContext;
use mageyard::domain::EnvironmentError;
use mageyard::domain::Observation;
use mageyard::domain::ObservationPart;
use mageyard::domain::Opening;
use mageyard::domain::Outcome;
use mageyard::domain::Picture;
use mageyard::domain::Prices;
use mageyard::domain::Recovery;
use mageyard::domain::ReplyFormat;
use mageyard::domain::Status;
use mageyard::engine::Driver;
use mageyard::engine::Episode;
use mageyard::engine::EpisodeAnalysis;
use mageyard::engine::Event;
use mageyard::engine::EventSink;
use mageyard::engine::Head;
use mageyard::engine::JournalError;
use mageyard::engine::Need;
use mageyard::engine::Participants;
use mageyard::engine::RecordedAgent;
use mageyard::engine::Snapshot;
use mageyard::tui::Appearance;
use mageyard::tui::ColorDepth;
use mageyard::tui::FrameView;
use mageyard::tui::Keymap;
use mageyard::tui::OffscreenScreen;
use mageyard::tui::ScreenSettings;
use mageyard::tui::Theme;

const WIDTH: u32 = 1280;
const HEIGHT: u32 = 720;

/// Blobs as files of a folder.
struct FolderStore(PathBuf);

impl FolderStore {
    fn file(&self, blob: &BlobRef) -> PathBuf {
        self.0.join(blob.digest.to_string())
    }
}

impl BlobStore for FolderStore {
    fn put(&self, media_type: &str, bytes: &[u8]) -> Result<BlobRef, BlobError> {
        let blob = BlobRef::of(media_type, bytes);
        let failed =
            |error: std::io::Error| BlobError::Failed { digest: blob.digest, why: error.to_string() };
        fs::write(self.file(&blob), bytes).map_err(failed)?;
        Ok(blob)
    }

    fn get(&self, blob: &BlobRef) -> Result<Arc<[u8]>, BlobError> {
        Ok(fs::read(self.file(blob)).map_err(|_| BlobError::Missing(blob.digest))?.into())
    }
}

/// Discards events and has a folder for blobs.
struct Sink(Arc<dyn BlobStore>);

impl EventSink for Sink {
    fn append(&mut self, _: u64, _: &Event) -> Result<(), JournalError> {
        Ok(())
    }

    fn finish(&mut self, _: &Episode, _: Duration) -> Result<(), JournalError> {
        Ok(())
    }

    fn blobs(&self) -> Arc<dyn BlobStore> {
        self.0.clone()
    }
}

/// A surface whose every screenshot is another one.
struct Film(u32);

impl Film {
    fn space() -> ActionSpace {
        ActionSpace::new(&[("Next", "shows the next frame")])
    }

    fn observe(&self, context: &EnvironmentContext) -> Observation {
        let blob =
            BlobHandle::store(&context.blobs, "image/png", &screenshot(self.0)).expect("room on the disk");
        let picture = Picture::open(blob, 1).expect("a picture");
        let parts = vec![ObservationPart::Image(Arc::new(picture))];
        Observation::from_parts(parts, format!("frame {}", self.0), ())
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
        self.0 += 1;
        let (observation, space) = (self.observe(context), Self::space());
        Ok(Outcome { observation, space, reward: 0.0, status: Status::Running, note: None })
    }

    async fn look(&mut self, context: &EnvironmentContext) -> Result<Opening, EnvironmentError> {
        Ok(Opening { observation: self.observe(context), space: Self::space(), status: Status::Running })
    }
}

/// A page of lines in several shades; its PNG file has some 100 KB.
fn screenshot(number: u32) -> Vec<u8> {
    let mut random = number.wrapping_mul(2_654_435_761) | 1;
    let mut pixels = Vec::with_capacity((WIDTH * HEIGHT * 3) as usize);
    for y in 0..HEIGHT {
        for x in 0..WIDTH {
            random ^= random << 13;
            random ^= random >> 17;
            random ^= random << 5;
            let ink = y % 16 < 9 && x % 1024 < 700 && random.is_multiple_of(7);
            let shade = if ink { 40 } else { 245 - (y / 90).to_le_bytes()[0] };
            pixels.extend([shade, shade, number.to_le_bytes()[0]]);
        }
    }
    let mut file = Cursor::new(Vec::new());
    PngEncoder::new_with_quality(&mut file, CompressionType::Fast, FilterType::NoFilter)
        .write_image(&pixels, WIDTH, HEIGHT, ExtendedColorType::Rgb8)
        .expect("a picture");
    file.into_inner()
}

fn head(steps: u32) -> Head {
    let kind = mageyard::envs::environment("sokoban").expect("sokoban");
    let level = kind.parse_levels(kind.level_sets()[0].text).expect("a shipped set").swap_remove(0);
    let (agent, rules) = (RecordedAgent::named("random"), ReaderRules::named("strict").expect("shipped"));
    Head { max_steps: steps, ..Head::new("film", "film/1", level, agent, rules, 0) }
}

fn look() -> Appearance {
    let settings = ScreenSettings {
        depth: ColorDepth::TrueColor,
        view: FrameView::Picture,
        mouse: false,
        pace: Duration::ZERO,
        tmux: false,
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
        environment: Box::new(Film(0)),
        agent,
        form,
        prompts: Arc::default(),
        reference_search: None,
    };
    let store: Arc<dyn BlobStore> = Arc::new(FolderStore(folder.to_owned()));
    let episode = Episode::new(head(steps).into());
    let mut driver = Driver::new(episode, participants, Box::new(Sink(store)), Duration::ZERO);
    let mut analysis = EpisodeAnalysis::new(kind, driver.episode().head().conduct.thresholds, None);
    let mut snapshot = |driver: &Driver| -> Arc<Snapshot> {
        analysis.update(driver.episode());
        Arc::new(driver.snapshot(kind, folder, &analysis))
    };
    driver.advance().await.expect("it opens");
    let (baseline, began) = (megabytes("VmRSS"), Instant::now());
    let mut screen = OffscreenScreen::new(snapshot(&driver), &look(), request_reader(), (160, 50));
    while !matches!(driver.episode().need(), Need::Nothing(_)) {
        driver.advance().await.expect("a step");
        screen.show(snapshot(&driver));
        screen.draw();
    }
    let (played, played_in) = (megabytes("VmRSS"), began.elapsed());
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
