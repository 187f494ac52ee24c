//! Read-only sessions that show recorded episodes, finished or still being written.

use crate::prompt_cache::prompts_of;
use crate::restore::restore_journal;
use crate::{request_encoder, side_request_encoder};
use std::path::Path;
use std::sync::Arc;

use tokio::sync::watch;

use super::restore::ReplayedJournal;
use super::{EpisodeId, Lab, LabError, reply_format, search_limits};
use mageyard_config::{Config, FileWatcher};
use mageyard_domain::{Environment, EnvironmentSpec, SideRole};
use mageyard_engine::{
    Episode, EpisodeAnalysis, Head, JournalReader, RequestContext, RunState, Session, SessionPlace, Snapshot,
    Waiting, extend_from,
};

/// The episode of a journal, and the state for reading further lines.
struct RecordedSession {
    reader: JournalReader,
    spec: &'static dyn EnvironmentSpec,
    request_context: RequestContext,
    episode: Episode,
    analysis: EpisodeAnalysis,
    environment: Box<dyn Environment>,
    fault: Option<String>,
}

/// What is needed to show the request a model would get, as far as it is still available.
fn request_context(
    lab: &Lab,
    spec: &'static dyn EnvironmentSpec,
    head: &Head,
    config: &Config,
) -> RequestContext {
    // A broken prompt file must not hide a recording.
    let prompts = prompts_of(lab, spec, config.folders(), &head.options).unwrap_or_else(|error| {
        tracing::warn!(what = error.message, "recordings are shown without prompts");
        Arc::default()
    });
    let form = reply_format(spec, head).ok().map(|form| head.rules.reply_format(&form));
    let side_encoder = |role: &SideRole| Some((*role, side_request_encoder(lab, head, *role)?));
    let side_encoders = head.roles.keys().filter_map(side_encoder).collect();
    RequestContext { prompts, form, encoder: request_encoder(lab, head), side_encoders }
}

/// Opens a recording. With `follow` it grows with the journal: new lines are read at each change, without
/// locking the file.
pub async fn open_recorded(
    lab: &Lab,
    path: &Path,
    follow: bool,
    config: &Config,
) -> Result<Session, LabError> {
    let replayed = restore_journal(lab, JournalReader::open(path)?).await?;
    let ReplayedJournal { spec, episode, environment, reader } = replayed;
    let asking = request_context(lab, spec, episode.head(), config);
    let searched = config.settings().screen.distance;
    let limits = searched.then(|| search_limits(spec, episode.head(), config));
    let mut analysis = EpisodeAnalysis::new(spec, episode.head().conduct.thresholds, limits);
    analysis.update(&episode);
    let recording = RecordedSession {
        reader,
        spec,
        request_context: asking,
        episode,
        analysis,
        environment,
        fault: None,
    };
    let (show, snapshots) = watch::channel(recording.snapshot());
    if follow {
        tokio::spawn(recording.follow(show));
    } else if searched {
        tokio::spawn(recording.search_only(show));
    }
    Ok(Session { commands: None, snapshots })
}

impl RecordedSession {
    async fn follow(mut self, show: watch::Sender<Arc<Snapshot>>) {
        let Some(mut watch) = FileWatcher::file(self.reader.path()) else {
            self.fault = Some(
                "file changes cannot be watched on this system, so the recording is not followed".to_owned(),
            );
            show.send_replace(self.snapshot());
            return;
        };
        while self.episode.ending().is_none() && self.fault.is_none() {
            // This also reads lines that were written before the watch started.
            self.read_new_lines().await;
            show.send_replace(self.snapshot());
            tokio::select! {
                () = watch.changed() => {}
                () = self.search_distances(&show) => return,
            }
        }
        self.search_distances(&show).await;
    }

    /// Only searches distances, for a recording that does not change.
    async fn search_only(mut self, show: watch::Sender<Arc<Snapshot>>) {
        self.search_distances(&show).await;
    }

    /// Searches the distance of each state until the screen is closed.
    async fn search_distances(&mut self, show: &watch::Sender<Arc<Snapshot>>) {
        loop {
            self.analysis.start_search();
            tokio::select! {
                () = self.analysis.next_distance() => {}
                () = show.closed() => return,
            }
            show.send_replace(self.snapshot());
        }
    }

    async fn read_new_lines(&mut self) {
        let Self { episode, reader, environment, .. } = self;
        if let Err(error) = extend_from(episode, reader, environment.as_mut()).await {
            self.fault = Some(error.to_string());
        }
    }

    fn snapshot(&self) -> Arc<Snapshot> {
        let journal = self.reader.path();
        let waiting = Waiting::of(self.episode.need());
        let run = RunState { error: self.fault.clone(), ..RunState::recorded(waiting) };
        let place = SessionPlace {
            folder: EpisodeId::of_journal(journal).session,
            journal: Some(journal.to_owned()),
        };
        let requests = self.request_context.clone();
        Arc::new(Snapshot::new(&self.episode, self.spec, &self.analysis, requests, run, place))
    }
}
