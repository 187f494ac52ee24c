//! `sweep submit`: writes the job file for a scheduler and hands it in.

mod kubernetes;
mod ray;
mod slurm;

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::source::SweepSource;
use crate::context::Context;
use crate::exit::{Exit, Failure};
use crate::output::{Output, count_noun};
use mageyard_config::Problem;
use mageyard_sweep::claims::CONTROL_FOLDER;

/// Run a sweep on a cluster: write a job file of `sweep work` and hand it in
///
/// Every task of the job is a worker that claims cells in the store, which must be on a file system that all machines
/// share. The job file contains the sweep with its overrides; settings of your own config.toml apply where the workers
/// find the same file.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    source: SweepSource,
    /// Scheduler
    #[arg(long, value_enum, value_name = "SCHEDULER")]
    to: Scheduler,
    /// Number of workers
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    nodes: u32,
    /// Command that starts a model server on each node, for slurm; `$PORT` is its port on the node
    ///
    /// The worker of a node starts when the port answers, and asks this server only. Cells that go to another node go on
    /// at its server.
    #[arg(long, value_name = "COMMAND")]
    server: Option<String>,
    /// Only show the job file
    #[arg(long)]
    print: bool,
    /// Container image with mageyard, for kubernetes
    #[arg(long, value_name = "IMAGE", required_if_eq("to", "kubernetes"))]
    image: Option<String>,
    /// Claim of the volume that contains the store, for kubernetes
    #[arg(long, value_name = "CLAIM", required_if_eq("to", "kubernetes"))]
    volume: Option<String>,
    /// Secret whose entries become variables of the workers, such as API keys, for kubernetes
    #[arg(long, value_name = "SECRET")]
    secret: Option<String>,
    /// Further arguments for sbatch, ray job submit or kubectl apply
    #[arg(last = true, value_name = "ARGUMENT")]
    client: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Scheduler {
    Slurm,
    Ray,
    Kubernetes,
}

/// What a job file needs to know.
struct Job {
    /// The name of the sweep, which is safe as a file name.
    name: String,
    /// The sweep with its overrides.
    sweep: String,
    /// This program.
    program: String,
    /// The store, an absolute path.
    store: String,
    /// The working folder, an absolute path.
    folder: String,
    workers: u32,
    /// What starts a model server on each node.
    server: Option<String>,
}

/// The container of a job on Kubernetes.
struct Container<'a> {
    image: &'a str,
    volume: &'a str,
    secret: Option<&'a str>,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let (plan, config) = args.source.plan(context)?;
    if args.server.is_some() && args.to != Scheduler::Slurm {
        let problem = Problem::new("--server has an effect only with --to slurm");
        return Err(problem.with_help("remove it, and give the workers an address with --base-url").into());
    }
    let store = std::path::absolute(config.store_folder()).map_err(Failure::running)?;
    let job = Job {
        sweep: plan.source.to_string(),
        program: path_text(&std::env::current_exe().map_err(Failure::running)?)?,
        store: path_text(&store)?,
        folder: path_text(&std::env::current_dir().map_err(Failure::running)?)?,
        workers: args.nodes,
        server: args.server.clone(),
        name: plan.name,
    };
    let text = job_file(args, &job);
    if args.print {
        Output::open().raw(text.as_bytes())?;
        return Ok(Exit::Done);
    }
    let path = write_job(&store, &job, args.to, &text).map_err(Failure::running)?;
    hand_in(args, &path)?;
    let workers = count_noun(usize::try_from(args.nodes).unwrap_or(usize::MAX), "worker", "workers");
    let mut out = Output::open();
    out.line(format!("handed in {} for {workers}", path.display()))?;
    out.line(format!("`mageyard sweep status {}` shows the cells", job.name))?;
    Ok(Exit::Done)
}

fn job_file(args: &Args, job: &Job) -> String {
    match args.to {
        Scheduler::Slurm => slurm::script(job),
        Scheduler::Ray => ray::script(job),
        Scheduler::Kubernetes => kubernetes::manifest(
            job,
            &Container {
                image: args.image.as_deref().unwrap_or_default(),
                volume: args.volume.as_deref().unwrap_or_default(),
                secret: args.secret.as_deref(),
            },
        ),
    }
}

/// The path as text. A job file cannot contain other bytes or line breaks in a path.
fn path_text(path: &Path) -> Result<String, Problem> {
    let text = path.to_str().filter(|text| !text.contains(char::is_control));
    text.map(str::to_owned).ok_or_else(|| {
        Problem::new(format!("{}: this path cannot be written into a job file", path.display()))
            .with_help("use a path without control characters")
    })
}

/// Keeps the job file in the control folder of the sweep.
fn write_job(store: &Path, job: &Job, to: Scheduler, text: &str) -> io::Result<PathBuf> {
    let name = match to {
        Scheduler::Slurm => "job.slurm.sh",
        Scheduler::Ray => "job.ray.py",
        Scheduler::Kubernetes => "job.kubernetes.yaml",
    };
    let folder = store.join("sweeps").join(&job.name).join(CONTROL_FOLDER);
    std::fs::create_dir_all(&folder)?;
    let path = folder.join(name);
    std::fs::write(&path, text)?;
    Ok(path)
}

/// Runs the client of the scheduler, whose output is shown.
fn hand_in(args: &Args, path: &Path) -> Result<(), Failure> {
    let words: &[&str] = match args.to {
        Scheduler::Slurm => &["sbatch"],
        Scheduler::Ray => &["ray", "job", "submit", "--no-wait"],
        Scheduler::Kubernetes => &["kubectl", "apply"],
    };
    let (program, before) = words.split_first().unwrap_or((&"", &[]));
    let mut command = Command::new(program);
    command.args(before).args(&args.client);
    match args.to {
        Scheduler::Slurm => command.arg(path),
        Scheduler::Ray => command.args(["--", "python3"]).arg(path),
        Scheduler::Kubernetes => command.arg("-f").arg(path),
    };
    let help = format!("the job file is {}; hand it in yourself, or see it with --print", path.display());
    let failed = |what: String| Failure::Problem(Exit::Failed, Problem::new(what).with_help(help.clone()));
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(failed(format!("{program} failed: {status}"))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err(failed(format!("the program {program} is not installed on this machine")))
        }
        Err(error) => Err(failed(format!("{program} cannot be started: {error}"))),
    }
}

#[cfg(test)]
fn sample() -> Job {
    Job {
        name: "memory-ablation".to_owned(),
        sweep: "levels = [\"mine/all\"]\n# it's $HOME `id` \"quoted\"\n".to_owned(),
        program: "/opt/mage yard/mageyard".to_owned(),
        store: "/data/it's/$store".to_owned(),
        folder: "/home/me".to_owned(),
        workers: 8,
        server: None,
    }
}
