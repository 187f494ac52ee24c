//! The episode of a question: it is shown, answered once, and judged.

use std::sync::Arc;

use async_trait::async_trait;

use super::drawn;
use super::observation::{observe, size_of};
use super::question::{FULL_SCORE, Question};
use mageyard_domain::{
    Action, BlobHandle, Checkpoint, Conclusion, Environment, EnvironmentContext, EnvironmentError, Level,
    LevelFile, LevelSource, Opening, Outcome, Picture, Recovery, Status, Verdict,
};

/// A question and its answer. Its pictures are files of the level, or screens of the program.
pub(super) struct Look {
    question: Question,
    files: Arc<[LevelFile]>,
    pictures: Vec<Arc<Picture>>,
    answer: Option<Action>,
}

impl Look {
    pub(super) fn new(question: Question, level: &Level) -> Self {
        Self { question, files: files_of(level), pictures: Vec::new(), answer: None }
    }

    fn size(&self) -> (u32, u32) {
        size_of(&self.pictures)
    }

    fn load(&mut self, context: &EnvironmentContext) -> Result<(), EnvironmentError> {
        let names = self.question.pictures.iter();
        let pictures = names.map(|name| picture(&self.files, name, context).map(Arc::new));
        self.pictures = pictures.collect::<Result<_, _>>()?;
        Ok(())
    }

    fn seen(&self) -> Opening {
        Opening {
            observation: observe(&self.question, &self.pictures, self.answer.as_ref()),
            space: self.question.space(self.size()),
            status: self.status(),
            points: 0.0,
        }
    }

    fn status(&self) -> Status {
        match &self.answer {
            None => Status::Running,
            answer if self.question.judge(answer.as_ref(), self.size()).right => Status::Won,
            Some(_) => Status::Lost,
        }
    }
}

/// The files of a level.
pub(super) fn files_of(level: &Level) -> Arc<[LevelFile]> {
    match &level.source {
        LevelSource::Files { files, .. } => files.clone(),
        LevelSource::Text(_) | LevelSource::Record { .. } => Arc::default(),
    }
}

/// The picture of this name: a file of the level, or a shipped screen.
pub(super) fn picture(
    files: &[LevelFile],
    name: &str,
    context: &EnvironmentContext,
) -> Result<Picture, EnvironmentError> {
    let failed =
        |why: &dyn std::fmt::Display| EnvironmentError::Failed(format!("the picture {name:?}: {why}"));
    match files.iter().find(|file| file.name == name) {
        Some(file) => {
            let blob = BlobHandle::new(file.content.clone(), context.blobs.clone());
            Picture::open(blob, 1).map_err(|error| failed(&error))
        }
        None => drawn::picture(name).ok_or_else(|| failed(&"is not a part of the level")),
    }
}

#[async_trait]
impl Environment for Look {
    fn recovery(&self) -> Recovery {
        Recovery::Replay
    }

    async fn open(&mut self, context: &EnvironmentContext) -> Result<Opening, EnvironmentError> {
        self.load(context)?;
        Ok(self.seen())
    }

    async fn act(&mut self, action: &Action, _: &EnvironmentContext) -> Result<Outcome, EnvironmentError> {
        self.question.space(self.size()).check(action)?;
        let judged = self.question.judge(Some(action), self.size());
        self.answer = Some(action.clone());
        let Opening { observation, space, status, .. } = self.seen();
        let reward = if judged.right { FULL_SCORE } else { 0.0 };
        Ok(Outcome {
            observation,
            space,
            reward,
            status,
            note: Some(judged.sentence),
            problem: None,
            questions: Vec::new(),
        })
    }

    async fn look(&mut self, _: &EnvironmentContext) -> Result<Opening, EnvironmentError> {
        Ok(self.seen())
    }

    async fn checkpoint(&mut self, _: &EnvironmentContext) -> Result<Checkpoint, EnvironmentError> {
        Ok(Checkpoint::of_value(self.answer.clone()))
    }

    async fn restore(
        &mut self,
        checkpoint: &Checkpoint,
        context: &EnvironmentContext,
    ) -> Result<(), EnvironmentError> {
        let foreign = || EnvironmentError::Failed("the checkpoint belongs to another environment".into());
        let answer = checkpoint.value::<Option<Action>>().ok_or_else(foreign)?.clone();
        if self.pictures.is_empty() {
            self.load(context)?;
        }
        self.answer = answer;
        Ok(())
    }

    async fn judge(&mut self, _: &Conclusion, _: &EnvironmentContext) -> Result<Verdict, EnvironmentError> {
        Ok(self.question.verdict(self.answer.as_ref(), self.size()))
    }
}
