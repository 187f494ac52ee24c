//! The live environment: a scene that the real engine plays, judged and shown as every other.

use std::sync::{Arc, Weak};

use async_trait::async_trait;

use super::super::world::{PitchView, Presenter, Settings};
use super::super::{Decided, EngineAction, Scene, Umpire, world};
use super::drawing;
use super::failure::EngineFailure;
use super::process::Process;
use super::saved::{MEDIA, Saved};
use super::wire::Order;
use mageyard_domain::{
    Action, ActionSpace, BlobHandle, Checkpoint, Digest, Environment, EnvironmentContext, EnvironmentError,
    Observation, Opening, Outcome, Recovery,
};

/// An episode of the real engine.
pub(crate) struct RealFootball {
    scene: Scene,
    settings: Settings,
    seed: u64,
    space: ActionSpace,
    /// The decisions that were played to their end. They lead to the present state.
    decisions: Vec<EngineAction>,
    game: Option<Game>,
}

/// A game that runs.
struct Game {
    process: Process,
    umpire: Umpire,
    presenter: Presenter,
    /// Whether the engine draws the frames.
    draws: bool,
    remark: Option<Arc<str>>,
    kept: Vec<Kept>,
}

/// A state that the process keeps, with what it does not know.
struct Kept {
    stored: Saved,
    number: usize,
    umpire: Umpire,
    presenter: Presenter,
}

impl RealFootball {
    pub(crate) fn new(scene: Scene, settings: Settings, seed: u64) -> Self {
        let space = world::space(settings.actions);
        Self { scene, settings, seed, space, decisions: Vec::new(), game: None }
    }

    /// Starts the engine and plays these decisions.
    async fn start(
        &mut self,
        decisions: Vec<EngineAction>,
        context: &EnvironmentContext,
    ) -> Result<&mut Game, EnvironmentError> {
        self.game = None;
        let mut game = Game::start(&self.scene, &self.settings, self.seed).await?;
        for decision in &decisions {
            Box::pin(game.decide(*decision)).await?;
        }
        game.draw(context).await?;
        self.decisions = decisions;
        Ok(self.game.insert(game))
    }

    /// The game, which comes back if its process was lost.
    async fn running(&mut self, context: &EnvironmentContext) -> Result<(), EnvironmentError> {
        if self.game.is_none() {
            self.start(self.decisions.clone(), context).await?;
        }
        Ok(())
    }

    fn seen(&mut self) -> Result<Opening, EnvironmentError> {
        let game = self.game.as_mut().ok_or_else(|| failed("the game is not open"))?;
        let status = world::status(game.umpire.ending());
        Ok(Opening { observation: game.observe(), space: self.space.clone(), status, points: 0.0 })
    }
}

impl Game {
    async fn start(scene: &Scene, settings: &Settings, seed: u64) -> Result<Self, EngineFailure> {
        let mut process = Process::start(&settings.program).await?;
        let first = process.state(&Order::load(scene, seed)).await?;
        let version = Some(process.report.version.as_str());
        let presenter = Presenter::new(&scene.name, &first, settings, version);
        let umpire = Umpire::new(first, (settings.reward, settings.skip));
        let draws = settings.view == PitchView::Engine;
        Ok(Self { process, umpire, presenter, draws, remark: None, kept: Vec::new() })
    }

    /// Plays a decision to its end, and draws what it leads to.
    async fn act(
        &mut self,
        action: EngineAction,
        context: &EnvironmentContext,
    ) -> Result<Decided, EnvironmentError> {
        let decided = Box::pin(self.decide(action)).await?;
        self.draw(context).await?;
        Ok(decided)
    }

    /// Draws the present state, if the engine draws the frames.
    async fn draw(&mut self, context: &EnvironmentContext) -> Result<(), EnvironmentError> {
        if self.draws {
            let pixels = self.process.draw().await?;
            self.presenter.drawn(drawing::picture(pixels, &context.blobs)?);
        }
        Ok(())
    }

    async fn decide(&mut self, action: EngineAction) -> Result<Decided, EngineFailure> {
        let mut film = self.presenter.film(self.umpire.state());
        self.umpire.begin(action);
        while let Some(executed) = self.umpire.next_frame() {
            let after = self.process.state(&Order::step(executed)).await?;
            film.frame(&after);
            self.umpire.judge(executed, after);
        }
        self.presenter.decided(action, &self.umpire, film);
        Ok(*self.umpire.decided())
    }

    /// Keeps the present state in the process.
    async fn keep(&mut self, stored: Saved) -> Result<(), EngineFailure> {
        let number = self.process.ask(&Order::Save).await?.saved;
        let number = number.ok_or_else(|| EngineFailure::unreadable("it has no number of a kept state"))?;
        self.kept.push(Kept { stored, number, umpire: self.umpire, presenter: self.presenter.clone() });
        Ok(())
    }

    /// Returns to a state that the process keeps; `false` if it has no such state.
    async fn return_to(&mut self, stored: &Saved) -> Result<bool, EngineFailure> {
        let Some(kept) = self.kept.iter().find(|kept| kept.stored == *stored) else { return Ok(false) };
        self.process.state(&Order::Restore { saved: kept.number }).await?;
        (self.umpire, self.presenter) = (kept.umpire, kept.presenter.clone());
        Ok(true)
    }

    fn observe(&mut self) -> Observation {
        self.presenter.observe(&self.umpire, Weak::new(), self.remark.as_ref())
    }

    fn digest(&self) -> Digest {
        Digest::of(world::state_facts(self.umpire.state()).to_string().as_bytes())
    }
}

#[async_trait]
impl Environment for RealFootball {
    fn recovery(&self) -> Recovery {
        Recovery::Checkpoint
    }

    async fn open(&mut self, context: &EnvironmentContext) -> Result<Opening, EnvironmentError> {
        context.unless_cancelled(self.start(Vec::new(), context)).await?;
        self.seen()
    }

    /// A decision that is cancelled or fails has not happened: the game comes back as it was before it.
    async fn act(
        &mut self,
        action: &Action,
        context: &EnvironmentContext,
    ) -> Result<Outcome, EnvironmentError> {
        self.space.check(action)?;
        let action = world::engine_action(action)?;
        context.unless_cancelled(self.running(context)).await?;
        // Without an end of the decision the process is dropped with its game, which is somewhere in the middle.
        let mut game = self.game.take().ok_or_else(|| failed("the game is not open"))?;
        let decided = context.unless_cancelled(game.act(action, context)).await?;
        self.game = Some(game);
        self.decisions.push(action);
        let Opening { observation, space, status, .. } = self.seen()?;
        let ending = self.game.as_ref().and_then(|game| game.umpire.ending());
        let note = Some(world::note(&decided, ending));
        Ok(Outcome {
            observation,
            space,
            reward: decided.reward(),
            status,
            note,
            problem: None,
            questions: Vec::new(),
        })
    }

    async fn look(&mut self, context: &EnvironmentContext) -> Result<Opening, EnvironmentError> {
        context.unless_cancelled(self.running(context)).await?;
        self.seen()
    }

    async fn checkpoint(&mut self, context: &EnvironmentContext) -> Result<Checkpoint, EnvironmentError> {
        let mut game = self.game.take().ok_or_else(|| failed("the game is not open"))?;
        let saved = Saved::new(&self.decisions, game.digest());
        let bytes = serde_json::to_vec(&saved).map_err(failed)?;
        context.unless_cancelled(game.keep(saved)).await?;
        self.game = Some(game);
        let blob = BlobHandle::store(&context.blobs, MEDIA, &bytes).map_err(failed)?;
        Ok(Checkpoint::Stored(blob.blob().clone()))
    }

    /// Returns to the state if the process keeps it, else plays the stored decisions again. A state that is not the stored
    /// one is said among the facts.
    async fn restore(
        &mut self,
        checkpoint: &Checkpoint,
        context: &EnvironmentContext,
    ) -> Result<(), EnvironmentError> {
        let foreign = || failed("the checkpoint belongs to another environment");
        let Checkpoint::Stored(blob) = checkpoint else { return Err(foreign()) };
        let bytes = context.blobs.get(blob).map_err(failed)?;
        let saved: Saved = serde_json::from_slice(&bytes).map_err(|_| foreign())?;
        let decisions = saved.decisions().ok_or_else(foreign)?;
        let count = decisions.len();
        if let Some(mut game) = self.game.take()
            && context.unless_cancelled(game.return_to(&saved)).await?
        {
            (self.game, self.decisions) = (Some(game), decisions);
            return Ok(());
        }
        let game = context.unless_cancelled(self.start(decisions, context)).await?;
        if game.digest() != saved.state {
            let version = &game.process.report.version;
            let remark = format!(
                "after {count} decisions the state differs from the recorded one (gfootball {version} here)"
            );
            tracing::warn!(%remark, "the real engine of football");
            game.remark = Some(remark.into());
        }
        Ok(())
    }

    async fn close(&mut self) {
        if let Some(game) = self.game.take() {
            game.process.quit().await;
        }
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is handed to map_err")]
fn failed(error: impl ToString) -> EnvironmentError {
    EnvironmentError::Failed(error.to_string())
}
