//! The environment of web pages: scores of known pages, coming back after a kill, and viewing without a browser.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::atomic::AtomicBool;

use libtest_mimic::Trial;
use mageyard::browser::BrowserPool;
use mageyard::domain::{
    Action, Arg, Environment, EnvironmentContext, EnvironmentSpec, Level, Observation, ObservationPart,
    Options, Outcome, Status,
};
use mageyard::envs::webui::WebUi;
use serde_json::Value;
use tempfile::TempDir;

use super::harness::{settings, trial};

pub(crate) fn list() -> Vec<Trial> {
    vec![
        trial("webui::the_target_without_annotations_scores_100", the_target_scores_100),
        trial("webui::another_page_scores_less_and_says_where", another_page_scores_less),
        trial("webui::a_picture_that_is_not_stable_is_said_at_the_step", an_unstable_picture_is_said),
        trial("webui::equal_episodes_have_equal_pictures", equal_episodes_have_equal_pictures),
        trial("webui::a_start_page_has_its_score_from_the_start", a_start_page_has_its_score),
        trial("webui::an_action_without_files_changes_nothing", no_files_change_nothing),
        trial("webui::a_page_that_does_not_render_scores_0", nothing_scores_0),
        trial("webui::the_solution_is_never_sent", the_solution_is_never_sent),
        trial("webui::an_episode_comes_back_to_its_files", an_episode_comes_back),
        trial("webui::an_episode_in_another_view_has_the_same_states", another_view_has_the_same_states),
        trial("webui::the_verb_aes_prints_what_is_documented", the_verb_prints_its_score),
        trial("webui::a_run_from_a_page_keeps_its_score", a_run_from_a_page_keeps_its_score),
        trial("webui::a_run_is_viewed_without_a_browser", a_run_is_viewed_without_a_browser),
        trial(
            "webui::a_sweep_starts_online_episodes_from_global_ones",
            a_sweep_starts_online_episodes_from_global_ones,
        ),
        trial("webui::a_branch_of_a_live_page_is_unsafe_and_goes_on_alike", a_branch_goes_on_alike),
        trial("webui::a_check_reports_scripts_that_fail", a_check_reports_scripts_that_fail),
    ]
}

/// A small page with one interaction.
const PAGE: &str = r##"@@ page counter
@@ file index.html
<!DOCTYPE html>
<link rel="stylesheet" href="style.css">
<h1 data-filter-by="text" data-evalby="text|color|font-size">Counter</h1>
<button id="more" data-filter-by="has_text" data-evalby="text|background-color|width">Count: 0</button>
<script src="script.js"></script>
@@ file style.css
h1 { color: rgb(20, 60, 120); }
#more { background-color: rgb(250, 220, 120); width: 120px; height: 40px; }
@@ file script.js
let count = 0;
more.onclick = () => { count += 1; more.textContent = "Count: " + count; };
@@ file task.md
A heading and a button. ![](screen:0)

A click on `#more` counts: ![](screen:1)
@@ file steps.json
[{"name": "count", "steps": [{"click": {"css": "#more"}}], "wait_ms": 30}]
"##;

fn level() -> Level {
    WebUi.parse_levels(PAGE).unwrap().remove(0)
}

fn context() -> EnvironmentContext {
    let context = EnvironmentContext::default();
    context.resources.get_or_insert_with(|| BrowserPool::new(settings()));
    context
}

async fn opened(context: &EnvironmentContext) -> (Box<dyn Environment>, Observation) {
    let mut environment = WebUi.open(&level(), &Options::new(), 0).unwrap();
    let opening = environment.open(context).await.unwrap();
    (environment, opening.observation)
}

fn solution(seen: &Observation) -> Action {
    let space = mageyard::envs::webui::action_space();
    let mut oracle = WebUi.capabilities().policies.create_oracle().unwrap();
    let plan = oracle.plan(seen, &space, 1, &AtomicBool::new(false));
    plan.unwrap().0.remove(0)
}

fn code(action: Action, name: &str, text: &str) -> Action {
    action.with(name, Arg::Code(text.to_owned()))
}

fn loss(outcome: &Outcome, name: &str) -> f64 {
    outcome.observation.facts()["losses"][name].as_f64().unwrap()
}

async fn the_target_scores_100() {
    let context = context();
    let (mut environment, seen) = opened(&context).await;
    assert_eq!((seen.images().count(), &seen.facts()["task_parts"]), (2, &Value::from(4)));
    let written = solution(&seen);
    assert!(!written.to_string().contains("data-evalby"), "{written}");
    let outcome = environment.act(&written, &context).await.unwrap();
    assert_eq!((outcome.reward, outcome.status, outcome.note), (100.0, Status::Won, None));
    assert_eq!(outcome.observation.facts()["matched"], 4);
}

async fn another_page_scores_less() {
    let context = context();
    let (mut environment, seen) = opened(&context).await;
    let renamed = code(solution(&seen), "html", "<h1>Counter</h1><button id=\"less\">Count: 0</button>");
    let first = environment.act(&renamed, &context).await.unwrap();
    assert!(loss(&first, "act") > 0.3 && first.reward < 70.0, "{}", first.observation.facts());
    assert_eq!(first.observation.facts()["errors"], serde_json::json!(["act"]));
    assert!(first.note.is_some_and(|note| note.contains("not found")));
    let second = environment.act(&solution(&seen), &context).await.unwrap();
    assert!((first.reward + second.reward - 100.0).abs() < 1e-9, "rewards sum to the score");
}

/// The score of the start files is the base of the first difference, and the score if nothing is changed.
/// A page with rounded buttons that are pressed: some of their pixels depended on when the browser drew them.
async fn equal_episodes_have_equal_pictures() {
    let pictures = || {
        let home = TempDir::new().unwrap();
        lines(&program(
            home.path(),
            &["run", "webui/mini/1", "--agent", "oracle", "--store", "store", "--json"],
        ));
        let session = fs::read_dir(home.path().join("store")).unwrap().map(|entry| entry.unwrap().path());
        let journal =
            session.map(|folder| folder.join("0001/journal.jsonl")).find(|path| path.exists()).unwrap();
        let text = fs::read_to_string(journal).unwrap();
        let named = text.split("\",\"media\":\"image/png\"").map(|before| before.rsplit('"').next().unwrap());
        named.map(str::to_owned).collect::<Vec<_>>()
    };
    let first = pictures();
    assert!(first.len() > 10, "{first:?}");
    assert_eq!(first, pictures());
}

async fn an_unstable_picture_is_said() {
    let context = context();
    let (mut environment, seen) = opened(&context).await;
    let style =
        "@keyframes go { to { margin-left: 300px } } h1 { animation: go 3s linear infinite alternate }";
    let outcome = environment.act(&code(solution(&seen), "css", style), &context).await.unwrap();
    let note = outcome.note.unwrap();
    assert!(note.contains("first state: the picture is not stable"), "{note}");
}

async fn a_start_page_has_its_score() {
    let context = context();
    let html = "<h1>Counter</h1><button id=\"less\">Count: 0</button>";
    let start = serde_json::json!({"html": html, "css": "h1 { color: rgb(20, 60, 120); }"});
    let options = Options::from([("start_files".to_owned(), start)]);
    let mut environment = WebUi.open(&level(), &options, 0).unwrap();
    let opening = environment.open(&context).await.unwrap();
    let aes = opening.observation.facts()["aes"].as_f64().unwrap();
    assert!(opening.points > 10.0 && opening.points < 90.0, "{}", opening.points);
    assert!((opening.points - 100.0 * aes).abs() < 1e-9);
    let unchanged = environment.act(&Action::plain("write"), &context).await.unwrap();
    assert_eq!((unchanged.reward, unchanged.status), (0.0, Status::Running));
    assert_eq!(unchanged.observation.digest(), opening.observation.digest());
    let solved = environment.act(&solution(&opening.observation), &context).await.unwrap();
    assert!((opening.points + solved.reward - 100.0).abs() < 1e-9, "only the difference is a reward");
    let blank = WebUi.open(&level(), &Options::new(), 0).unwrap().open(&context).await.unwrap();
    assert_eq!(blank.points, 0.0);
}

/// An agent that writes nothing keeps the score of the page that it was given.
async fn a_run_from_a_page_keeps_its_score() {
    let home = TempDir::new().unwrap();
    fs::write(home.path().join("counter.webui"), PAGE).unwrap();
    let global = ["run", "counter.webui", "--agent", "oracle", "--setting", "global"];
    lines(&program(home.path(), &[&global[..], &["--json"]].concat()));
    let online = ["run", "counter.webui", "--agent", "idle", "--setting", "online", "--json"];
    let printed = lines(&program(home.path(), &[&online[..], &["--set", "webui.start=last"]].concat()));
    let episode = printed.iter().find(|row| row["type"] == "episode").unwrap();
    assert_eq!((&episode["score"], &episode["steps"]), (&Value::from(100.0), &Value::from(0)), "{episode}");
}

async fn no_files_change_nothing() {
    let context = context();
    let (mut environment, seen) = opened(&context).await;
    let renamed = code(solution(&seen), "html", "<h1>Counter</h1><button id=\"less\">Count: 0</button>");
    let first = environment.act(&renamed, &context).await.unwrap();
    let second = environment.act(&Action::plain("write"), &context).await.unwrap();
    assert_eq!((second.reward, second.observation.digest()), (0.0, first.observation.digest()));
}

async fn nothing_scores_0() {
    let context = context();
    let (mut environment, _) = opened(&context).await;
    let styles = code(Action::plain("write"), "css", "p {}");
    let outcome = environment.act(&styles, &context).await.unwrap();
    assert_eq!((outcome.reward, loss(&outcome, "ren")), (0.0, 1.0));
    assert_eq!(outcome.observation.facts()["errors"], serde_json::json!(["ren"]));
    let text = outcome.observation.text().clone();
    assert!(text.contains("The present page cannot be shown: there is no file index.html"), "{text}");
}

async fn the_solution_is_never_sent() {
    let context = context();
    let (mut environment, seen) = opened(&context).await;
    let outcome = environment.act(&solution(&seen), &context).await.unwrap();
    for shown in [&seen, &outcome.observation] {
        for part in shown.parts() {
            match part {
                ObservationPart::Text(text) => assert!(!text.contains("data-evalby"), "{text}"),
                ObservationPart::Image(_) => {}
                ObservationPart::Data(data) => assert!(!data.blob().is_text(), "{data:?}"),
            }
        }
    }
}

async fn an_episode_comes_back() {
    let context = context();
    let (mut environment, seen) = opened(&context).await;
    let outcome = environment.act(&solution(&seen), &context).await.unwrap();
    let last = outcome.observation;
    environment.close().await;
    let mut again = WebUi.open(&level(), &Options::new(), 0).unwrap();
    again.reopen(&last, &context).await.unwrap();
    let looked = again.look(&context).await.unwrap().observation;
    assert_eq!((looked.digest(), &looked.facts()["reopened"]), (last.digest(), &Value::Null));
    let worse = code(Action::plain("write"), "css", "h1 { display: none }");
    let outcome = again.act(&worse, &context).await.unwrap();
    assert!((-100.0..0.0).contains(&outcome.reward), "{}", outcome.reward);
}

async fn another_view_has_the_same_states() {
    let context = context();
    let (mut environment, seen) = opened(&context).await;
    let outcome = environment.act(&solution(&seen), &context).await.unwrap();
    let options = Options::from([("view".to_owned(), Value::from("elements"))]);
    let mut listed = WebUi.open(&level(), &options, 0).unwrap();
    let words = listed.open(&context).await.unwrap().observation;
    assert_eq!((words.digest(), words.images().count()), (seen.digest(), 0));
    let acted = listed.act(&solution(&words), &context).await.unwrap().observation;
    assert_eq!(acted.digest(), outcome.observation.digest());
    let lists = acted.parts().iter().filter(|part| match part {
        ObservationPart::Text(text) => text.contains(" h1 \"Counter\" at ") && text.contains("#fadc78"),
        _ => false,
    });
    assert_eq!(lists.count(), 3, "two pictures of the description, and the present page");
    let mut again = WebUi.open(&level(), &options, 0).unwrap();
    again.reopen(&acted, &context).await.unwrap();
    let looked = again.look(&context).await.unwrap().observation;
    assert_eq!((looked.digest(), looked.images().count()), (acted.digest(), 0));
    let show = WebUi.capabilities().perception.show;
    let pictures = show(&acted, &Options::new()).unwrap();
    assert!(pictures.images().zip(outcome.observation.images()).all(|(one, other)| one.1 == other.1));
    assert_eq!(pictures.images().count(), 3);
}

/// The program in an empty home folder, without the variables that the tests themselves read.
pub(crate) fn program(home: &Path, args: &[&str]) -> Output {
    let kept =
        ["PATH", "MAGEYARD_CHROMIUM"].into_iter().filter_map(|name| Some((name, std::env::var_os(name)?)));
    Command::new(env!("CARGO_BIN_EXE_mageyard"))
        .args(args)
        .current_dir(home)
        .env_clear()
        .envs(kept)
        .env("HOME", home)
        .output()
        .unwrap()
}

pub(crate) fn lines(output: &Output) -> Vec<Value> {
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The fields of a type in the document.
fn documented(name: &str) -> Vec<String> {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/json.md")).unwrap();
    let section = text.split(&format!("\n### `{name}`")).nth(1).unwrap().split("\n### ").next().unwrap();
    let rows = section.lines().filter_map(|line| line.strip_prefix('`')?.split_once('`'));
    rows.map(|(field, _)| field.to_owned()).collect()
}

async fn the_verb_prints_its_score() {
    let home = TempDir::new().unwrap();
    for (folder, extra) in [("target", ""), ("page", "<p>More</p>")] {
        fs::create_dir(home.path().join(folder)).unwrap();
        let html = "<h1 data-filter-by=\"text\" data-evalby=\"text\">One</h1>";
        fs::write(home.path().join(folder).join("index.html"), format!("{html}{extra}")).unwrap();
    }
    fs::write(
        home.path().join("steps.json"),
        "[{\"name\":\"end\",\"steps\":[{\"scroll\":{\"to_end\":{}}}]}]",
    )
    .unwrap();
    let args =
        ["aes", "target", "page/index.html", "--actions", "steps.json", "--viewport", "800x600", "--json"];
    let printed = lines(&program(home.path(), &args)).remove(0);
    let mut fields: Vec<_> = printed.as_object().unwrap().keys().cloned().collect();
    fields.retain(|field| !["schema", "type"].contains(&field.as_str()));
    let mut expected = documented("aes");
    fields.sort();
    expected.sort();
    assert_eq!((fields, &printed["aes"]), (expected, &Value::from(1.0)));
    let names: Vec<_> =
        printed["pages"].as_array().unwrap().iter().map(|page| page["name"].clone()).collect();
    assert_eq!(
        (names, &printed["viewport"]),
        (vec!["first state".into(), Value::from("end")], &serde_json::json!([800, 600]))
    );
    let wrong = program(home.path(), &["aes", "target", "nowhere"]);
    assert_eq!(wrong.status.code(), Some(2));
}

/// The screen is not needed for that: all steps are printed from the journal.
async fn a_run_is_viewed_without_a_browser() {
    let home = TempDir::new().unwrap();
    fs::write(home.path().join("counter.webui"), PAGE).unwrap();
    let run = ["run", "counter.webui", "--agent", "oracle", "--setting", "global", "--json"];
    let printed = lines(&program(home.path(), &run));
    let score =
        |rows: &[Value]| rows.iter().find(|row| row["type"] == "episode").map(|row| row["score"].clone());
    assert_eq!(score(&printed), Some(Value::from(100.0)));
    fs::write(home.path().join("mageyard.toml"), "[browser]\nprogram = \"no-such-browser\"\n").unwrap();
    for verb in
        [&["view", "last", "--json"][..], &["report", "last", "--json"], &["reparse", "last", "--json"]]
    {
        assert!(!lines(&program(home.path(), verb)).is_empty(), "{verb:?}");
    }
    let refused = program(home.path(), &[&run[..], &["--set", "browser.program=no-such-browser"]].concat());
    assert!(!refused.status.success(), "an episode needs a browser");
}

async fn a_branch_goes_on_alike() {
    let home = TempDir::new().unwrap();
    fs::write(home.path().join("counter.webui"), PAGE).unwrap();
    let run = ["run", "counter.webui", "--agent", "faulty", "--seed", "2", "--max-steps", "3", "--json"];
    lines(&program(home.path(), &run));
    let refused = program(home.path(), &["fork", "last#2"]);
    let reason = String::from_utf8_lossy(&refused.stderr);
    assert!(refused.status.code() == Some(2) && reason.contains("--unsafe makes the branch"), "{reason}");
    let made = lines(&program(home.path(), &["fork", "last#2", "--unsafe", "--json"]));
    assert_eq!(made[0]["restored"], "unsafe", "{made:?}");
    lines(&program(home.path(), &["run", "--resume", "last#b1", "--json"]));
    let compared = lines(&program(home.path(), &["diff", "last", "last#b1", "--json"]));
    assert_eq!(compared[0]["step"], Value::Null, "the same actions lead to the same pages: {compared:?}");
}

async fn a_check_reports_scripts_that_fail() {
    let home = TempDir::new().unwrap();
    let fails =
        PAGE.replace("let count = 0;\n", "let count = 0;\nmore.oninput = () => {};\nmissing.value = 1;\n");
    fs::write(home.path().join("counter.webui"), fails).unwrap();
    let output = program(home.path(), &["levels", "check", "counter.webui", "--json"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(2), "{text}");
    let reason = "counter: a script of the page fails: script.js:3: ReferenceError: missing is not defined";
    assert!(text.contains(reason), "{text}");
    fs::write(home.path().join("counter.webui"), PAGE).unwrap();
    let checked = lines(&program(home.path(), &["levels", "check", "counter.webui", "--json"]));
    assert_eq!((checked.len(), &checked[0]["verdict"]), (1, &Value::from("ok")));
}

/// The files that the first state of the Online episode has are those that the Global episode of its repeat wrote.
async fn a_sweep_starts_online_episodes_from_global_ones() {
    let home = TempDir::new().unwrap();
    let sweep = "levels = \"webui/mini/1\"\nrepeats = 4\n[settings]\nplay.agent = \"faulty\"\n\
                 play.max_steps = 1\nwebui.start = \"global\"\n\
                 [[grid]]\nplay.setting = [\"online\", \"global\"]\n";
    fs::write(home.path().join("starts.toml"), sweep).unwrap();
    let printed = lines(&program(home.path(), &["sweep", "run", "starts.toml", "--store", "runs", "--json"]));
    let ended: Vec<_> = printed.iter().filter(|line| line["type"] == "sweep_cell_end").collect();
    let names: Vec<&str> = ended.iter().map(|line| line["cell"].as_str().unwrap()).collect();
    assert!(names.len() == 2 && names[0].contains("global") && names[1].contains("online"), "{names:?}");
    let plan = fs::read_to_string(home.path().join("runs/sweeps/starts").join(names[1]).join("plan.jsonl"));
    let plan = plan.unwrap();
    let starts: Vec<Value> = plan
        .lines()
        .map(|head| serde_json::from_str::<Value>(head).unwrap()["options"]["start_files"].take())
        .collect();
    // Some repeats make the same mistakes.
    assert!(starts.len() == 4 && starts.iter().any(|start| *start != starts[0]), "{starts:?}");
    assert!(
        starts.iter().all(|files| files.as_object().is_some_and(|files| !files.is_empty())),
        "{starts:?}"
    );
}
