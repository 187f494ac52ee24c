//! Copying: the text of what is looked at, for the clipboard or a file of the session, and what became of it
//! in words.

use std::sync::Arc;

use super::clipboard;
use super::model::CopyDestination;
use super::model::Model;
use super::shown_request::RequestContent;
use super::shown_request::UnsentReason;
use super::shown_request::selected_request;
use crate::domain::SentRequest;
use crate::domain::is_hidden;
use crate::domain::sanitize;
use crate::engine::ExportSource;
use crate::engine::ExportedText;
use crate::engine::StepExport;

/// A copy that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CopyResult {
    /// What is to be written to the terminal.
    pub(crate) sequence: Option<String>,
    /// What became of it, in a sentence.
    pub(crate) message: String,
}

/// Takes this out of the step looked at.
pub(crate) fn copy(model: &Model, what: StepExport, to: CopyDestination) -> CopyResult {
    try_copy(model, what, to).unwrap_or_else(|why| CopyResult { sequence: None, message: why })
}

fn try_copy(model: &Model, what: StepExport, to: CopyDestination) -> Result<CopyResult, String> {
    let viewed = model.episode().ok_or("nothing is open")?;
    let step = viewed.step().ok_or("the environment is still opening")?;
    let request = matches!(what, StepExport::Curl | StepExport::Request);
    let sent = if request { Some(request_to_copy(model)?) } else { None };
    // A plan was asked for, and said, at its first step.
    let spoken = selected_request(model).map(|asked| asked.step);
    let step = if request || what == StepExport::Reply { spoken.as_ref().unwrap_or(step) } else { step };
    let replies = step.attempts.len();
    let attempt = replies.checked_sub(1).map(|last| model.shown_reply.map_or(last, |at| at.min(last)));
    let subject = ExportSource {
        step,
        attempt: if request { request_index(model) } else { attempt },
        sent: sent.as_deref(),
        packing: viewed.snapshot.encoder.as_deref(),
        journal: viewed.snapshot.journal.as_deref(),
    };
    let ExportedText { text, body } = subject.export(what).map_err(|error| error.to_string())?;
    let beside = body.map_or_else(String::new, |file| format!("; its body is in {}", file.display()));
    match to {
        CopyDestination::Clipboard if text.len() <= clipboard::MAX_BYTES => {
            let copied = offer_to_clipboard(model, what, &text);
            Ok(CopyResult { message: format!("{}{beside}", copied.message), ..copied })
        }
        _ => {
            let file = subject.save(what, &text).map_err(|error| error.to_string())?;
            let name = what.name();
            let (bytes, file) = (text.len(), file.display());
            let said = match to {
                CopyDestination::File => format!("saved the {name}, {bytes} bytes, to {file}"),
                CopyDestination::Clipboard => format!(
                    "the {name} has {bytes} bytes, more than a terminal takes ({}), so it was saved to {file}",
                    clipboard::MAX_BYTES
                ),
            };
            Ok(CopyResult { sequence: None, message: format!("{said}{beside}") })
        }
    }
}

/// A text that is pasted somewhere must not steer what it is pasted into; a file keeps it as it is.
fn offer_to_clipboard(model: &Model, what: StepExport, text: &str) -> CopyResult {
    let shown = sanitize(text);
    let sequence = Some(clipboard::osc52_sequence(&shown, model.appearance.settings.tmux));
    let hidden = text.chars().filter(|c| is_hidden(*c)).count();
    let spelt = match hidden {
        0 => String::new(),
        1 => ", one hidden character spelt out".to_owned(),
        count => format!(", {count} hidden characters spelt out"),
    };
    let said =
        format!("offered the {}, {} bytes, to the terminal's clipboard{spelt}", what.name(), shown.len());
    CopyResult { sequence, message: said }
}

/// Which of the step's requests is meant, from 0.
fn request_index(model: &Model) -> Option<usize> {
    selected_request(model).ok().filter(|asked| asked.count > 0).map(|asked| asked.index)
}

/// The request looked at, or the one that comes next, packed.
fn request_to_copy(model: &Model) -> Result<Arc<SentRequest>, String> {
    let snapshot = &model.episode().ok_or("nothing is open")?.snapshot;
    match (selected_request(model)?.content, &snapshot.encoder) {
        (RequestContent::Sent(sent, _), _) => Ok(sent),
        (
            RequestContent::Unsent(request, UnsentReason::Next | UnsentReason::FromRecording),
            Some(packing),
        ) => packing.encode(&request.messages).map(Arc::new).map_err(|error| error.to_string()),
        (RequestContent::Unsent(_, UnsentReason::AgentIgnoresRequests), _) => {
            Err(format!("{} reads no request, so there is none to copy", snapshot.head.agent))
        }
        (RequestContent::Unsent(_, UnsentReason::FromRecording), _) => {
            Err(format!("{} sends nothing, so there is no request to copy", snapshot.head.agent))
        }
        (RequestContent::Unsent(..), _) => Err("nothing was sent at this step".into()),
        (RequestContent::Missing(why), _) => Err(why),
    }
}
