//! Exports parts of a step, to be copied, saved or printed: its request as a command or as JSON, a reply, the action,
//! the board.

mod curl;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::{fs, io};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use thiserror::Error;

use super::atomic_file::AtomicFile;
use super::journal::{LoadBlobError, load_blob};
use super::side::SideExchange;
use super::step::Step;
use mageyard_domain::{BLOB_SCHEME, RequestEncoder, RequestReader, SentRequest};

/// The folder beside the journal.
const FOLDER: &str = "copies";
/// The longest body that is put into the command itself; systems allow about 128 KiB per argument.
const MAX_INLINE_BODY: usize = 100_000;

/// What to export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StepExport {
    /// The request as a command that sends it again.
    Curl,
    /// The request body, with its images.
    Request,
    /// The raw reply.
    Reply,
    /// The action of the step.
    Action,
    /// The state as text.
    Board,
}

impl StepExport {
    /// All exports.
    pub const ALL: [Self; 5] = [Self::Curl, Self::Request, Self::Reply, Self::Action, Self::Board];

    /// The name in commands and flags.
    pub fn name(self) -> &'static str {
        match self {
            Self::Curl => "curl",
            Self::Request => "request",
            Self::Reply => "reply",
            Self::Action => "action",
            Self::Board => "board",
        }
    }

    /// A short description.
    pub fn summary(self) -> &'static str {
        match self {
            Self::Curl => "the request as a curl command; the key stays a variable",
            Self::Request => "the request body as JSON, images included",
            Self::Reply => "the raw reply with its thoughts, as the agent gave it",
            Self::Action => "the action of the step",
            Self::Board => "the board as text",
        }
    }

    /// The export of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|extract| extract.name() == name)
    }

    fn file_extension(self) -> &'static str {
        match self {
            Self::Curl => "curl.sh",
            Self::Request => "request.json",
            Self::Reply => "reply.txt",
            Self::Action => "action.txt",
            Self::Board => "board.txt",
        }
    }
}

/// The result of an export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedText {
    /// The text.
    pub text: String,
    /// The file that the text refers to, if the body did not fit.
    pub body: Option<PathBuf>,
}

/// Why a part of a step cannot be exported.
#[derive(Debug, Error)]
pub enum StepExportError {
    /// The step does not have it.
    #[error("{0}")]
    Missing(String),
    /// An image of the request cannot be loaded.
    #[error(transparent)]
    Blob(#[from] LoadBlobError),
    /// The stored request does not have the expected form.
    #[error("the stored request is malformed: {0}")]
    Malformed(String),
    /// A file cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Disk {
        /// The file or its folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

/// A step, and which of its requests and replies to export.
#[derive(Clone, Copy)]
pub struct ExportSource<'a> {
    /// The step.
    pub step: &'a Step,
    /// Which reply, from 0.
    pub attempt: Option<usize>,
    /// Which side request of the step, from 0, in place of a reply of the agent.
    pub side: Option<usize>,
    /// The request.
    pub sent: Option<&'a SentRequest>,
    /// Reads the request.
    pub reader: &'a dyn RequestReader,
    /// Where the request is sent.
    pub packing: Option<&'a dyn RequestEncoder>,
    /// The journal, beside which files are saved; `None` if the episode is not recorded.
    pub journal: Option<&'a Path>,
}

impl ExportSource<'_> {
    /// The text of the export. A body that is too long for a command line is saved beside the journal, and the command
    /// refers to the file.
    pub fn export(&self, what: StepExport) -> Result<ExportedText, StepExportError> {
        match what {
            StepExport::Curl => self.curl(),
            what => self.text(what).map(|text| ExportedText { text, body: None }),
        }
    }

    fn text(&self, what: StepExport) -> Result<String, StepExportError> {
        let missing = |why: &str| StepExportError::Missing(why.to_owned());
        match what {
            StepExport::Curl | StepExport::Request => self.body(),
            StepExport::Reply if self.side.is_some() => {
                let exchange =
                    self.side_exchange().ok_or_else(|| missing("there is no such side request"))?;
                Ok(exchange.attempt.content().into_owned())
            }
            StepExport::Reply => {
                let last = self.step.attempts.len().checked_sub(1);
                let attempt = self.attempt.or(last).and_then(|at| self.step.attempts.get(at));
                let attempt = attempt.ok_or_else(|| missing("this step has no reply"))?;
                Ok(attempt.original().content().into_owned())
            }
            StepExport::Action => {
                let action = self.step.action.as_ref();
                Ok(action.ok_or_else(|| missing("this step has no action"))?.to_string())
            }
            StepExport::Board if self.step.observation.text().is_empty() => {
                Err(missing("this step has no board as text"))
            }
            StepExport::Board => Ok(self.step.observation.text().as_ref().to_owned()),
        }
    }

    fn side_exchange(&self) -> Option<&SideExchange> {
        self.step.side.get(self.side?)
    }

    /// Saves a text of this kind beside the journal without overwriting any file.
    pub fn save(&self, what: StepExport, text: &str) -> Result<PathBuf, StepExportError> {
        let journal = self.journal.ok_or_else(|| {
            StepExportError::Missing(
                "this episode is not recorded, so there is no folder to save into".into(),
            )
        })?;
        let folder = journal.with_file_name(FOLDER);
        let which = match (self.side_exchange(), self.side, self.attempt) {
            _ if matches!(what, StepExport::Action | StepExport::Board) => String::new(),
            (Some(exchange), Some(at), _) => format!("-{}-{}", exchange.role(), at + 1),
            (_, _, Some(at)) => format!("-attempt-{}", at + 1),
            _ => String::new(),
        };
        let name = format!("step-{}{which}", self.step.number);
        let disk = |path: &Path, source| StepExportError::Disk { path: path.to_owned(), source };
        fs::create_dir_all(&folder).map_err(|source| disk(&folder, source))?;
        write_unique(&folder, &name, what.file_extension(), text)
            .map_err(|source| disk(&folder.join(name), source))
    }

    fn curl(&self) -> Result<ExportedText, StepExportError> {
        let body = self.body()?;
        let packing = self.packing;
        let packing = packing.ok_or_else(|| {
            StepExportError::Missing("the URL of this request is unknown, so there is no command".into())
        })?;
        let streams = self.sent.is_some_and(|sent| self.reader.streams(sent));
        if body.len() <= MAX_INLINE_BODY {
            let text = curl::command(packing, streams, &curl::BodySource::Inline(&body));
            return Ok(ExportedText { text, body: None });
        }
        let file = self.save(StepExport::Request, &body)?;
        let file = std::path::absolute(&file).unwrap_or(file);
        let text = curl::command(packing, streams, &curl::BodySource::File(&file));
        Ok(ExportedText { text, body: Some(file) })
    }

    /// The body as it was sent, images included, safe for every shell.
    fn body(&self) -> Result<String, StepExportError> {
        let sent =
            self.sent.ok_or_else(|| StepExportError::Missing("no request was sent at this step".into()))?;
        let mut failure = None;
        let body = self.reader.body(sent, &mut |address| {
            self.data_url(sent, address).unwrap_or_else(|error| {
                failure.get_or_insert(error);
                String::new()
            })
        });
        failure.map_or_else(|| Ok(curl::shell_safe(&body)), Err)
    }

    /// The data URL of an image that is stored as a blob.
    fn data_url(&self, sent: &SentRequest, address: &str) -> Result<String, StepExportError> {
        let named = address.strip_prefix(BLOB_SCHEME).unwrap_or_default();
        let image = sent.frames.iter().find(|image| image.blob.digest.to_string() == named);
        let image = image
            .ok_or_else(|| StepExportError::Malformed(format!("the image {address:?} is not in its list")))?;
        let media = &*image.blob.media_type;
        if !["image/png", "image/jpeg"].contains(&media) {
            return Err(StepExportError::Malformed(format!("an image has the media type {media:?}")));
        }
        let bytes = load_blob(self.journal, image)?;
        Ok(format!("data:{media};base64,{}", STANDARD.encode(bytes)))
    }
}

/// Writes the text under the first name that is free, or that already contains it.
fn write_unique(folder: &Path, name: &str, ending: &str, text: &str) -> io::Result<PathBuf> {
    let mut count = 1;
    loop {
        let again = if count > 1 { format!("-{count}") } else { String::new() };
        let path = folder.join(format!("{name}{again}.{ending}"));
        match AtomicFile::stage(&path, text.as_bytes())?.create_new() {
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
