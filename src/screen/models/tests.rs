//! The dialog of models: its rows, what is asked, what is used.

use crate::model::{Modal, Model};
use crate::requests::{
    Answer, CheckEntry, CheckState, ModelAnswer, ModelEntry, ModelOrder, ModelTarget, Player, Request,
    ServerEntry, SuggestedValue,
};
use crate::testing;
use crate::tests::screen_text;
use crate::update::{Effect, Msg, update};
use mageyard_config::Problem;
use mageyard_engine::{SeatChoice, SessionCommand};
use std::sync::Arc;

fn press(model: &mut Model, keys: &str) -> Vec<Effect> {
    keys.split(' ').flat_map(|key| update(model, Msg::Key(testing::key(key)))).collect()
}

fn command(model: &mut Model, line: &str) -> Vec<Effect> {
    press(model, ":");
    update(model, Msg::Paste(line.to_owned()));
    press(model, "enter")
}

fn answer(model: &mut Model, answer: ModelAnswer) -> Vec<Effect> {
    update(model, Msg::Answer(Answer::Model(answer)))
}

fn order(order: ModelOrder) -> Vec<Effect> {
    vec![Effect::Request(Request::Model(order))]
}

fn entry(name: &str, seat: &str) -> ModelEntry {
    ModelEntry {
        name: name.into(),
        seat: seat.into(),
        kind: "profile".into(),
        facts: vec![format!("model: {name}-2026"), "key: LAB_KEY, which is not set".into()],
    }
}

fn open() -> Model {
    let mut model = testing::model(120, 40);
    assert_eq!(command(&mut model, "model"), order(ModelOrder::List));
    let listed = vec![entry("lab", "model:lab"), entry("demo", "demo:demo")];
    answer(&mut model, ModelAnswer::Listed(Ok(listed)));
    model
}

fn server(models: Result<Vec<String>, String>) -> ServerEntry {
    ServerEntry { url: "http://127.0.0.1:8000/v1".into(), program: "vLLM".into(), models }
}

#[test]
fn a_model_is_seated_in_the_running_episode() {
    let mut model = open();
    let text = screen_text(&model);
    for words in ["▸ lab", "demo  profile", "LAB_KEY, which is not set", "none is typed here or stored"] {
        assert!(text.contains(words), "{words}\n{text}");
    }
    let choice = |name: &str| SeatChoice { name: name.into(), summary: String::new(), refusal: None };
    let snapshot = Arc::make_mut(&mut model.episodes[0].snapshot);
    snapshot.run.seats = vec![choice("model"), choice("demo")].into();
    let seat = SessionCommand::Seat("demo:demo".into(), None);
    assert_eq!(press(&mut model, "down enter"), [Effect::Command(0, seat)]);
    assert!(model.modal.is_none());
}

#[test]
fn a_model_plays_where_no_episode_runs() {
    let mut model = open();
    model.episodes.clear();
    let player = Player::Model("lab".into());
    assert_eq!(press(&mut model, "enter"), [Effect::Request(Request::PlayWith { level: None, player })]);
}

#[test]
fn a_model_of_a_server_is_saved_under_a_name_and_selected() {
    let mut model = open();
    assert_eq!(press(&mut model, "l"), order(ModelOrder::Find));
    assert!(screen_text(&model).contains("asking servers …"));
    answer(&mut model, ModelAnswer::Found(Ok(vec![server(Ok(vec!["org/Qwen 3".into()]))])));
    let text = screen_text(&model);
    assert!(
        text.contains("▸ org/Qwen 3  vLLM") && text.contains("server: http://127.0.0.1:8000/v1"),
        "{text}"
    );
    assert!(press(&mut model, "enter").is_empty());
    assert!(screen_text(&model).contains("name of the profile: qwen-3█"), "{}", screen_text(&model));
    let (url, name) = ("http://127.0.0.1:8000/v1".to_owned(), "org/Qwen 3".to_owned());
    let save = ModelOrder::Save { profile: "qwen-3x".into(), url, model: name };
    assert_eq!(press(&mut model, "x enter"), order(save));
    assert_eq!(answer(&mut model, ModelAnswer::Saved(Ok("qwen-3x".into()))), order(ModelOrder::List));
    let listed = vec![entry("lab", "model:lab"), entry("qwen-3x", "model:qwen-3x")];
    answer(&mut model, ModelAnswer::Listed(Ok(listed)));
    let text = screen_text(&model);
    assert!(text.contains("▸ qwen-3x") && text.contains("saved as the profile qwen-3x"), "{text}");
    answer(&mut model, ModelAnswer::Saved(Err(Problem::new("the file is read-only"))));
    assert!(screen_text(&model).contains("the file is read-only"));
}

#[test]
fn a_server_is_asked_by_its_url_and_one_without_a_list_says_why() {
    let mut model = open();
    press(&mut model, "u ctrl-u");
    update(&mut model, Msg::Paste("http://host\u{1b}[2J:1/v1".into()));
    assert_eq!(press(&mut model, "enter"), order(ModelOrder::AskServer("http://host[2J:1/v1".into())));
    answer(&mut model, ModelAnswer::Found(Ok(vec![server(Err("404".into()))])));
    let text = screen_text(&model);
    assert!(text.contains("lists no models") && text.contains("404"), "{text}");
    assert!(press(&mut model, "enter c").is_empty(), "there is nothing to use or to check");
    let other = ServerEntry { url: "http://127.0.0.1:1/v1".into(), ..server(Ok(vec!["mock".into()])) };
    answer(&mut model, ModelAnswer::Found(Ok(vec![other])));
    let text = screen_text(&model);
    assert!(text.contains("▸ mock  vLLM") && text.contains("lists no models"), "{text}");
}

#[test]
fn a_url_without_a_path_gets_that_of_most_servers() {
    for (typed, asked) in [
        ("8 0 8 0", "http://127.0.0.1:8080/v1"),
        ("8 0 8 0 /", "http://127.0.0.1:8080/v1"),
        ("8 0 8 0 / a", "http://127.0.0.1:8080/a"),
        ("8 0 8 0 ?", "http://127.0.0.1:8080?"),
        ("ctrl-u h o s t", "host"),
    ] {
        let mut model = open();
        let sent = press(&mut model, &format!("u {typed} enter"));
        assert_eq!(sent, order(ModelOrder::AskServer(asked.into())));
    }
}

#[test]
fn checks_are_shown_as_they_come_and_stop_with_the_dialog() {
    let mut model = open();
    let check = ModelOrder::Check(ModelTarget::Named("lab".into()));
    assert_eq!(press(&mut model, "c"), order(check));
    let found = |state, evidence: &str| {
        let name = "model, one image".into();
        ModelAnswer::Checked(CheckEntry {
            name,
            state,
            evidence: evidence.into(),
            advice: None,
            setting: None,
        })
    };
    answer(&mut model, found(CheckState::Unknown, "not tested"));
    answer(&mut model, found(CheckState::Passed, "works"));
    let text = screen_text(&model);
    assert!(text.contains("✓ model, one image: works") && !text.contains("not tested"), "{text}");
    assert_eq!(press(&mut model, "esc"), order(ModelOrder::StopChecks));
    let mut model = open();
    press(&mut model, "c");
    answer(&mut model, ModelAnswer::ChecksEnded);
    assert!(press(&mut model, "esc").is_empty() && model.modal.is_none());
}

#[test]
fn lines_do_the_same() {
    let mut model = testing::model(120, 40);
    let line = |model: &mut Model, line: &str| update(model, Msg::Line(line.to_owned()));
    assert_eq!(line(&mut model, "model"), order(ModelOrder::List));
    answer(&mut model, ModelAnswer::Listed(Ok(vec![entry("lab", "model:lab")])));
    let Some(Modal::Models(sheet)) = &model.modal else { panic!("{:?}", model.modal) };
    assert!(super::lines(sheet).iter().any(|line| line.starts_with("  1: lab, profile")));
    assert_eq!(line(&mut model, "check 1"), order(ModelOrder::Check(ModelTarget::Named("lab".into()))));
    answer(&mut model, ModelAnswer::ChecksEnded);
    assert_eq!(
        line(&mut model, "url http://127.0.0.1:1/v1"),
        order(ModelOrder::AskServer("http://127.0.0.1:1/v1".into()))
    );
    answer(&mut model, ModelAnswer::Found(Ok(vec![server(Ok(vec!["m".into()]))])));
    line(&mut model, "2");
    let url = "http://127.0.0.1:8000/v1".to_owned();
    let save = ModelOrder::Save { profile: "mine".into(), url, model: "m".into() };
    assert_eq!(line(&mut model, "mine"), order(save));
}

#[test]
fn the_settings_that_checks_suggest_are_applied_by_a_key() {
    let mut model = open();
    assert!(press(&mut model, "a").is_empty());
    assert!(screen_text(&model).contains("no check of this model suggests a setting"));
    press(&mut model, "c");
    let failed = |name: &str, setting: &str, value: &str| {
        let setting = SuggestedValue { name: setting.into(), value: value.into() };
        ModelAnswer::Checked(CheckEntry {
            name: name.into(),
            state: CheckState::Failed,
            evidence: "refused".into(),
            advice: None,
            setting: Some(setting),
        })
    };
    for (name, setting, value) in [
        ("model, streaming", "model.stream", "false"),
        ("model, streaming of images", "model.stream", "false"),
        ("model, several images", "model.images_most", "1"),
    ] {
        answer(&mut model, failed(name, setting, value));
    }
    let offer = "a uses it with model.stream = false, model.images_most = 1";
    assert!(screen_text(&model).contains(offer), "{}", screen_text(&model));
    let words = "model:lab model.stream=false model.images_most=1";
    assert_eq!(press(&mut model, "a"), [Effect::Command(0, SessionCommand::Seat(words.into(), None))]);
    let text = screen_text(&model);
    assert!(
        text.contains("model.stream = false, model.images_most = 1 with lab from the next request on"),
        "{text}"
    );
    // Those of another model are not meant.
    press(&mut model, "down a");
    assert!(screen_text(&model).contains("no check of this model suggests a setting"));
    // Where no episode runs, it is said how one starts with them.
    press(&mut model, "up");
    model.episodes.clear();
    assert!(press(&mut model, "a").is_empty());
    assert!(
        screen_text(&model).contains("start one with --set model.stream=false"),
        "{}",
        screen_text(&model)
    );
    model.modal = None;
    let mut model = open();
    answer(&mut model, failed("model", "model.stream", "false"));
    assert!(press(&mut model, "a").is_empty(), "nothing was checked");
}
