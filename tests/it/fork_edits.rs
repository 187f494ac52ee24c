//! Branches whose first step is changed: the hint, the state, the frame.

use std::fs;

use crate::sandbox::Sandbox;
use crate::server::{Behavior, Server};

/// A model's episode of four steps in the store.
fn recorded(server: &Server) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("work/lost.xsb", "#####\n#$@ #\n#  .#\n#####\n");
    let url = server.url();
    let run =
        ["run", "lost.xsb", "--agent", "model", "--model", "mock", "--base-url", &url, "--max-steps", "4"];
    assert_eq!(sandbox.run(&run).code, Some(0));
    sandbox
}

#[test]
fn hint_state_and_frame_reach_the_request_and_the_replay_proves_the_branch() {
    let server = Server::start(Behavior::Normal);
    let sandbox = recorded(&server);
    let asked = server.requests().len();
    let state = sandbox.run(&["fork", "last#2", "--print-state"]);
    assert_eq!(state.code, Some(0), "{}", state.err);
    assert!(state.out.lines().count() == 4 && state.out.contains('@'), "{}", state.out);
    let edited = "#####\n#  @#\n# $.#\n#####\n";
    sandbox.write("work/edited.xsb", edited);
    let mut png = Vec::new();
    let pixels = image::RgbImage::from_pixel(30, 20, image::Rgb([9, 200, 9]));
    pixels.write_to(&mut std::io::Cursor::new(&mut png), image::ImageFormat::Png).unwrap();
    fs::write(sandbox.path("work/green.png"), &png).unwrap();
    let more = ["--state", "edited.xsb", "--frame", "green.png", "--hint", "mind the corner", "--json"];
    let made = sandbox.run(&[&["fork", "last#2"][..], &more].concat());
    assert_eq!(made.code, Some(0), "{}", made.err);
    let object = &made.json_lines()[0];
    let names: Vec<_> = object["changes"].as_array().unwrap().iter().map(|it| it["name"].clone()).collect();
    assert_eq!(names, ["hint", "state", "frame"]);
    assert_eq!(server.requests().len(), asked, "making a branch asks nothing");
    let played = sandbox.run(&["run", "--resume", "last#b1", "--json"]);
    assert_eq!(played.code, Some(0), "{}", played.err);
    let episode = played.json_lines().pop().unwrap();
    assert_eq!((&episode["mixed"], &episode["steps"]), (&true.into(), &4.into()));
    let sent = server.requests()[asked].clone();
    let newest = sent["messages"].as_array().unwrap().last().unwrap()["content"].to_string();
    assert!(newest.contains("mind the corner"), "{newest}");
    assert_eq!(sent.to_string().matches("mind the corner").count(), 1, "only the newest state has it");
    let steps = sandbox.run(&["view", "last#b1", "--json"]).json_lines();
    let edits: Vec<_> =
        steps.iter().filter(|row| row["type"] == "step").map(|row| row["edited"].clone()).collect();
    assert_eq!(edits, [false, true, false, false]);
    let replay = sandbox.run(&["replay", "last#b1"]);
    assert_eq!(replay.code, Some(0), "{}", replay.err);
    let request = sandbox.run(&["view", "last#b1@2", "--print", "request"]);
    assert!(request.out.contains("mind the corner"), "{}", request.out);
}

#[test]
fn what_cannot_be_edited_is_refused_before_anything_is_made() {
    let server = Server::start(Behavior::Normal);
    let sandbox = recorded(&server);
    sandbox.write("work/open.xsb", "#####\n#$@ #\n#  . \n#####\n");
    sandbox.write("work/text.png", "no picture");
    for (more, why) in [
        (["--state", "open.xsb"], "not a state of this level"),
        (["--state", "none.xsb"], "there is no such file"),
        (["--frame", "text.png"], "the frame cannot be replaced"),
    ] {
        let made = sandbox.run(&[&["fork", "last#2"][..], &more].concat());
        assert_eq!(made.code, Some(2), "{}", made.err);
        assert!(made.err.contains(why), "{}", made.err);
    }
    let rows = sandbox.run(&["fork", "last", "--json"]).json_lines();
    assert_eq!(rows.len(), 1, "no branch was made");
}
