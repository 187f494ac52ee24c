//! `:set`: what changes in the running session, and why the rest does not.

use super::{command, commands};
use crate::testing;
use mageyard_domain::Window;
use mageyard_engine::SessionCommand;
use std::sync::Arc;
use std::time::Duration;

#[test]
fn settings_of_the_session_are_set_by_name() {
    let mut model = testing::model_with_prompts();
    let orders = |model: &mut _, line: &str| commands(command(model, line));
    let window = |am, om| SessionCommand::SetWindow(Window::new(am, om).unwrap());
    assert_eq!(orders(&mut model, "set am=4"), [window(4, 2)]);
    assert_eq!(orders(&mut model, "om 1"), [window(4, 1)]);
    assert_eq!(orders(&mut model, "set pace 50"), [SessionCommand::SetPace(Duration::from_millis(50))]);
    assert_eq!(orders(&mut model, "set prompt=blind"), [SessionCommand::SetPrompt("blind".into())]);
    assert!(orders(&mut model, "set om=9").is_empty(), "nothing is adjusted");
    assert!(model.notice.as_deref().unwrap().contains("OM"), "{:?}", model.notice);
}

#[test]
fn settings_of_requests_are_given_to_the_agent() {
    let mut model = testing::model_agent("m");
    let snapshot = Arc::make_mut(&mut model.episodes[0].snapshot);
    *snapshot = testing::with_encoder(snapshot.clone());
    let agent = snapshot.agent().name.clone();
    let seat = |words: &str| SessionCommand::Seat(format!("{agent} {words}"), None);
    assert_eq!(commands(command(&mut model, "set temperature=0.7")), [seat("temperature=0.7")]);
    assert_eq!(commands(command(&mut model, "temperature 1")), [seat("temperature=1")]);
    assert_eq!(commands(command(&mut model, "set model.top_p=0.5")), [seat("top_p=0.5")]);
    let mut oracle = testing::model(120, 40);
    assert!(command(&mut oracle, "temperature 1").is_empty());
    assert!(oracle.notice.as_deref().unwrap().contains("this agent sends none"), "{:?}", oracle.notice);
}

#[test]
fn what_does_not_change_says_why_and_a_setting_alone_says_its_range() {
    let mut model = testing::model_with_prompts();
    for (line, words) in [
        ("set temperature", "Sampling temperature, 0 to 2"),
        ("set temprature=1", "did you mean temperature?"),
        ("set play.max_steps=9", "start it with --set play.max_steps=VALUE"),
        ("set pace=soon", "a delay in milliseconds"),
    ] {
        assert!(command(&mut model, line).is_empty(), "{line}");
        assert!(model.notice.as_deref().unwrap().contains(words), "{line}: {:?}", model.notice);
    }
}
