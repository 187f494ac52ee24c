//! Files that people edit: each mistake gets its sentence, and every value knows where it is from.

use std::fs;
use std::path::Path;

use crate::world::World;

const USER: &str = "config/mageyard/config.toml";
const PROJECT: &str = "work/mageyard.toml";

/// The value and the origin of a setting, as `config print` shows them.
fn holds(world: &World, args: &[&str], name: &str) -> (String, String) {
    let ran = world.run(&[&["config", "print", "--json"], args].concat());
    let row = ran.objects().into_iter().find(|row| row["name"] == name).expect(name);
    (row["value"].to_string(), row["from"].as_str().unwrap().to_owned())
}

#[test]
fn every_mistake_gets_its_sentence() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/settings");
    let files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(files.len() >= 27, "{}", files.len());
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let says: Vec<&str> = text.lines().next().unwrap().trim_start_matches("# ").split(" | ").collect();
        println!("{}", file.display());
        for spot in [USER, PROJECT] {
            let world = World::new();
            world.write(spot, &text);
            let ran = world.run(&["config", "check"]);
            ran.refused(2, &says);
            assert!(ran.err.contains(Path::new(spot).file_name().unwrap().to_str().unwrap()), "{}", ran.err);
        }
    }
}

#[test]
fn a_mistake_is_underlined() {
    let world = World::new();
    world.write(USER, "[screen]\nthem = \"light\"\n");
    let ran = world.run(&["config", "print"]);
    assert!(ran.err.contains(" 2 | them = \"light\"\n"), "{}", ran.err);
    assert!(ran.err.contains("   : ^^^^\n") || ran.err.contains("   : ^^|^"), "{}", ran.err);
    assert_eq!(ran.out, "");
}

/// What `config print` shows, without the origins.
fn values(print: &str) -> Vec<&str> {
    print.lines().map(|line| line.split('#').next().unwrap().trim()).collect()
}

#[test]
fn an_empty_file_equals_the_defaults() {
    let bare = World::new().run(&["config", "print"]).done();
    for text in ["", "\n", "# nothing\n", "[play]\n[screen]\n", mageyard::config::DEFAULTS] {
        let world = World::new();
        world.write(USER, text);
        let print = world.run(&["config", "print"]).done();
        assert_eq!(values(&bare), values(&print));
    }
}

#[test]
fn what_is_printed_can_be_read_again() {
    let world = World::new().with("MAGEYARD_SEED", "42");
    let print = world.run(&["config", "print", "--theme", "light"]).done();
    let again = World::new();
    again.write(USER, &print);
    assert_eq!(holds(&again, &[], "play.seed").0, "42");
    assert_eq!(holds(&again, &[], "screen.theme").0, "\"light\"");
}

#[test]
fn each_layer_wins_over_the_one_below_and_says_so() {
    let mut world = World::new();
    assert_eq!(holds(&world, &[], "play.seed"), ("0".into(), "default".into()));
    let user = world.write(USER, "[play]\nseed = 1\n");
    assert_eq!(holds(&world, &[], "play.seed"), ("1".into(), format!("{}:2", user.display())));
    let project = world.write(PROJECT, "\nplay.seed = 2\n");
    let project = fs::canonicalize(project).unwrap();
    assert_eq!(holds(&world, &[], "play.seed"), ("2".into(), format!("{}:2", project.display())));
    world = world.with("MAGEYARD_SEED", "3");
    assert_eq!(holds(&world, &[], "play.seed"), ("3".into(), "MAGEYARD_SEED".into()));
    assert_eq!(holds(&world, &["--seed", "4"], "play.seed"), ("4".into(), "--seed".into()));
}

#[test]
fn another_file_stands_in_for_the_users() {
    let world = World::new();
    world.write(USER, "[play]\nseed = 1\n");
    world.write("work/other.toml", "[play]\nmax_steps = 9\n");
    assert_eq!(holds(&world, &["--config", "other.toml"], "play.seed").0, "0");
    assert_eq!(holds(&world, &["--config", "other.toml"], "play.max_steps").0, "9");
    world
        .run(&["config", "print", "--config", "none.toml"])
        .refused(2, &["none.toml: there is no such file"]);
}

#[test]
fn flags_and_variables_are_judged_like_files() {
    let world = World::new();
    world
        .run(&["config", "print", "--am", "many"])
        .refused(2, &["--am: memory.am is a whole number, not \"many\""]);
    world
        .run(&["config", "print", "--max-time", "0.0001"])
        .refused(2, &["--max-time: play.max_time is a whole number, not \"0.0001\""]);
    world.run(&["config", "print", "--om", "9"]).refused(2, &["--om: OM=9 is more than AM=5"]);
    world
        .run(&["config", "print", "--max-steps", "-3"])
        .refused(2, &["--max-steps: play.max_steps: -3 is out of range"]);
    let world = world.with("MAGEYARD_PACE", "slow");
    world.run(&["config", "print"]).refused(2, &["MAGEYARD_PACE: screen.pace is a whole number"]);
}

#[test]
fn a_variable_that_nobody_reads_is_refused() {
    World::new()
        .with("MAGEYARD_OMM", "3")
        .run(&["config", "print"])
        .refused(2, &["there is no variable MAGEYARD_OMM", "did you mean MAGEYARD_OM"]);
    World::new()
        .with("MAGEYARD_ZZZ", "")
        .run(&["levels", "list"])
        .refused(2, &["MAGEYARD_ZZZ", "each flag has one"]);
    // The variable of a flag that another verb has is no stranger.
    World::new()
        .with("MAGEYARD_REPEATS", "2")
        .with("MAGEYARD_CONFIG", "/dev/null")
        .run(&["levels", "list"])
        .done();
}

#[test]
fn a_flag_that_would_be_lost_is_refused() {
    let ran = World::new().run(&["--seed", "3", "levels", "list"]);
    ran.refused(2, &["--seed stands before the verb", "mageyard levels ... --seed"]);
    let ran = World::new().run(&["--resume", "last", "run", "sokoban/mini"]);
    ran.refused(2, &["--resume stands before the verb", "mageyard run ... --resume"]);
    let world = World::new().with("MAGEYARD_SEED", "3");
    world.run(&["levels", "list"]).done();
    let store = world.path("elsewhere").display().to_string();
    let global = world.run(&["--store", &store, "config", "print"]).done();
    assert!(global.contains(&store), "{global}");
}

#[test]
fn files_that_are_no_text_are_refused() {
    let world = World::new();
    world.write(USER, b"[play]\nagent = \"\xff\"\n");
    world.run(&["config", "check"]).refused(2, &["config.toml:2: is not UTF-8 text: byte 17"]);
    world.write(USER, vec![b'#'; (1 << 20) + 1]);
    world.run(&["config", "check"]).refused(2, &["is larger than 1 MiB"]);
}

#[test]
fn a_settings_folder_that_is_a_file_is_said() {
    let world = World::new();
    world.write("config/mageyard", "not a folder");
    world.run(&["config", "print"]).refused(2, &["config.toml: a part of this path is a file, not a folder"]);
    let doctor = world.run(&["doctor"]);
    assert_eq!(doctor.code, Some(2));
    assert!(doctor.out.contains("mageyard is a file, not a folder"), "{}", doctor.out);
    assert_eq!(world.run(&["config", "path"]).code, Some(0));
}

#[test]
fn nothing_is_written_by_asking() {
    let world = World::new();
    for args in [&["config", "check"][..], &["doctor"], &["check"], &["levels", "list"], &["config", "path"]]
    {
        world.run(args);
    }
    for folder in ["home", "config", "data", "state", "cache"] {
        assert!(!world.path(folder).exists(), "{folder}");
    }
}
