//! What the analyses of steps claim, on the frame, in the reply and in lines.

use super::*;
use crate::linear::Narrator;
use crate::update::{Msg, update};
use mageyard_domain::{ActionShape, Claim, Perception, PixelBox, Presentation, Probe, ProbeKind, Probes};
use ratatui::style::Modifier;

/// Reads the analysis of a scripted step: one claim holds, the other one is wrong.
struct BoxProbes;

const HOLDS: &str = "The upper box";
const WRONG: &str = "one tile below its target";

/// Row 3 and columns 2 and 4, and row 2 and column 5, of squares of the scripted board.
fn square(row: i64, column: i64, side: u32) -> ActionShape {
    let along = |at: i64| (at - 1) * i64::from(side);
    ActionShape::Area(PixelBox { left: along(column), top: along(row), width: side, height: side })
}

impl Probes for BoxProbes {
    fn kinds(&self) -> &'static [ProbeKind] {
        &[]
    }

    fn probes(&self, _: &Observation, _: &str, _: u64) -> Vec<Probe> {
        Vec::new()
    }

    fn in_words(&self, _: &Observation) -> Option<String> {
        None
    }

    fn claims(&self, seen: &Observation, analysis: &str) -> Vec<Claim> {
        let side = seen.images().next().map_or(0, |(_, picture)| picture.width() / 7);
        let claim = |words: &str, holds: bool| {
            let start = analysis.find(words)?;
            let (claimed, actual) = if holds {
                (vec![square(3, 3, side)], Vec::new())
            } else {
                (vec![square(2, 5, side)], vec![square(3, 3, side), square(3, 5, side)])
            };
            let says = if holds { "a box above" } else { "box \u{1b}[2Jat row 2, column 5" }.to_owned();
            Some(Claim { at: start..start + words.len(), says, holds, claimed, actual })
        };
        [claim(HOLDS, true), claim(WRONG, false)].into_iter().flatten().collect()
    }
}

const GLYPHS: &[(char, mageyard_domain::Glyph)] = {
    use mageyard_domain::Glyph;
    &[
        ('#', Glyph::Obstacle),
        ('@', Glyph::Agent),
        ('.', Glyph::Goal),
        ('$', Glyph::Object),
        (' ', Glyph::Floor),
    ]
};

/// Two finished steps and one whose action is pending, all with claims.
fn model(width: u16, height: u16) -> Model {
    model_with(&BoxProbes, width, height)
}

fn model_with(probes: &'static dyn Probes, width: u16, height: u16) -> Model {
    let told = ScriptedEpisode::new("oracle", Setting::Online, (3, 2))
        .step("Left", -0.5, true)
        .step("Up", 4.5, true);
    let why = format!("{HOLDS} stands {WRONG}.");
    let told = told.reply(&format!("# analyze\n{why}\n\n# action\nLeft"));
    let snapshot = {
        let base = told.snapshot();
        let presentation = Presentation { glyphs: GLYPHS, ..base.presentation };
        let perception = Perception { probes: Some(probes), ..base.perception };
        Snapshot { presentation, perception, ..base }
    };
    let mut model = testing::model_of(snapshot, width, height);
    show(&mut model, 1);
    model
}

fn show(model: &mut Model, index: usize) {
    model.episodes[0].cursor = Some(index);
    model.prepare();
}

fn text(model: &Model) -> String {
    symbols(&render(model))
}

#[test]
fn wrong_claims_are_marked_where_they_are_and_where_the_thing_is() {
    for (width, height) in [(120, 40), (80, 24)] {
        let mut model = model(width, height);
        for (view, name) in [(FrameView::Picture, "picture"), (FrameView::Text, "text")] {
            model.frame.shown_as = view;
            model.prepare();
            assert_snapshot!(format!("claims-{name}-{width}x{height}"), text(&model));
            assert_snapshot!(format!("claims-{name}-styles-{width}x{height}"), roles(&model));
        }
    }
}

#[test]
fn both_places_are_told_apart_in_every_shipped_theme() {
    for (name, _) in Theme::shipped() {
        for view in [FrameView::Picture, FrameView::Text] {
            let mut model = model(120, 40);
            model.look.theme = Theme::named(name).unwrap();
            model.frame.shown_as = view;
            model.prepare();
            let screen = render(&model);
            let in_frame = screen.content.iter().enumerate().filter(|(at, _)| at % 120 < 40 && at / 120 < 30);
            let cells: Vec<_> = in_frame.map(|(_, cell)| cell).collect();
            let sign = |sign: &str| *cells.iter().find(|cell| cell.symbol() == sign).unwrap();
            let [claimed, actual] = ["✗", "○"].map(|symbol| sign(symbol).style());
            assert!(claimed.fg != actual.fg || *name == "mono", "{name}: {claimed:?}");
            assert!(claimed.add_modifier.contains(Modifier::BOLD), "{name}: {claimed:?}");
        }
    }
}

#[test]
fn the_signs_are_in_the_squares_of_a_board() {
    let mut model = model(120, 40);
    model.frame.shown_as = FrameView::Text;
    model.prepare();
    let text = text(&model);
    assert!(text.contains("##    .  ✗  ##") && text.contains("##  $○  $○  ##"), "{text}");
}

#[test]
fn claims_of_a_step_that_is_not_decided_are_not_read() {
    let mut model = model(120, 40);
    assert_eq!(model.claim_marks().len(), 3);
    show(&mut model, 2);
    let text = text(&model);
    assert!(
        text.contains("▶ Left")
            && text.contains("stands")
            && !text.contains("claims:")
            && !text.contains('✗'),
        "{text}"
    );
    assert!(model.claim_marks().is_empty());
}

#[test]
fn the_words_of_claims_are_marked_by_whether_they_hold() {
    for depth in [ColorDepth::TrueColor, ColorDepth::None] {
        let model = testing::with(model(120, 40), |model| model.appearance.settings.depth = depth);
        let screen = render(&model);
        let marked = |modifier: Modifier| -> String {
            let in_agent = screen
                .content
                .iter()
                .enumerate()
                .filter(|(at, _)| (40..90).contains(&(at % 120)) && at / 120 < 30);
            let cells = in_agent.filter(|(_, cell)| cell.modifier.contains(modifier));
            cells.map(|(_, cell)| cell.symbol()).collect()
        };
        let plain = |text: String| text.replace(' ', "");
        assert!(plain(marked(Modifier::UNDERLINED)).contains(&plain(HOLDS.to_owned())), "{}", text(&model));
        assert!(plain(marked(Modifier::REVERSED)).contains(&plain(WRONG.to_owned())), "{}", text(&model));
    }
}

#[test]
fn the_command_hides_them() {
    let mut model = model(120, 40);
    assert!(text(&model).contains("claims: 2 read, 1 wrong"));
    for is_shown in [false, true] {
        update(&mut model, Msg::Key(testing::key(":")));
        "claims".chars().for_each(|c| drop(update(&mut model, Msg::Key(testing::key(&c.to_string())))));
        update(&mut model, Msg::Key(testing::key("enter")));
        model.prepare();
        assert_eq!(text(&model).contains("claims: 2 read, 1 wrong"), is_shown, "{}", text(&model));
        assert_eq!(text(&model).contains("✗ claimed"), is_shown);
    }
}

#[test]
fn in_lines_each_finished_step_says_what_was_claimed() {
    let mut model = model(120, 40);
    model.episodes[0].cursor = None;
    let mut narrator = Narrator::default();
    let first = narrator.news(&model).join("\n");
    show(&mut model, 0);
    let said = narrator.news(&model).join("\n");
    assert!(said.contains("Claims: 2 read, 1 wrong: box ␛[2Jat row 2, column 5"), "{said}");
    assert!(!first.contains("Claims:"), "the newest step is not finished: {first}");
}

#[test]
fn a_claim_that_lies_outside_of_the_reply_is_left_out() {
    /// Claims what the reply does not have.
    struct Outside;

    impl Probes for Outside {
        fn kinds(&self) -> &'static [ProbeKind] {
            &[]
        }

        fn probes(&self, _: &Observation, _: &str, _: u64) -> Vec<Probe> {
            Vec::new()
        }

        fn in_words(&self, _: &Observation) -> Option<String> {
            None
        }

        fn claims(&self, _: &Observation, analysis: &str) -> Vec<Claim> {
            let claim =
                |at| Claim { at, says: "nothing".to_owned(), holds: false, claimed: vec![], actual: vec![] };
            let far = PixelBox { left: -900, top: 1 << 40, width: u32::MAX, height: u32::MAX };
            let placed = Claim { claimed: vec![ActionShape::Area(far)], ..claim(0..3) };
            vec![claim(analysis.len()..analysis.len() + 900), placed]
        }
    }

    let mut model = model_with(&Outside, 80, 24);
    for view in [FrameView::Picture, FrameView::Text] {
        model.frame.shown_as = view;
        model.prepare();
        assert!(text(&model).contains("claims: 1 read, 1 wrong"), "{}", text(&model));
    }
}
