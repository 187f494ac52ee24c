//! Makes the maps and the lists of episodes of a dashboard beside the screen, so that keys never wait for files or
//! statistics.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;

use crate::sweep::cell_episodes::EpisodeReader;
use crate::sweep::map_reader::MapReader;
use mageyard_config::{Config, Problem};
use mageyard_lab::Lab;
use mageyard_screen::{CellEpisodes, DashboardSources, SweepScores, SweepView};
use mageyard_sweep::SweepPlan;

/// How often the files are read again, at most.
const INTERVAL: Duration = Duration::from_secs(2);
/// How much longer than the reading the pause after it is, at least: reading takes a fifth of one core at most.
const PAUSE: u32 = 4;

/// The sources of a dashboard with these views. Must be called in a runtime; the tasks end when the sources are dropped.
pub(crate) fn dashboard_sources(
    views: watch::Receiver<Arc<SweepView>>,
    plan: &Arc<SweepPlan>,
    folder: PathBuf,
    lab: &Lab,
    config: &Config,
) -> Result<DashboardSources, Problem> {
    let reader = MapReader::new(plan.clone(), folder.clone(), lab.clone(), config)?;
    let (scores_sender, scores) = watch::channel(Arc::new(reader.scores()));
    let (episodes_sender, episodes) = watch::channel(Arc::new(CellEpisodes::default()));
    let (open, opened) = watch::channel(None);
    tokio::spawn(follow_maps(reader, scores_sender));
    let reader = EpisodeReader::new(plan.clone(), folder, lab.clone());
    tokio::spawn(follow_episodes(reader, opened, episodes_sender));
    Ok(DashboardSources { views, scores, episodes, open })
}

/// Shows the maps whenever more episodes are finished.
async fn follow_maps(mut reader: MapReader, shown: watch::Sender<Arc<SweepScores>>) {
    while !shown.is_closed() {
        let began = Instant::now();
        let read = tokio::task::spawn_blocking(move || {
            let found = reader.read();
            (reader, found)
        });
        let Ok((back, found)) = read.await else { return };
        reader = back;
        if let Some(scores) = found {
            shown.send_replace(Arc::new(scores));
        }
        tokio::select! {
            () = tokio::time::sleep(INTERVAL.max(began.elapsed() * PAUSE)) => {}
            () = shown.closed() => {}
        }
    }
}

/// Shows the episodes of the open cell, and reads them again while it is open.
async fn follow_episodes(
    mut reader: EpisodeReader,
    mut opened: watch::Receiver<Option<usize>>,
    shown: watch::Sender<Arc<CellEpisodes>>,
) {
    loop {
        let began = Instant::now();
        let cell = *opened.borrow_and_update();
        if let Some(cell) = cell {
            let read = tokio::task::spawn_blocking(move || {
                let found = reader.read(cell);
                (reader, found)
            });
            let Ok((back, found)) = read.await else { return };
            reader = back;
            shown.send_if_modified(|there| {
                let has_changed = **there != found;
                *there = Arc::new(found);
                has_changed
            });
        }
        tokio::select! {
            changed = opened.changed() => if changed.is_err() { return },
            () = tokio::time::sleep(INTERVAL.max(began.elapsed() * PAUSE)), if cell.is_some() => {}
        }
    }
}
