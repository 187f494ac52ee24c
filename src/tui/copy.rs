//! Copying: the text of what is looked at, for the clipboard or a file of the session, and what became of it
//! in words.

use std::sync::Arc;

use super::asked::What;
use super::asked::Why;
use super::asked::asked;
use super::clipboard;
use super::model::Model;
use super::model::To;
use crate::domain::Sent;
use crate::domain::is_hidden;
use crate::domain::visible;
use crate::engine::Extract;
use crate::engine::Extracted;
use crate::engine::Subject;

/// A copy that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Copied {
    /// What is to be written to the terminal.
    pub(crate) sequence: Option<String>,
    /// What became of it, in a sentence.
    pub(crate) said: String,
}

/// Takes this out of the step looked at.
pub(crate) fn copy(model: &Model, what: Extract, to: To) -> Copied {
    taken(model, what, to).unwrap_or_else(|why| Copied { sequence: None, said: why })
}

fn taken(model: &Model, what: Extract, to: To) -> Result<Copied, String> {
    let viewed = model.viewed().ok_or("nothing is open")?;
    let step = viewed.step().ok_or("the environment is still opening")?;
    let request = matches!(what, Extract::Curl | Extract::Request);
    let sent = if request { Some(sent(model)?) } else { None };
    // A plan was asked for, and said, at its first step.
    let spoken = asked(model).map(|asked| asked.step);
    let step = if request || what == Extract::Reply { spoken.as_ref().unwrap_or(step) } else { step };
    let replies = step.attempts.len();
    let attempt = replies.checked_sub(1).map(|last| model.reply.map_or(last, |at| at.min(last)));
    let subject = Subject {
        step,
        attempt: if request { requested(model) } else { attempt },
        sent: sent.as_deref(),
        packing: viewed.snapshot.packing.as_deref(),
        journal: viewed.snapshot.journal.as_deref(),
    };
    let Extracted { text, body } = subject.extract(what).map_err(|error| error.to_string())?;
    let beside = body.map_or_else(String::new, |file| format!("; its body is in {}", file.display()));
    match to {
        To::Clipboard if text.len() <= clipboard::MOST => {
            let copied = offered(model, what, &text);
            Ok(Copied { said: format!("{}{beside}", copied.said), ..copied })
        }
        _ => {
            let file = subject.save(what, &text).map_err(|error| error.to_string())?;
            let name = what.name();
            let (bytes, file) = (text.len(), file.display());
            let said = match to {
                To::File => format!("saved the {name}, {bytes} bytes, to {file}"),
                To::Clipboard => format!(
                    "the {name} has {bytes} bytes, more than a terminal takes ({}), so it was saved to {file}",
                    clipboard::MOST
                ),
            };
            Ok(Copied { sequence: None, said: format!("{said}{beside}") })
        }
    }
}

/// A text that is pasted somewhere must not steer what it is pasted into; a file keeps it as it is.
fn offered(model: &Model, what: Extract, text: &str) -> Copied {
    let shown = visible(text);
    let sequence = Some(clipboard::sequence(&shown, model.look.settings.tmux));
    let hidden = text.chars().filter(|c| is_hidden(*c)).count();
    let spelt = match hidden {
        0 => String::new(),
        1 => ", one hidden character spelt out".to_owned(),
        count => format!(", {count} hidden characters spelt out"),
    };
    let said =
        format!("offered the {}, {} bytes, to the terminal's clipboard{spelt}", what.name(), shown.len());
    Copied { sequence, said }
}

/// Which of the step's requests is meant, from 0.
fn requested(model: &Model) -> Option<usize> {
    asked(model).ok().filter(|asked| asked.of > 0).map(|asked| asked.at)
}

/// The request looked at, or the one that comes next, packed.
fn sent(model: &Model) -> Result<Arc<Sent>, String> {
    let snapshot = &model.viewed().ok_or("nothing is open")?.snapshot;
    match (asked(model)?.what, &snapshot.packing) {
        (What::Sent(sent, _), _) => Ok(sent),
        (What::Unsent(request, Why::Coming | Why::Repeated), Some(packing)) => {
            packing.pack(&request.messages).map(Arc::new).map_err(|error| error.to_string())
        }
        (What::Unsent(_, Why::Unread), _) => {
            Err(format!("{} reads no request, so there is none to copy", snapshot.head.agent))
        }
        (What::Unsent(_, Why::Repeated), _) => {
            Err(format!("{} sends nothing, so there is no request to copy", snapshot.head.agent))
        }
        (What::Unsent(..), _) => Err("nothing was sent at this step".into()),
        (What::None(why), _) => Err(why),
    }
}
