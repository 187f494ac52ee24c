//! Opens the documents that a procedure names.

use crate::handlers::{Case, Finding, Params, Rules};
use crate::office::Unreadable;
use crate::office::docx::{Document, Scope};

/// What a file is to a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::handlers) enum Role {
    /// To compare with: that it cannot be read is an error of the task.
    Reference,
    /// From the agent: that it cannot be read is a fail.
    Made,
}

/// Reads a file as a document.
///
/// # Errors
/// It cannot be read: a fail for what the agent makes, an error for a reference.
pub(in crate::handlers) fn read<T>(
    case: &mut Case<'_>,
    path: &str,
    role: Role,
    reader: impl FnOnce(&[u8]) -> Result<T, Unreadable>,
) -> Result<T, Finding> {
    let bytes = match role {
        Role::Reference => case.reference(path)?,
        Role::Made => case.made(path)?,
    };
    reader(&bytes).map_err(|trouble| {
        let sentence = format!("{path} {trouble}");
        match role {
            Role::Reference => Finding::Error(sentence),
            Role::Made => Finding::Fail(sentence),
        }
    })
}

/// What is read of a document under the rules.
pub(super) fn scope(rules: Rules) -> Scope {
    match rules {
        Rules::Standard => Scope::All,
        Rules::Code => Scope::Direct,
    }
}

/// Reads a text document of Word. The released code fails for a reference too that it cannot read.
pub(super) fn document(case: &mut Case<'_>, path: &str, role: Role) -> Result<Document, Finding> {
    let scope = scope(case.rules);
    let role = if case.rules == Rules::Code { Role::Made } else { role };
    read(case, path, role, |bytes| Document::read(bytes, scope))
}

/// Two documents.
pub(super) struct Pair {
    pub(super) reference: Document,
    pub(super) made: Document,
}

impl Pair {
    /// Reads the documents that two parameters name, the reference first.
    pub(super) fn read(params: &Params<'_>, case: &mut Case<'_>, names: [&str; 2]) -> Result<Self, Finding> {
        let [reference, made] = names;
        let reference = document(case, params.text(reference)?, Role::Reference)?;
        let made = document(case, params.text(made)?, Role::Made)?;
        Ok(Self { reference, made })
    }
}

/// The names of the parameters of most comparisons.
pub(super) const FILES: [&str; 2] = ["docx_file1", "docx_file2"];
/// The names where one is called the reference.
pub(super) const REFERENCE_AND_FILE: [&str; 2] = ["docx_ref", "docx_file"];
