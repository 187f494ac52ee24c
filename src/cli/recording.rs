//! Recorded episodes as sessions that only show, finished ones and ones still being written.

use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::watch;

use super::exit::Failure;
use super::stage;
use super::trouble;
use super::variants;
use crate::agents::packing;
use crate::config::Config;
use crate::config::Watch;
use crate::dialog::Prompt;
use crate::domain::Environment;
use crate::domain::Form;
use crate::domain::Kind;
use crate::domain::Packing;
use crate::engine::Episode;
use crate::engine::Gauge;
use crate::engine::Head;
use crate::engine::Session;
use crate::engine::Snapshot;
use crate::engine::extend;
use crate::engine::read;

/// A journal's episode, and what it takes to go on reading it.
struct Recording {
    path: PathBuf,
    kind: &'static dyn Kind,
    asking: Asking,
    episode: Episode,
    gauge: Gauge,
    environment: Box<dyn Environment>,
    lines: usize,
    fault: Option<String>,
}

/// What it takes to say how a model would be asked, as far as it is still there.
struct Asking {
    prompts: Arc<[Prompt]>,
    form: Option<Form>,
    packing: Option<Arc<dyn Packing>>,
}

impl Asking {
    fn of(kind: &'static dyn Kind, head: &Head, config: &Config) -> Self {
        // A prompt of today that is broken is no reason to hide what was recorded.
        let prompts = variants::all(kind, config.folders(), &head.options).unwrap_or_else(|error| {
            tracing::warn!(what = error.what, "recordings are shown without prompts");
            Vec::new()
        });
        let form = stage::form(kind, head).ok().map(|form| head.rules.form(&form));
        Self { prompts: prompts.into(), form, packing: packing(&head.agent, &head.seated) }
    }
}

/// The recording in this journal. When following, it goes on as the journal grows; the file is read
/// again at each change, which costs its length but never waits on a writer.
pub(super) async fn open(path: &Path, follow: bool, config: &Config) -> Result<Session, Failure> {
    let recorded = read(path).map_err(|error| trouble::refused(&error))?;
    let (kind, episode, environment) = stage::relive(path, &recorded).await?;
    let lines = recorded.lines.len();
    let asking = Asking::of(kind, episode.head(), config);
    let searched = config.settings().screen.distance;
    let gauge = Gauge::new(kind, searched.then(|| stage::allowance(episode.head(), config)));
    let recording =
        Recording { path: path.to_owned(), kind, asking, episode, gauge, environment, lines, fault: None };
    let (show, snapshots) = watch::channel(recording.snapshot());
    if follow {
        tokio::spawn(recording.follow(show));
    } else if searched {
        tokio::spawn(recording.stand(show));
    }
    Ok(Session { orders: None, snapshots })
}

impl Recording {
    async fn follow(mut self, show: watch::Sender<Arc<Snapshot>>) {
        let Some(mut watch) = Watch::file(&self.path) else {
            self.fault = Some("the system gives no watch on files, so this is not followed".to_owned());
            show.send_replace(self.snapshot());
            return;
        };
        while self.episode.ending().is_none() && self.fault.is_none() {
            // What was written between the first reading and the watch is met here as well.
            self.catch_up().await;
            show.send_replace(self.snapshot());
            tokio::select! {
                () = watch.changed() => {}
                () = self.measure(&show) => return,
            }
        }
        self.measure(&show).await;
    }

    /// A recording that does not change, beside what is found out about it.
    async fn stand(mut self, show: watch::Sender<Arc<Snapshot>>) {
        self.measure(&show).await;
    }

    /// Searches how far the goal is, state by state, until nobody looks any more.
    async fn measure(&mut self, show: &watch::Sender<Arc<Snapshot>>) {
        loop {
            self.gauge.look(self.episode.steps());
            tokio::select! {
                () = self.gauge.found() => {}
                () = show.closed() => return,
            }
            show.send_replace(self.snapshot());
        }
    }

    async fn catch_up(&mut self) {
        let news = match read(&self.path) {
            Ok(recorded) => recorded.lines,
            Err(error) => return self.fault = Some(error.to_string()),
        };
        let Some(fresh) = news.get(self.lines..) else {
            return self.fault = Some(format!("{}: it has become shorter", self.path.display()));
        };
        self.lines = news.len();
        if let Err(error) = extend(&mut self.episode, fresh, self.environment.as_mut()).await {
            self.fault = Some(error.to_string());
        }
    }

    fn snapshot(&self) -> Arc<Snapshot> {
        let Asking { prompts, form, packing } = &self.asking;
        let seen = Snapshot::of(&self.episode, self.kind, &stage::session_of(&self.path));
        Arc::new(Snapshot {
            fault: self.fault.clone(),
            prompts: prompts.clone(),
            form: form.clone(),
            packing: packing.clone(),
            journal: Some(self.path.clone()),
            ..seen.along(self.gauge.distances(self.episode.steps()))
        })
    }
}
