//! Stories of keys: what was there, what was pressed, what came of it.

use std::sync::Arc;
use std::time::Duration;

use crossterm::event::KeyModifiers;
use crossterm::event::MouseButton;
use crossterm::event::MouseEventKind;

use super::*;
use crate::domain::Action;
use crate::domain::ActionSpace;
use crate::domain::Setting;
use crate::domain::Status;
use crate::domain::Window;
use crate::engine::Ending;
use crate::engine::Event;
use crate::engine::Mode;
use crate::engine::Waiting;
use crate::tui::command::COMMANDS;
use crate::tui::command::Deed;
use crate::tui::look::View;
use crate::tui::panes::Pane;
use crate::tui::sheets::Sheet;
use crate::tui::testing;
use crate::tui::testing::Told;
use crate::tui::testing::key;
use crate::tui::theme::Depth;

/// Presses keys with a blank between them; `:words` types a line and presses Enter.
fn press(model: &mut Model, keys: &str) -> Vec<Effect> {
    let mut effects = Vec::new();
    for name in keys.split_whitespace() {
        effects.extend(update(model, Msg::Key(key(name))));
    }
    effects
}

fn command(model: &mut Model, line: &str) -> Vec<Effect> {
    let mut effects = update(model, Msg::Key(key(":")));
    effects.extend(update(model, Msg::Paste(line.into())));
    effects.extend(update(model, Msg::Key(key("enter"))));
    effects
}

fn orders(effects: Vec<Effect>) -> Vec<Order> {
    let order = |effect| match effect {
        Effect::Order(0, order) => order,
        other => panic!("{other:?} is no order to the first session"),
    };
    effects.into_iter().map(order).collect()
}

fn running(model: &Model) -> Arc<Snapshot> {
    Arc::new(Snapshot { mode: Mode::Running { left: None }, ..Snapshot::clone(&model.episodes[0].snapshot) })
}

fn person(setting: Setting) -> Model {
    testing::on(Told::new("human", setting, (5, 1)).snapshot(), 120, 40)
}

#[test]
fn enter_does_a_half_and_counts_do_several() {
    let mut model = testing::model(120, 40);
    assert_eq!(orders(press(&mut model, "enter")), [Order::Step]);
    assert_eq!(orders(press(&mut model, "3 enter")), [Order::Step]);
    assert_eq!(model.count, None);
}

#[test]
fn a_count_of_halves_orders_the_next_when_one_is_done() {
    let mut told = Told::new("oracle", Setting::Online, (5, 1));
    let mut model = testing::on(told.snapshot(), 120, 40);
    let tell =
        |model: &mut Model, snapshot: Snapshot| orders(update(model, Msg::Snapshot(0, Arc::new(snapshot))));
    assert_eq!(orders(press(&mut model, "3 enter")), [Order::Step]);
    let thinking = Snapshot { waiting: Waiting::Thinking, ..told.snapshot() };
    assert_eq!(tell(&mut model, thinking), []);
    told = told.say("# analyze\nx\n# action\nUp");
    assert_eq!(tell(&mut model, told.snapshot()), [Order::Step], "the second: apply");
    assert_eq!(tell(&mut model, told.snapshot()), [], "not done yet");
    told = told.act(-0.5, true, Status::Running);
    assert_eq!(tell(&mut model, told.snapshot()), [Order::Step], "the third: ask");
    told = told.say("# analyze\nx\n# action\nUp");
    assert_eq!(tell(&mut model, told.snapshot()), [], "three are done");
}

#[test]
fn a_cancel_ends_a_count_of_halves() {
    let told = Told::new("oracle", Setting::Online, (5, 1));
    let mut model = testing::on(told.snapshot(), 120, 40);
    press(&mut model, "3 enter");
    let thinking = Snapshot { waiting: Waiting::Thinking, ..told.snapshot() };
    update(&mut model, Msg::Snapshot(0, Arc::new(thinking)));
    assert_eq!(orders(press(&mut model, "esc")), [Order::Cancel]);
    assert_eq!(model.episodes[0].halves, None);
}

#[test]
fn space_runs_and_stands() {
    let mut model = testing::model(120, 40);
    assert_eq!(orders(press(&mut model, "space")), [Order::Run(None)]);
    assert_eq!(orders(press(&mut model, "1 2 space")), [Order::Run(Some(12))]);
    let snapshot = running(&model);
    update(&mut model, Msg::Snapshot(0, snapshot));
    assert_eq!(orders(press(&mut model, "space")), [Order::Pause]);
    assert_eq!(orders(press(&mut model, "5 space")), [Order::Run(Some(5))]);
}

#[test]
fn replies_are_turned_over_under_the_microscope() {
    let mut model = testing::model(120, 40);
    press(&mut model, "h h h");
    command(&mut model, "5");
    let count = crate::tui::panes::replies(&model);
    assert_eq!(count, 3, "a step with three replies");
    press(&mut model, "r");
    assert_eq!((model.raw, model.reply), (true, None));
    press(&mut model, ",");
    assert_eq!(model.reply, Some(1));
    press(&mut model, "5 ,");
    assert_eq!(
        (model.reply, model.notice.as_deref()),
        (Some(1), Some("this is the first reply of the step"))
    );
    press(&mut model, ",");
    assert_eq!((model.reply, model.notice.as_deref()), (Some(0), None));
    press(&mut model, ". .");
    assert_eq!(model.reply, None, "the last one is followed");
    press(&mut model, ".");
    assert_eq!(model.notice.as_deref(), Some("this is the last reply of the step"));
    press(&mut model, ", l");
    assert_eq!(model.reply, None, "another step begins with its last reply");
    press(&mut model, "r");
    assert!(!model.raw);
}

#[test]
fn counts_end_and_are_taken_back() {
    let mut model = testing::model(120, 40);
    press(&mut model, "9 9 9 9 9 9 9 9 9 9 9");
    assert_eq!(model.count, Some(9999));
    assert!(press(&mut model, "esc").is_empty());
    assert_eq!(model.count, None);
}

#[test]
fn a_nought_is_the_first_step_or_part_of_a_count() {
    let mut model = testing::model(120, 40);
    press(&mut model, "0");
    assert_eq!(model.episodes[0].cursor, Some(0));
    press(&mut model, "2 0");
    assert_eq!(model.count, Some(20));
}

#[test]
fn looking_back_never_reaches_the_session() {
    let mut model = testing::model(120, 40);
    let newest = model.episodes[0].newest();
    for (keys, cursor) in [
        ("h", Some(newest - 1)),
        ("2 h", Some(newest - 3)),
        ("l", Some(newest - 2)),
        ("0", Some(0)),
        ("h", Some(0)),
        ("$", None),
        ("l", None),
        ("h 9 l", None),
    ] {
        assert!(press(&mut model, keys).is_empty());
        assert_eq!(model.episodes[0].cursor, cursor, "after {keys}");
    }
    assert!(command(&mut model, "2").is_empty());
    assert_eq!(model.episodes[0].index(), 1);
    command(&mut model, "go 3");
    assert_eq!(model.episodes[0].index(), 2);
    command(&mut model, "99");
    assert_eq!(model.notice.as_deref(), Some("there is no step 99: the steps are 1 to 7"));
}

#[test]
fn the_view_follows_the_newest_step_until_one_looks_back() {
    let mut model = testing::on(Told::new("oracle", Setting::Online, (5, 1)).snapshot(), 120, 40);
    let longer = Arc::new(testing::story().snapshot());
    update(&mut model, Msg::Snapshot(0, longer.clone()));
    assert_eq!(model.episodes[0].index(), 6);
    press(&mut model, "h");
    update(&mut model, Msg::Snapshot(0, longer));
    assert_eq!(model.episodes[0].index(), 5);
}

#[test]
fn the_window_changes_by_one_and_knows_what_was_ordered() {
    let mut model = testing::model(120, 40);
    let window = |am, om| Order::Window(Window::new(am, om).unwrap());
    assert_eq!(orders(press(&mut model, "] ]")), [window(4, 2), window(5, 2)]);
    assert_eq!(orders(press(&mut model, "}")), [window(5, 3)]);
    assert_eq!(orders(press(&mut model, "2 {")), [window(5, 1)]);
    assert_eq!(orders(press(&mut model, "[")), [window(4, 1)]);
}

#[test]
fn a_window_without_sense_is_refused_with_its_reason() {
    let mut model = testing::model(120, 40);
    assert!(press(&mut model, "2 [").is_empty());
    assert!(model.notice.as_deref().unwrap().starts_with("OM=2 is more than AM=1"));
    assert!(press(&mut model, "2 {").is_empty());
    assert!(model.notice.as_deref().unwrap().starts_with("OM is 0"));
    assert!(press(&mut model, "9 [").is_empty());
    assert_eq!(model.notice.as_deref(), Some("AM is 3: there is nothing left to forget"));
    assert_eq!(model.episodes[0].window(), Window::new(3, 2).unwrap());
}

#[test]
fn an_ordered_window_is_forgotten_once_the_session_has_it_or_refuses() {
    let mut model = testing::model(120, 40);
    press(&mut model, "]");
    let before = Snapshot::clone(&model.episodes[0].snapshot);
    update(&mut model, Msg::Snapshot(0, Arc::new(before.clone())));
    assert_eq!(model.episodes[0].window().am(), 4, "still under way");
    let fault = Snapshot { fault: Some("the disk is full".into()), ..before };
    update(&mut model, Msg::Snapshot(0, Arc::new(fault)));
    assert_eq!(model.episodes[0].window().am(), 3, "refused");
    assert!(matches!(&model.sheet, Some(Sheet::Fault(Fault::Session(words))) if words == "the disk is full"));
    press(&mut model, "esc");
    assert!(model.sheet.is_none());
}

#[test]
fn plus_is_faster_and_minus_is_slower() {
    let mut model = testing::model(120, 40);
    let pace = |ms| Order::Pace(Duration::from_millis(ms));
    assert_eq!(orders(press(&mut model, "+ +")), [pace(200), pace(100)]);
    assert_eq!(orders(press(&mut model, "-")), [pace(200)]);
    assert_eq!(press(&mut model, "+ + + + + + +").len(), 4);
    assert_eq!(model.notice.as_deref(), Some("there is no pause left to shorten"));
}

#[test]
fn the_last_step_is_the_last_one_that_was_asked_for() {
    let mut told = Told::new("oracle", Setting::Online, (5, 1)).say("# analyze\nx\n# action\nUp");
    told = told.act(54.5, true, Status::Won);
    let mut model = testing::on(told.snapshot(), 120, 40);
    assert_eq!(model.episodes[0].last(), 1);
    command(&mut model, "7");
    assert_eq!(model.notice.as_deref(), Some("there is no step 7: the steps are 1 to 1"));
    let recorded = Snapshot { mode: Mode::Recorded, ..told.snapshot() };
    let mut model = testing::on(recorded, 120, 40);
    press(&mut model, "L");
    assert_eq!(model.notice.as_deref(), Some("this is the last episode of this sitting"));
}

#[test]
fn a_prompt_is_chosen_by_its_number_or_its_name() {
    let order = |name: &str| Order::Prompt(name.into());
    let mut model = testing::asking();
    assert!(press(&mut model, "p").is_empty() && matches!(model.sheet, Some(Sheet::Prompts(None))));
    assert!(press(&mut model, "7 x").is_empty() && model.sheet.is_some(), "there is no seventh");
    assert_eq!(orders(press(&mut model, "2")), [order("blind")]);
    assert!(model.sheet.is_none());
    assert_eq!(orders(command(&mut model, "prompt blind")), [order("blind")]);
    assert!(command(&mut model, "prompt plain").is_empty());
    assert_eq!(model.notice.as_deref(), Some("plain is the prompt already"));
    press(&mut model, "p esc");
    assert!(model.sheet.is_none());
    let mut without = testing::model(120, 40);
    assert!(press(&mut without, "p").is_empty() && without.sheet.is_none());
    assert_eq!(without.notice.as_deref(), Some("this environment has no prompts"));
}

#[test]
fn the_request_stays_open_while_it_changes() {
    let mut model = testing::asking();
    press(&mut model, "R");
    assert_eq!(orders(press(&mut model, "] }")).len(), 2);
    assert!(matches!(model.sheet, Some(Sheet::Request(0))));
    press(&mut model, "j j");
    assert_eq!(orders(press(&mut model, "p 2")), [Order::Prompt("blind".into())]);
    assert!(matches!(model.sheet, Some(Sheet::Request(2))));
    press(&mut model, "p esc G");
    let (most, _) = crate::tui::sheets::request_extent(&model);
    assert!(matches!(model.sheet, Some(Sheet::Request(at)) if at == most && most > 2));
    assert!(press(&mut model, "enter space").is_empty() && model.sheet.is_some());
    press(&mut model, "esc");
    assert!(model.sheet.is_none());
}

#[test]
fn escape_takes_back_the_nearest_thing() {
    let mut model = testing::model(120, 40);
    let thinking = Snapshot { waiting: Waiting::Thinking, ..Snapshot::clone(&model.episodes[0].snapshot) };
    update(&mut model, Msg::Snapshot(0, Arc::new(thinking)));
    press(&mut model, "?");
    assert!(press(&mut model, "esc").is_empty() && model.sheet.is_none());
    assert_eq!(orders(press(&mut model, "esc")), [Order::Cancel]);
}

#[test]
fn control_c_cancels_then_leaves() {
    let mut model = testing::model(120, 40);
    let snapshot = running(&model);
    update(&mut model, Msg::Snapshot(0, snapshot));
    assert_eq!(press(&mut model, "ctrl-c ctrl-c"), [Effect::Order(0, Order::Cancel), Effect::Leave]);
    let mut idle = testing::model(120, 40);
    assert_eq!(press(&mut idle, "ctrl-c"), [Effect::Leave]);
    assert_eq!(press(&mut idle, "? ctrl-c"), [Effect::Leave], "also from a sheet");
    assert_eq!(press(&mut idle, "esc q"), [Effect::Leave]);
}

#[test]
fn a_person_acts_with_the_arrows() {
    let mut model = person(Setting::Online);
    let play = |name| Order::Play(vec![Action::plain(name)]);
    assert_eq!(orders(press(&mut model, "left 2 up")), [play("Left"), play("Up"), play("Up")]);
    assert_eq!(orders(command(&mut model, "act Down")), [play("Down")]);
    assert!(command(&mut model, "act Dive").is_empty());
    assert!(model.notice.as_deref().unwrap().contains("no action here; the actions are Up, Down"));
    assert!(press(&mut model, "enter").is_empty() && press(&mut model, "space").is_empty());
}

#[test]
fn a_person_who_looks_back_comes_back_before_acting() {
    let mut model =
        testing::on(Told::new("human", Setting::Online, (5, 1)).step("Left", -0.5, true).snapshot(), 120, 40);
    assert!(press(&mut model, "h left").is_empty());
    assert_eq!(model.episodes[0].cursor, None);
    assert_eq!(press(&mut model, "left").len(), 1);
}

#[test]
fn a_person_plans_at_once_in_the_global_setting() {
    let mut model = person(Setting::Global);
    assert!(press(&mut model, "left").is_empty());
    let plan = ["Up", "Left", "Left"].map(Action::plain).to_vec();
    assert_eq!(orders(command(&mut model, "plan Up,Left, Left")), [Order::Play(plan)]);
    assert!(command(&mut model, "plan Up,Lef,Left").is_empty());
    assert!(model.notice.as_deref().unwrap().starts_with("\"Lef\" is no action here"));
}

const ORDERS: [&str; 2] = ["Put book in A to region B", "Put book in B to region C"];

/// A person where the actions are orders in words.
fn orderly(setting: Setting) -> Model {
    let mut snapshot = Told::new("human", setting, (5, 1)).snapshot();
    let step = Arc::make_mut(snapshot.steps.last_mut().unwrap());
    step.space = ActionSpace::of(&ORDERS.map(|name| (name, "carry")));
    testing::on(snapshot, 120, 40)
}

#[test]
fn enter_offers_the_actions_where_the_arrows_name_none() {
    let mut model = orderly(Setting::Online);
    assert_eq!(orders(press(&mut model, "enter down enter")), [Order::Play(vec![Action::plain(ORDERS[1])])]);
    let mut model = orderly(Setting::Global);
    press(&mut model, "enter");
    assert!(matches!(&model.sheet, Some(Sheet::Palette(palette)) if palette.input() == "plan "));
}

#[test]
fn a_plan_of_names_with_spaces_has_commas_between_them() {
    let mut model = orderly(Setting::Global);
    let typed = format!("plan {}, {}", ORDERS[0], ORDERS[1]);
    assert_eq!(orders(command(&mut model, &typed)), [Order::Play(ORDERS.map(Action::plain).to_vec())]);
    assert!(command(&mut model, "plan Put book in A to region D").is_empty());
    let why = "\"Put book in A to region D\" is no action here";
    assert!(model.notice.as_deref().unwrap().starts_with(why));
}

#[test]
fn a_plan_by_hand_is_gone_on_with_like_any_other() {
    let planned = Told::new("human", Setting::Global, (5, 1)).say("### Analyze\n\n### Actions\nUp, Left");
    let mut model = testing::on(planned.snapshot(), 120, 40);
    assert_eq!(orders(press(&mut model, "space")), [Order::Run(None)]);
    assert_eq!(orders(press(&mut model, "enter")), [Order::Step]);
    assert!(press(&mut model, "left").is_empty());
    assert!(model.notice.as_deref().unwrap().contains("Enter applies its next action"));
    let mut unplanned = person(Setting::Global);
    assert!(press(&mut unplanned, "space").is_empty());
    assert!(unplanned.notice.as_deref().unwrap().contains(":plan Up,Left"));
}

#[test]
fn without_a_person_the_arrows_look_and_scroll() {
    let mut model = testing::model(120, 40);
    assert!(press(&mut model, "left").is_empty());
    assert_eq!(model.episodes[0].cursor, Some(5));
    model.focus = Pane::Agent;
    model.size = Size::new(80, 16);
    model.tab = Pane::Agent;
    command(&mut model, "5");
    assert!(press(&mut model, "down").is_empty());
    assert_eq!(model.scroll[Pane::Agent as usize], 1);
    press(&mut model, "G k");
    let (most, page) = crate::tui::view::extent(&model, Pane::Agent);
    assert!(most > 3 && page > 3);
    assert_eq!(model.scroll[Pane::Agent as usize], most - 1);
    press(&mut model, "g pagedown");
    assert_eq!(model.scroll[Pane::Agent as usize], page.min(most));
}

#[test]
fn tab_goes_round_and_keeps_the_tab_beside_the_frame() {
    let mut model = testing::model(80, 24);
    let mut seen = Vec::new();
    for _ in Pane::ALL {
        press(&mut model, "tab");
        seen.push((model.focus, model.tab));
    }
    let [frame, agent, memory, score, steps] = Pane::ALL;
    assert_eq!(seen, [(agent, agent), (memory, memory), (score, score), (steps, steps), (frame, steps)]);
    press(&mut model, "backtab");
    assert_eq!(model.focus, steps);
}

#[test]
fn a_recording_takes_no_orders_and_says_so() {
    let snapshot = Snapshot { mode: Mode::Recorded, ..testing::story().snapshot() };
    let mut model = testing::on(snapshot, 120, 40);
    for keys in ["enter", "space", "]", "+"] {
        assert!(press(&mut model, keys).is_empty(), "{keys}");
        assert_eq!(
            model.notice.as_deref(),
            Some("this is a recording: it can be looked at, not run"),
            "{keys}"
        );
    }
    assert_eq!(press(&mut model, "q"), [Effect::Leave]);
}

#[test]
fn an_episode_that_is_over_says_how_it_goes_on() {
    let mut told = Told::new("oracle", Setting::Online, (5, 1)).say("# analyze\nx\n# action\nUp");
    told = told.act(54.5, true, Status::Won);
    let mut model = testing::on(told.snapshot(), 120, 40);
    assert!(press(&mut model, "enter").is_empty());
    assert_eq!(model.notice.as_deref(), Some("the episode is over (won); :open plays another level"));
}

#[test]
fn giving_up_asks_first() {
    let mut model = testing::model(120, 40);
    assert!(command(&mut model, "abandon").is_empty());
    assert!(press(&mut model, "n").is_empty() && model.sheet.is_none());
    command(&mut model, "abandon");
    assert_eq!(orders(press(&mut model, "y")), [Order::Abandon]);
    let mut told = testing::story();
    told.episode.apply(Event::Abandoned).unwrap();
    assert_eq!(told.episode.ending(), Some(Ending::Abandoned));
    model.episodes[0].snapshot = Arc::new(told.snapshot());
    command(&mut model, "abandon");
    assert!(model.sheet.is_none() && model.notice.is_some());
}

#[test]
fn another_level_is_opened_and_the_first_one_can_be_looked_at() {
    let mut model = testing::model(120, 40);
    let snapshot = running(&model);
    update(&mut model, Msg::Snapshot(0, snapshot));
    assert_eq!(command(&mut model, "open sokoban/mini/8"), [Effect::Open("sokoban/mini/8".into())]);
    let other = Arc::new(Told::new("oracle", Setting::Online, (5, 1)).snapshot());
    assert_eq!(update(&mut model, Msg::Opened(Ok(other))), [Effect::Order(0, Order::Pause)]);
    assert_eq!((model.at, model.episodes.len()), (1, 2));
    assert_eq!(press(&mut model, "enter"), [Effect::Order(1, Order::Step)]);
    press(&mut model, "H");
    assert_eq!(model.at, 0);
    press(&mut model, "H L L");
    assert_eq!(model.at, 1);
    assert!(model.notice.as_deref().unwrap().contains(":open starts another"));
}

#[test]
fn what_does_not_open_is_shown_and_nothing_moves() {
    let mut model = testing::model(120, 40);
    update(&mut model, Msg::Opened(Err(Problem::new("there is no level \"x\""))));
    assert!(matches!(model.sheet, Some(Sheet::Fault(Fault::Open(_)))));
    assert_eq!(model.at, 0);
}

#[test]
fn a_fault_takes_no_key_but_those_that_close_it() {
    let fault = || Some(Sheet::Fault(Fault::Open(Problem::new("no such level"))));
    for (keys, closes) in
        [("esc", true), ("enter", true), ("q", true), ("space", false), ("o h 1 tab", false)]
    {
        let mut model = testing::model(120, 40);
        model.sheet = fault();
        assert!(press(&mut model, keys).is_empty(), "{keys}");
        assert_eq!(model.sheet.is_none(), closes, "{keys}");
        assert_eq!((model.episodes[0].cursor, model.count, model.focus), (None, None, Pane::Frame), "{keys}");
    }
    for key in [":", "ctrl-p"] {
        let mut model = testing::model(120, 40);
        model.sheet = fault();
        press(&mut model, &format!("{key} o p"));
        assert!(matches!(&model.sheet, Some(Sheet::Palette(palette)) if palette.input() == "op"), "{key}");
    }
}

#[test]
fn a_bad_file_is_shown_and_the_old_look_kept_until_it_is_mended() {
    let mut model = testing::model(120, 40);
    let before = model.look.clone();
    assert_eq!(update(&mut model, Msg::Files), [Effect::Reload]);
    update(&mut model, Msg::Reloaded(Box::new(Err(Problem::new("bad")))));
    assert!(matches!(model.sheet, Some(Sheet::Fault(Fault::Files(_)))));
    assert_eq!(model.look, before);
    let mut light = testing::look("light");
    light.settings.pace = Duration::from_millis(100);
    let effects = update(&mut model, Msg::Reloaded(Box::new(Ok(light))));
    assert_eq!(effects, [Effect::Order(0, Order::Pace(Duration::from_millis(100)))]);
    assert!(model.sheet.is_none());
    assert_eq!(model.theme.name(), "light");
}

#[test]
fn a_theme_can_be_tried() {
    let mut model = testing::model(120, 40);
    assert_eq!(command(&mut model, "theme light"), [Effect::Theme("light".into())]);
    update(&mut model, Msg::Themed(Box::new(Theme::named("light"))));
    assert_eq!(model.theme.name(), "light");
    update(&mut model, Msg::Themed(Box::new(Theme::named("lite"))));
    assert!(matches!(model.sheet, Some(Sheet::Fault(Fault::Theme(_)))));
    assert_eq!(model.theme.name(), "light");
}

#[test]
fn v_turns_between_picture_and_text() {
    let mut model = testing::model(120, 40);
    assert!(model.shows_pictures());
    press(&mut model, "v");
    assert_eq!((model.view, model.shows_pictures()), (View::Text, false));
    press(&mut model, "v");
    assert!(model.shows_pictures());
    model.look.settings.depth = Depth::None;
    model.view = View::Auto;
    press(&mut model, "v");
    assert!(!model.shows_pictures() && model.notice.is_some());
}

#[test]
fn arrows_scroll_a_board_that_is_wider_than_its_pane() {
    let mut model = testing::model(80, 24);
    model.view = View::Text;
    assert!(press(&mut model, "left").is_empty());
    assert_eq!(model.episodes[0].cursor, Some(5), "nothing is out of sight, so they look");
    let mut told = testing::story().snapshot();
    let seen = crate::domain::Observation { text: "#".repeat(60).into(), ..testing::observation(0) };
    told.steps[6] =
        crate::engine::Step { seen: seen.into(), ..crate::engine::Step::clone(&told.steps[6]) }.into();
    let mut model = Model { view: View::Text, ..testing::on(told, 80, 24) };
    press(&mut model, "right right left");
    assert_eq!((model.sideways, model.episodes[0].cursor), (4, None));
    press(&mut model, "9 9 right");
    assert_eq!(model.sideways, 22, "60 columns, of which 38 are shown");
    press(&mut model, "tab left");
    assert_eq!(model.episodes[0].cursor, Some(5), "another pane has the keys");
}

#[test]
fn a_letter_in_the_palette_is_a_letter() {
    let mut model = testing::model(120, 40);
    assert!(press(&mut model, ": q").is_empty());
    assert!(matches!(&model.sheet, Some(Sheet::Palette(palette)) if palette.input() == "q"));
    press(&mut model, "backspace backspace");
    assert!(model.sheet.is_none());
    assert!(update(&mut model, Msg::Paste("q\nq".into())).is_empty(), "a paste outside presses no keys");
}

#[test]
fn a_command_that_wants_an_argument_stays_open_for_it() {
    let mut model = testing::model(120, 40);
    assert!(command(&mut model, "open").is_empty());
    assert!(matches!(&model.sheet, Some(Sheet::Palette(palette)) if palette.input() == "open "));
    press(&mut model, "esc");
    command(&mut model, "zoom now");
    assert_eq!(model.notice.as_deref(), Some("zoom takes no argument"));
    command(&mut model, "qqqq");
    assert!(model.notice.as_deref().unwrap().starts_with("there is no command \"qqqq\""));
}

#[test]
fn tab_completes() {
    let mut model = testing::model(120, 40);
    model.levels = vec!["sokoban/mini/7".into(), "sokoban/mini/8".into()];
    press(&mut model, ": o p e tab m i n i 8 tab");
    let Some(Sheet::Palette(palette)) = &model.sheet else { panic!("the palette is closed") };
    assert_eq!(palette.input(), "open sokoban/mini/8");
    assert_eq!(press(&mut model, "enter"), [Effect::Open("sokoban/mini/8".into())]);
}

#[test]
fn help_scrolls_to_its_end_and_no_further() {
    let mut model = testing::model(80, 24);
    press(&mut model, "? G");
    let (most, _) = crate::tui::sheets::help_extent(&model);
    assert!(matches!(model.sheet, Some(Sheet::Help(at)) if at == most && most > 20));
    press(&mut model, "j k");
    assert!(matches!(model.sheet, Some(Sheet::Help(at)) if at == most - 1));
    press(&mut model, "?");
    assert!(model.sheet.is_none());
}

#[test]
fn every_command_does_something_by_its_name() {
    for row in COMMANDS {
        let mut told = testing::model(80, 16);
        told.episodes.push(told.episodes[0].clone());
        told.focus = Pane::Agent;
        told.stale = false;
        let before = format!("{told:?}");
        let effects = command(&mut told, row.name);
        told.stale = false;
        let passive = matches!(
            row.deed,
            Deed::Cancel | Deed::ScrollUp | Deed::PageUp | Deed::Top | Deed::Up | Deed::Newest
        );
        assert!(!effects.is_empty() || format!("{told:?}") != before || passive, "{}", row.name);
    }
}

#[test]
fn keys_without_a_meaning_change_nothing() {
    let mut model = testing::model(120, 40);
    model.stale = false;
    let before = format!("{model:?}");
    for (key, said) in
        [("y", "y does nothing here; ? lists the keys"), ("ctrl-x", "Ctrl-X does nothing here")]
    {
        assert!(press(&mut model, key).is_empty());
        assert!(model.notice.take().unwrap().starts_with(said), "{key}");
    }
    model.stale = false;
    assert_eq!(format!("{model:?}"), before);
}

fn mouse(model: &mut Model, kind: MouseEventKind, column: u16, row: u16) -> Vec<Effect> {
    let event = MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE };
    update(model, Msg::Mouse(event))
}

#[test]
fn the_mouse_focuses_looks_and_scrolls() {
    let mut model = testing::model(120, 40);
    let press = MouseEventKind::Down(MouseButton::Left);
    assert!(mouse(&mut model, press, 60, 10).is_empty());
    assert_eq!(model.focus, Pane::Agent);
    // The filmstrip begins at column 2 of line 34, two columns a step.
    mouse(&mut model, press, 6, 34);
    assert_eq!((model.focus, model.episodes[0].cursor), (Pane::Steps, Some(2)));
    model.size = Size::new(80, 16);
    (model.focus, model.tab) = (Pane::Frame, Pane::Agent);
    command(&mut model, "5");
    mouse(&mut model, MouseEventKind::ScrollDown, 60, 5);
    assert_eq!((model.focus, model.scroll[Pane::Agent as usize]), (Pane::Frame, 3));
    model.stale = false;
    mouse(&mut model, MouseEventKind::Up(MouseButton::Left), 60, 5);
    mouse(&mut model, press, 500, 500);
    assert!(!model.stale, "nothing has changed");
}

#[test]
fn the_mouse_does_not_reach_through_a_sheet() {
    let mut model = testing::model(120, 40);
    press(&mut model, "?");
    mouse(&mut model, MouseEventKind::Down(MouseButton::Left), 60, 10);
    assert_eq!(model.focus, Pane::Frame);
}
