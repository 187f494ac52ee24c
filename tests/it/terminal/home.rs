//! Home: from the bare command to an episode and back.

use super::*;

#[test]
fn what_is_opened_from_home_returns_to_it() {
    let sandbox = sandbox();
    sandbox.run(&["run", "hall.xsb", "--agent", "oracle"]).success();
    let mut screen = start(&sandbox, &[]);
    screen.sees("1 session").sees("▾ Recordings").sees("hall");
    screen.press("/").sees("Home /█").press("recordings").sees("a recorded session: Enter shows it");
    screen.press("enter enter").sees("RECORDED").sees("Esc back").press("esc");
    screen.sees("Home /recordings").press("esc").sees("▾ Play");
    screen.press("/").press("first/1 enter").sees("a level: Enter plays it").press("enter");
    screen.sees("Enter asks the agent").command("home").sees("1 unfinished").press("q");
    screen.wait_for_exit().assert_restored(0);
}
