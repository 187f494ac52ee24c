//! Themes, colours and control characters in text from outside.

use super::*;
use mageyard_dialog::PersonQuestion;
use mageyard_domain::Question;
use mageyard_engine::RunState;

/// Models of the sample episode in many states: focus, zoom, dialogs, notices, control characters.
pub(super) fn sample_models() -> Vec<Model> {
    let base = testing::model(120, 40);
    let with = |change: &dyn Fn(&mut Model)| {
        let mut model = base.clone();
        change(&mut model);
        model
    };
    let hostile = ReplyFormat::headings("# analyze", "# action", false).write(
        &"箱\u{202e}\u{1b}[2J👩‍👩‍👧‍👦e\u{301}".repeat(30),
        &[Action::plain("Left")],
        &mageyard_domain::ActionSpace::new(&[]),
    );
    let mut models = vec![
        with(&|_| {}),
        with(&|model| model.frame.shown_as = FrameView::Text),
        with(&|model| {
            model.modal = Some(Modal::Help(crate::help::HelpSheet::default()));
        }),
        with(&|model| model.modal = Some(Modal::Palette(Palette::default()))),
        with(&|model| model.modal = Some(Modal::Palette(Palette::with("箱".repeat(90))))),
        with(&|model| model.modal = Some(Modal::Abandon)),
        testing::asked(PersonQuestion::Ask(
            Question::to_person("箱\u{202e}\u{1b}[2J\te\u{301}\n".repeat(60)).into(),
        )),
        {
            let mut model = testing::person_with_params(0, 0);
            let space = testing::space_with_params();
            let hostile = "箱\u{202e}\u{1b}[2J👩‍👩‍👧‍👦\te\u{301}\n".repeat(30);
            let given = Action::plain("write").with("html", mageyard_domain::Arg::Code(hostile));
            let form = crate::model::ActionForm::new(
                space.spec("write").unwrap().clone(),
                &given,
                crate::model::FormPurpose::Play,
            );
            model.modal = Some(Modal::Form(Box::new(form)));
            model
        },
        Model { modal: Some(Modal::Request(3)), ..testing::model_with_prompts() },
        Model { modal: Some(Modal::Prompts), ..testing::model_with_prompts() },
        with(&|model| {
            let problem =
                Problem::new("wrong ".repeat(40)).at("a/file.toml", "箱箱 = 1\n", 3..6).with_help("mend it");
            model.modal = Some(Modal::Fault(Fault::Files(problem)));
        }),
        with(&|model| model.notify("\u{1b}words")),
        with(&|model| model.episodes[0].cursor = Some(2)),
        with(&|model| (model.agent.raw, model.episodes[0].cursor) = (true, Some(4))),
        {
            let said = testing::model_of(
                ScriptedEpisode::new("human", Setting::Online, (0, 1)).reply(&hostile).snapshot(),
                0,
                0,
            );
            testing::with(said, |model| model.agent.raw = true)
        },
        with(&|model| model.episodes.clear()),
        testing::model_of(testing::planned_episode().snapshot(), 0, 0),
        testing::model_of(
            ScriptedEpisode::new("human", Setting::Online, (0, 1)).reply(&hostile).snapshot(),
            0,
            0,
        ),
        testing::model_of(
            {
                let base = testing::planned_episode().snapshot();
                Snapshot {
                    steps: mageyard_engine::Steps::default(),
                    run: RunState { mode: Mode::Recorded, ..base.run.clone() },
                    ..base
                }
            },
            0,
            0,
        ),
    ];
    models.extend(Pane::ALL.map(|pane| {
        with(&|model| {
            (model.panes.focus, model.panes.tab, model.panes.zoomed, model.panes.scroll) =
                (pane, pane, true, [u16::MAX; 5]);
        })
    }));
    models
}

#[test]
fn control_characters_never_reach_a_cell() {
    for model in sample_models() {
        let model = Model { size: Size::new(100, 32), ..model };
        for cell in &render(&model).content {
            assert!(!cell.symbol().chars().any(|c| c.is_control() || c == '\u{202e}'), "{:?}", cell.symbol());
        }
    }
}

/// Every word and mark is there without colour: the symbols do not depend on the theme.
#[test]
fn themes_do_not_change_symbols() {
    let base = symbols(&render(&text_model(120, 40)));
    for (name, _) in Theme::shipped() {
        let mut model = text_model(120, 40);
        model.look.theme = Theme::named(name).unwrap();
        assert_eq!(symbols(&render(&model)), base, "{name}");
    }
}

#[test]
fn a_terminal_without_color_gets_no_color() {
    let mut model = testing::model(120, 40);
    model.appearance.settings.depth = ColorDepth::None;
    model.look.theme = Theme::named("dark").unwrap().for_depth(ColorDepth::None);
    for cell in &render(&model).content {
        assert_eq!((cell.fg, cell.bg), (Color::Reset, Color::Reset));
    }
}

#[test]
fn a_greyscale_theme_draws_greyscale_pictures() {
    for (theme, is_grey) in [("mono", true), ("dark", false), ("light", false), ("ansi16", false)] {
        let mut model = testing::model(120, 40);
        model.look.theme = Theme::named(theme).unwrap();
        let coloured = |color| matches!(color, Color::Rgb(r, g, b) if r != g || g != b);
        let cells = render(&model).content;
        let hue = cells.iter().any(|cell| coloured(cell.fg) || coloured(cell.bg));
        assert_eq!(hue, !is_grey, "{theme}");
    }
}
