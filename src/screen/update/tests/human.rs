//! A person in the seat: acting, planning, going on with a plan.

use super::*;
use mageyard_domain::ActionSpec;

#[test]
fn a_person_acts_with_the_arrows() {
    let mut model = person(Setting::Online);
    let play = |name| SessionCommand::Play(vec![Action::plain(name)]);
    assert_eq!(commands(press(&mut model, "left 2 up")), [play("Left"), play("Up"), play("Up")]);
    assert_eq!(commands(command(&mut model, "act Down")), [play("Down")]);
    assert!(command(&mut model, "act Dive").is_empty());
    assert!(model.notice.as_deref().unwrap().contains("not an action here; the actions are Up, Down"));
    assert!(press(&mut model, "enter").is_empty() && press(&mut model, "space").is_empty());
}

#[test]
fn a_person_who_looks_back_comes_back_before_acting() {
    let mut model = testing::model_of(
        ScriptedEpisode::new("human", Setting::Online, (5, 1)).step("Left", -0.5, true).snapshot(),
        120,
        40,
    );
    assert!(press(&mut model, "h left").is_empty());
    assert_eq!(model.episodes[0].cursor, None);
    assert_eq!(press(&mut model, "left").len(), 1);
}

#[test]
fn a_person_plans_at_once_in_the_global_setting() {
    let mut model = person(Setting::Global);
    assert!(press(&mut model, "left").is_empty());
    let plan = ["Up", "Left", "Left"].map(Action::plain).to_vec();
    assert_eq!(commands(command(&mut model, "plan Up,Left, Left")), [SessionCommand::Play(plan)]);
    assert!(command(&mut model, "plan Up,Lef,Left").is_empty());
    assert!(model.notice.as_deref().unwrap().starts_with("\"Lef\" is not an action here"));
}

const ORDERS: [&str; 2] = ["Put book in A to region B", "Put book in B to region C"];

/// A person where the actions are orders in words.
fn with_worded_actions(setting: Setting) -> Model {
    let mut snapshot = ScriptedEpisode::new("human", setting, (5, 1)).snapshot();
    let step = Arc::make_mut(snapshot.steps.last_mut().unwrap());
    step.space = ActionSpace::new(&ORDERS.map(|name| (name, "carry")));
    testing::model_of(snapshot, 120, 40)
}

#[test]
fn enter_offers_the_actions_where_the_arrows_name_none() {
    let mut model = with_worded_actions(Setting::Online);
    assert_eq!(
        commands(press(&mut model, "enter down enter")),
        [SessionCommand::Play(vec![Action::plain(ORDERS[1])])]
    );
    let mut model = with_worded_actions(Setting::Global);
    press(&mut model, "enter");
    assert!(matches!(&model.modal, Some(Modal::Palette(palette)) if palette.input() == "plan "));
}

#[test]
fn a_plan_of_names_with_spaces_has_commas_between_them() {
    let mut model = with_worded_actions(Setting::Global);
    let typed = format!("plan {}, {}", ORDERS[0], ORDERS[1]);
    assert_eq!(
        commands(command(&mut model, &typed)),
        [SessionCommand::Play(ORDERS.map(Action::plain).to_vec())]
    );
    assert!(command(&mut model, "plan Put book in A to region D").is_empty());
    let why = "\"Put book in A to region D\" is not an action here";
    assert!(model.notice.as_deref().unwrap().starts_with(why));
}

#[test]
fn a_plan_by_hand_is_gone_on_with_like_any_other() {
    let planned =
        ScriptedEpisode::new("human", Setting::Global, (5, 1)).reply("### Analyze\n\n### Actions\nUp, Left");
    let mut model = testing::model_of(planned.snapshot(), 120, 40);
    assert_eq!(commands(press(&mut model, "space")), [SessionCommand::Run(None)]);
    assert_eq!(commands(press(&mut model, "enter")), [SessionCommand::Step]);
    assert!(press(&mut model, "left").is_empty());
    assert!(model.notice.as_deref().unwrap().contains("Enter applies its next action"));
    let mut unplanned = person(Setting::Global);
    assert!(press(&mut unplanned, "space").is_empty());
    assert!(unplanned.notice.as_deref().unwrap().contains(":plan Up,Down"));
}

/// A person whose actions have the keys of commands, as in football: `h` is a pass, `s` a shot.
fn with_keys_of_commands() -> Model {
    let mut model = person(Setting::Online);
    let spec = |name: &str, key: &str| ActionSpec::new(name, name).with_key(key);
    let specs = [("long_pass", "h"), ("shot", "s"), ("dribble", "g"), ("left", "left")]
        .map(|(name, key)| spec(name, key));
    let mut snapshot = (*model.episodes[0].snapshot).clone();
    Arc::make_mut(snapshot.steps.last_mut().unwrap()).space = ActionSpace::from_iter(specs);
    model.episodes[0].snapshot = snapshot.into();
    model
}

#[test]
fn the_hints_of_a_person_have_the_keys_that_are_in_effect() {
    let mut model = with_keys_of_commands();
    let hint = crate::tests::screen_text(&model).lines().last().unwrap_or_default().to_owned();
    assert!(hint.contains("h s g ← act") || hint.contains("hsg← act"), "{hint}");
    assert!(!hint.contains("h l steps") && !hint.contains("s sent"), "{hint}");
    assert!(hint.contains("l steps"), "the key that is left: {hint}");
    assert_eq!(model.keys(CommandId::Back), Vec::<String>::new());
    assert_eq!(model.key_or_name(CommandId::FocusFrame), ":focus-frame", "g plays, so g f is none");
    press(&mut model, "?");
    let help = crate::tests::screen_text(&model);
    assert!(help.contains("s           shot") && !help.contains("s           frame as sent"), "{help}");
    let mut agent = testing::model(120, 40);
    agent.panes.focus = Pane::Frame;
    assert_eq!(agent.keys(CommandId::Back), ["h"], "an agent has no keys");
}
