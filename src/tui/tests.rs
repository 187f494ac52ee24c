//! The screen as a whole: what stands where, in which style, at every size.

use std::fmt::Write;

use insta::assert_snapshot;
use ratatui::buffer::Buffer;
use ratatui::layout::Size;
use ratatui::style::Color;

use super::command::COMMANDS;
use super::look::View;
use super::model::Model;
use super::panes::Pane;
use super::sheets::Fault;
use super::sheets::Palette;
use super::sheets::Sheet;
use super::still::picture;
use super::testing;
use super::testing::Told;
use super::theme::Depth;
use super::theme::Role;
use super::theme::Theme;
use crate::config::Problem;
use crate::domain::Action;
use crate::domain::Form;
use crate::domain::Observation;
use crate::domain::Part;
use crate::domain::Picture;
use crate::domain::Setting;
use crate::domain::Status;
use crate::domain::Window;
use crate::engine::Distance;
use crate::engine::Distances;
use crate::engine::Head;
use crate::engine::Mode;
use crate::engine::Snapshot;
use crate::engine::Step;
use crate::engine::Waiting;

fn symbols(buffer: &Buffer) -> String {
    let mut text = String::new();
    for row in buffer.content.chunks(buffer.area.width.max(1).into()) {
        let line: String = row.iter().map(ratatui::buffer::Cell::symbol).collect();
        writeln!(text, "{}", line.trim_end()).unwrap();
    }
    text
}

/// Each cell as a letter that stands for the role it was drawn in, with the meaning of the letters.
fn roles(model: &Model) -> String {
    let model = Model { theme: Theme::labelled(), ..model.clone() };
    let letters: Vec<char> = ('A'..='Z').chain('a'..='z').collect();
    let buffer = picture(&model);
    let mut used = [false; Role::COUNT];
    let mut text = String::new();
    for row in buffer.content.chunks(buffer.area.width.max(1).into()) {
        let line: String = row
            .iter()
            .map(|cell| match cell.fg {
                Color::Indexed(role) if cell.symbol() != " " => {
                    used[usize::from(role)] = true;
                    letters[usize::from(role)]
                }
                _ => ' ',
            })
            .collect();
        writeln!(text, "{}", line.trim_end()).unwrap();
    }
    for role in Role::all().filter(|role| used[*role as usize]) {
        write!(text, "{}={} ", letters[role as usize], role.name()).unwrap();
    }
    text
}

/// Text in place of the picture, so that a snapshot shows the whole screen.
fn plain(width: u16, height: u16) -> Model {
    Model { view: View::Text, ..testing::model(width, height) }
}

#[test]
fn the_screen_at_its_sizes() {
    for (width, height) in [(120, 40), (80, 24), (60, 16)] {
        let model = plain(width, height);
        assert_snapshot!(format!("symbols-{width}x{height}"), symbols(&picture(&model)));
        assert_snapshot!(format!("styles-{width}x{height}"), roles(&model));
    }
}

#[test]
fn the_tabs_at_80x24() {
    for pane in [Pane::Memory, Pane::Score, Pane::Steps] {
        let model = Model { tab: pane, focus: pane, ..plain(80, 24) };
        assert_snapshot!(format!("tab-{}", pane.name().to_lowercase()), symbols(&picture(&model)));
    }
}

#[test]
fn an_earlier_step_is_marked() {
    let mut model = plain(120, 40);
    model.episodes[0].cursor = Some(4);
    assert_snapshot!("looking-back", symbols(&picture(&model)));
    assert!(roles(&model).contains("=status.back"));
}

#[test]
fn a_refused_reply_under_the_microscope() {
    let mut model = plain(120, 40);
    (model.episodes[0].cursor, model.raw, model.reply, model.focus) = (Some(4), true, Some(1), Pane::Agent);
    assert_snapshot!("microscope", symbols(&picture(&model)));
    assert_snapshot!("microscope-styles", roles(&model));
}

#[test]
fn a_plan_is_shown_whole() {
    let model = Model { view: View::Text, ..testing::on(testing::plan().snapshot(), 120, 40) };
    assert_snapshot!("plan", symbols(&picture(&model)));
}

#[test]
fn below_the_smallest_size_there_is_a_sentence() {
    let text = symbols(&picture(&plain(59, 16)));
    assert_eq!(
        text.trim(),
        "The screen needs 60x16 cells; this terminal has 59x16.\nEnlarge it, or press q to leave."
    );
    assert!(symbols(&picture(&plain(60, 15))).starts_with("The screen needs 60x16"));
}

/// The story in every dress: focus, zoom, sheets, notices, themes, hostile words.
fn wardrobe() -> Vec<Model> {
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

/// Every small size, and beyond it every third; the dresses take turns.
#[test]
fn no_size_is_too_small_or_too_odd() {
    let mut dresses = wardrobe();
    let turns = dresses.len();
    let sizes = (0..=130u16).flat_map(|width| (0..=45u16).map(move |height| (width, height)));
    let wanted = sizes.filter(|(width, height)| (*width < 64 && *height < 18) || width % 3 == height % 3);
    for (turn, (width, height)) in wanted.enumerate() {
        let model = &mut dresses[turn % turns];
        model.size = Size::new(width, height);
        assert_eq!(picture(model).area.as_size(), model.size);
    }
}

#[test]
fn a_screen_drawn_while_it_shrinks_does_not_break() {
    let model = testing::model(120, 40);
    let mut gallery = super::picture::Gallery::default();
    gallery.prepare(&model, ratatui::layout::Rect::new(0, 0, 120, 40));
    for (width, height) in [(60, 16), (61, 40), (1, 1), (0, 0), (110, 30), (200, 70)] {
        let area = ratatui::layout::Rect::new(0, 0, width, height);
        super::view::draw(&model, &gallery, area, &mut Buffer::empty(area));
    }
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

#[test]
fn the_hint_line_names_keys_of_the_focused_pane() {
    for pane in Pane::ALL {
        let model = Model { focus: pane, ..plain(120, 40) };
        let text = symbols(&picture(&model));
        let line = text.lines().last().unwrap();
        assert!(line.contains("? help"), "{line}");
        let wanted = COMMANDS.iter().find(|row| row.panes == [pane]);
        assert!(wanted.is_none_or(|row| line.contains(row.hint)), "{}: {line}", pane.name());
    }
}

/// The moments of an episode that the hint line tells apart.
fn moments() -> [(&'static str, Snapshot); 6] {
    let asked = Told::new("model", Setting::Online, (3, 2)).step("Left", -0.5, true);
    let unread = Told::new("model", Setting::Online, (3, 2)).say("no heading at all");
    let over = Told::new("model", Setting::Online, (5, 1)).say("# analyze\nx\n# action\nUp");
    let over = over.act(54.5, true, Status::Won);
    let thinking = Snapshot { waiting: Waiting::Thinking, ..asked.snapshot() };
    [
        ("a solver, an action pending", testing::story().snapshot()),
        ("a model, to be asked", testing::sending(asked.snapshot())),
        ("a model, thinking", testing::sending(thinking)),
        ("a model, a reply not read", testing::sending(unread.snapshot())),
        ("a model, an action pending", testing::sending(testing::story().snapshot())),
        ("a model, over", testing::sending(over.snapshot())),
    ]
}

#[test]
fn the_hint_line_names_what_can_be_done_at_this_moment() {
    let mut text = String::new();
    for (moment, snapshot) in moments() {
        writeln!(text, "{moment}").unwrap();
        for (width, height, focus) in
            [(120, 40, Pane::Frame), (80, 24, Pane::Frame), (120, 40, Pane::Agent), (120, 40, Pane::Steps)]
        {
            let model = Model { focus, ..testing::on(snapshot.clone(), width, height) };
            let line = seen(&model).lines().last().unwrap().to_owned();
            writeln!(text, "{width:>4} {:6} {line}", focus.name()).unwrap();
        }
    }
    assert_snapshot!("hints", text);
}

/// The lines of the screen that this model makes.
fn seen(model: &Model) -> String {
    symbols(&picture(model))
}

#[test]
fn the_count_of_images_is_always_there() {
    for (width, height) in [(60, 16), (80, 24), (110, 30), (120, 40), (200, 60)] {
        for cursor in [None, Some(2)] {
            for reference in ["sokoban/mini/7", "/a/very/long/way/to/some/levels/of/my/own/collection.xsb#12"]
            {
                let mut told = testing::story().snapshot();
                let head = Head { reference: reference.into(), ..Head::clone(&told.head) };
                told.head = head.into();
                let mut model = testing::on(told, width, height);
                model.episodes[0].cursor = cursor;
                let text = seen(&model);
                assert!(text.contains("AM 3 OM 2 · 2 images"), "{width}x{height} {cursor:?}\n{text}");
            }
        }
    }
}

#[test]
fn looking_back_shows_the_window_of_that_request_and_what_comes_next() {
    let mut model = plain(120, 40);
    model.episodes[0].cursor = Some(2);
    model.episodes[0].window = Window::new(4, 3).ok();
    let text = seen(&model);
    assert!(text.contains("AM 3 · OM 2 ╮") && text.contains("next AM 4 OM 3: 3 images"), "{text}");
    model.episodes[0].window = None;
    assert!(!seen(&model).contains("next AM"));
}

#[test]
fn the_next_request_counts_on_the_reply_under_way() {
    let told = Told::new("oracle", Setting::Online, (5, 1)).step("Left", -0.5, true);
    let thinking = Snapshot { waiting: Waiting::Thinking, ..told.snapshot() };
    let text = seen(&testing::on(thinking, 120, 40));
    assert!(text.contains("step 3 will hold 2"), "{text}");
}

#[test]
fn after_the_end_nothing_is_asked_any_more() {
    let told = Told::new("oracle", Setting::Online, (5, 1)).say("# analyze\nx\n# action\nUp");
    let mut model = testing::on(told.act(54.5, true, Status::Won).snapshot(), 120, 40);
    let text = seen(&model);
    assert!(text.contains("nothing is asked any more") && text.contains("· 0 images"), "{text}");
    assert!(text.contains("█ ■") && text.contains("▲ end") && !text.contains("asked for"), "{text}");
    model.episodes[0].cursor = Some(0);
    let text = seen(&model);
    assert!(text.contains("request of step 1") && text.contains("looking at step 1 of 1"), "{text}");
}

#[test]
fn a_level_that_opens_says_that_it_searches() {
    let opening = Snapshot { steps: Vec::new(), waiting: Waiting::Thinking, ..testing::story().snapshot() };
    let text = seen(&testing::on(opening, 120, 40));
    assert!(
        text.contains("opening the level and searching its optimum") && text.contains(" OPENING "),
        "{text}"
    );
}

#[test]
fn help_and_leave_are_always_in_the_hint_line() {
    for (width, height) in [(60, 16), (80, 24), (120, 40)] {
        for focus in Pane::ALL {
            let text = seen(&Model { focus, ..plain(width, height) });
            let line = text.lines().last().unwrap();
            assert!(line.contains("? help") && line.contains("q leave"), "{line}");
        }
    }
}

/// The hall of a level of so many columns and rows, as text alone.
fn wide(columns: usize, width: u16, height: u16) -> Model {
    let row: String = ('a'..='z').cycle().take(columns).collect();
    let mut told = testing::story().snapshot();
    let text = format!("{row}\n{row}\n\na wall, b box, c target, d player, e player on a target, f floor");
    let seen = Observation::told(testing::observation(0).parts().to_vec(), text, ());
    let step = Step { seen, ..Step::clone(&told.steps[6]) };
    told.steps[6] = step.into();
    Model { view: View::Text, ..testing::on(told, width, height) }
}

#[test]
fn a_board_beyond_the_pane_is_marked_and_the_words_below_it_are_wrapped() {
    let mut model = wide(60, 80, 24);
    let text = seen(&model);
    // 38 columns are shown.
    assert!(text.contains("│abcdefghijklmnopqrstuvwxyzabcdefghijk…│"), "{text}");
    assert!(
        text.contains("│ a wall, b box, c target, d player, e ││")
            && text.contains("│ player on a target, f floor"),
        "{text}"
    );
    model.sideways = 500;
    let text = seen(&model);
    assert!(text.contains("│…xyzabcdefghijklmnopqrstuvwxyzabcdefgh│"), "{text}");
    let text = seen(&wide(10, 80, 24));
    assert!(text.contains(&format!("│{0}abcdefghij{0}│", " ".repeat(14))), "{text}");
}

#[test]
fn a_frame_too_small_for_a_picture_is_text_unless_somebody_asks() {
    for (width, height, small) in [(120, 40, false), (80, 24, false), (60, 16, false), (80, 16, false)] {
        let text = seen(&testing::model(width, height));
        assert_eq!(text.contains("too small for the picture; v draws it"), small, "{width}x{height}\n{text}");
    }
    let mut told = testing::story().snapshot();
    let parts = vec![Part::Picture(Picture::new(208, 208, 16, vec![90; 208 * 208 * 3]).unwrap().into())];
    let seen_there = Observation::told(parts, testing::observation(0).text().clone(), ());
    told.steps[6] = Step { seen: seen_there, ..Step::clone(&told.steps[6]) }.into();
    for (width, height, small) in [(120, 40, false), (80, 24, true), (60, 16, true)] {
        let mut model = testing::on(told.clone(), width, height);
        let text = seen(&model);
        let noted = text.contains("too small for the picture; v draws it") && text.contains("# $ $ #");
        assert_eq!((noted, text.contains("208×208 px")), (small, !small), "{width}x{height}\n{text}");
        model.view = View::Picture;
        assert!(seen(&model).contains("208×208 px"));
    }
}

#[test]
fn the_request_and_the_prompts_are_shown_over_the_panes() {
    let mut model = Model { sheet: Some(Sheet::Request(0)), ..testing::asking() };
    assert_snapshot!("request", seen(&model));
    model.sheet = Some(Sheet::Prompts(None));
    let text = seen(&model);
    assert!(
        text.contains("● 1 plain") && text.contains("  2 blind            few words (no images)"),
        "{text}"
    );
    assert!(text.contains("oracle · Online · plain · AM 3 OM 2 · 2 images"), "{text}");
}

#[test]
fn the_way_to_the_goal_stands_in_the_filmstrip_and_the_score() {
    for (width, height) in [(120, 40), (80, 24)] {
        let model = Model { view: View::Text, ..testing::on(testing::astray(), width, height) };
        let steps = Model { focus: Pane::Steps, tab: Pane::Steps, ..model.clone() };
        assert_snapshot!(format!("way-{width}x{height}"), symbols(&picture(&steps)));
    }
    let score = |cursor, told: Snapshot| {
        let mut model =
            Model { view: View::Text, focus: Pane::Score, tab: Pane::Score, ..testing::on(told, 80, 24) };
        model.episodes[0].cursor = cursor;
        seen(&model)
    };
    let text = score(None, testing::astray());
    assert!(text.contains("lost by     step 11") && text.contains("wasted           10 before"), "{text}");
    let text = score(Some(2), testing::astray());
    assert!(text.contains("to go             9") && text.contains("wasted            2 so far"), "{text}");
    let awaited = || testing::faulty().snapshot().along(Distances::new(vec![None; 14], true));
    assert_eq!(score(Some(2), awaited()).matches("searching").count(), 2);
    let known = Distance::Unknown("a limit".into());
    let unknown = testing::faulty().snapshot().along(Distances::new(vec![Some(known); 14], true));
    let text = score(Some(2), unknown);
    assert!(text.contains("to go       unknown") && text.contains("wasted      unknown"), "{text}");
    let text = score(None, testing::faulty().snapshot());
    assert!(!text.contains("to go") && !text.contains("wasted"), "{text}");
}

#[test]
fn errors_have_marks_in_the_filmstrip_and_a_verdict() {
    for (width, height) in [(120, 40), (80, 24)] {
        let told = testing::faulty().snapshot();
        let model = Model {
            view: View::Text,
            focus: Pane::Steps,
            tab: Pane::Steps,
            ..testing::on(told, width, height)
        };
        assert_snapshot!(format!("marks-{width}x{height}"), symbols(&picture(&model)));
        let only = Model { only: true, sought: "dead".parse().unwrap(), ..model.clone() };
        assert_snapshot!(format!("marks-only-{width}x{height}"), symbols(&picture(&only)));
        let verdict = Model { sheet: Some(Sheet::Verdict(0)), ..model };
        assert_snapshot!(format!("verdict-{width}x{height}"), symbols(&picture(&verdict)));
    }
}

#[test]
fn the_editor_is_as_tall_as_its_text_needs() {
    for (width, height) in [(120, 40), (80, 24)] {
        let form = Some(Form::headings("# analyze", "# action", false));
        let mut model = testing::on(Snapshot { form, ..testing::story().snapshot() }, width, height);
        let rows = |model: &Model| {
            let text = seen(model);
            let at = |words: &str| text.lines().position(|line| line.contains(words)).unwrap();
            at("leaves ").max(at("Ctrl-E")) - at("Edit the") + 1
        };
        let press = |model: &mut Model, keys: &str| {
            for key in keys.split(' ') {
                super::update::update(model, super::update::Msg::Key(testing::key(key)));
            }
        };
        press(&mut model, "e");
        assert!(rows(&model) <= 7, "{}", seen(&model));
        press(&mut model, "ctrl-r");
        let reply = rows(&model);
        assert!((9..20).contains(&reply), "{}", seen(&model));
        press(&mut model, "enter enter enter enter enter");
        assert!(rows(&model) > reply, "it grows with the text\n{}", seen(&model));
        press(&mut model, &["enter"; 60].join(" "));
        assert_eq!(rows(&model), usize::from(height) - 2, "and no further than the screen");
    }
}
