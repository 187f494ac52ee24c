//! The JSON output of every verb matches `docs/json.md`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::imports::{write_checkout, write_task_checkout};
use crate::sandbox::Sandbox;
use crate::server::{Behavior, Server};

/// A field of the document.
#[derive(Clone)]
struct Field {
    types: Vec<String>,
    always: bool,
}

type Fields = BTreeMap<String, Field>;

/// The fields of each type in the document.
struct Schema(BTreeMap<String, Fields>);

impl Schema {
    fn load() -> Self {
        let text = fs::read_to_string(root().join("docs/json.md")).unwrap();
        let (mut shared, mut types): (BTreeMap<String, Fields>, _) = (BTreeMap::new(), BTreeMap::new());
        for section in text.split("\n### ").skip(1) {
            let (title, body) = section.split_once('\n').unwrap();
            let body = body.split("\n## ").next().unwrap();
            let mut fields: Fields = body.lines().filter_map(field).collect();
            if title.starts_with("Fields ") {
                shared.extend(codes(title).map(|name| (name, fields.clone())));
                continue;
            }
            for (name, always) in includes(body) {
                for (field, row) in &shared[&name] {
                    let row = Field { always: row.always && always, ..row.clone() };
                    assert!(fields.insert(field.clone(), row).is_none(), "{title}: {field} is there twice");
                }
            }
            types.extend(codes(title).map(|name| (name, fields.clone())));
        }
        Self(types)
    }

    /// Compares an object with its table. `seen` collects the fields of each type.
    fn check(&self, object: &Value, seen: &mut BTreeSet<(String, String)>) {
        let object = object.as_object().unwrap();
        assert_eq!(object["schema"], 1);
        let name =
            object.get("type").and_then(Value::as_str).unwrap_or_else(|| panic!("no type: {object:?}"));
        let fields = self.0.get(name).unwrap_or_else(|| panic!("{name} is not documented: {object:?}"));
        seen.insert((name.to_owned(), String::new()));
        for (field, value) in object.iter().filter(|(field, _)| !["schema", "type"].contains(&field.as_str()))
        {
            let row =
                fields.get(field).unwrap_or_else(|| panic!("{name}.{field} is not documented: {object:?}"));
            let fits = row.types.iter().any(|kind| is_of_type(value, kind));
            assert!(fits, "{name}.{field} is {value}, documented as {:?}", row.types);
            seen.insert((name.to_owned(), field.clone()));
        }
        let missing = fields.iter().filter(|(field, row)| row.always && !object.contains_key(*field));
        let missing: Vec<_> = missing.map(|(field, _)| field).collect();
        assert!(missing.is_empty(), "{name} has no {missing:?}: {object:?}");
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// The words in back quotes.
fn codes(text: &str) -> impl Iterator<Item = String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned)
}

/// A table row with a field.
fn field(line: &str) -> Option<(String, Field)> {
    let cells: Vec<&str> = line.strip_prefix("| `")?.split('|').map(str::trim).collect();
    let [name, types, always, ..] = cells.as_slice() else { panic!("{line}") };
    assert!(["yes", "no"].contains(always), "{line}");
    let types = types.split(" or ").map(str::to_owned).collect();
    Some((name.trim_end_matches('`').to_owned(), Field { types, always: *always == "yes" }))
}

/// The shared tables that a section includes, and whether they are in every object.
fn includes(body: &str) -> Vec<(String, bool)> {
    let prose = body.lines().filter(|line| !line.starts_with('|')).collect::<Vec<_>>().join(" ");
    let between = |start: &str| prose.split(start).nth(1).and_then(|rest| rest.split(['.', ';']).next());
    let always = between("Includes ").map_or("", |text| text);
    let optional = prose.to_lowercase();
    let optional =
        optional.split("with options ").nth(1).and_then(|rest| rest.split('.').next()).unwrap_or("");
    codes(always).map(|name| (name, true)).chain(codes(optional).map(|name| (name, false))).collect()
}

fn is_of_type(value: &Value, kind: &str) -> bool {
    match kind {
        "any" => true,
        "null" => value.is_null(),
        "string" => value.is_string(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("{other} is not a type"),
    }
}

/// Two titled levels, one of them dead.
const LEVELS: &str = "#####\n#@$.#\n#####\n; push\n\n#####\n#$@ #\n#  .#\n#####\n; dead\n";

/// A sweep with a priced model, one without a price, and a combination that is not possible.
const SWEEP: &str = "about = \"Two models\"\nlevels = \"hanoi/first/1\"\ndifference = 5\n\
    reference = { memory.om = 1 }\n[settings]\nplay.agent = \"model\"\nmodel.name = [\"mock\", \"other\"]\n\
    [[grid]]\nmemory.am = 1\nmemory.om = [1, 2]\n[[grid]]\nmemory.am = 1\nmemory.om = 1\n";

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
    let collection = format!("; Title: Mine\n; Author: Me\n\n{LEVELS}");
    sandbox.write("config/mageyard/levels/sokoban/mine.xsb", collection);
    write_checkout(sandbox);
    write_task_checkout(sandbox);
    let url = server.url();
    let model = ["--agent", "model", "--model", "mock", "--base-url", &url, "--cost-limit", "9"];
    for args in [
        &["a.xsb", "--agent", "random", "--max-steps", "3", "--repeats", "2", "--max-time", "60.5"][..],
        &["football/mini/1", "--agent", "faulty", "--max-steps", "9", "--seed", "1", "--repeats", "2"],
        &["sokoban/first/3", "--agent", "faulty", "--max-steps", "12", "--seed", "3"],
        &[&["sokoban/first/1", "--max-steps", "2", "--max-tokens", "100000"], &model[..]].concat(),
    ] {
        sandbox.run(&[&["run"], args].concat());
    }
}

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
    &["reparse", "first-3-faulty", "--reader", "lenient"],
    &["report", "random", "first-3-faulty", "--distance"],
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
    &["levels", "show", "a.xsb"],
    &["levels", "show", "sokoban/mine"],
    &["levels", "solve", "a.xsb"],
    &["levels", "solve", "a.xsb#1", "--check", "R"],
    &["levels", "solve", "a.xsb#1", "--check", "L"],
    &["levels", "solve", "sokoban/mini/1", "--states", "1", "--check", "dRRlldddrUUluurrdL"],
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
    &["sweep", "status", "two"],
    &["sweep", "merge", "merged", "two"],
    &["config", "print"],
    &["config", "path"],
    &["config", "check"],
    &["prices", "list"],
    &["config", "models", "list"],
    &["doctor"],
    &["bench", "sokoban", "a.xsb", "--seconds", "1"],
    &["bench", "sokoban", "--seconds", "1", "--only", "solve"],
    &["find", "any", "mini-1-faulty"],
    &["reparse", "mini-1-faulty", "--reader", "lenient"],
    &["replay", "mini-1-faulty"],
    &["diff", "mini-1-faulty"],
    &["run", "football/mini/1", "--agent", "sprint", "--max-steps", "2"],
    &["fork", "last#1", "--max-steps", "9"],
    &["fork", "last"],
    &["bench", "football", "--only", "engines", "--seconds", "1"],
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
    check(&["doctor", "--model", "mock", "--base-url", &server.url()]);
    let model = check(&["view", "last#1"]);
    let asked = named("-first-1-model").unwrap();
    let url = server.url();
    let again = format!("{asked}#1");
    let common = ["ask", &again, "--am", "1,5", "--om", "1,3", "--samples", "2", "--target", "legal"];
    check(&[&common[..], &["--base-url", &url]].concat());
    check(&["ask", &again, "--show"]);
    let models = ["ask", &again, "--to-end", "1", "--prompts", "0s-CoT,HD-CoT", "--agent", "random"];
    check(&models);
    check(&["blame", &format!("{}/1", named("-random").unwrap())]);
    check(&["blame", &asked, "--play", "--agent", "random", "--samples", "1"]);
    check(&["suite", "new", "one", &again]);
    let suite = ["ask", "one", "--prompts", "0s-CoT,HD-CoT", "--samples", "2", "--base-url", &url];
    check(&[&suite[..], &["--threshold", "readable>=0", "--confirm"]].concat());
    check(&["ask", "one", "--show"]);
    check(&["diff", &format!("{asked}#1"), &format!("{asked}#2")]);
    let journal = sandbox.path("data/mageyard/sessions").join(&sessions[0]).join("0001/journal.jsonl");
    let bytes = fs::read(&journal).unwrap();
    fs::write(&journal, &bytes[..bytes.len() / 2]).unwrap();
    fs::create_dir_all(sandbox.path("data/mageyard/sessions/20200101-000000-000-empty")).unwrap();
    check(&["log", "check"]);
    assert!(!model.is_empty());
    let documented = schema.0.iter().flat_map(|(name, fields)| {
        fields.keys().map(|field| (name.clone(), field.clone())).chain([(name.clone(), String::new())])
    });
    let unseen = documented.filter(|field| !seen.contains(field) && !BROWSER_TYPES.contains(&&*field.0));
    let unseen: Vec<_> = unseen.collect();
    assert!(unseen.is_empty(), "documented and never printed: {unseen:?}");
}

#[test]
fn steps_and_episodes_of_a_model_can_be_attributed_by_themselves() {
    let sandbox = Sandbox::new();
    let server = Server::start(Behavior::Normal);
    prepare(&sandbox, &server);
    let rows = sandbox.run(&["view", "last", "--json"]).json_lines();
    for row in rows.iter().chain(&sandbox.run(&["log", "list", "--json"]).json_lines()[3..]) {
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
