//! Branches whose first step a person has changed.

use super::*;
use crate::{plan_fork, recorded_episode};
use mageyard_domain::MoveDirection;

/// A step of sokoban/full/2 with its box or player moved to some free square.
async fn moved_state(played: &Played, step: u32) -> String {
    let plan = plan_fork(&lab(), &played.journal, &at(step), &played.config).await.unwrap();
    let state = plan.state().unwrap();
    let editor = plan.spec.capabilities().tools.state_editor.unwrap();
    let moves = (0..editor.pieces(&state).len()).flat_map(|piece| {
        [MoveDirection::Left, MoveDirection::Right, MoveDirection::Up, MoveDirection::Down]
            .map(|direction| editor.moved(&state, piece, direction))
    });
    moves.flatten().next().unwrap()
}

fn changed(step: u32, edits: StepEdits) -> ForkRequest {
    ForkRequest { edits, ..at(step) }
}

#[tokio::test]
async fn an_edited_state_is_restored_verified_and_left_by_further_branches() {
    let played = played("sokoban/full/2", 12, 3).await;
    let state = moved_state(&played, 5).await;
    let edits = StepEdits { state: Some(state.clone()), ..StepEdits::default() };
    let mut made = fork(&played, &played.journal, &changed(5, edits), &played.config).await.unwrap();
    let begun = made.episode.driver.episode().steps().last().unwrap().clone();
    assert_eq!(begun.observation.facts()["board"], state.as_str());
    assert_eq!(begun.state_set.as_deref(), Some(state.as_str()));
    made.episode.driver.run_to_end().await.unwrap();
    let told = story(made.episode.driver.episode());
    assert!(made.episode.driver.episode().is_mixed());
    assert_eq!(told.0[..4], played.story.0[..4]);
    assert_ne!(told.0[4].0, played.story.0[4].0, "the state of step 5 is another one");
    drop(made.episode);
    let read = recorded_episode(&lab(), &made.journal).restore().await.unwrap();
    assert_eq!(story(&read.episode), told);
    let proof = recorded_episode(&lab(), &made.journal).verify(&played.config, None).await.unwrap();
    assert!(proof.result.is_ok(), "{:?}", proof.result);
    // At the edited step itself, and after it.
    for step in [5, 8] {
        let mut again = fork(&played, &made.journal, &at(step), &played.config).await.unwrap();
        again.episode.driver.run_to_end().await.unwrap();
        assert_eq!(story(again.episode.driver.episode()), told, "from step {step}");
    }
}

#[tokio::test]
async fn a_state_that_is_none_of_the_level_or_changes_nothing_makes_no_branch() {
    let played = played("sokoban/full/2", 9, 3).await;
    let now = plan_fork(&lab(), &played.journal, &at(4), &played.config).await.unwrap().state().unwrap();
    let opened = now.replacen('#', " ", 1);
    for (state, why) in [(now.clone(), "the edited state is the one of the step"), (opened, "not a state")] {
        let edits = StepEdits { state: Some(state), ..StepEdits::default() };
        let error = fork(&played, &played.journal, &changed(4, edits), &played.config).await.err().unwrap();
        assert!(error.to_string().contains(why), "{error}");
    }
    assert_eq!(branch_numbers(played.journal.parent().unwrap()).unwrap(), [0; 0]);
    let football = self::played("football/mini/1", 3, 3).await;
    let edits = StepEdits { state: Some("x".to_owned()), ..StepEdits::default() };
    let error = fork(&football, &football.journal, &changed(2, edits), &football.config).await.err().unwrap();
    assert!(error.to_string().contains("the state of the environment football cannot be edited"), "{error}");
}

/// A PNG of these pixels.
fn image(shade: u8) -> Vec<u8> {
    let mut bytes = Vec::new();
    let pixels = image::RgbImage::from_pixel(8, 6, image::Rgb([shade, 0, 0]));
    pixels.write_to(&mut std::io::Cursor::new(&mut bytes), image::ImageFormat::Png).unwrap();
    bytes
}

#[tokio::test]
async fn a_replaced_frame_and_a_hint_are_shown_at_the_step_and_the_world_goes_on() {
    let played = played("sokoban/full/2", 9, 3).await;
    let edits = StepEdits {
        frame: Some(image(200)),
        hint: Some("  mind the corner ".into()),
        ..StepEdits::default()
    };
    let mut made = fork(&played, &played.journal, &changed(4, edits), &played.config).await.unwrap();
    let parent = made.episode.driver.episode().head().parent.clone().unwrap();
    let names: Vec<_> = parent.changes.iter().map(|change| change.name.as_str()).collect();
    assert_eq!((names, parent.changes[0].to.as_str()), (vec!["hint", "frame"], "mind the corner"));
    made.episode.driver.run_to_end().await.unwrap();
    let told = story(made.episode.driver.episode());
    assert_eq!(told, played.story, "the agent reads neither, and the state is unchanged");
    drop(made.episode);
    let read = recorded_episode(&lab(), &made.journal).restore().await.unwrap();
    let before = &read.episode.steps()[2];
    let step = &read.episode.steps()[3];
    let frame = step.observation.picture().unwrap();
    assert_eq!((frame.width(), frame.height(), frame.pixels().unwrap()[0]), (8, 6, 200));
    assert!(step.frame_set && before.observation.picture().unwrap().width() != 8);
    let hints: Vec<_> = read.episode.steps().iter().map(|step| step.hint.is_some()).collect();
    assert_eq!(hints[..5], [false, false, false, true, true], "the hint stays until it is removed");
    let proof = recorded_episode(&lab(), &made.journal).verify(&played.config, None).await.unwrap();
    assert!(proof.result.is_ok(), "{:?}", proof.result);
    let broken = StepEdits { frame: Some(b"no picture".to_vec()), ..StepEdits::default() };
    assert!(fork(&played, &played.journal, &changed(4, broken), &played.config).await.is_err());
}
