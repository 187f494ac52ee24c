//! The steps that become states of a suite, as flags name them.

use crate::context::Context;
use crate::exit::{Exit, Failure};
use crate::find::search;
use crate::session::one_episode;
use mageyard_config::{Config, Problem};
use mageyard_engine::Store;
use mageyard_lab::{
    FoundStep, FoundSteps, RecordedEpisode, StepQuery, parse_step_reference, read_condition, step_reference,
};
use mageyard_study::SuiteStep;

/// Which steps, and what is written about them.
#[derive(Debug, clap::Args)]
pub(super) struct StepArgs {
    /// Sessions to search [default: all], or the steps themselves, such as last#7
    #[arg(value_name = "SESSION[#STEP]")]
    runs: Vec<String>,
    /// Take the steps that meet a condition, as `find` has it
    #[arg(long, value_name = "CONDITION", conflicts_with = "tag")]
    find: Option<String>,
    /// Take the steps with this tag
    #[arg(long, value_name = "TAG")]
    tag: Option<String>,
    /// The category of the states
    #[arg(long, value_name = "TEXT")]
    pub(super) category: Option<String>,
    /// Why the states are in the suite [default: what was found, or the name of the step]
    #[arg(long, value_name = "TEXT")]
    why: Option<String>,
}

impl StepArgs {
    /// The steps that are named or found.
    pub(super) async fn steps(
        &self,
        context: &Context,
        config: &Config,
    ) -> Result<(Vec<SuiteStep>, Exit), Failure> {
        let store = Store::new(config.store_folder());
        let tagged = self.tag.as_ref().map(|tag| format!("tag={tag}"));
        let Some(condition) = self.find.as_ref().or(tagged.as_ref()) else {
            return Ok((self.named(&store)?, Exit::Done));
        };
        let (condition, known) = read_condition(&context.lab, condition, "--find", config).await?;
        let distances = condition.needs_distance();
        let query = StepQuery { condition, known, thresholds: None, distances };
        let mut steps = Vec::new();
        let mut add = |recording: &RecordedEpisode, found: &FoundSteps| {
            let run = store.reference(recording.path());
            steps.extend(found.steps.iter().map(|step| SuiteStep {
                journal: recording.path().to_owned(),
                address: step_reference(&run, step.step),
                step: step.step,
                why: self.why.clone().unwrap_or_else(|| why(step)),
            }));
            Ok(())
        };
        let exit = search(context, (&store, &self.runs), &query, config, &mut add).await?;
        Ok((steps, exit))
    }

    fn named(&self, store: &Store) -> Result<Vec<SuiteStep>, Failure> {
        if self.runs.is_empty() {
            let problem = Problem::new("nothing says which steps the suite has");
            return Err(problem.with_help("add --find CONDITION, --tag TAG, or steps such as last#7").into());
        }
        self.runs.iter().map(|run| named_step(run, store, self.why.as_deref())).collect()
    }
}

/// What makes the condition true.
fn why(step: &FoundStep) -> String {
    let facts = step.facts.join(", ");
    match &step.note {
        Some(note) if !note.is_empty() => format!("{facts}: {note}"),
        _ => facts,
    }
}

fn named_step(run: &str, store: &Store, why: Option<&str>) -> Result<SuiteStep, Failure> {
    let (session, Some(step)) = parse_step_reference(run)? else {
        let problem = Problem::new(format!("{run} names no step"));
        return Err(problem
            .with_help(format!("write {run}#STEP, or add --find CONDITION or --tag TAG"))
            .into());
    };
    let journal = one_episode(store, session, &format!("#{step}"))?;
    let address = step_reference(&store.reference(&journal), step);
    Ok(SuiteStep::named(journal, address, step, why))
}
