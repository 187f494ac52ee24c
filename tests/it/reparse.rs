//! Reading rules from end to end: every rule set plays, a file adds one, and stored replies are read again.

use std::collections::VecDeque;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use mageyard::dialog::Layout;
use mageyard::dialog::Rules;
use mageyard::domain::Agent;
use mageyard::domain::AgentError;
use mageyard::domain::Answer;
use mageyard::domain::Ask;
use mageyard::domain::Conduct;
use mageyard::domain::Setting;
use mageyard::domain::Window;
use mageyard::engine::Cast;
use mageyard::engine::Driver;
use mageyard::engine::Ending;
use mageyard::engine::Episode;
use mageyard::engine::Head;
use mageyard::engine::Journal;
use serde_json::Value;
use serde_json::json;

use crate::world::Ran;
use crate::world::World;

const THREE: &str = "#######\n#@ $ .#\n#######\n";

/// Says what was recorded somewhere, one reply after the other.
struct Stored(VecDeque<String>);

#[async_trait]
impl Agent for Stored {
    async fn decide(&mut self, _: Ask<'_>) -> Result<Answer, AgentError> {
        self.0.pop_front().map(|text| Answer::Said(text.into())).ok_or(AgentError::Empty)
    }
}

fn head(setting: Setting) -> Head {
    Head {
        program: "test".into(),
        started: 0,
        environment: "sokoban".into(),
        reference: "three.xsb#1".into(),
        title: None,
        number: 1,
        level: THREE.into(),
        options: [("tile".to_owned(), 16.into()), ("solver_states".to_owned(), 1000.into())].into(),
        agent: "random".into(),
        seated: mageyard::domain::Options::new(),
        seed: 0,
        setting,
        window: Window::new(5, 1).unwrap(),
        prompt: "0s-CoT".into(),
        layout: Layout::default(),
        rules: Rules::named("strict").unwrap(),
        max_steps: 50,
        max_time: None,
        budget: mageyard::domain::Budget::default(),
        conduct: Conduct::default(),
    }
}

/// An episode with these replies in a session of the world; where its journal is.
fn recorded(world: &World, session: &str, setting: Setting, replies: &[&str]) -> (PathBuf, Ending) {
    let folder = world.path("work/runs").join(session).join("0001");
    fs::create_dir_all(&folder).unwrap();
    let head = head(setting);
    let kind = mageyard::envs::kind("sokoban").unwrap();
    let environment = kind.open(&kind.read(THREE).unwrap()[0], &head.options).unwrap();
    let agent = Stored(replies.iter().map(|reply| (*reply).to_owned()).collect());
    let log = Box::new(Journal::create(&folder, &head).unwrap());
    let form = kind.form(setting).unwrap();
    let cast = Cast { environment, agent: Box::new(agent), form, prompts: Arc::default(), reference: None };
    let mut driver = Driver::new(Episode::new(head.into()), cast, log, Duration::ZERO);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(async {
        driver.meet().await.unwrap();
        driver.cut().unwrap();
        tokio::time::timeout(Duration::from_secs(20), driver.finish()).await.unwrap().unwrap();
    });
    (folder.join("journal.jsonl"), driver.episode().ending().unwrap())
}

/// Seven replies: a step that passes, one that is read at once, one at the second attempt, and the last.
fn online(world: &World) -> PathBuf {
    let replies = [
        "# analyze\nx\n# action\nright.",
        "I go right.",
        "## Action\n**RIGHT**",
        "# action\nRight",
        "# action\nright",
        "# action\nRight",
        "# action\nRight",
    ];
    let (journal, ending) = recorded(world, "online", Setting::Online, &replies);
    assert_eq!(ending, Ending::Won);
    journal
}

fn reparse(world: &World, args: &[&str]) -> Ran {
    world.run(&[&["reparse", "--store", "runs"], args].concat())
}

fn told(ran: &Ran, sort: &str) -> Vec<Value> {
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    ran.objects().into_iter().filter(|object| object["type"] == sort).collect()
}

#[test]
fn stored_replies_are_read_again_and_nothing_is_changed() {
    let world = World::new();
    let journal = online(&world);
    let before = fs::read(&journal).unwrap();
    let ran = reparse(&world, &["online", "--reader", "lenient", "--json"]);
    let total = &told(&ran, "total")[0];
    for (field, value) in [
        ("reader", json!("lenient/1")),
        ("episodes", json!(1)),
        ("replies", json!(7)),
        ("parse_errors_before", json!(4)),
        ("parse_errors_after", json!(1)),
        ("ia_before", json!(100.0)),
        ("ia_after", json!(0.0)),
        ("changed_steps", json!(1)),
    ] {
        assert_eq!(total[field], value, "{field}");
    }
    let changes = told(&ran, "change");
    assert_eq!(changes.len(), 1);
    for (field, value) in [
        ("session", json!("online")),
        ("episode", json!("0001")),
        ("step", json!(1)),
        ("attempt", json!(1)),
        ("before", json!(null)),
        ("after", json!("Right")),
        ("rule", json!("action")),
    ] {
        assert_eq!(changes[0][field], value, "{field}");
    }
    assert_eq!(fs::read(&journal).unwrap(), before);
}

#[test]
fn the_recorded_rules_change_nothing_and_others_may_read_nothing() {
    let world = World::new();
    online(&world);
    let same = reparse(&world, &["online", "--json"]);
    assert!(told(&same, "change").is_empty());
    let total = &told(&same, "total")[0];
    assert_eq!(json!([total["parse_errors_before"], total["parse_errors_after"]]), json!([4, 4]));
    let none = reparse(&world, &["online", "--reader", "think", "--json"]);
    let changes = told(&none, "change");
    let rows: Vec<_> =
        changes.iter().map(|row| json!([row["step"], row["attempt"], row["before"], row["after"]])).collect();
    let rights = [(2, 1), (3, 2), (4, 1)].map(|(step, attempt)| json!([step, attempt, "Right", null]));
    assert_eq!(rows, rights);
    assert!(changes.iter().all(|row| row["rule"] == "tag"), "{changes:?}");
}

#[test]
fn plans_and_several_sessions_are_told_one_by_one_and_in_total() {
    let world = World::new();
    online(&world);
    let plan = "### Actions\nright, right\nright";
    let (_, ending) = recorded(&world, "plans", Setting::Global, &[plan, plan, "no"]);
    assert_eq!(ending, Ending::Unreadable);
    let said = reparse(&world, &["online", "plans", "--reader", "lenient"]).done();
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[2], "plans/0001  step 1  attempt 1  (none) -> Right, Right, Right  rule list");
    assert!(
        lines[1].starts_with("online  1 episode  7 replies  parse errors 4 -> 1  IA 100.0 % -> 0.0 %"),
        "{said}"
    );
    assert!(lines[4].starts_with("total  2 episodes  10 replies  parse errors 7 -> 2"), "{said}");
    assert_eq!(lines.len(), 5);
}

#[test]
fn a_damaged_journal_and_wrong_requests_end_with_their_codes() {
    let world = World::new();
    let journal = online(&world);
    reparse(&world, &["online", "--reader", "strcit"]).refused(2, &["there is no reader strcit", "strict"]);
    reparse(&world, &["online", "--reader", "./none.toml"]).refused(2, &["there is no such file"]);
    reparse(&world, &["other"]).refused(2, &["there is no session \"other\""]);
    let text = fs::read_to_string(&journal).unwrap();
    fs::write(&journal, text.replacen("RIGHT", "WRONG", 1)).unwrap();
    reparse(&world, &["online"]).refused(5, &["its seal does not fit"]);
}

#[test]
fn a_file_adds_a_reader_and_is_judged() {
    let world = World::new();
    online(&world);
    let shipped = world.run(&["readers", "lenient"]).done();
    let mine = shipped.replace("version = 1", "version = 7").replace("any_level = true", "any_level = false");
    let file = world.write("config/mageyard/readers/mine.toml", &mine);
    let listed = world.run(&["readers", "--reader"]).code;
    assert_eq!(listed, Some(2), "readers takes no such flag");
    let listed = world.run(&["readers"]).done();
    assert!(listed.contains("*  strict/1") && listed.contains("mine/7"), "{listed}");
    for named in ["mine", file.to_str().unwrap()] {
        let total = told(&reparse(&world, &["online", "--reader", named, "--json"]), "total").remove(0);
        assert_eq!(json!([total["reader"], total["ia_after"]]), json!(["mine/7", 0.0]));
    }
    let ran = world.run(&["run", "sokoban/first/1", "--reader", "mine", "--store", "runs"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    world.write("config/mageyard/readers/mine.toml", mine.replace("bold", "blod"));
    let wrong = ["mine.toml:10: there is no \"blod\" in [headings]", "did you mean bold?"];
    world.run(&["run", "sokoban/first/1", "--reader", "mine"]).refused(2, &wrong);
    world.run(&["config", "check"]).refused(2, &wrong[..1]);
    let last = world.run(&["run", "--resume", "last", "--store", "runs"]);
    assert_eq!(last.code, Some(0), "the journal keeps the rules whole: {}", last.err);
    world.run(&["run", "sokoban", "--reader", "menno"]).refused(2, &["--reader", "there is no reader menno"]);
}

#[test]
fn agents_speak_in_the_form_that_the_rules_read() {
    for (reader, _) in Rules::shipped() {
        for setting in ["online", "global"] {
            let world = World::new();
            world.write("work/three.xsb", THREE);
            let args = ["run", "three.xsb", "--json", "--reader", reader, "--setting", setting];
            let ran = world.run(&[&args[..], &["--store", "runs"]].concat());
            let episode = &told(&ran, "episode")[0];
            assert_eq!(json!([episode["score"], episode["steps"]]), json!([100.0, 3]), "{reader} {setting}");
            let total = told(&reparse(&world, &["last", "--reader", reader, "--json"]), "total").remove(0);
            assert_eq!(json!([total["parse_errors_before"], total["changed_steps"]]), json!([0, 0]));
        }
    }
}
