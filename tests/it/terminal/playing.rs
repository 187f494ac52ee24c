//! Playing levels: step by step, running, as a person, and viewing earlier steps.

use super::{HALL_LEVEL, assert_journals_valid, sandbox, start, start_hall, start_random_run};

#[test]
fn a_step_is_ask_then_apply() {
    let sandbox = sandbox();
    let mut screen = start_hall(&sandbox, &[]);
    screen.sees("Enter asks the agent").press("enter").sees("Enter applies Right").sees("step 1 of 50");
    screen.press("enter").sees("Enter asks the agent").sees("step 2 of 50");
    screen.press("4 enter").sees("the end, after 3 steps").sees("WON");
    screen.press("space").sees("the episode is over (won)");
    screen.press("enter").sees("hall.xsb#1 is the last level of its set").press("q");
    screen.wait_for_exit().assert_restored(0);
    assert_journals_valid(&sandbox, 1);
}

#[test]
fn space_runs_to_the_end_of_the_episode() {
    let sandbox = sandbox();
    let mut screen = start(&sandbox, &["play", "sokoban/full/1", "--pace", "10"]);
    screen.sees("Enter asks the agent").press("space").sees("the end, after 18 steps").sees("100 of 100");
}

#[test]
fn a_count_before_space_runs_that_many_steps() {
    let sandbox = sandbox();
    let mut screen = start_hall(&sandbox, &["--agent", "random", "--pace", "10"]);
    screen.press("12 space").sees("step 13 of 50").sees("PAUSED").settle();
    screen.sees("step 13 of 50").sees("Enter asks the agent");
}

#[test]
fn escape_pauses() {
    let sandbox = sandbox();
    let mut screen = start_random_run(&sandbox);
    screen.press("esc").sees("PAUSED").settle();
    let stood = screen.byte_count();
    screen.settle();
    assert_eq!(screen.byte_count(), stood);
}

#[test]
fn earlier_steps_are_reached_by_keys_and_by_number() {
    let sandbox = sandbox();
    let mut screen = start(&sandbox, &["play", "sokoban/full/1", "--pace", "0"]);
    screen.sees("Enter asks the agent").press("space").sees("WON");
    screen.press("h").sees("viewing step 18 of 18").press("5 h").sees("viewing step 13 of 18");
    screen.press("0").sees("viewing step 1 of 18").press("h").sees("this is the first step");
    screen.press("l").sees("viewing step 2 of 18").press(":3 enter").sees("viewing step 3 of 18");
    screen.press(":77 enter").sees("there is no step 77").press("$").misses("looking at");
}

#[test]
fn looking_back_does_not_change_the_run() {
    let args = ["--agent", "random", "--seed", "9", "--max-steps", "40"];
    let sandbox = sandbox();
    let mut screen = start_hall(&sandbox, &[&args[..], &["--pace", "20"]].concat());
    screen.press("space").gets_to(3).press("0").sees("viewing step 1 of");
    screen.sees("viewing step 1 of 40").press("$").sees("the end, after 40 steps").press("q");
    screen.wait_for_exit().assert_restored(0);
    let looked = sandbox.run(&["view", "last", "--json"]).json_lines();
    let alone = sandbox.run(&[&["run", "hall.xsb", "--json"], &args[..]].concat()).json_lines();
    let actions = |rows: &[serde_json::Value]| {
        rows.iter().filter(|row| row["type"] == "step").map(|row| row["action"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(actions(&looked), actions(&alone));
    assert_eq!(actions(&alone).len(), 40);
}

#[test]
fn the_memory_window_changes_within_its_limits() {
    let sandbox = sandbox();
    let mut screen = start_hall(&sandbox, &[]);
    screen.sees("AM 5 · OM 1").press("]").sees("AM 6 · OM 1").press("2 }").sees("AM 6 · OM 3");
    screen.press("4 [").sees("OM=3 is more than AM=2").sees("AM 6 · OM 3");
    screen.press("{").sees("AM 6 · OM 2").press("[").sees("AM 5 · OM 2");
    screen.press("9 [").sees("cannot be reduced further").press("2 {").sees("OM is at least 1");
    screen.sees("AM 5 · OM 2").press("q");
    screen.wait_for_exit().assert_restored(0);
    assert_journals_valid(&sandbox, 1);
}

#[test]
fn panes_are_focused_zoomed_and_explained() {
    let sandbox = sandbox();
    let mut screen = start_hall(&sandbox, &[]);
    screen.press("z").misses(" Memory ").press("z").sees(" Memory ");
    screen.press("tab z").sees("no reply yet").misses(" Memory ").press("z").sees(" Memory ");
    screen.press("? ?").sees("Agent: The agent's replies").press("esc").misses("╭ Keys ");
}

#[test]
fn the_palette_completes_and_opens_another_level() {
    let sandbox = sandbox();
    let mut screen = start_hall(&sandbox, &["--pace", "0"]);
    screen
        .press(":ope tab")
        .sees(":open █")
        .press("mini/8")
        .sees("▸ sokoban/mini/8")
        .press("tab")
        .sees(":open sokoban/mini/8█");
    screen.press("enter").sees("mini/8 · oracle").press("H").sees("hall.xsb#1 · oracle");
    screen.press("L").sees("mini/8 · oracle").press("space").sees("WON");
    screen.command("open sokoban/mini/99").sees("The level could not be opened").press("space");
    screen.command("open sokoban/full/7").misses("could not be opened").sees("full/7 · oracle");
    screen.sees("Enter asks the agent").press("q");
    screen.wait_for_exit().assert_restored(0);
    assert_journals_valid(&sandbox, 3);
}

#[test]
fn the_frame_is_a_picture_or_text() {
    let sandbox = sandbox();
    let mut screen = start_hall(&sandbox, &[]);
    screen.misses("#######").press("v").sees("#######").press("v").misses("#######");
}

#[test]
fn a_paste_presses_no_keys() {
    let sandbox = sandbox();
    let mut screen = start_hall(&sandbox, &[]);
    screen.press("\x1b[200~qqq\r\x1b[201~").press("?").sees("╭ Keys ");
}

#[test]
fn an_interrupted_episode_resumes_where_it_was() {
    let sandbox = sandbox();
    let mut screen = start_hall(&sandbox, &[]);
    screen.press("enter").sees("Enter applies").press("enter").sees("Enter asks");
    screen.press("enter").sees("Enter applies").press("q");
    screen.wait_for_exit().assert_restored(0);
    assert_journals_valid(&sandbox, 1);
    let mut again = start(&sandbox, &["play", "--resume", "last"]);
    again.sees("Enter applies Right").sees("step 2 of 50").press("enter").sees("step 3 of 50").press("q");
    again.wait_for_exit().assert_restored(0);
    // Without a verb it plays the same.
    let mut again = start(&sandbox, &["--resume", "last"]);
    again.sees("step 3 of 50").press("q");
    again.wait_for_exit().assert_restored(0);
    assert_journals_valid(&sandbox, 1);
}

#[test]
fn a_person_plays_with_the_arrows() {
    let sandbox = sandbox();
    let mut screen = start_hall(&sandbox, &["--agent", "human"]);
    screen.sees("your move").press("right").sees("step 2 of 50").sees("your move");
    screen.command("act Left").sees("step 3 of 50").press("2 up").sees("step 5 of 50");
    // Keys held down, faster than the screen draws.
    screen.press(&["left", "right"].repeat(10).join(" ")).sees("step 25 of 50").sees("your move");
    screen.press("3 right").sees("WON").press("q");
    screen.wait_for_exit().assert_restored(0);
    assert_journals_valid(&sandbox, 1);
}

#[test]
fn a_plan_is_shown_completely_and_stepped_through() {
    let sandbox = sandbox();
    let mut screen = start_hall(&sandbox, &["--setting", "global"]);
    screen.press("enter").sees("plan: 3 actions").sees("▶Right Right Right");
    screen.press("enter").sees("Right ▶Right Right").press("enter").sees("Right Right ▶Right");
    screen.press("enter").sees("the end, after 3 steps");
}

#[test]
fn a_person_writes_a_plan() {
    let sandbox = sandbox();
    let mut screen = start_hall(&sandbox, &["--setting", "global", "--agent", "human"]);
    screen.sees("your move").press("right").sees("enter the whole plan");
    screen.command("plan Right,Rihgt").sees("\"Rihgt\" is not an action here").sees("step 1 of 50");
    screen.command("plan Right,Right,Right").sees("plan: 3 actions").sees("▶Right Right Right");
    screen.sees("Enter applies Right").sees("step 1 of 50").press("enter").sees("Right ▶Right Right");
    screen.press("space").sees("WON");
}

#[test]
fn a_recorded_set_opens_on_the_list_and_shows_its_first_episode() {
    let sandbox = sandbox();
    sandbox.write("work/two.xsb", format!("{HALL_LEVEL}\n{}", HALL_LEVEL.replace("the hall", "the other")));
    assert_eq!(sandbox.run(&["run", "two.xsb", "--agent", "oracle"]).code, Some(0));
    let mut screen = start(&sandbox, &["view", "last"]);
    screen.sees("Episodes and sessions").sees("● two.xsb#1").press("esc").misses("Episodes and sessions");
    screen.sees("two.xsb#1").sees("RECORDED").press("L").sees("two.xsb#2").press("L");
    screen.sees("this is the last episode").misses(":open starts another").press("q");
    screen.wait_for_exit().assert_restored(0);
}

#[test]
fn the_request_can_be_viewed_and_changed_before_sending() {
    let sandbox = sandbox();
    let mut screen = start_hall(&sandbox, &[]);
    screen.sees("oracle · Online · 0s-CoT · AM 5 OM 1 · 1 image");
    screen.press("R").sees("Request of step 1, never sent").sees("the agent oracle sends no requests");
    screen.sees("1 image, ").sees("[system]").sees("image: frame of step 1");
    screen.press("p").sees("● 1 0s-CoT").sees("3 HD-CoT-NoIMG").press("3");
    screen.sees("0 images, ").sees("[board]").press("]").sees("AM 6, OM 1").press("esc");
    screen.sees("HD-CoT-NoIMG · AM 6 OM 1 · 0 images").sees("● 1 text").sees("not sent: the prompt");
    screen.command("prompt HD-CoT").sees("HD-CoT · AM 6 OM 1 · 1 image").press("q");
    screen.wait_for_exit().assert_restored(0);
    assert_journals_valid(&sandbox, 1);
}

#[test]
fn a_level_is_restarted_as_a_new_recorded_episode() {
    let sandbox = sandbox();
    let mut screen = start_hall(&sandbox, &["--am", "3", "--seed", "7"]);
    screen.sees("Enter asks the agent").press("6 enter").sees("WON").sees("a again");
    screen.press("]").sees("PREVIEW").sees("AM 4 OM 1").press("R").sees("Request of step 4, preview");
    screen.press("esc").misses("Request of step").press("esc").misses("PREVIEW");
    screen.press("a").sees("step 1 of 50").sees("AM 3 OM 1").press("H").sees("the end, after 3 steps");
    screen.press("L").sees("step 1 of 50").press("2 enter").sees("step 2 of 50");
    screen.press("a").sees("Restart the level?").press("n").misses("Restart the level?");
    screen.command("restart").sees("Restart the level?").press("y").sees("step 1 of 50").press("q");
    screen.wait_for_exit().assert_restored(0);
    assert_journals_valid(&sandbox, 3);
    let journals = sandbox.run(&["view", "last", "--json"]).json_lines();
    let episodes: Vec<_> = journals.iter().filter(|line| line["type"] == "episode").collect();
    let fields = |name: &str| episodes.iter().map(|line| line[name].clone()).collect::<Vec<_>>();
    assert_eq!((fields("seed"), fields("am")), (vec![7.into(); 3], vec![3.into(); 3]));
    assert_eq!(fields("steps"), [3, 1, 0].map(serde_json::Value::from));
}

#[test]
fn a_recording_is_played_on_the_screen() {
    let sandbox = sandbox();
    assert_eq!(sandbox.run(&["run", "hall.xsb", "--agent", "oracle"]).code, Some(0));
    let mut screen = start(&sandbox, &["view", "last", "--pace", "1000"]);
    screen.sees("RECORDED").sees("at the end: Space plays it").press("space").sees("PLAYING");
    screen.sees("step 1 of").sees("step 2 of").press("space").sees("RECORDED").sees("Space plays");
    screen.press("0").sees("step 1 of").press("- space").sees("PLAYING").sees("2 s");
    screen.press("+ + + + +").press("$").sees("at the end: Space plays it").press("q");
    screen.wait_for_exit().assert_restored(0);
    assert_journals_valid(&sandbox, 1);
}
