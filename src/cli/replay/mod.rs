//! `replay`: replays recorded episodes and verifies them against their recording.

mod receipts;

use mageyard_lab::recorded_episode;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Serialize;

use crate::context::Context;
use crate::exit::{Exit, Failure};
use crate::output::{Output, count_noun};
use crate::records::Record;
use crate::runtime::single_thread_runtime;
use crate::session::refuse_recorded_settings;
use crate::{output_file, play};
use mageyard_config::{Config, Problem};
use mageyard_engine::{Ending, Head, Store};
use mageyard_lab::{EpisodeFields, EpisodeId, Verified};

/// Replay recorded episodes and verify every step
///
/// Everything comes from the recording: level, seed, setting, prompt, memory window and the settings of the model.
/// Each request is composed again and compared with the recorded one, each recorded reply is read again, and each
/// state and reward is compared. Nothing is sent and nothing is stored. The replay ends at the first difference with
/// exit code 5.
///
/// --prompt, --reader, --am and --om replace what was recorded, to find the first request or reply that they change.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Session to replay: its name, `last`, a sweep or SWEEP/CELL; /2 selects episode 2, #5 ends after step 5
    #[arg(value_name = "SESSION[/EPISODE][#STEP]")]
    session: String,
    /// Open the screen and replay there, step by step, as a new session
    #[arg(long, conflicts_with = "json")]
    screen: bool,
    /// Write what was compared, with digests of states, pixels, requests and replies, so that others can check it
    #[arg(long, value_name = "FILE", conflicts_with = "screen")]
    receipt: Option<PathBuf>,
    /// Replace the file of --receipt if it exists
    #[arg(long, requires = "receipt")]
    force: bool,
    /// Compare the replay with a receipt that --receipt has written, also with its pixels
    #[arg(long, value_name = "FILE", conflicts_with = "screen")]
    against: Option<PathBuf>,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

/// A replayed episode (`replay`).
#[derive(Serialize, JsonSchema)]
pub(super) struct ReplayRecord<'a> {
    #[serde(flatten)]
    identity: EpisodeFields,
    /// Reference for `view`.
    run: &'a str,
    /// Verified steps.
    steps: usize,
    /// Verified requests.
    requests: usize,
    /// Verified replies.
    replies: usize,
    /// Why the episode ended; null if unfinished.
    #[schemars(with = "Option<String>")]
    ending: Option<Ending>,
    /// Whether the replay equals the recording.
    identical: bool,
    /// First difference.
    difference: Option<String>,
}

impl Record for ReplayRecord<'_> {
    const TYPE: &'static str = "replay";
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    refuse_recorded_settings(context)?;
    let config = context.config()?;
    let (session, step) = mageyard_lab::parse_step_reference(&args.session)?;
    let store = Store::new(config.store_folder());
    let journals = store.find(session)?;
    if args.screen {
        return on_screen(&journals, step, context, config);
    }
    if let Some(path) = &args.receipt {
        output_file::check_writable(path, args.force)?;
    }
    let known = args.against.as_deref().map(receipts::read).transpose()?;
    let mut receipts = Vec::new();
    let mut printer = Printer { store, json: args.json, out: Output::open() };
    single_thread_runtime()?.block_on(async {
        for journal in &journals {
            let done = recorded_episode(&context.lab, journal).verify(&config, step).await?;
            let result = done.result.map_err(Failure::from).and_then(|()| match &known {
                Some(known) => receipts::compare(known, receipts.len(), &done.receipt),
                None => Ok(()),
            });
            printer.print(journal, &done.head, &done.verified, result)?;
            receipts.push((printer.store.reference(journal), done.head, done.receipt));
        }
        if let Some(path) = &args.receipt {
            receipts::write(path, &receipts, args.force)?;
        }
        Ok(Exit::Done)
    })
}

/// Opens the screen on the first of these episodes, with the agent `replay`.
fn on_screen(
    journals: &[PathBuf],
    step: Option<u32>,
    context: &Context,
    config: Config,
) -> Result<Exit, Failure> {
    if step.is_some() {
        let problem = Problem::new("--screen always begins at the first step");
        return Err(problem.with_help("leave out the step").into());
    }
    let [journal] = journals else {
        let what = format!("the session has {} episodes, and --screen replays one", journals.len());
        return Err(Problem::new(what).with_help("name one, such as SESSION/2").into());
    };
    let head = recorded_episode(&context.lab, journal).replay_head(&config)?;
    play::replay(head, context, config)
}

/// Prints a line per episode.
struct Printer {
    store: Store,
    json: bool,
    out: Output,
}

impl Printer {
    /// Prints the result of an episode; a difference becomes the failure of the verb.
    fn print(
        &mut self,
        journal: &std::path::Path,
        head: &Head,
        done: &Verified,
        result: Result<(), Failure>,
    ) -> Result<(), Failure> {
        let run = self.store.reference(journal);
        let difference = match &result {
            Ok(()) => None,
            Err(Failure::Problem(Exit::Mismatch, problem)) => Some(problem.message.clone()),
            Err(_) => return result,
        };
        if self.json {
            self.out.record(&ReplayRecord {
                identity: EpisodeFields::of(&EpisodeId::of_journal(journal), head),
                run: &run,
                steps: done.steps,
                requests: done.requests,
                replies: done.replies,
                ending: done.ending,
                identical: difference.is_none(),
                difference,
            })?;
        } else if difference.is_none() {
            let count = |count: usize, one: &str, several: &str| count_noun(count, one, several);
            self.out.line(format!(
                "{run}  {}  {}  {}, {}, {}: identical",
                head.reference,
                head.agent.display_name(),
                count(done.steps, "step", "steps"),
                count(done.requests, "request", "requests"),
                count(done.replies, "reply", "replies"),
            ))?;
        }
        result.map_err(|failure| match failure {
            Failure::Problem(exit, problem) => {
                Failure::Problem(exit, Problem { message: format!("{run}: {}", problem.message), ..problem })
            }
            failure @ Failure::Output(_) => failure,
        })
    }
}
