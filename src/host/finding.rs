//! The steps of everything stored that meet a condition, for the screen: found beside it, newest sessions first.

use mageyard_lab::{read_condition, read_recordings};
use std::collections::BTreeSet;

use std::path::{Path, PathBuf};

use tokio::task::JoinHandle;

use mageyard_config::{Config, Problem};
use mageyard_engine::{Mark, Store};
use mageyard_lab::{
    EpisodeId, FoundStep, FoundSteps, Lab, LabError, RecordedEpisode, StepQuery, choice_words,
    compare_repeats, parting_text, repeats_title, step_reference,
};
use mageyard_screen::{Answer, Answers, FindProgress, FoundRow};

/// The search in progress, which ends when it is dropped.
#[derive(Default)]
pub(crate) struct Finding(Option<JoinHandle<()>>);

impl Finding {
    /// Starts a search for a condition in a session, sweep or cell, or in everything.
    pub(crate) fn start(
        lab: Lab,
        config: Config,
        (condition, scope): (String, Option<String>),
        answers: Answers,
    ) -> Self {
        Self(Some(tokio::spawn(async move {
            let mut report = Report { answers, reported: BTreeSet::new() };
            let ended = find(&lab, &config, (&condition, scope), &mut report).await.map_err(Problem::from);
            report.send(FindProgress::Ended(ended));
        })))
    }

    /// Compares the repeats in the session of this journal.
    pub(crate) fn partings(journal: PathBuf, store: Store, answers: Answers) -> Self {
        Self(Some(tokio::task::spawn_blocking(move || {
            let report = Report { answers, reported: BTreeSet::new() };
            let ended = list_partings(&journal, &store, &report).map_err(Problem::from);
            report.send(FindProgress::Ended(ended));
        })))
    }
}

impl Drop for Finding {
    fn drop(&mut self) {
        if let Some(task) = &self.0 {
            task.abort();
        }
    }
}

/// Where the results go.
struct Report {
    answers: Answers,
    /// What was said already.
    reported: BTreeSet<String>,
}

impl Report {
    fn send(&self, progress: FindProgress) {
        self.answers.send(Answer::Found(progress));
    }

    fn say(&mut self, why: String) {
        if self.reported.insert(why.clone()) {
            self.send(FindProgress::Unknown(why));
        }
    }
}

async fn find(
    lab: &Lab,
    config: &Config,
    (condition, scope): (&str, Option<String>),
    report: &mut Report,
) -> Result<(), LabError> {
    let (condition, known) = read_condition(lab, condition, "condition", config).await?;
    let distances = condition.needs_distance();
    let query = StepQuery { condition, known, thresholds: None, distances };
    let store = Store::new(config.store_folder());
    let sessions = match scope {
        Some(scope) => vec![scope],
        None => store.sessions()?.into_iter().rev().collect(),
    };
    for session in sessions {
        for recording in read_recordings(lab, &store, &[session]) {
            let recordings = match recording {
                Ok(recording) => recording.with_branches(),
                Err(error) => {
                    report.say(Problem::from(error).to_string());
                    continue;
                }
            };
            for recording in recordings {
                match recording.find(&query, config).await {
                    Ok(found) => add(&recording, found, &store, report),
                    // One damaged recording hides no other.
                    Err(error) => report.say(Problem::from(error).to_string()),
                }
                tokio::task::yield_now().await;
            }
        }
    }
    Ok(())
}

/// A row for each repeat, with what it did where they part.
fn list_partings(journal: &Path, store: &Store, report: &Report) -> Result<(), LabError> {
    let session = EpisodeId::of_journal(journal).session;
    let cells = compare_repeats(&store.find(&session.to_string_lossy())?)?;
    if cells.is_empty() {
        let problem = Problem::new("this session has no two episodes of the same level and settings");
        return Err(problem.with_help("mageyard run LEVEL --repeats 3 plays some").into());
    }
    for cell in &cells {
        let outcome = parting_text(cell.parting.as_ref());
        let Some(parting) = &cell.parting else {
            report.send(FindProgress::Unknown(format!("{}: {outcome}", repeats_title(cell))));
            continue;
        };
        for choice in &parting.choices {
            let facts = [choice_words(choice, cell.episodes).join(" · "), outcome.clone()].join(" · ");
            let row = |journal: &PathBuf| FoundRow {
                journal: journal.clone(),
                step: parting.step,
                run: step_reference(&store.reference(journal), parting.step),
                facts: facts.clone(),
            };
            report.send(FindProgress::Steps(choice.journals.iter().map(row).collect()));
        }
    }
    Ok(())
}

fn add(recording: &RecordedEpisode, found: FoundSteps, store: &Store, report: &mut Report) {
    let run = store.reference(recording.path());
    let first = recording.first_own_step();
    let own = found.steps.iter().filter(|step| step.step >= first);
    let rows = own.map(|step| FoundRow {
        journal: recording.path().to_owned(),
        step: step.step,
        run: step_reference(&run, step.step),
        facts: facts(step),
    });
    report.send(FindProgress::Steps(rows.collect()));
    let unknown = found.unknown.into_iter().map(|why| format!("some steps could not be judged: {why}"));
    for why in unknown.chain(found.damaged.iter().map(ToString::to_string)) {
        report.say(why);
    }
}

fn facts(step: &FoundStep) -> String {
    let marks = step.marks.iter().map(Mark::name).collect::<Vec<_>>().join(",");
    let action = step.action.clone().unwrap_or_else(|| "no action".to_owned());
    let parts = [action, marks, step.facts.join(", ")];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ")
}
