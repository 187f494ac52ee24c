//! The documents agree with the program.

use std::fs;
use std::path::Path;

use crate::sandbox::Sandbox;

const SCREEN_ARGS: [&str; 5] = ["screen", "sokoban/mini/1", "--halves", "19", "--out"];

#[test]
fn the_readme_image_is_up_to_date() {
    let sandbox = Sandbox::new();
    let drawn = sandbox.path("screen.svg");
    sandbox.run(&[&SCREEN_ARGS[..], &[drawn.to_str().unwrap()]].concat()).success();
    let kept = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/screen.svg")).unwrap();
    let fresh = fs::read_to_string(drawn).unwrap();
    let hint = format!("draw it again: cargo run -- {} docs/screen.svg", SCREEN_ARGS.join(" "));
    assert!(fresh == kept, "docs/screen.svg is not what the program draws; {hint}");
}

#[test]
fn the_readme_names_the_command_that_draws_its_image() {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md")).unwrap();
    assert!(readme.contains(&format!("mageyard {} docs/screen.svg", SCREEN_ARGS.join(" "))));
}

#[test]
fn screen_presses_only_keys_that_do_not_act() {
    let sandbox = Sandbox::new();
    let screen = |more: &[&str]| sandbox.run(&[&["screen", "sokoban/mini/1"], more].concat());
    let words = |drawn: String| {
        let marks = drawn.split('<').filter_map(|tag| tag.split_once('>').map(|(_, words)| words.to_owned()));
        marks
            .flat_map(|words| words.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
            .collect::<Vec<_>>()
            .join(" ")
    };
    let asked = words(screen(&["--prompt", "HD-CoT-NoIMG", "--press", "R"]).success());
    for part in ["Request of step 1, never sent", "prompt HD-CoT-NoIMG", "0 images"] {
        assert!(asked.contains(part), "{part}: {asked}");
    }
    let model = ["--agent", "model", "--model", "mock", "--press", "s"];
    assert!(words(screen(&model).success()).contains("would be sent"));
    screen(&["--press", "R esc enter"]).fails_with(2, &["--press: the key enter changes the session"]);
}
