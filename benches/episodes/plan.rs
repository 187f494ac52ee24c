//! Runs of many episodes.

use mageyard::lab::{new_heads, run_episodes, select_levels};
use mageyard::study::{plan_ask, run_ask};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use mageyard::config::{Config, Folders, Sources};
use mageyard::engine::{Breakpoints, Store};
use mageyard::lab::{Lab, PlannedEpisode, RunEvent, RunOptions};
use mageyard::study::AskRequest;
use mageyard::{agents, lab};
use tokio_util::sync::CancellationToken;

/// A folder for the files of a plan. The process that measures all cases deletes it at the end: a file system with many
/// files that were deleted a moment ago creates new ones slowly.
pub(crate) fn new_root() -> PathBuf {
    tempfile::tempdir().expect("a folder").keep()
}

/// The settings and the plan of a run.
pub(crate) struct Plan {
    lab: Lab,
    config: Arc<Config>,
    store: Store,
}

impl Plan {
    /// A run against the server at this URL. The optimum of the levels is not searched: that would take longer than
    /// everything else.
    pub(crate) fn new(root: &Path, url: &str, settings: &str, steps: usize) -> Self {
        let text = format!(
            "[sokoban]\nsolver_states = 1\n[play]\nagent = \"model\"\nmax_steps = {steps}\n{settings}\n\
             name = \"m\"\nbase_url = \"{url}\"\nstream = false\nmax_connections = 200\n"
        );
        fs::create_dir_all(root.join("working")).expect("a folder");
        fs::write(root.join("working/mageyard.toml"), text).expect("a file");
        let folders = Folders::under(root);
        let config = Sources { folders, user_file_override: None, overrides: Vec::new() }.read();
        let lab = Lab::new(mageyard::envs::environments(), agents::AGENTS, Arc::new(|_| None));
        Self { lab, config: Arc::new(config.expect("valid settings")), store: Store::new(root.join("store")) }
    }

    async fn episodes(&self, count: usize) -> Vec<PlannedEpisode> {
        let levels = select_levels(&self.lab, self.config.folders(), "sokoban/full").expect("shipped levels");
        let session = lab::create_session(&self.store, &levels[..1], &self.config).expect("a session");
        let levels: Vec<_> = levels.iter().cycle().take(count).cloned().collect();
        let heads = new_heads(&self.lab, &self.config, &levels, 1, &self.store).await.expect("heads");
        let planned = (1..).zip(heads).map(|(number, head)| PlannedEpisode {
            journal: self.store.journal_path(&session, number),
            head: Some(head),
        });
        planned.collect()
    }

    /// Asks so often at the last step of the only episode, so many at once.
    pub(crate) async fn ask(&self, calls: usize, at_once: usize) -> usize {
        let journals = self.store.find("last").expect("a session");
        let samples = u32::try_from(calls).expect("few calls");
        let given = vec!["model.base_url".to_owned()];
        let request = AskRequest { step: 3, samples, given, ..AskRequest::default() };
        let plan = plan_ask(&self.lab, &journals[0], &request, &self.config).await.expect("a plan");
        let stop = CancellationToken::new();
        let outcome = run_ask(&self.lab, &plan, at_once, &stop, &mut |_, _| {}).await.expect("an ask");
        assert!(outcome.stopped.is_none() && outcome.ask.calls.iter().all(|call| call.reply.is_some()));
        outcome.ask.calls.len()
    }

    /// Plays so many episodes, so many at once; returns the number of their steps, and the steps a second while they were
    /// playing: from when all had begun until a tenth of them had ended. A few are won early.
    pub(crate) async fn play(&self, count: usize, jobs: usize) -> (usize, f64) {
        let options = RunOptions {
            config: self.config.clone(),
            store: self.store.clone(),
            breakpoints: Breakpoints::default(),
            jobs,
            failure_limit: 1,
            spending: None,
            has_person: false,
        };
        let mut run = run_episodes(&self.lab, self.episodes(count).await, options, &CancellationToken::new());
        let mut finished = 0;
        let mut steps = 0;
        let mut begun = BTreeSet::new();
        let mut all_begun = None;
        let mut tenth_finished = None;
        while let Some(event) = run.next().await {
            match event.event {
                RunEvent::Step(..) => steps += 1,
                RunEvent::Finished(_) => finished += 1,
                _ => {}
            }
            if begun.insert(event.index) && begun.len() == count {
                all_begun = Some((steps, Instant::now()));
            }
            if finished == count.div_ceil(10) {
                tenth_finished.get_or_insert((steps, Instant::now()));
            }
        }
        assert_eq!(finished, count, "every episode ends");
        (steps, all_begun.zip(tenth_finished).map_or(0.0, |(from, to)| rate(from, to)))
    }
}

/// The steps a second between two moments with so many steps; 0 if the second one came first.
#[expect(clippy::cast_precision_loss, reason = "there are few steps")]
fn rate((before, from): (usize, Instant), (after, to): (usize, Instant)) -> f64 {
    let steps = after.saturating_sub(before);
    let time = to.saturating_duration_since(from);
    if time.is_zero() { 0.0 } else { steps as f64 / time.as_secs_f64() }
}
