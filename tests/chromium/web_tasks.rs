//! The environment of web tasks on the local sites: recorded workflows, refused acts, coming back, and verdicts from what is
//! stored.

use std::time::Duration;

use libtest_mimic::Trial;
use mageyard::browser::BrowserPool;
use mageyard::domain::{
    ActProblem, Action, Arg, BlobHandle, Conclusion, Ending, Environment, EnvironmentContext,
    EnvironmentError, EnvironmentSpec, Level, Number, Observation, Options, Outcome, Status, StoredStep,
};
use mageyard::envs::web::Web;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::harness::{settings, trial};

pub(crate) fn list() -> Vec<Trial> {
    vec![
        trial("web_tasks::acts_that_cannot_be_done_are_refused_and_change_nothing", acts_are_refused),
        trial("web_tasks::the_state_of_a_page_is_seen", states_are_seen),
        trial("web_tasks::an_act_that_is_stopped_keeps_the_session", a_stopped_act_keeps_the_session),
        trial("web_tasks::an_episode_comes_back_to_its_address", an_episode_comes_back),
        trial("web_tasks::recorded_workflows_meet_all_nodes_1", workflows_meet_all_nodes::<0>),
        trial("web_tasks::recorded_workflows_meet_all_nodes_2", workflows_meet_all_nodes::<1>),
        trial("web_tasks::recorded_workflows_meet_all_nodes_3", workflows_meet_all_nodes::<2>),
        trial("web_tasks::recorded_workflows_meet_all_nodes_4", workflows_meet_all_nodes::<3>),
        trial("web_tasks::recorded_workflows_meet_all_nodes_5", workflows_meet_all_nodes::<4>),
        trial("web_tasks::recorded_workflows_meet_all_nodes_6", workflows_meet_all_nodes::<5>),
        trial("web_tasks::recorded_workflows_meet_all_nodes_7", workflows_meet_all_nodes::<6>),
        trial("web_tasks::recorded_workflows_meet_all_nodes_8", workflows_meet_all_nodes::<7>),
        trial("web_tasks::a_screenshot_is_stored_once_with_its_numbers", a_screenshot_is_stored_once),
        trial("web_tasks::an_answer_that_meets_the_last_node_signals_the_end", an_answer_signals),
    ]
}

fn context() -> EnvironmentContext {
    let context = EnvironmentContext::default();
    context.resources.get_or_insert_with(|| BrowserPool::new(settings()));
    context
}

/// A task that begins at this address, with one node that nothing meets.
fn level(start: &str) -> Level {
    let record = json!([{
        "index": 1, "task": "Look around", "reference_task_length": 5, "start": start,
        "search": "http://find.test/search?q=",
        "evaluation": [{"match_function_name": "url_included_match",
            "content": {"key": "", "reference_answer": "nowhere.test", "url": "http://nowhere.test/"}}],
    }]);
    Web.parse_levels(&record.to_string()).unwrap().remove(0)
}

async fn opened(start: &str, context: &EnvironmentContext) -> (Box<dyn Environment>, Observation) {
    let mut environment = Web.open(&level(start), &Options::new(), 0).unwrap();
    let opening = environment.open(context).await.unwrap();
    (environment, opening.observation)
}

fn text(name: &str, param: &str, text: &str) -> Action {
    Action::plain(name).with(param, Arg::Text(text.to_owned()))
}

fn number(name: &str, param: &str, number: u32) -> Action {
    Action::plain(name).with(param, Arg::Number(Number::new(number.into()).unwrap()))
}

async fn act(environment: &mut dyn Environment, action: &Action, context: &EnvironmentContext) -> Outcome {
    environment.act(action, context).await.unwrap()
}

async fn acts_are_refused() {
    let context = context();
    let (mut environment, first) = opened("http://shop.test/", &context).await;
    for (action, reason) in [
        (number("click", "id", 90_000), "there is no element 90000"),
        (number("switch_tab", "tab", 7), "no tab 7"),
        (Action::plain("go_back"), "no earlier page"),
        (text("goto", "url", "file:///etc/passwd"), "cannot be opened"),
    ] {
        let outcome = act(environment.as_mut(), &action, &context).await;
        let Some(ActProblem::Refused(why)) = &outcome.problem else { panic!("{action}: {outcome:?}") };
        assert!(why.contains(reason), "{action}: {why}");
        assert_eq!(outcome.observation.state(), first.state(), "{action}");
    }
    let private = act(environment.as_mut(), &text("goto", "url", "http://127.0.0.1:9/"), &context).await;
    assert!(matches!(private.problem, Some(ActProblem::Failed(_))), "{:?}", private.problem);
    environment.close().await;
}

async fn a_stopped_act_keeps_the_session() {
    let context = context();
    let (mut environment, _) = opened("http://shop.test/", &context).await;
    let stopped = EnvironmentContext { cancel: CancellationToken::new(), ..context.clone() };
    let cancel = stopped.cancel.clone();
    let slow = text("goto", "url", "http://trouble.test/slow");
    let stop = async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        cancel.cancel();
    };
    let (acted, ()) = tokio::join!(environment.act(&slow, &stopped), stop);
    assert!(matches!(acted, Err(EnvironmentError::Cancelled)), "{acted:?}");
    let seen = environment.look(&context).await.unwrap();
    assert!(seen.observation.facts()["url"].as_str().unwrap().starts_with("http"));
    let next = act(environment.as_mut(), &text("goto", "url", "shop.test/stores"), &context).await;
    assert_eq!((next.problem, &next.observation.facts()["state"]), (None, &json!("ok")));
    environment.close().await;
}

async fn states_are_seen() {
    let context = context();
    let (mut environment, _) = opened("http://find.test/", &context).await;
    for (address, state) in [
        ("http://trouble.test/missing", "gone"),
        ("http://nowhere.invalid/", "gone"),
        ("http://shop.test/", "ok"),
    ] {
        let outcome = act(environment.as_mut(), &text("goto", "url", address), &context).await;
        assert_eq!(outcome.observation.facts()["state"], state, "{address}: {:?}", outcome.note);
        assert_eq!(outcome.status, Status::Running);
    }
    let kept = act(environment.as_mut(), &text("cache_data", "text", "\u{1b}[2J"), &context).await;
    let shown = kept.observation.text();
    assert!(shown.contains("Kept text 1") && !shown.contains('\u{1b}'), "{shown}");
    let done = act(environment.as_mut(), &text("get_final_answer", "text", ""), &context).await;
    assert_eq!(done.status, Status::Finished);
    environment.close().await;
}

async fn an_episode_comes_back() {
    let context = context();
    let (mut environment, _) = opened("http://shop.test/", &context).await;
    let kept = act(environment.as_mut(), &text("cache_data", "text", "a price"), &context).await.observation;
    environment.close().await;
    let mut again = Web.open(&level("http://shop.test/"), &Options::new(), 0).unwrap();
    again.reopen(&kept, &context).await.unwrap();
    let seen = again.look(&context).await.unwrap();
    assert_eq!(seen.observation.state(), kept.state());
    assert!(seen.observation.text().contains("Kept text 1: a price"));
    again.close().await;
}

/// One screenshot is stored, whether numbers are painted over it or not.
async fn a_screenshot_is_stored_once() {
    let context = context();
    let (mut environment, seen) = opened("http://shop.test/", &context).await;
    let picture = seen.picture().unwrap();
    assert!(!picture.numbers().is_empty());
    let blob: BlobHandle = picture.blob().unwrap().clone();
    let plain = mageyard::domain::Picture::open(blob, 1).unwrap();
    assert_eq!((plain.width(), plain.height()), (1080, 720));
    assert_ne!(plain.pixels().unwrap(), picture.pixels().unwrap());
    environment.close().await;
}

/// It is complete and signalled at once, so human alignment is 1.
async fn an_answer_signals() {
    let context = context();
    let record = json!([{
        "index": 1, "task": "What is 6 by 7?", "reference_task_length": 1, "start": "http://shop.test/",
        "evaluation": [{"match_function_name": "final_answer_included_match",
            "content": {"reference_answer": "42", "url": "http://shop.test/"}}],
    }]);
    let level = Web.parse_levels(&record.to_string()).unwrap().remove(0);
    let mut environment = Web.open(&level, &Options::new(), 0).unwrap();
    let seen = environment.open(&context).await.unwrap().observation;
    let action = text("get_final_answer", "text", "It is 42.");
    let outcome = act(environment.as_mut(), &action, &context).await;
    assert_eq!((outcome.status, outcome.reward), (Status::Finished, 100.0), "{:?}", outcome.note);
    let step = |observation, action| StoredStep { observation, action, problem: None, reward: 0.0 };
    let steps = vec![step(seen, Some(action)), step(outcome.observation, None)];
    for (ending, alignment) in [(Ending::Finished, 1.0), (Ending::Won, 0.95)] {
        let conclusion = Conclusion { ending, last_reply: None, answers: Vec::new(), steps: steps.clone() };
        let verdict = environment.judge(&conclusion, &context).await.unwrap();
        assert_eq!(verdict.figures["human_alignment"], alignment);
    }
    environment.close().await;
}

/// What the recorded workflow does next.
fn next(seen: &Observation) -> Option<Action> {
    serde_json::from_value(seen.facts()["next"].clone()).unwrap_or_default()
}

async fn played(level: &Level, context: &EnvironmentContext) -> (Vec<StoredStep>, Ending, Vec<String>) {
    let mut environment = Web.open(level, &Options::new(), 0).unwrap();
    let opening = environment.open(context).await.unwrap();
    let mut seen = opening.observation;
    let (mut steps, mut said, mut ending) = (Vec::new(), Vec::new(), Ending::StepLimit);
    while let Some(action) = next(&seen) {
        let outcome = act(environment.as_mut(), &action, context).await;
        said.push(format!("{action}: {:?} {:?}", outcome.problem, outcome.note));
        let observation = std::mem::replace(&mut seen, outcome.observation);
        steps.push(StoredStep {
            observation,
            action: Some(action),
            problem: outcome.problem,
            reward: outcome.reward,
        });
        match outcome.status {
            Status::Won => ending = Ending::Won,
            Status::Finished => ending = Ending::Finished,
            _ => continue,
        }
        break;
    }
    steps.push(StoredStep { observation: seen, action: None, problem: None, reward: 0.0 });
    environment.close().await;
    (steps, ending, said)
}

/// Every node of an eighth of the tasks that needs no judge is met, from the stored steps alone.
async fn workflows_meet_all_nodes<const EIGHTH: usize>() {
    let context = context();
    let levels = Web.parse_levels(Web.level_sets()[0].text).unwrap();
    assert_eq!(levels.len(), 24);
    let judging = Web.capabilities().judging.unwrap();
    let mut wrong = Vec::new();
    for level in levels.iter().skip(EIGHTH).step_by(8) {
        let (steps, ending, said) = played(level, &context).await;
        let conclusion = Conclusion { ending, last_reply: None, answers: Vec::new(), steps };
        let options = Options::new();
        let episode = mageyard::domain::StoredEpisode {
            level,
            options: &options,
            conclusion: &conclusion,
            verdict: None,
        };
        let verdict = judging.judge_again(&episode).unwrap().unwrap();
        let asks = !verdict.questions.is_empty();
        if !verdict.success && !asks {
            wrong.push(format!("{}: {:#?}\n{:#?}", level.number, verdict.feedback, said));
        }
    }
    assert!(wrong.is_empty(), "{} tasks are not done:\n{}", wrong.len(), wrong.join("\n"));
}
