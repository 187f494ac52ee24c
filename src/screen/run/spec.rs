//! What the screen shows when it starts.

use crate::recorded_episodes::RecordedEpisodes;
use crate::sweep::DashboardSources;
use crate::tutor::Lesson;
use mageyard_engine::Session;

/// What the screen shows at start.
#[derive(Default)]
pub struct ScreenSpec {
    /// The episodes, oldest first. The last one that was read is shown while recordings are followed, else the first.
    pub episodes: RecordedEpisodes,
    /// Number of the step to show; `None` follows the newest.
    pub step: Option<u32>,
    /// Whether the screen opens on the list of episodes.
    pub list: bool,
    /// Whether new episodes are shown as they start.
    pub follow: bool,
    /// Whether the screen opens on home.
    pub home: bool,
    /// The sweep whose dashboard is shown.
    pub sweep: Option<DashboardSources>,
    /// The lesson of the tutor that starts; the first session is its episode.
    pub lesson: Option<Lesson>,
}

impl ScreenSpec {
    /// A single session, at its newest step.
    pub fn single(session: Session) -> Self {
        Self { episodes: session.into(), ..Self::default() }
    }
}
