//! What can be taken out of a step, to be copied, saved or printed: its request as a command or as JSON, a
//! reply, the action, the board.

mod curl;
#[cfg(test)]
mod tests;

use std::fs;
use std::io;
use std::path::Path;
use std::path::PathBuf;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use thiserror::Error;

use super::album::PictureError;
use super::album::load;
use super::draft::Draft;
use super::step::Step;
use crate::domain::APART;
use crate::domain::Packing;
use crate::domain::Sent;

/// The folder's name beside the journal.
const FOLDER: &str = "copies";
/// The most bytes of a body that stand in the command itself: systems take some 128 KiB an argument.
const LONGEST: usize = 100_000;

/// What is to be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Extract {
    /// The request as a command that sends it again.
    Curl,
    /// The body of the request, its images in it.
    Request,
    /// The raw reply.
    Reply,
    /// The action of the step.
    Action,
    /// The state in plain text.
    Board,
}

impl Extract {
    /// Everything there is.
    pub const ALL: [Self; 5] = [Self::Curl, Self::Request, Self::Reply, Self::Action, Self::Board];

    /// The name, as commands and flags take it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Curl => "curl",
            Self::Request => "request",
            Self::Reply => "reply",
            Self::Action => "action",
            Self::Board => "board",
        }
    }

    /// What it is, in a line.
    pub fn about(self) -> &'static str {
        match self {
            Self::Curl => "the request as a command; its key stays a variable",
            Self::Request => "the body of the request as JSON, images included",
            Self::Reply => "the reply, raw, as the agent gave it",
            Self::Action => "the action of the step",
            Self::Board => "the board as text",
        }
    }

    /// The one of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|extract| extract.name() == name)
    }

    fn ending(self) -> &'static str {
        match self {
            Self::Curl => "curl.sh",
            Self::Request => "request.json",
            Self::Reply => "reply.txt",
            Self::Action => "action.txt",
            Self::Board => "board.txt",
        }
    }
}

/// What was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extracted {
    /// Its text.
    pub text: String,
    /// The file that the text names, where it did not hold all.
    pub body: Option<PathBuf>,
}

/// Why something cannot be taken out of a step.
#[derive(Debug, Error)]
pub enum ExtractError {
    /// There is none.
    #[error("{0}")]
    Missing(String),
    /// A picture of the request is not to be had.
    #[error(transparent)]
    Picture(#[from] PictureError),
    /// The stored request is none that this program sends.
    #[error("the stored request is not whole: {0}")]
    Strange(String),
    /// A file cannot be written.
    #[error("{} cannot be written: {source}", path.display())]
    Disk {
        /// The file or its folder.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
}

/// A step, and which of its requests and replies is meant.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// The step.
    pub step: &'a Step,
    /// Which reply, from 0.
    pub attempt: Option<usize>,
    /// The request.
    pub sent: Option<&'a Sent>,
    /// Where the request goes.
    pub packing: Option<&'a dyn Packing>,
    /// The journal, beside which files are kept; `None` where nothing is kept.
    pub journal: Option<&'a Path>,
}

impl Subject<'_> {
    /// The text of it. A body that is too long for a command line is saved beside the journal, and the
    /// command names its file.
    pub fn extract(&self, what: Extract) -> Result<Extracted, ExtractError> {
        match what {
            Extract::Curl => self.curl(),
            what => self.text(what).map(|text| Extracted { text, body: None }),
        }
    }

    fn text(&self, what: Extract) -> Result<String, ExtractError> {
        let missing = |why: &str| ExtractError::Missing(why.to_owned());
        match what {
            Extract::Curl | Extract::Request => self.body(),
            Extract::Reply => {
                let last = self.step.attempts.len().checked_sub(1);
                let attempt = self.attempt.or(last).and_then(|at| self.step.attempts.get(at));
                let attempt = attempt.ok_or_else(|| missing("nothing was said at this step"))?;
                Ok(attempt.own().reply.as_ref().to_owned())
            }
            Extract::Action => {
                let action = self.step.action.as_ref();
                Ok(action.ok_or_else(|| missing("this step has no action"))?.to_string())
            }
            Extract::Board if self.step.seen.text().is_empty() => {
                Err(missing("this step has no board in text"))
            }
            Extract::Board => Ok(self.step.seen.text().as_ref().to_owned()),
        }
    }

    /// Saves a text of this kind beside the journal; nothing that is there is written over.
    pub fn save(&self, what: Extract, text: &str) -> Result<PathBuf, ExtractError> {
        let journal = self.journal.ok_or_else(|| {
            ExtractError::Missing(
                "nothing is kept of this episode, so there is no folder to save into".into(),
            )
        })?;
        let folder = journal.with_file_name(FOLDER);
        let attempt = self.attempt.filter(|_| !matches!(what, Extract::Action | Extract::Board));
        let attempt = attempt.map_or_else(String::new, |at| format!("-attempt-{}", at + 1));
        let name = format!("step-{}{attempt}", self.step.number);
        let disk = |path: &Path, source| ExtractError::Disk { path: path.to_owned(), source };
        fs::create_dir_all(&folder).map_err(|source| disk(&folder, source))?;
        written(&folder, &name, what.ending(), text).map_err(|source| disk(&folder.join(name), source))
    }

    fn curl(&self) -> Result<Extracted, ExtractError> {
        let (body, packing) = (self.body()?, self.packing);
        let packing = packing.ok_or_else(|| {
            ExtractError::Missing("it is not known where this request went, so there is no command".into())
        })?;
        let streams = self.sent.is_some_and(|sent| sent.body["stream"] == true);
        if body.len() <= LONGEST {
            let text = curl::command(packing, streams, &curl::Data::Here(&body));
            return Ok(Extracted { text, body: None });
        }
        let file = self.save(Extract::Request, &body)?;
        let file = std::path::absolute(&file).unwrap_or(file);
        let text = curl::command(packing, streams, &curl::Data::File(&file));
        Ok(Extracted { text, body: Some(file) })
    }

    /// The body as it went out, its pictures in place, in letters that every shell leaves alone.
    fn body(&self) -> Result<String, ExtractError> {
        let sent = self.sent.ok_or_else(|| ExtractError::Missing("nothing was sent at this step".into()))?;
        let mut body = sent.body.clone();
        let turns = body.get_mut("messages").and_then(Value::as_array_mut).into_iter().flatten();
        for part in turns.filter_map(|turn| turn.get_mut("content")?.as_array_mut()).flatten() {
            if let Some(address) = part.pointer_mut("/image_url/url") {
                *address = Value::from(self.picture(sent, address.as_str().unwrap_or_default())?);
            }
        }
        Ok(curl::inert(&body.to_string()))
    }

    /// The data URL of a picture that stands apart.
    fn picture(&self, sent: &Sent, address: &str) -> Result<String, ExtractError> {
        let named = address.strip_prefix(APART).unwrap_or_default();
        let blob = sent.pictures.iter().find(|blob| blob.digest.to_string() == named);
        let blob = blob.ok_or_else(|| ExtractError::Strange(format!("no picture {address:?} was noted")))?;
        if !["image/png", "image/jpeg"].contains(&blob.media.as_str()) {
            return Err(ExtractError::Strange(format!("a picture has the media type {:?}", blob.media)));
        }
        let bytes = load(self.journal, blob)?;
        Ok(format!("data:{};base64,{}", blob.media, STANDARD.encode(bytes)))
    }
}

/// Writes the text under the first name that is free, or that holds it already.
fn written(folder: &Path, name: &str, ending: &str, text: &str) -> io::Result<PathBuf> {
    let mut count = 1;
    loop {
        let again = if count > 1 { format!("-{count}") } else { String::new() };
        let path = folder.join(format!("{name}{again}.{ending}"));
        match Draft::of(&path, text.as_bytes())?.keep() {
            Ok(_) => return Ok(path),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && count < 1000 => {
                if fs::read(&path).is_ok_and(|there| there == text.as_bytes()) {
                    return Ok(path);
                }
                count += 1;
            }
            Err(error) => return Err(error),
        }
    }
}
