//! `memory`: what the memory of an agent costs, and what it is worth.

use std::collections::BTreeMap;
use std::io;

use schemars::JsonSchema;
use serde::Serialize;

use super::context::Context;
use super::diagnostics::print_message;
use super::exit::{Exit, Failure};
use super::output::Output;
use super::records::Record;
use super::runtime::{parallel_runtime, single_thread_runtime};
use super::session::kept_flags;
use super::studies::{StudyPrinter, StudyRecords};
use super::sweep::episode_flags;
use super::sweep::run::worker_label;
use super::table::align_numbers;
use mageyard_agents::request_reader;
use mageyard_domain::Price;
use mageyard_engine::Store;
use mageyard_lab::read_recordings;
use mageyard_statistics::Interval;
use mageyard_study::{
    ConfirmArgs, ConfirmPlanRecord, ConfirmResultRecord, ConfirmSubject, ConfirmedWindowRecord,
    DistanceValue, MemoryArgs, MemoryAudit, MemoryConfirm, MemoryReach, MemoryStudy, ModelAudit, PartCost,
    Remembered, Study, StudyEvent, audit_text, distance_values, write_window,
};

/// Say what the memory of an agent costs and what it is worth
#[derive(Debug, clap::Subcommand)]
pub(super) enum Verb {
    Audit(AuditArgs),
    Study(StudyArgs),
    Confirm(ConfirmVerb),
}

/// Add up recorded tokens by part and by distance back; no model is called
///
/// Prompt segments, past outputs and frames of every request, with the share that was sent again unchanged, and what a cache
/// of prompts saved and could have saved. docs/memory.md says how tokens are divided.
#[derive(Debug, clap::Args)]
pub(super) struct AuditArgs {
    /// Sessions: names or their beginnings, `last`, folders, journals or sweeps
    #[arg(value_name = "SESSIONS", default_value = "last")]
    sessions: Vec<String>,
    /// Print JSON, one object per model
    #[arg(long)]
    json: bool,
}

/// Find how far back the frames and past steps are that decide, by asking again
///
/// Steps are drawn alike from the beginning, the middle and the end of won and of other episodes. The replies are stored beside the
/// recordings, as those of `ask --leave-out` are: the same command makes only the calls that are missing. docs/memory.md says how to
/// read the result.
#[derive(Debug, clap::Args)]
pub(super) struct StudyArgs {
    /// Sessions: names or their beginnings, `last`, folders, journals or sweeps
    #[arg(value_name = "SESSIONS", default_value = "last")]
    sessions: Vec<String>,
    #[command(flatten)]
    asked: MemoryArgs,
    /// Print what would be asked and what it needs, and send nothing
    #[arg(long)]
    dry_run: bool,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

/// Find the smallest window that is not worse by more than a margin
///
/// Whole episodes are played, paired by level and seed, as cells of a sweep. After each part of them the difference of the scores is
/// evaluated, and what is decided is not played on; all looks together keep the error. The same command plays only what is
/// missing. docs/memory.md describes the procedure.
#[derive(Debug, clap::Args)]
pub(super) struct ConfirmVerb {
    /// Levels or sets of levels; or sessions or a sweep, with their levels, model, prompt and settings
    #[arg(value_name = "LEVELS|SESSIONS", default_value = "last")]
    named: Vec<String>,
    #[command(flatten)]
    confirmed: ConfirmArgs,
    /// Print what would be played and what it needs, and send nothing
    #[arg(long)]
    dry_run: bool,
    /// Write the smallest confirmed window into the settings file of the project
    #[arg(long, conflicts_with = "dry_run")]
    apply: bool,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

impl Verb {
    pub(super) fn run(self, context: &Context) -> Result<Exit, Failure> {
        match self {
            Self::Audit(args) => audit(&args, context),
            Self::Study(args) => study(&args, context),
            Self::Confirm(args) => confirm(&args, context),
        }
    }
}

fn audit(args: &AuditArgs, context: &Context) -> Result<Exit, Failure> {
    let config = context.config()?;
    let prices = mageyard_config::load_prices(&config)?;
    let store = Store::new(config.store_folder());
    let audit = single_thread_runtime()?.block_on(async {
        let mut audit = MemoryAudit::default();
        for recording in read_recordings(&context.lab, &store, &args.sessions) {
            audit.add(MemoryAudit::of(&recording?.restore().await?.episode, request_reader()));
        }
        Ok::<_, Failure>(audit)
    })?;
    let mut out = Output::open();
    if args.json {
        for (name, model) in &audit.models {
            out.record(&AuditRecord::new(name, model, prices.find(name)))?;
        }
        return Ok(Exit::Done);
    }
    if audit.models.is_empty() {
        out.line("no request was recorded: the agents of these sessions send none")?;
    }
    for text in audit_text(&audit, &prices) {
        for line in text.lines {
            out.line(&line)?;
        }
        for table in text.tables {
            out.line("")?;
            for line in align_numbers(table) {
                out.line(&line)?;
            }
        }
    }
    Ok(Exit::Done)
}

fn study(args: &StudyArgs, context: &Context) -> Result<Exit, Failure> {
    let config = context.config()?;
    let mut printer = StudyPrinter::new(args.json);
    parallel_runtime()?.block_on(async {
        let given = kept_flags(context);
        let study = MemoryStudy::plan(&context.lab, &args.sessions, &args.asked, given, &config).await?;
        printer.run(&study, context, args.dry_run).await
    })
}

fn confirm(args: &ConfirmVerb, context: &Context) -> Result<Exit, Failure> {
    let config = context.config()?;
    let mut printer = StudyPrinter::new(args.json);
    parallel_runtime()?.block_on(async {
        let flags = episode_flags(context).cloned().collect();
        let subject = ConfirmSubject { named: &args.named, flags, label: worker_label() };
        let study = MemoryConfirm::plan(&context.lab, subject, &args.confirmed, config.clone()).await?;
        let exit = printer.run(&study, context, args.dry_run).await?;
        if args.apply && matches!(exit, Exit::Done) {
            let written = study.smallest().map(|window| write_window(&config, window)).transpose()?;
            let lines =
                written.unwrap_or_else(|| vec!["nothing is written: no window is confirmed".to_owned()]);
            for line in &lines {
                print_message(line);
            }
        }
        Ok(exit)
    })
}

impl StudyRecords for MemoryConfirm {
    fn print_plan(&self, out: &mut Output) -> io::Result<()> {
        out.record(&ConfirmPlanRecord::of(self))
    }

    fn print_event(&self, _: StudyEvent<'_>, _: &mut Output) -> io::Result<()> {
        Ok(())
    }

    fn print_table(&self, out: &mut Output) -> io::Result<()> {
        let results = self.results();
        results
            .iter()
            .try_for_each(|(window, found)| out.record(&ConfirmedWindowRecord::of(*window, found)))?;
        out.record(&ConfirmResultRecord::of(self))
    }
}

impl Record for ConfirmPlanRecord {
    const TYPE: &'static str = "memory_confirm_plan";
}

impl Record for ConfirmedWindowRecord {
    const TYPE: &'static str = "memory_confirm_window";
}

impl Record for ConfirmResultRecord {
    const TYPE: &'static str = "memory_confirm";
}

impl StudyRecords for MemoryStudy {
    fn print_plan(&self, out: &mut Output) -> io::Result<()> {
        let (_, replies) = self.counts();
        out.record(&PlannedMemoryRecord { states: self.states(), replies, calls: self.left() })
    }

    fn print_event(&self, _: StudyEvent<'_>, _: &mut Output) -> io::Result<()> {
        Ok(())
    }

    fn print_table(&self, out: &mut Output) -> io::Result<()> {
        let answers = self.answers();
        let reach = MemoryReach::of(&answers);
        distance_values(&answers)
            .iter()
            .try_for_each(|value| out.record(&DistanceRecord::new(value, &reach)))?;
        out.record(&WindowRecord::new(&reach))
    }
}

/// What a study of a memory asks (`memory study`).
#[derive(Serialize, JsonSchema)]
pub(super) struct PlannedMemoryRecord {
    /// Number of states.
    states: usize,
    /// Number of replies of the complete study.
    replies: usize,
    /// Number of calls that are missing.
    calls: u64,
}

impl Record for PlannedMemoryRecord {
    const TYPE: &'static str = "memory_plan";
}

/// What a remembered part is worth (`memory study`).
#[derive(Serialize, JsonSchema)]
pub(super) struct DistanceRecord {
    /// What is left out: `row` for a past step, `frame` for its frame alone, `row_pair` and `frame_pair` for two neighbours.
    left_out: &'static str,
    /// How many steps back it is, the nearer one of a pair.
    back: u32,
    /// Number of states that have it.
    states: usize,
    /// Number of their levels.
    levels: usize,
    /// Share of decisions that change.
    change: f64,
    /// Its 95 % interval.
    change_interval: Option<[f64; 2]>,
    /// How much smaller the share of optimal answers is without it; null if that is not known.
    worse: Option<f64>,
    /// Its 95 % interval.
    worse_interval: Option<[f64; 2]>,
    /// Probability of such a change by chance.
    p: f64,
    /// The same, corrected by Holm for all rows.
    p_corrected: f64,
    /// Whether decisions change beyond chance: `p_corrected` is below 0.025.
    matters: bool,
    /// Probability by chance that parts of the sort at this distance or further back change as much together; null if a nearer distance
    /// has shown nothing.
    p_from_here: Option<f64>,
}

impl Record for DistanceRecord {
    const TYPE: &'static str = "memory_distance";
}

impl DistanceRecord {
    fn new(value: &DistanceValue, reach: &MemoryReach) -> Self {
        let ends = |interval: Option<Interval>| interval.map(|Interval { low, high }| [low, high]);
        Self {
            left_out: match value.part.what {
                Remembered::Row => "row",
                Remembered::Frame => "frame",
                Remembered::RowPair => "row_pair",
                Remembered::FramePair => "frame_pair",
            },
            back: value.part.back,
            states: value.states,
            levels: value.levels,
            change: value.change,
            change_interval: ends(value.change_interval),
            worse: value.worse,
            worse_interval: ends(value.worse_interval),
            p: value.p,
            p_corrected: value.corrected,
            matters: value.matters(),
            p_from_here: reach.of_sort(value.part.what).p(value.part.back),
        }
    }
}

/// How far back what is remembered decides (`memory study`).
#[derive(Serialize, JsonSchema)]
pub(super) struct WindowRecord {
    /// How many steps back the furthest frame is that decides; null if none does.
    frames: Option<u32>,
    /// The same of past steps.
    rows: Option<u32>,
    /// AM of the smallest window with all that decide; null if nothing does.
    am: Option<u32>,
    /// Its OM.
    om: Option<u32>,
}

impl Record for WindowRecord {
    const TYPE: &'static str = "memory_window";
}

impl WindowRecord {
    fn new(reach: &MemoryReach) -> Self {
        let (am, om) = reach.window().unzip();
        Self { frames: reach.frames.furthest(), rows: reach.rows.furthest(), am, om }
    }
}

/// What the requests to a model had in them (`memory audit`).
#[derive(Serialize, JsonSchema)]
pub(super) struct AuditRecord<'a> {
    /// Name of the model.
    model: &'a str,
    /// Number of requests that were answered.
    requests: u64,
    /// Number of those whose tokens the server did not count; they are estimated.
    uncounted: u64,
    /// Input tokens that the server counted.
    input: u64,
    /// Of these, tokens that it read from its cache.
    cached: u64,
    /// Of these, tokens at the beginning of the request before.
    repeated: u64,
    /// Currency of the costs; null if the price is unknown.
    currency: Option<&'a str>,
    /// What the input cost.
    cost: Option<String>,
    /// What it would have cost without a cache.
    without_cache: Option<String>,
    /// What it would have cost with a cache that holds all repeated tokens.
    with_cache: Option<String>,
    /// Tokens by part: segments by name, `frame` for images.
    parts: BTreeMap<&'a str, TokensFields>,
    /// Tokens of outputs by steps back, from 1.
    outputs: BTreeMap<u32, TokensFields>,
    /// Tokens of frames and texts of states by steps back, from 0.
    frames: BTreeMap<u32, TokensFields>,
}

/// Tokens of parts of requests.
#[derive(Serialize, JsonSchema)]
struct TokensFields {
    /// Number of tokens.
    tokens: u64,
    /// Of these, tokens of parts that an earlier request of the episode had.
    again: u64,
}

impl From<PartCost> for TokensFields {
    fn from(PartCost { tokens, again }: PartCost) -> Self {
        Self { tokens, again }
    }
}

impl Record for AuditRecord<'_> {
    const TYPE: &'static str = "memory_audit";
}

impl<'a> AuditRecord<'a> {
    fn new(name: &'a str, model: &'a ModelAudit, price: Option<&'a Price>) -> Self {
        let costs = price.map(|price| model.input_costs(price).map(|cost| cost.to_string()));
        let [cost, without_cache, with_cache] = costs.map_or([None, None, None], |costs| costs.map(Some));
        Self {
            model: name,
            requests: model.requests,
            uncounted: model.uncounted,
            input: model.usage.input,
            cached: model.usage.cached,
            repeated: model.repeated,
            currency: price.map(|price| price.currency.as_str()),
            cost,
            without_cache,
            with_cache,
            parts: model.parts.iter().map(|(name, cost)| (*name, (*cost).into())).collect(),
            outputs: model.outputs.iter().map(|(back, cost)| (*back, (*cost).into())).collect(),
            frames: model.frames.iter().map(|(back, cost)| (*back, (*cost).into())).collect(),
        }
    }
}
