//! The state of the editor dialog: a reply, an action or a prompt that is being edited.

use mageyard_config::Problem;
use mageyard_domain::{Action, ActionSpace, Setting};
use mageyard_engine::EditTarget;
use mageyard_lab::PromptOrigin;
use mageyard_terminal::TextEditor;

/// What is edited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum EditSubject {
    /// The newest complete reply.
    Reply,
    /// The accepted action, or the rest of the plan.
    Action,
    /// The hint of the next requests.
    Hint,
    /// The text that answers begin with: a reply of this step up to the cursor.
    AnswerStart(u32),
    /// A prompt of an environment, and whose it is.
    Prompt { environment: String, name: String, origin: PromptOrigin },
}

/// An open editor dialog.
#[derive(Clone, Debug)]
pub(crate) struct EditModal {
    pub(crate) subject: EditSubject,
    pub(crate) text_editor: TextEditor,
    /// The text when the editor was opened.
    original: String,
    /// The position of the episode at that time.
    pub(crate) target: Option<EditTarget>,
    /// Whether a warning was shown; the same key again acts.
    pub(crate) warned: bool,
    /// Why the text was rejected.
    pub(crate) problem: Option<Problem>,
}

impl EditModal {
    pub(crate) fn new(subject: EditSubject, text: String, target: Option<EditTarget>) -> Self {
        let text_editor = TextEditor::new(text.clone());
        Self { subject, text_editor, original: text, target, warned: false, problem: None }
    }

    pub(crate) fn has_changed(&self) -> bool {
        self.text_editor.text() != self.original
    }

    /// File extension for the text, for editors that use it.
    pub(crate) fn extension(&self) -> &'static str {
        match self.subject {
            EditSubject::Prompt { .. } => ".md",
            EditSubject::Reply | EditSubject::Action | EditSubject::Hint | EditSubject::AnswerStart(_) => {
                ".txt"
            }
        }
    }

    /// Completes the last word to the first action that begins like it; if it is a complete name, replaces
    /// it by the next one.
    pub(crate) fn complete(&mut self, space: &ActionSpace) {
        let text = self.text_editor.text();
        let separators: &[char] = if needs_commas(space) { &[','] } else { &[',', ' '] };
        let from = text.rfind(separators).map_or(0, |at| at + 1);
        let from = from + text[from..].len() - text[from..].trim_start().len();
        let word = text[from..].trim_end();
        let names: Vec<&str> = space.names().collect();
        let next = match names.iter().position(|name| *name == word) {
            Some(at) => names.get((at + 1) % names.len()),
            None => names.iter().find(|name| name.to_lowercase().starts_with(&word.to_lowercase())),
        };
        if let Some(next) = next {
            self.text_editor = TextEditor::new(format!("{}{next}", &text[..from]));
        }
    }
}

/// Whether only commas separate actions.
fn needs_commas(space: &ActionSpace) -> bool {
    space.has_params() || space.names().any(|name| name.contains(' '))
}

/// Parses the actions that a person wrote, in the number that the setting takes.
pub(crate) fn parse_actions(
    written: &str,
    space: &ActionSpace,
    setting: Setting,
) -> Result<Vec<Action>, String> {
    match space.parse_list(written) {
        Err(error) => Err(error.to_string()),
        Ok(actions) if actions.is_empty() => Err("enter an action".into()),
        Ok(actions) if setting == Setting::Online && actions.len() > 1 => {
            Err(format!("the Online setting takes exactly one action, not {}", actions.len()))
        }
        Ok(actions) => Ok(actions),
    }
}
