//! Prompt variants that are made from the texts of another program, from the user's own copy of it. Files are named here
//! and never opened.

use thiserror::Error;

/// The prompt variants of an environment that a checkout of another program gives.
#[derive(Clone, Copy, Debug)]
pub struct PromptImport {
    /// The name in `prompts import NAME FOLDER`.
    pub name: &'static str,
    /// What the program is called.
    pub program: &'static str,
    /// The variants.
    pub variants: &'static [ImportedPrompt],
    /// Reads a text from the source of its file; nothing of the file is run.
    pub read: fn(source: &str, text: &ImportedText) -> Result<String, MissingText>,
}

/// A prompt variant with texts of another program. Its other segments are those of a shipped variant.
#[derive(Clone, Copy, Debug)]
pub struct ImportedPrompt {
    /// Its name.
    pub name: &'static str,
    /// The shipped variant with its further segments.
    pub base: &'static str,
    /// Its texts.
    pub texts: &'static [ImportedText],
}

/// A text of another program.
#[derive(Clone, Copy, Debug)]
pub struct ImportedText {
    /// The heading of its segment, such as `io online`.
    pub segment: &'static str,
    /// The file, relative to the checkout.
    pub file: &'static str,
    /// The function or variable that has it; `None` for what the file appends to a request.
    pub name: Option<&'static str>,
    /// The word that tells it apart from texts of other environments in the same place.
    pub word: &'static str,
}

/// Why a text cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {reason}")]
pub struct MissingText {
    /// The line of the file, from 1.
    pub line: usize,
    /// What was looked for, and what is there.
    pub reason: String,
}
