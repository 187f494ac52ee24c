//! `fork`: makes a branch of a recorded episode, or lists its branches.

use mageyard_lab::{fork_plan_lines, meeting_text};
use mageyard_lab::{list_branches, make_fork, plan_fork};

use super::context::Context;
use super::exit::{Exit, Failure};
use super::fork_records::{BranchRecord, ForkFacts, ForkRecord};
use super::output::{Output, count_noun};
use super::runtime::single_thread_runtime;
use super::session::{kept_flags, one_episode, store_flag};
use mageyard_config::{Config, Problem};
use mageyard_domain::shell_quote;
use mageyard_engine::{Parent, Store, branch_name};
use mageyard_lab::{Branch, EpisodeFields, EpisodeId, ForkArgs, ForkPlan, parse_step_reference};

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
    #[command(flatten)]
    branch: ForkArgs,
    /// Print the state of the step as a text that can be edited for --state, and make no branch
    #[arg(long, conflicts_with_all = ["state", "frame", "hint", "answer", "why", "json"])]
    print_state: bool,
    /// Show what the branch would be, and make none
    #[arg(long)]
    dry_run: bool,
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
        let notes = [
            ("--why", &args.branch.why),
            ("--expect", &args.branch.expect),
            ("--answer", &args.branch.answer),
        ];
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
    let request = args.branch.request(step, given)?;
    single_thread_runtime()?.block_on(async {
        let plan = plan_fork(&context.lab, journal, &request, &config).await?;
        if args.print_state {
            return print_state(&plan, &mut out);
        }
        let changes = plan.changes.clone();
        let facts = ForkFacts::new(
            step,
            &plan,
            &changes,
            (args.branch.why.as_deref(), args.branch.expect.as_deref()),
        );
        let lines = fork_plan_lines(&plan);
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
