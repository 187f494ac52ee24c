//! The findings of diagnoses that are over, beside the replies that they were made from.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use super::diagnosis::{GroupShares, group_shares};
use super::diagnosis_text::share_lines;
use super::judged::StateDiagnosis;
use crate::StoredAsk;
use crate::ask::{AskFileError, asks_of};
use mageyard_engine::AtomicFile;
use mageyard_lab::LabError;

/// The file in the folder of an ask.
const FILE: &str = "diagnosis.json";

/// Keeps what was found out about a state, if all replies to it are there.
pub(super) fn keep(ask: &StoredAsk, found: &[StateDiagnosis]) -> Result<(), LabError> {
    let replies = ask.calls.iter().filter(|call| call.reply.is_some()).count();
    if replies < ask.record.replies() {
        return Ok(());
    }
    let path = ask.folder.join(FILE);
    let bytes = serde_json::to_vec(found).map_err(LabError::failed)?;
    let written = AtomicFile::stage(&path, &bytes).and_then(AtomicFile::replace);
    written.map_err(AskFileError::disk(&path))?;
    Ok(())
}

/// What diagnoses have found out about steps of recorded episodes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StoredDiagnoses(Vec<StateDiagnosis>);

impl StoredDiagnoses {
    /// Adds those of the episode or the branch of this journal. Of several of a step, a view and a model that with the most replies
    /// counts, and of these the last by name.
    pub fn add(&mut self, journal: &Path) -> Result<(), LabError> {
        for ask in asks_of(journal, &|record| record.is_diagnosis())? {
            let path = ask.folder.join(FILE);
            let bytes = match fs::read(&path) {
                Err(error) if error.kind() == ErrorKind::NotFound => continue,
                read => read.map_err(AskFileError::disk(&path))?,
            };
            let found: Vec<StateDiagnosis> =
                serde_json::from_slice(&bytes).map_err(|error| AskFileError::disk(&path)(error.into()))?;
            for one in found {
                self.take(one);
            }
        }
        Ok(())
    }

    fn take(&mut self, one: StateDiagnosis) {
        let same = |known: &&mut StateDiagnosis| {
            (&known.address, &known.view, &known.model) == (&one.address, &one.view, &one.model)
        };
        match self.0.iter_mut().find(same) {
            Some(known) if known.replies <= one.replies => *known = one,
            Some(_) => {}
            None => self.0.push(one),
        }
    }

    /// `seen wrong 38 % [30, 47], planned wrong 41 % [32, 50] of 60 failed states`, for each model and view; nothing if nothing was
    /// diagnosed.
    pub fn lines(&self) -> Vec<String> {
        if self.0.is_empty() { Vec::new() } else { share_lines(&self.0) }
    }

    /// The shares of the findings for each model and view.
    pub fn shares(&self) -> Vec<GroupShares> {
        group_shares(&self.0)
    }
}
