//! `levels trace`: applies a list of actions to a level and prints each step.

use mageyard_lab::select_levels;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::context::Context;
use crate::diagnostics::print_message;
use crate::exit::{Exit, Failure};
use crate::output::Output;
use crate::records::Record;
use crate::runtime;
use crate::signals::stop_signal;
use mageyard_config::{Config, Problem};
use mageyard_domain::{
    ActionError, ActionSpace, EnvironmentContext, Observation, Returns, RewardTerms, Status, split_list,
};
use mageyard_engine::{Distance, Distances};
use mageyard_lab::{DistanceAfter, SelectedLevel};

/// Apply a list of actions to a level and print each step
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Level, level set or file
    #[arg(value_name = "LEVEL")]
    reference: String,
    /// Number or title of the level, if LEVEL has more than one
    #[arg(long, value_name = "N")]
    level: Option<String>,
    /// Actions to apply, such as Up,Left
    #[arg(long, value_name = "A,B,...", required = true)]
    actions: String,
    /// Print the distance to the goal and the extra moves after each action
    #[arg(long)]
    distance: bool,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

/// A step (`levels trace`).
#[derive(Serialize, JsonSchema)]
pub(crate) struct TracedStep {
    /// Reference of the level.
    reference: String,
    /// Number of the step.
    step: usize,
    /// Action.
    action: String,
    /// Reward of the step.
    reward: f64,
    /// Sum of rewards so far.
    sum: f64,
    /// Highest sum of rewards so far.
    best: f64,
    /// Score so far; null without an optimum.
    score: Option<f64>,
    /// Terms of the reward of the step by name; null where the environment names none.
    #[schemars(with = "Option<BTreeMap<String, f64>>")]
    reward_terms: Option<RewardTerms>,
    /// `running`, `won` or `lost`.
    #[schemars(with = "String")]
    status: Status,
    #[serde(flatten)]
    distance: Option<DistanceAfter>,
    /// The state as text.
    #[schemars(with = "Option<String>")]
    board: Value,
}

impl Record for TracedStep {
    const TYPE: &'static str = "trace_step";
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let chosen = select_levels(&context.lab, context.folders(), &args.reference)?;
    let chosen = mageyard_lab::select_one_level(chosen, args.level.as_deref())?;
    let members = split_list(&args.actions, &[','], true).into_iter();
    let actions: Vec<&str> = members.map(|member| args.actions[member].trim()).collect();
    let rows = runtime::multi_thread_runtime()?.block_on(play_until_stopped(
        &chosen,
        &context.config()?,
        &actions,
        args.distance,
    ))?;
    print(&rows, args.json)?;
    let left = actions.len() - rows.len();
    if left > 0 {
        let ended =
            format!("the level ended at step {}; {left} further actions were not applied", rows.len());
        print_message(&ended);
    }
    Ok(Exit::Done)
}

/// The steps, or a failure if a signal arrives. The solver may run for long, so a task of its own waits for signals.
async fn play_until_stopped(
    chosen: &SelectedLevel,
    config: &Config,
    actions: &[&str],
    distance: bool,
) -> Result<Vec<TracedStep>, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let signal = tokio::spawn({
        let stop = stop.clone();
        async move {
            let exit = stop_signal().await;
            stop.store(true, Ordering::Relaxed);
            exit
        }
    });
    let rows = play(chosen, config, actions, distance, &stop).await;
    if stop.load(Ordering::Relaxed) {
        let exit = signal.await.map_err(Failure::running)?;
        return Err(Failure::Problem(
            exit,
            Problem::new(format!("stopped while tracing {}", chosen.reference)),
        ));
    }
    rows
}

/// One row per action, up to the end of the level or until `stop` is set. An unknown action is an error before anything
/// is printed.
async fn play(
    chosen: &SelectedLevel,
    config: &Config,
    actions: &[&str],
    distance: bool,
    stop: &AtomicBool,
) -> Result<Vec<TracedStep>, Failure> {
    let (mut world, context) =
        (mageyard_lab::create_for_level(chosen, config)?, EnvironmentContext::default());
    let opening = world.open(&context).await.map_err(Failure::running)?;
    let mut space = opening.space;
    let mut status = opening.status;
    let mut returns = Returns::starting_at(opening.points);
    let options = config.settings().options(chosen.spec.name());
    let reference = chosen.spec.capabilities().scoring.reference(&chosen.level, &options, stop);
    let solver = chosen.spec.capabilities().tools.solver.filter(|_| distance);
    let left = |seen: &Observation| {
        let solver = solver?;
        let found = solver.distance_to_goal(seen, solver.limits(&options).bounds(stop))?;
        Distance::from_search(found)
    };
    let mut rows = Vec::new();
    let mut before = opening.observation.clone();
    let mut found = vec![left(&opening.observation)];
    for (index, name) in actions.iter().enumerate() {
        if status != Status::Running || stop.load(Ordering::Relaxed) {
            break;
        }
        let action = space.parse(name).map_err(|error| invalid_action(&error, name, index + 1, &space))?;
        let outcome = world.act(&action, &context).await.map_err(Failure::running)?;
        (space, status, returns) = (outcome.space, outcome.status, returns.plus(outcome.reward));
        found.push(left(&outcome.observation));
        rows.push(TracedStep {
            reference: chosen.reference.clone(),
            step: index + 1,
            action: action.to_string(),
            reward: outcome.reward,
            sum: returns.sum,
            best: returns.best,
            score: chosen.spec.score(returns, reference.as_ref()),
            reward_terms: RewardTerms::between(
                chosen.spec.capabilities().scoring,
                &before,
                &outcome.observation,
            ),
            status,
            distance: None,
            board: outcome.observation.facts().get("board").cloned().unwrap_or(Value::Null),
        });
        before = outcome.observation;
    }
    world.close().await;
    if distance {
        let distances = Distances::new(found, false);
        for row in &mut rows {
            row.distance = Some(DistanceAfter::after(&distances, row.step));
        }
    }
    Ok(rows)
}

fn invalid_action(error: &ActionError, name: &str, step: usize, space: &ActionSpace) -> Problem {
    if !matches!(error, ActionError::Unknown { .. }) {
        return Problem::new(format!("--actions: action {step}: {error}"));
    }
    let names: Vec<&str> = space.names().collect();
    Problem::new(format!("--actions: action {step} is {name:?}, which is not in the action space"))
        .with_suggestions(name, names.iter().copied())
}

fn print(rows: &[TracedStep], json: bool) -> Result<(), Failure> {
    let mut out = Output::open();
    for row in rows {
        if json {
            out.record(row)?;
            continue;
        }
        let score = row.score.map_or_else(String::new, |score| format!("  score {score:.1}"));
        let terms = row.reward_terms.as_ref().map_or_else(String::new, |terms| format!("  {terms}"));
        let distance = row.distance.as_ref().map_or_else(String::new, |way| format!("  {way}"));
        out.line(format!(
            "{:>3}  {:<6} {:>+6.1}  sum {:>+6.1}{score}{terms}{distance}",
            row.step, row.action, row.reward, row.sum
        ))?;
        out.line(row.board.as_str().unwrap_or_default())?;
    }
    Ok(())
}
