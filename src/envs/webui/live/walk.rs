//! A walk through the states of pages: loaded, and after each interaction. Several pages walk in step.

use std::time::Duration;

use futures_util::future::try_join_all;
use serde_json::Value;
use tokio::time::Instant;

use crate::options::WaitRule;
use crate::snapshot::{MAX_BYTES, SCRIPT, Snapshot};
use crate::task::Interaction;
use mageyard_browser::{BrowserError, BrowserFailure, Page, PageFault, ScreenshotSpeed};
use mageyard_domain::sanitize;

/// The time between two looks at a page that settles.
const SETTLE_PAUSE: Duration = Duration::from_millis(25);
/// Whether a page is loaded and runs no animation that ends; an endless one never settles.
const IS_QUIET: &str = "document.readyState === 'complete' && document.getAnimations().every(animation => \
    animation.playState !== 'running' || animation.effect?.getComputedTiming().endTime === Infinity)";
/// How far the page is scrolled, and how many of its animations never end.
const SCROLL: &str = "[scrollX, scrollY, document.getAnimations().filter(animation => \
    animation.effect?.getComputedTiming().endTime === Infinity).length]";
/// The most bytes of a short answer.
const SHORT: usize = 1000;

/// A page on its walk.
pub(super) struct Walker {
    pub(super) page: Page,
    /// The file that is opened.
    pub(super) file: String,
    /// What is taken of each state.
    pub(super) pictures: bool,
    /// The address of its folder, and what stands for it in snapshots.
    pub(super) address: Option<(String, &'static str)>,
}

/// How pages walk.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    pub(super) waiting: WaitRule,
    /// The time of the whole walk without its waiting; what comes later is a fault.
    pub(super) limit: Duration,
}

/// A page at one moment.
#[derive(Clone, Debug)]
pub(super) struct View {
    /// The snapshot, and its text.
    pub(super) snapshot: Snapshot,
    pub(super) json: String,
    /// The visible part as PNG.
    pub(super) picture: Option<Vec<u8>>,
    /// Whether two pictures in a row were equal, or none was taken.
    pub(super) is_stable: bool,
    /// How far the page is scrolled, to the right and down.
    pub(super) scroll: [f64; 2],
    /// Whether it has animations that never end.
    pub(super) endless: bool,
    /// The fonts that drew it, safe to show; only of a page that was just loaded.
    pub(super) fonts: Vec<String>,
}

/// A state of a page, or why there is none.
pub(super) type State = Result<View, Fault>;

/// Why a page has no such state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    /// The reason, safe to show.
    pub(super) why: String,
    /// Whether it took too long, for which a busy machine may be to blame.
    pub(super) is_timeout: bool,
}

impl Fault {
    pub(super) fn new(why: impl Into<String>) -> Self {
        Self { why: why.into(), is_timeout: false }
    }

    fn of_page(fault: &PageFault) -> Self {
        let is_timeout = matches!(
            fault,
            PageFault::LoadTimeout(_)
                | PageFault::ScriptTimeout(_)
                | PageFault::DrawTimeout(_)
                | PageFault::InteractionTimeout(_)
        );
        Self { why: sanitize(&fault.to_string()).into_owned(), is_timeout }
    }
}

/// Walks with all pages in step: each interaction is performed on every page, and each waits for the slowest. Each row
/// of the result has the states of one page. If a page does not load, there are no further states.
pub(super) async fn walk(
    walkers: &[Walker],
    interactions: &[Interaction],
    pace: Pace,
) -> Result<Vec<Vec<State>>, BrowserFailure> {
    let begin = Instant::now();
    let first = try_join_all(walkers.iter().map(Walker::load)).await?;
    let loaded = first.iter().all(Result::is_ok);
    let mut rows: Vec<Vec<State>> = first.into_iter().map(|state| vec![state]).collect();
    let mut allowed = pace.limit;
    for interaction in interactions.iter().filter(|_| loaded) {
        allowed += interaction.total_wait();
        let late = begin.elapsed() > allowed;
        let states = try_join_all(walkers.iter().map(|walker| next(walker, interaction, pace, late))).await?;
        for (row, state) in rows.iter_mut().zip(states) {
            row.push(state);
        }
    }
    Ok(rows)
}

/// The next state of a page.
async fn next(
    walker: &Walker,
    interaction: &Interaction,
    pace: Pace,
    late: bool,
) -> Result<State, BrowserFailure> {
    if late {
        let why = format!("the pages took longer than {} s", pace.limit.as_secs_f64());
        return Ok(Err(Fault { why, is_timeout: true }));
    }
    of_page(walker.interact(interaction, pace.waiting).await)
}

/// Sets faults of the page apart from failures of the browser.
fn of_page<T>(result: Result<T, BrowserError>) -> Result<Result<T, Fault>, BrowserFailure> {
    match result {
        Ok(value) => Ok(Ok(value)),
        Err(BrowserError::Page(fault)) => Ok(Err(Fault::of_page(&fault))),
        Err(BrowserError::Browser(failure)) => Err(failure),
    }
}

impl Walker {
    async fn load(&self) -> Result<State, BrowserFailure> {
        match self.page.open(&self.file).await {
            Ok(()) => of_page(self.first_view().await),
            Err(error) => of_page(Err(error)),
        }
    }

    async fn first_view(&self) -> Result<View, BrowserError> {
        let view = self.view().await?;
        let fonts = self.page.fonts().await?;
        let fonts = fonts.iter().map(|font| sanitize(font).into_owned()).collect();
        Ok(View { fonts, ..view })
    }

    async fn interact(&self, interaction: &Interaction, waiting: WaitRule) -> Result<View, BrowserError> {
        for step in &interaction.steps {
            self.page.perform(step).await?;
        }
        match waiting {
            WaitRule::Nominal if interaction.wait().is_zero() => {}
            WaitRule::Nominal => self.page.wait(interaction.wait()).await?,
            WaitRule::Settle => self.settle(interaction.wait()).await?,
        }
        self.view().await
    }

    /// Waits until the page does not change any more, at most this long.
    async fn settle(&self, most: Duration) -> Result<(), BrowserError> {
        let begin = Instant::now();
        let mut before = self.snapshot_text().await?;
        while begin.elapsed() < most {
            self.page.wait(SETTLE_PAUSE.min(most)).await?;
            let quiet = self.page.evaluate(IS_QUIET, SHORT).await? == Value::Bool(true);
            let now = self.snapshot_text().await?;
            if quiet && now == before {
                break;
            }
            before = now;
        }
        Ok(())
    }

    async fn snapshot_text(&self) -> Result<String, BrowserError> {
        match self.page.evaluate(SCRIPT, MAX_BYTES).await? {
            Value::String(text) => Ok(text),
            _ => Err(PageFault::ScriptFailed("the snapshot is not a text".to_owned()).into()),
        }
    }

    async fn view(&self) -> Result<View, BrowserError> {
        let mut json = self.snapshot_text().await?;
        if let Some((address, name)) = &self.address {
            json = json.replace(address.as_str(), name);
        }
        let wrong = |error: crate::snapshot::SnapshotError| PageFault::ScriptFailed(error.to_string());
        let snapshot = Snapshot::parse(&json).map_err(wrong)?;
        let mut picture = None;
        let mut is_stable = true;
        let mut scroll = [0.0; 2];
        let mut endless = false;
        if self.pictures {
            let at = self.page.evaluate(SCROLL, SHORT).await?;
            scroll = [0, 1].map(|axis| at[axis].as_f64().unwrap_or_default());
            endless = at[2].as_u64().is_some_and(|count| count > 0);
            let taken = self.page.stable_screenshot(ScreenshotSpeed::Fast).await?;
            is_stable = taken.is_stable;
            picture = Some(taken.png);
        }
        Ok(View { snapshot, json, picture, is_stable, scroll, endless, fonts: Vec::new() })
    }
}
