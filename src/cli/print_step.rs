//! `view SESSION#STEP --print`: one part of a recorded step, for a pipe or a shell.

use mageyard_lab::{recorded_episode, request_encoder, side_request_encoder};
use std::path::PathBuf;

use super::exit::{Exit, Failure};
use super::output::Output;
use mageyard_agents::request_reader;
use mageyard_config::Problem;
use mageyard_domain::{Setting, SideRole};
use mageyard_engine::{Episode, ExportSource, Step, StepExport, StepExportError};
use mageyard_lab::{Lab, check_step_exists};

pub(super) async fn print(
    lab: &Lab,
    journals: &[PathBuf],
    step: Option<u32>,
    what: StepExport,
    (role, number_of_request): (Option<SideRole>, Option<usize>),
) -> Result<Exit, Failure> {
    let journal = single_journal(journals)?;
    let number =
        step.ok_or_else(|| Problem::new("--print needs a step").with_help("name one, such as SESSION#3"))?;
    let episode = recorded_episode(lab, journal).restore().await?.episode;
    let step = find_step(&episode, number, what, role)?;
    let head = episode.head();
    let (attempt, side, packing) = match role {
        None => (attempt_index(step, number_of_request)?, None, request_encoder(lab, head)),
        Some(role) => {
            let side = side_index(step, role, number_of_request)?;
            (None, Some(side), side_request_encoder(lab, head, role))
        }
    };
    let sent = match side {
        Some(at) => step.side.get(at).and_then(|exchange| exchange.attempt.sent.clone()),
        None => attempt.and_then(|at| step.attempts.get(at)?.sent.clone()),
    };
    let subject = ExportSource {
        step,
        attempt,
        side,
        sent: sent.as_deref(),
        reader: request_reader(),
        packing: packing.as_deref(),
        journal: Some(journal),
    };
    let mut text = subject.export(what).map_err(|error| export_failure(&error))?.text;
    if !text.ends_with('\n') {
        text.push('\n');
    }
    let mut out = Output::open();
    // A reply may contain control characters: they are shown on a terminal and kept in a pipe.
    if std::io::IsTerminal::is_terminal(&std::io::stdout()) {
        out.line(text.trim_end_matches('\n'))?;
    } else {
        out.raw(text.as_bytes())?;
    }
    Ok(Exit::Done)
}

fn single_journal(journals: &[PathBuf]) -> Result<&PathBuf, Problem> {
    match journals {
        [journal] => Ok(journal),
        several => {
            let what = format!("the session has {} episodes, and --print needs exactly one", several.len());
            let folder = several.first().and_then(|journal| journal.parent());
            let shown = folder.map(|folder| folder.display().to_string()).unwrap_or_default();
            Err(Problem::new(what).with_help(format!("name one, such as SESSION/2#3 or {shown}")))
        }
    }
}

/// The step with this number. In the Global setting request and reply belong to step 1.
fn find_step(
    episode: &Episode,
    number: u32,
    what: StepExport,
    role: Option<SideRole>,
) -> Result<&Step, Problem> {
    let done = usize::try_from(episode.steps_done()).unwrap_or(usize::MAX);
    check_step_exists(done, episode.steps().len(), Some(number))?;
    let spoken = role.is_none() && matches!(what, StepExport::Curl | StepExport::Request | StepExport::Reply);
    let number = if spoken && episode.head().setting == Setting::Global { 1 } else { number };
    let found = episode.steps().numbered(number);
    found.map(AsRef::as_ref).ok_or_else(|| Problem::new(format!("there is no step {number}")))
}

/// The index of the attempt, from 0; `None` if there are no attempts.
fn attempt_index(step: &Step, wanted: Option<usize>) -> Result<Option<usize>, Problem> {
    let count = step.attempts.len();
    match wanted {
        Some(number) if number == 0 || number > count => {
            let problem = Problem::new(format!("step {} has no attempt {number}", step.number));
            Err(problem.with_help(match count {
                0 => "the agent was not called at this step".to_owned(),
                1 => "it has one attempt: number 1".to_owned(),
                count => format!("it has {count} attempts, numbered from 1"),
            }))
        }
        Some(number) => Ok(Some(number - 1)),
        None => Ok(count.checked_sub(1)),
    }
}

/// The index of a side request of this role among those of the step; the last one of the role by default.
fn side_index(step: &Step, role: SideRole, wanted: Option<usize>) -> Result<usize, Problem> {
    let all = step.side.iter().enumerate().filter(|(_, exchange)| exchange.role() == role);
    let indexes: Vec<usize> = all.map(|(at, _)| at).collect();
    let number = wanted.unwrap_or(indexes.len());
    number.checked_sub(1).and_then(|at| indexes.get(at)).copied().ok_or_else(|| {
        let number = step.number;
        let problem = match wanted.filter(|_| !indexes.is_empty()) {
            Some(wanted) => format!("step {number} has no side request {wanted} of the role {role}"),
            None => format!("the role {role} was not asked at step {number}"),
        };
        let count = indexes.len();
        let help = format!("`mageyard find role={role}` lists the steps that have side requests of it");
        Problem::new(problem).with_help(if count > 0 { format!("it has {count}") } else { help })
    })
}

fn export_failure(error: &StepExportError) -> Failure {
    let exit = match error {
        StepExportError::Missing(_) => Exit::BadRequest,
        StepExportError::Blob(_) | StepExportError::Malformed(_) => Exit::Mismatch,
        StepExportError::Disk { .. } => Exit::Failed,
    };
    Failure::Problem(exit, Problem::new(error.to_string()))
}
