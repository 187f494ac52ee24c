use crate::{cell_heads, plan_sweep};
use std::path::Path;

use super::*;
use mageyard_config::Folders;
use mageyard_lab::Lab;
use std::sync::Arc;

/// The lab of the program, with no secrets.
fn lab() -> Lab {
    Lab::new(mageyard_envs::environments(), mageyard_agents::AGENTS, Arc::new(|_| None))
}

/// A sweep of a level of the smallest environment.
fn plan_with(text: &str, overrides: &[&str]) -> Result<SweepPlan, Problem> {
    let sheet = SourceFile { path: "plans/small.toml".into(), text: text.into() };
    let mut given = SweepOverrides::default();
    overrides.iter().try_for_each(|assignment| given.parse(assignment, "--set"))?;
    plan_sweep(&lab(), &sheet, &given, &config())
}

fn config() -> Config {
    Config::shipped(Folders::under(Path::new("/nonexistent"))).unwrap()
}

fn plan(text: &str) -> SweepPlan {
    plan_with(&format!("levels = \"hanoi/first/1\"\n{text}"), &[]).unwrap()
}

fn names(plan: &SweepPlan) -> Vec<&str> {
    plan.cells.iter().map(|cell| cell.name.as_str()).collect()
}

fn values(plan: &SweepPlan, name: &str) -> Vec<String> {
    let value = |cell: &PlannedCell| cell.coordinates.iter().find(|row| row.0 == name).unwrap().1.clone();
    plan.cells.iter().map(value).collect()
}

#[test]
fn a_grid_is_a_product_and_the_last_axis_varies_fastest() {
    let plan = plan("[[grid]]\nplay.agent = [\"idle\", \"random\"]\nseed = \"1..3\"\nplay.max_steps = 9");
    assert_eq!(values(&plan, "play.agent"), ["idle", "idle", "idle", "random", "random", "random"]);
    assert_eq!(values(&plan, "seed"), ["1", "2", "3", "1", "2", "3"]);
    assert_eq!(plan.cells[0].coordinates.len(), 2, "max_steps does not vary");
    assert!(plan.cells.iter().all(|cell| cell.config.settings().play.max_steps == 9));
    assert_eq!(plan.cells.iter().map(|cell| cell.seed).collect::<Vec<_>>(), [1, 2, 3, 1, 2, 3]);
}

#[test]
fn a_grid_overrides_what_all_share_and_grids_are_a_union_without_duplicates() {
    let text = "repeats = 2\n[settings]\nplay.agent = \"idle\"\nplay.max_steps = 7\n\
                [[grid]]\n[[grid]]\nplay.max_steps = [7, 8]\nrepeats = 2\n[[grid]]\nrepeats = 3\n";
    let plan = plan(text);
    let shown: Vec<_> =
        plan.cells.iter().map(|cell| (cell.config.settings().play.max_steps, cell.repeats)).collect();
    assert_eq!(shown, [(7, 2), (8, 2), (7, 3)]);
    assert_eq!(plan.struck.len(), 1);
    assert_eq!(plan.struck[0].duplicate_of.as_deref(), Some(plan.cells[0].name.as_str()));
}

/// These names are folders in stores: a version that changes them starts sweeps under way again.
#[test]
fn names_of_cells_are_stable() {
    let text = "[[grid]]\nplay.agent = [\"idle\", \"oracle\"]\nplay.setting = [\"online\", \"global\"]\n";
    assert_eq!(names(&plan(text)), STABLE_NAMES);
}

const STABLE_NAMES: [&str; 4] = [
    "hanoi-first-1-online-idle-44d53a8e63",
    "hanoi-first-1-global-idle-84969432f1",
    "hanoi-first-1-online-oracle-95f8d5e529",
    "hanoi-first-1-global-oracle-357b2bf595",
];

#[test]
fn a_name_depends_only_on_what_changes_the_episodes() {
    let first = |settings: &str| {
        plan(&format!("[settings]\nplay.agent = \"idle\"\n{settings}")).cells[0].name.clone()
    };
    let bare = first("");
    for same in [
        "memory.am = 9",
        "model.name = \"m\"",
        "play.prompt = \"HD-CoT\"",
        "play.max_steps = 50",
        "play.reader = \"strict\"",
        "model.timeout = 9",
    ] {
        assert_eq!(first(same), bare, "{same}");
    }
    for other in
        ["play.max_steps = 51", "play.reader = \"lenient\"", "play.setting = \"global\"", "faults.same = 9"]
    {
        assert_ne!(first(other), bare, "{other}");
    }
    let model = |settings: &str| {
        let text = format!("[settings]\nplay.agent = \"model\"\nmodel.name = \"a/b\"\n{settings}");
        plan(&text).cells[0].name.clone()
    };
    assert!(model("").starts_with("hanoi-first-1-online-b-0s-CoT-am5-om1-"), "{}", model(""));
    assert_eq!(model("model.timeout = 9"), model("model.timeout = 9"));
    for other in
        ["memory.am = 9", "model.temperature = 1", "play.prompt = \"HD-CoT\"", "model.system_role = false"]
    {
        assert_ne!(model(other), model(""), "{other}");
    }
}

#[test]
fn the_address_of_a_server_counts_only_in_the_file() {
    let text = "levels = \"hanoi/first/1\"\n[settings]\nplay.agent = \"model\"\nmodel.name = \"m\"\n";
    let name = |text: &str, overrides: &[&str]| plan_with(text, overrides).unwrap().cells[0].name.clone();
    let bare = name(text, &[]);
    assert_eq!(name(text, &["model.base_url=http://localhost:1/v1"]), bare);
    assert_ne!(name(&format!("{text}model.base_url = \"http://localhost:1/v1\"\n"), &[]), bare);
    let written = format!("{text}model.base_url = \"http://localhost:1/v1\"\n");
    let moved = ["model.base_url=http://localhost:2/v1"];
    assert_eq!(name(&written, &moved), name(&written, &[]), "it is the same cell at another address");
    assert_eq!(name(&written, &["model.timeout=9"]), name(&written, &[]));
    let two =
        plan_with(&format!("{text}model.base_url = [\"http://a/v1\", \"http://b/v1\"]\n"), &[]).unwrap();
    assert_eq!((two.cells.len(), two.struck.len()), (2, 0));
}

#[test]
fn the_source_has_the_overrides_and_gives_the_same_plan() {
    let text = "levels = \"hanoi/first/1\"\nplay.max_steps = 4\n".replace("play.max_steps = 4\n", "");
    let overrides = [
        "play.agent=[idle, random]",
        "seed=1..2",
        "repeats=4",
        "model.headers={ \"X-Team\" = \"a b\" }",
        "model.temperature=0.5",
        "difference=2.5",
    ];
    let plan = plan_with(&text, &overrides).unwrap();
    let again = SourceFile { path: "elsewhere/sweep.toml".into(), text: plan.source.clone() };
    let again = plan_sweep(&lab(), &again, &SweepOverrides::default(), &config()).unwrap();
    assert_eq!((&again.name, again.difference), (&"small".to_owned(), Some(2.5)));
    assert_eq!(names(&again), names(&plan));
    assert_eq!(again.cells.len(), 4);
    assert_eq!(again.source, plan.source);
    assert!(again.cells.iter().all(|cell| cell.repeats == 4));
}

#[test]
fn the_reference_cells_are_all_with_its_values() {
    let text = "reference = { memory.am = 5 }\n[[grid]]\nplay.agent = \"model\"\nmodel.name = [\"a\", \"b\"]\n\
        memory.am = [1, 5]\n[[grid]]\nplay.agent = \"idle\"\n";
    let found = plan(text);
    assert_eq!(found.reference_cells, [1, 3], "an agent without a model has no memory window");
    assert_eq!(found.reference, [("memory.am".to_owned(), "5".to_owned())]);
    let last: Vec<&str> = found.cells[4].coordinates.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(last, ["play.agent"], "it has no model either");
    assert!(plan("settings.play.agent = \"idle\"").reference_cells.is_empty());
}

#[test]
fn a_reference_that_no_row_of_a_report_can_have_is_refused() {
    let of_seeds = "reference = { seed = 2 }\n[settings]\nplay.agent = \"idle\"\nseed = [1, 2]\n";
    let of_no_cell = "reference = { memory.am = 5 }\nsettings.play.agent = \"idle\"";
    for (text, what) in [(of_seeds, "levels and seed"), (of_no_cell, "no cell that is run")] {
        let problem = plan_with(&format!("levels = \"hanoi/first/1\"\n{text}"), &[]).unwrap_err();
        assert!(problem.message.contains(what), "{}", problem.message);
    }
}

#[test]
fn a_range_of_levels_is_one_cell() {
    let plan = plan_with("levels = \"hanoi/first/2..4\"\nsettings.play.agent = \"idle\"", &[]).unwrap();
    let numbers: Vec<_> = plan.cells[0].levels.iter().map(|level| level.level.number).collect();
    assert_eq!((plan.cells.len(), numbers), (1, vec![2, 3, 4]));
    assert_eq!(plan.cells[0].episodes(), 3);
}

#[tokio::test]
async fn the_heads_of_a_cell_are_those_of_a_run_with_its_settings() {
    let text = "levels = \"hanoi/first/1..2\"\nrepeats = 2\nseed = 7\n[settings]\nplay.agent = \"idle\"\nplay.max_steps = 3";
    let plan = plan_with(text, &[]).unwrap();
    let store = Store::new("/nonexistent");
    let heads = cell_heads(&lab(), &plan.cells[0], &store).await.unwrap();
    let shown: Vec<_> =
        heads.iter().map(|head| (head.number, head.repeat, head.seed, head.max_steps)).collect();
    assert_eq!(shown, [(1, Some(1), 7, 3), (1, Some(2), 8, 3), (2, Some(1), 7, 3), (2, Some(2), 8, 3)]);
}

#[test]
fn every_shipped_sweep_has_cells_and_says_what_it_is_for() {
    let catalog = sweep_catalog(&Folders::under(Path::new("/nonexistent")));
    for (name, cells, struck) in
        [("paper", 5, 0), ("memory-ablation", 7, 2), ("error-table", 3, 0), ("baselines", 12, 0)]
    {
        let sheet = catalog.find(name).unwrap();
        assert!(!sweep_summary(&sheet).unwrap().is_empty());
        let mut overrides = SweepOverrides::default();
        overrides.parse("model.name=m", "--set").unwrap();
        let plan = plan_sweep(&lab(), &sheet, &overrides, &config()).unwrap();
        assert_eq!((plan.cells.len(), plan.struck.len()), (cells, struck), "{name}: {:?}", plan.struck);
    }
}
