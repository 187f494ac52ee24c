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
    // A state that was observed again repeats the act before it, with what was done in the window since.
    courses.dedup_by(|next, kept| {
        let continues = next.continues(kept);
        if continues {
            std::mem::swap(next, kept);
        }
        continues
    });
    courses.iter().try_for_each(|course| looked_for(task, course))?;
    let acts = courses.iter().flat_map(Course::acts);
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
    let elements = || course.acts().filter_map(|act| act.element.as_ref());
    let mut paths = task.paths().into_iter().map(|(_, path)| path);
    let missing =
        paths.find(|path| elements().any(|element| element.paths.iter().all(|facts| facts.path != *path)));
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

#[cfg(test)]
mod tests {
    use mageyard_domain::{Action, Ending};
    use serde_json::json;

    use super::*;
    use crate::facts::{ActFacts, ChosenElement, PathFacts, Relation};
    use crate::nodes::{JudgeAt, Progress, Rules};

    const STANDARD: NodeSettings = NodeSettings { rules: Rules::Standard, judge_at: JudgeAt::Both };

    fn task() -> Task {
        let record = json!({"index": 0, "task": "t", "reference_task_length": 2, "evaluation": [
            {"match_function_name": "url_included_match", "content": {"key": "", "reference_answer": "/cart"}},
            {"match_function_name": "element_path_exactly_match", "method": "selector",
             "content": {"reference_answer": "#add", "netloc": "shop"}},
        ]});
        Task::read(record.as_object().unwrap()).unwrap()
    }

    fn goto(path: &str) -> ActFacts {
        let address = format!("http://shop.test{path}");
        ActFacts { verb: "goto".to_owned(), after: address, done: true, ..ActFacts::default() }
    }

    /// A click in the window on something inside the button.
    fn touch(path: &str) -> ActFacts {
        let relation = Some(Relation::Operated);
        let facts = PathFacts {
            path: path.to_owned(),
            tag: Some("button".to_owned()),
            relation,
            code_relation: None,
        };
        let element = ChosenElement { tag: "svg".to_owned(), paths: vec![facts], ..ChosenElement::default() };
        let address = "http://shop.test/".to_owned();
        ActFacts {
            before: address.clone(),
            after: address,
            verb: "click".to_owned(),
            element: Some(element),
            done: true,
            in_window: true,
            ..ActFacts::default()
        }
    }

    /// An observation with this course; `acts` are those that were compared so far.
    fn step(acts: u32, course: Course) -> StoredStep {
        let course = Course { progress: Progress { acts, ..Progress::of(&task()) }, ..course };
        let observation = Observation::from_parts(Vec::new(), "", json!({ COURSE: course }));
        StoredStep { observation, action: Some(Action::plain("goto")), problem: None, reward: 0.0 }
    }

    fn judged(steps: Vec<StoredStep>) -> Result<Verdict, String> {
        let ending = Ending::Finished;
        verdict(&task(), STANDARD, &Conclusion { ending, last_reply: None, answers: Vec::new(), steps })
    }

    #[test]
    fn what_was_touched_counts_as_an_act_wherever_it_was_recorded() {
        let before = Course { earlier: vec![touch("#add")], act: goto("/cart"), ..Course::default() };
        let after = Course { act: goto("/cart"), later: vec![touch("#add")], ..Course::default() };
        for course in [before, after] {
            let judged = judged(vec![step(0, Course::default()), step(2, course)]).unwrap();
            assert_eq!((judged.score, judged.success), (Some(100.0), true), "{:?}", judged.feedback);
        }
        let none = judged(vec![
            step(0, Course::default()),
            step(1, Course { act: goto("/cart"), ..Course::default() }),
        ]);
        assert_eq!(none.unwrap().score, Some(50.0));
    }

    #[test]
    fn an_act_that_was_observed_again_is_compared_once() {
        let seen = Course { act: goto("/"), ..Course::default() };
        let again = Course { later: vec![touch("#add")], ..seen.clone() };
        let judged = judged(vec![
            step(0, Course::default()),
            step(1, seen),
            step(2, again),
            step(3, Course { act: goto("/cart"), ..Course::default() }),
        ])
        .unwrap();
        assert!(judged.success, "{:?}", judged.feedback);
        assert_eq!(judged.details["progress"]["acts"], 3);
        assert!(judged.feedback[0].ends_with("met at act 3"), "{:?}", judged.feedback);
    }

    #[test]
    fn a_path_that_no_touch_was_searched_for_is_refused() {
        let course = Course { earlier: vec![touch("#other")], act: goto("/cart"), ..Course::default() };
        let why = judged(vec![step(0, Course::default()), step(2, course)]).unwrap_err();
        assert!(why.contains("\"#add\""), "{why}");
    }
}
