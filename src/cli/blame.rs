//! `blame`: the step after which the goal of an episode was out of reach.

use std::path::Path;
use std::pin::pin;

use serde_json::Value;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::comparison_text::probability;
use super::context::Context;
use super::continuations::needs_text;
use super::continuations::row_cells;
use super::continuations::row_object;
use super::continuations::row_titles;
use super::continuations::unfinished;
use super::exit::Exit;
use super::exit::Failure;
use super::output::Output;
use super::output::count_noun;
use super::runtime::parallel_runtime;
use super::session::kept_flags;
use super::signals::stop_signal;
use crate::config::Config;
use crate::config::Problem;
use crate::engine::Detour;
use crate::engine::Store;
use crate::lab::BlameRequest;
use crate::lab::ContinuationPlan;
use crate::lab::PlayedBlame;
use crate::lab::PlayedVerdict;
use crate::lab::Probe;
use crate::lab::SolverVerdict;
use crate::lab::merged;
use crate::lab::step_reference;

/// The most steps off the shortest path that are printed; JSON has all.
const MOST_DETOURS: usize = 10;

/// Find the step after which the goal of an episode was out of reach
///
/// Where the environment has a solver, it proves the step, and no request is sent. Else, or with --play, the episode is played
/// on from the start of several steps, each several times, in branches of the episode: by bisection, a step is found from
/// whose start the goal is still reached, in at least half as many episodes as from the first one, and not from the next one.
/// The number of episodes and their estimated cost are printed first.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Episode: a name or `last`, /2 for an episode, #b1 for a branch
    #[arg(value_name = "SESSION[/EPISODE]")]
    session: String,
    /// Play on, even if there is a solver
    #[arg(long)]
    play: bool,
    /// Episodes from each step that is tried
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    samples: u32,
    /// Seed of the order and of the random choices of the agent
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Episodes at once [default: the run.jobs setting]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: Option<u16>,
    /// Open a live surface again, although what cannot be seen of its state may differ
    #[arg(long = "unsafe")]
    allow_unsafe: bool,
    /// Print what would be played and what it needs, and play nothing
    #[arg(long)]
    dry_run: bool,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let config = context.config()?;
    let store = Store::new(config.store_folder());
    let journals = store.find(&args.session)?;
    let [journal] = journals.as_slice() else {
        let what = format!("the session has {} episodes", journals.len());
        return Err(Problem::new(what).with_help(format!("name one, such as {}/1", args.session)).into());
    };
    let mut printer = Printer { out: Output::open(), json: args.json, run: store.reference(journal) };
    parallel_runtime()?.block_on(async {
        if !args.play {
            let verdict = context.lab.blame(journal, &config).await?;
            if verdict != SolverVerdict::NoSolver {
                return printer.solver(&verdict);
            }
        }
        Box::pin(play(args, (context, &config), journal, &mut printer)).await
    })
}

/// Plays on from several steps.
async fn play(
    args: &Args,
    (context, config): (&Context, &Config),
    journal: &Path,
    printer: &mut Printer,
) -> Result<Exit, Failure> {
    let given = kept_flags(context);
    let request =
        BlameRequest { samples: args.samples, seed: args.seed, given, allow_unsafe: args.allow_unsafe };
    let (steps, most) = context.lab.blame_steps(journal).await?;
    let first = steps.first().copied().unwrap_or(1);
    let plan = context.lab.plan_probe(journal, first, &request, config).await?;
    printer.plan(&plan, steps.len(), most)?;
    if args.dry_run {
        return Ok(Exit::Done);
    }
    let jobs = args.concurrency.map_or(config.settings().run.jobs, usize::from);
    let stop = CancellationToken::new();
    let mut ended = |_: u32, _: &_| {};
    let (blame, signal) = {
        let lab = &context.lab;
        let mut playing = pin!(lab.blame_by_playing(journal, &request, (config, jobs), &stop, &mut ended));
        tokio::select! {
            biased;
            exit = stop_signal() => {
                stop.cancel();
                (playing.await?, Some(exit))
            }
            blame = &mut playing => (blame?, None),
        }
    };
    printer.played(&blame)?;
    match (signal, blame.verdict) {
        (Some(exit), _) => Ok(exit),
        (None, PlayedVerdict::Unfinished { why }) => Err(unfinished(&why)),
        (None, _) => Ok(Exit::Done),
    }
}

/// Prints the verdict as text or as JSON.
struct Printer {
    out: Output,
    json: bool,
    /// The reference of the episode.
    run: String,
}

impl Printer {
    fn solver(&mut self, verdict: &SolverVerdict) -> Result<Exit, Failure> {
        if self.json {
            self.out.object_line("blame", &solver_object(&self.run, verdict))?;
        } else {
            solver_lines(&self.run, verdict).iter().try_for_each(|line| self.out.line(line))?;
        }
        Ok(Exit::Done)
    }

    /// What is played and what it needs at most.
    fn plan(&mut self, plan: &ContinuationPlan, steps: usize, most: u32) -> Result<(), Failure> {
        let samples = plan.request.samples;
        let steps_left = plan.variants.first().map_or(0, |variant| variant.steps_left);
        let most_steps = u64::from(most) * u64::from(samples) * u64::from(steps_left);
        if self.json {
            let object = json!({
                "run": self.run, "steps": steps, "most_probes": most, "samples": samples, "most_steps": most_steps,
                "tokens_in_per_request": plan.per_request.map(|usage| usage.input),
                "tokens_out_per_request": plan.per_request.map(|usage| usage.output),
            });
            self.out.object_line("blame_plan", &object)?;
            return Ok(());
        }
        self.out.line(format!(
            "{}: {}, from at most {most} of them {} each, in branches; the environment comes back {}",
            self.run,
            count_noun(steps, "step", "steps"),
            count_noun(samples as usize, "episode", "episodes"),
            plan.restored
        ))?;
        self.out.line(needs_text(most_steps, plan))?;
        Ok(())
    }

    fn played(&mut self, blame: &PlayedBlame) -> Result<(), Failure> {
        if self.json {
            for Probe { step, row } in &blame.probes {
                let own = json!({"run": step_reference(&self.run, *step), "step": step});
                self.out.object_line("blame_probe", &merged(own, row_object(row)))?;
            }
            let object = played_object(&self.run, &blame.verdict);
            self.out.object_line("blame", &object)?;
            return Ok(());
        }
        if !blame.probes.is_empty() {
            let titles = std::iter::once("from step").chain(row_titles()).map(str::to_owned).collect();
            let row = |probe: &Probe| {
                std::iter::once(probe.step.to_string()).chain(row_cells(&probe.row)).collect()
            };
            let rows: Vec<Vec<String>> =
                std::iter::once(titles).chain(blame.probes.iter().map(row)).collect();
            self.out.line("")?;
            self.out.column_blocks(&rows, 1)?;
        }
        played_lines(&self.run, &blame.verdict).iter().try_for_each(|line| self.out.line(line))?;
        Ok(())
    }
}

fn solver_lines(run: &str, verdict: &SolverVerdict) -> Vec<String> {
    match verdict {
        SolverVerdict::NoSolver => vec![format!("{run}: no solver can read the states")],
        SolverVerdict::Won => vec![format!("{run}: the goal was reached, so no step is to blame")],
        SolverVerdict::NeverPossible => {
            vec![format!("{run}: the goal was out of reach from the start, proven")]
        }
        SolverVerdict::Lost { step, action, before } => vec![
            format!("{run}: step {step} ({action}) put the goal out of reach, proven by the solver"),
            format!(
                "  before it {} were left; after it no solution exists",
                count_noun(*before as usize, "move", "moves")
            ),
            format!("  look at it: mageyard view {}", step_reference(run, *step)),
        ],
        SolverVerdict::StillPossible { left, detours } => {
            let left = count_noun(*left as usize, "move", "moves");
            let mut lines = vec![format!(
                "{run}: the goal was within reach to the end ({left} left), so no step is to blame"
            )];
            lines.extend(detours.iter().take(MOST_DETOURS).map(|detour| format!("  {detour}")));
            let rest = detours.len().saturating_sub(MOST_DETOURS);
            lines.extend((rest > 0).then(|| format!("  {rest} more; --json has all")));
            lines
        }
        SolverVerdict::Unknown { after, until, why } => {
            let from = if *after > 0 { format!("step {after} or later") } else { "any step".to_owned() };
            let to = until.map_or(String::new(), |until| format!(", at the latest step {until}"));
            vec![
                format!("{run}: not known: {from}{to}; {why}"),
                "  more time: --set screen.distance_time=0; or play on from the steps: --play".to_owned(),
            ]
        }
    }
}

/// The object of a verdict: all fields, of which these have a value.
fn verdict_object(run: &str, by: &str, verdict: &str, known: Value) -> Value {
    let all = json!({
        "run": run, "by": by, "verdict": verdict, "step": null, "action": null, "moves_before": null, "moves_left": null,
        "detours": null, "earliest": null, "latest": null, "p": null, "why": null,
    });
    merged(all, known)
}

fn solver_object(run: &str, verdict: &SolverVerdict) -> Value {
    let (name, known) = match verdict {
        SolverVerdict::NoSolver => ("no_solver", json!({})),
        SolverVerdict::Won => ("won", json!({})),
        SolverVerdict::NeverPossible => ("never_possible", json!({})),
        SolverVerdict::Lost { step, action, before } => {
            ("step", json!({"step": step, "action": action, "moves_before": before}))
        }
        SolverVerdict::StillPossible { left, detours } => {
            let detours: &[Detour] = detours;
            ("still_possible", json!({"moves_left": left, "detours": detours}))
        }
        SolverVerdict::Unknown { after, until, why } => {
            ("unknown", json!({"earliest": after, "latest": until, "why": why}))
        }
    };
    verdict_object(run, "solver", name, known)
}

fn played_lines(run: &str, verdict: &PlayedVerdict) -> Vec<String> {
    match verdict {
        PlayedVerdict::Won => vec![format!("{run}: the goal was reached, so no step is to blame")],
        PlayedVerdict::NeverWon => {
            vec![format!(
                "{run}: the goal was not reached from the first step either, so no step can be named"
            )]
        }
        PlayedVerdict::Step { step, p } => {
            let sure = p.map_or_else(
                || "; it is the last one, after which only the recording is known".to_owned(),
                |p| format!(" (Fisher's exact test between the two: p {})", probability(p)),
            );
            vec![
                format!(
                    "{run}: step {step} is to blame: from its start the goal is reached, from the next one in less than half as many episodes as from the first{sure}"
                ),
                "  the chances are taken to fall from step to step; the test is not corrected for the search"
                    .to_owned(),
                format!("  look at it: mageyard view {}", step_reference(run, *step)),
            ]
        }
        PlayedVerdict::Unfinished { .. } => {
            vec![format!("{run}: not known yet: not every branch came to its end")]
        }
    }
}

fn played_object(run: &str, verdict: &PlayedVerdict) -> Value {
    let (name, known) = match verdict {
        PlayedVerdict::Won => ("won", json!({})),
        PlayedVerdict::NeverWon => ("never_won", json!({})),
        PlayedVerdict::Step { step, p } => ("step", json!({"step": step, "p": p})),
        PlayedVerdict::Unfinished { why } => ("unfinished", json!({"why": why})),
    };
    verdict_object(run, "playing", name, known)
}
