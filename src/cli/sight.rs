//! `probe` and `diagnose`: questions about states, and what is wrong with failed steps.

use std::io;

use schemars::JsonSchema;
use serde::Serialize;

use super::context::Context;
use super::exit::{Exit, Failure};
use super::output::Output;
use super::records::Record;
use super::runtime::parallel_runtime;
use super::session::kept_flags;
use super::studies::{StudyPrinter, StudyRecords};
use mageyard_config::Problem;
use mageyard_statistics::Interval;
use mageyard_study::{
    AskedAbout, DiagnoseArgs, DiagnosisShare, DiagnosisStudy, Finding, GroupShares, ProbeArgs, ProbeStudy,
    QuestionShare, StateDiagnosis, Study, StudyEvent,
};

/// Ask a model what a state shows, with answers that the program computes
///
/// Such as where the player is. Each question is a request of its own with the same picture as that of the agent, and never part of
/// the episode. Answers are read by strict rules and counted as right, wrong or unreadable, by kind of question and view; they are
/// stored beside the recording, so the same command makes only the calls that are missing. docs/diagnosis.md has the questions.
#[derive(Debug, clap::Args)]
pub(super) struct ProbeVerb {
    /// Step, such as last#5 or SWEEP/CELL/2#5, or a suite of states
    #[arg(value_name = "SESSION[/EPISODE]#STEP|SUITE")]
    about: String,
    #[command(flatten)]
    asked: ProbeArgs,
    /// Print what would be asked and what it needs, and send nothing
    #[arg(long)]
    dry_run: bool,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

/// Find whether failed steps were seen, planned or written wrong
///
/// Each state is asked again as it was, with the state in words as well, and with a hint of the plan, and questions are asked about
/// it. If the words mend the step and questions fail it was seen wrong; if neither, planned wrong; if the analysis announces the
/// right action and another one is written, written wrong. Of sessions and sweeps, steps whose action was not optimal are drawn.
/// The replies are stored beside the recordings: the same command makes only the calls that are missing. docs/diagnosis.md has the
/// rule and its error rates.
#[derive(Debug, clap::Args)]
pub(super) struct DiagnoseVerb {
    /// Step, such as last#5, a suite of states, or sessions and sweeps
    #[arg(value_name = "STEP|SUITE|SESSIONS", default_value = "last")]
    about: Vec<String>,
    #[command(flatten)]
    asked: DiagnoseArgs,
    /// Print what would be asked and what it needs, and send nothing
    #[arg(long)]
    dry_run: bool,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

pub(super) fn probe(args: &ProbeVerb, context: &Context) -> Result<Exit, Failure> {
    let config = context.config()?;
    let about = match AskedAbout::named(std::slice::from_ref(&args.about), &config)? {
        AskedAbout::Sessions(_) => {
            let what = format!("{} is neither a step nor a suite", args.about);
            let help =
                format!("name a step, such as {}#1; `mageyard suite list` lists the suites", args.about);
            return Err(Problem::new(what).with_help(help).into());
        }
        about => about,
    };
    let mut printer = StudyPrinter::new(args.json);
    parallel_runtime()?.block_on(async {
        let study = ProbeStudy::plan(&context.lab, &about, &args.asked, kept_flags(context), &config).await?;
        printer.run(&study, context, args.dry_run).await
    })
}

pub(super) fn diagnose(args: &DiagnoseVerb, context: &Context) -> Result<Exit, Failure> {
    let config = context.config()?;
    let about = AskedAbout::named(&args.about, &config)?;
    let mut printer = StudyPrinter::new(args.json);
    parallel_runtime()?.block_on(async {
        let given = kept_flags(context);
        let study = DiagnosisStudy::plan(&context.lab, &about, &args.asked, given, &config).await?;
        printer.run(&study, context, args.dry_run).await
    })
}

impl StudyRecords for ProbeStudy {
    fn print_plan(&self, out: &mut Output) -> io::Result<()> {
        let (_, replies) = self.counts();
        out.record(&PlannedProbesRecord { states: self.states(), replies, calls: self.left() })
    }

    fn print_event(&self, _: StudyEvent<'_>, _: &mut Output) -> io::Result<()> {
        Ok(())
    }

    fn print_table(&self, out: &mut Output) -> io::Result<()> {
        self.shares().iter().try_for_each(|share| out.record(&QuestionRecord::new(share)))
    }
}

impl StudyRecords for DiagnosisStudy {
    fn print_plan(&self, out: &mut Output) -> io::Result<()> {
        let (_, replies) = self.counts();
        out.record(&PlannedDiagnosisRecord { states: self.states(), replies, calls: self.left() })
    }

    fn print_event(&self, _: StudyEvent<'_>, _: &mut Output) -> io::Result<()> {
        Ok(())
    }

    fn print_table(&self, out: &mut Output) -> io::Result<()> {
        let found = self.diagnoses();
        found.iter().try_for_each(|one| out.record(&DiagnosisRecord::new(one)))?;
        self.shares().iter().try_for_each(|group| FindingRecord::print(group, out))
    }
}

fn ends(interval: Option<Interval>) -> Option<[f64; 2]> {
    interval.map(|Interval { low, high }| [low, high])
}

/// What questions about states need (`probe`).
#[derive(Serialize, JsonSchema)]
pub(super) struct PlannedProbesRecord {
    /// Number of states.
    states: usize,
    /// Number of replies of the complete study.
    replies: usize,
    /// Number of calls that are missing.
    calls: u64,
}

impl Record for PlannedProbesRecord {
    const TYPE: &'static str = "probe_plan";
}

/// How a kind of question is answered by a model in a view (`probe`).
#[derive(Serialize, JsonSchema)]
pub(super) struct QuestionRecord<'a> {
    /// Kind of question.
    question: &'a str,
    /// View of the states; null for that of each step.
    view: Option<&'a str>,
    /// Model that was asked.
    model: &'a str,
    /// Number of states.
    states: usize,
    /// Number of replies.
    replies: usize,
    /// Number of right answers.
    right: usize,
    /// Number of replies that cannot be read.
    unreadable: usize,
    /// Share of right answers among the replies.
    share: Option<f64>,
    /// Its 95 % interval; levels are the clusters.
    interval: Option<[f64; 2]>,
    /// Share of right answers of a guess.
    chance: f64,
}

impl Record for QuestionRecord<'_> {
    const TYPE: &'static str = "probe_question";
}

impl<'a> QuestionRecord<'a> {
    fn new(share: &'a QuestionShare) -> Self {
        Self {
            question: &share.kind,
            view: share.view.as_deref(),
            model: &share.model,
            states: share.states,
            replies: share.replies,
            right: share.right,
            unreadable: share.unreadable,
            share: share.share(),
            interval: ends(share.interval),
            chance: share.chance,
        }
    }
}

/// What a diagnosis asks (`diagnose`).
#[derive(Serialize, JsonSchema)]
pub(super) struct PlannedDiagnosisRecord {
    /// Number of states.
    states: usize,
    /// Number of replies of the complete study.
    replies: usize,
    /// Number of calls that are missing.
    calls: u64,
}

impl Record for PlannedDiagnosisRecord {
    const TYPE: &'static str = "diagnosis_plan";
}

/// What is wrong with a step (`diagnose`).
#[derive(Serialize, JsonSchema)]
pub(super) struct DiagnosisRecord<'a> {
    /// Reference of the step.
    run: &'a str,
    /// Reference of its level.
    level: &'a str,
    /// Sort of state: the category of a suite, or `beginning`, `middle` or `end` of the episode.
    kind: Option<&'a str>,
    /// View of the state; null for that of the step.
    view: Option<&'a str>,
    /// Model that was asked.
    model: &'a str,
    /// Action that was taken.
    taken: Option<&'a str>,
    /// Share of optimal replies to the request of the agent.
    own: Option<f64>,
    /// The same with the state in words as well.
    with_words: Option<f64>,
    /// The same with a hint of the plan.
    with_plan: Option<f64>,
    /// Share of questions that are answered rightly.
    questions: Option<f64>,
    /// Questions that are not.
    wrong_questions: &'a [String],
    /// Share of replies that are not optimal and announce an optimal action.
    contradicted: Option<f64>,
    /// Number of statements of the analyses that could be read.
    claims: usize,
    /// Number of these that are wrong.
    wrong_claims: usize,
    /// What is wrong: `seen`, `planned`, `written`, `mixed`, `undecided`, or `right` for nothing.
    #[schemars(with = "String")]
    finding: Finding,
    /// What is wrong by the settings of a simulated model; null for a real one.
    #[schemars(with = "Option<String>")]
    known_fault: Option<Finding>,
}

impl Record for DiagnosisRecord<'_> {
    const TYPE: &'static str = "diagnosis";
}

impl<'a> DiagnosisRecord<'a> {
    fn new(one: &'a StateDiagnosis) -> Self {
        Self {
            run: &one.address,
            level: &one.level,
            kind: one.kind.as_deref(),
            view: one.view.as_deref(),
            model: &one.model,
            taken: one.taken.as_deref(),
            own: one.evidence.own,
            with_words: one.evidence.with_words,
            with_plan: one.evidence.with_plan,
            questions: one.evidence.questions,
            wrong_questions: &one.wrong_questions,
            contradicted: one.evidence.contradicted,
            claims: one.claims.read,
            wrong_claims: one.claims.wrong_count(),
            finding: one.finding,
            known_fault: one.known_fault,
        }
    }
}

/// How many failed states have a finding (`diagnose`, `report`).
#[derive(Serialize, JsonSchema)]
pub(super) struct FindingRecord<'a> {
    /// Model that was asked.
    model: &'a str,
    /// View of the states; null for that of each step.
    view: Option<&'a str>,
    /// The finding.
    #[schemars(with = "String")]
    finding: Finding,
    /// Number of states that have it.
    states: usize,
    /// Its share of the states that failed.
    share: Option<f64>,
    /// The 95 % interval of the share; levels are the clusters.
    interval: Option<[f64; 2]>,
}

impl Record for FindingRecord<'_> {
    const TYPE: &'static str = "diagnosis_share";
}

impl FindingRecord<'_> {
    /// Prints a share for each finding of a model in a view.
    pub(super) fn print(group: &GroupShares, out: &mut Output) -> io::Result<()> {
        let GroupShares { model, view, shares } = group;
        shares.iter().try_for_each(|share| {
            let DiagnosisShare { finding, states, share, interval } = *share;
            let interval = ends(interval);
            out.record(&FindingRecord { model, view: view.as_deref(), finding, states, share, interval })
        })
    }
}
