//! The turns by which an agent was asked for a reply: as they were sent where that is kept, else as a model would have
//! been asked.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::path::Path;
use std::sync::Arc;

use image::ExtendedColorType;
use image::ImageEncoder;
use image::codecs::png::PngEncoder;
use serde::Serialize;
use serde_json::Value;
use serde_json::json;

use super::folder::Folder;
use crate::cli::exit::Failure;
use crate::cli::stage;
use crate::cli::variants;
use crate::config::Config;
use crate::config::Problem;
use crate::dialog::Prompt;
use crate::domain::Blob;
use crate::domain::Digest;
use crate::domain::Form;
use crate::domain::Kind;
use crate::domain::Message;
use crate::domain::Picture;
use crate::domain::Piece;
use crate::domain::Role;
use crate::domain::Sent;
use crate::domain::ToldPart;
use crate::engine::Attempt;
use crate::engine::Episode;
use crate::engine::Step;
use crate::engine::load;
use crate::engine::request;

/// An episode and what it takes to tell how it was asked.
pub(super) struct Source<'a> {
    pub(super) journal: &'a Path,
    pub(super) kind: &'static dyn Kind,
    pub(super) episode: &'a Episode,
    /// The environment's own form of a reply.
    pub(super) own: Form,
    /// The form as the episode's rules have it.
    form: Form,
    prompt: Option<Prompt>,
}

/// Where the turns come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Origin {
    /// They were sent so.
    Sent,
    /// Nothing was sent; a model would have been asked so, by the prompt variant of the episode as it is now.
    Composed,
}

impl<'a> Source<'a> {
    pub(super) fn of(
        journal: &'a Path,
        kind: &'static dyn Kind,
        episode: &'a Episode,
        config: &Config,
    ) -> Result<Self, Problem> {
        let own = stage::form(kind, episode.head())?;
        let form = episode.head().rules.form(&own);
        let prompts = variants::all(kind, config.folders(), &episode.head().options)?;
        let prompt = prompts.into_iter().find(|prompt| prompt.name == episode.head().prompt);
        Ok(Self { journal, kind, episode, own, form, prompt })
    }

    /// The turns that led to the attempt of this index at a step, pictures as files of the folder.
    pub(super) fn turns(
        &self,
        step: &Step,
        index: usize,
        folder: &mut Folder,
    ) -> Result<(Origin, Vec<Value>), Failure> {
        let attempt = step.attempts.get(index).map(Attempt::own);
        match attempt.and_then(|attempt| attempt.sent.as_ref()) {
            Some(sent) => Ok((Origin::Sent, self.sent(sent, folder)?)),
            None => Ok((Origin::Composed, self.composed(step, index, folder)?)),
        }
    }

    fn sent(&self, sent: &Sent, folder: &mut Folder) -> Result<Vec<Value>, Failure> {
        let mut turns = Vec::new();
        for turn in sent.turns() {
            let mut parts = Vec::new();
            for part in turn.parts {
                parts.push(match part {
                    ToldPart::Text(_, words) => text(words),
                    ToldPart::Image(Some(blob)) => picture(&self.kept(blob, folder)?),
                    ToldPart::Image(None) | ToldPart::Strange(_) => return Err(self.strange()),
                });
            }
            turns.push(json!({"role": turn.role, "content": parts}));
        }
        Ok(turns)
    }

    fn strange(&self) -> Failure {
        Failure::running(format!(
            "{}: a request holds something that is neither text nor a picture",
            self.journal.display()
        ))
    }

    fn kept(&self, blob: &Blob, folder: &mut Folder) -> Result<String, Failure> {
        let bytes = load(Some(self.journal), blob).map_err(Failure::running)?;
        folder.image(blob.digest, &blob.media, &bytes)
    }

    fn composed(&self, step: &Step, index: usize, folder: &mut Folder) -> Result<Vec<Value>, Failure> {
        let prompt = self.prompt.as_ref().ok_or_else(|| self.promptless())?;
        // At that time the later attempts had not been made.
        let before = step.attempts[..index].to_vec();
        let now = Arc::new(Step { attempts: before, ..step.clone() });
        let past = self.episode.steps().iter().take_while(|past| past.number < step.number).cloned();
        let steps: Vec<Arc<Step>> = past.chain([now]).collect();
        let composed = request(self.episode.head(), &steps, step.window, prompt, &self.form);
        let messages = composed.map(|request| request.messages).unwrap_or_default();
        let mut painted = Painted::default();
        messages.iter().map(|message| painted.turn(message, folder)).collect()
    }

    fn promptless(&self) -> Failure {
        let name = &self.episode.head().prompt;
        let problem = Problem::new(format!(
            "{}: nothing was sent there, and the prompt {name} by which a model would be asked is gone",
            self.journal.display()
        ));
        problem.help(format!("mageyard prompts list {} names those there are", self.kind.name())).into()
    }
}

/// The pictures of one request; of several steps the same frame is packed once.
#[derive(Default)]
struct Painted(BTreeMap<u32, String>);

impl Painted {
    fn turn(&mut self, message: &Message, folder: &mut Folder) -> Result<Value, Failure> {
        let mut parts = Vec::new();
        for piece in &message.pieces {
            parts.push(match piece {
                Piece::Text(_, words) => text(words),
                Piece::Frame(step, frame) => picture(&self.frame(*step, frame, folder)?),
            });
        }
        let role = match message.role {
            Role::System => "system",
            Role::User => "user",
            Role::Assistant => "assistant",
        };
        Ok(json!({"role": role, "content": parts}))
    }

    fn frame(&mut self, step: u32, frame: &Picture, folder: &mut Folder) -> Result<String, Failure> {
        if let Some(known) = self.0.get(&step) {
            return Ok(known.clone());
        }
        let bytes = png(frame).map_err(Failure::running)?;
        let path = folder.image(Digest::of(&bytes), "image/png", &bytes)?;
        self.0.insert(step, path.clone());
        Ok(path)
    }
}

/// The frame as it was painted, in its own size.
fn png(frame: &Picture) -> image::ImageResult<Vec<u8>> {
    let mut bytes = Cursor::new(Vec::new());
    PngEncoder::new(&mut bytes).write_image(
        frame.rgb(),
        frame.width(),
        frame.height(),
        ExtendedColorType::Rgb8,
    )?;
    Ok(bytes.into_inner())
}

fn text(words: &str) -> Value {
    json!({"type": "text", "text": words})
}

fn picture(path: &str) -> Value {
    json!({"type": "image", "image": path})
}
