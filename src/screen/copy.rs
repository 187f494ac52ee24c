//! Copies part of the shown step to the clipboard or to a file of the session, and reports the result.

use std::sync::Arc;

use super::model::{CopyDestination, Model};
use super::shown_request::{RequestContent, UnsentReason, selected_request};
use mageyard_domain::{SentRequest, is_hidden, sanitize};
use mageyard_engine::{ExportSource, ExportedText, StepExport};
use mageyard_terminal::{CLIPBOARD_LIMIT, CopyRoute, osc52_sequence};

/// The result of a copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CopyResult {
    /// Escape sequence to write to the terminal.
    pub(crate) sequence: Option<String>,
    /// What happened, as a sentence.
    pub(crate) message: String,
}

/// Copies this part of the shown step.
pub(crate) fn copy(model: &Model, what: StepExport, to: CopyDestination) -> CopyResult {
    let only_files = model.appearance.settings.copy_route == CopyRoute::File;
    let to = if only_files { CopyDestination::File } else { to };
    try_copy(model, what, to).unwrap_or_else(|why| CopyResult { sequence: None, message: why })
}

fn try_copy(model: &Model, what: StepExport, to: CopyDestination) -> Result<CopyResult, String> {
    let viewed = model.episode().ok_or("nothing is open")?;
    let step = viewed.step().ok_or("the environment is still opening")?;
    let request = matches!(what, StepExport::Curl | StepExport::Request);
    let sent = if request { Some(request_to_copy(model)?) } else { None };
    // The request and the reply of a plan belong to its first step.
    let spoken = selected_request(model).map(|asked| asked.step);
    let step = if request || what == StepExport::Reply { spoken.as_ref().unwrap_or(step) } else { step };
    let replies = step.attempts.len();
    let attempt = replies.checked_sub(1).map(|last| model.agent.shown_reply.map_or(last, |at| at.min(last)));
    let requests = &viewed.snapshot.requests;
    let aside = selected_request(model).ok().filter(|_| request || what == StepExport::Reply);
    let side = aside.as_ref().and_then(|asked| asked.side().map(|_| asked.index));
    let role = aside.as_ref().and_then(|asked| Some(asked.side()?.role()));
    let packing = match role {
        Some(role) => requests.side_encoders.get(&role).map(|encoder| &**encoder),
        None => requests.encoder.as_deref(),
    };
    let subject = ExportSource {
        step,
        attempt: if request { request_index(model) } else { attempt },
        side,
        sent: sent.as_deref(),
        reader: model.request_reader,
        packing,
        journal: viewed.snapshot.journal.as_deref(),
    };
    let ExportedText { text, body } = subject.export(what).map_err(|error| error.to_string())?;
    let beside = body.map_or_else(String::new, |file| format!("; its body is in {}", file.display()));
    // Control characters are spelled out, because the text may be pasted into a terminal; a file keeps them.
    let shown = sanitize(&text);
    match to {
        CopyDestination::Clipboard if shown.len() <= CLIPBOARD_LIMIT => {
            let hidden = text.chars().filter(|c| is_hidden(*c)).count();
            let copied = offer_to_clipboard(model, what, &shown, hidden);
            Ok(CopyResult { message: format!("{}{beside}", copied.message), ..copied })
        }
        _ => {
            let file = subject.save(what, &text).map_err(|error| error.to_string())?;
            let name = what.name();
            let bytes = text.len();
            let file = file.display();
            let said = match to {
                CopyDestination::File if model.appearance.settings.copy_route == CopyRoute::File => {
                    format!(
                        "saved the {name} ({bytes} bytes) to {file}, not to a clipboard (screen.clipboard)"
                    )
                }
                CopyDestination::File => format!("saved the {name} ({bytes} bytes) to {file}"),
                CopyDestination::Clipboard => format!(
                    "the {name} has {bytes} bytes, more than a terminal accepts ({CLIPBOARD_LIMIT}); it was saved to {file}"
                ),
            };
            Ok(CopyResult { sequence: None, message: format!("{said}{beside}") })
        }
    }
}

/// Copies a text that is no part of a step, by this name. It is never saved in a file.
pub(crate) fn copy_text(model: &Model, name: &str, text: &str) -> CopyResult {
    let route = model.appearance.settings.copy_route;
    let shown = sanitize(text);
    let refusal = match route {
        CopyRoute::File => Some("there is no clipboard to copy to (screen.clipboard)".to_owned()),
        _ if shown.len() > CLIPBOARD_LIMIT => {
            Some(format!("the {name} has {} bytes, more than a terminal accepts", shown.len()))
        }
        _ => None,
    };
    match refusal {
        Some(why) => {
            CopyResult { sequence: None, message: format!("{why}; `mageyard diff` prints the same") }
        }
        None => CopyResult {
            sequence: Some(osc52_sequence(&shown, route)),
            message: format!("copied the {name} ({} bytes) to the terminal's clipboard", shown.len()),
        },
    }
}

fn offer_to_clipboard(model: &Model, what: StepExport, shown: &str, hidden: usize) -> CopyResult {
    let sequence = Some(osc52_sequence(shown, model.appearance.settings.copy_route));
    let spelt = match hidden {
        0 => String::new(),
        1 => ", one hidden character spelled out".to_owned(),
        count => format!(", {count} hidden characters spelled out"),
    };
    let said =
        format!("copied the {} ({} bytes) to the terminal's clipboard{spelt}", what.name(), shown.len());
    CopyResult { sequence, message: said }
}

/// Index of the selected request of the step.
fn request_index(model: &Model) -> Option<usize> {
    selected_request(model).ok().filter(|asked| asked.count > 0).map(|asked| asked.index)
}

/// The selected request, encoded; the next request is encoded now.
fn request_to_copy(model: &Model) -> Result<Arc<SentRequest>, String> {
    let snapshot = &model.episode().ok_or("nothing is open")?.snapshot;
    let asked = selected_request(model)?;
    if let Some(side) = asked.side() {
        let none = || "nothing was sent: an equal request of the episode had this answer".to_owned();
        return side.attempt.sent.clone().ok_or_else(none);
    }
    match (asked.content, &snapshot.requests.encoder) {
        (RequestContent::Sent(sent, _), _) => Ok(sent),
        (
            RequestContent::Unsent(request, UnsentReason::Next | UnsentReason::FromRecording),
            Some(packing),
        ) => {
            packing.encode(&request.messages, request.stable).map(Arc::new).map_err(|error| error.to_string())
        }
        (RequestContent::Unsent(_, UnsentReason::AgentIgnoresRequests), _) => {
            Err(format!("the agent {} sends no requests, so there is none to copy", snapshot.agent().name))
        }
        (RequestContent::Unsent(_, UnsentReason::FromRecording), _) => {
            Err(format!("the agent {} sends nothing, so there is no request to copy", snapshot.agent().name))
        }
        (RequestContent::Unsent(..), _) => Err("nothing was sent at this step".into()),
        (RequestContent::Missing(why), _) => Err(why),
        (RequestContent::Side(_), _) => Err("there is no such side request".to_owned()),
    }
}
