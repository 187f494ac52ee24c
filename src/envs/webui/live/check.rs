//! The check of a task in a browser: its target loads, works and scores as it must.

use async_trait::async_trait;

use super::failed;
use super::judge::{Side, Walked, score, state_name, target_snapshots, walk_sides};
use super::site::Site;
use super::targets::target_side;
use super::walk::Pace;
use crate::aes;
use crate::aes::{Rules, total};
use crate::options::WebUiOptions;
use crate::snapshot::{Element, Snapshot};
use crate::solution::Solution;
use crate::task::{Task, WRITTEN};
use mageyard_browser::{BrowserPool, BrowserSettings};
use mageyard_domain::{EnvironmentContext, EnvironmentError, Level, LevelCheck, Options, sanitize};

/// The check of tasks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Check;

#[async_trait]
impl LevelCheck for Check {
    async fn check(
        &self,
        level: &Level,
        options: &Options,
        context: &EnvironmentContext,
    ) -> Result<Vec<String>, EnvironmentError> {
        let options = WebUiOptions::read(options).map_err(failed)?;
        let task = match Task::of_level(level) {
            Ok(task) => task,
            Err(error) => return Ok(vec![error.to_string()]),
        };
        let pool = context.resources.get_or_insert_with(|| BrowserPool::new(BrowserSettings::default()));
        let walked = walk_target_and_solution(&pool, &task, &options).await?;
        Ok(faults(&task, &walked))
    }
}

/// Walks with the target and its copy without annotations in step.
async fn walk_target_and_solution(
    pool: &BrowserPool,
    task: &Task,
    options: &WebUiOptions,
) -> Result<[Walked; 2], EnvironmentError> {
    let own = task.files.iter().map(|file| (file.name.clone(), file.content.clone()));
    let target = Site::create(own.collect()).await?;
    let solution = Solution::of_task(task).files();
    let written = solution.written().map(|(kind, text)| (kind.name.to_owned(), text.as_bytes().to_vec()));
    let resources = task.resources().map(|file| (file.name.clone(), file.content.clone()));
    let copy = Site::create(resources.chain(written).collect()).await?;
    let address = Some((copy.address(), "file:///generated/"));
    let folder = copy.path();
    let file = WRITTEN[0];
    let side = Side { folder, file, pictures: false, address, script_errors: false };
    let sides = [Side { script_errors: true, ..target_side(&target, true) }, side];
    let pace = Pace { waiting: options.waiting, limit: options.act_time };
    let walked = walk_sides(pool, &sides, options.viewport, &task.interactions, pace).await;
    let (walked, _) = walked.map_err(failed)?;
    <[_; 2]>::try_from(walked).map_err(|_| failed("the pages were not rendered"))
}

/// What is wrong with a task.
fn faults(task: &Task, [target, copy]: &[Walked; 2]) -> Vec<String> {
    let blocked = target.blocked.iter();
    let mut faults: Vec<String> =
        blocked.map(|request| format!("the request of {} is refused", sanitize(&request.url))).collect();
    let errors = target.script_errors.iter();
    faults.extend(errors.map(|error| format!("a script of the page fails: {}", sanitize(error))));
    let snapshots = match target_snapshots(&target.states, &task.interactions) {
        Ok(snapshots) => snapshots,
        Err(why) => {
            faults.push(why);
            return faults;
        }
    };
    let endless = |state: &super::walk::State| state.as_ref().is_ok_and(|view| view.endless);
    if target.states.iter().any(endless) {
        faults.push("the page has an animation that never ends".to_owned());
    }
    faults.extend(never_shown(&snapshots));
    for rules in [Rules::released(), Rules::paper()] {
        faults.extend(score_faults(task, &snapshots, copy, rules));
    }
    faults
}

/// The annotated elements that are shown in no state. They have no identity across states, so elements that are alike
/// count as one.
fn never_shown(snapshots: &[&Snapshot]) -> Vec<String> {
    let key = |element: &Element| {
        let Element { tag, id, class, filter, evalby, .. } = element.clone();
        (tag, id, class, filter, evalby)
    };
    let all = || snapshots.iter().flat_map(|snapshot| &snapshot.elements);
    let annotated =
        |shown: bool| all().filter(move |element| element.is_annotated() && element.shown == shown);
    let shown: Vec<_> = annotated(true).map(key).collect();
    let mut hidden: Vec<_> = annotated(false).map(key).filter(|key| !shown.contains(key)).collect();
    hidden.sort();
    hidden.dedup();
    let sentence = |(tag, id, ..): (String, String, String, Option<String>, Option<String>)| {
        format!("the annotated element {tag} {} is never shown", sanitize(&id))
    };
    hidden.into_iter().map(sentence).collect()
}

/// Scores that a right task has in every mode.
fn score_faults(task: &Task, snapshots: &[&Snapshot], copy: &Walked, rules: Rules) -> Vec<String> {
    let mut faults = Vec::new();
    let mode = rules.mode();
    let mut expect = |what: &str, score: f64, expected: f64| {
        if (score - expected).abs() > 0.0 {
            faults.push(format!("{what} scores {score} in the mode {mode}, not {expected}"));
        }
    };
    let itself: Vec<_> = snapshots.iter().map(|page| aes::compare(page, page, rules)).collect();
    expect("the target against itself", total(&itself, rules).aes, 1.0);
    let copies = score(snapshots, &copy.states, rules, &task.interactions);
    expect("the copy without annotations", total(&copies, rules).aes, 1.0);
    let empty =
        |page: &&Snapshot| aes::compare(page, &Snapshot { elements: Vec::new(), ..(*page).clone() }, rules);
    expect("an empty page", total(&snapshots.iter().map(empty).collect::<Vec<_>>(), rules).aes, 0.0);
    for (index, page) in itself.iter().enumerate() {
        let name = state_name(index, &task.interactions);
        if page.dropped > 0 {
            faults.push(format!(
                "{} targets are dropped at {} in the mode {mode}",
                page.dropped,
                sanitize(&name)
            ));
        }
        let wrong = page.remarks.iter().filter(|remark| !matches!(remark, aes::Remark::NotShown { .. }));
        faults.extend(wrong.map(|remark| format!("{}: {remark}", sanitize(&name))));
    }
    faults
}
