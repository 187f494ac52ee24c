//! Sessions and sweeps that are deleted: in no list, and restored as they were.

use std::fs;

use crate::sandbox::Sandbox;

const STORE: &str = "data/mageyard/sessions";

/// A sandbox with two sessions and a sweep, and the names of the sessions.
fn recorded() -> (Sandbox, Vec<String>) {
    let sandbox = Sandbox::new();
    for seed in ["1", "2"] {
        let run = ["run", "sokoban/mini/1", "--agent", "random", "--seed", seed, "--max-steps", "4"];
        sandbox.run(&run).success();
    }
    sandbox.write("work/grid.toml", "levels = \"hanoi/first/1\"\n[settings]\nplay.agent = [\"oracle\"]\n");
    sandbox.run(&["sweep", "run", "grid.toml", "--plain"]).success();
    let sessions = sandbox.sessions(STORE).into_iter();
    let names = sessions.map(|folder| folder.file_name().unwrap().to_str().unwrap().to_owned());
    (sandbox, names.filter(|name| name != "sweeps").collect())
}

#[test]
fn what_is_deleted_is_in_no_list_until_it_is_restored() {
    let (sandbox, names) = recorded();
    let [one, two] = names.as_slice() else { panic!("{names:?}") };
    let said = sandbox.run(&["log", "delete", one, "grid"]).success();
    assert!(said.contains(&format!("deleted {one}; `mageyard log restore {one}` brings it back")), "{said}");
    let listed = sandbox.run(&["log", "list"]).success();
    assert!(listed.contains(two) && !listed.contains(one) && !listed.contains("grid"), "{listed}");
    assert!(!sandbox.run(&["find", "any or step>=1"]).success().contains(one));
    assert_eq!(sandbox.run(&["log", "check"]).success().lines().count(), 1);
    sandbox.run(&["report", one]).fails_with(2, &["there is no session"]);
    sandbox.run(&["sweep", "status", "grid"]).fails_with(2, &["grid"]);
    let rows = sandbox.run(&["log", "trash", "--json"]).json_lines();
    let trashed = |at: usize| (rows[at]["name"].as_str().unwrap(), rows[at]["kind"].as_str().unwrap());
    assert_eq!([trashed(0), trashed(1)], [("grid", "sweep"), (one.as_str(), "session")]);
    let address = rows[1]["address"].as_str().unwrap();
    assert!(sandbox.run(&["log", "trash"]).success().contains(address));

    assert_eq!(sandbox.run(&["log", "restore", "grid", address]).success().lines().count(), 2);
    assert!(sandbox.run(&["log", "trash"]).err.contains("the trash is empty"));
    assert_eq!(sandbox.run(&["log", "check"]).success().matches("intact").count(), 3);
    sandbox.run(&["sweep", "status", "grid"]).success();
}

#[test]
fn the_trash_is_emptied_only_when_that_is_forced() {
    let (sandbox, names) = recorded();
    sandbox.run(&["log", "delete", &names[0], "grid"]).success();
    sandbox
        .run(&["log", "empty"])
        .fails_with(2, &["1 session and 1 sweep in the trash would be removed", "--force"]);
    assert_eq!(sandbox.run(&["log", "trash", "--json"]).json_lines().len(), 2);
    let removed = sandbox.run(&["log", "empty", "--force", "--json"]).json_lines();
    assert!(removed.iter().all(|row| row["state"] == "removed"), "{removed:?}");
    assert!(sandbox.run(&["log", "trash", "--json"]).json_lines().is_empty());
    sandbox.run(&["log", "restore", &names[0]]).fails_with(2, &["in the trash, which is empty"]);
    assert!(sandbox.run(&["log", "list"]).success().contains(&names[1]));
}

#[test]
fn what_is_needed_or_not_meant_is_refused() {
    let (sandbox, names) = recorded();
    let one = &names[0];
    for wrong in ["../x", &format!("{one}/1"), "sweeps", &one[..8], "grid/hanoi"] {
        sandbox.run(&["log", "delete", wrong]).fails_with(2, &["there is no session"]);
    }
    // An unfinished episode that repeats the recording could not be resumed without it.
    let parked =
        sandbox.run(&["run", "sokoban/mini/1", "--agent", "replay", "--from", one, "--break", "step=1"]);
    assert_eq!(parked.code, Some(3), "{}", parked.err);
    sandbox
        .run(&["log", "delete", one])
        .fails_with(2, &["is repeated by", "which is unfinished", "delete both"]);
    let listed = sandbox.run(&["log", "list", "--json", "--newest", "1"]).json_lines();
    let repeat = listed[0]["session"].as_str().unwrap();
    sandbox.run(&["log", "delete", one, repeat]).success();
    // A name that is taken again is not overwritten.
    fs::create_dir(sandbox.path(STORE).join(one)).unwrap();
    sandbox.run(&["log", "restore", one]).fails_with(2, &["exists already", "log delete", "log restore"]);
}
