//! `ask --to-end` and `blame`: branches of a step are played to their end, and the step that lost an episode is named.

use super::*;

/// A text that only the prompt `0s-CoT` has.
const ONLY_ZERO_SHOT: &str = "Look at the image carefully and think step by step";

/// A session that the solver won in 18 steps, the last of which goes left.
fn won() -> (Sandbox, PathBuf) {
    let sandbox = Sandbox::new();
    let args = ["run", "sokoban/full/1", "--agent", "oracle", "--max-steps", "21", "--store", "runs"];
    assert_eq!(sandbox.run(&args).code, Some(0));
    let journal = sandbox.sessions("work/runs").remove(0).join("0001/journal.jsonl");
    (sandbox, journal)
}

fn to_end(sandbox: &Sandbox, url: &str, more: &[&str]) -> CommandResult {
    let common = ["ask", "last#18", "--models", "mock", "--base-url", url, "--store", "runs", "--json"];
    sandbox.run(&[&common[..], more].concat())
}

#[test]
fn variants_play_on_to_the_end_and_are_compared_by_their_success() {
    let (sandbox, journal) = won();
    let bytes = fs::read(&journal).unwrap();
    let server = Server::start(Behavior::OwnReplies);
    server.decides_by(ONLY_ZERO_SHOT);
    let wanted = ["--to-end", "6", "--prompts", "0s-CoT,HD-CoT"];
    let dry = to_end(&sandbox, &server.url(), &[&wanted[..], &["--dry-run"]].concat()).json_lines();
    assert_eq!((dry.len(), server.requests().len()), (1, 0));
    assert_eq!(
        (&dry[0]["branches"], &dry[0]["most_steps"], &dry[0]["restored"]),
        (&json!(12), &json!(48), &json!("exact"))
    );

    let result = to_end(&sandbox, &server.url(), &wanted);
    assert_eq!((result.code, result.err.as_str()), (Some(0), ""));
    let objects = result.json_lines();
    assert_eq!(of_type(&objects, "continuation").len(), 12);
    let rows = of_type(&objects, "continuation_variant");
    let reached = |row: &Value| {
        (row["prompt"].clone(), row["goal_reached"]["count"].clone(), row["steps"]["mean"].clone())
    };
    assert_eq!(reached(&rows[0]), (json!("0s-CoT"), json!(6), json!(1.0)));
    assert_eq!(reached(&rows[1]), (json!("HD-CoT"), json!(0), json!(4.0)), "up to the step limit of 21");
    assert_eq!(rows[1]["endings"], json!({"step limit": 6}));
    assert_eq!(
        (&rows[0]["requests"], &rows[1]["requests"]),
        (&json!(6), &json!(24)),
        "only their own requests"
    );
    let pair = &of_type(&objects, "continuation_comparison")[0];
    assert_eq!((&pair["different"], &pair["difference"]), (&json!(true), &json!(-1.0)));
    // 6 of 6 against 0 of 6: two of the 924 tables are as rare.
    assert!((pair["p"].as_f64().unwrap() - 2.0 / 924.0).abs() < 1e-9);
    assert_eq!(fs::read(&journal).unwrap(), bytes, "the recording is untouched");
    let seeds: BTreeSet<_> =
        server.requests().iter().map(|request| request["seed"].as_u64().unwrap()).collect();
    assert_eq!(seeds.len(), 12, "each branch has a seed of its own");

    // Asked again, nothing is played; each is an ordinary branch.
    let calls = server.requests().len();
    let again = to_end(&sandbox, &server.url(), &wanted).json_lines();
    assert_eq!((of_type(&again, "continuation_variant"), server.requests().len()), (rows, calls));
    let branches = sandbox.run(&["fork", "last", "--json", "--store", "runs"]).json_lines();
    assert_eq!(branches.len(), 13);
    let text =
        sandbox.run(&["ask", "last#18", "--to-end", "2", "--agent", "oracle", "--store", "runs"]).success();
    assert!(text.contains("without a request to a model") && text.contains("100 % (34–100)"), "{text}");
}

#[test]
fn a_killed_ask_to_the_end_is_completed_by_the_same_command() {
    let (sandbox, _) = won();
    let server = Server::start(Behavior::OwnReplies);
    server.decides_by("text of no prompt");
    let url = server.url();
    let args = [
        "ask",
        "last#18",
        "--models",
        "mock",
        "--base-url",
        &url,
        "--store",
        "runs",
        "--json",
        "--to-end",
        "8",
    ];
    let mut child = sandbox.command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let begun = Instant::now();
    while server.requests().len() < 6 && begun.elapsed() < Duration::from_mins(1) {
        thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    wait(&mut child);
    let result = sandbox.run(&args);
    assert_eq!(result.code, Some(0), "{}", result.err);
    let row = of_type(&result.json_lines(), "continuation_variant").remove(0);
    assert_eq!(
        (&row["over"], &row["unfinished"], &row["goal_reached"]["of"]),
        (&json!(8), &json!(0), &json!(8))
    );
    assert_eq!(sandbox.run(&["fork", "last", "--json", "--store", "runs"]).json_lines().len(), 9);
}

#[test]
fn the_step_that_lost_an_episode_is_named_by_the_solver_and_by_playing_on() {
    let sandbox = Sandbox::new();
    let verdict = |seed: u32| {
        let seed = seed.to_string();
        let args = ["run", "sokoban/full/1", "--agent", "random", "--max-steps", "40", "--seed", &seed];
        sandbox.run(&[&args[..], &["--store", "runs"]].concat()).success();
        sandbox.run(&["blame", "last", "--json", "--store", "runs"]).json_lines().remove(0)
    };
    let verdicts = (0..20).map(verdict);
    let lost = verdicts.into_iter().find(|one| one["verdict"] == "step").expect("some episode is lost");
    let step = lost["step"].as_u64().unwrap();
    assert!(lost["moves_before"].as_u64().unwrap() > 0 && lost["by"] == "solver");
    let text = sandbox.run(&["blame", "last", "--store", "runs"]).success();
    assert!(text.contains(&format!("step {step} (")) && text.contains("proven by the solver"), "{text}");

    let play = [
        "blame",
        "last",
        "--play",
        "--agent",
        "oracle",
        "--samples",
        "1",
        "--max-steps",
        "200",
        "--store",
        "runs",
    ];
    let dry = sandbox.run(&[&play[..], &["--dry-run"]].concat()).success();
    assert!(dry.contains("40 steps, from at most 7 of them 1 episode each"), "{dry}");
    let objects = sandbox.run(&[&play[..], &["--json"]].concat()).json_lines();
    let found = &of_type(&objects, "blame")[0];
    assert_eq!(
        (&found["by"], &found["verdict"], &found["step"]),
        (&json!("playing"), &json!("step"), &json!(step))
    );
    let probes = of_type(&objects, "blame_probe");
    assert!((2..=7).contains(&probes.len()));
    for probe in &probes {
        let reached = u64::from(probe["step"].as_u64().unwrap() <= step);
        assert_eq!(probe["goal_reached"]["count"].as_u64(), Some(reached), "{probe}");
    }
    let text = sandbox.run(&play).success();
    assert!(text.contains(&format!("step {step} is to blame")), "{text}");
}

#[test]
fn what_cannot_be_played_on_is_refused() {
    let sandbox = Sandbox::new();
    let server = Server::start(Behavior::Normal);
    record(&sandbox, "pages");
    let url = server.url();
    let step = sandbox.run(&[
        "ask",
        "pages#2",
        "--to-end",
        "1",
        "--models",
        "m",
        "--base-url",
        &url,
        "--store",
        "runs",
    ]);
    assert_eq!(step.code, Some(2), "{}", step.err);
    let blamed = sandbox.run(&["blame", "pages", "--store", "runs"]);
    assert_eq!(blamed.code, Some(2), "{}", blamed.err);
    assert!(blamed.err.contains("pages"), "{}", blamed.err);
    assert_eq!(server.requests().len(), 0);
    let (sandbox, _) = won();
    let won = sandbox.run(&["blame", "last", "--store", "runs"]).success();
    assert!(won.contains("the goal was reached, so no step is to blame"), "{won}");
    for more in [&["--target", "Left"][..], &["--samples", "3"], &["--leave-out", "rows"]] {
        let args = [&["ask", "last#18", "--to-end", "--store", "runs"], more].concat();
        let refused = sandbox.run(&args);
        assert_eq!(refused.code, Some(2));
        assert!(refused.err.contains("cannot be used with"), "{}", refused.err);
    }
}
