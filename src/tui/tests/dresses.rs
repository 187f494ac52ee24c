//! Themes, colours and hostile words.

use super::*;

/// The story in every dress: focus, zoom, sheets, notices, themes, hostile words.
pub(super) fn wardrobe() -> Vec<Model> {
    let base = testing::model(120, 40);
    let with = |change: &dyn Fn(&mut Model)| {
        let mut model = base.clone();
        change(&mut model);
        model
    };
    let hostile = Form::headings("# analyze", "# action", false)
        .write(&"箱\u{202e}\u{1b}[2J👩‍👩‍👧‍👦e\u{301}".repeat(30), &[Action::plain("Left")]);
    let mut models = vec![
        with(&|_| {}),
        with(&|model| model.view = View::Text),
        with(&|model| model.sheet = Some(Sheet::Help(500))),
        with(&|model| model.sheet = Some(Sheet::Palette(Palette::default()))),
        with(&|model| model.sheet = Some(Sheet::Palette(Palette::with("箱".repeat(90))))),
        with(&|model| model.sheet = Some(Sheet::Abandon)),
        Model { sheet: Some(Sheet::Request(3)), ..testing::asking() },
        Model { sheet: Some(Sheet::Prompts(None)), ..testing::asking() },
        with(&|model| {
            let problem =
                Problem::new("wrong ".repeat(40)).at("a/file.toml", "箱箱 = 1\n", 3..6).help("mend it");
            model.sheet = Some(Sheet::Fault(Fault::Files(problem)));
        }),
        with(&|model| model.remark("\u{1b}words")),
        with(&|model| model.episodes[0].cursor = Some(2)),
        with(&|model| (model.raw, model.episodes[0].cursor) = (true, Some(4))),
        {
            let said =
                testing::on(Told::new("human", Setting::Online, (0, 1)).say(&hostile).snapshot(), 0, 0);
            Model { raw: true, ..said }
        },
        with(&|model| model.episodes.clear()),
        testing::on(testing::plan().snapshot(), 0, 0),
        testing::on(Told::new("human", Setting::Online, (0, 1)).say(&hostile).snapshot(), 0, 0),
        testing::on(Snapshot { steps: Vec::new(), mode: Mode::Recorded, ..testing::plan().snapshot() }, 0, 0),
    ];
    models.extend(Pane::ALL.map(|pane| {
        with(&|model| {
            (model.focus, model.tab, model.zoomed, model.scroll) = (pane, pane, true, [u16::MAX; 5]);
        })
    }));
    models
}

#[test]
fn nothing_hostile_reaches_a_cell() {
    for model in wardrobe() {
        let model = Model { size: Size::new(100, 32), ..model };
        for cell in &picture(&model).content {
            assert!(!cell.symbol().chars().any(|c| c.is_control() || c == '\u{202e}'), "{:?}", cell.symbol());
        }
    }
}

/// Without colour every word and mark still stands: the symbols do not depend on the theme.
#[test]
fn themes_change_no_symbol() {
    let base = symbols(&picture(&plain(120, 40)));
    for (name, _) in Theme::shipped() {
        let mut model = plain(120, 40);
        model.theme = Theme::named(name).unwrap();
        assert_eq!(symbols(&picture(&model)), base, "{name}");
    }
}

#[test]
fn a_terminal_without_colour_gets_none() {
    let mut model = testing::model(120, 40);
    model.look.settings.depth = Depth::None;
    model.theme = Theme::named("dark").unwrap().at(Depth::None);
    for cell in &picture(&model).content {
        assert_eq!((cell.fg, cell.bg), (Color::Reset, Color::Reset));
    }
}
