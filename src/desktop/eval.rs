//! `desktop eval`: judges a folder by the procedures of a task, without an agent.

use std::path::{Path, PathBuf};

use mageyard_cli::{Exit, Failure, Output};
use mageyard_config::{Problem, SourceFile};
use mageyard_desktop::evaluate::{Episode, Evaluation, Outcome, evaluate};
use mageyard_desktop::handlers::{FolderComputer, Mount, Rules};
use mageyard_desktop::levels::read_all;
use mageyard_desktop::task::{Procedure, Stage, Task, Variables, read_procedures};
use serde::Serialize;

/// The largest file of tasks or procedures, in bytes.
const LIMIT: u64 = 64 << 20;

/// Where the folder is for the procedures: `AS_ROOT` and `AS_HOME`.
const ROOT: &str = "/home/agent/studio";
const HOME: &str = "/home/agent";

/// Judge a folder by a task or by procedures, without an agent
///
/// Procedures that need processes or commands cannot be judged here.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// File with the task; FILE#ID if it has several
    #[arg(value_name = "FILE", required_unless_present = "procedures")]
    task: Option<String>,
    /// File with one procedure per line, in place of a task; both rules judge each
    #[arg(long, value_name = "FILE.jsonl", conflicts_with = "task")]
    procedures: Option<String>,
    /// The working folder of the task, which has its data
    #[arg(long, value_name = "DIR")]
    root: PathBuf,
    /// The home folder of the task [default: an empty one]
    #[arg(long, value_name = "DIR")]
    home: Option<PathBuf>,
    /// The last reply of the agent, for answers in [[[...]]]
    #[arg(long, value_name = "TEXT")]
    reply: Option<String>,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

/// A judged procedure as JSON.
#[derive(Serialize)]
struct Printed<'a> {
    rules: Rules,
    procedure: &'a str,
    result: &'a str,
    sentence: Option<&'a str>,
}

pub(super) fn run(args: &Args) -> Result<Exit, Failure> {
    let variables = Variables { root: ROOT.into(), home: HOME.into(), ..Variables::default() };
    let (procedures, rules) = match (&args.procedures, &args.task) {
        (Some(file), _) => (given(file, &variables)?, &[Rules::Standard, Rules::Code][..]),
        (None, Some(task)) => (of_task(task, &variables)?, &[Rules::Standard][..]),
        (None, None) => return Err(Problem::new("neither a task nor --procedures is given").into()),
    };
    let empty = tempfile::tempdir().map_err(|error| Problem::new(error.to_string()))?;
    let home = args.home.as_deref().unwrap_or(empty.path());
    let mut judged = Vec::new();
    for rules in rules {
        let mut computer = computer(&args.root, home)?;
        let episode = Episode { rules: *rules, reply: args.reply.as_deref(), answers: &[] };
        judged.push((*rules, evaluate(&procedures, &mut computer, episode)));
    }
    print(&judged, args)?;
    Ok(Exit::Done)
}

fn computer(root: &Path, home: &Path) -> Result<FolderComputer, Problem> {
    let mounts = [
        Mount { path: ROOT.to_owned(), folder: root.to_owned() },
        Mount { path: HOME.to_owned(), folder: home.to_owned() },
    ];
    let why =
        |error: std::io::Error| Problem::new(format!("{} or {}: {error}", root.display(), home.display()));
    FolderComputer::new(&mounts, HOME).map_err(why)
}

/// The procedures of a file, with their variables replaced.
fn given(path: &str, variables: &Variables) -> Result<Vec<Procedure>, Problem> {
    let file = SourceFile::read(path, LIMIT)?;
    let read = read_procedures(&file.text, variables);
    read.map_err(|fault| file.problem_in_line(fault.error.to_string(), fault.line))
}

/// The procedures that judge a task.
fn of_task(reference: &str, variables: &Variables) -> Result<Vec<Procedure>, Problem> {
    let (path, wanted) = match reference.rsplit_once('#') {
        Some((path, id)) if !Path::new(reference).exists() => (path, Some(id)),
        _ => (reference, None),
    };
    let file = SourceFile::read(path, LIMIT)?;
    let mut tasks = Vec::new();
    for read in read_all(&file.text) {
        let task = read.task;
        tasks.push(task.map_err(|fault| file.problem_in_line(fault.error.to_string(), fault.line))?);
    }
    let task = chosen(&tasks, wanted).map_err(|why| Problem::new(format!("{path}: {why}")))?;
    let procedures = task.procedures(Stage::Evaluation, variables);
    procedures.map_err(|error| Problem::new(format!("{path}: {}: {error}", task.id)))
}

/// The task with this identifier, or the only one.
fn chosen<'a>(tasks: &'a [Task], wanted: Option<&str>) -> Result<&'a Task, String> {
    let ids = || tasks.iter().map(|task| task.id.as_str());
    match (wanted, tasks) {
        (None, [task]) => Ok(task),
        (None, []) => Err("has no task".to_owned()),
        (None, [first, ..]) => Err(format!("has {} tasks: name one, such as #{}", tasks.len(), first.id)),
        (Some(id), _) => tasks.iter().find(|task| task.id == id).ok_or_else(|| {
            let near = mageyard_domain::nearest_names(id, ids());
            let near = if near.is_empty() {
                String::new()
            } else {
                format!("; did you mean {}?", near.join(" or "))
            };
            format!("has no task {id:?}{near}")
        }),
    }
}

fn words(outcome: &Outcome) -> (&'static str, Option<&str>) {
    match outcome {
        Outcome::Pass => ("pass", None),
        Outcome::Fail(sentence) => ("fail", Some(sentence)),
        Outcome::Error(sentence) => ("error", Some(sentence)),
        Outcome::Ask(sentence) => ("a person decides", Some(sentence)),
    }
}

fn print(judged: &[(Rules, Evaluation)], args: &Args) -> Result<(), Failure> {
    let mut out = Output::open();
    let mut rows = Vec::new();
    for (rules, evaluation) in judged {
        for result in &evaluation.procedures {
            let (word, sentence) = words(&result.outcome);
            if args.json {
                let printed = Printed { rules: *rules, procedure: &result.name, result: word, sentence };
                out.object_line("desktop_procedure", &printed)?;
                continue;
            }
            let rules = if judged.len() > 1 { rules.name() } else { "" };
            let cells = [rules, &result.name, word, sentence.unwrap_or_default()];
            rows.push(cells.map(str::to_owned).to_vec());
        }
    }
    if args.json {
        return Ok(());
    }
    out.table(&rows)?;
    if let (None, [(_, evaluation)]) = (&args.procedures, judged) {
        let score =
            evaluation.score().map_or("not judged".to_owned(), |score| format!("score {}", 100 * score));
        out.line(score)?;
    }
    Ok(())
}
