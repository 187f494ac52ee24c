//! What lies over the panes: faults, the palette, help; files, themes and views.

use super::*;
use crate::model::CopyDestination;
use crate::requests::{Answer, Request};
use crate::tests::screen_text;
use mageyard_engine::{RunState, StepExport};
use mageyard_terminal::Theme;

#[test]
fn a_fault_takes_no_key_but_those_that_close_it() {
    let fault = || Some(Modal::Fault(Fault::Open(Problem::new("no such level"))));
    for (keys, closes) in
        [("esc", true), ("enter", true), ("q", true), ("space", false), ("o h 1 tab", false)]
    {
        let mut model = testing::model(120, 40);
        model.modal = fault();
        assert!(press(&mut model, keys).is_empty(), "{keys}");
        assert_eq!(model.modal.is_none(), closes, "{keys}");
        assert_eq!(
            (model.episodes[0].cursor, model.typed.count, model.panes.focus),
            (None, None, Pane::Frame),
            "{keys}"
        );
    }
    for key in [":", "ctrl-p"] {
        let mut model = testing::model(120, 40);
        model.modal = fault();
        press(&mut model, &format!("{key} o p"));
        assert!(matches!(&model.modal, Some(Modal::Palette(palette)) if palette.input() == "op"), "{key}");
    }
}

#[test]
fn enter_asks_an_agent_again_that_failed() {
    for (waiting, offers) in [(Waiting::Ask, true), (Waiting::Reply, false)] {
        let mut model = testing::model_agent("random");
        let mut snapshot = Snapshot::clone(&model.episodes[0].snapshot);
        (snapshot.run.waiting, snapshot.run.mode) = (waiting, Mode::Paused);
        snapshot.run.error = Some("the server returned error 500: oops".into());
        update(&mut model, Msg::Snapshot(0, Arc::new(snapshot)));
        assert!(matches!(model.modal, Some(Modal::Fault(Fault::Session(_)))));
        let drawn = crate::tests::screen_text(&model);
        assert_eq!(drawn.contains("Enter asks again · Esc closes"), offers, "{drawn}");
        let sent = commands(press(&mut model, "enter"));
        assert_eq!(sent, if offers { vec![SessionCommand::Step] } else { vec![] });
        assert!(model.modal.is_none());
    }
}

#[test]
fn a_bad_file_is_shown_and_the_old_look_kept_until_it_is_mended() {
    let mut model = testing::model(120, 40);
    let before = model.appearance.clone();
    assert_eq!(update(&mut model, Msg::FilesChanged), [Effect::Request(Request::Reload)]);
    update(&mut model, Msg::Answer(Answer::Reloaded(Box::new(Err(Problem::new("bad"))))));
    assert!(matches!(model.modal, Some(Modal::Fault(Fault::Files(_)))));
    assert_eq!(model.appearance, before);
    let mut light = testing::appearance("light");
    light.settings.pace = Duration::from_millis(100);
    let effects = update(&mut model, Msg::Answer(Answer::Reloaded(Box::new(Ok(light)))));
    assert_eq!(effects, [Effect::Command(0, SessionCommand::SetPace(Duration::from_millis(100)))]);
    assert!(model.modal.is_none());
    assert_eq!(model.look.theme.name(), "light");
}

fn theme(name: &str, is_preview: bool) -> Effect {
    Effect::Request(Request::LoadTheme { name: name.to_owned(), is_preview })
}

fn read(is_preview: bool, theme: Result<Theme, Problem>) -> Msg {
    Msg::Answer(Answer::Theme { is_preview, theme: Box::new(theme) })
}

#[test]
fn a_theme_can_be_tried() {
    let mut model = testing::model(120, 40);
    assert_eq!(command(&mut model, "theme light"), [theme("light", false)]);
    update(&mut model, read(false, Theme::named("light")));
    assert_eq!(model.look.theme.name(), "light");
    update(&mut model, read(false, Theme::named("lite")));
    assert!(matches!(model.modal, Some(Modal::Fault(Fault::Theme(_)))));
    assert_eq!(model.look.theme.name(), "light");
}

#[test]
fn v_turns_between_picture_and_text() {
    let mut model = testing::model(120, 40);
    assert!(model.shows_pictures());
    press(&mut model, "v");
    assert_eq!((model.frame.shown_as, model.shows_pictures()), (FrameView::Text, false));
    press(&mut model, "v");
    assert!(model.shows_pictures());
    model.appearance.settings.depth = ColorDepth::None;
    model.frame.shown_as = FrameView::Auto;
    press(&mut model, "v");
    assert!(!model.shows_pictures() && model.notice.is_some());
}

#[test]
fn arrows_scroll_a_board_that_is_wider_than_its_pane() {
    let mut model = testing::model(80, 24);
    model.frame.shown_as = FrameView::Text;
    assert!(press(&mut model, "left").is_empty());
    assert_eq!(model.episodes[0].cursor, Some(5), "nothing is out of sight, so they look");
    let mut told = testing::sample_episode().snapshot();
    let seen = mageyard_domain::Observation::from_parts(
        testing::observation(0).parts().to_vec(),
        "#".repeat(60),
        (),
    );
    *told.steps.get_mut(6).unwrap() =
        mageyard_engine::Step { observation: seen, ..mageyard_engine::Step::clone(&told.steps[6]) }.into();
    let mut model =
        testing::with(testing::model_of(told, 80, 24), |model| model.frame.shown_as = FrameView::Text);
    press(&mut model, "right right left");
    assert_eq!((model.frame.sideways, model.episodes[0].cursor), (4, None));
    press(&mut model, "9 9 right");
    assert_eq!(model.frame.sideways, 22, "60 columns, of which 38 are shown");
    press(&mut model, "tab left");
    assert_eq!(model.episodes[0].cursor, Some(5), "another pane has the keys");
}

#[test]
fn a_letter_in_the_palette_is_a_letter() {
    let mut model = testing::model(120, 40);
    assert!(press(&mut model, ": q").is_empty());
    assert!(matches!(&model.modal, Some(Modal::Palette(palette)) if palette.input() == "q"));
    press(&mut model, "backspace backspace");
    assert!(model.modal.is_none());
    assert!(update(&mut model, Msg::Paste("q\nq".into())).is_empty(), "a paste outside presses no keys");
}

#[test]
fn a_command_that_wants_an_argument_stays_open_for_it() {
    let mut model = testing::model(120, 40);
    assert!(command(&mut model, "open").is_empty());
    assert!(matches!(&model.modal, Some(Modal::Palette(palette)) if palette.input() == "open "));
    press(&mut model, "esc");
    command(&mut model, "zoom now");
    assert_eq!(model.notice.as_deref(), Some("zoom takes no argument"));
    command(&mut model, "qqqq");
    assert!(model.notice.as_deref().unwrap().starts_with("unknown command \"qqqq\""));
}

#[test]
fn tab_completes() {
    let mut model = testing::model(120, 40);
    model.names.levels = vec!["sokoban/mini/7".into(), "sokoban/mini/8".into()];
    press(&mut model, ": o p e tab m i n i 8 tab");
    let Some(Modal::Palette(palette)) = &model.modal else { panic!("the palette is closed") };
    assert_eq!(palette.input(), "open sokoban/mini/8");
    assert_eq!(press(&mut model, "enter"), [Effect::Request(Request::OpenLevel("sokoban/mini/8".into()))]);
}

#[test]
fn themes_are_previewed_and_kept_or_restored() {
    let mut model = testing::model(120, 40);
    model.names.themes = ["ansi16", "dark", "light"].map(String::from).to_vec();
    let show = |model: &mut Model, effects: Vec<Effect>| {
        let [Effect::Request(Request::LoadTheme { name, is_preview: true })] = &effects[..] else {
            panic!("{effects:?} is no preview")
        };
        update(model, read(true, Theme::named(name)));
    };
    command(&mut model, "themes");
    let effects = press(&mut model, "down");
    assert_eq!(effects, [theme("light", true)]);
    show(&mut model, effects);
    assert_eq!(model.look.theme.name(), "light");
    assert!(press(&mut model, "down").is_empty(), "it is the last one");
    press(&mut model, "esc");
    assert!(model.modal.is_none() && model.look.theme.name() == "dark" && model.look.chosen.is_none());
    update(&mut model, read(true, Theme::named("light")));
    assert_eq!(model.look.theme.name(), "dark", "a preview that comes late changes nothing");
    command(&mut model, "themes");
    let effects = press(&mut model, "k");
    show(&mut model, effects);
    assert!(press(&mut model, "enter").is_empty(), "the theme is shown already");
    assert_eq!((model.look.theme.name(), model.look.chosen.as_deref()), ("ansi16", Some("ansi16")));
    let notice = model.notice.clone().unwrap();
    assert!(notice.contains("theme = \"ansi16\" below [screen] in config.toml"), "{notice}");
    // A change of a file reads the chosen theme again, and a change of the setting replaces it.
    let look = |theme| Msg::Answer(Answer::Reloaded(Box::new(Ok(testing::appearance(theme)))));
    assert_eq!(update(&mut model, look("dark")), [theme("ansi16", false)]);
    assert!(update(&mut model, look("light")).is_empty());
    assert_eq!(model.look.theme.name(), "light");
}

#[test]
fn a_broken_theme_is_explained_in_the_picker_and_not_kept() {
    let mut model = testing::model(120, 40);
    model.names.themes = ["broken", "dark"].map(String::from).to_vec();
    command(&mut model, "themes");
    assert_eq!(press(&mut model, "up"), [theme("broken", true)]);
    update(&mut model, read(true, Err(Problem::new("no such colour"))));
    press(&mut model, "enter");
    let Some(Modal::Themes(picker)) = &model.modal else { panic!("the picker is closed") };
    assert!(picker.problem.as_deref() == Some("no such colour") && model.look.theme.name() == "dark");
}

#[test]
fn copies_go_to_files_where_the_terminal_has_no_clipboard() {
    let mut model = testing::model(120, 40);
    model.appearance.settings.copy_route = mageyard_terminal::CopyRoute::File;
    assert_eq!(press(&mut model, "y w 4"), [Effect::Copy(StepExport::Action, CopyDestination::File)]);
}

#[test]
fn every_command_does_something_by_its_name() {
    for row in commands_in(ScreenView::Episode) {
        let mut told = testing::model(80, 16);
        told.episodes.push(told.episodes[0].clone());
        told.panes.focus = Pane::Agent;
        told.dirty = false;
        let before = format!("{told:?}");
        let effects = command(&mut told, row.name);
        told.dirty = false;
        let passive = matches!(
            row.id,
            CommandId::Cancel
                | CommandId::ScrollUp
                | CommandId::PageUp
                | CommandId::Top
                | CommandId::Up
                | CommandId::Newest
                | CommandId::FocusAgent
                | CommandId::ResetLayout
        );
        assert!(!effects.is_empty() || format!("{told:?}") != before || passive, "{}", row.name);
    }
}

#[test]
fn keys_without_a_meaning_change_nothing() {
    let mut model = testing::model(120, 40);
    model.dirty = false;
    let before = format!("{model:?}");
    for (key, said) in [("Q", "Q is not bound; ? lists the keys"), ("ctrl-x", "Ctrl-X is not bound")] {
        assert!(press(&mut model, key).is_empty());
        assert!(model.notice.take().unwrap().starts_with(said), "{key}");
    }
    model.dirty = false;
    assert_eq!(format!("{model:?}"), before);
}

#[test]
fn the_copy_menu_stays_until_it_is_closed_and_says_what_became_of_a_copy() {
    let mut model = testing::model(120, 40);
    assert_eq!(press(&mut model, "y 4"), [Effect::Copy(StepExport::Action, CopyDestination::Clipboard)]);
    assert_eq!(press(&mut model, "w 3"), [Effect::Copy(StepExport::Reply, CopyDestination::File)]);
    assert!(press(&mut model, "9 x space").is_empty());
    update(&mut model, Msg::Copied("saved".into()));
    let said = |model: &Model| match &model.modal {
        Some(Modal::Copy(copying)) => (copying.destination, copying.message.clone()),
        _ => panic!("the menu is closed"),
    };
    assert_eq!(said(&model), (CopyDestination::File, Some("saved".into())));
    press(&mut model, "w");
    assert_eq!(said(&model), (CopyDestination::Clipboard, None));
    press(&mut model, "esc R y");
    assert_eq!(said(&model), (CopyDestination::Clipboard, None));
    press(&mut model, "y");
    assert!(matches!(model.modal, Some(Modal::Request(0))));
    assert_eq!(
        command(&mut model, "copy board"),
        [Effect::Copy(StepExport::Board, CopyDestination::Clipboard)]
    );
}

#[test]
fn breakpoints_that_are_not_confirmed_yet_are_shown_and_kept() {
    let mut model = testing::model(120, 40);
    let set = commands(command(&mut model, "break step=2"));
    let [SessionCommand::SetBreakpoints(first)] = set.as_slice() else { panic!("{set:?}") };
    // The session has not answered: the dialog must not begin from what was before.
    press(&mut model, "b");
    let Some(Modal::Breaks(shown)) = &model.modal else { panic!("no dialog") };
    assert_eq!(shown, first);
    let more = commands(press(&mut model, "3 esc"));
    let [SessionCommand::SetBreakpoints(both)] = more.as_slice() else { panic!("{more:?}") };
    assert!(both.to_string().contains("step=2") && both.to_string().contains("ia"), "{both}");
    let confirmed = {
        let base = Snapshot::clone(&model.episodes[0].snapshot);
        Snapshot { run: RunState { breakpoints: both.clone(), ..base.run.clone() }, ..base }
    };
    update(&mut model, Msg::Snapshot(0, confirmed.into()));
    assert!(model.episodes[0].pending_breakpoints.is_none());
    assert_eq!(model.episodes[0].breakpoints(), both);
}

/// Types a text letter by letter.
fn write(model: &mut Model, text: &str) -> Vec<Effect> {
    let letters = text.chars().map(|letter| letter.to_string());
    letters.flat_map(|letter| update(model, Msg::Key(key(&letter)))).collect()
}

#[test]
fn text_typed_in_the_list_of_breakpoints_is_a_condition() {
    for condition in ["parse>=1", "action=Up", "ra>=3", "bad", "(ia or ra)", "quality>1", "not"] {
        let mut model = testing::model(120, 40);
        press(&mut model, "b");
        assert!(screen_text(&model).contains("type a condition"), "{}", screen_text(&model));
        assert!(write(&mut model, condition).is_empty(), "{condition}");
        let Some(Modal::Palette(palette)) = &model.modal else { panic!("{condition}: {:?}", model.modal) };
        assert_eq!(palette.input(), format!("break {condition}"));
        let order = press(&mut model, "enter");
        assert_eq!(
            order.is_empty(),
            ["bad", "quality>1", "not"].contains(&condition),
            "{condition}: {order:?}"
        );
    }
    let mut model = testing::model(120, 40);
    press(&mut model, "b");
    update(&mut model, Msg::Paste("parse>=1".to_owned()));
    let [SessionCommand::SetBreakpoints(set)] = &commands(press(&mut model, "enter"))[..] else { panic!() };
    assert_eq!(set.to_string(), "parse>=1");
    press(&mut model, "b");
    assert_eq!(commands(press(&mut model, "4")).len(), 1, "a digit switches a mark");
    assert!(matches!(model.modal, Some(Modal::Breaks(_))));
}

#[test]
fn letters_run_no_command_in_a_dialog_whose_content_is_text() {
    let base = testing::model(120, 40);
    let journal = Some("/s/journal.jsonl".into());
    let snapshot = Snapshot { journal, ..Snapshot::clone(&base.episodes[0].snapshot) };
    let base = testing::model_of(snapshot, 120, 40);
    for keys in ["ctrl-p", "E", "f", "e", "/"] {
        let mut model = base.clone();
        press(&mut model, keys);
        let opened = model.modal.as_ref().map(Modal::name);
        let is_text = model.modal.as_ref().map_or(model.search.is_some(), Modal::takes_text);
        assert!(is_text, "{keys}: {opened:?}");
        assert!(write(&mut model, "qabEfxVhl?:0;/").is_empty(), "{keys}");
        assert_eq!(model.modal.as_ref().map(Modal::name), opened, "{keys}");
        // What arrives while it is typed does not take the rest of the text.
        let failed = {
            let base = (*model.episodes[0].snapshot).clone();
            Snapshot {
                run: RunState { error: Some("the server is gone".into()), ..base.run.clone() },
                ..base
            }
        };
        update(&mut model, Msg::Snapshot(0, failed.into()));
        assert_eq!(model.modal.as_ref().map(Modal::name), opened, "{keys}");
        assert!(model.notice.as_deref().is_some_and(|said| said.contains("the server is gone")), "{keys}");
    }
}
