//! An environment with stored checkpoints: it comes back from the newest one, and only later acts are repeated.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use mageyard_domain::{
    Action, BlobStore, Checkpoint, Environment, EnvironmentContext, EnvironmentError, MemoryBlobStore,
    Observation, Opening, Outcome, Recovery, Status,
};
use mageyard_engine::{Driver, Episode, EpisodeSummary, Event, EventSink, JournalError, Need};

use super::episode::LiveEpisode;
use crate::pages::action_space;

/// A number that every action increments; `made` counts the actions of all processes.
struct Counter {
    state: u32,
    made: Arc<AtomicU32>,
    hangs_at: Option<u32>,
    recovery: Recovery,
}

impl Counter {
    fn seen(&self) -> Opening {
        let observation = Observation::from_parts(vec![], self.state.to_string(), self.state);
        Opening { observation, space: action_space(), status: Status::Running, points: 0.0 }
    }
}

#[async_trait]
impl Environment for Counter {
    fn recovery(&self) -> Recovery {
        self.recovery
    }

    fn grace(&self) -> Duration {
        Duration::from_millis(10)
    }

    async fn open(&mut self, _: &EnvironmentContext) -> Result<Opening, EnvironmentError> {
        self.state = 0;
        Ok(self.seen())
    }

    async fn act(&mut self, _: &Action, _: &EnvironmentContext) -> Result<Outcome, EnvironmentError> {
        self.state += 1;
        self.made.fetch_add(1, Ordering::Relaxed);
        if self.hangs_at == Some(self.state) {
            std::future::pending::<()>().await;
        }
        let Opening { observation, space, status, .. } = self.seen();
        Ok(Outcome {
            observation,
            space,
            reward: 1.0,
            status,
            note: None,
            problem: None,
            questions: Vec::new(),
        })
    }

    async fn look(&mut self, _: &EnvironmentContext) -> Result<Opening, EnvironmentError> {
        Ok(self.seen())
    }

    async fn checkpoint(&mut self, context: &EnvironmentContext) -> Result<Checkpoint, EnvironmentError> {
        let bytes = self.state.to_le_bytes();
        let blob = context.blobs.put("application/octet-stream", &bytes);
        blob.map(Checkpoint::Stored).map_err(|error| EnvironmentError::Failed(error.to_string()))
    }

    async fn restore(
        &mut self,
        checkpoint: &Checkpoint,
        context: &EnvironmentContext,
    ) -> Result<(), EnvironmentError> {
        let Checkpoint::Stored(blob) = checkpoint else { return Err(EnvironmentError::Cancelled) };
        let bytes = context.blobs.get(blob).map_err(|error| EnvironmentError::Failed(error.to_string()))?;
        self.state = u32::from_le_bytes(bytes[..].try_into().unwrap());
        Ok(())
    }
}

/// Keeps the names of the events, and blobs for all drivers.
#[derive(Clone, Default)]
struct NameSink {
    names: Arc<std::sync::Mutex<Vec<&'static str>>>,
    blobs: Arc<MemoryBlobStore>,
}

impl EventSink for NameSink {
    fn append(&mut self, _: u64, event: &Event) -> Result<(), JournalError> {
        self.names.lock().unwrap().push(event.name());
        Ok(())
    }

    fn finish(&mut self, _: &Episode, _: Duration) -> Result<Option<EpisodeSummary>, JournalError> {
        Ok(None)
    }

    fn blobs(&self) -> Arc<dyn BlobStore> {
        self.blobs.clone()
    }
}

/// Plays until this many steps are finished.
async fn play(driver: &mut Driver, steps: u32) {
    while driver.episode().steps_done() < steps {
        driver.advance().await.unwrap();
    }
}

#[tokio::test]
async fn an_episode_comes_back_from_its_newest_checkpoint() {
    let live = LiveEpisode::new("");
    let sink = NameSink::default();
    let made = Arc::<AtomicU32>::default();
    let counter = |hangs_at| {
        Box::new(Counter { state: 99, made: made.clone(), hangs_at, recovery: Recovery::Checkpoint })
    };
    let new = Episode::new(live.head.clone().into());
    let mut driver = live.driver_with(counter(None), new, Box::new(sink.clone()));
    play(&mut driver, 24).await;
    driver.close().await;
    let saved = sink.names.lock().unwrap().iter().filter(|name| **name == "checkpointed").count();
    assert_eq!((made.swap(0, Ordering::Relaxed), saved), (24, 2));
    assert_eq!(driver.episode().checkpoint().unwrap().0, 21);

    sink.names.lock().unwrap().clear();
    let mut resumed = live.driver_with(counter(None), driver.episode().clone(), Box::new(sink.clone()));
    play(&mut resumed, 25).await;
    assert_eq!(made.load(Ordering::Relaxed), 4 + 1, "four since the checkpoint, and the new one");
    assert_eq!(&**resumed.episode().steps().last().unwrap().observation.text(), "25");
    assert_eq!(*sink.names.lock().unwrap(), ["asked", "replied", "accepted", "acting", "acted"]);
}

/// The effect of an interrupted act cannot be repeated, so the state after the look is saved at once.
#[tokio::test(start_paused = true)]
async fn a_look_after_an_interruption_is_saved_at_once() {
    let mut live = LiveEpisode::new("");
    let sink = NameSink::default();
    let made = Arc::<AtomicU32>::default();
    live.head.max_time = None;
    let new = Episode::new(live.head.clone().into());
    let recovery = Recovery::Checkpoint;
    let counter = Counter { state: 0, made: made.clone(), hangs_at: Some(3), recovery };
    let mut driver = live.driver_with(Box::new(counter), new, Box::new(sink.clone()));
    play(&mut driver, 2).await;
    while !matches!(driver.episode().need(), Need::Act(_)) {
        driver.advance().await.unwrap();
    }
    let stop = tokio_util::sync::CancellationToken::new();
    let stopping = async {
        tokio::time::sleep(Duration::from_millis(5)).await;
        stop.cancel();
    };
    let (stopped, ()) = tokio::join!(driver.advance_until(&stop), stopping);
    stopped.unwrap();
    driver.advance().await.unwrap();
    let names = sink.names.lock().unwrap().clone();
    assert_eq!(names[names.len() - 4..], ["acting", "interrupted", "looked", "checkpointed"]);
    assert_eq!(driver.episode().checkpoint().unwrap().0, 4);
    let mut resumed = live.driver_with(
        Box::new(Counter { state: 0, made: made.clone(), hangs_at: None, recovery }),
        driver.episode().clone(),
        Box::new(sink),
    );
    made.store(0, Ordering::Relaxed);
    play(&mut resumed, 4).await;
    assert_eq!((made.load(Ordering::Relaxed), resumed.episode().steps().len()), (1, 5));
    assert_eq!(&**resumed.episode().steps().last().unwrap().observation.text(), "4");
}

#[tokio::test]
async fn an_episode_whose_environment_cannot_come_back_is_refused() {
    let live = LiveEpisode::new("");
    let made = Arc::<AtomicU32>::default();
    let counter =
        || Box::new(Counter { state: 0, made: made.clone(), hangs_at: None, recovery: Recovery::StoredOnly });
    let new = Episode::new(live.head.clone().into());
    let mut driver = live.driver_with(counter(), new, Box::new(NameSink::default()));
    play(&mut driver, 2).await;
    let mut resumed = live.driver_with(counter(), driver.episode().clone(), Box::new(NameSink::default()));
    let error = resumed.advance().await.unwrap_err();
    assert_eq!(error.to_string(), "the state of the environment is lost: the episode can only be viewed");
    assert_eq!(made.load(Ordering::Relaxed), 2);
}
