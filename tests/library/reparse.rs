//! Readers: each can play, a file adds one, and stored replies are parsed again.

use std::collections::VecDeque;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use mageyard::dialog::ReaderRules;
use mageyard::domain::{Agent, AgentError, Answer, DecisionInput, Level, Setting, Window};
use mageyard::engine::{Driver, Ending, Episode, Head, Journal, Participants, RecordedAgent};
use serde_json::{Value, json};

use crate::sandbox::{CommandResult, Sandbox};

const THREE_STEP_LEVEL: &str = "#######\n#@ $ .#\n#######\n";

/// Gives stored replies, one after the other.
struct StoredReplies(VecDeque<String>);

#[async_trait]
impl Agent for StoredReplies {
    async fn decide(&mut self, _: DecisionInput<'_>) -> Result<Answer, AgentError> {
        self.0.pop_front().map(|text| Answer::Replied(text.into())).ok_or(AgentError::PersonLeft)
    }
}

fn head(setting: Setting) -> Head {
    let level = Level { number: 1, title: None, source: THREE_STEP_LEVEL.into() };
    let agent = RecordedAgent::named("random");
    let rules = ReaderRules::named("strict").unwrap();
    Head {
        options: [("tile".to_owned(), 16.into()), ("solver_states".to_owned(), 1000.into())].into(),
        setting,
        window: Window::new(5, 1).unwrap(),
        prompt: "0s-CoT".into(),
        max_steps: 50,
        ..Head::new("sokoban", "three.xsb#1", level, agent, rules, 0)
    }
}

/// Records an episode with these replies in a session and returns the path of its journal.
fn recorded(sandbox: &Sandbox, session: &str, setting: Setting, replies: &[&str]) -> (PathBuf, Ending) {
    let folder = sandbox.path("work/runs").join(session).join("0001");
    fs::create_dir_all(&folder).unwrap();
    let head = head(setting);
    let kind = mageyard::envs::environment("sokoban").unwrap();
    let environment =
        kind.open(&kind.parse_levels(THREE_STEP_LEVEL).unwrap()[0], &head.options, head.seed).unwrap();
    let agent = StoredReplies(replies.iter().map(|reply| (*reply).to_owned()).collect());
    let log = Box::new(Journal::create(&folder, &head).unwrap());
    let form = kind.reply_format(setting).unwrap();
    let cast = Participants {
        environment,
        agent: Box::new(agent),
        form,
        prompts: Arc::default(),
        reference_search: None,
        roles: mageyard_engine::RoleSeats::default(),
    };
    let mut driver = Driver::new(Episode::new(head.into()), cast, log, Duration::ZERO);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(async {
        driver.advance().await.unwrap();
        tokio::time::timeout(Duration::from_secs(20), driver.run_to_end()).await.unwrap().unwrap();
    });
    (folder.join("journal.jsonl"), driver.episode().ending().unwrap())
}

/// Seven replies: a skipped step, one read at the first attempt, one at the second, and the last.
fn online(sandbox: &Sandbox) -> PathBuf {
    let replies = [
        "# analyze\nx\n# action\nright.",
        "I go right.",
        "## Action\n**RIGHT**",
        "# action\nRight",
        "# action\nright",
        "# action\nRight",
        "# action\nRight",
    ];
    let (journal, ending) = recorded(sandbox, "online", Setting::Online, &replies);
    assert_eq!(ending, Ending::Won);
    journal
}

fn reparse(sandbox: &Sandbox, args: &[&str]) -> CommandResult {
    sandbox.run(&[&["reparse", "--store", "runs"], args].concat())
}

fn objects_of_type(result: &CommandResult, sort: &str) -> Vec<Value> {
    assert_eq!(result.code, Some(0), "{}", result.err);
    result.json_lines().into_iter().filter(|object| object["type"] == sort).collect()
}

#[test]
fn stored_replies_are_read_again_without_changes_on_disk() {
    let sandbox = Sandbox::new();
    let journal = online(&sandbox);
    let before = fs::read(&journal).unwrap();
    let result = reparse(&sandbox, &["online", "--reader", "lenient", "--json"]);
    let total = &objects_of_type(&result, "reparse_total")[0];
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
    let changes = objects_of_type(&result, "change");
    assert_eq!(changes.len(), 1);
    for (field, value) in [
        ("session", json!("online")),
        ("episode", json!(1)),
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
fn the_recorded_reader_gives_the_recorded_result() {
    let sandbox = Sandbox::new();
    online(&sandbox);
    let same = reparse(&sandbox, &["online", "--json"]);
    assert!(objects_of_type(&same, "change").is_empty());
    let total = &objects_of_type(&same, "reparse_total")[0];
    assert_eq!(json!([total["parse_errors_before"], total["parse_errors_after"]]), json!([4, 4]));
    let none = reparse(&sandbox, &["online", "--reader", "think", "--json"]);
    let changes = objects_of_type(&none, "change");
    let rows: Vec<_> =
        changes.iter().map(|row| json!([row["step"], row["attempt"], row["before"], row["after"]])).collect();
    let rights = [(2, 1), (3, 2), (4, 1)].map(|(step, attempt)| json!([step, attempt, "Right", null]));
    assert_eq!(rows, rights);
    assert!(changes.iter().all(|row| row["rule"] == "tag"), "{changes:?}");
}

#[test]
fn plans_and_sessions_are_reported_individually_and_in_total() {
    let sandbox = Sandbox::new();
    online(&sandbox);
    let plan = "### Actions\nright, right\nright";
    let (_, ending) = recorded(&sandbox, "plans", Setting::Global, &[plan, plan, "no"]);
    assert_eq!(ending, Ending::Unreadable);
    let output = reparse(&sandbox, &["online", "plans", "--reader", "lenient"]).success();
    let lines: Vec<&str> = output.lines().collect();
    assert_eq!(lines[2], "plans/0001  step 1  attempt 1  (none) -> Right, Right, Right  rule list");
    assert!(
        lines[1].starts_with("online  1 episode  7 replies  parse errors 4 -> 1  IA 100.0 % -> 0.0 %"),
        "{output}"
    );
    assert!(lines[4].starts_with("total  2 episodes  10 replies  parse errors 7 -> 2"), "{output}");
    assert_eq!(lines.len(), 5);
}

#[test]
fn damaged_journals_and_usage_errors_have_their_exit_codes() {
    let sandbox = Sandbox::new();
    let journal = online(&sandbox);
    reparse(&sandbox, &["online", "--reader", "strcit"])
        .fails_with(2, &["there is no reader strcit", "strict"]);
    reparse(&sandbox, &["online", "--reader", "./none.toml"]).fails_with(2, &["there is no such file"]);
    reparse(&sandbox, &["other"]).fails_with(2, &["there is no session \"other\""]);
    let text = fs::read_to_string(&journal).unwrap();
    fs::write(&journal, text.replacen("RIGHT", "WRONG", 1)).unwrap();
    reparse(&sandbox, &["online"]).fails_with(5, &["the seal does not match"]);
}

#[test]
fn replies_without_headings_are_rescued_and_the_rule_is_named() {
    let sandbox = Sandbox::new();
    let replies = [
        "My plan: go right, then push.",
        "I go nowhere.",
        "<answer>Right</answer>",
        "# action\nRight",
        "# action\nRight",
        "# action\nRight",
    ];
    let (_, ending) = recorded(&sandbox, "free", Setting::Online, &replies);
    assert_eq!(ending, Ending::Won);
    let result = reparse(&sandbox, &["free", "--reader", "rescue", "--json"]);
    let change = &objects_of_type(&result, "change")[0];
    let fields = json!([change["step"], change["before"], change["after"], change["fallback"]]);
    assert_eq!(fields, json!([1, null, "Right", "only action, any capitals"]));
    let total = &objects_of_type(&result, "reparse_total")[0];
    let errors = json!([total["parse_errors_before"], total["parse_errors_after"]]);
    assert_eq!(errors, json!([3, 1]));
    let text = reparse(&sandbox, &["free", "--reader", "rescue"]).success();
    assert!(
        text.contains("(none) -> Right  rule heading  by fallback rule \"only action, any capitals\""),
        "{text}"
    );
    let own = "version = 1\nabout = \"x\"\n[headings]\n[[fallback]]\nname = \"go\"\npattern = '(?i)go (?<action>\\w+)'\n";
    sandbox.write("work/own.toml", own.replace("[headings]", "[headings]\n[tolerate]\ncapitals = true"));
    let result = reparse(&sandbox, &["free", "--reader", "own.toml", "--json"]);
    assert_eq!(objects_of_type(&result, "change")[0]["fallback"], "go");
    sandbox.write("work/own.toml", own.replace("\\w+)", "\\w+"));
    reparse(&sandbox, &["free", "--reader", "own.toml"])
        .fails_with(2, &["own.toml:6: fallback.pattern: invalid regular expression: unclosed group"]);
    let listed = sandbox.run(&["readers"]).success();
    assert!(listed.contains("rescue/1") && listed.contains("fallback rules"), "{listed}");
    assert!(sandbox.run(&["readers", "rescue"]).success().contains("[[fallback]]"));
}

#[test]
fn a_reader_file_is_added_and_checked() {
    let sandbox = Sandbox::new();
    online(&sandbox);
    let shipped = sandbox.run(&["readers", "lenient"]).success();
    let mine = shipped.replace("version = 1", "version = 7").replace("any_level = true", "any_level = false");
    let file = sandbox.write("config/mageyard/readers/mine.toml", &mine);
    let listed = sandbox.run(&["readers", "--reader"]).code;
    assert_eq!(listed, Some(2), "readers has no such flag");
    let listed = sandbox.run(&["readers"]).success();
    assert!(listed.contains("*  strict/1") && listed.contains("mine/7"), "{listed}");
    for named in ["mine", file.to_str().unwrap()] {
        let total =
            objects_of_type(&reparse(&sandbox, &["online", "--reader", named, "--json"]), "reparse_total")
                .remove(0);
        assert_eq!(json!([total["reader"], total["ia_after"]]), json!(["mine/7", 0.0]));
    }
    let result = sandbox.run(&["run", "sokoban/first/1", "--reader", "mine", "--store", "runs"]);
    assert_eq!(result.code, Some(0), "{}", result.err);
    sandbox.write("config/mageyard/readers/mine.toml", mine.replace("bold", "blod"));
    let wrong = ["mine.toml:10: unknown key \"blod\" in [headings]", "did you mean bold?"];
    sandbox.run(&["run", "sokoban/first/1", "--reader", "mine"]).fails_with(2, &wrong);
    sandbox.run(&["config", "check"]).fails_with(2, &wrong[..1]);
    let last = sandbox.run(&["run", "--resume", "last", "--store", "runs"]);
    assert_eq!(last.code, Some(0), "the journal has the complete rules: {}", last.err);
    sandbox
        .run(&["run", "sokoban", "--reader", "menno"])
        .fails_with(2, &["--reader", "there is no reader menno"]);
}

#[test]
fn agents_reply_in_the_format_of_the_reader() {
    for (reader, _) in ReaderRules::shipped() {
        for setting in ["online", "global"] {
            let sandbox = Sandbox::new();
            sandbox.write("work/three.xsb", THREE_STEP_LEVEL);
            let args = ["run", "three.xsb", "--json", "--reader", reader, "--setting", setting];
            let result = sandbox.run(&[&args[..], &["--store", "runs"]].concat());
            let episode = &objects_of_type(&result, "episode")[0];
            assert_eq!(json!([episode["score"], episode["steps"]]), json!([100.0, 3]), "{reader} {setting}");
            let total =
                objects_of_type(&reparse(&sandbox, &["last", "--reader", reader, "--json"]), "reparse_total")
                    .remove(0);
            assert_eq!(json!([total["parse_errors_before"], total["changed_steps"]]), json!([0, 0]));
        }
    }
}
