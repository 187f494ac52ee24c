//! The environment: requests to the surface, each of which waits, and can be cancelled unless its level says otherwise.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use mageyard_domain::{
    ActProblem, Action, Answered, BlobHandle, Conclusion, Environment, EnvironmentContext, EnvironmentError,
    LevelFile, LevelSource, Observation, ObservationPart, Opening, Outcome, Picture, Recovery, Settlement,
    Status, Verdict,
};
use serde_json::json;

use super::judging;
use super::level::PageLevel;
use super::page::{self, Page};
use super::persons;
use super::surface;
use super::surface::{LOG, Surface};

/// A live page.
pub(super) struct Pages {
    level: PageLevel,
    /// The files of the level.
    files: Arc<[LevelFile]>,
    surface: Option<Surface>,
    folder: PathBuf,
    /// Whether the corner of a page that blinks was lit when it was seen last.
    lit: AtomicBool,
    /// The folder of a level that names none.
    _temporary: Option<tempfile::TempDir>,
}

impl Pages {
    pub(super) fn new(level: PageLevel, source: &LevelSource) -> Self {
        let temporary = level.surface.is_none().then(|| tempfile::tempdir().expect("a temporary folder"));
        let named = || level.surface.clone().unwrap_or_default();
        let folder = temporary.as_ref().map_or_else(named, |folder| folder.path().to_owned());
        let files = match source {
            LevelSource::Files { files, .. } => files.clone(),
            LevelSource::Text(_) | LevelSource::Record { .. } => [].into(),
        };
        Self { level, files, surface: None, folder, lit: AtomicBool::new(false), _temporary: temporary }
    }

    fn connect(&mut self, folder: &Path) -> Result<(), EnvironmentError> {
        let surface = Surface::connect(folder, self.level.clone()).map_err(failed)?;
        self.surface = Some(surface);
        folder.clone_into(&mut self.folder);
        Ok(())
    }

    /// A folder for another surface, beside those of before.
    fn new_surface(&self) -> Result<PathBuf, EnvironmentError> {
        let named = self.level.surface.as_ref().unwrap_or(&self.folder);
        std::fs::create_dir_all(named).map_err(failed)?;
        let before = std::fs::read_dir(named).map_err(failed)?.count();
        Ok(named.join((before + 1).to_string()))
    }

    /// Waits for the answer, the death of the surface, or a cancel.
    async fn request(
        &self,
        action: Option<&Action>,
        context: &EnvironmentContext,
    ) -> Result<Opening, EnvironmentError> {
        let surface = self.surface.as_ref().ok_or_else(|| failed("the page is not open"))?;
        let deaf = action.is_some() && self.level.deaf == Some(self.acts() + 1);
        let answer = surface.send(action);
        let page = tokio::select! {
            page = answer => page.map_err(|_| failed("the page has died"))?,
            () = context.cancel.cancelled(), if !deaf => return Err(EnvironmentError::Cancelled),
        };
        self.seen(&page, context)
    }

    /// The picture that the level names.
    fn image(&self, context: &EnvironmentContext) -> Result<Option<ObservationPart>, EnvironmentError> {
        let Some(name) = &self.level.image else { return Ok(None) };
        let file = self.files.iter().find(|file| file.name == *name);
        let file = file.ok_or_else(|| failed("the picture of the level was not read"))?;
        let blob = BlobHandle::new(file.content.clone(), context.blobs.clone());
        Ok(Some(ObservationPart::Image(Arc::new(Picture::open(blob, 1).map_err(failed)?))))
    }

    fn acts(&self) -> usize {
        surface::acts(&self.folder.join(LOG)).len()
    }

    fn seen(&self, page: &Page, context: &EnvironmentContext) -> Result<Opening, EnvironmentError> {
        let put = |media: &str, bytes: &[u8]| BlobHandle::store(&context.blobs, media, bytes).map_err(failed);
        let tree = put("application/json", page.tree(&self.level.field).to_string().as_bytes())?;
        let mut parts = vec![ObservationPart::Text("The page and its button:".into())];
        let lit = self.level.blink && !self.lit.fetch_xor(true, Ordering::Relaxed);
        for (bytes, size) in page.pictures(lit) {
            let picture =
                Picture::stored(put("image/png", &bytes)?, size, 1).ok_or_else(|| failed("no picture"))?;
            parts.push(ObservationPart::Image(Arc::new(picture)));
        }
        parts.extend(self.image(context)?);
        parts.push(ObservationPart::Data(tree));
        let text = format!("The page and its button:\n{}", page.text(&self.level.field));
        let mut facts = json!({
            "address": self.folder, "field": self.level.field, "typed": page.typed, "clicks": page.clicks.len(),
        });
        if self.level.judge.is_some() {
            facts["sent"] = page.submitted.into();
        }
        if self.level.blink || self.level.repeat {
            let place = if self.level.blink || self.level.drift { Some(&self.folder) } else { None };
            facts["identity"] = json!([place, page.tree(&self.level.field), page.clicks.len()]);
        }
        let observation = Observation::from_parts(parts, text, facts);
        Ok(Opening { observation, space: self.level.space(), status: page.status(), points: 0.0 })
    }
}

#[async_trait]
impl Environment for Pages {
    fn recovery(&self) -> Recovery {
        if self.level.repeat { Recovery::Repeat } else { Recovery::Reopen }
    }

    fn grace(&self) -> Duration {
        Duration::from_millis(300)
    }

    async fn open(&mut self, context: &EnvironmentContext) -> Result<Opening, EnvironmentError> {
        let folder = if self.level.repeat { self.new_surface()? } else { self.folder.clone() };
        self.connect(&folder)?;
        if self.level.hang_open {
            context.cancel.cancelled().await;
            return Err(EnvironmentError::Cancelled);
        }
        self.request(None, context).await
    }

    /// Returns to the address of the last observation.
    async fn reopen(&mut self, last: &Observation, _: &EnvironmentContext) -> Result<(), EnvironmentError> {
        let address = last.facts()["address"].as_str().map_or_else(|| self.folder.clone(), PathBuf::from);
        if !address.join(LOG).exists() {
            return Err(failed("the page is gone"));
        }
        self.connect(&address)
    }

    async fn act(
        &mut self,
        action: &Action,
        context: &EnvironmentContext,
    ) -> Result<Outcome, EnvironmentError> {
        let space = self.level.space();
        space.check(action)?;
        if let Some(cover) = self.level.cover.as_ref().filter(|_| page::is_covered(action)) {
            let problem = Some(ActProblem::Refused(format!("the point is covered by {cover}").into()));
            let Opening { observation, space, status, .. } = self.request(None, context).await?;
            return Ok(Outcome {
                observation,
                space,
                reward: 0.0,
                status,
                note: None,
                problem,
                questions: Vec::new(),
            });
        }
        assert!(self.level.panic != Some(self.acts() + 1), "a fault of this level");
        let Opening { observation, space, status, .. } = self.request(Some(action), context).await?;
        let reward = if status == Status::Won { 10.0 } else { -1.0 };
        let status = if page::is_done(action) { Status::Finished } else { status };
        let fails = self.level.checks && page::is_on_button(action) && status == Status::Running;
        let problem = fails.then(|| ActProblem::Failed("the form was not sent: its text is wrong".into()));
        let asks = self.level.asks && action.name == "type";
        let captcha = (self.level.captcha == Some(self.acts())).then(persons::captcha);
        let asked = asks.then(|| judging::question(observation.facts()));
        let questions = captcha.into_iter().chain(asked).collect();
        Ok(Outcome { observation, space, reward, status, note: None, problem, questions })
    }

    /// The text is worth up to 5 points; an answer that cannot be read is worth none.
    async fn settle(
        &mut self,
        _: &Observation,
        answers: &[Answered],
        context: &EnvironmentContext,
    ) -> Result<Settlement, EnvironmentError> {
        let status = self.request(None, context).await?.status;
        let worth = answers.first().and_then(Answered::number);
        let note =
            worth.map_or_else(|| "the judge gave no number".to_owned(), |worth| format!("judged {worth}"));
        Ok(Settlement { reward: 5.0 * worth.unwrap_or_default(), status, note: Some(note) })
    }

    async fn look(&mut self, context: &EnvironmentContext) -> Result<Opening, EnvironmentError> {
        self.request(None, context).await
    }

    async fn judge(
        &mut self,
        conclusion: &Conclusion,
        context: &EnvironmentContext,
    ) -> Result<Verdict, EnvironmentError> {
        judging::before(self.level.judge.as_deref().unwrap_or_default()).await?;
        let seen = self.request(None, context).await?;
        if self.level.judge.as_deref() == Some("person") {
            return Ok(judging::of_person(conclusion));
        }
        let asks = self.level.judge.as_deref() == Some("ask");
        Ok(judging::verdict(seen.observation.facts(), conclusion, asks))
    }

    async fn close(&mut self) {
        if let Some(surface) = self.surface.take() {
            surface.disconnect().expect("the log can be written");
        }
        if self.level.hang_close {
            std::future::pending::<()>().await;
        }
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is handed to map_err")]
fn failed(error: impl ToString) -> EnvironmentError {
    EnvironmentError::Failed(error.to_string())
}
