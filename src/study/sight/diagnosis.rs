//! `diagnose`: what is wrong with failed steps, by asking again with help and by questions about the state.

use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

use super::diagnosis_states::{asked_views, compared_state, view_rows};
use super::diagnosis_text::{diagnosis_table, plan_lines};
use super::judged::{StateDiagnosis, diagnoses, is_taken_optimal};
use super::rule::Finding;
use super::states::{AskedAbout, AskedState, question_kinds};
use super::stored::keep;
use crate::ask::Replies;
use crate::{
    Aid, AskPlan, AskRequest, ComparedState, Samples, Study, StudyEnd, StudyReport, StudyRow, StudySort,
    StudyTable, judge_ask, plan_ask,
};
use mageyard_config::{Config, Problem};
use mageyard_domain::count_noun;
use mageyard_lab::{Lab, LabError, ModelAt, Needs};
use mageyard_statistics::{Interval, LevelSample, Repeat, Share, mean_interval};

/// What is asked of failed steps.
#[derive(Clone, Debug, clap::Args)]
pub struct DiagnoseArgs {
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
    /// Calls of each request
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub samples: u32,
    /// Of sessions: most calls; as many failed steps are drawn as they are enough for
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub calls: u64,
    /// Seed of the draw, of the order, and of the seeds that are sent with the calls
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
}

/// How many failed states have a finding.
#[derive(Clone, Debug, PartialEq)]
pub struct DiagnosisShare {
    /// The finding.
    pub finding: Finding,
    /// The states that have it.
    pub states: usize,
    /// Its share of the states that failed, from 0 to 1.
    pub share: Option<f64>,
    /// The 95 % interval; levels are the clusters.
    pub interval: Option<Interval>,
}

/// Failed steps asked about with help and with questions.
pub struct DiagnosisStudy {
    pub(super) states: Vec<AskedState>,
    pub(super) plans: Vec<AskPlan>,
    /// The steps that were passed over, if steps were drawn.
    pub(super) drawn_from: Option<PassedOver>,
    replies: Replies,
    at_once: usize,
}

impl DiagnosisStudy {
    /// Plans to ask about these states; `given` are the settings that replace those of the steps. Nothing is sent. Of sessions only
    /// steps are taken whose action was not optimal.
    pub async fn plan(
        lab: &Lab,
        about: &AskedAbout,
        args: &DiagnoseArgs,
        given: Vec<String>,
        config: &Config,
    ) -> Result<Self, LabError> {
        let all = about.states(lab, args.seed, config).await?;
        let count = all.len();
        let mut states = Vec::new();
        let mut plans = Vec::new();
        let mut calls = 0;
        let mut passed_over = PassedOver { of: count, ..PassedOver::default() };
        for state in all {
            let request = request(state.step, args, given.clone());
            let mut plan = plan_ask(lab, &state.journal, &request, config).await?;
            judge_ask(lab, &mut plan, config).await?;
            let taken = is_taken_optimal(&plan.record);
            if about.is_drawn() {
                if taken != Some(false) {
                    passed_over.optimal += usize::from(taken == Some(true));
                    passed_over.unjudged += usize::from(taken.is_none());
                    continue;
                }
                calls += plan.record.calls() as u64;
                if calls > args.calls {
                    break;
                }
            } else if taken.is_none() {
                return Err(unjudged(&plan, &state).into());
            }
            plans.push(plan);
            states.push(state);
        }
        if plans.is_empty() {
            return Err(nothing_failed(passed_over, args.calls).into());
        }
        let replies = Replies::of(&plans)?;
        let at_once = plans.first().map_or(1, AskPlan::at_once);
        let drawn_from = about.is_drawn().then_some(passed_over);
        Ok(Self { states, plans, drawn_from, replies, at_once })
    }

    /// The number of states that are asked about.
    pub fn states(&self) -> usize {
        self.states.len()
    }

    /// The shares of the findings among the states that fail now, for each model and view.
    pub fn shares(&self) -> Vec<GroupShares> {
        group_shares(&self.diagnoses())
    }

    /// What the calls need that are missing.
    pub fn needs(&self) -> &Needs {
        &self.replies.needs
    }

    /// The views, and each state with what was found in them and the replies that this is made of.
    pub(super) fn compared(&self, found: &[StateDiagnosis]) -> (Vec<StudyRow>, Vec<ComparedState>) {
        let views = asked_views(found);
        let states = self.replies.with(|asks, _| {
            let all = (1..).zip(self.states.iter().zip(asks));
            all.map(|(number, state)| compared_state(number, state, found, &views)).collect()
        });
        (view_rows(&views), states)
    }

    /// What is known of each state now, for each model and view.
    pub fn diagnoses(&self) -> Vec<StateDiagnosis> {
        self.replies.with(|asks, _| {
            let all = self.states.iter().zip(&self.plans).zip(asks);
            all.flat_map(|((state, plan), ask)| diagnoses(state, plan, ask)).collect()
        })
    }
}

/// How many failed states of a model in a view have which finding.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupShares {
    /// The model.
    pub model: String,
    /// The view; `None` for that of each step.
    pub view: Option<String>,
    /// A share for each finding.
    pub shares: Vec<DiagnosisShare>,
}

/// The diagnoses of a model in a view.
pub(super) struct DiagnosedGroup<'a> {
    pub(super) model: &'a str,
    pub(super) view: Option<&'a str>,
    pub(super) members: Vec<&'a StateDiagnosis>,
}

/// The diagnoses by model and view, which are never taken together.
pub(super) fn by_model_and_view(found: &[StateDiagnosis]) -> Vec<DiagnosedGroup<'_>> {
    let mut groups: Vec<DiagnosedGroup<'_>> = Vec::new();
    for one in found {
        let (model, view) = (one.model.as_str(), one.view.as_deref());
        match groups.iter_mut().find(|group| (group.model, group.view) == (model, view)) {
            Some(group) => group.members.push(one),
            None => groups.push(DiagnosedGroup { model, view, members: vec![one] }),
        }
    }
    groups
}

/// The shares of the findings for each model and view.
pub(super) fn group_shares(found: &[StateDiagnosis]) -> Vec<GroupShares> {
    let shares = |group: DiagnosedGroup<'_>| GroupShares {
        model: group.model.to_owned(),
        view: group.view.map(str::to_owned),
        shares: finding_shares(&group.members),
    };
    by_model_and_view(found).into_iter().map(shares).collect()
}

/// The shares of the findings among the states that failed, in the order of [`Finding::ALL`], without those that are right now.
pub(super) fn finding_shares(found: &[&StateDiagnosis]) -> Vec<DiagnosisShare> {
    let failed: Vec<&StateDiagnosis> =
        found.iter().copied().filter(|one| one.finding != Finding::Right).collect();
    let range = Some(Interval { low: 0.0, high: 1.0 });
    let share = |finding: Finding| {
        let has = |one: &StateDiagnosis| if one.finding == finding { 1.0 } else { 0.0 };
        let sample = |(number, one): (u32, &&StateDiagnosis)| LevelSample {
            level: one.level.clone(),
            repeat: Repeat { number, seed: 0 },
            value: has(one),
        };
        let samples: Vec<LevelSample> = (0..).zip(&failed).map(sample).collect();
        let states = failed.iter().filter(|one| one.finding == finding).count();
        DiagnosisShare {
            finding,
            states,
            share: Share::of(states, failed.len()).value(),
            interval: mean_interval(&samples, range),
        }
    };
    let findings = Finding::ALL.into_iter().filter(|finding| *finding != Finding::Right);
    findings.map(share).collect()
}

fn request(step: u32, args: &DiagnoseArgs, given: Vec<String>) -> AskRequest {
    AskRequest {
        step,
        views: args.views.clone(),
        models: args.models.clone(),
        aids: vec![Aid::Words, Aid::Plan],
        questions: question_kinds(&args.questions),
        samples: args.samples,
        seed: args.seed,
        given,
        ..AskRequest::default()
    }
}

/// The steps that were drawn and not taken.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PassedOver {
    /// How many steps there are to draw from.
    pub(super) of: usize,
    /// Those with an optimal action.
    pub(super) optimal: usize,
    /// Those where no action is known to be optimal.
    pub(super) unjudged: usize,
}

/// The problem of a state in which it is not known what is right.
fn unjudged(plan: &AskPlan, state: &AskedState) -> Problem {
    let why = match (&plan.record.verdicts, &plan.record.oracle) {
        (None, Err(why)) => why.as_str(),
        _ => "the goal is out of reach, or the solver cannot say how far away it is",
    };
    Problem::new(format!("{}: no action is known to be right: {why}", state.address))
        .with_help("diagnose a step from which the goal can be reached, in an environment with a solver")
}

fn nothing_failed(PassedOver { of, optimal, unjudged }: PassedOver, calls: u64) -> Problem {
    match of {
        0 => Problem::new("no Online step of these sessions was decided by a model")
            .with_help("name sessions of a model: `mageyard log list` lists them"),
        of if optimal == of => {
            let steps = count_noun(of, "step", "steps");
            Problem::new(format!("nothing failed in {steps}: each action is optimal"))
        }
        of if optimal + unjudged == of => Problem::new(format!(
            "nothing to diagnose in {of} steps: {optimal} have an optimal action, and in {unjudged} no action is known to be right"
        )),
        _ => Problem::new(format!("one state needs more than {calls} calls"))
            .with_help("raise --calls, or lower --samples, --questions or --views"),
    }
}

#[async_trait]
impl Study for DiagnosisStudy {
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
        let end = self.replies.run(lab, &self.plans, self.at_once, stop, report).await?;
        self.replies.with(|asks, _| {
            let mut all = self.states.iter().zip(&self.plans).zip(asks);
            all.try_for_each(|((state, plan), ask)| keep(ask, &diagnoses(state, plan, ask)))
        })?;
        Ok(end)
    }

    fn table(&self, _: Samples) -> StudyTable {
        diagnosis_table(self)
    }
}
