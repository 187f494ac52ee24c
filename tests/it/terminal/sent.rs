//! The request and the frame as they were sent, shown on the screen.

use std::fs;
use std::path::PathBuf;

use super::{sandbox, start};
use crate::pty::Pty;
use crate::sandbox::Sandbox;
use crate::server::{Behavior, Server};

/// A sandbox in which a model has solved the hall in three steps, the second after a reply that could not
/// be read.
pub(super) fn record_model_run() -> Sandbox {
    let sandbox = sandbox();
    let server = Server::start(Behavior::Normal);
    let right = "# analyze\nEasy.\n\n# action\nRight\n";
    for reply in [right, "no idea", right, right] {
        server.queue_reply(reply);
    }
    let result =
        sandbox.run(&["run", "hall.xsb", "--agent", "model", "--model", "mock", "--base-url", &server.url()]);
    assert_eq!(result.code, Some(0), "{result:?}");
    sandbox
}

/// The folder of the single episode.
pub(super) fn episode(sandbox: &Sandbox) -> PathBuf {
    sandbox.sessions("data/mageyard/sessions").remove(0).join("0001")
}

/// The images of the single episode.
fn image_files(sandbox: &Sandbox) -> Vec<PathBuf> {
    let files = fs::read_dir(episode(sandbox).join("../blobs")).unwrap();
    files.map(|file| file.unwrap().path()).collect()
}

pub(super) fn view_step(sandbox: &Sandbox, step: &str) -> Pty {
    let mut screen = start(sandbox, &["view", step]);
    screen.sees("RECORDED").drawing_ends();
    screen
}

#[test]
fn a_recorded_request_is_shown_as_sent_for_each_attempt() {
    let sandbox = record_model_run();
    let mut screen = view_step(&sandbox, "last#2");
    screen.press("R").sees("Request of step 2, as sent (2 of 2)").sees("1 image, ").sees("prompt 0s-CoT");
    screen.press("G").sees("other fields").sees("model \"mock\"").sees("[retry]").sees("no idea");
    screen.press(",").sees("as sent (1 of 2)").sees("1 system").sees("[system]");
    screen.press(",").sees("this is the first request of the step");
    screen.press("G").sees("×").sees("image: frame of step 2").misses("[retry]").sees("image/png");
    screen.press("esc").misses("Request of").press("h R").sees("Request of step 1, as sent").misses(" of 2)");
    screen.press("q q");
    screen.wait_for_exit().assert_restored(0);
}

#[test]
fn a_recording_without_requests_says_so() {
    let sandbox = sandbox();
    assert_eq!(sandbox.run(&["run", "hall.xsb"]).code, Some(0));
    let mut screen = view_step(&sandbox, "last#2");
    screen.press("R").sees("Request of step 2, never sent").sees("the agent oracle sends no requests");
    screen.sees("[system]").press("q q");
    screen.wait_for_exit().assert_restored(0);
}

#[test]
fn the_frame_is_shown_as_sent_or_as_it_would_be_sent() {
    let sandbox = sandbox();
    let server = Server::start(Behavior::Normal);
    server.queue_reply("# analyze\nEasy.\n\n# action\nRight\n");
    let play = ["play", "hall.xsb", "--agent", "model", "--model", "mock", "--base-url", &server.url()];
    let mut screen = start(&sandbox, &play);
    screen.sees("256×110 to send").sees("shown 112×48 px").press("s").sees("256×110 would be sent");
    screen.sees("png 256×110 ×2.29 ").press("enter").sees("Enter applies Right");
    screen.sees("256×110 as sent").sees("png 256×110 ×2.29 ").press("s").sees("shown 112×48 px");
    screen.sees("256×110 sent");
    screen
        .press("s")
        .press("v")
        .sees("the frame as sent can only be shown as")
        .press("v")
        .misses("can only be shown as");
    screen.press("enter").sees("step 2").sees("256×110 would be sent");
    screen.press("R").sees("Request of step 2, not sent yet").press("G").sees("[output]").press("q");
    screen.misses("Request of").command("prompt HD-CoT-NoIMG").sees("HD-CoT-NoIMG sends no");
    screen.press("q");
    screen.wait_for_exit().assert_restored(0);
}

#[test]
fn a_sent_image_is_loaded_only_with_its_recorded_digest() {
    let sandbox = record_model_run();
    let mut screen = view_step(&sandbox, "last#1");
    let picture = image_files(&sandbox).into_iter().find(|path| {
        let first = fs::read_to_string(episode(&sandbox).join("journal.jsonl")).unwrap();
        let sent = first.lines().find(|line| line.contains(r#""event":"sent""#)).unwrap().to_owned();
        sent.contains(path.file_stem().unwrap().to_str().unwrap())
    });
    let picture = picture.unwrap();
    let digest = picture.file_stem().unwrap().to_str().unwrap().to_owned();
    let bytes = fs::read(&picture).unwrap();
    screen.press("s").sees("256×110 as sent").sees(&format!("×2.29 {} B {digest}", bytes.len()));
    screen.press("q");
    screen.wait_for_exit().assert_restored(0);
    fs::write(&picture, [&bytes[..], b"x"].concat()).unwrap();
    let mut screen = view_step(&sandbox, "last#1");
    screen.press("s").sees("changed since it was sent").press("q");
    screen.wait_for_exit().assert_restored(0);
    fs::remove_file(&picture).unwrap();
    let mut screen = view_step(&sandbox, "last#1");
    screen.press("s").sees("cannot read the image").press("R").sees(&digest).press("q q");
    screen.wait_for_exit().assert_restored(0);
}

#[test]
fn a_step_without_a_request_says_so() {
    let sandbox = sandbox();
    assert_eq!(sandbox.run(&["run", "hall.xsb"]).code, Some(0));
    let mut screen = view_step(&sandbox, "last#2");
    screen
        .press("s")
        .sees("nothing was sent at this step: the")
        .sees("agent oracle sends no requests")
        .press("s")
        .sees("112×48 px");
    screen.press("q");
    screen.wait_for_exit().assert_restored(0);
}
