//! Prompts of `MageBench` from the user's checkout: where its released program has the texts of an environment.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use mageyard_domain::{ImportedPrompt, ImportedText, MissingText, PromptImport};

use super::python::{TextPlace, lines, literals};

/// The released program sets the task of a plan by environment, and appends what each flow asks for.
const GLOBAL: &str = "Flow/GlobalPlanning.py";

/// These variants.
pub const fn prompt_import(variants: &'static [ImportedPrompt]) -> PromptImport {
    PromptImport { name: "magebench", program: "MageBench", variants, read }
}

/// The system text of an environment, in this file.
pub const fn system(file: &'static str, word: &'static str) -> ImportedText {
    ImportedText { segment: "system", file, name: Some("system_prompt"), word }
}

/// The task of a plan.
pub const fn global_task(word: &'static str) -> ImportedText {
    ImportedText { segment: "task global", file: GLOBAL, name: Some("special_prompt_for_task"), word }
}

/// What is appended to the request for a plan.
pub const fn global_form(word: &'static str) -> ImportedText {
    ImportedText { segment: "io global", file: GLOBAL, name: None, word }
}

/// What the flow in this file appends to each Online request.
pub const fn online_form(file: &'static str, word: &'static str) -> ImportedText {
    ImportedText { segment: "io online", file, name: None, word }
}

fn read(source: &str, text: &ImportedText) -> Result<String, MissingText> {
    let place = match text.name {
        Some(name) => TextPlace::Named(name, text.word),
        None => TextPlace::Appended,
    };
    let found = lines(source).and_then(|lines| literals(&lines, place));
    found.map_err(|error| MissingText { line: error.line, reason: error.reason })
}
