//! The turns of requests: as they were sent if that was recorded, otherwise as they would be composed for a
//! model.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::path::Path;
use std::sync::Arc;

use image::codecs::png::PngEncoder;
use image::{ExtendedColorType, ImageEncoder};
use serde::Serialize;
use serde_json::{Value, json};

use super::folder::ExportFolder;
use crate::{LabError, reply_format};
use mageyard_agents::request_reader;
use mageyard_config::Problem;
use mageyard_dialog::Prompt;
use mageyard_domain::{
    Digest, EnvironmentSpec, Message, MessagePart, PartId, Picture, ReplyFormat, Role, SentImage,
    SentRequest, Turn, TurnPart,
};
use mageyard_engine::{Attempt, Episode, Step, compose_request, load_blob};

/// An episode and what is needed to compose its requests.
pub(super) struct ExportedEpisode<'a> {
    pub(super) journal: &'a Path,
    pub(super) spec: &'static dyn EnvironmentSpec,
    pub(super) episode: &'a Episode,
    /// The reply format of the environment.
    pub(super) native_format: ReplyFormat,
    /// The reply format of the episode's reader.
    reply_format: ReplyFormat,
    prompt: Option<Prompt>,
}

/// The origin of the turns of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum RequestOrigin {
    /// They were sent.
    Sent,
    /// No request was sent; they are composed with the current text of the episode's prompt variant.
    Composed,
}

impl<'a> ExportedEpisode<'a> {
    pub(super) fn of(
        journal: &'a Path,
        spec: &'static dyn EnvironmentSpec,
        episode: &'a Episode,
        prompts: &[Prompt],
    ) -> Result<Self, Problem> {
        let own = reply_format(spec, episode.head())?;
        let form = episode.head().rules.reply_format(&own);
        let prompt = prompts.iter().find(|prompt| prompt.name == episode.head().prompt).cloned();
        Ok(Self { journal, spec, episode, native_format: own, reply_format: form, prompt })
    }

    /// The turns that led to an attempt of a step. Pictures become files of the folder.
    pub(super) fn turns(
        &self,
        step: &Step,
        index: usize,
        folder: &mut ExportFolder,
    ) -> Result<(RequestOrigin, Vec<Value>), LabError> {
        let attempt = step.attempts.get(index).map(Attempt::original);
        match attempt.and_then(|attempt| attempt.sent.as_ref()) {
            Some(sent) => Ok((RequestOrigin::Sent, self.sent(sent, folder)?)),
            None => Ok((RequestOrigin::Composed, self.composed(step, index, folder)?)),
        }
    }

    /// The turns of a request that was sent. Pictures become files of the folder.
    pub(super) fn sent(&self, sent: &SentRequest, folder: &mut ExportFolder) -> Result<Vec<Value>, LabError> {
        let mut turns = Vec::new();
        for turn in sent.read_turns(request_reader()).into_iter().map(Turn::as_sent) {
            let mut parts = Vec::new();
            for part in turn.parts {
                parts.push(match part {
                    TurnPart::Text(_, words) => text_part(&words),
                    TurnPart::Image { image: Some(image), .. } => {
                        image_part(&self.stored_image(&image, folder)?)
                    }
                    TurnPart::Image { image: None, .. } | TurnPart::Unknown(_) => {
                        return Err(self.unsupported_part());
                    }
                });
            }
            turns.push(json!({"role": turn.role, "content": parts}));
        }
        Ok(turns)
    }

    pub(super) fn unsupported_part(&self) -> LabError {
        LabError::failed(format!(
            "{}: a request has a part that is neither text nor an image",
            self.journal.display()
        ))
    }

    fn stored_image(&self, image: &SentImage, folder: &mut ExportFolder) -> Result<String, LabError> {
        let bytes = load_blob(Some(self.journal), image).map_err(LabError::failed)?;
        folder.add_image(image.blob.digest, &image.blob.media_type, &bytes)
    }

    fn composed(&self, step: &Step, index: usize, folder: &mut ExportFolder) -> Result<Vec<Value>, LabError> {
        let messages = self.composed_messages(step, index)?;
        let mut painted = ImageCache::default();
        messages.iter().map(|message| painted.turn(message, folder)).collect()
    }

    /// The turns that a model would have got before an attempt of a step.
    pub(super) fn composed_messages(&self, step: &Step, index: usize) -> Result<Vec<Message>, LabError> {
        let prompt = self.prompt.as_ref().ok_or_else(|| self.missing_prompt())?;
        // Later attempts do not belong to this request.
        let before = step.attempts[..index].to_vec();
        let now = Arc::new(Step { attempts: before, ..step.clone() });
        let mut steps = self.episode.steps().clone();
        let at = steps.len().min(usize::try_from(step.number).unwrap_or(usize::MAX)).saturating_sub(1);
        if let Some(there) = steps.get_mut(at) {
            *there = now;
        }
        let head = self.episode.head();
        let composed = compose_request(head, &steps, at, step.window, prompt, &self.reply_format, false);
        Ok(composed.map(|request| request.messages).unwrap_or_default())
    }

    fn missing_prompt(&self) -> LabError {
        let name = &self.episode.head().prompt;
        let problem = Problem::new(format!(
            "{}: no request was recorded, and the prompt {name} no longer exists",
            self.journal.display()
        ));
        problem.with_help(format!("mageyard prompts list {} lists the prompts", self.spec.name())).into()
    }
}

/// The encoded images of one request.
#[derive(Default)]
struct ImageCache(BTreeMap<PartId, String>);

impl ImageCache {
    fn turn(&mut self, message: &Message, folder: &mut ExportFolder) -> Result<Value, LabError> {
        let mut parts = Vec::new();
        for piece in &message.parts {
            parts.push(match piece {
                MessagePart::Text(_, words) => text_part(words),
                MessagePart::Image(part, picture) => image_part(&self.image(*part, picture, folder)?),
            });
        }
        Ok(json!({"role": role_name(message.role), "content": parts}))
    }

    fn image(
        &mut self,
        part: PartId,
        picture: &Picture,
        folder: &mut ExportFolder,
    ) -> Result<String, LabError> {
        if let Some(known) = self.0.get(&part) {
            return Ok(known.clone());
        }
        let bytes = png(picture)?;
        let path = folder.add_image(Digest::of(&bytes), "image/png", &bytes)?;
        self.0.insert(part, path.clone());
        Ok(path)
    }
}

/// The name of a role in requests.
pub(super) fn role_name(role: Role) -> &'static str {
    match role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
    }
}

/// Encodes a frame as PNG at its original size.
fn png(frame: &Picture) -> Result<Vec<u8>, LabError> {
    let mut bytes = Cursor::new(Vec::new());
    let pixels = frame.pixels().map_err(LabError::failed)?;
    let width = frame.width();
    let height = frame.height();
    let written = PngEncoder::new(&mut bytes).write_image(&pixels, width, height, ExtendedColorType::Rgb8);
    written.map_err(LabError::failed)?;
    Ok(bytes.into_inner())
}

fn text_part(words: &str) -> Value {
    json!({"type": "text", "text": words})
}

fn image_part(path: &str) -> Value {
    json!({"type": "image", "image": path})
}
