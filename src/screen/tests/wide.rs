//! Wide characters, combining marks, emoji and right-to-left text in every pane and dialog: on the terminal the borders stay
//! in their columns.

use ratatui::buffer::Buffer;
use ratatui::layout::Size;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use super::hostile::models;
use super::written::shown;
use super::*;

const TEXTS: [&str; 6] = [
    "箱を左に押してから、上に戻って右の箱を押します。壁に付けると動かせなくなる。",
    "e\u{301}a\u{308}\u{304}o\u{302}\u{301} n\u{303}n\u{303}n\u{303} Z\u{351}\u{34b}a\u{322}\u{33d}l\u{334}\u{301}g\u{321}o\u{306}",
    "🙂📦🧱🚪🎉👍🏽🇩🇪🇯🇵❤\u{fe0f}☺\u{fe0f}1\u{fe0f}\u{20e3}📦📦📦📦📦📦📦📦📦📦📦📦📦📦📦📦📦📦📦📦📦📦📦",
    "👩\u{200d}👩\u{200d}👧\u{200d}👦 🏳\u{fe0f}\u{200d}🌈 👨🏾\u{200d}🚀 🧑\u{200d}🤝\u{200d}🧑 👩\u{200d}❤\u{fe0f}\u{200d}👨",
    "ادفع الصندوق إلى اليسار ثم عد إلى الأعلى דחוף את הקופסה שמאלה ואז חזור למעלה",
    "a箱b한c글dＡeｶ\u{ff9e}f\u{1100}\u{1161}\u{11a8}g👍🏿h箱箱箱箱箱箱箱箱箱箱箱箱箱箱箱箱箱箱箱箱箱箱箱箱箱箱箱箱",
];

/// Whether this is the side or a corner of a border.
fn is_border(symbol: &str) -> bool {
    matches!(symbol, "│" | "╭" | "╮" | "╰" | "╯")
}

/// Checks that no wide character covers a border, and that the terminal shows each border in its place.
fn assert_borders_in_place(drawn: &Buffer, what: &str) {
    let terminal = shown(drawn);
    for (index, cell) in drawn.content.iter().enumerate() {
        let (x, y) = drawn.pos_of(index);
        let width = cell.symbol().width();
        let covered = (1..width).map(|by| u16::try_from(by).unwrap() + x);
        for x in covered {
            let below = drawn.cell((x, y)).map(ratatui::buffer::Cell::symbol);
            assert!(!below.is_some_and(is_border), "{what}: {:?} covers {below:?} at {x},{y}", cell.symbol());
        }
        if is_border(cell.symbol()) {
            let seen = terminal.screen().cell(y, x).map(vt100::Cell::contents);
            assert_eq!(seen, Some(cell.symbol()), "{what} at {x},{y}");
        }
    }
}

/// The corners at the upper left whose box has a gap in one of its sides.
fn broken_boxes(drawn: &Buffer) -> Vec<(u16, u16)> {
    let symbol = |x: u16, y: u16| drawn.cell((x, y)).map_or("", ratatui::buffer::Cell::symbol);
    let is_side = |x: u16, y: u16| matches!(symbol(x, y), "│" | "▲" | "▼");
    let is_whole = |(left, top): (u16, u16)| {
        let right = (left..drawn.area.width).find(|x| symbol(*x, top) == "╮");
        let bottom = (top..drawn.area.height).find(|y| symbol(left, *y) == "╰");
        right.zip(bottom).is_some_and(|(right, bottom)| {
            symbol(right, bottom) == "╯" && (top + 1..bottom).all(|y| is_side(left, y) && is_side(right, y))
        })
    };
    let corners = (0..drawn.content.len()).map(|index| drawn.pos_of(index));
    corners.filter(|(x, y)| symbol(*x, *y) == "╭").filter(|corner| !is_whole(*corner)).collect()
}

#[test]
fn borders_stay_in_their_columns_beside_wide_and_combined_characters() {
    for text in TEXTS {
        for (index, mut model) in models(text).into_iter().enumerate() {
            for (width, height) in [(60, 16), (80, 24)] {
                model.size = Size::new(width, height);
                let drawn = render(&model);
                let what = format!("{text:?}, model {index} at {width}x{height}");
                assert_borders_in_place(&drawn, &what);
                // Dialogs and what may follow a key cover panes.
                if model.modal.is_none() && model.typed.prefix.is_none() && model.notice.is_none() {
                    assert_eq!(broken_boxes(&drawn), [], "{what}\n{}", symbols(&drawn));
                } else {
                    let boxes = drawn.content.iter().filter(|cell| cell.symbol() == "╭").count();
                    assert!(
                        broken_boxes(&drawn).len() < boxes || model.modal.is_none(),
                        "{what}\n{}",
                        symbols(&drawn)
                    );
                }
            }
        }
    }
}

#[test]
fn a_border_with_a_gap_is_found() {
    let whole = Buffer::with_lines(["╭──╮", "│箱▲", "╰──╯"]);
    assert_eq!(broken_boxes(&whole), []);
    assert_eq!(broken_boxes(&Buffer::with_lines(["╭──╮", "│abc", "╰──╯"])), [(0, 0)]);
}

#[test]
fn what_is_cut_of_a_dialog_has_an_ellipsis() {
    let mut model = testing::model(60, 16);
    model.modal = Some(Modal::Breaks(mageyard_engine::Breakpoints::default()));
    let text = screen_text(&model);
    assert!(text.contains("(needs a distance") && text.contains("search)"), "{text}");
    model.modal = Some(Modal::Copy(crate::model::CopyMenu::new(&model)));
    let text = screen_text(&model);
    assert!(text.lines().any(|line| line.contains("1 curl") && line.ends_with("… │")), "{text}");
}

#[test]
fn the_cursor_of_an_input_is_after_its_last_character() {
    let mut texts: Vec<String> = TEXTS.map(str::to_owned).into();
    texts.extend(["ｶ\u{ff9e}", "ﾊ\u{ff9f}ｶ\u{ff9e}", "aｶ\u{ff9e}b", "👍🏽", "שלום"].map(str::to_owned));
    for text in texts {
        let pieces: Vec<&str> = text.graphemes(true).collect();
        for end in 1..=pieces.len().min(12) {
            let input = pieces[..end].concat();
            if mageyard_domain::sanitize(&input).width() > 50 {
                break;
            }
            let mut model = testing::model(60, 16);
            model.modal = Some(Modal::Palette(Palette::with(input.clone())));
            let drawn = render(&model);
            let terminal = shown(&drawn);
            let at = drawn.content.iter().position(|cell| cell.symbol() == "█").unwrap();
            let (x, y) = drawn.pos_of(at);
            // The border, a blank and the colon are before it.
            let wanted = 3 + mageyard_domain::sanitize(&input).width();
            assert_eq!(usize::from(x), wanted, "{input:?}");
            assert_eq!(terminal.screen().cell(y, x).map(vt100::Cell::contents), Some("█"), "{input:?}");
            let row: String = terminal.screen().rows(0, 60).nth(y.into()).unwrap();
            // The terminal may leave a gap after a narrow character.
            let without_gaps = |text: &str| text.replace(' ', "");
            let wanted = without_gaps(&format!(":{}█", mageyard_domain::sanitize(&input)));
            assert!(without_gaps(&row).contains(&wanted), "{input:?}: {row:?}");
        }
    }
}
