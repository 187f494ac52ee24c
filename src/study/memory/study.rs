//! Which remembered parts decide: recorded steps are asked about again with each part left out in turn.

use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

use super::answers::MemoryAnswers;
use super::draw::{DrawnStep, asked_steps, drawn};
use super::plan_text::plan_lines;
use super::study_text::study_table;
use crate::ask::Replies;
use crate::{
    AskPlan, AskRequest, Samples, Study, StudyEnd, StudyReport, StudySort, StudyTable, judge_ask, plan_ask,
};
use mageyard_config::{Config, Problem};
use mageyard_dialog::PartSort;
use mageyard_engine::Store;
use mageyard_lab::{Lab, LabError, ModelAt, Needs, read_recordings};

/// What is left out of each request.
const SINGLE: [PartSort; 2] = [PartSort::Rows, PartSort::Frames];

/// What is left out besides with `--pairs`.
const PAIRS: [PartSort; 2] = [PartSort::RowPairs, PartSort::FramePairs];

/// What is asked of the memory of recorded episodes.
#[derive(Clone, Debug, clap::Args)]
pub struct MemoryArgs {
    /// AM of the requests [default: that of each step]
    #[arg(long, value_name = "NUMBER")]
    pub am: Option<u16>,
    /// OM of the requests [default: that of each step]
    #[arg(long, value_name = "NUMBER")]
    pub om: Option<u16>,
    #[allow(clippy::doc_markdown, reason = "shown in the terminal beside the other names")]
    /// One model, NAME or NAME@URL, as for `ask` [default: that of each step]
    #[arg(long = "models", value_name = "MODEL")]
    pub model: Option<ModelAt>,
    /// Most calls: as many steps are drawn as they are enough for
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub calls: u64,
    /// Calls of each request, at least two: answers to the same request differ too
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(2..=1000))]
    pub samples: u32,
    /// Leave out pairs of neighbours too: parts of which either one is enough; nearly twice the calls of a step
    #[arg(long)]
    pub pairs: bool,
    /// Seed of the draw, of the order, and of the seeds that are sent with the calls
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
}

/// Recorded steps asked about with each remembered part left out.
pub struct MemoryStudy {
    pub(super) plans: Vec<AskPlan>,
    pub(super) drawn: Vec<DrawnStep>,
    /// How many steps there are to draw from.
    pub(super) all: usize,
    /// Whether pairs are left out too.
    pub(super) has_pairs: bool,
    replies: Replies,
    at_once: usize,
}

impl MemoryStudy {
    /// Draws steps of these sessions and plans to ask about them; `given` are the settings that replace those of the steps.
    /// Nothing is sent.
    pub async fn plan(
        lab: &Lab,
        sessions: &[String],
        args: &MemoryArgs,
        given: Vec<String>,
        config: &Config,
    ) -> Result<Self, LabError> {
        let store = Store::new(config.store_folder());
        let steps = asked_steps(read_recordings(lab, &store, sessions), 2).await?;
        let all = steps.len();
        let mut drawn = drawn(steps, args.seed);
        let mut plans = Vec::new();
        let mut calls = 0;
        for step in &drawn {
            let request = request(step.step, args, given.clone());
            let mut plan = plan_ask(lab, &step.journal, &request, config).await?;
            calls += plan.record.calls() as u64;
            if calls > args.calls {
                break;
            }
            judge_ask(lab, &mut plan, config).await?;
            plans.push(plan);
        }
        if plans.is_empty() {
            return Err(nothing_to_ask(all, args.calls).into());
        }
        drawn.truncate(plans.len());
        let replies = Replies::of(&plans)?;
        let at_once = plans.first().map_or(1, AskPlan::at_once);
        Ok(Self { plans, drawn, all, has_pairs: args.pairs, replies, at_once })
    }

    /// The number of states that are asked about.
    pub fn states(&self) -> usize {
        self.plans.len()
    }

    /// What the calls need that are missing.
    pub fn needs(&self) -> &Needs {
        &self.replies.needs
    }

    /// The answers that are there.
    pub fn answers(&self) -> Vec<MemoryAnswers> {
        self.replies.with(|asks, _| {
            let levels = self.drawn.iter().map(|step| step.level.as_str());
            levels.zip(asks).map(|(level, ask)| MemoryAnswers::of(level, ask)).collect()
        })
    }
}

fn request(step: u32, args: &MemoryArgs, given: Vec<String>) -> AskRequest {
    AskRequest {
        step,
        am: args.am.into_iter().collect(),
        om: args.om.into_iter().collect(),
        models: args.model.clone().into_iter().collect(),
        leave_out: [&SINGLE[..], if args.pairs { &PAIRS } else { &[] }].concat(),
        leaves_out_what_is_there: true,
        // A study with pairs has all requests of one without.
        takes_replies: true,
        samples: args.samples,
        seed: args.seed,
        given,
        ..AskRequest::default()
    }
}

fn nothing_to_ask(all: usize, calls: u64) -> Problem {
    if all > 0 {
        let what = format!("one step needs more than {calls} calls");
        return Problem::new(what).with_help("raise --calls, or lower --am, --om or --samples");
    }
    Problem::new("no Online step of these sessions after the first one was decided by a model")
        .with_help("name sessions of a model: `mageyard log list` lists them")
}

#[async_trait]
impl Study for MemoryStudy {
    fn sort(&self) -> StudySort {
        StudySort::Replies
    }

    fn plan_lines(&self) -> Vec<String> {
        plan_lines(self)
    }

    fn counts(&self) -> (usize, usize) {
        (self.replies.done(), self.plans.iter().map(|plan| plan.record.replies()).sum())
    }

    fn left(&self) -> u64 {
        self.needs().calls.highest
    }

    async fn run(
        &self,
        lab: &Lab,
        stop: &CancellationToken,
        report: &mut StudyReport<'_>,
    ) -> Result<StudyEnd, LabError> {
        self.replies.run(lab, &self.plans, self.at_once, stop, report).await
    }

    fn table(&self, _: Samples) -> StudyTable {
        study_table(self)
    }
}
