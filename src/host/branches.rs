//! Branches for the screen: planned, made, listed and continued beside it; the results reach it as answers.

use mageyard_lab::{
    list_branches, make_fork, online_head, open_new, open_recorded, plan_fork, read_fork_changes,
    recorded_episode, resume_episode,
};
use std::path::{Path, PathBuf};

use crate::session_start::start_session;
use mageyard_config::{Config, Problem, Sources};
use mageyard_engine::{Head, Session, SessionAnnotations, Store, annotations_path, branch_name};
use mageyard_lab::{Branch, EpisodeId, ForkChanges, ForkPlan, Lab, LabError};
use mageyard_screen::{Answer, Answers, BranchRow, ForkOrder, Opened};

/// Plans or makes a branch.
pub(crate) fn fork(lab: Lab, sources: Sources, order: ForkOrder, answers: Answers) {
    tokio::spawn(async move {
        let changes = order.changes.clone();
        match (order.is_made, planned(&lab, sources, &order).await) {
            (true, Ok((planned, config))) => {
                let made = made(&lab, planned, &order.journal, &config).await;
                answers.opened(Opened::Continued(made.map_err(Problem::from)));
            }
            (true, Err(failed)) => answers.opened(Opened::Continued(Err(failed))),
            (false, planned) => {
                let lines = planned.map(|(planned, _)| planned.lines());
                answers.send(Answer::ForkPlanned(changes, lines));
            }
        }
    });
}

/// What begins at the step.
enum Planned {
    /// A branch.
    Branch(Box<ForkPlan>),
    /// A new Online episode with this head, at the end of a Global one.
    Online(Box<Head>),
}

impl Planned {
    fn lines(&self) -> Vec<String> {
        match self {
            Self::Branch(plan) => plan_lines(plan),
            Self::Online(head) => vec![
                "go on Online: a new episode begins with the files that this Global one has left".to_owned(),
                format!("agent {}, prompt {}", head.agent.display_name(), head.prompt),
            ],
        }
    }
}

async fn planned(lab: &Lab, sources: Sources, order: &ForkOrder) -> Result<(Planned, Config), Problem> {
    let ForkChanges { given, mut request } = read_fork_changes(lab, &order.changes, order.step)?;
    if order.state.is_some() {
        request.edits.state.clone_from(&order.state);
    }
    let mut sources = sources;
    sources.overrides.extend(given);
    let config = sources.read()?;
    let online = online_head(lab, &order.journal, order.step, &request.given, &config).await;
    if let Some(head) = online.map_err(Problem::from)? {
        return Ok((Planned::Online(head.into()), config));
    }
    let plan = plan_fork(lab, &order.journal, &request, &config).await.map_err(Problem::from)?;
    Ok((Planned::Branch(plan.into()), config))
}

async fn made(lab: &Lab, planned: Planned, journal: &Path, config: &Config) -> Result<Session, LabError> {
    let episode = match planned {
        Planned::Branch(plan) => make_fork(lab, *plan, config).await?.episode,
        Planned::Online(head) => {
            let store = Store::new(config.store_folder());
            let session = EpisodeId::of_journal(journal).session;
            let number = store.next_episode(&session)?;
            open_new(lab, &store, &session, number, *head, config)?
        }
    };
    Ok(start_session(episode, lab, config))
}

/// Continues an unfinished episode.
pub(crate) fn resume(lab: Lab, journal: PathBuf, config: Config, answers: Answers) {
    tokio::spawn(async move {
        let resumed = resume_episode(&lab, &journal, &config).await;
        let resumed = resumed.map(|staged| start_session(staged, &lab, &config));
        answers.opened(Opened::Continued(resumed.map_err(Problem::from)));
    });
}

/// Opens the recording of a journal; one that may still be written is followed unless it is over.
pub(crate) fn open(lab: Lab, journal: PathBuf, may_grow: bool, config: Config, answers: Answers) {
    tokio::spawn(async move {
        let summary = recorded_episode(&lab, &journal).summary();
        let follow = may_grow && summary.is_none_or(|summary| summary.ending.is_none());
        let opened = open_recorded(&lab, &journal, follow, &config).await;
        answers.opened(Opened::Recorded(opened.map(Into::into).map_err(Problem::from)));
    });
}

/// Lists the branches of an episode.
pub(crate) fn list(lab: Lab, journal: PathBuf, config: Config, answers: Answers) {
    tokio::spawn(async move {
        let branches = list_branches(&lab, &journal, &config).await;
        let annotations = SessionAnnotations::read(&annotations_path(&journal)).unwrap_or_default();
        let rows = branches.map(|branches| tree(&branches, &annotations)).map_err(Problem::from);
        answers.send(Answer::Branches(rows));
    });
}

/// What a branch would be.
fn plan_lines(plan: &ForkPlan) -> Vec<String> {
    let state = format!("the state of the step is restored: {}", plan.restored);
    std::iter::once(state).chain(mageyard_lab::fork_plan_lines(plan)).collect()
}

/// The rows of the tree: each branch below its parent.
fn tree(branches: &[Branch], annotations: &SessionAnnotations) -> Vec<BranchRow> {
    let mut rows = Vec::new();
    let roots = branches.iter().filter(|branch| branch.number.is_none());
    for root in roots {
        add_rows(root, branches, annotations, 0, &mut rows);
    }
    rows
}

fn add_rows(
    branch: &Branch,
    all: &[Branch],
    annotations: &SessionAnnotations,
    depth: usize,
    rows: &mut Vec<BranchRow>,
) {
    rows.push(row(branch, annotations, depth));
    let is_child = |other: &&Branch| {
        other.head.parent.as_ref().is_some_and(|parent| parent.branch == branch.number)
            && other.number.is_some()
    };
    for child in all.iter().filter(is_child) {
        add_rows(child, all, annotations, depth + 1, rows);
    }
}

fn row(branch: &Branch, annotations: &SessionAnnotations, depth: usize) -> BranchRow {
    let parent = branch.head.parent.as_deref();
    let place = parent.map_or(String::new(), |parent| format!(" at step {}", parent.step));
    let mut notes: Vec<String> = parent.map_or(Vec::new(), |parent| {
        let changes = parent.changes.iter().map(ToString::to_string);
        std::iter::once(parent.restored.to_string()).chain(changes).chain(parent.why.clone()).collect()
    });
    if depth == 0 {
        notes.push(format!("{}, {}", branch.head.agent.display_name(), branch.head.prompt));
    }
    notes.extend(branch.expectation.as_ref().map(ToString::to_string));
    let episode = EpisodeId::of_journal(&branch.journal).number;
    notes.extend(mageyard_lab::annotation_counts(annotations.counts_of(episode, branch.number)));
    notes.extend(branch.meeting.map(|meeting| mageyard_lab::meeting_text(&meeting)));
    BranchRow {
        journal: branch.journal.clone(),
        depth,
        name: format!("{}{place}", branch.number.map_or("episode".to_owned(), branch_name)),
        rewards: branch
            .steps
            .iter()
            .map(|step| step.action.as_ref().map_or(0.0, |action| action.1))
            .collect(),
        ending: branch.ending(),
        notes,
    }
}
