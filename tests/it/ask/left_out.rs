//! `ask --leave-out`: a server decides by one known part of the request, and exactly that part is named.

use super::*;

const STEP: usize = 7;
const SAMPLES: usize = 8;
/// The segment by which a server can decide, in its own words.
const COT: &str = "Look at the image carefully and think step by step";

/// A session of seven steps on the way of the solver, whose replies are all different, with the windows AM=5 and OM=3.
fn remembered() -> Sandbox {
    let sandbox = Sandbox::new();
    let server = Server::start(Behavior::Normal);
    let solved = sandbox.run(&["levels", "solve", "sokoban/full/1", "--json"]).json_lines().remove(0);
    for (number, letter) in solved["lurd"].as_str().unwrap().chars().take(STEP).enumerate() {
        let action = match letter.to_ascii_lowercase() {
            'u' => "Up",
            'd' => "Down",
            'l' => "Left",
            _ => "Right",
        };
        server.queue_reply(&format!("# analyze\nthought-{}\n\n# action\n{action}\n", number + 1));
    }
    let url = server.url();
    let model = ["run", "sokoban/full/1", "--agent", "model", "--model", "mock", "--base-url", &url];
    let settings = ["--am", "5", "--om", "3", "--max-steps", "7", "--store", "runs"];
    sandbox.run(&[&model[..], &settings].concat()).success();
    sandbox
}

fn leave_out(sandbox: &Sandbox, server: &Server, more: &[&str]) -> CommandResult {
    let url = server.url();
    let args = ["ask", "last#7", "--samples", "8", "--store", "runs", "--json", "--base-url", &url];
    sandbox.run(&[&args[..], more].concat())
}

/// The addresses of the images of a request, oldest first.
fn images(request: &Value) -> Vec<String> {
    let turns = request["messages"].as_array().unwrap();
    let parts = turns.iter().filter_map(|turn| turn["content"].as_array()).flatten();
    parts.filter_map(|part| part["image_url"]["url"].as_str()).map(str::to_owned).collect()
}

/// Asks a server that decides by a text, and expects that its part is named, and no other one.
fn named(sandbox: &Sandbox, parts: &str, text: &str, part: &Value, variants: usize) -> (Vec<Value>, Server) {
    let server = Server::start(Behavior::OwnReplies);
    server.decides_by(text);
    let result = leave_out(sandbox, &server, &["--leave-out", parts, "--target", "Left"]);
    assert_eq!((result.code, result.err.as_str()), (Some(0), ""));
    let objects = result.json_lines();
    let rows = of_type(&objects, "ask_variant");
    assert_eq!(rows.len(), variants, "{rows:?}");
    assert_eq!(
        (&rows[0]["left_out"], &rows[0]["target"]["count"], &rows[0]["distance"], &rows[0]["different"]),
        (&Value::Null, &json!(SAMPLES), &Value::Null, &Value::Null)
    );
    assert_eq!(
        (&rows[1]["left_out"], &rows[1]["target"]["count"], &rows[1]["distance"], &rows[1]["different"]),
        (part, &json!(0), &json!(1.0), &json!(true))
    );
    for other in &rows[2..] {
        assert_eq!((&other["different"], &other["target"]["count"]), (&json!(false), &json!(SAMPLES)));
        assert_eq!(other["distance"], 0.0);
    }
    let comparisons = of_type(&objects, "ask_comparison");
    assert_eq!(comparisons.len(), variants - 1, "with the complete request only");
    assert!(comparisons.iter().all(|pair| pair["first"] == 1), "{comparisons:?}");
    // The bytes agree: all requests have the text but those of one variant.
    let requests = server.requests();
    assert_eq!(requests.len(), variants * SAMPLES);
    let without = requests.iter().filter(|request| !request.to_string().contains(text)).count();
    assert_eq!(without, SAMPLES, "only the requests without the part");
    (objects, server)
}

#[test]
fn the_row_the_frame_and_the_segment_that_decide_are_named() {
    let sandbox = remembered();
    // The complete request, and each of the five rows of AM=5.
    let (objects, server) = named(&sandbox, "rows", "thought-4", &json!({"row": 4}), 6);
    let windows: BTreeSet<_> = server.requests().iter().map(window).collect();
    assert_eq!(windows, BTreeSet::from([(5, 3), (4, 3), (4, 2)]), "nothing older moves in");
    let complete = server.requests().into_iter().find(|request| window(request) == (5, 3)).unwrap();

    // The same command makes no further call, and the stored ask is printed as it was.
    let calls = server.requests().len();
    let again = leave_out(&sandbox, &server, &["--leave-out", "rows", "--target", "Left"]).json_lines();
    assert_eq!((of_type(&again, "ask")[0]["calls_left"].clone(), server.requests().len()), (json!(0), calls));
    let shown = sandbox.run(&["ask", "last#7", "--show", "--json", "--store", "runs"]).json_lines();
    for kept in [again, shown] {
        assert_eq!(of_type(&kept, "ask_variant"), of_type(&objects, "ask_variant"));
        assert_eq!(of_type(&kept, "ask_comparison"), of_type(&objects, "ask_comparison"));
    }
    let text = sandbox.run(&["ask", "last#7", "--show", "--store", "runs"]).success();
    assert!(text.contains("variant 1 is the complete request: 0s-CoT, AM=5 OM=3, mock"), "{text}");
    assert!(
        text.contains("1 of 5 comparisons differ") && text.contains("  without row 4: -100 points"),
        "{text}"
    );

    let frames = images(&complete);
    assert_eq!(frames.len(), 3);
    let (_, server) = named(&sandbox, "frames", &frames[1], &json!({"frame": 6}), 4);
    assert!(server.requests().iter().all(|request| window(request).0 == 5), "the outputs stay");
    let (_, server) = named(&sandbox, "frames", &frames[2], &json!({"frame": 7}), 4);
    let newest = |request: &Value| request["messages"].as_array().unwrap().last().unwrap().to_string();
    let blind = server.requests().into_iter().find(|request| !images(request).contains(&frames[2])).unwrap();
    assert!(newest(&blind).contains("image not available."), "{}", newest(&blind));

    let (objects, server) = named(&sandbox, "segments", COT, &json!({"segment": "cot"}), 7);
    assert!(server.requests().iter().all(|request| window(request) == (5, 3)), "rows and frames stay");
    let left_out: BTreeSet<String> = of_type(&objects, "ask_variant")
        .iter()
        .filter_map(|row| row["left_out"]["segment"].as_str().map(str::to_owned))
        .collect();
    let all = ["cot", "io", "placeholder", "system", "task", "turn"].map(str::to_owned);
    assert_eq!(left_out, BTreeSet::from(all));
}

#[test]
fn two_neighbours_are_left_out_together() {
    let sandbox = remembered();
    let server = Server::start(Behavior::OwnReplies);
    server.decides_by("thought-2");
    let result = leave_out(&sandbox, &server, &["--leave-out", "row-pairs,frame-pairs", "--target", "Left"]);
    assert_eq!((result.code, result.err.as_str()), (Some(0), ""));
    let objects = result.json_lines();
    let rows = of_type(&objects, "ask_variant");
    let left_out: BTreeSet<String> = rows.iter().map(|row| row["left_out"].to_string()).collect();
    let pairs = [2, 3, 4, 5].map(|step| json!({ "row_pair": [step, step + 1] }));
    let frames = [5, 6].map(|step| json!({ "frame_pair": [step, step + 1] }));
    let all = pairs.iter().chain(&frames).chain([&Value::Null]).map(Value::to_string);
    assert_eq!(left_out, all.collect());
    let different = rows.iter().filter(|row| row["different"] == true).map(|row| &row["left_out"]);
    assert_eq!(different.collect::<Vec<_>>(), [&pairs[0]]);
    // The bytes agree: two outputs or two frames are missing, with what belongs to them.
    let windows: BTreeSet<_> = server.requests().iter().map(window).collect();
    assert_eq!(windows, BTreeSet::from([(5, 3), (3, 3), (3, 2), (3, 1), (5, 1)]));
    let text = sandbox.run(&["ask", "last#7", "--show", "--store", "runs"]).success();
    assert!(text.contains("without rows 2 and 3: -100 points"), "{text}");

    // A sort of which the request has nothing is refused.
    leave_out(&sandbox, &server, &["--leave-out", "rows,row-pairs", "--am", "1", "--om", "1"])
        .fails_with(2, &["the request of step 7 has no row-pairs"]);
}

#[test]
fn without_a_target_the_table_is_ordered_and_nothing_is_tested() {
    let sandbox = remembered();
    let server = Server::start(Behavior::OwnReplies);
    server.decides_by("thought-6");
    let result = leave_out(&sandbox, &server, &["--leave-out", "rows,frames"]);
    assert_eq!((result.code, result.err.as_str()), (Some(0), ""));
    let objects = result.json_lines();
    assert_eq!(of_type(&objects, "ask")[0]["exploratory"], true);
    assert_eq!(of_type(&objects, "ask_comparison"), [] as [Value; 0]);
    let rows = of_type(&objects, "ask_variant");
    let order: Vec<_> = rows.iter().map(|row| (&row["left_out"], row["distance"].as_f64())).collect();
    assert_eq!(rows.len(), 1 + 5 + 3);
    assert_eq!(order[..2], [(&Value::Null, None), (&json!({"row": 6}), Some(1.0))]);
    assert!(order[2..].iter().all(|(_, distance)| *distance == Some(0.0)), "{order:?}");
    assert!(rows.iter().all(|row| row["different"].is_null()));
    let text = sandbox.run(&["ask", "last#7", "--show", "--store", "runs"]).success();
    assert!(text.contains("exploratory and ordered by the distance"), "{text}");
}

#[test]
fn several_requests_and_a_request_without_such_parts_are_refused() {
    let sandbox = remembered();
    let server = Server::start(Behavior::Normal);
    for more in
        [&["--om", "1,3"][..], &["--prompts", "0s-CoT,HD-CoT"], &["--models", "a,b"], &["--am", "1,5"]]
    {
        let args = [&["--leave-out", "rows"], more].concat();
        leave_out(&sandbox, &server, &args).fails_with(2, &["several are named", "one prompt, one AM"]);
    }
    leave_out(&sandbox, &server, &["--leave-out", "rows", "--am", "0", "--om", "1"])
        .fails_with(2, &["the request of step 7 has no rows"]);
    let unknown = leave_out(&sandbox, &server, &["--leave-out", "turns"]);
    assert_eq!(unknown.code, Some(2));
    assert!(unknown.err.contains("rows, frames, row-pairs, frame-pairs, segments"), "{}", unknown.err);
    assert_eq!(server.requests().len(), 0);
}
