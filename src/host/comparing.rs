//! Recordings that the screen compares with, read beside it.

use mageyard_lab::open_recorded;
use std::path::{Path, PathBuf};

use mageyard_config::{Config, Problem};
use mageyard_engine::{Store, StoreError, branch_journal, branch_numbers, episode_folder, read_journal_head};
use mageyard_lab::{Lab, LabError, check_step_exists, parse_step_reference};
use mageyard_screen::{Answer, Answers, LoadedRecording, WantedRecording};

/// Reads a recording.
pub(crate) fn load(lab: Lab, config: Config, wanted: WantedRecording, answers: Answers) {
    tokio::spawn(async move {
        let answer = read(&lab, &config, &wanted).await;
        let answer = answer.map_err(Problem::from);
        answers.send(Answer::Loaded(wanted, answer));
    });
}

async fn read(lab: &Lab, config: &Config, wanted: &WantedRecording) -> Result<LoadedRecording, LabError> {
    let store = Store::new(config.store_folder());
    let (journal, step) = match wanted {
        WantedRecording::Journal(journal) => (journal.clone(), None),
        WantedRecording::RelatedTo(journal) => (related(journal)?, None),
        WantedRecording::Reference(reference) => {
            let (session, step) = parse_step_reference(reference)?;
            let journals = store.find(session)?;
            let [journal] = journals.as_slice() else {
                return Err(
                    StoreError::SeveralEpisodes { given: session.to_owned(), count: journals.len() }.into()
                );
            };
            (journal.clone(), step)
        }
    };
    let snapshot = open_recorded(lab, &journal, false, config).await?.snapshots.borrow().clone();
    let done = usize::try_from(snapshot.steps_done()).unwrap_or(usize::MAX);
    check_step_exists(done, snapshot.steps.len(), step)?;
    Ok(LoadedRecording { name: store.reference(&journal), step, snapshot })
}

/// The journal of the parent of a branch, or of an episode its first branch.
fn related(journal: &Path) -> Result<PathBuf, LabError> {
    let (folder, _) = episode_folder(journal);
    if let Some(parent) = read_journal_head(journal)?.parent {
        return Ok(branch_journal(folder, parent.branch));
    }
    let branches = branch_numbers(folder)?.into_iter().map(|number| branch_journal(folder, Some(number)));
    branches.into_iter().find(|journal| journal.is_file()).ok_or_else(|| {
        let problem = Problem::new("this episode has no branches");
        problem.with_help("name a session or a branch, such as :diff last").into()
    })
}
