//! `web score`: scores results of the released code.

use serde::Serialize;

use mageyard_cli::{Exit, Failure, Output};
use mageyard_config::{Problem, SourceFile};
use mageyard_domain::{count_noun, parse_records};
use mageyard_web::check::Counts;
use mageyard_web::levels::Records;
use mageyard_web::results::{ScoredResults, read_out, score_results};
use mageyard_web::scores::{Mean, Summary, TaskStatus};
use mageyard_web::task::Task;

/// The largest file of results, in bytes: they have texts of pages and models.
const RESULTS_LIMIT: u64 = 512 << 20;
/// The largest file of tasks, in bytes.
const TASKS_LIMIT: u64 = 64 << 20;
/// The value of a quotient without a denominator, or of what is not computed.
const NONE: &str = "–";

/// Score results of the released code of WebCanvas (out.json) by its reading and by ours
///
/// The released code takes task success from the status, and counts steps per node as 0 where
/// nothing was achieved. Clean figures leave out tasks with the status blocked.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// File of results, such as out.json
    #[arg(value_name = "FILE")]
    results: String,
    /// File of the tasks, in the form of Mind2Web-Live
    #[arg(long, value_name = "FILE")]
    tasks: String,
    /// Cost of all tasks in US dollars, for the cost of a node
    #[arg(long, value_name = "USD", value_parser = cost)]
    usd: Option<f64>,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

fn cost(text: &str) -> Result<f64, String> {
    let cost = text.parse().ok().filter(|cost: &f64| cost.is_finite() && *cost >= 0.0);
    cost.ok_or_else(|| "is not an amount such as 12.50".to_owned())
}

pub(super) fn run(args: &Args) -> Result<Exit, Failure> {
    let tasks = tasks(&args.tasks)?;
    let file = SourceFile::read(&args.results, RESULTS_LIMIT)?;
    let in_line = |error: mageyard_web::results::OutError| {
        Failure::from(file.problem_in_line(error.error.to_string(), error.line))
    };
    let results = read_out(&file.text).map_err(in_line)?;
    let scored = score_results(&results, &tasks, args.usd).map_err(in_line)?;
    let mut out = Output::open();
    if args.json {
        out.object_line("web_score", &Printed::of(&scored))?;
        return Ok(Exit::Done);
    }
    out.line(format!("{}: {}", args.tasks, Counts::of(&tasks)))?;
    let statuses = TaskStatus::ALL.iter().zip(scored.statuses).filter(|(_, count)| *count > 0);
    let statuses: Vec<String> =
        statuses.map(|(status, count)| format!("{count} {}", status.name())).collect();
    out.line(format!(
        "{}: {}, {}",
        args.results,
        count_noun(results.len(), "result", "results"),
        statuses.join(", ")
    ))?;
    out.table(&rows(&scored))?;
    Ok(Exit::Done)
}

/// The tasks of a file of the user.
fn tasks(path: &str) -> Result<Vec<Task>, Problem> {
    let file = SourceFile::read(path, TASKS_LIMIT)?;
    let levels = parse_records(&file.text, &Records);
    let levels = levels.map_err(|error| file.problem_in_line(error.reason, error.line))?;
    let task = |level| Task::of_level(level).map_err(|error| file.problem_in_line(error.to_string(), 1));
    levels.iter().map(task).collect()
}

/// The figures: by the released code, by us, and without blocked tasks.
fn rows(scored: &ScoredResults) -> Vec<Vec<String>> {
    let ScoredResults { all, clean, .. } = scored;
    let percent = |value: Option<f64>| value.map_or(NONE.to_owned(), |value| format!("{:.1}", 100.0 * value));
    let plain = |value: Option<f64>| value.map_or(NONE.to_owned(), |value| format!("{value:.2}"));
    let mean = |mean: Option<Mean>| {
        mean.map_or(NONE.to_owned(), |mean| format!("{:.2} of {}", mean.value, mean.tasks))
    };
    let same = |value: fn(&Summary) -> Option<f64>| [value(all), value(all), value(clean)].map(percent);
    let rows = [
        ("", ["released code", "here", "clean"].map(str::to_owned)),
        ("completion %", same(|summary| summary.completion)),
        ("step score %", same(|summary| summary.rate)),
        ("success %", [Some(scored.success_by_status), all.success, clean.success].map(percent)),
        ("near success %", same(|summary| summary.near_success)),
        ("human alignment %", [None, all.human_alignment, clean.human_alignment].map(percent)),
        (
            "steps a node",
            [all.efficiency_with_zeros, all.efficiency_of_sums, clean.efficiency_of_sums].map(plain),
        ),
        ("steps a node, where any", [None, all.efficiency, clean.efficiency].map(mean)),
        ("USD a node", [all.usd_efficiency, all.usd_efficiency, None].map(plain)),
        ("length score", [all.length_score, all.length_score, clean.length_score].map(mean)),
    ];
    rows.into_iter().map(|(name, values)| [vec![name.to_owned()], values.to_vec()].concat()).collect()
}

/// The scores as JSON. Shares are from 0 to 1.
#[derive(Serialize)]
struct Printed {
    tasks: usize,
    statuses: serde_json::Map<String, serde_json::Value>,
    success_by_status: f64,
    all: PrintedSummary,
    clean: PrintedSummary,
}

#[derive(Serialize)]
struct PrintedSummary {
    tasks: usize,
    completion: Option<f64>,
    step_score_rate: Option<f64>,
    success: Option<f64>,
    near_success: Option<f64>,
    human_alignment: Option<f64>,
    efficiency_with_zeros: Option<f64>,
    efficiency_of_sums: Option<f64>,
    efficiency: Option<f64>,
    efficiency_tasks: usize,
    usd_efficiency: Option<f64>,
    length_score: Option<f64>,
}

impl Printed {
    fn of(scored: &ScoredResults) -> Self {
        let statuses = TaskStatus::ALL.iter().zip(scored.statuses);
        Self {
            tasks: scored.all.tasks,
            statuses: statuses.map(|(status, count)| (status.name().to_owned(), count.into())).collect(),
            success_by_status: scored.success_by_status,
            all: PrintedSummary::of(&scored.all),
            clean: PrintedSummary::of(&scored.clean),
        }
    }
}

impl PrintedSummary {
    fn of(summary: &Summary) -> Self {
        Self {
            tasks: summary.tasks,
            completion: summary.completion,
            step_score_rate: summary.rate,
            success: summary.success,
            near_success: summary.near_success,
            human_alignment: summary.human_alignment,
            efficiency_with_zeros: summary.efficiency_with_zeros,
            efficiency_of_sums: summary.efficiency_of_sums,
            efficiency: summary.efficiency.map(|mean| mean.value),
            efficiency_tasks: summary.efficiency.map_or(0, |mean| mean.tasks),
            usd_efficiency: summary.usd_efficiency,
            length_score: summary.length_score.map(|mean| mean.value),
        }
    }
}
