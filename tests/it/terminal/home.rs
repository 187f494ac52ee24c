//! Home: from the bare command to an episode and back.

use super::*;

#[test]
fn what_is_opened_from_home_returns_to_it() {
    let sandbox = sandbox();
    sandbox.run(&["run", "hall.xsb", "--agent", "oracle"]).success();
    // Settings of the screen are not those of an episode.
    let mut screen = start(&sandbox, &["--theme", "light", "--set", "screen.motion=reduced"]);
    screen.sees("1 session").sees("▾ Recordings").sees("hall");
    screen.press("/").sees("Home /█").press("recordings").sees("a recorded session: Enter shows it");
    screen.press("enter enter").sees("RECORDED").sees("Esc back").press("esc");
    screen.sees("Home /recordings").press("esc").sees("▾ Play");
    screen.press("/").press("first/1 enter").sees("a level: Enter plays it").press("enter");
    screen.sees("Enter asks the agent").command("home").sees("1 unfinished").press("q");
    screen.wait_for_exit().assert_restored(0);
}

#[test]
fn a_session_is_deleted_from_home_and_restored() {
    let sandbox = sandbox();
    for agent in ["oracle", "idle"] {
        sandbox.run(&["run", "hall.xsb", "--agent", agent, "--max-steps", "2"]).code.unwrap();
    }
    let mut screen = start(&sandbox, &[]);
    screen.sees("2 sessions").press("/").press("agent=oracle enter").sees("hall.xsb");
    screen.press("d").sees("Delete the session?").press("n").sees("the session was kept");
    screen.press("d").sees("Delete the session?").press("y").sees("brings it back").sees("1 session");
    screen.press("esc").sees("▾ Play").press("/").press("agent=idle enter");
    screen.sees("a recorded session").press("n").sees("step 1 of 2").press("q").sees("2 sessions");
    screen.press("q");
    screen.wait_for_exit().assert_restored(0);
    let trash = sandbox.run(&["log", "trash", "--json"]).json_lines();
    assert_eq!(trash.len(), 1, "{trash:?}");
    let name = trash[0]["name"].as_str().unwrap();
    assert!(!sandbox.run(&["log", "list"]).success().contains(name));
    sandbox.run(&["log", "restore", name]).success();
    assert!(sandbox.run(&["log", "list"]).success().contains(name));
    assert_eq!(
        sandbox.run(&["log", "list", "--json"]).json_lines().len(),
        3,
        "and the one that was played again"
    );
}

#[test]
fn home_in_lines_shows_and_deletes() {
    let sandbox = sandbox();
    sandbox.run(&["run", "hall.xsb", "--agent", "oracle"]).success();
    let mut lines = start(&sandbox, &["--linear"]);
    lines.sees("Step 1 of").send(b"home\r").sees("Home: a number opens").send(b"/hall\r").sees("1: hall");
    lines.send(b"show 1\r").sees("won in");
    lines.send(b"d 1\r").sees("delete the session").send(b"yes\r").sees("brings it back");
    lines.send(b"quit\r");
    assert_eq!(lines.wait_for_exit().code, 0);
    assert_eq!(sandbox.run(&["log", "trash", "--json"]).json_lines().len(), 1);
}
