//! No meaning by colour alone: what means different things differs in symbols or attributes, when all colours of a theme
//! are taken away and on a terminal without colours.

use std::collections::HashSet;

use ratatui::style::Modifier;

use super::*;
use crate::model::{ActionForm, EpisodeList, FormPurpose, FrameChoice, ThemePicker};
use crate::requests::SessionSummary;
use crate::update::{Msg, update};
use mageyard_domain::PairPlace;
use mageyard_engine::{Breakpoints, Mark};

/// A screen as it is without its colours.
type Plain = Vec<(String, Modifier)>;

/// The themes and depths in which screens are compared.
const LOOKS: [(&str, ColorDepth); 4] = [
    ("dark", ColorDepth::TrueColor),
    ("light", ColorDepth::TrueColor),
    ("light", ColorDepth::Ansi16),
    ("dark", ColorDepth::None),
];

fn plain(model: &Model, (theme, depth): (&str, ColorDepth)) -> Plain {
    let mut model = model.clone();
    model.appearance.settings.depth = depth;
    model.set_theme(Theme::named(theme).unwrap());
    let cells = render(&model).content;
    // On cells without colours dim and hidden text differ too little.
    let lasting = Modifier::BOLD | Modifier::UNDERLINED | Modifier::REVERSED;
    cells.iter().map(|cell| (cell.symbol().to_owned(), cell.modifier & lasting)).collect()
}

/// Checks that these screens are told apart without colour.
fn assert_told_apart(what: &str, models: impl IntoIterator<Item = Model>) {
    let models: Vec<Model> = models.into_iter().collect();
    for look in LOOKS {
        let screens: HashSet<Plain> = models.iter().map(|model| plain(model, look)).collect();
        assert_eq!(screens.len(), models.len(), "{what} with {look:?}");
    }
}

/// The model before and after each of these keys.
fn pressed(model: &Model, keys: &[&str]) -> Vec<Model> {
    let mut models = vec![model.clone()];
    for name in keys {
        let mut next = models[models.len() - 1].clone();
        update(&mut next, Msg::Key(testing::key(name)));
        models.push(next);
    }
    models
}

fn opened(model: &Model, dialog: Modal) -> Model {
    Model { modal: Some(dialog), ..model.clone() }
}

#[test]
fn the_focused_pane() {
    for (width, height) in [(120, 40), (80, 24), (60, 16)] {
        let base = text_model(width, height);
        // The same panes are shown: only the focus differs.
        let same_tab = [Pane::Frame, base.panes.tab]
            .into_iter()
            .map(|focus| testing::with(base.clone(), |model| model.panes.focus = focus));
        assert_told_apart("focus", same_tab);
        if width == 120 {
            assert_told_apart(
                "focus",
                Pane::ALL
                    .into_iter()
                    .map(|focus| testing::with(base.clone(), |model| model.panes.focus = focus)),
            );
        }
    }
}

#[allow(clippy::useless_vec, reason = "an array of models is too large for the stack")]
#[test]
fn the_selected_row_of_every_list() {
    let base = text_model(80, 24);
    let session = |name: &str| SessionSummary {
        name: name.into(),
        episodes: 2,
        summary: "same".into(),
        is_sweep: false,
        ..SessionSummary::default()
    };
    let listed =
        Model { recorded_sessions: Some(Ok(vec![session("a"), session("b")].into())), ..base.clone() };
    let names = vec!["same".to_owned(), "same".to_owned(), "same".to_owned()];
    let picker = ThemePicker::new(names, base.look.theme.clone());
    for (what, model) in vec![
        ("palette", opened(&base, Modal::Palette(Palette::default()))),
        ("help", opened(&base, Modal::Help(crate::help::HelpSheet::default()))),
        ("episodes", opened(&listed, Modal::Episodes(EpisodeList::at(&listed, 0)))),
        ("themes", opened(&base, Modal::Themes(Box::new(picker)))),
    ] {
        assert_told_apart(what, pressed(&model, &["down", "down"]));
    }
    let view = Some(FrameChoice::View("pairs"));
    let score = testing::with(testing::page_model("a page", true, 120, 40), |model| {
        model.panes.focus = Pane::Score;
        model.frame.choice = view;
    });
    assert_told_apart("rows of the score", pressed(&score, &["down", "down"]));
    let pair = |pair| {
        testing::with(score.clone(), |model| model.score.selected_pair = Some(PairPlace { page: 0, pair }))
    };
    assert_told_apart("pairs", vec![score.clone(), pair(0), pair(2)]);
    let space = testing::space_with_params();
    let spec = space.spec("write").unwrap().clone();
    let form = ActionForm::new(spec, &Action::plain("write"), FormPurpose::Play);
    assert_told_apart("fields", pressed(&opened(&base, Modal::Form(Box::new(form))), &["tab"]));
    let back = |cursor| {
        let mut model = base.clone();
        (model.episodes[0].cursor, model.panes.focus, model.panes.tab) =
            (Some(cursor), Pane::Steps, Pane::Steps);
        model
    };
    assert_told_apart("steps", vec![back(0), back(1), back(2)]);
}

#[test]
fn what_is_switched_on_and_what_is_chosen() {
    let base = text_model(80, 24);
    let set = Breakpoints::default().toggled(0);
    let breaks = [Breakpoints::default(), set].into_iter().map(|breaks| opened(&base, Modal::Breaks(breaks)));
    assert_told_apart("breakpoints", breaks);
    let prompts = testing::model_with_prompts();
    let mut other = prompts.clone();
    let told = Snapshot { prompt: "blind".into(), ..Snapshot::clone(&other.episodes[0].snapshot) };
    other.episodes[0].snapshot = told.into();
    assert_told_apart(
        "prompts",
        vec![prompts, other].into_iter().map(|model| opened(&model, Modal::Prompts)),
    );
}

#[test]
fn letters_that_match_in_the_palette_are_marked() {
    for look in LOOKS {
        let model = opened(&text_model(80, 24), Modal::Palette(Palette::with("ste".into())));
        let row = plain(&model, look);
        let at = row.windows(2).position(|pair| pair[0].0 == "▸" && pair[1].0 == " ").unwrap();
        let attributes: Vec<Modifier> = row[at + 2..at + 6].iter().map(|cell| cell.1).collect();
        // The selected row is `step`, of which three letters match.
        assert!(attributes[..3].iter().all(|one| *one == attributes[0]), "{look:?}: {attributes:?}");
        assert_ne!(attributes[0], attributes[3], "{look:?}");
    }
}

#[test]
fn marks_rewards_and_errors_have_symbols_of_their_own() {
    let symbols: HashSet<_> = Mark::ALL.map(|mark| crate::panes::mark_symbol(mark).0).into();
    assert_eq!(symbols.len(), Mark::ALL.len());
    for pane in [Pane::Steps, Pane::Score, Pane::Agent, Pane::Memory] {
        let step = |reward, moved| {
            let told = ScriptedEpisode::new("oracle", Setting::Online, (3, 2)).step("Left", -0.5, true);
            let told = told.step("Left", reward, moved);
            let mut model = testing::model_of(told.snapshot(), 80, 24);
            (model.panes.focus, model.panes.tab, model.episodes[0].cursor) = (pane, pane, Some(1));
            model
        };
        let rewards = vec![step(4.5, true), step(-0.5, true), step(-5.5, true)];
        if matches!(pane, Pane::Steps | Pane::Score) {
            assert_told_apart("rewards", rewards);
        }
    }
    let reply = |reply: &str| {
        let told = ScriptedEpisode::new("oracle", Setting::Online, (3, 2)).reply(reply).snapshot();
        testing::with(testing::model_of(told, 80, 24), |model| model.panes.focus = Pane::Agent)
    };
    let replies =
        ["# analyze\nx\n\n# action\nLeft", "# analyze\nx\n\n# action\nleft", "# analyze\nx\n\n# other\nLeft"];
    assert_told_apart("replies", replies.into_iter().map(reply));
    let state = |change: fn(&mut Snapshot)| {
        let mut told = testing::sample_episode().snapshot();
        change(&mut told);
        testing::model_of(told, 80, 24)
    };
    let states = vec![
        state(|_| {}),
        state(|told| told.run.mode = Mode::Running { left: None }),
        state(|told| told.run.waiting = Waiting::Reply),
        state(|told| told.run.error = Some("failed".into())),
        state(|told| told.run.mode = Mode::Recorded),
    ];
    assert_told_apart("states", states);
}

#[test]
fn rows_in_and_out_of_the_memory_window() {
    let model = testing::with(text_model(80, 24), |model| {
        model.panes.focus = Pane::Memory;
        model.panes.tab = Pane::Memory;
    });
    let text = screen_text(&model);
    assert!(text.contains("● in") && text.contains("○ past OM") && text.contains("○ past AM"), "{text}");
}

#[test]
fn changes_of_code_and_of_a_frame_in_letters() {
    let before = |shown| {
        let mut model = testing::with(text_model(80, 24), |model| model.frame.before_and_after = shown);
        model.episodes[0].cursor = Some(1);
        model.prepare();
        model
    };
    for look in LOOKS {
        let reversed = |model: &Model| {
            let cells = plain(model, look);
            cells.iter().filter(|cell| cell.1.contains(Modifier::REVERSED)).count()
        };
        assert!(reversed(&before(true)) > reversed(&before(false)), "{look:?}");
    }
}
