//! Studies for the screen: planned, made and read beside it; the results reach it as answers.

mod diagnosis;
mod made;
mod suites;

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

pub(crate) use self::made::{PlannedCalls, Ready};
pub(crate) use self::suites::{SuiteAsking, confirming, suite_entries};
use mageyard_config::{Config, Problem, SettingOverride, Sources, load_prices};
use mageyard_engine::Store;
use mageyard_lab::{AnswerReference, Lab, LabError, WrittenArgs, read_written_args, step_reference};
use mageyard_screen::{
    Answer, Answers, AskAnswer, AskOrder, BlameVerdict, PlannedBlame, PlannedWords, RatedReply,
};
use mageyard_study::{
    AskArgs, AskStudy, BlameArgs, ContinuationStudy, Judged, Samples, SolverVerdict, StudyTable,
    ask_spending, ask_table, judge_blame, part_marks, rate_answer, solver_lines, stored_asks,
};

/// How long words at a step stay unplanned, so that typing them plans once.
const PLAN_PAUSE: Duration = Duration::from_millis(100);

/// The ask in progress, which stops when it is dropped.
#[derive(Debug, Default)]
pub(crate) struct Asking(PlannedCalls);

/// What asks need.
#[derive(Clone)]
pub(crate) struct Asker {
    /// The environments and agents.
    pub(crate) lab: Lab,
    /// Where settings come from.
    pub(crate) sources: Sources,
    /// Where the answers go.
    pub(crate) answers: Answers,
}

impl Asking {
    /// Does what a person wants.
    pub(crate) fn take(&mut self, order: AskOrder, asker: Asker) {
        match order {
            AskOrder::Plan(wanted) => {
                let number = wanted.number;
                self.0 = PlannedCalls::begin(number, &asker, asker.clone().planned(wanted));
            }
            AskOrder::Blame(wanted) => {
                let number = wanted.number;
                self.0 = PlannedCalls::begin(number, &asker, asker.clone().judged(wanted));
            }
            AskOrder::Diagnose(wanted) => {
                let number = wanted.number;
                self.0 = PlannedCalls::begin(number, &asker, asker.clone().diagnosed(wanted));
            }
            AskOrder::Probe(wanted) => {
                let number = wanted.number;
                self.0 = PlannedCalls::begin(number, &asker, asker.clone().probed(wanted));
            }
            AskOrder::Make(number) => self.0.make(number),
            AskOrder::Stop => *self = Self::default(),
            AskOrder::List(journal, step) => asker.answer(move |asker| {
                let listed = asker.listed(&journal, step).map_err(Problem::from);
                AskAnswer::Listed(journal, step, listed)
            }),
            AskOrder::ReadRequest(folder, variant) => asker.answer(move |_| {
                let request = read_request(&folder, variant);
                AskAnswer::Request(folder, variant, request)
            }),
            AskOrder::Rate(rated) => asker.answer(move |_| {
                let answer = rate(&rated).map_err(Problem::from);
                AskAnswer::Rated(rated, answer)
            }),
            AskOrder::ReadAsks(journal) => asker.answer(move |_| {
                // Damaged asks are reported where they are listed.
                let marks = part_marks(&journal).unwrap_or_default();
                let spent = ask_spending(&journal).unwrap_or_default();
                AskAnswer::Asks { journal, spent, marks }
            }),
        }
    }
}

impl Asker {
    fn send(&self, answer: AskAnswer) {
        self.answers.send(Answer::Asked(answer));
    }

    /// Sends what is read from the disk.
    fn answer(self, read: impl FnOnce(&Self) -> AskAnswer + Send + 'static) {
        tokio::task::spawn_blocking(move || self.send(read(&self)));
    }

    /// The settings with those that a person has written.
    pub(crate) fn config(&self, given: Vec<SettingOverride>) -> Result<Config, Problem> {
        let mut sources = self.sources.clone();
        sources.overrides.extend(given);
        sources.read()
    }

    /// Plans an ask at a step.
    async fn planned(self, wanted: PlannedWords) -> Result<Ready, Problem> {
        // Words that are changed meanwhile take the place of these before anything is read.
        tokio::time::sleep(PLAN_PAUSE).await;
        let PlannedWords { journal, step, words, .. } = wanted;
        let written: WrittenArgs<AskArgs> = read_written_args(&self.lab, &words)?;
        let names = written.given_names();
        let WrittenArgs { args, given } = written;
        let config = self.config(given)?;
        let at_once = args.concurrency;
        if let Some(request) = args.continuation(step, names.clone()) {
            let study = ContinuationStudy::plan(&self.lab, &journal, &request, &config, at_once).await;
            return Ok(Ready::Study(Box::new(study.map_err(Problem::from)?)));
        }
        let request = args.request(step, names);
        let study = AskStudy::plan(&self.lab, &journal, &request, &config, at_once).await;
        Ok(Ready::Study(Box::new(study.map_err(Problem::from)?)))
    }

    /// Asks the solver which step lost an episode, or plans to play it on.
    async fn judged(self, wanted: PlannedBlame) -> Result<Ready, Problem> {
        let written: WrittenArgs<BlameArgs> = read_written_args(&self.lab, &wanted.words)?;
        let names = written.given_names();
        let WrittenArgs { args, given } = written;
        let config = self.config(given)?;
        let judged = judge_blame(&self.lab, &wanted.journal, (&args, names), &config).await;
        Ok(match judged.map_err(Problem::from)? {
            Judged::Planned(study) => Ready::Study(study),
            Judged::BySolver(verdict) => {
                let run = Store::new(config.store_folder()).reference(&wanted.journal);
                let lines = solver_lines(&run, &verdict);
                Ready::Verdict(BlameVerdict { lines, step: lost_step(&verdict) })
            }
        })
    }

    /// The asks that are stored for a step.
    fn listed(&self, journal: &Path, step: u32) -> Result<Vec<Arc<StudyTable>>, LabError> {
        let config = self.sources.read()?;
        let prices = load_prices(&config)?;
        let run = step_reference(&Store::new(config.store_folder()).reference(journal), step);
        let asks = stored_asks(journal, step)?;
        Ok(asks.iter().map(|ask| Arc::new(ask_table(&run, ask, &prices, None, Samples::All))).collect())
    }
}

fn lost_step(verdict: &SolverVerdict) -> Option<u32> {
    match verdict {
        SolverVerdict::Lost { step, .. } => Some(*step),
        _ => None,
    }
}

/// The body of a request as it was stored, one field a line.
fn read_request(folder: &Path, variant: usize) -> Result<String, Problem> {
    let path = folder.join("requests").join(format!("{variant}.json"));
    let text = fs::read_to_string(&path).map_err(|error| {
        Problem::new(format!("{}: the sent request cannot be read: {error}", path.display()))
    })?;
    let body: Option<serde_json::Value> = serde_json::from_str(&text).ok();
    Ok(body.and_then(|body| serde_json::to_string_pretty(&body).ok()).unwrap_or(text))
}

fn rate(rated: &RatedReply) -> Result<(), LabError> {
    let RatedReply { journal, step, ask, variant, sample, rating } = rated;
    let answer = AnswerReference { ask: ask.clone(), variant: *variant, sample: *sample };
    rate_answer(journal, *step, &answer, *rating)
}
