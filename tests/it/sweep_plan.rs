//! `sweep plan` and `sweep list`: what a sweep would run, and every mistake of its file.

use std::fs;
use std::path::Path;

use crate::sandbox::Sandbox;

#[test]
fn every_mistake_of_a_sweep_file_gets_a_message() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("it/sweeps");
    let files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(files.len() >= 33, "{}", files.len());
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let says: Vec<&str> = text.lines().next().unwrap().trim_start_matches("# ").split(" | ").collect();
        println!("{}", file.display());
        let sandbox = Sandbox::new();
        sandbox.write("work/bad.toml", &text);
        let result = sandbox.run(&["sweep", "plan", "bad.toml"]);
        result.fails_with(2, &says);
        assert!(result.err.contains("bad.toml"), "{}", result.err);
        assert_eq!(result.out, "");
    }
}

const GRIDS: &str = r#"
about = "Two grids"
levels = "hanoi/first/1..2"
repeats = 2

[[grid]]
play.agent = ["idle", "random"]

[[grid]]
play.agent = "model"
model.name = "m"
play.max_steps = 6
memory.am = [1, 3]
memory.om = "1..2"

# These are there already, or are not possible.
[[grid]]
play.agent = ["idle", "human"]
memory.am = 3
"#;

#[test]
fn a_plan_has_the_cells_and_those_that_are_struck_out_with_the_reason() {
    let sandbox = Sandbox::new();
    sandbox.write("work/grids.toml", GRIDS);
    let lines = sandbox.run(&["sweep", "plan", "grids.toml", "--json"]).json_lines();
    assert_eq!((&lines[0]["type"], &lines[0]["sweep"]), (&"sweep_plan".into(), &"grids".into()));
    assert_eq!(lines[0]["episodes"], 5 * 2 * 2);
    let cells: Vec<_> = lines.iter().filter(|line| line["type"] == "sweep_cell").collect();
    let shown: Vec<String> = cells
        .iter()
        .map(|cell| format!("{} {} {} {}", cell["agent"], cell["am"], cell["om"], cell["episodes"]))
        .collect();
    assert_eq!(
        shown,
        [
            "\"idle\" null null 4",
            "\"random\" null null 4",
            "\"model\" 1 1 4",
            "\"model\" 3 1 4",
            "\"model\" 3 2 4"
        ]
    );
    let struck: Vec<_> = lines.iter().filter(|line| line["type"] == "sweep_struck").collect();
    assert_eq!(struck.len(), 3, "{struck:?}");
    assert!(struck[0]["reason"].as_str().unwrap().starts_with("OM=2 is more than AM=1"), "{}", struck[0]);
    assert_eq!(struck[0]["coordinates"]["memory.om"], "2");
    assert_eq!(struck[1]["duplicate_of"], cells[0]["cell"], "an idle agent has no memory");
    assert!(struck[2]["reason"].as_str().unwrap().contains("needs the screen"), "{}", struck[2]);
}

#[test]
fn calls_images_and_cost_have_bounds_and_an_unknown_price_is_named() {
    let sandbox = Sandbox::new();
    sandbox.write("work/grids.toml", GRIDS);
    let plan = || sandbox.run(&["sweep", "plan", "grids.toml", "--json"]).json_lines();
    let lines = plan();
    let cell = |am: u64, om: u64| {
        lines
            .iter()
            .find(|line| line["am"] == am && line["om"] == om && line["type"] == "sweep_cell")
            .unwrap()
    };
    assert_eq!(
        (&lines[0]["costs"], &lines[0]["unpriced"]),
        (&serde_json::json!([]), &serde_json::json!(["m"]))
    );
    let small = cell(1, 1);
    let large = cell(3, 2);
    // Two levels, two repeats, six steps, three attempts.
    assert_eq!(small["calls"]["highest"], 2 * 2 * 6 * 3);
    assert_eq!(small["calls"], large["calls"]);
    // Each request has one frame, and those of the first step the goal too, once for each of three attempts.
    assert_eq!(small["images"]["lowest"], small["calls"]["lowest"].as_u64().unwrap() + 2 * 2);
    assert_eq!(small["images"]["highest"], 2 * 2 * (6 + 1) * 3);
    // Two frames from the second step on; the first one has the goal too, as long as it is in the window.
    assert_eq!(large["images"]["highest"], 2 * 2 * (6 * 2 - 1 + 2) * 3);
    let tokens = |cell: &serde_json::Value, end: &str| cell["input_tokens"][end].as_u64().unwrap();
    assert!(tokens(large, "highest") > tokens(small, "highest"));
    assert!(tokens(small, "lowest") < tokens(small, "highest"));
    assert_eq!(small["output_tokens"]["highest"], 2 * 2 * 6 * 3 * 4000);
    sandbox.write("config/mageyard/prices.toml", "currency = \"USD\"\n[models.m]\ninput = 1\noutput = 2\n");
    let priced = plan();
    let cost = &priced.iter().find(|line| line["am"] == 1 && line["type"] == "sweep_cell").unwrap()["cost"];
    let highest = tokens(small, "highest") + 2 * 2 * 2 * 6 * 3 * 4000;
    let millionths = cost["highest"].as_str().unwrap().parse::<f64>().unwrap() * 1e6;
    assert!((millionths - f64::from(u32::try_from(highest).unwrap())).abs() < 0.01, "{cost}");
    assert_eq!(cost["currency"], "USD");
}

#[test]
fn overrides_replace_values_of_every_grid_and_may_be_lists_and_ranges() {
    let sandbox = Sandbox::new();
    sandbox.write("work/grids.toml", GRIDS);
    let cells = |args: &[&str]| {
        let lines = sandbox.run(&[&["sweep", "plan", "grids.toml", "--json"], args].concat()).json_lines();
        let cells = lines.into_iter().filter(|line| line["type"] == "sweep_cell");
        cells.map(|cell| format!("{} {} {}", cell["agent"], cell["model"], cell["seed"])).collect::<Vec<_>>()
    };
    let idle = |seed: u32| format!("\"idle\" null {seed}");
    let same = ["--set", "play.max_steps=6"];
    let args = |more: &[&'static str]| [&same[..], more].concat();
    assert_eq!(
        cells(&args(&["--set", "play.agent=idle", "--set", "seed=5..7"])),
        [idle(5), idle(6), idle(7)]
    );
    assert_eq!(cells(&args(&["--agent", "idle", "--set", "repeats=9"])), [idle(0)]);
    let model = |name: &str| format!("\"model\" \"{name}\" 0");
    let args = ["--set", "play.agent=[model]", "--set", "model.name=[gpt-4o, 123]", "--am", "1", "--om", "1"];
    assert_eq!(cells(&args)[..2], [model("gpt-4o"), model("123")]);
    for (args, says) in [
        (&["--set", "memory.an=1"][..], "--set: unknown setting an in [memory]"),
        (&["--set", "memory.am=3..1"], "it ends before it begins"),
        (&["--set", "memory.am"], "is not a setting and a value"),
        (&["--set", "memory.am=1", "--am", "2"], "--am and --set both set memory.am"),
        (&["--set", "play.agent=human"], "no cell can be played"),
    ] {
        sandbox.run(&[&["sweep", "plan", "grids.toml"], args].concat()).fails_with(2, &[says]);
    }
}

#[test]
fn a_preset_is_planned_by_its_name_and_a_file_of_the_user_takes_its_place() {
    let sandbox = Sandbox::new();
    let names = |sandbox: &Sandbox| {
        let lines = sandbox.run(&["sweep", "list", "--json"]).json_lines();
        lines.iter().map(|line| line["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(&sandbox), ["paper", "memory-ablation", "error-table", "baselines"]);
    let plan = sandbox.run(&["sweep", "plan", "memory-ablation", "--model", "m"]).success();
    assert!(plan.contains("7 cells with 420 episodes, 2 struck out"), "{plan}");
    assert!(plan.contains("OM=3 is more than AM=1"), "{plan}");
    sandbox.run(&["sweep", "plan", "memory-ablation"]).fails_with(2, &["no cell can be played"]);
    sandbox.run(&["sweep", "plan", "memory-ablatio"]).fails_with(2, &["did you mean memory-ablation?"]);
    sandbox.write(
        "config/mageyard/sweeps/memory-ablation.toml",
        "about = \"Mine\"\nlevels = \"hanoi/first/1\"\n",
    );
    sandbox.write("config/mageyard/sweeps/own.toml", "levels = 3\n");
    assert_eq!(names(&sandbox), ["paper", "memory-ablation", "error-table", "baselines", "own"]);
    let list = sandbox.run(&["sweep", "list"]).success();
    assert!(list.contains("Mine") && list.contains("BROKEN"), "{list}");
    let plan = sandbox.run(&["sweep", "plan", "memory-ablation"]).success();
    assert!(plan.contains("1 cell with 1 episode"), "{plan}");
}

#[test]
fn twenty_seven_cells_fit_a_terminal_of_80_columns() {
    let sandbox = Sandbox::new();
    let sweep = GRIDS.split("[[grid]]").next().unwrap().to_owned()
        + "[[grid]]\nplay.agent = \"model\"\nmodel.name = \"m\"\nmemory.am = [5, 6, 7]\nmemory.om = \"1..3\"\n\
           play.prompt = [\"0s-CoT\", \"HD-CoT\", \"HD-CoT-NoIMG\"]\n";
    sandbox.write("work/wide.toml", sweep);
    let shown = sandbox.run(&["sweep", "plan", "wide.toml"]).success();
    let rows = shown.lines().filter(|line| line.trim_start().starts_with(|c: char| c.is_ascii_digit()));
    assert_eq!(rows.count(), 1 + 27, "{shown}");
    for line in shown.lines() {
        assert!(line.chars().count() <= 80, "{}: {line}", line.chars().count());
    }
}

#[test]
fn an_online_cell_starts_from_the_global_cell_of_the_sweep() {
    let sandbox = Sandbox::new();
    let sweep = "levels = \"webui/mini/1\"\n[settings]\nwebui.start = \"global\"\n\
                 [[grid]]\nplay.setting = [\"online\", \"global\"]\nplay.agent = [\"random\", \"idle\"]\n";
    sandbox.write("work/starts.toml", sweep);
    let lines = sandbox.run(&["sweep", "plan", "starts.toml", "--json"]).json_lines();
    let cells: Vec<_> = lines.iter().filter(|line| line["type"] == "sweep_cell").collect();
    let field = |name: &str| cells.iter().map(|cell| cell[name].clone()).collect::<Vec<_>>();
    assert_eq!(field("setting"), ["online", "online", "global", "global"], "the order of the file");
    assert_eq!(field("agent"), ["random", "idle", "random", "idle"]);
    let names = field("cell");
    assert_eq!(field("after"), [names[2].clone(), names[3].clone(), ().into(), ().into()]);
    let text = sandbox.run(&["sweep", "plan", "starts.toml"]).success();
    assert!(text.contains("cell 1 starts from what cell 3 has left\n"), "{text}");
    let alone = sandbox.run(&["sweep", "plan", "starts.toml", "--set", "play.setting=online"]);
    alone.fails_with(2, &["no cell can be played"]);
    assert!(alone.out.contains("has no Global cell with these levels"), "{}", alone.out);
    let unlike = sandbox.run(&["sweep", "plan", "starts.toml", "--set", "webui.mode=[parity,strict]"]);
    assert!(unlike.success().contains("several Global cells fit to start from"));
}

/// The time is that of recorded episodes of the same agent, environment and setting, first of those with as many steps.
#[test]
fn the_time_is_estimated_from_recorded_episodes() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "work/timed.toml",
        "levels = [\"hanoi/first/1..2\", \"sokoban/mini/1\"]\nrepeats = 3\n[settings]\nplay.agent = \"random\"\nplay.max_steps = 4\n",
    );
    let plan = || sandbox.run(&["sweep", "plan", "timed.toml", "--json"]).json_lines();
    let times = |lines: &[serde_json::Value]| {
        let cells = lines.iter().filter(|line| line["type"] == "sweep_cell");
        cells.map(|cell| (cell["seconds"].as_f64(), cell["seconds_from"].clone())).collect::<Vec<_>>()
    };
    let lines = plan();
    assert_eq!(times(&lines), [(None, serde_json::Value::Null), (None, serde_json::Value::Null)]);
    assert_eq!((&lines[0]["seconds"], &lines[0]["untimed"]), (&serde_json::Value::Null, &2.into()));
    let text = sandbox.run(&["sweep", "plan", "timed.toml"]).success();
    assert!(text.contains("Time: unknown: no recorded episodes of the same agent"), "{text}");
    // Neither another agent nor another setting counts, and a session with as many steps precedes a newer one.
    for more in [&["--agent", "idle"][..], &["--agent", "random", "--setting", "global"]] {
        sandbox.run(&[&["run", "hanoi/first/1"], more].concat()).success();
    }
    assert_eq!(plan()[0]["untimed"], 2);
    for steps in ["4", "3"] {
        sandbox.run(&["run", "hanoi/first/1", "--agent", "random", "--max-steps", steps]).success();
    }
    let sessions = sandbox.sessions("data/mageyard/sessions");
    let [.., same_limit, newest] = &sessions[..] else { panic!("{sessions:?}") };
    let measured = |session: &Path| {
        let text = fs::read_to_string(session.join("0001/summary.json")).unwrap();
        let file: serde_json::Value = serde_json::from_str(&text).unwrap();
        file["summary"]["milliseconds"].as_f64().unwrap() / 1000.0
    };
    let is_about = |found: Option<f64>, expected: f64| (found.unwrap() - expected).abs() < 1e-9;
    let session = same_limit.file_name().unwrap().to_str().unwrap().to_owned();
    let lines = plan();
    let found = times(&lines);
    // Two levels with three repeats.
    assert!(is_about(found[0].0, 6.0 * measured(same_limit)), "{found:?}");
    assert_eq!((&found[0].1, &found[1]), (&session.into(), &(None, serde_json::Value::Null)));
    assert_eq!(lines[0]["untimed"], 1);
    let text = sandbox.run(&["sweep", "plan", "timed.toml"]).success();
    assert!(
        text.contains("Time: about ") && text.contains(", one episode after the other (an est"),
        "{text}"
    );
    assert!(text.contains("Time of 1 of 2 cells: unknown"), "{text}");
    // The newest one, which ended at a limit of three steps, would go on to six steps.
    let more = ["sweep", "plan", "timed.toml", "--json", "--set", "play.max_steps=6"];
    let found = times(&sandbox.run(&more).json_lines())[0].0;
    assert!(is_about(found, 6.0 * 2.0 * measured(newest)), "{found:?}");
}

#[test]
fn a_plan_expects_a_cost_between_the_lowest_and_the_highest() {
    let sandbox = Sandbox::new();
    let prices = "[models.m]\ninput = 2.0\noutput = 8.0\ncurrency = \"USD\"\n";
    sandbox.write("config/mageyard/prices.toml", prices);
    let sweep = "levels = \"sokoban/first/1..3\"\nplay.max_steps = 40\n".replace("play.max_steps = 40\n", "");
    let settings = "[settings]\nplay.agent = \"model\"\nmodel.name = \"m\"\nplay.max_steps = 40\n";
    sandbox.write("work/cost.toml", sweep + settings);
    let plan = sandbox.run(&["sweep", "plan", "cost.toml", "--json"]).json_lines().remove(0);
    let amount = |name: &str| plan["costs"][0][name].as_str().unwrap().parse::<f64>().unwrap();
    let [lowest, expected, highest] = ["lowest", "expected", "highest"].map(amount);
    assert!(lowest < expected && expected < highest / 5.0, "{plan}");
    // About 20 steps of each level, with replies of 250 tokens: 250 x 20 x 3 x 8 USD per million and their requests.
    assert!((0.12..0.5).contains(&expected), "{expected}");
    let text = sandbox.run(&["sweep", "plan", "cost.toml"]).success();
    assert!(text.contains(" USD expected, ") && text.contains("replies of 250 tokens"), "{text}");
}

/// The repeats that a difference needs follow from a model that solves half of the episodes, or from the pilot.
#[test]
fn a_pilot_says_how_much_scores_vary() {
    let sandbox = Sandbox::new();
    let run = ["run", "sokoban/first", "--agent", "random", "--repeats", "3", "--store", "runs"];
    sandbox.run(&run).success();
    let sweep =
        "levels = \"sokoban/mini\"\ndifference = 5\n[settings]\nplay.agent = [\"idle\", \"random\"]\n";
    sandbox.write("work/assumed.toml", sweep);
    sandbox.write("work/measured.toml", format!("pilot = \"last\"\n{sweep}"));
    sandbox.write("work/missing.toml", format!("pilot = \"nowhere\"\n{sweep}"));
    let plan = |file: &str| sandbox.run(&["sweep", "plan", file, "--store", "runs"]);
    let assumed = plan("assumed.toml").success();
    assert!(assumed.contains("on 20 levels: 33 repeats (here 1)"), "{assumed}");
    assert!(assumed.contains("scores vary by 23 points between repeats"), "{assumed}");
    let measured = plan("measured.toml").success();
    assert!(measured.contains("In the pilot last scores vary by "), "{measured}");
    let object =
        &sandbox.run(&["sweep", "plan", "measured.toml", "--store", "runs", "--json"]).json_lines()[0];
    let needed = object["repeats_needed"].as_u64().unwrap();
    assert!(needed < 33 && object["pilot"] == "last", "the random agent varies less: {object}");
    plan("missing.toml").fails_with(2, &["nowhere"]);
    sandbox.run(&["run", "sokoban/mini/1", "--agent", "idle", "--store", "runs"]).success();
    plan("measured.toml").fails_with(2, &["pilot = \"last\": no level was played twice", "--repeats 3"]);
}
