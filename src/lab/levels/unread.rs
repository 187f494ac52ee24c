//! An environment of a level whose files are read when it is opened, into the blobs of whoever opens it.

use std::time::Duration;

use async_trait::async_trait;

use super::read_level_files;
use mageyard_domain::{
    Action, Checkpoint, Conclusion, Environment, EnvironmentContext, EnvironmentError, EnvironmentSpec,
    Level, LevelSource, Observation, Opening, OptionError, Options, Outcome, Recovery, Verdict,
};

/// The environment of a level, which may have files that are not read yet.
pub(crate) fn open_spec(
    spec: &'static dyn EnvironmentSpec,
    level: &Level,
    options: &Options,
    seed: u64,
) -> Result<Box<dyn Environment>, OptionError> {
    let inner = spec.open(level, options, seed)?;
    if !matches!(level.source, LevelSource::Record { .. }) {
        return Ok(inner);
    }
    Ok(Box::new(Unread { inner, spec, level: level.clone(), options: options.clone(), seed }))
}

struct Unread {
    inner: Box<dyn Environment>,
    spec: &'static dyn EnvironmentSpec,
    level: Level,
    options: Options,
    seed: u64,
}

impl Unread {
    fn read(&mut self, context: &EnvironmentContext) -> Result<(), EnvironmentError> {
        let failed = |why: String| EnvironmentError::Failed(why);
        let level = read_level_files(self.spec, &self.level, context.blobs.as_ref())
            .map_err(|problem| failed(problem.to_string()))?;
        self.inner = self
            .spec
            .open(&level, &self.options, self.seed)
            .map_err(|error| failed(format!("{}: {}", error.name, error.why)))?;
        Ok(())
    }
}

#[async_trait]
impl Environment for Unread {
    fn recovery(&self) -> Recovery {
        self.inner.recovery()
    }

    async fn open(&mut self, context: &EnvironmentContext) -> Result<Opening, EnvironmentError> {
        self.read(context)?;
        self.inner.open(context).await
    }

    async fn act(
        &mut self,
        action: &Action,
        context: &EnvironmentContext,
    ) -> Result<Outcome, EnvironmentError> {
        self.inner.act(action, context).await
    }

    async fn look(&mut self, context: &EnvironmentContext) -> Result<Opening, EnvironmentError> {
        self.inner.look(context).await
    }

    async fn reopen(
        &mut self,
        last: &Observation,
        context: &EnvironmentContext,
    ) -> Result<(), EnvironmentError> {
        self.read(context)?;
        self.inner.reopen(last, context).await
    }

    async fn set_state(
        &mut self,
        state: &str,
        context: &EnvironmentContext,
    ) -> Result<Opening, EnvironmentError> {
        self.inner.set_state(state, context).await
    }

    async fn checkpoint(&mut self, context: &EnvironmentContext) -> Result<Checkpoint, EnvironmentError> {
        self.inner.checkpoint(context).await
    }

    async fn restore(
        &mut self,
        checkpoint: &Checkpoint,
        context: &EnvironmentContext,
    ) -> Result<(), EnvironmentError> {
        self.inner.restore(checkpoint, context).await
    }

    fn grace(&self) -> Duration {
        self.inner.grace()
    }

    async fn judge(
        &mut self,
        conclusion: &Conclusion,
        context: &EnvironmentContext,
    ) -> Result<Verdict, EnvironmentError> {
        self.inner.judge(conclusion, context).await
    }

    async fn close(&mut self) {
        self.inner.close().await;
    }
}
