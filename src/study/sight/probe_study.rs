//! `probe`: questions about states with answers that the program computes, in each view.

use std::collections::BTreeMap;

use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

use super::diagnosis_states::{question_views, questioned_state, view_rows};
use super::judged::replies;
use super::probe_text::{plan_lines, probe_table};
use super::states::{AskedAbout, AskedState, question_kinds};
use crate::ask::Replies;
use crate::{
    AskPlan, AskRequest, ComparedState, Samples, Study, StudyEnd, StudyReport, StudyRow, StudySort,
    StudyTable, plan_ask,
};
use mageyard_config::{Config, Problem};
use mageyard_lab::{Lab, LabError, ModelAt, Needs};
use mageyard_statistics::{Interval, LevelSample, Repeat, Share, mean_interval};

/// What is asked about states.
#[derive(Clone, Debug, clap::Args)]
pub struct ProbeArgs {
    /// Kinds of questions, separated by commas [default: all of the environment]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub questions: Vec<String>,
    /// Views of the state, separated by commas, such as image,text [default: that of the step]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub views: Vec<String>,
    #[allow(clippy::doc_markdown, reason = "shown in the terminal beside the other names")]
    /// Models, separated by commas, each NAME or NAME@URL [default: that of the step]
    #[arg(long, value_name = "MODELS", value_delimiter = ',')]
    pub models: Vec<ModelAt>,
    /// Calls of each question
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub samples: u32,
    /// Seed of wrong answers to choose from, of the order, and of the seeds that are sent with the calls
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
}

/// How the questions of a kind are answered by a model in a view.
#[derive(Clone, Debug, PartialEq)]
pub struct QuestionShare {
    /// The kind.
    pub kind: String,
    /// The view; `None` for that of each step.
    pub view: Option<String>,
    /// The model.
    pub model: String,
    /// The states that were asked about.
    pub states: usize,
    /// The replies.
    pub replies: usize,
    /// Right answers.
    pub right: usize,
    /// Replies that cannot be read.
    pub unreadable: usize,
    /// The share of right answers that a guess has, from 0 to 1.
    pub chance: f64,
    /// The 95 % interval of the share of right answers; levels are the clusters.
    pub interval: Option<Interval>,
}

impl QuestionShare {
    /// The share of right answers.
    pub fn share(&self) -> Option<f64> {
        Share::of(self.right, self.replies).value()
    }
}

/// Questions about states.
pub struct ProbeStudy {
    pub(super) states: Vec<AskedState>,
    pub(super) plans: Vec<AskPlan>,
    replies: Replies,
    at_once: usize,
}

impl ProbeStudy {
    /// Plans to ask about these states; `given` are the settings that replace those of the steps. Nothing is sent.
    pub async fn plan(
        lab: &Lab,
        about: &AskedAbout,
        args: &ProbeArgs,
        given: Vec<String>,
        config: &Config,
    ) -> Result<Self, LabError> {
        let states = about.states(lab, args.seed, config).await?;
        let mut plans = Vec::new();
        for state in &states {
            let request = AskRequest {
                step: state.step,
                views: args.views.clone(),
                models: args.models.clone(),
                questions: question_kinds(&args.questions),
                only_questions: true,
                samples: args.samples,
                seed: args.seed,
                given: given.clone(),
                ..AskRequest::default()
            };
            plans.push(plan_ask(lab, &state.journal, &request, config).await?);
        }
        if plans.is_empty() {
            return Err(Problem::new("there is no state to ask about").into());
        }
        let replies = Replies::of(&plans)?;
        let at_once = plans.first().map_or(1, AskPlan::at_once);
        Ok(Self { states, plans, replies, at_once })
    }

    /// The number of states that are asked about.
    pub fn states(&self) -> usize {
        self.states.len()
    }

    /// What the calls need that are missing.
    pub fn needs(&self) -> &Needs {
        &self.replies.needs
    }

    /// The views, and each state with how the questions about it were answered in them.
    pub(super) fn compared(&self) -> (Vec<StudyRow>, Vec<ComparedState>) {
        self.replies.with(|asks, _| {
            let views = question_views(&asks);
            let all = (1..).zip(self.states.iter().zip(asks));
            let states = all.map(|(number, state)| questioned_state(number, state, &views)).collect();
            (view_rows(&views), states)
        })
    }

    /// How each kind of question is answered now, by kind, view and model.
    pub fn shares(&self) -> Vec<QuestionShare> {
        let mut found: BTreeMap<(String, Option<String>, String), Counted<'_>> = BTreeMap::new();
        self.replies.with(|asks, _| {
            for (state, ask) in self.states.iter().zip(asks) {
                for (index, variant) in ask.record.variants.iter().enumerate() {
                    let Some(probe) = &variant.changes.probe else { continue };
                    let key = (probe.kind.clone(), variant.changes.view.clone(), variant.model.label());
                    let counted = found.entry(key).or_default();
                    counted.states.insert(&state.address);
                    counted.chances.push(probe.form.chance(&probe.right));
                    for call in replies(ask, index) {
                        let is_right = call.answer() == Some(&probe.right);
                        counted.right += usize::from(is_right);
                        counted.unreadable += usize::from(call.answer().is_none());
                        let number = u32::try_from(counted.samples.len()).unwrap_or(u32::MAX);
                        counted.samples.push(LevelSample {
                            level: state.level.clone(),
                            repeat: Repeat { number, seed: 0 },
                            value: if is_right { 1.0 } else { 0.0 },
                        });
                    }
                }
            }
            found.into_iter().map(|(key, counted)| counted.share(key)).collect()
        })
    }
}

/// What was counted of a kind of question.
#[derive(Default)]
struct Counted<'a> {
    states: std::collections::BTreeSet<&'a str>,
    chances: Vec<f64>,
    right: usize,
    unreadable: usize,
    samples: Vec<LevelSample>,
}

impl Counted<'_> {
    fn share(self, (kind, view, model): (String, Option<String>, String)) -> QuestionShare {
        QuestionShare {
            kind,
            view,
            model,
            states: self.states.len(),
            replies: self.samples.len(),
            right: self.right,
            unreadable: self.unreadable,
            chance: mageyard_statistics::mean(self.chances.iter().copied()).unwrap_or_default(),
            interval: mean_interval(&self.samples, Some(Interval { low: 0.0, high: 1.0 })),
        }
    }
}

#[async_trait]
impl Study for ProbeStudy {
    fn sort(&self) -> StudySort {
        StudySort::States
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
        probe_table(self)
    }
}
