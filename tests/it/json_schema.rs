//! The JSON output of every verb matches `docs/json.md`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::{Map, Value};

use crate::imports::{write_checkout, write_task_checkout};
use crate::sandbox::Sandbox;
use crate::server::{Behavior, Server};

/// A field of the document.
#[derive(Clone)]
struct Field {
    kind: String,
    always: bool,
}

/// The fields of an object in the document.
#[derive(Clone)]
struct Fields {
    own: BTreeMap<String, Field>,
    /// Sections whose fields it has too, and whether it always has them.
    included: Vec<(String, bool)>,
    /// Whether it can have others.
    is_open: bool,
}

/// The objects in the document: types, nested objects, and groups of fields as `Fields NAME`.
struct Schema(BTreeMap<String, Fields>);

impl Schema {
    fn load() -> Self {
        let text = fs::read_to_string(root().join("docs/json.md")).unwrap();
        let sections: BTreeMap<_, _> = text.split("\n### ").skip(1).map(section).collect();
        let all = |title: &String| {
            let mut fields = sections[title].clone();
            fields.own = all_fields(title, &sections);
            (title.clone(), fields)
        };
        Self(sections.keys().map(all).collect())
    }

    /// The fields of the types, without those of nested objects.
    fn documented(&self) -> impl Iterator<Item = (String, String)> {
        let types = self.0.iter().filter_map(|(title, fields)| {
            let name = title.strip_prefix('`')?.trim_end_matches('`').to_owned();
            Some(fields.own.keys().cloned().chain([String::new()]).map(move |field| (name.clone(), field)))
        });
        types.flatten()
    }

    /// Compares an object with its table. `seen` collects the fields of each type.
    fn check(&self, object: &Value, seen: &mut BTreeSet<(String, String)>) {
        assert_eq!(object["schema"], 1);
        let name = object["type"].as_str().unwrap_or_else(|| panic!("no type: {object:?}"));
        let mut fields = object.as_object().unwrap().clone();
        fields.retain(|field, _| !["schema", "type"].contains(&field.as_str()));
        seen.insert((name.to_owned(), String::new()));
        seen.extend(fields.keys().map(|field| (name.to_owned(), field.clone())));
        self.check_fields(&format!("`{name}`"), &fields);
    }

    fn check_fields(&self, title: &str, object: &Map<String, Value>) {
        let fields = self.0.get(title).unwrap_or_else(|| panic!("{title} is not documented: {object:?}"));
        for (name, value) in object {
            let Some(field) = fields.own.get(name) else {
                assert!(fields.is_open, "{title}.{name} is not documented: {object:?}");
                continue;
            };
            assert!(self.fits(value, &field.kind), "{title}.{name} is {value}, documented as {}", field.kind);
        }
        let missing = fields.own.iter().filter(|(name, field)| field.always && !object.contains_key(*name));
        let missing: Vec<_> = missing.map(|(name, _)| name).collect();
        assert!(missing.is_empty(), "{title} has no {missing:?}: {object:?}");
    }

    /// Whether a value is of a kind such as `string or integer?`.
    fn fits(&self, value: &Value, kind: &str) -> bool {
        if let Some((mark, items)) = kind.strip_prefix("array").and_then(|rest| rest.split_once(" of ")) {
            let fits = value.as_array().map(|all| all.iter().all(|one| self.fits(one, items)));
            return fits.unwrap_or(value.is_null() && mark == "?");
        }
        if let Some((mark, values)) = kind.strip_prefix("map").and_then(|rest| rest.split_once(" of ")) {
            let fits = value.as_object().map(|all| all.values().all(|one| self.fits(one, values)));
            return fits.unwrap_or(value.is_null() && mark == "?");
        }
        if value.is_null() {
            return kind.ends_with('?') || kind == "any";
        }
        kind.trim_end_matches('?').split(" or ").any(|kind| self.is_a(value, kind))
    }

    fn is_a(&self, value: &Value, kind: &str) -> bool {
        if let Some(link) = kind.strip_prefix('[') {
            let Some(object) = value.as_object() else { return false };
            self.check_fields(link.split(']').next().unwrap(), object);
            return true;
        }
        match kind {
            "any" => true,
            "string" => value.is_string(),
            "integer" => value.is_u64() || value.is_i64(),
            "number" => value.is_number(),
            "boolean" => value.is_boolean(),
            "array" => value.is_array(),
            "object" => value.is_object(),
            other => panic!("{other} is not a type"),
        }
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// A table row with a field.
fn field(line: &str) -> Option<(String, Field)> {
    let cells: Vec<&str> = line.strip_prefix('`')?.split('|').collect();
    let [name, kind, _] = cells.as_slice() else { return None };
    let always = !kind.ends_with(", optional");
    let kind = kind.trim_end_matches(", optional").to_owned();
    Some((name.trim_end_matches('`').to_owned(), Field { kind, always }))
}

/// The title of a section and its fields.
fn section(text: &str) -> (String, Fields) {
    let (title, body) = text.split_once('\n').unwrap();
    let body = body.split("\n## ").next().unwrap();
    let fields = Fields {
        own: body.lines().filter_map(field).collect(),
        included: body.lines().filter(|line| line.starts_with("With [")).flat_map(includes).collect(),
        is_open: body.contains("\n…|any"),
    };
    (title.to_owned(), fields)
}

/// The sections that a line such as `With [distance](#fields-distance) (optional).` includes.
fn includes(line: &str) -> Vec<(String, bool)> {
    let section = |link: &str| {
        let (name, rest) = link.split_once(')').unwrap();
        let title = name.strip_prefix("fields-").map(|name| format!("Fields `{name}`"));
        (title.unwrap_or(name.to_owned()), !rest.starts_with(" (optional)"))
    };
    line.split("](#").skip(1).map(section).collect()
}

/// The fields of a section with those of the sections that it includes.
fn all_fields(title: &str, sections: &BTreeMap<String, Fields>) -> BTreeMap<String, Field> {
    let fields = &sections[title];
    let mut all = fields.own.clone();
    for (other, always) in &fields.included {
        for (name, field) in all_fields(other, sections) {
            let field = Field { always: field.always && *always, ..field };
            all.entry(name).or_insert(field);
        }
    }
    all
}

#[test]
fn the_page_is_made_from_the_types() {
    let made = Sandbox::new().run(&["schema", "--markdown"]).out;
    let page = fs::read_to_string(root().join("docs/json.md")).unwrap();
    let difference = made.lines().zip(page.lines()).find(|(made, page)| made != page);
    assert!(made == page, "`mageyard schema --markdown > docs/json.md` makes it again: {difference:?}");
}

#[test]
fn a_type_has_a_schema_with_every_field() {
    let sandbox = Sandbox::new();
    let listed = sandbox.run(&["schema"]).out;
    assert!(listed.lines().any(|line| line.starts_with("step ")), "{listed}");
    let schema: Value = serde_json::from_str(&sandbox.run(&["schema", "step"]).out).unwrap();
    assert_eq!(schema["properties"]["type"]["const"], "step");
    assert_eq!(schema["properties"]["schema"]["const"], 1);
    let required = schema["required"].as_array().unwrap();
    for field in ["schema", "type", "session", "agent", "requests", "replies"] {
        assert!(required.contains(&field.into()), "{field}: {schema:#}");
    }
    assert!(!required.contains(&"oracle".into()), "{schema:#}");
    assert_eq!(schema["$defs"]["reply"]["properties"]["thoughts"]["type"], "integer");
    let unknown = sandbox.run(&["schema", "stepp"]);
    assert_eq!(unknown.code, Some(2));
    assert!(
        unknown.err.contains("there is no type stepp") && unknown.err.contains("step"),
        "{}",
        unknown.err
    );
}

/// Two titled levels, one of them dead.
const LEVELS: &str = "#####\n#@$.#\n#####\n; push\n\n#####\n#$@ #\n#  .#\n#####\n; dead\n";

/// A sweep with a priced model, one without a price, and a combination that is not possible.
const SWEEP: &str = "about = \"Two models\"\nlevels = \"hanoi/first/1\"\ndifference = 5\n\
    reference = { memory.om = 1 }\n[settings]\nplay.agent = \"model\"\nmodel.name = [\"mock\", \"other\"]\n\
    [[grid]]\nmemory.am = 1\nmemory.om = [1, 2]\n[[grid]]\nmemory.am = 1\nmemory.om = 1\n";

/// A node with the facts of an act.
const NODES: &str = r#"{"node": {"match_function_name": "url_included_match", "content": {"key": "", "reference_answer": "/b"}}, "act": {"before": "http://a.test/b", "verb": "click"}}"#;
/// A task on the web, and a result of it.
const TASKS: &str = r#"[{"index": 0, "task": "Go there", "reference_task_length": 2, "evaluation": [{"match_function_name": "url_included_match", "content": {"key": "", "reference_answer": "/b"}}]}]"#;
const RESULTS: &str = r#"[{"task_id": 0, "task_name": "Go there", "task_status": "finished", "step_list": [{"step_index": 0, "task_score": "1 / 1"}], "evaluation": [{}]}]"#;

/// A task on a computer.
const DESKTOP: &str = r#"{"task_id": "a", "instruction": "Make a file.", "visual": false, "max_steps": 1, "max_time": 30, "eval_procedure": [{"evaluator": "filesystem", "function": "exists", "params": {"file_to_check": {"${AS_ROOT}/b": true}}}], "reset_procedure": null, "cleanup_procedure": null}"#;

/// Levels with a published optimum, sessions of several agents, a damaged journal and a broken theme.
fn prepare(sandbox: &Sandbox, server: &Server) {
    sandbox.write("work/a.xsb", LEVELS);
    sandbox.write("config/mageyard/themes/broken.toml", "parent = 7\n");
    sandbox
        .write("config/mageyard/prices.toml", "currency = \"USD\"\n[models.mock]\ninput = 1\noutput = 2\n");
    sandbox.write("config/mageyard/sweeps/broken.toml", "levels = 7\n");
    sandbox.write(
        "work/two.toml",
        "levels = \"hanoi/first/1\"\n[[grid]]\nplay.agent = [\"idle\", \"random\"]\n",
    );
    sandbox.write("work/grids.toml", SWEEP);
    for (file, text) in
        [("nodes.jsonl", NODES), ("tasks.json", TASKS), ("out.json", RESULTS), ("desktop.json", DESKTOP)]
    {
        sandbox.write(format!("work/{file}"), text);
    }
    let collection = format!("; Title: Mine\n; Author: Me\n\n{LEVELS}");
    sandbox.write("config/mageyard/levels/sokoban/mine.xsb", collection);
    write_checkout(sandbox);
    write_task_checkout(sandbox);
    let url = server.url();
    let model = ["--agent", "model", "--model", "mock", "--base-url", &url, "--cost-limit", "9"];
    for args in [
        &["a.xsb", "--agent", "random", "--max-steps", "3", "--repeats", "2", "--max-time", "60.5"][..],
        &["football/mini/1", "--agent", "faulty", "--max-steps", "9", "--seed", "1", "--repeats", "2"],
        &["sokoban/first/2", "--agent", "demo", "--model", "demo", "--am", "1", "--max-steps", "3"],
        &["sokoban/first/3", "--agent", "faulty", "--max-steps", "12", "--seed", "3"],
        &[&["sokoban/first/1", "--max-steps", "2", "--max-tokens", "100000"], &MODULE[..], &model].concat(),
    ] {
        sandbox.run(&[&["run"], args].concat());
    }
}

/// A module, so that there are side requests.
const MODULE: [&str; 2] = ["--set", "roles.modules=reward"];

/// The arguments of all verbs with JSON output.
const VERBS: &[&[&str]] = &[
    &["log", "list", "--distance"],
    &["find", "any", "random", "first-3-faulty", "--distance"],
    &["find", "parse", "first-3-faulty"],
    &["tag", "last#1", "wall", "--comment", "why"],
    &["tag", "last"],
    &["suite", "list"],
    &["suite", "show", "mistakes"],
    &["suite", "check", "mistakes"],
    &["view", "random", "--distance", "--oracle"],
    &["view", "first-3-faulty"],
    &["view", "first-1-model"],
    &["report", "first-1-model"],
    &["sweep", "plan", "memory-ablation", "--set", "play.agent=demo", "--set", "roles.modules=reward"],
    &["reparse", "first-3-faulty", "--reader", "lenient"],
    &["reparse", "first-3-faulty", "--compare"],
    &["memory", "audit", "first-1-model"],
    &["memory", "study", "first-2-demo", "--calls", "20"],
    &["view", "first-2-demo"],
    &[
        "memory",
        "confirm",
        "first-2-demo",
        "--candidates=am=0 om=1",
        "--margin=9%",
        "--episodes=2",
        "--looks=1",
    ],
    &["rejudge", "first-3-faulty"],
    &["report", "random", "first-3-faulty", "--distance"],
    &["report", "random", "first-3-faulty", "--rows", "episodes"],
    &["report", "random", "first-3-faulty", "--rows", "steps"],
    &["replay", "first-3-faulty"],
    &["fork", "last#1", "--am", "1"],
    &["diff", "first-3-faulty", "first-3-faulty"],
    &["diff", "random"],
    &["fork", "first-3-faulty"],
    &["export", "first-3-faulty", "--rl", "--out", "exported"],
    &["levels", "import", "magebench", "mb"],
    &["levels", "import", "magebench", "wb"],
    &["run", "sokoban/magebench-mini/1", "--agent", "oracle"],
    &["levels", "show", "sokoban/magebench-mini/1"],
    &["levels", "list"],
    &["levels", "list", "a.xsb"],
    &["levels", "list", "desktop/offline"],
    &["levels", "show", "a.xsb"],
    &["levels", "show", "sokoban/mine"],
    &["levels", "solve", "a.xsb"],
    &["levels", "solve", "a.xsb#1", "--check", "R"],
    &["levels", "solve", "a.xsb#1", "--check", "L"],
    &["levels", "solve", "sokoban/full/1", "--states", "1", "--check", "dRRlldddrUUluurrdL"],
    &["levels", "trace", "a.xsb", "--level", "1", "--actions", "Right", "--distance"],
    &["levels", "stats", "a.xsb"],
    &["levels", "generate", "--group", "small-v0", "--count", "1"],
    &["levels", "generate", "--group", "small-v0", "--count", "1", "--out", "made.xsb"],
    &["levels", "check", "a.xsb"],
    &["levels", "import", "a.xsb"],
    &["prompts", "list"],
    &["prompts", "show", "sokoban/0s-CoT"],
    &["prompts", "show", "sokoban/0s-CoT", "--level", "a.xsb#1"],
    &["prompts", "check"],
    &["readers"],
    &["themes"],
    &["keys"],
    &["tutor", "--list"],
    &["sweep", "list"],
    &["sweep", "plan", "grids.toml"],
    &["sweep", "run", "two.toml"],
    &["sweep", "set", "two", "jobs=2", "--worker", "node1", "--why", "a test"],
    &["sweep", "status", "two"],
    &["log", "list"],
    &["sweep", "merge", "merged", "two"],
    &["config", "print"],
    &["config", "path"],
    &["config", "check"],
    &["prices", "list"],
    &["config", "presets", "list"],
    &["models", "list"],
    &["doctor"],
    &["bench", "sokoban", "a.xsb", "--seconds", "1"],
    &["bench", "sokoban", "--seconds", "1", "--only", "solve"],
    &["find", "any", "mini-1-faulty"],
    &["reparse", "mini-1-faulty", "--reader", "lenient"],
    &["replay", "mini-1-faulty"],
    &["diff", "mini-1-faulty"],
    &["run", "ground/drawn/1", "--agent", "oracle"],
    &["export", "last", "--format", "agentstudio", "--out", "results"],
    &["run", "football/mini/1", "--agent", "sprint", "--max-steps", "2"],
    &["rejudge", "last"],
    &["fork", "last#1", "--max-steps", "9"],
    &["fork", "last"],
    &["bench", "football", "--only", "engines", "--seconds", "1"],
    &["web", "nodes", "nodes.jsonl"],
    &["web", "score", "out.json", "--tasks", "tasks.json"],
    &["desktop", "check", "desktop.json"],
    &["desktop", "eval", "desktop.json", "--root", "."],
];

/// Types that only a browser prints; `tests/chromium` compares them with the document.
const BROWSER_TYPES: &[&str] = &["aes"];

#[test]
fn every_field_of_every_object_is_documented() {
    let sandbox = Sandbox::new();
    let server = Server::start(Behavior::Normal);
    prepare(&sandbox, &server);
    let schema = Schema::load();
    let mut seen = BTreeSet::new();
    let mut check = |args: &[&str]| {
        let result = sandbox.run(&[args, &["--json"]].concat());
        let objects = result.json_lines();
        assert!(!objects.is_empty(), "{args:?} printed nothing: {}", result.err);
        for object in &objects {
            schema.check(object, &mut seen);
        }
        objects
    };
    let sessions: Vec<String> =
        check(&["log", "list"]).iter().map(|row| row["session"].as_str().unwrap().to_owned()).collect();
    let named = |word: &str| sessions.iter().find(|name| name.ends_with(word)).cloned();
    for args in VERBS {
        let args: Vec<String> =
            args.iter().map(|arg| named(&format!("-{arg}")).unwrap_or((*arg).into())).collect();
        check(&args.iter().map(String::as_str).collect::<Vec<_>>());
    }
    check(&["report", "last", "--paper"]);
    sandbox.write("work/reply.txt", "# analysis\nx\n# action\nUpp");
    check(&["readers", "try", "strict", "reply.txt", "--environment", "sokoban"]);
    let shipped = sandbox.run(&["prompts", "show", "sokoban/0s-CoT"]).success();
    sandbox.write("config/mageyard/prompts/sokoban/0s-CoT.md", shipped);
    check(&["prompts", "list"]);
    sandbox.run(&["run", "critic/drawn/1..2", "--agent", "oracle"]).success();
    check(&["report", "last", "--paper"]);
    let effects = format!(
        "levels = \"hanoi/first/1\"\n[settings]\nplay.agent = \"model\"\nplay.max_steps = 1\nmodel.name = \"mock\"\n\
         model.base_url = \"{}\"\n[[grid]]\nmemory.am = [2, 3]\nmemory.om = [1, 2]\n",
        server.url()
    );
    sandbox.write("work/effects.toml", effects);
    check(&["sweep", "run", "effects.toml"]);
    check(&["report", "effects"]);
    check(&["doctor", "--model", "mock", "--base-url", &server.url()]);
    check(&["models", "find", &server.url()]);
    check(&["models", "save", "mine", "--model", "mock", "--base-url", &server.url()]);
    check(&["models", "list"]);
    let model = check(&["view", "last#1"]);
    let asked = named("-first-1-model").unwrap();
    let url = server.url();
    let again = format!("{asked}#1");
    let common = ["ask", &again, "--am", "1,5", "--om", "1,3", "--samples", "2", "--target", "legal"];
    check(&[&common[..], &["--base-url", &url]].concat());
    check(&[&common[..], &["--base-url", &url, "--seed", "1"]].concat());
    let shown = ["ask", &again, "--views", "text", "--keep", "first", "--samples", "1", "--base-url", &url];
    check(&shown);
    check(&["ask", &again, "--show"]);
    let models = ["ask", &again, "--to-end", "1", "--prompts", "0s-CoT,HD-CoT", "--agent", "random"];
    check(&models);
    check(&["blame", &format!("{}/1", named("-random").unwrap())]);
    check(&["blame", &asked, "--play", "--agent", "random", "--samples", "1"]);
    let of_demo = format!("{}#2", named("-first-2-demo").unwrap());
    check(&["probe", &of_demo, "--questions", "player", "--samples", "1"]);
    check(&["diagnose", &of_demo, "--samples", "1"]);
    check(&["suite", "new", "one", &again]);
    let suite = ["ask", "one", "--prompts", "0s-CoT,HD-CoT", "--samples", "2", "--base-url", &url];
    check(&[&suite[..], &["--threshold", "readable>=0", "--margin", "0.1", "--confirm"]].concat());
    check(&["ask", "one", "--views", "text", "--keep", "first", "--samples", "1", "--base-url", &url]);
    check(&["ask", "one", "--show"]);
    check(&["diff", &format!("{asked}#1"), &format!("{asked}#2")]);
    let journal = sandbox.path("data/mageyard/sessions").join(&sessions[0]).join("0001/journal.jsonl");
    let bytes = fs::read(&journal).unwrap();
    fs::write(&journal, &bytes[..bytes.len() / 2]).unwrap();
    fs::create_dir_all(sandbox.path("data/mageyard/sessions/20200101-000000-000-empty")).unwrap();
    check(&["log", "check"]);
    check(&["log", "delete", &sessions[1]]);
    check(&["log", "trash"]);
    check(&["log", "restore", &sessions[1]]);
    check(&["log", "delete", &sessions[1]]);
    check(&["log", "empty", "--force"]);
    assert!(!model.is_empty());
    let unseen =
        schema.documented().filter(|field| !seen.contains(field) && !BROWSER_TYPES.contains(&&*field.0));
    let unseen: Vec<_> = unseen.collect();
    assert!(unseen.is_empty(), "documented and never printed: {unseen:?}");
}

#[test]
fn steps_and_episodes_of_a_model_can_be_attributed_by_themselves() {
    let sandbox = Sandbox::new();
    let server = Server::start(Behavior::Normal);
    prepare(&sandbox, &server);
    let rows = sandbox.run(&["view", "last", "--json"]).json_lines();
    for row in rows.iter().chain(&sandbox.run(&["log", "list", "--json"]).json_lines()[4..]) {
        let fields =
            ["model", "temperature", "prompt", "reader", "am", "om", "seed", "max_steps", "max_tokens"];
        let values = fields.map(|field| row[field].to_string());
        assert_eq!(
            values,
            ["\"mock\"", "0.1", "\"0s-CoT\"", "\"strict/1\"", "5", "1", "0", "2", "100000"],
            "{row}"
        );
        assert_eq!(row["cost_limit"], "9", "{row}");
    }
    assert!(rows.iter().all(|row| row["episode"] == 1 && row["repeat"] == 1), "{rows:?}");
    let repeats = sandbox.run(&["find", "any", "last", "--json"]);
    assert!(repeats.json_lines().iter().all(|row| row["model"] == "mock"));
}
