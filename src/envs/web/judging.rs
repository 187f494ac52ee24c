//! The verdict on an episode that is over, from what is stored of it.

use serde_json::Value;

use mageyard_domain::{
    Conclusion, Judging, Level, Observation, Options, Questions, StoredEpisode, StoredStep, Verdict,
};

use crate::Web;
use crate::look::{COURSE, Course};
use crate::nodes::{NodeSettings, final_progress};
use crate::options::WebOptions;
use crate::scores::{self, EpisodeFacts};
use crate::task::Task;

/// After so many acts in the same state with the same action an episode is one that looped.
const LOOP: usize = 3;

/// The verdict on the acts of this conclusion.
pub(crate) fn verdict(
    task: &Task,
    settings: NodeSettings,
    conclusion: &Conclusion,
) -> Result<Verdict, String> {
    let mut courses = courses(&conclusion.steps)?;
    // A state that was looked at again repeats the act before it.
    courses.dedup_by_key(|course| course.progress.acts);
    courses.iter().try_for_each(|course| looked_for(task, course))?;
    let acts = courses.iter().map(|course| &course.act).filter(|act| !act.verb.is_empty());
    let replayed = final_progress(task, settings, acts, &conclusion.answers);
    let steps = conclusion.steps.iter().filter(|step| step.action.is_some()).count();
    let facts = EpisodeFacts {
        steps: u32::try_from(steps).unwrap_or(u32::MAX),
        ending: conclusion.ending,
        blocked: courses.last().is_some_and(|course| course.blocked),
        looped: loops(&conclusion.steps),
    };
    let mut verdict = scores::verdict(task, &replayed, facts);
    let cut = courses.last().map_or(0, |course| course.cut_trees);
    verdict.figures.insert(CUT_TREES.to_owned(), f64::from(cut));
    let last = conclusion.steps.last().map(|step| surface(step.observation.facts()));
    if let (Some(surface), true) = (last, verdict.details.is_object()) {
        verdict.details["surface"] = surface.into();
    }
    Ok(verdict)
}

/// The browser with its version, whether it has a window, and where it is.
fn surface(facts: &Value) -> String {
    let browser = facts["browser"].as_str().unwrap_or("an unknown browser");
    let window = if facts["window"] == true { "with a window" } else { "headless" };
    match facts["place"].as_str().filter(|place| !place.is_empty()) {
        Some(place) => format!("{browser}, {window}, {place}"),
        None => format!("{browser}, {window}"),
    }
}

/// The figure with the number of observations whose tree was cut.
pub(crate) const CUT_TREES: &str = "cut_trees";

fn courses(steps: &[StoredStep]) -> Result<Vec<Course>, String> {
    let course = |observation: &Observation| {
        if observation.facts()[COURSE].is_null() {
            return Err("an observation does not say what was done".to_owned());
        }
        Ok(Course::of_facts(observation.facts()))
    };
    steps.iter().map(|step| course(&step.observation)).collect()
}

/// Whether the paths of the task were looked for when an element was chosen: a corrected task can have others.
fn looked_for(task: &Task, course: &Course) -> Result<(), String> {
    let Some(element) = &course.act.element else { return Ok(()) };
    let mut paths = task.paths().into_iter().map(|(_, path)| path);
    let missing = paths.find(|path| element.paths.iter().all(|facts| facts.path != *path));
    missing.map_or(Ok(()), |path| Err(format!("the path {path:?} was not looked for when this was recorded")))
}

/// Whether the same action was chosen in the same state several times in a row.
fn loops(steps: &[StoredStep]) -> bool {
    steps.windows(LOOP).any(|run| {
        let is_same = |step: &StoredStep| {
            step.action == run[0].action && step.observation.state() == run[0].observation.state()
        };
        run[0].action.is_some() && run.iter().all(is_same)
    })
}

impl Judging for Web {
    fn judge_again(&self, episode: &StoredEpisode<'_>) -> Option<Result<Verdict, String>> {
        let options = WebOptions::read(episode.options).map_err(|error| error.to_string());
        let task = Task::of_level(episode.level).map_err(|error| error.to_string());
        Some(task.and_then(|task| verdict(&task, options?.nodes(), episode.conclusion)))
    }
}

impl Questions for Web {
    fn asks(&self, level: &Level, _: &Options) -> bool {
        Task::of_level(level).is_ok_and(|task| task.has_semantic_nodes())
    }
}
