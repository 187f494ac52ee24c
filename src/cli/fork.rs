//! `fork`: makes a branch of a recorded episode, or lists its branches.

use mageyard_lab::{list_branches, make_fork, plan_fork};
use std::path::PathBuf;

use super::context::Context;
use super::exit::{Exit, Failure};
use super::fork_records::{BranchRecord, ForkFacts, ForkRecord};
use super::output::{Output, count_noun};
use super::runtime::single_thread_runtime;
use super::session::{kept_flags, one_episode, store_flag};
use mageyard_config::{Config, Problem, SourceFile};
use mageyard_domain::{MAX_BLOB_BYTES, shell_quote};
use mageyard_engine::{Parent, Store, branch_name};
use mageyard_lab::{
    Branch, EpisodeFields, EpisodeId, ForkPlan, ForkRequest, Meeting, StepEdits, parse_step_reference,
};

/// The largest file with a state, in bytes.
const MAX_STATE: u64 = 1 << 20;

/// Go back to a step and begin a branch there, or list branches
///
/// The branch begins with the state, the randomness, the prompt and the memory window of this step, and with what flags
/// and --set replace. The steps before it are not played or paid again: they stay in the recording. Without a step, the
/// branches of the episode are listed. A branch is called SESSION#b1, and #b1@STEP is a step of it.
///
/// How the environment came back is stored: exact (its whole state), replayed (actions were repeated and every
/// observation was equal), or unsafe (a live surface was opened again).
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Session and step: a name, `last`, SWEEP/CELL, a folder or a journal; /2 selects an episode, #b1 a branch, #5 a step
    #[arg(value_name = "SESSION[/EPISODE][#STEP]")]
    session: String,
    /// Why: a hypothesis to keep with the branch
    #[arg(long, value_name = "TEXT")]
    why: Option<String>,
    /// What is to come true: a condition that tests the hypothesis, such as 'not ra and sum>5'
    ///
    /// It is kept with the branch. The list of branches shows at which of its steps it came true, with the values, or
    /// that it did not, or that this is open because the branch is not over.
    #[arg(long, value_name = "CONDITION")]
    expect: Option<String>,
    /// Add a hint to the newest state of each request, as a text of its own; an empty text removes it
    #[arg(long, value_name = "TEXT")]
    hint: Option<String>,
    /// Change the state of the environment to the one in this file (- is standard input); --print-state shows the notation
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Show the agent this PNG or JPEG image in place of the frame; the environment is unchanged
    #[arg(long, value_name = "FILE")]
    frame: Option<PathBuf>,
    /// Begin with this reply of an ask at the step, such as 88f18db3:2/4, and with the settings of its variant
    ///
    /// The step has the reply in place of one of its agent, and the branch keeps where it comes from. `mageyard ask
    /// SESSION#STEP --show` lists the asks of a step.
    #[arg(long, value_name = "ASK:VARIANT/SAMPLE")]
    answer: Option<String>,
    /// Print the state of the step as a text that can be edited for --state, and make no branch
    #[arg(long, conflicts_with_all = ["state", "frame", "hint", "answer", "why", "json"])]
    print_state: bool,
    /// Show what the branch would be, and make none
    #[arg(long)]
    dry_run: bool,
    /// Open a live surface again, although what cannot be seen of its state may differ
    #[arg(long = "unsafe")]
    allow_unsafe: bool,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let config = context.config()?;
    let store = Store::new(config.store_folder());
    let (session, step) = parse_step_reference(&args.session)?;
    let end = step.map_or_else(String::new, |step| format!("#{step}"));
    let journal = &one_episode(&store, session, &end)?;
    let mut out = Output::open();
    let given = kept_flags(context);
    let Some(step) = step else {
        let notes = [("--why", &args.why), ("--expect", &args.expect), ("--answer", &args.answer)];
        let note = notes.into_iter().find(|(_, note)| note.is_some()).map(|(name, _)| name);
        if let Some(name) = given.first().map(String::as_str).or(note) {
            let problem = Problem::new(format!("{name} has no effect on a list of branches"));
            return Err(problem
                .with_help(format!("name a step to begin a branch at: {session}#STEP"))
                .into());
        }
        let branches = single_thread_runtime()?.block_on(list_branches(&context.lab, journal, &config))?;
        return list(&branches, &store, args.json, &mut out);
    };
    let why = args.why.clone();
    let expect = args.expect.clone();
    let edits = edits(args)?;
    let answer = args.answer.as_deref().map(str::parse).transpose()?;
    let request = ForkRequest { step, given, edits, answer, why, expect, allow_unsafe: args.allow_unsafe };
    single_thread_runtime()?.block_on(async {
        let plan = plan_fork(&context.lab, journal, &request, &config).await?;
        if args.print_state {
            return print_state(&plan, &mut out);
        }
        let changes = plan.changes.clone();
        let facts = ForkFacts::new(step, &plan, &changes, (args.why.as_deref(), args.expect.as_deref()));
        let lines = plan_lines(&plan);
        let restored = plan.restored;
        if args.dry_run {
            let identity = EpisodeFields::of(&EpisodeId::of_journal(journal), plan.head());
            let record = ForkRecord { identity, run: store.reference(journal), made: false, facts };
            return print(&mut out, args.json, &record, &lines);
        }
        let mut fork = make_fork(&context.lab, plan, &config).await?;
        let head = fork.episode.driver.episode().head().clone();
        fork.episode.driver.flush().map_err(mageyard_lab::LabError::failed)?;
        let run = store.reference(&fork.journal);
        let identity = EpisodeFields::of(&EpisodeId::of_journal(&fork.journal), &head);
        let record = ForkRecord { identity, run: run.clone(), made: true, facts };
        let mut shown = vec![format!("{run}  begins at step {step}  {restored}")];
        shown.extend(lines);
        shown.push(continue_line(&run, &config));
        print(&mut out, args.json, &record, &shown)
    })
}

/// What changes besides settings.
fn edits(args: &Args) -> Result<StepEdits, Failure> {
    let read = |path: &Option<PathBuf>, limit| {
        path.as_deref().map(|path| SourceFile::read_limited(path, limit)).transpose()
    };
    let state = read(&args.state, MAX_STATE)?.map(String::from_utf8).transpose();
    let state = state.map_err(|_| Problem::new("the file of --state is not UTF-8"))?;
    Ok(StepEdits { hint: args.hint.clone(), state, frame: read(&args.frame, MAX_BLOB_BYTES)?, reply: None })
}

/// Prints the state of the step as a text.
fn print_state(plan: &ForkPlan, out: &mut Output) -> Result<Exit, Failure> {
    let environment = &plan.head().environment;
    let refused = || Problem::new(format!("the state of the environment {environment} cannot be edited"));
    out.line(plan.state().ok_or_else(refused)?)?;
    Ok(Exit::Done)
}

/// Prints the object or the lines.
fn print(out: &mut Output, json: bool, record: &ForkRecord<'_>, lines: &[String]) -> Result<Exit, Failure> {
    if json {
        out.record(record)?;
    } else {
        lines.iter().try_for_each(|line| out.line(line))?;
    }
    Ok(Exit::Done)
}

/// What differs, what is saved, what is repeated and what is expected.
pub fn plan_lines(plan: &ForkPlan) -> Vec<String> {
    let ForkPlan { changes, saved_requests: saved, repeated_actions: repeated, .. } = plan;
    let mut lines: Vec<String> = changes.iter().map(|change| format!("  {change}")).collect();
    match changes.len() {
        0 => lines.push("  nothing is changed: the rest is played again".to_owned()),
        1 => {}
        count => {
            let what = "a difference is not attributable to one of them";
            lines.push(format!("  {count} changes at once: {what}"));
        }
    }
    if *saved > 0 {
        lines.push(format!("  {} before it, not sent again", count_noun(*saved, "reply", "replies")));
    }
    if *repeated > 0 {
        let actions = count_noun(*repeated, "action is", "actions are");
        lines.push(format!("  {actions} carried out again before it begins"));
    }
    let expected = plan.head().parent.as_ref().and_then(|parent| parent.expect.as_deref());
    lines.extend(expected.map(|expected| format!("  expected: {expected}")));
    lines
}

fn continue_line(run: &str, config: &Config) -> String {
    let name = shell_quote(run);
    let store = store_flag(config);
    format!("  play it: mageyard run --resume {name}{store}, or mageyard play --resume {name}{store}")
}

/// Lists an episode and its branches.
fn list(branches: &[Branch], store: &Store, json: bool, out: &mut Output) -> Result<Exit, Failure> {
    if json {
        branches.iter().try_for_each(|branch| out.record(&BranchRecord::new(branch, store)))?;
    } else {
        let rows: Vec<_> = branches.iter().map(|branch| cells(branch, store)).collect();
        out.table(&rows)?;
    }
    Ok(Exit::Done)
}

fn cells(branch: &Branch, store: &Store) -> Vec<String> {
    let ending = branch.ending().map_or("unfinished".to_owned(), |ending| ending.to_string());
    let mut notes = Vec::new();
    let origin = match branch.head.parent.as_deref() {
        None => String::new(),
        Some(parent) => {
            notes.extend(parent.changes.iter().map(ToString::to_string));
            notes.extend(parent.why.clone());
            format!("step {} of {}, {}", parent.step, parent_name(parent), parent.restored)
        }
    };
    notes.extend(branch.expectation.as_ref().map(ToString::to_string));
    notes.extend(branch.meeting.map(|meeting| meeting_text(&meeting)));
    vec![
        store.reference(&branch.journal),
        origin,
        count_noun(branch.steps_done() as usize, "step", "steps"),
        format!("{:+}", branch.own_reward()),
        ending,
        notes.join("; "),
    ]
}

/// The parent as it is called within the episode.
pub(super) fn parent_name(parent: &Parent) -> String {
    parent.branch.map_or("the episode".to_owned(), branch_name)
}

/// Where two branches reached the same state: `at step 3 in the state of step 5 of b1`.
pub fn meeting_text(meeting: &Meeting) -> String {
    let other = meeting.other.map_or("the episode".to_owned(), branch_name);
    format!("at step {} in the state of step {} of {other}", meeting.step, meeting.other_step)
}
